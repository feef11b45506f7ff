"""Exact matrices for the checker: Fractions in nested lists, and one elimination for all that is asked of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dynamics.checker.steps import Row, Rows, inner


def transposed(A: Rows) -> Rows:
    """The transpose."""
    return [list(column) for column in zip(*A, strict=True)]


def negative(A: Rows) -> Rows:
    """-A."""
    return [[-value for value in row] for row in A]


def plus(A: Rows, B: Rows) -> Rows:
    """A + B."""
    return [[a + b for a, b in zip(p, q, strict=True)] for p, q in zip(A, B, strict=True)]


def product(*factors: Rows) -> Rows:
    """The product of one or more matrices."""
    first, *others = factors
    for other in others:
        columns = list(zip(*other, strict=True))
        first = [[inner(row, column) for column in columns] for row in first]
    return first


def unit(size: int) -> Rows:
    """I."""
    return [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]


def diagonal(A: Rows) -> Row:
    """The entries on the diagonal of a diagonal matrix; none of another."""
    if any(value != 0 for i, row in enumerate(A) for j, value in enumerate(row) if i != j):
        return []
    return [row[i] for i, row in enumerate(A)]


def factor_of_identity(A: Rows) -> Any:
    """lambda where A = lambda I, else None."""
    entries = diagonal(A)
    return entries[0] if entries and all(value == entries[0] for value in entries) else None


def pivot(rows: Rows, k: int, column: int) -> None:
    """Make the entry of row k in a column 1, and all others of that column 0, by multiples of row k."""
    lead = rows[k][column]
    rows[k] = [value / lead for value in rows[k]]
    for i, row in enumerate(rows):
        if i != k and row[column] != 0:
            rows[i] = [a - row[column] * b for a, b in zip(row, rows[k], strict=True)]


def reduced(A: Rows, width: int | None = None) -> tuple[Rows, list[int]]:
    """The reduced echelon form without rows of zeros, and its pivots, in the first `width` columns or in all."""
    rows, pivots = [list(row) for row in A], list[int]()
    for column in range(len(A[0]) if A and width is None else width or 0):
        height = len(pivots)
        found = next((i for i in range(height, len(rows)) if rows[i][column] != 0), None)
        if found is None:
            continue
        rows[height], rows[found] = rows[found], rows[height]
        pivot(rows, height, column)
        pivots.append(column)
    # With fewer columns than all, what is left below the pivots is the right side of equations 0 = b.
    return rows[: len(pivots) if width is None else None], pivots


def rank(A: Rows) -> int:
    """The dimension of the span of the rows."""
    # Whole numbers are made Fractions: their quotients would be floats.
    return len(reduced([[Fraction(value) for value in row] for row in A])[1])


def solution(A: Rows, right: Rows) -> Rows | None:
    """Some X with A X = right, 0 where it is free; None where there is none."""
    width = len(A[0]) if A else 0  # a lemma may have no quantities of a kind: their matrix is empty, and its own inverse
    rows, pivots = reduced([[*row, *goal] for row, goal in zip(A, right, strict=True)], width)
    if any(value != 0 for row in rows[len(pivots) :] for value in row):
        return None
    found = [[Fraction(0)] * len(right[0]) for _ in range(width)]
    for row, column in zip(rows, pivots, strict=False):
        found[column] = row[width:]
    return found


def inverse(A: Rows) -> Rows | None:
    """The inverse; None for a singular matrix."""
    return solution(A, unit(len(A)))  # a singular one does not reach all of the unit vectors


def is_definite(A: Rows, strictly: bool = True) -> bool:
    """Whether A is symmetric with <Ax, x> > 0 for every x != 0, or >= 0 unless strictly: by its pivots."""
    rows = [list(row) for row in A]
    if transposed(A) != rows:
        return False
    for k, row in enumerate(rows):
        lead = row[k]
        # Beside a pivot of 0 an entry that is not 0 makes the form take both signs.
        if lead < 0 or (lead == 0 and (strictly or any(row[k:]))):
            return False
        for i in range(k + 1, len(rows)):
            if rows[i][k] != 0:
                factor = rows[i][k] / lead
                rows[i] = [a - factor * b for a, b in zip(rows[i], row, strict=True)]
    return True


def characteristic(A: Rows) -> Row:
    """The coefficients of det(x - A), the lowest first, by Faddeev and Le Verrier."""
    size = len(A)
    coefficients, M = [Fraction(1)], [[Fraction(0)] * size for _ in range(size)]
    for k in range(1, size + 1):
        M = plus(product(A, M), [[coefficients[-1] * one for one in row] for row in unit(size)])
        trace = sum((row[i] for i, row in enumerate(product(A, M))), Fraction(0))
        coefficients.append(-trace / k)
    return coefficients[::-1]
