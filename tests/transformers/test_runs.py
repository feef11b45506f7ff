"""What is kept of a run: plain data, the same every time, None for what is not finite."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from claims.campaigns.ledger import canonical
from dynamics.transformers.tasks import one_of_each_label
from tests.planting import LONG
from tests.transformers import by_hand
from tests.transformers.drawn import drawn, named
from tests.transformers.test_training import CLASSIFICATION, INDUCTION

SEEDS = (0, 5)


def not_finite(setting):
    """The weight decay alone multiplies every parameter by 1e36 at each step; float32 knows no larger power of ten."""
    return replace(setting, rate=1e38, epochs=2)


@pytest.mark.usefixtures("double")
@pytest.mark.parametrize("setting", [CLASSIFICATION, *([INDUCTION] if LONG else [])], ids=lambda setting: setting.task)
def test_runs_are_the_same_every_time_and_plain_data(runs, training, monkeypatch, setting):
    """And those of a model that is not finite have None, where a measure of it means nothing."""
    monkeypatch.setattr(training, "untrained", drawn)
    found = runs.runs(setting, SEEDS)
    assert canonical(found) == canonical(runs.runs(setting, SEEDS))
    assert [run["seed"] for run in found] == list(SEEDS)
    # Seeds differ, or the second run would repeat the first.
    assert found[0]["epochs"] != found[1]["epochs"]
    for run in found:
        lengths = {name: len(values) for name, values in run["epochs"].items()}
        assert lengths.pop("loss") == setting.epochs
        assert set(lengths.values()) == {setting.epochs + 1}
        assert run["epochs"]["loss"][-1] < run["epochs"]["loss"][0]
    if setting.task == "classification":
        (flips,) = {run["end"]["swaps"] for run in found}
        assert flips == 2
        for run in found:
            assert run["end"]["flips"] == run["epochs"]["flips"][-1]
            assert all(len(values) == 2 * 2 for values in run["end"]["theory"].values())
            assert np.shape(run["epochs"]["largest"]) == (setting.epochs + 1, 1, 2)
    else:
        assert all(len(run["end"]["distances_at_query"]) == 1 for run in found)
        sample = found[0]["end"]["sample"]
        assert "sample" not in found[1]["end"]
        assert len(sample["input"]) == setting.length
        assert np.allclose(np.sum(sample["attention"], axis=-1), 1, rtol=0, atol=1e-4)
        assert np.shape(sample["attention"]) == (setting.heads, setting.length, setting.length)
    broken = runs.runs(not_finite(setting), SEEDS)
    # JSON has no NaN: Python would write one, and other readers would refuse the ledger.
    text = canonical(broken)
    assert "NaN" not in text
    assert "null" in text
    for run in broken:
        assert run["epochs"]["loss"][-1] is None
        if setting.task == "classification":
            assert run["epochs"]["flips"][-1] is run["end"]["flips"] is run["end"].get("theory") is None
            assert run["epochs"]["largest"][-1] == [[None, None]]
        else:
            assert run["epochs"]["sinks"][-1] == run["epochs"]["printed_sinks"][-1] == [None, None]
            assert run["end"]["distances_at_query"] == [None]


@pytest.mark.skipif(not LONG, reason="every night: in float32, with the initial values of JAX")
@pytest.mark.parametrize("setting", [CLASSIFICATION, INDUCTION], ids=lambda setting: setting.task)
def test_runs_are_the_same_bit_for_bit_as_they_are_made(runs, training, setting):
    first = runs.runs(setting, SEEDS)
    # Compiled anew: what is compiled twice could be another sequence of roundings.
    training._compiled.cache_clear()
    assert canonical(first) == canonical(runs.runs(setting, SEEDS))


@pytest.mark.skipif(not LONG, reason="every night: nothing is exact, so that pairs are drawn")
def test_flips_of_a_classification_whose_inputs_differ(runs):
    setting = replace(CLASSIFICATION, vocabulary=13, evaluated=20, epochs=1)
    assert not setting.is_exact
    for run in runs.runs(setting, SEEDS):
        assert run["end"]["swaps"] == 2 * 500
        assert 0 <= run["end"]["flips"][0][0] <= 1000
        assert "theory" not in run["end"]


@pytest.mark.usefixtures("double")
def test_what_a_weight_of_attention_is_worth(runs):
    """Less the slope of each label's own loss at each weight of CLS, by the reverse pass by hand."""
    model, inputs, labels = drawn(CLASSIFICATION, 3), one_of_each_label(CLASSIFICATION), np.arange(2)
    worth, attention = runs.worths(model, inputs, labels)
    _, slopes = by_hand.loss_and_slopes(named(model), CLASSIFICATION, inputs, labels)
    _, rows, _ = by_hand.transformer(named(model), CLASSIFICATION, inputs)
    assert np.abs(worth + 2 * slopes[".blocks[0].rows"][:, :, -1]).max() < 1e-12
    assert np.abs(attention - rows[:, 0, :, -1]).max() < 1e-12
    # The comparison is not of zeros.
    assert np.abs(worth).min() > 1e-6


def test_what_theory_says_is_asked_of_each_label_and_head(runs):
    assert runs._numbers([0.123456789, float("nan"), float("inf")]) == [0.12346, None, None]
    u = np.array([[3.0, 1.0, 2.0], [0.0, 1.0, 2.0]])
    s = np.array([[0.7, 0.1, 0.2], [0.2, 0.5, 0.3]])
    found = runs._theory(u[:, None], s[:, None], u[::-1, None], s[::-1, None])
    assert found["leader"] == [0, 2]
    assert found["attended"] == [0, 1]
    assert found["last_leader"] == [2, 0]
    assert found["winner"] == [1, 0]
    assert found["share"] == [0.5, 0.7]
    assert found["order_of_values"] == [round(-1 / 3, 5)] * 2
    assert found["order_of_attention"] == [round(1 / 3, 5), 1.0]
    assert runs._theory(u, s, u * np.nan, s) is None
