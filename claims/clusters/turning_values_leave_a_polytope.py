"""Under V = I + omega J rescaled tokens come to lie where their own scores keep them, as in Theorem 2. Open.

A question of ours (clusters N5). What Theorem 2 shows by |Az_i|, which almost grows, has no such witness here; nor need
P(t) converge: a token that follows another turns around it, and may lead in its turn. Read at t = 2 it is evidence, no
verdict.
"""

from flint import fmpq

from claims.assumptions import identity_key_query
from claims.clusters.setting.hypotheses_of_open_problems import turning_value
from claims.clusters.setting.starts_of_open_problems import turning_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exp, numbers, peak
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Theorem 2, V = I + omega J",
    refs=("N5",),
    statement="d = 2, V = I + omega J, Q^T K = I: max_j <z_i, z_j - z_i> -> 0 for every i.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(turning_value, identity_key_query),
    draw=turning_start,
    standing=Standing.OPEN,
)


@claim.limit(">= 0", times=lambda start: [fmpq(2)])
def small_head_start(states: list[SelfAttentionFlow], start: SelfAttentionFlow, *, room=1):
    """room - 2 max_j <z_i, z_j - z_i> at t = 2: lengths are those of e^{-t} x_i, for J turns all alike."""
    x = states[-1].x
    scores = x @ x.swapaxes(-1, -2)
    ahead = peak(scores)[..., 0] - (x * x).sum(axis=-1)
    return room - 2 * ahead * exp(numbers(-4 + 0 * ahead))
