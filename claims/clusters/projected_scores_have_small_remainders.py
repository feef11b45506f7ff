"""The same with <pi_F A z_i, pi_F A z_j>: false unless A respects F and G.

Clusters 5c, `e:boundrj` as it is written, with the projection outside of A: the scores of tokens in F alone then have a
remainder e^{2 lambda t} |(1 - pi_F) A z|^2, as large as themselves.
"""

from claims.clusters.remainders_leave_the_subspace import growth, mixed_scores, part_in_F, product_in_G
from claims.clusters.setting import block_value, definite_root, scores
from claims.defects import Consequence, Defect, Kind, tex
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import Array, transposed
from dynamics.tokens.rooted_attention import RootedAttention

claim = Claim(
    __name__,
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
    defect=Defect(
        Kind.LEMMA,
        quotation=(
            r"$w_{ij} = e^{2 \lambda t} \langle \pi_F A z_i, \pi_F A z_j \rangle + r_{ij}$ with $|r_{ij}| \le C "
            r"e^{(\lambda + \mu) t}$."
        ),
        context=(
            r"Equation (e:boundrj), section 10; $w_{ij} = \langle A x_i, A x_j \rangle$, $x = e^{tV} z$, $V_{|F} "
            r"= \lambda I$, the eigenvalues of $V_{|G}$ below $\mu < \lambda$ in modulus. We ask for it with "
            r"$|r_{ij}| \le 2 |A|^2 (|x_{iF}| |x_{jG}| + |x_{iG}| |x_{jF}| + |x_{iG}| |x_{jG}|)$, which is such a "
            r"bound."
        ),
        wrong=(
            r"$\pi_F$ stands outside of $A$; where $A$ carries $G$ into $F$, the first term grows like $e^{2 "
            r"\lambda t}$ though $x$ has no part in $F$ at all."
        ),
        correction=r"$w_{ij} = e^{2 \lambda t} \langle A \pi_F z_i, A \pi_F z_j \rangle + r_{ij}$ with this bound.",
        consequences=(
            Consequence(
                "Theorem 4",
                survives=True,
                why=r"Its proof goes through with $A \pi_F z$ in the place of $\pi_F A z$.",
                shown_by="clusters.remainders_leave_the_subspace",
            ),
        ),
    ),
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


@claim.by_hand(by_argument=True, z=[[0, 1], [0, 2]], A=[[2, 1], [1, 2]], V=[[1, 0], [0, 0]], t=3)
def tokens_outside_of_the_subspace(f: RootedAttention):
    """Tokens in G do not move, and the first term explodes."""
    A = f.A
    image = A @ f.z[1]
    yield (
        rf"Take $V = {tex(f.V)}$, $F = \mathbb R \times 0$, $G = 0 \times \mathbb R$, $\lambda = 1$, $A = "
        rf"{tex(A)}$, tokens $z = (0, 1)$ and $(0, 2)$ in $G$."
    )
    yield (
        rf"$x = e^{{tV}} z = z$ for all $t$, $A (0, 2)^\top = {tex([*image])}$, so $w_{{22}} = "
        rf"{tex(image @ image)}$ stays, while $\langle \pi_F A z_2, \pi_F A z_2 \rangle = "
        rf"{tex(image[0] * image[0])}$."
    )
    yield (
        r"So $r_{22} = 20 - 4 e^{2t}$, and no $C e^{(\lambda + \mu) t}$ with $\mu < \lambda$ bounds it; at $t = "
        r"3$ it is below $-1593$."
    )
