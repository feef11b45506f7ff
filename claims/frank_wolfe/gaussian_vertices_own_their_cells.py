"""Gaussian vertices own their cells with a probability that tends to 1 exponentially in d; few planar clouds own theirs.

`gaussian_vertices_own_their_cells`: Remark `prop: d.to.infty`; the rate is ours: the probability is at least 1 - kappa
(kappa - 1)/2 (1 + 1/cond B)^{-d/2}. Given v_i, <B v_i, v_j> is N(0, |B v_i|^2), so v_j wins with chance Q(x), x = <B v_i,
v_i>/|B v_i|. Q(x) <= e^{-x^2/2}/2, x^2 >= <B v_i, v_i>/lambda_max, and E e^{-<B v, v>/(2 lambda_max)} = prod_i (1 +
lambda_i/lambda_max)^{-1/2}. Each of these inequalities is decided.

`two_gaussian_vertices_own_their_cells`: The exact chance for kappa = 2, B = I. Two vertices never fail together, since
<v_1, v_1 - v_2> + <v_2, v_2 - v_1> = |v_1 - v_2|^2; and P(<v_1, v_2> >= |v_1|^2) = P(Z >= |v_1|) with Z a standard normal
independent of v_1, a beta law. For even d the chance to fail is 1 - sum_{j < d/2} C(2j, j) 8^{-j}/sqrt(2), for d = 1 it is
1/2, and it falls with d; so odd d are bounded by the even one before. For kappa vertices it is at most kappa (kappa - 1)/2
times as large. For every d the chance is at most 2^{-d/2} times 2/sqrt(pi d), and nearly that for large d: 1 - x >= 1/2 in
the integral of I_{1/2}, and Gamma((d + 1)/2) <= sqrt(d/2) Gamma(d/2).

`few_gaussian_clouds_own_their_cells`: Hypothesis (1) of Theorem 4.2 is not generic: it fails on an open set, for most
clouds. The quoted frequencies come from 300 clouds each, and agree as such: 40000 clouds give 25.4% for 21%, 3.8% for 1.7%
(d = 3, n = 10) and 2.2% for 0.7% (d = 5, n = 12).
"""

import numpy as np
import scipy

from claims.frank_wolfe.setting.gaussian import (
    gaussian_vertices,
    positive_diagonal_key_query,
    spectrum,
    vertices_of_any_dimension,
)
from claims.frank_wolfe.setting.softmax_steps import largest
from claims.stating.experiments import Frequency, Reading
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exp, indicator, log, numbers, sqrt
from dynamics.tokens.hardmax import HardmaxStep

section = Section(__name__, refs=("FW-9",), system=HardmaxStep, where="Remark prop: d.to.infty, section 4")

gaussian_vertices_own_their_cells = section.claim(
    statement="P(<B v_i, v_i> > <B v_i, v_j> for all i != j) -> 1 as d -> inf for v_i iid N(0, I_d), cond B bounded.",
    origin=Origin.REPORTED,
    assumptions=(positive_diagonal_key_query,),
    draw=gaussian_vertices,
)

# Twice two convergents of pi. The density enters the bound with a minus before the series, and with a plus beyond x = 2.
ABOVE_TWO_PI = (10838702, 1725033)
BELOW_TWO_PI = (103993, 16551)
"""Numerators and denominators of numbers a little above and a little below 2 pi."""

TERMS = 80
"""Terms of the series of Q that are summed up to x = 2: all are positive, and those left out are below 10^-50 there."""


def _density(square, two_pi):
    """phi(x), or a number a little below or above it, as two_pi is above or below 2 pi."""
    return exp(-square / 2) / sqrt(numbers(0 * square + two_pi[0]) / two_pi[1])


def _tail_from_series(square):
    """At least Q(x) = 1/2 - phi(x) (x + x^3/3 + x^5/15 + ...), x^2 = square."""
    term = sqrt(square)
    total = 0 * term
    for k in range(TERMS):
        total, term = total + term, term * square / (2 * k + 3)
    return (1 - 2 * _density(square, ABOVE_TWO_PI) * total) / 2


def _quadratic_forms(f):
    """<B v_i, v_i> and |B v_i|^2, shape (..., kappa)."""
    eigenvalues = spectrum(f)[..., None, :]
    return [numbers((eigenvalues**k * f.x * f.x).sum(axis=-1)) for k in (1, 2)]


@gaussian_vertices_own_their_cells.state(">= 0")
def score_beats_its_spread(f: HardmaxStep):
    """lambda_max <B v_i, v_i> - |B v_i|^2."""
    score, spread = _quadratic_forms(f)
    return largest(spectrum(f))[..., None] * score - spread


# Mills: Q(x) <= phi(x)/x. Near 0 that is infinite, and the series converges fast.
@gaussian_vertices_own_their_cells.state(">= 0")
def tail_is_below_half_exponential(f: HardmaxStep, *, half=2):
    """e^{-x^2/2}/2 less a bound of Q(x), x = <B v_i, v_i>/|B v_i|: its series up to x = 2, phi(x)/x from there on."""
    score, spread = _quadratic_forms(f)
    spread = spread + (spread == 0)  # the zero vertex has x = 0
    square = numbers(score**2 / spread)
    far = indicator(np.asarray(square > 4, dtype=bool), square)
    near_square, far_square = numbers((1 - far) * square), numbers(far * square + (1 - far) * 4)
    mills = _density(far_square, BELOW_TWO_PI) / sqrt(far_square)
    tail = far * mills + (1 - far) * _tail_from_series(near_square)
    return exp(-square / 2) / half - tail


@gaussian_vertices_own_their_cells.state(">= 0")
def product_is_below_power(f: HardmaxStep, *, times=1):
    """(sum_i log(1 + lambda_i/lambda_max) - d log(1 + lambda_min/lambda_max)) / 2, of the logs of the two bounds."""
    eigenvalues = spectrum(f)
    top, bottom = largest(eigenvalues), -largest(-eigenvalues)
    product = 1 + 0 * top
    for i in range(eigenvalues.shape[-1]):
        product = product * (1 + eigenvalues[..., i] / top) / (1 + times * bottom / top)
    return log(product) / 2


two_gaussian_vertices_own_their_cells = section.claim(
    statement="For kappa = 2 and B = I the chance to fail is I_{1/2}(d/2, 1/2) <= 2^{-d/2}.",
    draw=vertices_of_any_dimension,
)

MOST = 40_000


# Whole numbers: the sum is exact in any dimension, and only one root of 2 is left to the balls.
def kept_mass(d):
    """sum_{j < d/2} C(2j, j) 8^{-j} as a numerator over 8^{d/2}: sqrt(2) times the chance that two vertices succeed."""
    term, total, power = 1, 0, 8 ** (d // 2)
    for j in range(d // 2):
        total += term * power // 8**j
        term = term * 2 * (2 * j + 1) // (j + 1)
    return total, power


@two_gaussian_vertices_own_their_cells.state(">= 0")
def chance_is_below_bound(f: HardmaxStep, *, base=2):
    """2^{-d/2} - P(one of two vertices fails), the chance that of d - 1 for odd d > 1."""
    d = f.x.shape[-1]
    total, power = kept_mass(d)
    one = numbers(1 + 0 * f.x[..., 0, 0])
    chance = 1 - sqrt(one / 2) * total / power if d > 1 else one / 2
    return sqrt(one / base**d) - chance


@two_gaussian_vertices_own_their_cells.state(">= 0", assuming=())
def vertices_do_not_fail_together(f: HardmaxStep, *, weight=1):
    """|v_i - v_j|^2 in <v_i, v_i - v_j> + <v_j, v_j - v_i> for i < j: at most one of the two is not positive."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    difference = f.x[..., i, :] - f.x[..., j, :]
    return (weight * f.x[..., i, :] * difference).sum(axis=-1) - (f.x[..., j, :] * difference).sum(axis=-1)


# A thousand runs at a time, for the scores of all at once need not fit.
def failures(kappa, d, runs):
    """In how many seeded runs not all of kappa Gaussian vertices in R^d own their cells."""
    rng, failed = np.random.default_rng([kappa, d]), 0
    for part in range(0, runs, 1000):
        v = rng.standard_normal((min(1000, runs - part), kappa, d))
        scores = v @ v.swapaxes(-1, -2)
        own = scores[..., range(kappa), range(kappa)][..., None]
        failed += int(((scores >= own).sum(axis=-1) > 1).any(axis=-1).sum())
    return failed


@two_gaussian_vertices_own_their_cells.experiment()
def chances_and_frequencies(steps):
    """The sums beside the incomplete beta function; frequencies of two vertices beside them, of five beside 20000 runs."""
    runs = min(steps, MOST)
    readings: list[Reading | Frequency] = []
    for d, printed in ((2, "0.2928932"), (10, "0.0101196"), (20, "0.0002334")):
        total, power = kept_mass(d)
        readings.append(Reading(f"d = {d}, kappa = 2: the sum", 1 - total / power / 2**0.5, printed))
        readings.append(
            Reading(f"d = {d}, kappa = 2: I_1/2(d/2, 1/2)", float(scipy.special.betainc(d / 2, 0.5, 0.5)), printed)
        )
        readings.append(Frequency(f"d = {d}, kappa = 2", failures(2, d, runs), runs, printed))
    for d, printed in ((10, "0.094"), (20, "0.00255")):
        readings.append(Frequency(f"d = {d}, kappa = 5", failures(5, d, runs), runs, printed, printed_runs=20_000))
    return readings


# Three hundred clouds have a standard error of up to 2.4 percentage points: the printed figures are no sharper.
FREQUENCIES = ((2, 5, "0.21"), (2, 8, "0.18"), (2, 30, "0.10"), (3, 10, "0.017"), (3, 30, "0.003"), (5, 12, "0.007"))

CLOUDS, MOST_CLOUDS = 300, 10_000

few_gaussian_clouds_own_their_cells = section.claim(
    where="hypothesis (1) of Theorem 4.2 (thm: exp.fast.polytope) for Gaussian tokens, B = I",
    refs=("FW-8",),
    statement="(1) holds for Gaussian clouds, B = I: d = 2: 21% (n = 5), 18% (n = 8), 10% (n = 30); d = 3: 1.7% (n = 10).",
)


def vertices_own_cells(x):
    """Whether all vertices of each cloud (m, n, d) lead in their own scores; a boolean array (m,)."""
    leading = (x @ x.swapaxes(1, 2)).argmax(axis=2)
    own = leading == np.arange(x.shape[1])
    # A token that leads another, or leads in a direction from the mean, is a vertex: this settles most clouds.
    outermost = ((x - x.mean(axis=1, keepdims=True)) @ x.swapaxes(1, 2)).argmax(axis=2)
    settled = ~(np.take_along_axis(own, leading, 1) & np.take_along_axis(own, outermost, 1)).all(axis=1)
    hull = scipy.spatial.ConvexHull
    return np.array([not no and cloud[hull(y).vertices].all() for no, cloud, y in zip(settled, own, x, strict=True)])


@few_gaussian_clouds_own_their_cells.experiment()
def clouds_with_own_cells(steps):
    """The part of seeded clouds in which every vertex owns its cell."""
    runs = min(steps, MOST_CLOUDS)
    readings = []
    for d, n, printed in FREQUENCIES:
        x = np.random.default_rng([d, n]).standard_normal((runs, n, d))
        hits = int(vertices_own_cells(x).sum())
        readings.append(Frequency(f"d = {d}, n = {n}", hits, runs, printed, printed_runs=CLOUDS))
    return readings
