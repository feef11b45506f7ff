"""With V = I a token whose score with itself exceeds omega_n grows.

Sharp form of the growth behind Lemma `l:auxiliary` (clusters G1, L2): <x_i, B x_i'> is the softmax mean of the scores of
token i, which are <x_i, Bx_i> or more. No hypothesis on B is used; with B symmetric it is half the rate of <x_i, Bx_i>.
"""

from claims.assumptions import identity_value
from claims.clusters.setting import extremal_flow, form, omega, symmetric_or_wider
from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="sharpened from Lemma l:auxiliary",
    refs=("G1", "L2", "N1"),
    statement="If V = I then <x_i, B x_i'> >= <x_i, B x_i> - omega_n.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(identity_value,),
    draw=extremal_flow,
)


@claim.state(">= 0")
def growth_less_size(f: SelfAttentionFlow, *, gap=1):
    """<x_i, B x_i'> - <x_i, B x_i> + omega_n."""
    return form(f.x, f.B, f.drift()) - form(f.x, f.B, f.x) + gap * omega(f.x.shape[-2], f.x)


@claim.state(">= 0", assuming=(identity_value, symmetric_or_wider))
def half_the_rate_less_size(f: SelfAttentionFlow, *, gap=1):
    """(1/2) d/dt <x_i, B x_i> - <x_i, B x_i> + omega_n, by the product rule."""
    v = f.drift()
    half = (form(v, f.B, f.x) + form(f.x, f.B, v)) / 2
    return half - form(f.x, f.B, f.x) + gap * omega(f.x.shape[-2], f.x)
