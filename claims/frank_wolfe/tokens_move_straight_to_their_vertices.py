"""Every token moves straight to the vertex of its cell, by an explicit formula, and vertices do not move.

Theorem 4.2 (frank_wolfe FW-8), all but its last sentence: if (1) every vertex owns its cell and (2) every token is in
one cell only, x_i^t = prod (1 - gamma^s) x_i^0 + (sum gamma^s prod_{r>s} (1 - gamma^r)) v_sigma(i). The start and
v_sigma are both strictly within what makes v_sigma the target, hence so is the segment. Stated for B > 0, which this
does not use.
"""

from itertools import pairwise

import numpy as np

from claims.frank_wolfe.setting.energies import run
from claims.frank_wolfe.setting.run_hypotheses import one_matrix, steps_inside_unit_interval
from claims.frank_wolfe.setting.runs import one_cell_at_the_start, own_cells_at_the_start, run_with_own_cells
from claims.statement import Claim, Origin
from dynamics.polytopes import vertices
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 4.2 (thm: exp.fast.polytope) without its last sentence, for any B",
    refs=("FW-8",),
    statement="x_i^t = prod_{s<t}(1-gamma^s) x_i^0 + (sum_{s<t} gamma^s prod_{s<r<t}(1-gamma^r)) v_sigma(i).",
    origin=Origin.REPORTED,
    system=ScheduledHardmax,
    assumptions=(one_matrix, steps_inside_unit_interval, own_cells_at_the_start, one_cell_at_the_start),
    draw=run_with_own_cells,
    equivalent={
        "vertices_stay: run(f)[1:] => run(f)[:-1]": (
            "The statement of a schedule that ends one step earlier, and v^0 - v^0 = 0."
        ),
    },
)


@claim.orbit("== 0", exact_only=True)
def distance_from_the_formula(f: ScheduledHardmax, *, factor=1):
    """x_i^t minus the formula, for every token and step."""
    v, kept, reached, slacks = f.targets(), 1, 0, []
    for now, after in pairwise(run(f)):
        gamma = now.step_size().item()
        kept, reached = kept * (1 - gamma), reached * (1 - gamma) + factor * gamma
        slacks.append(after.x - kept * f.x - reached * v)
    return np.stack(slacks)


@claim.orbit("== 0", exact_only=True)
def vertices_stay(f: ScheduledHardmax, *, factor=1):
    """v^t - v^0 for every vertex of K."""
    corners = vertices(f.x)
    return np.stack([state.x[corners] - factor * f.x[corners] for state in run(f)[1:]])
