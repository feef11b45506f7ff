"""What proposals promise: polynomials that solve the flow to the digits asked for, steps that tile the time, few of them.

A bad proposal is no false verdict, as what is claimed is certified afterwards: it costs steps, bits, or the verdict. So
the promises are about closeness and counts.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb, arb_poly, fmpq

from dynamics.arithmetic import fraction
from dynamics.enclosures import files, proposal, steps
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.training.value_softmax import LogisticFlow
from dynamics.trusted.taylor import evaluate, jacobian_over_box, solution_series
from dynamics.trusted.trajectory import field_of, series_precision
from tests.planting import asked_of, facts_above

LOGISTIC = LogisticFlow.instance(u=[1, "1/4", -1], a=["1/2", 0, -1], K=2)


def state_of(flow):
    return [arb(entry) for name in flow.moving for entry in getattr(flow, name).flat]


# ---------------------------------------------------------------------------------------------------------------------
# Polynomials


def circles_turn_values_into_coefficients_and_back(m):
    circle = m.Circle(0.25, 40)
    series = np.array([[1 / math.factorial(k), (-1) ** k] for k in range(circle.terms)])
    values = np.stack([np.exp(circle.times), 1 / (1 + circle.times)], axis=1)
    found = circle.coefficients(values)
    assert np.abs(found[:12] - series[:12])[:, 0].max() < 1e-8
    assert np.abs(found - series)[:4].max() < 1e-6
    assert np.allclose(circle.values(found)[:, 0], values[:, 0], atol=1e-12)
    whole = circle.integrated(found, np.array([2.0, 3.0]))
    begin = (-circle.half) ** np.arange(circle.terms) @ whole
    assert np.allclose(begin, [2, 3])
    assert np.allclose(whole[1:] * np.arange(1, circle.terms)[:, None], found[:-1])


def picard_solves_to_the_last_digits(m):
    circle, start = m.Circle(0.25, 64), np.array([1.0, 1e-9])
    # The second number is 10^-9 of the first: its digits must not be lost beside it.
    A = np.array([[1.0, 0], [1e-9, -2]])
    found = m.picard(circle, lambda x: x @ A.T, start, start + 0 * circle.times[:, None])
    ends = [(sign * circle.half) ** np.arange(circle.terms) @ found for sign in (-1, 1)]
    assert np.allclose(ends[0], start, rtol=1e-13, atol=0)
    grown = math.exp(0.5)
    assert np.isclose(ends[1][0], grown, rtol=1e-14, atol=0)
    assert np.isclose(ends[1][1], 1e-9 * (grown + 2 * math.exp(-1)) / 3, rtol=1e-10, atol=0)
    calls = []

    def explosive(x):
        calls.append(x)
        return x * x * 1e3

    with pytest.raises(m.NoProposalError):
        m.picard(circle, explosive, start, start + 0 * circle.times[:, None])
    # It is given up soon: an explosion does not pay for all of its rounds.
    assert len(calls) < 20


def proposer(m, flow, order, goal):
    return m.Proposer(flow, field_of(flow), order, goal)


def polynomials_are_close_to_the_digits_asked_for(m):
    for flow in (LOGISTIC, SelfAttentionFlow.instance(x=[[1, 0], ["-1/2", 1]], B=[[1, 2], [0, 1]], V=[[1, 0], [1, -1]])):
        for bits, order, goal in ((64, 24, 1e-15), (128, 36, 1e-30), (192, 46, 1e-51)):
            with series_precision(bits + 40, order):
                start, h = state_of(flow), fmpq(1, 8)
                one = proposer(m, flow, order, goal)
                for _ in range(2):
                    rows, wanted = one.polynomials(start, h)
                    solution = solution_series(field_of(flow), start, order)
                    top = max(abs(float(series[order - 1])) for series in solution)
                    assert 0.8 < wanted / (goal / top) ** (1 / (order - 1)) < (1.25 if flow is LOGISTIC else 2.5)
                    for row, value, series in zip(rows, start, solution, strict=True):
                        assert row[0] is value
                        assert abs(arb_poly(row)(arb(h)) - arb_poly(series)(arb(h))) < 100 * goal
                        # Only the start may be a ball: the rest is a choice, and exact whatever it is.
                        assert all(c.is_exact() for c in row[1:])
                    one.accept(h)


def the_last_proposal_is_the_next_guess(m):
    flow, calls = LOGISTIC, []
    with series_precision(64, 24):
        start, h = state_of(flow), fmpq(1, 8)
        one = proposer(m, flow, 24, 1e-15)
        rate = one.rate
        one.rate = lambda states: (calls.append(0), rate(states))[1]
        counts = []
        for _ in range(4):
            rows, _ = one.polynomials(start, h)
            one.accept(h)
            start = [evaluate(row, arb(h)).mid() for row in rows]
            counts.append(len(calls) - sum(counts))
        # The polynomial of the last step, extended, is a good first guess of this one.
        assert max(counts[1:]) <= 0.7 * counts[0]


def the_length_wanted_is_where_the_last_terms_meet_the_goal(m):
    one = proposer(m, LOGISTIC, 20, 1e-12)
    for radius in (0.25, 1.0):
        for reach in (0.5, 2.0):
            sizes = reach ** -np.arange(21.0)[:, None] * np.ones(2)
            assert np.isclose(one._wanted(sizes, radius), reach * 1e-12 ** (1 / 20), rtol=1e-2)


def slopes_are_the_jacobian(m):
    flow = SelfAttentionFlow.instance(x=[[1, 0], ["-1/2", 1]], B=[[1, 2], [0, 1]], V=[[1, 0], [1, -1]])
    with series_precision(64, 12):
        start = state_of(flow)
        exact = np.array([[float(v) for v in row] for row in jacobian_over_box(field_of(flow), start)])
        one = proposer(m, flow, 12, 1e-12)
        rows = [[value] for value in start]
        assert np.allclose(one.jacobian(rows), exact, rtol=1e-12)
        circle = m.Circle(0.0625, 32)
        still = np.zeros((circle.terms, len(start)))
        still[0] = [float(v) for v in start]
        slopes, scale = one._slopes(rows, circle, still)
        assert np.allclose(slopes * scale[:, None] / scale, exact, rtol=1e-5, atol=1e-5)


def noise_is_trimmed_and_nothing_else(m):
    one = proposer(m, LOGISTIC, 4, 1e-10)
    # The goal is 10^-10: below it is noise, and the last term counts.
    row = [arb(1), arb("0.5"), arb("1e-10"), arb("1e-13"), arb("1e-9")]
    (found,) = one._trimmed([row], 1.0)
    assert [value.is_zero() for value in found] == [False, False, False, True, False]


def rows_of_the_middle_are_rewritten_from_the_start(m):
    with series_precision(64, 8):
        (row,) = m.start_based([[arb(1), arb(2), arb(4)]], [arb(1, 2.0**-50)], fmpq(1, 2))
        assert row[0].rad() > 0
        assert [float(value) for value in row[1:]] == [0.0, 4.0]


PROPOSING = facts_above(globals())
test_polynomials, test_bugs_in_the_proposal = asked_of(proposal, PROPOSING)


# ---------------------------------------------------------------------------------------------------------------------
# Steps


def short_dyadic_numbers_are_just_below(m):
    for value in (1.0, 0.3, 1e-300, 7e20, 0.99999, 1.0000001):
        short = m._dyadic(value)
        numerator, denominator = int(short.p), int(short.q)
        assert denominator & (denominator - 1) == 0
        while numerator % 2 == 0:
            numerator //= 2
        assert numerator < 16
        assert 0.87 * value < float(fraction(short)) <= value
    for value in (0.0, np.inf, np.nan):
        with pytest.raises(OverflowError):
            m._dyadic(value)


def perron_vectors_are_those_of_the_largest_eigenvalue(m):
    for matrix, vector in (([[0, 4], [1, 0]], [1, 0.5]), ([[-1, 0, 0], [1, -1, 0], [9, 9, 2]], [0, 0, 1])):
        assert np.allclose(m._perron(np.array(matrix, dtype=float)), vector, atol=1e-6)


def steps_tile_the_time_and_clocks_are_exact(m):
    for horizon in (fmpq(1, 3), fmpq(10)):
        found = m.enclose_at(LOGISTIC, horizon, m.LADDER[0])
        assert found.times[0] == 0
        assert found.times[-1] == found.horizon == horizon
        assert found.joins()
        names = [name for name in LOGISTIC.moving for _ in getattr(LOGISTIC, name).flat]
        clock = names.index("tau")
        for begin, step in zip(found.times, found.steps, strict=False):
            assert step.weights[clock].is_zero()
            assert step.polynomials[clock] == [arb(begin), arb(1)] or not arb(begin).is_exact()


def the_ladder_is_climbed_as_far_as_allowed(m):
    for most, bits in ((64, [64]), (127, [64]), (128, [64, 128]), (256, [64, 128, 192])):
        assert [one.bits for one in m.enclosures(LOGISTIC, fmpq(1, 8), most_bits=most)] == bits
    with pytest.raises(m.EnclosureError, match="the lowest takes 64"):
        list(m.enclosures(LOGISTIC, fmpq(1, 8), most_bits=63))
    assert m.enclose(LOGISTIC, fmpq(1, 8), radius=fmpq(1, 10**20)).bits == 128
    with pytest.raises(m.EnclosureError, match="comes within"):
        m.enclose(LOGISTIC, fmpq(1, 8), radius=fmpq(1, 10**90))
    with pytest.raises(m.EnclosureError, match="3 steps reached only"):
        list(m.enclosures(LOGISTIC, fmpq(8), most_steps=3, most_bits=64))


def a_rung_that_fails_is_passed_over(m):
    enclose_at = m.enclose_at

    def failing(system, horizon, rung, most_steps=2000):
        if rung.bits == 64:
            raise m.EnclosureError("too few bits")
        return enclose_at(system, horizon, rung, most_steps)

    m.enclose_at = failing
    assert [one.bits for one in m.enclosures(LOGISTIC, fmpq(1, 8), most_bits=128)] == [128]
    with pytest.raises(m.EnclosureError, match="too few bits"):
        list(m.enclosures(LOGISTIC, fmpq(1, 8), most_bits=64))


def limits_are_kept_and_bad_input_is_refused(m):
    with pytest.raises(m.EnclosureError, match="time allowed"):
        m.enclose_at(LOGISTIC, fmpq(10), m.LADDER[0], seconds=-1.0)
    for horizon in (fmpq(0), fmpq(-1)):
        with pytest.raises(ValueError, match="must be positive"):
            m.enclose_at(LOGISTIC, horizon, m.LADDER[0])
    with pytest.raises(ValueError, match="at least 4"):
        m.enclose_at(LOGISTIC, fmpq(1), m.Rung(64, 3, 1e-3), 1)
    with pytest.raises(m.EnclosureError, match="beyond it"):
        m.enclose_at(LogisticFlow.instance(u=["1e400", 0]), fmpq(1), m.LADDER[0])


MOST = {
    "scores": (LOGISTIC, 3, 0, 7, 1e-9),
    "scores, more bits": (LOGISTIC, 2, 1, 7, 1e-25),
    "tokens": (SelfAttentionFlow.instance(x=[[1, 0], [0, 1], ["-1/2", "-1/2"]]), 1, 0, 6, 1e-12),
    "rescaled": (RescaledFlow.instance(z=[[2, 0], [0, 1], ["-1/2", "-1/2"]]), 2, 0, 22, 1e-12),
}
"""Flows, times, rungs: at most so many steps, and so wide an enclosure. Half as much again as is needed."""


def few_steps_reach_far_and_stay_narrow(m):
    for flow, horizon, rung, most, radius in MOST.values():
        found = m.enclose_at(flow, fmpq(horizon), m.LADDER[rung])
        assert len(found.steps) <= most
        assert found.radius < radius


STEPPING = facts_above(globals(), but=PROPOSING)
test_steps, test_bugs_in_the_steps = asked_of(steps, STEPPING)


# ---------------------------------------------------------------------------------------------------------------------
# Files


def a_trajectory_is_cut_where_a_time_is_reached(m):
    whole = steps.enclose_at(LOGISTIC, fmpq(3), steps.LADDER[0])
    times = whole.times
    assert len(times) > 3
    for k in range(1, len(times)):
        between = (times[k - 1] + times[k]) / 2
        for time in (between, times[k]):
            part = m.up_to(whole, time)
            assert part.times == times[: k + 1]
            assert part.steps == whole.steps[:k]
    assert len(m.up_to(whole, fmpq(0)).steps) == 1
    for time in (fmpq(-1, 9), fmpq(4)):
        with pytest.raises(ValueError, match="outside"):
            m.up_to(whole, time)


def a_start_that_is_not_the_instance_is_not_written(m):
    third = LogisticFlow.instance(u=["1/3", 0])
    trajectory = steps.enclose_at(third, fmpq(1, 8), steps.LADDER[0])
    assert m.as_certificate(trajectory).steps[0].polynomials[0][0] == Fraction(1, 3)
    for power, turn in product((0, 3, 9, 18), (1, -1)):  # near misses on both sides
        off = Fraction(1, 3) + turn * Fraction(1, 4 * 10**power)
        with pytest.raises(ValueError, match="misses"):
            m.as_certificate(replace(trajectory, origin=LogisticFlow.instance(u=[str(off), 0])))


def a_clock_is_written_from_its_step(m):
    begun = m.as_certificate(steps.enclose_at(LOGISTIC, fmpq(1, 3), steps.LADDER[0]))
    clock = [name for name in LOGISTIC.moving for _ in getattr(LOGISTIC, name).flat].index("tau")
    assert len(begun.steps) > 1
    assert [step.polynomials[clock] for step in begun.steps] == [[time, 1] for time in begun.times[:-1]]


def what_is_read_is_what_was_written(m):
    trajectory = steps.enclose_at(LOGISTIC, fmpq(1, 3), steps.LADDER[1])
    written = m.as_certificate(trajectory)
    again = m.as_trajectory(written)
    assert (again.bits, again.order, again.times) == (trajectory.bits, trajectory.order, trajectory.times)
    for one, other in zip(again.steps, trajectory.steps, strict=True):
        for name in ("start", "error", "slope", "final", "weights", "length"):
            assert getattr(one, name) == getattr(other, name)
    assert m.as_certificate(again).steps == written.steps
    step = written.steps[0]
    # Each in one place, with the rest as it was written.
    for lie, told in (
        ({"times": [t + 1 for t in written.times]}, "run from 0"),
        ({"times": [*written.times[:-1], written.horizon + 1]}, r"length: must be"),
        ({"blocks": written.blocks[:-1]}, "blocks: must be"),
        ({"system": "NoFlow"}, "no flow is called"),
        ({"steps": [replace(step, weights=step.weights[:-1]), *written.steps[1:]]}, "weights: must be"),
        ({"steps": [replace(step, slope=Fraction(1, 3)), *written.steps[1:]]}, "slope: 1/3 is no dyadic"),
        ({"steps": [replace(step, weights=[Fraction(1, 3)] * len(step.weights)), *written.steps[1:]]}, "dyadic numbers"),
    ):
        with pytest.raises(files.CertificateError, match=told):
            m.as_trajectory(replace(written, **lie))


def what_is_read_rounds_starts_alone(m):
    """A third in place of each number of the first steps: at the start, and of a clock, it may have been rounded."""
    written = m.as_certificate(steps.enclose_at(LOGISTIC, fmpq(1, 3), steps.LADDER[0]))
    for k, step in enumerate(written.steps[:2]):
        for i, row in enumerate(step.polynomials):
            (weight,) = (w for w, block in zip(step.weights, written.blocks, strict=True) if i in block)
            for c in range(min(len(row), 3)):
                third = [*row[:c], Fraction(1, 3), *row[c + 1 :]]
                rows = [*step.polynomials[:i], third, *step.polynomials[i + 1 :]]
                lie = replace(written, steps=[*written.steps[:k], replace(step, polynomials=rows), *written.steps[k + 1 :]])
                # All other numbers are exact in the file: a third cannot be one of them.
                is_start = c == 0 and (k == 0 or weight == 0)
                with nullcontext() if is_start else pytest.raises(files.CertificateError, match="no dyadic"):
                    m.as_trajectory(lie)


test_files, test_bugs_in_files = asked_of(files, facts_above(globals(), but=(*PROPOSING, *STEPPING)))
