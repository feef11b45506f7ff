"""Tokens converge to consensus for V = Q^T K = I: false, distances do not shrink.

Slide "What can we expect?" (clusters M1), an expectation that the lemma on distances refutes. Two different limits of
the rescaled tokens, decided by Lemma B2 or D of docs/flow_limits.md, mean that |x_i - x_j| grows like e^t.
"""

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import distinct_tokens
from claims.clusters.setting.starts_for_limits import rescaled_start
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="slide 'What can we expect?'",
    refs=("M1",),
    note="distances never shrink: different limits of z mean that |x_i - x_j| grows like e^t",
    statement=("Take Q^T K = V = I_d: convergence to consensus: x_i(t) -> xbar_i and xbar_i = xbar_j."),
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(identity_value, identity_key_query, distinct_tokens),
    draw=rescaled_start,
    standing=Standing.FALSE,
    corrected_by="clusters.pairwise_distances_grow",
)


@claim.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def different_limits_less_one(end: TokensEnd, start: RescaledFlow):
    """The number of different limits of e^{-t} x_i, less 1."""
    return exact([end.number_of_limits - 1])
