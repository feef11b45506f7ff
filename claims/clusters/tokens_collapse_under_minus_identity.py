"""For V = -I all tokens tend to 0, and attention to 1/n.

Theorem 8.5 and the remark after it (clusters T5). Lemma T5'' of docs/flow_limits.md needs no trap and gives a rate: o =
2 sum |x_i|_B^2 is at most of the order r n/t. Q^T K > 0 is enough.
"""

from flint import fmpq

from claims.assumptions import definite_key_query
from claims.clusters.setting import minus_identity_value
from claims.clusters.setting.starts_with_rates import collapsing_start
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import CollapseEnd, collapse_trap
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Theorem 8.5",
    refs=("T5",),
    statement="V = -I, Q^T K = I, or symmetric and > 0: x_i(t) -> 0 for every i; and P(t) -> (1/n) 11^T.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    assumptions=(minus_identity_value, definite_key_query),
    draw=collapsing_start,
)


@claim.limit("== 0", times=lambda start: [fmpq(1, 8)], trap=collapse_trap)
def limits_of_tokens(end: CollapseEnd, start: SelfAttentionFlow, *, moved=0):
    """lim x_i."""
    return end.limits - moved


@claim.limit("== 0", times=lambda start: [fmpq(1, 8)], trap=collapse_trap)
def limit_of_attention_less_uniform(end: CollapseEnd, start: SelfAttentionFlow, *, share=1):
    """n P*_ij - 1."""
    return end.attention * len(start.x) - share


@claim.limit("== 0", times=lambda start: [fmpq(1, 8)], trap=collapse_trap)
def rank_less_one(end: CollapseEnd, start: SelfAttentionFlow, *, one=1):
    """rank P* - 1."""
    return exact([end.rank - one])
