"""The independent checker of trajectories, limits and probabilities: right where the first is, and not fooled by bugs."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from mpmath import iv, mp

from claims.checker import paths as checker_paths
from dynamics.arithmetic import fraction
from dynamics.checker import flint_stand_in, integrator
from dynamics.checker.flows import Statement
from dynamics.checker.integrator import LADDER, CannotDecideError, Rung, enclosures, states_at
from dynamics.checker.intervals import interval, interval_precision
from dynamics.enclosures.escapes import escape_probability
from dynamics.enclosures.steps import LADDER as FIRST_LADDER
from dynamics.enclosures.steps import enclose_at
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.training.value_softmax import FullLogisticFlow, FullSquareFlow, LogisticFlow, SquareLossFlow
from dynamics.trusted.trajectory import flat
from tests.checker.worlds import holds
from tests.placed import ends_of

FLOWS = [
    LogisticFlow.instance(u=[2, "1/3"], a=["1/2", 0]),
    SquareLossFlow.instance(u=["1/2", "1/3"], K=2),
    FullLogisticFlow.instance(V=[[1, 0], ["1/3", -1]], a=[0, "1/7"], beta_star=[1, 1]),
    FullSquareFlow.instance(V=[[1, 0]], a=[0, "1/7"], beta_star=[2]),
    SelfAttentionFlow.instance(x=[[1, 0], ["1/3", "-1/2"]], V=[[0, 1], [-1, 0]]),
    RescaledFlow.instance(z=[[1, 0], ["1/3", "-1/2"]], B=[[1, "1/2"], [0, 1]], V=[[1, 1], [0, "1/2"]], t="1/3"),
]


@pytest.mark.parametrize("flow", FLOWS, ids=[type(flow).__name__ for flow in FLOWS])
def test_enclosures_are_narrow_and_agree_with_the_first_integrator(flow):
    time = fmpq(1, 2)
    (found,) = states_at(flow, [fraction(time)], LADDER[0])
    trajectory = enclose_at(flow, time, FIRST_LADDER[0])
    assert trajectory.radius < arb(10) ** -9
    for value, ball in zip(found, flat([getattr(trajectory.at(time), name) for name in flow.moving]), strict=True):
        holds(value, tuple(map(fraction, ends_of(arb(ball)))), Fraction(1, 10**6))


def test_enclosures_contain_a_closed_form_to_60_digits():
    """One score: u = u(0) + K tau, t = tau + e^{u(0)} (e^{K tau} - 1) / K."""
    flow = LogisticFlow.instance(u=["1/3"], K="3/2")
    states = states_at(flow, [Fraction(1, 3), Fraction(2)], LADDER[2])
    with mp.workprec(300), interval_precision(300):
        for state, tau in zip(states, (Fraction(1, 3), Fraction(2)), strict=True):
            clock = mp.mpf(tau.numerator) / tau.denominator
            time = clock + mp.exp(mp.mpf(1) / 3) * (mp.exp(3 * clock / 2) - 1) / mp.mpf("1.5")
            assert time in state[2]
            assert mp.mpf(1) / 3 + 3 * clock / 2 in state[0]
            # An interval that holds everything would contain it, too.
            assert state[2].delta < mp.mpf(10) ** -30


COARSE = Rung(60, 6, 12)


def test_a_pole_or_too_many_steps_cannot_be_decided():
    square = Statement([Fraction(1)], [range(1)], {}, lambda state: [state[0] * state[0]])
    with pytest.raises(CannotDecideError):
        enclosures(square, [Fraction(2)], COARSE, most_steps=60)
    with pytest.raises(CannotDecideError, match="3 steps reached"):
        enclosures(square, [Fraction(15, 16)], LADDER[0], most_steps=3)
    with pytest.raises(ValueError, match="positive and grow"):
        enclosures(square, [Fraction(1, 2), Fraction(1, 4)], COARSE)


# ---------------------------------------------------------------------------------------------------------------------
# Fields that choose


def middle(number: Any) -> Any:
    return number[0].mid()


def softmax_of(state: Any) -> Any:
    """What is right whichever is the shift."""
    # A choice by middles, which cancels.
    shift = max(state, key=middle)
    grown = [(value - shift).exp() for value in state]
    return [value / sum(grown[1:], grown[0]) for value in grown]


def chooser(choice: Callable[[Any], Any]) -> Any:
    """x_0' = one of the numbers, the others at rest."""
    return lambda state: [choice(state), *(0 * value for value in state[1:])]


CHOICES = {
    "the larger of x_0 and x_7": lambda x: max(x[0], x[7], key=middle),
    "the larger of x_6 and x_7": lambda x: max(x[6], x[7], key=middle),
    "the smaller of x_3 and x_7": lambda x: min(x[3], x[7], key=middle),
    "the largest of all": lambda x: max(x, key=middle),
    "the smallest of all": lambda x: min(x, key=middle),
    "the one in the middle": lambda x: sorted(x[2:7], key=middle)[2],
    "x_5 beyond a constant": lambda x: x[5] if middle(x[5]) > 3 else x[6],
    "x_5 below a constant": lambda x: x[5] if middle(x[5]) < -3 else x[6],
    "an absolute value": lambda x: x[1] if middle(x[1]) > 0 else -x[1],
    "the larger of two products": lambda x: max(x[0] * x[1], x[6] * x[7], key=middle),
    "a middle in the place of a number": lambda x: x[0] * middle(x[4]),
    "a step": lambda x: 1 + 0 * x[0] if middle(x[2] - x[7]) > 0 else 0 * x[0],
}


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
def test_a_field_that_chooses_is_no_one_formula(choice):
    rng = random.Random(1)
    for turn in (0, 3):
        numbers = [Fraction(rng.randint(-40, 40), 16) for _ in range(8)]
        # In no order, in order, and all alike: some choices look innocent at one of them.
        for point in (numbers, sorted(numbers), [Fraction(1, 2)] * 8):
            with interval_precision(64), pytest.raises(TypeError, match="depends on a choice"):
                integrator.refuse_choices(chooser(choice), [interval(value) for value in point], turn)


def test_a_choice_that_changes_nothing_is_allowed():
    for point in ([1, 2, 3, 1, 1, 5, 5, 0], [0] * 8):
        with interval_precision(64):
            integrator.refuse_choices(softmax_of, [interval(value) for value in point])
            assert integrator.recorded(softmax_of, [interval(value) for value in point], integrator.Own).looked


@pytest.mark.parametrize(
    "look",
    [
        lambda x: x[0] if x[0][0] < x[1][0] else x[1],
        lambda x: x[0] if x[0][0] > 0 else x[1],
        lambda x: x[0] if x[0][0] == 0 else x[1],
        lambda x: x[0] if x[0][0] else x[1],
        lambda x: x[0] * abs(x[0][0]),
        lambda x: x[0] * x[1][0],
        lambda x: x[0] * flint_stand_in.arb(x[1][0]),
        lambda x: flint_stand_in.arb(2) * x[1][0] * x[0],
        lambda x: x[0] if x[1][0] > 0 else x[1],
        lambda x: x[0] if flint_stand_in.arb(0) < x[1][0] else x[1],
        lambda x: x[0] if flint_stand_in.arb(0).overlaps(x[1][0]) else x[1],
        lambda x: x[0] if x[1][0].is_finite() else x[1],
        lambda x: x[0] * str(x[1][0]).count("1"),
        lambda x: x[0] if x[0] == x[1] else x[1],
        lambda x: x[0] if x[1] else x[2],
        lambda x: x[0] if flint_stand_in.arb(0, 1) > 0 else x[1],
        lambda x: x[0] if (flint_stand_in.arb(0, 1) - 1).exp() == 1 else x[1],
        lambda x: max(x[1], x[0]),
        lambda x: abs(x[0]),
        lambda x: x[0].max(x[1]),
        lambda x: x[0] * float(x[1][0]),
        lambda x: np.max(np.array(x, dtype=object)),
    ],
)
def test_a_field_cannot_look_at_its_numbers(look):
    with interval_precision(64), pytest.raises((TypeError, AttributeError)):
        integrator.recorded(chooser(look), [interval(value) for value in (1, 2, 3)], integrator.Own)


# ---------------------------------------------------------------------------------------------------------------------
# Chains


def chain(**changes: Any) -> AttentionChain:
    given = {
        "v": [[1, 0], [0, 1]],
        "x": [[1, "1/8"], ["7/8", 0], [0, 1]],
        "group": [0, 0, 1],
        "beta": 3,
        "gamma": "1/2",
        "eps": "1/4",
        "steps": 3,
    }
    return AttentionChain.instance(**(given | changes))


@pytest.mark.parametrize("movers", [1, 3])
def test_escapes_are_as_likely_as_the_first_enumeration_finds(movers):
    first = escape_probability(chain(), arb(10) ** -6)
    with interval_precision(128):
        escaped, dropped = checker_paths.escapes(chain(), iv.mpf(10) ** -6, movers)
        # What was dropped may escape or not.
        both = iv.mpf([escaped.a, (escaped + dropped).b])
    assert both.a > 0
    low, high = (fraction(end) for end in (ends_of(first.escaped)[0], ends_of(first.escaped + first.cut)[1]))
    holds(both, (low, high), Fraction(1, 1000) if movers == 3 else None)
