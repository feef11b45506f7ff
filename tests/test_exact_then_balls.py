"""Orbits that are exact as long as their numbers stay short: where they change to balls, and what the balls hold."""

from __future__ import annotations

from itertools import pairwise

import pytest
from flint import arb, fmpq
from planting import noticed, planted

from dynamics.arithmetic import working_precision
from dynamics.orbits import exact as orbits
from dynamics.tokens.localmax import LocalmaxStep

START = LocalmaxStep.instance(z=[[3, 8], [2, -8], [-4, 0], [2, "1/3"]], delta=17, gamma="1/3")


def states_are_counted_from_the_start(m):
    found = m.orbit(START, 3)
    assert len(found) == 4
    assert found[0] is START
    for before, after in pairwise(found):
        assert (before.step().z == after.z).all()


def denominators_are_as_long_as_the_longest(m):
    for z, bits in (([[1], ["1/3"]], 2), ([["1/1024"], [5]], 11), ([["1000/3"], [2]], 2), ([[1], [2]], 2)):
        assert m.denominator_bits(LocalmaxStep.instance(z=z, gamma="1/3")) == bits


def short_numbers_stay_exact(m):
    """As long as denominators have at most so many bits, and not a step longer; every later state is in balls."""
    rational = m.orbit(START, 12)
    for limit in (2, 4, m.denominator_bits(rational[5]), m.denominator_bits(rational[5]) - 1):
        with working_precision(64):
            enclosed = m.enclosed_orbit(START, 12, limit)
        long = [k for k, state in enumerate(rational) if k and m.denominator_bits(state) > limit]
        assert enclosed.exact == long[0]
        for k, state in enumerate(enclosed.states):
            kinds = {type(entry) for entry in state.z.flat}
            assert kinds == {fmpq} if k < enclosed.exact else arb in kinds


def balls_hold_the_exact_orbit(m):
    rational = m.orbit(START, 12)
    with working_precision(40):
        enclosed = m.enclosed_orbit(START, 12, 2)
    with working_precision(400):
        for ours, theirs in zip(enclosed.states, rational, strict=True):
            assert all(arb(ball).contains(number) for ball, number in zip(ours.z.flat, theirs.z.flat, strict=True))
    assert all(isinstance(entry, fmpq) for entry in enclosed.states[-1].delta.flat)


ORBITS = (
    states_are_counted_from_the_start,
    denominators_are_as_long_as_the_longest,
    short_numbers_stay_exact,
    balls_hold_the_exact_orbit,
)


@pytest.mark.parametrize("fact", ORBITS)
def test_orbits(fact):
    fact(orbits)


BUGS = {
    "one state less": ("islice(_states(start), steps + 1)", "islice(_states(start), steps)"),
    "the shortest denominator": ("return max(int(v.q)", "return min(int(v.q)"),
    "lengths of numerators": ("int(v.q).bit_length()", "int(v.p).bit_length()"),
    "balls without a radius": ("return ball(value) if isinstance", "return ball(value).mid() if isinstance"),
    "a bit less": ("<= most_bits", "< most_bits"),
    "integers in balls": ("isinstance(value, fmpq) and value.q != 1", "isinstance(value, fmpq)"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_planted_in_orbits_is_noticed(bug):
    assert noticed(ORBITS, planted(orbits, *BUGS[bug]))
