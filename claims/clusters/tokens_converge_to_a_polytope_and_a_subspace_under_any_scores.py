"""Theorem 5.2 for generic Q^T K: the part of every z_i in F comes to lie where its own scores keep it. Open.

Section 12 of the paper asks for Theorems 3.1 and 5.2 without Q^T K > 0 (clusters O4, T4). For V = I it is
`tokens_converge_to_vertices_under_any_scores`, decided start by start; beside a slower direction no trap is known without
symmetric scores on F. Read at t = 2 it is evidence, no verdict.
"""

from flint import fmpq

from claims.clusters.setting.hypotheses_of_open_problems import half_value_beside_the_plane
from claims.clusters.setting.starts_of_open_problems import skew_block_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import peak
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="section 12, Theorem 5.2 for generic Q^T K",
    refs=("O4", "T4"),
    statement=(
        "V = diag(1, 1, 1/2), F the plane of the first two axes, y_i = pi_F z_i: for almost every Q^T K and start "
        "max_j <y_i, B (y_j - y_i)> -> 0 for every i."
    ),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(half_value_beside_the_plane,),
    draw=skew_block_start,
    standing=Standing.OPEN,
)


@claim.limit(">= 0", times=lambda start: [fmpq(2)])
def small_head_start(states: list[RescaledFlow], start: RescaledFlow, *, room=1):
    """room - 2 max_j <y_i, B (y_j - y_i)> at t = 2."""
    y, B = states[-1].z[..., :2], start.B[..., :2, :2]
    scores = y @ B @ y.swapaxes(-1, -2)
    return room - 2 * (peak(scores)[..., 0] - scores.diagonal(axis1=-2, axis2=-1))
