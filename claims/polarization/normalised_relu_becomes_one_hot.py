"""Under a normalised ReLU the losers die one after another at finite tau, and s is then exactly one-hot.

Figure 13 (polarization C-relu, E19, S9), whose code normalises the ReLU that the text has elementwise. While all scores
are positive the map is f(x) = x: |a|^2 is conserved, and the last of ordered scores falls at least at speed W / (p F),
where W = u_0 - u_{p-1} grows and |a| <= F <= sqrt(p) |a|, so it reaches 0, where it stays; the others go on
as a model with fewer scores. Followed as f(x) = x the last score comes back, as F does (`linear_map_leaves_simplex`): if
a_{p-1} = 0 first at time z of the clock with dtau = F^2, then a_{p-1} < 0 from z to 2 z at least.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import clear_leader, comonotone, positive_scores, two_scores
from claims.polarization.figure_13 import final_weights
from claims.polarization.linear_map_leaves_simplex import halved
from claims.statement import POLARIZATION, Claim, Reading
from dynamics.arithmetic import peak
from dynamics.score_maps import IdentityMapFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="figure 13 (ReLU)",
    refs=("C-relu", "E19", "S9", "X2"),
    printed="The normalised ReLU becomes one-hot.",
    system=IdentityMapFlow,
    assumptions=(two_scores, positive_scores, comonotone, clear_leader),
)


@claim.state(">= 0", assuming=(two_scores, positive_scores, comonotone))
def last_score_falls(f: IdentityMapFlow, *, speed=1):
    """-F^2 p da_{p-1}/dtau - F W, W = u_0 - u_{p-1}."""
    W = f.u[..., 0] - f.u[..., -1]
    return -f.a.shape[-1] * f.scaled_da()[..., -1] - speed * f.F * W


@claim.state(">= 0", assuming=(two_scores, positive_scores, comonotone))
def total_stays_bounded(f: IdentityMapFlow, *, most=1):
    """p |a|^2 - F^2, where |a| is conserved (`power_maps_conserve_norm`)."""
    return most * f.a.shape[-1] * (f.a * f.a).sum(axis=-1) - f.F * f.F


def _times(start):
    """From beyond a_{p-1} / (W a_0), when the last score is dead, down to where it is alive: W <= W(0) + 2 p K |a|^2 t."""
    p, a, K, W = len(start.a), start.a, start.K.item(), start.u[0] - start.u[-1]
    size = abs(a).sum()  # at least |a|
    return halved(fmpq(4, 3) * a[-1] / (W * a[0]), lambda t: p * size * (W * t + p * K * size**2 * t * t) <= abs(a[-1]))


@claim.limit("> 0", times=_times)
def last_score_reaches_zero(states, start: IdentityMapFlow):
    """-a_{p-1} at the best of times each half the next, for f(x) = x: there the ReLU has a dead score."""
    return peak(np.stack([-state.a[-1:] for state in states]).reshape(-1))


@claim.experiment()
def figure_13_relu(steps):
    """Figure 13, logistic loss, normalised ReLU: the largest weight."""
    found = final_weights(lambda a: np.maximum(a, 0), lambda a: a > 0, (2000, 10_000, 100_000), steps)
    printed = {2000: "0.747", 10_000: "1.000000", 100_000: "1.000000"}
    return [Reading(f"ReLU, {step} steps: max s", float(s.max()), printed[step]) for step, s in found.items()]


@claim.experiment()
def figure_13_absolute_value(steps):
    """Figure 13, logistic loss, |a| normalised (L1): the largest weight; the dead scores chatter around 0."""
    found = final_weights(np.abs, np.sign, (2000, 100_000), steps)
    printed = {2000: "0.746", 100_000: "0.9999"}
    return [Reading(f"L1, {step} steps: max s", float(s.max()), printed[step]) for step, s in found.items()]
