"""With several growing directions tokens need not approach three parallel subspaces.

The slides ask, beyond Theorem 3: "if Re(lambda_j) >= 0 for k eigenvalues of V, then convergence to at most 3 parallel
codimension-k subspaces?" The paper conjectures it (`c:codim`) for k eigenvalues with positive real part. For k = 1 it is
Theorem 3 if that eigenvalue is also the largest in modulus; in the plane subspaces of codimension k = 2 are points.

`almost_all_tokens_reach_three_points`: What may be left for V = diag(lambda_1, lambda_2), lambda_1 > lambda_2 > 0. On each
side of phi_1 = 0 the outermost token should lead, and all others of the side join it in both coordinates. The comparison of
two times is evidence, not a verdict.

`different_rates_give_three_points`: The conjecture for k = d = 2 and different eigenvalues. Attention at the corners (u,
v), (u, -v), (-u, v), (-u, -v) is a product over the coordinates, so that by Lemma G of docs/flow_limits.md the corners have
four limits for all u, v > 0. These starts have ties; whether almost every start has at most three limits is open.

`growing_directions_give_three_subspaces`: The same for a double eigenvalue, V = I in the plane. Lemma B2 of
docs/flow_limits.md gives four limits.

`resting_directions_give_three_subspaces`: The slides count eigenvalues 0 as well. Along the kernel of V no z_i moves, so
there are as many limits as different coordinates there. Lemma T3'' of docs/flow_limits.md gives the first coordinate.
"""

import numpy as np
from flint import fmpq

from claims.clusters.setting.hypotheses import different_growing_rates
from claims.clusters.setting.hypotheses_for_limits import in_the_plane, one_resting_direction
from claims.clusters.setting.starts_of_flows import circle_start, corners_start, different_rates_start, kernel_start
from claims.stating.assumptions import definite_key_query, identity_key_query, identity_value
from claims.stating.statement import Section, Standing
from dynamics.arithmetic import Array, exact
from dynamics.limits import CornersEnd, HyperplanesEnd, LedEnd, corners_trap, hyperplanes_trap, leader_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

section = Section(__name__, refs=("K4.3", "O2"), system=RescaledFlow)

almost_all_tokens_reach_three_points = section.claim(
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


# Half of the early width, and 1/16 for tokens that are still on their way.
@almost_all_tokens_reach_three_points.limit(">= 0", times=lambda start: [fmpq(1, 2), fmpq(3, 2)])
def sides_shrink(states: list[RescaledFlow], start: RescaledFlow, *, room=1):
    """8 |z_i - z_j|^2 at t = 1/2, and room, less 16 times the same at t = 3/2, tokens on one side of phi_1 = 0."""
    right = np.array([bool(value > 0) for value in start.z[:, 0]])
    early, late = (widths(state, right) for state in states)
    return 8 * early + room - 16 * late


# Corners keep their symmetry for ever, and by it Lemma G gives limits with two growing rates, of which no open trap is
# known.
different_rates_give_three_points = section.claim(
    where="slide 'Results are still incomplete', beyond Theorem 3, for different eigenvalues",
    note=(
        "With V = diag(2, 1) the tokens (1, 1), (1, -1), (-1, 1), (-1, -1) remain the corners of a rectangle and have four "
        "limits. The first coordinate alone has at most three limits."
    ),
    statement="d = 2, V = diag(lambda_1, lambda_2), lambda_1 > lambda_2 > 0, Q^T K > 0: the z_i have at most three limits.",
    assumptions=(different_growing_rates, definite_key_query),
    draw=corners_start,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


# Lemma G asks the exact start alone: any time will do.
@different_rates_give_three_points.limit(
    ">= 0", times=lambda start: [fmpq(1, 64)], trap=corners_trap, name="three_less_limits"
)
def three_less_limits_of_tokens(end: CornersEnd, start: RescaledFlow):
    """3 minus the number of different limits."""
    return exact([3 - end.number_of_limits])


growing_directions_give_three_subspaces = section.claim(
    where="slide 'Results are still incomplete', beyond Theorem 3, asked of a double eigenvalue",
    note=(
        "For V = Q^T K = I in the plane both directions grow, so k = 2, and the tokens (6, 0), (4, 5), (0, 6), (-5, 0) "
        "have four different limits. For a simple positive eigenvalue that leads in modulus there are at most three "
        "hyperplanes."
    ),
    statement=(
        "If k eigenvalues of V, each counted as often as it occurs, have positive real parts, then tokens approach at most "
        "three parallel subspaces of codimension k."
    ),
    assumptions=(in_the_plane, identity_value, identity_key_query),
    draw=circle_start,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


@growing_directions_give_three_subspaces.limit(
    ">= 0", times=settling_times(leader_trap), trap=leader_trap, name="three_less_limits"
)
def three_less_limits_in_growing_directions(end: LedEnd, start: RescaledFlow):
    """3 minus the number of different limits, subspaces of codimension 2."""
    return exact([3 - end.number_of_limits])


resting_directions_give_three_subspaces = section.claim(
    where="slide 'Results are still incomplete', beyond Theorem 3",
    note=(
        "For V = diag(1, 0) no second coordinate of z ever moves, and (0, 2), (1, 0), (-2, 1), (0, 0) have four different "
        "limits, subspaces of codimension 2. The first coordinate alone has at most three limits."
    ),
    statement=(
        "If Re(lambda_j) >= 0 for k eigenvalues of V, then convergence to at most 3 parallel codimension-k subspaces? "
        "With simple eigenvalues."
    ),
    assumptions=(one_resting_direction, definite_key_query),
    draw=kernel_start,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


# The second coordinates are those of the start, as V maps to the first axis: they are compared as rationals.
@resting_directions_give_three_subspaces.limit(
    ">= 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap, name="three_less_limits"
)
def three_less_limits_in_resting_directions(end: HyperplanesEnd, start: RescaledFlow):
    """3 minus the number of different limits: of pairs of a hyperplane and a second coordinate."""
    return exact([3 - len({(int(k), row[1]) for k, row in zip(end.classes, np.asarray(start.z), strict=True)})])
