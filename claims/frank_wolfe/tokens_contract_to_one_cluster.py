"""With a constant step all tokens contract linearly to a single cluster.

What is true of v1's abstract (frank_wolfe FW-5): by `energy_gap_contracts` the gap decays
like (1-g+g^2)^t, and |x - p|^2 <= 2 (J(x) - J(p)) for p of least energy, so that the diameter in the norm of B_* is at most
sqrt(8 e_t). Where B_* > 0 this is one cluster, a point of every K^t.
"""

import numpy as np

from claims.frank_wolfe.setting.energies import energy_gap, run
from claims.frank_wolfe.setting.run_hypotheses import constant_step, convex_energies, one_energy
from claims.statement import Claim, Origin
from dynamics.geometry import squared_distances
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="abstract of version 1, corrected",
    refs=("FW-5",),
    statement=(
        "If B_* >= 0 and gamma^t = g in (0,1): |x_i^t - x_j^t|_{B_*}^2 <= 8 (1-g+g^2)^t e_0. For B_* > 0 they contract "
        "linearly to one point."
    ),
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(convex_energies, one_energy, constant_step),
    equivalent={"distances_contract: f.gamma[0] => f.gamma[1]": "The hypothesis: gamma^t is the same number g for all t."},
)


@claim.orbit(">= 0", exact_only=True)
def distances_contract(f: ScheduledHardmax, *, constant=8):
    """8 (1-g+g^2)^t e_0 - |x_i^t - x_j^t|_{B_*}^2 for every step and pair of tokens."""
    g, first = f.gamma[0], energy_gap(f)
    bounds = [constant * (1 - g + g * g) ** t * first for t in range(len(f.gamma) + 1)]
    apart = [squared_distances(now.x, now.x, -f.key_query()) for now in run(f)]
    return np.stack([bound - squares for bound, squares in zip(bounds, apart, strict=True)])
