"""Permuting the tokens permutes their steps.

SYM-1: the step knows tokens by their place only. Two orders generate all of them: the first two exchanged,
and everyone moved on by one.
"""

import numpy as np

from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("SYM-1",),
    statement="The step of (z_s(1), ..., z_s(n)) is (z_s(1)', ..., z_s(n)') for every permutation s.",
    origin=Origin.OURS,
    system=LocalmaxStep,
)


@claim.identity()
def permuted_step(f: LocalmaxStep, *, shift=1):
    """The step of permuted tokens minus the permuted step, for an exchange and a cycle."""
    after, order = f.step().z, np.arange(f.z.shape[-2])
    exchange = np.r_[order[:2][::-1], order[2:]]
    permuted, expected = ((exchange, np.roll(order, 1)), (exchange, np.roll(order, shift)))
    pairs = zip(permuted, expected, strict=True)
    return np.stack([f.replace(z=f.z[..., s, :]).step().z - after[..., t, :] for s, t in pairs], axis=-3)
