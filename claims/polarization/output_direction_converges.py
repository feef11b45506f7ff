"""The output turns towards the target, beta / |beta| -> beta_* / |beta_*|: what is sparse is s, neither V nor beta.

Columns move along beta_* only, so the part of beta off beta_* stays below |V(0)|, while the part along it grows,
<beta_*, beta> > m(0) + K tau / p. Neither needs an order of u, and the first not even a(0) = 0; a leader makes both
inequalities strict.
"""

from claims.polarization.setting.scores import leading_column, two_columns, zero_scores
from claims.stating.statement import Claim, Origin
from dynamics.training.value_softmax import FullClockFlow


# Each kind is near one equality: equal or short columns for the bound along beta_*, a long leader off it for the other.
def _any_columns(draws):
    """Two rows and up to three columns: any, equal ones, short ones, or one long leader almost off target."""
    kind = draws.choice(("any columns", "equal columns", "one long column", "short columns"))
    V, target = draws.dyadic(2, 2 if kind == "one long column" else draws.integer(2, 3)), draws.dyadic(2, size=2)
    target[..., 0] = abs(target[..., 0]) + 1
    if kind == "equal columns":
        V = 0 * V + V[..., :1]
    if kind == "short columns":
        V = V / 32
    if kind == "one long column":
        V, target = 0 * V, 0 * target
        V[..., 0, 0], V[..., 1, 0], target[..., 0] = V[..., 0, 0] + 2**11, V[..., 1, 0] + 2**20, target[..., 0] + 1
    return FullClockFlow(V=V, a=0 * V[..., 0, :], beta_star=target, tau=draws.dyadic())


claim = Claim(
    __name__,
    where="section 3.1, last paragraph",
    refs=("C-spreg", "M2(k)"),
    statement=(
        "the sparsity here is in the attention scores s, not in the entries of the value matrix V or final predictor beta."
    ),
    origin=Origin.PRINTED,
    system=FullClockFlow,
    assumptions=(two_columns, zero_scores, leading_column),
    draw=_any_columns,
)


# K times squares: |beta|^2 less the square of its part along beta_* is m^2 / K, and nothing is divided.
@claim.rate("> 0", horizon=lambda start: 3)
def off_target_part_stays_bounded(now: FullClockFlow, start: FullClockFlow, *, most=1):
    """K |V(0)|^2 - (K |beta|^2 - m^2), K times the squares of |V(0)| and of the part of beta off beta_*."""
    off = now.K * (now.beta * now.beta).sum() - now.m * now.m
    return most * now.K * (start.V * start.V).sum() - off


# `margin_rate` of loss_vanishes once more, for the full model: the leader makes it strict.
@claim.rate("> 0", horizon=lambda start: 3)
def target_part_outgrows_clock(now: FullClockFlow, start: FullClockFlow, *, rate=1):
    """m - m(0) - K tau / p."""
    return now.m - start.m - rate * now.K * (now.tau - start.tau) / len(now.a)
