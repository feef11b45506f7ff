"""Sizes and positive numbers, drawn."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from claims.instances.draws import BatchDraws
from dynamics.arithmetic import Array, numbers


def _power(like: Array, exponent: int) -> Any:
    return 2.0**exponent if like.dtype != object else fmpq(2) ** exponent


def _sizes(draws: Any, most_n: int = 6, most_d: int = 3) -> tuple[int, int]:
    n, d = draws.integer(1, 4 if draws.small else most_n), draws.integer(1, 2 if draws.small else most_d)
    draws.chosen += [name for name, size in (("n = 1", n), ("d = 1", d)) if size == 1]
    return n, d


def _positive(draws: Any, *shape: int, size: int = 4, bits: int = 4) -> Array:
    """Positive multiples of 2^-bits, at most size."""
    return numbers(abs(draws.dyadic(*shape, size=size, bits=bits)) + _unit(draws, bits))


def _unit(draws: Any, bits: int) -> Any:
    return 2.0**-bits if isinstance(draws, BatchDraws) else fmpq(1, 1 << bits)


def _fraction_of_one(draws: Any, bits: int = 5) -> Array:
    """A dyadic number in (0, 1)."""
    unit = _unit(draws, bits)
    magnitude = abs(draws.dyadic(size=1, bits=bits))
    return numbers(magnitude * (1 - 2 * unit) + unit)
