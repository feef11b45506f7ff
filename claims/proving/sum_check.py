"""Checks a refutation of polynomial conditions: in fractions, from plain data, with nothing of the search and no solver.

A refutation is a sum of products. By the conditions each product is zero, at least zero or positive; one of them is
positive; and the sum vanishes identically. So the conditions hold nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any

Powers = tuple[int, ...]  # the powers of the variables in a monomial, without zeros at the end
Polynomial = dict[Powers, Fraction]
Terms = Iterable[Sequence[Any]]  # a polynomial as plain data: coefficients and powers
MOST_PRODUCTS = 1_000_000  # of terms, in one product of polynomials: a file may ask for more than a lifetime of them
ZERO, LEAST, POSITIVE = "zero", "at least zero", "positive"
ONE: Polynomial = {(): Fraction(1)}


class SumError(ValueError):
    """A sum does not refute its conditions; the message says why."""


def check_sum(conditions: Iterable[tuple[Terms, Iterable[int]]], told: Any) -> None:
    """Raise SumError, TypeError, ValueError or LookupError unless the sum refutes the conditions: polynomials, signs.

    `told["fixed"]` has numbers of equations, each with a variable that it gives and that is put in. `told["sum"]` has of
    each product a factor, the numbers of the conditions that are multiplied, and the polynomial by whose square they are
    multiplied: by itself where one of the conditions is an equation.
    """
    # Only what is used is read: a path may have thousands of conditions.
    every = list(conditions)
    used = [number for number, _ in told["fixed"]] + [number for _, numbers, _ in told["sum"] for number in numbers]
    for number in used:
        if type(number) is not int or not 0 <= number < len(every):
            raise SumError(f"there is no condition {number}")
    known = {number: (_read(every[number][0]), frozenset(every[number][1])) for number in used}
    for number, v in told["fixed"]:
        polynomial, signs = known[number]
        if signs != {0}:
            raise SumError(f"condition {number} is no equation")
        value = _solved(polynomial, v)
        known = {k: (_put_in(one, v, value), others) for k, (one, others) in known.items()}
    total: Polynomial = {}
    is_positive = False
    for factor, numbers, cofactor in told["sum"]:
        facts = [_fact(*known[number]) for number in numbers]
        kinds = {kind for _, kind in facts}
        times, product = Fraction(factor), _read(cofactor)
        # What is zero may be taken any number of times; of what has a sign, only a square keeps it.
        if ZERO not in kinds:
            if times < 0:
                raise SumError("what is at least zero is subtracted")
            is_positive |= times > 0 and LEAST not in kinds and product == ONE
            product = _multiplied(product, product)
        for polynomial, _ in facts:
            product = _multiplied(product, polynomial)
        total = _added(total, product, times)
    if total:
        raise SumError("the sum does not vanish")
    if not is_positive:
        raise SumError("no product is positive")


def _fact(polynomial: Polynomial, signs: frozenset[int]) -> tuple[Polynomial, str]:
    """What a condition says: of its polynomial, of minus it, or of its square."""
    if signs == {0}:
        return polynomial, ZERO
    if signs in ({1}, {0, 1}):
        return polynomial, LEAST if 0 in signs else POSITIVE
    if signs in ({-1}, {-1, 0}):
        return _added({}, polynomial, Fraction(-1)), LEAST if 0 in signs else POSITIVE
    if signs == {-1, 1}:
        return _multiplied(polynomial, polynomial), POSITIVE
    raise SumError("a condition without a sign is multiplied")


def _powers(exponents: Iterable[Any]) -> Powers:
    found = list(exponents)
    if any(type(power) is not int or power < 0 for power in found):
        raise SumError("a power is no natural number")
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def _read(terms: Terms) -> Polynomial:
    found: Polynomial = {}
    for c, exponents in terms:
        powers = _powers(exponents)
        found[powers] = found.get(powers, Fraction(0)) + Fraction(c)
    return {powers: c for powers, c in found.items() if c}


def _added(one: Polynomial, other: Polynomial, times: Fraction) -> Polynomial:
    found = dict(one)
    for powers, c in other.items():
        found[powers] = found.get(powers, Fraction(0)) + times * c
    return {powers: c for powers, c in found.items() if c}


def _multiplied(one: Polynomial, other: Polynomial) -> Polynomial:
    if len(one) * len(other) > MOST_PRODUCTS:
        raise SumError("polynomials of too many terms are multiplied")
    found: Polynomial = {}
    for p, c in one.items():
        for q, e in other.items():
            powers = tuple(a + b for a, b in zip_longest(p, q, fillvalue=0))
            found[powers] = found.get(powers, Fraction(0)) + c * e
    return {powers: c for powers, c in found.items() if c}


def _solved(polynomial: Polynomial, v: Any) -> Polynomial:
    """What a variable is equal to where the polynomial vanishes. Raises SumError unless c v, c a number, alone has it."""
    # A negative number would be one variable here, and another where it is put in.
    if type(v) is not int or v < 0:
        raise SumError(f"there is no variable {v}")
    with_it = [powers for powers in polynomial if len(powers) > v and powers[v]]
    if len(with_it) != 1 or sum(with_it[0]) != 1:
        raise SumError(f"the equation does not give variable {v}")
    (alone,) = with_it
    slope = polynomial[alone]
    return _added({}, {powers: c for powers, c in polynomial.items() if powers != alone}, -1 / slope)


def _put_in(polynomial: Polynomial, v: int, value: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for powers, c in polynomial.items():
        power = powers[v] if len(powers) > v else 0
        term: Polynomial = {_powers([0 if k == v else p for k, p in enumerate(powers)]): c}
        for _ in range(power):
            term = _multiplied(term, value)
        found = _added(found, term, Fraction(1))
    return found
