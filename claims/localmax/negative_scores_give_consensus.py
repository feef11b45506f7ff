"""Under scores with A + A^T negative definite all tokens tend to one point, for any sensitivity.

hardmax HM-7 (remark) and localmax LM-4 (consequence; not printed). Two vertices v, w of the limiting polytope would have
<A(v - w), v - w> >= 0. No symmetry is needed, and no condition on the step size but 0 < gamma < 1: at gamma = 1 the tokens
1 and -1 swap for ever under A = -1.
"""

from claims.localmax.setting.end_hypotheses import negative_matrix
from claims.localmax.setting.ends import limit_phases
from claims.localmax.setting.hypotheses import additive_rule, open_step_size
from claims.localmax.setting.starts import lattice_start
from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="the negative definite regime of frank_wolfe 2508.09628",
    refs=("LM-4", "HM-7"),
    statement="A + A^T negative definite => consensus, for every step size in (0, 1).",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, negative_matrix, open_step_size),
    draw=lattice_start,
    equivalent={
        "limits_differ: phases[0, 0] => phases[0, 1]": "The differences from another token: all vanish or none do.",
    },
)


@claim.orbit("== 0", exact_only=True)
def limits_differ(f: LocalmaxStep):
    """s_i - s_1 for all limit points of all tokens."""
    phases = limit_phases(f)
    return phases - phases[0, 0]
