"""If V is diagonalizable with eigenvalues >= 0 then every rescaled coordinate stays within its initial range.

`rescaled_coordinates_stay_bounded`: Corollary `c:bounded`, for any Q, K. Both hypotheses are needed: coordinates with a
negative eigenvalue move away from each other.

`rescaled_coordinates_stay_bounded_in_jordan_blocks`: The corollary without "diagonalizable". In a Jordan block z_1'
contains the mean of the differences of z_2, of either sign. With eigenvalue 0 and equal scores z_1 is even unbounded,
z_1(0) + t (mean - z_2).
"""

import numpy as np

from claims.clusters.setting.hypotheses import diagonal_value, jordan_block, nonnegative_rates
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import indicator, peak, transposed
from dynamics.tokens.self_attention import RescaledFlow

section = Section(__name__, refs=("Q2",), system=RescaledFlow)

rescaled_coordinates_stay_bounded = section.claim(
    where="Corollary c:bounded",
    statement="If V is diagonalizable with eigenvalues >= 0 then |phi_k(z_i(t))| <= max_j |phi_k(z_j(0))| for every k.",
    origin=Origin.REPORTED,
    assumptions=(diagonal_value, nonnegative_rates),
)


@rescaled_coordinates_stay_bounded.state(">= 0")
def sizes_fall(f: RescaledFlow, *, room=2):
    """room lambda_k |z_ik| (max_j |z_jk| - |z_ik|) - z_ik z_ik', shape (..., d, n): no largest size grows."""
    coordinates = transposed(f.z)
    rates = f.rates(indicator(np.eye(f.V.shape[-1], dtype=bool), f.V))
    length = abs(coordinates)
    pace = f.V.diagonal(axis1=-2, axis2=-1)[..., None]
    return room * pace * length * (peak(length) - length) - coordinates * rates


rescaled_coordinates_stay_bounded_in_jordan_blocks = section.claim(
    where="Corollary c:bounded, without diagonalizability",
    note=(
        "For the Jordan block V = [[0, 1], [0, 0]], equal scores and tokens (1, 0), (0, 1) the first coordinate of (1, 0), "
        "the largest of all, grows at the rate 1/2. For a diagonalizable V with eigenvalues >= 0 every coordinate stays in "
        "its initial range."
    ),
    statement="If all eigenvalues of V are real and >= 0 then max_{j,k} |z_jk| never grows, in a Jordan basis.",
    assumptions=(jordan_block,),
    corrected_by="clusters.rescaled_coordinates_stay_bounded",
)


# All coordinates at once, as a Jordan block mixes them: that the largest of all never grows is less than the corollary
# says, and fails, too.
@rescaled_coordinates_stay_bounded_in_jordan_blocks.state(">= 0")
def largest_size_falls(f: RescaledFlow, *, room=4):
    """room |z_ik| (max_{j,l} |z_jl| - |z_ik|) - z_ik z_ik': at the largest of all, its rate."""
    coordinates, rates = transposed(f.z), transposed(f.drift())
    length = abs(coordinates)
    top = peak(peak(length).swapaxes(-1, -2))
    return room * length * (top - length) - coordinates * rates
