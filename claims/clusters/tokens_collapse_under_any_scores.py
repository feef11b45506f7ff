"""For V = -I tokens tend to 0 whatever Q^T K is: false for Q^T K = -1, opposite tokens run off.

Theorem 8.5 without Q^T K > 0 (clusters T5): from -u, u with V = Q^T K = -1, u' = u tanh(u^2). Lemma F of
docs/flow_limits.md.
"""

from flint import fmpq

from claims.clusters.setting import minus_identity_value
from claims.clusters.setting.hypotheses_for_limits import mirrored_pair
from claims.clusters.setting.starts_with_rates import mirrored_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import MirroredEnd, mirrored_trap
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Theorem 8.5, any Q^T K",
    refs=("T5",),
    note=(
        "With V = Q^T K = -1 each of the tokens 1 and -1 is drawn away from the other: both run off. For V = -I "
        "and Q^T K = I all tokens tend to 0."
    ),
    statement=("V = -I, any Q^T K: x_i(t) -> 0 for every i."),
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(mirrored_pair, minus_identity_value),
    draw=mirrored_start,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_collapse_under_minus_identity",
)


@claim.limit("== 0", times=lambda start: [fmpq(1, 8)], trap=mirrored_trap)
def tokens_that_run_off(end: MirroredEnd, start: SelfAttentionFlow):
    """The number of x_i that grow without bound."""
    return exact([len(start.x) * int(end.runs_off)])
