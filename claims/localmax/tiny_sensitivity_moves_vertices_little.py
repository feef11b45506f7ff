"""OPEN: a tiny sensitivity moves each vertex of the limiting polytope by no more than a multiple of itself.

localmax LM-8c, OQ-5 (conjectured there for generic data, without a constant; not printed). Here for lattice tokens, ties
among them, and sensitivities of at most 1/256, with the factor 4 in units of the longest coordinate.
"""

from claims.localmax.endings import corners, hardmax_and_a_little, limits, margins
from claims.localmax.hypotheses import definite_matrix, open_step_size
from claims.statement import LOCALMAX, Claim, Standing
from dynamics.paired_localmax import TwoSensitivities

claim = Claim(
    __name__,
    paper=LOCALMAX,
    where="not printed",
    refs=("LM-8c", "OQ-5"),
    printed="d_H(Kinf(delta), Kinf(0)) = O(delta).",
    system=TwoSensitivities,
    assumptions=(definite_matrix, open_step_size),
    standing=Standing.OPEN,
    draw=hardmax_and_a_little,
)


@claim.orbit(">= 0", exact_only=True)
def room_for_the_move(f: TwoSensitivities, *, factor=4):
    """factor delta / max |z| - the largest coordinate by which a vertex of one polytope misses the nearest of the other."""
    before, after = corners(limits(f.under(f.delta))), corners(limits(f.under(f.larger)))
    apart = abs(before[:, None, :] - after[None, :, :]).max(axis=-1)
    allowed = factor * f.larger.item() / max(*abs(f.z).flat, 1)
    return margins([allowed - value for nearest in (apart.min(axis=0), apart.min(axis=1)) for value in nearest])
