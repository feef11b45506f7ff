"""With real eigenvalues >= 0 alone, every rescaled coordinate stays within the initial range of all coordinates: false.

Clusters Q2 without "diagonalizable": in a Jordan block z_1' has the mean of the differences of z_2 in it, of either sign.
With eigenvalue 0 and equal scores z_1 even leaves every bound, as z_1(0) + t (mean - z_2).
"""

from claims.clusters.setting import jordan_block
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import peak, transposed
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Corollary c:bounded, without diagonalizability",
    refs=("Q2",),
    note=(
        "With the Jordan block V = [[0, 1], [0, 0]] and equal scores the token (1, 0) beside (0, 1) has its first"
        " coordinate, the largest of all, grow at the rate 1/2. For a diagonalizable V with eigenvalues >= 0 "
        "every coordinate stays in its initial range."
    ),
    statement="If all eigenvalues of V are real and >= 0 then max_{j,k} |z_jk| never grows, in a Jordan basis.",
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(jordan_block,),
    standing=Standing.FALSE,
    corrected_by="clusters.rescaled_coordinates_stay_bounded",
)


@claim.state(">= 0")
def largest_size_falls(f: RescaledFlow, *, room=4):
    """room |z_ik| (max_{j,l} |z_jl| - |z_ik|) - z_ik z_ik': at the largest of all, its rate."""
    coordinates, rates = transposed(f.z), transposed(f.drift())
    length = abs(coordinates)
    top = peak(peak(length).swapaxes(-1, -2))
    return room * length * (top - length) - coordinates * rates
