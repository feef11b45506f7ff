"""Under an elementwise sigmoid or ReLU nothing polarizes from positive values; the normalised ReLU becomes one-hot.

`elementwise_sigmoid_stays_dense`: Every score tends to 1, so every share to 1/p (logistic loss). Coordinates do not
interact in the clock tau, and u_i^2 / 2 - K (a_i + e^{a_i}) is conserved; u_i grows, so a_i does in the end. Where
u_i(0) < 0, a_i falls first and returns.

`elementwise_relu_stays_dense`: With u(0) > 0 the shares tend to those of u_i(0) + sqrt(K) a_i(0) (logistic loss). On
the active set u' = K a and a' = u: with k = sqrt(K), c_i = u_i + k a_i grows like e^{k tau} and d_i = u_i - k a_i
decays like e^{-k tau}. So the shares tend to c_i / sum_j c_j, up to terms of order e^{-2 k tau}.

`elementwise_relu_keeps_every_score`: False without u(0) > 0: a score with u_i(0) < -sqrt(K) a_i(0) reaches 0 at a
finite clock and stays there. The paper's experiments start from scores near 1 and small values.

`normalised_relu_becomes_one_hot`: Figure 13 normalises the ReLU, which the text has elementwise (E19). The losers reach
0 one after another at finite tau. While all scores are positive the map is f(x) = x: |a|^2 is conserved, and the last
of ordered scores falls at least at speed W / (p F), where W = u_0 - u_{p-1} grows and |a| <= F <= sqrt(p) |a|. So it
reaches 0, where it stays; the others go on as a model with fewer scores. For the certificate: the flow of f(x) = x
itself goes on to F = 0, and then back the way it came with -F in place of F. If a_{p-1} reaches 0 at time s, it is
negative from s to 2s, an interval that times in halves cannot miss.
"""

import math

import numpy as np

from claims.polarization.setting.figure_13 import final_weights
from claims.polarization.setting.maps import positive_scores, positive_values
from claims.polarization.setting.scores import comonotone, two_scores, zero_scores
from claims.stating.experiments import Reading
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exp, sqrt
from dynamics.limits.traps import AllOnes, Passed, elementwise_sigmoid_trap, passed_zero
from dynamics.training.score_maps import SIGMOID, ElementwiseReluFlow, ElementwiseSigmoidFlow, IdentityMapFlow

section = Section(__name__)

elementwise_sigmoid_stays_dense = section.claim(
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


# Divided by K, which u_i' = K s_i cancels: the slack has one scale for all targets.
@elementwise_sigmoid_stays_dense.identity(assuming=())
def energy_rate(f: ElementwiseSigmoidFlow, *, K_factor=1):
    """d/dtau of u_i^2 / 2 - K (a_i + e^{a_i}), over K."""
    return (f.u * f.du_dtau() - K_factor * f.K[..., None] * (1 + exp(f.a)) * f.da_dtau()) / f.K[..., None]


# It needs u(0) > 0: where u_i < 0, a_i falls first, and the conserved energy brings it back later.
@elementwise_sigmoid_stays_dense.rate("> 0", horizon=lambda start: 4 * start.time_unit())
def every_score_grows(now: ElementwiseSigmoidFlow, start: ElementwiseSigmoidFlow):
    """s_i - s_i(0)."""
    return now.s - start.s


# All scores grow for ever once every u_i > 0, which the hypothesis says of the start: the first time is enough.
@elementwise_sigmoid_stays_dense.limit(
    "== 0", times=lambda start: (start.time_unit(), 16 * start.time_unit()), trap=elementwise_sigmoid_trap
)
def shares_become_equal(limit: AllOnes, start: ElementwiseSigmoidFlow, *, parts=1):
    """The limit of p share_i, minus 1."""
    return len(start.a) * limit.shares - parts


@elementwise_sigmoid_stays_dense.experiment()
def figure_13_sigmoid(steps):
    """Figure 13, logistic loss, elementwise sigmoid: the largest and the smallest weight (digits of a re-run)."""
    found = final_weights(SIGMOID.value, SIGMOID.slope, (2000, 100_000), steps, normalised=False)
    printed = {2000: ("0.794", "0.736"), 100_000: ("0.817", "0.765")}
    return [
        Reading(f"Sigmoid, {step} steps: {name}", float(value), digits)
        for step, s in found.items()
        for name, value, digits in zip(("max s", "min s"), (s.max(), s.min()), printed[step], strict=True)
    ]


# No value in one token makes d_1 = -c_1, and almost no score in the other D = C: there the bound below is an equality.
def _any_start_or_unlike(draws):
    """Any values and scores; or a first token of great value and almost no score, a second of great score and no value."""
    unlike = draws.choice(("any start", "unlike start")) == "unlike start"
    p = 2 if unlike else draws.integer(2, 4)
    u, a, K = draws.dyadic(p), draws.dyadic(p), abs(draws.dyadic()) + 1
    if unlike:
        u, a, K = u * 0, a * 0, 0 * K + 1
        u[..., 0], a[..., 1] = u[..., 0] + 2**20, a[..., 1] + 2**8
    return ElementwiseReluFlow(u=u, a=a, K=K, tau=draws.dyadic())


elementwise_relu_stays_dense = section.claim(
    where="section 3.2, other non-linearities",
    refs=("C-relu", "S9", "C-lin"),
    statement=(
        "For both the regression and logistic losses, we do not observe the same polarization behavior under "
        "sigmoid (and similarly under ReLU), see Figure 13 for reference."
    ),
    origin=Origin.PRINTED,
    system=ElementwiseReluFlow,
    assumptions=(two_scores, positive_scores, positive_values),
    draw=_any_start_or_unlike,
)


@elementwise_relu_stays_dense.identity(assuming=())
def modes(f: ElementwiseReluFlow, *, speed=1):
    """c_i' - sqrt(K) c_i and d_i' + sqrt(K) d_i."""
    k = sqrt(f.K)[..., None]
    du, da = f.du_dtau(), f.da_dtau()
    growing = (du + k * da) - speed * k * (f.u + k * f.a)
    falling = (du - k * da) + speed * k * (f.u - k * f.a)
    return np.stack([growing, falling], axis=-2)


# share_i - l_i = e^{-2 k tau} (c_i D - d_i C) / (C (C - D e^{-2 k tau})) with D = sum d_j, and |d_j| <= c_j: hence 2 l_i.
# Squares, for a modulus has no power series where it is zero; times (C F)^2, so that nothing is divided.
@elementwise_relu_stays_dense.rate("> 0", horizon=lambda start: 3 * start.time_unit())
def shares_tend_to_those_of_growing_modes(now: ElementwiseReluFlow, start: ElementwiseReluFlow, *, most=2):
    """(most e^{-2 k tau} l_i)^2 - (1 - e^{-2 k tau})^2 (share_i - l_i)^2, l_i = c_i / C, times (C F)^2."""
    k = sqrt(now.K)
    c, rest = start.u + k * start.a, exp(-2 * k * (now.tau - start.tau))
    room, off = most * rest * c * now.F, (1 - rest) * (now.a * c.sum(axis=-1) - c * now.F)
    return room * room - off * off


elementwise_relu_keeps_every_score = section.claim(
    where="section 3.2, other non-linearities, asked of all values",
    refs=("C-relu", "S9"),
    note=(
        "A score with u_i < -sqrt(K) a_i dies: from u(0) = (1, -2), a(0) = (1, 1) the second reaches 0 before "
        "time 3. From u(0) > 0 the shares tend to those of u_i(0) + sqrt(K) a_i(0), all of them positive."
    ),
    statement="Under the elementwise ReLU, from any positive scores, no share becomes 0, whatever u(0).",
    origin=Origin.CARRIED_OVER,
    system=ElementwiseReluFlow,
    assumptions=(two_scores, positive_scores),
    corrected_by="polarization.elementwise_relu_stays_dense",
)


# Along the flow of the active set, which goes on below zero where the ReLU would stop: so that a crossing is seen.
@elementwise_relu_keeps_every_score.trajectory("> 0", horizon=lambda start: 3 * start.time_unit())
def scores_stay_active(now: ElementwiseReluFlow, start: ElementwiseReluFlow):
    """a_i, along the flow of the active set: the model leaves it where one of them reaches 0."""
    return now.a


# f(x) = x stands for the ReLU while all scores are positive; the hypotheses put the start there, in order.
normalised_relu_becomes_one_hot = section.claim(
    where="figure 13 (ReLU)",
    refs=("C-relu", "E19", "S9", "X2"),
    statement="The normalised ReLU becomes one-hot.",
    system=IdentityMapFlow,
    assumptions=(two_scores, positive_scores, comonotone),
)


# F^2 p times the rate: the clock of the certificate has dtau = F^2, in which nothing is divided by F.
@normalised_relu_becomes_one_hot.state(">= 0")
def last_score_falls(f: IdentityMapFlow, *, speed=1):
    """-F^2 p da_{p-1}/dtau - F W, W = u_0 - u_{p-1}."""
    W = f.u[..., 0] - f.u[..., -1]
    return -f.a.shape[-1] * f.scaled_da()[..., -1] - speed * f.F * W


@normalised_relu_becomes_one_hot.state(">= 0")
def total_stays_bounded(f: IdentityMapFlow, *, most=1):
    """p |a|^2 - F^2, where |a| is conserved (`power_maps_conserve_norm`)."""
    return most * f.a.shape[-1] * (f.a * f.a).sum(axis=-1) - f.F * f.F


# The latest time is first shrunk by quarters while it stays late, so that no time is tried far beyond the zero.
def halved_times(late, is_late, is_early):
    """A time past the zero of a score, at most `late`, then half of it, a quarter, ... down to one before the zero."""
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


# The terms have one sign, so that any number of them is a lower bound.
def grown(square):
    """sinh(x)/x for x^2, from below: sixteen terms."""
    return sum(square**k / math.factorial(2 * k + 1) for k in range(16))


@normalised_relu_becomes_one_hot.limit("> 0", times=lambda start: _times(start)[::-1], trap=passed_zero(lambda f: f.a[-1]))
def last_score_reaches_zero(limit: Passed, start: IdentityMapFlow):
    """-a_{p-1} after its zero, for f(x) = x: there the ReLU has a dead score."""
    return -limit.value


@normalised_relu_becomes_one_hot.experiment()
def figure_13_relu(steps):
    """Figure 13, logistic loss, normalised ReLU: the largest weight."""
    found = final_weights(lambda a: np.maximum(a, 0), lambda a: a > 0, (2000, 10_000, 100_000), steps)
    printed = {2000: "0.747", 10_000: "1.000000", 100_000: "1.000000"}
    return [Reading(f"ReLU, {step} steps: max s", float(s.max()), printed[step]) for step, s in found.items()]


@normalised_relu_becomes_one_hot.experiment()
def figure_13_absolute_value(steps):
    """Figure 13, logistic loss, |a| normalised (L1): the largest weight; the dead scores chatter around 0."""
    found = final_weights(np.abs, np.sign, (2000, 100_000), steps)
    printed = {2000: "0.746", 100_000: "0.9999"}
    return [Reading(f"L1, {step} steps: max s", float(s.max()), printed[step]) for step, s in found.items()]
