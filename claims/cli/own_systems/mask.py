"""Under a causal mask the first token rests, and the second one moves towards it."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from claims import Assumption, Claim
from dynamics.arithmetic import Array, below_any_summit, exp
from dynamics.limits.hulls import hulls
from dynamics.system import Flow, quantity


@dataclass(frozen=True, eq=False)
class CausalFlow(Flow):
    """x_i' = sum_{j <= i} P_ij (x_j - x_i) with P_ij proportional to exp <x_i, x_j> for j <= i."""

    moving = ("x",)
    x: Array = quantity("n", "d", meaning="tokens, token i sees those up to i", alias="tokens")

    def attention(self):
        """P, shape (..., n, n): each row sums to one, and is 0 beyond the diagonal."""
        scores, visible = self.x @ self.x.swapaxes(-1, -2), np.tri(self.x.shape[-2], dtype=int)
        # Hidden scores count as that of the first token, which every token sees: none of them is the largest.
        weights = visible * exp(below_any_summit(np.where(visible == 1, scores, scores[..., :1])))
        return weights / weights.sum(axis=-1)[..., None]

    def velocity(self):
        """x', shape (..., n, d)."""
        # A tuple: one velocity for each array in `moving`.
        return (self.attention() @ self.x - self.x,)


def with_a_second_token(f):
    """The same system, with the mirror image of a token that is alone."""
    return f if f.x.shape[-2] >= 2 else f.replace(x=np.concatenate([f.x, -f.x], axis=-2))


# Without `violate` nobody tries the claim outside of it: of one token there is nothing to say.
two_tokens = Assumption(
    "two_tokens",
    "n >= 2",
    satisfies=lambda f: f.x.shape[-2] >= 2,
    restrict=with_a_second_token,
)


def draw(draws):
    """1 to 3 tokens in up to 2 dimensions; numbers from `dyadic` make float64 batches as well."""
    n, d = draws.integer(1, 3), draws.integer(1, 2)
    return CausalFlow(x=draws.dyadic(n, d, size=1))


claim = Claim(
    __name__,
    statement="Under a causal mask the first token rests, the second one approaches it, and all end there.",
    system=CausalFlow,
    assumptions=(two_tokens,),
    draw=draw,
)


def gap(f):
    """|x_1 - x_0|^2, shape (..., 1)."""
    apart = f.x[..., 1:2, :] - f.x[..., :1, :]
    return (apart * apart).sum(axis=-1)


@claim.identity()
def first_token_rests(f: CausalFlow):
    """x_0'."""
    return f.velocity()[0][..., 0, :]


@claim.state(">= 0")
def second_token_approaches(f: CausalFlow):
    """<x_1', x_0 - x_1>."""
    (speed,) = f.velocity()
    return (speed[..., 1:2, :] * (f.x[..., :1, :] - f.x[..., 1:2, :])).sum(axis=-1)


@claim.trajectory(">= 0", horizon=lambda f: 1)
def second_token_never_leaves(now: CausalFlow, start: CausalFlow):
    """|x_1 - x_0|^2 at the start less that at time t."""
    return gap(start) - gap(now)


# Twice the gap: a bound that is never met leaves room for the enclosure of the trajectory.
@claim.rate(">= 0", horizon=lambda f: 1)
def gap_is_bounded(now: CausalFlow, start: CausalFlow):
    """2 |x_1 - x_0|^2 at the start less that at time t, an explicit bound behind a limit."""
    return 2 * gap(start) - gap(now)


@claim.limit(">= 0", times=lambda f: [fmpq(1, 8)], trap=hulls(CausalFlow.attention))
def all_tokens_end_where_the_first_is(end, start: CausalFlow):
    """1 less the number of different limits, for ever: by `hulls` tokens meet where all see the first."""
    return 1 - end.number_of_limits
