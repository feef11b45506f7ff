"""Points remain in their initial cells: false where vertices move.

Sentence of v1's abstract (frank_wolfe FW-16), which does not name hypotheses (1) and (2) of Theorem 4.2. Vertices (3,0),
(-3,0), (0,-1), (1,9/10) and token (0,3/10) with B = I and gamma = 1/2: the token is first drawn by (1,9/10), which
moves, and at the next step by (3,0), although 0 is inside K. Cells are those of the vertices of K^0.
"""

import numpy as np

from claims.frank_wolfe.runs import (
    one_matrix,
    run,
    run_on_a_kite,
    steps_inside_unit_interval,
    strictly_concave_energies,
)
from claims.statement import FRANK_WOLFE, Claim, Standing
from dynamics.arithmetic import peak, transposed
from dynamics.attention import leaders
from dynamics.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="abstract of v1",
    refs=("FW-16", "FW-8"),
    statement="Interior points remain in their initial cells.",
    system=ScheduledHardmax,
    assumptions=(strictly_concave_energies, one_matrix, steps_inside_unit_interval),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.tokens_move_straight_to_their_vertices",
    draw=run_on_a_kite,
)


@claim.orbit(">= 0", exact_only=True)
def first_targets_keep_the_largest_score(f: ScheduledHardmax):
    """max over y in K^0 in the cell of x_i^0 of <B x_i^t, y> - max over all of K^0, for every token and step."""
    first, image = leaders(f.scores()), f.x @ f.B[0]
    slacks = []
    for state in run(f)[1:]:
        scores = state.x @ transposed(image)
        away = peak(scores) - scores
        slacks.append([-min(row[led]) for row, led in zip(away, first, strict=True)])
    return np.array(slacks)
