"""For V = I + omega J, with J a quarter turn, two rescaled tokens approach each other; for more tokens the limit is open.

The paper does not ask this: these questions are ours.

`turning_values_leave_a_polytope`: The conclusion of Theorem 2. Its proof uses |Az_i|, which almost grows; no such function
is known here. P(t) need not converge: a token that follows another turns around it, and may take the lead. The value at t =
2 is evidence, not a verdict.

`two_tokens_approach_under_turning_values`: u = z_1 - z_2 satisfies u' = -(P_12 + P_21) V u and <u, Ju> = 0, for any Q^T K.
The hull of three tokens may grow, since z_i' is a rotated mean of differences.
"""

from flint import fmpq

from claims.clusters.setting.hypotheses import pair_of_tokens, turning_value
from claims.clusters.setting.starts_of_flows import rescaled_turning_start, turning_start
from claims.stating.assumptions import identity_key_query
from claims.stating.statement import Section, Standing
from dynamics.arithmetic import Array, exp, numbers, peak
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

section = Section(__name__, where="Theorem 2, V = I + omega J", refs=("N5",))

turning_values_leave_a_polytope = section.claim(
    statement="d = 2, V = I + omega J, Q^T K = I: max_j <z_i, z_j - z_i> -> 0 for every i.",
    system=SelfAttentionFlow,
    assumptions=(turning_value, identity_key_query),
    draw=turning_start,
    standing=Standing.OPEN,
)


# In x, not z: attention needs no matrix exponential there. At t = 2 lengths differ by the factor e^2.
@turning_values_leave_a_polytope.limit(">= 0", times=lambda start: [fmpq(2)])
def small_head_start(states: list[SelfAttentionFlow], start: SelfAttentionFlow, *, room=1):
    """room - 2 max_j <z_i, z_j - z_i> at t = 2: lengths are those of e^{-t} x_i, for J turns all alike."""
    x = states[-1].x
    scores = x @ x.swapaxes(-1, -2)
    ahead = peak(scores)[..., 0] - (x * x).sum(axis=-1)
    return room - 2 * ahead * exp(numbers(-4 + 0 * ahead))


# J is skew, so <u, V u> = |u|^2 for every omega: turning changes no distance of two tokens.
two_tokens_approach_under_turning_values = section.claim(
    statement="n = d = 2, V = I + omega J, any Q^T K: (1/2) d/dt |z_1 - z_2|^2 = -(P_12 + P_21) |z_1 - z_2|^2.",
    system=RescaledFlow,
    assumptions=(turning_value, pair_of_tokens),
    draw=rescaled_turning_start,
)


def parted(f: RescaledFlow) -> tuple[Array, Array]:
    """z_1 - z_2 and its derivative, each (..., d)."""
    drift = f.drift()
    return f.z[..., 0, :] - f.z[..., 1, :], drift[..., 0, :] - drift[..., 1, :]


@two_tokens_approach_under_turning_values.identity()
def rate_less_formula(f: RescaledFlow, *, share=1):
    """<u, u'> + (P_12 + P_21) |u|^2."""
    (u, v), P = parted(f), f.attention()
    return (u * v).sum(axis=-1) + share * (P[..., 0, 1] + P[..., 1, 0]) * (u * u).sum(axis=-1)


@two_tokens_approach_under_turning_values.state(">= 0")
def approach(f: RescaledFlow):
    """-<u, u'>."""
    u, v = parted(f)
    return -(u * v).sum(axis=-1)
