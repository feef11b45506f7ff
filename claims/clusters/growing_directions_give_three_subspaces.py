"""With k growing directions there are at most three parallel subspaces of codimension k: false for a double eigenvalue.

A question of ours after two others (clusters K4.3, O2): the slides ask it for Re lambda_j >= 0, the paper conjectures
it (`c:codim`) for k eigenvalues with positive real part, and neither says that they differ. For V = Q^T K = I in the
plane k = 2 and such subspaces are points: four tokens on a large circle have four limits, by Lemma B2 of
docs/flow_limits.md. For k = 1 it is Theorem 3; with different positive eigenvalues see
`different_rates_give_three_points`.
"""

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting.hypotheses_for_limits import in_the_plane
from claims.clusters.setting.starts_with_rates import circle_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import LedEnd, leader_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'Results are still incomplete', beyond Theorem 3, asked of a double eigenvalue",
    refs=("K4.3", "O2"),
    note=(
        "In the plane with V = Q^T K = I both directions grow, k = 2, and (6, 0), (4, 5), (0, 6), (-5, 0) have "
        "four different limits. For k = 1 there are at most three hyperplanes."
    ),
    statement=(
        "If k eigenvalues of V, each counted as often as it occurs, have positive real parts, then tokens approach at most "
        "three parallel subspaces of codimension k."
    ),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(in_the_plane, identity_value, identity_key_query),
    draw=circle_start,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


@claim.limit(">= 0", times=settling_times(leader_trap), trap=leader_trap)
def three_less_limits(end: LedEnd, start: RescaledFlow):
    """3 minus the number of different limits, subspaces of codimension 2."""
    return exact([3 - end.number_of_limits])
