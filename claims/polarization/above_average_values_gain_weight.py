"""If u_i > m then s_i increases: false, also where u and a are ordered alike, as along Theorem 3.2.

The "replicator intuition" asked of one weight alone (polarization C-rep, E5): the text says that coordinates with
above-average u_i "are amplified relative to those below average", which is true (`weights_follow_exact_replicator`). The
fitness is s_i (u_i - m), not u_i: a second-best token may lose weight to the leader while u_1 is above the mean. At the
state u = (4, 3, 0), a = (1, 0, 0) one has u_1 - m = .0597 and ds_1/dtau = -.0444; from u(0) = (4, 3, 0), a(0) = 0 it comes
to the same.
"""

from claims.polarization.setting.scores import comonotone, two_scores
from claims.polarization.weights_follow_exact_replicator import above_average
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import at_most, indicator
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="section 3.1, replicator intuition, of one weight alone",
    refs=("C-rep", "E5"),
    note=(
        "At u = (4, 3, 0), a = (1, 0, 0) the value u_1 = 3 is above the mean 2.94, and s_1 falls: the fitness of "
        "a weight is s_i (u_i - m), and the leader's is so large that it pulls s_1 down. With this fitness the "
        "replicator equation is exact."
    ),
    statement="u_i > m implies that s_i increases.",
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores, comonotone),
    standing=Standing.FALSE,
    corrected_by="polarization.weights_follow_exact_replicator",
)


@claim.state(">= 0")
def weight_rate_at_comonotone_states(f: LogisticFlow):
    """ds_i/dtau where u_i > m, else 0, at states ordered alike in u and a."""
    above = above_average(f)
    return indicator(~at_most(above, 0 * above), f.u) * f.ds_dtau()
