"""Limits of averaging dynamics, decided by a certificate that the neighbour sets are eventually constant.

While no token changes its neighbours the step is linear, z' = M z with M = (1 - gamma) I + gamma W. Its limit z* satisfies
W z* = z*, so the offsets e = z - z* move by the same M, and whether neighbours change is a question about

    f(k) = <A z_i, z_l - z_j> at step k, with z = z* + M^k e,

for tokens i, j, l: j is a neighbour of i where f <= delta for every l. Two facts hold for all k >= 0 at once:

*tokens with a rate*  where (W e)_i = omega_i e_i and this lasts, e_i^k = rate_i^k e_i, rate_i = 1 - gamma + gamma omega_i.
                    It lasts where every token that i attends to has a rate, those not yet at their limits have the same,
                    and that is also the rate of i unless omega_i = 0: then W e is scaled as a whole. For three tokens
                    whose offsets are zero or have the same rate, f is a quadratic in s = rate^k, and its sign on all of
                    (0, 1] is decided by its coefficients.
*any tokens*        M is stochastic, so for every linear form phi the largest and the smallest phi(e_m^k) over the tokens m
                    approach each other. Hence f(k) stays within
                    spread_m <A z*_i, e_m> + max_m |<A e_m, z*_l - z*_j>| + sum_a max_m |(A e_m)_a| spread_m (e_m)_a
                    of <A z*_i, z*_l - z*_j>.

Where these show that every neighbour stays one and no other becomes one, the neighbours are final and z* is the limit. All
of it is rational. Equalities that only hold in the limit, between tokens of different rates, are not decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
from flint import fmpq, fmpq_mat

from dynamics.arithmetic import Array, UndecidedError, exact, numbers
from dynamics.enclosures.remembered import once
from dynamics.findings import is_heard, start_of, tell
from dynamics.tokens.averaging import Averaging


class NotSettledError(UndecidedError):
    """The neighbours are not certain to be final; more precision does not help, more steps may."""

    precision_helps = False


class AveragingStep(Protocol):
    """A step map that exposes the averages it takes."""

    def averaging(self) -> Averaging:
        """The averages of the next step. Raises ValueError where the step is of another kind."""

    def step(self) -> Self:
        """The system after one step."""


S = TypeVar("S", bound=AveragingStep)


@dataclass(frozen=True)
class Final:
    """Neighbours that never change again: the limits (n, d) of the tokens, and the rates (n,) at which they close in.

    z_i^k - z*_i = rate_i^k (z_i - z*_i) for all k >= 0 exactly, with rate 0 for a token that is at its limit; None where a
    token follows others that move at several rates.
    """

    limits: Array
    rates: Array
    gamma: fmpq

    def __post_init__(self) -> None:
        # It is shared by all who ask for the same end.
        self.limits.flags.writeable = False

    @property
    def geometric(self) -> Array:
        """Which tokens rest, or close in by the factor 1 - gamma exactly; boolean (n,)."""
        return np.array([rate is not None and rate in (0, 1 - self.gamma) for rate in self.rates], dtype=bool)


@dataclass(frozen=True)
class Settled(Generic[S]):
    """An orbit to the end: the states up to the step from which the neighbours are final, and what follows."""

    states: Sequence[S]
    final: Final

    @property
    def since(self) -> int:
        """The first step from which on the neighbours are shown to be final."""
        return len(self.states) - 1


def settle(start: S, steps: int) -> Settled[S]:
    """Follow an exact orbit until its neighbours are final.

    Raises NotSettledError where that is not shown within so many steps, ValueError for a step size outside (0, 1).
    """
    return once(start, ("settle", steps), lambda: _settle(start, steps))


def _settle(start: S, steps: int) -> Settled[S]:
    states, before = [start], None
    for _ in range(steps + 1):
        now = states[-1].averaging()
        neighbours = now.W != 0
        # Only after a step that changed nothing is it worth looking: the certificate costs more than a step.
        if before is None or bool((neighbours == before).all()):
            found = final(now)
            if found is not None:
                tell_ending(start, len(states) - 1, [now], [now.W], [found.limits], [found.rates])
                return Settled(tuple(states), found)
        before = neighbours
        states.append(states[-1].step())
    raise NotSettledError(f"the neighbours are not certain to be final after {steps} steps")


def tell_ending(
    start: object,
    since: int,
    cycle: Sequence[Averaging],
    turns: Sequence[Array],
    limits: Sequence[Array],
    rates: Sequence[Array],
) -> None:
    """Record how an orbit ends: from the step `since` on the neighbours are those of the cycle, in turn, for ever."""
    if is_heard():
        tell(
            "ending",
            start=start_of(start),
            since=since,
            neighbours=[[np.flatnonzero(row).tolist() for row in now.W] for now in cycle],
            closed=[list(closed_classes(turn)) for turn in turns],
            limits=list(limits),
            rates=list(rates),
        )


def final(now: Averaging) -> Final | None:
    """The certificate that the neighbours are final, or None where it does not show that.

    Raises ValueError for a step size outside (0, 1): the limits need not exist at 1.
    """
    if not 0 < now.gamma.item() < 1:
        raise ValueError(f"a step size in (0, 1) is needed, not {now.gamma.item()}")
    limits = limits_of(now.W, now.z)
    rates = _rates(now, now.z - limits)
    stays = neighbours_stay(now, limits, rates, moving_together(now, [now]))
    return Final(limits, rates, now.gamma.item()) if stays else None


def at_one_place(now: Averaging) -> Array:
    """Which tokens coincide, a boolean mask (n, n)."""
    return np.asarray((now.z[:, None, :] == now.z[None, :, :]).all(axis=-1))


def alike(now: Averaging) -> Array:
    """Which tokens take the same average, a boolean mask (n, n)."""
    return np.asarray((now.W[:, None, :] == now.W[None, :, :]).all(axis=-1))


def moving_together(now: Averaging, turn: Sequence[Averaging]) -> Array:
    """Which tokens are at one place and take the same averages at all steps of a turn: they never part; boolean (n, n)."""
    return np.asarray(np.logical_and.reduce([at_one_place(now), *(alike(step) for step in turn)]))


def neighbours_stay(now: Averaging, limits: Array, rates: Array, together: Array) -> bool:
    """Whether it is certain that neighbours are the same whenever this state comes back, its offsets nearer to 0.

    limits: (n, d). The offsets of the tokens with a rate, (n,), are multiplied by its powers, those of all others are acted
    on by stochastic matrices. `together`, a mask (n, n), says which tokens are at one place then.
    """
    stays = _Stays(now, limits, now.z - limits, rates, together)
    # f <= delta has to hold for every l, to be beyond it one l is enough; that a best score stays best is not asked.
    for i, row in enumerate(now.W != 0):
        others, own = np.flatnonzero(~row).tolist(), np.flatnonzero(row).tolist()
        if not all(stays.within(i, l, j) for j in own for l in range(len(row)) if l != j):
            return False
        if not all(any(stays.beyond(i, l, j) for l in own) for j in others):
            return False
    return True


def _rates(now: Averaging, offsets: Array) -> Array:
    """The rate of each token, (n,): 0 at its limit, None where it has none for certain."""
    rates = np.empty(len(offsets), dtype=object)
    factors = [multiple(average, offset) for average, offset in zip(now.W @ offsets, offsets, strict=True)]
    for i, factor in enumerate(factors):
        if factor is not None:
            # A rate of 0 or below is none: quadratics in s = rate^k are looked at on (0, 1].
            rate = 1 - now.gamma.item() + now.gamma.item() * factor
            rates[i] = fmpq(0) if not offsets[i].any() else rate if rate > 0 else None
    # Who attends to one that has lost its rate has none either, at any remove.
    while True:
        lost = [i for i in range(len(rates)) if rates[i] is not None and not _lasts(i, rates, factors, now.W)]
        if not lost:
            return rates
        rates[lost] = None


def multiple(average: Array, offset: Array) -> fmpq | None:
    """The omega with average = omega offset, both (d,), or None; 0 where both vanish, rational."""
    along = np.flatnonzero(offset)
    # One coordinate proposes omega, all of them decide.
    factor = average[along[0]] / offset[along[0]] if len(along) else fmpq(0)
    return factor if bool((average == factor * offset).all()) else None


def _lasts(i: int, rates: Array, factors: Sequence[fmpq | None], W: Array) -> bool:
    """Whether (W e)_i = omega_i e_i lasts as long as the neighbours and the rates of the others do."""
    attended = rates[W[i] != 0].tolist()
    if None in attended:
        return False
    moving = {rate for rate in attended if rate != 0}
    return len(moving) <= 1 and (factors[i] == 0 or moving <= {rates[i]})


@dataclass(frozen=True)
class _Stays:
    """What is certain of <A z_i, z_l - z_j> and delta whenever this state comes back, as long as no neighbours change."""

    now: Averaging
    limits: Array
    offsets: Array
    rates: Array
    together: Array

    def within(self, i: int, l: int, j: int) -> bool:
        """Whether it stays at most delta."""
        if self.together[l, j]:
            return bool(self.now.delta.item() >= 0)
        if self._is_quadratic(i, l, j):
            return is_nonnegative(*(-c for c in self._quadratic(i, l, j)))
        return bool(self._at_the_limit(i, l, j) + self._swings[i, l, j] <= 0)

    def beyond(self, i: int, l: int, j: int) -> bool:
        """Whether it stays above delta."""
        if self._is_quadratic(i, l, j):
            return is_positive(*self._quadratic(i, l, j))
        return bool(self._at_the_limit(i, l, j) - self._swings[i, l, j] > 0)

    def _is_quadratic(self, i: int, l: int, j: int) -> bool:
        rates = {rate for rate in self.rates[[i, l, j]].tolist() if rate is None or rate != 0}
        return None not in rates and len(rates) <= 1

    def _quadratic(self, i: int, l: int, j: int) -> tuple[fmpq, fmpq, fmpq]:
        """Coefficients of <A z_i, z_l - z_j> - delta in s, the constant first."""
        _, slopes, curvatures = self._scores
        return self._at_the_limit(i, l, j), slopes[i][l] - slopes[i][j], curvatures[i][l] - curvatures[i][j]

    def _at_the_limit(self, i: int, l: int, j: int) -> fmpq:
        scores, _, _ = self._scores
        return scores[i][l] - scores[i][j] - self.now.delta.item()

    @cached_property
    def _scores(self) -> tuple[list[list[fmpq]], ...]:
        """Coefficients of <A z_i, z_l> in s, the constants first, as rows [i][l]."""
        e, s = self.offsets, self.limits
        of_limits, of_offsets = s @ self.now.A.T, e @ self.now.A.T
        return (of_limits @ s.T).tolist(), (of_limits @ e.T + of_offsets @ s.T).tolist(), (of_offsets @ e.T).tolist()

    @cached_property
    def _swings(self) -> Array:
        return swings(self.now.A, self.offsets, self.limits)


def swings(A: Array, e: Array, s: Array) -> Array:
    """How far <A z_i, z_l - z_j> may ever be from <A s_i, s_l - s_j>, shape (n, n, n), for any number of averagings.

    A: (d, d). The tokens are z = s + e, the limits s (n, d) plus offsets e (n, d) that stochastic matrices act on.
    """
    # <A (s_i + e_i), s_l + e_l - s_j - e_j> - <A s_i, s_l - s_j> has three parts, each bounded over all averages by itself.
    turned = e @ A.T
    along = _spread(s @ A.T @ e.T)
    across = abs((s[:, None, :] - s[None, :, :]) @ turned.T).max(axis=-1)
    both = (abs(turned).max(axis=0) * _spread(e.T)).sum()
    return np.asarray(along[:, None, None] + across[None, :, :] + both)


def _spread(values: Array) -> Array:
    return np.asarray(values.max(axis=-1) - values.min(axis=-1))


def is_nonnegative(constant: fmpq, slope: fmpq, curvature: fmpq) -> bool:
    """Whether constant + slope s + curvature s^2 >= 0 for every s in (0, 1], and so, by continuity, at 0."""
    return constant >= 0 and constant + slope + curvature >= 0 and _least_inside(constant, slope, curvature) >= 0


def is_positive(constant: fmpq, slope: fmpq, curvature: fmpq) -> bool:
    """Whether constant + slope s + curvature s^2 > 0 for every s in (0, 1]; at 0 it may vanish."""
    # Near s = 0 the first coefficient that does not vanish has the say.
    near_zero = next((c for c in (constant, slope, curvature) if c != 0), fmpq(0))
    return near_zero > 0 and constant + slope + curvature > 0 and _least_inside(constant, slope, curvature) > 0


def _least_inside(constant: fmpq, slope: fmpq, curvature: fmpq) -> fmpq:
    """The least value at a minimum inside (0, 1); where there is none, a value that decides nothing."""
    if curvature > 0 and 0 < -slope < 2 * curvature:
        return constant - slope * slope / (4 * curvature)
    return fmpq(1)


# ---------------------------------------------------------------------------------------------------------------------
# Limits of averages


def limits_of(W: Array, z: Array) -> Array:
    """lim_k ((1 - gamma) I + gamma W)^k z for any gamma in (0, 1); W (n, n) stochastic, z (n, d), rational.

    Tokens in a closed communicating class meet at the average of the class by its stationary weights (positive
    diagonals leave no period); every other token tends to the average of these points by which it is absorbed.
    """
    limits = 0 * z  # exact zeros of the same kind
    classes = list(closed_classes(W))
    closed = sorted(i for members in classes for i in members)
    for members in classes:
        inside = np.ix_(members, members)
        limits[members] = _stationary(W[inside]) @ z[members]
    rest = [i for i in range(len(W)) if i not in closed]
    if rest:
        inflow = W[np.ix_(rest, closed)] @ limits[closed]
        # Who is in no closed class is absorbed by one in the end, so that I - W is invertible there.
        inner = fmpq_mat((np.eye(len(rest), dtype=int) - W[np.ix_(rest, rest)]).tolist())
        limits[rest] = exact(inner.solve(fmpq_mat(inflow.tolist())).tolist())
    return numbers(limits)


def closed_classes(W: Array) -> Iterator[list[int]]:
    """The closed communicating classes of tokens."""
    # Whom each token attends to, in any number of steps, itself included: Warshall's algorithm.
    reach = np.asarray((W != 0) | np.eye(len(W), dtype=bool), dtype=bool)
    for middle in range(len(reach)):
        reach |= reach[:, middle, None] & reach[None, middle, :]
    # In a closed class all are reached back from all that they reach.
    waiting = [i for i in range(len(W)) if all(reach[j, i] for j in np.flatnonzero(reach[i]))]
    while waiting:
        members = [i for i in waiting if reach[waiting[0], i]]
        waiting = [i for i in waiting if i not in members]
        yield members


def _stationary(W: Array) -> Array:
    """The weights pi with pi W = pi and sum 1, of an irreducible stochastic matrix (m, m), shape (m,)."""
    # The equations of pi W = pi sum to 0: any one of them follows from the others, and gives way to the sum.
    equations = (W.T - np.eye(len(W), dtype=int)).tolist()
    equations[-1] = [fmpq(1)] * len(W)
    goal = [[fmpq(int(i == len(W) - 1))] for i in range(len(W))]
    return exact([row[0] for row in fmpq_mat(equations).solve(fmpq_mat(goal)).tolist()])
