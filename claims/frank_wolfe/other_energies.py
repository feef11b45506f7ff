"""If the energy changes with time the diameter of the tokens still falls, but the energy gap need not contract.

Questions Q4 and Q12 about Theorem 3.1.

`diameters_fall_under_any_energies`: Q12, settled except for the rate. Of two places at most one keeps its tokens: <B_* x,
x - y> <= 0 and <B_* y, y - x> <= 0 imply |x - y|^2 <= 0 in the norm of B_*. So all vertices of K^t but at most one are
left at once, and a diameter joins two of them. If the condition numbers of B_*^t stay bounded this also holds in the limit,
and for constant gamma all tokens meet in one point.

`energy_gap_contracts_under_any_energies`: Q12: e_{t+1} <= (1-g+g^2) e_t without B_*^t - B_*^{t+1} >= 0. The axes may change
roles from step to step: what the last energy hardly sees the next one sees.

`tokens_meet_under_semidefinite_energies`: Q4, for B_* >= 0, not 0: do tokens also meet along the kernel? By
`tokens_contract_to_one_cluster` they meet in the seminorm of B_*. If leaders are single and targets final, a class of
tokens that attend to each other meets in all directions; two classes would have limits sum u_a x_a^0 with different u,
which B_* distinguishes except on a null set of starts. So what is open is whether targets can change infinitely often, as
for `limit_is_not_the_origin`. Runs with ties are left out.
"""

from itertools import pairwise

import numpy as np

from claims.frank_wolfe.setting.energies import energy_gap, run, squared_diameter
from claims.frank_wolfe.setting.limits import (
    has_ties,
    inner_scalar_step,
    run_of_seen_and_unseen,
    semidefinite_energy,
    to_the_end,
)
from claims.frank_wolfe.setting.run_hypotheses import (
    convex_or_negated,
    equal_eigenvalues,
    steps_inside_unit_interval,
    strictly_convex_energies,
)
from claims.frank_wolfe.setting.runs import run_of_small_steps, run_of_turning_energies
from claims.stating.statement import Section, Standing
from dynamics.arithmetic import exact, indicator
from dynamics.geometry import squared_distances
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.schedules import ScheduledHardmax

section = Section(__name__, refs=("FW-5", "Q12"), system=ScheduledHardmax, where="question Q12")

diameters_fall_under_any_energies = section.claim(
    statement="If B_*^t > 0 and gamma^t in (0,1), D(K^{t+1}) < D(K^t) unless all tokens have met.",
    assumptions=(strictly_convex_energies, steps_inside_unit_interval),
    draw=run_of_small_steps,
)


# 1 where all have met: nothing is left to fall, and the strict inequality asks for a positive number.
@diameters_fall_under_any_energies.orbit("> 0")
def fall_of_the_diameter(f: ScheduledHardmax, *, share=1):
    """D(K^t)^2 - D(K^{t+1})^2, or 1 where D(K^t) = 0, for every step."""
    sizes = [squared_diameter(state.x) for state in run(f)]
    falls = [share * b - a + indicator(b == 0, f.x) for b, a in pairwise(sizes)]
    return np.stack(falls, axis=-1)


# Equal eigenvalues, so that the energy does not simply grow: a growing one would raise the gap by its factor.
energy_gap_contracts_under_any_energies = section.claim(
    note=(
        "For tokens (2, 1), (0, 2) with B^0 = diag(0, -1), B^1 = diag(-1, 0) and gamma = 1/2 the gap is 3/2 before and "
        "after the step, because the second energy sees what the first did not. What remains, for B_*^t > 0, is that the "
        "diameter of the hull falls until all tokens have met."
    ),
    statement="If B_*^t >= 0 has the same eigenvalues for all t: e_{t+1} <= (1 - gamma + gamma^2) e_t.",
    assumptions=(convex_or_negated, equal_eigenvalues, steps_inside_unit_interval),
    corrected_by="frank_wolfe.diameters_fall_under_any_energies",
    draw=run_of_turning_energies,
)


@energy_gap_contracts_under_any_energies.orbit(">= 0", exact_only=True)
def gap_contracts(f: ScheduledHardmax):
    """(1-g+g^2) e_t - e_{t+1} for every step."""
    slacks = []
    for now, after in pairwise(run(f)):
        g = now.step_size().item()
        slacks.append((1 - g + g * g) * energy_gap(now) - energy_gap(after))
    return exact(slacks)


tokens_meet_under_semidefinite_energies = section.claim(
    where="question Q4",
    refs=("FW-5", "Q4"),
    statement="If B_* >= 0 is not 0 and gamma is constant, all tokens meet for a.e. start.",
    system=HardmaxStep,
    assumptions=(semidefinite_energy, inner_scalar_step),
    standing=Standing.OPEN,
    draw=run_of_seen_and_unseen,
)


@tokens_meet_under_semidefinite_energies.orbit(">= 0", exact_only=True)
def limits_are_one(f: HardmaxStep):
    """-|x_i - x_j|^2 for the limits of all pairs; nothing is said of runs with ties."""
    run = to_the_end(f)
    limits = run.final.limits
    return exact([]) if has_ties(run.states) else -squared_distances(limits, limits)
