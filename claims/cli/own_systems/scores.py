"""Scores that move by the replicator equation keep the order of their gains."""

from dataclasses import dataclass

import numpy as np

from claims import Assumption, Claim
from dynamics.arithmetic import Array, below_any_summit, exp, peak
from dynamics.system import Flow, quantity


@dataclass(frozen=True, eq=False)
class ScoresFlow(Flow):
    """a_i' = s_i (u_i - <s, u>) with s = softmax(a)."""

    moving = ("a",)
    u: Array = quantity("p", meaning="gains", alias="values")
    a: Array = quantity("p", meaning="scores", alias="scores")

    def weights(self):
        """s, shape (..., p)."""
        # Any large score may be taken off, as it cancels in the quotient: exponentials of what is left do not overflow.
        weights = exp(below_any_summit(self.a))
        return weights / weights.sum(axis=-1)[..., None]

    def velocity(self):
        """a', shape (..., p)."""
        s = self.weights()
        # A tuple: one velocity for each array in `moving`.
        return (s * (self.u - (s * self.u).sum(axis=-1)[..., None]),)


def with_the_leader_first(f):
    """The first gain raised to 1/16 above the others, where it is below that."""
    others = f.u[..., 1:]
    least = peak(others) + 0.0625  # a sixteenth is a float64 exactly: what is restricted is exact
    return f.replace(u=np.concatenate([peak(np.concatenate([f.u[..., :1], least], axis=-1)), others], axis=-1))


# Gains that are all turned around have another leader, or none.
leader_first = Assumption(
    "leader_first",
    "u_0 >= u_i + 1/16 for i > 0",
    satisfies=lambda f: (f.u[..., 1:] + 0.0625 <= f.u[..., :1]).all(),
    restrict=with_the_leader_first,
    violate=lambda f, draws: f.replace(u=-f.u),
)


def draw(draws):
    """2 to 6 scores; numbers from `dyadic` make float64 batches as well."""
    p = draws.integer(2, 6)
    return ScoresFlow(u=draws.dyadic(p), a=draws.dyadic(p))


claim = Claim(
    __name__,
    statement="If u_0 exceeds all other gains by 1/16 then the first score never falls.",
    system=ScoresFlow,
    assumptions=(leader_first,),
    draw=draw,
)


@claim.identity()
def sum_of_scores_is_kept(f: ScoresFlow):
    """sum_i a_i'."""
    return f.velocity()[0].sum(axis=-1)[..., None]


@claim.state(">= 0")
def first_score_never_falls(f: ScoresFlow):
    """a_0'."""
    return f.velocity()[0][..., :1]


@claim.trajectory(">= 0", horizon=lambda f: 1)
def first_score_stays_above_its_start(now: ScoresFlow, start: ScoresFlow):
    """a_0(t) - a_0(0)."""
    return now.a[..., :1] - start.a[..., :1]


@claim.rate(">= 0", horizon=lambda f: 1)
def first_score_is_bounded_below(now: ScoresFlow, start: ScoresFlow):
    """a_0(t) - a_0(0) + 1, an explicit bound behind a limit."""
    return now.a[..., :1] - start.a[..., :1] + 1


@claim.limit(">= 0", times=lambda f: [1, 2])
def first_score_at_late_times(states: list[ScoresFlow], start: ScoresFlow):
    """a_0 at the last of the times less a_0(0): evidence only, as scores run off."""
    return states[-1].a[..., :1] - start.a[..., :1]
