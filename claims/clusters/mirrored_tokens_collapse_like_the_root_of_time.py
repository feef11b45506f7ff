"""For V = -1 and Q^T K = b > 0 opposite tokens on a line obey 2 b t x_i^2 -> 1.

The constant of the rate in Theorem 8.5 for the smallest start: t Cov -> 1/2 for b = 1 (clusters N6). Lemma F of
docs/flow_limits.md.
"""

from flint import fmpq

from claims.assumptions import definite_key_query
from claims.clusters.setting import minus_identity_value
from claims.clusters.setting.hypotheses_for_limits import mirrored_pair
from claims.clusters.setting.starts_with_rates import mirrored_start
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import MirroredEnd, mirrored_trap
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Theorem 8.5, its rate for two opposite tokens",
    refs=("N6", "T5"),
    statement=("V = -1, Q^T K = b > 0, x_2(0) = -x_1(0): 2 b t x_i^2 -> 1."),
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(mirrored_pair, minus_identity_value, definite_key_query),
    draw=mirrored_start,
)


@claim.limit("== 0", times=lambda start: [fmpq(1, 8)], trap=mirrored_trap)
def scaled_square_less_one(end: MirroredEnd, start: SelfAttentionFlow, *, half=2):
    """lim 2 b t x_i^2 - 1 where tokens tend to 0, and whether they run off instead."""
    return exact([half * start.B[0, 0] / (2 * end.loss) - 1, int(end.runs_off)])
