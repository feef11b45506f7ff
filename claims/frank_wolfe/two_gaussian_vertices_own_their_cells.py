"""Two Gaussian vertices both own their cells with probability 1 - I_{1/2}(d/2, 1/2), at least 1 - 2^{-d/2}.

The exact form of Remark `prop: d.to.infty` (frank_wolfe FW-9) for kappa = 2 and B = I. Two vertices never fail
together, since <v_1, v_1 - v_2> + <v_2, v_2 - v_1> = |v_1 - v_2|^2, and P(<v_1, v_2> >= |v_1|^2) = P(Z >= |v_1|) with Z a
standard normal independent of v_1: a beta law. For even d the chance to fail is 1 - sum_{j < d/2} C(2j, j) 8^{-j}/sqrt(2),
for d = 1 it is 1/2, and it falls with d: odd d are bounded by the even one before. So the bound is one inequality for each
d, whatever the tokens. For kappa vertices kappa (kappa - 1)/2 times that bounds it.
"""

import numpy as np
import scipy  # its parts are loaded when they are used

from claims.experiments import Frequency, Reading
from claims.frank_wolfe.setting.gaussian import vertices_of_any_dimension
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers, sqrt
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Remark prop: d.to.infty, section 4",
    refs=("FW-9",),
    statement="For kappa = 2 and B = I the chance to fail is I_{1/2}(d/2, 1/2) <= 2^{-d/2}.",
    origin=Origin.OURS,
    system=HardmaxStep,
    draw=vertices_of_any_dimension,
    equivalent=dict.fromkeys(
        ("chance_is_below_bound: one / 2 => one / (19/10)", "chance_is_below_bound: one / 2 => one / (999/500)"),
        "The chance for d = 1, and there it is true: 1/2 < 500/999 < 10/19 < 2^{-1/2}.",
    ),
)


MOST = 40_000


def kept_mass(d):
    """sum_{j < d/2} C(2j, j) 8^{-j} as a numerator over 8^{d/2}: sqrt(2) times the chance that two vertices succeed."""
    term, total, power = 1, 0, 8 ** (d // 2)
    for j in range(d // 2):
        total += term * power // 8**j
        term = term * 2 * (2 * j + 1) // (j + 1)
    return total, power


@claim.state(">= 0")
def chance_is_below_bound(f: HardmaxStep, *, base=2):
    """2^{-d/2} - P(one of two vertices fails), the chance that of d - 1 for odd d > 1."""
    d = f.x.shape[-1]
    total, power = kept_mass(d)
    one = numbers(1 + 0 * f.x[..., 0, 0])
    chance = 1 - sqrt(one / 2) * total / power if d > 1 else one / 2
    return sqrt(one / base**d) - chance


@claim.state(">= 0", assuming=())
def vertices_do_not_fail_together(f: HardmaxStep, *, weight=1):
    """|v_i - v_j|^2 in <v_i, v_i - v_j> + <v_j, v_j - v_i> for i < j: at most one of the two is not positive."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    difference = f.x[..., i, :] - f.x[..., j, :]
    return (weight * f.x[..., i, :] * difference).sum(axis=-1) - (f.x[..., j, :] * difference).sum(axis=-1)


def failures(kappa, d, runs):
    """In how many seeded runs not all of kappa Gaussian vertices in R^d own their cells."""
    rng, failed = np.random.default_rng([kappa, d]), 0
    for part in range(0, runs, 1000):
        v = rng.standard_normal((min(1000, runs - part), kappa, d))
        scores = v @ v.swapaxes(-1, -2)
        own = scores[..., range(kappa), range(kappa)][..., None]
        failed += int(((scores >= own).sum(axis=-1) > 1).any(axis=-1).sum())
    return failed


@claim.experiment()
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
