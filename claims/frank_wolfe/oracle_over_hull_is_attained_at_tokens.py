"""The linear oracle over the hull of the tokens is the one over the tokens.

Section 3 of the paper (frank_wolfe FW-4). A point of the hull with weights w_j loses sum_j w_j (best - <Bx_i, x_j>) against
the best token: nothing exactly when all its weight is on leaders. True for every B.
"""

from claims.statement import Claim, Origin
from dynamics.arithmetic import peak, transposed
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="section 3",
    refs=("FW-4",),
    statement=(
        "The maximum of <Bx_i, y> over y in K is attained at tokens, and exactly on the hull of those that attain it."
    ),
    origin=Origin.REPORTED,
    system=HardmaxStep,
)


def _weights(f):
    """Convex weights of n points of the hull, shape (..., n, n): the rows of the selection."""
    return f.selection / f.selection.sum(axis=-1, keepdims=True)


@claim.state(">= 0")
def hull_scores_no_more(f: HardmaxStep):
    """max_j <Bx_i, x_j> - <Bx_i, y_k> for tokens x_i and points y_k of the hull."""
    scores = f.scores()
    return peak(scores) - scores @ transposed(_weights(f))


@claim.identity()
def loss_of_hull_points(f: HardmaxStep, *, share=1):
    """max_j <Bx_i, x_j> - <Bx_i, y_k> - sum_j w_kj (max_l <Bx_i, x_l> - <Bx_i, x_j>)."""
    scores, points = f.scores(), _weights(f) @ f.x
    behind = peak(scores) - scores
    return peak(scores) - f.x @ transposed(f.B) @ transposed(points) - share * behind @ transposed(_weights(f))
