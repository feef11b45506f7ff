"""Localmax steps whose parameters recur (arXiv 2509.15958, delta_k with gaps of bounded length), and what becomes of them.

Where the neighbours of p steps recur, p a multiple of the period of the schedule, p steps are one linear map: from phase r
on, z^{r + kp} = P_r^k z^r, as in :mod:`dynamics.periodic_orbits`, each phase with its own step size and sensitivity. With
s_r the limits and e = z^r - s_r, two facts decide <A z_i, z_l - z_j> against the sensitivity at all later visits of r:

*tokens with a rate*  where (P_r e)_i = omega_i e_i, and all tokens that i hears in the turn have rates, those that are not
                    at their limits the same one, e_i is multiplied by omega_i in each turn. Tokens that tend to one
                    vertex have the product of all 1 - gamma_k for a rate: each step either brings all of them nearer to
                    their mean or to one of them. For three tokens at their limits or of one rate the difference is a
                    quadratic in s = omega^k, decided on all of (0, 1].
*any tokens*        the spread of the offsets in any direction never grows.

Where no neighbour changes at any phase, the turn repeats for ever, by induction over the steps. A schedule that is zero at
some phase needs the rates: there tokens that meet at one vertex have equal scores in the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, numbers
from dynamics.attention import shares
from dynamics.averaging import Averaging
from dynamics.finality import NotSettledError, is_nonnegative, is_positive
from dynamics.periodic_orbits import cycle_limits
from dynamics.schedules import ScheduledLocalmax


def recurring(schedule: Array, t: Array) -> Array:
    """The entry of a schedule (..., T) at step t, which recurs after T steps."""
    return numbers(np.take(schedule, int(t.item()) % schedule.shape[-1], axis=-1))


@dataclass(frozen=True, eq=False)
class PeriodicLocalmax(ScheduledLocalmax):
    """A localmax step whose step size gamma_k and sensitivity delta_k recur after T steps."""

    @property
    def period(self) -> int:
        """T."""
        return int(self.delta.shape[-1])

    def sensitivity(self) -> Array:
        """delta_k, shape (...)."""
        return recurring(self.delta, self.t)

    def step_size(self) -> Array:
        """gamma_k, shape (...)."""
        return recurring(self.gamma, self.t)

    def phase(self) -> Averaging:
        """The averages of the next step, which are not those of the steps after it."""
        return Averaging(self.z, self.A, self.step_size(), self.sensitivity(), shares(self.neighbours(), self.z))


# ---------------------------------------------------------------------------------------------------------------------
# The turns that repeat for ever


@dataclass(frozen=True)
class PeriodicEnd:
    """A turn that repeats for ever: its p states, one after the other, and the limits (p, n, d) of each of its phases."""

    states: Sequence[PeriodicLocalmax]
    limits: Array


def periodic_end(start: PeriodicLocalmax, turns: int, most_periods: int = 3) -> PeriodicEnd:
    """Follow an exact orbit until a turn of at most so many periods is shown to repeat for ever.

    For a step size outside (0, 1) only an exact recurrence counts. Raises NotSettledError where none is within `turns`
    periods.
    """
    if not all(0 < gamma < 1 for gamma in start.gamma):
        return _recurrence(start, turns)
    states, path = [start], [start.phase()]
    # The certificate costs more than a step: it is asked for ever more rarely.
    wait, look_at = 1, 2
    for turn in range(1, turns + 1):
        for _ in range(start.period):
            states.append(states[-1].step())
            path.append(states[-1].phase())
        if turn < look_at:
            continue
        for p in range(start.period, most_periods * start.period + 1, start.period):
            limits = _repeated(path[:-1], p)
            if limits is not None:
                return PeriodicEnd(tuple(states[-p - 1 : -1]), limits)
        wait, look_at = wait + 1, turn + wait
    raise NotSettledError(f"no turn of at most {most_periods} periods is certain to repeat after {turns} periods")


def _recurrence(start: PeriodicLocalmax, turns: int) -> PeriodicEnd:
    met: dict[tuple[str, ...], int] = {}
    states = [start]
    for turn in range(turns + 1):
        first = met.setdefault(tuple(map(str, states[-1].z.flat)), turn) * start.period
        if first < len(states) - 1:
            return PeriodicEnd(tuple(states[first:-1]), numbers(np.stack([now.z for now in states[first:-1]])))
        for _ in range(start.period):
            states.append(states[-1].step())
    raise NotSettledError(f"no state recurs within {turns} periods")


def _repeated(path: Sequence[Averaging], p: int) -> Array | None:
    """The limits of the last p steps of the path where they are certain to repeat for ever, else None."""
    if len(path) < 2 * p or not all(_same(path[-k], path[-k - p]) for k in range(1, p + 1)):
        return None
    turn = path[-p:]
    limits = cycle_limits(turn)
    heard = np.logical_and.reduce([now.W[:, None, :] == now.W[None, :, :] for now in turn]).all(axis=-1)
    matrices = [_step_matrix(now) for now in turn]
    for r, (now, s) in enumerate(zip(turn, limits, strict=True)):
        whole = np.eye(len(s), dtype=int)
        for matrix in matrices[r:] + matrices[:r]:
            whole = matrix @ whole
        together = heard & (now.z[:, None, :] == now.z[None, :, :]).all(axis=-1)
        if not _phase_repeats(now, s, numbers(whole), together):
            return None
    return limits


def _same(one: Averaging, other: Averaging) -> bool:
    return bool(((one.W != 0) == (other.W != 0)).all())


def _step_matrix(now: Averaging) -> Array:
    keep = 1 - now.gamma.item()
    return numbers(keep * np.eye(len(now.z), dtype=int) + now.gamma.item() * now.W)


def _phase_repeats(now: Averaging, s: Array, whole: Array, together: Array) -> bool:
    """Whether the neighbours of this phase are the same at all later visits, should those of all others be.

    `whole` is the map of one turn (n, n), `together` says which tokens are at one place for ever.
    """
    e, delta = numbers(now.z - s), now.delta.item()
    rates = turn_rates(whole, e)
    scores, mixed, moved, both = s @ now.A.T @ s.T, s @ now.A.T @ e.T, e @ now.A.T @ s.T, e @ now.A.T @ e.T
    swing = _swings(now.A, s, e)

    def margin(i: int, l: int, j: int) -> tuple[fmpq, fmpq, fmpq] | None:
        """<A z_i, z_l - z_j> - delta as a quadratic in omega^k, None where the rates do not tell."""
        seen = {rates[m] for m in (i, l, j)} - {fmpq(0)}
        if None in seen or len(seen) > 1:
            return None
        slope = mixed[i, l] - mixed[i, j] + moved[i, l] - moved[i, j]
        return scores[i, l] - scores[i, j] - delta, slope, both[i, l] - both[i, j]

    def within(i: int, l: int, j: int) -> bool:
        if together[l, j]:
            return True
        known = margin(i, l, j)
        if known is not None:
            return is_nonnegative(*(-c for c in known))
        return bool(scores[i, l] - scores[i, j] - delta + swing[i, l, j] <= 0)

    def beyond(i: int, l: int, j: int) -> bool:
        known = margin(i, l, j)
        if known is not None:
            return is_positive(*known)
        return bool(scores[i, l] - scores[i, j] - delta - swing[i, l, j] > 0)

    everyone = range(len(s))
    return all(
        all(within(i, l, j) for l in everyone) if heard else any(beyond(i, l, j) for l in everyone if now.W[i, l] != 0)
        for i in everyone
        for j, heard in enumerate((now.W[i] != 0).tolist())
    )


def turn_rates(whole: Array, e: Array) -> list[fmpq | None]:
    """What multiplies the offset e_i (d,) of each token in every turn, 0 for one at its limit; None if not known."""
    rates = [_rate(after, before) for after, before in zip(whole @ e, e, strict=True)]
    while True:
        lost = [i for i, rate in enumerate(rates) if rate is not None and not _lasts([rates[j] for j in _heard(whole, i)])]
        if not lost:
            return rates
        for i in lost:
            rates[i] = None


def _heard(whole: Array, i: int) -> list[int]:
    return [int(j) for j in np.flatnonzero(whole[i])]


def _lasts(heard: Sequence[fmpq | None]) -> bool:
    """A token hears itself in every turn: where all that move have one rate, it is its own."""
    return None not in heard and len({rate for rate in heard if rate != 0}) <= 1


def _rate(after: Array, before: Array) -> fmpq | None:
    """The omega > 0 with after = omega before, 0 where both vanish, or None."""
    along = np.flatnonzero(before)
    if not len(along):
        return None if after.any() else fmpq(0)
    omega: fmpq = after[along[0]] / before[along[0]]
    return omega if omega > 0 and bool((after == omega * before).all()) else None


def _swings(A: Array, s: Array, e: Array) -> Array:
    """How far <A z_i, z_l - z_j> may ever be from <A s_i, s_l - s_j>, shape (n, n, n)."""
    turned = e @ A.T
    along = np.array([_spread(e @ (A @ place)) for place in s], dtype=object)
    across = abs(turned @ (s[:, None, :] - s[None, :, :]).swapaxes(-1, -2)).max(axis=-2)
    rest = sum((max(abs(turned[:, a])) * _spread(e[:, a]) for a in range(e.shape[1])), fmpq(0))
    return numbers(along[:, None, None] + across[None, :, :] + rest)


def _spread(values: Array) -> fmpq:
    return max(values) - min(values)
