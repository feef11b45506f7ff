"""The loss -<p_*, log(V s)> behaves like regression, with a bounded clock: false for the loss as written.

Section 3.2 (polarization C-KL, E18). Nothing keeps V s on the simplex, so the loss has no minimum: on V = sqrt(p_*)
u^T it is -log m, gamma = 1/m, and int gamma diverges, where for the square loss it stays below 1/|s(0)|^2 = p.
`kl_of_values_polarises_fully` has what happens, `kl_of_logits_is_like_regression` the loss of the authors' code.
"""

from flint import fmpq

from claims.polarization.setting.maps import positive_values
from claims.polarization.setting.scores import ordered_values, two_scores, unit_target, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.training.kl_loss import ValuesKLFlow

claim = Claim(
    __name__,
    where="section 3.2, regression, asked of the KL divergence as it is written",
    refs=("C-KL", "E18"),
    note=(
        "The loss as written is unbounded below and its clock too: from u(0) = (2, 1) the integral of gamma is "
        "2.55 at t = 6, above 1/|s(0)|^2 = 2. It tends to infinity, and s tends to e_0."
    ),
    statement="For l(beta) = -<p_*, log beta>, as for regression, int_0^infinity gamma = Theta(1), below 1/|s(0)|^2.",
    origin=Origin.CARRIED_OVER,
    system=ValuesKLFlow,
    assumptions=(two_scores, unit_target, zero_scores, positive_values, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.kl_of_values_polarises_fully",
)


@claim.rate("> 0", horizon=lambda start: (start.u[0] + fmpq(len(start.u), 2)) * len(start.u))
def clock_stays_below_limit(now: ValuesKLFlow, start: ValuesKLFlow):
    """1/|s(0)|^2 - tau at every time t of a horizon that suffices to exceed it."""
    return 1 / (start.s * start.s).sum(axis=-1) - (now.tau - start.tau)
