"""With V = -I and Q^T K = I a token with |x_i|^2 > omega_n comes nearer to 0, and none leaves the larger of two balls.

Lemma `l:cas1circle` (clusters T5) with the threshold 2n of the paper and, along trajectories, the sharp omega_n.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import identity_key_query
from claims.clusters.setting import minus_identity_value, omega, squared_norms
from claims.statement import Claim, Origin
from dynamics.arithmetic import larger
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Lemma l:cas1circle",
    refs=("T5",),
    statement="If V = -I and Q^T K = I then |x_i| decreases while |x_i|^2 >= 2n, so that tokens stay bounded.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    assumptions=(minus_identity_value, identity_key_query),
    equivalent={
        (
            "sizes_below_the_larger_ball: len(start.x) == 1 or not (start.x != 0).any() => len(start.x) == 1 and "
            "(not (start.x != 0).any())"
        ): "One token, or all at 0, obey x' = -x: none of them grows.",
    },
)


@claim.state(">= 0")
def threshold_less_sizes(f: SelfAttentionFlow, *, times=2):
    """2n - |x_i|^2 - <x_i, x_i'>."""
    return times * f.x.shape[-2] - squared_norms(f.x) - (f.x * f.drift()).sum(axis=-1)


@claim.trajectory(">= 0", horizon=lambda start: fmpq(1))
def sizes_below_the_larger_ball(now: SelfAttentionFlow, start: SelfAttentionFlow):
    """max(omega_n, |x_i(0)|^2) - |x_i(t)|^2 for the tokens that do not start at 0 alone, n > 1."""
    if len(start.x) == 1 or not (start.x != 0).any():
        return start.x[:0, 0]
    threshold, first = omega(len(start.x), start.x).item(), squared_norms(start.x)
    return np.array([larger(size, threshold) for size in first], dtype=object) - squared_norms(now.x)
