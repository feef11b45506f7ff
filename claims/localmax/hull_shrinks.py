"""A localmax step moves no token out of the convex hull of the tokens.

Each new token is a convex combination of old ones, for any A, any delta_k >= 0 and gamma_k in [0, 1]. The abstract
claims that the hulls shrink; the definition of the step is reconstructed (LM-2, HM-1).
"""

import numpy as np

from claims.localmax.setting.end_hypotheses import step_sizes_at_most_one
from claims.localmax.setting.starts import any_or_full_step, scheduled_or_full_steps
from claims.stating.assumptions import step_size_at_most_one
from claims.stating.statement import Origin, Section
from dynamics.geometry import hull_excess, support_contraction
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.schedules import ScheduledLocalmax

section = Section(__name__, origin=Origin.REPORTED)

hull_shrinks = section.claim(
    where="abstract, hull monotonicity (reconstructed); hardmax 2407.01602, hull monotonicity (recalled)",
    refs=("LM-2", "HM-1"),
    statement="conv{z_i^{k+1}} is contained in conv{z_i^k} for every A, every delta_k >= 0 and gamma in [0,1].",
    system=LocalmaxStep,
    assumptions=(step_size_at_most_one,),
    draw=any_or_full_step,
)


# Exact, by a linear program that returns the cutting plane; probing directions alone could miss a corner.
@hull_shrinks.step(">= 0", exact_only=True)
def new_tokens_stay_in_hull(f: LocalmaxStep | ScheduledLocalmax, *, reach=1):
    """Minus how far z_i' is from the hull by a plane that cuts it off, 0 inside: a linear program, certified."""
    return hull_excess(f.z, f.z + reach * (f.step().z - f.z))


# How fast it may shrink: a token keeps 1 - gamma of its distance from each supporting plane.
@hull_shrinks.step(">= 0")
def supports_contract(f: LocalmaxStep, *, keep=1):
    """(h - <l, z_i^{k+1}>) - (1 - gamma) (h - <l, z_i^k>) for h = max_j <l, z_j^k> and probing directions l."""
    return support_contraction(f.z, f.step().z, keep - f.gamma)


varying_sensitivity_shrinks_hull = section.claim(
    where="abstract, hull monotonicity (reconstructed)",
    refs=("LM-2",),
    statement="K^{k+1} is contained in K^k for every A, any delta_k >= 0 and any gamma_k in [0,1].",
    system=ScheduledLocalmax,
    assumptions=(step_sizes_at_most_one,),
    draw=scheduled_or_full_steps,
)

varying_sensitivity_shrinks_hull.step(">= 0", exact_only=True)(new_tokens_stay_in_hull)


# Two steps, so that a schedule's second entry is used as well.
@varying_sensitivity_shrinks_hull.orbit(">= 0", exact_only=True, name="supports_contract")
def supports_contract_along_a_run(f: ScheduledLocalmax, *, keep=1):
    """(h - <l, z_i^{k+1}>) - (1 - gamma_k) (h - <l, z_i^k>), h = max_j <l, z_j^k>, for the first two steps."""
    now = f.step()
    first = support_contraction(f.z, now.z, keep - f.step_size())
    return np.stack([first, support_contraction(now.z, now.step().z, keep - now.step_size())])
