"""If all tokens attend to all, they do so for ever, and approach their mean by the factor 1 - gamma.

localmax LM-1, one endpoint (abstract: interpolates softmax and hardmax; reconstructed). For any A: along the way each gap
is at most an average of gaps at the start. It is softmax at inverse temperature zero.
"""

import numpy as np

from claims.assumptions import step_size_at_most_one
from claims.localmax.setting.end_hypotheses import all_hear_all
from claims.localmax.setting.hypotheses import additive_rule
from claims.localmax.setting.starts import lattice_start
from claims.statement import Claim, Origin
from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="abstract, interpolation (reconstructed)",
    refs=("LM-1",),
    statement="If at step 0 all gaps are at most delta then C_i = [n] for ever and z_i^k = m + (1-gamma)^k (z_i^0 - m), m "
    "the mean; any A.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(additive_rule, step_size_at_most_one, all_hear_all),
    draw=lattice_start,
    equivalent={
        "all_stay_heard: f.delta.item() - now.gaps() => f.delta.item()": "delta >= 0 is demanded of every instance.",
    },
)


@claim.orbit(">= 0", exact_only=True)
def all_stay_heard(f: LocalmaxStep):
    """delta - gap_i(z_j) over six steps."""
    return np.stack([f.delta.item() - now.gaps() for now in orbit(f, 6)])


@claim.orbit("== 0", exact_only=True)
def tokens_close_in(f: LocalmaxStep, *, share=1):
    """z_i^k - m - (1-gamma)^k (z_i^0 - m) for k up to six."""
    m, keep = f.z.sum(axis=0) / len(f.z), 1 - share * f.gamma.item()
    return np.stack([now.z - m - keep**k * (f.z - m) for k, now in enumerate(orbit(f, 6))])
