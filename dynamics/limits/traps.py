"""Regions that a flow of the value-softmax model cannot leave, and what follows for ever (arXiv 2603.06248).

Each function looks at one state, in balls. Where finitely many margins are certainly positive the state lies in the region,
and a short lemma of docs/limits_of_training.md, whose number the docstring gives, tells what becomes of every solution that
begins there. Where a margin is not positive the region is not reached: later it may be, and nothing is said of the limit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, UndecidedError, exact, numbers, sign
from dynamics.limits.margins import NotTrappedError, about, first_caught, inside, unit_rows
from dynamics.system import Flow
from dynamics.training.row_attention import EqualRowsFlow, RowAttentionFlow
from dynamics.training.score_maps import (
    CubeMapFlow,
    ElementwiseExponentialFlow,
    ElementwiseSigmoidFlow,
    EluFlow,
    NormalisedMapFlow,
    NormalisedSigmoidFlow,
    OnePlusExponentialFlow,
    OnePlusSigmoidFlow,
)
from dynamics.training.slow_clocks import SlowFlow, SlowPowerFlow
from dynamics.training.value_softmax import DecayedSquareFlow, ReducedFlow, SquareLossFlow


def _others(values: Array, leader: int) -> Array:
    return np.delete(values, leader, axis=-1)


# ---------------------------------------------------------------------------------------------------------------------
# One score takes all


@dataclass(frozen=True)
class OneHot:
    """One score takes all: the weights tend to the unit vector of `winner`, and its own never falls below `least`."""

    winner: int
    weights: Array
    """The limit of the weights, exact, shape (p,)."""
    least: Any
    """The weight of the winner at the state itself."""
    diverging: int = 0
    """How many value projections grow without bound; the others converge."""


def leader_trap(f: ReducedFlow) -> OneHot:
    """Lemma 1: an index that leads in u and in a leads for ever and takes all weight; only its value diverges.

    For every loss that lets the clock tau run to infinity, the logistic one among them, V trained or frozen.
    Raises UndecidedError where no index is seen to lead, NoLemmaError for another flow, TypeError for the square loss,
    whose clock stops.
    """
    about(f, ReducedFlow)
    # A subclass by its arrays, and no flow of the lemma: its tau has a limit.
    if isinstance(f, SquareLossFlow):
        raise TypeError("the clock of the square loss is finite: nothing follows from who leads")

    def led_by(k: int) -> OneHot:
        inside({"u_0 > u_j": f.u[k] - _others(f.u, k), "a_0 > a_j": f.a[k] - _others(f.a, k)})
        return OneHot(k, unit_rows([k], len(f.a))[0], f.s[k], diverging=int("u" in f.moving))

    # Any index may lead, and which one is not known before its margins are looked at.
    return first_caught(partial(led_by, k) for k in range(len(f.a)))


@dataclass(frozen=True)
class Approach:
    """How weights become one-hot in the clock tau, as exact limits; index 0 wins, j is a loser and L = u_0 - K tau."""

    ratio: Any
    """The limit of q_j tau^2; and q_j / q_k - 1 = O(tau^{-2/p}) for all losers."""
    leader: Any
    """The limit of (L - L(infinity)) tau, L = u_0 - K tau."""
    margin: Any
    """The limit of (m - K tau - L(infinity)) tau."""
    loser: Any
    """The limit of (u_j - u_j(infinity)) tau."""
    scores_in_time: Any
    """Logistic loss: the limit of s_j log^2 t."""
    lead_in_time: Any
    """Logistic loss: the limit of (u_0 - log(K t)) log t, and of (u_0 - m) log t."""
    time_share: Any
    """Logistic loss: the limit of K t e^{-m}, so of K t gamma and K t L."""
    time_error: Any
    """Logistic loss: the limit of (K t e^{-m} - 1) log^2 t, so of (K t gamma - 1) log^2 t and (K t L - 1) log^2 t."""
    power_clock: Any
    """A loss with -phi'(m) = m^{-(k+1)}, k > -2: the limit of K tau / (K (k+2) t)^{1/(k+2)}."""


def approach_trap(f: SlowFlow | EqualRowsFlow) -> Approach:
    """Lemma 1 with its second part: index 0 leads in u and in a, so the rates of the one-hot limit are known exactly.

    For equal rows the limits are those of one row. Raises UndecidedError where index 0 is not seen to lead, and for a loss
    of slope m^{-(k+1)} with k <= -2, of which nothing is known.
    """
    about(f, SlowFlow, EqualRowsFlow)
    if isinstance(f, SlowPowerFlow):
        inside({"k > -2": numbers(fmpq(int(f.k.item()) + 2))})
    if isinstance(f, SlowFlow):
        inside({"u_0 > u_j": f.gaps, "q_j < 1": 1 - f.q})
        p, K, rows = f.p, f.K.item(), 1
    else:
        inside({"u_0 > u_j": f.u[0] - f.u[1:], "a_0 > a_j": f.a[0] - f.a[1:]})
        p, K, rows = len(f.a), f.K.item(), len(f.a)
    lost = rows * fmpq(2, p)  # the limit of K q_j tau^2
    return Approach(
        ratio=lost / K,
        leader=lost * (p - 1),
        margin=fmpq(0),
        loser=-lost,
        scores_in_time=lost * K,
        lead_in_time=lost * (p - 1) * K,
        time_share=fmpq(1),
        time_error=fmpq(0),
        power_clock=fmpq(1),
    )


@dataclass(frozen=True)
class MapEnd(OneHot):
    """The same under another map, with the exact limit of its power law."""

    power: Any = None
    """The limit of s_j (u_0 - u_j)^2 / K, for every loser; under x^3 that of a_j (u_0 - u_j)^2 / (a_0 K |a|^2)."""


def normalised_map_trap(f: NormalisedMapFlow) -> MapEnd:
    """Lemma 4, under a normalised sigmoid, 1 + e^x, x^3 on positive scores, or elu + 1 with a_0 > 0 > a_1.

    Raises UndecidedError where index 0 is not seen to lead in u and in a, NoLemmaError for another map.
    """
    about(f, NormalisedSigmoidFlow, OnePlusExponentialFlow, CubeMapFlow, EluFlow)
    margins = {"u_0 > u_j": f.u[0] - f.u[1:], "a_0 > a_j": f.a[0] - f.a[1:]}
    # x^3 is positive, as weights have to be, on positive scores alone.
    if isinstance(f, CubeMapFlow):
        margins["a_j > 0"] = f.a
    if isinstance(f, EluFlow):
        margins["a_0 > 0 > a_1"] = np.concatenate([f.a[:1], -f.a[1:]])
    inside(margins)
    power = {CubeMapFlow: fmpq(2, 3), OnePlusExponentialFlow: fmpq(2, max(1, len(f.a) - 1))}.get(type(f), fmpq(2))
    return MapEnd(0, unit_rows([0], len(f.a))[0], f.s[0], diverging=1, power=power)


def elementwise_exponential_trap(f: ElementwiseExponentialFlow) -> OneHot:
    """Lemma 5: if u_0 > 0, u_0 > u_j and a_0 > a_j the share of index 0 tends to 1. Raises UndecidedError."""
    about(f, ElementwiseExponentialFlow)
    inside({"u_0 > 0": f.u[:1], "u_0 > u_j": f.u[0] - f.u[1:], "a_0 > a_j": f.a[0] - f.a[1:]})
    return OneHot(0, unit_rows([0], len(f.a))[0], f.share[0])


@dataclass(frozen=True)
class AllOnes:
    """Every elementwise weight tends to 1, so every share to 1/p, and (1 - s_i) u_i^2 / (2K) to 1 as well."""

    shares: Array
    """The limit of the shares, exact, shape (p,)."""


def elementwise_sigmoid_trap(f: ElementwiseSigmoidFlow) -> AllOnes:
    """Lemma 6: a score whose value projection is positive grows for ever. Raises UndecidedError."""
    about(f, ElementwiseSigmoidFlow)
    inside({"u_i > 0": f.u})
    return AllOnes(numbers(np.array([fmpq(1, len(f.u))] * len(f.u), dtype=object)))


@dataclass(frozen=True)
class Parted:
    """Scores that part: some grow without bound, the others fall, and so each weight takes one of two values."""

    weights: Array
    """The limit of the weights, exact, shape (p,)."""


def bounded_map_trap(f: OnePlusSigmoidFlow) -> Parted:
    """Lemma 11: f = 1 + sigmoid; where scores are far out, and slow, those with u_i > m grow and the others fall for ever.

    Raises UndecidedError where that is not seen, NoLemmaError for another map.
    """
    about(f, OnePlusSigmoidFlow)
    p, K = len(f.a), f.K.item()
    sides = [sign(value) for value in f.u - f.m]
    if None in sides:
        raise UndecidedError("who is above the mean is open")
    if 0 in sides:
        raise NotTrappedError("u_i is the mean")
    above = np.array([side == 1 for side in sides])
    # By the mean of now: the region is one in which no u_i changes sides, so that who is above it stays above.
    many, few = int(above.sum()), p - int(above.sum())
    growing, falling = f.values[above], f.values[~above]
    # What holds for ever of f(a_i), between its value now and 2 or 1, and so of F and of |s|^2.
    least, most = growing.sum() + few, 2 * many + falling.sum()
    square_most = (4 * many + (falling * falling).sum()) / (least * least)
    square_least = ((growing * growing).sum() + few) / (most * most)
    parting = numbers(np.concatenate([growing / most - square_most, square_least - falling / least]))
    # Far out slopes of the sigmoid are tiny, so that scores hardly move; it has to stay so while they run off.
    steep, speed = f.slopes, f.da_dtau()
    turn = numbers(np.concatenate([2 * growing - 3, 3 - 2 * falling]))
    braking = numbers(turn[:, None] - 2 * steep[None, :])
    inside(
        {
            "a_i is slow": K * parting[:, None] - p * (speed * speed)[None, :],
            "a_i stays slow": (p + 1) * parting[:, None, None] * braking[None] - 2 * steep,
        }
    )
    return Parted(numbers(np.array([fmpq(2 if side == 1 else 1, p + many) for side in sides], dtype=object)))


@dataclass(frozen=True)
class DecayedEnd(OneHot):
    """The same under the square loss with weight decay on V, where u_j -> 0 for the losers."""

    gamma: Any = None
    """The limit of gamma."""
    speed: Any = None
    """The limit of d(1/q_j)/dt, for every loser."""


def decayed_square_trap(f: DecayedSquareFlow) -> DecayedEnd:
    """Lemma 7: index 0 leads in u and a while gamma > 0. Raises UndecidedError."""
    about(f, DecayedSquareFlow)
    inside({"u_0 > u_j": f.u[0] - f.u[1:], "a_0 > a_j": f.a[0] - f.a[1:], "m < K": f.K - f.m})
    p, K, decay = len(f.a), f.K.item(), f.decay.item()
    end = decay / (1 + decay)
    return DecayedEnd(0, unit_rows([0], p)[0], f.s[0], gamma=end, speed=p * K * end / (1 + decay))


# ---------------------------------------------------------------------------------------------------------------------
# Rows


@dataclass(frozen=True)
class RowEnds:
    """Where rows of attention go: `ends[i, j]` is 1 where row i tends to e_j, -1 where it does not, 0 where it is open."""

    ends: Array


def rows_trap(f: RowAttentionFlow) -> RowEnds:
    """Lemma 2: a token that every row sees, and that leads the values and every row, takes every row.

    Raises UndecidedError where no token is seen to lead.
    """
    about(f, RowAttentionFlow)
    T = len(f.u)

    def led_by(k: int) -> RowEnds:
        if not (f.visible[:, k] == 1).all():
            raise NotTrappedError(f"not every row sees token {k}")
        # What a mask hides has no score to be led.
        seen = [(i, j) for i in range(T) for j in range(T) if j != k and f.visible[i, j] == 1]
        inside(
            {
                "u_0 > u_j": f.u[k] - _others(f.u, k),
                "A_i0 > A_ij": np.array([f.A[i, k] - f.A[i, j] for i, j in seen], dtype=object),
            }
        )
        ends = np.full((T, T), -1)
        ends[:, k] = 1
        return RowEnds(exact(ends))

    return first_caught(partial(led_by, k) for k in range(T))


def held_rows_trap(f: RowAttentionFlow) -> RowEnds:
    """Lemma 3: under a causal mask rows that token 1 holds stay with it: no row but the first tends to e_0.

    Token 1 holds them where u_1 > u_j for all j, A_i1 > A_ij in the rows i >= 1, and sum_{i>=1} (S_i1 - S_i0) > 1.
    Raises UndecidedError where that is not seen.
    """
    about(f, RowAttentionFlow)
    T = len(f.u)
    if T < 2 or not (f.visible == np.tril(np.ones((T, T), dtype=int))).all():
        raise NotTrappedError("no causal mask")
    S = f.S
    inside(
        {
            "u_1 > u_j": f.u[1] - _others(f.u, 1),
            "A_i1 > A_ij": np.array([f.A[i, 1] - f.A[i, j] for i in range(1, T) for j in range(i + 1) if j != 1]),
            "sum_i (S_i1 - S_i0) > 1": (S[1:, 1] - S[1:, 0]).sum() - 1,
        }
    )
    # A causal mask leaves the first row nothing but its own token; of the others the lemma says where they do not end.
    ends = np.full((T, T), -1)
    ends[0, 0] = 1
    ends[1:, 1] = 0
    return RowEnds(exact(ends))


def causal_rows_trap(f: RowAttentionFlow) -> RowEnds:
    """Lemma 2 or Lemma 3, whichever the state meets. Raises UndecidedError where it meets neither."""
    return first_caught([partial(rows_trap, f), partial(held_rows_trap, f)])


# ---------------------------------------------------------------------------------------------------------------------
# What has happened


@dataclass(frozen=True)
class Passed:
    """A number that was positive at the start is below zero: it has been zero before, which later times do not undo."""

    value: Any


def passed_zero(value: Callable[[Any], Any]) -> Callable[[Flow], Passed]:
    """A trap for states at which `value(f)`, one number, is certainly below zero. It raises UndecidedError for others."""

    def trap(f: Flow) -> Passed:
        # It was positive at the start: by continuity it has been zero in between.
        number = numbers(value(f)).item()
        inside({"past zero": -number})
        return Passed(number)

    return trap
