"""Means from merged states against whole histories; what is concluded for a class, against random means; planted bugs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from flint import arb, arb_mat, fmpq

from dynamics.arithmetic import working_precision
from dynamics.escapes import merged
from dynamics.escapes.histories import NotAloneError, TooManyStatesError, follow
from dynamics.escapes.merged import merged_mean
from dynamics.escapes.times import OpenMeanError, mean
from dynamics.tokens.attention_chain import AttentionChain
from tests.escapes.chains import CHAINS, lopsided, plane_pair, published, three_on_a_line, triangle
from tests.escapes.test_times import meeting, two_at_one_place

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


@pytest.mark.parametrize("cell", [1e-9, 1e-2, 1e-1, ALL_ORDERS])
@pytest.mark.parametrize("name", ["published", "plane pair", "triangle", "lopsided"])
def test_merged_states_hold_what_whole_histories_give(name, cell):
    chain = CHAINS[name]
    with working_precision(96):
        exact = mean(follow(chain)).ball
    found = merged_of(chain, 0.0, cell)
    assert holds(found, exact)
    # States that nothing is merged with lose nothing but what meets the edge of a tube.
    assert found.digits > (12 if cell == 1e-9 else 0.5)


@pytest.mark.parametrize(("beta", "cell", "width"), [(4, ALL_ORDERS, 0.03), (8, 1 / 8, 0.03), (16, 1 / 32, 0.01)])
def test_three_picks_to_leave_are_known_from_a_few_hundred_classes(beta, cell, width):
    found = merged_of(three_picks(beta), cell=cell)
    assert holds(found, arb(THREE_PICKS[beta]))
    assert found.high < found.low * (1 + width)


@pytest.mark.parametrize("negligible", [1e-3, 1e-5])
@pytest.mark.parametrize("make", [published, triangle, lopsided, plane_pair])
def test_what_is_cut_is_returned(make, negligible):
    chain = make()
    with working_precision(96):
        exact = mean(follow(chain)).ball
    found = merged_of(chain, negligible, 1e-2)
    assert holds(found, exact)


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


PAIRS = [(i, j) for i in range(3) for j in range(3) if i != j]
MOVES = [targets for targets in product(range(3), repeat=3) if targets != (0, 1, 2)]


def strays(far, seed):
    """How far random means of a class are out of what is concluded from those that follow, as a share of its width.

    The means that follow are anything within their balls, at random scores in the box and at its corners.
    """
    rng = np.random.default_rng(seed)
    scores, size = rng.uniform(-4, 0, 6), rng.uniform(0, far, 6)
    taken = np.array([[int(targets[i] == j) for i, j in PAIRS] for targets in MOVES])
    weights = np.exp(taken @ scores)
    # By the bits of the seed: with moves that are cut; with errors after the moves; with any line, not the tangent.
    is_lost = (rng.random(26) < 0.2) & bool(seed & 1)
    values, slopes = rng.uniform(0, 20, 26), rng.normal(0, 2, (26, 6))
    radii = rng.uniform(0, 2, 26) ** 3 * bool(seed & 2)
    goal = 1 + (1 + weights @ values) / weights.sum()
    slope = weights @ (slopes + taken * (values + 1 - goal)[:, None]) / weights.sum()
    if seed & 4:
        goal, slope = goal + 1, slope + rng.normal(0, 2, 6)
    parts = [
        merged._Part(
            arb(w / weights.sum()), np.flatnonzero(one).tolist(), arb(float(one @ size)).exp(), arb(v, r), column(tilt)
        )
        for w, one, v, r, tilt, lost in zip(weights, taken, values, radii, slopes, is_lost, strict=True)
        if not lost
    ]
    growth = arb(float(sum(size[2 * i : 2 * i + 2].max() for i in range(3)))).exp()
    lost = merged._Lost(arb(weights[is_lost].sum() / weights.sum()), arb(10, 10), growth)
    ball = merged._error(parts, [lost], arb(1 / weights.sum()), arb(goal), column(slope), list(map(arb, size)))
    middle, radius = float(ball.mid()), float(ball.rad())
    worst = 0.0
    for trial in range(300):
        apart = size * (rng.choice([-1, 1], 6) if trial % 2 else rng.uniform(-1, 1, 6))
        after = values + slopes @ apart + radii * rng.choice([-1, 1], 26)
        after[is_lost] = rng.choice([0, 20], is_lost.sum())
        now = weights * np.exp(taken @ apart)
        mean = 1 + (1 + now @ after) / now.sum()
        worst = max(worst, abs(mean - goal - slope @ apart - middle) / radius)
    return worst


def column(values):
    return arb_mat([[arb(float(a))] for a in values])


FARS = [1e-3, 0.1, 1.0, 3.0]


@pytest.mark.parametrize("far", FARS)
def test_what_is_concluded_from_the_classes_that_follow(far):
    assert all(strays(far, seed) < 1 + 1e-9 for seed in range(8))


def no_reach(monkeypatch):
    """Slopes that do not match at the centre do not count."""
    monkeypatch.setattr(merged, "_reach", lambda *_: arb(0))


def no_radius(monkeypatch):
    """Errors of the means that follow do not count."""
    true = merged._Part
    monkeypatch.setattr(merged, "_Part", lambda q, picks, growth, value, slope: true(q, picks, growth, value.mid(), slope))


def no_loss(monkeypatch):
    true = merged._Lost
    monkeypatch.setattr(merged, "_Lost", lambda chance, value, growth: true(chance, arb(0), arb(1)))


@pytest.mark.parametrize("bug", [no_reach, no_radius, no_loss])
def test_planted_bugs_in_what_is_concluded_are_noticed(monkeypatch, bug):
    bug(monkeypatch)
    assert any(strays(far, seed) > 1 + 1e-9 for far in FARS for seed in range(8))


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
    with pytest.raises(TooManyStatesError, match="more than 300 classes"):
        merged_of(three_on_a_line(), 0.0, 1e-2, 300)
    with pytest.raises((OpenMeanError, TooManyStatesError)):
        merged_of(three_on_a_line(), 1e-2, 1e-2)
    shared = AttentionChain.instance(v=[[1], [-1]], x=[[1], [1], [-1]], group=[0, 0, 1], beta=1, gamma="1/4", eps="1/4")
    with pytest.raises(NotAloneError, match="share a group"):
        merged_of(shared)


def test_tokens_that_may_meet_for_ever_have_no_mean():
    """Both are at 0 after one step, inside their tubes, with a chance of more than 0.01."""
    with pytest.raises((OpenMeanError, TooManyStatesError)):
        merged_of(meeting(), 1e-6, 1e-2, 300)
    with pytest.raises((OpenMeanError, TooManyStatesError)):
        merged_of(two_at_one_place(), 1e-6, 1e-2, 300)


def at_the_edge():
    """Three picks in a row lead exactly to the edge of the tube: T_2 waits for a fourth one, and a ball cannot see it."""
    chain = published()
    return chain.replace(eps=np.array(2 * fmpq(17, 9) * (1 - fmpq(23, 24) ** 3)))


def test_an_edge_that_is_reached_exactly_is_left_open():
    chain = at_the_edge()
    with working_precision(96):
        exact = mean(follow(chain)).ball
    assert holds(merged_of(chain, 0.0, 1e-9), exact)


# ---------------------------------------------------------------------------------------------------------------------
# Planted bugs


def lost_slopes(monkeypatch):
    """The means that follow as if they were the same from all states of a class."""
    true = merged._Linear
    monkeypatch.setattr(merged, "_Linear", lambda centre, value, slope: true(centre, value, 0 * slope))


def lost_cut(monkeypatch):
    monkeypatch.setattr(merged._Merging, "_longest_from", lambda *_: arb(0))


def lost_at_the_edge(monkeypatch):
    """What is not surely inside is taken to be outside."""
    true = merged._Merging._is_inside
    monkeypatch.setattr(merged._Merging, "_is_inside", lambda *given: true(*given) is True)


def lost_errors(monkeypatch):
    """Only what is linear counts."""
    monkeypatch.setattr(merged, "_error", lambda *_: arb(0))


@pytest.mark.parametrize(
    ("bug", "make", "negligible", "cell"),
    [
        (lost_errors, triangle, 0.0, ALL_ORDERS),
        (lost_cut, published, 1e-2, 1e-9),
        (lost_at_the_edge, at_the_edge, 0.0, 1e-9),
        (lost_slopes, triangle, 0.0, ALL_ORDERS),
    ],
)
def test_planted_bugs_are_noticed(monkeypatch, bug, make, negligible, cell):
    with working_precision(96):
        exact = mean(follow(make())).ball
    assert holds(merged_of(make(), negligible, cell), exact)
    bug(monkeypatch)
    assert not holds(merged_of(make(), negligible, cell), exact)
