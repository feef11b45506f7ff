"""The normalised map f(x) = x^2 drives the scores to one-hot, and faster than any power of the clock.

On positive scores R = |a| is conserved, and s_i' = (4/R^2) s_i (u_i - m) is exactly the replicator equation. So q_j =
s_j / s_0 has (log q_j)' = -(4/R^2)(u_0 - u_j), and u_0 - u_j grows at K (s_0 - s_j), which only increases: q_j = exp(-2
K tau^2 / R^2 + O(tau)), against 2/(p K tau^2) under the softmax. (a(0) = 0 is impossible, since F = 0; x^2 is not
monotone on the line.)
"""

from claims.polarization.gaps_grow import gaps_to_leader
from claims.polarization.setting.figure_13 import polarized_maximum
from claims.polarization.setting.maps import positive_scores
from claims.polarization.setting.scores import comonotone, two_scores
from claims.stating.statement import Claim, Origin
from dynamics.training.score_maps import SQUARE, SquareMapFlow

# Positive scores: x^2 is increasing only there, and R > 0 keeps F from vanishing.
claim = Claim(
    __name__,
    where="section 3.2, other normalization functions, figure 13 (L2)",
    refs=("C-fx2", "S9", "E21(ii)", "E21(iv)", "X2"),
    statement=(
        "with f(x) = x^2 the dynamics can drive s_f toward a one-hot limit, see Figure 13 provides empirical "
        "evidence for these behaviors."
    ),
    origin=Origin.PRINTED,
    system=SquareMapFlow,
    assumptions=(two_scores, positive_scores, comonotone),
)


@claim.identity(assuming=(positive_scores,))
def weights_follow_replicator(f: SquareMapFlow, *, speed=4):
    """R^2 ds_i/dtau - 4 s_i (u_i - m)."""
    s = f.s
    norm = (f.a * f.a).sum(axis=-1, keepdims=True)
    return norm * f.ds_dtau() - speed * s * (f.u - f.m[..., None])


# From 2 da / a, not by differentiating a logarithm: it is rational in a, so that exact states decide it.
@claim.identity(assuming=(two_scores, positive_scores))
def log_ratio_rate(f: SquareMapFlow, *, speed=4):
    """4 (u_0 - u_j) + R^2 (log q_j)', from d(log q_j) = 2 da_j / a_j - 2 da_0 / a_0."""
    norm = (f.a * f.a).sum(axis=-1, keepdims=True)
    return speed * gaps_to_leader(f.u) - 2 * norm * gaps_to_leader(f.da_dtau() / f.a)


@claim.state("> 0")
def leading_weight_gap_rate(f: SquareMapFlow):
    """d(s_0 - s_j)/dtau, at every state ordered alike."""
    return gaps_to_leader(f.ds_dtau())


# s_0 - s_j grows, so its value at the start bounds the speed of the gap at all times.
@claim.rate("> 0", horizon=lambda start: 2 * start.time_unit())
def value_gap_accelerates(now: SquareMapFlow, start: SquareMapFlow):
    """d(u_0 - u_j)/dtau - K (s_0 - s_j)(0): log q_j falls at least like -(2K/R^2)(s_0 - s_j)(0) tau^2."""
    return gaps_to_leader(now.du_dtau()) - start.K * gaps_to_leader(start.s)


@claim.experiment()
def figure_13_square_map(steps):
    """Figure 13, logistic loss: the largest weight."""
    return polarized_maximum("L2", SQUARE.value, SQUARE.slope, {2000: "0.9986", 100_000: "1.0000"}, steps)
