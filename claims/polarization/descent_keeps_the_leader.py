"""Gradient descent never lets another score overtake the leading one, at any learning rate.

What is true of Theorem 3.2(a) in discrete time (polarization H9, O9). If u_0 >= u_j and a_0 >= a_j for all j, then s_0
(u_0 - m) >= s_j (u_j - m) because u_0 >= m, and s_0 >= s_j: both gaps to the leader grow, so the next step finds the same
situation. No order among the others is needed.
"""

from claims.polarization.leading_score_gaps_grow import gaps_to_leader
from claims.polarization.setting.scores import leader_dominates, ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.training.gradient_descent import LogisticDescent

claim = Claim(
    __name__,
    where="section 3.1, for gradient descent",
    refs=("H9",),
    statement="If a(0) = 0 and u_0(0) > ... > u_{p-1}(0), then u_0 > u_j and s_0 > s_j at every step of gradient descent.",
    origin=Origin.OURS,
    system=LogisticDescent,
    assumptions=(two_scores, zero_scores, ordered_values),
)


@claim.step("> 0")
def leading_score_stays_ahead(f: LogisticDescent):
    """a_0 - a_j after three steps."""
    return gaps_to_leader(f.step().step().step().a)


@claim.state(">= 0", assuming=(two_scores, leader_dominates))
def lead_grows_in_one_step(f: LogisticDescent, *, share=1):
    """The increase of a_0 minus that of a_j, over rate gamma: s_0 (u_0 - m) - s_j (u_j - m)."""
    pull = f.score_slope() * (f.u - share * f.m[..., None])
    return gaps_to_leader(pull)


@claim.step("> 0")
def leading_value_stays_ahead(f: LogisticDescent):
    """u_0 - u_j after three steps."""
    return gaps_to_leader(f.step().step().step().u)
