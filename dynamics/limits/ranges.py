"""Between which ends a quotient of polynomials and exponentials lies while its coordinates are in a box.

Ends are exact numbers, rounded outwards one by one: a wide ball of an exponential holds negative numbers, its ends do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import arb

from dynamics.limits.formal import Formal, Ring
from dynamics.limits.margins import NotTrappedError

Range = tuple[arb, arb]
"""The lower and the upper end, exact."""


class Ranges:
    """The ends of polynomials of a ring over a box of its coordinates."""

    def __init__(self, ring: Ring, box: Sequence[Range]) -> None:
        self.ring, self.ends = ring, list(box)
        for name, top, bottom in ring.functions:  # an argument has only functions that came up before it
            self.ends.append(_function(name, _quotient(self.polynomial(top), self.polynomial(bottom))))

    def polynomial(self, p: Any) -> Range:
        """The ends of a polynomial: of each term by itself."""
        # Term by term: what cancels between two of them is lost, and the ends are wider than the truth, never narrower.
        low, high = arb(0), arb(0)
        for powers, coefficient in p.to_dict().items():
            term = (arb(coefficient).lower(), arb(coefficient).upper())
            for k, power in enumerate(powers):
                for _ in range(power):
                    term = _product(term, self.ends[k])
            low, high = (low + term[0]).lower(), (high + term[1]).upper()
        return low, high

    def of(self, value: Formal) -> Range:
        """The ends of a quotient. Raises NotTrappedError where its denominator may be zero."""
        return _quotient(self.polynomial(value.top), self.polynomial(value.bottom))

    def is_defined(self) -> bool:
        """Whether nothing by which the formulas divide is zero anywhere in the box."""
        return all(low > 0 or high < 0 for low, high in map(self.polynomial, self.ring.divisors))


def _product(x: Range, y: Range) -> Range:
    products = [a * b for a in x for b in y]
    low, high = products[0].lower(), products[0].upper()
    for value in products[1:]:
        low = min(low, value.lower())
        high = max(high, value.upper())
    return low, high


def _quotient(top: Range, bottom: Range) -> Range:
    low, high = bottom
    # Told by certain signs: a denominator that balls do not tell from 0 may be 0.
    if not (low > 0 or high < 0):
        raise NotTrappedError("a denominator may be zero")
    return _product(top, ((1 / high).lower(), (1 / low).upper()))


def _function(name: str, of: Range) -> Range:
    low, high = of
    if name != "exp" and not low > 0:
        raise NotTrappedError(f"the formula takes {name} of what may be zero")
    # exp, log and sqrt all increase.
    return getattr(low, name)().lower(), getattr(high, name)().upper()
