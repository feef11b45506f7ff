"""Tokens on the unit sphere that attract each other never come nearer to the boundary of a hemisphere that holds them."""

from dataclasses import dataclass

import numpy as np

from claims import Assumption, Claim
from dynamics.arithmetic import Array, peak, summits
from dynamics.attention import softmax
from dynamics.limits.contraction import contraction
from dynamics.system import Flow, quantity


@dataclass(frozen=True, eq=False)
class SphereFlow(Flow):
    """x_i' = y_i - <x_i, y_i> x_i, y_i = sum_j P_ij x_j with P_ij proportional to exp(beta <x_i, x_j>)."""

    moving = ("x",)
    x: Array = quantity("n", "d", meaning="tokens on the unit sphere", alias="tokens")
    beta: Array = quantity(meaning="inverse temperature", default=1)

    def kept(self):
        """|x_i|^2 - 1, which stays zero."""
        return (self.x * self.x).sum(axis=-1) - 1

    def velocity(self):
        """x', shape (..., n, d), tangent to the sphere."""
        # By differences of tokens: where they are near each other, balls lose nothing to cancellation.
        apart = self.x[..., None, :, :] - self.x[..., :, None, :]
        weights = softmax(self.beta[..., None, None] * (self.x[..., :, None, :] * apart).sum(axis=-1))
        y = self.x + (weights[..., None] * apart).sum(axis=-2)
        # A tuple: one velocity for each array in `moving`.
        return (y - (self.x * y).sum(axis=-1)[..., None] * self.x,)


def on_the_sphere(f):
    """Each token seen from the pole (-1, 0, ..., 0): stereographic projection, rational, and points of the sphere stay."""
    height, rest = 1 + f.x[..., :1], f.x[..., 1:]
    along, across = height * height, (rest * rest).sum(axis=-1)[..., None]
    # The pole itself has no projection: both squares are 0 there, and 1 in their place gives back the pole.
    pole = np.where(along + across == 0, 1, 0)
    return f.replace(x=np.concatenate([along - across - pole, 2 * height * rest], axis=-1) / (along + across + pole))


def in_a_hemisphere(f):
    """Tokens reflected to where the first coordinate is not negative."""
    return f.replace(x=np.concatenate([abs(f.x[..., :1]), f.x[..., 1:]], axis=-1))


# In this order: what is reflected stays on the sphere, and what is projected may change its side.
sphere = Assumption(
    "sphere",
    "|x_i| = 1",
    satisfies=lambda f: (f.kept() == 0).all(),
    restrict=on_the_sphere,
)
hemisphere = Assumption(
    "hemisphere",
    "x_i0 >= 0",
    satisfies=lambda f: (f.x[..., 0] >= 0).all(),
    restrict=in_a_hemisphere,
    violate=lambda f, draws: f.replace(x=-f.x),
)


def draw(draws):
    """2 or 3 tokens in 2 or 3 dimensions; `restrict` leads them onto the sphere, in float64 batches as well."""
    n, d = draws.integer(2, 3), draws.integer(2, 3)
    return SphereFlow(x=draws.dyadic(n, d), beta=draws.dyadic(size=1))


claim = Claim(
    __name__,
    statement="If |x_i| = 1 and x_i0 >= 0 then the least x_i0 never falls, nor below 0 in the limit.",
    system=SphereFlow,
    assumptions=(sphere, hemisphere),
    draw=draw,
)


@claim.identity()
def velocity_is_tangent(f: SphereFlow):
    """<x_i, x_i'>."""
    return (f.x * f.velocity()[0]).sum(axis=-1)


@claim.state(">= 0")
def lowest_token_never_sinks(f: SphereFlow):
    """x_i0' of a token whose first coordinate is least."""
    (speed,) = f.velocity()
    lowest = summits(-f.x[..., 0])[..., None]
    return np.take_along_axis(speed[..., 0], lowest, axis=-1)


@claim.trajectory(">= 0", horizon=lambda f: 1)
def tokens_stay_above_the_lowest(now: SphereFlow, start: SphereFlow):
    """x_i0(t) - min_j x_j0(0)."""
    return now.x[..., 0] + peak(-start.x[..., 0])


@claim.rate(">= 0", horizon=lambda f: 1)
def tokens_stay_in_the_hemisphere(now: SphereFlow, start: SphereFlow):
    """2 x_i0(t) - min_j x_j0(0), an explicit bound behind a limit."""
    return 2 * now.x[..., 0] + peak(-start.x[..., 0])


@claim.limit(">= 0", times=lambda f: [8, 12, 18], trap=contraction)
def limits_lie_in_the_hemisphere(end, start: SphereFlow):
    """x_i0 in the limit, for ever: `contraction` finds a region in which motions approach each other."""
    return end.limits[..., 0]
