"""With two different growing rates in the plane tokens tend to at most three points: false at the corners of a rectangle.

The conjecture `c:codim` for k = d = 2 and V = diag(lambda_1, lambda_2), lambda_1 > lambda_2 > 0 (clusters K4.3, O2).
From (u, v), (u, -v), (-u, v), (-u, -v) attention is a product of one for each coordinate, and each corner keeps to
itself: four limits, by Lemma G of docs/flow_limits.md, for every u, v > 0. These starts have ties; whether almost every
start has at most three limits is open (`almost_all_tokens_reach_three_points`).
"""

from flint import fmpq

from claims.assumptions import definite_key_query
from claims.clusters.setting.hypotheses_of_open_problems import different_growing_rates
from claims.clusters.setting.starts_of_open_problems import corners_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import CornersEnd, corners_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'Results are still incomplete', beyond Theorem 3, for different eigenvalues",
    refs=("K4.3", "O2"),
    note=(
        "With V = diag(2, 1) the tokens (1, 1), (1, -1), (-1, 1), (-1, -1) keep to their corners of a rectangle: "
        "four limits. What holds is that there are at most three limits of the first coordinate."
    ),
    statement="d = 2, V = diag(lambda_1, lambda_2), lambda_1 > lambda_2 > 0, Q^T K > 0: the z_i have at most three limits.",
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(different_growing_rates, definite_key_query),
    draw=corners_start,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


@claim.limit(">= 0", times=lambda start: [fmpq(1, 64)], trap=corners_trap)
def three_less_limits(end: CornersEnd, start: RescaledFlow):
    """3 minus the number of different limits."""
    return exact([3 - end.number_of_limits])
