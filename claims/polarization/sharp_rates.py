"""The losing scores all decay alike, s_j log^2 t -> 2 K / p, and Theorem 3.3 and Lemma B.1 have sharp constants (S1).

All limits here follow once index 0 leads in u and a (docs/limits_of_training.md).

`errors_die_out_near_one_hot`: How fast these limits are reached: x adds the sizes of the linear modes at the limit, the
slowest of which is that of the ratios q_j / q_k, at the rate 2/p in log T, T = 1 + tau. The bound x(0) e^{6 x(0)}
T^{-2/p} is proved for every later time.

`leading_value_settles`: d(u_0 - K tau)/dtau = -K s_0 sum q_j ~ -2 (p - 1) / (p tau^2) and u_0 - m = s_0 sum q_j w_j ~ 2
(p - 1) / (p tau); C = sum_i u_i(0) - sum_{j>=1} u_j(infinity). u_j converges like 1/tau.

`margin_tracks_log_time`: Time is the exponential of the margin, with no free constant. dm/dtau = lambda with lambda - K
= o(1/tau^2), as K (|s|^2 - 1) ~ -4 (p-1) / (p tau^2) and |J(s) u|^2 cancel; so t e^{-m} -> 1/K faster than 1/log^2 t.

`score_ratios_settle`: In sigma = log T, T = 1 + tau, and with u_0 - u_j ~ K tau, E_j = q_j T^2 rests where 2 = K (E_j +
sum_k E_k); the slowest error dies out like e^{-2 sigma / p}. The speed is checked from starts that are near the limit
already.

`scores_decay_like_inverse_log_squared`: s_j tau^2 -> 2 / (p K) and K tau = log(K t) - C + o(1), where m - log(K t) is
so small that u_0 - log(K t) is u_0 - m. The printed proof of the upper bound fails (E9); `one_hot_bound_in_time` is
explicit.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import leading_index, near_one_hot
from claims.stating.statement import Section
from dynamics.arithmetic import log
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.slow_clocks import SlowFlow, SlowLogisticFlow, later_distance

# In sigma = log(1 + tau): each limit is approached like a power of tau, which no number of steps in tau would reach.
section = Section(__name__, system=SlowFlow, assumptions=(leading_index,))


# The slowest mode, rate 2/p, is that of unequal ratios; values apart excite the next one, so that both are seen.
def _unequal_losers(draws):
    """Ratios a little apart, so that the slowest mode leads, or values a little apart."""
    losers, slowest = draws.choice((2, 1, 3)), draws.choice(("ratios apart", "values apart")) == "ratios apart"
    logs, gaps = draws.dyadic(losers), draws.dyadic(losers)
    return SlowFlow(
        gaps=0 * gaps if slowest else gaps,
        logs=logs - logs.sum(axis=-1, keepdims=True) / losers if slowest else logs,
        offset=draws.dyadic(),
        K=abs(draws.dyadic()),
        sigma=draws.dyadic(size=0),
    )


errors_die_out_near_one_hot = section.claim(
    where="Theorem 3.3(b), the rate of its sharp form",
    refs=("S1",),
    statement="From a distance x <= 1/16 on, |log(q_j tau^2 p K / 2)| + |(u_0 - u_j) / (K tau) - 1| = O(x tau^{-2/p}).",
    assumptions=(near_one_hot,),
    draw=_unequal_losers,
)


# |x| + |y| by the four choices of signs, for a modulus has no power series at zero.
@errors_die_out_near_one_hot.rate("> 0", horizon=lambda start: 12)
def errors_stay_below_bound(now: SlowFlow, start: SlowFlow, *, order=2):
    """x(0) e^{6 x(0)} T^{-2/p} minus |log(q_j T^2 p K / 2)| + |W_j / K - 1|, W_j = (u_0 - u_j) / T, at every time."""
    ratio, gap = log(now.weights * now.K * now.p / 2), now.gaps / now.K - 1
    most = later_distance(start, now, order)
    return np.stack([most - ratio - gap, most - ratio + gap, most + ratio - gap, most + ratio + gap])


leading_value_settles = section.claim(
    where="Theorem 3.3(c), Lemma B.1(a), sharp",
    refs=("S1", "C-3.3c", "C-B1a"),
    statement="u_0 = K tau + C + 2 (p-1) / (p tau) + o(1/tau), m = K tau + C + o(1/tau), u_j -> u_j(infinity) for j >= 1.",
)


# The trap gives exact rationals, so that "== 0" can be decided: no limit is read off late states.
@leading_value_settles.limit("== 0", times=lambda start: (fmpq(1, 4), 1, 3), trap=approach_trap)
def values_settle_like_inverse_clock(limit: Approach, start: SlowFlow, *, share=1):
    """p times the coefficients of 1/tau in u_0 - K tau, m - K tau and u_j, minus 2 (p - 1), 0 and -2."""
    p = start.p
    found = [p * limit.leader, p * limit.margin, p * limit.loser]
    return np.array([x - share * y for x, y in zip(found, (2 * (p - 1), 0, -2), strict=True)])


margin_tracks_log_time = section.claim(
    where="Theorem 3.3(a), (c), Lemma B.1, sharp",
    refs=("S1", "C-3.3a", "C-3.3c", "C-B1c"),
    statement="m - log(K t) -> 0 faster than 1/log^2 t, K t gamma -> 1, K t L -> 1.",
    system=SlowLogisticFlow,
)


# Of K t e^{-m}: gamma and L are e^{-m} up to a factor that tends to 1, so one limit serves three statements.
@margin_tracks_log_time.limit("== 0", times=lambda start: (fmpq(1, 4), 1, 3), trap=approach_trap)
def time_is_exponential_of_margin(limit: Approach, start: SlowLogisticFlow, *, constant=1):
    """The limit of K t e^{-m}, so of K t gamma and K t L, minus 1; and that of (K t e^{-m} - 1) log^2 t."""
    return np.array([limit.time_share - constant, limit.time_error])


score_ratios_settle = section.claim(
    where="Theorem 3.3(b), Lemma B.1(b), sharp",
    refs=("S1", "C-3.3b", "C-B1b"),
    statement="q_j tau^2 -> 2 / (p |beta_*|^2), q_j / q_k - 1 = O(tau^{-2/p}) for all j, k >= 1.",
)


@score_ratios_settle.limit("== 0", times=lambda start: (fmpq(1, 4), 1, 3), trap=approach_trap)
def ratios_tend_to_limit(limit: Approach, start: SlowFlow, *, constant=2):
    """The limit of p K q_j tau^2, minus 2."""
    return start.p * start.K * limit.ratio - constant


scores_decay_like_inverse_log_squared = section.claim(
    where="Lemma B.1(b), sharp",
    refs=("S1", "C-B1b", "C-3.3c", "E9"),
    statement=(
        "s_j = O(1/log^2 t) for j >= 1; sharp: s_j log^2 t -> 2 |beta_*|^2 / p, u_0 - log(K t) ~ 2K(p-1) / (p log t)."
    ),
)


# u_0 - log(K t) = (u_0 - m) + (m - log(K t)), and the second is o(1/log t): what is left is u_0 - m ~ 2 (p-1) / (p tau).
@scores_decay_like_inverse_log_squared.limit("== 0", times=lambda start: (fmpq(1, 4), 1, 3), trap=approach_trap)
def scores_tend_to_limit(limit: Approach, start: SlowFlow, *, constant=2):
    """p / K times the limits of s_j log^2 t and of (u_0 - log(K t)) log t, minus 2 and 2 (p - 1)."""
    p, K = start.p, start.K.item()
    found = limit.scores_in_time, limit.lead_in_time
    return np.array([p * x / K - constant * y for x, y in zip(found, (1, p - 1), strict=True)])
