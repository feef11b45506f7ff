"""The same with <pi_F A z_i, pi_F A z_j>: false unless A respects F and G.

Clusters 5c, `e:boundrj` as it is written, with the projection outside of A: the scores of tokens in F alone then have a
remainder e^{2 lambda t} |(1 - pi_F) A z|^2, as large as themselves.
"""

from claims.clusters.remainders_leave_the_subspace import growth, mixed_scores, part_in_F, product_in_G
from claims.clusters.setting import block_value, definite_root, scores
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.arithmetic import Array, transposed
from dynamics.tokens.rooted_attention import RootedAttention

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="equation (e:boundrj)",
    refs=("5c",),
    note=(
        "The projection pi_F stands outside of A, which may carry G into F: for (0, 1), (0, 2), A = [[2, 1], [1, "
        "2]], F the first axis and t = 3 the remainder of w_22 is 1594, and the bound is 80 or less. With A pi_F "
        "z in the place of pi_F A z the bound holds."
    ),
    statement=(
        "|w_ij - e^{2 lambda t} <pi_F A z_i, pi_F A z_j>| <= 2 |A|^2 (|x_iF| |x_jG| + |x_iG| |x_jF| + |x_iG| |x_jG|)."
    ),
    origin=Origin.REPORTED,
    system=RootedAttention,
    assumptions=(block_value, definite_root),
    standing=Standing.FALSE,
    corrected_by="clusters.remainders_leave_the_subspace",
)


def projected_scores(f: RootedAttention) -> Array:
    """<pi_F A z_i, pi_F A z_j>, shape (..., n, n)."""
    image = part_in_F(f, f.z @ transposed(f.A))
    return image @ transposed(image)


@claim.state(">= 0")
def bound_less_remainder(f: RootedAttention):
    """Twice the bound less |w_ij - e^{2 lambda t} <pi_F A z_i, pi_F A z_j>|."""
    inside = scores(part_in_F(f, f.z), f.flow().B) - projected_scores(f)
    return 2 * product_in_G(f) - abs(growth(f) * inside + mixed_scores(f))
