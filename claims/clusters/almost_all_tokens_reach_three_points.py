"""With two different growing rates almost every start has at most three limits: one for each side, and 0. Open.

What is left of the conjecture on codimension (clusters K4.3, O2) in the plane, where corners of a rectangle have four
limits (`different_rates_give_three_points`). The token ahead in phi_1 on its side leads; all others of the side come to
lie beside it, in the second coordinate, too. Read at two times it is evidence, no verdict.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import definite_key_query
from claims.clusters.setting.hypotheses_of_open_problems import different_growing_rates
from claims.clusters.setting.starts_of_open_problems import different_rates_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import Array, exact
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'Results are still incomplete', beyond Theorem 3, for almost every start",
    refs=("K4.3", "O2"),
    statement=(
        "d = 2, V = diag(lambda_1, lambda_2), lambda_1 > lambda_2 > 0, Q^T K > 0: for almost every start the z_i have at "
        "most three limits, one for each sign of phi_1(z_i), and 0."
    ),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(different_growing_rates, definite_key_query),
    draw=different_rates_start,
    standing=Standing.OPEN,
)


def widths(f: RescaledFlow, right: Array) -> Array:
    """|z_i - z_j|^2 for tokens of one side, shape (n, n), 0 for others."""
    apart = f.z[:, None, :] - f.z[None, :, :]
    return (apart * apart).sum(axis=-1) * exact((right[:, None] == right[None, :]).astype(int))


@claim.limit(">= 0", times=lambda start: [fmpq(1, 2), fmpq(3, 2)])
def sides_shrink(states: list[RescaledFlow], start: RescaledFlow, *, room=1):
    """8 |z_i - z_j|^2 at t = 1/2, and room, less 16 times the same at t = 3/2, tokens on one side of phi_1 = 0."""
    right = np.array([bool(value > 0) for value in start.z[:, 0]])
    early, late = (widths(state, right) for state in states)
    return 8 * early + room - 16 * late
