"""Under s_i = e^{a_i}, elementwise and not mean-centered, the share of the leader tends to 1 at a finite tau.

What is true of the mechanism (polarization C-mech, E20). In the clock sigma with dtau = e^{-a_0} dsigma the leader moves
freely, u_0 = u_0(0) + K sigma, and q_j = s_j / s_0 has -(log q_j)' = u_0 - q_j u_j >= (u_0 - u_j)(0): q_j decays
exponentially in sigma, while tau < 1/u_0(0) for ever.
"""

from claims.polarization.setting.maps import positive_values
from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.training.score_maps import ElementwiseExponentialFlow

claim = Claim(
    __name__,
    where="section 3.2, other non-linearities: the mechanism",
    refs=("C-mech", "E20"),
    statement="For s_i = e^{a_i}, a(0) = 0 and u_0(0) > ... > u_{p-1}(0) > 0: q_j <= exp(-(u_0 - u_j)(0) sigma).",
    origin=Origin.OURS,
    system=ElementwiseExponentialFlow,
    assumptions=(two_scores, zero_scores, positive_values, ordered_values),
)


@claim.rate("> 0", horizon=lambda start: 4 * start.time_unit())
def log_ratio_decays(now: ElementwiseExponentialFlow, start: ElementwiseExponentialFlow, *, rate=1):
    """-(log q_j)' - (u_0 - u_j)(0) in the clock sigma."""
    q = now.ratio
    return (now.u[:1] - q[1:] * now.u[1:]) - rate * (start.u[:1] - start.u[1:])


@claim.rate("> 0", horizon=lambda start: 4 * start.time_unit())
def clock_stays_below_blow_up(now: ElementwiseExponentialFlow, start: ElementwiseExponentialFlow, *, most=1):
    """1/u_0(0) - tau."""
    return most / start.u[:1] - (now.tau - start.tau)
