"""The limit of localmax orbits whose sensitivity tends to zero and never is."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, numbers
from dynamics.orbits.cycles import turn_rates, turns
from dynamics.orbits.final_neighbours import NotSettledError, alike, at_one_place, is_positive, limits_of, tell_ending
from dynamics.tokens.averaging import Averaging
from dynamics.tokens.vanishing_sensitivity import HarmonicLocalmax


def harmonic_limits(start: HarmonicLocalmax, steps: int) -> Array:
    """lim_k z_i^k, shape (n, d).

    Raises NotSettledError where neighbours are not shown to be final within so many steps, ValueError for a step size
    outside (0, 1).
    """
    if not 0 < start.gamma.item() < 1:
        raise ValueError(f"a step size in (0, 1) is needed, not {start.gamma.item()}")
    now, before = start, None
    for step in range(steps + 1):
        averaging = now.now().averaging()
        near = averaging.W != 0
        # The certificate costs more than a step, and is worth it where nothing has just changed.
        if before is not None and bool((near == before).all()):
            limits = limits_of(averaging.W, now.z)
            rates = _rates(averaging, limits)
            if _neighbours_stay(averaging, limits, rates, int(now.k.item())):
                tell_ending(start, step, [averaging], [averaging.W], [limits], [rates])
                return limits
        before, now = near, now.step()
    raise NotSettledError(f"the neighbours are not certain to be final after {steps} steps")


def _rates(now: Averaging, s: Array) -> Array:
    (turn,) = turns([now])
    return turn_rates(turn, numbers(now.z - s))


def _neighbours_stay(now: Averaging, s: Array, rates: Array, k: int) -> bool:
    """Whether the neighbours of step k are those of all later steps."""
    # Who is at one place and takes the same average stays together for as long as neighbours do.
    e, together = numbers(now.z - s), at_one_place(now) & alike(now)
    delta = now.delta.item()

    def score(x: Array, y: Array) -> Any:
        return numbers(now.A @ x @ y).item()

    def coefficients(i: int, l: int, j: int) -> tuple[tuple[Any, Any, Any], Any] | None:
        """c_0, c_1, c_2 and the rate, or None where the tokens have no common one."""
        found = {rate for rate in (rates[i], rates[l], rates[j]) if rate is None or rate != 0}
        if None in found or len(found) > 1:
            return None
        limit = score(s[i], s[l] - s[j])
        slope = score(s[i], e[l] - e[j]) + score(e[i], s[l] - s[j])
        return (limit, slope, score(e[i], e[l] - e[j])), max(found, default=fmpq(0))

    def within(i: int, l: int, j: int) -> bool:
        if together[l, j]:
            return True
        found = coefficients(i, l, j)
        if found is None:
            return False
        # In a step the gap falls by the factor `rate`, its square by more, the sensitivity by (k + 1)/(k + 2), and by less
        # later: who has no gap in the limit, and is within it now with what of both is above 0, stays so.
        (limit, slope, curvature), rate = found
        return limit <= 0 and max(slope, 0) + max(curvature, 0) <= delta and rate <= fmpq(k + 1, k + 2)

    def beyond(i: int, l: int, j: int) -> bool:
        found = coefficients(i, l, j)
        return found is not None and is_positive(found[0][0] - delta, *found[0][1:])

    everyone = range(len(s))
    for i, row in enumerate(now.W != 0):
        own = np.flatnonzero(row).tolist()
        if not all(within(i, l, j) for j in own for l in everyone if l != j):
            return False
        if not all(any(beyond(i, l, j) for l in own) for j in np.flatnonzero(~row).tolist()):
            return False
    return True
