"""Two tokens (1, s), (1, -s) form one cluster while P -> I: false, z has two limits.

The example of Remark 7.9 that the rank of P* need not be the number of clusters for d > 1 (clusters R7.9). Of x it
fails at once: a common limit would make all rows equal. Of z = e^{-t} x: the second coordinate b of x obeys b' = b
tanh(b^2), so that z -> (1, +-c), c > 0: two clusters, and rank 2. Decided by Lemma B2 of docs/flow_limits.md.
"""

from claims.clusters.setting.hypotheses_for_limits import pair_beside_the_axis
from claims.clusters.setting.starts_with_rates import pair_start
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import LedEnd, leader_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="Remark 7.9",
    refs=("R7.9",),
    note=(
        "From (1, 1), (1, -1) the second coordinates of x grow like e^t, so that z tends to (1, c) and (1, -c) "
        "with a c > 0: two clusters. P(t) -> I is right."
    ),
    statement=("V = Q^T K = I, n = d = 2: from (1, s), (1, -s) both tokens tend to (1, 0), one cluster, while P(t) -> I."),
    origin=Origin.REPORTED,
    system=RescaledFlow,
    assumptions=(pair_beside_the_axis,),
    draw=pair_start,
    standing=Standing.FALSE,
    corrected_by="clusters.two_tokens_beside_the_axis_part",
)


@claim.limit("== 0", times=settling_times(leader_trap), trap=leader_trap)
def clusters_less_one(end: LedEnd, start: RescaledFlow):
    """The number of different limits of z, less 1."""
    return exact([end.number_of_limits - 1])
