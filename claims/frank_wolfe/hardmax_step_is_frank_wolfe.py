"""The hardmax step with B = -B_* is the Frank-Wolfe step for the quadratic <B_* x, x>/2 over the hull of the tokens.

`hardmax_step_is_frank_wolfe`: Abstract and section 3, for symmetric B_* and P = gamma I: x_i moves to x_i + gamma
(argmin_{y in K} <grad J(x_i), y> - x_i). The feasible set K^t moves with the tokens, so the rates known for a fixed set do
not apply.

`oracle_over_hull_is_attained_at_tokens`: A point of the hull with weights w_j loses sum_j w_j (best - <Bx_i, x_j>) against
the best token: nothing exactly when all its weight is on leaders. True for every B.
"""

import numpy as np

from claims.frank_wolfe.setting.steps import averaged_leaders, scalar_step
from claims.stating.assumptions import symmetric_key_query
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import peak, transposed
from dynamics.tokens.hardmax import HardmaxStep, frank_wolfe_step

section = Section(__name__, refs=("FW-4",), system=HardmaxStep)

# B symmetric, for else <Bx, .> is not the gradient of <Bx, x>/2; P a number, since a Frank-Wolfe step has one step size.
hardmax_step_is_frank_wolfe = section.claim(
    where="abstract of version 1",
    statement=(
        "In this limit, the update rule can be viewed as a Frank-Wolfe step for a quadratic objective over the convex hull "
        "of the current token embeddings."
    ),
    origin=Origin.PRINTED,
    assumptions=(scalar_step, symmetric_key_query, averaged_leaders),
)


@hardmax_step_is_frank_wolfe.identity()
def difference_of_steps(f: HardmaxStep, *, orientation=-1):
    """Hardmax step minus Frank-Wolfe step, token by token."""
    return f.step().x - frank_wolfe_step(f.x, orientation * f.B, np.asarray(f.P[..., 0, 0]))


oracle_over_hull_is_attained_at_tokens = section.claim(
    where="section 3",
    statement=(
        "The maximum of <Bx_i, y> over y in K is attained at tokens, and exactly on the hull of those that attain it."
    ),
    origin=Origin.REPORTED,
)


# Any convex weights would do; those of the selection are at hand and are drawn freely.
def _weights(f):
    """Convex weights of n points of the hull, shape (..., n, n): the rows of the selection."""
    return f.selection / f.selection.sum(axis=-1, keepdims=True)


@oracle_over_hull_is_attained_at_tokens.state(">= 0")
def hull_scores_no_more(f: HardmaxStep):
    """max_j <Bx_i, x_j> - <Bx_i, y_k> for tokens x_i and points y_k of the hull."""
    scores = f.scores()
    return peak(scores) - scores @ transposed(_weights(f))


@oracle_over_hull_is_attained_at_tokens.identity()
def loss_of_hull_points(f: HardmaxStep, *, share=1):
    """max_j <Bx_i, x_j> - <Bx_i, y_k> - sum_j w_kj (max_l <Bx_i, x_l> - <Bx_i, x_j>)."""
    scores, points = f.scores(), _weights(f) @ f.x
    behind = peak(scores) - scores
    return peak(scores) - f.x @ transposed(f.B) @ transposed(points) - share * behind @ transposed(_weights(f))
