"""Cycles of neighbours: found where tokens go to and fro for ever, never where they settle."""

from itertools import product

import numpy as np
import pytest
from flint import fmpq

from claims.instances.draws import SeededDraws
from claims.localmax.setting.starts import cycling_start, lattice_start
from dynamics.arithmetic import exact
from dynamics.orbits import cycles as periodic_orbits
from dynamics.orbits.cycles import limit_points, recurrence, repeated
from dynamics.orbits.exact import orbit
from dynamics.orbits.final_neighbours import NotSettledError, alike, at_one_place, settle
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.schedules import ScheduledLocalmax
from tests.planting import asked_of, facts_above, one_in

TO_AND_FRO = LocalmaxStep.instance(z=[[3, -4, 0], [3, 4, 0], [2, -1, 3], [2, -1, -3], [2, 0, 0]], delta="7/2")


def starts(make, count):
    return [make(SeededDraws(np.random.default_rng([3, turn]), False, turn)) for turn in range(count)]


def test_a_token_of_three_dimensions_goes_to_and_fro():
    phases = limit_points(TO_AND_FRO, 32)
    assert phases.shape == (2, 5, 3)
    assert (phases[0] != phases[1]).any(axis=-1).tolist() == [False] * 4 + [True]
    assert {tuple(map(str, phase[-1])) for phase in phases} == {("8/3", "-1/3", "0"), ("25/9", "-2/9", "0")}


def test_limit_points_are_visited_in_turn_by_an_exact_orbit():
    phases = limit_points(TO_AND_FRO, 32)
    at_a_limit_point = TO_AND_FRO.replace(z=phases[0])
    states = orbit(at_a_limit_point, 4)
    assert (states[1].z == phases[1]).all()
    assert (states[2].z == phases[0]).all()
    assert (states[4].z == phases[0]).all()


@pytest.mark.parametrize("turn", range(12))
def test_orbits_stay_near_the_limit_points_long_after_they_are_named(turn):
    start = starts(cycling_start, 12)[turn]
    phases = limit_points(start, 32)
    # Six turns after what was looked at: long enough for a wrong limit to be left behind.
    late = orbit(start, 32 + 6 * len(phases))[32:]
    distances = [max(abs(state.z - phases[k % len(phases)]).flat) for k, state in enumerate(late)]
    # At a phase of one, limits are those of the settled orbit; at more, phase 0 is the state after 32 steps.
    assert max(distances) < fmpq(1, 1000)
    assert distances[-1] <= distances[0]


def test_some_of_the_designed_starts_cycle_and_some_settle():
    periods = [len(limit_points(start, 32)) for start in starts(cycling_start, 12)]
    assert 1 in periods
    assert any(period > 1 for period in periods)


def test_a_settled_orbit_has_one_limit_point():
    for start in starts(lattice_start, 20):
        try:
            end = settle(start, 32)
        except NotSettledError:
            continue
        phases = limit_points(start, 32)
        assert len(phases) == 1
        assert (phases[0] == end.final.limits).all()


def test_a_repetition_that_breaks_off_is_not_certified():
    """One token more than a sensitivity away comes nearer in every step: its neighbours stay the same only for a while."""
    start = LocalmaxStep.instance(z=[[10], [1]], delta=40)
    states = orbit(start, 4)
    hears = [state.neighbours().tolist() for state in states]
    # It does repeat at first: whoever looks at two steps is deceived.
    assert hears[0] == hears[1]
    assert hears[0] != hears[-1]
    now = start.averaging()
    assert repeated([now]) is None


def test_tokens_at_one_place_that_weigh_their_leaders_differently_part():
    """Two copies between two leaders, one of which prefers the first leader: at one place now, apart in the next step."""
    x, equal = [[1, 0], [1, 0], [2, 1], [2, -1]], [[1, 1, 1, 1]] * 4
    P = [["1/2", 0], [0, "1/2"]]
    start = HardmaxStep.instance(x=x, P=P, selection=[[1, 1, 3, 1], *equal[1:]])
    assert at_one_place(start.averaging())[0, 1]
    assert not alike(start.averaging())[0, 1]
    assert (start.step().x[0] != start.step().x[1]).any()
    assert alike(start.replace(selection=exact(equal)).averaging())[0, 1]


def test_a_cycle_on_the_edge_of_a_neighbourhood_is_decided_by_its_rates():
    """In the limit the pair is attended at a gap of exactly delta: bounds that do not vanish cannot tell, rates can."""
    edge = LocalmaxStep.instance(z=[[5, -3, 0], [5, 4, 0], [4, -2, 4], [4, -2, -4], [4, 0, 0]], delta=5)
    phases = limit_points(edge, 32)
    assert len(phases) == 2
    at_the_limit = [edge.replace(z=phase).gaps() for phase in phases]
    assert any((gaps == 5).any() for gaps in at_the_limit)
    late = orbit(edge, 72)[32:]
    assert all((now.neighbours() == late[k % 2].neighbours()).all() for k, now in enumerate(late))


def test_step_size_one_is_decided_by_exact_recurrence():
    """Two opposite tokens that hear one another swap for ever; at half the step they meet."""
    swap = LocalmaxStep.instance(z=[[1], [-1]], A=[[-1]], gamma=1)
    assert limit_points(swap, 8)[:, 0, 0].tolist() == [1, -1]
    assert len(limit_points(swap.replace(gamma=exact("1/2")), 8)) == 1
    away = LocalmaxStep.instance(z=[[1], [2]], A=[[-1]], gamma=-1)
    with pytest.raises(NotSettledError, match="no state recurs"):
        limit_points(away, 8)


def test_recurrence_asks_nothing_of_the_rule():
    """Two small tokens that do not hear one another where their norms weigh the sensitivity."""
    rest = LocalmaxStep.instance(z=[["1/2"], ["-1/2"]], delta="9/10", rule=2)
    assert [state.z.tolist() for state in recurrence(rest, 4)] == [rest.z.tolist()]
    assert len(limit_points(rest.replace(rule=np.array(0)), 32)) == 1


def test_the_whole_state_must_recur():
    """Tokens that wait for their sensitivity are where they were, not at rest: the clock of the schedule went on."""
    waiting = ScheduledLocalmax.instance(z=[[1], [-1]], A=[[1]], gamma=[1, 1, 1], delta=[0, 0, 4], t=0)
    assert waiting.step().z.tolist() == waiting.z.tolist()
    with pytest.raises(NotSettledError, match="no state recurs"):
        recurrence(waiting, 8)


# ---------------------------------------------------------------------------------------------------------------------
# Rates of a turn


def rates_of_turns_say_what_later_turns_do(m):
    """Of stochastic turns with positive diagonals and small offsets: what three more turns do."""
    entries = [fmpq(0), fmpq(1, 4), fmpq(1, 2)]
    for first, second in one_in(2, product(product(entries, repeat=2), repeat=2)):
        turn = exact([[1 - sum(first), *first], [second[0], 1 - sum(second), second[1]], [0, 0, 1]])
        if not all(turn[i, i] > 0 for i in range(3)):
            continue
        for places in product((-1, 0, 1, 2), repeat=3):
            for e in (exact(places)[:, None], exact([places, places[::-1]]).T):
                rates, now = m.turn_rates(turn, e), e
                for k in range(1, 4):
                    now = turn @ now
                    for rate, offset, start in zip(rates, now, e, strict=True):
                        assert rate is None or (offset == rate**k * start).all(), (turn.tolist(), places)


def rates_of_turns_are_known_of_those_that_follow_one(m):
    known = m.turn_rates(exact([["1/2", "1/2"], [0, 1]]), exact([[1], [0]]))
    assert known.tolist() == [fmpq(1, 2), 0]


test_rates_of_turns, test_bugs_in_rates = asked_of(periodic_orbits, facts_above(globals()), "rates", share=4)
