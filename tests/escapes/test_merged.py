"""Means from merged states against whole histories; what is concluded for a class, against random means; planted bugs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
import pytest
from flint import arb, arb_mat, fmpq

from dynamics.arithmetic import working_precision
from dynamics.escapes import merged
from dynamics.escapes.histories import NotAloneError, TooManyHistoriesError, follow
from dynamics.escapes.merged import merged_mean
from dynamics.escapes.times import OpenMeanError, mean
from dynamics.tokens.attention_chain import AttentionChain
from tests.escapes.chains import CHAINS, published, three_on_a_line, triangle
from tests.escapes.test_times import meeting, two_at_one_place
from tests.planting import LONG, asked_of, facts_above

ALL_ORDERS = None
"""No cells: only picks distinguish classes."""


def three_picks(beta=4):
    """The triangle in tubes that three picks lead out of."""
    return triangle(beta, eps="1/3", gamma="1/12")


THREE_PICKS = {4: "143.258803736231", 8: "38206.5632524027", 16: "5647357707.49151"}
"""Means by whole histories, rounded."""


def merged_of(chain, negligible=1e-8, cell=ALL_ORDERS, most=4000):
    with working_precision(64):
        return merged_mean(chain, negligible, most, cell)[0]


def holds(ends, value):
    return bool(ends.low <= value.upper() and value.lower() <= ends.high)


@cache
def whole(chain):
    with working_precision(96):
        return mean(follow(chain)).ball


@pytest.mark.parametrize("cell", [1e-9, 1e-2, 1e-1, ALL_ORDERS])
@pytest.mark.parametrize("name", ["published", "plane pair", "triangle", "lopsided"])
def test_merged_states_hold_what_whole_histories_give(name, cell):
    found = merged_of(CHAINS[name], 0.0, cell)
    assert holds(found, whole(CHAINS[name]))
    # States that nothing is merged with lose nothing but what meets the edge of a tube.
    assert found.digits > (12 if cell == 1e-9 else 0.5)


@pytest.mark.parametrize(("beta", "cell", "width"), [(4, ALL_ORDERS, 0.02), (8, 1 / 4, 1e-3), (16, 1 / 32, 1e-5)])
def test_three_picks_to_leave_are_known_from_a_few_hundred_classes(beta, cell, width):
    found = merged_of(three_picks(beta), cell=cell)
    assert holds(found, arb(THREE_PICKS[beta]))
    assert found.high < found.low * (1 + width)


@pytest.mark.parametrize("negligible", [1e-3, 1e-5])
@pytest.mark.parametrize("name", ["published", "plane pair", "triangle", "lopsided"])
def test_what_is_cut_is_returned(name, negligible):
    assert holds(merged_of(CHAINS[name], negligible, 1e-2), whole(CHAINS[name]))


def test_six_picks_to_leave_are_known_from_fifteen_hundred_classes():
    """Against the ends from 1e-8; a simulation of 100000 runs gives 6.7976e9, with a standard error of 0.0007e9."""
    found = merged_of(triangle(16, eps="3/8", gamma="1/24"), 1e-5)
    assert found.low < arb("6.79786e9")
    assert arb("6.79832e9") < found.high < found.low * 1.01


def test_scores_move_by_themselves():
    rng = np.random.default_rng(2)
    gamma = fmpq(1, 12)
    x = [[fmpq(int(a), 100) for a in place] for place in rng.integers(-100, 100, (3, 2))]

    def scores(y):
        return [sum((p * (q - p) for p, q in zip(y[i], y[j], strict=True)), fmpq(0)) for i, j in PAIRS]

    for targets in MOVES:
        y = [[p + gamma * (q - p) for p, q in zip(x[i], x[j], strict=True)] for i, j in enumerate(targets)]
        move = merged._Move(targets, PAIRS, arb(gamma))
        found = (move.of_scores * arb_mat([[arb(a)] for a in scores(x)])).entries()
        assert all(abs(a - b) < 1e-14 for a, b in zip(found, scores(y), strict=True))
        # A line in the scores after the move is one in those before it.
        # A slope after the move times the matrix of the move is one before it: the transpose would be another.
        for p, row in enumerate(move.of_slopes.tolist()):
            before = arb_mat([[arb(int(p == k))] for k in range(len(PAIRS))])
            assert [a.mid() for a in row] == [a.mid() for a in (move.of_scores * before).entries()]


PAIRS = [(i, j) for i in range(3) for j in range(3) if i != j]
MOVES = [targets for targets in product(range(3), repeat=3) if targets != (0, 1, 2)]


@dataclass(frozen=True)
class After:
    """A move with its chance at the centre. After it means are within `radius` of value + <slope, scores - centre>."""

    chance: float
    picks: tuple[int, ...]
    value: float = 0.0
    slope: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 0.0
    is_cut: bool = False


@dataclass(frozen=True)
class Case:
    """The moves of a class of three scores, how far these reach, 1/Z, and how far the line is from the tangent."""

    moves: tuple[After, ...]
    far: tuple[float, float, float]
    pause: float = 0.0
    off: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)


STEEP = (0.0, 0.0, 2.0)
"""A slope in a score that no move takes."""

CASES = [
    # Errors after a move that is rare at the centre; after the usual one, where what is cut becomes rare.
    Case((After(0.1, (0,), radius=8), After(0.9, (1,))), (1, 1, 0)),
    Case((After(0.5, (1,), radius=1), After(0.5, (0,), is_cut=True)), (3, 0, 0)),
    # What is cut becomes usual: its mean, and what the line says there.
    Case((After(0.05, (0,), value=10, radius=10, is_cut=True), After(0.95, (1,))), (2, 2, 0)),
    Case((After(0.9, (1,), slope=STEEP), After(0.1, (0,), is_cut=True)), (3, 0, 1)),
    # A rare move turns the mean, and all moves together may become less likely than staying.
    Case((After(0.05, (0,), slope=STEEP), After(0.95, (1,))), (2, 2, 1)),
]


def random_case(seed):
    rng = np.random.default_rng(seed)
    # Few terms at once: else one hides what another one misses.
    kinds = [
        "errors",
        "errors cut",
        "values",
        "slopes",
        "values cut",
        "slopes cut",
        "slopes off",
        "values slopes errors cut",
    ]
    values, slopes, errors, cut, off = (
        kind in kinds[seed % len(kinds)] for kind in ("values", "slopes", "errors", "cut", "off")
    )
    chances = np.exp(-rng.uniform(0, 5, rng.integers(2, 5)))
    chances /= chances.sum()
    moves = []
    for k, chance in enumerate(chances):
        picks = tuple(np.flatnonzero(rng.random(3) < 0.5).tolist()) or (k % 3,)
        value, slope, radius = rng.uniform(0, 20), rng.normal(0, 2, 3), rng.uniform(0, 2) ** 3
        if cut and k == 0:
            # What is cut has any mean from 0 to the longest: half of that, give or take as much.
            longest = rng.choice([0, 20])
            moves.append(After(chance, picks, longest / 2, radius=longest / 2, is_cut=True))
        else:
            moves.append(After(chance, picks, value * values, tuple(slope * slopes), radius * errors))
    # From boxes in which everything is linear to some in which a move grows by e^3.
    far = 10.0 ** rng.uniform(-1.5, 0.5) * rng.choice([0.2, 1, 1], 3)
    return Case(tuple(moves), tuple(far), rng.uniform(0, 2) * values, tuple(rng.normal(0, 1, 4) * off))


CORNERS = np.array(list(product((-1, 0, 1), repeat=3)))


def strays(module, case):
    """How far the mean may be out of what is concluded of a class, at the corners of its box and between.

    The mean is an average of those after the moves: it is largest, and least, where each of them is.
    """
    moves = case.moves
    chances, values, radii = (np.array([getattr(one, name) for one in moves]) for name in ("chance", "value", "radius"))
    slopes = np.array([one.slope for one in moves])
    taken = np.array([[int(p in one.picks) for p in range(3)] for one in moves])
    goal = 1 + case.pause + chances @ values + case.off[0]
    slope = chances @ (slopes + taken * (values + 1 - goal)[:, None]) + case.off[1:]
    parts, lost = [], []
    for one in moves:
        chance, value = arb(float(one.chance)), arb(float(one.value), float(one.radius))
        growth = arb(sum(float(case.far[p]) for p in one.picks)).exp()
        if one.is_cut:
            lost.append(module._Lost(chance, value, growth))
        else:
            parts.append(module._Part(chance, one.picks, growth, value, column(one.slope)))
    far = [arb(float(a)) for a in case.far]
    ball = module._error(parts, lost, arb(float(case.pause)), arb(float(goal)), column(slope), far)
    middle, radius, worst = float(ball.mid()), float(ball.rad()), 0.0
    for apart in CORNERS * np.array(case.far):
        for sign in (-1, 1):
            now = chances * np.exp(taken @ apart)
            mean = 1 + (case.pause + now @ (values + slopes @ apart + sign * radii)) / now.sum()
            worst = max(worst, abs(mean - goal - slope @ apart - middle) - radius * (1 + 1e-9))
    return worst


def column(values):
    return arb_mat([[arb(float(a))] for a in values])


def means_are_where_is_concluded(module):
    """Of a class, from what follows it: in a few cases that are hard, and in random ones."""
    assert all(strays(module, case) < 1e-9 for case in CASES)
    assert all(strays(module, random_case(seed)) < 1e-9 for seed in range(1000 if LONG else 100))


test_conclusions, test_bugs_in_conclusions = asked_of(merged, [means_are_where_is_concluded], "conclusions")


FARS = [1e-3, 0.1, 1.0, 3.0]


def only_bent(far):
    """Whether a mean is in what is concluded of it where constant, slope and turns vanish: only bent terms are left.

    Two tokens with two scores, moves of weight 1 at the centre: with the means 3, 3 and 5 after them E T_2 is 5 there, and
    (1 - e^y) (1 - e^z) / (e^y + e^z + e^(y + z)) more at the scores y and z.
    """
    third, size, flat = arb(1) / 3, arb(far), column([0, 0])
    moves = [([0], 3), ([1], 3), ([0, 1], 5)]
    parts = [merged._Part(third, picks, (len(picks) * size).exp(), arb(value), flat) for picks, value in moves]
    ball = merged._error(parts, [], third, arb(5), flat, [size, size])
    corners = [(y, z) for y in (-far, far) for z in (-far, far)]
    return all(
        ball.contains((1 - arb(y).exp()) * (1 - arb(z).exp()) / (arb(y).exp() + arb(z).exp() + arb(y + z).exp()))
        for y, z in corners
    )


def test_what_is_bent_counts(monkeypatch):
    assert all(only_bent(far) for far in FARS)
    # A planted bug: no convexity.
    monkeypatch.setattr(merged, "FROM_ZERO", arb(0))
    assert not any(only_bent(far) for far in FARS)


def test_histories_that_do_not_end_say_so():
    with pytest.raises(TooManyHistoriesError, match="more than 300 classes"):
        merged_of(three_on_a_line(), 0.0, 1e-2, 300)
    with pytest.raises((OpenMeanError, TooManyHistoriesError)):
        merged_of(three_on_a_line(), 1e-2, 1e-2)
    shared = AttentionChain.instance(v=[[1], [-1]], x=[[1], [1], [-1]], group=[0, 0, 1], beta=1, gamma="1/4", eps="1/4")
    with pytest.raises(NotAloneError, match="share a group"):
        merged_of(shared)


def test_tokens_that_may_meet_for_ever_have_no_mean():
    """Both are at 0 after one step, inside their tubes, with a chance of more than 0.01."""
    with pytest.raises((OpenMeanError, TooManyHistoriesError)):
        merged_of(meeting(), 1e-6, 1e-2, 300)
    with pytest.raises((OpenMeanError, TooManyHistoriesError)):
        merged_of(two_at_one_place(), 1e-6, 1e-2, 300)


def at_the_edge():
    """Three picks in a row lead exactly to the edge of the tube: T_2 waits for a fourth one, and a ball cannot see it."""
    chain = published()
    return chain.replace(eps=np.array(2 * fmpq(17, 9) * (1 - fmpq(23, 24) ** 3)))


def nothing_is_lost(m, chain, negligible, cell):
    with working_precision(64):
        found, _ = m.merged_mean(chain, negligible, 4000, cell)
    assert holds(found, whole(chain))


EDGE = at_the_edge()


def an_edge_that_is_reached_exactly_is_left_open(m):
    nothing_is_lost(m, EDGE, 0.0, 1e-9)


def nothing_is_lost_to_the_width_of_classes(m):
    nothing_is_lost(m, CHAINS["triangle"], 0.0, ALL_ORDERS)


def nothing_is_lost_to_cuts(m):
    nothing_is_lost(m, CHAINS["published"], 1e-2, 1e-9)


test_nothing_is_lost, test_bugs_that_lose = asked_of(merged, facts_above(globals()), "losses", share=4)
