"""Bounds beside the exact values, where these are known: below them is unsound, much farther above than today is loose."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import arb, fmpq

from dynamics.enclosures.steps import LADDER, enclose_at
from dynamics.limits.margins import gap_constant, integral_bound, root
from dynamics.orbits.drifting_tails import largest as largest_term
from dynamics.tokens.self_attention import SelfAttentionFlow
from dynamics.training.value_softmax import LogisticFlow
from dynamics.trusted import taylor
from dynamics.trusted.trajectory import flat, state_at
from tests.trusted.truth import precision

MARGIN = 2
"""A bound may become so many times as loose as it is recorded to be."""

ROOT_OF_FIVE = math.sqrt(5)
GOLDEN = (1 + ROOT_OF_FIVE) / 2
ONE = [arb(1)]


def matrix(*rows):
    return [[arb(fmpq(Fraction(x).numerator, Fraction(x).denominator)) for x in row] for row in rows]


def growth(state):
    """x' = x."""
    return [state[0]]


def square(state):
    """x' = x^2."""
    return [state[0] * state[0]]


def taylor_rows(degree):
    """Of e^t."""
    return [[arb(fmpq(1, math.factorial(k))) for k in range(degree + 1)]]


def defect(field, rows, h):
    return taylor.defect(field, rows, h, len(rows[0]) + 4)[0]


def certified(field, rows, h, parts=1, error=0):
    return taylor.certify_step(field, rows, h, 12, ONE, arb(error), arb(1), [range(1)], parts)


def by_remainder(h):
    box = [arb(fmpq(15, 16)).union(arb(fmpq(5, 4)))]
    return taylor.certify_step_by_remainder(growth, ONE, h, 6, box, ONE, [range(1)])


def missed(rows, h):
    return abs(arb(h).exp() - taylor.evaluate(rows[0], arb(h)))


def lost(step, h, truth):
    """The radius of the state at the end of a step, which holds the truth."""
    (value,) = state_at(step, h)
    assert value.contains(truth)
    return value.rad()


def sup_of_gap(n):
    """The largest that the best of n scores is above their softmax mean: one score s above n - 1 others, s = omega + 1."""
    return max((n - 1) * s / (n - 1 + math.exp(s)) for s in (k / 4096 for k in range(1, 4096 * 12)))


def worst_term(m, r, keep):
    return max(Fraction(k) ** m * Fraction(keep) ** (r * k) for k in range(1, 400))


QUARTER, TENTH = fmpq(1, 4), fmpq(1, 10)

BOUNDS = {
    # name: the bound, the exact value, and how many times it the bound is
    "a Euclidean norm": (lambda: taylor.euclidean(matrix([3, 4])[0]), lambda: 5, 1),
    "a Euclidean norm of balls": (lambda: taylor.euclidean([arb(0, 3), arb(0, 4)]), lambda: 5, 1),
    "the largest": (lambda: taylor.largest_size(matrix([1, 3, 2])[0]), lambda: 3, 1),
    "a symmetric norm of two": (lambda: taylor.symmetric_norm(matrix([2, 1], [1, 2])), lambda: 3, 1),
    "a symmetric norm of a triangle": (lambda: taylor.symmetric_norm(matrix([0, 2], [0, 0])), lambda: 1, 1),
    "a symmetric norm of rank one": (lambda: taylor.symmetric_norm(matrix([1, 1, 1], [1, 1, 1], [1, 1, 1])), lambda: 3, 1),
    "a symmetric norm of three": (
        lambda: taylor.symmetric_norm(matrix([0, 1, 0], [1, 0, 1], [0, 1, 0])), lambda: math.sqrt(2), 1.16
    ),
    "a negative symmetric norm": (lambda: -1 / taylor.symmetric_norm(matrix([-2, 1], [1, -2])), lambda: 1, 1),
    "an operator norm of a row": (lambda: taylor.operator_norm(matrix([3, 4], [0, 0])), lambda: 5, 1),
    "an operator norm of a shear": (lambda: taylor.operator_norm(matrix([1, 1], [0, 1])), lambda: GOLDEN, 1.08),
    "an operator norm of the identity": (lambda: taylor.operator_norm(matrix([1, 0], [0, 1])), lambda: 1, 1),
    "a logarithmic norm of two blocks": (
        lambda: taylor.logarithmic_norm(matrix([1, 2], [0, 1]), [arb(2), arb(1)], [range(1), range(1, 2)]), lambda: 2, 1
    ),
    "a logarithmic norm of one block": (
        lambda: taylor.logarithmic_norm(matrix([0, 1], [1, 0]), [arb(1), arb(1)], [range(2)]), lambda: 1, 1
    ),
    "the defect of a Taylor polynomial": (
        lambda: defect(growth, taylor_rows(5), QUARTER), lambda: 0.25**5 / math.factorial(5), 1.01
    ),
    "the defect of a long step": (lambda: defect(growth, taylor_rows(8), fmpq(2)), lambda: 2**8 / math.factorial(8), 1.01),
    "the defect under a square": (lambda: defect(square, [[arb(1), arb(1)]], QUARTER), lambda: 1.25**2 - 1, 1.01),
    "an error at the end of a step": (
        lambda: certified(growth, taylor_rows(5), QUARTER, 8).final, lambda: missed(taylor_rows(5), QUARTER), 6.7
    ),
    "an error that is carried": (
        lambda: certified(growth, taylor_rows(11), QUARTER, 1, fmpq(1, 1024)).final,
        lambda: math.exp(0.25) / 1024, 1.01
    ),
    "a step by the remainder": (
        lambda: lost(by_remainder(TENTH), TENTH, arb(TENTH).exp()),
        lambda: missed(by_remainder(TENTH).polynomials, TENTH), 2.0
    ),
    "the gap of two scores": (lambda: gap_constant(2), lambda: sup_of_gap(2), 1.001),
    "the gap of five scores": (lambda: gap_constant(5), lambda: sup_of_gap(5), 1.001),
    "the gap of fifty scores": (lambda: gap_constant(50), lambda: sup_of_gap(50), 1.001),
    "an exponential integral at 1/8": (lambda: integral_bound(arb(1) / 8), lambda: -(arb(-1) / 8).ei(), 1.2),
    "an exponential integral at 1": (lambda: integral_bound(arb(1)), lambda: -arb(-1).ei(), 1.17),
    "an exponential integral at 8": (lambda: integral_bound(arb(8)), lambda: -arb(-8).ei(), 1.06),
    "a root of a ball across zero": (lambda: root(arb(1, 3)), lambda: 2, 1),
    "k / 2^k": (lambda: arb(largest_term(1, 1, fmpq(1, 2))), lambda: float(worst_term(1, 1, "1/2")), 1),
    "k^2 (9/10)^k": (lambda: arb(largest_term(2, 1, fmpq(9, 10))), lambda: float(worst_term(2, 1, "9/10")), 1),
    "k^2 (1/4)^2k": (lambda: arb(largest_term(2, 2, fmpq(1, 4))), lambda: float(worst_term(2, 2, "1/4")), 1),
}  # fmt: skip


@pytest.mark.parametrize("name", BOUNDS)
def test_a_bound_is_above_the_exact_value_and_not_far(name):
    bound, exact, looseness = BOUNDS[name]
    with precision(128):
        found, truth = arb(bound()).upper(), arb(exact())
        # The exact value is a float in some rows: its own rounding is not held against the bound.
        assert found >= truth * (1 - fmpq(1, 10**6)), f"unsound: {found} for {truth}"
        assert found <= truth * fmpq(int(1000 * (1 + MARGIN * (looseness - 1) + 1e-2)), 1000), (
            f"loose: {found / truth} times"
        )


FLOWS = {
    "two scores": (LogisticFlow.instance(u=[1, 0]), 1.1e-15),
    "two tokens": (SelfAttentionFlow.instance(x=[[1, 0], ["1/3", "-1/2"]]), 1.7e-15),
}


@pytest.mark.parametrize("name", FLOWS)
def test_a_trajectory_is_no_wider_than_recorded(name):
    start, recorded = FLOWS[name]
    found, finer = (enclose_at(start, fmpq(1), rung) for rung in LADDER[:2])
    assert found.radius <= MARGIN * recorded
    # A ball that is narrow but elsewhere would pass the first question.
    for wide, narrow in zip(flat_at(found), flat_at(finer), strict=True):
        assert wide.contains(narrow)


def flat_at(trajectory):
    end = trajectory.end()
    return flat(tuple(getattr(end, name) for name in end.moving))
