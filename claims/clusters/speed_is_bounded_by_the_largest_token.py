"""No token moves faster than the longest value, and |x_i(t)| grows at most like e^{|V| t}.

What makes the flow well posed for all times (clusters W1, `p:wellposedparticles`), any Q, K, V: x_i' is an average of V
x_j. The growth is decided through its rate.
"""

from claims.clusters.setting import frobenius, sizes, squared_norms
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers, sqrt, transposed
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Proposition p:wellposedparticles",
    refs=("W1",),
    statement="|x_i'| <= max_j |V x_j| for any Q, K, V, so that |x_i(t)| <= e^{|V| |t|} max_j |x_j(0)|.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
)


@claim.state(">= 0")
def longest_value_less_speed(f: SelfAttentionFlow, *, share=1):
    """max_j |V x_j|^2 - |x_i'|^2."""
    return share * sizes(squared_norms(f.x @ transposed(f.V)))[..., None] - squared_norms(f.drift())


@claim.state(">= 0")
def rate_below_exponential(f: SelfAttentionFlow, *, pace=1):
    """|V| |x_i| max_j |x_j| - <x_i, x_i'>, with the root of the sum of squares for |V|."""
    squares = squared_norms(f.x)
    products = sqrt(numbers(squares * sizes(squares)[..., None]))  # exact at the largest
    return pace * frobenius(f.V)[..., None] * products - (f.x * f.drift()).sum(axis=-1)
