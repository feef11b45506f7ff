"""No inner point of K solves |pi_F A w|^2 = max_j <pi_F A w, pi_F A v_j>: false, 0 does.

Clusters 5b: so the set S of section 10 is said to lie in the boundary of K; here F is a line and w the mean of the
vertices. S is not finite either: where pi_F A vanishes on F, as for A = [[1, 1/2], [1/2, 1]], F = span e_1, G = span A
e_1, it is all of K.
"""

import numpy as np

from claims.clusters.setting import definite_root, line_in_the_subspace, sizes
from claims.defects import Consequence, Defect, Kind, tex
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.rooted_attention import RootedAttention

claim = Claim(
    __name__,
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
    defect=Defect(
        Kind.CASE,
        quotation=(
            r"$\mathcal S = \{w \in \mathcal K : |\pi_F A w|^2 = \max_j \langle \pi_F A w, \pi_F A v_j \rangle\} "
            r"\subset \partial \mathcal K$."
        ),
        context=r"Section 10; $v_j$ are the vertices of $\mathcal K$, $A > 0$, $\pi_F$ the projection to $F$ along $G$.",
        wrong=r"$w = 0$ lies in $\mathcal S$ whenever it lies in $\mathcal K$: both sides are $0$ there.",
        correction=(
            r"$\mathcal S \subset \partial \mathcal K \cup \{0\}$ if $\mathcal K$ has inner points in $F$, with $A \pi_F$ "
            r"in the place of $\pi_F A$."
        ),
        consequences=(
            Consequence(
                "Theorem 4",
                survives=True,
                why=r"With the union with $\{0\}$.",
                shown_by="clusters.inner_solutions_are_feet",
            ),
        ),
    ),
)


@claim.state("> 0")
def head_start_of_the_mean(f: RootedAttention):
    """max_j <pi_F A w, pi_F A (v_j - w)> for w the mean of the first coordinates of the tokens."""
    v = f.z[..., 0]
    w = v.sum(axis=-1, keepdims=True) / v.shape[-1]
    return sizes(f.A[..., 0, :1] ** 2 * w * (v - w))[..., None] + np.zeros(1, dtype=int)


@claim.by_hand(by_argument=True, z=[[1], [-1]], A=[[1]], V=[[1]])
def the_origin(f: RootedAttention):
    """0 between 1 and -1."""
    yield (
        rf"Take $d = 1$, $F = \mathbb R$, $A = 1$ and the vertices ${tex(f.z[0, 0])}$ and ${tex(f.z[1, 0])}$: "
        rf"$\mathcal K = [-1, 1]$."
    )
    yield (
        r"For $w = 0$ the left side is $0^2 = 0$ and the right side $\max(0 \cdot 1, 0 \cdot (-1)) = 0$: $0 \in "
        r"\mathcal S$, but $0 \notin \partial \mathcal K$."
    )
