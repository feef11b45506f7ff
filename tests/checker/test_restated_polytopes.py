"""The checker's own polytopes: what the suite says of random lattice points, in exact simplex steps; and planted bugs."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest

from dynamics import geometry, polytopes
from dynamics.arithmetic import exact
from dynamics.checker import polytopes as checker_polytopes
from tests.checker.test_restated_steps import fractions
from tests.planting import bugs_in, finds_wrong

COUNT = 24


def drawn(seed, count=COUNT):
    """Points of a small lattice, many of them coincident, collinear or inside; and a point among them or outside."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n, d = int(rng.integers(1, 7)), int(rng.integers(1, 4))
        points = exact(rng.integers(-2, 3, (n, d)))
        weights = rng.integers(0, 3, n)
        # An average of nothing is none.
        weights[0] += weights.sum() == 0
        x = exact(weights) @ points / int(weights.sum())
        yield rng, points, x if rng.integers(0, 2) else exact(rng.integers(-2, 3, d)) / 2


def wrong_hulls(own):
    """Membership, faces, vertices, dimensions and edges that are not the suite's, or weights that do not average."""
    for _, points, x in drawn(1):
        rows, place = fractions(points), fractions(x)
        weights = own.convex_weights(place, rows)
        inside = geometry.membership(x, points).inside
        if (weights is not None) != inside or own.smallest_face(place, rows) != polytopes.smallest_face(x, points):
            yield rows, place
        if weights is not None and (min(weights) < 0 or sum(weights) != 1 or averaged(weights, rows) != place):
            yield rows, weights
        if own.vertices(rows) != polytopes.vertices(points) or own.dimension(rows) != polytopes.dimension(points):
            yield rows
        n = len(rows)
        for v, w in ((0, n - 1), (0, n // 2), (0, 0)):
            if own.is_edge(rows, v, w) != polytopes.is_edge(points, v, w):
                yield rows, v, w


def wrong_distances(own):
    """Distances, probing directions and gaps of cells that are not the suite's."""
    for rng, points, x in drawn(2):
        rows, place, d = fractions(points), fractions(x), points.shape[1]
        if own.squared_distance_to_hull(place, rows) != fractions(geometry.squared_distance_to_hull(x, points)):
            yield rows, place
        if own.probing_directions(rows) != fractions(geometry.probing_directions(points)):
            yield rows
        after = points + exact(rng.integers(-1, 2, points.shape))
        moved = own.support_contraction(rows, fractions(after), Fraction(1, 3))
        if moved != fractions(geometry.support_contraction(points, after, exact("1/3"))):
            yield rows, "support"
        B = exact(rng.integers(-2, 3, (d, d)))
        given = (fractions(x[None]), rows, fractions(B))
        for ours, theirs in (
            (own.cell_gaps(*given), polytopes.cell_gaps),
            (own.nearness_gaps(*given, weighted=False), polytopes.voronoi_gaps),
            (own.nearness_gaps(*given, weighted=True), polytopes.power_gaps),
        ):
            if ours != fractions(theirs(x[None], points, B)):
                yield rows, theirs.__name__


def wrong_known_distances(own):
    """In the plane and in space; nearest to one side of a triangle, and nearer to the line of another, beyond that side."""
    plane, solid = ((0, 0), (2, 0), (0, 2), ("1/2", "1/2")), ((0, 0, 0), (2, 0, 0), (0, 2, 0), (1, 1, 0), (0, 0, 3))
    for points, known in (
        (plane, {(1, 1): 0, (2, 2): 2, (-1, 1): 1, (-1, -1): 2, (3, 0): 1, (3, -1): 2, (1, "1/2"): 0}),
        (solid, {(1, 1, 1): "2/11", (2, 2, 2): "50/11", (-1, -1, -1): 3, ("1/2", "1/2", "1/4"): 0}),
        # By hand: the foot of the perpendicular on the nearest side is (1/5, -1/10).
        (((0, 0), (1, 3), (2, -1)), {(-1, "-5/2"): "36/5"}),
        (((0, 0), (2, 0), (4, 1), (0, 3)), {("7/2", "-1/2"): "5/4"}),
    ):
        rows = [tuple(map(Fraction, point)) for point in points]
        for x, truth in known.items():
            if own.squared_distance_to_hull(tuple(map(Fraction, x)), rows) != Fraction(truth):
                yield x, points


def wrong_trifles(own):
    """Points that differ by less than any float or text of a dozen characters shows, and separations by so little."""
    # As floats, and as a dozen digits, it is 1.
    near = Fraction(1) + Fraction(1, 10**30)
    rows = [[Fraction(1), Fraction(0)], [near, Fraction(0)], [Fraction(0), Fraction(0)], [Fraction(1), Fraction(0)]]
    if own.distinct(rows) != [0, 1, 2] or own.vertices(rows) != [1, 2]:
        yield rows
    if own.convex_weights([near, Fraction(0)], [rows[0], rows[2]]) is not None:
        yield "outside by a trifle"
    if own.separation([near], [[Fraction(1)], [Fraction(0)]], [Fraction(-1)]) != Fraction(1, 10**30):
        yield "apart by a trifle"


def averaged(weights, points):
    return [sum((w * c for w, c in zip(weights, column, strict=True)), Fraction(0)) for column in zip(*points, strict=True)]


def wrong_by_definition(own):
    """Hulls in the plane by Caratheodory's triangles, and faces by a step away from a point."""
    rng = np.random.default_rng(5)
    for turn in range(60):
        points = [[Fraction(int(c)) for c in row] for row in rng.integers(-2, 3, (1 + turn % 8, 2))]
        x = [Fraction(int(c), 2) for c in rng.integers(-4, 5, 2)]
        face = [
            # A little away from a point of its face x is still in the hull; away from any other it leaves it.
            j
            for j, y in enumerate(points)
            if in_triangles([a + (a - b) / 100 for a, b in zip(x, y, strict=True)], points)
        ]
        weights = own.convex_weights(x, points)
        if (weights is not None) != in_triangles(x, points) or own.smallest_face(x, points) != face:
            yield points, x
        if weights is not None and (min(weights) < 0 or averaged(weights, points) != x or sum(weights) != 1):
            yield points, weights


def in_triangles(x, points):
    """Whether a point of the plane is in a triangle of three of the points, or on a segment, or is one of them."""
    for a, b, c in combinations_with_replacement(points, 3):
        turns = [(q[0] - p[0]) * (x[1] - p[1]) - (q[1] - p[1]) * (x[0] - p[0]) for p, q in ((a, b), (b, c), (c, a))]
        between = all(min(p) <= y <= max(p) for y, p in zip(x, zip(a, b, c, strict=True), strict=True))
        if between and (min(turns) >= 0 or max(turns) <= 0):
            return True
    return False


PARTS = {
    "hulls": wrong_hulls,
    "distances": wrong_distances,
    "known distances": wrong_known_distances,
    "trifles": wrong_trifles,
    "definitions": wrong_by_definition,
}


@pytest.mark.parametrize("part", PARTS)
def test_hulls_are_what_the_suite_says(part):
    assert next(iter(PARTS[part](checker_polytopes)), None) is None


def test_the_points_are_not_all_of_one_kind():
    inside = [geometry.membership(x, points).inside for _, points, x in drawn(1)]
    assert 5 < sum(inside) < COUNT - 3
    assert any(len(polytopes.vertices(points)) < len(points) for _, points, _ in drawn(1))


@bugs_in(checker_polytopes, share=10)
def test_a_planted_bug_is_caught(bug):
    assert finds_wrong(PARTS.values(), bug.planted())
