"""Gradient descent keeps the order of the scores, at any learning rate: false, already with three scores and |beta_*| = 1.

The discrete counterpart of Theorem 3.2(a) (polarization H9, O9). Where margins are so negative that gamma stays near
1, the leader's projection grows by rate K s_0 in one step; the next step then lowers two losers by rate s_i (m - u_i),
which overshoots: the better of the two had the larger weight, and falls behind. From u(0) = (-15, -31/2, -16),
|beta_*| = 1, rate 10, three steps give a_1 - a_2 = -.47374. The leader is never overtaken
(`descent_keeps_the_leader`), and steps with rate (u_0 - u_{p-1}) <= 4 keep the whole order
(`descent_preserves_order_in_small_steps`).
"""

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.training.gradient_descent import LogisticDescent

claim = Claim(
    __name__,
    where="Theorem 3.2(a), asked of gradient descent",
    refs=("H9",),
    note=(
        "A long step overshoots: from u(0) = (-11, -34/3, -12) with learning rate 9 the losing scores have "
        "changed their order after three steps, a_1 - a_2 = -0.26. The leader is never overtaken."
    ),
    statement="If a(0) = 0 and u_0(0) > ... > u_{p-1}(0), gradient descent keeps s_0 >= ... >= s_{p-1} at every step.",
    origin=Origin.CARRIED_OVER,
    system=LogisticDescent,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.descent_keeps_the_leader",
)


@claim.step(">= 0")
def scores_stay_ordered(f: LogisticDescent, *, steps=3):
    """a_i - a_{i+1} after three steps."""
    for _ in range(steps):
        f = f.step()
    return f.a[..., :-1] - f.a[..., 1:]
