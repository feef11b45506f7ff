"""FALSE: a larger sensitivity may leave more vertices.

localmax LM-15; standing found here. Of -6, 5, -2, 0 at gamma = 1/2 all meet at delta = 21. At delta = 23 the
token -2 attends to 5 as well: it stays in the middle, where neither end attends to it, and Kinf is [-6, 5]. True is that
vertices are sqrt(2 delta) apart, so that a bound on their number falls.
"""

from claims.localmax.setting.ends import corners, limits, margins
from claims.localmax.setting.hypotheses import definite_matrix, open_step_size
from claims.localmax.setting.starts import ends_and_middle
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.paired_localmax import TwoSensitivities

claim = Claim(
    __name__,
    refs=("LM-15",),
    note=(
        "From 6, -5, 2, 0 with gamma = 1/2 all tokens meet at delta = 20; at delta = 22 the token 2 attends to -5"
        " as well, stays in the middle, and the limits are 6, -5, 1/2, with two vertices for one. What is true is"
        " that vertices v, w satisfy <A(v - w), v - w> >= 2 delta, so that a bound on their number falls."
    ),
    statement="The number of vertices of Kinf is nonincreasing in delta.",
    origin=Origin.OURS,
    system=TwoSensitivities,
    assumptions=(definite_matrix, open_step_size),
    standing=Standing.FALSE,
    corrected_by="localmax.limit_vertices_are_packed",
    draw=ends_and_middle,
)


@claim.orbit(">= 0", exact_only=True)
def vertices_lost(f: TwoSensitivities):
    """Vertices of Kinf under the smaller sensitivity minus those under the larger one."""
    less, more = (len(corners(limits(f.under(delta)))) for delta in (f.delta, f.larger))
    return margins([less - more])
