"""m <= u_0 >= u_0 / p, the chain meant to show m >= u_0 / p: false as printed either way, where u_0(0) < 0.

Proof of Theorem 3.3(a) (polarization E7): "sum_j s_j u_j <= u_0 sum_j s_j >= u_0 / p". Read letter by letter its
second half fails where u_0 < 0; what the proof needs, m >= u_0 / p, also fails there, and wherever the other values are
negative enough.
"""

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="proof of Theorem 3.3, convergence of the loss",
    refs=("E7", "C-3.3a"),
    note=(
        'In "m <= u_0 >= u_0 / p" neither half gives m >= u_0 / p where u_0 < 0: for u(0) = (-1, -2) one has u_0 '
        "= -1 and m = -3/2, and u_0 / p is -1/2. What holds is m >= u_0 / p - max_j |u_j(0)|."
    ),
    statement="<beta_*, beta(t)> = sum_j s_j(t) u_j(t) <= u_0(t) sum_j s_j(t) >= (1/p) u_0(t).",
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.margin_exceeds_share_less_losses",
)


@claim.state(">= 0")
def margin_at_start(f: LogisticFlow):
    """The larger of p m - u_0 and (p - 1) u_0, at the start: what is meant, and what the letters say."""
    p = f.a.shape[-1]
    meant, printed = p * f.m - f.u[..., 0], (p - 1) * f.u[..., 0]
    return (meant + printed + abs(meant - printed)) / 2
