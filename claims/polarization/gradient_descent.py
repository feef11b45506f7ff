"""Gradient descent keeps the leader at any learning rate, but the order of the other scores only in small steps.

`descent_preserves_order`: Theorem 3.2(a) is false for long steps (H9, O9). Where margins are so negative that gamma
stays near 1, the leader's projection grows by rate K s_0 in one step. The next step lowers the losers by rate s_i (m -
u_i), which overshoots: the better of two losers has the larger weight, and falls behind.

`descent_preserves_value_order`: Open. Where the order of the scores breaks, a gap of u shrinks by rate gamma K (s_j -
s_i) at each step; no start is known from which it closes.

`descent_keeps_the_leader`: If u_0 >= u_j and a_0 >= a_j for all j, then s_0 (u_0 - m) >= s_j (u_j - m), because u_0 >=
m, and s_0 >= s_j. So both gaps to the leader grow, and the next step finds the same situation. No order among the
others is needed.

`descent_preserves_order_in_small_steps`: With c = rate gamma and b = a_i - a_j >= 0 the new gap is b + c (s_i - s_j)
(u_i - m) + c s_j (u_i - u_j). Since s_i - s_j <= s_i b and s_i (m - u_i) <= (u_0 - u_{p-1}) / 4, the middle term is at
least -b. The gaps of u grow by rate gamma K (s_i - s_j), whatever the rate.
"""

from claims.polarization.gaps_grow import gaps_to_leader
from claims.polarization.setting.scores import ASSUMPTION_3_1, comonotone, leader_dominates, small_descent_step, two_scores
from claims.stating.statement import Origin, Section, Standing
from dynamics.training.gradient_descent import LogisticDescent

section = Section(__name__, refs=("H9",), system=LogisticDescent, assumptions=ASSUMPTION_3_1)

descent_preserves_order = section.claim(
    where="Theorem 3.2(a), asked of gradient descent",
    note=(
        "A long step overshoots: from u(0) = (-11, -34/3, -12) with learning rate 9 the losing scores have "
        "changed their order after three steps, a_1 - a_2 = -0.26. The leader is never overtaken."
    ),
    statement="If a(0) = 0 and u_0(0) > ... > u_{p-1}(0), gradient descent keeps s_0 >= ... >= s_{p-1} at every step.",
    origin=Origin.CARRIED_OVER,
    corrected_by="polarization.descent_keeps_the_leader",
)


# One step cannot break the order: from a(0) = 0 it puts a in the order of u. The start of the note needs three.
@descent_preserves_order.step(">= 0")
def scores_stay_ordered(f: LogisticDescent, *, steps=3):
    """a_i - a_{i+1} after three steps."""
    for _ in range(steps):
        f = f.step()
    return f.a[..., :-1] - f.a[..., 1:]


descent_preserves_value_order = section.claim(
    where="Theorem 3.2(a), asked of gradient descent",
    statement="If a(0) = 0 and u_0(0) > ... > u_{p-1}(0), gradient descent keeps u_0 > ... > u_{p-1} at every step.",
    origin=Origin.CARRIED_OVER,
    standing=Standing.OPEN,
)


# Six steps, for the order of u can break only after that of a has: its gaps change by rate gamma K (s_i - s_j).
@descent_preserves_value_order.step("> 0")
def values_stay_ordered(f: LogisticDescent):
    """u_i - u_{i+1} after six steps."""
    for _ in range(6):
        f = f.step()
    return f.u[..., :-1] - f.u[..., 1:]


descent_keeps_the_leader = section.claim(
    where="section 3.1, for gradient descent",
    statement="If a(0) = 0 and u_0(0) > ... > u_{p-1}(0), then u_0 > u_j and s_0 > s_j at every step of gradient descent.",
)


@descent_keeps_the_leader.step("> 0")
def leading_score_stays_ahead(f: LogisticDescent):
    """a_0 - a_j after three steps."""
    return gaps_to_leader(f.step().step().step().a)


# The induction step: it needs that index 0 leads in u and in a, and gives that it leads by more.
@descent_keeps_the_leader.state(">= 0", assuming=(two_scores, leader_dominates))
def lead_grows_in_one_step(f: LogisticDescent, *, share=1):
    """The increase of a_0 minus that of a_j, over rate gamma: s_0 (u_0 - m) - s_j (u_j - m)."""
    pull = f.score_slope() * (f.u - share * f.m[..., None])
    return gaps_to_leader(pull)


@descent_keeps_the_leader.step("> 0")
def leading_value_stays_ahead(f: LogisticDescent):
    """u_0 - u_j after three steps."""
    return gaps_to_leader(f.step().step().step().u)


# One step from any such state, so that it holds at every later one as long as the spread of u stays small enough.
descent_preserves_order_in_small_steps = section.claim(
    where="section 3.1, for gradient descent in small steps",
    statement=(
        "If u and a are ordered alike and rate (u_0 - u_{p-1}) <= 4, they still are after a step of gradient descent."
    ),
    assumptions=(two_scores, comonotone, small_descent_step),
)


def _gaps(values):
    return values[..., :-1] - values[..., 1:]


@descent_preserves_order_in_small_steps.step("> 0", name="scores_stay_ordered")
def scores_stay_ordered_in_small_steps(f: LogisticDescent):
    """a_i - a_{i+1} after the step."""
    return _gaps(f.step().a)


@descent_preserves_order_in_small_steps.step("> 0", name="values_stay_ordered")
def values_stay_ordered_in_small_steps(f: LogisticDescent):
    """u_i - u_{i+1} after the step."""
    return _gaps(f.step().u)
