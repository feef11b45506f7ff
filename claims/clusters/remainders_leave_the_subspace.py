"""What a score has beyond e^{2 lambda t} <A pi_F z_i, A pi_F z_j> has a factor in G.

Corrected form of `e:boundrj` (clusters 5c): so it grows like e^{(lambda + |lambda_2|) t} at most, lambda_2 the largest
eigenvalue on G. The projections stand inside of A.
"""

import numpy as np

from claims.clusters.rescaling_keeps_attention import unscaled
from claims.clusters.setting import block_value, frobenius, scores, squared_norms
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, exp, numbers, sqrt, transposed
from dynamics.tokens.rooted_attention import RootedAttention

claim = Claim(
    __name__,
    where="equation (e:boundrj), corrected",
    refs=("5c",),
    statement=(
        "|w_ij - e^{2 lambda t} <A pi_F z_i, A pi_F z_j>| <= |A|^2 (|x_iF| |x_jG| + |x_iG| |x_jF| + |x_iG| |x_jG|)."
    ),
    origin=Origin.OURS,
    system=RootedAttention,
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


@claim.identity()
def remainder_less_mixed_scores(f: RootedAttention, *, share=1):
    """w_ij - e^{2 lambda t} <A pi_F z_i, A pi_F z_j> less the scores with a factor in G."""
    flow, inside = f.flow(), part_in_F(f, f.z)
    whole = scores(unscaled(flow).x, flow.B) - growth(f) * scores(inside, flow.B)
    return whole - share * mixed_scores(f)


@claim.state(">= 0")
def bound_less_remainder(f: RootedAttention, *, share=1):
    """|A|^2 (|x_iF| |x_jG| + |x_iG| |x_jF| + |x_iG| |x_jG|) less the size of those scores."""
    return share * product_in_G(f) - abs(mixed_scores(f))
