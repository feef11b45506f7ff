"""Group jumps are rare, with D(K) in place of R = max |v_i| as in the source: false in high dimension.

Internal claim `cl: group.cluster.bound` (frank_wolfe FW-15). At an almost right-angled corner of an acute simplex in R^d
the d edges share a direction: a token that leans r along it loses about r sqrt(d)/2 of the score gap, while the
hypothesis 4 D(K) r + 2 r^2 <= c_0 / 2 does not see d. The hypotheses of
Theorem 5.4 on K and r are kept; n >= kappa and the step size, which the claim does not use, are not asked for.
"""

from claims.frank_wolfe.group_jumps_are_rare import share_of_other_groups
from claims.frank_wolfe.setting.polytopes import chain_at_a_sharp_corner
from claims.frank_wolfe.setting.tubes import (
    acute_vertices,
    equal_norms,
    own_cells,
    tokens_in_polytope,
    tokens_near_vertices_by_diameter,
)
from claims.statement import FRANK_WOLFE, Claim, Origin, Standing
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="claim cl:group.cluster.bound, proof of Theorem 5.4",
    refs=("FW-15",),
    note=(
        "At an almost right-angled corner of a simplex in R^160 a token that leans r along the direction that all"
        " edges share loses about r sqrt(160)/2 of its gap of scores, which 4 D(K) r + 2 r^2 <= c_0/2 does not "
        "see. With R = max |v_i| in the place of D(K) the bound holds."
    ),
    statement="If tokens are within r of their vertices, 4 D(K) r + 2 r^2 <= c_0/2, other groups get <= n e^{-beta c_0/2}.",
    origin=Origin.REPORTED,
    system=AttentionChain,
    assumptions=(acute_vertices, equal_norms, own_cells, tokens_in_polytope, tokens_near_vertices_by_diameter),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.group_jumps_are_rare",
    draw=chain_at_a_sharp_corner,
)

claim.state(">= 0")(share_of_other_groups)
