"""The set S of section 10 may contain points inside the projected polytope.

The section takes S = {w in K: |pi_F A w|^2 = max_j <pi_F A w, pi_F A v_j>} to be finite and in bd K.

`inner_points_are_no_solutions`: S in bd K, for F a line and w the mean of the vertices. S need not be finite either: for A
= [[1, 1/2], [1/2, 1]], F = span e_1, G = span A e_1 the map pi_F A vanishes on F, and S = K.

`inner_solutions_are_feet`: What holds with the scores <Aw, Av_j> themselves. For w the mean of the vertices the numbers a_j
= <Aw, A(v_j - w)> sum to zero, so max_j a_j >= sum_j |a_j| / (2(n - 1)); w is in S only if all a_j vanish, that is if w is
the point of the affine hull of K nearest to 0 in the form of A.
"""

import numpy as np

from claims.clusters.setting.hypotheses import definite_root, line_in_the_subspace, two_tokens
from claims.clusters.setting.notation import sizes
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, transposed
from dynamics.tokens.rooted_attention import RootedAttention

section = Section(__name__, system=RootedAttention)

inner_points_are_no_solutions = section.claim(
    where="section 10, the set S",
    refs=("5b",),
    note=(
        "For the vertices (1, 0) and (-1, 0) the point (0, 0) lies inside K and solves the equation, both sides being 0. "
        "The mean w of the vertices solves it only if <Aw, A(v_j - w)> = 0 for every j."
    ),
    statement="{w in K: |pi_F A w|^2 = max_j <pi_F A w, pi_F A v_j>} subset bd K.",
    origin=Origin.REPORTED,
    assumptions=(line_in_the_subspace, definite_root),
    corrected_by="clusters.inner_solutions_are_feet",
    defect=Defect(
        Kind.CASE,
        quotation=(
            r"$\mathcal S = \{w \in \mathcal K : |\pi_F A w|^2 = \max_j \langle \pi_F A w, \pi_F A v_j \rangle\} "
            r"\subset \partial \mathcal K$."
        ),
        context=(
            r"Section 10: $v_j$ are the vertices of $\mathcal K \subset F$, $\partial \mathcal K$ its boundary in $F$, "
            r"$A > 0$, $\pi_F$ the projection to $F$ along $G$."
        ),
        wrong=r"$w = 0$ lies in $\mathcal S$ whenever it lies in $\mathcal K$: both sides are $0$ there.",
        correction=(
            r"$\mathcal S \subset \partial \mathcal K \cup \{0\}$, with $A \pi_F$ in the place of $\pi_F A$: where "
            r"$\pi_F A$ vanishes on $F$, $\mathcal S$ as it stands is all of $\mathcal K$."
        ),
        consequences=(Consequence("Theorem 5.2", why=r"With the union with $\{0\}$."),),
    ),
)


# On a line F the map pi_F A is multiplication by A_11, which drops out of the sign: only w = 0 or equal tokens solve it.
@inner_points_are_no_solutions.state("> 0")
def head_start_of_the_mean(f: RootedAttention):
    """max_j <pi_F A w, pi_F A (v_j - w)> for w the mean of the first coordinates of the tokens."""
    v = f.z[..., 0]
    w = v.sum(axis=-1, keepdims=True) / v.shape[-1]
    return sizes(f.A[..., 0, :1] ** 2 * w * (v - w))[..., None] + np.zeros(1, dtype=int)


@inner_points_are_no_solutions.by_hand(by_argument=True, z=[[1, 0], [-1, 0]], A=[[1, 0], [0, 1]], V=[[1, 0], [0, 0]])
def the_origin(f: RootedAttention):
    """0 between 1 and -1."""
    yield (
        rf"Take $V = {tex(f.V)}$, $F = \mathbb R \times 0$, $G = 0 \times \mathbb R$, $A = I$ and the vertices "
        rf"${tex([*f.z[0]])}$ and ${tex([*f.z[1]])}$, the limits of two opposite tokens in $F$: $\mathcal K = [-1, 1] "
        rf"\times 0$."
    )
    yield (
        r"For $w = (0, 0)$ the left side is $0^2 = 0$ and the right side $\max(0 \cdot 1, 0 \cdot (-1)) = 0$: $w \in "
        r"\mathcal S$, but $w \notin \partial \mathcal K = \{(-1, 0), (1, 0)\}$."
    )


inner_solutions_are_feet = section.claim(
    where="section 10, the set S, corrected",
    refs=("5b", "T4"),
    statement=(
        "For w the mean of v_1, ..., v_n and a_j = <Aw, A(v_j - w)>: max_j a_j >= sum_j |a_j| / (2(n - 1)). So |Aw|^2 = "
        "max_j <Aw, Av_j> only if Aw is orthogonal to all A(v_j - w): where K has an interior and A > 0, only if w = 0."
    ),
    assumptions=(two_tokens,),
)


def head_starts_of_the_mean(f: RootedAttention) -> Array:
    """<Aw, A(v_j - w)> for the tokens v_j in F and their mean w, shape (..., n)."""
    image = f.z[..., : int(f.k)] @ transposed(f.A[..., : int(f.k)])
    mean = image.sum(axis=-2, keepdims=True) / f.z.shape[-2]
    return ((image - mean) * mean).sum(axis=-1)


# The a_j sum to 0, so the positive ones sum to half of sum |a_j|, and at most n - 1 of them are positive.
@inner_solutions_are_feet.state(">= 0")
def largest_less_mean_size(f: RootedAttention, *, share=1):
    """max_j a_j - sum_j |a_j| / (2(n - 1))."""
    a = head_starts_of_the_mean(f)
    return sizes(a) - share * abs(a).sum(axis=-1) / (2 * (a.shape[-1] - 1))
