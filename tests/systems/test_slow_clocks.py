"""The slow clocks against the plain clock, a reference table, and values known in the limit."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
import scipy  # its parts are loaded when they are used
from flint import arb, arb_series, fmpq

from claims.stating.catalogue import catalogue
from claims.stating.verdict import Outcome
from claims.verifying.deciding import check
from dynamics.arithmetic import FLOAT64, exact, fraction, numbers, working_precision
from dynamics.enclosures.steps import LADDER, enclose, enclose_at
from dynamics.training.slow_clocks import (
    AlignedLossFlow,
    PathFlow,
    SlowFlow,
    SlowLogisticFlow,
    SlowPowerFlow,
    clock_at,
    distance_to_limit,
    later_distance,
)
from dynamics.training.value_softmax import FullLogisticFlow, LogisticFlow
from tests.planting import LONG
from tests.slow_starts import starting_at
from tests.systems.test_value_softmax import REFERENCE

START = LogisticFlow.instance(u=[1, 0, -1])


def brackets(low, high, value, width):
    """Whether value lies in the union of two balls, narrower than `width`."""
    hull = arb(low).union(arb(high))
    return hull.overlaps(arb(value)) and 2 * hull.rad() < width


def around_log(number):
    """Rationals just below and above log(number)."""
    with working_precision(256):
        near = arb(number).log().mid()
        # Apart by 2^-200: less than any width that is asked for below, and more than 256 bits are wrong by.
        scaled = int((near * arb(2) ** 200).floor().unique_fmpz())
    return fmpq(scaled, 2**200), fmpq(scaled + 1, 2**200)


@pytest.fixture(scope="module")
def slow():
    return enclose_at(starting_at(SlowLogisticFlow, START), fmpq(5), LADDER[1])


def test_coordinates_of_the_start_are_exact_and_mean_what_they_say():
    start = LogisticFlow.instance(u=[3, "1/2", "-1/3", 1], a=["1/4", 0, -2, "-1/7"], K="5/3")
    flow = starting_at(SlowFlow, start)
    assert flow.u_0.item() == start.u[0]
    assert (flow.w == start.u[0] - start.u[1:]).all()
    assert flow.p == 4
    with working_precision(200):
        for name in ("s", "m"):
            difference = numbers(getattr(flow, name) - getattr(start, name))
            # A ball around 0 says something only if it is small.
            assert all(entry.contains(0) and entry.rad() < 1e-50 for entry in difference.flat)
        defect = (flow.m_rate - start.dm_dtau()).item()
        assert defect.contains(0)
        assert defect.rad() < 1e-50


def test_velocity_is_the_reduced_flow_seen_in_the_slow_clock():
    """At states with sigma != 0: derivatives of (W, L, e) along the reduced flow, by power series, times T."""
    rng = np.random.default_rng(3)
    with working_precision(256):
        for p in (2, 3, 5):
            u, a = (exact(rng.integers(-20, 21, size=p)) / 8 for _ in range(2))
            K, tau = fmpq(int(rng.integers(1, 20)), 7), fmpq(int(rng.integers(1, 40)), 3)
            flow = PathFlow.instance(u=u, a=a, K=K)
            du, da = flow.velocity()
            moving_u, moving_a = (
                [arb_series([x, v], 2) for x, v in zip(*pair, strict=True)] for pair in ((u, du), (a, da))
            )
            # Time moves at speed 1: the second coefficients are the derivatives.
            T = arb_series([tau + 1, 1], 2)
            ratios = [moving_a[j] - moving_a[0] + 2 * T.log() for j in range(1, p)]
            curve = [(moving_u[0] - moving_u[j]) / T for j in range(1, p)]
            curve += [ratio - ratios[-1] for ratio in ratios[:-1]] + [ratios[-1]]
            curve += [moving_u[0] - K * (T - 1), T.log()]
            slow = SlowFlow.instance(gaps=[1] * (p - 1), logs=[0] * (p - 1), K=K).with_state([value[0] for value in curve])
            found = np.concatenate([numbers(part).reshape(-1) for part in slow.velocity()])
            for entry, value in zip(found, curve, strict=True):
                defect = entry - value[1] * (tau + 1)
                assert defect.contains(0)
                assert defect.rad() < 1e-60


def test_z_moves_with_time():
    """dz/dtau = 1 + e^{-m} - lambda z is the derivative of t e^{-m} with t' = 1 + e^m."""
    with working_precision(256):
        flow = SlowLogisticFlow.instance(gaps=["1/2", 1], logs=["1/3", "-1/2"], offset="2/3", z="5/7")
        rate = flow.velocity()[-1].item()
        # From z = t e^{-m} back to t.
        m, t = flow.m.item(), flow.z.item() * flow.m.item().exp()
        defect = rate - ((1 + m.exp()) * (-m).exp() - t * (-m).exp() * flow.m_rate.item())
        assert defect.contains(0)
        assert defect.rad() < 1e-60


@pytest.mark.parametrize("tau", [1, 4])
def test_slow_clock_agrees_with_the_plain_clock(slow, tau):
    """log(1 + tau) is bracketed by rationals 2^-200 apart: what grows lies between the states at both ends."""
    plain = enclose(START, fmpq(tau)).end()
    low, high = (slow.at(sigma) for sigma in around_log(1 + tau))
    with working_precision(256):
        for j in range(3):
            u = [f.u_0.item() if j == 0 else (f.u_0 - f.w)[j - 1] for f in (low, high)]
            assert brackets(*u, plain.u[j], 1e-6)
            assert brackets(low.s[j], high.s[j], plain.s[j], 1e-6)
        assert brackets(low.m.item(), high.m.item(), plain.m.item(), 1e-6)
        assert brackets(low.log_t.item(), high.log_t.item(), plain.t.item().log(), 1e-6)


@pytest.mark.parametrize("tau", list(REFERENCE))
def test_slow_clock_meets_the_reference_table(slow, tau):
    low, high = (slow.at(sigma) for sigma in around_log(1 + tau))
    with working_precision(256):
        table = {name: [arb(entry) for entry in rows] for name, rows in REFERENCE[tau].items()}
        for j, (u, s) in enumerate(zip(table["u"], table["s"], strict=True)):
            found = [f.u_0.item() if j == 0 else (f.u_0 - f.w)[j - 1] for f in (low, high)]
            assert brackets(*found, u + arb(0, 1e-22), 1e-15)
            assert brackets(low.s[j], high.s[j], s * (1 + arb(0, 1e-22)), 1e-15)
        assert brackets(low.m.item(), high.m.item(), table["m"][0] + arb(0, 1e-22), 1e-15)


@pytest.mark.parametrize(("p", "error"), [(2, 1e-9), (3, 1e-6), *([(5, 1e-3), (8, 1e-2)] if LONG else [])])
def test_scores_reach_their_limit_at_tau_one_trillion(p, error):
    flow = starting_at(SlowFlow, LogisticFlow.instance(u=[-j for j in range(p)], K=2))
    end = enclose(flow, clock_at(fmpq(10**12)), radius=fmpq(1, 10**7)).end()
    with working_precision(128):
        distance = max(abs(value * p - 1).upper() for value in end.weights)  # 2 / (p K) with K = 2
        assert distance < error
        assert abs(end.gaps[0] - 2).upper() < 1e-6
        assert abs(float(end.tau.item().mid()) / 1e12 - 1) < 1e-3


def test_power_losses_take_polynomial_time():
    """k = 0: t = int m dtau, compared with the plain sum of its parts at float accuracy."""
    flow = starting_at(SlowPowerFlow, LogisticFlow.instance(u=[3, 1]), k=0)
    end = enclose(flow, fmpq(3)).end()
    path = enclose(starting_at(SlowFlow, LogisticFlow.instance(u=[3, 1])), fmpq(3))
    # An even number of pieces, at multiples of 1/80: Simpson wants the first, exact times the second.
    sigmas = np.linspace(0, 3, 241)
    values = []
    for sigma in sigmas:
        state = path.at(fmpq(round(sigma * 80), 80))
        values.append(float((state.m * state.T).item().mid()))
    simpson = (values[0] + values[-1] + 4 * sum(values[1::2]) + 2 * sum(values[2:-1:2])) * (sigmas[1] / 3)
    T = math.exp(3)
    np.testing.assert_allclose(float(end.scaled_time.item().mid()) * T**2, simpson, rtol=1e-7)


def test_an_aligned_loss_with_the_logistic_slope_is_the_logistic_flow():
    data = {"V": [[1, "1/2", 0], [0, -1, "1/3"]], "a": [0, "1/5", -1], "beta_star": ["1/2", 2]}
    logistic = FullLogisticFlow.instance(**data).to(FLOAT64)
    other = AlignedLossFlow.instance(**data).to(FLOAT64).replace(g=logistic.gamma)
    for mine, theirs in zip(other.velocity(), logistic.velocity(), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-14)


def test_bad_starts_are_refused():
    with pytest.raises(ValueError, match="positive"):
        SlowFlow.instance(gaps=[1], logs=[0], K=0)
    with pytest.raises(ValueError, match="g = -phi"):
        AlignedLossFlow.instance(V=[[1]], beta_star=[1], g=0)
    with pytest.raises(ValueError, match="sigma = 0"):
        SlowFlow.instance(gaps=[1], logs=[0], sigma=1)


def test_clocks_are_near_what_they_name():
    assert abs(float(fraction(clock_at(fmpq(99)))) - math.log(100)) < 1e-5


@cache
def path_near_the_limit(seed):
    """States of a float64 path from a late clock on, as far from the one-hot limit as chance has it."""
    rng = np.random.default_rng(seed)
    p, K, clock = int(rng.choice([2, 3, 5, 8])), 2 ** rng.uniform(-2, 2), rng.uniform(3, 9)
    # From so near that the bound is linear to so far that a path has hardly turned towards its limit.
    size = 10 ** rng.uniform(-2, 0.8)
    logs = np.clip(size * rng.normal(size=p - 1), None, clock) + math.log(2 / (p * K))
    gaps = K * np.maximum(1 + size * rng.choice([0, 0.1]) * rng.normal(size=p - 1), 0.1)

    def state(sigma, y):
        relative = np.append(y[: p - 2] - y[p - 2], y[p - 2])
        return SlowFlow(gaps=y[p - 1 :], logs=relative, offset=np.array(0.0), K=np.array(K), sigma=np.array(sigma))

    def rates(sigma, y):
        gap_rates, log_rates, *_ = state(sigma, y).velocity()
        return np.concatenate([log_rates[:-1] + log_rates[-1], log_rates[-1:], gap_rates])

    clocks = clock + np.array([0, 0.1, 1, 3, 8])
    solved = scipy.integrate.solve_ivp(
        rates, (clock, clocks[-1]), np.append(logs, gaps), t_eval=clocks, rtol=1e-9, atol=1e-12, method="LSODA"
    )
    return [state(sigma, y) for sigma, y in zip(clocks, solved.y.T, strict=True)]


@pytest.mark.parametrize("seed", range(12))
def test_distance_to_the_limit_bounds_the_errors_and_falls(seed):
    start, *states = path_near_the_limit(seed)
    for now in states:
        errors = abs(np.log(now.weights * now.K * now.p / 2)) + abs(np.log(now.gaps / now.K))
        assert errors.max() < later_distance(start, now)[0]
        assert distance_to_limit(now)[0] < later_distance(start, now)[0]


def test_distance_to_the_limit_is_of_the_order_of_the_errors():
    """With an order that is too high, or without the higher modes, some path would leave the bound."""
    paths = map(path_near_the_limit, range(12))
    assert any(distance_to_limit(last)[0] > later_distance(start, last, order=3)[0] for start, *_, last in paths)


POWER_START = {"gaps": [1], "logs": [0], "offset": 2}


@pytest.mark.parametrize("earlier", [-5, 1000, 2**20])
@pytest.mark.parametrize("k", [-1, 0, 2])
def test_the_speed_of_a_loss_counts_time_from_the_start(earlier, k):
    start = SlowPowerFlow.instance(**POWER_START, k=k, scaled_time=earlier)
    for conclusion in catalogue()["polarization.loss_sets_the_speed"].conclusions:
        assert check(conclusion, start).outcome is Outcome.HOLDS


@pytest.mark.parametrize("claim", ["margin_tracks_log_time", "one_hot_bound_in_time"])
@pytest.mark.parametrize("earlier", [-1, 2**20])
def test_logistic_limits_count_time_from_the_start(claim, earlier):
    start = SlowLogisticFlow.instance(**POWER_START, z=earlier)
    for conclusion in catalogue()[f"polarization.{claim}"].conclusions:
        assert check(conclusion, start).outcome is Outcome.HOLDS


def test_a_steep_loss_has_no_power_of_time():
    """For k <= -2 the exponent 1 / (k + 2) means nothing: the claim does not speak of it."""
    claim = catalogue()["polarization.loss_sets_the_speed"]
    for k in (-2, -3):
        start = SlowPowerFlow.instance(**POWER_START, k=k)
        assert [a.name for a in claim.assumptions if not a.satisfies(start)] == ["loss_not_too_steep"]


@pytest.mark.parametrize("tau", ["1e-400", "1e-9", "1/1024", "1/3", 200, "1e400"])
def test_clock_at_a_time_of_any_size(tau):
    tau = exact(tau).item()
    with working_precision(2000):
        wanted = arb(1 + tau).log()
        assert abs(arb(clock_at(tau)) - wanted) < wanted / 1000
