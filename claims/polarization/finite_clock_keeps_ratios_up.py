"""int gamma < infinity keeps q_j up because q_j <= 1 / (1 + (delta/p) int gamma): a non sequitur.

Appendix C.1 (polarization E13). The inference reads an upper bound on q_j as a lower one: from any scores, 1/q_j <=
1/q_j(0) + (delta/p) int gamma (H1). Here delta = 0, so no q_j could ever fall. That the scores do not become one-hot is
true, for another reason: `regression_scores_stay_dense`.
"""

from flint import fmpq

from claims.assumptions import ordered_scores, two_scores, zero_values
from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.arithmetic import exp_difference
from dynamics.value_softmax import SquareLossFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="appendix C.1, last lines",
    refs=("E13", "H1"),
    statement=(
        "Therefore, the integral int_0^t gamma(h) dh converges to a finite value as t -> infinity. This implies "
        "that the attention scores do not converge to a one-hot vector in the case of linear regression."
    ),
    origin=Origin.PRINTED,
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values),
    standing=Standing.FALSE,
    corrected_by="polarization.regression_scores_stay_dense",
)


@claim.trajectory(">= 0", horizon=lambda start: fmpq(1))
def bound_read_from_below(now: SquareLossFlow, start: SquareLossFlow):
    """1/q_j(0) + (delta/p) tau - 1/q_j, delta = min (u_i - u_j)(0): the lower bound on q_j that the inference needs."""
    delta = min(start.u[:-1] - start.u[1:])
    fallen = exp_difference(start.a[:1] - start.a[1:], now.a[:1] - now.a[1:])
    return delta / len(now.a) * (now.tau - start.tau) + fallen


@claim.state("> 0", assuming=(two_scores, zero_values))
def least_gap_is_positive(f: SquareLossFlow):
    """u_i(0) - u_{i+1}(0): the bound itself says nothing unless delta > 0."""
    return f.u[..., :-1] - f.u[..., 1:]
