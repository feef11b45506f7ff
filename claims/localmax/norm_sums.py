"""The squared A-norms grow under hardmax, and each falls by at most 2 gamma delta in a localmax step.

`norm_sum_grows_under_localmax`: False for delta > 0: tokens that attend to one another draw each other back (LY-6).

`norms_fall_by_sensitivity_at_most`: In the norm identity r_i' - r_i = 2 gamma (e_i - gbar_i) + gamma^2 |c_i - z_i|_A^2
no gap of a neighbour exceeds delta, and that of the best one is 0. The bound is for each token, not for the sum: the
sum of 1, 1, -1, -1 at delta = 2, gamma = 1/2 falls from 4 to 1.
"""

from claims.localmax.setting.hypotheses import (
    definite_matrix,
    gaps_below_sensitivity,
    open_step_size,
    positive_sensitivity,
    semidefinite_matrix,
)
from claims.stating.assumptions import step_size_at_most_one
from claims.stating.statement import Origin, Section
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, system=LocalmaxStep)

norm_sum_grows_under_localmax = section.claim(
    where="the Lyapunov function of hardmax carried over",
    refs=("LY-6",),
    note=(
        "Of 0 and 1 with delta = 2 and gamma = 1/2 both attend to both and step to 1/4 and 3/4: the sum of squares falls "
        "from 1 to 5/8. What is true is that no |z_i|_A^2 falls by more than 2 gamma delta in a step."
    ),
    statement="The sum of r_i = |z_i|_A^2 never falls.",
    origin=Origin.CARRIED_OVER,
    assumptions=(definite_matrix, gaps_below_sensitivity, open_step_size, positive_sensitivity),
    corrected_by="localmax.norms_fall_by_sensitivity_at_most",
)


# The sum, not each norm: under hardmax every single one grows, so the weaker statement is refuted.
@norm_sum_grows_under_localmax.step(">= 0")
def gain_of_the_sum(f: LocalmaxStep):
    """sum_i r_i' - r_i."""
    return (f.step().squared_norms() - f.squared_norms()).sum(axis=-1)


norms_fall_by_sensitivity_at_most = section.claim(
    refs=("LY-6", "LM-5"),
    statement="No r_i = |z_i|_A^2 falls by more than 2 gamma delta (1 - 1/|C_i|) in a step, so none by more than 2 "
    "gamma delta.",
    assumptions=(semidefinite_matrix, gaps_below_sensitivity, step_size_at_most_one),
)


# 1 - 1/|C_i|: the best neighbour has gap 0, so at most |C_i| - 1 of them are at the gap delta.
@norms_fall_by_sensitivity_at_most.step(">= 0")
def room_of_norms(f: LocalmaxStep, *, factor=2):
    """r_i' - r_i + 2 gamma delta (1 - 1/|C_i|)."""
    size = (f.neighbours() * (0 * f.scores() + 1)).sum(axis=-1)
    return f.step().squared_norms() - f.squared_norms() + factor * (f.gamma * f.delta)[..., None] * (1 - 1 / size)
