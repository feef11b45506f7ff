"""Under scores with A + A^T negative definite all tokens tend to one point, for any sensitivity.

hardmax HM-7 (remark) and localmax LM-4 (consequence; not printed). Two vertices v, w of the limiting polytope would have
<A(v - w), v - w> >= 0. No symmetry and no condition on the step size in (0, 1) is needed.
"""

from claims.localmax.endings import lattice_start, limits, negative_matrix
from claims.localmax.hypotheses import open_step_size
from claims.statement import LOCALMAX, Claim
from dynamics.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    where="not printed; the negative definite regime of frank_wolfe 2508.09628",
    refs=("LM-4", "HM-7"),
    printed="A + A^T negative definite => consensus, with no condition on step size.",
    system=LocalmaxStep,
    assumptions=(negative_matrix, open_step_size),
    draw=lattice_start,
)


@claim.orbit("== 0", exact_only=True)
def limits_differ(f: LocalmaxStep):
    """s_i - s_1 for the limits."""
    end = limits(f)
    return end - end[0]
