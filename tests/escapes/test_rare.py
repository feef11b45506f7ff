"""Sampled escapes against the exact law, and against enumeration for groups; planted bugs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from flint import arb

from dynamics.arithmetic import working_precision
from dynamics.enclosures.escapes import escape_probability
from dynamics.escapes import rare
from dynamics.escapes.enclose import chance_before, mean_escape
from dynamics.escapes.rare import NothingToForceError, Weighted, forced_escapes, interval, log_wealth, mean_by_moves
from dynamics.tokens.attention_chain import AttentionChain
from tests.escapes.chains import lopsided, published, triangle
from tests.planting import bugs_in, facts_above, one_in, planted


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
        if len(set(chain.group.tolist())) == len(chain.group):
            return float(chance_before(chain, int(chain.steps.item())).low.log().mid())
        return float(escape_probability(chain, arb(0), 200_000).escaped.log().mid())


def estimated(chain, seed=3):
    found = forced_escapes(chain, 4000, np.random.default_rng(seed))
    return found, float(np.logaddexp.reduce(found.high)) - np.log(len(found.high))


def is_near(chain):
    """Whether the mean weight is within a twentieth of the exact chance, which the interval holds."""
    found, middle = estimated(chain)
    low, high = interval(found, 1e-9)
    return abs(middle - exact(chain)) < 0.05 and low <= exact(chain) <= high


@pytest.mark.parametrize("name", one_in(2, CASES))
def test_forced_runs_find_the_chance_however_rare(name):
    chain, most = CASES[name]
    assert is_near(chain)
    assert exact(chain) < np.log(most)
    found, _ = estimated(chain)
    assert (found.high <= found.log_scale).all()
    low, _ = interval(found, 1e-12)
    if most < 1e-3:
        assert low > exact(chain) - 0.2  # near enough to refute a bound that is a fifth too small


def test_the_same_seed_gives_the_same_runs():
    first, again = (estimated(pairs(), seed=9)[0] for _ in range(2))
    assert (first.high == again.high).all()


def test_there_is_nothing_to_force_where_no_group_has_time():
    with pytest.raises(NothingToForceError):
        forced_escapes(at(published(4), 3), 10, np.random.default_rng(0))


def forgotten_choices(monkeypatch):
    monkeypatch.setattr(rare, "comb", lambda n, k: 1)


def biased_weight(monkeypatch):
    true = rare.log_sum
    monkeypatch.setattr(rare, "log_sum", lambda scores: 1.1 * true(scores))


def a_step_too_few(monkeypatch):
    true = rare.beyond_tubes
    count = iter(range(10**6))
    monkeypatch.setattr(rare, "beyond_tubes", lambda chain, x: true(chain, x) - (next(count) % 11 == 10))


@pytest.mark.parametrize("bug", [forgotten_choices, biased_weight, a_step_too_few])
def test_planted_bugs_are_noticed(monkeypatch, bug):
    chain = CASES["published"][0]
    assert is_near(chain)
    bug(monkeypatch)
    assert not is_near(chain)


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


FACTS = facts_above(globals())


@pytest.mark.parametrize("fact", FACTS)
def test_what_rounding_may_change(fact):
    fact(planted(rare))


@bugs_in(rare)
def test_a_bug_planted_in_weights_and_intervals_is_noticed(bug):
    assert bug.is_noticed(FACTS)


@pytest.mark.parametrize("chain", [published(4), published(8), triangle(8)])
def test_the_mean_by_moves_alone(chain):
    middle, error = mean_by_moves(chain, 4000, np.random.default_rng(2))
    with working_precision(128):
        expected = float(mean_escape(chain, 6).mean.low.mid())
    assert abs(middle - expected) <= 5 * error + 1e-9 * expected
    assert error < 0.05 * expected
