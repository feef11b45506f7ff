"""Designs and the plan of a sweep: which tasks, in which order, from which seeds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from claims.campaigns.ledger import LedgerError, task_key
from claims.sweeps.designs import DESIGNS, Design, DesignError, every_map, sweep, sweep_of_ledger
from dynamics.transformers.settings import MAPS, Setting
from tests.sweeps.pretended import CHEAP, DESIGN, OTHER


@pytest.fixture(autouse=True)
def _tiny(monkeypatch):
    monkeypatch.setitem(DESIGNS, "tiny", DESIGN)


def test_every_seed_of_every_setting_is_trained_once_the_first_seeds_of_all_settings_first():
    specs = list(DESIGN.specs())
    assert [(spec["setting"]["task"], spec["seeds"]) for spec in specs] == [
        ("induction", [0, 1]),
        ("classification", [0, 1]),
        ("induction", [2, 3]),
        ("classification", [2, 3]),
        ("induction", [4]),
        ("classification", [4]),
    ]
    assert [Setting.from_data(spec["setting"]) for spec in specs[:2]] == [CHEAP, OTHER]
    assert [spec["seeds"] for spec in DESIGN.specs(1)] == [[0], [0]]
    assert sum(len(spec["seeds"]) for spec in DESIGN.specs(7)) == 14


def test_a_design_trains_each_of_its_settings_from_all_its_seeds():
    for name, design in DESIGNS.items():
        assert (design.name, len(set(design.settings))) == (name, len(design.settings))
        trained = [(Setting.from_data(spec["setting"]), seed) for spec in design.specs() for seed in spec["seeds"]]
        assert len(set(trained)) == len(trained) == len(design.settings) * design.seeds
        assert {seed for _, seed in trained} == set(range(design.seeds))


def test_the_designs_are_those_of_the_tables():
    """Table 3 in bold, table 2 in bold but for what the name of a design says."""
    figure = DESIGNS["figure-6"]
    assert (len(figure.settings), figure.seeds) == (12 * 3, 20)
    assert {one.rate for one in figure.settings} == {1e-2, 1e-3, 1e-4}
    classifier = {"task": "classification", "layers": 1, "heads": 1, "width": 128, "vocabulary": 41, "labels": 4}
    classifier |= {"length": 11, "samples": 10_000, "evaluated": 1000, "batch": 256, "epochs": 10, "positions": "no"}
    classifier |= {"causal": False, "mlp": True, "layer_norm": True, "is_exact": True}
    # Length 13 in table 2 counts the last target; positions are added in the runs that figure 4 is drawn from.
    induction = {"layers": 2, "width": 128, "samples": 100_000, "evaluated": 1000, "batch": 256, "epochs": 10, "length": 12}
    induction |= {"weight": 0.2, "shifted": True, "positions": "add", "mlp": True, "layer_norm": True, "causal": True}
    for name, expected in (("figure-6", classifier), ("figure-4", induction)):
        for one in DESIGNS[name].settings:
            assert {key: getattr(one, key) for key in expected} == expected
    maps = {(name, normalised) for name in MAPS for normalised in (True, False)}
    found = {(one.attention, one.normalised) for one in DESIGNS["figure-4-tiny"].settings}
    assert found == maps - {("softmax", False), ("uniform", False)}
    assert {one.weight for one in DESIGNS["figure-14-tiny"].settings} == {0}
    assert {one.replacement for one in DESIGNS["replacement-tiny"].settings} == {True}


def test_every_map_comes_with_and_without_normalisation():
    found = every_map(replace(CHEAP, heads=1))
    assert len(found) == len(set(found)) == 12
    assert [one.attention for one in found if not one.normalised] == ["sigmoid", "elu", "elu*elu", "mlp", "linear"]
    assert {one.heads for one in found} == {1}


def results(spec):
    return {"runs": [{"seed": seed} for seed in spec["seeds"]]}


def test_a_sweep_is_over_when_each_task_has_a_result_or_none():
    plan = sweep(["tiny"])
    specs = plan.ready()
    assert specs == list(DESIGN.specs())
    assert plan.ready() == []
    assert (plan.left, plan.done()) == (6, False)
    for number, spec in enumerate(specs[:-1]):
        if number == 2:
            plan.lose(spec, "out of memory")
        else:
            plan.take(spec, results(spec), 1.5)
        assert not plan.done()
    assert plan.left == 1
    plan.take(specs[-1], results(specs[-1]), 0.5)
    assert (plan.left, plan.done(), plan.work) == (0, True, 6.5)
    assert plan.lost == {task_key(specs[2]): "out of memory"}
    assert plan.results.keys() == {task_key(spec) for spec in specs} - plan.lost.keys()
    plan = sweep(["tiny"])
    spec = plan.ready()[0]
    # Of other seeds, of fewer, in another order: runs of another task.
    for runs in ([], [{"seed": 0}], [{"seed": 1}, {"seed": 0}], [{"seed": 0}, {"seed": 2}]):
        with pytest.raises(ValueError, match="of another task"):
            plan.take(spec, {"runs": runs}, 1.0)
    assert plan.left == 6


def test_what_two_designs_share_is_trained_once(monkeypatch):
    monkeypatch.setitem(DESIGNS, "half", Design("half", "", (OTHER,), seeds=4, together=2))
    assert list(sweep(["half", "tiny", "tiny"]).tasks.values()) == [
        *list(DESIGN.specs(4))[1::2],
        *list(DESIGN.specs())[::2],
        list(DESIGN.specs())[-1],
    ]


def test_a_ledger_s_settings_are_its_plan():
    sweep = sweep_of_ledger({"designs": ["tiny"], "seeds": 3, "code": "any"})
    assert [spec["seeds"] for spec in sweep.tasks.values()] == [[0, 1], [0, 1], [2], [2]]
    assert len(sweep_of_ledger({"designs": ["tiny"], "seeds": None, "code": "any"}).tasks) == 6
    for settings in ({}, {"targets": ["clusters"], "seed": 1}):
        with pytest.raises(LedgerError, match="another campaign than a sweep"):
            sweep_of_ledger(settings)
    with pytest.raises(DesignError, match="there is no design 'gone'"):
        sweep_of_ledger({"designs": ["gone"], "seeds": None, "code": "any"})
