"""The cells of a polytope are convex.

Lemma `lem: cells` (i) (frank_wolfe FW-7). How far the score of v_i is below the largest one is the largest of linear
functions of x, so it is convex, and the cell is where it is zero. True for every matrix B.
"""

import numpy as np

from claims.frank_wolfe.setting.cells import definite_or_any
from claims.statement import Claim, Origin
from dynamics.arithmetic import peak
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Lemma lem: cells (i), section 4.1",
    refs=("FW-7",),
    statement="For B > 0 and a polytope K every cell C_i = {x in K: <Bx, v_i> = max over y in K of <Bx, y>} is convex.",
    origin=Origin.REPORTED,
    system=HardmaxStep,
    assumptions=(definite_or_any,),
    equivalent={
        "lag_is_convex: x + y => x": "l is >= 0 and homogeneous: (l(x) + l(y))/2 - l(x/2) = l(y)/2.",
        "lag_is_convex: x + y => y": "l is >= 0 and homogeneous: (l(x) + l(y))/2 - l(y/2) = l(x)/2.",
        "lag_is_convex, in _lag: peak(scores) - scores => peak(scores)": (
            "The same slack: what is linear in x cancels in (l(x) + l(y))/2 - l((x + y)/2)."
        ),
        "lag_is_convex, in _lag: peak(scores) - scores => peak(scores) + scores": (
            "The same slack: what is linear in x cancels in (l(x) + l(y))/2 - l((x + y)/2)."
        ),
    },
)


def _lag(scores):
    """How far each score (..., k) is below the largest one; zero at the tokens whose cell this is."""
    return peak(scores) - scores


@claim.state(">= 0")
def lag_is_convex(f: HardmaxStep):
    """(lag_i(x) + lag_i(y))/2 - lag_i((x + y)/2) for tokens x, y and every token, each vertex among them, as v_i."""
    i, j = np.triu_indices(f.x.shape[-2])
    x, y = f.scores()[..., i, :], f.scores()[..., j, :]
    return (_lag(x) + _lag(y)) / 2 - _lag((x + y) / 2)
