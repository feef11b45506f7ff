"""Within the ball of radius R the vector fields of two measures differ by at most C(R) W_2(mu, nu).

Clusters W3, `e:lipinmu`, with the constant of its proof: with E = e^{|Q^T K| R^2} and L = E |Q^T K| R it is
C = E (2 L |V| R + E |V|). Far outside the ball no constant does: attention becomes hardmax there.
"""

import numpy as np
from flint import fmpq

from claims.clusters.setting import frobenius, sizes, squared_norms
from claims.statement import CLUSTERS, Assumption, Claim, Draws, Origin
from dynamics.arithmetic import Array, exp, indicator, numbers, sqrt
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

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="equation (e:lipinmu), Lemma lem:vectorfield.properties",
    refs=("W3",),
    statement="|X[mu](p) - X[nu](p)| <= C(R) W_2(mu, nu) for |p| <= R and mu, nu in the ball of radius R.",
    origin=Origin.REPORTED,
    system=TwoPrompts,
    assumptions=(point_in_the_ball,),
    equivalent={
        "bound_less_difference, in lipschitz_constant: 2 * E => 2": (
            "Along the coupling each P_j <= E^2/n, |(P z)'| <= sum_j P_j |z_j'| (1 + 2 |B| R^2): so |V| E (1 + 2 "
            "log E) W_2 bounds the difference, which is less."
        ),
    },
)


def lipschitz_constant(f: TwoPrompts) -> Array:
    """C(R) = E (2 L |V| R + E |V|), shape (...)."""
    square = radius_squared(f)
    B, V, R = frobenius(f.B), frobenius(f.V), sqrt(square)
    E = exp(numbers(B * square))
    return numbers(E * (2 * E * B * R * V * R + E * V))


@claim.state(">= 0")
def bound_less_difference(f: TwoPrompts, *, share=1):
    """C(R)^2 W_2(mu, nu)^2 - |X[mu](p) - X[nu](p)|^2."""
    apart = f.field(f.x, f.p[..., None, :]) - f.field(f.y, f.p[..., None, :])
    return share * lipschitz_constant(f) ** 2 * f.squared_transport() - squared_norms(apart)[..., 0]
