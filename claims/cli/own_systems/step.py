"""Tokens that step towards the mean that softmax attention gives them stay between the outermost ones."""

from dataclasses import dataclass

import numpy as np

from claims import Assumption, Claim
from dynamics.arithmetic import Array, below_any_summit, exp, peak
from dynamics.limits.contraction import contracted
from dynamics.limits.hulls import hulls
from dynamics.system import StepMap, quantity


@dataclass(frozen=True, eq=False)
class OwnStep(StepMap):
    """x_i <- x_i + h sum_j P_ij (x_j - x_i) with P_ij proportional to exp <x_i, x_j>."""

    x: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    h: Array = quantity(meaning="step size", default=1)

    def attention(self):
        """P, shape (..., n, n): each row sums to one."""
        # Any large score may be taken off, as it cancels in the quotient: exponentials of what is left do not overflow.
        weights = exp(below_any_summit(self.x @ self.x.swapaxes(-1, -2)))
        return weights / weights.sum(axis=-1)[..., None]

    def weights(self):
        """The part of x_j in the next x_i, shape (..., n, n): each row sums to one."""
        h = self.h[..., None, None]
        return (1 - h) * np.eye(self.x.shape[-2], dtype=int) + h * self.attention()

    def step(self):
        """The tokens after one step."""
        return self.replace(x=self.weights() @ self.x)


def draw(draws):
    """2 to 4 tokens in up to 3 dimensions; numbers from `dyadic` make float64 batches as well."""
    n, d = draws.integer(2, 4), draws.integer(1, 3)
    return OwnStep(x=draws.dyadic(n, d, size=2), h=draws.dyadic(size=2))


# 1 / (1 + h^2) is in (0, 1] whatever h is, and rational: no case is told from another.
step_size_at_most_one = Assumption(
    "step_size_at_most_one",
    "0 < h <= 1",
    satisfies=lambda f: 0 < f.h <= 1,
    restrict=lambda f: f.replace(h=1 / (1 + f.h * f.h)),
    violate=lambda f, draws: f.replace(h=1 + f.h),
)
claim = Claim(
    __name__,
    statement="If 0 < h <= 1 then no first coordinate ever exceeds the largest before, and all tokens meet.",
    system=OwnStep,
    assumptions=(step_size_at_most_one,),
    draw=draw,
)


@claim.identity()
def rows_sum_to_one(f: OwnStep):
    """sum_j P_ij - 1."""
    return f.attention().sum(axis=-1) - 1


@claim.state("> 0")
def attention_is_positive(f: OwnStep):
    """P_ij."""
    return f.attention()


@claim.step(">= 0")
def first_coordinates_stay_below(f: OwnStep):
    """max_j x_j0 - x_i0 after a step."""
    return peak(f.x[..., 0]) - f.step().x[..., 0]


@claim.orbit(">= 0")
def first_coordinates_stay_below_for_two_steps(f: OwnStep):
    """max_j x_j0 - x_i0 after two steps."""
    return peak(f.x[..., 0]) - f.step().step().x[..., 0]


# Exact only: float64 sees no region that the tokens cannot leave.
@claim.orbit(">= 0", exact_only=True)
def all_tokens_meet(f: OwnStep):
    """1 less the number of different limits, for ever: by `hulls` tokens meet that step to means of all."""
    return 1 - contracted(f, 0, hulls(OwnStep.weights)).number_of_limits
