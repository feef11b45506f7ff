"""Hypotheses of the clusters paper that other papers do not share, about tokens x or z and the matrices B and V."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from claims.clusters.setting.notation import tokens_of, with_tokens
from claims.stating.assumptions import size, symmetric_key_query
from claims.stating.matrices import (
    asymmetric,
    definite,
    eye_like,
    invertible,
    is_invertible,
    is_positive_definite,
    is_positive_semidefinite,
    is_symmetric,
    squared,
    turning,
)
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import Array, exact, indicator, inverse, transposed


# Assumptions are met in exact numbers and in batches of floats, which a rational would turn into objects.
def _small(like: Array) -> Any:
    return 2.0**-12 if like.dtype != object else fmpq(1, 1 << 12)


# A 0 becomes 1/16, the unit of draws: statements that divide by the number stay of moderate size.
def made_positive(values: Array) -> Array:
    """Positive numbers unchanged, others replaced by their modulus plus 1/16."""
    return np.where(values > 0, values, abs(values) + 256 * _small(values))


# ---------------------------------------------------------------------------------------------------------------------
# Tokens


# The matrices of the line become multiples of the identity, so that B > 0 and V = 1 remain what they were: "d = 1" alone is
# broken.
def _with_a_plane(f: Any, draws: Draws) -> Any:
    x = tokens_of(f)
    plane = np.concatenate([x[..., :1], draws.dyadic(len(x), 1, size=2)], axis=-1)
    eye = indicator(np.eye(2, dtype=bool), x)
    wide = {name: getattr(f, name)[0, 0] * eye for name, one in type(f).fields().items() if one.axes == ("d", "d")}
    return with_tokens(f, plane).replace(**wide)


def _asymmetric(f: Any, draws: Draws) -> Any:
    """Scores that are not symmetric; all scores on a line are, so a plane is taken instead."""
    wide = _with_a_plane(f, draws) if f.B.shape[-1] == 1 else f
    return wide.replace(B=asymmetric(wide.B, draws))


symmetric_or_wider = replace(symmetric_key_query, violate=_asymmetric)
"""On a line it can only be dropped in a plane around it."""

# Many theorems on a line are false in a plane, where tokens have no order.
on_the_line = size("on_the_line", "d", most=1, violate=_with_a_plane)


def _ascending(x: Array) -> Array:
    """The tokens with their first coordinates sorted, then moved apart by 2^-12."""
    # The step is too small to be seen in a slack, and parts tokens that sorting leaves equal.
    first = np.sort(x[..., 0], axis=-1) + np.arange(x.shape[-2]).astype(x.dtype) * _small(x)
    return np.asarray(np.concatenate([first[..., None], x[..., 1:]], axis=-1))


# Broken by exchanging the first two tokens: they stay distinct.
ordered_tokens = Assumption(
    "ordered_tokens",
    "x_1 < ... < x_n in the first coordinate",
    satisfies=lambda f: all(a < b for a, b in pairwise(tokens_of(f)[:, 0])),
    restrict=lambda f: with_tokens(f, _ascending(tokens_of(f))),
    violate=lambda f, draws: with_tokens(f, np.concatenate([tokens_of(f)[1::-1], tokens_of(f)[2:]])),
)


def _are_distinct(x: Array) -> bool:
    i, j = np.triu_indices(len(x), 1)
    return bool((x[i] != x[j]).any(axis=-1).all())


# Members of a batch that are distinct stay as they are: starts near equality would be lost by sorting.
def _made_distinct(x: Array) -> Array:
    """Distinct tokens unchanged, others sorted and moved apart."""
    pairs = (x[..., :, None, :] == x[..., None, :, :]).all(axis=-1)
    met = pairs.sum(axis=(-2, -1)) > x.shape[-2]
    return np.where(met[..., None, None], _ascending(x), x)


# Broken by putting the last token on the first, which no flow parts again.
distinct_tokens = Assumption(
    "distinct_tokens",
    "x_i != x_j for i != j",
    satisfies=lambda f: _are_distinct(tokens_of(f)),
    restrict=lambda f: with_tokens(f, _made_distinct(tokens_of(f))),
    violate=lambda f, draws: with_tokens(f, np.concatenate([tokens_of(f)[:-1], tokens_of(f)[:1]])),
)

some_token = Assumption(
    "some_token",
    "the tokens are not all 0",
    satisfies=lambda f: bool((tokens_of(f) != 0).any()),
    restrict=lambda f: with_tokens(
        # Of a batch only the members whose tokens are all 0 are moved.
        f,
        tokens_of(f) + indicator((tokens_of(f) == 0).all(axis=(-2, -1)), tokens_of(f))[..., None, None],
    ),
    violate=lambda f, draws: with_tokens(f, 0 * tokens_of(f)),
)

# ---------------------------------------------------------------------------------------------------------------------
# Values


# Broken by -V and not by a skew part: it is the sign that most statements need.
definite_value = Assumption(
    "definite_value",
    "V is symmetric positive definite",
    satisfies=lambda f: is_positive_definite(f.V),
    restrict=lambda f: f.replace(V=definite(f.V)),
    violate=lambda f, draws: f.replace(V=-f.V),
)

invertible_value = Assumption(
    "invertible_value",
    "V is invertible",
    satisfies=lambda f: is_invertible(f.V),
    restrict=lambda f: f.replace(V=invertible(f.V)),
    violate=lambda f, draws: f.replace(V=f.V - f.V[..., :1] * _first(f.V)),
)


def _is_minus_identity(V: Array) -> bool:
    return bool((-eye_like(V) == V).all())


# The draw may be -I itself, on a line above all: then I is taken.
def _not_minus_identity(f: Any, draws: Draws) -> Any:
    V = draws.dyadic(*f.V.shape, size=2)
    return f.replace(V=eye_like(V) if _is_minus_identity(V) else V)


minus_identity_value = Assumption(
    "minus_identity_value",
    "V = -I",
    satisfies=lambda f: _is_minus_identity(f.V),
    restrict=lambda f: f.replace(V=-eye_like(f.V)),
    violate=_not_minus_identity,
)


def _first(V: Array) -> Array:
    return indicator(np.arange(V.shape[-1]) == 0, V)


def _mixed_in(f: Any, draws: Draws) -> Any:
    f = _at_least_a_plane(f)  # on the line there is no other entry
    first = _first(f.V)
    return f.replace(V=f.V + (1 + abs(draws.dyadic(size=2))) * first[:, None] * (1 - first))


# V_1j = 0 says phi V = lambda phi for the row phi = e_1: no other coordinate enters the rate of the first.
first_coordinate_is_eigen = Assumption(
    "first_coordinate_is_eigen",
    "phi is the first coordinate: V_1j = 0 for j > 1",
    satisfies=lambda f: bool((f.V[0, 1:] == 0).all()),
    restrict=lambda f: f.replace(V=f.V * (1 - _first(f.V)[:, None] * (1 - _first(f.V)))),
    violate=_mixed_in,
)


def _corner(V: Array) -> Array:
    first = _first(V)
    return np.asarray(first[:, None] * first)


# Only V_11 is changed: an eigenvector that an earlier hypothesis made stays one.
def _with_rate(f: Any, rate: Array) -> Any:
    return f.replace(V=f.V + (rate - f.V[..., :1, :1]) * _corner(f.V))


# Broken by a rate of at most -1/4: 0 would break nothing, and a rate near 0 too little to be seen.
nonnegative_eigenvalue = Assumption(
    "nonnegative_eigenvalue",
    "lambda = V_11 >= 0",
    satisfies=lambda f: bool(f.V[0, 0] >= 0),
    restrict=lambda f: _with_rate(f, abs(f.V[..., :1, :1])),
    violate=lambda f, draws: _with_rate(f, -abs(f.V[:1, :1]) - fmpq(1, 4)),
)

positive_eigenvalue = Assumption(
    "positive_eigenvalue",
    "lambda = V_11 > 0",
    satisfies=lambda f: bool(f.V[0, 0] > 0),
    restrict=lambda f: _with_rate(f, made_positive(f.V[..., :1, :1])),
    violate=lambda f, draws: _with_rate(f, -abs(f.V[:1, :1]) - fmpq(1, 4)),
)

# Broken by a shift, which no change of basis makes diagonal where two rates are equal.
diagonal_value = Assumption(
    "diagonal_value",
    "V is diagonal: coordinates are those of an eigenbasis",
    satisfies=lambda f: bool((f.V * eye_like(f.V) == f.V).all()),
    restrict=lambda f: f.replace(V=f.V * eye_like(f.V)),
    violate=lambda f, draws: _with_shift(_at_least_a_plane(f)),
)


def _with_diagonal(f: Any, values: Array) -> Any:
    eye = eye_like(f.V)
    return f.replace(V=f.V * (1 - eye) + values * eye)


nonnegative_rates = Assumption(
    "nonnegative_rates",
    "V_kk >= 0",
    satisfies=lambda f: bool((f.V.diagonal() >= 0).all()),
    restrict=lambda f: _with_diagonal(f, abs(f.V)),
    violate=lambda f, draws: _with_diagonal(f, -abs(f.V) - fmpq(1, 4)),
)


def _with_sorted_rates(f: Any) -> Any:
    """|V_kk| in falling order, the first made larger by 1/16: it must exceed the second, which may be equal to it."""
    values = np.sort(abs(f.V.diagonal(axis1=-2, axis2=-1)), axis=-1)[..., ::-1] + 256 * _small(f.V) * _first(f.V)
    return _with_diagonal(f, values[..., None, :])


def _are_sorted(V: Array) -> bool:
    values = V.diagonal()
    return bool(values[0] > 0) and all(values[0] > abs(v) for v in values[1:]) and _falls(abs(values[1:]))


def _falls(values: Array) -> bool:
    return all(a >= b for a, b in pairwise(values))


# The others' moduli are sorted for the exponent |lambda_2| alone: it has to be the largest among them.
sorted_rates = Assumption(
    "sorted_rates",
    "V_11 > |V_22| >= ... >= |V_dd| and V_11 > 0",
    satisfies=lambda f: _are_sorted(f.V),
    restrict=_with_sorted_rates,
    # By its sign alone: the moduli stay in order.
    violate=lambda f, draws: _with_rate(f, -abs(f.V[:1, :1])),
)


def _two_coordinates(f: Any) -> Any:
    """The system in the plane: its first two coordinates, or the single one twice."""
    x = tokens_of(f)
    if x.shape[-1] > 1:
        return with_tokens(f, x[..., :2]).replace(B=f.B[..., :2, :2], V=f.V[..., :2, :2])
    # In another order: with one and the same coordinate twice the tokens would stay on a line.
    x = np.concatenate([x, -x[..., ::-1, :]], axis=-1)
    # A (1 + i): a rotation and a stretch, which mixes the coordinates and is symmetric for no A but 0.
    return with_tokens(f, x).replace(B=np.block([[f.B, f.B], [-f.B, f.B]]), V=np.block([[f.V, f.V], [-f.V, f.V]]))


# Triangular, so that the eigenvalues are on the diagonal and no root is needed.
def _triangular(f: Any) -> Any:
    f = _two_coordinates(f)
    upper, eye = indicator(np.triu(np.ones((2, 2), dtype=bool)), f.V), eye_like(f.V)
    low = eye * eye[..., 1:, :]
    # The second eigenvalue is larger than the first, by 1/16 at least.
    return f.replace(V=f.V * upper + low * (f.V[..., :1, :1] + 256 * _small(f.V) + abs(f.V) - f.V))


def _has_different_real_eigenvalues(V: Array) -> bool:
    return len(V) == 2 and bool((V[0, 0] - V[1, 1]) ** 2 + 4 * V[0, 1] * V[1, 0] > 0)


different_real_eigenvalues = Assumption(
    "different_real_eigenvalues",
    "d = 2 and V has two different real eigenvalues",
    satisfies=lambda f: _has_different_real_eigenvalues(f.V),
    restrict=_triangular,
    # A multiple of the quarter turn has no real eigenvalue.
    violate=lambda f, draws: f.replace(V=turning(f.V, 1 + abs(draws.dyadic(size=1)))),
)


def _shift(V: Array) -> Array:
    """The matrix (d, d) with 1 above the diagonal, in the arithmetic of V."""
    return indicator(np.eye(V.shape[-1], k=1, dtype=bool), V)


def _is_jordan_block(V: Array) -> bool:
    return len(V) > 1 and bool(V[0, 0] >= 0 and (V[0, 0] * eye_like(V) + _shift(V) == V).all())


def _at_least_a_plane(f: Any) -> Any:
    return _two_coordinates(f) if f.V.shape[-1] < 2 else f


def _as_jordan_block(f: Any) -> Any:
    f = _at_least_a_plane(f)
    return f.replace(V=abs(f.V[..., :1, :1]) * eye_like(f.V) + _shift(f.V))


# The paper's standing assumption is that V is diagonalizable. A single block is the least that breaks it.
jordan_block = Assumption(
    "jordan_block",
    "V is a Jordan block of a real eigenvalue >= 0, d > 1",
    satisfies=lambda f: _is_jordan_block(f.V),
    restrict=_as_jordan_block,
    # lambda I has the same eigenvalue, and eigenvectors in all directions.
    violate=lambda f, draws: f.replace(V=f.V - _shift(f.V)),
)


def _only_of_the_plane(V: Array) -> Array:
    """1 in the first two rows beyond the first two columns."""
    first = np.arange(V.shape[-1]) < 2
    return indicator(first[:, None] & ~first, V)


def _is_eigen_plane(V: Array) -> bool:
    if len(V) == 1:
        return True
    turned = V[0, 0] == V[1, 1] and V[0, 1] == -V[1, 0]
    return bool(turned and (V * _only_of_the_plane(V) == 0).all())


def _with_plane(f: Any, low: Array) -> Any:
    """The first two coordinates mapped to themselves, V_22 = V_11 and V_21 what is given."""
    V = (f.V * (1 - _only_of_the_plane(f.V))).copy()
    V[..., 1, 1], V[..., 1, 0] = V[..., 0, 0], low
    return f.replace(V=V)


def _with_shift(f: Any) -> Any:
    return f.replace(V=f.V + 3 * _shift(f.V))


# A complex eigenvector x_1 + i x_2 in real numbers: V turns and stretches the plane, which no other coordinate enters.
eigen_plane = Assumption(
    "eigen_plane",
    "phi is the first coordinate for d = 1, else x_1 + i x_2 with V_11 = V_22, V_12 = -V_21 and V_1k = V_2k = 0 for k > 2",
    satisfies=lambda f: _is_eigen_plane(f.V),
    restrict=lambda f: f if f.V.shape[-1] == 1 else _with_plane(f, -f.V[..., 0, 1]),
    violate=lambda f, draws: _with_shift(_at_least_a_plane(f)),
)


def _is_jordan_plane(V: Array) -> bool:
    return bool(len(V) > 1 and V[0, 0] == V[1, 1] and V[1, 0] == 0 and (V * _only_of_the_plane(V) == 0).all())


# Broken from below the diagonal: an entry above it would still be a Jordan plane, of another delta.
jordan_plane = Assumption(
    "jordan_plane",
    "V_11 = V_22, V_21 = 0 and V_1k = V_2k = 0 for k > 2, d > 1",
    satisfies=lambda f: _is_jordan_plane(f.V),
    restrict=lambda f: _with_plane(_at_least_a_plane(f), 0 * f.V[..., 0, 0]),
    violate=lambda f, draws: f.replace(V=f.V + 3 * indicator(np.eye(len(f.V), k=-1, dtype=bool), f.V)),
)


def _block(V: Array, k: int) -> tuple[Array, Array]:
    """The masks of F x F and of G x G for F of the first k coordinates, as numbers (d, d)."""
    of_F = indicator(np.arange(V.shape[-1]) < k, V)
    return of_F[:, None] * of_F, (1 - of_F)[:, None] * (1 - of_F)


def _is_block(f: Any) -> bool:
    F, G = _block(f.V, int(f.k))
    rate = f.V[0, 0]
    return bool((rate * F * eye_like(f.V) == f.V * (1 - G)).all() and rate > 0)


def _blocks(f: Any) -> Any:
    F, G = _block(f.V, int(f.k))
    return f.replace(V=f.V * G + made_positive(f.V[..., :1, :1]) * F * eye_like(f.V))


def _mixed_blocks(f: Any, draws: Draws) -> Any:
    F, G = _block(f.V, int(f.k))
    # Where F is everything there are no entries between F and G: then lambda is made negative.
    broken = (1 - F) * (1 - G) if int(f.k) < len(f.V) else -3 * f.V
    return f.replace(V=f.V + (1 + abs(draws.dyadic(size=2))) * broken)


# F is spanned by axes: pi_F then needs no basis, and is exact in every arithmetic.
block_value = Assumption(
    "block_value",
    "V maps F and G to themselves and is lambda I on F, lambda > 0",
    satisfies=_is_block,
    restrict=_blocks,
    violate=_mixed_blocks,
)


def _dissipates(f: Any) -> bool:
    gained = f.B @ f.V
    return is_positive_semidefinite(-gained - gained.T)


def _is_line_in_the_subspace(f: Any) -> bool:
    return int(f.k) == 1 and bool((f.z[:, 0] != f.z[0, 0]).any())


def _with_line_in_the_subspace(f: Any) -> Any:
    """F the first axis, with one more token there if all tokens have the same first coordinate."""
    first = f.z[..., 0]
    same = indicator((first == first[..., :1]).all(axis=-1), f.z)
    last = f.z[..., -1:, :] + same[..., None, None] * indicator(np.arange(f.z.shape[-1]) == 0, f.z)
    head = f.z[..., :-1, :] if f.z.shape[-2] > 1 else f.z
    return f.replace(z=np.concatenate([head, last], axis=-2), k=np.array(1))


# F is a line, for there the polytope is a segment and its inside is known: all between its ends.
line_in_the_subspace = Assumption(
    "line_in_the_subspace",
    "F is the first axis, and tokens differ there",
    satisfies=_is_line_in_the_subspace,
    restrict=_with_line_in_the_subspace,
    violate=lambda f, draws: f.replace(z=f.z - (f.z - f.z[:1]) * indicator(np.arange(f.z.shape[-1]) == 0, f.z)),
)

# B = A^T A is definite for every invertible A. It is A itself that pi_F A is about.
definite_root = Assumption(
    "definite_root",
    "A is symmetric positive definite",
    satisfies=lambda f: is_positive_definite(f.A),
    restrict=lambda f: f.replace(A=definite(f.A)),
    # On a line every matrix is symmetric: there the sign is broken.
    violate=lambda f, draws: f.replace(A=f.A + turning(f.A, 1) if len(f.A) > 1 else -f.A),
)

two_tokens = size(
    "two_tokens",
    "n",
    least=2,
    restrict=lambda f: (
        f if tokens_of(f).shape[-2] >= 2 else with_tokens(f, np.concatenate([tokens_of(f), -tokens_of(f)], axis=-2))
    ),
)

dissipative_value = Assumption(
    "dissipative_value",
    "<BVy, y> <= 0 for every y",
    satisfies=_dissipates,
    # V = -S B^T with <Sy, y> >= 0, so that BV = -B S B^T.
    restrict=lambda f: f.replace(V=-(definite(f.V) + f.V - transposed(f.V)) @ transposed(f.B)),
    violate=lambda f, draws: f.replace(V=eye_like(f.V) - f.V),
)


# ---------------------------------------------------------------------------------------------------------------------
# Scores


def _is_symmetric_up_to_values(f: Any) -> bool:
    return is_invertible(f.V) and is_symmetric(f.B @ inverse(f.V))


# B and V change together: M = B V^{-1} is what has to be symmetric, so each alone may be anything.
symmetric_up_to_values = Assumption(
    "symmetric_up_to_values",
    "B = M V with M symmetric and V invertible",
    satisfies=_is_symmetric_up_to_values,
    restrict=lambda f: f.replace(V=invertible(f.V), B=(f.B + transposed(f.B)) @ invertible(f.V)),
    # M gets a skew part, whatever V is.
    violate=lambda f, draws: f.replace(B=f.B + turning(f.V, 1 + abs(draws.dyadic(size=2))) @ f.V),
)

positive_first_score = Assumption(
    "positive_first_score",
    "c = B_11 > 0",
    satisfies=lambda f: bool(f.B[0, 0] > 0),
    restrict=lambda f: f.replace(B=f.B + (made_positive(f.B[..., :1, :1]) - f.B[..., :1, :1]) * _corner(f.B)),
    violate=lambda f, draws: f.replace(B=f.B - (2 * f.B[0, 0] + fmpq(1, 4)) * _corner(f.B)),
)

# ---------------------------------------------------------------------------------------------------------------------
# What the paper leaves open: two growing rates, a larger modulus, perceptrons, several heads


def _is_diagonal(V: Array) -> bool:
    return all(V[i, j] == 0 for i in range(len(V)) for j in range(len(V)) if i != j)


# It has no violation: without it nothing is left of the conjecture to ask.
different_growing_rates = Assumption(
    "different_growing_rates",
    "d = 2, V = diag(lambda_1, lambda_2) with lambda_1 > lambda_2 > 0",
    satisfies=lambda f: len(f.V) == 2 and _is_diagonal(f.V) and bool(f.V[0, 0] > f.V[1, 1] > 0),
    # The sum of both moduli is larger than the second, whatever the two were.
    restrict=lambda f: f.replace(
        V=made_positive(f.V[..., :1, :1]) * np.diag([1, 0]) + made_positive(f.V[..., 1:2, 1:2]) * np.eye(2, dtype=int)
    ),
)

simple_growing_rate = Assumption(
    "simple_growing_rate",
    "V is diagonal, lambda_1 > 0 and lambda_1 > lambda_k for all others, |lambda_k| of any size",
    satisfies=lambda f: (
        _is_diagonal(f.V) and bool(f.V[0, 0] > 0) and all(f.V[0, 0] > f.V[k, k] for k in range(1, len(f.V)))
    ),
)

positive_first_self_score = Assumption(
    "positive_first_self_score",
    "<Q phi_1, K phi_1> = B_11 > 0",
    satisfies=lambda f: bool(f.B[0, 0] > 0),
)

nonnegative_perceptron = Assumption(
    "nonnegative_perceptron",
    "V and W are diagonal, their entries >= 0",
    satisfies=lambda f: _is_diagonal(f.V) and _is_diagonal(f.W) and bool((f.V >= 0).all() and (f.W >= 0).all()),
    restrict=lambda f: f.replace(V=abs(f.V) * eye_like(f.V), W=abs(f.W) * eye_like(f.W)),
    violate=lambda f, draws: f.replace(W=-f.W - eye_like(f.W)),
)

identity_output = Assumption(
    "identity_output",
    "W = I",
    satisfies=lambda f: bool((indicator(np.eye(len(f.W), dtype=bool), f.W) == f.W).all()),
    restrict=lambda f: f.replace(W=eye_like(f.W)),
)

# Broken in one head alone: the others still draw tokens outwards.
positive_heads = Assumption(
    "positive_heads",
    "d = 1, V_h > 0 and Q_h^T K_h > 0 for every head, dt > 0",
    satisfies=lambda f: f.x.shape[-1] == 1 and bool((f.V > 0).all() and (f.B > 0).all() and f.dt > 0),
    restrict=lambda f: f.replace(
        x=f.x[..., :1], V=made_positive(f.V[..., :1, :1]), B=made_positive(f.B[..., :1, :1]), dt=made_positive(f.dt)
    ),
    violate=lambda f, draws: f.replace(V=np.concatenate([f.V[:-1], -2 * f.V[-1:]])),
)


def _is_turning(V: Array) -> bool:
    return V.shape == (2, 2) and bool(V[0, 0] == V[1, 1] == 1 and V[0, 1] == -V[1, 0])


definite_symmetric_part = Assumption(
    "definite_symmetric_part",
    "Q^T K and its transpose have a positive definite sum",
    satisfies=lambda f: is_positive_definite(f.B + f.B.swapaxes(-1, -2)),
)

turning_value = Assumption(
    "turning_value",
    "d = 2, V = I + omega J, J the rotation by a right angle",
    satisfies=lambda f: _is_turning(f.V),
)

# Broken by a third token, which pulls at the other two unequally.
pair_of_tokens = size(
    "pair_of_tokens",
    "n",
    2,
    2,
    # One token alone is joined by another at 0.
    restrict=lambda f: with_tokens(f, np.concatenate([tokens_of(f), 0 * tokens_of(f)], axis=-2)[..., :2, :]),
    violate=lambda f, draws: with_tokens(f, np.concatenate([tokens_of(f), draws.dyadic(1, f.B.shape[-1], size=2)])),
)

falling_second_rate = Assumption(
    "falling_second_rate",
    "d = 2, V = diag(lambda, -mu) with lambda, mu > 0",
    satisfies=lambda f: len(f.V) == 2 and _is_diagonal(f.V) and bool(f.V[0, 0] > 0 > f.V[1, 1]),
)

# The curve itself is known from runs only, so that a rational just outside of it is taken.
CURVE = fmpq(513, 1000)
"""A little more than the largest |x_1| found for a bounded first token of two."""

beyond_the_curve = Assumption(
    "beyond_the_curve",
    "n = 2, d = 1, x_1 <= -513/1000 and x_2 > 0",
    satisfies=lambda f: f.x.shape == (2, 1) and bool(f.x[0, 0] <= -CURVE and f.x[1, 0] > 0),
    # From here the first token comes back, so little does it lack to run off.
    violate=lambda f, draws: f.replace(x=exact([["-512/1000"], ["13/10"]])),
)

half_value_beside_the_plane = Assumption(
    "half_value_beside_the_plane",
    "V = diag(1, 1, 1/2)",
    satisfies=lambda f: _is_diagonal(f.V) and [2 * f.V[k, k] for k in range(len(f.V))] == [2, 2, 1],
)


# ---------------------------------------------------------------------------------------------------------------------
# Steps


# Broken by steps back, also beyond -1, where 1 + dt changes its sign.
positive_step = Assumption(
    "positive_step",
    "dt > 0",
    satisfies=lambda f: bool(f.dt.item() > 0),
    restrict=lambda f: f.replace(dt=made_positive(f.dt)),
    violate=lambda f, draws: f.replace(dt=-fmpq(draws.choice((1, 1, 3)), draws.choice((2, 4)))),
)


def _growth(f: Any) -> Array:
    return np.asarray(eye_like(f.V) + f.dt[..., None, None] * f.V)


invertible_growth = Assumption(
    "invertible_growth",
    "R = I + dt V is invertible",
    satisfies=lambda f: is_invertible(_growth(f)),
    # A A^T plus a skew matrix has no eigenvalue with negative real part, so dt > 0 suffices.
    restrict=lambda f: f.replace(V=squared(f.V) + f.V - transposed(f.V)),
    # R = 0, whatever the step.
    violate=lambda f, draws: f.replace(V=-eye_like(f.V) / f.dt.item()),
)
