"""Hardmax runs whose tokens all tend to 0, shown where scores vanish in the limit and no neighbours are shown to be final.

Lemma O of docs/final_neighbours.md: for P = gamma I, 0 < gamma < 1, all tokens x^t tend to 0 if one of these holds at some
step s:

*a factor*    x^t = c x^s for some t > s and |c| < 1, for any B: the step commutes with c, which may be below 0.
*mirrored*    -B is symmetric and positive definite, and x -> -x permutes the tokens with their selections. Then it always
              does, so that every hull holds 0, and energies fall by a factor.
*even ends*   d = 1, B < 0, gamma <= 1/3 and the hull is [-X, X]. Then the next one is (1 - 2 gamma) times that.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, determinant
from dynamics.tokens.hardmax import HardmaxStep


def gathers_at_origin(states: Sequence[HardmaxStep]) -> bool:
    """Whether all tokens are shown to tend to 0, by what is seen at consecutive states of an exact run with P = gamma I.

    Raises ValueError for another P and for a gamma outside (0, 1).
    """
    gamma = states[0].averaging().gamma.item()
    if not 0 < gamma < 1:
        raise ValueError(f"a step size in (0, 1) is needed, not {gamma}")
    x = states[0].x
    along = np.argwhere(x != 0)
    if not len(along):
        return True
    # Any entry that is not 0 tells the factor, if there is one.
    i, k = along[0]
    factors = ((now.x[i, k] / x[i, k], now) for now in states[1:])
    if any(abs(c) < 1 and bool((now.x == c * x).all()) for c, now in factors):
        return True
    on_a_line = x.shape[1] == 1 and bool(states[0].B[0, 0] < 0) and bool(gamma <= fmpq(1, 3))
    return any(_is_mirrored(f) or (on_a_line and max(f.x[:, 0]) == -min(f.x[:, 0])) for f in states)


def _is_mirrored(f: HardmaxStep) -> bool:
    """Whether -B is definite, and each token has another one opposite with the same selection, turned likewise."""
    # Tokens at one place are interchangeable but for their selections, which the first that is free decides.
    images: list[int] = []
    for token in f.x:
        opposite = (j for j in range(len(f.x)) if j not in images and bool((f.x[j] == -token).all()))
        if (j := next(opposite, None)) is None:
            return False
        images.append(j)
    return bool((f.selection[np.ix_(images, images)] == f.selection).all()) and _is_definite(-f.B)


def _is_definite(A: Array) -> bool:
    """Sylvester's criterion on a rational matrix (d, d), which is to be symmetric."""
    return bool((A == A.T).all()) and all(determinant(A[:k, :k]) > 0 for k in range(1, len(A) + 1))
