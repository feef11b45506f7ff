"""Under sigmoid attention, which is not normalised, tokens without negative coordinates never become shorter."""

from dataclasses import dataclass

from flint import fmpq

from claims import Assumption, Claim
from dynamics.arithmetic import Array, exp
from dynamics.system import Flow, quantity


def sigmoid(s):
    """1 / (1 + e^-s)."""
    return 1 / (1 + exp(-s))


@dataclass(frozen=True, eq=False)
class SigmoidFlow(Flow):
    """x_i' = sum_j sigmoid(<x_i, x_j>) x_j."""

    moving = ("x",)
    x: Array = quantity("n", "d", meaning="tokens", alias="tokens")

    def velocity(self):
        """x', shape (..., n, d)."""
        # A tuple: one velocity for each array in `moving`.
        return (sigmoid(self.x @ self.x.swapaxes(-1, -2)) @ self.x,)


# `violate` makes the coordinates of the first token -1: each instance breaks the hypothesis, whatever was drawn.
nonnegative = Assumption(
    "nonnegative",
    "x_ik >= 0",
    satisfies=lambda f: (f.x >= 0).all(),
    restrict=lambda f: f.replace(x=abs(f.x)),
    violate=lambda f, draws: f.replace(x=f.x - 1 - f.x[..., :1, :]),
)


def draw(draws):
    """1 to 3 small tokens in up to 2 dimensions; numbers from `dyadic` make float64 batches as well."""
    n, d = draws.integer(1, 3), draws.integer(1, 2)
    return SigmoidFlow(x=draws.dyadic(n, d, size=1))


claim = Claim(
    __name__,
    statement="If no coordinate is negative then no |x_i|^2 ever falls.",
    system=SigmoidFlow,
    assumptions=(nonnegative,),
    draw=draw,
)


def norms(f):
    """|x_i|^2, shape (..., n)."""
    return (f.x * f.x).sum(axis=-1)


@claim.identity()
def opposite_scores_add_to_one(f: SigmoidFlow):
    """sigmoid(s) + sigmoid(-s) - 1 for the scores s = <x_i, x_j>."""
    scores = f.x @ f.x.swapaxes(-1, -2)
    return sigmoid(scores) + sigmoid(-scores) - 1


@claim.state(">= 0")
def norms_never_fall(f: SigmoidFlow):
    """<x_i, x_i'>."""
    return (f.x * f.velocity()[0]).sum(axis=-1)


# A short horizon: tokens grow like e^t and more, and enclosures with them.
@claim.trajectory(">= 0", horizon=lambda f: fmpq(1, 4))
def norms_stay_above_the_start(now: SigmoidFlow, start: SigmoidFlow):
    """|x_i|^2 at time t less that at the start."""
    return norms(now) - norms(start)


@claim.rate(">= 0", horizon=lambda f: fmpq(1, 4))
def norms_are_bounded_below(now: SigmoidFlow, start: SigmoidFlow):
    """2 |x_i|^2 at time t less that at the start, an explicit bound behind a limit."""
    return 2 * norms(now) - norms(start)


@claim.limit(">= 0", times=lambda f: [fmpq(1, 4), fmpq(1, 2)])
def norms_at_late_times(states: list[SigmoidFlow], start: SigmoidFlow):
    """The same at the last of the times: evidence only, as tokens run off."""
    return norms(states[-1]) - norms(start)
