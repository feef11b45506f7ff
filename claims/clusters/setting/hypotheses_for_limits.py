"""Hypotheses of statements about limits: a leading direction of V, tokens on one side, mirrored tokens."""

from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq

from claims.clusters.setting.hypotheses import diagonal_value, made_positive
from claims.clusters.setting.notation import tokens_of, with_tokens
from claims.stating.assumptions import size
from claims.stating.matrices import definite, eye_like, is_positive_definite, is_positive_semidefinite, squared, turning
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import Array, exact, indicator


def _masks(matrix: Array) -> tuple[Array, Array]:
    """The first entry, and all that share neither its row nor its column, as numbers (d, d)."""
    first = indicator(np.arange(matrix.shape[-1]) == 0, matrix)
    return first[:, None] * first, (1 - first)[:, None] * (1 - first)


# Gershgorin's circles: the rows bound all other eigenvalues, none of which need be computed.
def _leads(V: Array) -> bool:
    apart = bool((V[0, 1:] == 0).all() and (V[1:, 0] == 0).all())
    return apart and bool(V[0, 0] > 0) and all(V[0, 0] > abs(row[1:]).sum() for row in V[1:])


def _led(f: Any) -> Any:
    """V_11 made positive, the other block made smaller than it."""
    corner, rest = _masks(f.V)
    rate, others = made_positive(f.V[..., :1, :1]), f.V * rest
    # The sum of all moduli bounds that of each row, and divides what no size of V can make too large.
    return f.replace(V=rate * corner + others * rate / (rate + abs(others).sum(axis=(-2, -1), keepdims=True)))


def _overtaken(f: Any, draws: Draws) -> Any:
    corner, rest = _masks(f.V)
    rate = f.V[0, 0] * draws.choice((2, 1, 3))
    return f.replace(V=f.V * corner - rate * rest * eye_like(f.V) if len(f.V) > 1 else -f.V)


# Broken by other rates of -V_11 or below: V_11 is still the largest real part, and no longer the largest modulus.
leading_direction = Assumption(
    "leading_direction",
    "V_1k = V_k1 = 0 and sum_l |V_kl| < V_11 for k > 1, and V_11 > 0",
    satisfies=lambda f: _leads(f.V),
    restrict=_led,
    violate=_overtaken,
)
"""V has a simple eigenvalue lambda_1 > 0 larger than the modulus of all others, in a basis in which its rows prove it."""


# Q^T K = I is kept: the statement assumes it as well.
def _sheared(f: Any, draws: Draws) -> Any:
    """Three coordinates and Q^T K = I; V leads along the first one and mixes the other two."""
    x = tokens_of(f)
    V = exact([[4, 0, 0], [0, 1, draws.choice((1, 2, -1))], [0, 0, 1]]) * (1 + abs(f.V[0, 0]))
    return with_tokens(f, x[..., np.arange(3) % x.shape[-1]]).replace(B=exact(np.eye(3, dtype=int)), V=V)


diagonal_value_that_leads = replace(diagonal_value, violate=_sheared)
"""V is diagonal; broken so that the leading direction still leads."""

negative_first_score = Assumption(
    "negative_first_score",
    "c = B_11 < 0",
    satisfies=lambda f: bool(f.B[0, 0] < 0),
    restrict=lambda f: f.replace(B=f.B - (made_positive(f.B[..., :1, :1]) + f.B[..., :1, :1]) * _masks(f.B)[0]),
    violate=lambda f, draws: f.replace(B=f.B - (2 * f.B[0, 0] - fmpq(1, 4)) * _masks(f.B)[0]),
)


def _first_turned_back(f: Any, draws: Draws) -> Any:
    x = tokens_of(f).copy()
    x[0, 0] = -x[0, 0]
    return with_tokens(f, x)


# Broken by the first token's side: the others still begin on one side.
positive_tokens = Assumption(
    "positive_tokens",
    "x_i > 0 for every i, in the first coordinate",
    satisfies=lambda f: bool((tokens_of(f)[:, 0] > 0).all()),
    restrict=lambda f: with_tokens(
        f, np.concatenate([made_positive(tokens_of(f)[..., :1]), tokens_of(f)[..., 1:]], axis=-1)
    ),
    violate=_first_turned_back,
)

unit_root_on_the_subspace = Assumption(
    "unit_root_on_the_subspace",
    "pi_F A = 1 on F, where Q^T K = 1 + C C^T, C = pi_F A on G",
    satisfies=lambda f: is_positive_semidefinite(f.B - eye_like(f.B)),
    restrict=lambda f: f.replace(B=eye_like(f.B) + squared(f.B)),
    # A trace of 1/2 leaves no eigenvalue that is 1.
    violate=lambda f, draws: f.replace(B=f.B / (2 * sum(f.B.diagonal()))),
)
"""Stated in the coordinates of F: A = [[1, C], [C^T, h]] is positive definite for h > |C|^2."""

# "Once t = O(1)" on the slide names no time: 2 is one at which e^{2t} is large by any standard.
late = Assumption(
    "late",
    "t >= 2",
    satisfies=lambda f: bool(f.t >= 2),
    restrict=lambda f: f.replace(t=f.t + 2 * indicator(f.t < 2, f.t)),
    violate=lambda f, draws: f.replace(t=0 * f.t),
)
"""e^{2t} is at least 54, large compared with the scores of a few tokens."""

negative_key_query = Assumption(
    "negative_key_query",
    "-Q^T K is symmetric positive definite",
    satisfies=lambda f: is_positive_definite(-f.B),
    restrict=lambda f: f.replace(B=-definite(f.B)),
    violate=lambda f, draws: f.replace(B=turning(f.B, 1) - f.B if len(f.B) > 1 else -f.B),
)


def _is_pair_beside_the_axis(f: Any) -> bool:
    z = f.z
    return z.shape == (2, 2) and bool(z[0, 0] == z[1, 0] == 1 and z[0, 1] == -z[1, 1] and z[0, 1] > 0 and f.t == 0)


def _pair_beside_the_axis(f: Any) -> Any:
    """(1, s) and (1, -s), s the size of some coordinate, and V = B = I in the plane."""
    s = made_positive(f.z[..., :1, -1:])
    one, eye = eye_like(s), indicator(np.eye(2, dtype=bool), s) + 0 * s
    return f.replace(z=np.block([[one, s], [one, -s]]), B=eye, V=eye, t=0 * f.t)


# It has no violation: the remark is about this one start, up to s.
pair_beside_the_axis = Assumption(
    "pair_beside_the_axis",
    "n = d = 2, t = 0, z_1 = (1, s), z_2 = (1, -s) with s > 0",
    satisfies=_is_pair_beside_the_axis,
    restrict=_pair_beside_the_axis,
)


def _brackets(f: Any) -> bool:
    if f.x.shape != (2, 1) or not f.B[0, 0] == f.V[0, 0] == 1:
        return False
    (x, last), (y, same) = f.x[:, 0], f.y[:, 0]
    return bool(x <= -1 and fmpq(-1, 4) <= y < 0 and last == same and 1 <= last <= 2)


# The numbers are outside of the curve of bounded tokens on its two sides: it runs between x_1 = -0.513 and 0.
bracketing = Assumption(
    "bracketing",
    "n = 2, d = 1, Q^T K = V = 1, x_1 <= -1, -1/4 <= y_1 < 0, 1 <= x_2 = y_2 <= 2 at the start",
    satisfies=_brackets,
)
"""The first token of x tends to -infinity, that of y changes its sign."""


def _in_the_plane(f: Any) -> Any:
    x = tokens_of(f)
    if x.shape[-1] >= 2:
        return with_tokens(f, x[..., :2]).replace(B=f.B[..., :2, :2], V=f.V[..., :2, :2])
    one = indicator(np.eye(2, dtype=bool), x)
    return with_tokens(f, np.concatenate([x, 0 * x], axis=-1)).replace(B=f.B * one, V=f.V * one)


# A line is put in the plane with second coordinates 0 and multiples of I, as `_with_a_plane` does.
in_the_plane = size("in_the_plane", "d", 2, 2, restrict=_in_the_plane)


def _is_resting(V: Array) -> bool:
    return len(V) == 2 and bool(V[0, 0] > 0) and all(V[i, j] == 0 for i, j in ((0, 1), (1, 0), (1, 1)))


one_resting_direction = Assumption(
    "one_resting_direction",
    "d = 2, V = diag(lambda, 0) with lambda > 0",
    satisfies=lambda f: _is_resting(f.V),
    restrict=lambda f: _in_the_plane(f).replace(V=made_positive(f.V[..., :1, :1]) * indicator(np.diag([True, False]), f.V)),
)


def _last_is_slow(V: Array) -> bool:
    d = len(V)
    eye = np.array([[V[0, 0] if i == j else 0 * V[0, 0] for j in range(d)] for i in range(d)], dtype=object)
    apart = bool((V[:-1] == eye[:-1]).all() and (V[-1, :-1] == 0).all())
    return d > 1 and apart and bool(V[0, 0] > abs(V[-1, -1]))


def _with_slow_last(f: Any) -> Any:
    """V_11 made positive, the last rate shrunk below it; on a line a second coordinate 0 is added."""
    f = _in_the_plane(f) if f.V.shape[-1] < 2 else f
    eye = eye_like(f.V)
    corner = eye * eye[..., -1:, :]
    rate, slow = made_positive(f.V[..., :1, :1]), f.V[..., -1:, -1:]
    return f.replace(V=rate * (eye - corner) + slow * rate / (rate + abs(slow)) * corner)


# G is one axis, and F all others: the rates on F are equal, so that any basis of F would do.
slow_last_direction = Assumption(
    "slow_last_direction",
    "V = diag(lambda, ..., lambda, mu) with |mu| < lambda, d > 1",
    satisfies=lambda f: _last_is_slow(f.V),
    restrict=_with_slow_last,
)


def _is_mirrored(f: Any) -> bool:
    x = tokens_of(f)
    return x.shape == (2, 1) and bool(x[0, 0] == -x[1, 0] and x[0, 0] != 0)


def _mirrored(f: Any) -> Any:
    """The size of a coordinate and its negative, on the line."""
    u = made_positive(tokens_of(f)[..., :1, :1])
    return with_tokens(f, np.concatenate([u, -u], axis=-2)).replace(B=f.B[..., :1, :1], V=f.V[..., :1, :1])


mirrored_pair = Assumption("mirrored_pair", "n = 2, d = 1, x_2 = -x_1 != 0", satisfies=_is_mirrored, restrict=_mirrored)

# Of one eigenvalue it only says that it is not 0: its sign is what the statement leaves out.
leading_modulus = Assumption(
    "leading_modulus",
    "d = 1: |V| is the largest modulus of an eigenvalue, > 0 and simple",
    satisfies=lambda f: f.V.shape[-1] == 1 and bool(f.V[0, 0] != 0),
    restrict=lambda f: f.replace(V=f.V + indicator(f.V == 0, f.V)),
)
