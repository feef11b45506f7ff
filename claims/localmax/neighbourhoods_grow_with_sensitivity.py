"""With a larger sensitivity a token attends to those it attended to before, and perhaps more.

SYM-4: every rule compares a gap with a tolerance that grows with delta, but the relative one (D2) where
h(z_i) < 0; there only maximisers are attended to at any delta. This does not make the number of clusters monotone in delta,
since trajectories part.
"""

import numpy as np

from claims.statement import LOCALMAX, Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    refs=("SYM-4",),
    statement="C_i^delta(z) is contained in C_i^epsilon(z) for delta <= epsilon.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    equivalent={
        "neighbours_are_kept: growth = 1 => 999/1000": "Another larger sensitivity.",
        "neighbours_are_kept: 5 * f.delta / 4 => 5 * f.delta / (21/5)": "Another larger sensitivity.",
        "neighbours_are_kept: growth * one / 2 => growth * one / (999/500)": "Another larger sensitivity.",
        "neighbours_are_kept: 5 * f.delta => 19/4 * f.delta": "Another larger sensitivity.",
        "neighbours_are_kept: 5 * f.delta => 999/200 * f.delta": "Another larger sensitivity.",
        "neighbours_are_kept: 8 * growth * one => one": "Another larger sensitivity.",
        "neighbours_are_kept: 8 * growth * one => 8 * growth": "The same number: one is 1.",
        "neighbours_are_kept: growth = 1 => 19/20": "Another larger sensitivity.",
    },
)


@claim.step(">= 0")
def neighbours_are_kept(f: LocalmaxStep, *, growth=1):
    """1 for every neighbour at 5 delta / 4 + growth / 2, and at 3 delta + 8 growth, minus 1 for every one at delta."""
    one = 0 * f.delta + 1
    wider = [
        f.replace(delta=delta).neighbours()
        for delta in (5 * f.delta / 4 + growth * one / 2, 3 * f.delta + 8 * growth * one)
    ]
    return np.stack([(0 * f.scores() + 1) * (more.astype(int) - f.neighbours().astype(int)) for more in wider], axis=-1)
