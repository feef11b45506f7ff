"""A model of one's own: attention by the logistic function of each score, whose rows do not sum to one.

With V = I the rate of <B (x_i - x_j), x_i - x_j> / 2 is the sum over k of
(sigmoid(<x_i, B x_k>) - sigmoid(<x_j, B x_k>)) <B x_k, x_i - x_j>, in which no term is negative: the logistic function
increases. Euclidean distances may shrink: with B = diag(1, 3) those between (2, 1) and (0, 3) begin to.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from claims import Claim, Standing
from claims.stating.assumptions import definite_key_query, identity_key_query, identity_value
from dynamics import Flow, quantity
from dynamics.attention import softmax
from dynamics.system import identity


@dataclass(frozen=True, eq=False)
class SigmoidAttention(Flow):
    """x_i' = sum_j sigmoid(<x_i, B x_j>) V x_j, where B = Q^T K."""

    moving: ClassVar[tuple[str, ...]] = ("x",)

    x: np.ndarray = quantity("n", "d", meaning="tokens")
    B: np.ndarray = quantity("d", "d", meaning="Q^T K", default=identity)
    V: np.ndarray = quantity("d", "d", meaning="value matrix", default=identity)

    def scores(self):
        """<x_i, B x_j>."""
        return self.x @ self.B @ self.x.swapaxes(-1, -2)

    def weights(self):
        """sigmoid(<x_i, B x_j>): the softmax of the score beside 0, which no score makes overflow."""
        scores = self.scores()
        return softmax(np.stack([scores, 0 * scores], axis=-1))[..., 0]

    def velocity(self):
        """x'."""
        return (self.weights() @ self.x @ self.V.swapaxes(-1, -2),)


claim = Claim(
    __name__,
    statement="If V = I and B = Q^T K > 0 then <B (x_i - x_j), x_i - x_j> never falls; nor does sum |x_i|^2 for B = I.",
    system=SigmoidAttention,
    standing=Standing.TRUE,
    assumptions=(identity_value, definite_key_query),
)


@claim.state(">= 0")
def separation_rate(f: SigmoidAttention):
    """<B (x_i' - x_j'), x_i - x_j> for every pair i < j, as a sum of terms of one sign."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    weights, heights = f.weights(), (f.x[..., i, :] - f.x[..., j, :]) @ f.B @ f.x.swapaxes(-1, -2)
    return ((weights[..., i, :] - weights[..., j, :]) * heights).sum(axis=-1)


@claim.state(">= 0", assuming=(identity_value, identity_key_query))
def growth_of_squares(f: SigmoidAttention):
    """sum_i <x_i, x_i'>."""
    return (f.weights() * f.scores()).sum(axis=(-1, -2))
