"""With V = -I a token whose score with itself exceeds omega_n shrinks.

Sharp form of Lemma `l:cas1circle` (clusters G3, T5): the paper's threshold is |x_i|^2 >= 2n. No hypothesis on B is used.
"""

from claims.clusters.setting import extremal_flow, form, minus_identity_value, omega
from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="sharpened from Lemma l:cas1circle",
    refs=("G3", "T5", "N1"),
    statement="If V = -I then <x_i, B x_i'> <= -<x_i, B x_i> + omega_n.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(minus_identity_value,),
    draw=extremal_flow,
)


@claim.state(">= 0")
def omega_less_sizes(f: SelfAttentionFlow, *, gap=1):
    """omega_n - <x_i, B x_i> - <x_i, B x_i'>."""
    return gap * omega(f.x.shape[-2], f.x) - form(f.x, f.B, f.x) - form(f.x, f.B, f.drift())
