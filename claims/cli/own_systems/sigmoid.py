"""Under sigmoid attention, which is not normalised, the sum of |x_i|^2 never falls."""

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
    """x_i' = sum_j sigmoid(<x_i, x_j> - c) x_j."""

    moving = ("x",)
    x: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    c: Array = quantity(meaning="threshold of the scores", default=0)

    def velocity(self):
        """x', shape (..., n, d)."""
        scores = self.x @ self.x.swapaxes(-1, -2)
        return (sigmoid(scores - self.c[..., None, None]) @ self.x,)


no_threshold = Assumption(
    "no_threshold",
    "c = 0",
    satisfies=lambda f: f.c == 0,
    restrict=lambda f: f.replace(c=0 * f.c),
    violate=lambda f, draws: f.replace(c=f.c + draws.integer(1, 4)),
)


def draw(draws):
    """1 to 3 small tokens in up to 2 dimensions; numbers from `dyadic` make float64 batches as well."""
    n, d = draws.integer(1, 3), draws.integer(1, 2)
    return SigmoidFlow(x=draws.dyadic(n, d, size=1), c=draws.dyadic())


claim = Claim(
    __name__,
    statement="If c = 0 then the sum of |x_i|^2 never falls.",
    system=SigmoidFlow,
    assumptions=(no_threshold,),
    draw=draw,
)


def norms(f):
    """sum_i |x_i|^2, shape (..., 1)."""
    return (f.x * f.x).sum(axis=-1).sum(axis=-1)[..., None]


@claim.identity()
def opposite_scores_add_to_one(f: SigmoidFlow):
    """sigmoid(s) + sigmoid(-s) - 1 for the scores s = <x_i, x_j>."""
    scores = f.x @ f.x.swapaxes(-1, -2)
    return sigmoid(scores) + sigmoid(-scores) - 1


@claim.state(">= 0")
def norms_never_fall(f: SigmoidFlow):
    """sum_i <x_i, x_i'>."""
    return (f.x * f.velocity()[0]).sum(axis=-1).sum(axis=-1)[..., None]


@claim.trajectory(">= 0", horizon=lambda f: fmpq(1, 4))
def norms_stay_above_the_start(now: SigmoidFlow, start: SigmoidFlow):
    """sum_i |x_i|^2 at time t less that at the start."""
    return norms(now) - norms(start)


@claim.rate(">= 0", horizon=lambda f: fmpq(1, 4))
def norms_are_bounded_below(now: SigmoidFlow, start: SigmoidFlow):
    """2 sum_i |x_i|^2 at time t less that at the start, an explicit bound behind a limit."""
    return 2 * norms(now) - norms(start)


@claim.limit(">= 0", times=lambda f: [fmpq(1, 4), fmpq(1, 2)])
def norms_at_late_times(states: list[SigmoidFlow], start: SigmoidFlow):
    """The same at the last of the times: evidence only, for want of a trap."""
    return norms(states[-1]) - norms(start)
