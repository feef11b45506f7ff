"""Signed renamings of variables: what is shown of one system is shown of all that they make of it.

That the conditions of a system hold nowhere does not depend on how its variables are named, nor on which of them is called
minus itself. No formula has to be symmetric for that: a renamed system is compared with the one that is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from math import factorial, prod
from typing import Any

from claims.proving.symbols import ANY, Condition, Signs

Renaming = tuple[tuple[int, int], ...]
"""For each variable the number of that which takes its place, and 1 or -1: the sign that it gets."""

Terms = tuple[tuple[int, tuple[int, ...]], ...]
Known = dict[Terms, Signs]

MOST = 400  # of one system: 4! of tokens times 2! 2^2 of the plane are 192, and each is looked through for every system
TURNED = "d"  # the axis of coordinates, which may change their signs: scalar products do not notice it


def renamings(places: Sequence[tuple[str, tuple[str, ...], tuple[int, ...]]]) -> list[Renaming]:
    """The renamings of tokens, scores and coordinates, of variables told by their array, its axes and their place there.

    All places along an axis are permuted alike in all arrays, and coordinates are turned alike. Where these are too many
    only the identity is left.
    """
    lengths: dict[str, int] = {}
    for _, axes, place in places:
        for axis, k in zip(axes, place, strict=True):
            lengths[axis] = max(lengths.get(axis, 0), k + 1)
    turned = lengths.get(TURNED, 0)
    if prod(factorial(length) for length in lengths.values()) * 2**turned > MOST:
        return [tuple((k, 1) for k in range(len(places)))]
    numbers = {(array, place): k for k, (array, _, place) in enumerate(places)}
    found: dict[Renaming, None] = {}
    for orders in product(*(permutations(range(length)) for length in lengths.values())):
        order = dict(zip(lengths, orders, strict=True))
        for signs in product((1, -1), repeat=turned):
            images = []
            for array, axes, place in places:
                there = tuple(order[axis][k] for axis, k in zip(axes, place, strict=True))
                sign = prod(signs[k] for axis, k in zip(axes, place, strict=True) if axis == TURNED)
                images.append((numbers[array, there], sign))
            found[tuple(images)] = None
    return list(found)


def is_renaming(told: Any, variables: int) -> bool:
    """Whether plain data gives each variable the place of another, each place once, and a sign."""
    return (
        isinstance(told, list)
        and all(isinstance(one, list) and len(one) == 2 and all(type(x) is int for x in one) for one in told)
        and sorted(place for place, _ in told) == list(range(variables))
        and all(sign in (1, -1) for _, sign in told)
    )


def renamed(condition: Condition, renaming: Sequence[Sequence[int]]) -> Condition:
    """The condition of which every variable is replaced; those beyond the renaming stay."""
    terms = []
    for c, exponents in condition.terms:
        moved, sign = list(exponents), 1
        moved[: len(renaming)] = [0] * len(renaming)
        for power, (place, turn) in zip(exponents, renaming, strict=False):
            moved[place] += power
            if power % 2 and turn < 0:
                sign = -sign
        terms.append((tuple(moved), sign * c))
    terms.sort(reverse=True)
    # The first coefficient is positive, as it is in every condition: equal ones are found by their terms.
    turn = -1 if terms[0][1] < 0 else 1
    signs = condition.signs if turn > 0 else frozenset(-s for s in condition.signs)
    return Condition(tuple((turn * c, exponents) for exponents, c in terms), signs)


def known(conditions: Sequence[Condition]) -> Known:
    """The signs that conditions leave to each polynomial."""
    found: Known = {}
    for one in conditions:
        found[one.terms] = found.get(one.terms, ANY) & one.signs
    return found


def follows(given: tuple[Known, Sequence[Condition]], shown: tuple[Sequence[Condition], Sequence[Condition]]) -> bool:
    """Whether a system has no solution because another has none: conditions, and the violations of which one holds.

    So it is where every condition of the other is one of its own, or weaker, and every violation of its own is one of the
    other's, or stronger; or where the other has none.
    """
    conditions, violations = shown
    if any(not given[0].get(one.terms, ANY) <= one.signs for one in conditions):
        return False
    weaker: Known = {}  # the signs of a polynomial that one of the violations allows
    for one in violations:
        weaker[one.terms] = weaker.get(one.terms, frozenset()) | one.signs
    # Where nothing is violated on a path that is impossible, every violation of another is, too.
    return not violations or (bool(given[1]) and all(one.signs <= weaker.get(one.terms, frozenset()) for one in given[1]))


class ShownImpossible:
    """Systems that are shown to have no solution, by the answers of their paths, and what follows of them."""

    def __init__(self, group: Sequence[Renaming]) -> None:
        self._group = group
        self._numbers: dict[Terms, int] = {}
        self._images: list[tuple[frozenset[int], str, Renaming, list[Condition], list[Condition]]] = []

    def learn(self, answers: str, conditions: Sequence[Condition], violations: Sequence[Condition]) -> None:
        """Add the system of a path."""
        for one in self._group:
            images = [renamed(condition, one) for condition in conditions]
            broken = [renamed(condition, one) for condition in violations]
            self._images.append((self._of(images), answers, one, images, broken))

    def reason(self, conditions: Sequence[Condition], violations: Sequence[Condition]) -> tuple[str, Renaming] | None:
        """The path whose system, renamed so, shows that this one has no solution."""
        given, there = (known(conditions), violations), self._of(conditions)
        for polynomials, answers, renaming, *shown in self._images:
            # Most have a condition on what this system does not know: that is seen at once.
            if polynomials <= there and follows(given, (shown[0], shown[1])):
                return answers, renaming
        return None

    def _of(self, conditions: Sequence[Condition]) -> frozenset[int]:
        return frozenset(self._numbers.setdefault(one.terms, len(self._numbers)) for one in conditions)
