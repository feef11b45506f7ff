"""Lifetimes without randomness: against loops of float steps, and the published table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError, working_precision
from dynamics.escapes import drift
from dynamics.escapes.drift import DriftTooLongError, drift_of, simplex_steps, steps_by_points
from dynamics.tokens.attention_chain import AttentionChain, SoftmaxStep
from tests.escapes.chains import published
from tests.planting import LONG, asked_of

PUBLISHED = [(6, 350), (8, 4984), *([(10, 78132), (11, 315755), (12, 1288707)] if LONG else [])]
BITS = {6: 192, 8: 192, 10: 192, 11: 320, 12: 1280}


def by_loop(n, beta, gamma, radius, diameter):
    steps, spread = 0, math.sqrt(2 * n / (n - 1))
    # A regular simplex stays one: its radius is all that moves.
    while radius * spread >= diameter:
        weight = math.exp(-beta * n / (n - 1) * radius * radius)
        radius, steps = radius - gamma * radius * n * weight / (1 + (n - 1) * weight), steps + 1
    return steps


@pytest.mark.parametrize(("n", "beta", "gamma"), [(2, 1, "1/2"), (2, 4, "1/8"), (3, 6, "1/2"), (5, 3, 1), (8, 9, "1/4")])
@pytest.mark.parametrize("counted", [True, False])
def test_steps_of_simplices_are_those_of_the_loop(monkeypatch, n, beta, gamma, counted):
    if not counted:
        # Without counting only the integral is left, which is not exact.
        monkeypatch.setattr(drift, "MOST_COUNTED", 0)
    gamma = fmpq(*map(int, str(gamma).split("/"))) if "/" in str(gamma) else fmpq(gamma)
    with working_precision(128):
        found = simplex_steps(n, fmpq(beta), gamma, fmpq(1), fmpq(1, 2), intervals=200)
    steps = by_loop(n, beta, int(gamma.p) / int(gamma.q), 1.0, 0.5)
    assert found.low <= steps
    assert steps <= found.high
    assert counted == bool(found.low == found.high)


def test_a_step_over_many_intervals_counts_once():
    with working_precision(128):
        found = simplex_steps(2, fmpq(1, 64), fmpq(1), fmpq(1), fmpq(1, 10**7))
    assert found.low <= by_loop(2, 1 / 64, 1, 1.0, 1e-7) <= found.high


def test_cold_simplices_outlive_every_loop():
    with working_precision(128):
        ends = [simplex_steps(3, fmpq(beta), fmpq(1, 2), fmpq(1), fmpq(1, 2)) for beta in (20, 50, 100)]
        for found, magnitude in zip(ends, (11, 30, 62), strict=True):
            assert arb(10) ** magnitude < found.low <= found.high < arb(10) ** (magnitude + 1)
            assert found.high / found.low < arb("1.05")
        slope = (ends[2].low.log() - ends[1].low.log()) / 50
        assert abs(slope - (arb(3) / 2 - arb(1) / 72)) < arb("0.005")  # e^{3 beta/2}/beta
        assert simplex_steps(3, fmpq(1), fmpq(1), fmpq(1), fmpq(2)).high == 0


def test_a_simplex_of_no_size_or_without_a_step_is_refused():
    """One of the numbers is at the end of its range, or beyond: n, beta, gamma, the radius, the diameter."""
    good = (2, fmpq(1), fmpq(1), fmpq(1), fmpq(1, 2))
    assert simplex_steps(*good).high > 0
    for place, values in enumerate(((1, 0), (0, -1), (0, -1, fmpq(9, 8)), (0, -1), (0, -1))):
        for value in values:
            numbers = [value if k == place else one for k, one in enumerate(good)]
            with pytest.raises(ValueError, match="positive sizes"):
                simplex_steps(numbers[0], *map(fmpq, numbers[1:]))


def perturbed_triangle(beta):
    angles = np.pi / 2 + 2 * np.pi * np.arange(3) / 3
    x = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    # Nearly regular, as in the published table.
    x[0, 0] += 1e-3
    x[1, 1] += 5e-4
    return SoftmaxStep.instance(x=x, beta=beta, gamma="1/2")


@pytest.mark.parametrize(("beta", "steps"), PUBLISHED)
def test_the_published_lifetimes_are_certified(beta, steps):
    with working_precision(BITS[beta]):
        assert steps_by_points(perturbed_triangle(beta), fmpq(1, 2), 2_000_000) == steps


def test_too_few_bits_or_steps_are_said_so():
    with working_precision(192), pytest.raises(DriftTooLongError, match="within 100 steps"):
        steps_by_points(perturbed_triangle(6), fmpq(1, 2), 100)
    with working_precision(12), pytest.raises(UndecidedError, match=r"after \d+ steps"):
        steps_by_points(perturbed_triangle(6), fmpq(1, 2), 1000)


SIMPLICES = [([[1], [-1]], 2), ([[1, 1, 0], [-1, 0, 1], [0, -1, -1]], 2), (np.eye(3, dtype=int).tolist(), 1)]


@pytest.mark.parametrize(("x", "beta"), SIMPLICES)
def test_the_drift_of_a_chain_is_that_of_its_tokens(x, beta):
    group = list(range(len(x)))
    # Around 0 on a line and in a plane, and away from 0: the drift is that of differences.
    chain = AttentionChain.instance(v=x, x=x, group=group, beta=beta, gamma="1/8", eps="1/4")
    points, steps = np.array(x, dtype=float), 0
    while np.sqrt(((points - np.array(x)) ** 2).sum(axis=-1)).max() <= 1 / 4:
        a = np.exp(beta * points @ points.T)
        points, steps = points + (a / a.sum(axis=-1, keepdims=True) @ points - points) / 8, steps + 1
    with working_precision(128):
        found = drift_of(chain)
    assert found.low == found.high == steps


def test_a_regular_simplex_around_0_has_a_drift_of_one_number():
    with working_precision(96):
        assert drift_of(published()) is not None
        assert drift_of(published().replace(eps=np.array(fmpq(3)))) is None
        assert drift_of(published().replace(group=np.array([0, 0]))) is None


def test_tubes_next_to_nothing_or_to_the_radius_are_told_from_these():
    with working_precision(96):
        with pytest.raises(UndecidedError, match="from the start"):  # no token is outside before a step
            drift_of(published().replace(eps=np.array(fmpq(1, 10**60))))
        found = drift_of(published().replace(eps=np.array(fmpq(17, 9) - fmpq(1, 10**60))))
    assert 0 < found.low <= found.high < arb(10) ** 65


def blocks_of_steps_are_single_steps(module):
    """Blocks of any size say the same, at a precision that is just enough, and nothing at one that is not."""
    start = perturbed_triangle(6)
    # One step a block is the loop itself.
    for most in (1, 5, 64):
        module.MOST_IN_A_BLOCK = most
        with working_precision(96):
            assert module.steps_by_points(start, fmpq(1, 2), 2000) == 350
    module.MOST_IN_A_BLOCK = 64
    # In the slow part of an orbit, at a diameter between those of two steps, and at one of a step itself.
    x, sizes = np.array([[float(int(a.p) / int(a.q)) for a in row] for row in perturbed_triangle(8).x]), []
    for _ in range(12):
        sizes.append(float(np.linalg.norm(x[:, None] - x[None], axis=-1).max()))
        a = np.exp(8 * x @ x.T)
        x = x + (a / a.sum(axis=-1, keepdims=True) @ x - x) / 2
    with working_precision(96):
        # Half way between two sizes the answer is certain; at one of them, in 48 bits, it is open.
        between = fmpq(int((sizes[9] + sizes[10]) * 2**50), 2**51)
        assert module.steps_by_points(perturbed_triangle(8), between, 200) == 10
    with working_precision(48), pytest.raises(module.UndecidedError):
        module.steps_by_points(perturbed_triangle(8), fmpq(int(sizes[10] * 2**52), 2**52), 200)
    answers = set()
    for bits in range(24, 56, 8):
        with working_precision(bits):
            try:
                answers.add(module.steps_by_points(start, fmpq(1, 2), 400))
            except module.UndecidedError:
                answers.add(None)
    # With too few bits nothing is said, and never another number.
    assert answers == {350, None}


def what_is_near_sees_no_more(module):
    """Tokens moved by at most a way see no more of each other, and are no farther apart, than is said."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        x, way, beta = rng.normal(size=(3, 2)), 10 ** rng.uniform(-4, 0), 3
        with working_precision(64):
            _, seen = module._drifts([[arb(float(a)) for a in row] for row in x], fmpq(beta))
            sizes = [float(np.linalg.norm(x, axis=-1).max() + way), float(max(np.linalg.norm(a - b) for a in x for b in x))]
            reach, most = module._nearby(max(seen), arb(float(way)), fmpq(beta), arb(sizes[1]), arb(sizes[0]))
        for _ in range(4):
            angles = rng.uniform(0, 2 * np.pi, 3)
            y = x + way * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
            a = np.exp(beta * (y @ y.T - (y * y).sum(axis=-1)[:, None]))
            assert (1 - a.diagonal() / a.sum(axis=-1)).max() <= float(most.upper()) * (1 + 1e-12)
            assert max(np.linalg.norm(a - b) for a in y for b in y) <= float(reach.upper())


test_blocks_of_steps, test_bugs_in_the_drift = asked_of(
    drift, [what_is_near_sees_no_more, blocks_of_steps_are_single_steps], share=99
)
