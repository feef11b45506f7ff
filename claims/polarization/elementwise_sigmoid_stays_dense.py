"""Under an elementwise sigmoid nothing polarizes: every score tends to 1, so every share to 1/p.

Section 3.2 (polarization C-sig, C-F13, S9), logistic loss. Coordinates do not interact in the clock tau, and
u_i^2 / 2 - K (a_i + e^{a_i}) is conserved; u_i grows, so a_i does. (Where u_i(0) < 0 a_i falls first, and returns.)
"""

from claims.experiments import Reading
from claims.polarization.setting.figure_13 import final_weights
from claims.polarization.setting.maps import positive_values
from claims.polarization.setting.scores import two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.limits.traps import AllOnes, elementwise_sigmoid_trap
from dynamics.training.score_maps import SIGMOID, ElementwiseSigmoidFlow

claim = Claim(
    __name__,
    where="section 3.2, other non-linearities, figure 13 (Sigmoid)",
    refs=("C-sig", "C-F13", "S9", "X2"),
    statement=(
        "For both the regression and logistic losses, we do not observe the same polarization behavior under sigmoid (and "
        "similarly under ReLU), see Figure 13 for reference."
    ),
    origin=Origin.PRINTED,
    system=ElementwiseSigmoidFlow,
    assumptions=(two_scores, zero_scores, positive_values),
)


@claim.identity(assuming=())
def energy_rate(f: ElementwiseSigmoidFlow, *, K_factor=1):
    """d/dtau of u_i^2 / 2 - K (a_i + e^{a_i}), over K."""
    return (f.u * f.du_dtau() - K_factor * f.K[..., None] * (1 + exp(f.a)) * f.da_dtau()) / f.K[..., None]


@claim.rate("> 0", horizon=lambda start: 4 * start.time_unit())
def every_score_grows(now: ElementwiseSigmoidFlow, start: ElementwiseSigmoidFlow):
    """s_i - s_i(0)."""
    return now.s - start.s


@claim.limit("== 0", times=lambda start: (start.time_unit(), 16 * start.time_unit()), trap=elementwise_sigmoid_trap)
def shares_become_equal(limit: AllOnes, start: ElementwiseSigmoidFlow, *, parts=1):
    """The limit of p share_i, minus 1."""
    return len(start.a) * limit.shares - parts


@claim.experiment()
def figure_13_sigmoid(steps):
    """Figure 13, logistic loss, elementwise sigmoid: the largest and the smallest weight (digits of a re-run)."""
    found = final_weights(SIGMOID.value, SIGMOID.slope, (2000, 100_000), steps, normalised=False)
    printed = {2000: ("0.794", "0.736"), 100_000: ("0.817", "0.765")}
    return [
        Reading(f"Sigmoid, {step} steps: {name}", float(value), digits)
        for step, s in found.items()
        for name, value, digits in zip(("max s", "min s"), (s.max(), s.min()), printed[step], strict=True)
    ]
