"""The measure of the tokens follows the weak form with the field X[mu_t] of the final time: false.

Clusters W4: X[mu_t] is printed inside the integral over s from 0 to t. Differentiated twice at t = 0 it has a term more
than the left side, int <grad g(x), d/dt X[mu_t](x)> dmu_0; for one token on the line with V = 1 and g = |x|^2 that is 2x^2.
"""

from claims.clusters.weak_form_has_the_current_field import moved
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.differentiation import time_derivative
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="weak form of the continuity equation",
    refs=("W4",),
    note=(
        "X[mu_t] stands inside the integral where X[mu_s] belongs: for one token at 1 with V = 1 and g = |x|^2 "
        "the second derivatives of the two sides at t = 0 differ by 2. With X[mu_s] the equation holds."
    ),
    statement="int g dmu_t = int g dmu_0 + int_0^t int <grad g(x), X[mu_t](x)> dmu_s(x) ds.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    standing=Standing.FALSE,
    corrected_by="clusters.weak_form_has_the_current_field",
)


@claim.identity()
def term_too_many(f: SelfAttentionFlow):
    """d/dt sum_i 2 <x_i, X[mu_t](x_i)> with the points x_i held: the second derivatives of both sides differ by it."""
    return time_derivative(lambda g: moved(f, f.x, g.x), f)
