"""Certified trajectories against the truth."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from flint import arb, arb_mat, fmpq

import dynamics.enclosures.steps as chain
from dynamics.arithmetic import indicator
from dynamics.enclosures.steps import EnclosureError, Rung, enclose, enclose_at
from dynamics.system import Flow, quantity
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.training.frozen_values import FrozenValuesFlow
from dynamics.training.value_softmax import FullLogisticFlow, LogisticFlow
from tests.systems.test_value_softmax import REFERENCE
from tests.trusted.truth import TRUTH, precision, q


@dataclass(frozen=True, eq=False)
class Linear(Flow):
    """x' = A x."""

    moving: ClassVar[tuple[str, ...]] = ("x",)
    x: object = quantity("n", meaning="state")
    A: object = quantity("n", "n", meaning="matrix")

    def velocity(self):
        return ((self.A * self.x[..., None, :]).sum(axis=-1),)


@dataclass(frozen=True, eq=False)
class Square(Flow):
    """x' = x^2."""

    moving: ClassVar[tuple[str, ...]] = ("x",)
    x: object = quantity("n", meaning="state")

    def velocity(self):
        return (self.x * self.x,)


@dataclass(frozen=True, eq=False)
class Relaxation(Flow):
    """x' = -1000 (x - y), on the circle y' = -z, z' = y."""

    moving: ClassVar[tuple[str, ...]] = ("x", "y", "z")
    x: object = quantity(meaning="follower")
    y: object = quantity(meaning="cosine", default=1)
    z: object = quantity(meaning="sine", default=0)

    def velocity(self):
        return -1000 * (self.x - self.y), -self.z, self.y


@dataclass(frozen=True, eq=False)
class Clock(Flow):
    """x' = 1: polynomials solve it exactly, so that only signs are under test."""

    moving: ClassVar[tuple[str, ...]] = ("x",)
    x: object = quantity(meaning="time", default=0)

    def velocity(self):
        return (0 * self.x + 1,)


@dataclass(frozen=True, eq=False)
class Paired(Linear):
    """x' = A x with errors of pairs of coordinates taken together."""

    def blocks(self):
        n = self.x.size
        return [range(i, min(i + 2, n)) for i in range(0, n, 2)]


@dataclass(frozen=True, eq=False)
class Aged(Flow):
    """x' = A x and t' = 1."""

    moving: ClassVar[tuple[str, ...]] = ("x", "t")
    x: object = quantity("n", meaning="state")
    A: object = quantity("n", "n", meaning="matrix")
    t: object = quantity(meaning="time", default=0)

    def velocity(self):
        one = indicator(np.ones(np.shape(self.t), dtype=bool), self.x)
        return (self.A * self.x[..., None, :]).sum(axis=-1), one


def holds_the_truth(enclosures, truths, radius):
    with precision(TRUTH):
        for ball, truth in zip(enclosures, truths, strict=True):
            assert ball.overlaps(truth), f"{ball} excludes {truth}"
            # A ball without end would hold every truth.
            assert ball.rad() < arb(radius) * arb(1).max(abs(truth)), f"{ball} is wide"


def matrix_exponential(A, t, x):
    n = len(x)
    with precision(TRUTH):
        return (
            arb_mat(n, n, [arb(entry) * arb(t) for entry in A.flat]).exp() * arb_mat(n, 1, [arb(v) for v in x])
        ).entries()


def times_within(trajectory, parts=7):
    # Not at ends of steps only: between them a polynomial is evaluated at other times.
    return [trajectory.horizon * k / parts for k in range(parts + 1)]


@pytest.mark.parametrize(("horizon", "radius"), [(q(1), 1e-15), (q(10), 1e-13), (q(7, 3), 1e-15)])
def test_exponential_growth(horizon, radius):
    trajectory = enclose(Linear.instance(x=["1/3"], A=[[1]]), horizon)
    for t in times_within(trajectory):
        with precision(TRUTH):
            truth = arb(t).exp() / 3
        holds_the_truth(trajectory.at(t).x.flat, [truth], radius)


@pytest.mark.parametrize(("horizon", "radius"), [(q(99, 100), 1e-10), (q(999999, 1000000), 1e-6)])
def test_a_solution_is_followed_close_to_its_pole(horizon, radius):
    trajectory = enclose(Square.instance(x=[1]), horizon)
    for t in times_within(trajectory):
        holds_the_truth(trajectory.at(t).x.flat, [arb(1 / (1 - t))], radius)


@pytest.mark.parametrize(("horizon", "bits"), [(q(1), 64), (q(101, 100), 128), (q(3), 64)])
def test_no_trajectory_crosses_a_pole(horizon, bits):
    with pytest.raises(EnclosureError):
        # At the pole, just behind it, and far behind.
        enclose(Square.instance(x=[1]), horizon, most_steps=70, most_bits=bits)


def test_taylor_terms_that_leave_float64_shorten_the_step():
    trajectory = enclose(FrozenValuesFlow.instance(u=[20, -22, 19]), q(1, 8), radius=q(1, 10**6))
    assert trajectory.radius < arb(10) ** -6


def test_stiff_relaxation_to_a_moving_point():
    trajectory = enclose(Relaxation.instance(x=2), q(1, 8))  # 125 times as long as the follower takes to arrive
    for t in times_within(trajectory):
        with precision(TRUTH):
            s = arb(t)
            c = arb(1000) ** 2 + 1
            # The solution of the linear equation, by hand.
            follower = (10**6 * s.cos() + 1000 * s.sin()) / c + (2 - 10**6 / c) * (-1000 * s).exp()
            truth = [follower, s.cos(), s.sin()]
        now = trajectory.at(t)
        holds_the_truth([now.x.item(), now.y.item(), now.z.item()], truth, 1e-11)


def test_harmonic_oscillator():
    trajectory = enclose(Linear.instance(x=[1, 0], A=[[0, -1], [1, 0]]), q(20))
    for t in times_within(trajectory):
        with precision(TRUTH):
            truth = [arb(t).cos(), arb(t).sin()]
        holds_the_truth(trajectory.at(t).x.flat, truth, 1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_random_linear_systems(seed):
    draw = random.Random(seed)
    n = 2 + seed % 4
    entries = [[q(draw.randint(-9, 9), draw.randint(1, 4)) for _ in range(n)] for _ in range(n)]
    system = Linear.instance(x=[q(draw.randint(-5, 5), 3) for _ in range(n)], A=entries)
    trajectory = enclose(system, q(1, 2))
    for t in times_within(trajectory, 4):
        holds_the_truth(trajectory.at(t).x.flat, matrix_exponential(system.A, t, system.x.flat), 1e-10)


@pytest.mark.parametrize(("root", "c", "tau"), [(1, q(0), q(3)), (2, q(1, 3), q(1)), (q(1, 2), q(-2), q(6))])
def test_two_values_follow_their_closed_form(root, c, tau):
    K = q(root) ** 2 if not isinstance(root, fmpq) else root**2
    trajectory = enclose(LogisticFlow.instance(u=[c + root, c - root], K=K), tau)
    for now in times_within(trajectory, 5):
        with precision(TRUTH):
            x = arb(root) * arb(now) / 2
            middle, spread = arb(c) + arb(K * now) / 2, arb(root) * (1 + x * x).sqrt()
            score, m = (x + (1 + x * x).sqrt()).log(), arb(c + K * now)
            t = arb(now) + arb(c).exp() * (arb(K * now).exp() - 1) / arb(K)
            truth = [middle + spread, middle - spread, score, -score, t, arb(now), m]
        state = trajectory.at(now)
        with precision(128):
            balls = [*state.u.flat, *state.a.flat, state.t.item(), state.tau.item(), state.m.item()]
        holds_the_truth(balls, truth, 1e-10)


@pytest.mark.parametrize(("tau", "rung", "radius"), [(1, 0, 1e-14), (1, 1, 1e-26), (10, 0, 1e-6), (10, 1, 1e-20)])
def test_three_values_agree_with_a_reference(tau, rung, radius):
    end = enclose_at(LogisticFlow.instance(u=[1, 0, -1]), q(tau), chain.LADDER[rung]).end()
    with precision(TRUTH):
        for name in ("u", "a") if tau == 1 else ("u",):  # at later times the table has no scores
            # The table's last digit is rounded: its entries are balls as well.
            truth = [arb(text) + arb(0, 1e-23) for text in REFERENCE[tau][name]]
            holds_the_truth(list(getattr(end, name)), truth, radius)


SOFTMAX_FLOWS = [
    RescaledFlow.instance(z=[["1/2", 1], [-1, "1/3"]], V=[[1, "1/2"], ["-1/3", "1/4"]], B=[[1, -1], ["1/2", "2/3"]]),
    RescaledFlow.instance(z=[[1], ["-1/2"], [2]], V=[["1/2"]], B=[[-1]], t="1/3"),
    RescaledFlow.instance(z=[["1/3", 1, 0], [-1, "1/3", "1/2"]], V=[[0, 1, 0], [-1, 0, "1/3"], [0, 0, -1]]),
    SelfAttentionFlow.instance(x=[["1/3", 1], [1, 0], [-1, "1/7"]], V=[[0, 1], [-1, "1/3"]], B=[[1, 2], ["1/5", 0]]),
    LogisticFlow.instance(u=["1/2", 0, "-1/3"], a=[0, "1/3", "-1"], K="3/2"),
    FullLogisticFlow.instance(V=[[1, "1/2"], [0, "1/3"]], a=["1/4", 0], beta_star=[1, "-1/2"]),
]


AFTER_HALF_A_UNIT = [
    [
        "0.4097800553551541845088966864",
        "1.014439237328250898461097588",
        "-0.7157880108449566127863252949",
        "0.2888073024768762187757225178",
        "0.5",
    ],
    [
        "0.7639594815428888335567376859",
        "-0.1459263145098009729775663711",
        "1.499882710996138175649343422",
        "0.8333333333333333333333333333",
    ],
    [
        "0.2397499785838007074203493873",
        "1.161794488011113577287359473",
        "-0.06323950844123981345311237491",
        "-0.8992043141383062429248016778",
        "0.1625379528694081225035889129",
        "0.567662504737235419117091364",
        "0.5",
    ],
    [
        "0.5843517619888310957947549031",
        "0.8137131624082463284066644542",
        "1.360379975700174324287800642",
        "-0.1515274296054098858216423062",
        "-0.8779189995212640872792443414",
        "0.3836031910711826133453157921",
    ],
    [
        "0.7796997647635534760942701231",
        "0.3724407023140337546787017093",
        "-0.2354738004109205641063051657",
        "0.06420690108338363759137646749",
        "0.3067860492304676165244742219",
        "-1.037659616980517920782517356",
        "1.173652281493241506297891597",
        "0.5",
    ],
    [
        "1.090380461684549457748799731",
        "0.5685584049556488785536283201",
        "-0.04519023084227472887439986546",
        "0.2990541308555088940565191733",
        "0.2765032237462864750647418163",
        "-0.02650322374628647506474181635",
    ],
]
"""Their states at time 1/2 by mpmath.odefun at 30 digits; of rescaled flows from x = e^{tV} z, which needs no clock."""


@pytest.mark.parametrize(("system", "digits"), list(zip(SOFTMAX_FLOWS, AFTER_HALF_A_UNIT, strict=True)))
def test_softmax_flows_agree_with_mpmath(system, digits):
    trajectory = enclose(system, q(1, 2))
    assert trajectory.joins()
    end = trajectory.end()
    with precision(TRUTH):
        # 28 digits are given, of numbers below 2.
        truth = [arb(text) + arb(0, 1e-25) for text in digits]
    holds_the_truth([value for name in system.moving for value in getattr(end, name).flat], truth, 1e-13)


def test_a_single_token_needs_no_weights():
    end = enclose(SelfAttentionFlow.instance(x=[[1, 2]]), q(1)).end()
    with precision(TRUTH):
        e = arb(1).exp()
        holds_the_truth(end.x.flat, [e, 2 * e], 1e-13)


@pytest.mark.parametrize("seed", range(2))
def test_random_linear_systems_in_blocks(seed):
    draw = random.Random(seed)
    # Three blocks of two and two of three.
    n, size = 6, 2 + seed % 2
    entries = [[q(draw.randint(-9, 9), draw.randint(3, 9)) for _ in range(n)] for _ in range(n)]

    @dataclass(frozen=True, eq=False)
    class Blocked(Linear):
        def blocks(self):
            return [range(i, i + size) for i in range(0, n, size)]

    system = Blocked.instance(x=[q(draw.randint(-5, 5), 3) for _ in range(n)], A=entries)
    trajectory = enclose(system, q(1))
    for t in times_within(trajectory, 4):
        holds_the_truth(trajectory.at(t).x.flat, matrix_exponential(system.A, t, system.x.flat), 1e-9)


@pytest.mark.parametrize("bits", [12, 24, 40])
def test_few_bits_widen_balls_but_keep_the_truth(bits):
    system = Linear.instance(x=["1/3", "-2/7"], A=[["1/3", -2], ["3/5", "1/7"]])
    # So few bits that every rounding that is not outward shows.
    trajectory = enclose_at(system, q(1), Rung(bits, 6, 2.0 ** -(bits // 2)))
    for t in times_within(trajectory):
        truth = matrix_exponential(system.A, t, system.x.flat)
        holds_the_truth(trajectory.at(t).x.flat, truth, 1)
