"""Hardmax steps of size h stay within h of the flow, as a fraction of each token's path.

Theorem `thm: ode` (frank_wolfe FW-12), whose flow x_i' = y_i - x_i has the step of size h as Euler's. Under (1) and (2) of
Theorem 4.2 both lead straight to v_sigma(i): a token has (1-h)^k of the way left after k steps, and e^{-t} of it in the
flow. Between steps k and k+1 the difference is largest at one of the ends. It is about h just before the first step,
at most about h/(2e) at steps. The steps are taken here, the flow is the explicit one of `flow_keeps_its_targets`.
"""

import numpy as np

from claims.frank_wolfe.setting.cells import tokens_in_one_cell
from claims.frank_wolfe.setting.runs import own_cells_or_a_kite, scalar_step_with_own_cells, where_unmet
from claims.frank_wolfe.setting.steps import scalar_step
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, numbers
from dynamics.orbits.exact import orbit
from dynamics.tokens.hardmax import HardmaxStep

STEPS = 16

claim = Claim(
    __name__,
    where="Theorem thm: ode, the steps that approach it",
    refs=("FW-12",),
    statement=(
        "After floor(t/h) hardmax steps a token is within h |x_i^0 - v_sigma(i)| of x_i(t) for h in [0,1], t <= 16 h."
    ),
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(scalar_step, own_cells_or_a_kite, where_unmet(tokens_in_one_cell)),
    draw=scalar_step_with_own_cells,
)


@claim.orbit(">= 0", exact_only=True)
def distance_between_steps(f: HardmaxStep, *, constant=1):
    """h^2 |x_i^0 - v_i|^2 - |x_i^k - x_i(t)|^2 at both ends t of [kh, (k+1)h], for k < 16."""
    h, v = f.P[0, 0], f.targets()
    away = f.x - v
    bound = (constant * h) ** 2 * (away * away).sum(axis=-1)
    slacks = []
    for k, state in enumerate(orbit(f, STEPS - 1)):
        for end in (k, k + 1):
            apart = state.x - v - exp(numbers(-end * h)) * away
            slacks.append(bound - (apart * apart).sum(axis=-1))
    return numbers(np.stack(slacks, axis=-1))
