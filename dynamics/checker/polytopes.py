"""Hulls of finitely many rational points, decided again for the checker: Fractions in plain lists.

Not from :mod:`dynamics.geometry` and :mod:`dynamics.polytopes`, which let floats propose: here everything is asked of one
exact simplex method with Bland's rule, which never cycles. A point lies in a hull if convex weights
average the points to it; the smallest face around it has all points that can have a positive weight in that.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from dynamics.checker.matrices import pivot, rank, solution
from dynamics.checker.steps import Rows, image, inner, minus

Point = Sequence[Any]

# ---------------------------------------------------------------------------------------------------------------------
# Linear programs


class Program:
    """{w >= 0: sum_j w_j c_j = b} for columns c_j (n, m) and b >= 0 (m,), with one of its corners where there is any."""

    def __init__(self, columns: Rows, b: Sequence[Fraction]) -> None:
        self.n, m = len(columns), len(b)
        # Rows [columns, artificial ones, right side]; the basis is artificial at first.
        self.rows = [
            [*(column[k] for column in columns), *(Fraction(int(k == l)) for l in range(m)), value]
            for k, value in enumerate(b)
        ]
        self.basis = [self.n + k for k in range(m)]
        cost = [Fraction(0)] * self.n + [Fraction(-1)] * m
        self._improve(cost, self.n + m)
        self.feasible = all(self.rows[k][-1] == 0 for k, j in enumerate(self.basis) if j >= self.n)
        if self.feasible:
            self._drop_artificial()

    def _drop_artificial(self) -> None:
        for k in reversed(range(len(self.basis))):
            if self.basis[k] < self.n:
                continue
            entering = next((j for j in range(self.n) if self.rows[k][j] != 0), None)
            if entering is None:
                del self.rows[k], self.basis[k]  # the equation follows from the others
            else:
                self._pivot(k, entering)

    def _pivot(self, k: int, j: int) -> None:
        pivot(self.rows, k, j)
        self.basis[k] = j

    def _improve(self, gain: Sequence[Fraction], among: int) -> None:
        """To a corner at which sum_j gain_j w_j is largest, over the first `among` columns; it must be bounded."""
        while True:
            worth = [gain[j] for j in self.basis]
            # Bland's rule: the first that gains, and of the rows that are met first the one of the least index. So it never
            # cycles.
            entering = next((j for j in range(among) if gain[j] > inner(worth, [row[j] for row in self.rows])), None)
            if entering is None:
                return
            steps = [(row[-1] / row[entering], self.basis[k], k) for k, row in enumerate(self.rows) if row[entering] > 0]
            self._pivot(min(steps)[2], entering)

    def weights(self) -> list[Fraction]:
        """w at the corner."""
        found = [Fraction(0)] * self.n
        for k, j in enumerate(self.basis):
            if j < self.n:
                found[j] = self.rows[k][-1]
        return found

    def can_be_positive(self, j: int) -> bool:
        """Whether some feasible w has w_j > 0, for a bounded set of them."""
        if self.weights()[j] > 0:
            return True
        # The corner in hand does not show it: another one may.
        gain = [Fraction(int(i == j)) for i in range(self.n)]
        self._improve(gain, self.n)
        return self.weights()[j] > 0


def _averaging_to(x: Point, points: Rows) -> Program:
    return Program(
        [[*(Fraction(value) for value in minus(y, x)), Fraction(1)] for y in points], [Fraction(0)] * len(x) + [Fraction(1)]
    )


# ---------------------------------------------------------------------------------------------------------------------
# Hulls and faces


def convex_weights(x: Point, points: Rows) -> list[Fraction] | None:
    """Convex weights that average the points to x; None for x outside their hull."""
    if not points:
        return None
    program = _averaging_to(x, points)
    return program.weights() if program.feasible else None


def separation(x: Point, points: Rows, direction: Point) -> Fraction:
    """min_j <u, y_j - x>: above zero for a direction u that separates x from the hull of the points."""
    return min(inner(direction, minus(y, x)) for y in points)


def smallest_face(x: Point, points: Rows) -> list[int]:
    """The points, by index, in the smallest face of the hull that holds x; none for x outside."""
    program = _averaging_to(x, points) if points else None
    if program is None or not program.feasible:
        return []
    return [j for j in range(len(points)) if program.can_be_positive(j)]


def distinct(points: Sequence[Point]) -> list[int]:
    """The index of the first of each set of coinciding points."""
    return [i for i, point in enumerate(points) if point not in points[:i]]


def vertices(points: Rows) -> list[int]:
    """The indices of the extreme points, one for each place: those outside the hull of the other places."""
    places = distinct(points)
    return [i for i in places if convex_weights(points[i], [points[j] for j in places if j != i]) is None]


def dimension(points: Rows) -> int:
    """The dimension of the affine hull of the points; -1 for none."""
    return rank([minus(y, points[0]) for y in points[1:]]) if points else -1


def is_edge(points: Rows, v: int, w: int) -> bool:
    """Whether two points are the ends of an edge: the smallest face around their middle reaches no farther than them."""
    a, b = points[v], points[w]
    if list(a) == list(b):
        return False
    along = minus(b, a)
    length = inner(along, along)
    face = smallest_face([(p + q) / 2 for p, q in zip(a, b, strict=True)], points)
    shares = [(j, inner(minus(points[j], a), along) / length) for j in face]
    return all(
        0 <= share <= 1 and points[j] == [p + share * q for p, q in zip(a, along, strict=True)] for j, share in shares
    )


# ---------------------------------------------------------------------------------------------------------------------
# Distances


def squared_distance(x: Point, y: Point, B: Rows | None = None) -> Any:
    """|x - y|^2, or <B(x - y), x - y>."""
    apart = minus(x, y)
    return inner(apart if B is None else image(B, apart), apart)


def squared_distance_to_hull(x: Point, points: Sequence[Point]) -> Any:
    """|x - y|^2 for the point y of the hull nearest to x: the projection on some simplex beyond which no point lies."""
    corners = [points[j] for j in distinct(points)]
    # By Caratheodory the nearest point lies in a simplex of so many corners.
    for size in range(1, min(len(corners), len(x) + 1) + 1):
        for chosen in combinations(corners, size):
            y = projection(x, chosen)
            if y is not None and all(inner(minus(x, y), minus(corner, y)) <= 0 for corner in corners):
                return squared_distance(x, y)
    raise ArithmeticError("a hull without a nearest point")


def projection(x: Point, corners: Sequence[Point]) -> list[Any] | None:
    """The point of the hull of the corners nearest to x if it is that of their affine hull, as far as it is seen to be."""
    origin, edges = corners[0], [minus(corner, corners[0]) for corner in corners[1:]]
    found = solution([[inner(a, b) for b in edges] for a in edges], [[inner(a, minus(x, origin))] for a in edges])
    assert found is not None  # normal equations: of corners that are no simplex any solution gives the same point
    shares = [row[0] for row in found]
    if any(share < 0 for share in shares) or sum(shares) > 1:
        return None
    nearest = list(origin)
    for share, edge in zip(shares, edges, strict=True):
        nearest = [a + share * b for a, b in zip(nearest, edge, strict=True)]
    return nearest


def probing_directions(points: Rows) -> Rows:
    """The axes, the differences of two points and, in the plane, their normals; then the opposite of each."""
    size = len(points[0])
    found: Rows = [[Fraction(int(a == b)) for b in range(size)] for a in range(size)]
    differences = [minus(p, q) for p, q in combinations(points, 2)]
    found += differences
    if size == 2:
        found += [[-y, x] for x, y in differences]
    return found + [[-value for value in row] for row in found]


def support_contraction(before: Rows, after: Rows, keep: Any) -> Rows:
    """(h - <u, y_i>) - keep (h - <u, x_i>) for tokens i and probing directions u, h the largest <u, x_j>."""
    directions = probing_directions(before)
    tops = [max(inner(u, x) for x in before) for u in directions]
    return [
        [(top - inner(u, y)) - keep * (top - inner(u, x)) for u, top in zip(directions, tops, strict=True)]
        for x, y in zip(before, after, strict=True)
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Cells


def cell_gaps(x: Rows, v: Rows, B: Rows) -> list[Rows]:
    """<Bx, v_i - v_j> for j != i: of each x, of each i, a row."""
    found = []
    for point in x:
        turned = image(B, point)
        found.append([[inner(turned, minus(a, b)) for j, b in enumerate(v) if j != i] for i, a in enumerate(v)])
    return found


def nearness_gaps(x: Rows, v: Rows, B: Rows, weighted: bool) -> list[Rows]:
    """|x - v_j|_B^2 - |x - v_i|_B^2 for j != i; with |v|_B^2 taken from each square if `weighted`."""
    zero = [0 * value for value in v[0]]
    off = [squared_distance(a, zero, B) if weighted else 0 for a in v]
    found = []
    for point in x:
        squares = [squared_distance(point, a, B) - weight for a, weight in zip(v, off, strict=True)]
        found.append([[b - a for j, b in enumerate(squares) if j != i] for i, a in enumerate(squares)])
    return found
