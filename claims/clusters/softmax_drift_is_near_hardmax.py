"""At late times a rescaled token moves towards the mean of its leaders, up to an exponentially small part.

Slide "Two timescales" (clusters TS), corrected: the mean over the argmax, where the slide has the sum. With V = I and
beta = e^{2t} the other tokens have a weight of at most sum_j e^{-beta (max s - s_j)} / |argmax|; twice this
leaves room that is seen at e^-10^12, too.
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting import scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, below_peak, exp, indicator, numbers, peak, transposed
from dynamics.attention import average_over, leaders
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'Two timescales', corrected",
    refs=("TS",),
    statement=(
        "If V = I then z_i' differs from the mean of z_j - z_i over the argmax by at most "
        "(2/|argmax|) sum_{j not in argmax} e^{-beta (max_k s_ik - s_ij)} times the diameter."
    ),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query),
    equivalent={
        "bound_less_difference, in excess: 1 - indicator(mask, f.z) => 21/20 - indicator(mask, f.z)": (
            "Leaders drop out, so the excess grows by that factor; a weight is at most e^{-beta gap}/|argmax|, "
            "so half of the bound is enough."
        ),
        "bound_less_difference, in excess: 1 - indicator(mask, f.z) => 1001/1000 - indicator(mask, f.z)": (
            "Leaders drop out, so the excess grows by that factor; a weight is at most e^{-beta gap}/|argmax|, "
            "so half of the bound is enough."
        ),
    },
)


def weight_of_others(f: RescaledFlow) -> Array:
    """(2/|argmax|) sum_{j not in argmax} e^{-beta (max_k s_ik - s_ij)}, shape (..., n, 1)."""
    s = scores(f.z, f.B)
    leading = indicator(leaders(s), f.z)
    far = exp(numbers(exp(2 * f.t)[..., None, None] * below_peak(s)))
    return ((1 - leading) * far).sum(axis=-1, keepdims=True) / leading.sum(axis=-1, keepdims=True)


def widths(f: RescaledFlow) -> Array:
    """max_j z_jk - min_j z_jk for each coordinate, shape (..., 1, d)."""
    columns = transposed(f.z)
    return transposed(peak(columns) + peak(-columns))


def excess(f: RescaledFlow) -> Array:
    """z_i' less the mean of z_j - z_i over the argmax, shape (..., n, d): leaders have equal weights, and drop out."""
    mask = leaders(scores(f.z, f.B))
    apart = f.z[..., None, :, :] - average_over(mask, f.z)[..., :, None, :]
    others = (1 - indicator(mask, f.z)) * f.attention()
    return (others[..., None] * apart).sum(axis=-2)


@claim.state(">= 0")
def bound_less_difference(f: RescaledFlow, *, share=2):
    """share/2 times the bound less |z_i' - mean over the argmax of (z_j - z_i)|, by coordinates."""
    return share * weight_of_others(f) * widths(f) - abs(excess(f))
