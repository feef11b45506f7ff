"""Designed starts of the localmax step: vertices that hear only themselves, hidden tokens, symmetric neighbourhoods."""

from __future__ import annotations

import numpy as np
from flint import fmpq

from claims.constructions import draw_system
from claims.statement import Assumption, Draws
from dynamics.arithmetic import Array, exact, numbers
from dynamics.geometry import membership
from dynamics.localmax import LocalmaxStep
from dynamics.system import System


def circle_points(draws: Draws, count: int) -> Array:
    """So many rational points of the unit circle, shape (count, 2), from the tangents of their half angles."""
    t = draws.dyadic(count, size=3, bits=2)
    half = [(1 - s * s, 2 * s, 1 + s * s) for s in t]
    signs = [1 if draws.integer(0, 1) else -1 for _ in range(count)]
    return exact([[sign * c / q, s / q] for sign, (c, s, q) in zip(signs, half, strict=True)])


def a_step_size(draws: Draws) -> fmpq:
    """1/2 or another fraction."""
    return (fmpq(1, 2), fmpq(1, 3), fmpq(3, 4), fmpq(1, 8), fmpq(7, 8))[draws.integer(0, 4)]


def is_vertex(i: int, z: Array) -> bool:
    """Whether the hull of the points other than z_i does not contain it."""
    elsewhere = z[(z != z[i]).any(axis=-1)]
    return len(elsewhere) == 0 or not membership(z[i], elsewhere).inside


def _vertices(z: Array) -> list[int]:
    return [i for i in range(len(z)) if is_vertex(i, z)]


def _are_apart(f: LocalmaxStep) -> bool:
    margins = f.squared_norms()[:, None] - f.scores()
    corners = _vertices(f.z)
    return all(margins[i, j] > 0 for i in corners for j in corners if i != j)


def _one_vertex_slips(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """The tokens moved so far that one vertex hears others, or all tokens seen from one side."""
    v = f.z[draws.integer(0, min(1, len(f.z) - 1))]
    return f.replace(z=f.z - v * (1 + draws.integer(0, 1)), A=f.A * (1 if draws.integer(0, 3) else -1))


vertices_apart = Assumption(
    "vertices_apart",
    "<Av, v - w> > 0 for all distinct vertices v, w of K, one token at each",
    satisfies=_are_apart,
    violate=_one_vertex_slips,
)


def _scores_apart(v: Array, A: Array) -> bool:
    scores = v @ A.T @ v.T
    margins = scores.diagonal()[:, None] - scores
    return bool((margins[~np.eye(len(v), dtype=bool)] > 0).all())


def with_vertices_apart(draws: Draws) -> LocalmaxStep:
    """Vertices on a line, a circle or a cross, the scores perhaps a little turned, with tokens in their hull."""
    shape = draws.choice(("circle", "cross", "line"))
    if shape == "circle":
        points = circle_points(draws, draws.integer(2, 4))
        v = points[[i for i in range(len(points)) if not any((points[i] == points[j]).all() for j in range(i))]]
    elif shape == "cross":
        eye = np.eye(draws.integer(2, 3), dtype=int)
        v = exact(np.concatenate([eye, -eye])) * (1 + draws.integer(0, 2))
    else:
        v = exact([[-1 - draws.integer(0, 2)], [1 + draws.integer(0, 2)]])
    n, d = v.shape
    weights = abs(draws.dyadic(draws.integer(1, 2), n, size=2, bits=0)) + 1
    inside = weights @ v / weights.sum(axis=-1, keepdims=True)
    eye, turn = exact(np.eye(d, dtype=int)), exact(np.eye(d, k=1, dtype=int) - np.eye(d, k=-1, dtype=int))
    turned = eye + turn * draws.dyadic(size=1, bits=2)
    A = turned if _scores_apart(v, turned) else eye
    z = np.concatenate([v, inside]) if n > 1 else v
    return LocalmaxStep.instance(z=z, A=A, gamma=a_step_size(draws), rule=draws.integer(0, 5))


# ---------------------------------------------------------------------------------------------------------------------
# Steps onto one point, and onto a fixed point


def about_to_merge(draws: Draws) -> System:
    """Two tokens near each other in the plane that merge in one step, or any start.

    Both hear P and R, of mean (0, q), and only the second one hears X = (-1, q), which is within delta for it by the
    shift between the two. It is then drawn back by just that shift: alpha/3.
    """
    if draws.choice(("merging", "any")) == "any":
        return draw_system(LocalmaxStep, draws)
    gamma = a_step_size(draws)
    alpha = gamma / (1 - gamma)
    eta = fmpq(1 + draws.integer(0, 3))
    u = alpha * (1 + eta) / 3 + fmpq(draws.integer(0, 4), 3)
    delta = 2 * u + fmpq(draws.integer(0, 4), 3)
    # X is out of the first token's sensitivity by so much, within the second one's by alpha eta / 3 less this.
    a = delta - u + alpha * eta / 3 * (fmpq(1), fmpq(1, 2))[draws.integer(0, 1)]
    y, second = u + (1 + eta) * a, a + alpha / 3
    q = second * second + 2 * delta + fmpq(1 + draws.integer(0, 4), 2)
    z = exact([[a, 1], [second, 1], [-1 - eta, q + y], [1 + eta, q - y], [-1, q]])
    scale = 1 + 2 * draws.integer(0, 1)
    return LocalmaxStep.instance(z=z * scale, delta=delta * scale * scale, gamma=gamma)


ANCHORS = (
    ((3, 1, 0), (0, -3, 2), (1, 0, 2), (2, -1, -1)),
    ((0, -3, -4), (-1, 4, -2), (-3, 1, -2), (2, 1, -3)),
    ((-1, 5, -1), (5, 0, 1), (2, 2, 3), (2, 2, -3)),
)
"""Four tokens that hear only themselves, such that one with the right delta hears two of them first, then all."""


def about_to_rest(draws: Draws) -> System:
    """Four tokens at rest and one that moves onto their mean, which hears all of them; or any start.

    From z with 2/3 z + 1/6 (P_1 + P_2) the mean m of the four, the step of 1/2 by a token that hears P_1, P_2 and itself
    ends at m. At m the scores of all four are within delta of each other, at z those of the last two are not.
    """
    if draws.choice(("resting", "any")) == "any":
        return draw_system(LocalmaxStep, draws)
    P = exact(ANCHORS[draws.integer(0, len(ANCHORS) - 1)])
    signs = exact([1 - 2 * draws.integer(0, 1) for _ in range(3)])
    P = P[:, (0, 1, 2) if draws.integer(0, 1) else (2, 0, 1)] * signs * (1 + draws.integer(0, 2))
    mean = P.sum(axis=0) / 4
    z = numbers((3 * mean - (P[0] + P[1]) / 2) / 2)
    heard = [max(scores) - min(scores) for scores in (P @ mean, (P @ z)[:2])]
    own = max(P @ z) - (z @ z).item()
    return LocalmaxStep.instance(z=[*P, z], delta=max(*heard, own, fmpq(1, 32)))
