"""The first phase at finite temperature: one token at each vertex, the free ones inside the cells."""

from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from claims.frank_wolfe.setting.polytopes import acute_polytope
from claims.frank_wolfe.setting.softmax_steps import dyadic, largest
from claims.stating.assumptions import certainly_all, certainly_at_most, certainly_positive, with_entries
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import Array, UndecidedError, exact, exp, log, numbers, sqrt, working_precision
from dynamics.geometry import diameter_squared, membership
from dynamics.orbits.exact import orbit
from dynamics.polytopes import in_relative_interior
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.hardmax import HardmaxStep


def _offsets(f: AttentionChain) -> Array:
    """x_i - v_sigma(i), shape (n, d)."""
    return f.x - f.v[f.group]


def hardmax_path(f: AttentionChain, steps: int) -> AttentionChain:
    """The chain after so many steps in which each token picks its vertex: x_i = v + (1 - gamma)^t (x_i^0 - v)."""
    return f.replace(x=f.v[f.group] + (1 - f.gamma.item()) ** steps * _offsets(f))


def hardmax_run(f: AttentionChain, steps: int) -> AttentionChain:
    """The chain after so many steps of hardmax attention, B = I and P = gamma I: each token picks its leader."""
    start = HardmaxStep.instance(x=f.x, P=f.gamma.item() * np.eye(f.x.shape[1], dtype=int))
    return f.replace(x=orbit(start, steps)[-1].x)


def squared_distances_from_vertices(f: AttentionChain) -> Array:
    """|x_i - v_sigma(i)|^2 of all tokens, shape (n,)."""
    offsets = _offsets(f)
    return np.asarray((offsets * offsets).sum(axis=-1))


def squared_reaches(f: AttentionChain) -> Array:
    """|x_i - v_sigma(i)|^2 of the tokens that are not at their vertices."""
    squares = squared_distances_from_vertices(f)
    return np.asarray(squares[squares > 0])


def cell_margins(f: AttentionChain) -> Array:
    """<v_sigma(i) - v_j, x_i> for j != sigma(i), shape (n, kappa - 1)."""
    scores = f.x @ f.v.T
    own = scores[np.arange(len(f.x)), f.group][:, None] - scores
    others = np.arange(len(f.v)) != f.group[:, None]
    return np.asarray(own[others].reshape(len(f.x), -1))


def smallest_margin(f: AttentionChain) -> fmpq:
    """min(eta, c_0): the least <v_sigma(i) - v_j, x_i> of all tokens, at most c_0."""
    return min(*cell_margins(f).flat, f.c_0)


def near_radius_squared(f: AttentionChain, reach_squared: fmpq) -> fmpq:
    """tau^2 with tau = min(c_0 / (2 D), sqrt(2 c_0) / 2, (1 - gamma) m) of Theorem 5.2, m^2 = reach_squared."""
    c_0, kept = f.c_0, 1 - f.gamma.item()
    return min(c_0 * c_0 / (4 * diameter_squared(f.v)), c_0 / 2, kept * kept * reach_squared)


class NoTimeError(UndecidedError):
    """The first phase has no length, or is too long to follow."""

    precision_helps = False


# A step near 0 makes the first phase as long as 1/gamma, and the law of the picks is followed step by step.
MOST_STEPS = 1000
"""Steps after which a first phase is given up."""


# Counted by multiplying squares: balls never decide whether a quotient of logarithms is a whole number.
def _steps_down_to(f: AttentionChain, reach: fmpq) -> tuple[int, bool]:
    """The least T with (1 - gamma)^T reach <= tau, given the square of the reach, and whether they are equal.

    Raises NoTimeError where c_0 <= 0, so that there is no radius tau, and for more than MOST_STEPS steps.
    """
    if f.c_0 <= 0:
        raise NoTimeError(f"c_0 = {f.c_0} is not positive: there is no radius tau")
    tau_squared, kept = near_radius_squared(f, reach), (1 - f.gamma.item()) ** 2
    for steps in range(MOST_STEPS + 1):
        if reach <= tau_squared:
            return steps, reach == tau_squared
        reach = kept * reach
    raise NoTimeError(f"the first phase is longer than {MOST_STEPS} steps")


# The floor: one less than the least T, unless the power meets tau exactly.
def steps_of_the_nearest(f: AttentionChain) -> int:
    """T_1 = floor(log(tau/m) / log(1 - gamma)) of Theorem 5.2, m the least distance of a free token from its vertex.

    Raises NoTimeError where there is none, or none short enough.
    """
    steps, is_equal = _steps_down_to(f, min(squared_reaches(f)))
    return steps if is_equal else steps - 1


def steps_of_the_farthest(f: AttentionChain) -> int:
    """The least T with (1 - gamma)^T M <= tau, M the largest distance of a token from its vertex in place of m.

    Raises NoTimeError where there is none, or none short enough.
    """
    return _steps_down_to(f, max(squared_reaches(f)))[0]


def _has_token_at_each_vertex(f: Any) -> bool:
    kappa = len(f.v)
    return len(f.x) >= kappa and bool((f.group[:kappa] == np.arange(kappa)).all() and (f.x[:kappa] == f.v).all())


token_at_each_vertex = Assumption(
    "token_at_each_vertex",
    "x_i = v_i and sigma(i) = i for i <= kappa",
    satisfies=_has_token_at_each_vertex,
    violate=lambda f, draws: with_entries(f, "x", 0, f.x[0] + (f.x[1] - f.x[0]) / draws.choice((16, 64, 1024))),
)


def _on_the_wall(f: Any, draws: Draws) -> Any:
    """The last token on the far side of the middle between its vertex and another one, a little inside K."""
    own = int(f.group[-1])
    other = (own + 1) % len(f.v)
    place = (f.v[own] + f.v[other]) / 2 + (f.v[other] - f.v[own]) / draws.choice((4, 16))
    return with_entries(f, "x", -1, place + (f.v.sum(axis=0) / len(f.v) - place) / 1024)


# The margin is asked in the interior, > 0: on a wall no bound in eta says anything.
tokens_in_own_cells = Assumption(
    "tokens_in_own_cells",
    "some token is free, c_0 > 0, and <v_sigma(i) - v_j, x_i> > 0 for j != sigma(i)",
    satisfies=lambda f: len(squared_reaches(f)) > 0 and smallest_margin(f) > 0,
    violate=_on_the_wall,
)


def _beyond_its_vertex(f: Any, draws: Draws) -> Any:
    """The last token farther out than its vertex, in its cell."""
    return with_entries(f, "x", -1, f.v[int(f.group[-1])] * (1 + fmpq(1, draws.choice((2, 8)))))


free_tokens_in_polytope = Assumption(
    "free_tokens_in_polytope",
    "x_i in K",
    satisfies=lambda f: all(membership(token, f.v).inside for token in f.x),
    violate=_beyond_its_vertex,
)

free_tokens_inside_polytope = Assumption(
    "free_tokens_inside_polytope",
    "x_i in the relative interior of K for i > kappa",
    satisfies=lambda f: all(in_relative_interior(token, f.v) for token in f.x[len(f.v) :]),
    violate=_beyond_its_vertex,
)


def _is_eroded(f: Any) -> bool | None:
    """Decided where K is a simplex of full dimension, up to ties that balls leave open; None elsewhere."""
    kappa, d = f.v.shape
    if len(f.x) <= kappa:
        return False
    if kappa != d + 1:
        return None
    # Barycentric coordinates are affine: lambda_j(x) = u_j . (x, 1). A ball of radius r is in K if lambda_j >= r |grad|.
    columns = fmpq_mat([[*vertex, fmpq(1)] for vertex in f.v.tolist()]).transpose()
    if columns.det() == 0:
        return None
    rows = exact(columns.inv().tolist())
    with working_precision(256):
        eta = 1 / sqrt(sqrt(sqrt(f.beta)))
        r = eta * eta
        gradients = sqrt(numbers((rows[:, :-1] ** 2).sum(axis=-1)))
        inside = f.x[kappa:] @ rows[:, :-1].T + rows[:, -1] - r * gradients
        edges = f.v[f.group[kappa:]][:, None] - f.v[None]
        lengths = sqrt(numbers((edges**2).sum(axis=-1)))
        others = np.arange(kappa) != f.group[kappa:][:, None]
        margins = ((edges * f.x[kappa:, None]).sum(axis=-1) - r * lengths - eta)[others]
        return certainly_all(certainly_at_most(0, value) for value in (*inside.flat, *margins.flat))


tokens_in_eroded_cells = Assumption(
    "tokens_in_eroded_cells",
    "n > kappa, and x_i in I_sigma(i)(beta^{-1/8}) less a margin beta^{-1/4} for i > kappa",
    satisfies=_is_eroded,
    # The same at a much lower temperature, where the first phase is longer.
    violate=lambda f, draws: _on_the_wall(f.replace(beta=256 * f.beta), draws),
)


def printed_failure_exponent(f: AttentionChain) -> Array:
    """beta min(beta^{-1/8}, c_0) min((1 - gamma)^{T-1} beta^{-1/4}, c_0/D)/D - log(n (n - 1) T beta^{1/8}), shape ()."""
    steps, n, D = steps_of_the_farthest(f), len(f.x), f.diameter
    logs = log(f.beta)
    last = (1 - f.gamma) ** (steps - 1) * exp(-logs / 4)
    gap = -largest(np.array([-exp(-logs / 8), -f.c_0], dtype=object))
    delta = -largest(np.array([-last, -f.c_0 / D], dtype=object))
    return numbers(f.beta * gap * delta / D - logs / 8 - log(numbers(0 * f.beta + n * (n - 1) * steps)))


def _is_low_temperature(f: Any) -> bool | None:
    if len(squared_reaches(f)) == 0 or f.c_0 <= 0:
        return False
    if len(f.x) == 1:
        return True  # there are no other tokens: the left side is 0
    with working_precision(256):
        try:
            return certainly_positive(printed_failure_exponent(f).item())
        except UndecidedError:
            return None


low_temperature = Assumption(
    "low_temperature",
    "some token is free, c_0 > 0, "
    "n (n-1) T exp(-beta min(beta^{-1/8}, c_0) min((1-gamma)^{T-1} beta^{-1/4}, c_0/D)/D) < beta^{-1/8}",
    satisfies=_is_low_temperature,
)


# What is claimed needs neither acute angles nor equal norms: the square and the pentagon have no acute angles, one triangle
# has unequal norms.
def _polytope(draws: Any) -> Array:
    """Vertices that own their cells: acute or not, of equal norms or not."""
    shape = draws.choice(("segment", "acute", "square", "unequal norms", "pentagon"))
    if shape == "segment":
        return exact([[1], [-1]])
    if shape == "acute":
        return acute_polytope(draws)
    if shape == "square":
        return exact([[1, 1], [1, -1], [-1, -1], [-1, 1]])
    if shape == "unequal norms":
        return exact([[2, 0], [-1, 1], [-1, -1]])
    tangents = [fmpq(*ratio) for ratio in ((0, 1), (3, 4), (3, 1), (-3, 1), (-3, 4))]
    return exact([[(1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)] for t in tangents])


def tokens_in_cells(draws: Any) -> AttentionChain:
    """A token at each vertex of a polytope and one or two inside the cells, at any temperature."""
    v = _polytope(draws)
    kappa = len(v)
    free = draws.choice((1, 2))
    group = [*range(kappa), *(draws.integer(0, kappa - 1) for _ in range(free))]
    x = list(v)
    for label in group[kappa:]:
        weights = 1 + abs(dyadic(draws, kappa, size=2, bits=2))
        place = weights @ v / weights.sum()
        # The vertex owns its cell, so that the way to it ends inside.
        while min((v[label] - v[j]) @ place for j in range(kappa) if j != label) <= 0:
            place = (place + v[label]) / 2
        x.append(v[label] + (place - v[label]) * draws.choice((fmpq(1), fmpq(1, 2), fmpq(1, 32))))
    gamma = (fmpq(1, 2), fmpq(1, 4), fmpq(7, 8), fmpq(3, 4))[draws.integer(0, 3)]
    beta = (1, 16, 256, 4096, 2**24)[draws.integer(0, 4)] / min(v[0] @ v[0], fmpq(4))
    return AttentionChain.instance(
        v=v, x=np.array(x), group=group, beta=beta, gamma=gamma, eps=1, steps=draws.integer(1, 4)
    )


# Many tokens in one place pick each other as well: with four of them the union bound over n (n - 1) pairs may be within a
# factor of 3/2 of the chance.
def tokens_in_cells_or_at_one_place(draws: Any) -> AttentionChain:
    """The same; or a segment with two to four tokens at one place close to an end, so cold that they rarely stray."""
    if draws.choice(("cells", "cells", "one place")) == "cells":
        return tokens_in_cells(draws)
    crowd = draws.integer(2, 4)
    x = exact([[1], [-1], *[["255/256"]] * crowd])
    beta, steps = 256 * draws.integer(8, 12), draws.integer(1, 2)
    return AttentionChain.instance(
        v=[[1], [-1]], x=x, group=[0, 1, *[0] * crowd], beta=beta, gamma="1/2", eps=1, steps=steps
    )


def free_tokens_deep_in_cells(draws: Any) -> AttentionChain:
    """Starts that satisfy the hypotheses of Theorem 5.2 at low temperature, beta = b^8.

    "two distances": a free token about beta^{-1/4} from its vertex and another one far from its own. "thin triangle": one
    free token, and gamma so near 1 that with a step too few it is far away. "one distance": no special case. "warm": beta
    almost as small as the hypotheses allow.
    """
    b = fmpq(draws.choice((256, 64, 1024)))
    kind = draws.choice(("two distances", "warm", "thin triangle", "one distance"))
    if kind == "warm":
        beta, place = fmpq(draws.integer(18, 24)), fmpq(draws.choice((52, 49, 50, 51)), 64)
        v, gamma = exact([["21/16"], ["-21/16"]]), draws.choice((fmpq(1, 2), fmpq(7, 8)))
        x = np.concatenate([v, exact([[place]])])
        return AttentionChain.instance(v=v, x=x, group=[0, 1, 0], beta=beta, gamma=gamma, eps=1)
    if kind == "thin triangle":
        b = max(b, fmpq(64))
        t = 32 / (b * b)
        base = [2 * t / (1 + t * t), (t * t - 1) / (1 + t * t)]
        v = exact([[0, 1], base, [-base[0], base[1]]])
        c_0 = 2 * base[0] ** 2
        group, places = [0, 1, 2, 0], [exact([0, fmpq(draws.integer(1, 3), 4)])]
        m = 1 - places[0][1]
        # (1 - gamma)^2 m < c_0 / (2 D) <= (1 - gamma) m, and so T_1 = 1.
        kept = fmpq(1)
        while kept * kept * m * 5 >= c_0:
            kept = kept / 2
        gamma = 1 - kept
    else:
        segment = draws.choice((True, False))
        v = exact([[1], [-1]]) if segment else exact([[0, 1], ["4/5", "-3/5"], ["-4/5", "-3/5"]])
        kappa = len(v)
        distances = [fmpq(draws.integer(1, 3), 8)]
        if kind == "two distances":
            distances.append(8 * draws.integer(1, 3) / (b * b))
        group = [*range(kappa), *([0] * len(distances))]
        centre = v.sum(axis=0) / kappa
        places = [v[0] + s * (centre - v[0]) for s in distances]
        gamma = draws.choice((fmpq(1, 2), fmpq(3, 4)))
    return AttentionChain.instance(v=v, x=np.array([*v, *places]), group=group, beta=b**8, gamma=gamma, eps=1)


# Within 4/beta of a wall the scores of the two vertices differ by O(1/beta): no temperature makes the pick certain.
def free_tokens_anywhere(draws: Any) -> AttentionChain:
    """A free token inside a segment or triangle, next to the wall of two cells or deep in a cell; beta = b^8."""
    b = fmpq(draws.choice((16, 100, 1000)))
    v = exact([[1], [-1]]) if draws.choice((True, False)) else exact([[0, 1], ["4/5", "-3/5"], ["-4/5", "-3/5"]])
    off = draws.choice((fmpq(draws.integer(1, 4)) / b**8, fmpq(1, 2)))
    middle = (v[0] + v[1]) / 2
    place = middle + off * (v[0] - middle)
    if len(v) > 2:
        place = place + (v[2] - middle) / b**8
    gamma = draws.choice((fmpq(1, 2), fmpq(3, 4)))
    group = [*range(len(v)), 0]
    return AttentionChain.instance(v=v, x=np.array([*v, place]), group=group, beta=b**8, gamma=gamma, eps=1)


def margin_distances(f: AttentionChain, steps: int) -> list[fmpq]:
    """(((1 - s) c_0 + s eta) min(s r, c_0/D))^2 for s = (1 - gamma)^t, t < steps; eta is at most c_0."""
    eta, kept, nearest = smallest_margin(f), 1 - f.gamma.item(), min(squared_reaches(f))
    found = []
    for t in range(steps):
        s = kept**t
        margin = (1 - s) * f.c_0 + s * eta
        found.append(margin * margin * min(s * s * nearest, f.c_0 * f.c_0 / diameter_squared(f.v)))
    return found


def _segment(f: Any) -> Any:
    """One token at each end of a segment around 0, the others on it, each nearer to its own end."""
    ends, free = exact([[1], [-1]]), len(f.x) - len(f.v)
    group = np.array([0, 1, *(f.group[len(f.v) :] % 2)])
    places = [ends[int(label)] * fmpq(2 * k + 1, 2 * free + 2) for k, label in enumerate(group[2:])]
    return f.replace(v=ends, x=np.array([*ends, *places]), group=group)


def _is_on_a_segment(f: Any) -> bool:
    return f.v.shape == (2, 1) and bool(f.v[0, 0] == -f.v[1, 0])


def _triangle(f: Any) -> Any:
    """One token at each vertex of a triangle around 0, one more on the way from 0 to the first."""
    v = exact([[1, 0], ["-1/2", "7/8"], ["-1/2", "-7/8"]])
    return f.replace(v=v, x=np.concatenate([v, v[:1] * fmpq(7, 8)]), group=np.array([0, 1, 2, 0]))


on_a_segment = Assumption(
    "on_a_segment",
    "K = [-s, s] on a line",
    satisfies=_is_on_a_segment,
    restrict=lambda f: f if _is_on_a_segment(f) else _segment(f),
    violate=lambda f, draws: _triangle(f),
)
