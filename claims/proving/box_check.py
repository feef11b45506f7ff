"""Decides a tree of boxes again: in mpmath's intervals and fractions, from plain data, with nothing of the search.

The tree halves the box; at each end a condition certainly fails, or the product of the factors certainly has none of the
signs. How a sign is certain is found again: from the terms, from the mean-value form, or, where a factor vanishes with a
difference of two numbers, from the first derivative that does not. It shares no line with :mod:`claims.proving.boxes`,
which found the tree: what is wrong there in one way is hardly wrong here in the same.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

from mpmath.ctx_iv import MPIntervalContext

BITS = 80  # more than the search has: what is barely certain there is so here, too
ORDERS = 3  # derivatives where a factor vanishes: e^x - 1 - x - x^2/2 does so to the third order
MOST_DEEP = 400  # halvings on one branch, each of which adds a digit to the ends: a file may ask for any number

Powers = tuple[int, ...]
Polynomial = dict[Powers, Fraction]
Box = dict[int, tuple[Fraction, Fraction]]

intervals = MPIntervalContext()
intervals.prec = BITS


class TreeError(ValueError):
    """A tree of boxes does not show what it is to show; the message says where."""


def _read(terms: Any) -> Polynomial:
    return {tuple(exponents): Fraction(c) for c, exponents in terms}


class CheckedTree:
    """One problem, read from plain data. Raises TreeError, KeyError, TypeError or ValueError for what is none."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.first: int = data["first"]
        self.exponents = [None if one is None else _read(one) for one in data["exponents"]]
        self.conditions = [(_read(one), set(signs)) for one, signs in data["conditions"]]
        self.factors = [(_read(one), int(power)) for one, power in data["factors"]]
        self.signs = set(data["signs"])
        self.box = {int(v): (Fraction(low), Fraction(high)) for v, (low, high) in data["box"].items()}
        self._slopes: dict[Any, Polynomial] = {}
        self._zeros: dict[Any, list[tuple[int, int | None, int, Polynomial]]] = {}

    def check(self, nodes: Any) -> int:
        """The number of ends of a tree, of which the nodes come in the order of a walk: halves, and ends with their bounds.

        Raises TreeError where one of them does not hold.
        """
        waiting, ends = [(self.box, 0)], 0
        for node in nodes:
            if not waiting:
                raise TreeError("the tree has a box too many")
            box, depth = waiting.pop()
            match node:
                case ["halves", v] if type(v) is int and v in box and depth < MOST_DEEP:
                    low, high = box[v]
                    middle = (low + high) / 2
                    # The lower half comes first in the file: it is the next to be taken.
                    waiting += [(box | {v: (middle, high)}, depth + 1), (box | {v: (low, middle)}, depth + 1)]
                # The bounds say nothing that the halves do not say; a reader of the file is not to be told others.
                case [*end, bounds] if bounds == {str(v): [str(low), str(high)] for v, (low, high) in box.items()}:
                    self._check_end(end, box)
                    ends += 1
                case _:
                    raise TreeError(f"{str(node)[:80]} is no node of a tree in {_told(box)}")
        if waiting:
            raise TreeError("the tree has lost a box")
        return ends

    def _check_end(self, end: Any, box: Box) -> None:
        values = self._values(box)
        if end[:1] == ["condition"] and len(end) == 2:
            given, signs = self.conditions[end[1]]
            sign = _sign(self._at(given, values))
            if sign is None or sign in signs:
                raise TreeError(f"condition {end[1]} may hold in {_told(box)}")
        # Without factors nothing is said of signs: the conditions alone are to be impossible.
        elif end != ["sign"] or not self.factors or self._product(box, values) & self.signs:
            raise TreeError(f"the signs are open in {_told(box)}")

    def _values(self, box: Box) -> dict[int, Any]:
        values = {v: _interval(low, high) for v, (low, high) in box.items()}
        # In their order: an exponent may have the exponentials before it. Roots have no value, and whoever needs one fails.
        for k, exponent in enumerate(self.exponents):
            if exponent is not None and all(v in values for powers in exponent for v, p in enumerate(powers) if p):
                values[self.first + k] = intervals.exp(self._at(exponent, values))
        return values

    def _at(self, polynomial: Polynomial, values: dict[int, Any]) -> Any:
        total = intervals.mpf(0)
        for powers, c in polynomial.items():
            term = _interval(c, c)
            for v, power in enumerate(powers):
                if power:
                    term = term * values[v] ** power
            total = total + term
        return total

    def _slope(self, polynomial: Polynomial, v: int) -> Polynomial:
        key = (tuple(polynomial.items()), v)
        if key not in self._slopes:
            total = _derivative(polynomial, v)
            # The chain rule: de^p/dv = e^p dp/dv.
            for k, exponent in enumerate(self.exponents):
                inner = {} if exponent is None else _derivative(exponent, v)
                outer = _derivative(polynomial, self.first + k) if inner else {}
                for powers, c in _times(inner, outer).items():
                    raised = tuple(p + (j == self.first + k) for j, p in enumerate(powers))
                    total[raised] = total.get(raised, Fraction(0)) + c
            self._slopes[key] = {powers: c for powers, c in total.items() if c}
        return self._slopes[key]

    def _vanishes(self, polynomial: Polynomial, v: int, w: int | None) -> bool:
        """Whether the polynomial is zero wherever v = w, or v = 0: by its terms, equal exponentials taken together."""
        total: dict[Any, Fraction] = {}
        for powers, c in polynomial.items():
            if w is None and powers[v]:
                continue
            exponent: dict[Powers, Fraction] = {}
            for k, one in enumerate(self.exponents):
                times = powers[self.first + k]
                if times and one is None:
                    return False
                for inner, d in (one or {}).items() if times else ():
                    if not (w is None and inner[v]):
                        there = _with(inner, v, w)
                        exponent[there] = exponent.get(there, Fraction(0)) + times * d
            growth = tuple(sorted((inner, d) for inner, d in exponent.items() if d))
            key = (_with(powers, v, w)[: self.first], growth)
            total[key] = total.get(key, Fraction(0)) + c
        return not any(total.values())

    def _vanishing(self, polynomial: Polynomial) -> list[tuple[int, int | None, int, Polynomial]]:
        key = tuple(polynomial.items())
        if key not in self._zeros:
            self._zeros[key] = []
            for v, w in [*combinations(sorted(self.box), 2), *((v, None) for v in sorted(self.box))]:
                there, order = polynomial, 0
                while order <= ORDERS and there and self._vanishes(there, v, w):
                    there, order = self._slope(there, v), order + 1
                if 0 < order <= ORDERS:
                    self._zeros[key].append((v, w, order, there))
        return self._zeros[key]

    def _product(self, box: Box, values: dict[int, Any]) -> set[int]:
        signs, zeros = {1}, dict[tuple[int, int | None], int]()
        for one, power in self.factors:
            found = self._sign_and_zeros(one, box, values, ())
            if found is None:
                return {-1, 0, 1}
            signs = {s * found[0] ** power for s in signs}
            for v, w, order in found[1]:
                zeros[v, w] = zeros.get((v, w), 0) + order * power
        # Powers of one difference are taken together: each alone has any sign, and an even one of all is not negative.
        for (v, w), order in zeros.items():
            signs = {s * t**order for s in signs for t in self._signs_of_difference(box, v, w)}
        return signs

    def _sign_and_zeros(
        self, one: Polynomial, box: Box, values: dict[int, Any], moved: tuple[int, ...]
    ) -> tuple[int, list[tuple[int, int | None, int]]] | None:
        sign = _sign(self._at(one, values))
        if sign is None:
            # f(c) + sum_v f_v(box) (v - c_v): its error is of second order in the width of the box, that of terms of first.
            centre = {v: ((low + high) / 2,) * 2 for v, (low, high) in box.items()}
            total = self._at(one, self._values(centre))
            for v, (low, high) in box.items():
                middle = (low + high) / 2
                total = total + self._at(self._slope(one, v), values) * _interval(low - middle, high - middle)
            sign = _sign(total)
        if sign is not None:
            return sign, []
        for v, w, order, slope in self._vanishing(one):
            if v in moved or w in moved:
                continue
            # Taylor at v = w: the sign of f is that of f^(order) (v - w)^order, at some v between w and v.
            least, most = (Fraction(0),) * 2 if w is None else box[w]
            wide = box | {v: (min(box[v][0], least), max(box[v][1], most))}
            found = self._sign_and_zeros(slope, wide, self._values(wide), (*moved, v))
            if found is not None:
                return found[0], [(v, w, order), *found[1]]
        return None

    def _signs_of_difference(self, box: Box, v: int, w: int | None) -> set[int]:
        low, high = box[v]
        least, most = (Fraction(0),) * 2 if w is None else box[w]
        signs = {s for s, may in ((1, high > least), (-1, low < most), (0, low <= most and least <= high)) if may}
        # A condition on v - w itself says more than the box: that both are ordered.
        for given, known in self.conditions:
            if len(given) == (1 if w is None else 2):
                slopes = {j: c for powers, c in given.items() for j, p in enumerate(powers) if p and sum(powers) == 1}
                for turned in (1, -1):
                    if slopes == ({v: turned} if w is None else {v: turned, w: -turned}):
                        signs &= {turned * s for s in known}
        return signs


def _interval(low: Fraction, high: Fraction) -> Any:
    ends = [intervals.mpf(end.numerator) / intervals.mpf(end.denominator) for end in (low, high)]
    return intervals.mpf([ends[0].a, ends[1].b])


def _sign(value: Any) -> int | None:
    return 1 if value.a > 0 else -1 if value.b < 0 else 0 if value.a == value.b == 0 else None


def _derivative(polynomial: Polynomial, v: int) -> Polynomial:
    return {
        tuple(p - (j == v) for j, p in enumerate(powers)): c * powers[v] for powers, c in polynomial.items() if powers[v]
    }


def _times(one: Polynomial, other: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for powers, c in one.items():
        for others, d in other.items():
            key = tuple(p + q for p, q in zip(powers, others, strict=True))
            total[key] = total.get(key, Fraction(0)) + c * d
    return total


def _with(powers: Powers, v: int, w: int | None) -> Powers:
    moved = list(powers)
    if w is not None:
        moved[w] += moved[v]
        moved[v] = 0
    return tuple(moved)


def _told(box: Box) -> str:
    return ", ".join(f"[{low}, {high}]" for low, high in box.values())
