"""An eigenvalue of largest modulus, simple but negative, gives no hyperplanes: for V = -1 rescaled tokens run off.

A question of ours (clusters T3, D4.1): does Theorem 3 need that the eigenvalue is positive? On the slides lambda_1 :=
max |lambda_j| "is simple", so it is an eigenvalue (`tokens_converge_to_three_hyperplanes`). For d = 1 hyperplanes are
points, and from -u, u the tokens z = e^t x grow without bound: x falls to 0 like t^{-1/2} only (Lemma F of
docs/flow_limits.md).
"""

from flint import fmpq

from claims.assumptions import definite_key_query
from claims.clusters.setting.hypotheses_for_limits import leading_modulus, mirrored_pair
from claims.clusters.setting.starts_with_rates import rescaled_mirrored_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import MirroredEnd, mirrored_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 3, a negative eigenvalue in the place of lambda_1",
    refs=("T3", "D4.1"),
    note=(
        "From -1 and 1 with V = -1 tokens x fall to 0 like t^{-1/2} only, so that z = e^t x grows without bound. "
        "The eigenvalue of the largest modulus must be positive; then there are at most three hyperplanes."
    ),
    statement=(
        "If V has a simple eigenvalue of either sign, larger in modulus than all others, and Q^T K > 0, then every z_i "
        "tends to one of at most three parallel hyperplanes."
    ),
    origin=Origin.OURS,
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
