"""Tokens that move towards the mean that softmax attention gives them stay between the outermost ones."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from claims import Assumption, Claim
from dynamics.arithmetic import Array, below_any_summit, exp, peak, summits
from dynamics.limits.hulls import hulls
from dynamics.system import Flow, quantity


@dataclass(frozen=True, eq=False)
class OwnFlow(Flow):
    """x_i' = sum_j P_ij (x_j - x_i) with P_ij proportional to exp(beta <x_i, x_j>)."""

    moving = ("x",)
    x: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    beta: Array = quantity(meaning="inverse temperature", default=1)

    def attention(self):
        """P, shape (..., n, n): each row sums to one."""
        scores = self.beta[..., None, None] * (self.x @ self.x.swapaxes(-1, -2))
        # Any large score may be taken off, as it cancels in the quotient: exponentials of what is left do not overflow.
        weights = exp(below_any_summit(scores))
        return weights / weights.sum(axis=-1)[..., None]

    def velocity(self):
        """x', shape (..., n, d)."""
        # A tuple: one velocity for each array in `moving`.
        return (self.attention() @ self.x - self.x,)


def draw(draws):
    """2 to 4 tokens in up to 2 dimensions; numbers from `dyadic` make float64 batches as well."""
    n, d = draws.integer(2, 4), draws.integer(1, 2)
    return OwnFlow(x=draws.dyadic(n, d, size=1), beta=draws.dyadic(size=1))


# `restrict` leads every draw back into the hypothesis, and `where` does so for all members of a batch at once.
positive_beta = Assumption(
    "positive_beta",
    "beta > 0",
    satisfies=lambda f: f.beta > 0,
    restrict=lambda f: f.replace(beta=np.where(f.beta > 0, f.beta, 0.25 - f.beta)),
    violate=lambda f, draws: f.replace(beta=-f.beta),
)

claim = Claim(
    __name__,
    statement="If beta > 0 then no first coordinate ever exceeds the largest at the start, and all tokens meet.",
    system=OwnFlow,
    assumptions=(positive_beta,),
    draw=draw,
)


@claim.identity()
def rows_sum_to_one(f: OwnFlow):
    """sum_j P_ij - 1."""
    return f.attention().sum(axis=-1) - 1


@claim.state(">= 0")
def foremost_token_never_advances(f: OwnFlow):
    """-x_i0' of a token whose first coordinate is largest."""
    (speed,) = f.velocity()
    # Exact numbers have one largest entry or several; floats of a batch choose, and only propose.
    foremost = summits(f.x[..., 0])[..., None]
    return -np.take_along_axis(speed[..., 0], foremost, axis=-1)


@claim.trajectory(">= 0", horizon=lambda f: 1)
def first_coordinates_stay_below(now: OwnFlow, start: OwnFlow):
    """max_j x_j0(0) - x_i0(t)."""
    return peak(start.x[..., 0]) - now.x[..., 0]


@claim.rate(">= 0", horizon=lambda f: 1)
def first_coordinates_are_bounded(now: OwnFlow, start: OwnFlow):
    """max_j x_j0(0)^2 + 1 - x_i0(t), the explicit bound behind a limit."""
    most = peak(start.x[..., 0])
    return most * most + 1 - now.x[..., 0]


# A trap shows the limit from some time on; without one the last of the times would be read off, as evidence alone.
@claim.limit(">= 0", times=lambda f: [fmpq(1, 8)], trap=hulls(OwnFlow.attention))
def all_tokens_meet(end, start: OwnFlow):
    """1 less the number of different limits, for ever: by `hulls` tokens meet that move towards one another."""
    return 1 - end.number_of_limits
