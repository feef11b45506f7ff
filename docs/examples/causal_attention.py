"""Causal attention on a sphere, token i sees j <= i: the first token rests, all others end there, but some recede first."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from claims import Assumption, Claim, Standing
from dynamics import Flow, exp, numbers, quantity
from dynamics.arithmetic import Array
from dynamics.limits.hulls import hulls


@dataclass(frozen=True, eq=False)
class CausalSphereFlow(Flow):
    """x_i' = m_i - <m_i, x_i> x_i, m_i = sum_{j <= i} softmax_j(beta <x_i, x_j>) x_j, with |x_i| = 1."""

    moving = ("x",)
    x: Array = quantity("n", "d", meaning="unit vectors, one a row", alias="tokens")
    beta: Array = quantity(meaning="inverse temperature", default=1)

    def apart(self):
        """x_j - x_i: by differences of tokens balls lose nothing to cancellation where they are near each other."""
        return self.x[..., None, :, :] - self.x[..., :, None, :]

    def weights(self):
        """softmax over j <= i of beta <x_i, x_j>, and 0 for j > i."""
        scores = self.beta[..., None, None] * (self.x[..., :, None, :] * self.apart()).sum(axis=-1)
        seen = np.tri(self.x.shape[-2], dtype=int) * exp(scores)
        return seen / seen.sum(axis=-1)[..., None]

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
    n, d = draws.integer(2, 3), 2
    return CausalSphereFlow(x=upwards(draws.dyadic(n, d - 1, size=2, bits=3)), beta=numbers(fmpq(draws.choice([0, 1, 4]))))


on_the_sphere = Assumption("on_the_sphere", "|x_i| = 1", satisfies=lambda f: (f.kept() == 0).all())
in_a_hemisphere = Assumption("in_a_hemisphere", "all heights are positive", satisfies=lambda f: (f.x[..., -1] > 0).all())

claim = Claim(
    __name__,
    statement="The first token rests, all tokens end at its place, and none ever recedes from it.",
    system=CausalSphereFlow,
    draw=draw,
    assumptions=(on_the_sphere, in_a_hemisphere),
    standing=Standing.FALSE,
    note="It rests, and all end there. The third token first follows the second where that is on its other side.",
)


@claim.identity()
def the_first_token_rests(f: CausalSphereFlow):
    """Its velocity."""
    return f.velocity()[0][..., 0, :]


@claim.limit(">= 0", times=lambda start: [fmpq(1, 8)], trap=hulls(CausalSphereFlow.weights))
def all_tokens_end_where_the_first_is(end, start: CausalSphereFlow):
    """1 less the number of different limits: one of them is the place of the first token, which rests."""
    return 1 - end.number_of_limits


@claim.state(">= 0")
def no_token_recedes_from_the_first(f: CausalSphereFlow):
    """<x_i', x_1> for the tokens after the first."""
    return (f.velocity()[0][..., 1:, :] * f.x[..., :1, :]).sum(axis=-1)
