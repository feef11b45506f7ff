"""FALSE as printed: under hardmax the limit need not be a fixed point of the map.

hardmax HM-8 ("converge to a clustered equilibrium", abstract). The map is discontinuous: a token that attends to a tied
pair may have in its limit a third one at the same score. Of (1,1), (1,-1), (1/2,1/2), (1/2,0) the last tends to (1,0), and
attends to all four there. True is that every limit point has no self gap.
"""

from claims.localmax.setting.end_hypotheses import nonzero_tokens
from claims.localmax.setting.ends import limits
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, distinct_tokens, hardmax, open_step_size
from claims.localmax.setting.starts import mirrored_pair
from claims.statement import LOCALMAX, Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    where="hardmax 2407.01602, abstract",
    refs=("HM-8",),
    note=(
        "Of (2, 0), (0, 1), (0, 2), (1, 1) with gamma = 1/2 the second tends to (0, 2), where the last begins to "
        "attend to it as well: a step from the limit moves (1, 1) to (7/8, 9/8). Limits lie in the finite set S ="
        " {x in K : |x|_A^2 = max_{y in K} <Ax, y>}, but the map is not continuous there."
    ),
    statement="Tokens converge to a clustered equilibrium.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size, distinct_tokens, nonzero_tokens),
    standing=Standing.FALSE,
    corrected_by="localmax.hardmax_limits_lie_in_alignment_set",
    draw=mirrored_pair,
)


@claim.orbit("== 0", exact_only=True)
def step_of_the_limit(f: LocalmaxStep):
    """How far a step moves the limits."""
    end = f.replace(z=limits(f))
    return end.step().z - end.z
