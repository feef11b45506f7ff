"""Hulls of points: membership with exact witnesses, distances, and the directions in which hulls are compared."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from flint import fmpq

import dynamics.geometry
from dynamics.arithmetic import FLOAT64, MULTIPRECISION, exact, fraction
from dynamics.findings import listening, plain
from dynamics.geometry import (
    _membership_by_faces,
    diameter_squared,
    gram,
    hull_excess,
    membership,
    probing_directions,
    squared_distance_to_hull,
    support_contraction,
)
from tests.planting import asked_of, facts_above

# Its square is below the last bit of a float near one: points that only rationals tell apart.
NEARLY = Fraction(1, 2**30)


def points_of(rng, n, d, grid=3, denominator=2):
    return [[Fraction(int(rng.integers(-grid, grid + 1)), denominator) for _ in range(d)] for _ in range(n)]


def combination(rng, points, zeros=0):
    """A convex combination, with some weights zero."""
    weights = [Fraction(int(rng.integers(1, 10))) for _ in points]
    for j in rng.permutation(len(points))[: min(zeros, len(points) - 1)]:
        weights[j] = Fraction(0)
    total = sum(weights)
    return [sum(w * p[c] for w, p in zip(weights, points, strict=True)) / total for c in range(len(points[0]))]


def generic(rng):
    return points_of(rng, int(rng.integers(1, 7)), int(rng.integers(1, 4)))


def duplicated(rng):
    points = points_of(rng, int(rng.integers(1, 4)), int(rng.integers(1, 4)))
    return points + [points[int(rng.integers(len(points)))] for _ in range(int(rng.integers(1, 4)))]


def flat(rng):
    """Points of a line in the plane or a plane in space."""
    d = int(rng.integers(2, 4))
    origin, *edges = points_of(rng, d, d)
    steps = points_of(rng, int(rng.integers(2, 6)), d - 1)
    return [[o + sum(t * e[c] for t, e in zip(row, edges, strict=True)) for c, o in enumerate(origin)] for row in steps]


def nearly_coincident(rng):
    """Points within 2^-30 of each other, some of them pairwise within 2^-60."""
    d = int(rng.integers(1, 4))
    (centre,) = points_of(rng, 1, d)
    offsets = points_of(rng, int(rng.integers(2, 5)), d)
    points = [[c + NEARLY * e for c, e in zip(centre, row, strict=True)] for row in offsets]
    return [*points, [c + NEARLY**2 * int(rng.integers(-1, 2)) for c in points[0]]]


def nearly_flat(rng):
    """A far point and points within 2^-30 of a line."""
    d = int(rng.integers(2, 4))
    points = points_of(rng, int(rng.integers(2, 5)), d)
    return [[row[0], *(NEARLY * c for c in row[1:])] for row in points]


KINDS = (generic, duplicated, flat, nearly_coincident, nearly_flat)


def cases(kind, count):
    """Points, a query, and whether the query is inside by construction (None: unknown)."""
    rng = np.random.default_rng(KINDS.index(kind))
    for k in range(count):
        points = kind(rng)
        d = len(points[0])
        # Outside by less than linear programs see, and by more, in turn.
        shift = NEARLY**2 if k % 2 else Fraction(1, 7)
        inside = combination(rng, points, zeros=int(rng.integers(0, 3)))
        queries = [
            (inside, True),
            (points[int(rng.integers(len(points)))], True),
            ([c + shift * int(rng.integers(-1, 2)) for c in inside], None),
            (points_of(rng, 1, d)[0], None),
            ([max(p[0] for p in points) + shift, *inside[1:]], False),
        ]
        for query, known in queries:
            yield exact(points), exact(query), known


def is_witness(found, x, points):
    """Whether the witness proves what is claimed, in exact arithmetic."""
    if found.inside:
        weights = found.witness
        return (
            all(isinstance(weight, fmpq) and weight >= 0 for weight in weights)
            and sum(weights, fmpq(0)) == 1
            and (weights @ points).tolist() == x.tolist()
            and found.gap == 0
        )
    rates = (points - x) @ found.witness
    return (
        all(isinstance(entry, fmpq) for entry in found.witness)
        and sum((abs(entry) for entry in found.witness), fmpq(0)) == 1
        and all(rate > 0 for rate in rates)
        and found.gap == min(rates)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_membership_comes_with_an_exact_witness_and_agrees_with_the_distance(kind):
    for points, x, known in cases(kind, 15):
        found = membership(x, points)
        assert is_witness(found, x, points)
        assert known is None or found.inside == known
        squared = squared_distance_to_hull(x, points).item()
        assert found.inside == (squared == 0)
        assert found.gap * found.gap <= squared


@pytest.mark.parametrize("kind", KINDS)
def test_membership_by_faces_agrees_with_linear_programs(kind):
    for points, x, known in cases(kind, 10):
        found = _membership_by_faces(x, points)
        assert is_witness(found, x, points)
        assert found.inside == membership(x, points).inside
        assert known is None or found.inside == known


def test_faces_decide_where_both_linear_programs_propose_nothing(monkeypatch):
    monkeypatch.setattr(dynamics.geometry, "_convex_weights", lambda x, points: None)
    monkeypatch.setattr(dynamics.geometry, "_separating_direction", lambda x, points: None)
    square = exact([[0, 0], [1, 0], [0, 1], [1, 1]])
    for query, inside in ((["1/2", "1/3"], True), ([1, 1], True), ([1, "3/2"], False)):
        found = membership(exact(query), square)
        assert found.inside == inside
        assert is_witness(found, exact(query), square)


def test_a_point_2_to_the_minus_200_outside_is_outside_and_on_the_boundary_is_inside():
    triangle = exact([[0, 0], [1, 0], [0, 1]])
    tiny, half = Fraction(1, 2**200), Fraction(1, 2)
    for height, inside in ((half, True), (half + tiny, False), (half - tiny, True), (-tiny, False)):
        query = [half, height]
        found = membership(exact(query), triangle)
        assert found.inside == inside
        assert is_witness(found, exact(query), triangle)


def test_membership_in_one_point_is_equality():
    point = exact([["1/3", 2]])
    assert membership(exact(["1/3", 2]), point).witness.tolist() == [1]
    outside = membership(exact(["1/3", "5/3"]), point)
    assert not outside.inside
    assert is_witness(outside, exact(["1/3", "5/3"]), point)


# ---------------------------------------------------------------------------------------------------------------------
# Distances


@pytest.mark.parametrize("kind", KINDS)
def test_float64_batches_of_distances_agree_with_exact_ones(kind):
    rng = np.random.default_rng(21)
    for _ in range(10):
        points = exact(kind(rng))
        x = rng.integers(-12, 13, (2, 3, points.shape[1])) / 4
        batch = squared_distance_to_hull(x, points)
        assert batch.shape == (2, 3)
        precise = squared_distance_to_hull(exact(x), points)
        assert all(isinstance(entry, fmpq) for entry in precise.flat)
        np.testing.assert_allclose(batch, FLOAT64.convert(precise), rtol=1e-9, atol=1e-12)


def test_squared_distances_of_a_square_are_known():
    square = exact([[0, 0], [1, 0], [0, 1], [1, 1], ["1/2", "1/2"]])
    queries = exact([[2, "1/2"], [2, 2], ["-1/3", "-1/4"], ["1/3", 1], ["1/3", "3/2"], [0, 0]])
    expected = [fmpq(1), fmpq(2), fmpq(1, 9) + fmpq(1, 16), fmpq(0), fmpq(1, 4), fmpq(0)]
    assert squared_distance_to_hull(queries, square).tolist() == expected


def test_squared_distance_to_a_segment_in_space_uses_its_interior():
    segment = exact([[0, 0, 0], [2, 2, 0]])
    assert squared_distance_to_hull(exact([2, 0, 3]), segment).item() == 11
    assert squared_distance_to_hull(exact([3, 2, 0]), segment).item() == 1


# ---------------------------------------------------------------------------------------------------------------------
# Support functions and hulls before and after


def test_support_functions_contract_when_tokens_move_towards_the_hull():
    rng = np.random.default_rng(30)
    for _ in range(20):
        before = generic(rng)
        gamma = Fraction(int(rng.integers(0, 6)), 5)
        after = [
            [(1 - gamma) * c + gamma * t for c, t in zip(token, combination(rng, before), strict=True)] for token in before
        ]
        slack = support_contraction(exact(before), exact(after), exact(1 - gamma))
        assert slack.shape == (len(before), probing_directions(exact(before)).shape[0])
        assert all(entry >= 0 for entry in slack.flat)
        assert all(entry == 0 for entry in hull_excess(exact(before), exact(after)))


def test_support_contraction_is_zero_where_nothing_moves_and_keep_is_one():
    before = exact([[0, 0], [1, 0], [0, 1]])
    assert all(entry == 0 for entry in support_contraction(before, before, exact(1)).flat)


def test_support_contraction_is_negative_for_a_token_that_left_or_moved_less_than_it_should():
    before = exact([[0, 0], [1, 0], [0, 1]])
    left = exact([[0, 0], ["11/10", 0], [0, 1]])
    slack = support_contraction(before, left, exact("1/2"))
    assert min(slack.flat) < 0
    assert min(slack[0]) == 0  # the corner stayed
    assert support_contraction(before, left, exact(0)).shape == slack.shape
    away = exact([["-1/10", "-1/10"], [1, 0], [0, 1]])
    assert min(support_contraction(before, away, exact(1))[0]) < 0
    # In direction (1, 0) the corner was 1 below the top; it must stay at least half of that below, and is 9/10 below.
    column = probing_directions(before).tolist().index([1, 0])
    slow = exact([["1/10", "1/10"], [1, 0], [0, 1]])
    assert support_contraction(before, slow, exact("1/2"))[0, column] == fmpq(9, 10) - fmpq(1, 2)


def test_support_contraction_in_float64_and_mpmath_agrees_with_rationals():
    rng = np.random.default_rng(31)
    before, after, keep = exact(points_of(rng, 4, 2)), exact(points_of(rng, 4, 2)), exact("2/3")
    slack = support_contraction(before, after, keep)
    for arithmetic in (FLOAT64, MULTIPRECISION):
        other = support_contraction(*(arithmetic.convert(array) for array in (before, after, keep)))
        assert other.shape == slack.shape
        assert all(abs(float(a) - float(fraction(b))) < 1e-13 for a, b in zip(other.flat, slack.flat, strict=True))
    batch = support_contraction(*(np.stack([FLOAT64.convert(array)] * 3) for array in (before, after, keep)))
    assert batch.shape == (3, *slack.shape)


def test_hull_excess_is_zero_inside_and_minus_the_gap_outside():
    before = exact([[0, 0], [1, 0], [0, 1], [1, 1]])
    after = exact([["1/2", "1/2"], [1, 1], [2, "1/2"], ["1/2", "-1/3"], [1, "1000001/1000000"]])
    excess = hull_excess(before, after)
    assert excess[0] == excess[1] == 0
    assert all(isinstance(entry, fmpq) for entry in excess)
    # The gap is a distance in the maximum norm at most; to a face parallel to the axes it is that distance.
    assert all(-distance <= entry < 0 for entry, distance in zip(excess[2:], (1, fmpq(1, 3), fmpq(1, 10**6)), strict=True))


def test_probing_directions_are_axes_differences_and_their_opposites():
    points = exact([[0, 0, 0], [1, 2, 3], [1, 0, 1]])
    directions = probing_directions(points).tolist()
    assert len(directions) == 2 * (3 + 3)
    for axis in np.eye(3, dtype=int):
        assert exact(axis).tolist() in directions
        assert exact(-axis).tolist() in directions
    for p, q in combinations(points, 2):
        assert (p - q).tolist() in directions
        assert (q - p).tolist() in directions


def test_probing_directions_in_the_plane_contain_every_facet_normal():
    rng, facets = np.random.default_rng(32), 0
    for _ in range(40):
        points = exact(points_of(rng, int(rng.integers(2, 7)), 2))
        directions = probing_directions(points).tolist()
        for p, q in combinations(points, 2):
            for normal in ((q - p)[::-1] * exact([-1, 1]), (p - q)[::-1] * exact([-1, 1])):
                heights = (points - p) @ normal
                if any(entry != 0 for entry in q - p) and all(height <= 0 for height in heights):
                    facets += 1
                    assert normal.tolist() in directions
    assert facets > 100


def test_probing_directions_take_batches():
    batch = np.random.default_rng(33).standard_normal((4, 5, 2))
    directions = probing_directions(batch)
    assert directions.shape == (4, 2 * (2 + 10 + 10), 2)
    assert np.array_equal(directions[2], probing_directions(batch[2]))


@pytest.mark.parametrize("kind", KINDS)
def test_gram_and_diameter_equal_loops_over_pairs(kind):
    rng = np.random.default_rng(34)
    for _ in range(20):
        rows = kind(rng)
        products = [[sum(a * b for a, b in zip(p, q, strict=True)) for q in rows] for p in rows]
        assert [[fraction(entry) for entry in row] for row in gram(exact(rows))] == products
        longest = max(sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) for p in rows for q in rows)
        assert fraction(diameter_squared(exact(rows))) == longest


# ---------------------------------------------------------------------------------------------------------------------
# Facts that planted bugs break


def squared_distances_are_the_form_at_every_difference(m):
    rng = np.random.default_rng(35)
    x, y, B = (exact(points_of(rng, n, 2)) for n in (3, 4, 2))
    B = B + exact([[0, 1], [0, 2]])
    for form in (None, B):
        found = m.squared_distances(x, y, form)
        assert found.shape == (3, 4)
        for i, j in np.ndindex(3, 4):
            apart = x[i] - y[j]
            assert found[i, j] == (apart @ apart if form is None else (form @ apart) @ apart)
    skew = exact([[1, 2], [-1, 1]])
    assert m.squared_distances(x, y, skew)[0, 0] == m.squared_distances(x, y, exact([[1, "1/2"], ["1/2", 1]]))[0, 0]


def grams_are_inner_products_of_many_points(m):
    points = exact(points_of(np.random.default_rng(36), 11, 3))
    assert m.gram(points).tolist() == [[sum(a * b for a, b in zip(p, q, strict=True)) for q in points] for p in points]


def what_separates_is_told_of_points_outside(m):
    square, points = exact([[0, 0], [1, 0], [0, 1], [1, 1]]), exact([["1/2", "1/2"], [2, "1/2"], [1, 1]])
    with listening() as facts:
        m.hull_excess(square, points)
    (finding,) = facts
    direction, corners = (exact(finding[name]) for name in ("direction", "points"))
    assert finding["point"] == plain(points[1])
    assert min((corners - points[1]) @ direction) > 0
    assert corners.tolist() == square.tolist()


test_geometry, test_bugs_in_geometry = asked_of(dynamics.geometry, facts_above(globals()))
