"""With a larger sensitivity a token hears those it heard before, and perhaps more.

SYM-4 (not printed): every rule compares a gap with a tolerance that grows with delta. This does not make the number of
clusters monotone in delta, since trajectories part.
"""

from claims.statement import LOCALMAX, Claim
from dynamics.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    where="not printed",
    refs=("SYM-4",),
    printed="C_i^delta(z) is contained in C_i^epsilon(z) for delta <= epsilon.",
    system=LocalmaxStep,
)


@claim.step(">= 0")
def neighbours_are_kept(f: LocalmaxStep, *, growth=1):
    """1 for every neighbour at 5 delta / 4 + growth / 2, minus 1 for every one at delta."""
    wider = f.replace(delta=5 * f.delta / 4 + growth * (0 * f.delta + 1) / 2)
    return (0 * f.scores() + 1) * (wider.neighbours().astype(int) - f.neighbours().astype(int))
