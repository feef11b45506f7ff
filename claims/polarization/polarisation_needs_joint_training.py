"""Polarisation is caused by training a and V jointly, not by the softmax alone: false, frozen values do it too.

Section 3.1 (polarization C-joint, E10), read as: with V frozen the largest score keeps below 9/10. Order
behind the leader plays no part; the published counterexample is strictly ordered, as Assumption 3.1 demands.
"""

from flint import fmpq

from claims.assumptions import two_scores, wide_lead, zero_scores
from claims.statement import POLARIZATION, Claim, Standing
from dynamics.frozen_values import FrozenValuesFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3.1, on joint training",
    refs=("C-joint", "E10"),
    statement="The scores polarise because a and V are trained jointly, not because of the softmax in isolation.",
    system=FrozenValuesFlow,
    assumptions=(two_scores, zero_scores, wide_lead),
    standing=Standing.FALSE,
    corrected_by="polarization.frozen_values_also_polarise",
)


@claim.limit("> 0", times=lambda start: (fmpq(16),))
def leading_score_keeps_away_from_one(states, start: FrozenValuesFlow):
    """9/10 - s_0 at tau = 16."""
    return fmpq(9, 10) - states[-1].s[:1]
