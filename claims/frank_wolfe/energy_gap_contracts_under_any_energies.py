"""The energy gap contracts for energies that change in any way: false, the next energy may be larger.

Question Q12 (frank_wolfe FW-5): e_{t+1} <= (1-g+g^2) e_t without B_*^t - B_*^{t+1} >= 0. Directions
change roles from step to step, and what the last energy hardly saw the next one sees. What is left is that all tokens
meet (`diameters_fall_under_any_energies`).
"""

from itertools import pairwise

from claims.frank_wolfe.setting.energies import energy_gap, run
from claims.frank_wolfe.setting.run_hypotheses import convex_or_negated, equal_eigenvalues, steps_inside_unit_interval
from claims.frank_wolfe.setting.runs import run_of_turning_energies
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="question Q12",
    refs=("FW-5", "Q12"),
    note=(
        "Tokens (2, 1), (0, 2) with B^0 = diag(0, -1), B^1 = diag(-1, 0) and gamma = 1/2 have the gap 3/2 before "
        "the step and 3/2 after it, for the second energy sees what the first one did not. What remains, for "
        "B_*^t > 0, is that the diameter of the hull falls until all tokens have met."
    ),
    statement="If B_*^t >= 0 has the same eigenvalues for all t: e_{t+1} <= (1 - gamma + gamma^2) e_t.",
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(convex_or_negated, equal_eigenvalues, steps_inside_unit_interval),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.diameters_fall_under_any_energies",
    draw=run_of_turning_energies,
)


@claim.orbit(">= 0", exact_only=True)
def gap_contracts(f: ScheduledHardmax):
    """(1-g+g^2) e_t - e_{t+1} for every step."""
    slacks = []
    for now, after in pairwise(run(f)):
        g = now.step_size().item()
        slacks.append((1 - g + g * g) * energy_gap(now) - energy_gap(after))
    return exact(slacks)
