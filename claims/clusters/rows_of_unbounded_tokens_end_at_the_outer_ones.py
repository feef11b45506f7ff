"""The row of a token that runs off tends to the unit vector of the last token of its side.

Slides, proof of Theorem 1 (clusters L3). Lemma A' of docs/flow_limits.md decides it for every token of a caught
start, Lemma D where a token rests at 0 between opposite ones.
"""

import numpy as np

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting import distinct_tokens, on_the_line
from claims.clusters.setting.starts_with_rates import pairs_and_0_or_any
from claims.statement import Claim, Origin
from dynamics.limits import TokensEnd, line_trap, settling_times
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="slides, proof of Theorem 1",
    refs=("L3",),
    statement=(
        "So if lim_{t -> infinity} x_i(t) = +infinity, then P_i(t) -> e_n. Similarly if lim_{t -> infinity} x_i(t) = "
        "-infinity then P_i(t) -> e_1."
    ),
    origin=Origin.PRINTED,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=pairs_and_0_or_any,
)


@claim.limit("== 0", times=settling_times(line_trap), trap=line_trap)
def weight_on_the_own_end_less_one(end: TokensEnd, start: SelfAttentionFlow, *, whole=1):
    """P*_i,n - 1 where x_i -> +infinity, P*_i1 - 1 where x_i -> -infinity, the tokens in order."""
    order = np.argsort(start.x[:, 0])
    runs = end.leaders >= 0
    limits, rows = end.limits[runs, 0], end.attention[runs]
    return np.where(limits > 0, rows[:, order[-1]], rows[:, order[0]]) - whole
