"""What becomes of localmax tokens in the end: limits, quiescent sets, and the starts of the claims about them.

Limits come from a certificate that the neighbours are final (:mod:`dynamics.finality`), so every margin here is a rational.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from flint import fmpq

from claims.assumptions import is_positive_definite
from claims.statement import Assumption, Draws
from dynamics.arithmetic import Array, exact, numbers
from dynamics.finality import NotSettledError, Settled, settle
from dynamics.localmax import ADDITIVE, LocalmaxStep
from dynamics.orbits import orbit
from dynamics.polytopes import vertices
from dynamics.schedules import ScheduledLocalmax

MOST_STEPS = 60
"""Steps in which the neighbours must be shown to be final; of lattice starts hardly one in a thousand needs as many."""

# ---------------------------------------------------------------------------------------------------------------------
# The end of an orbit


def settled(f: LocalmaxStep) -> Settled[LocalmaxStep]:
    """The orbit until its neighbours are final. Raises UndecidedError where that is not shown."""
    if not 0 < f.gamma.item() < 1:
        raise NotSettledError(f"limits are only known for step sizes in (0, 1), not for {f.gamma.item()}")
    return settle(f, MOST_STEPS)


def limits(f: LocalmaxStep) -> Array:
    """lim_k z_i^k, shape (n, d); its hull is Kinf. Raises UndecidedError where the neighbours are not known to be final."""
    return settled(f).final.limits


def after_schedule(f: ScheduledLocalmax) -> LocalmaxStep:
    """The tokens at the step from which on the parameters are constant."""
    while int(f.t.item()) < len(f.delta) - 1:
        f = f.step()
    return LocalmaxStep(z=f.z, A=f.A, gamma=numbers(f.gamma[-1]), delta=numbers(f.delta[-1]), rule=np.array(ADDITIVE))


def self_gaps(points: Array, A: Array, share: int = 1) -> Array:
    """e_i = max_l <A s_i, s_l> - <A s_i, s_i> of points (n, d): zero on the maximal alignment set S; shape (n,)."""
    scores = points @ A.T @ points.T
    return numbers(scores.max(axis=-1) - share * scores.diagonal())


def corners(points: Array) -> Array:
    """The vertices of the hull of the points (n, d), shape (m, d)."""
    return points[vertices(points)]


def quiescent_sets(f: LocalmaxStep) -> list[list[int]]:
    """The sets Q of tokens with C_i = Q for every i in Q."""
    rows = f.neighbours()
    members = [np.flatnonzero(row).tolist() for row in rows]
    return [Q for i, Q in enumerate(members) if Q[0] == i and all(members[j] == Q for j in Q)]


def leaders_of(end: Settled[LocalmaxStep]) -> list[int]:
    """The tokens that hear only themselves once neighbours are final."""
    return [Q[0] for Q in quiescent_sets(end.states[-1]) if len(Q) == 1]


def tail_errors(f: LocalmaxStep, is_meant: Callable[[Array, Array], bool], share: int = 1) -> Array:
    """z_i^k - s_i - (1 - gamma)^k (z_i^0 - s_i) for three steps from where neighbours are final, of the tokens meant.

    `is_meant` is given a limit s_i (d,) and all limits (n, d). Shape (3, m, d).
    """
    end = settled(f)
    last, s = end.states[-1], end.final.limits
    meant = [i for i, place in enumerate(s) if is_meant(place, s)]
    keep = 1 - share * f.gamma.item()
    return numbers(np.stack([(now.z - s - keep**k * (last.z - s))[meant] for k, now in enumerate(orbit(last, 3))][1:]))


def margins(values: Sequence[Any]) -> Array:
    """Exact margins collected one by one, shape (m,)."""
    return exact(list(values)) if values else exact([])


# ---------------------------------------------------------------------------------------------------------------------
# Starts

STEP_SIZES = (fmpq(1, 2), fmpq(1, 3), fmpq(3, 4), fmpq(1, 4))


def _eye(d: int) -> Array:
    return exact(np.eye(d, dtype=int))


def _lattice_tokens(draws: Draws, n: int, d: int) -> Array:
    """Tokens on a small lattice, at random or in mirror images: ties, and limits in the middle of faces."""
    z = draws.dyadic(n, d, size=3, bits=0)
    if draws.integer(0, 2) == 0 and d > 1:
        half = n // 2
        z[half : 2 * half] = z[:half]
        z[half : 2 * half, -1] = -z[:half, -1]
        z[2 * half :, -1] = 0 * z[2 * half :, -1]
    return numbers(z)


def _lattice_matrix(draws: Draws, d: int) -> Array:
    """The identity, half of the time, or any small integer matrix."""
    return _eye(d) if draws.integer(0, 1) else draws.dyadic(d, d, size=2, bits=0)


def lattice_start(draws: Draws) -> LocalmaxStep:
    """At most five lattice tokens in at most three dimensions, any small integer matrix, delta from zero to all scores."""
    n, d = draws.integer(2, 5), draws.integer(1, 3)
    return LocalmaxStep(
        z=_lattice_tokens(draws, n, d),
        A=_lattice_matrix(draws, d),
        gamma=numbers(draws.choice(STEP_SIZES)),
        delta=numbers(fmpq(draws.integer(0, 12), draws.integer(1, 2))),
        rule=np.array(ADDITIVE),
    )


def scheduled_start(draws: Draws) -> ScheduledLocalmax:
    """A lattice start whose sensitivity and step size change for a few steps before they stay."""
    f, T = lattice_start(draws), draws.integer(2, 5)
    gamma = exact([draws.choice(STEP_SIZES) for _ in range(T)])
    delta = exact([fmpq(draws.integer(0, 12), draws.integer(1, 2)) for _ in range(T)])
    return ScheduledLocalmax(z=f.z, A=f.A, gamma=gamma, delta=delta, t=np.array(0))


def hardmax_start(draws: Draws) -> LocalmaxStep:
    """A lattice start, or a token between a mirrored pair: then it hears both for ever."""
    return lattice_start(draws) if draws.integer(0, 2) else mirrored_pair(draws)


def mirrored_pair(draws: Draws) -> LocalmaxStep:
    """A token between two mirror images, and perhaps another one on its way to one of these, whom the first meets."""
    p, q = draws.integer(1, 3), draws.integer(1, 3)
    share, foot = fmpq(draws.integer(1, 3), 4), fmpq(draws.integer(1, 4), 2)
    z = [[p, q], [p, -q], [foot, 0], [share * p, share * q]]
    return LocalmaxStep(
        z=exact(z[: 4 - draws.integer(0, 1)]),
        A=_eye(2),
        gamma=numbers(draws.choice(STEP_SIZES)),
        delta=numbers(fmpq(0)),
        rule=np.array(ADDITIVE),
    )


# ---------------------------------------------------------------------------------------------------------------------
# Hypotheses


def _away_from_zero(f: LocalmaxStep) -> LocalmaxStep:
    """Tokens at the origin moved along the first axis, each to a place of its own, beyond all others."""
    z, reach = f.z.copy(), max(abs(f.z).flat)
    for place, i in enumerate(np.flatnonzero((z == 0).all(axis=-1))):
        z[i, 0] = reach + 1 + place
    return f.replace(z=numbers(z))


def _at_the_origin(f: LocalmaxStep, draws: Draws) -> LocalmaxStep:
    """Two opposite tokens, and one at the origin, which hears both and stays; or one of several moved there."""
    z = f.z.copy()
    if len(z) > 1 and draws.integer(0, 1):
        z[-1] = 0 * z[-1]
        return f.replace(z=z)
    return f.replace(z=numbers(np.concatenate([z[:1], -z[:1], 0 * z[:1]])))


nonzero_tokens = Assumption(
    "nonzero_tokens",
    "no token is at the origin",
    satisfies=lambda f: bool((f.z != 0).any(axis=-1).all()),
    restrict=_away_from_zero,
    violate=_at_the_origin,
)


def _is_negative(A: Array) -> bool:
    return is_positive_definite(numbers(-(A + A.T)))


def _negative(f: LocalmaxStep) -> LocalmaxStep:
    """Minus a square, minus the identity, plus the skew part of A."""
    if _is_negative(f.A):
        return f
    skew = f.A - f.A.swapaxes(-1, -2)
    return f.replace(A=skew - f.A @ f.A.swapaxes(-1, -2) - _eye(f.A.shape[-1]))


negative_matrix = Assumption(
    "negative_matrix",
    "A + A^T is negative definite",
    satisfies=lambda f: _is_negative(f.A),
    restrict=_negative,
    violate=lambda f, draws: f.replace(A=-f.A),
)
