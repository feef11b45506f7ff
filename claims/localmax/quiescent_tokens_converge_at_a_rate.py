"""Tokens of an eventually quiescent set approach their vertex by the factor 1 - gamma in each step, and never meet.

localmax LM-14 (a) (abstract: no finite-time convergence, in its safest reading) and LM-6. All tokens of the set move
towards one mean, which stays where it is; so a vertex of Kinf with two tokens at different places is not reached, while
leaders of hardmax are there after finitely many steps.
"""

import numpy as np

from claims.localmax.setting.ends import quiescent_sets, settled
from claims.localmax.setting.hypotheses import additive_rule, open_step_size, positive_sensitivity
from claims.localmax.setting.starts import lattice_start
from claims.statement import Claim, Origin
from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="abstract, no finite-time convergence, in its safest reading",
    refs=("LM-14", "LM-6"),
    statement="Inside an eventually quiescent set the spread is multiplied by exactly 1 - gamma each step and never "
    "vanishes: z_i^k - v = (1-gamma)^{k-k0} (z_i^{k0} - v).",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(additive_rule, open_step_size, positive_sensitivity),
    draw=lattice_start,
)


@claim.orbit("== 0", exact_only=True)
def tails_of_quiescent_tokens(f: LocalmaxStep, *, share=1):
    """z_i^k - v - (1-gamma)^k (z_i^0 - v), k up to 3, once neighbours are final, for tokens of quiescent sets."""
    end = settled(f)
    last, v = end.states[-1], end.final.limits
    members, keep = [i for Q in quiescent_sets(last) for i in Q], 1 - share * f.gamma.item()
    return np.stack([(now.z - v - keep**k * (last.z - v))[members] for k, now in enumerate(orbit(last, 3))])
