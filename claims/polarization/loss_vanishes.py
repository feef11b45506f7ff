"""The logistic loss tends to zero at an explicit rate (Theorem 3.3(a)); one chain in the printed proof is false.

`loss_vanishes`: dm/dtau = K|s|^2 + |J(s) u|^2 >= K/p and dt/dtau = 1 + e^m, so m + e^m >= m(0) + e^{m(0)} + K t/p, and
L <= e^{-m}. Nothing is assumed of the start.

`leading_value_exceeds_its_share`: False where u_0 < 0: the second half of the printed chain alone. The proof uses it
where u_0 is large, so this is a question of ours.

`margin_exceeds_share_of_leader`: The proof has "sum_j s_j u_j <= u_0 sum_j s_j >= u_0 / p", which is meant to show m >=
u_0 / p (E7). A chain x <= y >= z shows nothing of x and z, and this inequality is false where the other values are
negative enough. For large t it is true, since u_0 - m tends to 0.

`inverse_leading_weight_sums_over_dimension`: The proof writes d for p throughout (E23). With fewer rows than columns in
V this would fail.

`margin_exceeds_share_less_losses`: This is enough for the proof, since u_0 diverges: s_0 >= 1/p, and no u_j falls below
u_j(0).
"""

from claims.polarization.setting.regression import square_model
from claims.polarization.setting.scores import ASSUMPTION_3_1
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exp, exp_difference
from dynamics.training.value_softmax import FullLogisticFlow, LogisticFlow

section = Section(__name__, system=LogisticFlow, assumptions=ASSUMPTION_3_1)

loss_vanishes = section.claim(
    where="Theorem 3.3(a)",
    refs=("C-3.3a", "M2(c)", "H3"),
    statement="Vanishing loss. lim_{t -> infinity} L(beta(t)) = 0.",
    origin=Origin.PRINTED,
)


# Any state and any K: neither the order nor a(0) = 0 has a part in the vanishing of the loss.
@loss_vanishes.state(">= 0", assuming=())
def margin_rate(f: LogisticFlow, *, rate=1):
    """dm/dtau - K/p, at any state whatever."""
    return f.dm_dtau() - rate * f.K / f.a.shape[-1]


@loss_vanishes.identity(assuming=())
def margin_rate_formula(f: LogisticFlow, *, K_factor=1):
    """dm/dtau - K|s|^2 - sum_i s_i^2 (u_i - m)^2."""
    s, da = f.s, f.da_dtau()
    return f.dm_dtau() - K_factor * f.K * (s * s).sum(axis=-1) - (da * da).sum(axis=-1)


# m + e^m is the antiderivative of 1/gamma = 1 + e^m: it moves in t as m does in tau, by K/p at least.
@loss_vanishes.rate("> 0", horizon=lambda start: 4)
def margin_outgrows_time(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """(m + e^m) - (m(0) + e^{m(0)}) - K t / p."""
    grown = (now.m - start.m) + exp_difference(now.m, start.m)
    return grown - rate * now.K * (now.t - start.t) / len(now.a)


leading_value_exceeds_its_share = section.claim(
    where="proof of Theorem 3.3, convergence of the loss, its second relation alone",
    refs=("E7",),
    note=(
        "u_0 >= u_0 / p is false where u_0 < 0: for u(0) = (-1, -2) it would be -1 >= -1/2. What holds is m >= u_0 / p - "
        "max_j |u_j(0)|."
    ),
    statement="u_0(t) sum_j s_j(t) >= (1/p) u_0(t) at every time, also where u_0(t) < 0.",
    corrected_by="polarization.margin_exceeds_share_less_losses",
)


# At the start, for u_0(0) < 0 is allowed by Assumption 3.1; the proof needs it for large t, where u_0 > 0.
@leading_value_exceeds_its_share.state(">= 0")
def share_at_start(f: LogisticFlow):
    """p u_0 sum_j s_j - u_0, at the start."""
    leading = f.u[..., 0]
    return f.a.shape[-1] * leading * f.s.sum(axis=-1) - leading


margin_exceeds_share_of_leader = section.claim(
    where="proof of Theorem 3.3, convergence of the loss",
    refs=("E7", "C-3.3a"),
    note=(
        'The chain "m <= u_0 >= u_0 / p" does not show m >= u_0 / p: for u(0) = (1, -1), m = 0 and u_0 / p = 1/2.'
        " What holds is m >= u_0 / p - max_j |u_j(0)|."
    ),
    statement="<beta_*, beta(t)> = sum_j s_j(t) u_j(t) <= u_0(t) sum_j s_j(t) >= (1/p) u_0(t).",
    origin=Origin.PRINTED,
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
            r"A chain $m \le u_0 \ge \frac1p u_0$ shows nothing of $m$ and $\frac1p u_0$, and $m \ge \frac1p u_0$ may fail "
            r"where other $u_j$ are negative."
        ),
        correction=(
            r"$m \ge \frac1p u_0 - \max_j |u_j(0)|$: no $u_j$ falls below $u_j(0)$, so that $m \ge s_0 u_0 - \max_j "
            r"|u_j(0)|$ and $m \ge -\max_j |u_j(0)|$, and $s_0 \ge \frac1p$."
        ),
        consequences=(
            Consequence(
                "Theorem 3.3(a)",
                why=r"A constant does no harm where $u_0 \to \infty$.",
                shown_by="polarization.loss_vanishes",
            ),
        ),
        reading=(
            r"The chain is to show $m \ge \frac1p u_0$, for all $t$ as it is written. For large $t$, which would "
            r"suffice, that is true, but it needs another argument."
        ),
    ),
)


# The start is enough: the chain is printed for all t >= 0.
@margin_exceeds_share_of_leader.state(">= 0")
def margin_at_start(f: LogisticFlow):
    """p m - u_0, at the start."""
    return f.a.shape[-1] * f.m - f.u[..., 0]


@margin_exceeds_share_of_leader.by_hand(u=[1, -1], a=[0, 0], K=1)
def at_the_start(f: LogisticFlow):
    """m and u_0 / p at t = 0."""
    yield rf"Take $p = 2$, $\|\beta_*\| = 1$, $a(0) = {tex(f.a)}$ and $u(0) = {tex(f.u)}$, so that $s(0) = {tex(f.s)}$."
    yield rf"$\langle \beta_*, \beta(0) \rangle = m = {tex(f.m)}$, but $\frac1p u_0 = {tex(f.u[0] / 2)}$."


inverse_leading_weight_sums_over_dimension = section.claim(
    where="proof of Theorem 3.3, for square V",
    refs=("E23",),
    statement="s_i = q_i / (1 + sum_{j=1}^{d-1} q_j) = q_i / Q",
    origin=Origin.PRINTED,
    system=FullLogisticFlow,
    assumptions=(square_model,),
)


@inverse_leading_weight_sums_over_dimension.identity()
def inverse_leading_weight(f: FullLogisticFlow, *, share=1):
    """s_i (1 + sum_{1 <= j < d} q_j) - q_i."""
    q = exp(f.a - f.a[..., :1])
    return f.s * (1 + share * q[..., 1 : f.V.shape[-2]].sum(axis=-1, keepdims=True)) - q


margin_exceeds_share_less_losses = section.claim(
    where="proof of Theorem 3.3(a), corrected",
    refs=("E7", "C-3.3a"),
    statement="<s, u> >= u_0 / p - max_j |u_j(0)| at every time.",
)


# With 1 - 1/p in place of 1 it is an equality at the start of u(0) = (M, -M, ..., -M): improved.toml.
@margin_exceeds_share_less_losses.trajectory("> 0", horizon=lambda start: 4)
def margin_exceeds_share(now: LogisticFlow, start: LogisticFlow, *, losses=1):
    """m - u_0 / p + max_j |u_j(0)|."""
    return now.m - now.u[:1] / len(now.a) + losses * max(abs(start.u))
