"""At some step the Frank-Wolfe duality gap of a token is small.

Proposition `prop: trash` (frank_wolfe FW-6), for steps 1 to t and J^s(y) = -<B^s y, y>/2. J^s/gamma^s is one function up to
a constant, concave, so that each gap is at most the fall of J^s/gamma^s in that step; they sum up. Needed
beside what is reported: beta^t >= 0, without which J is convex and the estimate of one step reverses
(`duality_gap_is_small_at_any_temperatures`), and gamma^t in (0, 1], for ratios of steps and hulls that shrink.
"""

import numpy as np

from claims.frank_wolfe.setting.energies import energy, run
from claims.frank_wolfe.setting.run_hypotheses import (
    nonnegative_scores,
    positive_steps_at_most_one,
    scores_scale_with_steps,
)
from claims.statement import Claim, Origin
from dynamics.arithmetic import peak
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Proposition prop: trash, section 4, corrected: gamma^t in (0,1], beta^t >= 0",
    refs=("FW-6",),
    statement="min_{s<=t} max_{y in K^s} <grad J^s(x^s), x^s - y> <= (J^1(x^1)/gamma^1 - inf_{K^t} J^t/gamma^t)/t, t >= 1.",
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(nonnegative_scores, scores_scale_with_steps, positive_steps_at_most_one),
)


@claim.orbit(">= 0")
def gap_is_below_the_average(f: ScheduledHardmax, *, share=1):
    """(1/t)(J^1(x_i^1)/gamma^1 - inf_{K^t} J^t/gamma^t) - min_{s<=t} gap_s(x_i^s) for every t and token i."""
    states = run(f)[:-1]
    first = -energy(f.x, f.key_query()) / f.step_size()[..., None]
    least, slacks = None, []
    for t, now in enumerate(states, 1):
        # The gap is the score of the target less that of the token itself.
        gap = ((now.x @ now.key_query().swapaxes(-1, -2)) * (now.targets() - now.x)).sum(axis=-1)
        least = gap if least is None else np.where(gap < least, gap, least)
        lowest = -peak(energy(now.x, now.key_query())) / now.step_size()[..., None]
        slacks.append(share * (first - lowest) / t - least)
    return np.stack(slacks, axis=-1)
