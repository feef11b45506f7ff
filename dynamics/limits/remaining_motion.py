"""Bounds the remaining motion of a flow that comes to rest, so its limit is enclosed (arXiv 2603.06248, section 3.2).

Under the square loss the gradient dies out at a known rate, so that from a state at any time the rest of the way is
bounded. The balls returned contain the limit itself. docs/limits_of_training.md has the proofs (Lemmas 8 to 10).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import Array, elementwise, exp, numbers
from dynamics.limits.margins import root
from dynamics.training.conditioned_regression import ConditionedRegressionFlow, LinearisedGapFlow
from dynamics.training.value_softmax import SquareLossFlow


def _balls(values: Array) -> Array:
    """Rationals, balls or floats as balls."""
    return elementwise(arb, numbers(values))


def _around(values: Array, distance: Array) -> Array:
    """Balls with all that is within a distance (a ball >= 0) of the values."""
    reach = elementwise(lambda d: (-arb(d)).union(arb(d)), numbers(distance))
    return numbers(values + reach)


def _largest(values: Array) -> arb:
    return reduce(lambda x, y: x.max(y), numbers(values).flat)


def _total(values: Array) -> arb:
    return sum(numbers(values).flat, arb(0))


@dataclass(frozen=True)
class SquareLossEnd:
    """The limit of the square loss, in balls: scores a and weights s, shape (p,), and tau_* = int_0^infinity gamma dt.

    The margin m ends at K exactly.
    """

    a: Array
    s: Array
    tau: Any


def square_loss_limit(f: SquareLossFlow) -> SquareLossEnd:
    """Lemma 8: int |gamma| from now on is at most |gamma| / r where |s|^2 >= r for ever, and r = 1/p always serves."""
    p, K, s = len(f.a), _balls(f.K).item(), _balls(f.s)
    gamma, u = abs(_balls(f.gamma).item()), _balls(f.u)
    spread = _largest(np.array([abs(x - y) for x in u for y in u], dtype=object))
    rate = arb(fmpq(1, p))
    # |s|^2 falls by what the scores still move, and these move the less the larger it stays: each round improves the rate.
    for _ in range(4):
        left = gamma / rate
        moved = left * (spread + K * left) / 4
        rate = rate.max(_total(s * s) * (-4 * moved).exp())
    left = gamma / rate
    moved = left * (spread + K * left) / 4
    a = _around(_balls(f.a), numbers(moved))
    return SquareLossEnd(a, numbers(s * exp(_around(numbers(arb(0)), numbers(2 * moved)))), _around(f.tau, numbers(left)))


@dataclass(frozen=True)
class GapEnd:
    """The limit of the gap, a ball; x ends at w exactly."""

    gap: Any


def linearised_gap_limit(f: LinearisedGapFlow) -> GapEnd:
    """Lemma 9: |(gap, D)| changes by at most the factor exp(sum_k |w_k - x_k|) - 1 of itself from now on."""
    # x reaches w monotonically, coordinate by coordinate: the way that is left is |w - x|.
    left = _total(abs(_balls(f.w) - _balls(f.x)))
    # gap' = <g, D> and D' = g gap turn (gap, D) hyperbolically: its norm grows by e^{int |g|} at most.
    gap, apart = _balls(f.gap), _balls(f.D)
    size = root(_total(gap * gap) + _total(apart * apart))
    return GapEnd(_around(_balls(f.gap), numbers(size * (left.exp() - 1))).item())


@dataclass(frozen=True)
class ConditionedEnd:
    """The limits of the weights of each copy, in balls, shape (copies, p)."""

    s: Array


def conditioned_limit(f: ConditionedRegressionFlow) -> ConditionedEnd:
    """Lemma 10: no weight of a copy moves by more than `motion_left` from now on."""
    return ConditionedEnd(_around(_balls(f.s), f.motion_left()[..., None]))
