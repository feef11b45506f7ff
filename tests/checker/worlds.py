"""Fresh copies of the checker's modules, one of which may hold a bug, and the truth that facts compare them with."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from typing import Any

import flint
from mpmath import iv, libmp

import claims.checker.paths
import dynamics.checker.flint_stand_in
import dynamics.checker.flows
import dynamics.checker.integrator
import dynamics.checker.intervals
import dynamics.checker.recording
import dynamics.checker.trajectories
from claims.mutating.planting import in_place_of, module_of, replaced

ORDER = {
    "numbers": dynamics.checker.intervals,
    "fields": dynamics.checker.flows,
    "arithmetic": dynamics.checker.flint_stand_in,
    "recording": dynamics.checker.recording,
    "integrator": dynamics.checker.integrator,
    "checker": dynamics.checker.trajectories,
    "paths": claims.checker.paths,
}
"""The modules of a world, each after those that it imports."""

TRUTH = 400
"""Bits at which the truth is computed."""


@cache
def code_of(module: types.ModuleType, *replacements: str) -> types.CodeType:
    source = replaced(inspect.getsource(module), module.__name__, *replacements)
    return compile(source, module.__file__ or "", "exec", dont_inherit=True)


def world(changed: types.ModuleType | None = None, *replacements: str) -> Any:
    """Copies of all modules, with texts replaced in one of them. Raises StaleError."""
    copies: dict[str, types.ModuleType] = {}
    for name, module in ORDER.items():
        code = code_of(module, *replacements) if module is changed else code_of(module)
        # Each module imports those before it: a bug in one reaches all that rest on it.
        with in_place_of(*copies.values()):
            copies[name] = module_of(code, module.__name__, module.__file__ or "")
    return types.SimpleNamespace(**copies)


def rational(raw: Any) -> Fraction:
    sign, mantissa, exponent, _ = raw
    # As rationals they would be large numbers, and pass.
    assert raw not in (libmp.finf, libmp.fninf, libmp.fnan), "no finite end"
    return (-1) ** int(sign) * int(mantissa) * Fraction(2) ** int(exponent)


def ends(value: Any) -> tuple[Fraction, Fraction]:
    """The ends of an interval of either kind, or of one of flint's balls."""
    if isinstance(value, flint.arb):
        # Its ends are rounded to the precision of the moment, as its middle need not be.
        with far():
            found = value.lower(), value.upper()
        return tuple(Fraction(int(end.fmpq().p), int(end.fmpq().q)) for end in found)
    low, high = value.ends if hasattr(value, "ends") else iv.mpf(value)._mpi_
    return rational(low), rational(high)


@contextmanager
def far() -> Iterator[None]:
    """Flint at the bits of the truth."""
    before, flint.ctx.prec = flint.ctx.prec, TRUTH
    try:
        yield
    finally:
        flint.ctx.prec = before


def true(function: Callable[[Any], Any], *arguments: Fraction) -> tuple[Fraction, Fraction]:
    """What flint says of a function of exact numbers, as two rationals around it."""
    with far():
        # By flint, which shares nothing with what is tested.
        return ends(function(*(flint.arb(flint.fmpq(x.numerator, x.denominator)) for x in map(Fraction, arguments))))


def holds(value: Any, truth: Any, width: Fraction | None = None) -> None:
    """Assert that an interval has the number as a member, and that it is no wider than this."""
    low, high = ends(value)
    least, most = truth if isinstance(truth, tuple) else (Fraction(truth), Fraction(truth))
    assert low <= most, f"{value} is above {float(most)}"
    assert least <= high, f"{value} is below {float(least)}"
    assert width is None or high - low <= width, f"{value} is wide"


def is_least(bound: Any, truth: Any, factor: Fraction | None = None) -> None:
    """Assert that a bound is at least the number, and at most so many times it."""
    least = truth[0] if isinstance(truth, tuple) else Fraction(truth)
    assert rational(iv.mpf(bound)._mpi_[1]) >= least, f"{bound} is below {float(least)}"
    assert factor is None or ends(bound)[0] <= factor * least, f"{bound} is far above {float(least)}"


def span(w: Any, low: Any, high: Any) -> Any:
    return w.numbers.between(Fraction(low), Fraction(high))


def exact(w: Any, *values: Any) -> list[Any]:
    return [w.numbers.interval(Fraction(value)) for value in values]


FACTS: list[Callable[[Any], None]] = []


def fact(check: Callable[[Any], None]) -> Callable[[Any], None]:
    FACTS.append(check)
    return check
