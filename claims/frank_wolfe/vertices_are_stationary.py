"""Vertices do not move: false where they do not own their cells.

Theorem 4.2 without its hypothesis (1), which the abstract of version 1 does not name ("When it is positive semidefinite,
... vertices are stationary"; frank_wolfe FW-16). Tokens 1 and 2 with B = 1 have the vertex 1 move to 2. Where 0 is inside
K it may also be so.
"""

import numpy as np

from claims.frank_wolfe.setting.energies import run
from claims.frank_wolfe.setting.run_hypotheses import one_matrix, steps_inside_unit_interval, strictly_concave_energies
from claims.frank_wolfe.setting.runs import run_on_a_kite
from claims.statement import Claim, Origin, Standing
from dynamics.polytopes import vertices
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 4.2 (thm: exp.fast.polytope) without hypothesis (1)",
    refs=("FW-16", "FW-8"),
    note=(
        "Of tokens 1 and 2 with B = 1 the vertex 1 scores higher with 2 than with itself: for gamma = 7/8 it "
        "moves to 15/8. Vertices that own their cells do not move."
    ),
    statement="If B > 0, the vertices of K are stationary, also those that do not own their cells.",
    origin=Origin.CARRIED_OVER,
    system=ScheduledHardmax,
    assumptions=(strictly_concave_energies, one_matrix, steps_inside_unit_interval),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.tokens_move_straight_to_their_vertices",
    draw=run_on_a_kite,
)


@claim.orbit(">= 0", exact_only=True)
def vertices_stay(f: ScheduledHardmax):
    """-|v^t - v^0|^2 for every vertex of K."""
    corners = vertices(f.x)
    return np.stack([-((state.x[corners] - f.x[corners]) ** 2).sum(axis=-1) for state in run(f)[1:]])
