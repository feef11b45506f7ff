"""Lemma T4'' of docs/flow_limits.md: the projections of tokens to an eigenspace tend to the boundary of a polytope."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import Array
from dynamics.limits.margins import NoLemmaError, dot, entries, gap_constant, greatest, inside, root
from dynamics.limits.splittings import Split, first_held, inverse_of, is_definite
from dynamics.limits.tokens import TokenFlow, age, is_mirrored, tokens_of


@dataclass(frozen=True)
class PolytopeEnd:
    """dist(pi_F z_i, boundary of K) -> 0 for every token, K the limit of the hulls of pi_F z; no pi_F z_i comes near 0.

    Tokens that rest at 0, in the middle of mirrored ones, are left out: there are m others. S is the form of B on F in the
    basis of the splitting, |y|_S^2 = <y, S y>.
    """

    squares: Array
    """|pi_F z_i|_S^2 is never below these, positive balls (m,)."""
    residual: Array
    """int max_j <y_i, S (y_j - y_i)> dt from the state on is at most this, in the tokens at the state, balls (m,)."""
    dimension: int
    """dim F."""
    pace: fmpq


def polytope_trap(state: TokenFlow, start: TokenFlow | None = None) -> PolytopeEnd:
    """Lemma T4'': V = lambda > 0 on F, smaller in modulus on an invariant complement G, B symmetric > 0 on F.

    Raises NotTrappedError where a token may still come near 0 in F, UndecidedError where that is open, NoLemmaError for
    another flow.
    """
    # No margin tells that a token stays away from 0 that rests there: such tokens are left out, by the exact start.
    rests = [False] * len(tokens_of(state))
    if start is not None and is_mirrored(start):
        rests = [not any(row) for row in tokens_of(start)]
    return first_held(state, lambda later, split: _held(later, split, rests))


def _held(state: TokenFlow, split: Split, rests: list[bool]) -> PolytopeEnd:
    k, N, pace, mu = split.parts.size, split.parts.N, split.parts.pace, split.mu
    S = N[:k, :k]
    if (S != S.T).any() or not is_definite(S):
        raise NoLemmaError("B is not symmetric positive definite on the eigenspace")
    n = len(split.y)
    rows = list(split.y)
    sizes = [root(dot(row @ S, row)) for row, rest in zip(rows, rests, strict=True) if not rest]
    apart = [a - b for i, a in enumerate(rows) for b in rows[:i]]
    mixed = greatest(split.dual(N[k:, :k] @ row) for row in apart) if k < len(N) else arb(0)
    E_0 = (
        gap_constant(n) / 2
        + pace * split.form(N[k:, k:]) * split.C * split.O / (2 * pace - 2 * mu)
        + pace * split.C * mixed / (pace - mu)
    )
    # At least sup y^T M g / (|y|_S |g|_Q) is the Frobenius norm of S^{-1/2} M Q^{-1/2}, for M what mixes the two.
    M = N[:k, k:]
    mixing = root(arb(np.trace(inverse_of(S) @ M @ split.inverse @ M.T))) if M.shape[1] else arb(0)
    h_1 = pace * mixing * split.O / (pace - mu)
    threshold = h_1 + (2 * E_0).sqrt()
    inside({"|Y_i|_S > h_1 + sqrt(2 E_0)": entries(size - threshold for size in sizes)})
    R = greatest(sizes)
    shrunk = (-2 * pace * age(state)).exp()
    return PolytopeEnd(
        squares=entries(shrunk * ((size - h_1) ** 2 - 2 * E_0) for size in sizes),
        # One token alone stays where it is in F, to its pace: no margin is left, and no ball tells that R is its size.
        residual=entries((R**2 - size**2 + 2 * (E_0 + R * h_1)) / (2 * pace) if n > 1 else fmpq(0) for size in sizes),
        dimension=k,
        pace=pace,
    )
