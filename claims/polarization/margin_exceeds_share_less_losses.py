"""The margin exceeds the leader's share up to a constant: m >= u_0 / p - max_j |u_j(0)|.

What the proof of Theorem 3.3(a) needs (polarization E7), since u_0 diverges: s_0 >= 1/p and no u_j falls below u_j(0).
"""

from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="proof of Theorem 3.3(a), corrected",
    refs=("E7", "C-3.3a"),
    statement="<s, u> >= u_0 / p - max_j |u_j(0)| at every time.",
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    equivalent={
        "margin_exceeds_share: now.m - now.u[:1] / len(now.a) => now.m": (
            "m rises, and m(0) >= min_j u_j(0) >= -max_j |u_j(0)|."
        ),
    },
)


@claim.trajectory("> 0", horizon=lambda start: fmpq(4))
def margin_exceeds_share(now: LogisticFlow, start: LogisticFlow, *, losses=1):
    """m - u_0 / p + max_j |u_j(0)|."""
    return now.m - now.u[:1] / len(now.a) + losses * max(abs(start.u))
