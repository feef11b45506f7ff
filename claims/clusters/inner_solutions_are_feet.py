"""The mean w of the vertices solves |Aw|^2 = max_j <Aw, Av_j> only if it is the foot of 0 in the form of A.

Corrected from section 10 (clusters 5b, 5d, T4): with the scores' own <Aw, Av_j> the numbers a_j = <Aw, A(v_j - w)> sum to
zero, so that max_j a_j >= sum_j |a_j| / (2(n - 1)), and all vanish where the largest does.
"""

from claims.clusters.setting import sizes, two_tokens
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, transposed
from dynamics.tokens.rooted_attention import RootedAttention

claim = Claim(
    __name__,
    where="section 10, the set S, corrected",
    refs=("5b", "T4"),
    statement=(
        "For w the mean of v_1, ..., v_n and a_j = <Aw, A(v_j - w)>: max_j a_j >= sum_j |a_j| / (2(n - 1)). So |Aw|^2 = "
        "max_j <Aw, Av_j> only if Aw is orthogonal to all A(v_j - w): where K has an interior and A > 0, only if w = 0."
    ),
    origin=Origin.OURS,
    system=RootedAttention,
    assumptions=(two_tokens,),
)


def head_starts_of_the_mean(f: RootedAttention) -> Array:
    """<Aw, A(v_j - w)> for the tokens v_j in F and their mean w, shape (..., n)."""
    image = f.z[..., : int(f.k)] @ transposed(f.A[..., : int(f.k)])
    mean = image.sum(axis=-2, keepdims=True) / f.z.shape[-2]
    return ((image - mean) * mean).sum(axis=-1)


@claim.state(">= 0")
def largest_less_mean_size(f: RootedAttention, *, share=1):
    """max_j a_j - sum_j |a_j| / (2(n - 1))."""
    a = head_starts_of_the_mean(f)
    return sizes(a) - share * abs(a).sum(axis=-1) / (2 * (a.shape[-1] - 1))
