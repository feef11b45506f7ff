"""The hardmax step with B = -B_* is the Frank-Wolfe step on the quadratic <B_* x, x>/2 over the hull of the tokens.

Section 3 of the paper (frank_wolfe FW-4). The linear minimisation oracle over the hull is attained at tokens. The
feasible set K^t moves with the tokens, so the rates known for a fixed set do not apply.
"""

import numpy as np

from claims.assumptions import averaged_leaders, scalar_step, symmetric_key_query
from claims.statement import FRANK_WOLFE, Claim
from dynamics.hardmax import HardmaxStep, frank_wolfe_step

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="section 3",
    refs=("FW-4",),
    statement="For B = -B_* the hardmax step is x_i + gamma (argmin_{y in K} <grad J(x_i), y> - x_i), J = <B_* x, x>/2.",
    system=HardmaxStep,
    assumptions=(scalar_step, symmetric_key_query, averaged_leaders),
)


@claim.identity()
def difference_of_steps(f: HardmaxStep, *, orientation=-1):
    """Hardmax step minus Frank-Wolfe step, token by token."""
    return f.step().x - frank_wolfe_step(f.x, orientation * f.B, np.asarray(f.P[..., 0, 0]))
