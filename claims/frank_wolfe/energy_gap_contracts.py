"""The energy above the least in the hull contracts by 1 - gamma + gamma^2 in every step.

What is true around Theorem 3.1 (frank_wolfe FW-5), without a word on the origin. By
`energy_gap_contracts_in_one_step` with p of least energy, and because min_{K^t} J never decreases as hulls shrink. With an
energy that changes, never growing, there is the extra term <(B_*^t - B_*^{t+1}) p, p>/2, p of least energy at step t + 1.
"""

from itertools import pairwise

import numpy as np

from claims.frank_wolfe.setting.energies import energy, energy_gap, least_on_hull, run
from claims.frank_wolfe.setting.run_hypotheses import convex_energies, energies_never_grow, steps_at_most_one
from claims.statement import Claim, Origin
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 3.1, what is true of it",
    refs=("FW-5", "Q3"),
    statement=(
        "e_t = max_i J^t(x_i^t) - min_{K^t} J^t: e_{t+1} <= (1-g+g^2) e_t + <(B_*^t - B_*^{t+1}) p, p>/2, g = gamma^t."
    ),
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(convex_energies, energies_never_grow, steps_at_most_one),
)


@claim.orbit(">= 0", exact_only=True)
def gap_contracts(f: ScheduledHardmax, *, factor=1):
    """(1-g+g^2) e_t + <(B_*^t - B_*^{t+1}) p, p>/2 - e_{t+1} for every step."""
    slacks = []
    for now, after in pairwise(run(f)):
        g, p = now.step_size().item(), least_on_hull(after.x, -after.key_query())[1]
        lost = energy(p, after.key_query() - now.key_query()).item()
        slacks.append(factor * (1 - g + g * g) * energy_gap(now) + lost - energy_gap(after))
    return np.array(slacks)
