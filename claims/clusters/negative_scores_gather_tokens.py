"""For V = I and -Q^T K > 0 all rescaled tokens tend to one point.

Theorem 2 with the opposite sign. With A^2 = -Q^T K the norms |Az_i| almost fall. Lemma B2 of docs/flow_limits.md decides
starts from which all tokens attend to one, which is not at 0; Lemma N decides mirrored tokens, which tend to 0.
"""

from claims.clusters.setting.hypotheses_for_limits import negative_key_query
from claims.clusters.setting.starts_of_flows import one_sided_start
from claims.stating.assumptions import identity_value
from claims.stating.statement import Claim
from dynamics.arithmetic import exact
from dynamics.limits import GatheredEnd, LedEnd, gathering_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 2, with -Q^T K > 0",
    refs=("N2",),
    statement="V = I, -Q^T K > 0: all z_i tend to one point.",
    system=RescaledFlow,
    assumptions=(identity_value, negative_key_query),
    draw=one_sided_start,
)


# That limits are one is never seen in balls: Lemma B2 shows one leader of all tokens, Lemma N the limit 0 of mirrored ones.
@claim.limit("== 0", times=settling_times(gathering_trap), trap=gathering_trap)
def limits_less_one(end: LedEnd | GatheredEnd, start: RescaledFlow, *, one=1):
    """The number of different limits, less 1."""
    return exact([end.number_of_limits - one])
