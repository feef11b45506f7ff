"""Theorem 3 with lambda_1 the largest modulus: false for V = -1, rescaled tokens run off.

On the slides lambda_1 := max |lambda_j| (clusters T3, D4.1). For d = 1 hyperplanes are points, V = -1 has a simple
eigenvalue of the largest modulus, and from -u, u the tokens z = e^t x grow without bound: x falls to 0 like t^{-1/2}
only (Lemma F of docs/flow_limits.md).
"""

from flint import fmpq

from claims.assumptions import definite_key_query
from claims.clusters.setting.hypotheses_for_limits import leading_modulus, mirrored_pair
from claims.clusters.setting.starts_with_rates import rescaled_mirrored_start
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import MirroredEnd, mirrored_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="Theorem 3",
    refs=("T3", "D4.1"),
    note="lambda_1 itself must be positive: for V = -1 the rescaled tokens run off",
    statement=(
        "V in R^{d x d} such that lambda_1 := max_j |lambda_j| satisfies lambda_1 > 0 and is simple. Suppose Q^T K > 0."
        " There exist (at most) three parallel hyperplanes such that for any i in [n], z_i(t) converges to one of these"
        " hyperplanes as t -> infinity."
    ),
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(mirrored_pair, leading_modulus, definite_key_query),
    draw=rescaled_mirrored_start,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


@claim.limit("== 0", times=lambda start: [fmpq(1, 8)], trap=mirrored_trap)
def tokens_without_a_limit(end: MirroredEnd, start: RescaledFlow):
    """The number of z_i that grow without bound."""
    return exact([len(start.z) * int(end.rescaled_runs_off)])
