"""The rescaled tokens z = e^{-tV} x move by differences, under the same attention.

Slide "Change of time-scale", for any Q, K, V: z_i' = e^{-tV}(x_i' - V x_i).
"""

from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import matrix_exponential, transposed
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

claim = Claim(
    __name__,
    where="slide 'Change of time-scale'",
    refs=("M2",),
    statement=(
        "Change of time-scale z_i(t) = e^{-tV} x_i(t). Then z_i'(t) = sum_{j=1}^n (e^{<Q e^{tV} z_i(t), K e^{tV} z_j(t)>} /"
        " sum_{k=1}^n e^{<Q e^{tV} z_i(t), K e^{tV} z_k(t)>}) V (z_j(t) - z_i(t))."
    ),
    origin=Origin.PRINTED,
    system=RescaledFlow,
)


def unscaled(f: RescaledFlow) -> SelfAttentionFlow:
    """The flow in x = e^{tV} z."""
    growth = matrix_exponential(f.V, f.t)
    return SelfAttentionFlow(x=f.z @ transposed(growth), B=f.B, V=f.V)


# z' = e^{-tV} (x' - V x), times e^{tV}: so no exponential has to be inverted.
@claim.identity()
def velocities_agree(f: RescaledFlow, *, pace=1):
    """e^{tV} z_i' + V x_i - x_i'."""
    flow, growth = unscaled(f), matrix_exponential(f.V, f.t)
    return f.drift() @ transposed(growth) + pace * flow.x @ transposed(f.V) - flow.drift()


@claim.identity()
def attentions_agree(f: RescaledFlow, *, share=1):
    """P at z less P at x."""
    return f.attention() - share * unscaled(f).attention()
