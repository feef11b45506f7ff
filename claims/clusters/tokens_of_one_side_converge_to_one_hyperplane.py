"""If phi_1(z_i) > 0 for all tokens at the start there is one hyperplane.

A sharper form of Theorem 3 (clusters T3): the least phi_1(z_j) does not fall, so no limit is 0 or negative. Lemma T3''
of docs/flow_limits.md.
"""

from claims.clusters.setting import positive_first_score
from claims.clusters.setting.hypotheses_for_limits import leading_direction, positive_tokens
from claims.clusters.setting.starts_with_rates import leading_start
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import HyperplanesEnd, hyperplanes_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="sharpened from Theorem 4.2",
    refs=("T3",),
    statement=("(Q, K, V) a good triple and phi_1(z_i(0)) > 0 for every i: all z_i tend to one hyperplane."),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(leading_direction, positive_first_score, positive_tokens),
    draw=leading_start,
)


@claim.limit("== 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)
def hyperplanes_less_one(end: HyperplanesEnd, start: RescaledFlow, *, one=1):
    """The number of hyperplanes, less 1."""
    return exact([end.count - one])
