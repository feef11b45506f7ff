"""From any start whose vertices own their cells the hardmax flow has one solution: false at a tie of the start.

Question Q11 (frank_wolfe FW-12, hypothesis (2) of Theorem 4.2 is needed). Token 0 among 1 and -1 with B = 1 may go to
either: on the way to a vertex v_j that leads x_i^0 with others, <B x_i(t), v_j - v_k> is a part of the way from 0 to
<B v_j, v_j - v_k> > 0, so that v_j alone leads for all t > 0. Both ways are solutions in the classical sense, and there is
one for each vertex that leads at the start. It may also wait, as long as it likes.
"""

import numpy as np

from claims.frank_wolfe.setting.cells import own_vertex_cells
from claims.frank_wolfe.setting.questions import own_cells_and_a_wall
from claims.frank_wolfe.setting.runs import where_unmet
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.attention import leaders
from dynamics.polytopes import vertices
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Theorem thm: ode without hypothesis (2) of Theorem 4.2 (question Q11)",
    refs=("Q11", "FW-12"),
    note=(
        "With B = 1 the token 0 between 1 and -1 scores the same with both and may go to either: both ways, "
        "x_i(t) = e^{-t} x_i + (1 - e^{-t}) v, solve the equation. Where every token lies in one cell at the "
        "start there is one solution."
    ),
    statement="If every vertex owns its cell the flow x_i' = argmax_{x_j} <B x_i, x_j> - x_i has one solution.",
    origin=Origin.CARRIED_OVER,
    system=HardmaxStep,
    assumptions=(where_unmet(own_vertex_cells),),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.flow_keeps_its_targets",
    draw=own_cells_and_a_wall,
)


@claim.step(">= 0", exact_only=True)
def solutions_agree(f: HardmaxStep):
    """-|v_j - v_k|^2 for the vertices v_j, v_k that lead one token: x_i(t) = e^{-t} x_i + (1 - e^{-t}) v for both."""
    corner = np.isin(np.arange(len(f.x)), vertices(f.x))
    led = leaders(f.scores()) & corner
    pairs = [(j, k) for row in led for j in np.flatnonzero(row) for k in np.flatnonzero(row) if j < k]
    return exact([-sum((f.x[j] - f.x[k]) ** 2) for j, k in pairs])
