"""No step of three tokens ends at rest unless it began there, in any dimension: docs/tokens_on_a_line.md.

A pattern says who attends to whom. With A = I and delta = 1 it is a system in gamma and scalar products. Of these it is
used that |v|^2 >= 0 for combinations v of the tokens with small whole coefficients, which is linear in them: what has no
solution without the rest has none.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import pytest
from flint import fmpq, fmpq_poly

from dynamics.tokens.localmax import LocalmaxStep
from tests.planting import one_in
from tests.proving.solver_processes import solvers_or_skip

solvers_or_skip()

import z3  # noqa: E402 -- skipped without it

Pattern = tuple[tuple[int, ...], ...]

TOKENS = range(3)
SETS = [tuple(j for j in TOKENS if k >> j & 1) for k in range(1, 8)]

APART: Pattern = ((0,), (1,), (2,))
MIDPOINT: Pattern = ((0,), (1,), (0, 1, 2))
PAIR: Pattern = ((0, 2), (1,), (0, 2))
TOGETHER: Pattern = ((0, 1, 2),) * 3

PLACES = {
    MIDPOINT: [(fmpq(1), fmpq(0)), (fmpq(0), fmpq(1)), (fmpq(1, 2), fmpq(1, 2))],
    PAIR: [(fmpq(1), fmpq(0)), (fmpq(0), fmpq(1)), (fmpq(1), fmpq(0))],
}
"""The tokens at rest as combinations of two of them."""

SOME = 24
"""One in so many patterns is decided by default."""

G = z3.Real("gamma")
"""The step size."""


def number(value: Any) -> Any:
    value = fmpq(value)
    return z3.Q(int(value.p), int(value.q))


def polynomial(p: fmpq_poly) -> Any:
    found = z3.RealVal(0)
    for coefficient in reversed(p.coeffs()):
        found = found * G + number(coefficient)
    return found


def renamed(pattern: Pattern, names: tuple[int, ...]) -> Pattern:
    found = [()] * 3
    for i in TOKENS:
        found[names[i]] = tuple(sorted(names[j] for j in pattern[i]))
    return tuple(found)


def firsts(after: Pattern) -> list[Pattern]:
    """The patterns before the step, one of those that only names tell apart."""
    names = [one for one in permutations(TOKENS) if renamed(after, one) == after]
    return sorted({min(renamed(pattern, one) for one in names) for pattern in product(SETS, repeat=3)})


def has_resting_neighbours(pattern: Pattern, after: Pattern) -> bool:
    """Whether a token that ends as a leader moves, while its neighbours do not: a lemma of the docs excludes it."""
    leaders = [i for i in TOKENS if after[i] == (i,)]
    return any(pattern[i] != (i,) and all(pattern[j] == (j,) for j in pattern[i] if j != i) for i in leaders)


def motion(pattern: Pattern) -> list[list[fmpq_poly]]:
    """(1 - gamma) I + gamma W."""
    x = fmpq_poly([0, 1])
    return [
        [(1 - x) * int(i == j) + (x * fmpq(1, len(pattern[i])) if j in pattern[i] else 0 * x) for j in TOKENS]
        for i in TOKENS
    ]


def cofactors(M: list[list[fmpq_poly]]) -> list[list[fmpq_poly]]:
    (a, b, c), (d, e, f), (g, h, i) = M
    return [
        [e * i - f * h, f * g - d * i, d * h - e * g],
        [c * h - b * i, a * i - c * g, b * g - a * h],
        [b * f - c * e, c * d - a * f, a * e - b * d],
    ]


def attending(scores: Any, pattern: Pattern, delta: Any) -> Iterator[Any]:
    """Who attends to whom: gaps of neighbours are at most delta, all others are more."""
    for i, j in product(TOKENS, repeat=2):
        if j in pattern[i]:
            yield from (scores[i][k] - scores[i][j] <= delta for k in pattern[i])
        else:
            yield z3.Or([scores[i][k] - scores[i][j] > delta for k in pattern[i]])


def lengths(gram: Any, size: int) -> Iterator[Any]:
    """|v|^2 >= 0 for small combinations v."""
    for v in product(range(-2, 3), repeat=size):
        if any(v):
            yield sum(v[i] * v[j] * gram[i][j] for i in range(size) for j in range(size)) >= 0


def symmetric(size: int) -> Any:
    return [[z3.Real(f"g_{min(i, j)}_{max(i, j)}") for j in range(size)] for i in range(size)]


def has_no_solution(*conditions: Any) -> bool:
    solver = z3.Tactic("qfnra-nlsat").solver()
    solver.set("timeout", 60_000)
    solver.add(G > 0, G < 1, *conditions)
    return bool(solver.check() == z3.unsat)


def products(rows: Any, gram: Any) -> Any:
    """Scalar products of combinations of vectors with this Gram matrix."""
    size = range(len(gram))
    half = [[sum(row[k] * gram[k][j] for k in size) for j in size] for row in rows]
    return [[sum(one[k] * row[k] for k in size) for row in rows] for one in half]


def from_the_start(pattern: Pattern, after: Pattern, *more: Any) -> bool:
    """No solution in the scalar products before the step. What rests is asked for by linear equations."""
    gram = symmetric(3)
    rows = [[polynomial(entry) for entry in row] for row in motion(pattern)]
    ends = [[sum(rows[i][k] * gram[k][j] for k in TOKENS) for j in TOKENS] for i in TOKENS]
    rest = [ends[i][j] * len(after[i]) == sum(ends[k][j] for k in after[i]) for i, j in product(TOKENS, repeat=2)]
    then = attending(products(rows, gram), after, 1)
    return has_no_solution(*more, *attending(gram, pattern, 1), *then, *rest, *lengths(gram, 3))


def is_excluded(pattern: Pattern, after: Pattern) -> bool:
    """Whether no step with this pattern moves a token and ends at rest with the other."""
    if has_resting_neighbours(pattern, after):
        return True
    if after == APART:
        return pattern == APART or from_the_start(pattern, after)
    M = motion(pattern)
    cofactor = cofactors(M)
    determinant = sum((M[0][j] * cofactor[0][j] for j in TOKENS), fmpq_poly([0]))
    zero = polynomial(determinant) == 0
    if not has_no_solution(zero) and not from_the_start(pattern, after, zero):
        return False
    # Where the determinant is not zero the start is a combination of what it ends at.
    if after in (TOGETHER, pattern):
        return True
    ends, gram = PLACES[after], symmetric(2)
    starts = [
        [polynomial(sum((cofactor[k][i] * ends[k][e] for k in TOKENS), fmpq_poly([0]))) for e in (0, 1)] for i in TOKENS
    ]
    then = attending(products([[number(x) for x in row] for row in ends], gram), after, 1)
    scale = polynomial(determinant)
    before = attending(products(starts, gram), pattern, scale * scale)
    return has_no_solution(scale != 0, *then, *before, *lengths(gram, 2))


@pytest.mark.parametrize("after", [APART, MIDPOINT, PAIR, TOGETHER])
def test_no_pattern_of_three_tokens_ends_at_rest(after):
    for pattern in one_in(SOME, firsts(after)):
        assert is_excluded(pattern, after), pattern


@pytest.mark.parametrize("pattern", [APART, TOGETHER])
def test_what_keeps_its_neighbours_solves_its_system(pattern):
    """Leaders rest and all attend to all for ever: systems that exclude these would exclude anything."""
    gram = symmetric(3)
    rows = [[polynomial(entry) for entry in row] for row in motion(pattern)]
    then = attending(products(rows, gram), pattern, 1)
    assert not has_no_solution(*attending(gram, pattern, 1), *then, *lengths(gram, 3))


def test_what_is_asked_of_scores_is_so_of_the_neighbours_of_the_model_alone():
    """Each token is asked for itself: patterns that are wrong about one token are enough."""
    draws = random.Random(0)
    for _ in range(8):
        z = [[draws.randint(-2, 2) for _ in range(2)] for _ in TOKENS]
        f = LocalmaxStep.instance(z=z, gamma="1/2", delta=draws.randint(1, 4))
        scores = [[number(score) for score in row] for row in f.scores()]
        right = tuple(tuple(j for j in TOKENS if row[j]) for row in f.neighbours())
        for i, who in product(TOKENS, SETS):
            pattern = (*right[:i], who, *right[i + 1 :])
            asked = z3.simplify(z3.And(*attending(scores, pattern, number(f.delta.item()))))
            assert z3.is_true(asked) == (pattern == right), pattern


@pytest.mark.parametrize("after", [APART, MIDPOINT, PAIR, TOGETHER])
def test_names_lose_no_pattern(after):
    kept = [one for one in permutations(TOKENS) if renamed(after, one) == after]
    found = {renamed(pattern, one) for pattern in firsts(after) for one in kept}
    assert found == set(product(SETS, repeat=3))


def test_cofactors_turn_ends_into_starts():
    for pattern in product(SETS, repeat=3):
        M = motion(pattern)
        cofactor = cofactors(M)
        turned = [[sum(M[i][k] * cofactor[j][k] for k in TOKENS) for j in TOKENS] for i in TOKENS]
        assert all(turned[i][j] == (turned[0][0] if i == j else 0) for i, j in product(TOKENS, repeat=2))
        assert turned[0][0](0) == 1
