"""The measure of the tokens follows the weak form with the field X[mu_s] at the time s of integration.

Clusters W4, corrected, for the test function |x|^2: d/ds int |x|^2 dmu_s = int 2 <x, X[mu_s](x)> dmu_s at every time.
"""

from claims.clusters.setting import squared_norms
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, transposed
from dynamics.attention import attention
from dynamics.differentiation import time_derivative
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="weak form of the continuity equation, corrected",
    refs=("W4",),
    statement="int g dmu_t = int g dmu_0 + int_0^t int <grad g(x), X[mu_s](x)> dmu_s(x) ds.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
)


def moved(f: SelfAttentionFlow, points: Array, tokens: Array) -> Array:
    """sum_i 2 <p_i, X[mu](p_i)> for points p_i and mu of the tokens, shape (...)."""
    field = attention(points @ f.B, tokens) @ tokens @ transposed(f.V)
    return 2 * (points * field).sum(axis=(-2, -1))


@claim.identity()
def rate_less_integrand(f: SelfAttentionFlow, *, share=1):
    """d/ds sum_i |x_i|^2 - sum_i 2 <x_i, X[mu_s](x_i)>."""
    return time_derivative(lambda g: squared_norms(g.x).sum(axis=-1), f) - share * moved(f, f.x, f.x)
