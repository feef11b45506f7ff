"""At some step up to t the Frank-Wolfe duality gap of a token is at most the average fall of J^s/gamma^s along it.

Proposition `prop: trash`, with J^s(y) = -<B^s y, y>/2 and B^s = beta^s B, B >= 0.

`duality_gap_is_small_at_some_step`: J^s/gamma^s is the same concave function for all s, so each gap is at most its fall in
that step, and the falls add up. Two hypotheses are missing from the report: beta^t >= 0, and gamma^t in (0, 1], for ratios
of steps and for hulls that shrink.

`duality_gap_is_small_at_any_temperatures`: The proposition as reported. The ratios of steps give all beta^t one sign; where
it is negative J^t is convex, and the estimate of one step is reversed.

`energy_grows_along_every_token`: The pointwise form, with the sign of J reversed: J(x') - J(x) = gamma <Bx, y - x> +
(gamma^2/2) |y - x|_B^2, and the first term is >= 0 because y has the largest score.
"""

import numpy as np

from claims.frank_wolfe.setting.energies import energy, run
from claims.frank_wolfe.setting.run_hypotheses import (
    concave_energies,
    nonnegative_scores,
    positive_steps_at_most_one,
    scores_of_either_sign,
    scores_scale_with_steps,
    steps_at_most_one,
    steps_inside_unit_interval,
)
from claims.frank_wolfe.setting.runs import run_of_either_sign
from claims.stating.statement import Section
from dynamics.arithmetic import peak
from dynamics.tokens.schedules import ScheduledHardmax

section = Section(__name__, refs=("FW-6",), system=ScheduledHardmax)

duality_gap_is_small_at_some_step = section.claim(
    where="Proposition prop: trash, section 4, corrected: gamma^t in (0,1], beta^t >= 0",
    statement="min_{s<=t} max_{y in K^s} <grad J^s(x^s), x^s - y> <= (J^1(x^1)/gamma^1 - inf_{K^t} J^t/gamma^t)/t, t >= 1.",
    assumptions=(nonnegative_scores, scores_scale_with_steps, positive_steps_at_most_one),
)


# For every t at once: the least gap so far is carried along, and a schedule decides as many inequalities as it has steps.
@duality_gap_is_small_at_some_step.orbit(">= 0")
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


# beta^t of any sign, as reported; but ratios beta^t/beta^{t+1} of positive steps give all of them one sign.
duality_gap_is_small_at_any_temperatures = section.claim(
    where="Proposition prop: trash, section 4",
    note=(
        "For negative beta the energy is convex, so a step lowers it by less than gamma times the duality gap: for tokens "
        "1 and 3 with B = -1 and gamma = 3/4 the second has the gap 6, and the bound is 16/3. For beta^t >= 0 the bound "
        "holds."
    ),
    statement="min_{s<=t} max_{y in K^s} <grad J^s(x^s), x^s - y> <= (J^1(x^1)/gamma^1 - inf_{K^t} J^t/gamma^t)/t, t >= 1.",
    assumptions=(scores_of_either_sign, scores_scale_with_steps, steps_inside_unit_interval),
    corrected_by="frank_wolfe.duality_gap_is_small_at_some_step",
    draw=run_of_either_sign,
)

duality_gap_is_small_at_any_temperatures.orbit(">= 0")(gap_is_below_the_average)

energy_grows_along_every_token = section.claim(
    where="prop: trash, pointwise",
    statement="J = <B., .>/2, B >= 0, gamma >= 0: J(x_i^{t+1}) - J(x_i^t) >= (gamma^2/2) |y_i - x_i^t|_B^2 >= 0.",
    assumptions=(concave_energies, steps_at_most_one),
)


# A token's step is towards its largest score, so that <Bx, y - x> >= 0; the square of the step comes on top.
@energy_grows_along_every_token.step(">= 0")
def energy_gain(f: ScheduledHardmax, *, share=1):
    """J(x_i^{t+1}) - J(x_i^t) - (gamma^2/2) |y_i - x_i^t|_B^2 for every token."""
    B, gamma = f.key_query(), f.step_size()[..., None]
    return energy(f.step().x, B) - energy(f.x, B) - share * gamma * gamma * energy(f.targets() - f.x, B)


@energy_grows_along_every_token.step(">= 0")
def energy_never_falls(f: ScheduledHardmax, *, orientation=1):
    """J(x_i^{t+1}) - J(x_i^t) for every token."""
    B = f.key_query()
    return np.asarray(orientation * (energy(f.step().x, B) - energy(f.x, B)))
