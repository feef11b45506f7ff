"""The row of a token that runs off tends to the unit vector of the last token of its side.

Slides, proof of Theorem 1 (clusters L3). Lemma A' of docs/flow_limits.md decides it for every token of a caught start.
"""

import numpy as np

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting import distinct_tokens, on_the_line
from claims.clusters.setting.starts_for_limits import line_start
from claims.statement import CLUSTERS, Claim, Origin
from dynamics.limits import ThresholdEnd, settling_times, threshold_trap
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="slides, proof of Theorem 1",
    refs=("L3",),
    statement=(
        "So if lim_{t -> infinity} x_i(t) = +infinity, then P_i(t) -> e_n. Similarly if lim_{t -> infinity} x_i(t) = "
        "-infinity then P_i(t) -> e_1."
    ),
    origin=Origin.PRINTED,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=line_start,
)


@claim.limit("== 0", times=settling_times(threshold_trap), trap=threshold_trap)
def weight_on_the_own_end_less_one(end: ThresholdEnd, start: SelfAttentionFlow, *, whole=1):
    """P*_i,n - 1 where x_i -> +infinity, P*_i1 - 1 where x_i -> -infinity, the tokens in order."""
    order = np.argsort(start.x[:, 0])
    return np.where(end.sides > 0, end.attention[:, order[-1]], end.attention[:, order[0]]) - whole
