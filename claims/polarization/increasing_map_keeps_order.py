"""Scores keep their order under every increasing differentiable f: false as printed, where F = sum_j f(a_j) < 0.

Lemma D.4, whose proof assumes of F that "it does not hit 0 in finite time", not its sign (polarization C-D4, E21(i),
H8). For f(x) = x - 1 and a(0) = 0, F(0) = -p: a_0' = (u_0 - m) / F < 0, so the largest value projection gets the
smallest score at once. `positive_map_keeps_order` asks for f > 0 and f' > 0.
"""

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.training.score_maps import IdentityMinusOneFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Lemma D.4, appendix D.2",
    refs=("C-D4", "E21", "E21(i)", "H8"),
    note=(
        "f(x) = x - 1 is increasing, but its sum over a(0) = 0 is negative, which turns the gradient round: from "
        "u(0) = (1, 0) the score a_0 falls behind a_1, by 0.125 at time 1/4. If f > 0 and f' > 0 both orders "
        "hold."
    ),
    statement=(
        "consider a general monotonically increasing differentiable function f ... For the initialization given "
        "by the Assumption 3.1, the following no-crossing property holds for all time t >= 0, u_0(t) > u_1(t) > "
        "... > u_{p-1}(t), a_0(t) >= a_1(t) >= ... >= a_{p-1}(t)."
    ),
    origin=Origin.PRINTED,
    system=IdentityMinusOneFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.positive_map_keeps_order",
)


@claim.trajectory(">= 0", horizon=lambda start: start.time_unit() / 4)
def scores_stay_ordered(now: IdentityMinusOneFlow, start: IdentityMinusOneFlow):
    """a_i - a_{i+1}."""
    return now.a[:-1] - now.a[1:]
