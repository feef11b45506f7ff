"""What the words of an assumption mean, read from the words themselves: relations of numbers, and kinds of matrices.

"0 < gamma <= 1", "n >= 2", "V_11 > 0", "B = B^T", "-Q^T K is symmetric positive definite": who writes an assumption in such
words need not state it again for the checker. Instances are plain: Fractions in nested lists, by the names of arrays.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dynamics.checker import polytopes
from dynamics.checker.steps import Rows

Test = Callable[[Any], bool]
Values = Callable[[Any], list[Fraction]]

# ---------------------------------------------------------------------------------------------------------------------
# Arrays


def flat(value: Any) -> Iterator[Fraction]:
    """The numbers in nested lists."""
    if isinstance(value, list):
        for entry in value:
            yield from flat(entry)
    else:
        yield value


def all_zero(value: Any) -> bool:
    """Whether every number is 0."""
    return all(entry == 0 for entry in flat(value))


def tokens(f: Any) -> Rows:
    """The tokens: z of a rescaled flow or step, x of another."""
    return list(f.z if hasattr(f, "z") else f.x)


def transposed(A: Rows) -> Rows:
    """The transpose."""
    return [list(column) for column in zip(*A, strict=True)]


def negative(A: Rows) -> Rows:
    """-A."""
    return [[-value for value in row] for row in A]


def plus(A: Rows, B: Rows) -> Rows:
    """A + B."""
    return [[a + b for a, b in zip(p, q, strict=True)] for p, q in zip(A, B, strict=True)]


def symmetric(A: Rows) -> bool:
    """Whether A is its transpose."""
    return transposed(A) == A


def pivots(A: Rows) -> list[Fraction] | None:
    """The pivots of symmetric elimination; None where a zero pivot stands in a row that is not zero."""
    work, pivots = [list(row) for row in A], []
    while work:
        lead = work[0][0]
        if lead == 0 and any(work[0]):
            return None
        pivots.append(lead)
        work = [
            [b - (row[0] * a / lead if lead else 0) for a, b in zip(work[0][1:], row[1:], strict=True)] for row in work[1:]
        ]
    return pivots


def definite(A: Rows) -> bool:
    """Symmetric with <Ax, x> > 0 for x != 0."""
    found = pivots(A) if symmetric(A) else None
    return found is not None and all(pivot > 0 for pivot in found)


def semidefinite(A: Rows) -> bool:
    """Symmetric with <Ax, x> >= 0."""
    found = pivots(A) if symmetric(A) else None
    return found is not None and all(pivot >= 0 for pivot in found)


def identity(A: Rows) -> bool:
    """Whether A = I."""
    return all(value == (i == j) for i, row in enumerate(A) for j, value in enumerate(row))


def scalar(A: Rows) -> bool:
    """Whether A is a multiple of I."""
    return all(value == (A[0][0] if i == j else 0) for i, row in enumerate(A) for j, value in enumerate(row))


def diagonal(A: Rows) -> bool:
    """Whether A is diagonal."""
    return all(value == 0 for i, row in enumerate(A) for j, value in enumerate(row) if i != j)


def eye_minus(A: Rows, sign: int) -> Rows:
    """I + sign A."""
    return [[(i == j) + sign * value for j, value in enumerate(row)] for i, row in enumerate(A)]


def invertible(A: Rows) -> bool:
    """Whether A has full rank."""
    return polytopes.rank(A) == len(A)


def determinant(A: Rows) -> Fraction:
    """The determinant, by elimination."""
    work, value = [list(row) for row in A], Fraction(1)
    for k in range(len(work)):
        place = next((i for i in range(k, len(work)) if work[i][k] != 0), None)
        if place is None:
            return Fraction(0)
        if place != k:
            work[k], work[place], value = work[place], work[k], -value
        value *= work[k][k]
        for i in range(k + 1, len(work)):
            factor = work[i][k] / work[k][k]
            work[i] = [a - factor * b for a, b in zip(work[i], work[k], strict=True)]
    return value


def characteristic(A: Rows) -> list[Fraction]:
    """det(c I - A) for c = 0, ..., d, which fixes the eigenvalues."""
    return [
        determinant([[c * (i == j) - value for j, value in enumerate(row)] for i, row in enumerate(A)])
        for c in range(len(A) + 1)
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Relations of numbers: every value on the left to every one on the right

RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}

SIZES: dict[str, Callable[[Any], int]] = {
    "n": lambda f: len(tokens(f)),
    "d": lambda f: len((tokens(f) if hasattr(f, "z") or hasattr(f, "x") else f.V)[0]),
    "p": lambda f: len(f.a),
    "T": lambda f: len(f.visible),
}

DEFINED = ("lambda", "c", "<Q phi_1, K phi_1>", "B_*", "B_*^t")
"""What is only named by an equation at the beginning: "c = B_11 > 0"."""


def _values(words: str) -> Values | None:
    """What a term stands for: one number, or the entries of an array of which something is said for each of them."""
    if re.fullmatch(r"-?\d+(/\d+)?", words):
        return lambda f: [Fraction(words)]
    if power := re.fullmatch(r"2\^(-?\d+)", words):
        return lambda f: [Fraction(2) ** int(power[1])]
    if words in SIZES:
        return lambda f: [Fraction(SIZES[words](f))]
    if entry := re.fullmatch(r"([A-Z])_(11|kk)", words):
        only = 1 if entry[2] == "11" else None
        return lambda f: [row[k] for k, row in enumerate(getattr(f, entry[1])[:only])]
    if array := re.fullmatch(r"(gamma|beta|delta|dt|t|c|K|[a-z](?=_i|_j))(\^t|_k|_i|_j)?(\(0\))?", words):
        return lambda f: list(flat(getattr(f, array[1])))
    if size := re.fullmatch(r"\|(.*)\|", words):
        inside = _values(size[1])
        return None if inside is None else lambda f: [abs(value) for value in inside(f)]
    return None


def _relations(words: str) -> Test | None:
    """The meaning of a chain such as "0 < gamma <= 1"; None where it is none."""
    first, *others = re.split(r"\s(<=|>=|<|>|=)\s", words)
    if first in DEFINED and others[:1] == ["="] and len(others) > 2:
        first, *others = others[1:]
    terms = [_values(term) for term in (first, *others[1::2])]
    relations = [RELATIONS[sign] for sign in others[::2]]
    if not relations or not all(terms):
        return None

    def test(f: Any) -> bool:
        values = [term(f) for term in terms if term is not None]
        return all(
            relation(a, b) for relation, (p, q) in zip(relations, pairwise(values), strict=True) for a in p for b in q
        )

    return test


# ---------------------------------------------------------------------------------------------------------------------
# Kinds of matrices

KINDS: dict[str, Callable[[Rows], bool]] = {
    "= I": identity,
    "= -I": lambda A: identity(negative(A)),
    "= 0": all_zero,
    "!= 0": lambda A: not all_zero(A),
    "is not zero": lambda A: not all_zero(A),
    "is invertible": invertible,
    "is symmetric": symmetric,
    "is symmetric positive definite": definite,
    "is symmetric and > 0": definite,
    "is positive definite": definite,
    "is symmetric positive semidefinite": semidefinite,
    "is symmetric and >= 0": semidefinite,
    "is positive semidefinite": semidefinite,
    "is negative definite": lambda A: definite(negative(A)),
}

MATRIX = r"(?P<sum>I \+ )?(?P<minus>-)?(?P<name>Q\^T K|[A-Z])(?P<each>\^t)?(\(0\))?(?P<transpose> \+ (?P=name)\^T)?"


def _matrices(words: str) -> Test | None:
    """The meaning of "B is symmetric positive definite" and the like; None where it is nothing such."""
    begun = next((word for word in DEFINED if words.startswith(f"{word} = ")), None)
    found = re.fullmatch(rf"{MATRIX} (?P<kind>.*)", words[len(begun) + 3 :] if begun else words)
    if found is None:
        return None
    name = "B" if found["name"] == "Q^T K" else found["name"]
    kind = symmetric if found["kind"] == f"= {found['name']}^T" else KINDS.get(found["kind"])
    if kind is None:
        return None

    def test(f: Any) -> bool:
        array = getattr(f, name)
        return all(kind(_changed(A, found)) for A in (array if found["each"] else [array]))

    return test


def _changed(A: Rows, found: re.Match[str]) -> Rows:
    """I + A, -A or A + A^T, as it was found."""
    A = negative(A) if found["minus"] else A
    A = plus(A, transposed(A)) if found["transpose"] else A
    return eye_minus(A, 1) if found["sum"] else A


# ---------------------------------------------------------------------------------------------------------------------


def meaning(words: str) -> Test | None:
    """Whether plain instances are as the words say; None where they say something else. "and" joins relations."""
    if (test := _matrices(words)) is not None:
        return test
    parts = [_relations(part) for part in words.split(" and ")]
    if not all(parts):
        return None
    return lambda f: all(part(f) for part in parts if part is not None)
