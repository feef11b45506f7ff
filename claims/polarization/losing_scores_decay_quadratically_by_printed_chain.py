"""q_j <= 1 / (1 + c log^2 t / 2) from dq_j >= -c q_j^2 (log t / t) dt: false, the chain bounds q_j from below.

Proof of Lemma B.1(b) (polarization C-B1b, E9). The chain integrates a lower bound on dq_j and turns the sign in its
last line. For two scores its first line holds in the clock tau with everything explicit: q [q w + (1-q)(u_0 - m)] / Q
<= 2 q^2 w and w <= delta + K tau, so dq >= -2 q^2 (delta + K tau) dtau and q >= 1 / (1 + 2 delta tau + K tau^2). The
last line claims <=.
"""

from flint import fmpq

from claims.polarization.score_ratios_decay import inverse_ratio_speed
from claims.polarization.setting.scores import leader_dominates, leading_value, two_scores_only, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exp
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="proof of Lemma B.1(b), last line of the chain read with the c of the lines before",
    refs=("C-B1b", "E9"),
    note=(
        "In the last line the inequality turns round: a lower bound for dq_j bounds q_j from below, and from u(0)"
        " = (2, 0) the ratio q_1 is 1/17.9 at tau = 4, where the last line allows 1/33. That s_j = O(1/log^2 t) "
        "is true, for other reasons."
    ),
    statement="With c from dq_j >= -c q_j^2 (log t / t) dt, q_j <= 1 / (1 + c log^2 t / 2).",
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores_only, zero_scores, leading_value),
    standing=Standing.FALSE,
    corrected_by="polarization.losing_scores_decay_quadratically",
)


@claim.state(">= 0", assuming=(two_scores_only, leader_dominates))
def first_line(f: LogisticFlow, *, most=2):
    """2 w - d(1/q)/dtau with w = u_0 - u_1: the line that the last one should follow from, and this one holds."""
    return most * (f.u[..., :1] - f.u[..., 1:]) - inverse_ratio_speed(f)


@claim.rate(">= 0", horizon=lambda start: fmpq(4))
def last_line(now: LogisticFlow, start: LogisticFlow):
    """1/q - (1 + 2 delta tau + K tau^2)."""
    tau, delta = now.tau - start.tau, start.u[:1] - start.u[1:]
    return exp(now.a[:1] - now.a[1:]) - 1 - 2 * delta * tau - now.K * tau * tau
