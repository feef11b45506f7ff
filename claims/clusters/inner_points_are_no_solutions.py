"""No inner point of K solves |pi_F A w|^2 = max_j <pi_F A w, pi_F A v_j>: false, 0 does.

Clusters 5b: so the set S of section 10 is said to lie in the boundary of K; here F is a line and w the mean of the
vertices. S is not finite either: where pi_F A vanishes on F, as for A = [[1, 1/2], [1/2, 1]], F = span e_1, G = span A
e_1, it is all of K.
"""

import numpy as np

from claims.clusters.setting import definite_root, line_in_the_subspace, sizes
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.tokens.rooted_attention import RootedAttention

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="section 10, the set S",
    refs=("5b",),
    note=(
        "For vertices 1 and -1 the point 0 is inside K and solves the equation, both sides being 0. The mean w of"
        " the vertices solves it only where <Aw, A(v_j - w)> = 0 for every j."
    ),
    statement="{w in K: |pi_F A w|^2 = max_j <pi_F A w, pi_F A v_j>} subset bd K.",
    origin=Origin.REPORTED,
    system=RootedAttention,
    assumptions=(line_in_the_subspace, definite_root),
    standing=Standing.FALSE,
    corrected_by="clusters.inner_solutions_are_feet",
)


@claim.state("> 0")
def head_start_of_the_mean(f: RootedAttention):
    """max_j <pi_F A w, pi_F A (v_j - w)> for w the mean of the first coordinates of the tokens."""
    v = f.z[..., 0]
    w = v.sum(axis=-1, keepdims=True) / v.shape[-1]
    return sizes(f.A[..., 0, :1] ** 2 * w * (v - w))[..., None] + np.zeros(1, dtype=int)
