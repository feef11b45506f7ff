"""Tokens at one point stay at one point.

SYM-5: they have the same scores, so neighbours at the same points, under every rule, and the same averages.
Merged tokens never part. In averages over indices they count twice, except by the rule that a token attends to itself
(D1self): of 1, 1, 3 at delta = 0 each of the first two attends to the third and, of the two, to itself alone.
"""

from claims.localmax.setting.hypotheses import coincident_pair
from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("SYM-5",),
    statement="If z_i = z_j then z_i' = z_j'.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(coincident_pair,),
)


@claim.identity()
def pair_moves_together(f: LocalmaxStep, *, share=1):
    """z_1' - z_2'."""
    after = f.step().z
    return after[..., 0, :] - share * after[..., 1, :]
