"""Lemma A' of docs/flow_limits.md: on a line tokens beyond a threshold run off to one side for ever."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from flint import arb

from dynamics.arithmetic import numbers
from dynamics.limits.ends import ThresholdEnd
from dynamics.limits.leaders import led_by
from dynamics.limits.margins import (
    NoLemmaError,
    NotTrappedError,
    entries,
    gap_constant,
    inside,
    integral_bound,
    least,
)
from dynamics.limits.tokens import TokenFlow, Tokens, distinct_tokens


def threshold_trap(state: TokenFlow, start: TokenFlow | None = None) -> ThresholdEnd:
    """Lemma A': d = 1, V > 0, Q^T K > 0. Every row tends to that of the last token of its side, doubly exponentially.

    Raises NotTrappedError where a token may still turn back, UndecidedError where that is open, NoLemmaError for another
    flow.
    """
    tokens = distinct_tokens(state, start)
    if tokens.z.shape[1] != 1 or not tokens.B[0, 0] > 0:
        raise NoLemmaError("not d = 1 with Q^T K > 0")
    x = list(tokens.z[:, 0] * (tokens.beta * tokens.B[0, 0]).sqrt())  # scores are x_i x_j now
    omega = gap_constant(tokens.count)
    m = len(x)
    # By midpoints, a proposal: that the order is right is asked next.
    order = sorted(range(m), key=lambda i: x[i].mid())
    inside({"distinct": np.array([x[j] - x[i] for i, j in pairwise(order)], dtype=object)})
    # Without tokens of the other sign nothing pulls back, and no threshold is asked for.
    one_side = x[order[0]] > 0 or x[order[-1]] < 0
    ends, gains = [0] * m, [arb(0)] * m
    for i in range(m):
        if not (x[i] > 0 or x[i] < 0):
            raise NotTrappedError("the side of a token is open")
        ends[i] = order[-1] if x[i] > 0 else order[0]
    squares = [value**2 for value in x]
    if one_side:
        nearest = x[order[0]] if x[order[0]] > 0 else -x[order[-1]]
        squares = gains = [nearest**2] * m  # |x_i| >= |nearest| e^tau
    else:
        beyond = [x[i] * x[ends[i]] - omega for i in range(m)]
        inside({"x_i e_i > omega_n": np.array(beyond, dtype=object)})
        gains = beyond
    gap = least(_gap(x, order, i) for i in range(m)) if m > 1 else None
    return _end(tokens, x, order, ends, squares, gains, gap, omega)


def _gap(x: list[arb], order: list[int], i: int) -> arb:
    """From the last token on the side of token i to its neighbour."""
    return x[order[-1]] - x[order[-2]] if x[i] > 0 else x[order[1]] - x[order[0]]


def _end(
    tokens: Tokens,
    x: list[arb],
    order: list[int],
    ends: list[int],
    squares: list[arb],
    gains: list[arb],
    gap: arb | None,
    omega: arb,
) -> ThresholdEnd:
    # All tokens of a side have the limit of its last one.
    limits = np.array([tokens.z[e] for e in ends], dtype=object)
    if gap is not None:
        D = tokens.z[order[-1], 0] - tokens.z[order[0], 0]
        for i, e in enumerate(ends):
            # |x_e| >= rho e^tau for ever: z_e moves inwards, by at most (n - 1) D E_1(g rho).
            own = x[e] ** 2 - omega
            rho = own.sqrt() if own > 0 else gains[e].sqrt()
            moved = (tokens.count - 1) * D * integral_bound(_gap(x, order, e) * rho)
            inward = (-moved if x[i] > 0 else moved).union(arb(0))
            limits[i] = tokens.z[e] + inward
    sides = [1 if value > 0 else -1 for value in x]
    return ThresholdEnd(
        **led_by(tokens, ends, numbers(limits)),
        sides=np.array([sides[k] for k in tokens.place]),
        gap=gap,
        squares=tokens.of_all(entries(squares)),
        gains=tokens.of_all(entries(gains)),
    )
