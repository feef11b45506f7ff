"""Tokens on a sphere that attend to each other: from an open hemisphere they all meet, but not where their mean points."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from claims import Assumption, Claim, Standing
from dynamics import Flow, numbers, quantity, summits
from dynamics.arithmetic import Array
from dynamics.attention import softmax
from dynamics.limits.contraction import contraction
from dynamics.limits.hulls import hulls


@dataclass(frozen=True, eq=False)
class SphereFlow(Flow):
    """x_i' = m_i - <m_i, x_i> x_i, m_i = sum_j softmax_j(beta <x_i, x_j>) x_j, with |x_i| = 1."""

    moving = ("x",)
    x: Array = quantity("n", "d", meaning="unit vectors, one a row", alias="tokens")
    beta: Array = quantity(meaning="inverse temperature", default=1)

    def apart(self):
        """x_j - x_i: by differences of tokens balls lose nothing to cancellation where they are near each other."""
        return self.x[..., None, :, :] - self.x[..., :, None, :]

    def weights(self):
        """softmax_j(beta <x_i, x_j>)."""
        return softmax(self.beta[..., None, None] * (self.x[..., :, None, :] * self.apart()).sum(axis=-1))

    def velocity(self):
        """x'."""
        m = self.x + (self.weights()[..., None] * self.apart()).sum(axis=-2)
        return (m - (m * self.x).sum(axis=-1)[..., None] * self.x,)

    def kept(self):
        """|x_i|^2 - 1, which stays zero."""
        return (self.x * self.x).sum(axis=-1) - 1

    def blocks(self):
        """Errors are measured token by token."""
        n, d = self.x.shape[-2:]
        return [range(i * d, (i + 1) * d) for i in range(n)]


def upwards(u):
    """Points of the open upper hemisphere, exact: (2 v, 1 - |v|^2)/(1 + |v|^2) with v = u/(1 + |u|^2)."""
    v = u / (1 + (u * u).sum(axis=-1)[..., None])
    square = (v * v).sum(axis=-1)[..., None]
    return numbers(np.concatenate([2 * v, 1 - square], axis=-1) / (1 + square))


def draw(draws):
    n, d = draws.integer(2, 3), draws.integer(2, 3)
    return SphereFlow(x=upwards(draws.dyadic(n, d - 1, size=2, bits=3)), beta=numbers(fmpq(draws.choice([0, 1, 4]))))


on_the_sphere = Assumption("on_the_sphere", "|x_i| = 1", satisfies=lambda f: (f.kept() == 0).all())
in_a_hemisphere = Assumption("in_a_hemisphere", "all heights are positive", satisfies=lambda f: (f.x[..., -1] > 0).all())

claim = Claim(
    __name__,
    statement="From an open hemisphere all tokens meet, the least height never falls, and the mean tells where they meet.",
    system=SphereFlow,
    draw=draw,
    assumptions=(on_the_sphere, in_a_hemisphere),
    standing=Standing.FALSE,
    note="They meet, and the least height never falls. Of three tokens two that are near pull more than their share.",
)


def late(start):
    """Times at which tokens may be seen to be near enough to each other."""
    return [8, 12, 18]


@claim.state(">= 0")
def least_height_never_falls(f: SphereFlow):
    """The rate of the height of a lowest token."""
    heights = f.x[..., -1]
    lowest = summits(-heights)[..., None]
    return np.take_along_axis(f.velocity()[0][..., -1], lowest, axis=-1)


@claim.limit(">= 0", times=lambda start: [fmpq(1, 8)], trap=hulls(SphereFlow.weights))
def all_tokens_meet(end, start: SphereFlow):
    """1 less the number of different limits: at any beta the hemisphere is enough."""
    return 1 - end.number_of_limits


@claim.limit("== 0", times=late, trap=contraction)
def they_meet_where_their_mean_points(end, start: SphereFlow):
    """l_1 m_d - l_d m_1, zero where the limit l of the first token and the sum m of all at the start are parallel."""
    m = start.x.sum(axis=-2)
    return end.limits[0, 0] * m[..., -1] - end.limits[0, -1] * m[..., 0]
