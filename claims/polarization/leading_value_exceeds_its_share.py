"""u_0 >= u_0 / p, the second half of a printed chain letter by letter: false where u_0 < 0.

Proof of Theorem 3.3(a) (polarization E7): "sum_j s_j u_j <= u_0 sum_j s_j >= u_0 / p". What the chain is meant to show is
`margin_exceeds_share_of_leader`.
"""

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="proof of Theorem 3.3, convergence of the loss, letter by letter",
    refs=("E7",),
    note=(
        "u_0 >= u_0 / p is false where u_0 < 0: for u(0) = (-1, -2) it would be -1 >= -1/2. What holds is m >= u_0 / p - "
        "max_j |u_j(0)|."
    ),
    statement="<beta_*, beta(t)> = sum_j s_j(t) u_j(t) <= u_0(t) sum_j s_j(t) >= (1/p) u_0(t).",
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.margin_exceeds_share_less_losses",
    defect="polarization.margin_exceeds_share_of_leader",
)


@claim.state(">= 0")
def share_at_start(f: LogisticFlow):
    """p u_0 sum_j s_j - u_0, at the start."""
    leading = f.u[..., 0]
    return f.a.shape[-1] * leading * f.s.sum(axis=-1) - leading
