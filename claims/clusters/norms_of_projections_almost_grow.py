"""The norms |pi_F A z_i| almost grow, by <pi_F A z_i, pi_F A (z_j - z_i)>: false.

Clusters 5d, Step 2' of section 10 as it is written: two tokens may stand still for ever while their printed head start is
positive, for it is not what the scores measure. Two tokens of which each leads itself by <Az, Az'>, late, are enough.
"""

from claims.clusters.projected_norms_almost_grow import allowance
from claims.clusters.projected_scores_have_small_remainders import projected_scores
from claims.clusters.remainders_leave_the_subspace import part_in_F
from claims.clusters.setting import block_value, definite_root, head_starts
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.arithmetic import transposed
from dynamics.tokens.rooted_attention import RootedAttention

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="section 10, Step 2' (e:derivativenorm123), cl:gamma'12",
    refs=("5d",),
    note=(
        "The projection pi_F stands outside of A: tokens (0, 1), (0, 2) with V = diag(1, 0) and A = [[2, 1], [1, "
        "2]] never move, and the first has the head start a_12 = 1 all the same. With A pi_F z in the place of "
        "pi_F A z it holds."
    ),
    statement=(
        "(1/2) d/dt |pi_F A z_i|^2 >= lambda (max_j a_ij - (omega_n + 2 max_j |r_ij|) e^{-2 lambda t}), "
        "a_ij = <pi_F A z_i, pi_F A (z_j - z_i)>."
    ),
    origin=Origin.REPORTED,
    system=RootedAttention,
    assumptions=(block_value, definite_root),
    standing=Standing.FALSE,
    corrected_by="clusters.projected_norms_almost_grow",
)


@claim.state(">= 0")
def growth_less_head_start(f: RootedAttention):
    """<pi_F A z_i, pi_F A z_i'> / lambda - max_j a_ij + (omega_n + 2 max_j |r_ij|) e^{-2 lambda t}."""
    image, moved = (part_in_F(f, x @ transposed(f.A)) for x in (f.z, f.flow().drift()))
    rate = (image * moved).sum(axis=-1) / f.V[..., :1, 0]
    return rate - head_starts(projected_scores(f)) + allowance(f)
