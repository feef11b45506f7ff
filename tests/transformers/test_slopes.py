"""Loss, attention and slopes of every attention map, beside those by hand and beside differences, in float64."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from dynamics.transformers.settings import ALWAYS_NORMALISED, MAPS, Setting
from dynamics.transformers.tasks import samples
from tests.planting import one_in
from tests.transformers import by_hand
from tests.transformers.drawn import drawn, named

# Every map of table 1, with and without normalisation; elu*elu with and without its root.
TABLE = [
    (attention, normalised, scaled)
    for attention in MAPS
    for normalised in (True, False)
    for scaled in (False, True)
    if normalised or attention not in ALWAYS_NORMALISED
    if not scaled or attention == "elu*elu"
]
SMALL = Setting("induction", vocabulary=5, tokens=3, width=4, heads=2, layers=1, samples=1, evaluated=1)
FLAT = replace(SMALL, task="classification", labels=2, vocabulary=7)

# The first of them is the one whose slopes a short run checks: no other test has positions beside the tokens.
SETTINGS = [
    replace(task, attention=attention, normalised=normalised, scaled=scaled, layer_norm=norm, mlp=mlp, positions=positions)
    for (attention, normalised, scaled), norm, mlp, (positions, task) in product(
        sorted(TABLE, key=lambda one: one[0] != "mlp"),
        (True, False),
        (False, True),
        (("concat", SMALL), ("add", SMALL), ("no", FLAT)),
    )
]


def close(found, expected, most=1e-9):
    """Whether two arrays differ by rounding only, beside the largest entry."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    # Entries that cancel have no digits of their own: their error is that of the largest.
    return np.abs(found - expected).max() <= most * max(np.abs(expected).max(), 1e-3)


def told(setting):
    parts = [setting.map_name, setting.positions, setting.task]
    return " ".join(parts + [name for name in ("scaled", "layer_norm", "mlp") if getattr(setting, name)])


@pytest.mark.usefixtures("double")
@pytest.mark.parametrize("causal", one_in(2, [True, False]))
def test_every_map_and_its_slopes(model, causal):
    """Attention alone, of queries and keys on both sides of the kinks of elu and of the largest of |sum| and 1."""
    import jax
    import jax.numpy as jnp

    assert (len(TABLE), len(set(SETTINGS))) == (14, 14 * 2 * 2 * 3)
    rng = np.random.default_rng(7)
    q, k, each = rng.normal(size=(2, 3, 5, 4)), rng.normal(size=(2, 3, 5, 4)), rng.normal(size=(len(TABLE), 2, 3, 5, 5))
    mask = np.tril(np.ones((5, 5), bool)) if causal else np.ones((5, 5), bool)
    parameters = {
        f".feature.{layer}.{name}": rng.normal(size=shape) / 2
        for layer, shapes in (("first", ((4, 16), (16,))), ("second", ((16, 4), (4,))))
        for name, shape in zip(("weight", "bias"), shapes, strict=True)
    }

    def perceptron(x):
        hidden = jax.nn.gelu(x @ parameters[".feature.first.weight"] + parameters[".feature.first.bias"], approximate=False)
        return hidden @ parameters[".feature.second.weight"] + parameters[".feature.second.bias"]

    def all_maps(q, k):
        found = []
        for attention, normalised, scaled in TABLE:
            similar = model.similarities(attention, scaled, q, k, perceptron)
            found.append(model.attention_rows(attention, normalised, similar, mask))
        return jnp.stack(found)

    @jax.jit
    def rows_and_slopes(q, k):
        """Of the sum of all maps, each with slopes of its own: what is wrong with one is not made good by another."""
        rows, back = jax.vjp(all_maps, q, k)
        return rows, back(each)

    rows, slopes = rows_and_slopes(q, k)
    totals, by_reverse = {}, []
    for n, (attention, normalised, scaled) in enumerate(TABLE):
        one = replace(SMALL if causal else FLAT, attention=attention, normalised=normalised, scaled=scaled)
        expected, back = by_hand.attention(parameters, "", one, q, k)
        by_reverse.append(back(each[n], by_hand.defaultdict(float)))
        assert close(rows[n], expected, 1e-13), (attention, normalised)
        assert not rows[n][..., ~mask].any()
        totals[attention, normalised] = np.asarray(rows[n]).sum(axis=-1)
    for found, expected in zip(slopes, zip(*by_reverse, strict=True), strict=True):
        assert close(found, sum(expected), 1e-12)
    for (attention, normalised), total in totals.items():
        # These two are divided by the larger of |sum| and 1: their rows need not sum to one.
        if normalised and attention not in ("mlp", "linear"):
            assert np.allclose(total, 1, rtol=0, atol=1e-7)
    for attention in ("mlp", "linear"):
        assert (np.abs(totals[attention, True]) < 1 + 1e-12).all()
        large = np.abs(totals[attention, False]) > 1
        assert large.any()
        assert not large.all(), "nowhere below 1: the largest of the two is not tried"


@pytest.mark.usefixtures("double")
@pytest.mark.parametrize("setting", one_in(len(SETTINGS), SETTINGS), ids=told)
def test_slopes_of_the_loss(training, setting):
    """Beside the reverse pass by hand, and along two directions beside central differences of the compiled loss."""
    import equinox as eqx
    import jax

    model = drawn(setting)
    inputs, targets = samples(setting, 6, np.random.default_rng(3))
    compiled = eqx.filter_jit(eqx.filter_value_and_grad(training.mean_loss))

    def loss_and_slopes(some):
        loss, slopes = compiled(some, inputs, targets, np.ones(6))
        return float(loss), named(slopes)

    loss, slopes = loss_and_slopes(model)
    expected, by_reverse = by_hand.loss_and_slopes(named(model), setting, inputs, targets)
    assert abs(loss - expected) <= 1e-12 * expected
    assert slopes.keys() == {name for name in by_reverse if not name.endswith(".rows")}
    most = max(np.abs(one).max() for one in slopes.values())
    for name, slope in slopes.items():
        assert np.abs(slope - by_reverse[name]).max() <= 1e-10 * most, name
    rng, h = np.random.default_rng(11), 1e-5
    for _ in range(2):
        direction = {name: rng.normal(size=value.shape) for name, value in slopes.items()}

        def moved(by, direction=direction):
            leaves, tree = jax.tree.flatten(model)
            steps = [by * one for one in direction.values()]
            return jax.tree.unflatten(tree, [leaf + step for leaf, step in zip(leaves, steps, strict=True)])

        # Not by reverse passes, of which both sides could be wrong in one way.
        difference = (loss_and_slopes(moved(h))[0] - loss_and_slopes(moved(-h))[0]) / (2 * h)
        along = sum((slopes[name] * direction[name]).sum() for name in slopes)
        assert abs(difference - along) <= 1e-6 * (1 + abs(along))
        # Of a slope near 0 the bound above would accept nearly anything.
        assert abs(along) > 1e-3
