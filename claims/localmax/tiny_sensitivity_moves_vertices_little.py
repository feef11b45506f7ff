"""We conjecture that a tiny delta moves no vertex of the limit hull of hardmax by more than a multiple of delta.

No constant serves all systems: a vertex v attends to tokens at a distance of delta / |v|_A and more, and "tiny" must be
relative to the gaps that hardmax meets. The bound here is n delta / sqrt(g) for delta <= g / 64, where g is the least
positive gap until the neighbours of hardmax are final. A token z with its best score at v has |z - v|_A^2 <= gap_v(z),
so |z - v|_A <= gap_v(z) / sqrt(g) at all times. The source (LM-8c, OQ-5) conjectures O(delta) for generic data, without
a constant.
"""

from claims.localmax.setting.end_hypotheses import hardmax_at_first, least_gap_of_hardmax, tiny_sensitivity
from claims.localmax.setting.ends import corners, limits, margins
from claims.localmax.setting.hypotheses import definite_matrix, open_step_size
from claims.localmax.setting.starts import hardmax_and_a_little
from claims.stating.statement import Claim, Standing
from dynamics.arithmetic import numbers
from dynamics.tokens.paired_localmax import TwoSensitivities

claim = Claim(
    __name__,
    refs=("LM-8c", "OQ-5"),
    statement="d_H(Kinf(delta), Kinf(0)) = O(delta): each vertex is within n delta / sqrt(g) of one of the other polytope.",
    system=TwoSensitivities,
    assumptions=(definite_matrix, open_step_size, hardmax_at_first, tiny_sensitivity),
    standing=Standing.OPEN,
    draw=hardmax_and_a_little,
)


# Squared, so that sqrt(g) does not occur; and both ways round, which is the Hausdorff distance of the sets of vertices.
@claim.orbit(">= 0", exact_only=True)
def room_for_the_move(f: TwoSensitivities, *, factor=1):
    """n^2 delta^2 / g - |v - w|_A^2 for every vertex v of one polytope and the nearest vertex w of the other."""
    before, after = corners(limits(f.under(f.delta))), corners(limits(f.under(f.larger)))
    moves = before[:, None, :] - after[None, :, :]
    apart = numbers((moves @ f.A.T * moves).sum(axis=-1))
    allowed = (factor * len(f.z) * f.larger.item()) ** 2 / least_gap_of_hardmax(f)
    return margins([allowed - value for nearest in (apart.min(axis=0), apart.min(axis=1)) for value in nearest])
