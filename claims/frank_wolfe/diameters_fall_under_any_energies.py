"""For any sequence of definite energies the diameter of the tokens falls in every step.

Question Q12 (frank_wolfe FW-5), settled except for the rate. Of two places at most one keeps its tokens:
from <Bx, x - y> <= 0 and <By, y - x> <= 0 follows |x - y|_B^2 <= 0. So all vertices of K^t but one are left at once, and
a diameter joins two of them. Where the condition numbers of B_*^t stay bounded this also holds in the limit, and all
tokens meet in one point for constant gamma. The energy gap need not fall: B_*^{t+1} may be any times larger.
"""

from itertools import pairwise

import numpy as np

from claims.frank_wolfe.setting.energies import run, squared_diameter
from claims.frank_wolfe.setting.run_hypotheses import steps_inside_unit_interval, strictly_convex_energies
from claims.frank_wolfe.setting.runs import run_of_small_steps
from claims.statement import Claim, Origin
from dynamics.arithmetic import indicator
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="question Q12",
    refs=("FW-5", "Q12"),
    statement="If B_*^t > 0 and gamma^t in (0,1), D(K^{t+1}) < D(K^t) unless all tokens have met.",
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(strictly_convex_energies, steps_inside_unit_interval),
    draw=run_of_small_steps,
)


@claim.orbit("> 0")
def fall_of_the_diameter(f: ScheduledHardmax, *, share=1):
    """D(K^t)^2 - D(K^{t+1})^2, or 1 where D(K^t) = 0, for every step."""
    sizes = [squared_diameter(state.x) for state in run(f)]
    falls = [share * b - a + indicator(b == 0, f.x) for b, a in pairwise(sizes)]
    return np.stack(falls, axis=-1)
