"""Gaps to the leading value grow at speed gamma K (1 - q_j) / Q, at least gamma K / (2p) once q_j <= 1/2.

`leading_gap_speed`: This is so because du_0 - du_j = gamma K (s_0 - s_j) dt and Q = 1/s_0 <= p (proof of Lemma B.1).

`leading_gap_speed_once_ratios_are_halved`: The best bound of that form for every p. Once all q_i <= 1/2, Q <= 1 + q_j +
(p - 2)/2 = p/2 + q_j, and (1 - q_j) / (p/2 + q_j) falls in q_j: at q_j = 1/2 it is 1/(p + 1), with equality where all q_i
are 1/2.
"""

from claims.polarization.setting.scores import halved_ratios, leader_dominates, two_scores
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exp
from dynamics.training.value_softmax import LogisticFlow

section = Section(
    __name__, refs=("C-B1d", "M2(d)"), system=LogisticFlow, assumptions=(two_scores, leader_dominates, halved_ratios)
)

leading_gap_speed = section.claim(
    where="proof of Lemma B.1",
    statement=(
        "d{u_0 - u_i} = (gamma/Q) (1 - q_i) dt ... there exists a time t_0 after which we have 1 - q_i >= 1/2. "
        "Therefore, for t >= t_0, we have, d{u_0 - u_i} >= gamma/(2p) dt"
    ),
    origin=Origin.PRINTED,
)


def _gap_speed(f):
    du = f.du_dtau()
    return du[..., :1] - du[..., 1:]


@leading_gap_speed.identity(assuming=(two_scores,))
def gap_speed_formula(f: LogisticFlow, *, K_factor=1):
    """Q d(u_0 - u_j)/dtau - K (1 - q_j), at any state."""
    q = exp(f.a[..., 1:] - f.a[..., :1])
    inverse = 1 + q.sum(axis=-1, keepdims=True)
    return inverse * _gap_speed(f) - K_factor * f.K[..., None] * (1 - q)


# Strict, for Q = p and q_j = 1/2, which the proof puts together, exclude each other: there Q <= (p + 1)/2.
@leading_gap_speed.state("> 0")
def gap_speed_lower_bound(f: LogisticFlow, *, rate=1):
    """2 p d(u_0 - u_j)/dtau - K."""
    return 2 * f.a.shape[-1] * _gap_speed(f) - rate * f.K[..., None]


leading_gap_speed_once_ratios_are_halved = section.claim(
    where="sharpens the proof of Lemma B.1",
    statement="Once every q_j <= 1/2, d{u_0 - u_i} >= gamma K/(p + 1) dt, with equality where all q_j = 1/2.",
)


# ">=" though rational scores never attain it: equality is at a_0 - a_j = log 2.
@leading_gap_speed_once_ratios_are_halved.state(">= 0")
def gap_speed_above_the_least(f: LogisticFlow, *, rate=1):
    """(p + 1) d(u_0 - u_j)/dtau - K."""
    return (f.a.shape[-1] + 1) * _gap_speed(f) - rate * f.K[..., None]
