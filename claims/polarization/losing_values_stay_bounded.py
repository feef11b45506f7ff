"""All value projections except the leading one stay bounded: u_j(t) - u_j(0) < pi K / AGM(2 sqrt(K), delta_j).

Lemma B.1(a) with a closed constant. In the clock xi = int s_0 dtau one has du_j = K q_j dxi, and 1/q_j stays above the
solution R of R'' = K (1 - 1/R), R(0) = 1, R'(0) = delta_j = u_0(0) - u_j(0) (`losing_scores_decay_quadratically`). So
the growth is at most int_1^inf K dR / (R sqrt(delta_j^2 + 2K (R - 1 - log R))). With R - 1 - log R >= (R - 1)^2 / (2R)
and R = e^{2y} this becomes a complete elliptic integral, hence the arithmetic-geometric mean.
"""

from flint import fmpq

from claims.polarization.setting.scores import leading_value, two_scores, zero_scores
from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import sqrt
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="Lemma B.1(a)",
    refs=("C-B1a", "T7"),
    statement=(
        "The projection co-ordinates u_i(t) for i != 0 does not grow unbounded with time, i.e., there exists a "
        "constant C > 0 such that for all time t >= 0, we have u_i(t) <= C."
    ),
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, leading_value),
)

# Rational, and above pi, by 3e-7: so the bound that is stated with pi is only weakened.
PI = fmpq(355, 113)

"""A little above pi."""


# The geometric means approach from below: stopped after any number of steps, the bound is only weaker.
def mean_of_gap(K, gaps):
    """AGM(2 sqrt(K), gap) or less for each gap, by six steps; zero, so that the bound says nothing, for gaps below zero."""
    arithmetic, geometric = 2 * sqrt(K), (gaps + abs(gaps)) / 2
    for _ in range(6):
        arithmetic, geometric = (arithmetic + geometric) / 2, sqrt(arithmetic * geometric)
    return geometric


# Multiplied by the mean, so that a small delta_j, for which the bound is large, divides nothing.
@claim.rate("> 0", horizon=lambda start: 6)
def growth_stays_below_bound(now: LogisticFlow, start: LogisticFlow, *, most=1):
    """pi K - AGM(2 sqrt(K), delta_j) (u_j - u_j(0)) for j != 0."""
    mean = mean_of_gap(start.K, start.u[:1] - start.u[1:])
    return most * PI * start.K - mean * (now.u[1:] - start.u[1:])
