"""With V frozen the scores do not polarize: false, the softmax needs no joint training for that.

Beside section 3.1 (polarization C-joint, E10): "The polarization we observe is not caused by the softmax nonlinearity in
isolation, but by the joint training of the scores a and the value matrix V" speaks of causes, and may mean that joint
training picks a sparse output among dense ones of the same loss. As a statement on frozen V it is false: once index 0
leads, its score takes all weight.
"""

from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.limits.traps import OneHot, leader_trap
from dynamics.training.frozen_values import FrozenValuesFlow

claim = Claim(
    __name__,
    where="section 3.1, on joint training, read of frozen values",
    refs=("C-joint", "E10"),
    note=(
        "From u(0) = (1, 0) with V frozen the scores tend to (1, 0) as well. With frozen values they polarize at "
        "least like 1/t: q_j <= 1 / (1 + (u_0 - u_j) t / (p (1 + e^{u_0})))."
    ),
    statement="If V is frozen and only a is trained, the scores do not become one-hot.",
    origin=Origin.OURS,
    system=FrozenValuesFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.frozen_values_also_polarise",
)


@claim.limit("> 0", times=lambda start: (fmpq(1), fmpq(4), fmpq(16)), trap=leader_trap)
def leading_score_keeps_away_from_one(limit: OneHot, start: FrozenValuesFlow):
    """1 minus the limit of the largest score."""
    return 1 - max(limit.weights)
