"""What is compared with the trusted code: exact numbers, balls of 300 bits, and facts that it must satisfy."""

from __future__ import annotations

from contextlib import contextmanager

import flint
from flint import arb, fmpq

from dynamics.arithmetic import working_precision

INFINITY, NAN = arb("inf"), arb("nan")
TRUTH = 300
"""Bits at which the truth is computed: far above the 10 or 64 bits of what is compared with it."""


@contextmanager
def precision(bits, cap=40):
    """Both are global in flint."""
    before = flint.ctx.cap
    flint.ctx.cap = cap
    try:
        with working_precision(bits):
            yield
    finally:
        flint.ctx.cap = before


def q(p, r=1):
    return fmpq(p, r)


ONE = q(1)


def exactly(*values):
    """Exact balls from dyadic numbers."""
    balls = [arb(value) for value in values]
    assert all(ball.is_exact() for ball in balls)
    return balls


def contains(ball, truth):
    """Assert that the ball does not certainly exclude the truth: both are balls around it if the code is right."""
    with precision(TRUTH):
        assert ball.overlaps(arb(truth)), f"{ball} excludes {truth}"


def is_bound(bound, truth):
    """Assert that the truth does not certainly exceed a finite bound, nor the bound fail to be a number.

    A bound that is a ball need only contain a number at least the truth.
    """
    with precision(TRUTH):
        assert bound.is_finite()
        assert not arb(truth) > arb(bound), f"{truth} exceeds {bound}"


def refuses(call, *arguments):
    """Assert that a call raises rather than answers."""
    try:
        call(*arguments)
    except (ValueError, ZeroDivisionError, TypeError):
        return
    raise AssertionError("an answer where none is possible")


def ends(ball):
    """Three members of a ball, exactly: its ends and its middle."""
    with precision(TRUTH):
        return [ball.mid() - ball.rad(), ball.mid(), ball.mid() + ball.rad()]


def grid(h, parts=4):
    """Times of [0, h], close to 0 too."""
    return [q(0), h / 1000, *(h * k / parts for k in range(1, parts + 1))]


def polynomial(row, t):
    """Its value at TRUTH bits."""
    with precision(TRUTH):
        return sum((arb(value) * arb(t) ** k for k, value in enumerate(row)), arb(0))
