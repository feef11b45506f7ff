"""A loss whose derivative vanishes at a finite margin stops before the scores are one-hot.

So phi' != 0 is necessary in the loss-free form of Theorem 3.3 (H5). A hinge at m_* stops the path where m = m_*, at
most at tau = X := (m_* - m(0)) p / K because dm/dtau >= K / p. There S = sum_{j>=1} s_j / s_0 is still at least the
bound of `losing_mass_is_bounded_both_ways`.
"""

from flint import fmpq

from claims.polarization.setting.scores import ASSUMPTION_3_1
from claims.stating.statement import Claim
from dynamics.arithmetic import exp
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="Theorem 3.3, hypothesis on the loss",
    refs=("H5", "S2", "S4"),
    statement="If phi' first vanishes at m_* then the flow stops there with S >= 1 / (1/(p-1) + 2 w_{p-1}(0) X + K X^2).",
    system=LogisticFlow,
    assumptions=ASSUMPTION_3_1,
)


# For every m along the path at once, so that no margin m_* has to be drawn.
@claim.rate("> 0", horizon=lambda start: 5)
def mass_left_at_margin(now: LogisticFlow, start: LogisticFlow, *, longest=1):
    """S (1/(p-1) + 2 w_{p-1}(0) X + K X^2) - 1 with X = (m - m(0)) p / K: whatever margin m the loss stops at."""
    p = len(now.a)
    X = longest * (now.m - start.m) * p / now.K
    q = exp(now.a[1:] - now.a[:1])
    return q.sum(axis=-1, keepdims=True) * (fmpq(1, p - 1) + 2 * (start.u[:1] - start.u[-1:]) * X + now.K * X * X) - 1
