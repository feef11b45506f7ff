"""Histories many picks deep, against exact places and means: what is rounded, or counted, only after several picks."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import working_precision
from dynamics.escapes import histories
from dynamics.escapes.histories import follow, pace
from dynamics.escapes.merged import merged_mean
from dynamics.escapes.times import mean
from dynamics.tokens.attention_chain import AttentionChain
from tests.escapes.chains import TRIANGLE, exact, inner, visits
from tests.planting import asked_of, facts_above


def line(eps, gamma):
    return AttentionChain.instance(v=[[1], [-1]], x=[[1], ["-4/3"]], group=[0, 1], beta="1/3", gamma=gamma, eps=eps)


def plane(eps, gamma):
    return AttentionChain.instance(
        v=[[1, 0], [0, 1]], x=[["9/10", 0], [0, 1]], group=[0, 1], beta="1/2", gamma=gamma, eps=eps
    )


def triangle(eps, gamma):
    return AttentionChain.instance(v=TRIANGLE, x=TRIANGLE, group=[0, 1, 2], beta="1/2", gamma=gamma, eps=eps)


DEEP = {
    "9 picks": line("2/3", "1/10"), "9 finer picks": line("1/2", "1/15"), "6 picks": line("2/3", "2/15"),
    "5 picks": line("4/5", "1/5"), "6 picks in the plane": plane("1/2", "2/9"),
}  # fmt: skip
"""How many picks it takes to leave at most."""


def rational(value):
    return fmpq(value.numerator, value.denominator)


def as_ball(value):
    return arb(mpmath.nstr(value, 55)) * (1 + arb(0, "1e-50"))


# ---------------------------------------------------------------------------------------------------------------------
# Places and edges of tubes after any number of picks

WALKS = [line(100, "1/10"), line(100, "3/7"), plane(100, "2/9"), triangle(100, "1/12"), triangle(100, "4/5")]
DEPTH = 20
NEAR = [Fraction(1, 10**3), Fraction(1, 10**15), Fraction(1, 10**40)]


def walk(points, chain, seed):
    """So many picks of drawn tokens: numbers of places, and the places as fractions, after each."""
    rng, (x, _, gamma, _) = np.random.default_rng(seed), exact(chain)
    state = points.start
    for _ in range(DEPTH):
        yield state, x
        i, j = rng.permutation(len(x))[:2].tolist()
        state = tuple(points._pick(state[i], state[j]) if k == i else a for k, a in enumerate(state))
        near = tuple((1 - gamma) * a + gamma * b for a, b in zip(x[i], x[j], strict=True))
        x = tuple(near if k == i else place for k, place in enumerate(x))


def places_are_exact(module):
    """Products with the first tokens, shares of these, and what two tokens do to each other, at every place of a walk."""
    for seed, chain in enumerate(WALKS):
        points, (start, beta, *_) = module._Points(chain), exact(chain)
        known = list(walk(points, chain, seed))
        assert known == list(walk(points, chain, seed))  # places that are reached again keep their numbers
        fine = points._parts**points._level
        for state, x in known:
            for a, place in zip(state, x, strict=True):
                shares = [Fraction(int(one), fine) for one in points._shares[a]]
                assert all(inner(shares, column) == q for column, q in zip(zip(*start, strict=True), place, strict=True))
                products = [Fraction(int(one), fine * points._unit) for one in points._products[a]]
                assert products == [inner(place, first) for first in start]
                assert Fraction(int(points._squares[a]), fine**2 * points._unit) == inner(place, place)
            for i, j in permutations(range(len(x)), 2):
                ((_, weight, _), _) = points._towards_each_other(i, state[i], j, state[j])
                truth = arb(rational(beta * (inner(x[i], x[j]) - inner(x[i], x[i])))).exp()
                assert weight.overlaps(truth)
                assert weight.rel_accuracy_bits() > 45


def roots(square):
    """Rationals at and around the root of a rational: 1e-3 to 1e-40 below it or above, or the root, if it is one."""
    root = Fraction(int(mpmath.floor(mpmath.sqrt(square) * 10**60)), 10**60)
    return [*((root - gap, False) for gap in NEAR), *((root + gap, True) for gap in NEAR)], root


def edges_are_exact(module):
    """Places of a walk in tubes whose edges are as near to them as 1e-40, on both sides, or meet them."""
    with mpmath.workdps(80):
        for seed, chain in enumerate(WALKS):
            states = [x for _, x in walk(module._Points(chain), chain, seed)]
            start, _, gamma, _ = exact(chain)
            for depth in (0, 3, 7, 13, DEPTH - 1):
                x = states[depth]
                after = [(1 - gamma) * a + gamma * b for a, b in zip(x[0], x[1], strict=True)]
                away = [a - b for a, b in zip(after, start[0], strict=True)]
                square = inner(away, away)
                cases, root = roots(mpmath.mpf(square.numerator) / square.denominator)
                if len(away) == 1:
                    cases.append((abs(away[0]), True))
                for eps, inside in cases:
                    points = module._Points(chain.replace(eps=np.array(rational(eps))))
                    state = list(walk(points, chain, seed))[depth][0]
                    ((_, _, found), _) = points._towards_each_other(0, state[0], 1, state[1])
                    assert (found is not None) is inside, (seed, depth, float(eps - root))


test_points, test_bugs_in_points = asked_of(histories, facts_above(globals(), "module"))


# ---------------------------------------------------------------------------------------------------------------------
# Means, chances and counts of moves


@pytest.mark.parametrize("name", DEEP)
def test_deep_histories_agree_with_every_state_inside(name):
    chain = DEEP[name]
    known = visits(chain)
    *_, first = known.values()
    with working_precision(160):
        truth, whole = as_ball(first.mean), follow(chain)
        found = mean(whole)
        assert len(whole.nodes) == len(known)
        assert found.ball.overlaps(truth)
        assert found.digits > 30
        # No state is lost where chances are added up: each has its own chance to be left.
        leaves = sorted((as_ball(visit.leave) for visit in known.values()), key=lambda ball: float(ball.mid()))
        for node, leave in zip(sorted(whole.nodes, key=lambda node: float(node.leave.mid())), leaves, strict=True):
            assert node.leave.overlaps(leave)
    with working_precision(64):
        for merged in (mean(follow(chain, 1e-9, cell=1e-2)), merged_mean(chain, 1e-9, 4000, 1e-2)[0]):
            assert not merged.low > truth
            assert not merged.high < truth
            assert merged.high < merged.low * (1 + 1e-1)


@pytest.mark.parametrize("name", DEEP)
def test_counts_of_moves_are_bounds_and_near(name):
    """The least number of moves out is exact, but for one; the greatest within a factor of 3; chances within 2."""
    chain = DEEP[name]
    known, origin = visits(chain), tuple(map(tuple, chain.x.tolist()))
    with working_precision(96):
        for x, visit in known.items():
            state = tuple(tuple(map(rational, place)) for place in x)
            assert visit.least - 1 <= histories._needed(state, origin, chain) <= visit.least
        found, most = pace(chain), max(visit.most for visit in known.values())
        slowest, fastest = (as_ball(choose(visit.leave for visit in known.values())) for choose in (min, max))
        assert most <= found.moves <= 3 * most
        assert found.slowest <= slowest <= 2 * found.slowest
        assert fastest <= found.fastest <= 2 * fastest
