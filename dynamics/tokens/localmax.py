"""Localmax attention steps (arXiv 2509.15958; definition M-D1, reconstructed from the abstract, and its variants).

Token i attends to every token whose score is within `delta` of its best one. delta = 0 is hardmax over indices, a large
delta is uniform averaging. The paper's own rule is not known to us for certain, so `rule` chooses among its readings: what
holds under each of them does not hang on our choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from dynamics.arithmetic import Array, at_most, below_peak, indicator, numbers, peak, transposed
from dynamics.attention import average_over
from dynamics.system import StepMap, identity, quantity
from dynamics.tokens.averaging import Averaging

ADDITIVE, RELATIVE, WEIGHTED, STRICT, SELF, POINTS = range(6)

# Instances store the index: a reading that is found later is added at the end, or published ones would mean another rule.
RULES = (
    "gap_i(z_j) <= delta (D1)",
    "gap_i(z_j) <= delta h(z_i), h(z_i) > 0 (D2, relative)",
    "gap_i(z_j) <= delta |z_i|_A (D3, norm weighted)",
    "gap_i(z_j) < delta, or = 0 (D1s, strict)",
    "gap_i(z_j) <= delta, or j = i (D1self)",
    "gap_i(z_j) <= delta, the mean over distinct points (D1set)",
)
"""When token j is a neighbour of token i, by the index `rule`, for gap_i(z_j) = h(z_i) - <A z_i, z_j>.

A maximiser is a neighbour under every rule: where h(z_i) or <A z_i, z_i> is negative, the relative and the weighted
tolerance are zero.
"""


# By coordinates and not by distance: no square is taken, and rationals and balls decide each of them alike.
def coincident(z: Array) -> Array:
    """Which tokens of (..., n, d) are at the same point, a boolean mask (..., n, n).

    Raises UndecidedError where balls do not tell.
    """
    differences = abs(z[..., :, None, :] - z[..., None, :, :])
    return np.asarray(at_most(differences, 0 * differences).all(axis=-1))


@dataclass(frozen=True, eq=False)
class LocalmaxStep(StepMap):
    """z_i <- z_i + gamma (c_i - z_i), c_i the mean of z_j over the neighbours C_i^delta of token i, by one of RULES."""

    z: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    A: Array = quantity("d", "d", meaning="key-query matrix", alias="key_query", default=identity)
    gamma: Array = quantity(meaning="step size alpha/(1+alpha)", alias="step_size", default="1/2")
    delta: Array = quantity(meaning="sensitivity", alias="sensitivity", default=0)
    rule: Array = quantity(meaning="who is a neighbour, an index into RULES", default=0, label=True)

    def validate(self) -> None:
        """Raise ValueError for a negative sensitivity or an index outside RULES."""
        if self.delta.item() < 0:
            raise ValueError(f"LocalmaxStep: delta must be at least 0, not {self.delta.item()}")
        if not 0 <= self.rule.item() < len(RULES):
            raise ValueError(f"LocalmaxStep: there are rules 0 to {len(RULES) - 1}, not {self.rule.item()}")

    @property
    def which(self) -> int:
        """The rule as an index; a float64 batch shares one."""
        return int(self.rule.flat[0])

    def scores(self) -> Array:
        """<A z_i, z_j>, shape (..., n, n)."""
        return self.z @ transposed(self.A) @ transposed(self.z)

    def gaps(self) -> Array:
        """h(z_i) - <A z_i, z_j> with h(z_i) = max_l <A z_i, z_l>: at least 0, shape (..., n, n)."""
        return -below_peak(self.scores())

    def squared_norms(self) -> Array:
        """r_i = <A z_i, z_i>, shape (..., n)."""
        return numbers((self.z @ transposed(self.A) * self.z).sum(axis=-1))

    def neighbours(self) -> Array:
        """C_i^delta as a boolean mask, shape (..., n, n)."""
        scores, gaps = self.scores(), self.gaps()
        delta, rule = self.delta[..., None, None], self.which
        if rule == RELATIVE:
            return _within(gaps, delta * peak(scores))
        if rule == WEIGHTED:
            # No square root: of two numbers that are not negative the squares compare alike.
            return _within(gaps * gaps, delta * delta * self.squared_norms()[..., None])
        if rule == STRICT:
            return np.asarray(~at_most(delta + 0 * gaps, gaps) | at_most(gaps, 0 * gaps))
        near = at_most(gaps, delta)
        return np.asarray(near | np.eye(near.shape[-1], dtype=bool)) if rule == SELF else near

    def weights(self) -> Array:
        """How much token i attends to token j, each row summing to one, shape (..., n, n)."""
        return average_over(self.neighbours(), self._eye(), self._preference())

    def targets(self) -> Array:
        """c_i, shape (..., n, d)."""
        return average_over(self.neighbours(), self.z, self._preference())

    def step(self) -> Self:
        """The system after one step."""
        return self.replace(z=self.z + self.gamma[..., None, None] * (self.targets() - self.z))

    def averaging(self) -> Averaging:
        """The averages of the next step. Raises ValueError for another rule than the additive one."""
        if self.which != ADDITIVE:
            raise ValueError(f"LocalmaxStep: delta bounds no gap under {RULES[self.which]}")
        return Averaging(self.z, self.A, self.gamma, self.delta, self.weights())

    def _eye(self) -> Array:
        n = self.z.shape[-2]
        return np.broadcast_to(indicator(np.eye(n, dtype=bool), self.z), (*self.z.shape[:-1], n))

    def _preference(self) -> Array | int:
        """Tokens at one point share its weight where points are averaged."""
        if self.which != POINTS:
            return 1
        return numbers(1 / indicator(coincident(self.z), self.z).sum(axis=-1)[..., None, :])


# Or at most zero: a maximiser is its own neighbour under every rule, where a tolerance would be negative, too.
def _within(values: Array, bound: Array) -> Array:
    """values <= bound, or values <= 0."""
    return np.asarray(at_most(values, bound) | at_most(values, 0 * values))
