"""No rescaled token moves faster than the longest V (z_j - z_i).

Why the rescaled flow is well posed (clusters W2, `p:wellposednessrescaledparticles`), any Q, K, V. Only the rows of P being
stochastic is used; decided at time 0, where z = x and z_i' = x_i' - V x_i.
"""

import numpy as np

from claims.clusters.setting import sizes, squared_norms
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers, transposed
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Proposition p:wellposednessrescaledparticles",
    refs=("W2",),
    statement="|z_i'| <= max_j |V (z_j - z_i)| for any Q, K, V.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
)


@claim.state(">= 0")
def longest_difference_less_speed(f: SelfAttentionFlow, *, share=1):
    """max_j |V (x_j - x_i)|^2 - |sum_j P_ij V (x_j - x_i)|^2."""
    values = f.x @ transposed(f.V)
    apart = numbers(values[..., None, :, :] - values[..., :, None, :])
    speed = np.asarray((f.attention()[..., None] * apart).sum(axis=-2))
    return share * sizes(squared_norms(apart)) - squared_norms(speed)
