"""Hypotheses on runs of hardmax steps: on their matrices, steps and hulls."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.energies import length
from claims.frank_wolfe.setting.steps import into_the_unit_interval
from claims.stating.assumptions import size, with_entries
from claims.stating.matrices import asymmetric, definite, is_positive_definite, is_positive_semidefinite, squared
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import FLOAT64, Array, exact, indicator, transposed
from dynamics.geometry import membership

# ---------------------------------------------------------------------------------------------------------------------
# What is assumed of the matrices


def _is_exact(f: Any) -> bool:
    return bool(f.x.ndim == 2 and isinstance(f.x.flat[0], fmpq))


# Whether anything has to be changed is decided by comparisons that rounding may turn: of a batch, too, they are made on
# rationals, and only the outcome is rounded.
def exactly(restrict: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A restriction of exact instances, applied to float64 batches row by row and rounded.

    Raises ValueError where rows come out with different shapes.
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
    """sign B lowered in its first entry, equally at all steps, until no sign B^t is semidefinite."""
    most = max(abs(f.B[:, 0, 0])) + draws.choice((fmpq(1, 8), 4))
    # The corner is 1/8: the first diagonal entry of each sign B^t is then negative.
    return f.replace(B=f.B - sign * 8 * most * _small_corner(f.B))


def _small_corner(B: Array) -> Array:
    """1/8 in the first diagonal entry of matrices (..., d, d)."""
    return np.broadcast_to(indicator(np.arange(B.shape[-1] ** 2).reshape(B.shape[-2:]) == 0, B) / 8, B.shape)


def _each_semidefinite(matrices: Array) -> bool:
    """Whether all of them (T, d, d) are; equal ones in a row are decided once."""
    changed = [M for k, M in enumerate(matrices) if k == 0 or bool((matrices[k - 1] != M).any())]
    return all(map(is_positive_semidefinite, changed))


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
    """B^t + B^{t+1} + ... for B^t, where needed: sums of semidefinite matrices never grow."""
    if _each_semidefinite(f.B[1:] - f.B[:-1]):
        return f
    sums = [f.B[..., -1, :, :]]
    for t in range(length(f) - 2, -1, -1):
        sums.append(sums[-1] + f.B[..., t, :, :])
    return f.replace(B=np.stack(sums[::-1], axis=-3))


def _growing(f: Any, draws: Draws) -> Any:
    """An energy that is larger at the last step than before."""
    # One matrix is constant.
    return f if length(f) == 1 else with_entries(f, "B", -1, 4 * f.B[-1] - _small_corner(f.B[-1]))


# A factor c_t > 0 of B^t changes no step, only the energies: so monotone energies are no restriction of the tokens' motion.
energies_never_grow = Assumption(
    "energies_never_grow",
    "B_*^t - B_*^{t+1} is >= 0",
    satisfies=lambda f: _each_semidefinite(f.B[1:] - f.B[:-1]),
    restrict=exactly(_tail_sums),
    violate=_growing,
)

# Broken by an energy that grows at the end: one that falls is still allowed by the theorem.
one_energy = Assumption(
    "one_energy",
    "B^t = B",
    satisfies=lambda f: bool((f.B[:1] == f.B).all()),
    restrict=lambda f: f.replace(B=f.B[..., :1, :, :] + 0 * f.B),
    violate=_growing,
)


def _changing(f: Any, draws: Draws) -> Any:
    """Other matrices from the middle of the schedule on, semidefinite ones."""
    B, d = f.B.copy(), f.B.shape[-1]
    for t in range(len(B) // 2, len(B)):
        B[t] = squared(draws.dyadic(d, d, size=2)) + _small_corner(B[t])
    return f.replace(B=B)


# Broken by other semidefinite matrices, so that B^t >= 0, which is assumed beside it, stays met.
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


# Newton's identities: the traces of the first d powers determine the eigenvalues, without computing them.
equal_eigenvalues = Assumption(
    "equal_eigenvalues",
    "B^t has the same eigenvalues for all t",
    satisfies=lambda f: _have_equal_eigenvalues(f.B),
    violate=_growing,
)

convex_or_negated = replace(convex_energies, violate=lambda f, draws: f.replace(B=-f.B))
"""Broken by reversing the sign, which leaves equal eigenvalues equal."""

# ---------------------------------------------------------------------------------------------------------------------
# What is assumed of the steps


def _open_loop(f: Any) -> Array:
    """2/(t+2) for t = 0, 1, ..., in the shape of gamma."""
    return np.asarray(2 / (0 * f.gamma + np.arange(2, length(f) + 2).astype(f.gamma.dtype)))


# gamma^0 = 1, so that the first step goes all the way, and t = 0 at the start is part of the hypothesis.
open_loop_steps = Assumption(
    "open_loop_steps",
    "gamma^t = 2/(t + 2), from t = 0 on",
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
    restrict=lambda f: f.replace(
        gamma=into_the_unit_interval(f.gamma[..., :1], (f.gamma[..., :1] > 0) & (f.gamma[..., :1] < 1)) + 0 * f.gamma
    ),
    violate=lambda f, draws: f.replace(gamma=f.gamma + draws.choice((1, 2))),
)


def _are_multiples(matrices: Array) -> bool:
    """Whether all of them (T, d, d) are multiples of one: of their entries every minor of two rows is zero."""
    entries = matrices.reshape(len(matrices), -1)
    products = np.multiply.outer(entries, entries)
    return bool((products == products.transpose(0, 3, 2, 1)).all())


# B^t = 0 is allowed: then all tokens tie, and gap and energies are 0.
nonnegative_scores = Assumption(
    "nonnegative_scores",
    "B^t = beta^t B, beta^t >= 0, B >= 0",
    satisfies=lambda f: _are_multiples(f.B) and _each_semidefinite(f.B),
    # |B^t_11| B^0 B^0^T for B^t.
    restrict=lambda f: f.replace(B=abs(f.B[..., :1, :1]) * squared(f.B[..., :1, :, :])),
    # -gamma^t c I is added, for B may be 0, whose negative is no worse.
    violate=lambda f, draws: f.replace(
        B=-f.B - f.gamma[:, None, None] * np.eye(f.B.shape[-1], dtype=int) * draws.choice((fmpq(1, 16), 1))
    ),
)


def _is_semidefinite_up_to_sign(B: Array) -> bool:
    return is_positive_semidefinite(B) or is_positive_semidefinite(-B)


scores_of_either_sign = Assumption(
    "scores_of_either_sign",
    "B^t = beta^t B, B >= 0, beta^t of any sign",
    satisfies=lambda f: _are_multiples(f.B) and all(map(_is_semidefinite_up_to_sign, f.B)),
    violate=lambda f, draws: f.replace(B=f.B - f.B[:, :1, :1] * 8 * draws.integer(2, 4) * _small_corner(f.B)),
)


def _with_the_steps(f: Any) -> Any:
    first = f.gamma[..., :1]
    shares = f.gamma / (first + indicator(first == 0, f.gamma))
    return f.replace(B=f.B[..., :1, :, :] * shares[..., None, None])


def _scale_with_the_steps(f: Any) -> bool:
    return all(gamma != 0 for gamma in f.gamma) and bool((f.B == _with_the_steps(f).B).all())


# The point of the condition: J^t/gamma^t is one and the same function for all t, so that falls add up.
scores_scale_with_steps = Assumption(
    "scores_scale_with_steps",
    "beta^t/beta^{t+1} = gamma^t/gamma^{t+1}",
    satisfies=_scale_with_the_steps,
    restrict=_with_the_steps,
    # The last matrix is reduced: of one step alone, and where all are zero, that breaks nothing.
    violate=lambda f, draws: with_entries(f, "B", -1, f.B[-1] / draws.choice((2, 64))),
)

constant_small_step = replace(
    constant_step,
    name="constant_small_step",
    violate=lambda f, draws: with_entries(f, "gamma", -1, f.gamma[-1] / draws.choice((2, 64))),
)

# Question Q3 is open by its words only for small steps: for long ones 1 - gamma is plainly too small.
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
    """Whether 0 is in the hull of rational tokens (n, d): by their signs on a line, by their angles in the plane."""
    if x.shape[1] == 1:
        return bool(min(x[:, 0]) <= 0 <= max(x[:, 0]))
    if x.shape[1] == 2:
        return _holds_origin_of_the_plane(x)
    return membership(0 * x[0], x).inside


# By signs of cross products, since the linear program of `membership` is slow and a run asks at every step.
def _holds_origin_of_the_plane(x: Array) -> bool:
    """Whether 0 is in the hull of points (n, 2).

    It is not where all are within less than half a turn: then one of them has none on its right, nor any behind it.
    """
    if bool((x == 0).all(axis=-1).any()):
        return True
    crosses = x[:, None, 0] * x[None, :, 1] - x[:, None, 1] * x[None, :, 0]
    behind = (crosses == 0) & (x @ transposed(x) < 0)
    return not bool(((crosses >= 0) & ~behind).all(axis=-1).any())


def _around_origin(f: Any) -> Any:
    """Unchanged where the hull is known to contain the origin, else translated so that the mean is 0."""
    return f if holds_origin(f.x) else f.replace(x=f.x - f.x.sum(axis=-2, keepdims=True) / f.x.shape[-2])


def _away_from_origin(f: Any, draws: Draws) -> Any:
    """Translated until every token has a positive first coordinate."""
    return with_entries(f, "x", (..., 0), f.x[:, 0] - min(f.x[:, 0]) + draws.choice((1, 2, fmpq(1, 8))))


origin_in_hull = Assumption(
    "origin_in_hull",
    "0 is in K^0",
    satisfies=lambda f: holds_origin(f.x),
    restrict=exactly(_around_origin),
    violate=_away_from_origin,
)


# Hulls only shrink: one that has left the origin never holds it again.
def _steps_with_origin(f: Any) -> int:
    """How many of the hulls K^0, K^1, ... of the run hold the origin before one does not."""
    for t in range(length(f)):
        if not holds_origin(f.x):
            return t
        f = f.step()
    return length(f)


def _until_origin_is_left(f: Any) -> Any:
    """The schedule up to the last step at which the hull holds the origin, exact instances only."""
    around = _around_origin(f)
    kept = _steps_with_origin(around)
    return around.replace(B=f.B[:kept], gamma=f.gamma[:kept])


origin_in_every_hull = Assumption(
    "origin_in_every_hull",
    "0 is in K^t at as many steps as the schedule lists",
    satisfies=lambda f: _steps_with_origin(f) == length(f),
    restrict=exactly(_until_origin_is_left),
    violate=_away_from_origin,
)


def while_origin_is_held(assumption: Assumption) -> Assumption:
    """The same assumption, to be broken only while the hull contains the origin."""
    violate = assumption.violate
    assert violate is not None
    return replace(assumption, violate=lambda f, draws: _until_origin_is_left(violate(f, draws)))


# The second coordinate repels like the first, so that B < 0 stays met.
on_the_line = size(
    "on_the_line",
    "d",
    most=1,
    violate=lambda f, draws: f.replace(
        x=np.concatenate([f.x, draws.dyadic(*f.x.shape)], axis=-1), B=np.block([[f.B, 0 * f.B], [0 * f.B, 0 * f.B - 1]])
    ),
)


def _on_both_sides(f: Any) -> Any:
    """For exact instances: tokens at 0 moved off it, one reflected if all are on one side, b moved off a/2 and 2a."""
    x = f.x.copy()
    x[x == 0] = fmpq(1, 16)
    if len(x) == 1:
        x = np.concatenate([x, x])
    if min(x[:, 0]) > 0 or max(x[:, 0]) < 0:
        x[-1] = -x[-1]
    if _is_on_an_edge(x):
        # 9/8 of one end is neither half nor twice the other, where it was one of these before.
        x = np.where(x > 0, x * fmpq(9, 8), x)
    return f.replace(x=x, selection=exact(np.ones((len(x), len(x)), dtype=int)))


def _is_on_an_edge(x: Array) -> bool:
    a, b = max(x[:, 0]), -min(x[:, 0])
    return bool(a == 2 * b or b == 2 * a)


# At a = 2b or b = 2a a token is at 0 after two steps and ties with all.
tokens_on_both_sides = Assumption(
    "tokens_on_both_sides",
    "-b = min K^0 < 0 < a = max K^0, a != 2b, b != 2a, no token is 0",
    satisfies=lambda f: bool(min(f.x[:, 0]) < 0 < max(f.x[:, 0]) and (f.x[:, 0] != 0).all()) and not _is_on_an_edge(f.x),
    restrict=exactly(_on_both_sides),
    violate=_away_from_origin,
)
