"""Where the first or the last token stays bounded its own row still tends to its own unit vector.

Slides, proof of Theorem 1 (clusters L6, `l:boundedxn`). A bounded token is rare, and this is stated here of two tokens
alone: between two starts whose first tokens run off to different sides there is one whose first token is bounded, and there
P -> I (Lemma E of docs/flow_limits.md). Of more tokens, and of other scores, nothing is said.
"""

from flint import fmpq

from claims.clusters.setting.hypotheses_for_limits import bracketing
from claims.clusters.setting.starts_for_limits import bracket
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import BoundedBetween, between_trap
from dynamics.tokens.two_starts import TwoStarts

claim = Claim(
    __name__,
    where="slides, proof of Theorem 1",
    refs=("L6",),
    statement="if x_1(t) or x_n(t) bounded, still get P_1(t) -> e_1 or P_n(t) -> e_n",
    origin=Origin.PRINTED,
    system=TwoStarts,
    assumptions=(bracketing,),
    draw=bracket,
)


@claim.limit("== 0", times=lambda start: [fmpq(k, 2) for k in (1, 2, 4, 6)], trap=between_trap)
def row_less_unit_vector(between: BoundedBetween, start: TwoStarts, *, whole=1):
    """P*_11 - 1 and P*_12."""
    return between.attention[0] - whole * exact([1, 0])
