"""Under an elementwise ReLU no active score dies: false, a negative enough value projection kills it, and one may be left.

Section 3.2 says that the same polarization is not observed under ReLU (polarization C-relu, S9), seen from scores near
1 and small values. It is no property of the map: a score with u_i(0) < -sqrt(K) a_i(0) reaches 0 at a finite clock and
stays there. From u(0) = (1, -2) and a(0) = (1, 1) the shares become (1, 0) exactly. `elementwise_relu_stays_dense`
asks for u(0) > 0.
"""

from claims.polarization.setting.maps import positive_scores
from claims.polarization.setting.scores import two_scores
from claims.statement import Claim, Origin, Standing
from dynamics.training.score_maps import ElementwiseReluFlow

claim = Claim(
    __name__,
    where="section 3.2, other non-linearities, asked of all values",
    refs=("C-relu", "S9"),
    note=(
        "A score with u_i < -sqrt(K) a_i dies: from u(0) = (1, -2), a(0) = (1, 1) the second reaches 0 before "
        "time 3. From u(0) > 0 the shares tend to those of u_i(0) + sqrt(K) a_i(0), all of them positive."
    ),
    statement="Under the elementwise ReLU, from any positive scores, no share becomes 0, whatever u(0).",
    origin=Origin.CARRIED_OVER,
    system=ElementwiseReluFlow,
    assumptions=(two_scores, positive_scores),
    standing=Standing.FALSE,
    corrected_by="polarization.elementwise_relu_stays_dense",
)


@claim.trajectory("> 0", horizon=lambda start: 3 * start.time_unit())
def scores_stay_active(now: ElementwiseReluFlow, start: ElementwiseReluFlow):
    """a_i, along the flow of the active set: the model leaves it where one of them reaches 0."""
    return now.a
