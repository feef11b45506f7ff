"""The scores become one-hot, the leading value projection diverges, and the values keep their order.

Figure 2 (polarization C-F2): u_0 >= u_0(0) + K tau / p because s_0 >= 1/p, while the others stay bounded
(`losing_values_stay_bounded`). Order is Theorem 3.2(a) (`order_is_preserved`), the one-hot limit 3.3(b)
(`score_ratios_decay`); the run of the figure is `figure_two_run`.
"""

from flint import fmpq

from claims.assumptions import leading_value, two_scores, zero_scores
from claims.statement import POLARIZATION, Claim, Origin
from dynamics.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="figure 2, caption, made precise",
    refs=("C-F2",),
    statement=(
        "The attention scores converge to a one-hot vector, u_0 diverges, every other u_j stays bounded, and the "
        "order of u is preserved."
    ),
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, leading_value),
)


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def leading_value_outgrows_clock(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """p du_0/dtau - K at every t > 0; integrated it is p (u_0 - u_0(0)) > K tau."""
    return len(now.a) * now.du_dtau()[:1] - rate * now.K
