"""Gaps between scores grow, a_i - a_j for all i < j: false as printed for p >= 3.

Last sentence of the proof of Theorem 3.2 (polarization C-3.2c), for a; `weight_gaps_grow` has it for s. The losers fall to
zero together: s_i / s_j tends to 1, so a gap between losers rises first and then closes.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="last sentence of the proof of Theorem 3.2, for a",
    refs=("C-3.2c",),
    note=(
        "From u(0) = (2, 1, 0) the gap a_1 - a_2 shrinks at the rate 0.027 at tau = 6: gaps between losing scores"
        " close again. Gaps from the leader, a_0 - a_j and s_0 - s_j, grow at all times."
    ),
    statement=(
        "For any i < j, we have ... u_i(t_+) - u_j(t_+) > u_i(t) - u_j(t) for any t_+ > t > 0. A similar argument"
        " holds for a_i and s_i."
    ),
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.leading_score_gaps_grow",
)


def differences(values):
    """x_i - x_j for i < j."""
    i, j = np.triu_indices(values.shape[-1], 1)
    return values[..., i] - values[..., j]


@claim.trajectory(">= 0", horizon=lambda start: fmpq(8))
def score_gap_rate(now: LogisticFlow, start: LogisticFlow):
    """d(a_i - a_j)/dtau for i < j."""
    return differences(now.da_dtau())
