"""A localmax step lowers no squared A-norm by more than 2 gamma delta, less the share of the best neighbour.

localmax LY-6 and LM-5. r_i' - r_i = 2 gamma (e_i - mean gap of C_i) + gamma^2 |c_i - z_i|_A^2 and no gap of
a neighbour exceeds delta, that of the best one is 0. Without sensitivity the sum of the norms is a Lyapunov function; with
it the sum may fall by more than 2 gamma delta: of 1, 1, -1, -1 at delta = 2, gamma = 1/2 from 4 to 1.
"""

from claims.assumptions import step_size_at_most_one
from claims.localmax.setting.hypotheses import gaps_below_sensitivity, semidefinite_matrix
from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LY-6", "LM-5"),
    statement="No r_i = |z_i|_A^2 falls by more than 2 gamma delta (1 - 1/|C_i|) in a step, so none by more than 2 "
    "gamma delta.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(semidefinite_matrix, gaps_below_sensitivity, step_size_at_most_one),
)


@claim.step(">= 0")
def room_of_norms(f: LocalmaxStep, *, factor=2):
    """r_i' - r_i + 2 gamma delta (1 - 1/|C_i|)."""
    size = (f.neighbours() * (0 * f.scores() + 1)).sum(axis=-1)
    return f.step().squared_norms() - f.squared_norms() + factor * (f.gamma * f.delta)[..., None] * (1 - 1 / size)
