"""Near hardmax: strict inequalities that float64 loses, and that mpmath and balls decide and agree on.

The weights 1 - P_ii and P_ij are as small as e^-gap, with the gap of the scores in the thousands and more. Each test
asserts first that float64 loses the inequality. A weight near 1 needs as many bits as the gap asks for, gap log2(e) and
some to spare; a small weight needs no more than the digits of the gap itself.
"""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from flint import arb

from dynamics.arithmetic import FLOAT64, MULTIPRECISION, indicator, sign, working_precision
from dynamics.enclosures.escapes import escape_probability, simulate_escapes
from dynamics.tokens.attention_chain import AttentionChain, SoftmaxStep
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.training.value_softmax import LogisticFlow

AGREEING_DIGITS = 30
SPARE = 64  # bits beyond the gap for a strict sign
TO_COMPARE = SPARE + 64  # and for thirty digits of what is left after cancellation


def bits(gap, spare=SPARE):
    """The precision at which 1 - e^-gap differs from 1, and then some."""
    return math.ceil(gap * math.log2(math.e)) + spare


def exactly(number):
    """The number that an mpmath number is, as a ball of width zero; a rational of 10^12 binary places would not fit."""
    negative, man, exponent, _ = number._mpf_
    return arb((-int(man) if negative else int(man), int(exponent)))


def agree(number, ball, digits=AGREEING_DIGITS):
    """Whether the mpmath number and the ball are the same to that many digits of the number itself."""
    ball = arb(ball)
    with working_precision(400):
        tolerance = arb(10) ** -digits
        ratio = exactly(number) / ball
        return ratio.is_finite() and abs(ratio - 1) < tolerance


def both(instance, quantity, precision):
    """The quantity of the instance in mpmath and in balls at a precision."""
    with working_precision(precision):
        return quantity(instance.to(MULTIPRECISION)), quantity(instance)


def lost_and_found(instance, quantity, gap):
    """The quantity is zero in float64 and positive in mpmath and balls, which agree on it."""
    assert float(quantity(instance.to(FLOAT64))) == 0.0
    number, ball = both(instance, quantity, bits(gap))
    assert sign(number) == 1
    assert sign(ball) == 1
    number, ball = both(instance, quantity, bits(gap, TO_COMPARE))
    assert agree(number, ball)
    return ball


# ---------------------------------------------------------------------------------------------------------------------
# The softmax step and the chain at inverse temperature 10^6

BETA = 10**6
CLOSE = [[1, 0], ["99/100", "1/10"]]  # |x_0|^2 - <x_0, x_1> = 1/100: a gap of 10^4 for token 0, 100 for token 1
GAP = 10**4


def cold_step():
    return SoftmaxStep.instance(x=CLOSE, beta=BETA)


def cold_chain(**changes):
    values = {"v": CLOSE, "x": CLOSE, "group": [0, 1], "beta": BETA, "gamma": "1/2", "eps": "1/100", "steps": 2}
    return AttentionChain.instance(**values | changes)


@pytest.mark.parametrize("make", [cold_step, cold_chain])
def test_a_weight_that_float64_calls_zero_is_positive(make):
    weight = lost_and_found(make(), lambda system: system.attention()[0, 1], GAP)
    with working_precision(400):
        assert agree(mpmath.exp(-GAP) / (1 + mpmath.exp(-GAP)), weight)


@pytest.mark.parametrize("make", [cold_step, cold_chain])
def test_a_weight_that_float64_calls_one_is_less(make):
    rest = lost_and_found(make(), lambda system: 1 - system.attention()[0, 0], GAP)
    with working_precision(400):
        assert agree(mpmath.exp(-GAP) / (1 + mpmath.exp(-GAP)), rest)


@pytest.mark.parametrize("make", [cold_step, cold_chain])
def test_with_fewer_bits_than_the_gap_a_ball_does_not_tell_and_mpmath_loses_the_weight(make):
    number, ball = both(make(), lambda system: 1 - system.attention()[0, 0], GAP)
    assert number == 0
    assert sign(ball) is None
    assert arb(ball).contains(arb(-GAP).exp())


def test_a_token_that_stands_still_in_float64_moves():
    """<x_0(1) - x_0, x_1 - x_0> = gamma P_01 |x_1 - x_0|^2 > 0, but smaller than the last bit of x_0."""

    def advance(step):
        edge = step.x[1] - step.x[0]
        return ((step.step().x[0] - step.x[0]) @ edge).item()

    lost_and_found(cold_step(), advance, GAP)


def test_a_weight_of_gap_ten_to_the_twelve_needs_the_bits_of_the_gap_only():
    instance = SoftmaxStep.instance(x=[[1, 0], [0, 1]], beta=10**12)
    assert instance.to(FLOAT64).attention()[0, 1] == 0.0
    number, ball = both(instance, lambda system: system.attention()[0, 1], 200)
    assert sign(number) == sign(ball) == 1
    assert agree(number, ball)
    with working_precision(200):
        assert agree(mpmath.exp(-(10**12)), ball)


def test_an_escape_that_no_simulation_meets_has_a_positive_chance():
    """A token leaves its tube when it picks the other one: with the chance 1 - (1 - P_01)(1 - P_10)."""
    chain = cold_chain(x=[[1, 0], ["99/100", "1/5"]], v=[[1, 0], ["99/100", "1/5"]])  # gaps 10^4 and 30100
    assert simulate_escapes(chain, 1000, np.random.default_rng(0)) == (0, 0)
    assert chain.to(FLOAT64).attention()[0, 1] == 0.0
    with working_precision(256):
        found = escape_probability(chain, arb(0))
        a, b = (arb(chain.attention()[i, 1 - i]) for i in (0, 1))
        assert found.cut == 0
        assert sign(found.escaped) == 1
        assert found.escaped < arb(-9999).exp()
        assert abs(found.escaped / (a + b - a * b) - 1) < arb(10) ** -AGREEING_DIGITS
        numbers = chain.to(MULTIPRECISION).attention()
        assert agree(numbers[0, 1] + numbers[1, 0] - numbers[0, 1] * numbers[1, 0], found.escaped)


def test_what_is_cut_of_a_tiny_chance_is_in_the_width():
    chain = cold_chain(x=[[1, 0], ["99/100", "1/5"]], v=[[1, 0], ["99/100", "1/5"]])
    with working_precision(256):
        full, cut = escape_probability(chain, arb(0)), escape_probability(chain, arb(10) ** -100)
        assert cut.escaped == 0
        assert full.escaped < cut.cut * (1 + arb(10) ** -AGREEING_DIGITS)
        assert sign(cut.cut) == 1


# ---------------------------------------------------------------------------------------------------------------------
# The rescaled flow at e^{2t} = 1.4e12

TIME = 14
INVERSE_TEMPERATURE = math.exp(2 * TIME)
# As near as may be: float64 still calls e^-1346 zero, and the bits that mpmath has to compute grow with the gap.
NEAR = [[1, 0], [1 - 2.0**-30, 2.0**-20], [1 - 2.0**-29, 0]]


def late(z=NEAR, **changes):
    return RescaledFlow.instance(z=z, t=TIME, **changes)


LATE_GAP = INVERSE_TEMPERATURE * 2.0**-29  # the largest gap of token 0: 2694


def test_late_weights_that_float64_calls_zero_are_positive():
    for j in (1, 2):
        lost_and_found(late(), lambda flow, j=j: flow.attention()[0, j], LATE_GAP)


def test_late_weights_that_float64_calls_one_are_less():
    lost_and_found(late(), lambda flow: 1 - flow.attention()[0, 0], LATE_GAP)


def test_late_weights_of_gap_ten_to_the_twelve_are_positive():
    instance = late([[1, 0], [0, 1]])
    assert instance.to(FLOAT64).attention()[0, 1] == 0.0
    number, ball = both(instance, lambda flow: flow.attention()[0, 1], 200)
    assert sign(number) == sign(ball) == 1
    assert agree(number, ball)
    with working_precision(200):
        assert agree(mpmath.exp(-mpmath.exp(2 * TIME)), ball)


def test_the_outermost_token_still_moves_inward():
    """The rate of <-e_1, z_0>, positive where z_0 has the largest first coordinate."""

    def inward(flow):
        return flow.rates(indicator(np.array([[True, False]]), flow.z) * -1)[0, 0]

    lost_and_found(late(), inward, LATE_GAP)
    # Nothing cancels in this sum: few bits tell the sign, and thirty digits.
    number, ball = both(late(), inward, 200)
    assert sign(number) == sign(ball) == 1
    assert agree(number, ball)


def test_a_general_value_matrix_is_decided_too():
    V = [[1, "1/10"], ["-1/10", 1]]
    instance = RescaledFlow.instance(z=[[1, 0], ["1/2", "1/3"]], V=V, t=TIME)
    assert 0.0 in instance.to(FLOAT64).attention()[0].tolist()
    small = int(np.argmin(instance.to(FLOAT64).attention()[0]))
    number, ball = both(instance, lambda flow: flow.attention()[0, small], 300)
    assert sign(number) == sign(ball) == 1
    assert agree(number, ball)


# ---------------------------------------------------------------------------------------------------------------------
# Large tokens, and large scores


@pytest.mark.parametrize("size", [100, 1000])
def test_distances_between_large_tokens_still_grow(size):
    """<x_0' - x_1', x_0 - x_1> = (P_00 - P_10)(x_0 - x_1)^2: both tokens see the larger one only, but not quite equally."""
    instance = SelfAttentionFlow.instance(x=[[size], [size + 1]])

    def separation(flow):
        velocity = flow.velocity()[0]
        return ((velocity[0] - velocity[1]) @ (flow.x[0] - flow.x[1])).item()

    rate = lost_and_found(instance, separation, size + 1)
    with working_precision(bits(size, 200)):
        low, high = (1 / (1 + mpmath.exp(gap)) for gap in (size + 1, size))
        assert agree(high - low, rate)


def test_the_winning_score_of_a_trained_model_is_not_everything():
    instance = LogisticFlow.instance(u=[2, 1, 0], a=[1000, 0, -10])
    missing = lost_and_found(instance, lambda flow: 1 - flow.s[0], 1000)
    with working_precision(400):
        others = mpmath.exp(-1000) + mpmath.exp(-1010)
        assert agree(others / (1 + others), missing)
    lost_and_found(instance, lambda flow: flow.u[0] - flow.m.item(), 1000)
