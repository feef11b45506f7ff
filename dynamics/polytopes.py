"""Polytopes as hulls of finitely many rational points: vertices, edges, faces and cells.

Everything is decided in rationals, in any dimension, for any points: coincident, collinear, one alone. Floats only propose
(through :func:`dynamics.geometry.membership`). What decides most is
:func:`smallest_face`: a vertex is a point that is a face alone, an edge joins two points whose middle lies in no more than
their segment, and the relative interior is what lies in no face but the whole.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from flint import fmpq_mat

from dynamics.arithmetic import FLOAT64, Array, exact, numbers, transposed
from dynamics.arithmetic import distinct as distinct  # noqa: PLC0414 -- points are told apart here
from dynamics.geometry import least_squares_weights, membership, squared_distances

# ---------------------------------------------------------------------------------------------------------------------
# Faces


def dimension(points: Array) -> int:
    """The dimension of the affine hull of the points (n, d); -1 for none."""
    if not len(points):
        return -1
    edges = points[1:] - points[0]
    return int(fmpq_mat(edges.tolist()).rank()) if edges.size else 0


def smallest_face(x: Array, points: Array) -> list[int]:
    """The indices of the points (n, d) in the smallest face of their hull that contains x (d,); none for x outside.

    Points with positive weights that average to x lie in that face, and so do all that differ from x by a combination of
    their directions. These are divided out, until no others average to x: then a direction separates the rest.
    """
    return _face_around_zero(points - x)


# All points with a positive weight lie in every face that contains x: their directions are those of the smallest one.
def _face_around_zero(away: Array) -> list[int]:
    """:func:`smallest_face` of the origin among the rows of `away`, modulo what is divided out of them already."""
    while True:
        others = [i for i, row in enumerate(away) if any(entry != 0 for entry in row)]
        weights = _weights_of_zero(away[others]) if others else None
        if weights is None:
            return [i for i in range(len(away)) if i not in others]
        for i, weight in zip(others, weights, strict=True):
            if weight > 0:
                away = _along(away, away[i])


# By the largest entry: least squares of very small or large rows would lose all of their digits.
def _weights_of_zero(rows: Array) -> Array | None:
    """Convex weights (n,) by which the rows (n, d), none of them zero, average to zero; None where none exist.

    The direction of the point of least norm in float64, where it separates the rows from the origin in rationals, spares
    most of the linear programs, which take thirty times as long.
    """
    floats = FLOAT64.convert(rows / max(abs(entry) for entry in rows.flat))
    direction = exact(least_squares_weights(floats) @ floats)
    if min(rows @ direction) > 0:
        return None
    found = membership(exact([0] * rows.shape[1]), rows)
    return found.witness if found.inside else None


def _along(rows: Array, direction: Array) -> Array:
    """The rows (n, d) modulo the direction (d,), shape (n, d - 1); as they are for the zero direction."""
    axis = next((k for k, entry in enumerate(direction) if entry != 0), None)
    if axis is None:
        return rows
    return np.delete(rows - np.multiply.outer(rows[:, axis] / direction[axis], direction), axis, axis=1)


def in_relative_interior(x: Array, points: Array) -> bool:
    """Whether x (d,) lies in the relative interior of the hull of the points (n, d)."""
    return len(smallest_face(x, points)) == len(points)


# A point that is there twice lies in no face alone.
def vertices(points: Array) -> list[int]:
    """The indices of the extreme points of the hull of the points (n, d), one for each place."""
    candidates = distinct(points)
    places = points[candidates]
    return [i for k, i in enumerate(candidates) if smallest_face(places[k], places) == [k]]


def is_edge(points: Array, v: int, w: int) -> bool:
    """Whether the points of index v and w are the ends of an edge of the hull of the points (n, d)."""
    along = points[w] - points[v]
    length = along @ along
    if length == 0:
        return False
    # Modulo its own direction the edge is a vertex, and only points between its ends lie over it.
    face = points[_face_around_zero(_along(points - points[v], along))]
    return dimension(face) == 1 and all(0 <= share <= 1 for share in (face - points[v]) @ along / length)


def neighbours(points: Array, v: int) -> list[int]:
    """The indices of the vertices joined to the vertex of index v by an edge of the hull, one for each place."""
    return [w for w in vertices(points) if is_edge(points, v, w)]


def edges(points: Array) -> Iterator[tuple[int, int]]:
    """The edges of the hull, as pairs of the indices that :func:`vertices` gives."""
    corners = vertices(points)
    return ((v, w) for k, v in enumerate(corners) for w in corners[k + 1 :] if is_edge(points, v, w))


# ---------------------------------------------------------------------------------------------------------------------
# Cells of a linear score, in any arithmetic


def _others(table: Array) -> Array:
    """A table (..., k, k) without its diagonal, shape (..., k, k - 1)."""
    k = table.shape[-1]
    columns = np.array([[j for j in range(k) if j != i] for i in range(k)], dtype=int).reshape(k, k - 1)
    return numbers(table[..., np.arange(k)[:, None], columns])


def cell_gaps(x: Array, v: Array, B: Array) -> Array:
    """<Bx, v_i - v_j> for j != i, for points x (..., m, d) and v (..., k, d), shape (..., m, k, k - 1).

    x lies in the cell of v_i, where v_i has the largest score, when all in row i are >= 0, and in no other cell when all
    are positive.
    """
    scores = x @ transposed(B) @ transposed(v)
    return _others(scores[..., :, None] - scores[..., None, :])


def voronoi_gaps(x: Array, v: Array, B: Array) -> Array:
    """|x - v_j|_B^2 - |x - v_i|_B^2 for j != i, shape (..., m, k, k - 1): >= 0 in the Voronoi cell of v_i."""
    squares = squared_distances(x, v, B)
    return _others(squares[..., None, :] - squares[..., :, None])


def power_gaps(x: Array, v: Array, B: Array) -> Array:
    """The same with |x - v_j|_B^2 - |v_j|_B^2 for the square: >= 0 in the power cell of v_i of weight |v_i|_B^2."""
    powers = squared_distances(x, v, B) - squared_distances(0 * v[..., :1, :], v, B)
    return _others(powers[..., None, :] - powers[..., :, None])


def edge_gaps(points: Array, v: int, B: Array) -> Array:
    """<By, y - w> for the vertex y of index v and its neighbours w: all positive when y beats them in its own score."""
    return (points[v] - points[neighbours(points, v)]) @ (B @ points[v])
