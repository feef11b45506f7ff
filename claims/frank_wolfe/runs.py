"""Runs of the scheduled hardmax step as Frank-Wolfe runs: what is assumed of their matrices, steps and hulls.

J^t(x) = <B_*^t x, x>/2 with B_*^t = -B^t is the energy, K^t the hull of the tokens at step t. A claim follows a run for as
many steps as its schedule lists.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any, TypeVar

import flint
import mpmath
import numpy as np
from flint import fmpq, fmpq_mat

from claims.constructions import tokens
from claims.draws import BatchDraws
from claims.frank_wolfe.cells import own_vertex_cells, tokens_in_one_cell
from claims.matrices import (
    asymmetric,
    definite,
    eye_like,
    invertible,
    is_invertible,
    is_positive_definite,
    is_positive_semidefinite,
    squared,
    turning,
)
from claims.statement import Assumption, Draws
from dynamics.arithmetic import FLOAT64, Array, exact, indicator, numbers, peak, sqrt, transposed
from dynamics.choices import hull
from dynamics.geometry import membership, squared_distances
from dynamics.hardmax import HardmaxStep
from dynamics.orbits import orbit
from dynamics.polytopes import vertices
from dynamics.schedules import ScheduledHardmax

S = TypeVar("S")

# ---------------------------------------------------------------------------------------------------------------------
# Energies


def length(f: Any) -> int:
    """The number of steps that the schedule lists."""
    return int(f.gamma.shape[-1])


def run(f: Any) -> list[Any]:
    """The states at steps 0 to the length of the schedule."""
    return orbit(f, length(f))


def energy(x: Array, B_star: Array) -> Array:
    """J(x_i) = <B_* x_i, x_i>/2 for tokens (..., n, d) and a matrix (..., d, d), shape (..., n)."""
    return np.asarray(((x @ transposed(B_star)) * x).sum(axis=-1) / 2)


def largest_eigenvalue(M: Array) -> Array:
    """The largest eigenvalue of symmetric matrices (..., d, d): in closed form for d <= 2, a ball around it for more."""
    if M.shape[-1] == 1:
        return numbers(M[..., 0, 0])
    if M.shape[-1] > 2:
        if M.dtype != object:
            return numbers(np.linalg.eigvalsh(M)[..., -1])
        if isinstance(M.flat[0], fmpq):
            return numbers(_largest_eigenvalue_ball(M))
        return numbers(max(mpmath.eigsy(mpmath.matrix(M.tolist()), eigvals_only=True)))
    difference, corner = M[..., 0, 0] - M[..., 1, 1], 2 * M[..., 0, 1]
    return numbers((M[..., 0, 0] + M[..., 1, 1] + sqrt(numbers(difference * difference + corner * corner))) / 2)


def _largest_eigenvalue_ball(M: Array) -> Any:
    """The largest eigenvalue of a symmetric rational matrix (d, d) to the working precision, 256 bits at most.

    Bisected between rationals: it is below c where c I - M is positive definite. Exact where it is on the diagonal.
    """
    eye = eye_like(M)
    low, high = max(M.diagonal()), max(abs(M).sum(axis=-1))
    if is_positive_semidefinite(low * eye - M):
        return low
    width = (high - low) / 2 ** min(flint.ctx.prec, 256)
    high += width
    while high - low > width:
        middle = (low + high) / 2
        if is_positive_definite(middle * eye - M):
            high = middle
        else:
            low = middle
    return hull(low, high)


def squared_diameter(x: Array) -> Array:
    """D(K)^2 of tokens (..., n, d), shape (...)."""
    pairs = squared_distances(x, x)
    return numbers(peak(pairs.reshape(*pairs.shape[:-2], -1))[..., 0])


def least_on_hull(x: Array, B_star: Array) -> tuple[fmpq, Array]:
    """min_K J and a point of K where it is attained, for rational tokens (n, d) and any symmetric B_*.

    A minimiser with the fewest tokens in it solves a regular system: were that singular, it could be moved without a
    change of energy until it needs fewer. So the least over all subsets with a regular system and weights >= 0 is min J.
    """
    scores = x @ B_star @ transposed(x)
    best: tuple[fmpq, Array] | None = None
    for weights in _stationary_weights(scores):
        value = numbers(weights @ scores @ weights).item() / 2
        if best is None or value < best[0]:
            best = value, weights @ x
    assert best is not None  # a single token solves a regular system
    return best


def _stationary_weights(scores: Array) -> Iterator[Array]:
    """Convex weights (n,) at which w -> <w, scores w> is stationary on the face of the tokens of positive weight."""
    n = len(scores)
    for size in range(1, n + 1):
        for subset in combinations(range(n), size):
            rows = [[*scores[i, list(subset)], fmpq(1)] for i in subset] + [[fmpq(1)] * size + [fmpq(0)]]
            system = fmpq_mat(rows)
            if system.det() == 0:
                continue
            solution = system.solve(fmpq_mat([[fmpq(0)]] * size + [[fmpq(1)]]))
            weights = exact([0] * n)
            weights[list(subset)] = [solution[k, 0] for k in range(size)]
            if all(weight >= 0 for weight in weights):
                yield weights


def energy_gap(f: Any) -> fmpq:
    """e_t = max_i J^t(x_i^t) - min_{K^t} J^t of an exact state with B_*^t >= 0."""
    B_star = -f.key_query()
    return max(energy(f.x, B_star)) - least_on_hull(f.x, B_star)[0]


# ---------------------------------------------------------------------------------------------------------------------
# What is assumed of the matrices


def _is_exact(f: Any) -> bool:
    return bool(f.x.ndim == 2 and isinstance(f.x.flat[0], fmpq))


def exactly(restrict: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A restriction of exact instances, for float64 batches, too: member by member, and rounded.

    Raises ValueError where members come out of different shapes.
    """

    def restricted(f: Any) -> Any:
        if _is_exact(f):
            return restrict(f)
        rows = [restrict(f.row(index)).to(FLOAT64) for index in range(len(f.x))]
        whole = {name for name, field in f.fields().items() if field.integer}
        parts = [name for name in f.fields() if name not in whole]
        return rows[0].replace(**{name: np.stack([getattr(row, name) for row in rows]) for name in parts})

    return restricted


def _bent(f: Any, draws: Draws, sign: int) -> Any:
    """Less of sign B in the first coordinate, the same at all steps, until no sign B^t is semidefinite."""
    most = max(abs(f.B[:, 0, 0])) + draws.choice((fmpq(1, 8), 4))
    return f.replace(B=f.B - sign * 8 * most * _small_corner(f.B))


def _small_corner(B: Array) -> Array:
    """1/8 in the first diagonal entry of matrices (..., d, d)."""
    d = B.shape[-1]
    first = np.zeros((d, d), dtype=bool)
    first[0, 0] = True
    return np.broadcast_to(indicator(first, B) / 8, B.shape)


def _each_semidefinite(matrices: Array) -> bool:
    """Whether all of them (T, d, d) are; equal ones in a row are decided once."""
    changed = [M for k, M in enumerate(matrices) if k == 0 or bool((matrices[k - 1] != M).any())]
    return all(map(is_positive_semidefinite, changed))


def _without_first_row(f: Any, draws: Draws) -> Any:
    """The matrix of one step loses its first row."""
    B = f.B.copy()
    B[draws.integer(0, len(B) - 1), 0] = fmpq(0)
    return f.replace(B=B)


invertible_scores = Assumption(
    "invertible_scores",
    "B^t is invertible",
    satisfies=lambda f: all(is_invertible(B) for B in f.B),
    restrict=lambda f: f.replace(B=invertible(f.B)),
    violate=_without_first_row,
)

nonzero_scores = Assumption(
    "nonzero_scores",
    "B^t != 0",
    satisfies=lambda f: all(bool((B != 0).any()) for B in f.B),
    restrict=lambda f: f.replace(B=f.B + (f.B == 0).all(axis=(-2, -1))[..., None, None] * _small_corner(f.B)),
    violate=lambda f, draws: f.replace(B=0 * f.B),
)

symmetric_energies = Assumption(
    "symmetric_energies",
    "B^t is symmetric",
    satisfies=lambda f: bool((transposed(f.B) == f.B).all()),
    restrict=lambda f: f.replace(B=f.B + transposed(f.B)),
    violate=lambda f, draws: f.replace(B=asymmetric(f.B, draws)),
)

convex_energies = Assumption(
    "convex_energies",
    "B_*^t = -B^t is symmetric and >= 0",
    satisfies=lambda f: _each_semidefinite(-f.B),
    restrict=lambda f: f.replace(B=-squared(f.B)),
    violate=lambda f, draws: _bent(f, draws, -1),
)

strictly_convex_energies = Assumption(
    "strictly_convex_energies",
    "B_*^t = -B^t is symmetric and > 0",
    satisfies=lambda f: all(is_positive_definite(-B) for B in f.B),
    restrict=lambda f: f.replace(B=-definite(f.B)),
    violate=lambda f, draws: f.replace(B=-f.B),
)

strictly_concave_energies = Assumption(
    "strictly_concave_energies",
    "B^t is symmetric and > 0",
    satisfies=lambda f: all(is_positive_definite(B) for B in f.B),
    restrict=lambda f: f.replace(B=definite(f.B)),
    violate=lambda f, draws: f.replace(B=-f.B),
)

concave_energies = Assumption(
    "concave_energies",
    "B^t is symmetric and >= 0",
    satisfies=lambda f: _each_semidefinite(f.B),
    restrict=lambda f: f.replace(B=squared(f.B)),
    violate=lambda f, draws: _bent(f, draws, 1),
)


def _tail_sums(f: Any) -> Any:
    """B^t + B^{t+1} + ... in the place of B^t, where needed: what is semidefinite then never grows."""
    if _each_semidefinite(f.B[1:] - f.B[:-1]):
        return f
    sums = [f.B[..., -1, :, :]]
    for t in range(length(f) - 2, -1, -1):
        sums.append(sums[-1] + f.B[..., t, :, :])
    return f.replace(B=np.stack(sums[::-1], axis=-3))


def _growing(f: Any, draws: Draws) -> Any:
    """The energy of the last step is larger than those before."""
    if length(f) == 1:
        return f  # one matrix is constant
    B = f.B.copy()
    B[-1] = 4 * B[-1] - _small_corner(B[-1])
    return f.replace(B=B)


energies_never_grow = Assumption(
    "energies_never_grow",
    "B_*^t - B_*^{t+1} is >= 0",
    satisfies=lambda f: _each_semidefinite(f.B[1:] - f.B[:-1]),
    restrict=exactly(_tail_sums),
    violate=_growing,
)

one_energy = Assumption(
    "one_energy",
    "B^t = B",
    satisfies=lambda f: bool((f.B[:1] == f.B).all()),
    restrict=lambda f: f.replace(B=f.B[..., :1, :, :] + 0 * f.B),
    violate=_growing,
)


def _changing(f: Any, draws: Draws) -> Any:
    """From the middle of the schedule on other matrices, semidefinite ones."""
    B, d = f.B.copy(), f.B.shape[-1]
    for t in range(len(B) // 2, len(B)):
        B[t] = squared(draws.dyadic(d, d, size=2)) + _small_corner(B[t])
    return f.replace(B=B)


one_matrix = replace(one_energy, name="one_matrix", violate=_changing)


def _have_equal_eigenvalues(matrices: Array) -> bool:
    """Whether symmetric matrices (T, d, d) all have the same: the traces of the first d powers tell."""
    power = matrices
    for _ in range(matrices.shape[-1]):
        traces = power.trace(axis1=-2, axis2=-1)
        if bool((traces != traces[0]).any()):
            return False
        power = power @ matrices
    return True


equal_eigenvalues = Assumption(
    "equal_eigenvalues",
    "B^t has the same eigenvalues for all t",
    satisfies=lambda f: _have_equal_eigenvalues(f.B),
    violate=_growing,
)

convex_or_negated = replace(convex_energies, violate=lambda f, draws: f.replace(B=-f.B))
"""Dropped in favour of energies with the eigenvalues of the other sign, the same for all t where those were."""

# ---------------------------------------------------------------------------------------------------------------------
# What is assumed of the steps


def _open_loop(f: Any) -> Array:
    """2/(t+2) for t = 0, 1, ..., in the shape of gamma."""
    return np.asarray(2 / (0 * f.gamma + np.arange(2, length(f) + 2).astype(f.gamma.dtype)))


open_loop_steps = Assumption(
    "open_loop_steps",
    "gamma^t = 2/(t + 2)",
    satisfies=lambda f: f.t.item() == 0 and bool((f.gamma == _open_loop(f)).all()),
    restrict=lambda f: f.replace(gamma=_open_loop(f), t=0 * f.t),
    violate=lambda f, draws: f.replace(gamma=f.gamma / draws.choice((4, 64))),
)

steps_at_most_one = Assumption(
    "steps_at_most_one",
    "0 <= gamma^t <= 1",
    satisfies=lambda f: all(0 <= gamma <= 1 for gamma in f.gamma),
    violate=lambda f, draws: f.replace(gamma=f.gamma * draws.choice((64, 128, -1))),
)

steps_inside_unit_interval = Assumption(
    "steps_inside_unit_interval",
    "0 < gamma^t < 1",
    satisfies=lambda f: all(0 < gamma < 1 for gamma in f.gamma),
    violate=lambda f, draws: f.replace(gamma=f.gamma * draws.choice((64, 128, -1))),
)

positive_steps_at_most_one = Assumption(
    "positive_steps_at_most_one",
    "0 < gamma^t <= 1",
    satisfies=lambda f: all(0 < gamma <= 1 for gamma in f.gamma),
    violate=lambda f, draws: f.replace(gamma=f.gamma * draws.choice((64, 128, -1))),
)

constant_step = Assumption(
    "constant_step",
    "gamma^t = gamma in (0, 1)",
    satisfies=lambda f: bool((f.gamma == f.gamma[:1]).all()) and 0 < f.gamma[0] < 1,
    restrict=lambda f: f.replace(gamma=f.gamma[..., :1] + 0 * f.gamma),
    violate=lambda f, draws: f.replace(gamma=f.gamma + draws.choice((1, 2))),
)


def _against_tokens(f: Any, draws: Draws) -> Any:
    """-gamma^t (B + c I) in the place of gamma^t B."""
    more = f.gamma[:, None, None] * np.eye(f.B.shape[-1], dtype=int) * draws.choice((fmpq(1, 16), 1))
    return f.replace(B=-f.B - more)


nonnegative_scores = replace(
    concave_energies, name="nonnegative_scores", statement="B^t = beta^t B, beta^t >= 0, B >= 0", violate=_against_tokens
)


scores_of_either_sign = Assumption(
    "scores_of_either_sign",
    "B^t = beta^t B, B >= 0, beta^t of any sign",
    satisfies=lambda f: _each_semidefinite(f.B) or _each_semidefinite(-f.B),
    violate=lambda f, draws: f.replace(B=f.B - f.B[:, :1, :1] * draws.integer(2, 4) * _small_corner(f.B)),
)


def _with_the_steps(f: Any) -> Any:
    first = f.gamma[..., :1]
    shares = f.gamma / (first + indicator(first == 0, f.gamma))
    return f.replace(B=f.B[..., :1, :, :] * shares[..., None, None])


def _flattened(f: Any, draws: Draws) -> Any:
    """The last matrix a fraction of what it was and a corner more, of its own sign where it is semidefinite."""
    B = f.B.copy()
    corner = _small_corner(B[-1])
    B[-1] = B[-1] / draws.choice((2, 64)) + (corner if B[-1].trace() >= 0 else -corner)
    return f.replace(B=B)


def _scale_with_the_steps(f: Any) -> bool:
    return all(gamma != 0 for gamma in f.gamma) and bool((f.B == _with_the_steps(f).B).all())


scores_scale_with_steps = Assumption(
    "scores_scale_with_steps",
    "beta^t/beta^{t+1} = gamma^t/gamma^{t+1}",
    satisfies=_scale_with_the_steps,
    restrict=_with_the_steps,
    violate=_flattened,
)


def _slower_at_last(f: Any, draws: Draws) -> Any:
    gamma = f.gamma.copy()
    gamma[-1] = gamma[-1] / draws.choice((2, 64))
    return f.replace(gamma=gamma)


constant_small_step = replace(constant_step, name="constant_small_step", violate=_slower_at_last)

steps_at_most_a_tenth = Assumption(
    "steps_at_most_a_tenth",
    "gamma^t <= 1/10",
    satisfies=lambda f: all(10 * gamma <= 1 for gamma in f.gamma),
    restrict=exactly(lambda f: f if max(10 * f.gamma) <= 1 else f.replace(gamma=f.gamma / (16 * max(f.gamma)))),
    violate=lambda f, draws: f.replace(gamma=(1 + f.gamma) / draws.choice((2, 4))),
)

# ---------------------------------------------------------------------------------------------------------------------
# What is assumed of the hulls


def holds_origin(x: Array) -> bool:
    """Whether 0 is in the hull of rational tokens (n, d)."""
    return membership(0 * x[0], x).inside


def _mean(x: Array) -> Array:
    return np.asarray(x.sum(axis=-2, keepdims=True) / x.shape[-2])


def _around_origin(f: Any) -> Any:
    """Left as it is where the hull is known to hold the origin, else moved so that the tokens average to it."""
    return f if holds_origin(f.x) else f.replace(x=f.x - _mean(f.x))


def _away_from_origin(f: Any, draws: Draws) -> Any:
    """Moved until every token has a positive first coordinate."""
    x = f.x.copy()
    x[:, 0] = x[:, 0] - min(x[:, 0]) + draws.choice((1, 2, fmpq(1, 8)))
    return f.replace(x=x)


origin_in_hull = Assumption(
    "origin_in_hull",
    "0 is in K^0",
    satisfies=lambda f: holds_origin(f.x),
    restrict=exactly(_around_origin),
    violate=_away_from_origin,
)


def _steps_with_origin(f: Any) -> int:
    """How many of the hulls K^0, K^1, ... of the run hold the origin before one does not."""
    return next((t for t, state in enumerate(run(f)[:-1]) if not holds_origin(state.x)), length(f))


def _until_origin_is_left(f: Any) -> Any:
    """The schedule up to the last step at which the hull holds the origin, exact instances only."""
    kept = _steps_with_origin(_around_origin(f))
    return _around_origin(f).replace(B=f.B[:kept], gamma=f.gamma[:kept])


origin_in_every_hull = Assumption(
    "origin_in_every_hull",
    "0 is in K^t for all t",
    satisfies=lambda f: _steps_with_origin(f) == length(f),
    restrict=exactly(_until_origin_is_left),
    violate=_away_from_origin,
)


def while_origin_is_held(assumption: Assumption) -> Assumption:
    """The same assumption, broken only as long as the hull holds the origin."""
    violate = assumption.violate
    assert violate is not None
    return replace(assumption, violate=lambda f, draws: _until_origin_is_left(violate(f, draws)))


on_the_line = Assumption(
    "on_the_line",
    "d = 1",
    satisfies=lambda f: f.x.shape[-1] == 1,
    restrict=lambda f: f.replace(x=f.x[..., :1], B=f.B[..., :1, :1]),
    violate=lambda f, draws: f.replace(
        x=np.concatenate([f.x, draws.dyadic(*f.x.shape)], axis=-1), B=_block(f.B, 0 * f.B - 1)
    ),
)


def _on_both_sides(f: Any) -> Any:
    """Exact instances only: tokens at 0 moved off it, one reflected where all are on one side, b off a/2 and 2a."""
    x = f.x.copy()
    x[x == 0] = fmpq(1, 16)
    if len(x) == 1:
        x = np.concatenate([x, x])
    if min(x[:, 0]) > 0 or max(x[:, 0]) < 0:
        x[-1] = -x[-1]
    if _is_on_an_edge(x):
        x = np.where(x > 0, x * fmpq(9, 8), x)
    return f.replace(x=x, selection=exact(np.ones((len(x), len(x)), dtype=int)))


def _is_on_an_edge(x: Array) -> bool:
    a, b = max(x[:, 0]), -min(x[:, 0])
    return bool(a == 2 * b or b == 2 * a)


tokens_on_both_sides = Assumption(
    "tokens_on_both_sides",
    "-b = min K^0 < 0 < a = max K^0, a != 2b, b != 2a, no token is 0",
    satisfies=lambda f: bool(min(f.x[:, 0]) < 0 < max(f.x[:, 0]) and (f.x[:, 0] != 0).all()) and not _is_on_an_edge(f.x),
    restrict=exactly(_on_both_sides),
    violate=_away_from_origin,
)


def _block(B: Array, C: Array) -> Array:
    """B and C as the diagonal blocks of matrices twice as large."""
    zero = 0 * B
    rows = [np.concatenate(row, axis=-1) for row in ((B, zero), (zero, C))]
    return np.concatenate(rows, axis=-2)


# ---------------------------------------------------------------------------------------------------------------------
# Starts


def one_at_a_time(draw: Callable[[Any], S]) -> Callable[[Any], S]:
    """A draw that makes exact instances, and no batches: raises ValueError for draws of a batch."""

    @functools.wraps(draw)
    def from_exact(draws: Any) -> S:
        if isinstance(draws, BatchDraws):
            raise ValueError(f"{draw.__name__} makes one exact instance at a time")  # noqa: TRY004 -- no value, rather
        return draw(draws)

    return from_exact


def scheduled(x: Array, B: Array, gamma: Array) -> ScheduledHardmax:
    """The exact instance with tokens (n, d), matrices (T, d, d) or one (d, d), and steps (T,), ties averaged."""
    T, d = len(gamma), x.shape[-1]
    return ScheduledHardmax.instance(x=x, B=np.broadcast_to(B, (T, d, d)), gamma=gamma)


def positive(draws: Any, *shape: int) -> Array:
    """Multiples of 1/16 in (0, 1]."""
    return np.asarray((abs(draws.dyadic(*shape, size=1)) * 15 + 1) / 16)


@one_at_a_time
def run_past_the_origin(draws: Any) -> ScheduledHardmax:
    """One token on each axis of a line, or near those of a plane, and one just behind the origin, for 40 steps.

    Those on the axes are drawn through the origin by the last one, which is drawn away from it: the hull leaves the
    origin for good, and what is then far from it stays there.
    """
    d = draws.choice((2, 1))
    far = 1 + positive(draws, d) * draws.choice((0, 1))
    near = positive(draws, d) / draws.choice((64, 4, 1024))
    corners = far[:, None] * np.eye(d, dtype=int)
    if d == 2:
        corners[1, 0] = -8 * near[0]  # at a little more than a right angle
    x = np.concatenate([corners, -near[None, :]])
    B = -exact(np.eye(d, dtype=int)) if draws.choice(("identity", "free")) == "identity" else draws.dyadic(d, d, size=2)
    return scheduled(x, B, np.array([draws.choice((fmpq(1, 2), fmpq(1, 8)))] * 40))


@one_at_a_time
def run_about_the_origin(draws: Any) -> ScheduledHardmax:
    """Any tokens on the line, in the plane or in space, symmetric about the origin or not, for 8 steps."""
    n, d = draws.integer(1, 3), draws.choice((2, 1, 3))
    half = tokens(draws, n, d)
    kind = draws.choice(("symmetric", "any", "one behind"))
    others = -half if kind == "symmetric" else tokens(draws, n, d) if kind == "any" else -half[:1] / 16
    return scheduled(np.concatenate([half, others]), draws.dyadic(8, d, d, size=2), positive(draws, 8) * 31 / 32)


# ---------------------------------------------------------------------------------------------------------------------
# Cells along a run


def first_step(f: Any) -> HardmaxStep:
    """The tokens and the matrix of the first step, half of the way."""
    B = f.B[..., 0, :, :]
    return HardmaxStep(x=f.x, B=B, P=eye_like(B) / 2, selection=f.selection)


def where_unmet(assumption: Assumption) -> Assumption:
    """The same assumption; exact instances that meet it are left as they are."""
    return replace(assumption, restrict=exactly(lambda f: f if assumption.satisfies(f) else assumption.restrict(f)))


def at_the_start(assumption: Assumption) -> Assumption:
    """What a claim on cells assumes of tokens and matrix, assumed of the first step of a run."""
    violate = assumption.violate
    assert violate is not None

    def moved(f: Any, g: Any) -> Any:
        return f.replace(x=g.x, selection=g.selection)

    return replace(
        assumption,
        satisfies=lambda f: assumption.satisfies(first_step(f)),
        restrict=lambda f: moved(f, where_unmet(assumption).restrict(first_step(f))),
        violate=lambda f, draws: moved(f, violate(first_step(f), draws)),
    )


own_cells_at_the_start = at_the_start(own_vertex_cells)
one_cell_at_the_start = at_the_start(tokens_in_one_cell)


@one_at_a_time
def run_of_any_length(draws: Any) -> ScheduledHardmax:
    """Up to five tokens on the line, with a schedule of one step to six."""
    x, T = tokens(draws, draws.integer(1, 5), 1), draws.choice((6, 4, 6, 3, 2, 1))
    return scheduled(x, draws.dyadic(1, 1, size=2), positive(draws, T))


@one_at_a_time
def run_of_several(draws: Any) -> ScheduledHardmax:
    """Three to five tokens in one to three dimensions for 6 steps of any size."""
    n, d = draws.integer(3, 5), draws.choice((2, 3, 2, 1))
    return scheduled(tokens(draws, n, d), draws.dyadic(d, d, size=2), positive(draws, 6) * 31 / 32)


@one_at_a_time
def run_of_either_sign(draws: Any) -> ScheduledHardmax:
    """Runs under semidefinite matrices, all of one sign or of the other."""
    f: Any = run_of_several(draws)
    return f.replace(B=draws.choice((-1, 1)) * squared(f.B))


@one_at_a_time
def run_of_small_steps(draws: Any) -> ScheduledHardmax:
    """The same with steps of any size, small or tiny."""
    f: Any = run_of_several(draws)
    return f.replace(gamma=f.gamma / 2 ** draws.integer(0, 13))


def run_with_own_cells(draws: Any) -> ScheduledHardmax:
    """A run that satisfies (1) and (2) of Theorem 4.2 with scores that need be neither symmetric nor definite.

    They do so for definite scores, and by a margin; so much of any matrix is added as leaves it.
    """
    f: Any = run_of_several(draws)
    for assumption in (strictly_concave_energies, one_matrix, own_cells_at_the_start, one_cell_at_the_start):
        f = assumption.restrict(f)
    most = _within_margins(f, draws.dyadic(*f.B.shape[-2:], size=2))
    start = scheduled(f.x, f.B[0] + most * draws.choice((fmpq(1, 2), 0, fmpq(7, 8))), f.gamma)
    return start.replace(t=start.t + draws.choice((0, 2)))  # some start within their schedule


def _within_margins(f: Any, other: Array) -> Array:
    """Most of what may be added of a matrix to the scores: any less leaves all targets alone."""
    margins, changes = (_margins(f, B) for B in (f.B[0], other))
    room = min((gain / -change for gain, change in zip(margins, changes, strict=True) if change < 0), default=fmpq(8))
    return np.asarray(other * room)


def _turned(f: Any, draws: Draws) -> Any:
    """With a skew matrix added that changes no target."""
    return f.replace(B=f.B + _within_margins(f, turning(f.B[0])) / 2)


definite_scores_of_these_cells = replace(strictly_concave_energies, name="definite_scores_of_these_cells", violate=_turned)


def _margins(f: Any, B: Array) -> Array:
    """<B x_i, y_i - x_j> for the targets y_i of the tokens and all x_j != y_i."""
    y = f.targets()
    scores = ((f.x @ transposed(B))[:, None, :] * (y[:, None, :] - f.x[None, :, :])).sum(axis=-1)
    return np.asarray(scores[(y[:, None, :] != f.x[None, :, :]).any(axis=-1)])


def run_with_definite_scores(draws: Any) -> ScheduledHardmax:
    """Any tokens and one matrix, with steps that halve from the first on or are any."""
    f: Any = run_of_several(draws)
    halved = np.array([f.gamma[0] / 2**t for t in range(length(f))])
    return scheduled(f.x, f.B[0], f.gamma if draws.choice(("halving", "any")) == "any" else halved)


def step_with_own_cells(draws: Any) -> HardmaxStep:
    """The first step of :func:`run_with_own_cells`."""
    return first_step(run_with_own_cells(draws))


def scalar_step_with_own_cells(draws: Any) -> HardmaxStep:
    """The same, for any part of the way."""
    f: Any = step_with_own_cells(draws)
    return f.replace(P=positive(draws, 1)[0] / 2 ** draws.integer(0, 13) * eye_like(f.P))


@one_at_a_time
def run_on_a_kite(draws: Any) -> ScheduledHardmax:
    """Two far corners left and right of the origin, one below, one at the upper right, and a token above the origin.

    The corner at the upper right may or may not own its cell; where it does not, it turns to the one on the right.
    """
    a, b, c, e, g = positive(draws, 5)
    x = exact([[4 * a, 0], [-4 * a, 0], [0, -b], [c, e], [0, e * g]])
    kind = draws.choice(("unit scores", "any scores"))
    B = exact(np.eye(2, dtype=int)) if kind == "unit scores" else draws.dyadic(2, 2, size=2)
    return scheduled(x, B, np.array([draws.choice((fmpq(1, 2), fmpq(1, 4), fmpq(7, 8)))] * 6))


def _kite_with_a_turning_corner(f: Any, draws: Draws) -> HardmaxStep:
    """A kite whose corner at the upper right turns to the one on the right, and draws a token above the origin along."""
    e, g = positive(draws, 2)
    x = exact([[4, 0], [-4, 0], [0, -1], [(1 + e) / 2, e], [0, e * g]])
    return HardmaxStep.instance(x=x, P=f.P[0, 0] * np.eye(2, dtype=int))


own_cells_or_a_kite = where_unmet(replace(own_vertex_cells, violate=_kite_with_a_turning_corner))


@one_at_a_time
def run_far_from_the_origin(draws: Any) -> ScheduledHardmax:
    """Two steps of a token p of least energy far out, one behind it, and one beside it that the second has for target."""
    R = fmpq(draws.choice((8, 32, 2, 128)))
    behind, beside = exact([R + 1 / R, -1 / R**2]), exact([R + 1 / R**4, fmpq(45, 32)])
    x = np.stack([exact([R, 0]), behind, beside]) * (1 + positive(draws))
    gamma = draws.choice((fmpq(1, 10), fmpq(1, 50)))
    return scheduled(x, -exact(np.eye(2, dtype=int)), exact([gamma] * 2))


def step_with_shared_vertices(draws: Any) -> HardmaxStep:
    """The same; mostly with a second token at the first vertex."""
    f: Any = step_with_own_cells(draws)
    if draws.choice(("shared vertex", "any")) == "any":
        return first_step(run_with_own_cells(draws))
    x = np.concatenate([f.x, f.x[vertices(f.x)][:1]])
    return HardmaxStep.instance(x=x, B=f.B, P=f.P)


@one_at_a_time
def run_of_turning_energies(draws: Any) -> ScheduledHardmax:
    """Tokens of the plane under energies of two eigenvalues whose axes take turns, or turn by a drawn angle."""
    x = tokens(draws, draws.integer(2, 4), 2)
    low, high, t = positive(draws).item() / 16, 1 + positive(draws).item(), positive(draws).item()
    turned = exact([[1 - t * t, -2 * t], [2 * t, 1 - t * t]]) / (1 + t * t)
    turn = exact([[0, -1], [1, 0]]) if draws.choice(("quarter turns", "any turns")) == "quarter turns" else turned
    energies = [np.diag(exact([low, high]))]
    for _ in range(3):
        energies.append(turn @ energies[-1] @ turn.T)
    return scheduled(x, -np.stack(energies), positive(draws, 4) * 31 / 32)
