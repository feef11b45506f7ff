"""The scores become one-hot, u_0 diverges, every other u_j stays bounded, and the values keep their order.

What the caption of figure 2 predicts by Theorem 3.3 (polarization C-F2), made precise: "the value projections u diverge" is
so of u_0, since s_0 >= 1/p, and of the gaps to it. The bounds are those of `score_ratios_decay_by_own_gap` and
`losing_values_stay_bounded`; the run of the figure is `figure_two_run`.
"""

from flint import fmpq

from claims.polarization import losing_values_stay_bounded, score_ratios_decay_by_own_gap
from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="figure 2, caption, made precise",
    refs=("C-F2",),
    statement=(
        "The attention scores converge to a one-hot vector, u_0 diverges, every other u_j stays bounded, and the order "
        "of u is preserved."
    ),
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
)


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def scores_outgrow_clock(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """p d(1/q_j)/dtau - (u_0 - u_j)(0) at every t > 0; integrated, q_j <= 1 / (1 + (u_0 - u_j)(0) tau / p)."""
    return score_ratios_decay_by_own_gap.inverse_ratio_outgrows_clock(now, start, rate=rate)


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def leading_value_outgrows_clock(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """p du_0/dtau - K at every t > 0; integrated it is p (u_0 - u_0(0)) > K tau."""
    return len(now.a) * now.du_dtau()[:1] - rate * now.K


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def other_values_stay_bounded(now: LogisticFlow, start: LogisticFlow, *, most=1):
    """pi K - AGM(2 sqrt(K), delta_j) (u_j - u_j(0)) for j != 0, with delta_j = (u_0 - u_j)(0)."""
    return losing_values_stay_bounded.growth_stays_below_bound(now, start, most=most)


@claim.trajectory("> 0", horizon=lambda start: fmpq(4))
def order_is_kept(now: LogisticFlow, start: LogisticFlow):
    """u_i - u_{i+1}."""
    return now.u[:-1] - now.u[1:]
