"""On a line x_i e^{-t} tends to a number other than 0, the same for all unbounded tokens of one side.

Lemma `l:exactasymptotic` says the first half; that the number is the same is ours. So rescaled tokens have at most two
limits, and 0 where a token is bounded. Lemmas A' and D of docs/flow_limits.md.
"""

from claims.clusters.setting.hypotheses import distinct_tokens, on_the_line
from claims.clusters.setting.starts_of_flows import line_start_with_a_token_at_0
from claims.stating.assumptions import definite_key_query, identity_value
from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, line_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Lemma l:exactasymptotic",
    refs=("L4",),
    statement=(
        "d = 1, Q^T K > 0, V = 1, distinct tokens: if x_i is unbounded, x_i e^{-t} -> gamma_i != 0; gamma_i is the same"
        " for all tokens that run off to one side."
    ),
    origin=Origin.REPORTED,
    system=RescaledFlow,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=line_start_with_a_token_at_0,
)


# A product of two limits: it is positive if both are on one side of 0 and neither is 0.
@claim.limit("> 0", times=settling_times(line_trap), trap=line_trap)
def limit_on_the_own_side(end: TokensEnd, start: RescaledFlow):
    """gamma_i gamma_j for each token that does not rest at 0 and the last one of its side."""
    runs = end.leaders >= 0
    own = end.limits[runs, 0]
    return own * end.limits[end.leaders[runs], 0]


@claim.limit("== 0", times=settling_times(line_trap), trap=line_trap)
def as_many_limits_as_sides(end: TokensEnd, start: RescaledFlow, *, each=1):
    """The number of different limits less the number of last tokens of a side, and of one at rest."""
    last = set(end.leaders.tolist())
    return exact([end.number_of_limits - each * len(last)])
