"""A token near its vertex picks a token of another group with probability at most e^{-beta (c_0 - 4 R r - r^2)}.

Claim `cl: group.cluster.bound` in the proof of Theorem 5.4: if every token is within r of its vertex and 4 D(K) r + 2 r^2
<= c_0 / 2 then sum_{j not in group(i)} a_ij <= n e^{-beta c_0 / 2}. It holds with R = max |v_i| for D(K).

`group_jumps_are_rare`: The claim with R. The gap of scores to any such j is at least c_0 - 4 R r - r^2, and at least 1.06
c_0/2. For c = <v_i, v_i - v_j> and D = |v_i - v_j| this follows from c - r (D + 2 |v_i|) - r^2/4 and r <= c_0/(8 R) if D +
2 |v_i| <= 3.7 R. Otherwise c >= 1.3 R^2, and c_0 - 4 R r + 2 r^2 (`group_jumps_cost_the_gap`) is enough.

`group_jumps_are_rare_by_diameter`: The claim as in the source. At an almost right-angled corner of an acute simplex in R^d
the d edges share a direction: a token that leans r along it loses about r sqrt(d)/2 of the score gap, while the hypothesis
does not see d. The hypotheses of Theorem 5.4 on K and r are kept; n >= kappa and the step size, which the claim does not
use, are not asked for.

`group_jumps_cost_the_gap`: The exact form: <x_i, x_i - x_j> >= c_0 - 4 R r - r^2. Nothing is assumed of r or of the
polytope. Even + 2 r^2 may replace - r^2 for r <= 2R/3: with a = x_i - v_i the least over x_j is c_0 + <a, 2 v_i - v_j> +
|a|^2 - r |v_i + a|, which is least for a and v_j opposite to v_i, where it falls until |a| = r. For larger r the bound
exceeds 1, as c_0 <= 2 R^2.
"""

import numpy as np

from claims.frank_wolfe.setting.first_phase import tokens_in_cells
from claims.frank_wolfe.setting.polytopes import (
    chain_at_a_sharp_corner,
    chain_leaning_inwards,
    chain_near_vertices,
    chain_near_vertices_at_any_temperature,
)
from claims.frank_wolfe.setting.tubes import (
    acute_vertices,
    equal_norms,
    own_cells,
    tokens_in_polytope,
    tokens_near_vertices,
    tokens_near_vertices_by_diameter,
)
from claims.stating.defects import Consequence, Defect, Kind
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import log, numbers
from dynamics.tokens.attention_chain import AttentionChain

section = Section(
    __name__, refs=("FW-15",), system=AttentionChain, where="claim cl:group.cluster.bound, proof of Theorem 5.4"
)

# Neither acute angles nor equal norms nor tokens in K are asked: the gap needs the scores of vertices and r alone.
group_jumps_are_rare = section.claim(
    where="claim cl:group.cluster.bound, proof of Theorem 5.4, with R for D(K)",
    statement="If tokens are within r of their vertices, 4 R r + 2 r^2 <= c_0/2, other groups get <= n e^{-beta c_0/2}.",
    assumptions=(own_cells, tokens_near_vertices),
    draw=chain_near_vertices_at_any_temperature,
)


# In logs: at low temperature the probabilities underflow in float64.
@group_jumps_are_rare.state(">= 0")
def share_of_other_groups(f: AttentionChain, *, cost=1):
    """log(n e^{-beta c_0 / 2}) - log sum_{j not in group(i)} a_ij for every token i that has other groups."""
    others = f.group[:, None] != f.group[None, :]
    rows = others.any(axis=-1)
    shares = (f.attention() * others)[rows].sum(axis=-1)
    bound = log(numbers(f.beta * 0 + len(f.x))) - cost * f.beta * f.c_0 / 2
    return bound - log(np.asarray(shares))


group_jumps_are_rare_by_diameter = section.claim(
    note=(
        "At an almost right-angled corner of a simplex in R^160 a token that leans r along the direction shared by all "
        "edges loses about r sqrt(160)/2 of its gap of scores, which 4 D(K) r + 2 r^2 <= c_0/2 does not see. With R = max "
        "|v_i| instead of D(K) the bound holds."
    ),
    statement=(
        "If tokens are within r of their vertices, 4 D(K) r + 2 r^2 <= c_0/2, other groups get <= n e^{-beta c_0/2}."
    ),
    origin=Origin.REPORTED,
    assumptions=(acute_vertices, equal_norms, own_cells, tokens_in_polytope, tokens_near_vertices_by_diameter),
    corrected_by="frank_wolfe.group_jumps_are_rare",
    draw=chain_at_a_sharp_corner,
    defect=Defect(
        Kind.CASE,
        quotation=(
            r"If all tokens are within $r$ of their vertices and $4 D(K) r + 2 r^2 \le \frac{c_0}{2}$, the other "
            r"groups together get at most $n e^{-\beta c_0 / 2}$."
        ),
        context=(
            r"As in Theorem 5.4: vertices of equal norms with acute angles, $\langle v_i, v_i \rangle \ge \langle v_i, v_l "
            r"\rangle + c_0$, tokens in $K$; what token $i$ gives to other groups is $\sum_j a_{ij}$ over their tokens $j$."
        ),
        reading=(
            r"We take $D(K)$ for the diameter. If $0 \in K$, then $|v_i| \le D(K)$ and the sentence holds; we know of "
            r"no such hypothesis."
        ),
        wrong=r"$|v_i|$ enters the estimate, and it is not bounded by a multiple of $D(K)$ that does not depend on $d$.",
        correction=r"The bound holds with $R = \max_i |v_i|$ in the place of $D(K)$, hence as it stands if $0 \in K$.",
        consequences=(Consequence("Theorem 5.4, in its corrected form", why=r"With $R$ in the place of $D(K)$."),),
    ),
)

group_jumps_are_rare_by_diameter.state(">= 0")(share_of_other_groups)


# 1/12 = 1/sqrt(144), so that u is a unit vector; the corner is exactly right-angled, and then made acute by a little.
@group_jumps_are_rare_by_diameter.by_hand(by_argument=True)
def a_corner_in_high_dimension(_: object):
    """A token that leans along the direction which all edges share."""
    yield (
        r"In $\mathbb R^{144}$ let $v_0 = -\tfrac12 (1, \dots, 1)$ and $v_k = v_0 + e_k$: all norms are $6$, "
        r"$D(K) = \sqrt 2$, $c_0 = \tfrac12$. Angles at $v_0$ are right; adding a small "
        r"multiple of $(1, \dots, 1)$ to all $v_k$, $k \ge 1$, and rescaling $v_0$ to their norm makes them acute."
    )
    yield (
        r"One token at each $v_k$, $k \ge 1$, and one at $z = v_0 + r u \in K$ with $r = \tfrac{1}{24}$, $u = \tfrac{1}{12}"
        r" (1, \dots, 1)$: $4 \sqrt 2 \, r + 2 r^2 = \tfrac{\sqrt 2}{6} + \tfrac{1}{288} < \tfrac14 = \tfrac{c_0}{2}$."
    )
    yield (
        r"$\langle z, z - v_k \rangle = \langle v_0 + r u, r u - e_k \rangle = -6 r + \tfrac12 + r^2 - "
        r"\tfrac{r}{12} = \tfrac14 - \tfrac{1}{576}$ for every $k$."
    )
    yield (
        r"So with $q = e^{-(1/4 - 1/576) \beta}$ the token $z$ gives the others $\frac{144 q}{1 + 144 q}$ together, "
        r"more than $n e^{-\beta / 4} = 145 q e^{-\beta / 576}$ for large $\beta$."
    )


group_jumps_cost_the_gap = section.claim(
    statement="a_ij <= e^{-beta (c_0 - 4 R r - r^2)} for j not in group(i), r the largest distance from a vertex.",
    draw=lambda draws: draws.choice((chain_near_vertices, tokens_in_cells, chain_leaning_inwards))(draws),
)


# a_ij <= e^{-beta (s_ii - s_ij)}, for the weight of i itself is at most 1: no number of tokens enters.
@group_jumps_cost_the_gap.state(">= 0")
def chance_of_another_group(f: AttentionChain, *, cost=1):
    """-beta (c_0 - 4 R r - r^2) - log a_ij for tokens j outside the group of i."""
    others = f.group[:, None] != f.group[None, :]
    gap = f.c_0 - 4 * f.R * f.rho - f.rho**2
    return -cost * f.beta * gap - log(numbers(np.asarray(f.attention())[others]))
