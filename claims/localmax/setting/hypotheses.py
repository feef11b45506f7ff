"""Named hypotheses of the hardmax and localmax claims, on a localmax step: met by construction, decided exactly, broken."""

from typing import Any

import numpy as np
from flint import fmpq

from claims.stating.assumptions import size, with_entries
from claims.stating.matrices import (
    definite,
    eye_like,
    is_positive_definite,
    is_positive_semidefinite,
    is_symmetric,
    squared,
    turning,
)
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import Array, at_most, exact, indicator, numbers, peak
from dynamics.tokens.localmax import ADDITIVE, POINTS, RELATIVE, SELF, STRICT, WEIGHTED, LocalmaxStep, coincident


# Infinite and not left out: members of a batch that differ in the mask keep one shape, and infinity never is the least.
def where(mask: Array, margins: Array) -> Array:
    """The margins on which the statement speaks, one after the other.

    In a float64 batch those it does not speak of are infinite, so that the members keep one shape.
    """
    mask, margins = np.broadcast_arrays(mask, margins)
    if margins.dtype != object:
        return np.where(mask, margins, np.inf)
    return numbers(margins[mask])


def others(f: LocalmaxStep) -> Array:
    """True off the diagonal, shape (n, n)."""
    return ~np.eye(f.z.shape[-2], dtype=bool)


# ---------------------------------------------------------------------------------------------------------------------
# The key-query matrix


# A that is symmetric stays, so that lattice matrices are not doubled, nor an exact start moved.
def _symmetric_part(A: Array) -> Array:
    """A where it is symmetric, member by member, else A + A^T."""
    turned = A.swapaxes(-1, -2)
    same = np.asarray(turned == A).all(axis=(-2, -1), keepdims=True)
    return numbers(np.where(same, A, A + turned))


# The turn with a definite symmetric part is cyclic pursuit: what is true of definite A and false of it needs symmetry.
def _skewed(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """A plus a skew matrix, or the quarter turn: with tokens around 0 a cyclic pursuit."""
    if draws.integer(0, 1):
        return f.replace(A=f.A + turning(f.A, 1 + abs(draws.dyadic(size=2, bits=0))))
    # 3 I / 5 in the plane of the turn: its symmetric part is definite.
    return f.replace(A=turning(f.A, fmpq(4, 5)) + eye_like(f.A) * fmpq(3, 5))


symmetric_matrix = Assumption(
    "symmetric_matrix",
    "A = A^T",
    satisfies=lambda f: is_symmetric(f.A),
    restrict=lambda f: f.replace(A=_symmetric_part(f.A)),
    violate=_skewed,
)


# 1e-9 for floats: an eigenvalue that is zero up to rounding is not taken for a positive one.
def _definite_part(A: Array) -> Array:
    """A where it is symmetric positive definite, member by member, else A A^T + I/16."""
    if A.dtype == object:
        return A if is_positive_definite(A) else numbers(definite(A))
    fine = (A.swapaxes(-1, -2) == A).all(axis=(-2, -1)) & (np.linalg.eigvalsh(A).min(axis=-1) > 1e-9)
    return numbers(np.where(fine[..., None, None], A, definite(A)))


# One kind each for what can go wrong: the sign, the rank, one direction, the symmetry.
def _not_definite(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """Negative definite, singular, with one negative direction, or a definite matrix skewed."""
    kind = draws.integer(0, 3)
    if kind in (1, 2):
        last = eye_like(f.A) * eye_like(f.A)[..., -1:, :]
        return f.replace(A=eye_like(f.A) - kind * last)
    # On a line every matrix is symmetric: there the sign alone can be broken.
    return _skewed(f, draws) if kind == 3 and f.A.shape[-1] > 1 else f.replace(A=-f.A)


definite_matrix = Assumption(
    "definite_matrix",
    "A is symmetric positive definite",
    satisfies=lambda f: is_positive_definite(f.A),
    restrict=lambda f: f.replace(A=_definite_part(f.A)),
    violate=_not_definite,
)


def _indefinite(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    changed = _not_definite(f, draws)
    return changed if not is_positive_semidefinite(changed.A) else f.replace(A=-f.A - eye_like(f.A))


def _squared(f: LocalmaxStep) -> LocalmaxStep:
    """A A^T for A, of any rank, unless A is semidefinite already."""
    if f.A.dtype == object and is_positive_semidefinite(f.A):
        return f
    return f.replace(A=squared(f.A))


semidefinite_matrix = Assumption(
    "semidefinite_matrix",
    "A is symmetric positive semidefinite",
    satisfies=lambda f: is_positive_semidefinite(f.A),
    restrict=_squared,
    violate=_indefinite,
)


# ---------------------------------------------------------------------------------------------------------------------
# Step size, sensitivity, rule

# 1 and beyond: at 1 tokens jump onto averages, above they overshoot, and below 0 they are repelled.
UNUSUAL_STEPS = (fmpq(3, 2), fmpq(1), fmpq(-1), fmpq(2))

open_step_size = Assumption(
    "open_step_size",
    "0 < gamma < 1",
    satisfies=lambda f: 0 < f.gamma.item() < 1,
    violate=lambda f, draws: f.replace(gamma=numbers(UNUSUAL_STEPS[draws.integer(0, 3)])),
)

step_size_below_one = Assumption(
    "step_size_below_one",
    "0 <= gamma < 1",
    satisfies=lambda f: 0 <= f.gamma.item() < 1,
    violate=lambda f, draws: f.replace(gamma=numbers(UNUSUAL_STEPS[draws.integer(0, 3)])),
)


# delta equal to a gap: the least sensitivity that changes anything, and a tie.
def a_positive_gap(f: LocalmaxStep, draws: Draws) -> Any:
    """One of the positive gaps of an exact system, or 1 where there is none."""
    positive = sorted({gap for gap in f.gaps().flat if gap > 0})
    return positive[draws.integer(0, len(positive) - 1)] if positive else fmpq(1)


hardmax = Assumption(
    "hardmax",
    "delta = 0",
    satisfies=lambda f: f.delta.item() == 0,
    restrict=lambda f: f.replace(delta=0 * f.delta),
    violate=lambda f, draws: f.replace(delta=numbers(a_positive_gap(f, draws))),
)

positive_sensitivity = Assumption(
    "positive_sensitivity",
    "delta > 0",
    satisfies=lambda f: f.delta.item() > 0,
    restrict=lambda f: f.replace(delta=f.delta + indicator(np.asarray(at_most(f.delta, 0 * f.delta)), f.delta)),
    violate=lambda f, draws: f.replace(delta=0 * f.delta),
)


def _rule_is(name: str, statement: str, allowed: tuple[int, ...]) -> Assumption:
    """The neighbour rule is one of those allowed; others are replaced by the first of these."""
    excluded = [rule for rule in range(6) if rule not in allowed]
    return Assumption(
        name,
        statement,
        satisfies=lambda f: f.which in allowed,
        restrict=lambda f: f if f.which in allowed else f.replace(rule=np.array(allowed[0])),
        violate=lambda f, draws: f.replace(rule=np.array(excluded[draws.integer(0, len(excluded) - 1)])),
    )


# M-D1, the reading that the claims settle on; those of the other readings say so.
additive_rule = _rule_is("additive_rule", "C_i = {j : gap_i(z_j) <= delta} (D1)", (ADDITIVE,))
another_rule = _rule_is("another_rule", "neighbours by another rule than D1", (RELATIVE, WEIGHTED, STRICT, SELF, POINTS))
# Without D1self, under which a token counts itself although others score better: then c_i is no mean of maximisers.
neighbours_by_score = _rule_is(
    "neighbours_by_score",
    "a rule by which no token is its own neighbour but by its score",
    (ADDITIVE, RELATIVE, WEIGHTED, STRICT, POINTS),
)
# Without D2 and D3, whose tolerance is not delta, and D1self, under which a token's own gap has no bound.
gaps_below_sensitivity = _rule_is(
    "gaps_below_sensitivity", "a rule by which every neighbour of token i has gap_i <= delta", (ADDITIVE, STRICT, POINTS)
)
# For statements about who is outside: D2 and D3 compare with another number than delta.
sensitivity_is_a_gap = _rule_is(
    "sensitivity_is_a_gap",
    "a rule by which a gap that exceeds delta makes no neighbour, but of a token itself",
    (ADDITIVE, STRICT, SELF, POINTS),
)
averages_over_indices = _rule_is(
    "averages_over_indices", "a rule by which c_i is the mean over indices", (ADDITIVE, RELATIVE, WEIGHTED, STRICT, SELF)
)
averages_over_points = _rule_is("averages_over_points", "a rule by which c_i is the mean over distinct points", (POINTS,))


# ---------------------------------------------------------------------------------------------------------------------
# Tokens


# Along one axis, beyond all others: no copy can land on a token that was there.
def _set_apart(f: LocalmaxStep) -> LocalmaxStep:
    """Every further copy of a token moved along the first axis, beyond all others: lattice data stay lattice data."""
    same = coincident(f.z) & np.tri(f.z.shape[-2], k=-1, dtype=bool)
    copies = indicator(same, f.z).sum(axis=-1)
    first = f.z[..., 0]
    span = peak(first) + peak(-first) + 1
    z = f.z.copy()
    z[..., 0] = first + copies * span
    return f.replace(z=numbers(z))


def _one_coincides(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    n = len(f.z)
    if n == 1:
        return f.replace(z=np.repeat(f.z, 2, axis=0))
    i = draws.integer(0, n - 1)
    return with_entries(f, "z", (i + 1) % n, f.z[i])


distinct_tokens = Assumption(
    "distinct_tokens",
    "the tokens are distinct",
    satisfies=lambda f: not (coincident(f.z) & others(f)).any(),
    restrict=_set_apart,
    violate=_one_coincides,
)

coincident_pair = Assumption(
    "coincident_pair",
    "z_1 = z_2",
    satisfies=lambda f: len(f.z) > 1 and bool((f.z[0] == f.z[1]).all()),
    restrict=lambda f: f.replace(z=np.concatenate([f.z[..., :1, :], f.z[..., :1, :], f.z[..., 2:, :]], axis=-2)),
    violate=lambda f, draws: f.replace(z=numbers(np.concatenate([f.z[:1] + 1 + abs(draws.dyadic(1, len(f.A))), f.z[1:]]))),
)


# The values on the first axis stay; a mixed matrix, half of the time, lets the second coordinate bear on all scores.
def _into_the_plane(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """A second coordinate for every token, and a definite matrix that mixes the two."""
    n, a = len(f.z), f.A[0, 0]
    mixed = a * draws.integer(0, 1)
    return f.replace(z=np.concatenate([f.z, draws.dyadic(n, 1)], axis=1), A=exact([[a, mixed], [mixed, a + mixed]]))


one_dimension = size("one_dimension", "d", most=1, violate=_into_the_plane)


def _into_space(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """Further coordinates for every token up to the third, scored by themselves."""
    n, d = f.z.shape
    A = exact(np.eye(3, dtype=int))
    A[:d, :d] = f.A
    return f.replace(z=np.concatenate([f.z, draws.dyadic(n, 3 - d)], axis=1), A=A)


planar = size("planar", "d", most=2, violate=_into_space)
