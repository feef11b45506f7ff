"""The tied layer is R^T softmax(R a): a weighted mean of its tokens, the rows of R.

Section 4.1 (polarization E22, C-4.1b). With tokens R and values I the layer returns sum_j s_j R_j, s = softmax(R a). Its
margin grows along the gradient flow as it does for U softmax(U a), `tied_model_polarizes`.
"""

import numpy as np

from claims.statement import Claim, Origin
from dynamics.arithmetic import below_any_summit, exp
from dynamics.attention import average_over
from dynamics.training.tied_attention import TransposedTiedFlow

claim = Claim(
    __name__,
    where="section 4.1, massive activations, the layer with tied weights",
    refs=("E22", "C-4.1b"),
    statement="The tied layer has output R^T softmax(R a).",
    origin=Origin.OURS,
    system=TransposedTiedFlow,
)


def mean_of_tokens(f):
    """The rows of U averaged with weights e^{<U_j, a>}, shape (..., D)."""
    scores = (f.U * f.a[..., None, :]).sum(axis=-1)
    weights = exp(below_any_summit(scores))[..., None, :]
    return average_over(np.ones((1, f.U.shape[-1]), dtype=bool), f.U, weights)[..., 0, :]


@claim.identity()
def output_is_mean_of_tokens(f: TransposedTiedFlow, *, share=1):
    """R^T softmax(R a) - sum_j s_j R_j."""
    return share * f.output - mean_of_tokens(f)


@claim.identity()
def margin_rate_formula(f: TransposedTiedFlow, *, share=1):
    """dm/dtau by the product rule, minus the squares of dR/dtau and da/dtau."""
    dU, da = f.velocity()
    return f.dm_dtau() - share * ((dU * dU).sum(axis=(-1, -2)) + (da * da).sum(axis=-1))
