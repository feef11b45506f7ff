"""1 / s_0 = Q = 1 + sum_{j=1}^{d-1} q_j with d the dimension of the values, which is the number p of scores.

Proof of Theorem 3.3, which writes d for p throughout (polarization E23). With fewer rows than columns in V it would fail.
"""

from claims.polarization.setting.regression import square_model
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.training.value_softmax import FullLogisticFlow

claim = Claim(
    __name__,
    where="proof of Theorem 3.3, V is p x p",
    refs=("E23",),
    statement="s_i = q_i / (1 + sum_{j=1}^{d-1} q_j) = q_i / Q",
    origin=Origin.PRINTED,
    system=FullLogisticFlow,
    assumptions=(square_model,),
)


@claim.identity()
def inverse_leading_weight(f: FullLogisticFlow, *, share=1):
    """s_i (1 + sum_{1 <= j < d} q_j) - q_i."""
    q = exp(f.a - f.a[..., :1])
    return f.s * (1 + share * q[..., 1 : f.V.shape[-2]].sum(axis=-1, keepdims=True)) - q
