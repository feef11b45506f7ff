"""A step with a sensitivity and a step size of its own moves no token out of the convex hull of the tokens.

localmax LM-2 for time-varying parameters (abstract; reconstructed). Any A, delta_k >= 0 and gamma_k in [0, 1]: every new
token is a convex combination of old ones.
"""

import numpy as np

from claims.localmax.setting.end_hypotheses import step_sizes_at_most_one
from claims.localmax.setting.starts import scheduled_or_full_steps
from claims.statement import Claim, Origin
from dynamics.geometry import hull_excess, support_contraction
from dynamics.tokens.schedules import ScheduledLocalmax

claim = Claim(
    __name__,
    where="abstract (definition M-D1 reconstructed)",
    refs=("LM-2",),
    statement="K^{k+1} is contained in K^k for every A, any delta_k >= 0 and any gamma_k in [0,1].",
    origin=Origin.REPORTED,
    system=ScheduledLocalmax,
    assumptions=(step_sizes_at_most_one,),
    draw=scheduled_or_full_steps,
    equivalent={
        "new_tokens_stay_in_hull: reach = 1 => 19/20": (
            "Between the token and its new place, both in the hull, which is convex."
        ),
        "new_tokens_stay_in_hull: reach = 1 => 999/1000": (
            "Between the token and its new place, both in the hull, which is convex."
        ),
    },
)


@claim.step(">= 0", exact_only=True)
def new_tokens_stay_in_hull(f: ScheduledLocalmax, *, reach=1):
    """Minus how far z_i' is from the hull by a plane that cuts it off, 0 inside: a linear program, certified."""
    return hull_excess(f.z, f.z + reach * (f.step().z - f.z))


@claim.orbit(">= 0", exact_only=True)
def supports_contract(f: ScheduledLocalmax, *, keep=1):
    """(h - <l, z_i^{k+1}>) - (1 - gamma_k) (h - <l, z_i^k>), h = max_j <l, z_j^k>, for the first two steps."""
    now = f.step()
    first = support_contraction(f.z, now.z, keep - f.step_size())
    return np.stack([first, support_contraction(now.z, now.step().z, keep - now.step_size())])
