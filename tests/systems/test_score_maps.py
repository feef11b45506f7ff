"""Maps of scores and KL losses: derivatives and antiderivatives by series, gradients by central differences of the loss."""

from __future__ import annotations

from contextlib import suppress

import mpmath
import numpy as np
import pytest
from flint import arb, arb_series, fmpq

from claims.stating.catalogue import catalogue
from claims.stating.statement import Form
from claims.stating.verdict import Outcome
from claims.verifying.deciding import check
from dynamics.arithmetic import FLOAT64, MULTIPRECISION, exact, fraction, numbers, working_precision
from dynamics.integrate import integrate
from dynamics.limits.traps import NotTrappedError
from dynamics.training.kl_loss import FullValuesKLFlow, LogitsKLFlow, ValuesKLFlow
from dynamics.training.score_maps import (
    MAPS,
    MINUS_DECAY,
    ONE_PLUS_CUBE,
    AnyMapFlow,
    CubeMapFlow,
    ElementwiseExponentialFlow,
    ElementwiseReluFlow,
    ElementwiseSigmoidFlow,
    EluFlow,
    FullMapFlow,
    IdentityMapFlow,
    MinusDecayFlow,
    NormalisedSigmoidFlow,
    OnePlusCubeFlow,
    OnePlusExponentialFlow,
    OnePlusSigmoidFlow,
    SquareMapFlow,
    ThreeHalvesMapFlow,
)
from dynamics.training.value_softmax import FullLogisticFlow, FullSquareFlow
from tests.planting import LONG
from tests.systems.test_value_softmax import logistic_loss, square_loss

ALL_MAPS = (*MAPS, MINUS_DECAY, ONE_PLUS_CUBE)
maps = pytest.mark.parametrize("score_map", ALL_MAPS, ids=[score_map.formula for score_map in ALL_MAPS])

# All positive, and none a zero or pole of any map: those are tried where they are meant.
SCORES = ["1/3", "5/4", 2, "1/7"]
VALUES = [1, "-2/5", "3/7", 2]
NAMED = (
    SquareMapFlow,
    CubeMapFlow,
    ThreeHalvesMapFlow,
    NormalisedSigmoidFlow,
    OnePlusExponentialFlow,
    OnePlusSigmoidFlow,
    OnePlusCubeFlow,
    MinusDecayFlow,
    IdentityMapFlow,
    ElementwiseSigmoidFlow,
    ElementwiseReluFlow,
    ElementwiseExponentialFlow,
)
FLOWS = [kind.instance(u=VALUES, a=SCORES, K="5/7") for kind in NAMED]
FLOWS += [AnyMapFlow.instance(u=VALUES, a=SCORES, K="5/7", map=index) for index in range(len(MAPS))]
FLOWS += [
    EluFlow.instance(u=[1, "-2/5"], a=["1/3", "-1/2"], K="5/7"),
    ValuesKLFlow.instance(u=[1, 2, "3/7"], a=[0, 1, "1/2"]),
    LogitsKLFlow.instance(V=[[1, "1/2", 0], ["-1/3", 2, 1]], a=["1/3", "-1/2"], weights=[1, 2, "1/3"]),
    FullValuesKLFlow.instance(V=[[1, "1/2"], ["1/3", 2]], a=["1/3", "-1/2"], beta_star=[1, "1/3"]),
]


def slope_of(function, x):
    """The value and the derivative of a function of an array at the number x, by power series."""
    series = numbers(function(numbers(arb_series([arb(x), 1], 2)))).item()
    return (series[0], series[1]) if isinstance(series, arb_series) else (arb(series), arb(0))


@maps
@pytest.mark.parametrize("x", SCORES)
def test_slope_rise_and_dwell_are_derivative_difference_and_antiderivative(score_map, x):
    with working_precision(200):
        x = exact(x).item()
        # Not one of the scores: a difference of equal numbers would be 0 by any formula.
        y = numbers(fmpq(2, 5))
        value, slope = slope_of(score_map.value, x)
        point = numbers(x)
        assert abs(arb(score_map.slope(point).item()) - slope) < arb("1e-50")
        rise, rise_slope = slope_of(lambda z: score_map.rise(z, y), x)
        assert abs(rise - (value - arb(score_map.value(y).item()))) < arb("1e-50")
        assert abs(rise_slope - slope) < arb("1e-50")
        if score_map is not ONE_PLUS_CUBE or x != 0:
            _, dwell_slope = slope_of(lambda z: score_map.dwell(z, y), x)
            assert abs(dwell_slope * slope - 1) < arb("1e-50")
        for difference in (score_map.rise, score_map.dwell):
            assert difference(point, point).item() == 0


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: type(flow).__name__)
def test_velocities_agree_in_float64_mpmath_and_balls(flow):
    with working_precision(200):
        balls, others = flow.velocity(), flow.to(MULTIPRECISION).velocity()
    doubles = flow.to(FLOAT64).velocity()
    for ball, other, double in zip(balls, others, doubles, strict=True):
        assert np.shape(ball) == np.shape(other) == np.shape(double)
        for b, o, x in zip(np.ravel(ball), np.ravel(other), np.ravel(double), strict=True):
            assert isinstance(o, mpmath.mpf)
            assert float(o) == pytest.approx(float(arb(b).mid()), rel=1e-12, abs=1e-14)
            assert x == pytest.approx(float(o), rel=1e-9, abs=1e-12)


def test_scaled_fields_are_the_field_in_another_clock():
    identity = IdentityMapFlow.instance(u=VALUES, a=SCORES, K="5/7")
    factor = identity.F * identity.F
    assert (identity.scaled_du() - factor * identity.du_dtau() == 0).all()
    assert (identity.scaled_da() - factor * identity.da_dtau() == 0).all()
    assert identity.scaled_dF() - factor * identity.dF_dtau() == 0
    roots = ThreeHalvesMapFlow.instance(u=VALUES, a=SCORES, K="5/7")  # dx = 2 b db, f'(x) = (3/2) b, x = b^2
    # By hand, from the substitution.
    expected = 3 * roots.a / 2 * (roots.u - roots.m) / roots.F
    assert (2 * roots.a * roots.da_dtau() - expected == 0).all()
    exponential = ElementwiseExponentialFlow.instance(u=VALUES, a=SCORES, K="5/7")
    with working_precision(200):
        du, da, dtau = exponential.velocity()
        for scaled, field in ((du, exponential.du_dtau()), (da, exponential.da_dtau())):
            assert all(abs(arb(x)) < arb("1e-50") for x in (scaled - dtau * field).flat)


def logits_loss(flow, V, a):
    """-<p_*, log softmax(V^T s)>."""
    powers = [mpmath.exp(entry) for entry in a]
    s = [e / mpmath.fsum(powers) for e in powers]
    z = [mpmath.fsum(w * row[k] for w, row in zip(s, V, strict=True)) for k in range(len(V[0]))]
    total = mpmath.log(mpmath.fsum(mpmath.exp(entry) for entry in z))
    return -mpmath.fsum(w * (entry - total) for w, entry in zip(flow.target, z, strict=True))


def mapped_loss(flow, V, a):
    """log(1 + exp(-<beta_*, V s>)) with s = f(a) / F."""
    f = [flow.f.value(numbers(np.array([entry], dtype=object)))[0] for entry in a]
    s = [entry / mpmath.fsum(f) for entry in f]
    m = mpmath.fsum(b * w * v for b, row in zip(flow.beta_star, V, strict=True) for w, v in zip(s, row, strict=True))
    return mpmath.log(1 + mpmath.exp(-m))


def values_loss(beta_star, beta):
    """-<p_*, log beta> with p_* = beta_*^2."""
    return -mpmath.fsum(b * b * mpmath.log(x) for b, x in zip(beta_star, beta, strict=True))


def of_averages(loss):
    """A loss of V s with s = softmax(a)."""

    def at(flow, V, a):
        powers = [mpmath.exp(entry) for entry in a]
        total = mpmath.fsum(powers)
        return loss(flow.beta_star, [mpmath.fsum(v * e / total for v, e in zip(row, powers, strict=True)) for row in V])

    return at


MATRIX = [["1/3", "5/4", 2], ["2/7", "1/2", "3/5"]]
GRADIENTS = [
    (FullValuesKLFlow.instance(V=MATRIX, a=[0, "1/3", "-1/2"], beta_star=["3/5", "4/5"]), of_averages(values_loss)),
    (LogitsKLFlow.instance(V=MATRIX, a=["1/3", "-1/2"], weights=[1, 2, "1/3"]), logits_loss),
]
GRADIENTS += [
    (kind.instance(V=MATRIX, a=["1/3", "-5/4", 2], beta_star=[1, "-1/2"]), of_averages(loss))
    for kind, loss in ((FullLogisticFlow, logistic_loss), (FullSquareFlow, square_loss))
]
GRADIENTS += [
    (FullMapFlow.instance(V=MATRIX, a=["1/3", "5/4", 2], beta_star=[1, "-1/2"], map=index), mapped_loss)
    for index in range(len(MAPS))
]


@pytest.mark.parametrize(("flow", "loss"), GRADIENTS)
def test_velocity_is_minus_the_central_difference_of_the_loss(flow, loss):
    with working_precision(450):  # 135 digits: h^2 = 1e-64 is the error, 1e-135 / h the noise
        system, h = flow.to(MULTIPRECISION), mpmath.mpf(10) ** -32
        dV, da = system.velocity()
        V, a = system.V.tolist(), system.a.tolist()
        for array, slot, rate in [(V[i], j, dV[i, j]) for i in range(len(V)) for j in range(len(V[0]))] + [
            (a, j, da[j]) for j in range(len(a))
        ]:
            before = array[slot]
            # In place, one entry at a time: the loss is written for lists.
            array[slot] = before + h
            up = loss(system, V, a)
            array[slot] = before - h
            down = loss(system, V, a)
            array[slot] = before
            assert abs(rate + (up - down) / (2 * h)) < mpmath.mpf(10) ** -60
        assert max(abs(entry) for entry in da) > 1e-3  # the comparison is not of zeros


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="K = "):
        SquareMapFlow.instance(u=[1], a=[1], K=0)
    with pytest.raises(ValueError, match="maps 0 to 6"):
        AnyMapFlow.instance(u=[1], a=[1], map=7)
    with pytest.raises(ValueError, match="weights must be positive"):
        LogitsKLFlow.instance(V=[[1, 2]], a=[0], weights=[1, 0])


@pytest.mark.parametrize("K", ["1e-700", "1e-330", "1/7", 1, 2, 15, "50/3", 29130, "1e310", "1e330"])
def test_the_unit_of_time_is_near_the_inverse_root_of_the_squared_target(K):
    flow = CubeMapFlow.instance(u=[0], a=[1], K=K)
    assert abs(flow.time_unit() ** 2 * flow.K.item() - 1) < fmpq(1, 50)


FAST = [
    ("linear_map_leaves_simplex", IdentityMapFlow, [2, 0], [105, 1], 1),
    ("linear_map_leaves_simplex", IdentityMapFlow, [2, 0], [281, 281], 1),
    ("linear_map_leaves_simplex", IdentityMapFlow, [10, -9], ["1785/4", 228], 8),
    ("normalised_relu_becomes_one_hot", IdentityMapFlow, [36, 11, 8], ["2511/4", "921/2", 293], 7),
    ("three_halves_map_becomes_one_hot", ThreeHalvesMapFlow, [2, 0], [8, 8], 1),
]
"""Starts that meet what the claims assume, and turn so fast that evenly spaced times may miss what they look for."""


@pytest.mark.parametrize(("name", "kind", "u", "a", "K"), FAST)
def test_times_each_half_the_next_see_the_first_zero(name, kind, u, a, K):
    claim = catalogue()[f"polarization.{name}"]
    start = kind.instance(u=u, a=a, K=K)
    assert all(assumption.satisfies(start) for assumption in claim.assumptions)
    (conclusion,) = (c for c in claim.conclusions if c.form is Form.LIMIT)
    times = [float(fraction(time)) for time in conclusion.times(start)]
    # In floats: where zeros are looked for is what is tested, not how they are decided.
    slacks = []
    for state in integrate(start, sorted(times), 1e-8):
        with suppress(NotTrappedError):
            slacks.append(conclusion.slack(conclusion.trap(state), start.to(FLOAT64)))
    assert max(slacks) > 0


EXTREME = [
    ("cube_map_polarises", CubeMapFlow, ["1e160", 0], [1, 1], "1e310"),
    ("elementwise_relu_stays_dense", ElementwiseReluFlow, [2, 1], [1, 1], "1e330"),
    ("elementwise_sigmoid_stays_dense", ElementwiseSigmoidFlow, [2, 1], [0, 0], "1e330"),
    ("elu_polarises", EluFlow, ["1e400", 1], [0, 0], "1e-330"),
    *([("elementwise_exponential_polarises", ElementwiseExponentialFlow, [2, 1], [0, 0], "1e-330")] if LONG else []),
]


@pytest.mark.parametrize(("name", "kind", "u", "a", "K"), EXTREME)
def test_numbers_beyond_float64_get_a_verdict(name, kind, u, a, K):
    claim = catalogue()[f"polarization.{name}"]
    start = kind.instance(u=u, a=a, K=K)
    for conclusion in claim.conclusions:
        if conclusion.form in (Form.TRAJECTORY, Form.RATE, Form.LIMIT):
            assert all(assumption.satisfies(start) for assumption in claim.assumptions_of(conclusion))
            verdict = check(conclusion, start)
            # An answer, though none of the numbers is a float: no error, and no wrong verdict.
            assert verdict.outcome is Outcome.UNDECIDED
            assert "float64" in verdict.reason or "step" in verdict.reason
