"""Equation (e:boundrj): what scores keep of a projection (clusters 5c).

`remainders_leave_the_subspace`: What a score has beyond e^{2 lambda t} <A pi_F z_i, A pi_F z_j> has a factor in G.

Corrected form of `e:boundrj` (clusters 5c): so it grows like e^{(lambda + |lambda_2|) t} at most, lambda_2 the largest
eigenvalue on G. The projections stand inside of A.

`projected_scores_have_small_remainders`: The same with <pi_F A z_i, pi_F A z_j>: false unless A respects F and G.

Clusters 5c, `e:boundrj` as it is written, with the projection outside of A: the scores of tokens in F alone then have a
remainder e^{2 lambda t} |(1 - pi_F) A z|^2, as large as themselves.
"""

import numpy as np

from claims.clusters.rescaling_keeps_attention import unscaled
from claims.clusters.setting import block_value, definite_root, frobenius, scores, squared_norms
from claims.defects import Consequence, Defect, Kind, tex
from claims.statement import Origin, Section, Standing
from dynamics.arithmetic import Array, exp, numbers, sqrt, transposed
from dynamics.tokens.rooted_attention import RootedAttention

section = Section(__name__, refs=("5c",), system=RootedAttention)

remainders_leave_the_subspace = section.claim(
    "remainders_leave_the_subspace",
    where="equation (e:boundrj), corrected",
    statement=(
        "|w_ij - e^{2 lambda t} <A pi_F z_i, A pi_F z_j>| <= |A|^2 (|x_iF| |x_jG| + |x_iG| |x_jF| + |x_iG| |x_jG|)."
    ),
    assumptions=(block_value,),
)


def part_in_F(f: RootedAttention, x: Array) -> Array:
    """pi_F x: the first k coordinates, the others 0."""
    return np.where(np.arange(x.shape[-1]) < int(f.k), x, 0 * x)


def growth(f: RootedAttention) -> Array:
    """e^{2 lambda t}, shape (..., 1, 1)."""
    return exp(numbers(2 * f.V[..., 0, 0] * f.t))[..., None, None]


def product_in_G(f: RootedAttention) -> Array:
    """|A|^2 (|x_iF| |x_jG| + |x_iG| |x_jF| + |x_iG| |x_jG|), shape (..., n, n)."""
    F, G = (sqrt(numbers(squared_norms(part)))[..., None] for part in parts(f))
    products = F * transposed(G) + G * transposed(F) + G * transposed(G)
    return frobenius(f.A)[..., None, None] ** 2 * products


def parts(f: RootedAttention) -> tuple[Array, Array]:
    """pi_F x and pi_G x for x = e^{tV} z, each exactly 0 where that part of z is."""
    inside = part_in_F(f, f.z)
    outside = unscaled(f.flow().replace(z=f.z - inside)).x
    return exp(numbers(f.V[..., 0, 0] * f.t))[..., None, None] * inside, outside - part_in_F(f, outside)


def mixed_scores(f: RootedAttention) -> Array:
    """<A x_iF, A x_jG> + <A x_iG, A x_jF> + <A x_iG, A x_jG>, shape (..., n, n)."""
    F, G = (part @ transposed(f.A) for part in parts(f))
    return F @ transposed(G) + G @ transposed(F) + G @ transposed(G)


@remainders_leave_the_subspace.identity()
def remainder_less_mixed_scores(f: RootedAttention, *, share=1):
    """w_ij - e^{2 lambda t} <A pi_F z_i, A pi_F z_j> less the scores with a factor in G."""
    flow, inside = f.flow(), part_in_F(f, f.z)
    whole = scores(unscaled(flow).x, flow.B) - growth(f) * scores(inside, flow.B)
    return whole - share * mixed_scores(f)


@remainders_leave_the_subspace.state(">= 0")
def bound_less_remainder(f: RootedAttention, *, share=1):
    """|A|^2 (|x_iF| |x_jG| + |x_iG| |x_jF| + |x_iG| |x_jG|) less the size of those scores."""
    return share * product_in_G(f) - abs(mixed_scores(f))


projected_scores_have_small_remainders = section.claim(
    "projected_scores_have_small_remainders",
    where="equation (e:boundrj)",
    note=(
        "The projection pi_F stands outside of A, which may carry G into F: for (0, 1), (0, 2), A = [[2, 1], [1, "
        "2]], F the first axis and t = 3 the remainder of w_22 is 1594, and the bound is 80 or less. With A pi_F "
        "z in the place of pi_F A z the bound holds."
    ),
    statement=(
        "|w_ij - e^{2 lambda t} <pi_F A z_i, pi_F A z_j>| <= 2 |A|^2 (|x_iF| |x_jG| + |x_iG| |x_jF| + |x_iG| |x_jG|)."
    ),
    origin=Origin.REPORTED,
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


@projected_scores_have_small_remainders.state(">= 0", name="bound_less_remainder")
def bound_less_printed_remainder(f: RootedAttention):
    """Twice the bound less |w_ij - e^{2 lambda t} <pi_F A z_i, pi_F A z_j>|."""
    inside = scores(part_in_F(f, f.z), f.flow().B) - projected_scores(f)
    return 2 * product_in_G(f) - abs(growth(f) * inside + mixed_scores(f))


@projected_scores_have_small_remainders.by_hand(
    by_argument=True, z=[[0, 1], [0, 2]], A=[[2, 1], [1, 2]], V=[[1, 0], [0, 0]], t=3
)
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
