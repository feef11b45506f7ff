"""The least duality gap up to step t is at most the average fall of the energy: false for negative temperatures.

Proposition `prop: trash` (frank_wolfe FW-6) as it is reported, without beta^t >= 0. The ratios of steps give all beta^t one
sign. Where it is negative J^t is convex, and a step may gain more than the gap: tokens 1 and -1 with B^t = -1 and
gamma = 1/2 have the gap 2, and the right side is 1.
"""

from claims.frank_wolfe.duality_gap_is_small_at_some_step import gap_is_below_the_average
from claims.frank_wolfe.setting.run_hypotheses import (
    scores_of_either_sign,
    scores_scale_with_steps,
    steps_inside_unit_interval,
)
from claims.frank_wolfe.setting.runs import run_of_either_sign
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Proposition prop: trash, section 4",
    refs=("FW-6",),
    note=(
        "For a negative beta the energy is convex, so that a step lowers it by less than gamma times the duality "
        "gap: of tokens 1 and 3 with B = -1 and gamma = 3/4 the second has the gap 6, and the bound is 16/3. For "
        "beta^t >= 0 the bound holds."
    ),
    statement="min_{s<=t} max_{y in K^s} <grad J^s(x^s), x^s - y> <= (J^1(x^1)/gamma^1 - inf_{K^t} J^t/gamma^t)/t, t >= 1.",
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(scores_of_either_sign, scores_scale_with_steps, steps_inside_unit_interval),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.duality_gap_is_small_at_some_step",
    draw=run_of_either_sign,
)

claim.orbit(">= 0")(gap_is_below_the_average)
