"""Under steps of at least c every token converges to its vertex at least like (1 - c)^t.

The ICML version of the last sentence of Theorem 4.2 (frank_wolfe FW-8; seen in its abstract): what is left of the way is
prod (1 - gamma^s) <= (1 - c)^t, with equality for gamma^t = c. Sufficient, not necessary: converging exponentially is
the same as liminf (1/t) sum -log(1 - gamma^s) > 0.
"""

import numpy as np

from claims.frank_wolfe.setting.energies import run
from claims.frank_wolfe.setting.run_hypotheses import one_matrix, steps_inside_unit_interval
from claims.frank_wolfe.setting.runs import one_cell_at_the_start, own_cells_at_the_start, run_with_own_cells
from claims.statement import Claim, Origin
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 4.2, last sentence, as in the abstract of the ICML version",
    refs=("FW-8",),
    statement="If gamma^t >= c > 0, |x_i^t - v_sigma(i)| <= (1-c)^t |x_i^0 - v_sigma(i)|.",
    origin=Origin.REPORTED,
    system=ScheduledHardmax,
    assumptions=(one_matrix, steps_inside_unit_interval, own_cells_at_the_start, one_cell_at_the_start),
    draw=run_with_own_cells,
)


@claim.orbit(">= 0", exact_only=True)
def distance_is_below_the_power(f: ScheduledHardmax, *, factor=1):
    """(1-c)^{2t} |x_i^0 - v_i|^2 - |x_i^t - v_i|^2 with c the least step, for every token and step."""
    v, c = f.targets(), min(f.gamma)
    squares = [((state.x - v) ** 2).sum(axis=-1) for state in run(f)]
    return np.stack([((1 - factor * c) ** (2 * t) * squares[0] - left) for t, left in enumerate(squares)])
