"""Sizes and positive numbers, drawn."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from claims.instances.draws import BatchDraws
from dynamics.arithmetic import Array, numbers


def power_of_two(like: Array, exponent: int) -> Any:
    """2^exponent in the numbers of an array."""
    return 2.0**exponent if like.dtype != object else fmpq(2) ** exponent


def draw_sizes(draws: Any, most_n: int = 6, most_d: int = 3) -> tuple[int, int]:
    """How many tokens, of which dimension; the draws remember sizes of 1."""
    # Each number of a small instance is a coordinate of a certified path, whose cost grows with their square and more.
    n, d = draws.integer(1, 4 if draws.small else most_n), draws.integer(1, 2 if draws.small else most_d)
    draws.chosen += [name for name, size in (("n = 1", n), ("d = 1", d)) if size == 1]
    return n, d


def draw_positive(draws: Any, *shape: int, size: int = 4, bits: int = 4) -> Array:
    """Positive multiples of 2^-bits, at most size + 2^-bits."""
    if hasattr(draws, "positive"):  # Hypothesis shrinks what it draws to plain numbers
        return numbers(draws.positive(*shape, size=size, bits=bits))
    return numbers(abs(draws.dyadic(*shape, size=size, bits=bits)) + last_bit(draws, bits))


def last_bit(draws: Any, bits: int) -> Any:
    """2^-bits in the numbers of the draws."""
    return 2.0**-bits if isinstance(draws, BatchDraws) else fmpq(1, 1 << bits)


def draw_fraction(draws: Any, bits: int = 5) -> Array:
    """A dyadic number in (0, 1)."""
    if hasattr(draws, "fraction"):
        return numbers(draws.fraction(bits))
    unit = last_bit(draws, bits)
    # |x| <= 1 shrunk by two units and moved by one: neither 0 nor 1 is reached, and nothing is drawn again.
    magnitude = abs(draws.dyadic(size=1, bits=bits))
    return numbers(magnitude * (1 - 2 * unit) + unit)
