"""Polytopes: vertices, edges, faces, least points and cells, against the checker's statement of them and with planted bugs.

Each fact is a function of the module. The module as it stands satisfies all of them; each planted bug must break one.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from dynamics import polytopes
from dynamics.arithmetic import FLOAT64, MULTIPRECISION, exact, fraction
from dynamics.checker import polytopes as again
from tests.planting import bugs_of, facts_above, noticed, one_in, survivors


def minus(p, q):
    return [a - b for a, b in zip(p, q, strict=True)]


def dot(p, q):
    return sum((a * b for a, b in zip(p, q, strict=True)), Fraction(0))


def edges_again(points):
    return [(v, w) for v, w in combinations(again.vertices(points), 2) if again.is_edge(points, v, w)]


# ---------------------------------------------------------------------------------------------------------------------
# Clouds of points, the degenerate ones first

# Far below the tolerance of a linear program, 1e-7: the proposals are wrong, and rationals have to notice.
TINY = Fraction(1, 2**40)

CLOUDS = [
    [[3]],
    [[3], [3]],
    [[0], [0], [0]],
    [[1], [-2], [0], [1], ["1/3"]],
    [[1, 2]],
    [[0, 0], [0, 0]],
    [[0, 0], [1, 1]],
    [[0, 0], [1, 1], [2, 2], [1, 1], [-1, -1]],
    [[0, 0], [1, 0], [0, 1], [1, 1], ["1/2", "1/2"], ["1/2", 0], [0, 0]],
    [[0, 0], [2, 0], [0, 2], [1, 1], [1, 0]],
    [[1, 0], [1, 1], [-1, -1]],
    [[1, 1], [1, -1], [-1, 1], [-1, -1], [0, 0], [1, 0]],
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], ["1/2", "1/2", 0]],
    [[1, 2, 3], [2, 4, 6], [3, 6, 9]],
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0, 0, 0], ["1/3", "1/3", "1/3"]],
    [[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)],
    [[0, 0], [1, TINY], [2, 0], [1, -TINY], [1, 0]],
    [[0, 0], [1, 0], [2, TINY**2], [3, 0]],
    [[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], ["1/4", "1/4", "1/4", "1/4"]],
]


def read(rows):
    return [[Fraction(entry) for entry in row] for row in rows]


def clouds():
    yield from map(read, CLOUDS)
    rng = np.random.default_rng(50)
    for k in range(9):
        n, d = int(rng.integers(2, 8)), int(rng.integers(1, 4))
        points = [[Fraction(int(rng.integers(-2, 3)), 1 + k % 2) for _ in range(d)] for _ in range(n)]
        # A third of them with a point inside an edge, a third on a line or plane through the origin.
        if k % 3 == 1:
            points.append([a / 2 + b / 2 for a, b in zip(points[0], points[1], strict=True)])
        if k % 3 == 2:
            points = [[p[0], *(p[0] * c for c in range(1, d))] for p in points]
        yield points


def queries(points):
    """Points on and in and off the hull."""
    yield points[-1]
    yield [(a + b) / 2 for a, b in zip(points[0], points[-1], strict=True)]
    yield [sum(column, Fraction(0)) / len(points) for column in zip(*points, strict=True)]
    yield [max(column) + 1 for column in zip(*points, strict=True)]


def vertices_are_those_of_the_checker(m):
    for points in clouds():
        assert m.vertices(exact(points)) == again.vertices(points), points


def edges_are_those_of_the_checker(m):
    for points in clouds():
        found = edges_again(points)
        assert list(m.edges(exact(points))) == found, points
        corners = again.vertices(points)
        v = corners[len(corners) // 2]
        assert m.neighbours(exact(points), v) == sorted({a + b - v for a, b in found if v in (a, b)}), points


def ends_of_an_edge_may_be_named_by_any_point_at_their_place(m):
    points = exact([[0, 0], [2, 0], [0, 2], [2, 0], [1, 0]])
    assert m.is_edge(points, 0, 1)
    assert m.is_edge(points, 3, 0)
    assert not m.is_edge(points, 1, 3)
    assert not m.is_edge(points, 1, 1)
    assert not m.is_edge(points, 0, 4)
    assert not m.is_edge(points, 4, 0)


def smallest_faces_are_those_of_the_checker(m):
    faces_agree(m, clouds())


def faces_agree(m, some):
    for points in some:
        for x in queries(points):
            face = m.smallest_face(exact(x), exact(points))
            assert face == again.smallest_face(x, points), (x, points)
            assert m.in_relative_interior(exact(x), exact(points)) == (len(face) == len(points))


def dimension_is_the_rank_of_the_differences(m):
    for points in clouds():
        assert m.dimension(exact(points)) == again.dimension(points)
    assert m.dimension(exact(np.zeros((0, 2)))) == -1


def places_are_counted_once(m):
    assert m.distinct(exact([[1, 0], ["1/2", 0], [1, 0], ["2/4", 0], [0, 1]])) == [0, 1, 4]
    # Numbers that agree in many digits, in a numerator, a denominator, or both, and those that differ by a sign alone.
    long = 10**40
    near = [[Fraction(a, b), 1] for a in (long, long + 1, -long) for b in (1, long + 3, long + 7)]
    assert m.distinct(exact([*near, *near])) == list(range(len(near)))


def smallest_faces_are_found_without_any_proposal(m):
    kept = m.least_squares_weights
    try:
        for proposal in (lambda floats: np.zeros(len(floats)), lambda floats: np.eye(len(floats))[0]):
            m.least_squares_weights = proposal
            faces_agree(m, one_in(3, clouds()))  # a linear program for each, thirty times as long
    finally:
        m.least_squares_weights = kept


def score(B, p, q):
    return dot([dot(row, p) for row in B], q)


def length(B, p):
    return score(B, p, p)


def cell_gaps_are_differences_of_scores(m):
    rng = np.random.default_rng(51)
    for points in clouds():
        n, d = len(points), len(points[0])
        B = [[Fraction(int(rng.integers(-3, 4)), 2) for _ in range(d)] for _ in range(d)]
        x = [[Fraction(int(rng.integers(-3, 4)), 3) for _ in range(d)] for _ in range(2)]
        S = [[a + b for a, b in zip(row, column, strict=True)] for row, column in zip(B, zip(*B, strict=True), strict=True)]
        gaps = [m.cell_gaps(*map(exact, (x, points, B)))]
        gaps += [made(*map(exact, (x, points, S))) for made in (m.voronoi_gaps, m.power_gaps)]
        assert all(found.shape == (2, n, n - 1) for found in gaps)
        for a, y in enumerate(x):
            for i, v in enumerate(points):
                others = points[:i] + points[i + 1 :]
                near = [length(S, minus(y, w)) - length(S, minus(y, v)) for w in others]
                power = [gap - length(S, w) + length(S, v) for gap, w in zip(near, others, strict=True)]
                expected = [[score(B, y, minus(v, w)) for w in others], near, power]
                assert [[fraction(e) for e in found[a, i]] for found in gaps] == expected


def cell_gaps_run_on_batches_and_mpmath(m):
    rng = np.random.default_rng(52)
    x, v, B = (exact(rng.integers(-4, 5, shape)) / 2 for shape in ((3, 2), (4, 2), (2, 2)))
    for made in (m.cell_gaps, m.voronoi_gaps, m.power_gaps):
        gaps = made(x, v, B)
        for arithmetic in (FLOAT64, MULTIPRECISION):
            other = made(*map(arithmetic.convert, (x, v, B)))
            assert all(float(a) == float(fraction(b)) for a, b in zip(other.flat, gaps.flat, strict=True))
        batch = made(*(np.stack([FLOAT64.convert(array)] * 5) for array in (x, v, B)))
        assert batch.shape == (5, *gaps.shape)
        assert (batch == FLOAT64.convert(gaps)).all()


def edge_gaps_are_gaps_to_the_neighbours(m):
    square, B = exact([[1, 1], [1, -1], [-1, 1], [-1, -1], [0, 0]]), exact([[2, 1], [0, 3]])
    for v in range(4):
        joined = m.neighbours(square, v)
        assert len(joined) == 2
        expected = [(B @ square[v]) @ (square[v] - square[w]) for w in joined]
        assert m.edge_gaps(square, v, B).tolist() == expected
    assert m.edge_gaps(square[:1], 0, B).tolist() == []


# ---------------------------------------------------------------------------------------------------------------------
# Bugs

FACTS = facts_above(globals())


@pytest.mark.parametrize("check", FACTS, ids=lambda check: check.__name__)
def test_the_module_satisfies(check):
    check(polytopes)


def test_every_planted_bug_is_caught():
    assert survivors(one_in(4, bugs_of(polytopes)), FACTS, noticed) == []


def test_the_stand_in_for_flint_finds_the_same():
    script = """
        from dynamics.checker.flint_stand_in import stand_in_for_flint

        stand_in_for_flint()
        from dynamics import polytopes as m
        from dynamics.arithmetic import exact

        square = exact([[0, 0], [1, 0], [0, 1], [1, 1], ["1/2", "1/2"], ["1/2", 0], [0, 0]])
        print(m.vertices(square), list(m.edges(square)), m.smallest_face(exact(["1/3", 0]), square), m.dimension(square))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "[0, 1, 2, 3] [(0, 1), (0, 2), (1, 3), (2, 3)] [0, 1, 5, 6] 2",
    ]
