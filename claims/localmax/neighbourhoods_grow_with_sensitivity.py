"""With a larger sensitivity a token attends to those it attended to before, and perhaps more.

SYM-4: every rule compares a gap with a tolerance that grows with delta, but the relative one (D2) where
h(z_i) < 0; there only maximisers are attended to at any delta. This does not make the number of clusters monotone in delta,
since trajectories part.
"""

from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("SYM-4",),
    statement="C_i^delta(z) is contained in C_i^epsilon(z) for delta <= epsilon.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    equivalent={
        "neighbours_are_kept: growth = 1 => 21/20": "Another larger sensitivity.",
        "neighbours_are_kept: growth = 1 => 1001/1000": "Another larger sensitivity.",
        "neighbours_are_kept: growth = 1 => 999/1000": "Another larger sensitivity.",
        "neighbours_are_kept: growth = 1 => 19/20": "Another larger sensitivity.",
    },
)


@claim.step(">= 0")
def neighbours_are_kept(f: LocalmaxStep, *, growth=1):
    """1 for every neighbour at delta + growth minus 1 for every one at delta."""
    more = f.replace(delta=f.delta + growth).neighbours()
    return (0 * f.scores() + 1) * (more.astype(int) - f.neighbours().astype(int))
