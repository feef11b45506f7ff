"""On a line with a > 0 the order of the tokens is kept, for every sensitivity: gaps shrink by 1 - gamma at most.

localmax LM-11, step part, and hardmax HM-4b (neither printed). The average c(x) does not fall with x: a larger x > 0
tolerates a smaller share of the tokens, all of them at the right end. Distinct tokens never merge. It fails for the rule
by which every token attends to itself, and in the plane.
"""

import numpy as np

from claims.localmax.setting.hypotheses import definite_matrix, neighbours_by_score, one_dimension, step_size_below_one
from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LM-11", "HM-4b"),
    statement="If d = 1, A = a > 0 and x_i > x_j then x_i' - x_j' >= (1 - gamma) (x_i - x_j), for every delta >= 0.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(one_dimension, definite_matrix, neighbours_by_score, step_size_below_one),
)


@claim.step(">= 0")
def gaps_contract_by_step_at_most(f: LocalmaxStep, *, keep=1):
    """(x_i' - x_j') - (1 - gamma) (x_i - x_j) for tokens next to each other, x_i >= x_j."""
    x, after = f.z[..., 0], f.step().z[..., 0]
    order = np.argsort(x, axis=-1)
    before, after = (np.diff(np.take_along_axis(values, order, axis=-1), axis=-1) for values in (x, after))
    return after - (keep - f.gamma)[..., None] * before
