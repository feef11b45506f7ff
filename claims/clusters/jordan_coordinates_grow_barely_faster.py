"""In a Jordan block coordinates grow like e^{(|lambda| + delta) t}, in a norm that makes the block's off-diagonal delta.

Clusters Q3, Remark `r:notdiagonalizable`, `e:notdi`: x_1 and x_2 with V = [[lambda, delta], [0, lambda]] there.
"""

from claims.clusters.setting import jordan_plane, sizes, squared_norms
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers, sqrt
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Remark r:notdiagonalizable, equation (e:notdi)",
    refs=("Q3",),
    statement="On a Jordan block |pi x_i(t)| <= C e^{(|lambda| + delta) t}, in a norm that depends on delta.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    assumptions=(jordan_plane,),
)


@claim.state(">= 0")
def bound_less_growth(f: SelfAttentionFlow, *, pace=1):
    """(|lambda| + |delta|) |pi x_i| max_j |pi x_j| - (1/2) d/dt |pi x_i|^2."""
    phi, rate = f.x[..., :2], f.drift()[..., :2]
    squares = squared_norms(phi)
    products = sqrt(numbers(squares * sizes(squares)[..., None]))  # exact at the largest
    growth = abs(f.V[..., 0, 0]) + pace * abs(f.V[..., 0, 1])
    return growth[..., None] * products - (phi * rate).sum(axis=-1)
