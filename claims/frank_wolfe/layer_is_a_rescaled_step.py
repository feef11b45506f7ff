"""A layer x_i -> x_i + V sum_j a_ij x_j is the step z_i -> z_i + P (sum_j a_ij z_j - z_i) for rescaled tokens z.

Section 1.1, `eq: rescaled.Tformers` (frank_wolfe FW-M2), z^t = (I + V)^{-t} x^t and P = (I + V)^{-1} V. Exact for
constant V with I + V invertible, with the scores of x: those of z under A^T B A, A = (I + V)^t.
"""

import numpy as np

from claims.frank_wolfe.setting.cells import invertible_layer
from claims.statement import Claim, Origin
from dynamics.arithmetic import indicator, inverse, transposed
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="section 1.1, eq: rescaled.Tformers",
    refs=("FW-M2",),
    statement="With z^t = (I+V)^{-t} x^t the layer is z_i^{t+1} = z_i^t + P (sum_j a_ij z_j^t - z_i^t), P = (I+V)^{-1} V.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    assumptions=(invertible_layer,),
)


@claim.identity()
def layer_less_rescaled_step(f: SelfAttentionFlow, *, share=1):
    """z^{t+1} of the layer minus the rescaled step of z^t, for the tokens of the instance as x^t, t = 0 and 1."""
    eye = indicator(np.eye(f.V.shape[-1], dtype=bool), f.V)
    grow = eye + f.V
    shrink = inverse(grow)
    P = share * shrink @ f.V
    after = (f.x + f.drift()) @ transposed(shrink)
    defects = []
    for A, back in ((eye, eye), (grow, shrink)):
        z = f.x @ transposed(back)
        rescaled = f.replace(x=z, B=transposed(A) @ f.B @ A, V=P)
        defects.append(after @ transposed(back) - z - rescaled.drift() + z @ transposed(P))
    return np.stack(defects, axis=-3)
