"""Under a normalised ReLU the losers die one after another at finite tau, and s is then exactly one-hot.

Figure 13 (polarization C-relu, E19, S9), whose code normalises the ReLU that the text has elementwise. While all scores
are positive the map is f(x) = x: |a|^2 is conserved, and the last of ordered scores falls at least at speed W / (p F),
where W = u_0 - u_{p-1} grows and |a| <= F <= sqrt(p) |a|, so it reaches 0, where it stays; the others go on
as a model with fewer scores.

The flow of f(x) = x itself goes on to F = 0, and from there back the way it came with -F in place of F: where a_{p-1}
reaches 0 at time s it is negative from s to 2s, which times that halve cannot miss.
"""

import math

import numpy as np

from claims.experiments import Reading
from claims.polarization.setting.figure_13 import final_weights
from claims.polarization.setting.maps import positive_scores
from claims.polarization.setting.scores import comonotone, two_scores
from claims.statement import Claim, Origin
from dynamics.limits.traps import Passed, passed_zero
from dynamics.training.score_maps import IdentityMapFlow

claim = Claim(
    __name__,
    where="figure 13 (ReLU)",
    refs=("C-relu", "E19", "S9", "X2"),
    statement="The normalised ReLU becomes one-hot.",
    origin=Origin.OURS,
    system=IdentityMapFlow,
    assumptions=(two_scores, positive_scores, comonotone),
)


@claim.state(">= 0")
def last_score_falls(f: IdentityMapFlow, *, speed=1):
    """-F^2 p da_{p-1}/dtau - F W, W = u_0 - u_{p-1}."""
    W = f.u[..., 0] - f.u[..., -1]
    return -f.a.shape[-1] * f.scaled_da()[..., -1] - speed * f.F * W


@claim.state(">= 0")
def total_stays_bounded(f: IdentityMapFlow, *, most=1):
    """p |a|^2 - F^2, where |a| is conserved (`power_maps_conserve_norm`)."""
    return most * f.a.shape[-1] * (f.a * f.a).sum(axis=-1) - f.F * f.F


def halved_times(late, is_late, is_early):
    """A time surely past the zero of a score, `late` or not as late, and its halves down to the zero."""
    while is_late(3 * late / 4):
        late = 3 * late / 4
    times = [late]
    # Twelve at least, so that most starts of a batch, which a search follows together, have equally many.
    while len(times) < 12 or not is_early(times[-1] / 2):
        times.append(times[-1] / 2)
    return times


def _times(start):
    """Around the zero of a_{p-1}, in the clock with dtau = F^2: until then F falls, F >= |a|, and -da_{p-1} >= a_0 W.

    D = a_0 - a_{p-1} has D' = F W and W' = K F D, and a_{p-1} <= |a| - D; it falls at most as F W, and W' <= K F^2.
    Raises ValueError where a_{p-1} or W is not positive.
    """
    first, last, F, K = start.a[0], start.a[-1], start.F.item(), start.K.item()
    W, square = start.u[0] - start.u[-1], K * (start.a * start.a).sum()
    if not (last > 0 and W > 0):
        raise ValueError("no last score is to die")
    return halved_times(
        last / (W * first),
        lambda t: W * t * grown(square * t**2) >= 1 - (first - last) / F,
        lambda t: F * W * t + K * F**3 * t**2 / 2 < last,
    )


def grown(square):
    """sinh(x)/x for x^2, from below: sixteen terms."""
    return sum(square**k / math.factorial(2 * k + 1) for k in range(16))


@claim.limit("> 0", times=lambda start: _times(start)[::-1], trap=passed_zero(lambda f: f.a[-1]))
def last_score_reaches_zero(limit: Passed, start: IdentityMapFlow):
    """-a_{p-1} after its zero, for f(x) = x: there the ReLU has a dead score."""
    return -limit.value


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
