"""Lemmas T3'', N3'' and N of docs/flow_limits.md: tokens tend to one hyperplane or to two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import Array, numbers
from dynamics.limits.margins import NoLemmaError, NotTrappedError, gap_constant, greatest, inside, least
from dynamics.limits.splittings import Split, first_held
from dynamics.limits.tokens import TokenFlow, age, is_mirrored, tokens_of


@dataclass(frozen=True)
class HyperplanesEnd:
    """phi(z_i) converges for every token, z = e^{-tV} x in the flow's own time, phi the left eigenvector of lambda."""

    covector: Array
    """phi, exact, shape (d,)."""
    heights: Array
    """Balls around lim phi(z_i), shape (n,)."""
    sides: Array
    """The sign of each limit, shape (n,); 0 of a token that rests at 0 or tends to it."""
    classes: Array
    """0, 1 or 2: which of the hyperplanes, shape (n,)."""
    count: int
    """How many hyperplanes there are: 1 or 2, and one more where a token rests at 0."""
    pace: fmpq
    """lambda."""
    mu: fmpq
    """The rate: distances are O(e^{-(lambda - mu) t}), for mu = 0 with a factor t; nothing is said of it by Lemma N."""


def hyperplanes_trap(state: TokenFlow, start: TokenFlow | None = None) -> HyperplanesEnd:
    """Lemma T3'' where <phi_1, B phi_1> > 0 for the eigenvector, N3'' where it is negative, N of mirrored tokens then.

    V = lambda > 0 on a line and smaller in modulus on an invariant complement; B any matrix. Raises NotTrappedError where a
    token may still change sides, UndecidedError where that is open, NoLemmaError for another flow.
    """
    return first_held(state, lambda later, split: _hyperplanes(later, split, start))


def _hyperplanes(state: TokenFlow, split: Split, start: TokenFlow | None) -> HyperplanesEnd:
    if split.parts.size != 1:
        raise NoLemmaError("the leading eigenvalue of V is not simple")
    N, pace, mu = split.parts.N, split.parts.pace, split.mu
    c = N[0, 0]
    if c == 0:
        raise NoLemmaError("the leading eigenvector does not score itself")
    # Mirrored tokens that repel one another along phi all tend to 0: by symmetry, whatever the state.
    places = () if start is None or not is_mirrored(start) else tokens_of(start)
    if len(places) and c < 0:
        return _end(state, split, [0] * len(places), [arb(0)] * len(places))
    still = {i for i, row in enumerate(places) if not any(row)}
    # A ball never tells that a token is at 0, where symmetry keeps it.
    F = [arb(0) if i in still else f for i, f in enumerate(split.y[:, 0])]
    omega = gap_constant(len(F))
    kappa = split.dual(N[1:, 0]) * split.C
    h_1 = pace * split.dual(N[0, 1:]) * split.O / (pace - mu)
    h_2 = omega / 2 + pace * split.form(N[1:, 1:]) * split.C * split.O / (2 * pace - 2 * mu)
    sides = [1 if f > 0 else -1 if f < 0 else 0 for f in F]
    if any(side == 0 and i not in still for i, side in enumerate(sides)):
        raise NotTrappedError("the side of a token is open")
    heights = _two_sides(F, sides, c, kappa, h_1, h_2) if c > 0 else _one_side(F, sides, -c, kappa, h_1, h_2)
    return _end(state, split, sides, heights)


def _end(state: TokenFlow, split: Split, sides: list[int], heights: list[arb]) -> HyperplanesEnd:
    # The lemma counts time from the state on; z is e^{-tV} x in the flow's own clock.
    shrunk = (-split.parts.pace * age(state)).exp()
    return HyperplanesEnd(
        covector=split.parts.L[0],
        heights=numbers(np.array([shrunk * height for height in heights], dtype=object)),
        sides=np.array(sides),
        classes=np.array([list(dict.fromkeys(sides)).index(side) for side in sides]),
        count=len(set(sides)),
        pace=split.parts.pace,
        mu=split.mu,
    )


def _two_sides(F: list[arb], sides: list[int], c: fmpq, kappa: arb, h_1: arb, h_2: arb) -> list[arb]:
    """Lemma T3'': the limit of each f_i = e^{-lambda tau} phi(x_i)."""
    a = c * h_2 + kappa * h_1
    sizes = [abs(f) for f, side in zip(F, sides, strict=True) if side]
    threshold = kappa + h_1 + (2 * a).sqrt()
    inside({"c |F_i| > kappa + h_1 + sqrt(2 a)": np.array([c * f - threshold for f in sizes], dtype=object)})
    limits = {0: arb(0)}
    for side in set(sides) - {0}:
        # f_i moves towards means of all f_j: the largest of a side falls to its limit, by no more than `lost`.
        top = greatest(abs(f) for f, own in zip(F, sides, strict=True) if own == side)
        H = ((c * top - kappa - h_1) ** 2 - 2 * a).sqrt()
        lost = (h_2 + h_1 * (kappa + H) / c) / H
        limits[side] = side * (top - lost).union(top)
    return [limits[side] for side in sides]


def _one_side(F: list[arb], sides: list[int], c: fmpq, kappa: arb, h_1: arb, h_2: arb) -> list[arb]:
    """Lemma N3'', c = |N_11|: all f_i have one limit."""
    if len(set(sides)) > 1 or 0 in sides:
        raise NotTrappedError("tokens are on both sides, or at 0")
    # For c < 0 who is nearest to 0 scores highest: the least of |f| rises to the limit of all, by no more than this.
    low = least(abs(f) for f in F)
    H = c * low - kappa
    inside({"|c| l > kappa": H})
    limit = sides[0] * low.union(low + (h_2 + h_1 * low) / H)
    return [limit] * len(F)
