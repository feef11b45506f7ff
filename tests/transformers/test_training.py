"""Training beside training by hand, step by step in float64; what a batch is, the loss, AdamW; bugs planted in them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dynamics.transformers.settings import Setting
from dynamics.transformers.tasks import samples
from tests.planting import LONG, bugs_of, facts_above, noticed, survivors
from tests.transformers import by_hand
from tests.transformers.drawn import drawn, named

# Two layers, perceptrons, layer norms, added positions; five batches an epoch, the last of two samples.
INDUCTION = Setting(
    "induction", vocabulary=6, tokens=3, width=4, heads=2, samples=18, evaluated=4, batch=4, epochs=4, rate=1e-2
)
# Inputs are exact: two sets of three tokens. Three batches an epoch, the last of two samples; as many steps as above.
CLASSIFICATION = replace(
    replace(INDUCTION, task="classification", attention="linear", vocabulary=7, labels=2, samples=10, epochs=7),
    positions="no",
    layers=1,
    mlp=False,
    layer_norm=False,
)


@pytest.mark.usefixtures("double")
@pytest.mark.parametrize("setting", [INDUCTION, CLASSIFICATION], ids=lambda setting: setting.task)
def test_training_is_that_by_hand_at_every_step(training, monkeypatch, setting):
    """Losses of all steps and parameters after each epoch, to rounding, for two seeds together.

    By hand every sample is an input of its own, its tokens in the order drawn: where the inputs are exact, the trained
    models see the numbers of samples of each label instead.
    """
    monkeypatch.setattr(training, "untrained", drawn)
    seeds, steps = (3, 5), 0
    hands = {}
    for now in training.trained(setting, seeds):
        weights = named(now.weights)
        assert next(iter(weights.values())).dtype == np.float64
        for k, seed in enumerate(seeds):
            if now.epoch == 0:
                hands[seed] = by_hand.AdamW({name: value[k] for name, value in weights.items()}, float(np.float32(1e-2)))
                continue
            inputs, targets = samples(setting, setting.samples, np.random.default_rng([seed, 0]))
            order = np.random.default_rng([seed, 2, now.epoch]).permutation(setting.samples)
            for step, loss in enumerate(now.losses[k]):
                chosen = order[4 * step : 4 * step + 4]
                expected, slopes = by_hand.loss_and_slopes(hands[seed].p, setting, inputs[chosen], targets[chosen])
                assert abs(loss - expected) <= 1e-9 * expected
                hands[seed].step(slopes)
                steps += 1
            assert 4 * (step + 1) >= setting.samples
            for name, value in hands[seed].p.items():
                assert np.abs(weights[name][k] - value).max() <= 1e-9 * max(1, np.abs(value).max()), name
    assert now.epoch == setting.epochs
    assert steps >= 2 * 20
    if setting.is_exact:
        inputs = np.array([[1, 2, 3, 0], [4, 5, 6, 0]])
        permuted = np.array([[2, 3, 1, 0], [6, 5, 4, 0]])
        logits, rows = now.look(np.stack([inputs, inputs]))
        again, others = now.look(np.stack([permuted, permuted]))
        assert np.abs(logits[:, :, -1] - again[:, :, -1]).max() <= 1e-13 * np.abs(logits).max()
        assert np.abs(logits[:, 0, -1] - logits[:, 1, -1]).max() > 1e-3
        # The attention goes with the tokens.
        assert np.abs(rows[:, 0, 0, :, -1][..., [1, 2, 0, 3]] - others[:, 0, 0, :, -1]).max() < 1e-13


def test_a_fresh_model_has_the_initial_values_of_pytorch(model, monkeypatch):
    """Bounds, shapes and randomness as they are asked for: no two parameters share a key."""
    import jax

    asked = []

    def uniform(key, shape, minval, maxval):
        asked.append(key)
        assert minval == -maxval
        # The bound instead of a draw: it is read off the values.
        return np.full(shape, maxval)

    def normal(key, shape):
        asked.append(key)
        return np.full(shape, 7.0)

    monkeypatch.setattr(jax.random, "split", lambda key, number=2: [(*key, one) for one in range(number)])
    monkeypatch.setattr(jax.random, "uniform", uniform)
    monkeypatch.setattr(jax.random, "normal", normal)
    setting = replace(INDUCTION, attention="mlp", positions="concat", width=12, heads=3)
    values = named(model.Transformer(setting, ()))
    # No key is used twice, nor both to draw and to make others.
    assert len(set(asked)) == len(asked)
    assert not any(key != other and other[: len(key)] == key for key in asked for other in asked)
    assert values.pop(".tokens").shape == (11, 6)
    assert (values.pop(".places") == np.full((5, 6), 7)).all()
    kinds = {name: "norm" if any(part in name for part in ("before", "between", "after")) else "line" for name in values}
    for name, value in values.items():
        if kinds[name] == "norm":
            assert (value == (1 if name.endswith("gain") else 0)).all()
            assert value.shape == (12,)
        else:
            enters = values[name.replace("bias", "weight")].shape[0]
            assert np.abs(value - enters**-0.5).max() < 1e-6, name
    lines = [name for name in kinds if kinds[name] == "line"]
    assert len(lines) == len(asked) - 2 == 2 * (2 * 8 + 1)
    assert values[".blocks[1].feature.first.weight"].shape == (4, 16)
    assert values[".blocks[0].mlp.second.weight"].shape == (48, 12)
    assert values[".head.weight"].shape == (12, 11)


@pytest.mark.skipif(not LONG, reason="every night: JAX compiles its draws for seconds")
def test_a_fresh_model_is_drawn_from_its_seed_alone(training):
    one, same, other = (named(training.untrained(replace(INDUCTION, width=32), seed)) for seed in (4, 4, 5))
    for name, value in one.items():
        assert (value == same[name]).all()
        if not name.endswith((".gain", ".shift")):
            assert (value != other[name]).mean() > 0.9
            if ".tokens" not in name and ".places" not in name:
                enters = one[name.replace("bias", "weight")].shape[0]
                assert np.abs(value).max() <= enters**-0.5
                # A uniform draw of [-b, b] has the standard deviation b / sqrt(3).
                assert abs(value.std() * (3 * enters) ** 0.5 - 1) < 0.5
    assert abs(one[".tokens"].std() - 1) < 0.2


# ---------------------------------------------------------------------------------------------------------------------
# Facts of training that need no compiled model, and bugs that break them


def batches_take_every_sample_once(module):
    """Every epoch in another order, the last batch short; the rest of it weighs nothing."""
    data = module.data_of(INDUCTION, 8)
    seen = []
    for epoch in (1, 2):
        inputs, targets, weights = module.batches(INDUCTION, data, 8, epoch)
        assert inputs.shape == targets.shape == (5, 4, 5)
        assert weights.sum(axis=1).tolist() == [4, 4, 4, 4, 2]
        taken = np.concatenate([inputs, targets], axis=-1)[weights == 1]
        seen.append(taken.tolist())
        assert sorted(seen[-1]) == sorted(np.concatenate([data.inputs, data.targets], axis=-1).tolist())
    # Sorted they are equal, so only the order differs.
    assert seen[0] != seen[1]


def exact_batches_count_the_samples(module):
    """As many of each label as the samples of the same places in the same order."""
    data = module.data_of(CLASSIFICATION, 8)
    for epoch in range(1, 6):
        inputs, targets, weights = module.batches(CLASSIFICATION, data, 8, epoch)
        order = np.random.default_rng([8, 2, epoch]).permutation(10)
        for step in range(3):
            assert inputs[step].tolist() == [[1, 2, 3, 0], [4, 5, 6, 0]]
            assert targets[step].tolist() == [0, 1]
            labels = data.targets[order][4 * step : 4 * step + 4].tolist()
            assert weights[step].tolist() == [labels.count(0), labels.count(1)]
        assert weights.sum() == 10


def what_is_evaluated_is_not_what_is_trained_on(module):
    """Nor do two seeds share samples; the same seed has the same."""
    one, other, again = (module.data_of(INDUCTION, seed) for seed in (1, 2, 1))
    assert one.test_inputs[:, 1:-1].tolist() != one.inputs[:4, 1:-1].tolist()
    assert one.inputs.tolist() != other.inputs.tolist()
    assert one.inputs.tolist() == again.inputs.tolist()
    assert len(one.inputs) == 18
    assert len(one.test_inputs) == len(one.test_targets) == 4


def the_loss_of_a_sample(module):
    """The last position, and lambda times the mean of all others; of a classification CLS alone."""
    logits = np.random.default_rng(0).normal(size=(4, 3))
    targets = np.array([2, 0, 1, 1])
    each = [np.log(np.exp(row).sum()) - row[target] for row, target in zip(logits, targets, strict=True)]
    setting = replace(INDUCTION, weight=0.3)
    expected = each[3] + 0.3 * (each[0] + each[1] + each[2]) / 3
    assert abs(float(module.loss_of_logits(setting, logits, targets)) - expected) < 1e-5
    last = float(module.loss_of_logits(CLASSIFICATION, logits, np.array(1)))
    assert abs(last - each[3]) < 1e-5


def adamw_is_that_by_hand(module):
    """Twenty steps: slopes that change sign, that are tiny, that are nought."""
    rng = np.random.default_rng(5)
    start = {"w": np.array([1.0, -2.0, 0.5, 3.0])}
    hand, p = by_hand.AdamW(start, 1e-2), dict(start)
    memory = module.optimiser().init(p)
    for _ in range(20):
        # 1e-8 is the constant in AdamW's divisor: beside it the place of that constant shows.
        slopes = {"w": rng.normal(size=4) * np.array([1.0, 1e-3, 1e-8, 0.0])}
        change, memory = module.optimiser().update(slopes, memory, p)
        p = {"w": p["w"] - 1e-2 * np.asarray(change["w"])}
        hand.step(slopes)
        assert np.abs(p["w"] - hand.p["w"]).max() < 1e-12


FACTS = facts_above(globals(), "module")


@pytest.mark.usefixtures("double")
@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.__name__)
def test_training(training, fact):
    fact(training)


@pytest.mark.usefixtures("double")
def test_every_bug_planted_in_training_is_noticed(training):
    assert survivors(bugs_of(training), FACTS, noticed) == []


# ---------------------------------------------------------------------------------------------------------------------
# Bugs in the model

FORWARD = [
    replace(INDUCTION, layers=1),
    replace(INDUCTION, layers=1, attention="linear", positions="concat"),
    replace(INDUCTION, layers=1, attention="elu", normalised=False, positions="no", layer_norm=False),
    replace(INDUCTION, layers=1, attention="mlp", normalised=False, mlp=False),
    replace(INDUCTION, layers=1, attention="sigmoid"),
    replace(INDUCTION, layers=1, attention="elu*elu", normalised=False, scaled=True),
    replace(CLASSIFICATION, attention="uniform"),
]


def of_the_forward_pass(setting):
    """That logits and attention are those by hand."""

    def fact(module):
        model = drawn(setting, module=module)
        inputs, _ = samples(setting, 1, np.random.default_rng(1))
        expected = by_hand.transformer(named(model), setting, inputs)[:2]
        for one, other in zip(model(inputs[0]), expected, strict=True):
            assert one.shape == other[0].shape
            assert np.abs(np.asarray(one) - other[0]).max() < 1e-10

    return fact


@pytest.mark.skipif(not LONG, reason="every night: bugs in the model, each an own model")
@pytest.mark.usefixtures("double")
def test_every_bug_planted_in_the_model_is_noticed(model):
    assert survivors(bugs_of(model), [of_the_forward_pass(setting) for setting in FORWARD], noticed) == []
