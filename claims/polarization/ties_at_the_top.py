"""Ties below the top do no harm to Theorem 3.3; a tie at the top stays, and the two scores tend to 1/2.

`strict_order_is_not_needed`: Assumption 3.1 "can be relaxed if needed" (H2). This is true of ties below the top
(`score_ratios_decay_by_own_gap`), and false of a tie at the top.

`tie_at_the_top_is_kept`: Exchanging 0 and 1 leaves such a start as it is, hence the solution too. The others still
decay by their gaps, q_j <= 1 / (1/q_j(0) + delta_j tau / p) for j >= 2.
"""

import numpy as np

from claims.polarization.one_hot_limit import inverse_ratio_speed
from claims.polarization.setting.scores import tied_leaders, two_scores, weakly_ordered_values, zero_scores
from claims.stating.statement import Origin, Section
from dynamics.training.value_softmax import LogisticFlow

section = Section(__name__, refs=("C-mild", "H2", "A-3.1"), system=LogisticFlow)

strict_order_is_not_needed = section.claim(
    where="Theorem 3.3(c), asked of ties, after Assumption 3.1",
    note="From u(0) = (0, 0) both scores stay 1/2: a tie at the top stays. Ties below the top do no harm.",
    statement="The scores become one-hot also from a(0) = 0 and u_0(0) >= ... >= u_{p-1}(0).",
    origin=Origin.CARRIED_OVER,
    assumptions=(two_scores, zero_scores, weakly_ordered_values),
    corrected_by="polarization.tie_at_the_top_is_kept",
)


# At the start a tie at the top has velocity 0 exactly: no trajectory is needed to refute "> 0".
@strict_order_is_not_needed.state("> 0")
def ratios_begin_to_decay(f: LogisticFlow):
    """d(1/q_j)/dtau at the start, for every j != 0."""
    return inverse_ratio_speed(f)


tie_at_the_top_is_kept = section.claim(
    where="after Assumption 3.1, corrected",
    statement=(
        "If u_0 = u_1 > u_j and a_0 = a_1 >= a_j for j >= 2 at the start, then s_0 = s_1 for ever and s_j / s_0 -> 0."
    ),
    assumptions=(tied_leaders,),
)


# By symmetry, at every tied state: the tied states are invariant, so a tie never breaks.
@tie_at_the_top_is_kept.identity()
def tie_is_kept(f: LogisticFlow, *, share=1):
    """du_0 - du_1 and da_0 - da_1: the tied states are invariant."""
    du, da = f.du_dtau(), f.da_dtau()
    return np.stack([du[..., 0] - share * du[..., 1], da[..., 0] - share * da[..., 1]], axis=-1)


# Against either of the two leaders: they have the same value and the same weight.
@tie_at_the_top_is_kept.state(">= 0")
def other_ratios_decay(f: LogisticFlow, *, rate=1):
    """p d(1/q_j)/dtau - (u_0 - u_j) for j >= 2."""
    gaps = f.u[..., :1] - f.u[..., 2:]
    return f.a.shape[-1] * inverse_ratio_speed(f)[..., 1:] - rate * gaps
