"""In discrete time the norms |A z_i| grow at the rate of the best head start, up to omega_n.

Clusters M3 and G2 with V = I: <z, Bz> is convex for B >= 0, so that a step gains at least what its tangent does. With
eta = dt/(1 + dt) and scores (1 + dt)^{2k} <z_i, Bz_j>.
"""

from claims.assumptions import identity_value, semidefinite_scores
from claims.clusters.setting import extremal_step, form, head_starts, omega, positive_step, scores
from claims.statement import Claim, Origin
from dynamics.tokens.discrete_attention import RescaledAttentionStep

claim = Claim(
    __name__,
    where="Remark 3.4 (r:discreterescaling), of the proof of Theorem 3.1, sharpened",
    refs=("M3", "G2"),
    statement=(
        "If V = I, Q^T K >= 0 and dt > 0 then |A z_i^{k+1}|^2 - |A z_i^k|^2 >= "
        "2 eta (max_j <A z_i, A(z_j - z_i)> - omega_n (1 + dt)^{-2k}), eta = dt/(1 + dt)."
    ),
    origin=Origin.OURS,
    system=RescaledAttentionStep,
    assumptions=(identity_value, semidefinite_scores, positive_step),
    draw=extremal_step,
)


@claim.step(">= 0")
def gain_less_head_start(f: RescaledAttentionStep, *, gap=1):
    """<z_i', Bz_i'> - <z_i, Bz_i> - 2 eta (max_j <z_i, B(z_j - z_i)> - omega_n (1 + dt)^{-2k})."""
    after, eta = f.step().z, f.dt / (1 + f.dt)
    scale = 1 + 0 * eta
    for _ in range(int(f.k)):
        scale = scale / (1 + f.dt) ** 2
    gained = form(after, f.B, after) - form(f.z, f.B, f.z)
    allowance = gap * omega(f.z.shape[-2], f.z) * scale
    return gained - 2 * eta[..., None] * (head_starts(scores(f.z, f.B)) - allowance[..., None])
