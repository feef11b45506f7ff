"""Two prompts of n tokens part at most at the rate (|Q^T K| |V| R^2 + C(R)) times their distance.

What is behind W_2(mu_t, nu_t) <= e^{Ct} W_2(mu_0, nu_0) (clusters W4, `e:w2estimate`): with tokens paired best at the
start, the root of the mean of |x_i - y_i|^2 is W_2 there and bounds it later.
"""

from claims.clusters.mean_field_is_lipschitz_in_the_measure import lipschitz_constant, radius_squared
from claims.clusters.setting import frobenius, squared_norms
from claims.statement import CLUSTERS, Claim, Origin
from dynamics.tokens.two_prompts import TwoPrompts

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="equation (e:w2estimate)",
    refs=("W4",),
    statement="(1/2) d/dt sum_i |x_i - y_i|^2 <= C sum_i |x_i - y_i|^2 with C = |Q^T K| |V| R^2 + C(R).",
    origin=Origin.REPORTED,
    system=TwoPrompts,
)


@claim.state(">= 0")
def bound_less_rate(f: TwoPrompts, *, share=1):
    """C sum_i |x_i - y_i|^2 - sum_i <x_i - y_i, x_i' - y_i'>."""
    apart, rate = f.x - f.y, f.field(f.x, f.x) - f.field(f.y, f.y)
    constant = frobenius(f.B) * frobenius(f.V) * radius_squared(f) + lipschitz_constant(f)
    return share * constant * squared_norms(apart).sum(axis=-1) - (apart * rate).sum(axis=(-2, -1))
