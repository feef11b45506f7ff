"""Value projections and scores keep their order for all times.

Theorem 3.2(a), logistic loss, from a(0) = 0 and u_0(0) > ... > u_{p-1}(0). It holds since Phi_ij of
`lyapunov_function_grows` stays positive.
"""

from claims.polarization.setting.scores import ASSUMPTION_3_1
from claims.stating.statement import Claim, Origin
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="Theorem 3.2(a)",
    refs=("C-3.2a", "A-3.1", "H3"),
    statement=(
        "Order preservation. The order of both the projections u_i(t) and attention scores s_i(t) is preserved "
        "u_0(t) > u_1(t) > ... > u_{p-1}(t), s_0(t) > s_1(t) > ... > s_{p-1}(t)."
    ),
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=ASSUMPTION_3_1,
)


@claim.trajectory("> 0", horizon=lambda start: 4)
def values_stay_ordered(now: LogisticFlow, start: LogisticFlow):
    """u_i - u_{i+1}."""
    return now.u[:-1] - now.u[1:]


# a in place of s: its gaps stay visible where both weights are near 0.
@claim.trajectory("> 0", horizon=lambda start: 4)
def scores_stay_ordered(now: LogisticFlow, start: LogisticFlow):
    """a_i - a_{i+1} = log(s_i / s_{i+1})."""
    return now.a[:-1] - now.a[1:]
