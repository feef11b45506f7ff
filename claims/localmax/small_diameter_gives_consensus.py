"""Tokens that are all within sqrt(2 delta) of each other tend to one point.

localmax LM-7 (ii). The largest <A(x-y), x-y> over the hull is attained at tokens, and hulls shrink; two
vertices of the limiting polytope would be at least sqrt(2 delta) apart.
"""

from claims.localmax.setting.end_hypotheses import monotone_matrix, small_diameter
from claims.localmax.setting.ends import limits
from claims.localmax.setting.hypotheses import additive_rule, open_step_size
from claims.localmax.setting.starts import lattice_or_pair
from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LM-7",),
    statement=(
        "delta constant, A + A^T positive semidefinite: if max_{i,j} <A(z_i - z_j), z_i - z_j> < 2 delta at "
        "some time, "
        "all tokens tend to one point."
    ),
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, monotone_matrix, open_step_size, small_diameter),
    draw=lattice_or_pair,
)


@claim.orbit("== 0", exact_only=True)
def limits_differ(f: LocalmaxStep):
    """s_i - s_1 for the limits."""
    end = limits(f)
    return end - end[0]
