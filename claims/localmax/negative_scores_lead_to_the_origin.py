"""FALSE: under scores with A + A^T negative definite all tokens tend to the origin.

The negative definite regime of frank_wolfe 2508.09628 ("cluster at the origin"), read for hardmax (remark in HM-7). A = -1
sends 1, 2, 3 to 1, the point of the hull nearest to the origin; the tokens meet at one point, and that is all.
"""

from claims.localmax.setting.end_hypotheses import negative_matrix
from claims.localmax.setting.ends import limits
from claims.localmax.setting.hypotheses import additive_rule, hardmax, open_step_size
from claims.localmax.setting.starts import lattice_start
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="frank_wolfe 2508.09628, negative definite regime, as read for hardmax",
    refs=("HM-7",),
    note=(
        "One token at 1 with A = -1 attends to itself and stays at 1. All tokens do meet at one point, which need"
        " not be the origin."
    ),
    statement="A negative definite: all tokens cluster at the origin.",
    origin=Origin.CARRIED_OVER,
    system=LocalmaxStep,
    assumptions=(additive_rule, negative_matrix, hardmax, open_step_size),
    standing=Standing.FALSE,
    corrected_by="localmax.negative_scores_give_consensus",
    draw=lattice_start,
)


@claim.orbit("== 0", exact_only=True)
def distance_to_the_origin(f: LocalmaxStep):
    """The limits."""
    return limits(f)
