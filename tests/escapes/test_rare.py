"""Sampled escapes against the exact law, and against enumeration for groups; planted bugs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from flint import arb

from dynamics.arithmetic import working_precision
from dynamics.enclosures.escapes import escape_probability
from dynamics.escapes import rare
from dynamics.escapes.enclose import chance_before
from dynamics.escapes.rare import NothingToForceError, Weighted, forced_escapes, interval, log_wealth
from dynamics.tokens.attention_chain import AttentionChain
from tests.escapes.chains import lopsided, published, triangle
from tests.planting import LONG, asked_of, facts_above


def pairs():
    """Two tokens near one vertex, and one at the other."""
    return AttentionChain.instance(
        v=[[1], [-1]], x=[[1], ["15/16"], [-1]], group=[0, 0, 1], beta=5, gamma="1/8", eps="1/3", steps=4
    )


def first_alone():
    """Only the first token's group can leave: the other holds both ends of the segment."""
    return AttentionChain.instance(
        v=[[2], [-2]], x=[["19/10"], [2], [-2]], group=[0, 1, 1], beta="1/64", gamma="1/8", eps="6/5", steps=4
    )


def at(chain, t):
    return chain.replace(steps=np.array(t))


CASES = {
    "published": (at(published(8), 12), 1e-62), "cold": (at(published(16), 60), 1e-125),
    "triangle": (at(triangle(8), 9), 1e-5), "lopsided": (at(lopsided(), 7), 1.0), "pairs": (pairs(), 1e-5),
    "first alone": (first_alone(), 0.02),
}  # fmt: skip


def exact(chain):
    with working_precision(128):
        # Of single tokens the law is known exactly; groups are enumerated.
        if len(set(chain.group.tolist())) == len(chain.group):
            return float(chance_before(chain, int(chain.steps.item())).low.log().mid())
        return float(escape_probability(chain, arb(0), 200_000).escaped.log().mid())


def forced_runs_find_the_chance(module, name="published"):
    """The mean weight is within a twentieth of the exact chance, which the interval holds."""
    chain, most = CASES[name]
    truth, found = exact(chain), module.forced_escapes(chain, 4000, np.random.default_rng(3))
    low, high = module.interval(found, 1e-9)
    assert abs(float(np.logaddexp.reduce(found.high)) - np.log(len(found.high)) - truth) < 0.05
    assert low <= truth <= high
    assert truth < np.log(most)
    assert (found.high <= found.log_scale).all()
    if most < 1e-3:
        # Near enough to refute a bound that is a fifth too small.
        assert module.interval(found, 1e-12)[0] > truth - 0.2


# The first is asked below.
@pytest.mark.parametrize("name", list(CASES)[1:] if LONG else ["triangle", "pairs"])
def test_forced_runs_find_the_chance_however_rare(name):
    forced_runs_find_the_chance(rare, name)


test_forced_runs, test_bugs_in_forced_runs = asked_of(rare, [forced_runs_find_the_chance], "runs")


def test_the_same_seed_gives_the_same_runs():
    first, again = (forced_escapes(pairs(), 100, np.random.default_rng(9)) for _ in range(2))
    assert (first.high == again.high).all()


def test_there_is_nothing_to_force_where_no_group_has_time():
    with pytest.raises(NothingToForceError):
        forced_escapes(at(published(4), 3), 10, np.random.default_rng(0))


@pytest.mark.parametrize("mean", [0.003, 0.3, 0.9])
def test_no_one_gets_rich_on_the_truth(mean):
    rng = np.random.default_rng(4)
    for upwards in (True, False):
        wealths = [log_wealth((rng.random(400) < mean).astype(float), mean, upwards) for _ in range(300)]
        assert np.mean(np.array(wealths) > np.log(20)) <= 0.08
        shifted = mean * 0.5 if upwards else min(1.5 * mean, 0.99)
        assert log_wealth((rng.random(20_000) < mean).astype(float), shifted, upwards) > np.log(100)


@pytest.mark.parametrize("alpha", [0.3, 1e-9])
def test_the_error_is_shared_by_all_tests_of_both_ends(monkeypatch, alpha):
    """Nothing is refuted by a wealth just below what each test may be given; the first tenth has no part in it."""
    weights = np.log(np.random.default_rng(5).random(200))
    found, asked, wealth = Weighted(weights, weights, 0.0, 0.0, 0.0), {True: 0, False: 0}, {True: 0.0, False: 0.0}

    def pretended(samples, _, upwards):
        assert len(samples) == 180
        assert np.allclose(samples / samples[0], np.exp(weights[20:] - weights[20]))
        asked[upwards] += 1
        return wealth[upwards]

    monkeypatch.setattr(rare, "log_wealth", pretended)
    monkeypatch.setattr(rare, "WEALTH_ERROR", 0.0)
    interval(found, alpha)
    needed = {upwards: np.log(2 * count / alpha) for upwards, count in asked.items()}
    for upwards, more in product((True, False), (-1e-3, 1e-3)):
        wealth.update({upwards: needed[upwards] + more, not upwards: 0.0})
        low, high = interval(found, alpha)
        assert (low > -np.inf) == (upwards and more > 0)
        assert (high < 0) == (not upwards and more > 0)


def what_rounding_may_change_widens_both_ends(m):
    """A ratio moves each end by its logarithm, a chance by so much of the largest weight: never to the inside."""
    weights = np.log(np.random.default_rng(6).random(2000))
    low, high = m.interval(m.Weighted(weights, weights, 0.0, 0.0, 0.0), 1e-3)
    assert -1.0 < low < np.log(0.5) < high < -0.5
    for ratio, chance in product((0.0, 1e-6, 0.1), (0.0, 1e-6, 1e-2)):
        lower, upper = m.interval(m.Weighted(weights, weights, 0.0, ratio, chance), 1e-3)
        assert np.exp(lower + ratio) <= np.exp(low) - chance * (1 - 1e-6) + 1e-12
        assert np.exp(upper - ratio) >= np.exp(high) + chance * (1 - 1e-6) - 1e-12
        assert upper - lower < high - low + 2 * ratio + 10 * chance + 1e-9


def an_edge_that_floats_do_not_tell_counts_from_above_alone(m):
    """A token beyond its tube by less than rounding may hide has left for the upper end, and not for the lower one."""
    chain = first_alone()
    edge = m.rounding(chain, 3).edge
    assert edge > 0
    for beyond, ends in ((-2, (False, False)), (-0.5, (False, True)), (0.5, (False, True)), (2, (True, True))):
        m.beyond_tubes = lambda _, x, beyond=beyond: np.full(len(x), beyond * edge)
        found = m.forced_escapes(chain, 5, np.random.default_rng(0))
        assert tuple(bool((one > -np.inf).all()) for one in (found.low, found.high)) == ends
        assert (found.low[~np.isneginf(found.low)] == found.high[~np.isneginf(found.low)]).all()


test_what_rounding_may_change, test_bugs_in_weights_and_intervals = asked_of(rare, facts_above(globals()))
