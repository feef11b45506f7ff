"""m >= u_0 / p: false as printed, the other value projections may be negative.

Proof of Theorem 3.3(a) (polarization E7): "sum_j s_j u_j <= u_0 sum_j s_j >= u_0 / p". From u(0) = (1, -10) the margin
is -4.5.
"""

from flint import fmpq

from claims.assumptions import ordered_values, two_scores, zero_scores
from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="proof of Theorem 3.3, convergence of the loss",
    refs=("E7", "C-3.3a"),
    statement="<beta_*, beta(t)> = sum_j s_j(t) u_j(t) <= u_0(t) sum_j s_j(t) >= (1/p) u_0(t).",
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.margin_exceeds_share_less_losses",
)


@claim.state(">= 0")
def margin_at_start(f: LogisticFlow):
    """p m - u_0, at the start."""
    return f.a.shape[-1] * f.m - f.u[..., 0]


@claim.trajectory(">= 0", horizon=lambda start: fmpq(2))
def margin_in_time(now: LogisticFlow, start: LogisticFlow):
    """p m - u_0, at every time."""
    return len(now.a) * now.m - now.u[:1]
