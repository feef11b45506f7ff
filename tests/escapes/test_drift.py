"""Lifetimes without randomness: against loops of float steps, and the published table."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError, working_precision
from dynamics.escapes import drift
from dynamics.escapes.drift import TooLongError, simplex_steps, steps_by_points
from dynamics.tokens.attention_chain import SoftmaxStep

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
PUBLISHED = [(6, 350), (8, 4984), *([(10, 78132), (11, 315755), (12, 1288707)] if NIGHTLY else [])]


def by_loop(n, beta, gamma, radius, diameter):
    steps, spread = 0, math.sqrt(2 * n / (n - 1))
    while radius * spread >= diameter:
        weight = math.exp(-beta * n / (n - 1) * radius * radius)
        radius, steps = radius - gamma * radius * n * weight / (1 + (n - 1) * weight), steps + 1
    return steps


@pytest.mark.parametrize(("n", "beta", "gamma"), [(2, 1, "1/2"), (2, 4, "1/8"), (3, 6, "1/2"), (5, 3, 1), (8, 9, "1/4")])
@pytest.mark.parametrize("counted", [True, False])
def test_steps_of_simplices_are_those_of_the_loop(monkeypatch, n, beta, gamma, counted):
    if not counted:
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
        with pytest.raises(ValueError, match="positive sizes"):
            simplex_steps(3, fmpq(1), fmpq(1), fmpq(1), fmpq(0))


def perturbed_triangle(beta):
    angles = np.pi / 2 + 2 * np.pi * np.arange(3) / 3
    x = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    x[0, 0] += 1e-3
    x[1, 1] += 5e-4
    return SoftmaxStep.instance(x=x, beta=beta, gamma="1/2")


@pytest.mark.parametrize(("beta", "steps"), PUBLISHED)
def test_the_published_lifetimes_are_certified(beta, steps):
    with working_precision(192 if beta <= 10 else 320):
        assert steps_by_points(perturbed_triangle(beta), fmpq(1, 2), 2_000_000) == steps


def test_too_few_bits_or_steps_are_said_so():
    with working_precision(192), pytest.raises(TooLongError, match="within 100 steps"):
        steps_by_points(perturbed_triangle(6), fmpq(1, 2), 100)
    with working_precision(12), pytest.raises(UndecidedError, match="below 1/2 after"):
        steps_by_points(perturbed_triangle(6), fmpq(1, 2), 1000)
