"""S is finite, at every time: two points inside of one face are at most as far apart as they miss the equation of S.

`cl:propofS` (clusters T2, propofS) for the hull of the tokens at any time, V = I or not. For means w = sum_j p_j z_j
and u = sum_j q_j z_j with positive weights and a(w) = max_j <w, B z_j> - <w, Bw>, which is 0 exactly on S: the scores
of w differ by at most a(w)/min p, so that <w - u, B (w - u)> <= a(w)/min p + a(u)/min q. In S both sides vanish: one
point for each face.
"""

from claims.assumptions import definite_key_query
from claims.clusters.setting import form, sizes
from claims.clusters.setting.starts_of_open_problems import pair_far_apart
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, numbers, peak
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="cl:propofS, at every time",
    refs=("T2", "propofS"),
    statement=(
        "Q^T K = A^2 > 0, w and u means of the tokens with positive weights p and q: |A(w - u)|^2 <= a(w)/min p + "
        "a(u)/min q with a(w) = max_j <Aw, Az_j> - |Aw|^2. So S has at most one point inside of each face."
    ),
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(definite_key_query,),
    draw=pair_far_apart,
)


def misses(f: SelfAttentionFlow) -> Array:
    """a(w_i)/min_j P_ij for the means w_i = sum_j P_ij x_j, shape (..., n)."""
    P = f.attention()
    means = P @ f.x
    excess = sizes(means @ f.B @ f.x.swapaxes(-1, -2)) - form(means, f.B, means)
    return numbers(excess / -peak(-P)[..., 0])


@claim.state(">= 0")
def misses_less_distance(f: SelfAttentionFlow, *, share=1):
    """a(w_i)/min p + a(w_k)/min q - |A(w_i - w_k)|^2 for the means that the rows of P make."""
    means, a = f.attention() @ f.x, misses(f)
    apart = means[..., :, None, :] - means[..., None, :, :]
    return a[..., :, None] + a[..., None, :] - share * ((apart @ f.B[..., None, :, :]) * apart).sum(axis=-1)
