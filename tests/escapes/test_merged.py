"""Means from merged states against whole histories; what a class hands on, against differences; planted bugs."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import working_precision
from dynamics.escapes import merged
from dynamics.escapes.departures import departure, picks_of
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


def test_chances_of_moves_change_with_scores_as_the_rates_say():
    """By differences of the law of one step, three tokens of any scores."""
    pairs = [(i, j) for i in range(3) for j in range(3) if i != j]
    rng = np.random.default_rng(3)
    law = merged._Merging(triangle(), 0.0, 1.0)
    small = arb(2) ** -60

    def left(scores):
        weights = {s: g.exp() for s, g in scores.items()}
        return departure(
            [picks_of({j: weights[i, j] for j in range(3) if j != i}, arb(0)) for i in range(3)], (0, 1, 2), None
        )

    with working_precision(256):
        scores = {s: arb(fmpq(int(rng.integers(-3000, 1000)), 1000)) for s in pairs}
        rates, waits = law._rates({s: g.exp() for s, g in scores.items()})
        before = left(scores)
        for s in pairs:
            after = left({t: g + small if t == s else g for t, g in scores.items()})
            slope = (before.leave / after.leave).log() / small
            assert abs(slope + waits[s]) < arb(2) ** -50
            for (targets, now), (_, then) in zip(before.moves, after.moves, strict=True):
                rate = rates[s] - int(targets[s[0]] == s[1])
                assert abs((then / now).log() / small + rate) < arb(2) ** -50


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


def lost_moment(monkeypatch):
    """The mean of a class is taken to be its first member."""
    true = merged._centred

    def hasty(one):
        one.moment = [[arb(0)] * len(place) for place in one.moment]
        return true(one)

    monkeypatch.setattr(merged, "_centred", hasty)


def lost_cut(monkeypatch):
    true = merged._Merging.spread
    monkeypatch.setattr(merged._Merging, "spread", lambda *given: (true(*given)[0], arb(0)))


def lost_at_the_edge(monkeypatch):
    """What is not surely inside is taken to be outside."""
    true = merged._Merging._is_inside
    monkeypatch.setattr(merged._Merging, "_is_inside", lambda *given: true(*given) is True)


def lost_slopes(monkeypatch):
    """Waits and moves as if no other score had a slope."""
    true = merged._Merging._rates
    monkeypatch.setattr(
        merged._Merging, "_rates", lambda *given: tuple({s: 0 * rate for s, rate in one.items()} for one in true(*given))
    )


@pytest.mark.parametrize(
    ("bug", "make", "negligible", "cell"),
    [
        (lost_moment, triangle, 0.0, ALL_ORDERS),
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
