"""Forecasts of growth: the weights found are the best, and enclosures that use them are sharper."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from flint import fmpq

import dynamics.enclosures.forecast as ahead
import dynamics.enclosures.steps as chain
from dynamics.enclosures.forecast import comparison_matrices, forecast, least_growth
from dynamics.enclosures.steps import LADDER, EnclosureError, enclose_at
from dynamics.tokens.self_attention import RescaledFlow
from tests.planting import asked_of, facts_above

PAIRS = [range(2), range(2, 4)]


def grown(matrices, spans, sizes, y):
    """What an error of the first moment becomes in the last, in logarithms, by the definition."""
    rates = [max((A * np.exp(y - y[:, None])).sum(axis=1).max(), 0) for A in matrices]
    return (sizes - y).max() + np.dot(rates, spans) + y.max()


def test_comparison_matrices_have_logarithmic_norms_on_the_diagonal():
    jacobian = np.array([[-2.0, 1, 3, 0], [1, -2, 0, 4], [0, 0, 5, 9], [0, 0, -9, 5]])
    # Symmetric part of the first block: eigenvalues -1 and -3. Of the second: 5 twice. Coupling: at most 4, not 5.
    np.testing.assert_allclose(comparison_matrices(jacobian[None], PAIRS), [[[-1, 4], [0, 5]]])


def test_no_weights_grow_less():
    draw = np.random.default_rng(3)
    matrices = draw.exponential(size=(12, 4, 4)) ** 3 - 4 * np.eye(4)
    spans, sizes = draw.uniform(0.05, 0.2, size=12), np.log([1.0, 1, 3, 1])
    best, growth = least_growth(matrices, spans, sizes)
    assert growth == pytest.approx(grown(matrices, spans, sizes, best), rel=1e-3)
    assert growth < 0.9 * grown(matrices, spans, sizes, sizes)
    others = [best + draw.normal(size=4) * scale for scale in (0.01, 0.1, 1) for _ in range(200)]
    assert growth < min(grown(matrices, spans, sizes, y) for y in others) + 0.02


def test_a_follower_weighs_more_than_its_leader():
    listening = np.array([[0.0, 0], [50, -1]])

    def rate(states):
        return states @ listening.T

    found = forecast(rate, np.ones(2), 1.0, [range(1), range(1, 2)], [False, False])
    assert found.until == 1
    grid = np.linspace(0, 6, 601)
    least = min(max(0, 50 * np.exp(-y) - 1) + y for y in grid)
    assert found.growth == pytest.approx(least, abs=0.05)
    assert np.exp(3.5) < found.weights[1] / found.weights[0] < np.exp(4.2)


def test_what_cannot_be_foreseen_is_not():
    blocks, free = [range(1)], [False]
    assert forecast(lambda states: states**3 * 1e200, np.ones(1), 1.0, blocks, free) is None
    with pytest.raises(OverflowError):
        forecast(lambda states: np.nan * states, np.ones(1), 1.0, blocks, free)
    assert forecast(lambda states: 0 * states + 1, np.zeros(1), 1.0, blocks, [True]) is None
    # x' = x^2 from 1 blows up at t = 1.
    assert forecast(lambda states: states**2, np.ones(1), 2.0, blocks, free) is None
    assert forecast(lambda states: states**2, np.ones(1), 0.5, blocks, free).until == 0.5


def start(seed, n, side, **matrices):
    tokens = np.random.default_rng(seed).integers(-256 * side, 256 * side + 1, size=(n, 2))
    return RescaledFlow.instance(z=[[fmpq(int(value), 256) for value in row] for row in tokens], **matrices)


def test_enclosures_are_sharper_by_forecasts(monkeypatch):
    def radius():
        return float(enclose_at(start(0, 8, 5), fmpq(1), LADDER[0]).radius)

    sharp = radius()
    monkeypatch.setattr(chain, "forecast", lambda *_: None)
    assert sharp < radius() / 10


def test_rungs_that_are_foreseen_to_fail_are_not_tried():
    repelled = start(7, 8, 2, V=[[1, 0], [0, -1]])
    with pytest.raises(EnclosureError, match=r"foreseen to grow by 3\d digits"):
        enclose_at(repelled, fmpq(2), LADDER[0])


def test_every_pair_of_blocks_is_compared():
    jacobians = np.random.default_rng(1).normal(size=(3, 4, 4))
    matrices = comparison_matrices(jacobians, PAIRS)
    for k, (a, b) in itertools.product(range(3), itertools.permutations(range(2))):
        part = jacobians[k][PAIRS[a].start : PAIRS[a].stop, PAIRS[b].start : PAIRS[b].stop]
        assert np.linalg.norm(part, 2) <= matrices[k, a, b] <= np.sqrt(2) * np.linalg.norm(part, 2)


# ---------------------------------------------------------------------------------------------------------------------
# Facts that planted bugs break


ONE, TWO = [range(1)], [range(1), range(1, 2)]


def growth_is_that_of_the_flow(m):
    assert m.forecast(lambda x: x, np.ones(1), 1.0, ONE, [False]).growth == pytest.approx(1, rel=1e-6)
    assert m.forecast(lambda x: 2 * x, np.ones(1), 3.0, ONE, [False]).growth == pytest.approx(6, rel=1e-6)
    # What falls grows by nothing: later errors are rounded anew.
    assert m.forecast(lambda x: -x, np.ones(1), 1.0, ONE, [False]).growth == pytest.approx(0, abs=1e-6)
    # An error of a thousand beside one of one: both may be as large as the larger.
    still = m.forecast(lambda x: 0 * x, np.array([1000.0, 1.0]), 1.0, TWO, [False, False])
    assert still.growth == pytest.approx(np.log(1000), rel=1e-6)


def clocks_are_not_counted(m):
    for clock in (0, 1):
        other = 1 - clock
        rates = np.zeros((2, 2))
        rates[other, other] = 3
        found = m.forecast(
            lambda x, rates=rates, clock=clock: x @ rates.T + np.eye(2)[clock],
            np.ones(2),
            1.0,
            TWO,
            [clock == 0, clock == 1],
        )
        assert found is not None
        assert found.weights[clock] == 1
        assert found.growth == pytest.approx(3, rel=1e-6)


def a_forecast_ends_where_its_run_does(m):
    turning = np.array([[0, 3000.0], [-3000, 0]])
    found = m.forecast(lambda x: x @ turning.T, np.array([1.0, 0]), 10.0, TWO, [False, False])
    assert 0 < found.until < 1


def maxima_are_smoothed_from_above(m):
    values = np.array([[1.0, 2, 2], [0, -1, -5]])
    for sharpness in (1.0, 8.0, 1e6):
        found, shares = m._smooth_largest(values, sharpness)
        assert (found >= values.max(axis=-1)).all()
        assert (found <= values.max(axis=-1) + np.log(3) / sharpness + 1e-12).all()
        assert np.allclose(shares.sum(axis=-1), 1)


def weights_are_short_and_near(m):
    sizes = np.exp(np.linspace(-20, 20, 97))
    found = m._short(sizes)
    assert (abs(found / sizes - 1) <= 2.0**-8).all()
    assert all((mantissa * 256).is_integer() for mantissa in np.frexp(found)[0])


test_forecasts, test_bugs_in_forecasts = asked_of(ahead, facts_above(globals()))
