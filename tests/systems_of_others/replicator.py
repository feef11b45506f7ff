"""The replicator equation of rock, paper, scissors on the simplex: the product of the shares is kept."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from claims import Assumption, Claim, Standing
from dynamics import Flow, quantity
from dynamics.arithmetic import Array


@dataclass(frozen=True, eq=False)
class ReplicatorFlow(Flow):
    """p_i' = p_i (p_{i-1} - p_{i+1}), i modulo 3, with p_i >= 0 and sum p = 1."""

    moving = ("p",)
    p: Array = quantity("k", meaning="shares")

    def velocity(self):
        """p', shape (..., 3)."""
        return (self.p * (np.roll(self.p, 1, axis=-1) - np.roll(self.p, -1, axis=-1)),)


def draw(draws):
    """Three shares."""
    u = draws.dyadic(3, size=1)
    # No share is 0, and rational weights divided by their sum add up to one exactly.
    weights = 1 + u * u
    return ReplicatorFlow(p=weights / weights.sum(axis=-1)[..., None])


def on_the_simplex(f):
    """|p| divided by its sum, where that is not zero."""
    # Away from 0, where all shares but one could vanish.
    shares = abs(f.p) + 0.0625
    return f.replace(p=shares / shares.sum(axis=-1)[..., None])


simplex = Assumption(
    "simplex",
    "p_i > 0 and sum p = 1",
    satisfies=lambda f: (f.p > 0).all() and (f.p.sum(axis=-1) == 1).all(),
    restrict=lambda f: f if (f.p > 0).all() and (f.p.sum(axis=-1) == 1).all() else on_the_simplex(f),
    violate=lambda f, draws: f.replace(p=-f.p),
)

claim = Claim(
    __name__,
    statement="On the simplex the sum and the product of the shares are kept.",
    system=ReplicatorFlow,
    assumptions=(simplex,),
    draw=draw,
    standing=Standing.TRUE,
)


@claim.identity()
def sum_is_kept(f: ReplicatorFlow):
    """sum_i p_i'."""
    return f.velocity()[0].sum(axis=-1)[..., None]


@claim.identity()
def product_is_kept(f: ReplicatorFlow):
    """p_0' p_1 p_2 + p_0 p_1' p_2 + p_0 p_1 p_2'."""
    (v,) = f.velocity()
    return (v * np.roll(f.p, 1, axis=-1) * np.roll(f.p, -1, axis=-1)).sum(axis=-1)[..., None]


@claim.trajectory("> 0", horizon=lambda f: fmpq(1, 4))
def shares_stay_positive(now: ReplicatorFlow, start: ReplicatorFlow):
    """p_i(t)."""
    return now.p
