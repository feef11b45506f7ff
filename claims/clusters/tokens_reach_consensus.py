"""Tokens converge to consensus for V = Q^T K = I: false, distances do not shrink.

A question of ours (clusters M1): the slide "What can we expect?" recalls a consensus from another talk, whose model is
not at hand, and goes on to deny it by the lemma on distances. Two different limits of the rescaled tokens, decided by
Lemma B2 or D of docs/flow_limits.md, mean that |x_i - x_j| grows like e^t.
"""

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import distinct_tokens
from claims.clusters.setting.starts_for_limits import rescaled_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'What can we expect?', its first item asked of this model",
    refs=("M1",),
    note=(
        "From -1 and 1 the rescaled tokens z have two different limits, so that |x_i - x_j| grows like e^t. "
        "Distances between tokens never shrink under V = Q^T K = I."
    ),
    statement="V = Q^T K = I: distinct tokens converge, all of them to one place.",
    origin=Origin.OURS,
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
