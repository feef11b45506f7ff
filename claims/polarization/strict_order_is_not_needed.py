"""The scores become one-hot from u_0 >= ... >= u_{p-1}, strict or not: false for a tie at the top.

Assumption 3.1 "can be relaxed if needed" (polarization C-mild, H2): so it is for ties below the top, as
`score_ratios_decay_by_own_gap` shows, but not here. From u(0) = (1, 1, 0, -1) and a(0) = 0 the scores tend to (1/2,
1/2, 0, 0): s_1 / s_0 = 1 does not begin to decay, and by symmetry never does (`tie_at_the_top_is_kept`).
"""

from claims.polarization.score_ratios_decay import inverse_ratio_speed
from claims.polarization.setting.scores import two_scores, weakly_ordered_values, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="Theorem 3.3(c), asked of ties, after Assumption 3.1",
    refs=("C-mild", "H2", "A-3.1"),
    note=("From u(0) = (0, 0) both scores stay 1/2: a tie at the top is kept for ever. Ties below the top do no harm."),
    statement="The scores become one-hot also from a(0) = 0 and u_0(0) >= ... >= u_{p-1}(0).",
    origin=Origin.CARRIED_OVER,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, weakly_ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.tie_at_the_top_is_kept",
)


@claim.state("> 0")
def ratios_begin_to_decay(f: LogisticFlow):
    """d(1/q_j)/dtau at the start, for every j != 0."""
    return inverse_ratio_speed(f)
