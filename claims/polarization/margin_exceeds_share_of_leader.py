"""m >= u_0 / p, which the proof of Theorem 3.3(a) needs: false where the other values are negative enough.

The text has "sum_j s_j u_j <= u_0 sum_j s_j >= u_0 / p" (polarization E7). This is what the chain is meant to show;
`leading_value_exceeds_its_share` takes its second half letter by letter.
"""

from claims.defects import Consequence, Defect, Kind, tex
from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="proof of Theorem 3.3, convergence of the loss",
    refs=("E7", "C-3.3a"),
    note=(
        'The chain "m <= u_0 >= u_0 / p" shows no m >= u_0 / p: for u(0) = (1, -1) one has m = 0, and u_0 / p is 1/2.'
        " What holds is m >= u_0 / p - max_j |u_j(0)|."
    ),
    statement="<beta_*, beta(t)> = sum_j s_j(t) u_j(t) <= u_0(t) sum_j s_j(t) >= (1/p) u_0(t).",
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.margin_exceeds_share_less_losses",
    defect=Defect(
        Kind.CASE,
        quotation=(
            r"$\langle \beta_*, \beta(t) \rangle = \sum_j s_j(t) u_j(t) \le u_0(t) \sum_j s_j(t) \ge \frac1p u_0(t)$."
        ),
        context=(
            r"Gradient flow of (5) under Assumption 3.1: $a(0) = 0$ and $u_0(0) > \dots > u_{p-1}(0)$; $m = "
            r"\langle s, u \rangle$."
        ),
        wrong=(
            r"The first relation points the wrong way for $m \ge \frac1p u_0$, and that is false where other "
            r"$u_j$ are negative;"
            r" the second is false where $u_0 < 0$."
        ),
        correction=(r"$m \ge \frac1p u_0 - \max_j |u_j(0)|$, since $s_0 \ge \frac1p$ and no $u_j$ falls below $u_j(0)$."),
        consequences=(
            Consequence(
                "Theorem 3.3(a)",
                survives=True,
                why=r"A constant does no harm where $u_0 \to \infty$.",
                shown_by="polarization.loss_vanishes",
            ),
        ),
        reading=r"What is meant is $m \ge \frac1p u_0$; read letter by letter, $u_0 \ge \frac1p u_0$ fails as well.",
    ),
)


@claim.state(">= 0")
def margin_at_start(f: LogisticFlow):
    """p m - u_0, at the start."""
    return f.a.shape[-1] * f.m - f.u[..., 0]


@claim.by_hand(u=[1, -1], a=[0, 0], K=1)
def at_the_start(f: LogisticFlow):
    """m and u_0 / p at t = 0, for both readings."""
    yield rf"Take $p = 2$, $\|\beta_*\| = 1$, $a(0) = {tex(f.a)}$ and $u(0) = {tex(f.u)}$, so that $s(0) = {tex(f.s)}$."
    yield rf"$\langle \beta_*, \beta(0) \rangle = m = {tex(f.m)}$, but $\frac1p u_0 = {tex(f.u[0] / 2)}$."
    yield r"Letter by letter: for $u(0) = (-1, -2)$ the second relation would be $-1 \ge -\tfrac{1}{2}$."
