"""A scalar hardmax step moves no token out of the convex hull of the tokens; a diagonal one may.

`hull_shrinks`: Lemma `lem:convHullDecreases`: for P = gamma I each new token is a convex combination of old points, for any
B and any choice among tied maximisers.

`scheduled_hull_shrinks`: The lemma for B^t and gamma^t that change with the step: K^t is contained in K^0 for all t.

`hull_may_grow_for_diagonal_values`: The remark after the lemma, there for V = diag(3/2, 7/3), P = diag(3/5, 7/10). The
scores of e_1 and e_2 send each to the other: e_1 moves to (1 - p_1, p_2), e_2 to (p_1, 1 - p_2), and one of the sums
exceeds 1 by |p_1 - p_2|.
"""

from itertools import pairwise

import numpy as np

from claims.frank_wolfe.setting.cells import diagonal_values, exchanged_corners, two_rates, unequal_diagonal_step
from claims.frank_wolfe.setting.energies import run
from claims.frank_wolfe.setting.run_hypotheses import steps_at_most_one
from claims.frank_wolfe.setting.steps import scalar_step
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import peak
from dynamics.geometry import hull_excess, probing_directions, support_contraction
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.schedules import ScheduledHardmax

section = Section(__name__, refs=("FW-2",), origin=Origin.REPORTED, system=HardmaxStep)

hull_shrinks = section.claim(
    where="Lemma lem:convHullDecreases, section 2.3",
    statement="If gamma^t in (0,1) then K^{t+1} is contained in K^t under SA_infinity.",
    assumptions=(scalar_step,),
)


# A linear program in rationals decides for each token; probing directions, below, only find some of the hyperplanes.
@hull_shrinks.step(">= 0", exact_only=True)
def new_tokens_stay_in_hull(f: HardmaxStep):
    """For each new token 0, or minus its distance from a hyperplane that cuts it off: a linear program, certified."""
    return hull_excess(f.x, f.step().x)


@hull_shrinks.step(">= 0")
def supports_contract(f: HardmaxStep, *, keep=1):
    """(h - <l, x_i^{t+1}>) - (1 - gamma) (h - <l, x_i^t>) for h = max_j <l, x_j^t> and probing directions l."""
    return support_contraction(f.x, f.step().x, keep - f.P[..., 0, 0])


scheduled_hull_shrinks = section.claim(
    where="Lemma lem:convHullDecreases, section 2.3, along a run",
    statement="If gamma^t in (0,1) then K^{t+1} is contained in K^t under SA_infinity.",
    system=ScheduledHardmax,
    assumptions=(steps_at_most_one,),
)


@scheduled_hull_shrinks.orbit(">= 0", exact_only=True, name="new_tokens_stay_in_hull")
def tokens_of_a_run_stay_in_hull(f: ScheduledHardmax):
    """For each token after the last step 0, or minus its distance from a hyperplane that cuts it off from K^0."""
    return hull_excess(f.x, run(f)[-1].x)


@scheduled_hull_shrinks.orbit(">= 0")
def supports_never_grow(f: ScheduledHardmax, *, share=1):
    """max_j <l, x_j^t> - max_j <l, x_j^{t+1}> for every step and probing direction l of K^0."""
    directions = probing_directions(f.x).swapaxes(-1, -2)
    tops = [peak((state.x @ directions).swapaxes(-1, -2))[..., 0] for state in run(f)]
    return np.stack([share * before - after for before, after in pairwise(tops)], axis=-1)


# B is free but for its first two columns: it is enough that e_1 and e_2 follow each other.
hull_may_grow_for_diagonal_values = section.claim(
    where="remark after Lemma lem:convHullDecreases, section 2",
    refs=("FW-3",),
    statement="For diagonal V > 0 that is not h I the hull need not shrink: tokens 0, e_1, e_2, B e_1 = e_2.",
    assumptions=(exchanged_corners, diagonal_values, two_rates),
    draw=unequal_diagonal_step,
)


@hull_may_grow_for_diagonal_values.step("> 0", exact_only=True)
def token_leaves_hull(f: HardmaxStep):
    """How far the farthest of the new tokens is cut off from the old hull by a hyperplane."""
    return -hull_excess(f.x, f.step().x).min(keepdims=True)
