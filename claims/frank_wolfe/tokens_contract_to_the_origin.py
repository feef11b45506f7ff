"""All tokens contract linearly to a single cluster at the origin: false, the cluster is elsewhere.

Abstract of version 1 (frank_wolfe FW-5), for the hardmax step with B = -B_*, here B_* > 0, and constant gamma. A
cluster at the origin needs 0 in K^t for all t, because hulls only shrink. Tokens 1 and 2 keep away from 0 from the
start, so that 0 in K^0 is assumed here, as in Theorem 3.1; but of tokens 1 and -1/2 with gamma = 1/2 both are 1/4 after
one step. That there is a single cluster, and a linear rate, is true for constant steps. The steps 2/(t+2) of the theorem
are not linear either (`line_limit_under_open_loop_steps`).
"""

import numpy as np

from claims.frank_wolfe.setting.run_hypotheses import constant_step, one_energy, origin_in_hull, strictly_convex_energies
from claims.frank_wolfe.setting.runs import run_past_the_origin
from claims.statement import FRANK_WOLFE, Claim, Origin, Standing
from dynamics.geometry import hull_excess
from dynamics.orbits.exact import orbit
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="abstract of version 1",
    refs=("FW-5", "FW-16"),
    note=(
        "From tokens 1 and -2 with B = -1 and gamma = 1/2 both are at -1/2 after one step and stay there: the "
        "hull has left the origin, and hulls only shrink. The tokens do contract linearly to one point, but not "
        "to the origin."
    ),
    statement=(
        "When the key-query matrix is negative semidefinite, the method linearly contracts all tokens to a single cluster "
        "at the origin."
    ),
    origin=Origin.PRINTED,
    system=ScheduledHardmax,
    assumptions=(strictly_convex_energies, one_energy, constant_step, origin_in_hull),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.tokens_contract_to_one_cluster",
    draw=run_past_the_origin,
)


@claim.orbit(">= 0", exact_only=True)
def hulls_hold_the_origin(f: ScheduledHardmax):
    """0 where K^t holds the origin, minus its distance from a hyperplane that cuts it off, at the first steps."""
    origin = 0 * f.x[:1]
    return np.concatenate([hull_excess(now.x, origin) for now in orbit(f, 4)])
