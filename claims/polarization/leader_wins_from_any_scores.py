"""Enough of a head start in a(0) beats the larger value projection, so Theorem 3.3 needs a hypothesis on a(0).

The claim that s -> e_0 whatever a(0) is false (H1). For p = 2 the winner is known: `two_scores_are_integrable`.
"""

import numpy as np

from claims.polarization.setting.scores import ordered_values, two_scores_only
from claims.polarization.two_scores import basin
from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import numbers
from dynamics.limits.traps import OneHot, leader_trap
from dynamics.training.value_softmax import LogisticFlow


# u_0 - u_1 from 1/64 to 4 against 2 sqrt(K) sinh of 1 to 2: most starts lie on the losing side, some on the other.
def other_score_ahead(draws):
    """Two scores, the leading value on index 0 and the leading score on index 1, on either side of the threshold."""
    a, gap = 1 + abs(draws.dyadic(size=1)), (1 + 64 * abs(draws.dyadic(size=4, bits=6))) / 64
    K = numbers(1 + abs(draws.dyadic(size=3)))
    zero = 0 * K
    return LogisticFlow(u=np.stack([gap, zero], axis=-1), a=np.stack([-a, a], axis=-1), K=K, t=zero, tau=zero)


claim = Claim(
    __name__,
    where="Theorem 3.3(c), asked of scores that do not start at 0",
    refs=("H1", "S6"),
    note=(
        "A head start in the scores beats the larger value projection: from u(0) = (2, 0), a(0) = (-1, 1) the "
        "second score tends to 1. For two scores the first wins if and only if u_0 - u_1 + 2 |beta_*| sinh((a_0 -"
        " a_1)/2) > 0 at the start."
    ),
    statement="If u_0(0) > u_1(0) then s -> e_0, whatever a(0).",
    origin=Origin.CARRIED_OVER,
    system=LogisticFlow,
    assumptions=(two_scores_only, ordered_values),
    draw=other_score_ahead,
    corrected_by="polarization.two_scores_are_integrable",
)


# Decided at the start, without a trajectory: for two scores the sign of this number tells who wins.
@claim.state("> 0")
def start_lies_in_basin(f: LogisticFlow):
    """u_0 - u_1 + 2 sqrt(K) sinh((a_0 - a_1)/2), which is positive where index 0 wins and negative where index 1 does."""
    return basin(f)[..., 0]


@claim.limit("> 0", times=lambda start: (2, 8, 32), trap=leader_trap)
def leading_value_wins(limit: OneHot, start: LogisticFlow):
    """s_0 - s_1 at the limit: 1 where index 0 takes all, -1 where index 1 does."""
    return limit.weights[0] - limit.weights[1]
