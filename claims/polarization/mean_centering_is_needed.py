"""Without mean-centering the scores do not polarise: false, under s_i = e^{a_i} the share of the leader tends to 1.

Section 3 (polarization C-mech, E20): "the key mechanism" is not necessary either. `elementwise_exponential_polarises`
has the rate.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import clear_leader, ordered_values, positive_values, two_scores, zero_scores
from claims.statement import POLARIZATION, Claim, Standing
from dynamics.score_maps import ElementwiseExponentialFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="the mechanism, section 3 and appendix D",
    refs=("C-mech", "E20"),
    statement="The mean-centering term u - <u, s> 1 is the key mechanism that makes s one-hot: without it there is none.",
    system=ElementwiseExponentialFlow,
    assumptions=(two_scores, zero_scores, positive_values, ordered_values, clear_leader),
    standing=Standing.FALSE,
    corrected_by="polarization.elementwise_exponential_polarises",
)


@claim.limit(">= 0", times=lambda start: (2 * start.time_unit(), 4 * start.time_unit()))
def leading_share_stays_away_from_one(states, start: ElementwiseExponentialFlow):
    """1 - max share - 1/1000, in the clock with dtau = e^{-a_0}."""
    return np.stack([state.share[1:].sum(axis=-1, keepdims=True) - fmpq(1, 1000) for state in states])
