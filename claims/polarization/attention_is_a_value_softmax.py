"""Self-attention at one token is a value-softmax model: z_+ = Vbar^T softmax(abar), Vbar = X V^T, abar = X K Q^T z.

The matrix V of the model (1) is Vbar^T.
"""

from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import transposed
from dynamics.attention import softmax
from dynamics.tokens.attention_layer import AttentionLayer

# The paper's V of (1) is the transpose of Vbar; with V for Vbar^T shapes would fit for square matrices alone.
claim = Claim(
    __name__,
    where="section 2, self attention",
    refs=("C-2a",),
    statement="z_+ = V X^T sigma(X K Q^T z) = Vbar^T sigma(abar), where we define Vbar = X V^T ... and abar = X K Q^T z",
    origin=Origin.PRINTED,
    system=AttentionLayer,
)


@claim.identity()
def output_is_value_softmax(f: AttentionLayer, *, value=1):
    """z_+ - Vbar^T softmax(abar)."""
    abar = f.X @ f.K @ transposed(f.Q) @ f.z[..., :, None]
    weights = softmax(abar[..., 0])
    values = value * f.X @ transposed(f.V)
    return f.output() - (transposed(values) @ weights[..., :, None])[..., 0]
