"""Two prompts of n tokens part at most at the rate (|Q^T K| |V| R^2 + C(R)) times their distance.

What is behind W_2(mu_t, nu_t) <= e^{Ct} W_2(mu_0, nu_0) (clusters W4, `e:w2estimate`): with tokens paired best at the
start, the root of the mean of |x_i - y_i|^2 is W_2 there and bounds it later.
"""

from claims.clusters.mean_field_is_lipschitz_in_the_measure import lipschitz_constant, radius_squared
from claims.clusters.setting import frobenius, prompts_near_the_bound, squared_norms
from claims.statement import Claim, Origin
from dynamics.tokens.two_prompts import TwoPrompts

claim = Claim(
    __name__,
    where="equation (e:w2estimate)",
    refs=("W4",),
    statement="(1/2) |d/dt sum_i |x_i - y_i|^2| <= C sum_i |x_i - y_i|^2 with C = |Q^T K| |V| R^2 + C(R).",
    origin=Origin.REPORTED,
    system=TwoPrompts,
    draw=prompts_near_the_bound,
    equivalent={
        f"bound_less_rate: frobenius(f.B) * frobenius(f.V){change}": (
            "C(R) alone bounds the rate. With s = |Q^T K| R^2 it is |V| e^{2s} (1 + 2 s); the fields of two measures "
            "differ by |V| cosh(s) (1 + 2 s) W_2 at most, and e^{2s} >= cosh(s) (1 + 2 s). So "
            "C(R) >= |V| cosh(s) (1 + 2 s)^2 >= |V| (cosh(s) (1 + 2 s) + s)."
        )
        for change in (
            " * radius_squared(f) + lipschitz_constant(f) => lipschitz_constant(f)",
            " * radius_squared(f) => frobenius(f.B) * frobenius(f.V)",
            " * radius_squared(f) => radius_squared(f)",
            " => frobenius(f.B)",
            " => frobenius(f.V)",
        )
    },
)


@claim.state(">= 0")
def bound_less_rate(f: TwoPrompts, *, share=1):
    """C sum_i |x_i - y_i|^2 - |sum_i <x_i - y_i, x_i' - y_i'>|."""
    apart, rate = f.x - f.y, f.field(f.x, f.x) - f.field(f.y, f.y)
    constant = frobenius(f.B) * frobenius(f.V) * radius_squared(f) + lipschitz_constant(f)
    return share * constant * squared_norms(apart).sum(axis=-1) - abs((apart * rate).sum(axis=(-2, -1)))
