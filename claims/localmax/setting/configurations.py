"""Designed starts of the localmax step: vertices that attend only to themselves, hidden tokens, mutual neighbours."""

import numpy as np
from flint import fmpq

from claims.instances.builders import draw_system
from claims.instances.tokens import key_query
from claims.localmax.setting.hypotheses import a_positive_gap
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import Array, at_most, exact, indicator, numbers, peak
from dynamics.geometry import membership
from dynamics.polytopes import dimension, in_relative_interior
from dynamics.system import System
from dynamics.tokens.localmax import STRICT, LocalmaxStep


# (1 - t^2, 2t) / (1 + t^2): points of exactly one norm that are rational, as no rounded angle would be.
def circle_points(draws: Draws, count: int) -> Array:
    """`count` rational points of the unit circle, shape (count, 2), from the tangents of their half angles."""
    t = draws.dyadic(count, size=3, bits=2)
    half = [(1 - s * s, 2 * s, 1 + s * s) for s in t]
    signs = [1 if draws.integer(0, 1) else -1 for _ in range(count)]
    return exact([[sign * c / q, s / q] for sign, (c, s, q) in zip(signs, half, strict=True)])


def a_step_size(draws: Draws) -> fmpq:
    """1/2 or another fraction."""
    # At random, where `choice` would take turns: the draws that use it take turns with the kinds of their starts.
    return (fmpq(1, 2), fmpq(1, 3), fmpq(3, 4), fmpq(1, 8), fmpq(7, 8))[draws.integer(0, 4)]


# A point that several tokens share counts once: all of them are left out before the hull of the others is taken.
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


# Scores change under translation, though the hull only moves: a vertex at 0 has no margin at all.
def _one_vertex_slips(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """The tokens translated, so that one vertex attends to others or all lie on one side of 0."""
    v = f.z[draws.integer(0, min(1, len(f.z) - 1))]
    return f.replace(z=f.z - v * (1 + draws.integer(0, 1)), A=f.A * (1 if draws.integer(0, 3) else -1))


# Each vertex then leads, so that none of them moves and the hull can only stay.
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


# A skew part leaves <Av, v> as it is; it is kept where the margins stay positive, for A need not be symmetric.
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


# Merging takes equalities that no random start meets. They are built in dyadic numbers, so that floats see them, too.
def about_to_merge(draws: Draws) -> System:
    """Two tokens near each other in the plane that merge in one step, or any start.

    Both attend to P and R, of mean (0, q), and only the second one attends to X = (-3, q), which is within delta for it by
    the shift between the two: alpha. It draws the second one back by just that. All numbers are dyadic, so that float64
    sees the two meet.
    """
    if draws.choice(("merging", "any")) == "any":
        return draw_system(LocalmaxStep, draws)
    gamma = (fmpq(1, 2), fmpq(3, 4), fmpq(7, 8))[draws.integer(0, 2)]
    alpha = gamma / (1 - gamma)
    beyond = fmpq(1 + draws.integer(0, 3))
    # P scores u more than the mean with the first token, u - alpha (3 + beyond) more with the second one.
    u = alpha * (3 + beyond) + draws.integer(0, 4)
    shift = alpha * beyond * (fmpq(1), fmpq(1, 2))[draws.integer(0, 1)]
    a = (u + shift + draws.integer(0, 4)) / 2
    # The gap of X is delta + shift for the first token, alpha beyond less for the second one.
    delta, second, y = u + 3 * a - shift, a + alpha, u + (3 + beyond) * a
    q = second * second + delta + 2 + draws.integer(0, 4)
    z = [[a, 1], [second, 1], [-3 - beyond, q + y], [3 + beyond, q - y], [-3, q]]
    return LocalmaxStep.instance(z=exact(z), delta=delta, gamma=gamma)


# Signs, exchanges of axes and scales give more of them, since A = I.
ANCHORS = (
    ((3, 1, 0), (0, -3, 2), (1, 0, 2), (2, -1, -1)),
    ((0, -3, -4), (-1, 4, -2), (-3, 1, -2), (2, 1, -3)),
    ((-1, 5, -1), (5, 0, 1), (2, 2, 3), (2, 2, -3)),
)
"""Four tokens that attend only to themselves, such that one with the right delta attends to two of them first, then all."""


# delta is the least with which the fifth hears all four at m, and two and itself before: a larger one would let in more.
def about_to_rest(draws: Draws) -> System:
    """Four tokens at rest and one that moves onto their mean, which attends to all of them; or any start.

    From z with 2/3 z + 1/6 (P_1 + P_2) the mean m of the four, the step of 1/2 by a token that attends to P_1, P_2 and
    itself ends at m. At m the scores of all four are within delta of each other, at z those of the last two are not.
    """
    if draws.choice(("resting", "any")) == "any":
        return draw_system(LocalmaxStep, draws)
    P = exact(ANCHORS[draws.integer(0, len(ANCHORS) - 1)])
    signs = exact([1 - 2 * draws.integer(0, 1) for _ in range(3)])
    P = P[:, (0, 1, 2) if draws.integer(0, 1) else (2, 0, 1)] * signs * (1 + draws.integer(0, 2))
    mean = P.sum(axis=0) / 4
    z = numbers((3 * mean - (P[0] + P[1]) / 2) / 2)
    attended = [max(scores) - min(scores) for scores in (P @ mean, (P @ z)[:2])]
    own = max(P @ z) - (z @ z).item()
    delta = max(*attended, own, fmpq(1, 32)) * (1 + fmpq(draws.integer(0, 1), 32))
    return LocalmaxStep.instance(z=[*P, z], delta=delta)


PLANAR_ANCHORS = (
    ((-8, 8), (5, 12), (-3, 10), fmpq(71, 5)),
    ((-5, 12), (10, 11), (1, 12), fmpq(67, 4)),
    ((-9, 4), (-1, 11), (-6, 7), fmpq(35, 4)),
)
"""Leaders u and v, a token w that attends to all, and a delta such that 2 u + v - 2 w attends to u and w alone."""

DYADIC_ANCHORS = (((-4, 22), (16, 16), (6, 20), fmpq(207, 4)), ((0, 16), (12, 11), (6, 14), fmpq(303, 16)))
"""The same of (3 u + 2 v - 3 w)/2, with two tokens there and two at v."""


# At these gamma (1 - gamma) I + gamma W is singular: only so do all w step to the same two places.
def about_to_rest_in_the_plane(draws: Draws) -> System:
    """Tokens at u and at v that rest, and others that step between them, where they rest; or any start.

    With gamma = 4/5 any w and x = 2 u + v - 2 w get to (3 u + 2 v)/5 and (4 u + v)/5, if x attends to u and w, and w to
    all. With two tokens at v, two at x = (3 u + 2 v - 3 w)/2 and gamma = 3/4, a step that float64 sees, they get to
    (u + v)/2 and (3 u + v)/4. There x attends to u and all between, and w to all: they rest.
    """
    kind = draws.choice(("single", "double", "any"))
    if kind == "any":
        return draw_system(LocalmaxStep, draws)
    anchors = PLANAR_ANCHORS if kind == "single" else DYADIC_ANCHORS
    anchor = anchors[draws.integer(0, len(anchors) - 1)]
    (u, v, w), delta = exact(anchor[:3]), fmpq(anchor[3])
    x = 2 * u + v - 2 * w if kind == "single" else (3 * u + 2 * v - 3 * w) / 2
    signs = exact([1 - 2 * draws.integer(0, 1) for _ in range(2)])
    scale = 1 + draws.integer(0, 2)
    z = np.stack([u, v, x, w] if kind == "single" else [u, v, v, x, x, w]) * signs * scale
    z = z[:, ::-1] if draws.integer(0, 1) else z
    return LocalmaxStep.instance(z=z, gamma="4/5" if kind == "single" else "3/4", delta=delta * scale * scale)


# ---------------------------------------------------------------------------------------------------------------------
# A hidden token


def _is_hidden(f: LocalmaxStep) -> bool:
    others, last = f.z[:-1], f.z[-1]
    return dimension(others) == len(last) and in_relative_interior(last, others)


# A token that is not hidden counts: as a copy of another one, or as a vertex farther out than all.
def _uncovered(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """The last token moved onto another one, or to twice the place of the farthest."""
    factor = 1 + draws.integer(0, 1)
    sizes = (f.z * f.z).sum(axis=-1)
    farthest = f.z[max(range(len(f.z)), key=lambda i: sizes[i])]
    return f.replace(z=numbers(np.concatenate([f.z[:-1], factor * farthest[None]])))


last_token_hidden = Assumption(
    "last_token_hidden",
    "the last token is in the interior of the hull of the others",
    satisfies=_is_hidden,
    violate=_uncovered,
)


def with_a_hidden_token(draws: Draws) -> LocalmaxStep:
    """A simplex around 0, other tokens, perhaps one at 0, and last a token inside the simplex; any matrix."""
    d = draws.integer(1, 3)
    simplex = exact(np.concatenate([np.eye(d, dtype=int), -np.ones((1, d), dtype=int)])) * (1 + draws.integer(0, 2))
    more = draws.dyadic(draws.integer(1, 2), d, size=3, bits=0)
    weights = 1 + abs(draws.dyadic(d + 1, size=3, bits=0))
    hidden = weights @ simplex / weights.sum()
    z = np.concatenate([simplex, more, 0 * simplex[:1] + more[:1] * draws.integer(0, 1), hidden[None]])
    return LocalmaxStep.instance(z=z, A=key_query(draws, d), gamma=a_step_size(draws), rule=draws.integer(0, 5))


# ---------------------------------------------------------------------------------------------------------------------
# Symmetric neighbourhoods and equal norms


def _is_mutual(f: LocalmaxStep) -> bool:
    attended = f.neighbours()
    return bool((attended == attended.T).all())


# Where all attend to all, neighbours are mutual under every rule; the strict rule needs delta above the largest gap.
def _mutual(f: LocalmaxStep) -> LocalmaxStep:
    """The largest gap for delta, or more, where not all neighbours are mutual: then all tokens attend to all.

    An exact instance with delta = 0 keeps it: its tokens meet at the first.
    """
    if f.delta.dtype == object and f.delta.item() == 0:
        return f if _is_mutual(f) else f.replace(z=0 * f.z + f.z[..., :1, :])
    attended = f.neighbours()
    mutual = (attended == attended.swapaxes(-1, -2)).all(axis=(-2, -1))
    if mutual.all():
        return f
    gaps = f.gaps()
    largest = peak(numbers(gaps.reshape(*mutual.shape, -1)))[..., 0]
    return f.replace(delta=numbers(np.where(mutual, f.delta, largest + (f.which == STRICT))))


# The middle tokens have small scores with everyone, so delta reaches far for them; the outer ones have large gaps.
def _one_sided(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """The tokens -6, -1, 0 or -4, -1, 1, 4 on a line: those in the middle attend to the outer ones, not the reverse."""
    z, delta = (([-6, -1, 0], 3), ([-4, -1, 1, 4], 1))[draws.integer(0, 1)]
    scale = 1 + draws.integer(0, 2)
    return f.replace(z=exact(z)[:, None] * scale, A=exact([[1]]), delta=exact(delta) * scale * scale)


mutual_neighbours = Assumption(
    "mutual_neighbours",
    "j in C_i if and only if i in C_j",
    satisfies=_is_mutual,
    restrict=_mutual,
    violate=_one_sided,
)


# Half a squared distance for delta: there a gap equals delta, where < and <= differ and the truncated energy has its kink.
def on_a_sphere(draws: Draws) -> LocalmaxStep:
    """Tokens of equal norm under A = I or its double, those of a lattice often with half a squared distance for delta."""
    shape = draws.choice(("circle", "lattice"))
    if shape == "circle":
        z = circle_points(draws, draws.integer(2, 6)) * (1 + draws.integer(0, 2))
    else:
        # The signed exchanges of (a, b, c), with c = 0 for half of the draws.
        a, b, c = draws.integer(0, 2), 1 + draws.integer(0, 2), draws.integer(0, 1)
        places = exact([(a, b, c), (b, a, c), (a, -b, c), (-a, b, -c), (-b, -a, c), (b, a, -c), (c, a, b), (-c, b, a)])
        z = places[[draws.integer(0, len(places) - 1) for _ in range(draws.integer(2, 6))]]
    A = exact(np.eye(z.shape[-1], dtype=int)) * (1 + draws.integer(0, 1))
    start = LocalmaxStep.instance(z=z, A=A, gamma=a_step_size(draws), rule=(0, 0, 3, 4)[draws.integer(0, 3)])
    exactly = shape == "lattice" and draws.integer(0, 2) > 0
    return start.replace(delta=numbers(a_positive_gap(start, draws) if exactly else abs(draws.dyadic(size=4, bits=2))))


def with_mutual_neighbours(draws: Draws) -> LocalmaxStep:
    """Tokens on a sphere, two pairs far apart, three in a row, the middle one attending to all, or all within delta."""
    kind = draws.choice(("two pairs", "three in a row", "sphere", "everyone"))
    if kind == "sphere":
        return on_a_sphere(draws)
    a, w, below = (fmpq(1 + draws.integer(0, 3)) for _ in range(3))
    if kind == "two pairs":
        z, delta = [-a - w, -a, a, a + w], max(2 * a * a + a * w - below / 4, w * (a + w))
    elif kind == "three in a row":
        z, delta = [-a, fmpq(0), a], a * a * (1 + (below - 1) / 4)
    else:
        z, delta = list(draws.dyadic(draws.integer(2, 5), size=3)), fmpq(32)
    scale = 1 + draws.integer(0, 1)
    return LocalmaxStep.instance(z=exact(z)[:, None] * scale, delta=delta * scale * scale, gamma=a_step_size(draws))


def _have_equal_norms(f: LocalmaxStep) -> bool:
    norms = f.squared_norms()
    return bool((norms == norms[0]).all())


# A reflection keeps the A-norm exactly and needs no root, where scaling to one length would.
def _on_the_sphere_of_the_first(f: LocalmaxStep) -> LocalmaxStep:
    """Each token the mirror image of the first, in the sense of A, in the hyperplane normal to where it was.

    A token of norm zero has no such hyperplane and comes to the first. Of A only the symmetric part matters.
    """
    n = f.z.shape[-2]
    first, normals, scores = f.z[..., :1, :], f.z, f.scores()
    along = (scores[..., 0, :, None] + scores[..., :, :1]) / 2
    length = f.squared_norms()[..., None]
    none = indicator(np.asarray(at_most(abs(length), 0 * length)), length)
    z = first - (1 - none) * 2 * along * normals / (length + none)
    return f.replace(z=numbers(np.concatenate([first, z[..., 1:n, :]], axis=-2)))


# A start that meets it stays: reflected again, every token would come back to another place.
equal_token_norms = Assumption(
    "equal_token_norms",
    "|z_1|_A = ... = |z_n|_A",
    satisfies=_have_equal_norms,
    restrict=lambda f: f if f.z.dtype == object and _have_equal_norms(f) else _on_the_sphere_of_the_first(f),
    violate=_one_sided,
)


# At the origin h = 0, so the norm gains just the square of the move; and beside a crowd one move is nearly all there is.
def crowd_or_any(draws: Draws) -> System:
    """A token at the origin beside a crowd of copies, to which it steps nearly all the way; all at the origin; or any."""
    kind = draws.choice(("crowd", "any", "any", "at rest"))
    if kind == "any":
        return draw_system(LocalmaxStep, draws)
    if kind == "at rest":
        return LocalmaxStep.instance(z=[[0, 0]] * draws.integer(1, 4), gamma=a_step_size(draws))
    return LocalmaxStep.instance(z=[[0, 0]] + [[draws.integer(8, 16), 0]] * draws.integer(40, 44), gamma=1)


# With m tokens at the gap delta the mean gap is m/(m+1) delta: near delta for a crowd.
def crowd_at_the_gap_or_any(draws: Draws) -> System:
    """A crowd at the gap delta, nearly delta on average; a token that goes from 0 to the longest; all at 0; or any."""
    kind, a = draws.integer(0, 7), draws.integer(1, 4)
    if kind == 2:
        return LocalmaxStep.instance(z=[[0, 0]] * a, gamma=a_step_size(draws))
    if kind == 0:
        z = [[2 * a]] + [[a]] * draws.integer(20, 24)
        return LocalmaxStep.instance(z=z, delta=2 * a * a, gamma=a_step_size(draws))
    if kind == 1:
        return LocalmaxStep.instance(z=[[0], [a]], gamma=1 - fmpq(1, 8 << draws.integer(0, 2)))
    return draw_system(LocalmaxStep, draws)


# The worst case in the proof of `pairs_need_room_to_merge`: k copies of X at the gap delta, and q of Y for one token alone.
def nearly_swapped(draws: Draws) -> System:
    """Two tokens with averages that are as little monotone as can be, tokens about to merge, or any start.

    (1, 0) attends to M and k copies of X, at the gap delta; (0, 1) attends to these, which are best for it, and to q copies
    of Y, which just fail the first.
    """
    if draws.integer(0, 1):
        return about_to_merge(draws)
    k = draws.integer(1, 4)
    # k/(k + 1) - k/n, which bounds the room, is largest at such a k for n = (k + 1)^2.
    q = k * (k + 1) + draws.integer(-1, 1)  # of k + 1 + q tokens these k give the least
    delta, short = fmpq(1 + draws.integer(0, 3)), fmpq(1, 64 << 3 * draws.integer(0, 2))
    m = 2 + 2 * delta
    X, Y = [m - delta, m], [m - delta - short, m - delta]
    z = exact([[1, 0], [0, 1], [m, m], *[X] * k, *[Y] * q])
    n = k + 1 + q
    # Just too large a step for |z_1 - z_2|^2 = 2 to be room enough, or any.
    alpha = 2 / (delta * max(fmpq(i, i + 1) - fmpq(i, n) for i in range(n))) * (1 + short)
    return LocalmaxStep.instance(z=z, delta=delta, gamma=alpha / (1 + alpha) if draws.integer(0, 1) else a_step_size(draws))


def one_sided_or_any(draws: Draws) -> System:
    """Tokens on a line of which the middle ones attend to the outer ones and not the reverse, or any start."""
    start = draw_system(LocalmaxStep, draws)
    assert isinstance(start, LocalmaxStep)
    return start if draws.choice(("one-sided", "any")) == "any" else _one_sided(start, draws)


def leader_about_to_attend(draws: Draws) -> System:
    """A token that attends only to itself, with a sensitivity a little below its margin, or any start."""
    start = draw_system(LocalmaxStep, draws)
    assert isinstance(start, LocalmaxStep)
    margins = start.squared_norms()[:, None] - start.scores()
    least = [min(row[~np.eye(len(margins), dtype=bool)[i]]) for i, row in enumerate(margins)] if len(margins) > 1 else []
    leading = [margin for margin in least if margin > 0]
    if not leading or draws.choice(("about to attend", "any")) == "any":
        return start
    return start.replace(delta=numbers(max(leading) * (1 - fmpq(1, 1 << draws.integer(2, 12)))))
