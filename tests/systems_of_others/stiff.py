"""A fast quantity that follows a slow one, a thousand times as fast: it is soon near it, and stays near."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from claims import Assumption, Claim, Standing
from dynamics import Flow, quantity
from dynamics.arithmetic import Array
from dynamics.limits.contraction import contraction


@dataclass(frozen=True, eq=False)
class FastSlowFlow(Flow):
    """s' = -s, q' = 250 (s^2 - q) for x = (s, q)."""

    moving = ("x",)
    x: Array = quantity("k", meaning="the slow and the fast quantity")

    def velocity(self):
        """x', shape (..., 2)."""
        s, q = self.x[..., :1], self.x[..., 1:2]
        return (np.concatenate([-s, 250 * (s * s - q)], axis=-1),)


def draw(draws):
    """A slow quantity, and a fast one near its square."""
    s = draws.dyadic(1, size=1)
    # On the parabola, where the assumption holds: elsewhere the fast quantity falls by e within 1/250.
    return FastSlowFlow(x=np.concatenate([s, s * s], axis=-1))


on_the_parabola = Assumption(
    "on_the_parabola",
    "q = s^2",
    satisfies=lambda f: (f.x[..., 1] == f.x[..., 0] * f.x[..., 0]).all(),
    restrict=lambda f: f.replace(x=np.concatenate([f.x[..., :1], f.x[..., :1] * f.x[..., :1]], axis=-1)),
    violate=lambda f, draws: f.replace(x=np.concatenate([f.x[..., :1], f.x[..., 1:2] + 1], axis=-1)),
)

claim = Claim(
    __name__,
    statement="From q = s^2 on, q stays below 2 s^2 + 1/1000, and both come to rest.",
    system=FastSlowFlow,
    assumptions=(on_the_parabola,),
    draw=draw,
    standing=Standing.TRUE,
)


@claim.state(">= 0")
def fast_quantity_is_not_negative(f: FastSlowFlow):
    """q."""
    return f.x[..., 1:2]


# About one unit of the fast time: longer orbits of a stiff flow are work for an integrator, and show no more here.
@claim.trajectory(">= 0", horizon=lambda f: fmpq(1, 256))
def stays_below_twice_the_square(now: FastSlowFlow, start: FastSlowFlow):
    """2 s^2 + 1/1000 - q at time t."""
    s, q = now.x[..., :1], now.x[..., 1:2]
    return 2 * s * s + fmpq(1, 1000) - q


@claim.limit("> 0", times=lambda start: [fmpq(1, 256), fmpq(1, 64)], trap=contraction)
def it_comes_to_rest(end, start: FastSlowFlow):
    """The rate."""
    return end.rate
