"""Gaps to the leading score grow, a_0 - a_j and s_0 - s_j.

What is true of the last sentence of the proof of Theorem 3.2 (polarization C-3.2c): it holds for pairs with i = 0, at
every state where index 0 leads in u and a. d(s_0 - s_j) >= 0 because s_0 grows and s_j / s_0 shrinks.
"""

from flint import fmpq

from claims.polarization.setting.scores import leader_dominates, ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="last sentence of the proof of Theorem 3.2, for i = 0",
    refs=("C-3.2c",),
    statement="a_0 - a_j and s_0 - s_j increase in time for all j.",
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
)


def gaps_to_leader(values):
    """x_0 - x_j for j >= 1, shape (..., p - 1)."""
    return values[..., :1] - values[..., 1:]


@claim.state("> 0", assuming=(two_scores, leader_dominates))
def score_gap_rate(f: LogisticFlow):
    """d(a_0 - a_j)/dtau."""
    return gaps_to_leader(f.da_dtau())


@claim.state("> 0", assuming=(two_scores, leader_dominates))
def weight_gap_rate(f: LogisticFlow):
    """d(s_0 - s_j)/dtau."""
    return gaps_to_leader(f.ds_dtau())


@claim.trajectory("> 0", horizon=lambda start: fmpq(4))
def score_gap_rate_in_time(now: LogisticFlow, start: LogisticFlow):
    """d(a_0 - a_j)/dtau at every time."""
    return gaps_to_leader(now.da_dtau())
