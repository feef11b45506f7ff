"""As long as the hull holds the origin, the largest energy contracts in every step.

What is true around Theorem 3.1 (frank_wolfe FW-5). `energy_gap_contracts_in_one_step` with p = 0, whose
energy is 0: J(x') <= (1 - gamma) J(x) + gamma^2 J(y) - gamma (1 - gamma) J(x). The energy may change in any way.
"""

from itertools import pairwise

import numpy as np

from claims.frank_wolfe.setting.energies import energy, run
from claims.frank_wolfe.setting.run_hypotheses import (
    convex_energies,
    origin_in_every_hull,
    steps_at_most_one,
    while_origin_is_held,
)
from claims.frank_wolfe.setting.runs import run_about_the_origin
from claims.statement import Claim, Origin
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 3.1, sharper",
    refs=("FW-5",),
    statement="If 0 in K^t: max_i J^t(x_i^{t+1}) <= ((1 - gamma)^2 + gamma^2) max_i J^t(x_i^t) for gamma in [0,1].",
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(*map(while_origin_is_held, (convex_energies, steps_at_most_one)), origin_in_every_hull),
    draw=run_about_the_origin,
)


@claim.orbit(">= 0")
def largest_energy_contracts(f: ScheduledHardmax, *, factor=1):
    """((1 - gamma)^2 + gamma^2) max_j J^t(x_j^t) - J^t(x_i^{t+1}) for every step t and token i."""
    slacks = []
    for now, after in pairwise(run(f)):
        gamma, B_star = now.step_size().item(), -now.key_query()
        most = max(energy(now.x, B_star))
        slacks.append(factor * ((1 - gamma) ** 2 + gamma * gamma) * most - energy(after.x, B_star))
    return np.stack(slacks)
