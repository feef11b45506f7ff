"""Gaps between weights grow, s_i - s_j for all i < j: false as printed for p >= 3.

Last sentence of the proof of Theorem 3.2 (polarization C-3.2c), for s; `score_gaps_grow` has it for a. Where the leader
runs away, s_i and s_j tend to 0, so their difference cannot grow for ever.
"""

from flint import fmpq

from claims.polarization.score_gaps_grow import differences
from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="last sentence of the proof of Theorem 3.2, for s",
    refs=("C-3.2c",),
    note=(
        "From u(0) = (2, 1, 0) the gap s_1 - s_2 shrinks at the rate 0.010 at tau = 2: losing weights tend to 0, "
        "and gaps between them close again. Gaps from the leader, s_0 - s_j, grow at all times."
    ),
    statement=(
        "For any i < j, we have ... u_i(t_+) - u_j(t_+) > u_i(t) - u_j(t) for any t_+ > t > 0. A similar argument "
        "holds for a_i and s_i."
    ),
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.leading_score_gaps_grow",
    defect="polarization.score_gaps_grow",
)


@claim.trajectory(">= 0", horizon=lambda start: fmpq(8))
def weight_gap_rate(now: LogisticFlow, start: LogisticFlow):
    """d(s_i - s_j)/dtau for i < j."""
    return differences(now.ds_dtau())
