"""On the line the cluster is at most min(gamma, 1 - gamma) D(K^t) from the origin, K^t the last hull that holds it.

Question Q2 (frank_wolfe FW-5) for d = 1. In the step in which the hull leaves the origin, to the right say,
the smallest token comes to at most gamma max K, also where it is 0 and all scores tie, and the largest one to at most
(1 - gamma) max K. The end that is nearest to 0 afterwards stays for ever, and all others tend to it. Where the origin is
never left the limit is 0.
"""

import numpy as np

from claims.frank_wolfe.setting.energies import squared_diameter
from claims.frank_wolfe.setting.limits import (
    definite_energy,
    inner_scalar_step,
    limits_in_the_end,
    on_a_line,
    run_of_constant_step,
)
from claims.frank_wolfe.setting.run_hypotheses import holds_origin, origin_in_hull
from claims.statement import Claim, Origin
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="question Q2, d = 1",
    refs=("FW-5", "Q2"),
    statement=(
        "If d = 1, 0 in K^0, B_* > 0 and gamma is constant, |x_inf| <= min(gamma, 1 - gamma) D(K^t), K^t the last hull "
        "that holds 0."
    ),
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(on_a_line, definite_energy, inner_scalar_step, origin_in_hull),
    draw=run_of_constant_step,
)


@claim.orbit(">= 0", exact_only=True)
def room_of_the_limit(f: HardmaxStep, *, constant=1):
    """min(gamma, 1 - gamma)^2 D(K^t)^2 - |x_inf|^2 for the limit of every token."""
    (limits, states), gamma = limits_in_the_end(f), f.P[0, 0]
    squares = (limits * limits).sum(axis=-1)
    held = [state.x for state in states if holds_origin(state.x)] or [f.x]
    return np.asarray(constant * min(gamma, 1 - gamma) ** 2 * squared_diameter(held[-1]) - squares)
