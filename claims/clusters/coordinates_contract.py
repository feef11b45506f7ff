"""Along a left eigenvector with lambda >= 0 the least coordinate never falls and the largest never grows.

Slides, proof of Theorem 3 (clusters Q1, `l:fj`). Neither a diagonalizable V nor Q^T K > 0 plays a part: each rate is lambda
times a mean of differences. The paper fixes an orthonormal eigenbasis, which only a normal V has; none is used.
"""

import numpy as np
from flint import fmpq

from claims.clusters.setting import first_coordinate_is_eigen, nonnegative_eigenvalue
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, peak
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'Proof of Theorem 3', its lemma",
    refs=("Q1",),
    statement=(
        "Let k in [d] s.t. lambda_k >= 0. Then a_k: t -> min_{j in [n]} phi_k^*(z_j(t)) is increasing, and "
        "b_k: t -> max_{j in [n]} phi_k^*(z_j(t)) is decreasing."
    ),
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(first_coordinate_is_eigen, nonnegative_eigenvalue),
    equivalent={
        "least_rises: room = 2 => 19/10": "It holds for every room >= 1: the rate is lambda times a mean of differences.",
        "least_rises: room = 2 => 999/500": "It holds for every room >= 1: the rate is lambda times a mean of differences.",
        "largest_falls: room = 2 => 19/10": "It holds for every room >= 1: the rate is lambda times a mean of differences.",
        "largest_falls: room = 2 => 999/500": (
            "It holds for every room >= 1: the rate is lambda times a mean of differences."
        ),
        "coordinates_stay_between: peak(first) - after => peak(first) - first": (
            "max_j phi(z_j(0)) >= phi(z_i(0)), and the other half of the statement."
        ),
        "coordinates_stay_between: after + peak(-first) => first + peak(-first)": (
            "min_j phi(z_j(0)) <= phi(z_i(0)), and the other half of the statement."
        ),
    },
)


def slopes(f: RescaledFlow) -> Array:
    """phi(z_i)' for the first coordinate, shape (..., n)."""
    axis = np.eye(f.z.shape[-1], dtype=int)[:1] + 0 * f.V[..., :1, :]
    return f.rates(axis)[..., 0, :]


@claim.state(">= 0")
def least_rises(f: RescaledFlow, *, room=2):
    """room lambda (phi(z_i) - min_j phi(z_j)) + phi(z_i)': the printed rate at the minimum; holds for every room >= 1."""
    lead = f.z[..., 0]
    return room * f.V[..., :1, 0] * (lead + peak(-lead)) + slopes(f)


@claim.state(">= 0")
def largest_falls(f: RescaledFlow, *, room=2):
    """room lambda (max_j phi(z_j) - phi(z_i)) - phi(z_i)'."""
    lead = f.z[..., 0]
    return room * f.V[..., :1, 0] * (peak(lead) - lead) - slopes(f)


@claim.trajectory(">= 0", horizon=lambda start: fmpq(1, 2))
def coordinates_stay_between(now: RescaledFlow, start: RescaledFlow):
    """phi(z_i(t)) - min_j phi(z_j(0)) and max_j phi(z_j(0)) - phi(z_i(t)), if tokens differ there and lambda > 0."""
    first, after = start.z[..., 0], now.z[..., 0]
    if (first == first[:1]).all() or start.V[0, 0] == 0:
        return first[:0]
    return np.concatenate([after + peak(-first), peak(first) - after])
