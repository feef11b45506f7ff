"""One head of self-attention read at one token (arXiv 2603.06248, section 2)."""

from __future__ import annotations

from dataclasses import dataclass

from dynamics.arithmetic import Array, transposed
from dynamics.attention import softmax
from dynamics.system import System, quantity


# Products and sums over an axis and not z @ Q: of a batch NumPy would take the rows of z for those of one matrix.
@dataclass(frozen=True, eq=False)
class AttentionLayer(System):
    """Tokens X, one query token z: z_+ = sum_t softmax_t(<K^T x_t, Q^T z>) V x_t."""

    X: Array = quantity("T", "d", meaning="tokens, one a row", alias="tokens")
    z: Array = quantity("d", meaning="the token that attends")
    Q: Array = quantity("d", "h", meaning="query matrix")
    K: Array = quantity("d", "h", meaning="key matrix")
    V: Array = quantity("d", "d", meaning="value matrix")

    def output(self) -> Array:
        """z_+ token by token, shape (..., d)."""
        query = (self.Q * self.z[..., :, None]).sum(axis=-2)
        keys = self.X @ self.K
        weights = softmax((keys * query[..., None, :]).sum(axis=-1))
        values = self.X @ transposed(self.V)
        return (weights[..., :, None] * values).sum(axis=-2)
