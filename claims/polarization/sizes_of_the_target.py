"""The limit of regression is explicit for large and for small targets, and near uniform scores.

`large_target_leaves_two_over_target`: Both errors are O(K^{-1/2}) (S7). After a time O(K^{-1/2}) the leader takes over,
and the path is that of the one-hot asymptotics, s_j = 2/(p K tau^2), stopped at tau_* = 1. For p = 2 it is the first
integral (u_0 - u_1)^2 / 2 - K cosh(a_0 - a_1). The constant of the remainder is measured, for gaps to the leader
between 1/2 and 2; it grows without bound towards ties and far leaders.

`regression_gain_is_cosh`: Near uniform scores a gap and the gap D of its value projections obey da/dtau = D/p and
dD/dtau = K a/p, and the clock runs to tau_* = p: the gain is cosh(sqrt(K) tau/p), 1.543 at the end for K = 1, whatever
p.

`small_target_barely_moves_scores`: This is the first order in K: u = K s tau, da/dtau = K tau J(s) s, tau_* = 1/|s|^2.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.regression import large_target, moderate_lead, near_uniform_scores, small_target
from claims.polarization.setting.scores import ASSUMPTION_3_4
from claims.stating.statement import Section
from dynamics.arithmetic import exp, sqrt
from dynamics.limits.remaining_motion import SquareLossEnd, square_loss_limit
from dynamics.training.value_softmax import SquareLossFlow

section = Section(__name__, system=SquareLossFlow)


# large_target makes 256 + 16 K of K, 512 to 2^16. Leads at both ends of moderate_lead: there the remainder is largest.
def _leader_ahead(draws):
    """Values zero; the leader 1/2 or 15/8 ahead of all others, which are level, or 1/2 to 3/2 ahead of one or two."""
    p, lead = draws.choice(((2, 4), (6, 4), (2, 15), (3, 0)))
    most = (48, 2**12)[draws.integer(0, 1)]
    K = 0 * draws.dyadic(size=1) + draws.integer(most // 3, most)
    a = -abs(draws.dyadic(p, size=1, bits=3)) / 2
    a = 0 * a if lead else a[..., : draws.integer(2, 3)]
    a[..., 0] = (0 * a[..., 0] + (lead or 2 * draws.integer(2, 4))) / 8
    return SquareLossFlow(u=0 * a, a=a, K=K, t=draws.dyadic(), tau=draws.dyadic())


# Towards ties and towards far leaders the constant of the remainder grows without bound, hence moderate_lead.
large_target_leaves_two_over_target = section.claim(
    where="section 3.2, the limit for large |beta_*|",
    refs=("S7", "E17", "T3"),
    statement="1 - s_0(infinity) ~ 2 (p - 1) / (p K) and int gamma -> 1 as K -> infinity.",
    assumptions=(*ASSUMPTION_3_4, large_target, moderate_lead),
    draw=_leader_ahead,
)


# gamma <= e^{-|s|^2 t}, and |s|^2 is near 1 for a large target: after t = 8 hardly any clock is left.
def _late(start):
    return (8, 16, 32)


# One product for two bounds: x (c - x) > 0 says 0 < x < c.
@large_target_leaves_two_over_target.limit("> 0", times=_late, trap=square_loss_limit)
def rest_is_two_over_target(limit: SquareLossEnd, start: SquareLossFlow, *, share=1, quarters=15):
    """x (15/4 / sqrt(K) - x) for x = p K (1 - s_0) / (2 (p - 1)) - share at the limit."""
    p = len(start.a)
    excess = p * start.K * limit.s[1:].sum() / (2 * (p - 1)) - share
    return excess * (quarters / (4 * sqrt(start.K)) - excess)


@large_target_leaves_two_over_target.limit("> 0", times=_late, trap=square_loss_limit)
def clock_nears_one(limit: SquareLossEnd, start: SquareLossFlow, *, least=1, fifths=36):
    """x (36/5 / sqrt(K) - x) for x = tau_* - least."""
    excess = limit.tau - start.tau - least
    return excess * (fifths / (5 * sqrt(start.K)) - excess)


# The factor is exact to first order in a(0), whatever p: the source's table of cosh(sqrt K) for p = 2, 5, 20 (S7).
regression_gain_is_cosh = section.claim(
    where="section 3.2, the limit near uniform scores",
    refs=("S7", "C-reg3", "T3"),
    statement="a_i - a_j is multiplied by cosh |beta_*| up to O(|a(0)|), and int gamma -> p.",
    assumptions=(*ASSUMPTION_3_4, near_uniform_scores),
)


# 64 and 2^-40 leave room: the statement is the order |a(0)|^2, not its constant.
@regression_gain_is_cosh.limit(">= 0", times=lambda start: [n * len(start.a) for n in (24, 36)], trap=square_loss_limit)
def gaps_grow_by_cosh(limit: SquareLossEnd, start: SquareLossFlow, *, speed=1, length=1):
    """64 (|a(0)|^2 + 2^-40) minus the defects of a_i - a_{i+1} (cosh |beta_*| times its start) and of tau_* = p."""
    p, root = len(start.a), speed * sqrt(start.K)
    gaps = limit.a[:-1] - limit.a[1:] - (exp(root) + exp(-root)) / 2 * (start.a[:-1] - start.a[1:])
    clock = limit.tau - start.tau - length * p
    return 64 * (max(abs(start.a)) ** 2 + fmpq(1, 2**40)) - abs(np.concatenate([gaps, clock[None]]))


# small_target divides K by 2^10 once more: targets near its bound, where K^2 counts most, and tiny ones.
def _any_scores_and_target(draws):
    """Two to four scores, values zero, a target of moderate size or one that is smaller by 2^-10."""
    a = draws.dyadic(draws.integer(2, 4), size=2)
    K = (abs(draws.dyadic(size=4)) + (0 * a[..., 0] + 1) / 16) / 2 ** draws.choice((0, 10))
    return SquareLossFlow(u=0 * a, a=a, K=K, t=draws.dyadic(), tau=draws.dyadic())


# u = K s tau to first order, since s hardly moves; then a' = K tau J(s) s, up to tau_* = 1/|s|^2.
small_target_barely_moves_scores = section.claim(
    where="section 3.2, the limit for small |beta_*|",
    refs=("S7", "T3"),
    statement="a_i(infinity) - a_i(0) = K s_i (s_i - |s|^2) / (2 |s|^4) + O(K^2), s = s(0).",
    assumptions=(*ASSUMPTION_3_4, small_target),
    draw=_any_scores_and_target,
)


def _late_for_small_targets(start):
    return [n * len(start.a) for n in (16, 32)]


@small_target_barely_moves_scores.limit(">= 0", times=_late_for_small_targets, trap=square_loss_limit)
def first_order_in_target(limit: SquareLossEnd, start: SquareLossFlow, *, share=1, constant=1):
    """constant (K / |s|^4)^2 - |a_i(infinity) - a_i(0) - K s_i (s_i - |s|^2) / (2 |s|^4)|, s = s(0)."""
    s, spread = start.s, (start.s * start.s).sum()
    shift = share * start.K * s * (s - spread) / (2 * spread**2)
    return constant * (start.K / spread**2) ** 2 - abs(limit.a - start.a - shift)


# Two-sided: tau_* <= 1/|s(0)|^2 holds for every K, the other side is what small K adds.
@small_target_barely_moves_scores.limit(">= 0", times=_late_for_small_targets, trap=square_loss_limit)
def clock_nears_inverse_spread(limit: SquareLossEnd, start: SquareLossFlow, *, most=1, constant=1):
    """1 - |s|^2 tau_* and |s|^2 tau_* - 1 + constant K / |s|^4, s = s(0)."""
    spread = (start.s * start.s).sum()
    length = spread * (limit.tau - start.tau)
    return np.stack([most - length, length - most + constant * start.K / spread**2])
