"""Opinions that move towards those they see, by a mask: the largest never grows, but the spread of two may."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from claims import Claim, Standing
from dynamics import Flow, quantity
from dynamics.arithmetic import Array, below_peak
from dynamics.limits.contraction import contraction


@dataclass(frozen=True, eq=False)
class MaskedFlow(Flow):
    """x_i' = sum_j m_ij (x_j - x_i), where m_ij is 1 if i sees j, else 0."""

    moving = ("x",)
    x: Array = quantity("n", meaning="opinions")
    # A label: whole numbers that say which sum is meant, not amounts that a search may move.
    mask: Array = quantity("n", "n", meaning="who sees whom", label=True)

    def velocity(self):
        """x', shape (..., n)."""
        apart = self.x[..., None, :] - self.x[..., :, None]
        return ((self.mask * apart).sum(axis=-1),)


def draw(draws):
    """Three opinions; the first sees the second, which sees the third, which sees both."""
    # The least number of opinions of which one can be pulled from both sides.
    n = 3
    mask = np.array([[0, 1, 0], [0, 0, 1], [draws.integer(0, 1), 1, 0]])
    return MaskedFlow(x=draws.dyadic(n, size=2), mask=mask)


claim = Claim(
    __name__,
    statement="The largest opinion never grows, all come to rest at one, and no two ever move apart.",
    system=MaskedFlow,
    draw=draw,
    standing=Standing.FALSE,
    note="The second may leave the first for the third.",
)


@claim.state(">= 0")
def the_largest_never_grows(f: MaskedFlow):
    """What each would need to grow: x_i' is at most the number of others times the distance to the largest."""
    # Of who is the largest: its distance is 0, so it may not grow. The others may.
    return -(f.x.shape[-1]) * below_peak(f.x) - f.velocity()[0]


@claim.state(">= 0")
def none_move_apart(f: MaskedFlow):
    """-(x_0 - x_1)(x_0' - x_1')."""
    (v,) = f.velocity()
    return -(f.x[..., :1] - f.x[..., 1:2]) * (v[..., :1] - v[..., 1:2])


@claim.trajectory(">= 0", horizon=lambda f: fmpq(1, 4))
def the_largest_bounds_all(now: MaskedFlow, start: MaskedFlow):
    """16 - x_i(t): opinions are drawn from [-4, 4]."""
    return 16 + 0 * start.x - now.x


@claim.limit(">= 0", times=lambda start: [4, 8], trap=contraction)
def they_agree(end, start: MaskedFlow):
    """1 less the number of different limits."""
    return 1 - end.number_of_limits
