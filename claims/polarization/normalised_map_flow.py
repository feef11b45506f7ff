"""Under a normalised map s_i = f(a_i) / F: du/dt = gamma K s and da/dt = (gamma / F) f'(a) (u - <u, s> 1).

Equations (30), (31), compared with the gradient flow of (V, a), where ds/da comes from the quotient rule. F = sum_j
f(a_j) must not vanish.
"""

import numpy as np

from claims.polarization.setting.figure_13 import final_weights
from claims.polarization.setting.maps import positive_map
from claims.stating.experiments import Reading
from claims.stating.statement import Claim, Origin
from dynamics.training.score_maps import FullMapFlow

# Any positive increasing map, drawn by its index: the softmax is one of them.
claim = Claim(
    __name__,
    where="equations (30), (31)",
    refs=("C-nf", "X2"),
    statement="du = gamma(beta) |beta_*|^2 s_f dt, da = gamma(beta) f'(a) / sum_j f(a_j) o (u - <u, sigma_f> 1) dt.",
    origin=Origin.PRINTED,
    system=FullMapFlow,
    assumptions=(positive_map,),
)


# ds/da in `velocity` comes from the quotient rule; here stands what (31) prints.
@claim.identity()
def velocity_is_reduced(f: FullMapFlow, *, centering=1):
    """(V^T beta_*)' - gamma K s and a' - (gamma / F) f'(a) (u - m), along the gradient flow of (V, a)."""
    dV, da = f.velocity()
    du = (dV * f.beta_star[..., :, None]).sum(axis=-2)
    s, u, gamma = f.s, f.u, f.gamma[..., None]
    m, F = (s * u).sum(axis=-1, keepdims=True), f.f.value(f.a).sum(axis=-1, keepdims=True)
    printed = gamma * f.K[..., None] * s, gamma / F * f.f.slope(f.a) * (u - centering * m)
    return np.stack([du - printed[0], da - printed[1]], axis=-2)


@claim.experiment()
def figure_13_softmax(steps):
    """Figure 13, logistic loss, softmax: the largest weight."""
    found = final_weights(np.exp, np.exp, (2000, 100_000), steps)
    printed = {2000: "0.9228", 100_000: "0.9762"}
    return [Reading(f"Softmax, {step} steps: max s", float(s.max()), printed[step]) for step, s in found.items()]
