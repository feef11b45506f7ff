"""The energy of every token tends to zero: false, the hull leaves the origin.

What Theorem 3.1 (frank_wolfe FW-5) says of t -> infinity, and "O(1/t) on the quadratic energy" in the abstract of the ICML
version, if the energy is J and not its gap to the least on the hull (`energy_gap_decays_like_inverse_square`). With one
B_* the energy of a token is at least min J over K^t, which never decreases as hulls only shrink. The hull leaves the
origin in two or three steps, and then every token keeps min J > 0 for ever: finitely many steps decide it.
"""

import numpy as np

from claims.frank_wolfe.setting.energies import least_on_hull
from claims.frank_wolfe.setting.run_hypotheses import convex_energies, one_energy, open_loop_steps, origin_in_hull
from claims.frank_wolfe.setting.runs import run_past_the_origin
from claims.statement import Claim, Origin, Standing
from dynamics.orbits.exact import orbit
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 3.1 (thm: fw.cluster), its limit",
    refs=("FW-5",),
    note=(
        "From tokens 1 and -3 with B = -1 the hull is [-5/3, -1/3] after two steps, and hulls only shrink: every "
        "token keeps an energy of 1/18 or more for ever. What tends to zero, like 1/t^2, is the gap to the least "
        "energy on the hull."
    ),
    statement="If 0 in K^0, B_* >= 0 is constant and gamma^t = 2/(t+2), then J(x_i^t) -> 0 for all i.",
    origin=Origin.REPORTED,
    system=ScheduledHardmax,
    assumptions=(convex_energies, one_energy, open_loop_steps, origin_in_hull),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.energy_gap_decays_like_inverse_square",
    draw=run_past_the_origin,
    defect="frank_wolfe.energy_decays_like_inverse_time",
)


@claim.orbit(">= 0", exact_only=True)
def hulls_keep_the_origin_level(f: ScheduledHardmax):
    """-min_{K^t} J at the first steps: once this is negative, every token keeps that much energy for ever."""
    return np.array([-least_on_hull(now.x, -now.key_query())[0] for now in orbit(f, 4)])
