"""Relabelling the tokens relabels their velocities.

The model (clusters M1): a token attends to a set of tokens, not to a sequence. Any permutation is a product of rotations
of the first m tokens.
"""

import numpy as np

from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="equation (trans_dyn)",
    refs=("M1",),
    statement="If tokens are permuted, their velocities are permuted alike.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
)


@claim.identity()
def velocity_after_less_before(f: SelfAttentionFlow, *, turns=1):
    """The velocities of rotated tokens less the rotated velocities."""
    moved = f.replace(x=np.roll(f.x, 1, axis=-2))
    return moved.drift() - np.roll(f.drift(), turns, axis=-2)
