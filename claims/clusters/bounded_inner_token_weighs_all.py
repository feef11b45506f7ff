"""The row of a bounded token between others converges, and keeps weight on every token.

"if internal particle is bounded, then we get the *-row" (slides, clusters L7, `l:boundedother`). Decided where the
token is 0 and the others are opposite pairs (Lemma D of docs/flow_limits.md): there the row is 1/n for ever. Elsewhere
a bounded inner token is on the boundary between two open sets of starts, and no trap catches it.
"""

import numpy as np

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting import distinct_tokens, on_the_line
from claims.clusters.setting.starts_with_rates import line_start_with_a_token_at_0
from claims.statement import Claim, Origin
from dynamics.limits import TiedEnd, settling_times, symmetry_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slides, proof of Theorem 1",
    refs=("L7",),
    statement="if internal particle is bounded, then we get the *-row",
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=line_start_with_a_token_at_0,
)


@claim.limit("> 0", times=settling_times(symmetry_trap), trap=symmetry_trap)
def weights_of_the_bounded_token(end: TiedEnd, start: RescaledFlow):
    """P*_ij for x_i bounded and every j."""
    return end.attention[np.flatnonzero(end.frozen)]
