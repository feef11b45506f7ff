"""Starts and hypotheses of the claims about finite inverse temperature beta (section 5 of arXiv 2508.09628)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from claims.assumptions import certainly_at_most, step_size_at_most_one
from claims.frank_wolfe.polytopes import acute_polytope, chain_near_vertices
from claims.statement import Assumption, Draws
from dynamics.arithmetic import (
    Array,
    UndecidedError,
    exact,
    exp,
    has_columns,
    indicator,
    log,
    numbers,
    peak,
    sign,
    sqrt,
    working_precision,
)
from dynamics.attention import leaders, softmax
from dynamics.attention_chain import AttentionChain, SoftmaxStep
from dynamics.geometry import diameter_squared, membership
from dynamics.hardmax import HardmaxStep
from dynamics.orbits import orbit
from dynamics.pick_sequences import TooManyStatesError, cheapest_way_out
from dynamics.polytopes import in_relative_interior

# ---------------------------------------------------------------------------------------------------------------------
# The softmax step


def _dyadic(draws: Any, *shape: int, size: int = 4, bits: int = 4) -> Any:
    """Multiples of 2^-bits in [-size, size], one instance of them from any source of draws: chains know no batches."""
    count, most = int(np.prod(shape)), size << bits
    units = [draws.integer(-most, most) for _ in range(count)]
    return numbers(exact(np.array(units, dtype=object).reshape(shape)) / fmpq(1 << bits))


def squared_sides(x: Array) -> Array:
    """|x_i - x_j|^2 for i < j of tokens (..., n, d), shape (..., n (n - 1) / 2)."""
    i, j = np.triu_indices(x.shape[-2], 1)
    difference = x[..., i, :] - x[..., j, :]
    return numbers((difference * difference).sum(axis=-1))


def largest(values: Array) -> Array:
    """The largest number along the last axis, shape (...), 0 where there are none.

    (a + b + |a - b|) / 2 encloses the maximum of balls, too.
    """
    if values.shape[-1] == 0:
        return numbers(values.sum(axis=-1))
    if values.dtype != object or has_columns(values):
        return numbers(peak(values)[..., 0])
    top = values[..., 0]
    for j in range(1, values.shape[-1]):
        top = (top + values[..., j] + abs(top - values[..., j])) / 2
    return numbers(top)


def _not_negative(f: Any) -> Any:
    return f.replace(beta=abs(f.beta))


nonnegative_beta = Assumption(
    "nonnegative_beta",
    "beta >= 0",
    satisfies=lambda f: f.beta.item() >= 0,
    restrict=_not_negative,
    violate=lambda f, draws: f.replace(beta=-f.beta - indicator(f.beta == 0, f.x)),
)


def _near_the_origin(f: Any) -> Any:
    """The tokens moved together so that the origin is next to the first of them, a little towards the mean."""
    n = f.x.shape[-2]
    mean = f.x.sum(axis=-2, keepdims=True) / n
    return f.replace(x=f.x - (15 * f.x[..., :1, :] + mean) / 16)


def _away_from_the_origin(f: Any, draws: Draws) -> Any:
    shift = 1 - min(f.x[:, 0]) + abs(_dyadic(draws, size=2))
    return f.replace(x=f.x + shift * indicator(np.arange(f.x.shape[1]) == 0, f.x))


origin_in_hull = Assumption(
    "origin_in_hull",
    "0 in K^0",
    satisfies=lambda f: membership(exact([0] * f.x.shape[1]), f.x).inside,
    restrict=_near_the_origin,
    violate=_away_from_the_origin,
)


def _positive_step(f: Any) -> Any:
    return f.replace(gamma=f.gamma + indicator(f.gamma == 0, f.x) / 2)


positive_step_size = replace(
    step_size_at_most_one,
    name="positive_step_size",
    statement="0 < gamma <= 1",
    satisfies=lambda f: 0 < f.gamma.item() <= 1,
    restrict=_positive_step,
)


def _has_single_leaders(f: Any) -> bool:
    led = leaders(f.x @ f.x.T)
    return all(len({tuple(map(str, f.x[j])) for j in np.flatnonzero(row)}) == 1 for row in led)


single_leaders = Assumption(
    "single_leaders",
    "one point leads every token",
    satisfies=_has_single_leaders,
    violate=lambda f, draws: f.replace(x=np.concatenate([f.x[:1], -f.x[:1], 0 * f.x[:1]])),
)

low_temperature_in_diameters = Assumption(
    "low_temperature_in_diameters",
    "beta D^2 >= 1000",
    satisfies=lambda f: f.beta.item() * diameter_squared(f.x) >= 1000,
    violate=lambda f, draws: f.replace(beta=f.beta / (f.beta * diameter_squared(f.x))),
)


def few_tokens(draws: Any) -> SoftmaxStep:
    """Two or three tokens of small size, whose chain can be enumerated for a few steps."""
    n, d = draws.choice((2, 3, 2)), draws.choice((1, 2, 1, 1))
    x = _dyadic(draws, n, d, size=draws.choice((1, 2, 4, 1)), bits=3)
    kind = draws.choice(("random", "symmetric", "ties", "zero token"))
    if kind == "symmetric":
        x[-1] = -x[0]
    elif kind == "ties":
        x[-1] = x[0]
    elif kind == "zero token":
        x[0] = 0 * x[0]
    beta = draws.choice((1, -1, fmpq(1, 4), 0, 2)) * (abs(_dyadic(draws, size=2, bits=3)) + fmpq(1, 8))
    gamma = draws.choice((fmpq(1, 2), fmpq(1), fmpq(1, 8), fmpq(7, 8)))
    return SoftmaxStep(x=x, beta=numbers(beta), gamma=numbers(gamma))


def one_to_three_tokens(draws: Any) -> SoftmaxStep:
    """The same, or the first of them alone."""
    f = few_tokens(draws)
    return f.replace(x=f.x[: draws.choice((3, 3, 3, 1))])


def _first_two(f: Any) -> Any:
    return f.replace(x=f.x[..., :2, :])


two_tokens = Assumption(
    "two_tokens",
    "n = 2",
    satisfies=lambda f: f.x.shape[-2] == 2,
    restrict=_first_two,
    violate=lambda f, draws: f.replace(x=np.concatenate([f.x, _dyadic(draws, 1, f.x.shape[-1])])),
)


def two_to_the_d_tokens(draws: Any) -> SoftmaxStep:
    """Four points of the plane or eight of space: on a circle or sphere, a cube, or anywhere."""
    d = draws.choice((2, 3, 2, 2))
    if draws.choice(("round", "anywhere")) == "anywhere":
        return SoftmaxStep.instance(x=_dyadic(draws, 2**d, d, size=2))
    flat = _dyadic(draws, 2**d, d - 1, size=3, bits=3)
    square = (flat**2).sum(axis=-1, keepdims=True)
    return SoftmaxStep.instance(x=np.concatenate([2 * flat, 1 - square], axis=-1) / (1 + square))


too_many_to_be_acute = Assumption(
    "too_many_to_be_acute",
    "d >= 2 and n >= 2^d",
    satisfies=lambda f: f.x.shape[1] >= 2 and 2 ** f.x.shape[1] <= f.x.shape[0],
    violate=lambda f, draws: f.replace(x=f.x[:3]),
)


def tokens_near_a_wall(draws: Any) -> SoftmaxStep:
    """Two opposite tokens and a third at a distance of order 1/beta from the wall between their cells, beta large."""
    d = draws.choice((1, 2, 1, 3))
    beta = fmpq(draws.choice((4, 10, 100, 1000))) ** draws.choice((4, 2, 8, 1))
    far = _dyadic(draws, d, size=2, bits=1)
    far[0] = abs(far[0]) + fmpq(1, 2)
    near = far * (abs(_dyadic(draws, size=2, bits=2)) + fmpq(1, 4)) / (beta * (far @ far))
    return SoftmaxStep(
        x=np.stack([far, -far, near]), beta=numbers(beta), gamma=numbers(draws.choice((fmpq(1, 2), fmpq(1))))
    )


# ---------------------------------------------------------------------------------------------------------------------
# The first phase: one token at each vertex, the others inside the cells


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


MOST_STEPS = 1000
"""How long a first phase is followed."""


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


def _first_token_astray(f: Any, draws: Draws) -> Any:
    x = f.x.copy()
    x[0] = x[0] + (x[1] - x[0]) / draws.choice((16, 64, 1024))
    return f.replace(x=x)


token_at_each_vertex = Assumption(
    "token_at_each_vertex",
    "x_i = v_i for i <= kappa",
    satisfies=_has_token_at_each_vertex,
    violate=_first_token_astray,
)


def _last_token_at(f: Any, place: Array) -> Any:
    return f.replace(x=np.concatenate([f.x[:-1], place[None]]))


def _on_the_wall(f: Any, draws: Draws) -> Any:
    """The last token on the far side of the middle between its vertex and another one, a little inside K."""
    own = int(f.group[-1])
    other = (own + 1) % len(f.v)
    place = (f.v[own] + f.v[other]) / 2 + (f.v[other] - f.v[own]) / draws.choice((4, 16))
    return _last_token_at(f, place + (f.v.sum(axis=0) / len(f.v) - place) / 1024)


tokens_in_own_cells = Assumption(
    "tokens_in_own_cells",
    "some token is free, c_0 > 0, and <v_sigma(i) - v_j, x_i> > 0 for j != sigma(i)",
    satisfies=lambda f: len(squared_reaches(f)) > 0 and smallest_margin(f) > 0,
    violate=_on_the_wall,
)


def _beyond_its_vertex(f: Any, draws: Draws) -> Any:
    """The last token farther out than its vertex, in its cell."""
    return _last_token_at(f, f.v[int(f.group[-1])] * (1 + fmpq(1, draws.choice((2, 8)))))


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


def _is_eroded(f: Any) -> bool:
    """Decided exactly where K is a simplex of full dimension; False elsewhere."""
    kappa, d = f.v.shape
    free = len(f.x) - kappa
    if free < 1 or kappa != d + 1:
        return False
    # Barycentric coordinates are affine: lambda_j(x) = u_j . (x, 1). A ball of radius r is in K if lambda_j >= r |grad|.
    columns = fmpq_mat([[*vertex, fmpq(1)] for vertex in f.v.tolist()]).transpose()
    if columns.det() == 0:
        return False
    rows = exact(columns.inv().tolist())
    eta, r = fmpq(1) / _root(f.beta.item()), fmpq(1) / _root(f.beta.item()) ** 2
    gradients = sqrt(numbers((rows[:, :-1] ** 2).sum(axis=-1)))
    inside = f.x[kappa:] @ rows[:, :-1].T + rows[:, -1] - r * gradients
    edges = f.v[f.group[kappa:]][:, None] - f.v[None]
    lengths = sqrt(numbers((edges**2).sum(axis=-1)))
    others = np.arange(kappa) != f.group[kappa:][:, None]
    margins = ((edges * f.x[kappa:, None]).sum(axis=-1) - r * lengths - eta)[others]
    return all(bool(value >= 0) for value in (*inside.flat, *margins.flat))


def _root(beta: fmpq) -> fmpq:
    """A positive rational at most beta^{1/8}: the largest multiple of 1/64, beta itself where that is 0."""
    root = (2**48 * beta.p // beta.q).isqrt().isqrt().isqrt()
    return fmpq(root, 64) if root > 0 else beta


def _on_the_wall_in_the_cold(f: Any, draws: Draws) -> Any:
    """The same at a much lower temperature: the token is farther from its vertex, and the first phase longer."""
    return _on_the_wall(f.replace(beta=256 * f.beta), draws)


tokens_in_eroded_cells = Assumption(
    "tokens_in_eroded_cells",
    "n > kappa, and x_i in I_sigma(i)(beta^{-1/8}) less a margin beta^{-1/4} for i > kappa",
    satisfies=_is_eroded,
    violate=_on_the_wall_in_the_cold,
)


def printed_failure_exponent(f: AttentionChain) -> Array:
    """beta min(beta^{-1/8}, c_0) min((1 - gamma)^{T-1} beta^{-1/4}, c_0/D)/D - log(n (n - 1) T beta^{1/8}), shape ()."""
    steps, n, D = steps_of_the_farthest(f), len(f.x), f.diameter
    logs = log(f.beta)
    last = (1 - f.gamma) ** (steps - 1) * exp(-logs / 4)
    gap = -largest(np.array([-exp(-logs / 8), -f.c_0], dtype=object))
    delta = -largest(np.array([-last, -f.c_0 / D], dtype=object))
    return numbers(f.beta * gap * delta / D - logs / 8 - log(numbers(0 * f.beta + n * (n - 1) * steps)))


def _is_low_temperature(f: Any) -> bool:
    if len(squared_reaches(f)) == 0:
        return False
    with working_precision(256):
        try:
            return sign(printed_failure_exponent(f).item()) == 1
        except UndecidedError:
            return False


low_temperature = Assumption(
    "low_temperature",
    "c_0 > 0, n (n-1) T exp(-beta min(beta^{-1/8}, c_0) min((1-gamma)^{T-1} beta^{-1/4}, c_0/D)/D) < beta^{-1/8}",
    satisfies=_is_low_temperature,
)


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
        weights = 1 + abs(_dyadic(draws, kappa, size=2, bits=2))
        place = weights @ v / weights.sum()
        while min((v[label] - v[j]) @ place for j in range(kappa) if j != label) <= 0:
            place = (place + v[label]) / 2
        x.append(v[label] + (place - v[label]) * draws.choice((fmpq(1), fmpq(1, 2), fmpq(1, 32))))
    gamma = draws.choice((fmpq(1, 2), fmpq(1, 4), fmpq(7, 8), fmpq(3, 4)))
    beta = (1, 16, 256, 4096, 2**24)[draws.integer(0, 4)] / min(v[0] @ v[0], fmpq(4))
    return AttentionChain.instance(
        v=v, x=np.array(x), group=group, beta=beta, gamma=gamma, eps=1, steps=draws.integer(1, 4)
    )


def free_tokens_deep_in_cells(draws: Any) -> AttentionChain:
    """Starts within the hypotheses of Theorem 5.2 at low temperature, beta = b^8.

    "two distances": a free token about beta^{-1/4} from its vertex and another one far from it. "thin triangle": one free
    token, and a step gamma so near 1 that a step too few leaves it far away. "one distance": nothing special. "warm": beta
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


# ---------------------------------------------------------------------------------------------------------------------
# Tokens near the vertices: the hypotheses of Theorem 5.4


def least_gap(f: AttentionChain) -> Any:
    """c_0 - 4 R r - r^2, r = rho + eps: what a pick outside the group costs at least as long as no token has escaped."""
    r = f.rho.item() + f.eps.item()
    return f.c_0 - 4 * f.R.item() * r - r * r


def _is_within_tau(f: Any) -> bool:
    return f.c_0 > 0 and all(square <= _own_tau_squared(f) for square in squared_distances_from_vertices(f))


def _own_tau_squared(f: AttentionChain) -> fmpq:
    """min(c_0/(2 D), sqrt(2 c_0)/2)^2: tau^2 where the first phase had a token far enough from its vertex."""
    return min(f.c_0 * f.c_0 / (4 * diameter_squared(f.v)), f.c_0 / 2)


tokens_within_tau = Assumption(
    "tokens_within_tau",
    "x_i in B(v_i, C tau) with C = 1, tau = min(c_0/(2 D(K)), sqrt(2 c_0)/2)",
    satisfies=_is_within_tau,
)

thin_tube = Assumption(
    "thin_tube",
    "eps < eps_*, with 4 R eps_* + 2 eps_*^2 <= c_0/2",
    satisfies=lambda f: f.c_0 > 0 and certainly_at_most(4 * f.R.item() * f.eps.item() + 2 * f.eps.item() ** 2, f.c_0 / 2),
)

unit_radius = Assumption(
    "unit_radius", "|v_i| = 1 for all i", satisfies=lambda f: all(square == 1 for square in (f.v * f.v).sum(axis=-1))
)

unit_diameter = Assumption("unit_diameter", "D(K) = 1", satisfies=lambda f: diameter_squared(f.v) == 1)


def _chain_on_a_segment(draws: Any, half: fmpq, place: fmpq, jumps: int) -> AttentionChain:
    """Tokens at place and -place of K = [-half, half], tubes that so many picks of the other token just lead out of."""
    gamma = fmpq(1, 2 ** draws.choice((6, draws.integer(8, 16))))
    eps = 2 * place * (1 - (1 - gamma) ** jumps) * (1 - gamma / 8)
    beta = 2 ** draws.integer(1, 6) / (gamma * half * half)
    return AttentionChain.instance(
        v=[[half], [-half]], x=[[place], [-place]], group=[0, 1], beta=beta, gamma=gamma, eps=eps, steps=jumps + 1
    )


def chain_of_unit_radius(draws: Any) -> AttentionChain:
    """Tokens at the ends of K = [-1, 1] or a little within, and narrow tubes that three or four picks lead out of."""
    place = draws.choice((fmpq(1), fmpq(1), fmpq(63, 64)))
    return _chain_on_a_segment(draws, fmpq(1), place, draws.choice((3, 4)))


def chain_that_escapes_by_few_picks(draws: Any) -> AttentionChain:
    """Tubes that just as many picks lead out of as the bounds count, at any temperature, or any tokens near vertices."""
    return draws.choice((chain_of_unit_radius, chain_near_vertices))(draws)


def chain_that_escapes_by_one_pick(draws: Any) -> AttentionChain:
    """Tokens at the ends of K = [-1, 1] or as far from them as narrow tubes allow, which one pick leads out of."""
    place, eps = draws.choice((fmpq(4, 5), fmpq(1), fmpq(63, 64))), fmpq(1, 2 ** draws.integer(6, 16))
    return AttentionChain.instance(
        v=[[1], [-1]],
        x=[[place], [-place]],
        group=[0, 1],
        beta=draws.choice((3, 2 ** draws.integer(2, 20))),
        gamma=draws.choice((fmpq(1, 2), fmpq(1, 8))),
        eps=eps,
        steps=draws.choice((2, 3, 5)),
    )


def chain_of_unit_diameter(draws: Any) -> AttentionChain:
    """Tokens at distance tau of the ends of K = [-1/2, 1/2], or nearer, and thin tubes that a few picks lead out of."""
    place = draws.choice((fmpq(1, 4), fmpq(1, 4), fmpq(5, 16), fmpq(1, 2)))
    return _chain_on_a_segment(draws, fmpq(1, 2), place, draws.choice((5, 6)) if place < fmpq(1, 2) else 3)


# ---------------------------------------------------------------------------------------------------------------------
# Gaussian vertices: the tokens of a hardmax step are v_1, ..., v_kappa


def spectrum(f: HardmaxStep) -> Array:
    """The diagonal of B, shape (..., d): its eigenvalues where it is diagonal."""
    d = f.B.shape[-1]
    return numbers(f.B[..., range(d), range(d)])


def _diagonal(f: Any, entries: Array) -> Any:
    return f.replace(B=entries[..., None] * indicator(np.eye(f.B.shape[-1], dtype=bool), f.B))


def _is_positive_diagonal(f: Any) -> bool:
    off = ~np.eye(len(f.B), dtype=bool)
    return bool((f.B[off] == 0).all() and (spectrum(f) > 0).all())


positive_diagonal_key_query = Assumption(
    "positive_diagonal_key_query",
    "B is diagonal and positive definite; a rotation of N(0, I) makes any B > 0 so",
    satisfies=_is_positive_diagonal,
    restrict=lambda f: _diagonal(f, abs(spectrum(f)) + indicator(spectrum(f) == 0, f.B)),
    violate=lambda f, draws: _diagonal(f, spectrum(f) * (1 - 2 * indicator(np.arange(len(f.B)) == 0, f.B))),
)


def gaussian_vertices(draws: Any) -> HardmaxStep:
    """A few vertices of moderate size in an even dimension, some also far out or near 0, and a diagonal B."""
    kappa, d = draws.choice((2, 3, 5)), 2 * draws.choice((1, 2, 5, 10, 3))
    x = _dyadic(draws, kappa, d, size=1 if d > 10 else 2, bits=3)
    x[0] = x[0] * (1, 4, 16, fmpq(1, 64), fmpq(1, 8192))[draws.integer(0, 4)]
    eigenvalues = abs(_dyadic(draws, d, size=2, bits=3)) + fmpq(1, 8)
    return HardmaxStep.instance(x=x, B=eigenvalues * np.eye(d, dtype=int))


def vertices_of_any_dimension(draws: Any) -> HardmaxStep:
    """Two or three vertices in up to two hundred dimensions, odd ones included, the last almost the first or anywhere."""
    d = draws.integer(1, 40) * (1, 1, 5)[draws.integer(0, 2)]
    x = _dyadic(draws, draws.choice((2, 3)), d, size=2, bits=3)
    if (near := (0, 64, 8192)[draws.integer(0, 2)]) > 0:
        x[-1] = x[0] + x[0] / near
    return HardmaxStep.instance(x=x)


# ---------------------------------------------------------------------------------------------------------------------
# Escapes and lifetimes


def chain_with_a_way_out(draws: Any) -> AttentionChain:
    """Two or three tokens, one to three steps, and tubes that are left within them; K plays no part.

    Mostly so cold that the chance to leave is well below one.
    """
    jumps, n, d = draws.choice((1, 2, 3)), draws.choice((2, 3)), draws.choice((1, 2))
    jumps = jumps if n == 2 else 1  # three tokens have 27 moves a step
    apart = draws.choice((2, 2, 0))
    x = _dyadic(draws, n, d, size=1, bits=2)
    x[0, 0] = x[0, 0] - apart
    x[1, 0] = x[0, 0] + fmpq(1, 4) + abs(x[1, 0]) + 2 * apart
    for i in range(2, n):  # all different
        x[i, 0] = x[i - 1, 0] + fmpq(1, 4) + abs(x[i, 0])
    gamma = draws.choice((fmpq(1, 2), fmpq(1, 4), fmpq(3, 4)))
    # The first token leaves for the second in `jumps` steps if nothing else moves.
    eps = (x[1, 0] - x[0, 0]) * (1 - (1 - gamma) ** jumps) * fmpq(15, 16)
    first_axis = np.eye(d, dtype=int)[:1]
    chain = AttentionChain.instance(
        v=np.concatenate([first_axis, -first_axis]),
        x=x,
        group=[0, *([1] * (n - 1))],
        beta=1,
        gamma=gamma,
        eps=eps,
        steps=jumps + 1,
    )
    cost = cheapest_way_out(chain)
    depth = n * jumps * (1 + fmpq((1, 8, 32, 1000, 200_000)[draws.integer(0, 4)], 4))
    return chain.replace(beta=numbers(depth / cost)) if cost else chain


def _leads_out(f: Any) -> bool | None:
    """Whether some picks lead out before t, None where there are too many."""
    try:
        return cheapest_way_out(f, 4096) is not None
    except TooManyStatesError:
        return None


def _wide_tubes(f: Any) -> Any:
    """Tubes that no picks lead out of before t, as wide as a token can move until then where that is on a line."""
    most = max(abs(f.x[:, None] - f.x[None]).sum(axis=-1).flat) * (1 - (1 - f.gamma.item()) ** (int(f.steps.item()) - 1))
    return f.replace(eps=numbers(most if most > 0 else fmpq(1)))


a_way_out = Assumption(
    "a_way_out",
    "some picks, 4096 combinations at most, lead out of the tubes before t",
    satisfies=lambda f: _leads_out(f) is True,
    violate=lambda f, draws: _wide_tubes(f),
)

no_way_out = Assumption(
    "no_way_out",
    "no picks, 4096 combinations at most, lead out of the tubes before t",
    satisfies=lambda f: _leads_out(f) is False,
    restrict=_wide_tubes,
    violate=lambda f, draws: f.replace(eps=f.eps / draws.choice((2, 4))),
)


def regular_simplex(draws: Any) -> SoftmaxStep:
    """A regular simplex around 0 as tokens: a segment, a tetrahedron, or eight points of R^7; any size, any step."""
    signs = [[1], [-1]]
    for _ in range(draws.choice((0, 1, 2))):  # rows of a Hadamard matrix without its first column
        full = np.array([[1, *row] for row in signs])
        signs = np.block([[full, full], [full, -full]])[:, 1:].tolist()
    size = abs(_dyadic(draws, size=2, bits=3)) + fmpq(1, 8)
    beta = draws.choice((1, 8, fmpq(1, 8), 64)) * (abs(_dyadic(draws, size=1, bits=2)) + fmpq(1, 4))
    gamma = draws.choice((fmpq(1, 2), fmpq(1), fmpq(1, 8)))
    return SoftmaxStep.instance(x=exact(signs) * size, beta=beta, gamma=gamma)


def _is_regular(f: Any) -> bool:
    centred = bool((f.x.sum(axis=0) == 0).all())
    return len(f.x) > 1 and centred and len({str(value) for value in squared_sides(f.x).flat}) == 1


def _moved_out(f: Any, draws: Draws) -> Any:
    x = f.x.copy()
    x[0] = x[0] * (1 + fmpq(1, draws.choice((1, 2, 4))))
    return f.replace(x=x)


def perturbed_triangle_run(beta: float, steps: int) -> Iterator[Array]:
    """SA_beta at gamma = 1/2 in float64 from an equilateral triangle of circumradius 1, two coordinates a little off.

    Yields the tokens (3, 2) at the start and after each of so many steps.
    """
    angles = np.pi / 2 + 2 * np.pi * np.arange(3) / 3
    x = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    x[0, 0] += 1e-3
    x[1, 1] += 5e-4
    yield x
    for _ in range(steps):
        x = (x + softmax(beta * (x @ x.T)) @ x) / 2
        yield x


regular_tokens = Assumption(
    "regular_tokens",
    "the tokens are the vertices of a regular simplex around 0",
    satisfies=_is_regular,
    violate=_moved_out,
)
