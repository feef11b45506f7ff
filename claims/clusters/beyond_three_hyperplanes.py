"""Beyond Theorem 3: several growing directions, of which the slides say that results are incomplete (clusters K4.3, O2).

`almost_all_tokens_reach_three_points`: With two different growing rates almost every start has at most three limits: one
for each side, and 0. Open.

What is left of the conjecture on codimension (clusters K4.3, O2) in the plane, where corners of a rectangle have four
limits (`different_rates_give_three_points`). The token ahead in phi_1 on its side leads; all others of the side come to
lie beside it, in the second coordinate, too. Read at two times it is evidence, no verdict.

`different_rates_give_three_points`: With two different growing rates in the plane tokens tend to at most three points:
false at the corners of a rectangle.

The conjecture `c:codim` for k = d = 2 and V = diag(lambda_1, lambda_2), lambda_1 > lambda_2 > 0 (clusters K4.3, O2).
From (u, v), (u, -v), (-u, v), (-u, -v) attention is a product of one for each coordinate, and each corner keeps to
itself: four limits, by Lemma G of docs/flow_limits.md, for every u, v > 0. These starts have ties; whether almost every
start has at most three limits is open (`almost_all_tokens_reach_three_points`).

`growing_directions_give_three_subspaces`: With k growing directions there are at most three parallel subspaces of
codimension k: false for a double eigenvalue.

A question of ours after two others (clusters K4.3, O2): the slides ask it for Re lambda_j >= 0, the paper conjectures
it (`c:codim`) for k eigenvalues with positive real part, and neither says that they differ. For V = Q^T K = I in the
plane k = 2 and such subspaces are points: four tokens on a large circle have four limits, by Lemma B2 of
docs/flow_limits.md. For k = 1 it is Theorem 3; with different positive eigenvalues see
`different_rates_give_three_points`.

`resting_directions_give_three_subspaces`: The same with simple eigenvalues, one of them 0: false, along a kernel of V
nothing moves.

The slides count eigenvalues with Re lambda_j >= 0 (clusters K4.3, O2). For V = diag(1, 0) the second coordinate of
every z_i is constant, so that of different ones there are as many limits as tokens, points in the plane. Lemma T3'' of
docs/flow_limits.md gives the first coordinate.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import definite_key_query, identity_key_query, identity_value
from claims.clusters.setting.hypotheses_for_limits import in_the_plane, one_resting_direction
from claims.clusters.setting.hypotheses_of_open_problems import different_growing_rates
from claims.clusters.setting.starts_of_open_problems import corners_start, different_rates_start
from claims.clusters.setting.starts_with_rates import circle_start, kernel_start
from claims.statement import Section, Standing
from dynamics.arithmetic import Array, exact
from dynamics.limits import CornersEnd, HyperplanesEnd, LedEnd, corners_trap, hyperplanes_trap, leader_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

section = Section(__name__, refs=("K4.3", "O2"), system=RescaledFlow)

almost_all_tokens_reach_three_points = section.claim(
    "almost_all_tokens_reach_three_points",
    where="slide 'Results are still incomplete', beyond Theorem 3, for almost every start",
    statement=(
        "d = 2, V = diag(lambda_1, lambda_2), lambda_1 > lambda_2 > 0, Q^T K > 0: for almost every start the z_i have at "
        "most three limits, one for each sign of phi_1(z_i), and 0."
    ),
    assumptions=(different_growing_rates, definite_key_query),
    draw=different_rates_start,
    standing=Standing.OPEN,
)


def widths(f: RescaledFlow, right: Array) -> Array:
    """|z_i - z_j|^2 for tokens of one side, shape (n, n), 0 for others."""
    apart = f.z[:, None, :] - f.z[None, :, :]
    return (apart * apart).sum(axis=-1) * exact((right[:, None] == right[None, :]).astype(int))


@almost_all_tokens_reach_three_points.limit(">= 0", times=lambda start: [fmpq(1, 2), fmpq(3, 2)])
def sides_shrink(states: list[RescaledFlow], start: RescaledFlow, *, room=1):
    """8 |z_i - z_j|^2 at t = 1/2, and room, less 16 times the same at t = 3/2, tokens on one side of phi_1 = 0."""
    right = np.array([bool(value > 0) for value in start.z[:, 0]])
    early, late = (widths(state, right) for state in states)
    return 8 * early + room - 16 * late


different_rates_give_three_points = section.claim(
    "different_rates_give_three_points",
    where="slide 'Results are still incomplete', beyond Theorem 3, for different eigenvalues",
    note=(
        "With V = diag(2, 1) the tokens (1, 1), (1, -1), (-1, 1), (-1, -1) keep to their corners of a rectangle: "
        "four limits. What holds is that there are at most three limits of the first coordinate."
    ),
    statement="d = 2, V = diag(lambda_1, lambda_2), lambda_1 > lambda_2 > 0, Q^T K > 0: the z_i have at most three limits.",
    assumptions=(different_growing_rates, definite_key_query),
    draw=corners_start,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


@different_rates_give_three_points.limit(
    ">= 0", times=lambda start: [fmpq(1, 64)], trap=corners_trap, name="three_less_limits"
)
def three_less_limits_of_tokens(end: CornersEnd, start: RescaledFlow):
    """3 minus the number of different limits."""
    return exact([3 - end.number_of_limits])


growing_directions_give_three_subspaces = section.claim(
    "growing_directions_give_three_subspaces",
    where="slide 'Results are still incomplete', beyond Theorem 3, asked of a double eigenvalue",
    note=(
        "In the plane with V = Q^T K = I both directions grow, k = 2, and (6, 0), (4, 5), (0, 6), (-5, 0) have "
        "four different limits. For k = 1 there are at most three hyperplanes."
    ),
    statement=(
        "If k eigenvalues of V, each counted as often as it occurs, have positive real parts, then tokens approach at most "
        "three parallel subspaces of codimension k."
    ),
    assumptions=(in_the_plane, identity_value, identity_key_query),
    draw=circle_start,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


@growing_directions_give_three_subspaces.limit(
    ">= 0", times=settling_times(leader_trap), trap=leader_trap, name="three_less_limits"
)
def three_less_limits_in_growing_directions(end: LedEnd, start: RescaledFlow):
    """3 minus the number of different limits, subspaces of codimension 2."""
    return exact([3 - end.number_of_limits])


resting_directions_give_three_subspaces = section.claim(
    "resting_directions_give_three_subspaces",
    where="slide 'Results are still incomplete', beyond Theorem 3",
    note=(
        "With V = diag(1, 0) no second coordinate of z ever moves, and (0, 2), (1, 0), (-2, 1), (0, 0) have four "
        "different limits, subspaces of codimension 2. What holds is that there are at most three limits of the "
        "first coordinate."
    ),
    statement=(
        "If Re(lambda_j) >= 0 for k eigenvalues of V, then convergence to at most 3 parallel codimension-k subspaces? "
        "With simple eigenvalues."
    ),
    assumptions=(one_resting_direction, definite_key_query),
    draw=kernel_start,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


@resting_directions_give_three_subspaces.limit(
    ">= 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap, name="three_less_limits"
)
def three_less_limits_in_resting_directions(end: HyperplanesEnd, start: RescaledFlow):
    """3 minus the number of different limits: of pairs of a hyperplane and a second coordinate."""
    return exact([3 - len({(int(k), row[1]) for k, row in zip(end.classes, np.asarray(start.z), strict=True)})])
