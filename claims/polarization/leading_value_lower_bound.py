"""u_0(t) >= log(t/(2p) - c_0): false with c_0 = -(u_0(0) + e^{u_0(0)}), the number that two lines before it stands for.

Equation (17), and with it the second inequality of (18) (polarization C-17, C-18), if c_0 is one number throughout. From
u_0 + e^{u_0} >= t/p - c_0 and u_0 <= e^{u_0} follows log(t/(2p) - c_0/2); with c_0 in place of c_0/2 the bound fails at
small t whenever u_0(0) > 0. Some constant will do: `clock_exceeds_logarithm`.
"""

from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, unit_target, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exp_difference
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="equation (17), with the first number that its proof calls c_0",
    refs=("C-17", "C-18"),
    note=(
        "From the line before follows c_0 / 2 where c_0 is printed: for u(0) = (1, 0) the bound is log(1 + e) = "
        "1.31 at t = 0, above u_0(0) = 1. With some other constant it holds."
    ),
    statement="u_0(t) >= log(t/(2p) - c_0), c_0 = -(u_0(0) + e^{u_0(0)}), |beta_*| = 1.",
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values, unit_target),
    standing=Standing.FALSE,
    corrected_by="polarization.clock_exceeds_logarithm",
)


@claim.rate(">= 0", horizon=lambda start: fmpq(1))
def leading_value_above_logarithm(now: LogisticFlow, start: LogisticFlow):
    """e^{u_0(t)} - (t/(2p) - c_0); where t/(2p) - c_0 <= 0 the bound says nothing and this is positive."""
    u_0 = start.u[:1]
    return exp_difference(now.u[:1], u_0) - u_0 - (now.t - start.t) / (2 * len(now.a))
