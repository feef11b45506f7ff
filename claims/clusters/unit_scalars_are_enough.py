"""On the line QK > 0 and V > 0 may be taken to be 1.

Before Theorem 1 on the slides (clusters T1): y(s) = sqrt(QK) x(s/V) follows the flow with QK = V = 1.
"""

from claims.assumptions import definite_key_query
from claims.clusters.setting import definite_value, on_the_line
from claims.statement import Claim, Origin
from dynamics.arithmetic import sqrt
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="slide 'Theorem 1'",
    refs=("T1",),
    statement="Assume QK > 0 and V > 0; WLOG QK = V = 1.",
    origin=Origin.PRINTED,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, definite_key_query, definite_value),
)


@claim.identity()
def velocities_agree(f: SelfAttentionFlow, *, power=1):
    """sqrt(QK) x'/V less the velocity at sqrt(QK) x under QK = V = 1."""
    root = sqrt(f.B)
    unit = SelfAttentionFlow(x=f.x * root, B=f.B / f.B, V=f.V / f.V)
    return root * f.drift() / f.V**power - unit.drift()
