"""Under an elementwise sigmoid nothing polarises: every score tends to 1.

Section 3 (polarization C-sig, C-F13, S9), logistic loss. Coordinates do not interact in the clock tau, and
u_i^2 / 2 - K (a_i + e^{a_i}) is conserved; u_i grows, so a_i does, and (1 - s_i) u_i^2 / (2K) -> 1. (For the times below
u_i(0) > 0; otherwise a_i falls first, and returns.)
"""

import numpy as np
from flint import fmpq

from claims.assumptions import positive_values, two_scores, zero_scores
from claims.polarization.figure_13 import final_weights
from claims.statement import POLARIZATION, Claim, Reading
from dynamics.arithmetic import exp
from dynamics.score_maps import SIGMOID, ElementwiseSigmoidFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3, figure 13 (Sigmoid)",
    refs=("C-sig", "C-F13", "S9", "X2"),
    statement="The elementwise sigmoid does not polarise.",
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


@claim.limit("> 0", times=lambda start: (24 * start.time_unit(),))
def every_score_tends_to_one(states, start: ElementwiseSigmoidFlow, *, room=1):
    """1/2 - |x - 1| and 1/4 - |p share_i - 1|, each twice; x = (1 - s_i) (u_i^2 - u_i(0)^2) / (2K), sqrt(K) tau near 24."""
    (last,) = states
    x = (last.u**2 - start.u**2) / (1 + exp(last.a)) / (2 * last.K)
    share = len(last.a) * last.share
    return np.stack([room * fmpq(1, 2) + x - 1, fmpq(1, 2) - x + 1, fmpq(1, 4) + share - 1, fmpq(1, 4) - share + 1])


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
