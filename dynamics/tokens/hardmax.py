"""Hardmax attention steps (arXiv 2508.09628, `hardmax.dynamics.V` and SA_infinity; arXiv 2407.01602)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from dynamics.arithmetic import Array, numbers, transposed
from dynamics.attention import average_over, leaders, shares
from dynamics.system import StepMap, all_ones, identity, quantity
from dynamics.tokens.averaging import Averaging


# Inside (0, 1), where steps neither rest nor jump; no lemma asks for the half.
def _half_eye(sizes: dict[str, int]) -> list[list[str]]:
    return [["1/2" if i == j else "0" for j in range(sizes["d"])] for i in range(sizes["d"])]


# The face of all maximisers and not one of them: the papers leave open which point is taken, so that positive weights
# choose.
@dataclass(frozen=True, eq=False)
class HardmaxStep(StepMap):
    """x_i <- x_i + P (y_i - x_i) with y_i in the face of maximisers of <B x_i, .> over the hull of the tokens.

    y_i averages the leaders of token i with the positive weights `selection[i]`: all ones is the average over leader
    indices, anything else is another point of the face, which is what "any maximiser" allows.
    """

    x: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    B: Array = quantity("d", "d", meaning="key-query matrix", alias="key_query", default=identity)
    P: Array = quantity("d", "d", meaning="step matrix (I+V)^{-1} V, gamma I in the scalar case", default=_half_eye)
    selection: Array = quantity(
        "n", "n", meaning="positive weights that pick a point of the leaders' face", default=all_ones
    )

    def validate(self) -> None:
        """Raise ValueError unless every selection weight is positive."""
        if not all(weight > 0 for weight in self.selection.flat):
            raise ValueError("HardmaxStep: selection must be positive: a leader of weight 0 is no leader")

    def scores(self) -> Array:
        """<B x_i, x_j>, shape (..., n, n)."""
        return self.x @ transposed(self.B) @ transposed(self.x)

    def targets(self) -> Array:
        """y_i, shape (..., n, d)."""
        return average_over(leaders(self.scores()), self.x, self.selection)

    def step(self) -> Self:
        """The system after one step."""
        return self.replace(x=self.x + (self.targets() - self.x) @ transposed(self.P))

    def averaging(self) -> Averaging:
        """The averages of the next step. Raises ValueError unless P = gamma I."""
        gamma = self.P[0, 0]
        if not bool((gamma * np.eye(len(self.P), dtype=int) == self.P).all()):
            raise ValueError("HardmaxStep: tokens move part of the way to an average only where P = gamma I")
        weights = shares(leaders(self.scores()), self.x, self.selection)
        return Averaging(self.x, self.B, numbers(gamma), numbers(0 * gamma), weights)


# Half of B + B^T, for <Bx, x> is a function of the symmetric part alone; HardmaxStep would take B as it is.
def frank_wolfe_step(x: Array, B_star: Array, gamma: Array) -> Array:
    """One Frank-Wolfe step of every token on J(x) = <B_* x, x>/2 over the hull of the tokens (FW-M4 with B = -B_*).

    x: (..., n, d), B_star: (..., d, d), of which J and its gradient see the symmetric part, gamma: (...). Ties average the
    minimisers.
    """
    gradient = x @ (B_star + transposed(B_star)) / 2
    minimisers = leaders(-(gradient @ transposed(x)))
    return x + gamma[..., None, None] * (average_over(minimisers, x) - x)
