"""The energy of the tokens decays like 1/t: false, since only the first hull is assumed to contain the origin.

Theorem 3.1 (frank_wolfe FW-5): B_*^t >= 0 never grows, gamma^t = 2/(t+2) and 0 in K^0 give
J^t(x_i^{t+1}) <= (2/(t+1)) lambda_max(B_*^0) D(K^0)^2. The proof needs 0 in K^t for every t. But tokens on an axis and
one just behind the origin change places in the first step, and the hull has left the origin by the third. On the line
it stops at about D/3: tokens 1 and -1/1000 violate the bound from t = 35 on. In the plane it may stop at about D/2:
(1, 0), (-1/100, 1) and (-1/1000, 0) violate it at t = 16, with B_* = I.
"""

from itertools import pairwise

import numpy as np

from claims.frank_wolfe.setting.energies import energy, largest_eigenvalue, run, squared_diameter
from claims.frank_wolfe.setting.run_hypotheses import convex_energies, energies_never_grow, open_loop_steps, origin_in_hull
from claims.frank_wolfe.setting.runs import run_past_the_origin
from claims.statement import FRANK_WOLFE, Claim, Origin, Standing
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="Theorem 3.1 (thm: fw.cluster)",
    refs=("FW-5",),
    note=(
        "From tokens 4 and -1/512 with B = -1 the hull leaves the origin after two steps, and the energy stops "
        "above zero while the bound goes on to fall: it is exceeded at t = 35. The bound holds where every hull "
        "K^t holds the origin, not only the first."
    ),
    statement="If 0 in K^0 and gamma^t = 2/(t+2): J^t(x_i^{t+1}) <= (2/(t+1)) lambda_max(B_*^0) D(K^0)^2 for all t and i.",
    origin=Origin.REPORTED,
    system=ScheduledHardmax,
    assumptions=(convex_energies, energies_never_grow, open_loop_steps, origin_in_hull),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.energy_decays_while_hull_holds_origin",
    draw=run_past_the_origin,
)


@claim.orbit(">= 0")
def room_below_the_bound(f: ScheduledHardmax, *, constant=2):
    """2 lambda_max(B_*^0) D(K^0)^2 - (t+1) J^t(x_i^{t+1}) for every step t and token i."""
    bound = constant * largest_eigenvalue(-f.B[..., 0, :, :]) * squared_diameter(f.x)
    steps = enumerate(pairwise(run(f)))
    return np.stack([bound[..., None] - (t + 1) * energy(after.x, -now.key_query()) for t, (now, after) in steps], axis=-1)
