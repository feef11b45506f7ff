"""If u_i > m then s_i increases: false, even along the trajectories of Theorem 3.2.

The "replicator intuition" read literally, above-average fitness grows (polarization C-rep, E5). The fitness is
s_i (u_i - m), not u_i: a second-best token gains at first, then loses weight to the leader while u_1 is still above the
mean, for instance from u(0) = (4, 3, 0), a(0) = 0, K = 1. At the state u = (4, 3, 0), a = (1, 0, 0) one has
u_1 - m = .0597 and ds_1/dtau = -.0444.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import comonotone, ordered_values, two_scores, zero_scores
from claims.polarization.weights_follow_exact_replicator import above_average
from claims.statement import POLARIZATION, Claim, Standing
from dynamics.arithmetic import at_most, indicator, sign
from dynamics.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3.1, replicator intuition",
    refs=("C-rep", "E5"),
    statement="u_i > m implies that s_i increases.",
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.weights_follow_exact_replicator",
)


@claim.state(">= 0", assuming=(two_scores, comonotone))
def weight_rate_at_comonotone_states(f: LogisticFlow):
    """ds_i/dtau where u_i > m, else 0, at states ordered alike in u and a."""
    above = above_average(f)
    return indicator(~at_most(above, 0 * above), f.u) * f.ds_dtau()


@claim.limit(">= 0", times=lambda start: [fmpq(k, 4) for k in range(1, 17)])
def weight_rate_in_time(states: list[LogisticFlow], start: LogisticFlow):
    """ds_i/dtau for the i with u_i certainly above m, at sixteen times of a trajectory from a(0) = 0."""
    rates = []
    for now in states:
        rates += [rate for rate, height in zip(now.ds_dtau(), above_average(now), strict=True) if sign(height) == 1]
    return np.array(rates, dtype=object)
