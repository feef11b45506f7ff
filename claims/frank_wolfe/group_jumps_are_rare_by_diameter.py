"""Group jumps are rare, with D(K) in place of R = max |v_i| as in the source: false in high dimension.

Internal claim `cl: group.cluster.bound` (frank_wolfe FW-15). At an almost right-angled corner of an acute simplex in R^d
the d edges share a direction: a token that leans r along it loses about r sqrt(d)/2 of the score gap, while the
hypothesis 4 D(K) r + 2 r^2 <= c_0 / 2 does not see d. The hypotheses of
Theorem 5.4 on K and r are kept; n >= kappa and the step size, which the claim does not use, are not asked for.
"""

from claims.defects import Consequence, Defect, Kind
from claims.frank_wolfe.group_jumps_are_rare import share_of_other_groups
from claims.frank_wolfe.setting.polytopes import chain_at_a_sharp_corner
from claims.frank_wolfe.setting.tubes import (
    acute_vertices,
    equal_norms,
    own_cells,
    tokens_in_polytope,
    tokens_near_vertices_by_diameter,
)
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="claim cl:group.cluster.bound, proof of Theorem 5.4",
    refs=("FW-15",),
    note=(
        "At an almost right-angled corner of a simplex in R^160 a token that leans r along the direction that all"
        " edges share loses about r sqrt(160)/2 of its gap of scores, which 4 D(K) r + 2 r^2 <= c_0/2 does not "
        "see. With R = max |v_i| in the place of D(K) the bound holds."
    ),
    statement=(
        "If tokens are within r of their vertices, 4 D(K) r + 2 r^2 <= c_0/2, other groups get <= n e^{-beta c_0/2}."
    ),
    origin=Origin.REPORTED,
    system=AttentionChain,
    assumptions=(acute_vertices, equal_norms, own_cells, tokens_in_polytope, tokens_near_vertices_by_diameter),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.group_jumps_are_rare",
    draw=chain_at_a_sharp_corner,
    defect=Defect(
        Kind.LEMMA,
        quotation=(
            r"If all tokens are within $r$ of their vertices and $4 D(K) r + 2 r^2 \le \frac{c_0}{2}$, the other "
            r"groups together get at most $n e^{-\beta c_0 / 2}$."
        ),
        context=(
            r"As in Theorem 5.4: vertices of equal norms with acute angles, $\langle v_i, v_i \rangle \ge \langle "
            r"v_i, v_l \rangle + c_0$, tokens in $K$; what token $i$ gives to other groups is $\sum_j a_{ij}$ "
            r"over their tokens $j$."
        ),
        wrong=r"$|v_i|$ enters the estimate, and it is not bounded by a multiple of $D(K)$ that does not depend on $d$.",
        correction=r"The bound holds with $R = \max_i |v_i|$ in the place of $D(K)$.",
        consequences=(
            Consequence(
                "Theorem 5.4, in its corrected form",
                survives=True,
                why=r"With $R$ in the place of $D(K)$.",
                shown_by="frank_wolfe.group_jumps_are_rare",
            ),
        ),
    ),
)

claim.state(">= 0")(share_of_other_groups)


@claim.by_hand(by_argument=True)
def a_corner_in_high_dimension(_: object):
    """A token that leans along the direction which all edges share."""
    yield (
        r"In $\mathbb R^{196}$ let $v_0 = -\tfrac12 (1, \dots, 1)$ and $v_k = v_0 + e_k$: all norms are $7$, "
        r"$D(K) = \sqrt 2$, $c_0 = \tfrac12$. Angles at $v_0$ are right; adding a small "
        r"multiple of $(1, \dots, 1)$ to all $v_k$, $k \ge 1$, and rescaling $v_0$ to their norm makes them acute."
    )
    yield (
        r"One token at each $v_k$, $k \ge 1$, and one at $z = v_0 + r u$ with $r = \tfrac{1}{25}$, $u = \tfrac{1}{14} (1, "
        r"\dots, 1)$: $4 \sqrt 2 \, r + 2 r^2 < 0.2296 < \tfrac14 = \tfrac{c_0}{2}$."
    )
    yield (
        r"$\langle z, z - v_k \rangle = \langle v_0 + r u, r u - e_k \rangle = -7 r + r^2 + \tfrac12 - "
        r"\tfrac{r}{14} < 0.2188$ for every $k$."
    )
    yield (
        r"So $z$ gives the others at least $\frac{196 e^{-0.2188 \beta}}{1 + 196 e^{-0.2188 \beta}}$, which "
        r"exceeds $197 e^{-\beta / 4}$ for large $\beta$."
    )
