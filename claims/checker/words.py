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

from dynamics.checker.matrices import factor_of_identity, is_definite, negative, plus, rank, transposed, unit
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


def identity(A: Rows) -> bool:
    """Whether A = I."""
    return factor_of_identity(A) == 1


def semidefinite(A: Rows) -> bool:
    """Symmetric with <Ax, x> >= 0."""
    return is_definite(A, strictly=False)


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
    # A name with an index stands for all entries: "x_i > 0" is said of each.
    if array := re.fullmatch(r"(gamma|beta|delta|dt|t|c|K|[a-z](?=_i|_j))(\^t|_k|_i|_j)?(\(0\))?", words):
        return lambda f: list(flat(getattr(f, array[1])))
    if size := re.fullmatch(r"\|(.*)\|", words):
        inside = _values(size[1])
        return None if inside is None else lambda f: [abs(value) for value in inside(f)]
    return None


def _relations(words: str) -> Test | None:
    """The meaning of a chain such as "0 < gamma <= 1"; None where it is none."""
    first, *others = re.split(r"\s(<=|>=|<|>|=)\s", words)
    # "c = B_11 > 0" says what c is called, and then what is asked.
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
    "is invertible": lambda A: rank(A) == len(A),
    "is symmetric": lambda A: transposed(A) == A,
    "is symmetric positive definite": is_definite,
    "is symmetric and > 0": is_definite,
    "is positive definite": is_definite,
    "is symmetric positive semidefinite": semidefinite,
    "is symmetric and >= 0": semidefinite,
    "is positive semidefinite": semidefinite,
    "is negative definite": lambda A: is_definite(negative(A)),
}

MATRIX = r"(?P<sum>I \+ )?(?P<minus>-)?(?P<name>Q\^T K|[A-Z])(?P<each>\^t)?(\(0\))?(?P<transpose> \+ (?P=name)\^T)?"


def _matrices(words: str) -> Test | None:
    """The meaning of "B is symmetric positive definite" and the like; None where it is nothing such."""
    # Matrices are named like this, too: "B_* = -B is symmetric".
    begun = next((word for word in DEFINED if words.startswith(f"{word} = ")), None)
    found = re.fullmatch(rf"{MATRIX} (?P<kind>.*)", words[len(begun) + 3 :] if begun else words)
    if found is None:
        return None
    name = "B" if found["name"] == "Q^T K" else found["name"]
    kind = KINDS.get("is symmetric" if found["kind"] == f"= {found['name']}^T" else found["kind"])
    if kind is None:
        return None

    def test(f: Any) -> bool:
        matrices = getattr(f, name) if found["each"] else [getattr(f, name)]
        for matrix in matrices:
            # I + A, -A or A + A^T, as the words say.
            A = negative(matrix) if found["minus"] else matrix
            A = plus(A, transposed(A)) if found["transpose"] else A
            if not kind(plus(unit(len(A)), A) if found["sum"] else A):
                return False
        return True

    return test


# ---------------------------------------------------------------------------------------------------------------------


def meaning(words: str) -> Test | None:
    """Whether plain instances are as the words say; None where they say something else. "and" joins relations."""
    # First, as "B = B^T" would also be split at its sign.
    if (test := _matrices(words)) is not None:
        return test
    parts = [_relations(part) for part in words.split(" and ")]
    if not all(parts):
        return None
    return lambda f: all(part(f) for part in parts if part is not None)
