"""Refutations without a solver: sums of products that are positive by the conditions of a path, and vanish identically.

Linear programming in floats proposes which products, with which factors; the factors are solved for in rationals, and what
is found is checked by :mod:`claims.proving.sum_check`. docs/proofs.md says why a sum refutes its conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import scipy  # its parts are loaded when they are used
from flint import Ordering, fmpq, fmpq_mat, fmpq_mpoly_ctx

from claims.proving.sum_check import SumError, check_sum
from claims.proving.symbols import Condition

SMALL = 1e-8  # below which a factor that linear programming proposes is taken to be zero: it works to about 1e-9
MOST_PRODUCTS = 4000  # that one linear program may choose from: some seconds
MOST_TERMS = 60  # of a polynomial that is multiplied with others: each of them would be a row of the program
MOST_MONOMIALS = 64  # in positive variables, that conditions and squares are multiplied with, each with each
# How many products are tried, one level after another: most sums need none, and are found at once.
LEVELS = (0, 1, 3)
SECONDS = 5.0  # of one linear program

Refutation = dict[str, Any]  # what `check_sum` reads
ZERO, LEAST, POSITIVE = range(3)


@dataclass(frozen=True)
class _Product:
    """What is zero, at least zero or positive by some conditions: their numbers, a cofactor, and the polynomial."""

    numbers: tuple[int, ...]
    cofactor: Any
    value: Any
    kind: int


class Sums:
    """A search for refutations of conditions in the same variables, which remembers polynomials."""

    def __init__(self, variables: int) -> None:
        self._ring = fmpq_mpoly_ctx.get(tuple(f"x{v}" for v in range(variables)), Ordering.lex)
        self._one = self._ring.constant(1)
        self._gens = self._ring.gens()
        self._monomials: dict[tuple[int, ...], int] = {}

    def refutation(self, conditions: Sequence[Condition], levels: Sequence[int] = LEVELS) -> Refutation | None:
        """A sum that refutes the conditions, of products of these levels; None where none is found."""
        fixed, facts = self._facts(conditions)
        products = [_Product((), self._one, self._one, POSITIVE), *facts]
        for level in levels:
            products += self._more(facts, level)
            if len(products) > MOST_PRODUCTS:
                return None
            factors = self._factors(products)
            if factors:
                told = []
                for k, factor in factors:
                    terms = [[str(c), list(map(int, powers))] for powers, c in products[k].cofactor.to_dict().items()]
                    told.append([str(factor), list(products[k].numbers), terms])
                found = {"fixed": fixed, "sum": told}
                try:
                    check_sum([(one.terms, one.signs) for one in conditions], found)
                except SumError:  # of more terms than are multiplied there
                    continue
                return found
        return None

    def _facts(self, conditions: Sequence[Condition]) -> tuple[list[list[int]], list[_Product]]:
        """Equations that give a variable, with it, and what the conditions say when it is put in."""
        size = len(self._gens)
        known: list[tuple[Any, Any]] = [
            (self._ring.from_dict({powers[:size]: fmpq(c) for c, powers in one.terms}), one.signs) for one in conditions
        ]
        fixed: list[list[int]] = []
        while (given := self._given(known)) is not None:
            number, v, value = given
            fixed.append([number, v])
            at = [*self._gens[:v], value, *self._gens[v + 1 :]]
            known = [(one.compose(*at) if one.degrees()[v] else one, signs) for one, signs in known]
        found = []
        for number, (polynomial, signs) in enumerate(known):
            if signs == {0}:
                if polynomial != 0:
                    found.append(_Product((number,), self._one, polynomial, ZERO))
            elif signs == {-1, 1}:
                if len(polynomial) <= MOST_TERMS:
                    found.append(_Product((number,), self._one, polynomial * polynomial, POSITIVE))
            elif 0 < len(signs) < 3:
                turned = polynomial if 1 in signs else -polynomial
                found.append(_Product((number,), self._one, turned, LEAST if 0 in signs else POSITIVE))
        return fixed, found

    def _given(self, known: Sequence[tuple[Any, Any]]) -> tuple[int, int, Any] | None:
        for number, (polynomial, signs) in enumerate(known):
            if signs == {0} and polynomial != 0:
                degrees = polynomial.degrees()
                for v, gen in enumerate(self._gens):
                    if degrees[v] == 1:
                        slope = polynomial.derivative(v)
                        if slope.is_constant():
                            c = slope.leading_coefficient()
                            return number, v, gen - polynomial / c
        return None

    def _more(self, facts: Sequence[_Product], level: int) -> Iterator[_Product]:
        """Products of what the conditions say, and squares; more of them at a higher level."""
        small = [one for one in facts if len(one.value) <= MOST_TERMS]
        # Products with linear bounds are few, and what papers multiply by hand.
        bounds = [one for one in small if one.kind != ZERO and one.value.total_degree() == 1]
        used = sorted({v for one in facts for v, power in enumerate(one.value.degrees()) if power})
        squares = [self._square(self._gens[v]) for v in used]
        for v, w in combinations(used, 2):
            squares += [self._square(self._gens[v] - self._gens[w]), self._square(self._gens[v] + self._gens[w])]
        if level == 0:
            yield from squares
        if level == 1:
            for one in small:
                yield from (self._times(one, bound) for bound in bounds)
                if one.kind == ZERO:
                    yield from (_Product(one.numbers, self._gens[v], one.value * self._gens[v], ZERO) for v in used)
            yield from (self._times(bound, square) for bound in bounds for square in squares)
        if level == 2:
            for one, other in combinations_with_replacement(small, 2):
                if one not in bounds and other not in bounds:
                    yield self._times(one, other)
        if level == 3:
            # Exponentials in denominators, as of 1 / (1 + e^-x), stand in each term as factors of others.
            for monomial in self._monomials_of(facts):
                yield monomial
                yield from (self._times(monomial, square) for square in squares)
                yield from (self._times(monomial, one) for one in small)

    def _monomials_of(self, facts: Sequence[_Product]) -> list[_Product]:
        """What positive variables contribute to terms of the conditions, as products of theirs: few, or none."""
        bounds = [one for one in facts if one.kind == POSITIVE and one.value.total_degree() == 1]
        positive = {v: one for one in bounds for v, gen in enumerate(self._gens) if one.value == gen}
        shares = {
            tuple((v, powers[v]) for v in positive if powers[v])
            for one in facts
            for powers, _ in one.value.to_dict().items()
        }
        found = [share for share in shares if share]
        if not any(len(share) > 1 for share in found) or len(found) > MOST_MONOMIALS:
            return []
        made = []
        for share in sorted(found):
            product = _Product((), self._one, self._one, POSITIVE)
            for v, power in share:
                for _ in range(power):
                    product = self._times(product, positive[v])
            made.append(product)
        return made

    def _square(self, polynomial: Any) -> _Product:
        return _Product((), polynomial, polynomial * polynomial, LEAST)

    def _times(self, one: _Product, other: _Product) -> _Product:
        kind = min(one.kind, other.kind)
        return _Product((*one.numbers, *other.numbers), one.cofactor * other.cofactor, one.value * other.value, kind)

    def _factors(self, products: Sequence[_Product]) -> list[tuple[int, fmpq]]:
        """Factors, by number, with which the products add up to zero, a positive one among them; none where none are."""
        columns = [{self._monomial(powers): c for powers, c in one.value.to_dict().items()} for one in products]
        scales = [max((abs(c) for c in one.values()), default=fmpq(1)) for one in columns]
        rows = {m: k for k, m in enumerate(dict.fromkeys(m for one in columns for m in one))}
        entries = [
            (_near(c / scale), rows[m], k)
            for k, (one, scale) in enumerate(zip(columns, scales, strict=True))
            for m, c in one.items()
        ]
        values, places, numbers = zip(*entries, strict=True)
        matrix = scipy.sparse.csc_matrix((values, (places, numbers)), shape=(len(rows), len(products)))
        positive = np.array([one.kind == POSITIVE for one in products], dtype=float)
        # The factors of positive products add up to 1 at most, and are as large as possible: 1, or 0 where no sum refutes.
        answer = scipy.optimize.linprog(
            -positive,
            A_ub=positive[None, :],
            b_ub=[1.0],
            A_eq=matrix,
            b_eq=np.zeros(len(rows)),
            bounds=[(None if one.kind == ZERO else 0, None) for one in products],
            method="highs-ds",  # the simplex method ends in a vertex: few products, whose factors are rational
            options={"time_limit": SECONDS},
        )
        if answer.status != 0 or answer.fun > -0.5:
            return []
        chosen = [k for k, x in enumerate(answer.x) if abs(x) > SMALL]
        return self._solved([(k, columns[k], products[k].kind) for k in chosen])

    def _monomial(self, powers: tuple[int, ...]) -> int:
        return self._monomials.setdefault(powers, len(self._monomials))

    def _solved(self, chosen: Sequence[tuple[int, dict[int, fmpq], int]]) -> list[tuple[int, fmpq]]:
        rows = list(dict.fromkeys(m for _, column, _ in chosen for m in column))
        table: list[list[Any]] = [[column.get(m, 0) for _, column, _ in chosen] + [0] for m in rows]
        table.append([int(kind == POSITIVE) for *_, kind in chosen] + [1])
        reduced, rank = fmpq_mat(table).rref()
        found = [fmpq(0)] * len(chosen)
        for i in range(rank):
            lead = next((j for j in range(len(chosen)) if reduced[i, j] != 0), None)
            if lead is None:
                return []
            found[lead] = reduced[i, len(chosen)]
        if any(factor < 0 and kind != ZERO for factor, (*_, kind) in zip(found, chosen, strict=True)):
            return []
        return [(k, factor) for factor, (k, *_) in zip(found, chosen, strict=True) if factor != 0]


def _near(number: fmpq) -> float:
    # Python divides integers of any length; each as a float might be beyond the range.
    return int(number.p) / int(number.q)
