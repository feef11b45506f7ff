"""With V = I the rescaled norms grow at the rate of the best head start, up to omega_n e^{-2t}.

The inequality that decides the limits of Theorem 3.1 (clusters G2), for any B: <z_i, B(z_j - z_i)> e^{2t} are scores less
the token's own. The head start max_j <z_i, B(z_j - z_i)> is never negative.
"""

from claims.assumptions import identity_value
from claims.clusters.setting import extremal_rescaled_flow, form, head_starts, omega, scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="sharpened from equation (eq17), Step 2 of the proof of Theorem 3.1",
    refs=("G2", "N1"),
    statement="If V = I then <z_i, B z_i'> >= max_j <z_i, B (z_j - z_i)> - omega_n e^{-2t}.",
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(identity_value,),
    draw=extremal_rescaled_flow,
)


@claim.state(">= 0")
def growth_less_head_start(f: RescaledFlow, *, gap=1):
    """<z_i, B z_i'> - max_j <z_i, B (z_j - z_i)> + omega_n e^{-2t}."""
    allowance = gap * omega(f.z.shape[-2], f.z) * exp(-2 * f.t)
    return form(f.z, f.B, f.drift()) - head_starts(scores(f.z, f.B)) + allowance[..., None]
