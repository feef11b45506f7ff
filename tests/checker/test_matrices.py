"""The checker's exact matrices: all small matrices by the definitions, and planted bugs."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import prod

import pytest

from dynamics.checker import matrices, models
from dynamics.tokens.hardmax import HardmaxStep
from tests.planting import asked_of, facts_above


def by_permutations(A):
    """The determinant of a matrix of at most three rows, as it is defined."""
    signs = {(): 1, (0,): 1, (0, 1): 1, (1, 0): -1, (0, 1, 2): 1, (1, 2, 0): 1, (2, 0, 1): 1}
    signs |= {(0, 2, 1): -1, (1, 0, 2): -1, (2, 1, 0): -1}
    return sum(sign * prod(A[i][j] for i, j in enumerate(order)) for order, sign in signs.items() if len(order) == len(A))


def rows_of(entries):
    return [[Fraction(value) for value in entries[k : k + 3]] for k in (0, 3, 6)]


def definite_matrices_are_those_with_positive_minors(m):
    """All symmetric matrices of small whole numbers, and the same with another corner."""
    for a, b, c, x, y, z in product((0, 1, 2), (-1, 0, 1), (0, 1), (-1, 0, 1), (0, 1), (-1, 0, 1)):
        A = rows_of((a, x, y, x, b, z, y, z, c))
        some = [by_permutations([[A[i][j] for j in k] for i in k]) for n in (1, 2, 3) for k in combinations(range(3), n)]
        first = [by_permutations([row[:k] for row in A[:k]]) for k in (1, 2, 3)]
        assert m.is_definite(A, strictly=False) is (min(some) >= 0), A
        assert m.is_definite(A) is (min(first) > 0), A
        A[2][0] += 1
        assert not m.is_definite(A, strictly=False)
        assert not m.is_definite(A)


def equations_are_solved_where_they_can_be(m):
    # Of no quantities at all: lemmas about several kinds may have none of one.
    assert (m.inverse([]), m.solution([], []), m.rank([]), m.characteristic([])) == ([], [], 0, [1])
    # Nine entries of -1, 0 and 1 in steps prime to 3, which change all of them.
    for entries in list(product((-1, 0, 1), repeat=9))[::173]:
        A, right = rows_of(entries), [[entry] for entry in entries[:3]]
        regular, found, inverse = by_permutations(A) != 0, m.solution(A, right), m.inverse(A)
        assert (m.rank(A) == 3) is (inverse is not None) is regular
        # A singular matrix may reach a right side; where it is said to, it does.
        assert found is not None or not regular
        assert found is None or m.product(A, found) == right
        if regular:
            assert m.product(A, inverse) == m.product(inverse, A) == m.unit(3)
        # A singular matrix reaches its own columns, and not all of the unit vectors.
        column = [[row[0] - row[2]] for row in A]
        assert m.product(A, m.solution(A, column)) == column
        trace, (whole, _, slope, top) = sum(A[k][k] for k in range(3)), m.characteristic(A)
        assert (whole, slope, top) == (-by_permutations(A), -trace, 1)
        x = Fraction(2, 3)
        apart = m.plus(A, [[-x * one for one in row] for row in m.unit(3)])
        assert sum(c * x**k for k, c in enumerate(m.characteristic(A))) == -by_permutations(apart)


def one_entry_of_its_own_is_seen_wherever_it_stands(m):
    """On the diagonal, above it or below: no multiple of the identity, and diagonal only in the first case."""
    for i, j in product(range(3), repeat=2):
        for entry in (Fraction(0), Fraction(1, 8)):
            own = m.unit(3)
            own[i][j] += entry
            assert m.factor_of_identity(own) == (None if entry else 1)
            assert (m.diagonal(own) != []) is (i == j or not entry)


def ranks_are_seen_at_the_end_of_the_rows(m):
    assert m.rank([[0, 0, 1], [0, 0, 2]]) == m.rank([[0], [3]]) == 1
    assert m.rank([[0, 1], [2, 0], [4, 1]]) == 2
    assert m.rank([]) == m.rank([[0, 0]]) == 0


test_matrices, test_bugs_in_matrices = asked_of(matrices, facts_above(globals()), share=3)


@pytest.mark.parametrize("place", list(product(range(3), repeat=2)))
def test_a_step_that_is_no_multiple_of_the_identity_is_refused(place):
    own = matrices.unit(3)
    own[place[0]][place[1]] += Fraction(1, 8)
    step = HardmaxStep.instance(x=[[2, 1, 0], [-1, 2, 1], [0, -2, 1]], P=own)
    for averaging in (step.averaging, lambda: models._Hardmax.averaging(step)):
        with pytest.raises(ValueError, match="gamma I"):
            averaging()
