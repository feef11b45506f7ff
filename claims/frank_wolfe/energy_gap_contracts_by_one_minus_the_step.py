"""For small steps the energy gap contracts by 1 - gamma: false, the factor 1 - gamma + gamma^2 is the best for every gamma.

Question Q3 (frank_wolfe FW-5), settled. Let p = (R, 0) be the point of least energy, x = (R + 1/R, -a) and
y = (R + b, sqrt 2) with a and b so small that p keeps p and x has y for target. Then J(x) - J(p) and J(y) - J(p) are
near 1, p stays, and x' is left with (1 - gamma) + gamma^2, up to what vanishes for large R.
"""

from itertools import pairwise

from claims.frank_wolfe.setting.energies import energy_gap, run
from claims.frank_wolfe.setting.run_hypotheses import (
    constant_small_step,
    convex_energies,
    one_energy,
    steps_at_most_a_tenth,
)
from claims.frank_wolfe.setting.runs import run_far_from_the_origin
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="question Q3",
    refs=("FW-5", "Q3"),
    note=(
        "With B = -I and gamma = 1/16 the tokens (480, 1), (488, 0), (480, 84) have a gap e_1 that exceeds (1 - "
        "gamma) e_0 by 3321/2048: the step adds a term of the order gamma^2. The factor 1 - gamma + gamma^2 "
        "holds, and is the best for every gamma."
    ),
    statement="e_{t+1} <= (1 - gamma) e_t for e_t = max_i J(x_i^t) - min_{K^t} J and constant gamma <= 1/10.",
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(convex_energies, one_energy, constant_small_step, steps_at_most_a_tenth),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.energy_gap_contracts",
    draw=run_far_from_the_origin,
)


@claim.orbit(">= 0", exact_only=True)
def gap_contracts(f: ScheduledHardmax):
    """(1 - gamma) e_t - e_{t+1} for every step."""
    gaps = [energy_gap(state) for state in run(f)]
    return exact([(1 - f.gamma[0]) * before - after for before, after in pairwise(gaps)])
