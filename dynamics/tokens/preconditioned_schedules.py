"""Hardmax steps with a matrix for a step size, both of them changing (arXiv 2508.09628, `hardmax.dynamics.V` with V^t).

While the tokens attend to what they attend to, tokens are linear in the start: x_i^t = sum_a U_ia x_a^0 with d x d matrices
U_ia.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import fmpq_mat

from dynamics.arithmetic import Array, indicator, numbers
from dynamics.attention import leaders, shares
from dynamics.system import all_ones, quantity
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.schedules import HardmaxSchedule, entry


@dataclass(frozen=True, eq=False)
class PreconditionedHardmax(HardmaxSchedule):
    """x_i^{t+1} = x_i^t + P^t (y_i - x_i^t), y_i in the face of maximisers of <B^t x_i^t, .> over the hull.

    The last entries of B and P stay for ever. `selection` is as in :class:`dynamics.tokens.hardmax.HardmaxStep`.
    """

    x: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    B: Array = quantity("T", "d", "d", meaning="key-query matrix of each step")
    P: Array = quantity("T", "d", "d", meaning="step matrix (I+V)^{-1} V of each step")
    selection: Array = quantity(
        "n", "n", meaning="positive weights that pick a point of the leaders' face", default=all_ones
    )
    t: Array = quantity(meaning="steps taken", default=0, integer=True)

    def step_matrix(self) -> Array:
        """P^t, shape (..., d, d)."""
        return entry(self.P, self.t, 2)

    def now(self) -> HardmaxStep:
        """The step that comes next, with its parameters for good."""
        return HardmaxStep(x=self.x, B=self.key_query(), P=self.step_matrix(), selection=self.selection)

    def carried(self, U: Array) -> Array:
        """U' (n, n, d, d) with x_i' = sum_a U'_ia x_a^0 after the next step, for x_i = sum_a U_ia x_a^0."""
        attended = shares(leaders(self.scores()), self.x, self.selection)
        n, d = self.x.shape
        mean = (attended @ U.reshape(n, n * d * d)).reshape(n, n, d, d)
        return numbers(U + self.step_matrix() @ (mean - U))


def nothing_yet(x: Array) -> Array:
    """U (n, n, d, d) of the start: x_i = x_i."""
    n, d = x.shape
    return numbers(indicator(np.eye(n, dtype=bool), x)[:, :, None, None] * indicator(np.eye(d, dtype=bool), x))


# Words of growing length, each by one matrix more: once a length brings nothing new no later one does, for it begins with
# these.
def algebra(matrices: Array) -> Array:
    """A basis of the span of all products of matrices (T, d, d), the identity among them, shape (m, d, d); rational."""
    eye = indicator(np.eye(matrices.shape[-1], dtype=bool), matrices)
    basis, new = [eye], [eye]
    while new:
        products, new = [M @ N for M in matrices for N in new], []
        for product in products:
            if rank(np.stack([*basis, product])) > len(basis):
                basis.append(product)
                new.append(product)
    return numbers(np.stack(basis))


# By flint's elimination in rationals: one that rounds would have to say from what size on a pivot is zero.
def rank(matrices: Array) -> int:
    """The dimension of the span of rational matrices (m, d, d)."""
    return int(fmpq_mat(matrices.reshape(len(matrices), -1).tolist()).rank())
