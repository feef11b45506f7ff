"""The quadratic energy tends to zero at the standard sublinear rate: false, it need not tend to zero at all.

Abstract of the ICML version (frank_wolfe FW-5), read with 0 in K^0 as in Theorem 3.1. With one B_* the energy of a token
is at least min J over K^t, which never decreases as hulls only shrink: J = O(1/t) needs min_{K^t} J = 0 for all t. The
hull leaves the origin in two or three steps, and for B_* > 0 that decides it. Nothing is said about a limit that is not
shown by a finite number of steps.
"""

import numpy as np

from claims.frank_wolfe.runs import (
    convex_energies,
    least_on_hull,
    one_energy,
    open_loop_steps,
    origin_in_hull,
    run_past_the_origin,
)
from claims.statement import FRANK_WOLFE, Claim, Standing
from dynamics.orbits import orbit
from dynamics.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="abstract of the ICML version",
    refs=("FW-5",),
    statement="In the negative semidefinite case the quadratic energy decays at the standard sublinear rate O(1/t).",
    system=ScheduledHardmax,
    assumptions=(convex_energies, one_energy, open_loop_steps, origin_in_hull),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.energy_gap_decays_like_inverse_square",
    draw=run_past_the_origin,
)


@claim.orbit(">= 0", exact_only=True)
def hulls_keep_the_origin_level(f: ScheduledHardmax):
    """-min_{K^t} J at the first steps: once this is negative, every token keeps that much energy for ever."""
    return np.array([-least_on_hull(now.x, -now.key_query())[0] for now in orbit(f, 4)])
