"""Step 2' of section 10 fails with pi_F A in its set S, and holds with A pi_F in its place.

`limits_of_projections_lie_in_the_projected_set`: Step 2' bounds the growth of |pi_F A z_i|^2 from below, for large t,
wherever pi_F z_i is outside a neighbourhood of S. This norm is bounded, so every limit of pi_F z_i would lie in S. It is
tested on tokens in F with pi_F A = 1 on F: A = [[1, C], [C^T, h]] with h > |C|^2. The tokens remain in F, where Q^T K = 1 +
C C^T and S = {w in K: |w|^2 = max_j <w, v_j>}. Attention is by Q^T K, not by pi_F A: a token may attend to itself, and
stay, where another has a larger <w, v_j>.

`projected_norms_almost_grow`: Step 2' corrected, from which the theorem follows; a_ij = <A pi_F z_i, A pi_F (z_j - z_i)>,
and r_ij are the remainders of the scores.
"""

import numpy as np

from claims.clusters.remainders_of_scores import growth, mixed_scores, part_in_F
from claims.clusters.setting.hypotheses import block_value
from claims.clusters.setting.hypotheses_for_limits import unit_root_on_the_subspace
from claims.clusters.setting.notation import form, head_starts, omega, scores, sizes
from claims.clusters.setting.starts import large_remainders_or_any
from claims.clusters.setting.starts_of_flows import steep_start
from claims.stating.assumptions import identity_value
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, exact
from dynamics.limits import LedEnd, leader_trap, settling_times
from dynamics.tokens.rooted_attention import RootedAttention
from dynamics.tokens.self_attention import RescaledFlow

section = Section(__name__)

limits_of_projections_lie_in_the_projected_set = section.claim(
    where="section 10, Step 2' (e:derivativenorm123), cl:gamma'12",
    refs=("5d",),
    note=(
        "pi_F stands outside of A: with F the first two axes and A = [[1, 0, 2], [0, 1, 0], [2, 0, 5]] the tokens (1, 1, "
        "0) and (0, 3, 0) attend to themselves and hardly move, but |pi_F A z_1|^2 = 2 is less than <pi_F A z_1, pi_F A "
        "z_2> = 3, and z_1 stays outside S. With A pi_F z instead of pi_F A z Step 2' holds."
    ),
    statement=(
        "There is gamma > 0 such that for delta <= delta_0 and t >= T(delta): if pi_F z_i is farther than delta from S = {w"
        " in K: |pi_F A w|^2 = max_j <pi_F A w, pi_F A v_j>} then d/dt |pi_F A z_i|^2 >= gamma delta. So every limit of "
        "pi_F z_i lies in S."
    ),
    origin=Origin.REPORTED,
    system=RescaledFlow,
    assumptions=(identity_value, unit_root_on_the_subspace),
    draw=steep_start,
    corrected_by="clusters.projected_norms_almost_grow",
    defect=Defect(
        Kind.LEMMA,
        quotation=(
            r"There is $\gamma > 0$ such that for $\delta \le \delta_0$ and $t \ge T(\delta)$: if $\pi_F z_i$ is "
            r"farther than $\delta$ from $\mathcal S$, then $\frac{d}{dt} |\pi_F A z_i|^2 \ge \gamma \delta$."
        ),
        context=(
            r"Section 10, Step 2': $\mathcal S = \{w \in \mathcal K : |\pi_F A w|^2 = \max_j \langle \pi_F A w, "
            r"\pi_F A v_j \rangle\}$, $A = (Q^\top K)^{1/2}$, $V_{|F} = \lambda I$, $v_j$ the vertices of "
            r"$\mathcal K$, the limit of the hulls of the $\pi_F z_i$, and $\pi_F$ the projection to $F$ along $G$."
        ),
        wrong=(
            r"$\pi_F$ stands in front of $A$, but attention goes by $A$ itself: a token may have the largest score with "
            r"itself, and rest outside $\mathcal S$."
        ),
        correction=(
            r"With $A \pi_F z_i$ in the place of $\pi_F A z_i$, also in $\mathcal S$: $\frac12 \frac{d}{dt} |A \pi_F z_i|^2"
            r" \ge \lambda (\max_j a_{ij} - o(1))$, $a_{ij} = \langle A \pi_F z_i, A \pi_F (z_j - z_i) \rangle$."
        ),
        consequences=(
            Consequence("Theorem 5.2", why=r"Its proof goes through with $A \pi_F z$ in the place of $\pi_F A z$."),
        ),
    ),
)


# Whether a vertex v_i lies in S: <v_i, v_i> >= <v_i, v_j> for all others.
@limits_of_projections_lie_in_the_projected_set.limit(">= 0", times=settling_times(leader_trap), trap=leader_trap)
def own_product_less_others(end: LedEnd, start: RescaledFlow):
    """<v_i, v_i> - <v_i, v_j> for two vertices of K, which are the limits of the tokens pi_F z."""
    v = end.limits[end.vertices]
    i, j = np.nonzero(~np.eye(len(v), dtype=bool))
    return (v[i] * (v[i] - v[j])).sum(axis=-1)


@limits_of_projections_lie_in_the_projected_set.by_hand(
    by_argument=True,
    z=[[1, 1, 0], [0, 3, 0]],
    B=[[5, 0, 12], [0, 1, 0], [12, 0, 29]],
    V=[[1, 0, 0], [0, 1, 0], [0, 0, 0]],
    beside=r"The certificate has the same tokens as points of $F$, where scores go by $\mathrm{diag}(5, 1)$.",
)
def two_tokens_that_rest(f: RescaledFlow):
    """Both lead themselves, and one is outside of S."""
    A = exact([[1, 0, 2], [0, 1, 0], [2, 0, 5]])
    first, second = (A @ z for z in f.z)
    yield (
        rf"Take $F = \mathbb R^2 \times 0$, $V = \mathrm{{diag}}(1, 1, 0)$, $A = {tex(A)}$ and the tokens $z_1 = "
        rf"{tex([*f.z[0]])}$, $z_2 = {tex([*f.z[1]])}$ in $F$."
    )
    yield (
        rf"$A z_1 = {tex([*first])}$ and $A z_2 = {tex([*second])}$: $|A z_1|^2 = {tex(first @ first)}$ and $|A "
        rf"z_2|^2 = {tex(second @ second)}$ exceed $\langle A z_1, A z_2 \rangle = {tex(first @ second)}$."
    )
    yield (
        r"So each has its largest score with itself and gives the other about $e^{-3 e^{2t}}$ or less, whose integral over "
        r"$t \ge 0$ is below $0.01$: both hardly move, and their limits are the vertices of $\mathcal K$."
    )
    yield (
        rf"But $|\pi_F A z_1|^2 = {tex(first[:2] @ first[:2])} < {tex(first[:2] @ second[:2])} = \langle \pi_F A "
        rf"z_1, \pi_F A z_2 \rangle$: $z_1$ stays away from $\mathcal S$, and a bounded norm cannot grow for "
        rf"ever."
    )


# Of B = A^T A only products with a factor in F enter a_ij; all others are in r_ij, which the bound allows for.
projected_norms_almost_grow = section.claim(
    where="section 10, Step 2' (e:derivativenorm123), corrected",
    refs=("5d", "T4", "G4"),
    statement=(
        "(1/2) d/dt |A pi_F z_i|^2 >= lambda (max_j a_ij - (omega_n + 2 max_j |r_ij|) e^{-2 lambda t}), "
        "a_ij = <A pi_F z_i, A pi_F (z_j - z_i)>."
    ),
    system=RootedAttention,
    assumptions=(block_value,),
    draw=large_remainders_or_any,
)


def allowance(f: RootedAttention, gap: int = 1) -> Array:
    """(omega_n + 2 max_j |r_ij|) e^{-2 lambda t}, shape (..., n)."""
    return (gap * omega(f.z.shape[-2], f.z) + 2 * sizes(abs(mixed_scores(f)))) / growth(f)[..., 0]


@projected_norms_almost_grow.state(">= 0")
def growth_less_head_start(f: RootedAttention, *, gap=1):
    """<A pi_F z_i, A pi_F z_i'> / lambda - max_j a_ij + (omega_n + 2 max_j |r_ij|) e^{-2 lambda t}."""
    flow, inside = f.flow(), part_in_F(f, f.z)
    rate = form(inside, flow.B, part_in_F(f, flow.drift())) / f.V[..., :1, 0]
    return rate - head_starts(scores(inside, flow.B)) + allowance(f, gap)
