"""Neighbours that last: facts of the parts of each certificate, on made-up offsets, that bugs in a single line break.

An orbit shows little of a certificate: its offsets are special, its scores mostly symmetric. So the parts are asked about
offsets, forms and rates of their own, and what they say is compared with every place that the offsets may come to.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from flint import fmpq

from dynamics.arithmetic import exact, numbers
from dynamics.findings import listening, plain
from dynamics.orbits import boxed as boxed_orbits
from dynamics.orbits import cycles as periodic_orbits
from dynamics.orbits import final_neighbours as finality
from dynamics.orbits import periodic_ends
from dynamics.tokens import periodic_schedules
from dynamics.tokens.averaging import Averaging
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import RULES, LocalmaxStep
from tests.orbits.made_up_offsets import CHANGING, HALF, N, gap, hears, some, stochastic
from tests.planting import asked_of, bugs_in, facts_above

# ---------------------------------------------------------------------------------------------------------------------
# Final neighbours


def swings_hold_every_place(m):
    """Averages of offsets are, at the worst, the offset of one token each: 27 places, for forms that are not symmetric."""
    for turn in range(16):
        d = 1 + turn % 2
        A, s, e = some((1, turn), d, d), some((2, turn), 3, d), some((3, turn), 3, d)
        # Offsets that matter beside the limits, that hardly do, and that are all there is.
        e = e * (1, fmpq(1, 1000), 1000)[turn % 3]
        found = m.swings(A, e, s)
        for places in product(N, repeat=3):
            z = numbers(s + e[list(places)])
            for i, l, j in product(N, repeat=3):
                assert abs(gap(A, z, i, l, j) - gap(A, s, i, l, j)) <= found[i, l, j]


def stays(m, turn, together=None):
    """Made-up limits and offsets of three tokens that all have the rate 1/2, or some of them 0."""
    d = 1 + turn % 2
    A, s, e = some((4, turn), d, d), some((5, turn), 3, d, size=2), some((6, turn), 3, d)
    rates = np.full(3, None)
    # A token at its limit has the rate 0.
    rates[:] = [HALF if offset.any() else fmpq(0) for offset in e]
    delta = exact(int(some((7, turn)).item()) % 4)
    now = Averaging(numbers(s + e), A, exact(HALF), delta, exact(np.eye(3, dtype=int)))
    alone = np.zeros((3, 3), dtype=bool)
    return m._Stays(now, s, e, rates, alone if together is None else together)


def quadratics_are_the_scores_on_the_way(m):
    for turn in range(12):
        one = stays(m, turn)
        for i, l, j in product(N, repeat=3):
            constant, slope, curvature = one._quadratic(i, l, j)
            for part in (fmpq(1), HALF, fmpq(-2)):
                z = numbers(one.limits + part * one.offsets)
                value = gap(one.now.A, z, i, l, j) - one.now.delta.item()
                assert constant + slope * part + curvature * part * part == value


def signs_of_quadratics_are_those_of_their_values(m):
    """At 128 places of (0, 1] and at 0; where they touch zero, between two of these places or at one, is told, too."""
    grid = [fmpq(k, 128) for k in range(1, 129)]
    for constant, slope, curvature in product(range(-2, 3), range(-4, 5), range(-2, 6)):
        c = [fmpq(k) for k in (constant, slope, curvature)]
        least = min(c[0] + c[1] * s + c[2] * s * s for s in grid)
        vertex = -c[1] / (2 * c[2]) if c[2] != 0 else fmpq(0)
        # Between two places of the grid a parabola may be lower.
        if 0 < vertex <= 1:
            least = min(least, c[0] + c[1] * vertex / 2)
        assert m.is_positive(*c) == (least > 0)
        assert m.is_nonnegative(*c) == (least >= 0 and c[0] >= 0)


def neighbours_at_rest_stay_if_they_are_the_right_ones(m):
    """Tokens at their limits, and one pair in turn that is claimed to hear, or not to hear, what it does."""
    for turn in range(9):
        n, d = 3 + turn % 2, 1 + turn % 2
        A, z = some((8, turn), d, d), some((9, turn), n, d)
        gaps = sorted({gap(A, z, i, l, j) for i, l, j in product(range(n), repeat=3)})
        delta = max(gaps[len(gaps) // 2 + turn % 3 - 1], fmpq(0)) + turn % 2 * HALF
        right = np.array([[hears(A, z, delta, i, j) for j in range(n)] for i in range(n)])
        for changed in (None, *product(range(n), repeat=2)):
            mask = right.copy()
            if changed is not None:
                mask[changed] = ~mask[changed]
            # Who hears nobody has no average.
            if not mask.any(axis=1).all():
                continue
            now = Averaging(z, A, exact(HALF), exact(delta), stochastic(mask.astype(int)))
            for rates in ([fmpq(0)] * n, [None] * n):
                known = np.array(rates, dtype=object)
                # At rest nothing moves, known rates or not: only the right neighbours stay.
                said = m.neighbours_stay(now, z, known, m.at_one_place(now))
                assert said == (changed is None)


def rates_last(m):
    """Four tokens in a row, of which each hears some before it: who hears one without a rate has none, at any remove."""
    masks = [[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1]]
    known = 0
    for rows in product(masks[:2], masks[:3], masks[2:5], masks[3:]):
        W = stochastic(np.array(rows))
        for turn in range(6):
            e = exact([[fmpq(int(c))] for c in np.random.default_rng([71, turn]).integers(-2, 3, 4)])
            rates, now = m._rates(Averaging(e, e, exact(HALF), exact(HALF), W), e), e
            for k in range(1, 5):
                now = (now + W @ now) / 2
                for rate, offset, first in zip(rates, now, e, strict=True):
                    assert rate is None or (offset == rate**k * first).all()
            known += sum(rate is not None for rate in rates)
    assert known > 400


def a_rate_is_lost_at_every_remove(m):
    """Token 1 is at its mean of three rates by chance; 2 copies 1 and 3 copies 2, each at what would be a rate."""
    W = exact([[1, 0, 0, 0, 0], [0, "1/2", 0, 0, "1/2"], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [1, 0, 0, 0, 0]])
    for e in product(range(-2, 3), repeat=4):
        offsets = exact([[0], *([c] for c in e)])
        rates, now = m._rates(Averaging(offsets, offsets, exact(HALF), exact(HALF), W), offsets), offsets
        for k in range(1, 5):
            now = (now + W @ now) / 2
            for rate, offset, first in zip(rates, now, offsets, strict=True):
                assert rate is None or (offset == rate**k * first).all()


def steps_that_do_not_average_are_refused(m):
    """At step size 0 nothing moves, and the limits of the averages are not those of the tokens."""
    for gamma in (0, 1, -1, 2):
        with pytest.raises(ValueError, match="step size"):
            m.settle(LocalmaxStep.instance(z=[[1], [2]], gamma=gamma), 3)
        with pytest.raises(ValueError, match="step size"):
            m.settle(HardmaxStep.instance(x=[[1, 0], [2, 0]], P=[[gamma, 0], [0, gamma]]), 3)


def rest_and_straight_ways_are_geometric(m):
    settled = m.settle(LocalmaxStep.instance(z=[[2, 0], [1, 1]], delta=0, gamma="1/3"), 6)
    assert settled.final.rates.tolist() == [0, fmpq(2, 3)]
    assert settled.final.geometric.tolist() == [True, True]


def the_last_state_is_the_one_that_is_certified(m):
    for z, delta in (([[10], [9], [5]], 35), ([[1], ["1/2"]], "1/10")):
        with listening() as told:
            settled = m.settle(LocalmaxStep.instance(z=z, delta=delta), 20)
        [ending] = [one for one in told if one["kind"] == "ending"]
        assert ending["since"] == settled.since > 0
        again = m.final(settled.states[-1].averaging())
        assert again.rates.tolist() == settled.final.rates.tolist()
        assert again.limits.tolist() == settled.final.limits.tolist()
        assert ending["limits"] == [plain(settled.final.limits)]


def neighbours_that_change_at_one_sensitivity_do_not_stay(m):
    """As below, but for a sensitivity that does not fall: two rates among them, whose parts cancel now and not later."""
    changed = 0
    for form, limits, offsets, rates, delta, _ in CHANGING:
        A, s, e, pace = map(exact, (form, limits, offsets, rates))
        path = [numbers(s + pace[:, None] ** step * e) for step in range(8)]
        masks = [np.array([[hears(A, z, fmpq(delta), i, j) for j in N] for i in N]) for z in path]
        if any((later != masks[0]).any() for later in masks):
            now = Averaging(path[0], A, exact(HALF), exact(delta), stochastic(masks[0].astype(int)))
            assert not m.neighbours_stay(now, s, pace, np.eye(3, dtype=bool))
            changed += len(set(rates)) > 2
    assert changed


FINAL = facts_above(globals())
test_final_neighbours, test_bugs_in_final_neighbours = asked_of(finality, FINAL)


# ---------------------------------------------------------------------------------------------------------------------
# Turns


def path_of(turn):
    """Three steps of five tokens, two of which are at one place and hear the same others, at some phases alike."""
    random = np.random.default_rng([81, turn])
    z, path = exact(random.integers(-2, 3, (5, 1))), []
    z[2] = z[1]
    for _ in range(3):
        weights = random.integers(0, 3, (5, 5)) + np.eye(5, dtype=int)
        weights[2] = weights[1] if random.integers(2) else random.integers(1, 3, 5)
        path.append(Averaging(z, exact([[1]]), exact(HALF), exact(0), stochastic(weights)))
        z = numbers((z + path[-1].W @ z) / 2)
    return path


def phases_of(m, path):
    """What is asked at each phase, whether neighbours stay: the state, its limits, its rates, and who is together."""
    asked = []
    # What is asked is kept, and answered with yes: so all phases are asked about.
    kept, m.neighbours_stay = m.neighbours_stay, lambda *given: asked.append(given) or True
    try:
        m.repeated(path)
    finally:
        m.neighbours_stay = kept
    return asked


def offsets_close_in_at_their_rates(m):
    known = 0
    for turn in range(12):
        path = (
            path_of(turn) if turn % 2 else [replace(now, W=exact([[1, 0], [1, 0]]), z=now.z[:2]) for now in path_of(turn)]
        )
        for r, (now, s, rates, _) in enumerate(phases_of(m, path)):
            offsets = numbers(now.z - s)
            for k in range(3):
                assert all(
                    rate is None or (e == rate**k * first).all()
                    for rate, e, first in zip(rates, offsets, now.z - s, strict=True)
                )
                for step in (*path[r:], *path[:r]):
                    offsets = numbers((offsets + step.W @ offsets) / 2)
            known += sum(rate is not None and rate != 0 for rate in rates)
            average = s
            for step in (*path[r:], *path[:r]):
                average = numbers((average + step.W @ average) / 2)
            assert (average == s).all()
    assert known > 8


def only_states_that_are_equal_recur(m):
    """One that comes nearer to its neighbour by a tenth in each step: it is written with ever more nines."""
    # As floats the states are equal after a few steps.
    near = LocalmaxStep.instance(z=[[10**12], [10**12 - 1]], gamma="9/10")
    with pytest.raises(finality.NotSettledError):
        m.recurrence(near, 6)


def tokens_said_to_be_together_meet_at_every_visit(m):
    said = 0
    for turn in range(24):
        path, masks = path_of(turn), []
        for _, _, _, mask in phases_of(m, path):
            masks.append(mask)
        now = path[0].z
        for k in range(6):
            mask = masks[k % 3]
            assert all(now[i] == now[j] for i, j in zip(*np.nonzero(mask), strict=True))
            said += int(mask[1, 2])
            now = numbers((now + path[k % 3].W @ now) / 2)
    assert said > 12


def only_what_recurs_is_a_limit_point(m):
    """At step size 1 the second token is with the first after one step: its start never comes back."""
    jump = LocalmaxStep.instance(z=[[2], [1]], gamma=1)
    with listening() as told:
        assert m.limit_points(jump, 4).tolist() == [[[2], [2]]]
    assert [(one["since"], one["period"]) for one in told] == [(1, 1)]


def every_place_is_its_limit_at_step_size_0(m):
    still = LocalmaxStep.instance(z=[[2], [1]], gamma=0)
    assert m.limit_points(still, 4).tolist() == [[[2], [1]]]


def a_turn_may_be_as_long_as_is_allowed(m):
    swing = LocalmaxStep.instance(z=[[3, -4, 0], [3, 4, 0], [2, -1, 3], [2, -1, -3], [2, 0, 0]], delta="7/2")
    assert len(m.limit_points(swing, 16, longest=2)) == 2
    with pytest.raises(finality.NotSettledError):
        m.limit_points(swing, 16, longest=1)


TURNS = facts_above(globals(), but=FINAL)
test_turns, test_bugs_in_turns = asked_of(periodic_orbits, TURNS)


# ---------------------------------------------------------------------------------------------------------------------
# Schedules that recur


def a_schedule_goes_on_from_any_step(m):
    f = m.PeriodicLocalmax.instance(z=[[3], [2], [-4]], gamma=["1/2", "1/3", "1/5"], delta=[0, 7, 2])
    for t in (1, 4, 7):
        now, late = f.replace(t=np.array(t % 3)), f.replace(t=np.array(t))
        assert (now.step_size(), now.sensitivity()) == (late.step_size(), late.sensitivity())
        assert (now.step().z == late.step().z).all()
        assert now.step().t == late.step().t < 3


def a_token_that_overshoots_ever_farther_has_no_limit(m):
    """Two tokens hear both, for ever: their offsets from the mean take the factor (1 - 1/2)(1 - 4) = -3/2 in every turn."""
    for gamma in (["1/2", 4], [4, "1/2"]):
        f = m.PeriodicLocalmax.instance(z=[[2, 1], [2, -1]], A=[[1, 0], [0, 0]], gamma=gamma, delta=[0, 0])
        late = f.step().step().step().step()
        # (3/2)^2 after two turns.
        assert late.z[0].tolist() == [2, fmpq(9, 4)]
        with pytest.raises(finality.NotSettledError):
            m.periodic_end(f, 8)


def each_phase_has_its_own_limit(m):
    z = [[3, -4, 0], [3, 4, 0], [2, -1, 3], [2, -1, -3], [2, 0, 0]]
    f = m.PeriodicLocalmax.instance(z=z, gamma=["1/2"], delta=["7/2"])
    with listening() as told:
        end = m.periodic_end(f, 20)
    assert [len(end.states), len(end.limits)] == [2, 2]
    [ending] = [one for one in told if one["kind"] == "ending"]
    now = f
    for _ in range(ending["since"]):
        now = now.step()
    assert (now.z == end.states[0].z).all()
    for k, state in enumerate(end.states):
        own, other = (abs(state.z - end.limits[phase]).max() for phase in (k, 1 - k))
        assert own < other
        assert (f.replace(z=end.limits[k]).step().z == end.limits[1 - k]).all()


SCHEDULES = facts_above(globals(), but=(*FINAL, *TURNS))
test_schedules, test_bugs_in_schedules = asked_of(periodic_ends, SCHEDULES)


@bugs_in(periodic_schedules)
def test_a_bug_planted_in_periodic_steps_is_noticed(bug):
    assert bug.is_noticed(SCHEDULES)


# ---------------------------------------------------------------------------------------------------------------------
# Boxes


def certain_at(m, f, low=0, high=0, apart=True):
    n, d = f.z.shape
    together = np.eye(n, dtype=bool) if apart else finality.at_one_place(Averaging(f.z, f.A, f.gamma, f.delta, f.z))
    return m._certain(f, f.z, exact([low] * d), exact([high] * d), together)


def rules(seed, count):
    """Four tokens under each rule, at sensitivities that are met, half met, and smaller or larger than 1."""
    for turn, rule in product(range(count), range(len(RULES))):
        d = 1 + turn % 2
        A, z = some((21, turn, seed), d, d), some((22, turn, seed), 4, d, size=2)
        if turn % 3 == 2:
            A, z = -abs(A), abs(z) + 1  # every score is below 0
        f = LocalmaxStep(z=z, A=A, gamma=exact(HALF), delta=exact(0), rule=np.array(rule))
        values = sorted({value for value in f.gaps().flat if value > 0}) or [fmpq(1)]
        for delta in (fmpq(0), values[0], values[-1], values[0] / 2, fmpq(1, 3), fmpq(1)):
            yield f.replace(delta=exact(delta))


def in_a_box_of_one_point_everything_is_certain(m):
    for f in rules(1, 6):
        near, far = certain_at(m, f, apart=False)
        attended = f.neighbours()
        assert (near == attended).all()
        assert (far == ~attended).all()


def what_is_certain_holds_at_the_corners(m):
    """Four tokens at all corners of small boxes of one side or both."""
    random = np.random.default_rng(31)
    for turn, f in enumerate(rules(2, 6)):
        low, high = (-fmpq(int(c), 4 if turn % 2 else 1) for c in random.integers(0, 2, 2) * (1, -1))
        near, far = certain_at(m, f, low, high)
        for _ in range(6):
            z = numbers(f.z + np.where(random.integers(0, 2, f.z.shape) == 1, low, high))
            attended = f.replace(z=z).neighbours()
            assert not (near & ~attended).any()
            assert not (far & attended).any()


def neighbours_that_may_be_lost_do_not_stay(m):
    """Two tokens that hear one another now, and at the limit one that is too far: it is certain of neither."""
    f = LocalmaxStep.instance(z=[[1], [0]], delta=1)
    assert f.neighbours().all()
    alone = np.eye(2, dtype=bool)
    assert not m._stays(f, exact([[2], [0]]), alone)
    assert m._stays(f, f.z, alone)


def each_phase_of_a_turn_has_its_own_limit(m):
    with listening() as told:
        turn = m.lasting_turn(SWING, 20, longest=2)
    assert [len(turn.states), len(turn.limits)] == [2, 2]
    now = SWING
    for _ in range(told[0]["since"]):
        now = now.step()
    assert (now.z == turn.states[0].z).all()
    assert (now.step().z == turn.states[1].z).all()
    for k in range(2):
        assert (now.replace(z=turn.limits[k]).step().z == turn.limits[1 - k]).all()
        assert abs(turn.states[k].z - turn.limits[k]).max() < abs(turn.states[k].z - turn.limits[1 - k]).max()
    assert told[0]["limits"] == [plain(limit) for limit in turn.limits]
    with pytest.raises(m.NotSettledError):
        m.lasting_turn(SWING, 20, longest=1)


def each_phase_is_asked_of_its_own_state(m):
    """What the lemma is given of two tokens at one place and one apart that takes the same average, and of a cycle."""
    one = LocalmaxStep.instance(z=[[1], [1], ["1/2"], [-9]], delta=2, gamma="1/4")
    near = one.neighbours()
    assert (near[0] == near[2]).all()
    assert near[0, 2]
    limits_of, stays = m.limits_of, m._stays
    for cycle in ([one], m.lasting_turn(SWING, 20).states):
        asked = []
        m.limits_of = lambda turn, z, asked=asked: (asked.append((turn, z)), limits_of(turn, z))[1]
        m._stays = lambda f, s, together, asked=asked: (asked.append((f, together)), stays(f, s, together))[1]
        try:
            m.repeated(cycle)
        finally:
            m.limits_of, m._stays = limits_of, stays
        assert len(asked) == 2 * len(cycle)
        for state, (_, z), (f, together) in zip(cycle, asked[::2], asked[1::2], strict=True):
            assert z is state.z
            assert f is state
            assert (together == (z[:, None] == z[None, :]).all(axis=-1)).all()


def as_many_steps_are_taken_as_are_allowed(m):
    still = LocalmaxStep.instance(z=[[1], [-1]], delta="1/4")
    assert len(m.lasting_turn(still, 1, longest=1).states) == 1
    with pytest.raises(m.NotSettledError, match="after 0 steps"):
        m.lasting_turn(still, 0, longest=1)
    for gamma in (-1, 0, 1, "3/2"):
        with pytest.raises(ValueError, match=r"a step size in \(0, 1\) is needed"):
            m.lasting_turn(still.replace(gamma=exact(gamma)), 4)


def means_over_places_are_told_from_means_over_tokens(m):
    """Two tokens at one place weigh as one: the third goes to the middle of two places, not of three tokens."""
    f = LocalmaxStep.instance(z=[[2, 0], [2, 0], [2, 3], [2, 1]], A=[[1, 0], [0, 0]], gamma="1/2", rule=5)
    turn = m.repeated([f])
    if turn is not None:
        late = f
        for _ in range(40):
            late = late.step()
        assert abs(late.z - turn.limits[0]).max() < fmpq(1, 1000)
    g = LocalmaxStep.instance(z=[[2, 0], [2, 0], [-2, 0], [1, 0]], delta=100, rule=5)
    turn, late = m.repeated([g]), g
    for _ in range(40):
        late = late.step()
    assert turn is None or abs(late.z - turn.limits[0]).max() < fmpq(1, 1000)
    assert turn is not None


SWING = LocalmaxStep.instance(z=[[3, -4, 0], [3, 4, 0], [2, -1, 3], [2, -1, -3], [2, 0, 0]], delta="7/2")

# Not among the bugs: that averages are alike in all phases follows, under every rule, from being at one place; and what is
# shown of a turn needs no turn before it, so that the one which has been seen is only the one that is worth asking about.
test_boxes, test_bugs_in_boxes = asked_of(boxed_orbits, facts_above(globals(), but=(*FINAL, *TURNS, *SCHEDULES)))
