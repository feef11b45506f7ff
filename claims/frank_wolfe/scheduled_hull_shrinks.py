"""No step of a run moves a token out of the hull of the tokens, whatever its matrix and its size in [0, 1].

Lemma `lem:convHullDecreases` (frank_wolfe FW-2) for B^t and gamma^t that change with the step and any choice among tied
maximisers: K^t is contained in K^0 for all t.
"""

from itertools import pairwise

import numpy as np

from claims.frank_wolfe.setting.energies import run
from claims.frank_wolfe.setting.run_hypotheses import steps_at_most_one
from claims.statement import Claim, Origin
from dynamics.arithmetic import peak
from dynamics.geometry import hull_excess, probing_directions
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Lemma lem:convHullDecreases, section 2.3, along a run",
    refs=("FW-2",),
    statement="If gamma^t in (0,1) then K^{t+1} is contained in K^t under SA_infinity.",
    origin=Origin.REPORTED,
    system=ScheduledHardmax,
    assumptions=(steps_at_most_one,),
    equivalent={
        "new_tokens_stay_in_hull: run(f)[-1] => run(f)[-2]": ("The statement of a schedule that ends one step earlier."),
    },
)


@claim.orbit(">= 0", exact_only=True)
def new_tokens_stay_in_hull(f: ScheduledHardmax):
    """For each token after the last step 0, or minus its distance from a hyperplane that cuts it off from K^0."""
    return hull_excess(f.x, run(f)[-1].x)


@claim.orbit(">= 0")
def supports_never_grow(f: ScheduledHardmax, *, share=1):
    """max_j <l, x_j^t> - max_j <l, x_j^{t+1}> for every step and probing direction l of K^0."""
    directions = probing_directions(f.x).swapaxes(-1, -2)
    tops = [peak((state.x @ directions).swapaxes(-1, -2))[..., 0] for state in run(f)]
    return np.stack([share * before - after for before, after in pairwise(tops)], axis=-1)
