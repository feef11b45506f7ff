"""Mean-centering of the score gradient is neither necessary nor sufficient for polarization.

Section 3.2 calls it "the key mechanism behind polarization in our analysis" (E20); that it is necessary, or that it
alone suffices, is not printed.

`elementwise_exponential_polarises`: Under s_i = e^{a_i} the share of the leader tends to 1 at a finite tau. In the
clock sigma with dtau = e^{-a_0} dsigma the leader moves freely, u_0 = u_0(0) + K sigma, and -(log q_j)' = u_0 - q_j u_j
>= (u_0 - u_j)(0). So q_j decays exponentially in sigma, while tau < 1/u_0(0) at all times.

`mean_centering_suffices`: False: under f(x) = x the smallest weight turns negative. The paper itself says that with
this map "the polarization is typically insufficient".
"""

from claims.polarization.setting.maps import clear_leader, equal_scores, positive_scores, positive_values
from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.stating.statement import Section
from dynamics.limits.traps import OneHot, elementwise_exponential_trap
from dynamics.training.score_maps import ElementwiseExponentialFlow, IdentityMapFlow

section = Section(
    __name__,
    refs=("C-mech", "E20"),
    system=ElementwiseExponentialFlow,
    assumptions=(two_scores, zero_scores, positive_values, ordered_values),
)

elementwise_exponential_polarises = section.claim(
    where="section 3.2, other non-linearities: the mechanism",
    statement="For s_i = e^{a_i}, a(0) = 0 and u_0(0) > ... > u_{p-1}(0) > 0: q_j <= exp(-(u_0 - u_j)(0) sigma).",
)


# u_j > 0 at all times, as it only grows, and q_j <= 1: so u_0 - q_j u_j >= u_0 - u_j, a gap that grows.
@elementwise_exponential_polarises.rate("> 0", horizon=lambda start: 4 * start.time_unit())
def log_ratio_decays(now: ElementwiseExponentialFlow, start: ElementwiseExponentialFlow, *, rate=1):
    """-(log q_j)' - (u_0 - u_j)(0) in the clock sigma."""
    q = now.ratio
    return (now.u[:1] - q[1:] * now.u[1:]) - rate * (start.u[:1] - start.u[1:])


# The leader blows up at a finite tau, which sigma, the clock of the flow, reaches only at infinity.
@elementwise_exponential_polarises.rate("> 0", horizon=lambda start: 4 * start.time_unit())
def clock_stays_below_blow_up(now: ElementwiseExponentialFlow, start: ElementwiseExponentialFlow, *, most=1):
    """1/u_0(0) - tau."""
    return most / start.u[:1] - (now.tau - start.tau)


mean_centering_is_needed = section.claim(
    where="section 3.2, other non-linearities: is the mechanism necessary?",
    note=(
        "The elementwise map s_i = e^{a_i} has no mean-centering, and from u(0) = (2, 1) the share of index 0 "
        "tends to 1. The shares of all others fall like exp(-(u_0 - u_j)(0) sigma), in a clock sigma of its own."
    ),
    statement="Without the mean-centering term of the Jacobian no map drives the shares s_i / sum_j s_j to one-hot.",
    corrected_by="polarization.elementwise_exponential_polarises",
)


# u_0 > 0 and level scores: the trap is entered as soon as a_0 is ahead, right after the start.
@mean_centering_is_needed.limit(
    "> 0", times=lambda start: (start.time_unit(), 4 * start.time_unit()), trap=elementwise_exponential_trap
)
def leading_share_stays_away_from_one(limit: OneHot, start: ElementwiseExponentialFlow):
    """1 minus the limit of the largest share."""
    return 1 - max(limit.weights)


# Equal positive scores and not a(0) = 0, where F = 0 for f(x) = x; the clear leader only brings the crossing forward.
mean_centering_suffices = section.claim(
    where="section 3.2, other normalization functions: is the mechanism sufficient?",
    refs=("C-mech", "E20", "C-fx"),
    note=(
        "The map f(x) = x is centered, and leaves the simplex: from u(0) = (2, 0), a(0) = (1, 1) the score a_1 is"
        " -0.488 at the clock time 1/2. Under this map the sum of the scores falls to 0 at a finite clock time, "
        "while |a|^2 is conserved: nothing becomes one-hot."
    ),
    statement="Under every increasing f the normalised map, with its mean-centered gradient, keeps weights nonnegative.",
    system=IdentityMapFlow,
    assumptions=(two_scores, equal_scores, positive_scores, ordered_values, clear_leader),
    corrected_by="polarization.linear_map_leaves_simplex",
)


# The score has the sign of the weight as long as F > 0, and no quotient has to be enclosed near F = 0.
@mean_centering_suffices.trajectory(">= 0", horizon=lambda start: 8 / (5 * (start.u[0] - start.u[-1])))
def smallest_score_stays_nonnegative(now: IdentityMapFlow, start: IdentityMapFlow):
    """a_{p-1} = F s_{p-1}, in the clock with dtau = F^2; it falls below 0 while F > 0."""
    return now.a[-1:]
