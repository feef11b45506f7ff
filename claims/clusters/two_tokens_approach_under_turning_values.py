"""Two rescaled tokens under V = I + omega J never part: their distance falls at the rate P_12 + P_21, whatever omega is.

A question of ours (clusters N5): with V = I + omega J, J a quarter turn, the hull of three tokens may grow, for z_i' is
a turned mean of differences. For two tokens u = z_1 - z_2 has u' = -(P_12 + P_21) V u and <u, Ju> = 0. Any Q^T K.
"""

from claims.clusters.setting.hypotheses_of_open_problems import pair_of_tokens, turning_value
from claims.clusters.setting.starts_of_open_problems import rescaled_turning_start
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 2, V = I + omega J",
    refs=("N5",),
    statement="n = d = 2, V = I + omega J, any Q^T K: (1/2) d/dt |z_1 - z_2|^2 = -(P_12 + P_21) |z_1 - z_2|^2.",
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(turning_value, pair_of_tokens),
    draw=rescaled_turning_start,
)


def parted(f: RescaledFlow) -> tuple[Array, Array]:
    """z_1 - z_2 and its derivative, each (..., d)."""
    drift = f.drift()
    return f.z[..., 0, :] - f.z[..., 1, :], drift[..., 0, :] - drift[..., 1, :]


@claim.identity()
def rate_less_formula(f: RescaledFlow, *, share=1):
    """<u, u'> + (P_12 + P_21) |u|^2."""
    (u, v), P = parted(f), f.attention()
    return (u * v).sum(axis=-1) + share * (P[..., 0, 1] + P[..., 1, 0]) * (u * u).sum(axis=-1)


@claim.state(">= 0")
def approach(f: RescaledFlow):
    """-<u, u'>."""
    u, v = parted(f)
    return -(u * v).sum(axis=-1)
