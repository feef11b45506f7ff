"""Within the ball of radius R the vector fields of two measures differ by at most C(R) W_2(mu, nu).

Clusters W3, `e:lipinmu`, with the constant of its proof: with E = e^{|Q^T K| R^2} and L = E |Q^T K| R it is
C = E (2 L |V| R + E |V|), which is |V| E^2 (1 + 2 |Q^T K| R^2). Far outside the ball no constant does: attention becomes
hardmax there.
"""

import numpy as np
from flint import fmpq

from claims.clusters.setting import frobenius, prompts_near_the_bound, sizes, squared_norms
from claims.statement import Assumption, Claim, Draws, Origin
from dynamics.arithmetic import Array, exp, indicator, numbers
from dynamics.tokens.two_prompts import TwoPrompts


def radius_squared(f: TwoPrompts) -> Array:
    """The largest |x_i|^2 and |y_i|^2, shape (...)."""
    return sizes(squared_norms(np.concatenate([f.x, f.y], axis=-2)))


def _far_out(draws: Draws) -> TwoPrompts:
    """Two antipodal tokens seen from afar and from aside: one of them turned a little takes all the attention."""
    far = fmpq(1 << draws.integer(14, 18))
    x = np.array([[fmpq(1), fmpq(0)], [fmpq(-1), fmpq(0)]])
    turned = np.array([[fmpq(1), 32 / far], [fmpq(-1), fmpq(0)]])
    eye = indicator(np.eye(2, dtype=bool), x)
    return TwoPrompts(x=x, y=turned, p=np.array([fmpq(0), far]), B=eye, V=eye)


point_in_the_ball = Assumption(
    "point_in_the_ball",
    "|p| <= R, the largest |x_i| and |y_i|",
    satisfies=lambda f: bool(f.p @ f.p <= max([x @ x for x in f.x] + [y @ y for y in f.y])),
    restrict=lambda f: f.replace(p=(f.x[..., 0, :] + f.y[..., 0, :]) / 2),
    violate=lambda f, draws: _far_out(draws),
)

WHOLE = "frobenius(f.V) * exp(numbers(2 * exponent))"

claim = Claim(
    __name__,
    where="equation (e:lipinmu), Lemma lem:vectorfield.properties",
    refs=("W3",),
    statement="|X[mu](p) - X[nu](p)| <= C(R) W_2(mu, nu) for |p| <= R and mu, nu in the ball of radius R.",
    origin=Origin.REPORTED,
    system=TwoPrompts,
    assumptions=(point_in_the_ball,),
    draw=prompts_near_the_bound,
    equivalent={
        f"bound_less_difference, in lipschitz_constant: {change}": (
            "With s = |B| R^2, along the coupling |(P z)'| <= sum_j P_j |z_j'| (1 + 2 s) <= cosh(s) (1 + 2 s) W_2, as "
            "n sum_j P_j^2 <= cosh(s)^2 (Kantorovich). This is below e^{cs} (1 + 2 s) for c >= 1, and below e^{2s}: "
            "at 0 they meet, and 2 - tanh(s) >= 2/(1 + 2 s) says that the logarithm of the ratio grows."
        )
        for change in (
            f"{WHOLE} * (1 + 2 * exponent) => {WHOLE}",
            "1 + 2 * exponent => 1",
            "2 * exponent => 2",
            "2 * exponent => 19/10 * exponent",
            "2 * exponent => 999/500 * exponent",
            "2 * exponent => 19/10 * exponent (2)",
            "2 * exponent => 999/500 * exponent (2)",
        )
    },
)


def lipschitz_constant(f: TwoPrompts) -> Array:
    """C(R) = |V| E^2 (1 + 2 log E), shape (...)."""
    exponent = frobenius(f.B) * radius_squared(f)
    return numbers(frobenius(f.V) * exp(numbers(2 * exponent)) * (1 + 2 * exponent))


@claim.state(">= 0")
def bound_less_difference(f: TwoPrompts, *, share=1):
    """C(R)^2 W_2(mu, nu)^2 - |X[mu](p) - X[nu](p)|^2."""
    apart = f.field(f.x, f.p[..., None, :]) - f.field(f.y, f.p[..., None, :])
    return share * lipschitz_constant(f) ** 2 * f.squared_transport() - squared_norms(apart)[..., 0]
