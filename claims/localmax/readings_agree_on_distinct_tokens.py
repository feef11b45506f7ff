"""Averages over indices and over points give the same step as long as the tokens are distinct.

The two readings of C_i behind hardmax HM-8: a set of indices, as in the code, or of points, as in one place
of the Frank-Wolfe paper. They part as soon as tokens coincide, which hardmax tokens do in the limit only.
"""

import numpy as np

from claims.localmax.setting.hypotheses import distinct_tokens
from claims.statement import Claim, Origin
from dynamics.tokens.localmax import ADDITIVE, POINTS, LocalmaxStep

claim = Claim(
    __name__,
    refs=("HM-8", "OQ-10"),
    statement="If the tokens are distinct, the mean over C_i as a set of indices is the mean over C_i as a set of points.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(distinct_tokens,),
)


@claim.identity()
def difference_of_readings(f: LocalmaxStep, *, share=1):
    """c_i over indices minus c_i over points."""
    indices, points = (f.replace(rule=np.array(rule)).targets() for rule in (ADDITIVE, POINTS))
    return indices - share * points
