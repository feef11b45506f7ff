"""Facts about chains of steps: a module c like dynamics.enclosures.steps over one like dynamics.trusted.trajectory."""

from __future__ import annotations

import itertools
import math
import types
from dataclasses import replace

from flint import arb

import dynamics.enclosures.steps as chain
import dynamics.trusted.taylor as trusted
import dynamics.trusted.trajectory as joined
from dynamics.arithmetic import exp, log
from dynamics.enclosures.steps import Rung, enclose_at
from tests.trusted.facts_of_series import directions, norm, singles, step_by_hand
from tests.trusted.test_whole_trajectories import (
    Aged,
    Clock,
    Linear,
    Paired,
    Square,
    holds_the_truth,
    matrix_exponential,
    times_within,
)
from tests.trusted.truth import NAN, ONE, TRUTH, contains, exactly, is_bound, polynomial, precision, q, refuses

# c.joined like dynamics.trusted.trajectory


# An entry of 100: what one coordinate hands over too little of, another shows a hundredfold.
COUPLED = {"x": [1, "-1/3", "2/7"], "A": [[1, 100, 0], [0, -1, 1], ["1/50", 0, "1/2"]]}
MILD = {"x": [1, "-1/3", "2/7"], "A": [[1, 4, 0], [0, -1, 1], ["1/50", 0, "1/2"]]}
COARSE = [Rung(24, 8, 1e-5), Rung(64, 8, 1e-6)]
"""Few bits: each coordinate has a rounding error of its own. Many bits: the defect is all that is handed over."""


def steps_hand_over_the_whole_enclosure(c):
    for rung, system in itertools.product(COARSE, (Linear.instance(**COUPLED), Paired.instance(**MILD))):
        trajectory = c.enclose_at(system, q(3), rung)
        steps = trajectory.steps
        assert len(steps) > 3
        assert trajectory.times[0] == 0
        assert trajectory.horizon == 3
        with precision(TRUTH):
            before = [(arb(value), arb(0)) for value in trajectory.origin.x.flat]
            for begin, end, step in zip(trajectory.times, trajectory.times[1:], steps, strict=False):
                assert begin + step.length == end
                for block in system.blocks():
                    i = block.start
                    # From the last state of the step before to the first of this one: all of it is the error to start from.
                    away = norm(before[k][0] - step.polynomials[k][0].mid() for k in block) + before[i][1]
                    allowance = norm(step.polynomials[k][0].rad() for k in block)
                    is_bound(step.weights[i] * step.start + allowance, away)
                bound = step.error + step.slope * arb(step.length)
                for row, weight in zip(step.polynomials, step.weights, strict=True):
                    assert not weight * bound - row[0].rad() > trajectory.radius
                ends_at = [polynomial(row, step.length).mid() for row in step.polynomials]
                before = [(x, weight * step.final) for x, weight in zip(ends_at, step.weights, strict=True)]


def by_hand(rows, weights, final, blocks, error=0.0, slope=0.0):
    return step_by_hand(trusted, rows, ONE, exactly(*weights), error, slope, final, blocks)


def start_errors_reach_all_that_a_block_may_be(c):
    blocks, start_error = [range(2), range(2, 3)], c.joined.start_error
    for old, new in itertools.product([(1, 1, 4), (4, 4, 1)], [(1, 1, 1), (8, 8, 0.25), (0.25, 0.25, 8)]):
        before = by_hand([exactly(1, 2), exactly(0, -1), exactly(5)], old, 0.5, blocks)
        for shift in ((0, 0, 0), (3, -4, 0), (0, 0, 2), (0.125, 0, -1)):
            rows = [exactly(x + s) for x, s in zip((3, -1, 5), shift, strict=True)]
            error = start_error(before, [arb(0)] * 3, rows, exactly(*new), blocks)
            assert error.is_exact()
            for block in blocks:
                for side in directions(len(block)):
                    with precision(TRUTH):
                        # In every direction that the old error may have.
                        gap = norm(-shift[i] + old[i] * arb(before.final) * s for i, s in zip(block, side, strict=True))
                        is_bound(new[block.start] * error, gap)
    with precision(10):
        before = by_hand([exactly(1), exactly(1), exactly(5)], (1, 1, 1), arb(1) / 7, blocks)
        error = start_error(before, [], [exactly(0.5), exactly(0), exactly(5)], exactly(3, 3, 3), blocks)
    is_bound(error, (norm([0.5, 1]) + before.final) / 3 - arb(2) ** -200)
    # At the start, balls that hold the origin begin with it; others do not.
    third = arb(q(1, 3))
    assert start_error(None, [third], [[third]], exactly(1), singles(1)).is_zero()
    is_bound(start_error(None, [third], [exactly(1)], exactly(2), singles(1)), q(1, 3))
    is_bound(start_error(None, exactly(0, 3), [exactly(0), exactly(7)], exactly(1, 1), [range(2)]), 4)
    is_bound(start_error(None, exactly(3, 0), [exactly(0), exactly(4)], exactly(1, 1), [range(2)]), 5)
    # Other blocks than before, or a clock that is somewhere else: no start error is enough.
    assert not start_error(before, [], [exactly(0)] * 3, exactly(1, 1, 1), singles(3)).is_finite()
    ages = by_hand([exactly(1), [arb(2, 0.5), arb(1)]], (1, 0), 0.5, singles(2))
    for start, fits in ((arb(3, 0.5), True), (arb(3, 1), True), (arb(3, 0.25), False), (arb(3), False), (arb(4, 1), False)):
        error = start_error(ages, [arb(0), start], [exactly(1), [start, arb(1)]], exactly(1, 0), singles(2))
        assert error.is_finite() is fits
    moved = by_hand([exactly(1), exactly(2, 1)], (1, 1), 0.5, singles(2))
    for start, fits in ((arb(3, 0.5), True), (arb(3, 0.25), False)):
        error = start_error(moved, [arb(0), start], [exactly(1), [start, arb(1)]], exactly(1, 0), singles(2))
        assert error.is_finite() is fits


def states_of_a_step_contain_the_solution(c):
    weights, rows = (2, 2, 0.5), [exactly(1, 2), exactly(0, -1, 3), exactly(5)]
    step = by_hand(rows, weights, 0.125, [range(2), range(2, 3)], error=0.25, slope=1)
    for t, sign in itertools.product([q(0), q(1, 3), q(999, 1000), q(1)], (-1, 1)):
        with precision(TRUTH):
            reach = step.final if t == 1 else step.error + step.slope * arb(t)
        for ball, row, weight in zip(c.joined.state_at(step, t), rows, weights, strict=True):
            contains(ball, polynomial(row, t) + sign * weight * reach * (1 - arb(2) ** -40))
    growing = by_hand([exactly(0)], (1,), 3, singles(1), error=0.5, slope=1)
    [end] = c.joined.state_at(growing, q(1))
    contains(end, 3)


def the_radius_is_that_of_the_worst_coordinate_of_the_worst_step(c):
    origin, blocks = Linear.instance(x=[1, 1, 1], A=[[1, 0, 0], [0, -1, 0], [0, 0, 0]]), singles(3)
    for weights in itertools.permutations((1, 4, 0.5)):
        for errors in itertools.permutations((0.5, 2, 1)):
            steps = [by_hand([exactly(0)] * 3, weights, 3, blocks, error, slope=0.25) for error in errors]
            radius = c.joined.Trajectory(origin, [q(k) for k in range(4)], steps, 64, 8).radius
            # 4 (2 + 1/4): the largest weight times the largest error at its end, wherever the two stand.
            is_bound(radius, 9)
            assert radius < 9 + 1e-6


def only_steps_that_take_over_join(c):
    origin = Linear.instance(x=[1, 1], A=[[1, 0], [0, -1]])
    trajectory = enclose_at(origin, q(2), Rung(64, 8, 1e-6))
    times, steps, kind = trajectory.times, trajectory.steps, c.joined.Trajectory

    def join(times, steps, origin=origin):
        return kind(origin, times, steps, 64, 8).joins()

    assert len(steps) > 3
    assert join(times, steps)
    # Each in one thing: times, lengths, the origin, the order, and what a step takes over.
    assert not join([time + 1 for time in times], steps)
    assert not join(times[:-1], steps)
    assert not join([*times[:-1], times[-1] + 1], steps)
    assert not join(times, steps, Linear.instance(x=[2, 1], A=[[1, 0], [0, -1]]))
    swapped = [*steps[:1], steps[2], steps[1], *steps[3:]]
    assert not join([q(0), *itertools.accumulate(step.length for step in swapped)], swapped)
    for k in range(1, len(steps)):
        for change in (
            {"start": arb(0)},
            {"start": NAN},
            {"blocks": [range(2)]},
            {"blocks": None},
            {"polynomials": [[row[0] + 1, *row[1:]] for row in steps[k].polynomials]},
            {"starts": [row[0] for row in steps[k].polynomials]},
        ):
            assert not join(times, [*steps[:k], replace(steps[k], **change), *steps[k + 1 :]])
        # A step that was certified for more starts than are needed takes over as well.
        wide = [row[0] + arb(0, 1) for row in steps[k].polynomials]
        assert join(times, [*steps[:k], replace(steps[k], starts=wide), *steps[k + 1 :]])
        assert not join(times, [*steps[:k], replace(steps[k], starts=[wide[0], arb(9)]), *steps[k + 1 :]])
    assert not join(times, [replace(steps[0], starts=[arb(1), arb(2)]), *steps[1:]])
    assert join(times[:2], steps[:1])
    assert not join(times[:2], [replace(steps[0], blocks=None)])
    worse = replace(steps[0], final=arb(1))
    assert not join(times, [worse, *steps[1:]])


def signs_over_an_interval_are_those_of_the_function(c):
    def over(row, low, high, center, strict=True, refinements=6):
        return c.joined.sign_over(exactly(*row), low, high, center, strict, refinements)

    for center, strict in itertools.product((q(0), q(1, 2)), (True, False)):
        shift = [float(center.p) / float(center.q)]
        line = [shift[0] - 0.375, 1]  # t - 3/8
        assert over(line, q(1, 2), q(1), center, strict)[0] == 1
        assert over(line, q(0), q(3, 8) - q(1, 100), center, strict)[0] == -1
        sign, time = over(line, q(0), q(1), center, strict)
        assert sign == -1
        assert 0 < time < q(3, 8)
        sign, time = over([-x for x in line], q(0), q(1), center, strict)
        assert sign == -1
        assert time > q(3, 8)
        flat = over([0, 0], q(0), q(1), center, strict)
        assert flat[0] == (-1 if strict else 1)
        assert c.joined.sign_over([arb(0, 1), arb(0)], q(0), q(1), center, strict, 3)[0] is None
        assert c.joined.sign_over([NAN, arb(1)], q(0), q(1), center, strict, 3)[0] is None
        dip = [(shift[0] - 0.25) ** 2 + 0.001, 2 * (shift[0] - 0.25), 1]
        assert over(dip, q(0), q(1), center, strict, 8)[0] == 1
    assert over([0, 1], q(0), q(1), q(0))[0] == 1
    assert over([0, 1], q(0), q(1), q(1, 2))[0] == -1
    assert over([0, 0, 1], q(0), q(1), q(1, 2), strict=True)[0] != 1


def clocks_and_blocks_are_enclosed_along_a_trajectory(c):
    system = Aged.instance(**MILD, t="1/3")
    trajectory = c.enclose_at(system, q(3), COARSE[1])
    paired = c.enclose_at(Paired.instance(**MILD), q(3), COARSE[1])
    for t in times_within(trajectory, 5):
        truths = matrix_exponential(system.A, t, system.x.flat)
        for state in (trajectory.at(t), paired.at(t)):
            for ball, truth in zip(state.x.flat, truths, strict=True):
                contains(ball, truth)
        contains(trajectory.at(t).t.item(), q(1, 3) + t)


def remainder_steps_make_trajectories_too(c):
    system = Aged.instance(x=["1/3", "-2/7"], A=[["1/3", -2], ["3/5", "1/7"]], t="1/3")
    field = lambda state: c.joined.flat(system.with_state(state).velocity())  # noqa: E731
    h, steps, times = q(1, 16), [], [q(0)]
    with c.joined.series_precision(64, 8):
        state = [arb(value) for value in (*system.x.flat, system.t.item())]
        for _ in range(16):
            box = [value + arb(0, 0.5) for value in state]
            step = trusted.certify_step_by_remainder(field, state, h, 8, box, exactly(1, 1, 0), [range(2), range(2, 3)])
            state = c.joined.state_at(step, h)
            steps.append(step)
            times.append(times[-1] + h)
    trajectory = c.joined.Trajectory(system, times, steps, 64, 8)
    assert trajectory.joins()
    for t in times_within(trajectory):
        now = trajectory.at(t)
        holds_the_truth(now.x.flat, matrix_exponential(system.A, t, system.x.flat), 1e-4)
        contains(now.t.item(), q(1, 3) + t)
    assert trajectory.decide(lambda now: now.x[..., :1] + 3, strict=True).sign == 1
    assert not c.joined.Trajectory(system, times[:-1], steps[:4] + steps[5:], 64, 8).joins()


def a_slack_is_decided_near_the_ends_of_steps(c):
    clock = Aged.instance(x=[1], A=[[-1]])
    trajectory = c.enclose(clock, q(8))
    for edge in trajectory.times[1:-1]:
        for away in (q(1, 10**6), -q(1, 10**6)):
            touch = edge + away
            decision = trajectory.decide(lambda now, touch=touch: now.t - touch, strict=False)
            assert decision.sign == -1
            assert decision.time < touch
            decision = trajectory.decide(lambda now, touch=touch: touch - now.t, strict=False)
            assert decision.sign == -1
            assert decision.time > touch
    for begin, step in zip(trajectory.times, trajectory.steps, strict=False):
        for a, b in ((q(1, 10), q(2, 10)), (q(8, 10), q(9, 10))):
            a, b = begin + a * step.length, begin + b * step.length  # noqa: PLW2901
            decision = trajectory.decide(lambda now, a=a, b=b: (now.t - a) * (now.t - b), strict=False)
            assert decision.sign == -1
            assert a < decision.time < b
    assert trajectory.decide(lambda now: now.x * now.t - q(1, 10**4) * now.t, strict=True).sign == 1
    assert trajectory.decide(lambda now: exp(-now.t) * q(101, 100) - now.x, strict=True).sign == 1
    decision = trajectory.decide(lambda now: exp(-now.t) * q(101, 100) - now.x - q(1, 10**4), strict=True)
    assert decision.sign == -1
    assert decision.time > 4


def times_between_and_at_the_ends_of_steps_are_enclosed(c):
    system = Linear.instance(**COUPLED)
    trajectory = c.enclose_at(system, q(3), COARSE[1])
    middles = [(a + b) / 2 for a, b in itertools.pairwise(trajectory.times)]
    for t in [*trajectory.times, *middles]:
        with precision(TRUTH):
            for ball, truth in zip(trajectory.at(t).x.flat, matrix_exponential(system.A, t, system.x.flat), strict=True):
                assert ball.overlaps(truth)
    for outside in (q(-1, 10), q(301, 100)):
        refuses(trajectory.at, outside)


def answer(c, system, horizon, slack, strict, refinements=10):
    return c.enclose(system, horizon).decide(slack, strict, refinements)


def a_slack_with_room_holds(c):
    for strict in (True, False):
        assert answer(c, Clock.instance(), q(20), lambda now: 21 - now.x, strict).sign == 1
        assert answer(c, Square.instance(x=[1]), q(3, 4), lambda now: now.x - q(1, 2), strict).sign == 1
        assert answer(c, Linear.instance(x=["1/3"], A=[[1]]), q(3), lambda now: now.x - q(1, 4), strict).sign == 1


def a_slack_that_starts_at_exactly_zero_is_decided(c):
    one = Linear.instance(x=[1], A=[[1]])
    for power in (1, 2, 3):
        for strict, system in itertools.product((True, False), (Clock.instance(x=1), one)):
            if system is one and power > 1:
                continue  # row 1 is widened, so only a zero of first order is known to be one
            assert answer(c, system, q(3), lambda now, power=power: (now.x - 1) ** power, strict).sign == 1
            decision = answer(c, system, q(3), lambda now, power=power: -((now.x - 1) ** power), strict)
            assert decision.sign == -1
            assert decision.time > 0
    assert answer(c, one, q(1, 4), lambda now: log(now.x), strict=True).sign == 1
    assert answer(c, one, q(1), lambda now: exp(now.x - 1) - 1, strict=True).sign == 1


def a_slack_that_is_zero_throughout_holds_weakly_and_fails_strictly(c):
    one = Linear.instance(x=[1, 1], A=[[1, 0], [0, 1]])
    assert answer(c, one, q(1), lambda now: 0 * now.x, strict=False).sign == 1
    assert answer(c, one, q(1), lambda now: 0 * now.x, strict=True).sign == -1


def a_violation_is_found_where_it_is(c):
    for strict in (True, False):
        decision = answer(c, Clock.instance(), q(20), lambda now: 10 - now.x, strict)
        assert decision.sign == -1
        assert decision.time > 10
        decision = answer(c, Clock.instance(), q(20), lambda now: (now.x - 1) * (now.x - 2), strict)
        assert decision.sign == -1
        assert 1 < decision.time < 2
        decision = answer(c, Clock.instance(), q(20), lambda now: (now.x - 14) * (now.x - 15), strict)
        assert decision.sign == -1
        assert 14 < decision.time < 15
    decision = answer(c, Linear.instance(x=[1, 0], A=[[0, -1], [1, 0]]), q(7), lambda now: now.x + q(99, 100), strict=False)
    assert decision.sign == -1
    assert abs(float(decision.time.p) / float(decision.time.q) - math.pi) < 1.6


def what_enclosures_cannot_tell_stays_undecided(c):
    oscillator, clock = Linear.instance(x=["4/5", "3/5"], A=[[0, -1], [1, 0]]), Clock.instance()
    hair = q(1, 10**80)
    for strict in (True, False):
        for sign in (1, -1):
            # |x|^2 = 1 throughout, and a parabola that misses zero by a hair.
            norm = lambda now, s=sign: (now.x * now.x).sum(axis=-1) - 1 + s * hair  # noqa: E731
            assert answer(c, oscillator, q(2), norm, strict, refinements=3).sign is None
            parabola = lambda now, s=sign: (now.x - q(1, 3)) ** 2 + s * hair  # noqa: E731
            decision = answer(c, clock, q(9), parabola, strict)
            assert decision.sign is None
            assert 0 <= decision.time < 9
    one = Linear.instance(x=["1/3"], A=[[0]])
    assert answer(c, one, q(1), lambda now: now.x - q(1, 3), strict=True).sign != 1


def what_is_open_hides_no_later_violation(c):
    """Open at 1/3, where the slack touches zero, and violated later: around the middle of a step, or its end."""
    trajectory = c.enclose_at(Clock.instance(), q(20), Rung(64, 20, 1e-15))
    for step in (2, len(trajectory.steps) - 1):
        begin, length = trajectory.times[step], trajectory.steps[step].length
        for k in (1, 2):
            low, high = begin + length * (4 * k - 1) / 8, begin + length * (4 * k + 1) / 8
            decision = trajectory.decide(
                lambda now, a=low, b=high: (now.x - q(1, 3)) ** 2 * (now.x - a) * (now.x - b), True
            )
            assert decision.sign == -1, (step, k)
            assert low < decision.time < high


def poles_and_start_errors_leave_a_slack_undecided(c):
    for slack in (lambda now: 1 / (now.x - q(1, 3)) ** 2, lambda now: log((now.x - q(1, 3)) ** 2) + 99):
        assert answer(c, Clock.instance(), q(1), slack, strict=True, refinements=3).sign is None
    two = Linear.instance(x=[1, 1], A=[[1, 0], [0, -1]])
    assert answer(c, two, q(1), lambda now: 1 / (now.x - 2) ** 2, strict=True, refinements=3).sign is None
    # A step that is certified around 1, from the origin 0: x may well be t.
    step = step_by_hand(trusted, [exactly(1)], ONE, exactly(1), 1, 0)
    trajectory = c.joined.Trajectory(Clock.instance(), [q(0), q(1)], [step], 64, 4)
    assert trajectory.joins()
    assert trajectory.decide(lambda now: -now.x, strict=False).sign is None


def a_decision_says_what_the_slack_is(c):
    clock = Clock.instance()
    # The least is met at the ends of steps, the last of which is the horizon.
    assert abs(answer(c, clock, q(20), lambda now: 21 - now.x, strict=True).least - 1) < 1e-9
    assert answer(c, clock, q(20), lambda now: 1 + now.x, strict=True).least < 20
    for root, width in itertools.product((q(1, 16), q(10), q(14)), (q(1, 8), q(1, 2), q(1), q(3))):
        decision = answer(
            c, clock, q(20), lambda now, a=root, b=root + width: (now.x - a) * (now.x - b) * (1 + now.x), strict=False
        )
        assert decision.sign == -1
        t = decision.time
        with precision(TRUTH):
            assert abs(decision.least - arb((t - root) * (t - root - width) * (1 + t))) < 1e-9


def every_entry_of_a_slack_counts(c):
    system = Linear.instance(x=[1, -1], A=[[1, 0], [0, 1]])
    assert answer(c, system, q(1), lambda now: now.x, strict=False).sign == -1
    assert answer(c, system, q(1), lambda now: -now.x, strict=False).sign == -1
    assert answer(c, system, q(1), lambda now: now.x * now.x, strict=False).sign == 1


CHAIN = types.SimpleNamespace(**vars(chain), joined=joined)
