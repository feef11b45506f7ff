"""Localmax steps whose sensitivity c / (k + 1) tends to zero and never is (arXiv 2509.15958, vanishing delta_k).

From step K on the neighbours are shown to be final by two facts, for z_i^{K+m} = s_i + rate_i^m (z_i^K - s_i), tokens with
rates as in :mod:`dynamics.periodic_orbits`, and f(m) = <A z_i, z_l - z_j> = c_0 + c_1 rate^m + c_2 rate^{2m} for tokens
that have one rate or are at their limits.

*stays a neighbour*  f <= delta_{K+m} for every l: c_0 <= 0, c_1^+ + c_2^+ <= delta_K and rate <= (K+1)/(K+2). For then f(m)
                     <= rate^m (c_1^+ + c_2^+) <= delta_K prod_{k=K}^{K+m-1} (k+1)/(k+2) = delta_{K+m}, as these factors
                     grow.
*stays none*         f > delta_K >= delta_{K+m} for some neighbour l, by the sign of a quadratic on (0, 1].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, numbers
from dynamics.averaging import Averaging
from dynamics.finality import NotSettledError, alike, at_one_place, is_positive, limits_of, tell_ending
from dynamics.localmax import ADDITIVE, LocalmaxStep
from dynamics.periodic_orbits import turn_rates, turns
from dynamics.system import StepMap, identity, quantity


@dataclass(frozen=True, eq=False)
class HarmonicLocalmax(StepMap):
    """z_i <- z_i + gamma (c_i - z_i), c_i the mean of tokens whose score is within c / (k + 1) of the best at step k."""

    z: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    A: Array = quantity("d", "d", meaning="key-query matrix", alias="key_query", default=identity)
    gamma: Array = quantity(meaning="step size alpha/(1+alpha)", alias="step_size", default="1/2")
    c: Array = quantity(meaning="sensitivity of the first step", default=1)
    k: Array = quantity(meaning="steps taken", default=0, integer=True)

    def validate(self) -> None:
        """Raise ValueError for a negative sensitivity or a negative k."""
        if self.c.item() < 0:
            raise ValueError(f"HarmonicLocalmax: c must be at least 0, not {self.c.item()}")
        if self.k.item() < 0:
            raise ValueError(f"HarmonicLocalmax: k counts steps, it cannot be {self.k.item()}")

    def now(self) -> LocalmaxStep:
        """The step that comes next, with its sensitivity for good."""
        return LocalmaxStep(z=self.z, A=self.A, gamma=self.gamma, delta=self.c / (self.k + 1), rule=np.array(ADDITIVE))

    def step(self) -> Self:
        """The system after one step."""
        return self.replace(z=self.now().step().z, k=self.k + 1)


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
