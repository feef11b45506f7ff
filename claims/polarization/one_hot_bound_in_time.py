"""An explicit O(1/log^2 t) for every losing score, up to log t near 50 (the upper bound that Lemma B.1(b) claims).

Polarization S5, C-B1b, E9. With delta_j = u_0(0) - u_j(0), xi = (u_0 - u_0(0)) / K and x = delta_j xi,

    1/q_j >= R_j(xi) = 1 + x + K (xi^2/2 - ((1 + x) log(1 + x) - x) / delta_j^2),    K xi >= log(K t / (2p)) - u_0(0),

the second from equation (17) where u_0(0) >= 0. xi >= 0, and R_j rises from R_j(0) = 1 on (below 0 it may have no value),
so s_j <= 1 / R_j(max(0, log(K t / (2p)) - u_0(0)) / K). Of the first the derivative in xi is checked, as both sides begin
at 1 with the same slope. Both hold at every time: `losing_scores_decay_quadratically`, `leading_value_outgrows_time`.
"""

from claims.polarization.setting.clocks import leading_index, level_scores, positive_margin
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, log
from dynamics.training.slow_clocks import SlowLogisticFlow, clock_at

claim = Claim(
    __name__,
    where="Lemma B.1(b), explicit",
    refs=("S5", "C-B1b", "C-17", "E9"),
    statement="s_j(t) = O(1 / log^2 t) for j >= 1; explicitly s_j <= 1 / R_j(max(0, log(K t / (2p)) - u_0(0)) / K).",
    origin=Origin.OURS,
    system=SlowLogisticFlow,
    assumptions=(leading_index, level_scores, positive_margin),
    equivalent={
        **dict.fromkeys(
            (
                (
                    "leading_value_outgrows_time: 1 - growth * now.K * elapsed * exp(-now.depth) / (2 * now.p) => 21/20 "
                    "- growth * now.K * elapsed * exp(-now.depth) / (2 * now.p)"
                ),
                (
                    "leading_value_outgrows_time: 1 - growth * now.K * elapsed * exp(-now.depth) / (2 * now.p) => "
                    "1001/1000 - growth * now.K * elapsed * exp(-now.depth) / (2 * now.p)"
                ),
                "leading_value_outgrows_time: 2 * now.p => 21/10 * now.p",
                "leading_value_outgrows_time: 2 * now.p => 1001/500 * now.p",
            ),
            "It follows: a larger slack.",
        ),
        **dict.fromkeys(
            (
                "leading_value_outgrows_time: growth = 1 => 21/20",
                "leading_value_outgrows_time: growth = 1 => 1001/1000",
                (
                    "leading_value_outgrows_time: 1 - growth * now.K * elapsed * exp(-now.depth) / (2 * now.p) => 19/20 "
                    "- growth * now.K * elapsed * exp(-now.depth) / (2 * now.p)"
                ),
                (
                    "leading_value_outgrows_time: 1 - growth * now.K * elapsed * exp(-now.depth) / (2 * now.p) => "
                    "999/1000 - growth * now.K * elapsed * exp(-now.depth) / (2 * now.p)"
                ),
                "leading_value_outgrows_time: 2 * now.p => 19/10 * now.p",
                "leading_value_outgrows_time: 2 * now.p => 999/500 * now.p",
            ),
            "K t / p <= u_0 + e^{u_0} <= (1 + 1/e) e^{u_0} where u_0(0) >= 0: true up to growth 1.46.",
        ),
        **dict.fromkeys(
            (
                "inverse_ratio_outruns_bound, in the horizon: 50 / start.K.item() => 50",
                "inverse_ratio_outruns_bound, in the horizon: 50 / start.K.item() => (105/2) / start.K.item()",
                "inverse_ratio_outruns_bound, in the horizon: 50 / start.K.item() => (1001/20) / start.K.item()",
                "leading_value_outgrows_time, in the horizon: 50 / start.K.item() => 50",
                "leading_value_outgrows_time, in the horizon: 50 / start.K.item() => (105/2) / start.K.item()",
                "leading_value_outgrows_time, in the horizon: 50 / start.K.item() => (1001/20) / start.K.item()",
            ),
            "True at every time; the horizon only says how far one looks.",
        ),
    },
)


@claim.rate("> 0", horizon=lambda start: clock_at(50 / start.K.item()))
def inverse_ratio_outruns_bound(now: SlowLogisticFlow, start: SlowLogisticFlow, *, growth=1):
    """q_j delta_j (d(1/q_j)/dxi - dR_j/dxi), with d(1/q_j)/dxi = w_j + (1/q_j - 1) D, at every time up to log t near 50."""
    gaps, xi = start.gaps, growth * (now.u_0 - start.u_0) / now.K
    excess = now.q * (now.w - gaps - now.K * xi) + (1 - now.q) * now.depth
    return gaps * excess + now.q * now.K * log(1 + gaps * xi)


@claim.rate("> 0", horizon=lambda start: clock_at(50 / start.K.item()))
def leading_value_outgrows_time(now: SlowLogisticFlow, start: SlowLogisticFlow, *, growth=1):
    """1 - (K t / (2p)) e^{-u_0}, at every time up to log t near 50."""
    elapsed = now.z - start.z * exp(start.m - now.m)
    return (1 - growth * now.K * elapsed * exp(-now.depth) / (2 * now.p))[None]
