"""Named hypotheses of the papers: how to meet each by construction, decide it exactly, and break it alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from claims.statement import Assumption, Draws
from dynamics.arithmetic import Array, indicator, numbers, sign, working_precision
from dynamics.geometry import gram, membership


def _eye_like(matrix: Array) -> Array:
    return np.broadcast_to(indicator(np.eye(matrix.shape[-1], dtype=bool), matrix), matrix.shape)


def _is_identity(matrix: Array) -> bool:
    return bool((matrix == _eye_like(matrix)).all())


def _is_symmetric(matrix: Array) -> bool:
    return bool((matrix == matrix.T).all())


def is_positive_definite(matrix: Array) -> bool:
    """Sylvester's criterion on a rational symmetric matrix (d, d): every leading minor is positive."""
    rows = matrix.tolist()
    return all(fmpq_mat([row[:k] for row in rows[:k]]).det() > 0 for k in range(1, len(rows) + 1))


def _gram(matrix: Array) -> Array:
    """M M^T + I/16: symmetric positive definite, whatever M."""
    return np.asarray(matrix @ matrix.swapaxes(-1, -2) + _eye_like(matrix) / 16)


def _anything_but(name: str, is_met: Callable[[Array], bool]) -> Callable[[Any, Draws], Any]:
    """A violation that draws the matrix `name` freely; should the draw meet the assumption, twice it plus a corner."""

    def violate(system: Any, draws: Draws) -> Any:
        d = getattr(system, name).shape[-1]
        matrix = draws.dyadic(d, d, size=2)
        if is_met(matrix):
            matrix = 2 * matrix + indicator(np.eye(d, k=d - 1, dtype=bool), matrix)
        return system.replace(**{name: matrix})

    return violate


# ---------------------------------------------------------------------------------------------------------------------
# Matrices of attention

identity_value = Assumption(
    "identity_value",
    "V = I",
    satisfies=lambda f: _is_identity(f.V),
    restrict=lambda f: f.replace(V=_eye_like(f.V)),
    violate=_anything_but("V", _is_identity),
)

identity_key_query = Assumption(
    "identity_key_query",
    "Q^T K = I",
    satisfies=lambda f: _is_identity(f.B),
    restrict=lambda f: f.replace(B=_eye_like(f.B)),
    violate=_anything_but("B", _is_identity),
)


def _asymmetric(f: Any, draws: Draws) -> Any:
    d = f.B.shape[-1]
    corner = indicator(np.eye(d, k=d - 1, dtype=bool), f.B) * (1 + abs(draws.dyadic(size=4)))
    return f.replace(B=f.B + corner - corner.T)


symmetric_key_query = Assumption(
    "symmetric_key_query",
    "B = B^T",
    satisfies=lambda f: _is_symmetric(f.B),
    restrict=lambda f: f.replace(B=f.B + f.B.swapaxes(-1, -2)),
    violate=_asymmetric,
)

definite_key_query = Assumption(
    "definite_key_query",
    "Q^T K is symmetric positive definite",
    satisfies=lambda f: _is_symmetric(f.B) and is_positive_definite(f.B),
    restrict=lambda f: f.replace(B=_gram(f.B)),
    violate=lambda f, draws: f.replace(B=-f.B),
)


def _is_scalar_step(f: Any) -> bool:
    gamma = f.P[0, 0]
    return bool((gamma * _eye_like(f.P) == f.P).all()) and 0 <= gamma <= 1


def _scalar_step(f: Any) -> Any:
    gamma = abs(f.P[..., :1, :1])
    return f.replace(P=gamma * _eye_like(f.P))


def _diagonal_step(f: Any, draws: Draws) -> Any:
    d = f.P.shape[-1]
    rates = abs(draws.dyadic(d, size=1, bits=3))
    if d == 1 or bool((rates == rates[0]).all()):
        rates = rates + np.array([fmpq(k) + (fmpq(1) if d == 1 else fmpq(0)) for k in range(d)], dtype=object)
    return f.replace(P=rates * _eye_like(f.P))


scalar_step = Assumption(
    "scalar_step",
    "P = gamma I with 0 <= gamma <= 1",
    satisfies=_is_scalar_step,
    restrict=_scalar_step,
    violate=_diagonal_step,
)

averaged_leaders = Assumption(
    "averaged_leaders",
    "ties are averaged",
    satisfies=lambda f: bool((f.selection == 1).all()),
    restrict=lambda f: f.replace(selection=0 * f.selection + 1),
)

step_size_at_most_one = Assumption(
    "step_size_at_most_one",
    "0 <= gamma <= 1",
    satisfies=lambda f: 0 <= f.gamma.item() <= 1,
    violate=lambda f, draws: f.replace(gamma=draws.choice((fmpq(3, 2), fmpq(-1), fmpq(2)))),
)


# ---------------------------------------------------------------------------------------------------------------------
# Scores and value projections


def _descending(values: Array) -> Array:
    return np.asarray(np.sort(values, axis=-1)[..., ::-1])


def _ramp(values: Array) -> Array:
    """p - 1, ..., 1, 0 times 2^-12: added to sorted numbers it makes the order strict."""
    p = values.shape[-1]
    unit = 2.0**-12 if values.dtype != object else fmpq(1, 2**12)
    return np.asarray(np.arange(p - 1, -1, -1).astype(values.dtype) * unit)


def _strictly_descending(values: Array) -> Array:
    return np.asarray(_descending(values) + _ramp(values))


def _is_descending(values: Array, strictly: bool = False) -> bool:
    return all(x > y if strictly else x >= y for x, y in pairwise(values))


def _swap_first_two(f: Any, name: str) -> Any:
    values = getattr(f, name).copy()
    values[..., [0, 1]] = values[..., [1, 0]]
    return f.replace(**{name: values})


def _doubled(f: Any) -> Any:
    if f.a.shape[-1] >= 2:
        return f
    return f.replace(u=np.concatenate([f.u, f.u], axis=-1), a=np.concatenate([f.a, f.a], axis=-1))


two_scores = Assumption("two_scores", "p >= 2", satisfies=lambda f: f.a.shape[-1] >= 2, restrict=_doubled)

zero_scores = Assumption(
    "zero_scores",
    "a(0) = 0",
    satisfies=lambda f: bool((f.a == 0).all()),
    restrict=lambda f: f.replace(a=0 * f.a),
    violate=lambda f, draws: f.replace(a=np.sort(draws.dyadic(*f.a.shape, size=3), axis=-1) + _ramp(f.a)[..., ::-1]),
)

ordered_values = Assumption(
    "ordered_values",
    "u_0(0) > ... > u_{p-1}(0)",
    satisfies=lambda f: _is_descending(f.u, strictly=True),
    restrict=lambda f: f.replace(u=_strictly_descending(f.u)),
    violate=lambda f, draws: _swap_first_two(f, "u"),
)

unit_target = Assumption(
    "unit_target",
    "|beta_*| = 1",
    satisfies=lambda f: f.K.item() == 1,
    restrict=lambda f: f.replace(K=0 * f.K + 1),
    violate=lambda f, draws: f.replace(K=fmpq(draws.integer(2, 16))),
)

comonotone = Assumption(
    "comonotone",
    "s_0 >= ... >= s_{p-1} and u_0 > ... > u_{p-1}",
    satisfies=lambda f: _is_descending(f.a) and _is_descending(f.u, strictly=True),
    restrict=lambda f: f.replace(a=_descending(f.a), u=_strictly_descending(f.u)),
    violate=lambda f, draws: _swap_first_two(f, "u"),
)

zero_values = Assumption(
    "zero_values",
    "V(0) = 0",
    satisfies=lambda f: bool((f.u == 0).all()),
    restrict=lambda f: f.replace(u=0 * f.u),
    violate=lambda f, draws: f.replace(u=draws.dyadic(*f.u.shape, size=4) + 3 * f.K),
)

ordered_scores = Assumption(
    "ordered_scores",
    "s_0(0) > ... > s_{p-1}(0)",
    satisfies=lambda f: _is_descending(f.a, strictly=True),
    restrict=lambda f: f.replace(a=_strictly_descending(f.a)),
    violate=lambda f, draws: _swap_first_two(f, "a"),
)


def _is_aligned(f: Any) -> bool:
    target = f.beta_star
    return bool((f.V[:, None, :] * target[None, :, None] == f.V[None, :, :] * target[:, None, None]).all())


aligned_values = Assumption(
    "aligned_values",
    "V = beta_* c^T for some c",
    satisfies=_is_aligned,
    restrict=lambda f: f.replace(V=f.beta_star[..., :, None] * f.V[..., :1, :]),
    violate=lambda f, draws: f.replace(V=f.V + _eye_like(np.zeros((len(f.V),) * 2, dtype=object) + fmpq(0))[:, :1]),
)

margin_below_target = Assumption(
    "margin_below_target",
    "m(0) < K",
    satisfies=lambda f: sign(numbers(f.K - f.m).item()) == 1,
    restrict=lambda f: f.replace(u=f.u - f.u[..., :1] + f.K[..., None] / 2),
    violate=lambda f, draws: f.replace(u=f.u - f.u[..., -1:] + f.K[..., None] + 1),
)

margin_above_target = Assumption(
    "margin_above_target",
    "m(0) > K",
    satisfies=lambda f: sign(numbers(f.m - f.K).item()) == 1,
    restrict=lambda f: f.replace(u=f.u - f.u[..., -1:] + f.K[..., None] + 1),
    violate=lambda f, draws: f.replace(u=f.u - f.u[..., :1] + f.K[..., None] / 2),
)


def _near_uniform(f: Any) -> bool:
    return bool((abs(f.a) <= fmpq(1, 2**16)).all()) and f.K.item() <= 4


near_uniform_scores = Assumption(
    "near_uniform_scores",
    "|a_i(0)| <= 2^-16 and K <= 4",
    satisfies=_near_uniform,
    restrict=lambda f: f.replace(a=f.a / 2**20, K=f.K / 4),
)

small_target = Assumption(
    "small_target",
    "K <= 2^-6",
    satisfies=lambda f: f.K.item() <= fmpq(1, 64),
    restrict=lambda f: f.replace(K=f.K / 2**10),
)

large_target = Assumption(
    "large_target",
    "K >= 256",
    satisfies=lambda f: f.K.item() >= 256,
    restrict=lambda f: f.replace(K=256 + 16 * f.K),
)


def _copied(values: Array) -> Array:
    return np.asarray(values[..., :1, :] + 0 * values)


same_start = Assumption(
    "same_start",
    "all copies have the same b, V(0) = 0 and a(0), with a_0(0) > ... > a_{p-1}(0)",
    satisfies=lambda f: (
        bool((f.V == 0).all())
        and all(bool((x == x[:1]).all()) for x in (f.a, f.b))
        and _is_descending(f.a[0], strictly=True)
    ),
    restrict=lambda f: f.replace(V=0 * f.V, a=_copied(_strictly_descending(f.a)), b=_copied(f.b)),
)


def _conditions(f: Any) -> list[Any]:
    return [max(values) / min(values) for values in f.X]


def _by_condition(f: Any) -> Any:
    order = np.argsort(-f.X.min(axis=-1), axis=-1)
    return f.replace(X=np.take_along_axis(np.asarray(f.X), order[..., None], axis=-2))


conditioned_in_order = Assumption(
    "conditioned_in_order",
    "the largest singular value is 1 and kappa does not fall from copy to copy; the losses have the same factor",
    satisfies=lambda f: (
        bool((f.weight == f.weight[:1]).all())
        and all(max(values) == 1 for values in f.X)
        and all(x <= y for x, y in pairwise(_conditions(f)))
    ),
    restrict=lambda f: _by_condition(f.replace(weight=0 * f.weight + 1)),
)

leading_score_ahead = Assumption(
    "leading_score_ahead",
    "s_0(0) >= e^4 s_j(0) for all j != 0",
    satisfies=lambda f: all(f.a[0] - x >= 4 for x in f.a[1:]),
    restrict=lambda f: f.replace(
        a=np.concatenate([_strictly_descending(f.a)[..., :1] + 4, _strictly_descending(f.a)[..., 1:]], axis=-1)
    ),
)

least_singular_values = Assumption(
    "least_singular_values",
    "X is the least singular value alone, along which b lies, and does not grow from copy to copy; losses have one factor",
    satisfies=lambda f: f.X.shape[-1] == 1 and _is_descending(f.X[:, 0]) and bool((f.weight == f.weight[:1]).all()),
)

gap_alone = Assumption(
    "gap_alone",
    "the gap starts at 1, D and x at 0",
    satisfies=lambda f: f.gap.item() == 1 and bool((f.D == 0).all() and (f.x == 0).all()),
    restrict=lambda f: f.replace(gap=0 * f.gap + 1, D=0 * f.D, x=0 * f.x),
    violate=lambda f, draws: f.replace(D=-f.w),
)

same_singular_vectors = Assumption(
    "same_singular_vectors",
    "the singular values of every copy fall along the same basis",
    satisfies=lambda f: all(_is_descending(values) for values in f.X),
    restrict=lambda f: f.replace(X=_descending(f.X)),
)


# ---------------------------------------------------------------------------------------------------------------------
# Polytopes of the attention chain


def certainly_at_most(x: Any, bound: Any) -> bool:
    """Whether x <= bound is certain at 256 bits; x and bound may be balls."""
    order = sign(bound - x)
    return order is not None and order >= 0


def _all_acute(f: Any) -> bool:
    scores = gram(f.v)
    scale = fmpq_mat(scores.tolist()).numer_denom()[1]
    whole = [int((entry * scale).p) for entry in scores.flat]
    small = max(map(abs, whole)) < 2**60  # sums of four stay within 64 bits: the same integers, faster
    scores = np.array(whole, dtype=np.int64 if small else object).reshape(scores.shape)
    for i in range(len(scores)):
        angles = scores - scores[i][:, None] - scores[i][None, :] + scores[i, i]
        others = np.arange(len(scores)) != i
        if not (angles[others][:, others] > 0).all():
            return False
    return True


acute_vertices = Assumption("acute_vertices", "every angle of K at a vertex is acute", satisfies=_all_acute)

equal_norms = Assumption(
    "equal_norms",
    "|v_1| = ... = |v_kappa|",
    satisfies=lambda f: len({str(value) for value in (f.v * f.v).sum(axis=-1)}) == 1,
)

own_cells = Assumption("own_cells", "<v_i, v_i> >= <v_i, v_l> + c_0 with c_0 > 0", satisfies=lambda f: f.c_0 > 0)


def tube_radius_allowed(f: Any, size: Any, width: Any) -> bool:
    """Whether 4 size r + 2 r^2 <= c_0 / 2 for r = rho + width, certainly."""
    with working_precision(256):
        r = f.rho.item() + width
        return certainly_at_most(4 * size * r + 2 * r * r, f.c_0 / 2)


tokens_near_vertices = Assumption(
    "tokens_near_vertices",
    "every token is within r of its vertex, 4 R r + 2 r^2 <= c_0 / 2",
    satisfies=lambda f: tube_radius_allowed(f, f.R.item(), 0),
)

tokens_near_vertices_by_diameter = Assumption(
    "tokens_near_vertices_by_diameter",
    "every token is within r of its vertex, 4 D(K) r + 2 r^2 <= c_0 / 2",
    satisfies=lambda f: tube_radius_allowed(f, f.diameter.item(), 0),
)

narrow_tube = Assumption(
    "narrow_tube",
    "4 R r + 2 r^2 <= c_0 / 2 for r = rho + eps, rho the start's distance from the vertices (this makes eps_* explicit)",
    satisfies=lambda f: tube_radius_allowed(f, f.R.item(), f.eps.item()),
)

small_step = Assumption(
    "small_step",
    "eps / gamma >= 2 D(K)",
    satisfies=lambda f: certainly_at_most(2 * f.diameter.item(), f.eps.item() / f.gamma.item()),
)


def _in_hull(f: Any) -> bool:
    return all(membership(token, f.v).inside for token in f.x)


tokens_in_polytope = Assumption("tokens_in_polytope", "x_i in K", satisfies=_in_hull)
