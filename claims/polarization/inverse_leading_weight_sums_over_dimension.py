"""1 / s_0 = 1 + sum_{j=1}^{d-1} q_j with d the dimension of the values: false where d is below the number p of scores.

Proof of Theorem 3.3, which writes d for p throughout (polarization E23): the sum runs over the scores.
"""

from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.arithmetic import exp
from dynamics.value_softmax import FullLogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="proof of Theorem 3.3, V is p x p",
    refs=("E23",),
    statement="s_i = q_i / (1 + sum_{j=1}^{d-1} q_j) = q_i / Q",
    origin=Origin.PRINTED,
    system=FullLogisticFlow,
    standing=Standing.FALSE,
    corrected_by="polarization.laws_of_the_reduced_flow",
)


@claim.identity()
def inverse_leading_weight(f: FullLogisticFlow):
    """1 / s_0 - 1 - sum_{1 <= j < d} q_j."""
    q = exp(f.a - f.a[..., :1])
    return 1 / f.s[..., 0] - q[..., : f.V.shape[-2]].sum(axis=-1)
