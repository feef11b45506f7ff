"""Polytopes of tokens with their cells, and the hypotheses on them.

K is the hull of the tokens, and the cell C_i of its vertex v_i is where v_i has the largest score: C_i = {x in K: <Bx, v_i>
= max over y in K of <Bx, y>}. It is enough to compare vertices.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq

from claims.instances.tokens import draw_tokens
from claims.stating.assumptions import definite_key_query
from claims.stating.matrices import definite, eye_like, is_invertible
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import Array, distinct, indicator, peak, transposed
from dynamics.attention import average_over, leaders
from dynamics.polytopes import cell_gaps, vertices
from dynamics.tokens.hardmax import HardmaxStep


def corners(f: Any) -> Array:
    """The vertices of the hull of the tokens, shape (k, d)."""
    return np.asarray(f.x[vertices(f.x)])


def gaps(f: Any, x: Array) -> Array:
    """<Bx, v_i - v_j> for j != i, for points x (m, d) and the k vertices, shape (m, k, k - 1)."""
    return cell_gaps(x, corners(f), f.B)


# Closed cells: a token on a wall is in both.
def held(f: Any) -> Array:
    """Whether token x lies in the cell of vertex v_i, a boolean mask of shape (n, k)."""
    return np.asarray((gaps(f, f.x) >= 0).all(axis=-1))


# ---------------------------------------------------------------------------------------------------------------------
# Draws


# Tokens inside the hull are built and not hoped for: random ones are nearly all vertices.
def on_corners(x: Array) -> Array:
    """The tokens (..., n, d), the last third of them moved into the hull of the others, some to its boundary."""
    n = x.shape[-2]
    outer, inner = x[..., : n - n // 3, :], x[..., n - n // 3 :, :]
    weights = abs(inner[..., :, None, :] - outer[..., None, :, :]).sum(axis=-1)
    if outer.shape[-2] > 2:
        # Without the farthest corner a token among three of them lies on an edge.
        weights = weights * indicator(weights != peak(weights), x)
    nothing = weights.sum(axis=-1, keepdims=True) == 0
    weights = weights + indicator(nothing, x)
    return np.concatenate([outer, weights @ outer / weights.sum(axis=-1, keepdims=True)], axis=-2)


def tokens_with(x: Array, B: Array) -> HardmaxStep:
    """A hardmax step of half the way for these tokens and scores."""
    n = x.shape[-2]
    return HardmaxStep(x=x, B=B, P=eye_like(B) / 2, selection=indicator(np.ones((n, n), dtype=bool), x))


def polytope(draws: Any) -> HardmaxStep:
    """Up to six tokens in up to three dimensions, some of them within the hull of the others, and any scores."""
    where, form = draws.choice(("some inside", "anywhere")), draws.choice(("any form", "rank one"))
    n, d = draws.integer(1, 6), draws.integer(1, 3)
    x, B = draw_tokens(draws, n, d), draws.dyadic(d, d, size=2)
    # Scores of rank one do not see a hyperplane of directions: vertices that differ only there tie everywhere.
    if form == "rank one":
        B = B[..., :, :1] * B[..., :1, :]
    return tokens_with(on_corners(x) if where == "some inside" else x, B)


def polytope_with_ties(draws: Any) -> HardmaxStep:
    """Tokens, some led by several vertices: at 0, between mirror images, or anywhere under scores of rank one."""
    kind = draws.choice(("mirrored", "one at zero", "any"))
    f = polytope(draws)
    if kind == "one at zero":
        return f.replace(x=f.x - f.x[..., -1:, :])
    if kind == "any":
        return f
    # Scores that are even in the first coordinate, and a third of the tokens where it is zero.
    left = f.x[..., : 1 + f.x.shape[-2] // 2, :]
    flip = 1 - 2 * indicator(np.arange(f.x.shape[-1]) == 0, f.x)
    x = np.concatenate([left, left * flip, (left + left * flip) / 2], axis=-2)
    return tokens_with(x, f.B * eye_like(f.B))


def polytope_with_a_tied_neighbour(draws: Any) -> HardmaxStep:
    """A triangle with a vertex v whose neighbour has the score of v under a multiple of the identity, or any tokens."""
    if draws.choice(("tied neighbour", "any")) == "any":
        return polytope(draws)
    first, second = 1 + abs(draws.dyadic(size=2, bits=2)), draws.dyadic(size=2, bits=2)
    v, across = np.stack([first, second], axis=-1), np.stack([-second, first], axis=-1)
    w = v + (1 + abs(draws.dyadic(size=2, bits=2)))[..., None] * across
    scale = draws.dyadic(size=2)[..., None, None]
    x = np.stack([v, w, -v - w], axis=-2)
    return tokens_with(x, scale * indicator(np.eye(2, dtype=bool), x))


# For g orthogonal to the edge both of its ends score alike at every point: their cells are the same.
def blind_along_an_edge(draws: Any) -> HardmaxStep:
    """Scores <g, x> <g, y> that vanish on the difference of the first two tokens, for which <g, .> is largest.

    g is the point nearest to 0 of the line through the two. All others are a part of the way from 0 to it in the direction
    of g, and anywhere across.
    """
    d = draws.integer(2, 3)
    n = draws.integer(d + 1, d + 2)
    x = draws.dyadic(n, d, size=2, bits=2)
    first = x[..., :1, :]
    along = first - x[..., 1:2, :]
    length = (along * along).sum(axis=-1, keepdims=True)
    g = first - (first * along).sum(axis=-1, keepdims=True) / (length + indicator(length == 0, x)) * along
    height = (g * g).sum(axis=-1, keepdims=True)
    others = x[..., 2:, :]
    parts = abs(draws.dyadic(n - 2, size=1, bits=3))[..., None] * 7 / 8
    heights = (others * g).sum(axis=-1, keepdims=True) / (height + indicator(height == 0, x))
    return tokens_with(np.concatenate([x[..., :2, :], others + (parts - heights) * g], axis=-2), transposed(g) * g)


# ---------------------------------------------------------------------------------------------------------------------
# Scores


def _any_scores(f: Any, draws: Draws) -> Any:
    d = f.B.shape[-1]
    B = draws.dyadic(d, d, size=2)
    return f.replace(B=-B if definite_key_query.satisfies(f.replace(B=B)) else B)


definite_or_any = replace(definite_key_query, violate=_any_scores)
"""Dropped in favour of any matrix, symmetric or not."""

definite_or_blind = replace(definite_key_query, violate=lambda f, draws: blind_along_an_edge(draws))
"""Dropped in favour of scores that do not see an edge: what singular semidefinite scores may do."""


# <B(se), e> = s <Be, e> = 0: along the segment both ends score 0 everywhere, and both cells are all of it.
def _isotropic(f: Any, draws: Draws) -> HardmaxStep:
    """The segment [-e, e] and its middle, under symmetric scores, not zero, with <Be, e> = 0."""
    e = draws.dyadic(2, size=2)
    e[0] = e[0] + 3
    turn = np.stack([-e[1], e[0]])
    B = np.multiply.outer(e, turn) + np.multiply.outer(turn, e) + draws.dyadic(size=2) * np.multiply.outer(turn, turn)
    return tokens_with(np.stack([e, -e, 0 * e]), B)


definite_or_isotropic = replace(definite_key_query, violate=_isotropic)
"""Dropped in favour of indefinite scores under which an edge is orthogonal to itself."""


some_scores = Assumption(
    "some_scores",
    "B is not zero",
    satisfies=lambda f: bool((f.B != 0).any()),
    # Of a batch only the members whose scores are all 0 get others.
    restrict=lambda f: f.replace(B=f.B + indicator((f.B == 0).all(axis=(-2, -1), keepdims=True), f.B) * eye_like(f.B)),
    violate=lambda f, draws: f.replace(B=0 * f.B),
)


# ---------------------------------------------------------------------------------------------------------------------
# Vertices of equal norm


def _norms(x: Array, B: Array) -> Array:
    return ((x @ transposed(B)) * x).sum(axis=-1)


# A line through a rational point of a quadric meets it in one more point, which is rational, too.
def _on_ellipsoid(x: Array, B: Array) -> Array:
    """The points scaled to the same <Bx, x> as the first one."""
    first = x[..., :1, :]
    along = x - first
    length = _norms(along, B)[..., None]
    slope = (along @ B @ transposed(first)) / (length + indicator(length == 0, x))
    return first - 2 * slope * along


def _with_equal_norms(f: Any) -> Any:
    outer = f.x.shape[-2] - f.x.shape[-2] // 3
    moved = _on_ellipsoid(f.x[..., :outer, :], f.B)
    return f.replace(x=on_corners(np.concatenate([moved, f.x[..., outer:, :]], axis=-2)))


equal_norm_vertices = Assumption(
    "equal_norm_vertices",
    "J(v_i) = <Bv_i, v_i>/2 is the same for every vertex",
    satisfies=lambda f: len(distinct(_norms(corners(f), f.B))) == 1,
    restrict=_with_equal_norms,
    # Along the difference of two vertices of equal norm one gets longer and the other shorter.
    violate=lambda f, draws: f.replace(x=f.x + (corners(f)[0] - corners(f)[-1]) / draws.choice((16, 256))),
)


# ---------------------------------------------------------------------------------------------------------------------
# The hypotheses of Theorem 4.2


def _own_their_cells(f: Any) -> bool:
    v = corners(f)
    own = gaps(f, v)[np.arange(len(v)), np.arange(len(v))]
    return bool((own > 0).all())


# <Bv_i, v_i> > <Bv_i, v_j> asks for r_i > r_j cos(i, j), and r_i > c >= c r_j is enough.
def _with_own_cells(f: Any) -> Any:
    """On an ellipsoid around 0, or a little inside it, every vertex owns its cell.

    If cosines between different corners are at most c > 0, all radii in (c, 1] will do.
    """
    n = f.x.shape[-2]
    outer = _on_ellipsoid(f.x[..., : n - n // 3, :], f.B)
    scores = outer @ transposed(f.B) @ transposed(outer)
    norms = peak(_norms(outer, f.B))
    apart = indicator((outer[..., :, None, :] != outer[..., None, :, :]).any(axis=-1), f.x)
    cosine = peak(peak(scores * apart).swapaxes(-1, -2))[..., 0] / (norms + indicator(norms == 0, f.x))
    cosine = cosine * indicator(cosine > 0, f.x)
    # Shares depend on places only, so that coinciding corners stay together.
    size = abs(outer).sum(axis=-1)
    shares = size / (1 + 2 * peak(size))
    outer = outer * (1 - (1 - cosine) * shares)[..., None]
    return f.replace(x=on_corners(np.concatenate([outer, f.x[..., n - n // 3 :, :]], axis=-2)))


# Far from 0 all tokens have nearly one direction, so that one vertex leads at all of them.
def _far_from_zero(f: Any, draws: Draws) -> Any:
    """All tokens translated so far that one vertex has the largest score at every one of them, other vertices included."""
    v = corners(f)
    direction = draws.dyadic(f.x.shape[-1], size=2) + (v[0] - v[-1])
    heights = v @ (f.B @ direction)
    top = int(np.argmax(heights))
    leads = f.x @ transposed(f.B) @ transposed(v[top] - v)
    behind = [j for j, height in enumerate(heights) if height < heights[top]]
    far = max((abs(lead) / (heights[top] - heights[j]) for j in behind for lead in leads[:, j]), default=fmpq(0))
    return f.replace(x=f.x + (far + 1) * direction)


def _with_own_cells_of_any(f: Any) -> Any:
    """With B replaced by a definite one where an exact instance has a B for which the construction fails."""
    made = _with_own_cells(f)
    return made if made.x.dtype != object or _own_their_cells(made) else _with_own_cells(f.replace(B=definite(f.B)))


own_vertex_cells = Assumption(
    "own_vertex_cells",
    "every vertex owns its cell: <Bv_j, v_j> > <Bv_j, v_i> for i != j",
    satisfies=_own_their_cells,
    restrict=_with_own_cells_of_any,
    violate=_far_from_zero,
    label="vertices.own.cell",
)


def _leading_points(f: Any) -> list[int]:
    """How many different points lead each token."""
    return [len(distinct(f.x[row])) for row in leaders(f.scores())]


def _halfway_to_a_leader(f: Any) -> Any:
    """Each token halfway to the longest of its leaders: a vertex, which owns its cell, for definite B."""
    leading = indicator(leaders(f.scores()), f.x)
    norms = _norms(f.x, f.B)
    drop = peak(norms) + peak(-norms) + 1
    longest = leaders(norms[..., None, :] - drop[..., None] * (1 - leading))
    first = longest & (np.cumsum(longest, axis=-1) == 1)
    return f.replace(x=(f.x + average_over(first, f.x)) / 2)


def _on_a_wall(f: Any, draws: Draws) -> Any:
    """One more token, where the segment between two vertices leaves the cell of the first."""
    v = corners(f)
    a = draws.integer(0, len(v) - 1)
    b = (a + 1) % len(v)
    here, there = (gaps(f, v[[k]])[0, a] for k in (a, b))
    share = min((p / (p - q) for p, q in zip(here, there, strict=True) if p > q), default=fmpq(0))
    x = np.concatenate([f.x, (v[a] + share * (v[b] - v[a]))[None]])
    ones = indicator(np.ones((len(x), len(x)), dtype=bool), x)
    return f.replace(x=x, selection=ones)


# Halfway to a vertex that owns its cell a token is inside of that cell, off its walls.
tokens_in_one_cell = Assumption(
    "tokens_in_one_cell",
    "every token lies in exactly one cell",
    satisfies=lambda f: set(_leading_points(f)) == {1},
    restrict=_halfway_to_a_leader,
    violate=_on_a_wall,
)


# ---------------------------------------------------------------------------------------------------------------------
# Layers with matrix values


# The determinant is a product of numbers >= 1/16: no draw has to be thrown away.
def _invertible(A: Array) -> Array:
    """L U with the strict lower part of A in L, 1 on its diagonal, and the rest of A in U, its diagonal made positive."""
    d = A.shape[-1]
    eye, upper = eye_like(A), indicator(np.triu(np.ones((d, d), dtype=bool), 1), A)
    L, U = eye + transposed(upper) * A, upper * A + eye * (abs(A) + eye / 16)
    return np.asarray(L @ U)


def _last_row_zero(A: Array) -> Array:
    return A * indicator(np.arange(len(A)) < len(A) - 1, A)[:, None]


invertible_layer = Assumption(
    "invertible_layer",
    "I + V is invertible",
    satisfies=lambda f: is_invertible(eye_like(f.V) + f.V),
    restrict=lambda f: f.replace(V=_invertible(f.V) - eye_like(f.V)),
    violate=lambda f, draws: f.replace(V=_last_row_zero(f.V + eye_like(f.V)) - eye_like(f.V)),
)

# I - P = (I + V)^{-1}: of a step this is what "I + V is invertible" says.
invertible_step = Assumption(
    "invertible_step",
    "P = (I + V)^{-1} V for a V with I + V invertible: I - P is invertible",
    satisfies=lambda f: is_invertible(eye_like(f.P) - f.P),
    restrict=lambda f: f.replace(P=eye_like(f.P) - _invertible(f.P)),
    violate=lambda f, draws: f.replace(P=eye_like(f.P) - _last_row_zero(eye_like(f.P) - f.P)),
)


# A V that is no multiple of I has two different rates; that the two tokens are sent to each other is what uses them.
def unequal_diagonal_step(draws: Any) -> HardmaxStep:
    """Tokens 0, s e_1, ..., s e_d, scores that send s e_1 and s e_2 to each other, and two rates in (0, 1)."""
    d = draws.integer(2, 4)
    unit = 1 + abs(draws.dyadic(size=2))
    eye = indicator(np.eye(d, dtype=bool), unit)
    x = unit[..., None, None] * np.concatenate([0 * eye[:1], eye])
    exchange = np.zeros((d, d), dtype=bool)
    exchange[0, 1] = exchange[1, 0] = True
    scores = indicator(exchange, unit) * (1 + abs(draws.dyadic(size=2)))[..., None, None]
    # 1 - p_2 = (1 - p_1) (1 - share): in (0, 1), and different.
    shares = (1 + abs(draws.dyadic(2, size=4))) / 8
    p_1, p_2 = shares[..., 0], 1 - (1 - shares[..., 0]) * (1 - shares[..., 1])
    if draws.choice(("second faster", "first faster")) == "first faster":
        p_1, p_2 = p_2, p_1
    rates = p_1[..., None] * eye[0] + p_2[..., None] * (1 - eye[0])
    f = tokens_with(x, scores)
    return f.replace(P=rates[..., None] * eye)


def _exchanges_corners(f: Any) -> bool:
    n, d = f.x.shape
    s = f.x[-1, -1]
    eye = eye_like(f.B)
    stands = n == d + 1 >= 3 and s > 0 and bool((f.x == s * np.concatenate([0 * eye[:1], eye])).all())
    return stands and all(bool((f.B[:, i] == f.B[j, i] * eye[j]).all()) and f.B[j, i] > 0 for i, j in ((0, 1), (1, 0)))


exchanged_corners = Assumption(
    "exchanged_corners",
    "the tokens are 0, s e_1, ..., s e_d with s > 0, B e_1 is a positive multiple of e_2 and B e_2 of e_1",
    satisfies=_exchanges_corners,
    violate=lambda f, draws: f.replace(B=-f.B),
)

diagonal_values = Assumption(
    "diagonal_values",
    "V is diagonal and positive: P is diagonal with entries in (0, 1)",
    satisfies=lambda f: bool((eye_like(f.P) * f.P == f.P).all()) and all(0 < p < 1 for p in f.P.diagonal()),
    violate=lambda f, draws: f.replace(P=-f.P),
)

two_rates = Assumption(
    "two_rates",
    "the first two entries of V differ",
    satisfies=lambda f: len(f.P) > 1 and f.P[0, 0] != f.P[1, 1],
    violate=lambda f, draws: f.replace(P=f.P[0, 0] * eye_like(f.P)),
)
