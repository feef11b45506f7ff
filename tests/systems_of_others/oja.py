"""Oja's flow on the unit sphere: the Rayleigh quotient never falls, but the first coordinate may."""

from dataclasses import dataclass

import numpy as np

from claims import Assumption, Claim, Standing
from dynamics import Flow, numbers, quantity
from dynamics.arithmetic import Array
from dynamics.limits.contraction import contraction


@dataclass(frozen=True, eq=False)
class OjaFlow(Flow):
    """x' = A x - <x, A x> x for A = diag(a), with |x| = 1."""

    moving = ("x",)
    x: Array = quantity("d", meaning="unit vector")
    a: Array = quantity("d", meaning="eigenvalues")

    def quotient(self):
        """<x, A x>, shape (...)."""
        return (self.a * self.x * self.x).sum(axis=-1)

    def velocity(self):
        """x', shape (..., d)."""
        return ((self.a - self.quotient()[..., None]) * self.x,)

    def kept(self):
        """|x|^2 - 1, which stays zero."""
        return (self.x * self.x).sum(axis=-1) - 1


def draw(draws):
    """A point of the circle, exact, by stereographic projection; the first eigenvalue is the largest."""
    u = draws.dyadic(1, size=2)
    # Rational points: a start must be on the circle exactly.
    square = 1 + (u * u).sum(axis=-1)[..., None]
    x = np.concatenate([(2 - square) / square, 2 * u / square], axis=-1)
    return OjaFlow(x=numbers(x), a=numbers(np.concatenate([8 + 0 * u, 1 + u * u], axis=-1)))


on_the_circle = Assumption("on_the_circle", "|x| = 1", satisfies=lambda f: (f.kept() == 0).all())

claim = Claim(
    __name__,
    statement="If |x| = 1 then the Rayleigh quotient never falls, x comes to rest, and x_0 never falls.",
    system=OjaFlow,
    assumptions=(on_the_circle,),
    draw=draw,
    standing=Standing.FALSE,
    note="x_0 falls where it is negative.",
)


@claim.state(">= 0")
def quotient_never_falls(f: OjaFlow):
    """<A x, x'>: half of its rate."""
    return (f.a * f.x * f.velocity()[0]).sum(axis=-1)[..., None]


@claim.state(">= 0")
def first_coordinate_never_falls(f: OjaFlow):
    """x_0'."""
    return f.velocity()[0][..., :1]


@claim.limit(">= 0", times=lambda start: [4, 8], trap=contraction)
def it_comes_to_rest(end, start: OjaFlow):
    """The rate."""
    return end.rate
