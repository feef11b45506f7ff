"""What solvers leave open of formulas with exponentials, on a box: branch and bound in balls.

A path that is open leaves polynomials in the numbers of the instance and in exponentials of polynomials in them. On a box
of numbers a sign is certain from the enclosure of the terms, or from the mean-value form. Where a factor vanishes with the
difference of two numbers, its sign near there is that of the first derivative that does not vanish. What is found is a tree
of boxes, plain data, which :mod:`claims.proving.box_check` decides again in other arithmetic before anything is said.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

from flint import arb, fmpq

from claims.proving.exploring import BudgetSpentError, Leaf, PathEnd
from claims.proving.symbols import Run, Signs, terms_of
from dynamics.arithmetic import rational, working_precision

BITS = 64
MOST_BOXES = 20_000  # of one problem: near a zero that is no difference of numbers all are halved, in every number
SMALLEST = fmpq(1, 1 << 24)  # the width below which a box is not halved: what is open in it is most likely zero, or false
ORDERS = 3  # derivatives where a factor vanishes, as in the check

Box = dict[int, tuple[fmpq, fmpq]]
Tree = list[list[Any]]
"""The nodes of a tree in the order of a walk: ["halves", v], or what is certain at an end, with its bounds as text."""


class NoBoxError(ArithmeticError):
    """No tree of boxes is found; the message says why."""


def _power(value: Any, k: int) -> Any:
    # Flint's own power of a ball around zero is nan.
    least, most = (value.abs_lower(), value.abs_upper()) if k % 2 == 0 else (value.lower(), value.upper())
    ends = [arb(1), arb(1)]
    for _ in range(k):
        ends = [ends[0] * least, ends[1] * most]
    return ends[0].union(ends[1])


@dataclass
class Problem:
    """That no point of a box meets the conditions and has the product of the factors with one of the signs.

    Polynomials are flint's, in the numbers of the instance and the auxiliary variables from number `first` on, whose
    exponents are `exponents`. Without factors the conditions alone are to be impossible.
    """

    ring: Any
    first: int
    exponents: list[Any]
    conditions: list[tuple[Any, Signs]]
    factors: list[tuple[Any, int]]
    signs: Signs
    free: list[int] = field(default_factory=list)

    def to_json(self, box: Box) -> dict[str, Any]:
        """Plain data, with the box."""
        return {
            "first": self.first,
            "exponents": [None if one is None else terms_of(one) for one in self.exponents],
            "conditions": [[terms_of(one), sorted(signs)] for one, signs in self.conditions],
            "factors": [[terms_of(one), power] for one, power in self.factors],
            "signs": sorted(self.signs),
            "box": {str(v): [str(low), str(high)] for v, (low, high) in box.items()},
        }


def problems_of(leaf: Leaf, names: Sequence[str]) -> list[Problem]:
    """What a path leaves, a problem for each violation, with the numbers that hypotheses fix put in. Raises NoBoxError."""
    ring = Run(names, lambda _: True).ring
    width = len(ring.gens())

    def polynomial(terms: Any) -> Any:
        return ring.from_dict({(*powers, *([0] * (width - len(powers)))): rational(str(c)) for c, powers in terms})

    exponents = [None if terms is None else polynomial(terms) for terms in leaf.exponents]
    conditions = [(polynomial(one.terms), one.signs) for one in leaf.conditions]
    violations = [(polynomial(one.terms), one.signs) for one in leaf.violations]
    replaced = _solved(ring, len(names), conditions)
    exponents = [None if one is None else one.compose(*replaced, ctx=ring) for one in exponents]
    replaced = _merged(ring, len(names), exponents, replaced)
    kept = []
    for one, signs in conditions:
        there = one.compose(*replaced, ctx=ring)
        if there.is_constant():
            value = there.leading_coefficient() if there != 0 else fmpq(0)
            if (value > 0) - (value < 0) not in signs:
                return []  # no point is on the path
        # What is known of exponentials, balls know better; of a path that is to be impossible it is all that there is.
        elif leaf.kind is not PathEnd.DECIDED or not _uses(there, len(names)):
            kept.append((there, signs))
    found = [
        _simple(Problem(ring, len(names), exponents, kept, *_factored(one.compose(*replaced, ctx=ring), signs)))
        for one, signs in violations
    ] or [Problem(ring, len(names), exponents, kept, [], frozenset())]
    for problem in found:
        used = [one for one, _ in (*problem.conditions, *problem.factors)]
        used += [one for one in exponents if one is not None]
        # Only these are bounded: what hypotheses fix by equations has no room in a box.
        problem.free = [v for v in range(len(names)) if any(one.degrees()[v] for one in used)]
        for one in used:
            for k, exponent in enumerate(exponents):
                strange = exponent is None or _uses(exponent, len(names))
                if strange and one.degrees()[len(names) + k]:
                    raise NoBoxError("the formula takes roots, logarithms, or exponentials of quotients")
    return found


def _uses(polynomial: Any, first: int) -> bool:
    return any(polynomial.degrees()[first:])


def _solved(ring: Any, first: int, conditions: Sequence[tuple[Any, Signs]]) -> list[Any]:
    """What to put in for each variable: numbers that equations give as polynomials in the others."""
    replaced = list(ring.gens())
    for given, signs in conditions:
        if signs != {0}:
            continue
        equation = given.compose(*replaced, ctx=ring)
        if equation == 0 or _uses(equation, first):
            continue
        for v in reversed(range(first)):
            slope = equation.derivative(v)
            if slope != 0 and slope.is_constant():
                value = ring.gens()[v] - equation / slope.leading_coefficient()
                step = list(ring.gens())
                step[v] = value
                replaced = [one.compose(*step, ctx=ring) for one in replaced]
                break
    return replaced


def _merged(ring: Any, first: int, exponents: list[Any], replaced: list[Any]) -> list[Any]:
    """The same with equal exponentials as one variable, and e^0 as 1."""
    merged = list(replaced)
    for k, exponent in enumerate(exponents):
        if exponent is None:
            continue
        if exponent == 0:
            merged[first + k] = ring.constant(1)
        for j in range(k):
            if exponents[j] is not None and exponents[j] == exponent:
                merged[first + k] = merged[first + j]
                break
    return merged


def _factored(polynomial: Any, signs: Signs) -> tuple[list[tuple[Any, int]], Signs]:
    if polynomial == 0 or polynomial.is_constant():
        return [(polynomial, 1)], signs
    constant, factors = polynomial.factor()
    return sorted(factors, key=str), signs if constant > 0 else frozenset(-s for s in signs)


def _simple(problem: Problem) -> Problem:
    """The same with the factors of p - q in place of e^p - e^q."""
    factors = []
    for one, power in problem.factors:
        difference = difference_of_exponents(problem, one)
        if difference is None or difference == 0:
            factors.append((one, power))
            continue
        found, signs = _factored(difference, frozenset({1}))
        factors += [(other, power * times) for other, times in found]
        if signs != {1} and power % 2:
            problem.signs = frozenset(-s for s in problem.signs)
    problem.factors = factors
    return problem


def difference_of_exponents(problem: Problem, polynomial: Any) -> Any:
    """p - q where the polynomial is c (e^p - e^q), c > 0: it has the same sign. None for others."""
    # The positive one first: flint's order is that of exponents.
    terms = sorted(polynomial.to_dict().items(), key=lambda term: term[1] < 0)
    if len(terms) != 2 or terms[0][1] != -terms[1][1] or any(any(one[: problem.first]) for one, _ in terms):
        return None
    total = problem.ring.constant(0)
    for turned, (powers, _) in zip((1, -1), terms, strict=True):
        for k, exponent in enumerate(problem.exponents):
            times = int(powers[problem.first + k])
            if times and exponent is None:  # a root, for one
                return None
            total += turned * times * (exponent or 0)
    return total


class _Function:
    """A polynomial in numbers and exponentials as a function of the numbers."""

    def __init__(self, problem: Problem, polynomial: Any) -> None:
        self.problem, self.polynomial = problem, polynomial
        self.terms = [
            (arb(c), [(v, int(power)) for v, power in enumerate(exponents) if power])
            for exponents, c in polynomial.to_dict().items()
        ]

    def at(self, values: dict[int, Any]) -> Any:
        """The enclosure of its terms."""
        total = arb(0)
        for coefficient, powers in self.terms:
            term = coefficient
            for v, power in powers:
                term = term * (values[v] if power == 1 else _power(values[v], power))
            total += term
        return total

    @cached_property
    def slopes(self) -> dict[int, _Function]:
        """The derivatives in the free numbers."""
        return {v: _Function(self.problem, derivative(self.problem, self.polynomial, v)) for v in self.problem.free}

    @cached_property
    def vanishing(self) -> list[tuple[int, int | None, int, _Function]]:
        """Where it vanishes with v - w, or with v: (v, w, order, the derivative of that order in v)."""
        found = []
        free = self.problem.free
        for v, w in [*combinations(free, 2), *((v, None) for v in free)]:
            there, order = self, 0
            while order <= ORDERS and there.polynomial != 0 and _restricted(self.problem, there.polynomial, v, w) == 0:
                there, order = there.slopes[v], order + 1
            if 0 < order <= ORDERS:
                found.append((v, w, order, there))
        return found


def derivative(problem: Problem, polynomial: Any, v: int) -> Any:
    """d/dv of a polynomial in numbers and exponentials."""
    total = polynomial.derivative(v)
    # The chain rule: de^p/dv = e^p dp/dv.
    for k, exponent in enumerate(problem.exponents):
        slope = None if exponent is None else exponent.derivative(v)
        if slope is not None and slope != 0:
            total += polynomial.derivative(problem.first + k) * problem.ring.gens()[problem.first + k] * slope
    return total


def _restricted(problem: Problem, polynomial: Any, v: int, w: int | None) -> Any:
    """The polynomial where v = w, or v = 0, with equal exponentials as one."""
    ring = problem.ring
    step = list(ring.gens())
    step[v] = ring.constant(0) if w is None else step[w]
    exponents = [None if one is None else one.compose(*step, ctx=ring) for one in problem.exponents]
    return polynomial.compose(*_merged(ring, problem.first, exponents, step), ctx=ring)


class BranchAndBound:
    """Branch and bound for one problem. `deadline` is on the monotonic clock."""

    def __init__(self, problem: Problem, deadline: float) -> None:
        self.problem, self.deadline = problem, deadline
        self.factors = [(_Function(problem, one), power) for one, power in problem.factors]
        self.conditions = [(_Function(problem, one), signs) for one, signs in problem.conditions]
        self.exponents = [None if one is None else _Function(problem, one) for one in problem.exponents]
        self.boxes = 0

    def tree(self, box: Box) -> Tree:
        """A tree whose ends name what is certain there. Raises NoBoxError and BudgetSpentError."""
        with working_precision(BITS):
            return self._tree(box)

    def _tree(self, box: Box) -> Tree:
        self.boxes += 1
        if time.monotonic() > self.deadline:
            raise BudgetSpentError
        if self.boxes > MOST_BOXES:
            raise NoBoxError(f"more than {MOST_BOXES} boxes")
        values = self._values(box)
        bounds = {str(v): [str(low), str(high)] for v, (low, high) in box.items()}
        for k, (one, signs) in enumerate(self.conditions):
            sign = _sign(one.at(values))
            if sign is not None and sign not in signs:
                return [["condition", k, bounds]]
        if self.factors and not self._product(box, values) & self.problem.signs:
            return [["sign", bounds]]
        if not box:
            raise NoBoxError("nothing to halve")
        v = self._widest(box, values)
        low, high = box[v]
        if high - low < SMALLEST:
            raise NoBoxError(f"open near {', '.join(str(low) for low, _ in box.values())}"[:120])
        middle = (low + high) / 2
        halves = box | {v: (low, middle)}, box | {v: (middle, high)}
        return [["halves", v], *self._tree(halves[0]), *self._tree(halves[1])]

    def _values(self, box: Box) -> dict[int, Any]:
        values = {v: arb((low + high) / 2, (high - low) / 2) for v, (low, high) in box.items()}
        for k, exponent in enumerate(self.exponents):
            if exponent is not None and all(v in values for _, powers in exponent.terms for v, _ in powers):
                values[self.problem.first + k] = exponent.at(values).exp()
        return values

    def _product(self, box: Box, values: dict[int, Any]) -> Signs:
        signs: Signs = frozenset({1})
        zeros: dict[tuple[int, int | None], int] = {}
        for one, power in self.factors:
            found = self._sign_and_zeros(one, box, values, ())
            if found is None:  # one open factor leaves the product open
                return frozenset({-1, 0, 1})
            sign, vanishing = found
            signs = frozenset(s * sign**power for s in signs)
            for v, w, order in vanishing:
                zeros[v, w] = zeros.get((v, w), 0) + order * power
        for (v, w), order in zeros.items():
            signs = frozenset(s * t**order for s in signs for t in self._signs_of_difference(box, v, w))
        return signs

    def _sign_and_zeros(
        self, one: _Function, box: Box, values: dict[int, Any], moved: tuple[int, ...]
    ) -> tuple[int, list[tuple[int, int | None, int]]] | None:
        """A sign s and powers of differences v - w, such that the function has the sign of s times them; None if open.

        Of a function that vanishes with v - w the derivative is taken between w and v, where v has moved; differences that
        follow are of other numbers.
        """
        sign = _sign(one.at(values))
        if sign is None:
            sign = _sign(self._mean_value(one, box, values))
        if sign is not None:
            return sign, []
        for v, w, order, slope in one.vanishing:
            if v in moved or w in moved:
                continue
            least, most = (fmpq(0), fmpq(0)) if w is None else box[w]
            wide = box | {v: (min(box[v][0], least), max(box[v][1], most))}
            found = self._sign_and_zeros(slope, wide, self._values(wide), (*moved, v))
            if found is not None:
                return found[0], [(v, w, order), *found[1]]
        return None

    def _mean_value(self, one: _Function, box: Box, values: dict[int, Any]) -> Any:
        centre = {v: (low + high) / 2 for v, (low, high) in box.items()}
        total = one.at(self._values({v: (c, c) for v, c in centre.items()}))
        for v, slope in one.slopes.items():
            if slope.terms:
                total += slope.at(values) * (values[v] - arb(centre[v]))
        return total

    def _signs_of_difference(self, box: Box, v: int, w: int | None) -> Signs:
        """The signs of v - w, or of v, in the box where the conditions hold."""
        low, high = box[v]
        least, most = (fmpq(0), fmpq(0)) if w is None else box[w]
        signs = {s for s, may in ((1, high > least), (-1, low < most), (0, low <= most and least <= high)) if may}
        gens = self.problem.ring.gens()
        difference = gens[v] if w is None else gens[v] - gens[w]
        for given, known in self.problem.conditions:
            if given in (difference, -difference):
                signs &= known if given == difference else {-s for s in known}
        return frozenset(signs)

    def _widest(self, box: Box, values: dict[int, Any]) -> int:
        """The number in which halving promises most: width times slope of the factors whose signs are open."""
        scores = {v: float(high - low) for v, (low, high) in ((v, _floats(box[v])) for v in box)}
        for one, _ in self.factors:
            if _sign(one.at(values)) is None:
                for v, slope in one.slopes.items():
                    if v in box and slope.terms:
                        low, high = _floats(box[v])
                        scores[v] += (high - low) * float(slope.at(values).abs_upper())
        return max(box, key=lambda v: scores[v] if box[v][0] < box[v][1] else -1.0)


def _floats(ends: tuple[fmpq, fmpq]) -> tuple[float, float]:
    return tuple(int(end.p) / int(end.q) for end in ends)  # type: ignore[return-value]


def _sign(value: Any) -> int | None:
    return 1 if value > 0 else -1 if value < 0 else 0 if value.is_zero() else None
