"""Without mean-centering the shares do not polarize: false, under s_i = e^{a_i} the share of the leader tends to 1.

Beside section 3.2 (polarization C-mech, E20), which calls the mean-centering term "the key mechanism behind polarization
in our analysis" and says of sigmoid and ReLU alone that they do not polarize: that it is necessary is not printed. Once
index 0 leads it takes the whole share (`elementwise_exponential_polarises` has the rate).
"""

from claims.polarization.setting.maps import positive_values
from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.limits.traps import OneHot, elementwise_exponential_trap
from dynamics.training.score_maps import ElementwiseExponentialFlow

claim = Claim(
    __name__,
    where="section 3.2, other non-linearities: is the mechanism necessary?",
    refs=("C-mech", "E20"),
    note=(
        "The elementwise map s_i = e^{a_i} has no mean-centering, and from u(0) = (2, 1) the share of index 0 "
        "tends to 1. The shares of all others fall like exp(-(u_0 - u_j)(0) sigma), in a clock sigma of its own."
    ),
    statement="Without the mean-centering term of the Jacobian no map drives the shares s_i / sum_j s_j to one-hot.",
    origin=Origin.OURS,
    system=ElementwiseExponentialFlow,
    assumptions=(two_scores, zero_scores, positive_values, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.elementwise_exponential_polarises",
)


@claim.limit("> 0", times=lambda start: (start.time_unit(), 4 * start.time_unit()), trap=elementwise_exponential_trap)
def leading_share_stays_away_from_one(limit: OneHot, start: ElementwiseExponentialFlow):
    """1 minus the limit of the largest share."""
    return 1 - max(limit.weights)
