"""Hulls of finitely many points: membership decided exactly, distances in any arithmetic.

Linear programs are solved in floating point and their bases solved again in rationals, so a membership comes with exact
convex weights and a non-membership with an exactly separating direction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
import scipy  # its parts are loaded when they are used
from flint import fmpq, fmpq_mat

from dynamics.arithmetic import FLOAT64, Array, exact, indicator, numbers, peak, rational, transposed
from dynamics.findings import tell


@dataclass(frozen=True)
class Membership:
    """Whether a point lies in a hull, with its witness: convex weights (..., n), or a direction u (d,).

    For a point outside, `gap` = min_j <u, y_j> - <u, x> > 0 with |u|_1 = 1: x is at least that far away in the maximum
    norm. For a point inside, `gap` is 0.
    """

    inside: bool
    witness: Array
    gap: fmpq


def membership(x: Array, points: Array) -> Membership:
    """Decide exactly whether the rational point x (d,) lies in the hull of the rational points (n, d).

    Where both proposals of the linear programs fail in exact arithmetic (points that nearly coincide), the faces are
    enumerated: exponential in n, so meant to be rare.
    """
    weights = _convex_weights(x, points)
    if weights is not None:
        return Membership(True, weights, fmpq(0))
    direction = _separating_direction(x, points)
    return _outside(direction, x, points) if direction is not None else _membership_by_faces(x, points)


def _outside(direction: Array, x: Array, points: Array) -> Membership:
    unit = direction / sum((abs(entry) for entry in direction), fmpq(0))
    return Membership(False, unit, min((points - x) @ unit))


# The nearest point of a hull is its own projection on the face in whose interior it lies: one of these is it.
def _membership_by_faces(x: Array, points: Array) -> Membership:
    """The nearest point of the hull, face by face: x itself, or the tip of a separating direction."""
    nearest: tuple[fmpq, Array, Array] | None = None
    for subset, origin, _, dual in faces(points):
        inner = (x - origin) @ dual.T
        weights = exact([0] * len(points))
        weights[list(subset)] = [1 - sum(inner, fmpq(0)), *inner]
        if all(weight >= 0 for weight in weights):
            direction = weights @ points - x
            squared = direction @ direction
            if nearest is None or squared < nearest[0]:
                nearest = squared, weights, direction
    assert nearest is not None  # every single point is a face
    squared, weights, direction = nearest
    return Membership(True, weights, fmpq(0)) if squared == 0 else _outside(direction, x, points)


# Dependent points span no face of their own: what they average to, fewer of them do (Caratheodory).
def faces(points: Array) -> Iterator[tuple[tuple[int, ...], Array, Array, Array]]:
    """Affinely independent subsets, each with its first point, its edges from there, and the dual basis of the edges.

    The projection of x on the affine hull has the weights 1 - sum(u) and u = (x - origin) @ dual.T.
    """
    for size in range(1, min(len(points), points.shape[1] + 1) + 1):
        for subset in combinations(range(len(points)), size):
            origin, edges = points[subset[0]], points[list(subset[1:])] - points[subset[0]]
            if size == 1:
                yield subset, origin, edges, edges
                continue
            gram = fmpq_mat((edges @ edges.T).tolist())
            if gram.det() != 0:
                yield subset, origin, edges, exact(gram.inv().tolist()) @ edges


# The solver's tolerances are absolute: tokens of size 1e-9 would all lie within them.
def _scaled(x: Array, points: Array) -> tuple[Array, Array]:
    """Both in float64, translated to x and scaled to size one, so that the linear program sees clean numbers."""
    shifted = points - x
    size = max((abs(entry) for entry in shifted.flat), default=fmpq(0))
    return FLOAT64.convert(shifted / size if size > 0 else shifted), shifted


def least_squares_weights(floats: Array) -> Array:
    """Multiples of the convex weights by which rows (n, d) average to their point of least norm; zeros where none is found.

    |sum w_i y_i|^2 + (sum w_i - 1)^2 is least, over w >= 0, at a multiple of them.
    """
    equations, goal = np.vstack([floats.T, np.ones(len(floats))]), np.append(np.zeros(floats.shape[1]), 1.0)
    try:
        return np.asarray(scipy.optimize.nnls(equations, goal)[0])
    except RuntimeError:
        return np.zeros(len(floats))


# The supports in turn: what the program calls positive; the d + 1 largest, as many as a vertex of it has; all, where it was
# degenerate.
def _convex_weights(x: Array, points: Array) -> Array | None:
    """Exact nonnegative weights that sum to one and average the points to x, or None."""
    floats, shifted = _scaled(x, points)
    n = len(points)
    # The linear program takes thirty times as long, and finds weights where these do not.
    near = least_squares_weights(floats)
    weights = _solve_on(np.flatnonzero(near > 1e-9), shifted)
    if weights is not None:
        return weights
    equations = np.vstack([floats.T, np.ones(n)])
    goal = np.append(np.zeros(points.shape[1]), 1.0)
    proposal = scipy.optimize.linprog(np.zeros(n), A_eq=equations, b_eq=goal, method="highs-ds")
    if proposal.x is None:
        return None
    order = np.argsort(-proposal.x)
    for support in (order[proposal.x[order] > 1e-9], order[: points.shape[1] + 1], order):
        weights = _solve_on(support, shifted)
        if weights is not None:
            return weights
    return None


# The normal equations have a solution for any points: whether it is one of the equations themselves is decided here.
def _solve_on(support: Array, shifted: Array) -> Array | None:
    """Nonnegative weights on an affinely independent part of `support` that average `shifted` to zero, or None."""
    chosen = [int(j) for j in support]
    if not _independent(chosen, shifted):
        chosen = []
        for j in support:
            if _independent([*chosen, int(j)], shifted):
                chosen.append(int(j))
    if not chosen:
        return None
    columns = fmpq_mat([[*shifted[k], fmpq(1)] for k in chosen]).transpose()
    goal = fmpq_mat([[fmpq(0)]] * shifted.shape[1] + [[fmpq(1)]])
    solution = (columns.transpose() * columns).solve(columns.transpose() * goal)
    if columns * solution != goal:
        return None
    weights = exact([0] * len(shifted))
    for position, k in enumerate(chosen):
        weights[k] = solution[position, 0]
    return weights if all(weight >= 0 for weight in weights) else None


def _independent(chosen: list[int], points: Array) -> bool:
    """Whether the chosen points are affinely independent."""
    return bool(fmpq_mat([[*points[k], fmpq(1)] for k in chosen]).rank() == len(chosen)) if chosen else True


# Few digits first: the direction is printed in certificates, and any that separates will do.
def _separating_direction(x: Array, points: Array) -> Array | None:
    """A rational u with |u|_1 = 1 and <u, y_j - x> > 0 for every j, or None."""
    floats, shifted = _scaled(x, points)
    n, d = floats.shape
    # Maximise the margin s over -1 <= u <= 1 with <u, y_j - x> >= s.
    proposal = scipy.optimize.linprog(
        np.append(np.zeros(d), -1.0),
        A_ub=np.hstack([-floats, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        bounds=[(-1, 1)] * d + [(None, None)],
        method="highs-ds",
    )
    if proposal.x is None:
        return None
    for digits in (6, 12, 18, 40):
        direction = exact([rational(Fraction(value).limit_denominator(10**digits)) for value in proposal.x[:d]])
        length = sum((abs(entry) for entry in direction), fmpq(0))
        if length > 0 and min(shifted @ direction) > 0:
            return direction
    return None


# Where no projection is inside, some single point is nearest: these are faces, too, and come first.
def squared_distance_to_hull(x: Array, points: Array) -> Array:
    """|x - conv(points)|^2 for x of shape (..., d), rational or float64, and rational points (m, d).

    The nearest point lies in the relative interior of the hull of affinely independent points, and is there the
    projection of x on their affine hull: the least over all such subsets whose projection has weights >= 0. Meant for
    few points: 2^m subsets.
    """
    best: Array | None = None
    for subset, *face in faces(points):
        origin, edges, dual = face if x.dtype == object else map(FLOAT64.convert, face)
        offset = x - origin
        if len(subset) == 1:
            squared, inside = (offset * offset).sum(axis=-1), np.True_
        else:
            weights = offset @ dual.T
            rest = offset - weights @ edges
            squared = (rest * rest).sum(axis=-1)
            inside = (weights >= 0).all(axis=-1) & (weights.sum(axis=-1) <= 1)
        best = squared if best is None else np.where(inside & (squared < best), squared, best)
    assert best is not None  # every single point is a face
    return np.asarray(best)


def squared_distances(x: Array, y: Array, B: Array | None = None) -> Array:
    """|x_i - y_j|^2, or <B(x_i - y_j), x_i - y_j>, for points x (..., m, d) and y (..., k, d), shape (..., m, k)."""
    apart = x[..., :, None, :] - y[..., None, :, :]
    image = apart if B is None else apart @ transposed(B)[..., None, :, :]
    return np.asarray((image * apart).sum(axis=-1))


def diameter_squared(points: Array) -> fmpq:
    """The largest squared distance between two of the points (n, d)."""
    scores = gram(points)
    norms = scores.diagonal()
    return max((norms[:, None] + norms[None, :] - 2 * scores).flat)


# flint clears denominators once for the matrix, NumPy reduces a fraction for each product.
def gram(points: Array) -> Array:
    """<y_i, y_j> of points (n, d), shape (n, n); fast for rationals in many dimensions."""
    if not issubclass(type(points.flat[0]), fmpq):
        return points @ points.T
    matrix = fmpq_mat(points.tolist())
    return exact((matrix * matrix.transpose()).tolist())


def probing_directions(points: Array) -> Array:
    """Directions in which hulls are compared, shape (..., m, d), each with both signs.

    The axes, the differences of points and, in the plane, the normals of all lines through two points, among them those
    of the facets.
    """
    d = points.shape[-1]
    first, second = np.triu_indices(points.shape[-2], 1)
    differences = points[..., first, :] - points[..., second, :]
    axes = np.broadcast_to(indicator(np.eye(d, dtype=bool), points), (*points.shape[:-2], d, d))
    parts = [axes, differences]
    if d == 2:
        parts.append(np.stack([-differences[..., 1], differences[..., 0]], axis=-1))
    directions = np.concatenate(parts, axis=-2)
    return np.concatenate([directions, -directions], axis=-2)


def support_contraction(before: Array, after: Array, keep: Array) -> Array:
    """(h - <u, y_i>) - keep (h - <u, x_i>) for each probing direction u, with h the largest <u, x_j> before.

    before x, after y: (..., n, d), keep: (...). Nonnegative for keep = 1 - gamma when each y_i is x_i moved by the
    fraction gamma towards a point of the hull; then no support function grows.
    """
    directions = probing_directions(before)
    old, new = (points @ directions.swapaxes(-1, -2) for points in (before, after))
    top = peak(old.swapaxes(-1, -2)).swapaxes(-1, -2)
    return np.asarray((top - new) - numbers(keep)[..., None, None] * (top - old))


def hull_excess(before: Array, after: Array) -> Array:
    """For each rational point after (n, d): 0 inside the hull of the points before, minus its gap to it outside."""
    return exact([-_told(membership(point, before), point, before).gap for point in after])


def _told(found: Membership, point: Array, points: Array) -> Membership:
    """Record the direction that separates a point from a hull, on which statements about its distance rest."""
    if not found.inside:
        tell("separation", point=point, points=points, direction=found.witness)
    return found
