"""Where in the end tokens hear each other or neither hears the other, every token converges.

localmax LY-5 (standard: products of type-symmetric stochastic matrices with positive diagonals; Lorenz 2005). Without
symmetry a token may go to and fro for ever. Where neighbours are shown to be final there is but one limit point, so the
first margin says something of cycles only; the second holds the certified limits against later states.
"""

from claims.localmax.endings import approach, lattice_start, symmetric_in_the_end
from claims.localmax.every_token_converges import limit_points_differ
from claims.localmax.hypotheses import additive_rule, open_step_size
from claims.statement import LOCALMAX, Claim, Origin
from dynamics.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    refs=("LY-5",),
    statement="If j in C_i <=> i in C_j for all large k, every token converges.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, open_step_size, symmetric_in_the_end),
    draw=lattice_start,
)

claim.orbit("== 0", exact_only=True)(limit_points_differ)


@claim.orbit("> 0", exact_only=True)
def tokens_come_nearer(f: LocalmaxStep):
    """max_i |z_i^k - s_i| once neighbours are final, minus what it is n steps later, where it is positive."""
    return approach(f)
