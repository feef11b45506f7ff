"""Interior points remain in their initial cells: false where vertices move.

Theorem 4.2 without its hypothesis (1), which the abstract of version 1 does not name ("When it is positive semidefinite,
... interior points remain in their initial cells"; frank_wolfe FW-16). Vertices (3,0), (-3,0), (0,-1), (1,9/10) and token
(0,3/10) with B = I and gamma = 1/2: the token is first drawn by (1,9/10), which moves, and at the next step by (3,0),
although 0 is inside K. Cells are those of the vertices of K^0.
"""

from claims.frank_wolfe.setting.energies import run
from claims.frank_wolfe.setting.run_hypotheses import one_matrix, steps_inside_unit_interval, strictly_concave_energies
from claims.frank_wolfe.setting.runs import run_on_a_kite
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact, peak, transposed
from dynamics.attention import leaders
from dynamics.polytopes import dimension, in_relative_interior
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 4.2 (thm: exp.fast.polytope) without hypothesis (1)",
    refs=("FW-16", "FW-8"),
    note=(
        "Of (8, 0), (-8, 0), (1, 2), (0, 1) with B = I and gamma = 1/2 the last is drawn by (1, 2) and comes to "
        "(1/2, 3/2), which scores 4 with (8, 0) and only 7/2 with (1, 2). Where every vertex owns its cell, a "
        "token inside of one cell keeps it and goes straight to its vertex."
    ),
    statement="If B > 0, tokens inside K remain in their initial cells, also where vertices do not own theirs.",
    origin=Origin.CARRIED_OVER,
    system=ScheduledHardmax,
    assumptions=(strictly_concave_energies, one_matrix, steps_inside_unit_interval),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.tokens_move_straight_to_their_vertices",
    draw=run_on_a_kite,
)


@claim.orbit(">= 0", exact_only=True)
def first_targets_keep_the_largest_score(f: ScheduledHardmax):
    """max over the first leaders y of <B x_i^t, y> - max over all of K^0, for every token inside K^0 and every step."""
    n, d = f.x.shape
    inside = [i for i in range(n) if dimension(f.x) == d and in_relative_interior(f.x[i], f.x)]
    first, image = leaders(f.scores()), f.x @ f.B[0]
    slacks = []
    for state in run(f)[1:]:
        scores = state.x @ transposed(image)
        away = peak(scores) - scores
        slacks += [-min(away[i, first[i]]) for i in inside]
    return exact(slacks)
