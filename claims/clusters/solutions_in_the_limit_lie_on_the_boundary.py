"""S is a part of the boundary of K and 0: every limit that is not 0 has a supporting hyperplane at its own height.

`cl:propofS` (clusters T2), for the limits of the tokens: <z_i, B z_i> > 0 unless the token rests at 0, and no vertex
has a higher score with it (`tokens_converge_to_a_polytope`). That S is finite follows: each face has one point of S
inside, its foot.
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting.starts_for_limits import at_rest, rescaled_start
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="cl:propofS",
    refs=("T2",),
    statement=("V = I, Q^T K > 0: S is a subset of the boundary of K and 0, and holds every limit."),
    origin=Origin.REPORTED,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query),
    draw=rescaled_start,
)


@claim.limit("> 0", times=settling_times(tokens_trap), trap=tokens_trap)
def heights_of_supporting_hyperplanes(end: TokensEnd, start: RescaledFlow, *, beyond=0):
    """<z_i, B z_i> of each limit, but for tokens that rest at 0."""
    own = ((end.limits @ start.B) * end.limits).sum(axis=-1)
    return numbers(own[~at_rest(end, start)]) - beyond
