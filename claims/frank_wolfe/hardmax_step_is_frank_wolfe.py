"""The hardmax step with B = -B_* is the Frank-Wolfe step on the quadratic <B_* x, x>/2 over the hull of the tokens.

Abstract, and section 3 (frank_wolfe FW-4): x_i moves to x_i + gamma (argmin_{y in K} <grad J(x_i), y> - x_i). The linear
minimisation oracle over the hull is attained at tokens. The feasible set K^t moves with the tokens, so the rates known
for a fixed set do not apply.
"""

import numpy as np

from claims.assumptions import symmetric_key_query
from claims.frank_wolfe.setting.steps import averaged_leaders, scalar_step
from claims.statement import Claim, Origin
from dynamics.tokens.hardmax import HardmaxStep, frank_wolfe_step

claim = Claim(
    __name__,
    where="abstract of version 1",
    refs=("FW-4",),
    statement=(
        "In this limit, the update rule can be viewed as a Frank-Wolfe step for a quadratic objective over the convex hull "
        "of the current token embeddings."
    ),
    origin=Origin.PRINTED,
    system=HardmaxStep,
    assumptions=(scalar_step, symmetric_key_query, averaged_leaders),
    equivalent={
        "difference_of_steps: orientation = -1 => -21/20": "A positive multiple of B has the same leaders.",
        "difference_of_steps: orientation = -1 => -1001/1000": "A positive multiple of B has the same leaders.",
        "difference_of_steps: orientation = -1 => -19/20": "A positive multiple of B has the same leaders.",
        "difference_of_steps: orientation = -1 => -999/1000": "A positive multiple of B has the same leaders.",
    },
)


@claim.identity()
def difference_of_steps(f: HardmaxStep, *, orientation=-1):
    """Hardmax step minus Frank-Wolfe step, token by token."""
    return f.step().x - frank_wolfe_step(f.x, orientation * f.B, np.asarray(f.P[..., 0, 0]))
