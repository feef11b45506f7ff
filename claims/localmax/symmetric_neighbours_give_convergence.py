"""Where in the end tokens hear each other or neither hears the other, every token converges.

localmax LY-5 (standard: products of type-symmetric stochastic matrices with positive diagonals; Lorenz 2005). Without
symmetry a token may go to and fro for ever.
"""

from claims.localmax.endings import lattice_start, symmetric_in_the_end
from claims.localmax.every_token_converges import limit_points_differ
from claims.localmax.hypotheses import open_step_size
from claims.statement import LOCALMAX, Claim
from dynamics.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    where="not printed",
    refs=("LY-5",),
    printed="If j in C_i <=> i in C_j for all large k, every token converges.",
    system=LocalmaxStep,
    assumptions=(open_step_size, symmetric_in_the_end),
    draw=lattice_start,
)

claim.orbit("== 0", exact_only=True)(limit_points_differ)
