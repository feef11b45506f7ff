"""Several heads on a line: the threshold that tokens pass within a few steps (Lemma A'' of docs/flow_limits.md)."""

from itertools import combinations

import numpy as np

from dynamics.arithmetic import Array, UndecidedError, exp, indicator, lambert_w, numbers, peak
from dynamics.tokens.multi_head import MultiHeadStep

# Once positive, x_i e_i - omega' grows by a factor of 1 + dt v or more in each step. Of 40 drawn starts none took more than
# 3 steps; one near a bounded token may take many.
STEPS = 96


class NotAwayError(UndecidedError):
    """Too many tokens are below the threshold: a later step may help, more bits do not."""

    precision_helps = False


def rooms(f: MultiHeadStep) -> Array:
    """x_i e_i - omega' for d = 1, e_i the outer token on the side of x_i, shape (..., n).

    omega' = omega_n sum_h (V_h/B_h) / sum_h V_h. Once positive it grows at every later step, and row i of every P^h tends
    to e_i.
    """
    x, n = f.x[..., 0], f.x.shape[-2]
    B, V = f.B[..., 0, 0], f.V[..., 0, 0]
    omega = lambert_w(numbers((n - 1) * exp(-indicator(np.ones((), dtype=bool), f.x))))
    threshold = omega * (V / B).sum(axis=-1) / V.sum(axis=-1)
    ends = np.stack([x * peak(x), -x * peak(-x)], axis=-1)
    return numbers(peak(ends)[..., 0] - threshold[..., None])


# The first step at which it is positive counts: what follows is a consequence. Of every choice of n - some tokens the least
# room is taken, and of these the largest: a sort made of `peak` alone, which encloses.
def room_of_all_but(some: int, start: MultiHeadStep) -> Array:
    """The least of these over all tokens but `some`, at the first step at which it is positive, shape (...).

    Raises NotAwayError where none of STEPS steps is such; members of a float64 batch get their last value instead.
    """
    floats, state, first = start.x.dtype.kind == "f", start, None
    for k in range(STEPS):
        state = state.step() if k else state
        found = rooms(state)
        n = found.shape[-1]
        kept = [-peak(-found[..., list(rest)])[..., 0] for rest in combinations(range(n), max(n - some, 1))]
        room = numbers(peak(np.stack(kept, axis=-1))[..., 0])
        if not floats and bool((room > 0).all()):
            return room
        first = room if first is None else np.where(first > 0, first, room)
    if floats and first is not None:
        return numbers(first)
    raise NotAwayError(f"tokens are before the threshold after {STEPS} steps")
