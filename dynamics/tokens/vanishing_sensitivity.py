"""Localmax steps whose sensitivity c / (k + 1) tends to zero and never is (arXiv 2509.15958, vanishing delta_k).

From step K on the neighbours are shown to be final by two facts, for z_i^{K+m} = s_i + rate_i^m (z_i^K - s_i), tokens with
rates as in :mod:`dynamics.orbits.cycles`, and f(m) = <A z_i, z_l - z_j> = c_0 + c_1 rate^m + c_2 rate^{2m} for tokens
that have one rate or are at their limits.

*stays a neighbour*  f <= delta_{K+m} for every l: c_0 <= 0, c_1^+ + c_2^+ <= delta_K and rate <= (K+1)/(K+2). For then f(m)
                     <= rate^m (c_1^+ + c_2^+) <= delta_K prod_{k=K}^{K+m-1} (k+1)/(k+2) = delta_{K+m}, as these factors
                     grow.
*stays none*         f > delta_K >= delta_{K+m} for some neighbour l, by the sign of a quadratic on (0, 1].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from dynamics.arithmetic import Array
from dynamics.system import StepMap, identity, quantity
from dynamics.tokens.localmax import ADDITIVE, LocalmaxStep


# k is part of the state: the same tokens move otherwise later, as c / (k + 1) has fallen.
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
