"""Tokens c times as large take the same steps if the sensitivity is c^2 times as large.

SYM-3. Scores are quadratic in the tokens. The relative rule (D2) needs no change of delta, the norm weighted
one (D3) the factor |c|. The sign of c does not matter: here c = -3.
"""

from claims.statement import Claim, Origin
from dynamics.tokens.localmax import RELATIVE, WEIGHTED, LocalmaxStep

claim = Claim(
    __name__,
    refs=("SYM-3",),
    statement="z -> c z, delta -> c^2 delta commutes with the step (D2: delta unchanged, D3: |c| delta).",
    origin=Origin.OURS,
    system=LocalmaxStep,
)

POWERS = {RELATIVE: 0, WEIGHTED: 1}


@claim.identity()
def scaled_step(f: LocalmaxStep, *, most=2):
    """The step of -3 z minus -3 times the step of z."""
    scaled = f.replace(z=-3 * f.z, delta=3 ** POWERS.get(f.which, most) * f.delta)
    return scaled.step().z + 3 * f.step().z
