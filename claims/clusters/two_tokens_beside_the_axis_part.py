"""From (1, s), (1, -s) the rescaled tokens have two limits, and P -> I: as many clusters as the rank.

The correct form of Remark 7.9 (clusters R7.9): Lemma B2 of docs/flow_limits.md.
"""

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting.hypotheses_for_limits import pair_beside_the_axis
from claims.clusters.setting.starts_with_rates import pair_start
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import LedEnd, leader_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Remark 7.9, corrected",
    refs=("R7.9",),
    statement=("V = Q^T K = I, n = d = 2: from (1, s), (1, -s) the limits of z_1 and z_2 differ, and P(t) -> I."),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(pair_beside_the_axis, identity_value, identity_key_query),
    draw=pair_start,
    equivalent={
        "distance_in_the_end: end.limits[:1, 1] => end.limits[:1, 0]": (
            "The first coordinates are 1 for ever, and the second of lim z_2 is below 0: 1 + half of the distance."
        )
    }
    | {
        f"distance_in_the_end: end.limits[:1, 1] - end.limits[1:, 1] => {half}": (
            "The reflection at the axis swaps the tokens, so that lim z_2 mirrors lim z_1: half of the distance."
        )
        for half in ("end.limits[:1, 1]", "-end.limits[1:, 1]")
    },
)


@claim.limit("== 0", times=settling_times(leader_trap), trap=leader_trap)
def clusters_less_rank(end: LedEnd, start: RescaledFlow, *, times=1):
    """The number of different limits of z, less the rank of P*."""
    return exact([end.number_of_limits - times * end.rank])


@claim.limit("> 0", times=settling_times(leader_trap), trap=leader_trap)
def distance_in_the_end(end: LedEnd, start: RescaledFlow):
    """The second coordinate of lim z_1 less that of lim z_2."""
    return end.limits[:1, 1] - end.limits[1:, 1]
