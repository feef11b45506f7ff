"""Under B > 0 and a constant step every token tends to one that owns its cell, after finitely many changes of targets.

Questions Q5 (how often does a token change its target, how many clusters remain?) and Q10 (are there cycles?). In the
statements on targets ties are left out.

`limits_own_their_cells`: Q5, settled for runs with single leaders. In a step <Bx, x> grows by at least gamma^2 |y - x|_B^2,
so |y - x| tends to 0. In an accumulation point of the configurations each token therefore maximises its own score over the
last hull, and is the point of least norm of a face. There are finitely many such points, and steps tend to 0, so the tokens
converge. Of the tokens with limit w the longest has a target with the same limit that is no shorter; so it is its own
target, stays, and equals w. Tokens near w have it as target, by its unique lead. How often targets change before that is
open.

`orbits_do_not_repeat`: Q10, settled for constant B and gamma. The hulls of a run that returns are all equal, so their
vertices never move and are their own only targets. By `unique_targets_stay` a token with a single leader then moves
straight to it at all later times. So there are no cycles with single leaders, for any B. With ties there are, from a null
set of starts.

`clusters_are_at_most_the_corners`: Q5. The clusters are the vertices of the last hull. A vertex of K^0 that leaves may
uncover several tokens, which own their cells once they are far enough apart. There may be n clusters, if all tokens own
their cells, but at most two for d = 1.

`gaussian_tokens_seldom_change_targets`: Q5 quotes "early switches <= 8 per token before floating-point ties" for all runs
with d <= 10, n <= 30, without their number or step size. Measured in float64 with B = I, gamma = 1/10 and 300 clouds in
each setting; a lead of less than 1e-9 of the score is a tie. Most tokens never change, few do so twice. In designed clouds
a token of six may change eleven times.

`left_targets_are_not_taken_again`: Q5. Targets are farther out, but they move: a token between two that follow a third may
turn from one to the other and back. True for three tokens (`three_tokens_change_one_target`), and in the limit.

`targets_change_at_most_exponentially_often`: Q5, conjectured here, and true for n <= 3. Local search at small steps in up
to four dimensions found 3 changes for n = 4, 6 for n = 5, 11 for n = 6. For all n only finiteness is known.

`targets_change_less_often_than_tokens_are`: Q5, as it would be if no target were taken twice. With smaller steps than in
the counterexample a token of five changes six times and one of six eleven times. No bound in terms of n alone is known to
us.

`three_tokens_change_one_target`: Q5 for n <= 3. Targets are longer. So the longest token is its own target, the second has
it or itself as target, and both never change. The third may follow the second while that follows the first; what it turns
to then, the first or itself, is its own target and stays. Ties are left out, where a target is an average of tokens, and
so is a token at 0, for which all others lead.
"""

import numpy as np

from claims.frank_wolfe.setting.limits import (
    has_ties,
    inner_scalar_step,
    run_between_two_edges,
    run_of_constant_step,
    single_leaders,
    to_the_end,
)
from claims.frank_wolfe.setting.questions import (
    at_most_three_tokens,
    run_in_a_triangle,
    run_of_a_crowd,
    run_of_three,
    single_targets,
    targets_of,
)
from claims.frank_wolfe.setting.runs import where_unmet
from claims.stating.assumptions import definite_key_query
from claims.stating.experiments import Frequency
from claims.stating.statement import Section, Standing
from dynamics.arithmetic import Array, exact
from dynamics.geometry import squared_distances
from dynamics.orbits.exact import orbit
from dynamics.polytopes import vertices
from dynamics.tokens.hardmax import HardmaxStep

section = Section(__name__, refs=("Q5", "FW-8"), system=HardmaxStep, where="question Q5")

limits_own_their_cells = section.claim(
    refs=("FW-8", "Q5"),
    statement="If B > 0, gamma is constant and leaders are single, every token tends to one that owns its cell.",
    assumptions=(definite_key_query, inner_scalar_step, single_leaders),
    draw=run_of_constant_step,
)


# Limits are rational, as solutions of linear equations: equal ones are seen to be equal.
@limits_own_their_cells.orbit("> 0", exact_only=True)
def lead_of_the_limits(f: HardmaxStep):
    """<B w_i, w_i - w_j> for limits w_j != w_i, and 1 for w_j = w_i."""
    w = to_the_end(f).final.limits
    leads = [f.B @ here @ (here - there) if (here != there).any() else 1 for here in w for there in w]
    return exact([lead.item() if hasattr(lead, "item") else lead for lead in leads])


@limits_own_their_cells.orbit("== 0", exact_only=True)
def limits_are_tokens_at_rest(f: HardmaxStep, *, share=1):
    """|w_i - x_j|^2 for each limit w_i and the nearest token x_j that is its own target in the end, or 1 without any."""
    run = to_the_end(f)
    end = run.states[-1]
    resting = end.x[(end.targets() == end.x).all(axis=-1)]
    if not len(resting):
        return exact([1])
    return exact(squared_distances(share * run.final.limits, resting).min(axis=-1))


STEPS = 4

orbits_do_not_repeat = section.claim(
    where="question Q10",
    refs=("FW-8", "Q10"),
    note=(
        "Where leaders are tied a token may move to and fro between the midpoints of two edges: the last of these five "
        "tokens is at (3751/64, 0, 0), then at (-3751/64, 0, 0), then back again. A token whose single leader is its own "
        "only leader moves straight to it at all times."
    ),
    statement="If x^p = x^0 for some p > 0, for constant B and gamma in (0,1), then x^1 = x^0.",
    assumptions=(inner_scalar_step,),
    corrected_by="frank_wolfe.unique_targets_stay",
    draw=run_between_two_edges,
)


# Periods of up to four steps: the counterexample has two, and longer ones cost more.
@orbits_do_not_repeat.orbit(">= 0", exact_only=True)
def what_returns_has_not_moved(f: HardmaxStep):
    """-|x_i^1 - x_i^0|^2 for the tokens of a run that is back after up to four steps."""
    states = orbit(f, STEPS)
    moved = -((states[1].x - f.x) ** 2).sum(axis=-1)
    return moved if any(bool((state.x == f.x).all()) for state in states[1:]) else exact([])


clusters_are_at_most_the_corners = section.claim(
    note=(
        "With B = I and gamma = 1/3 the vertex (10, 17) of the triangle with (36, -29), (-63, 60) moves to the third "
        "vertex, but the two tokens behind it, (14, 8) and (10, 12), stay apart from all others: four limits for three "
        "vertices. What holds is that every token tends to one that owns its cell."
    ),
    statement="If B > 0 and gamma is constant, the limits of the tokens are at most as many as K^0 has vertices.",
    assumptions=(where_unmet(definite_key_query), inner_scalar_step),
    corrected_by="frank_wolfe.limits_own_their_cells",
    draw=run_in_a_triangle,
)


@clusters_are_at_most_the_corners.orbit(">= 0", exact_only=True)
def corners_left(f: HardmaxStep):
    """The number of vertices of K^0 minus that of different limits; nothing is said of runs with ties."""
    run = to_the_end(f)
    if has_ties(run.states):
        return exact([])
    places = {tuple(point) for point in f.x[vertices(f.x)]}
    return exact([len(places) - len({tuple(point) for point in run.final.limits})])


SETTINGS = ((2, 6), (2, 30), (3, 12), (5, 30), (10, 30))

CLOUDS, CLOUD_STEPS, GAMMA, PRINTED = 300, 60, 0.1, 8

gaussian_tokens_seldom_change_targets = section.claim(
    where="measured for question Q5",
    statement="In runs of Gaussian clouds no token changes its target more than 8 times.",
)


# A target counts as changed only where the best score leads by more than rounding: tokens that have met tie in floats.
def changes(x: Array) -> Array:
    """How often each token of the clouds (m, n, d) changes its target in 60 steps, integers (m, n)."""
    counts, known = np.zeros(x.shape[:2], dtype=int), None
    for _ in range(CLOUD_STEPS):
        scores = x @ x.swapaxes(1, 2)
        target, best = scores.argmax(axis=2), np.partition(scores, -2, axis=2)[..., -2:]
        clear = best[..., 1] - best[..., 0] > 1e-9 * abs(best[..., 1])
        known = target if known is None else known
        counts += clear & (target != known)
        known = np.where(clear, target, known)
        x = x + GAMMA * (np.take_along_axis(x, target[..., None], axis=1) - x)
    return counts


@gaussian_tokens_seldom_change_targets.experiment()
def clouds_with_many_changes(steps: int):
    """How many of the seeded clouds of each setting have a token with more than 8 changes."""
    clouds = min(steps, CLOUDS)
    readings = []
    for d, n in SETTINGS:
        x = np.random.default_rng([2508, d, n]).standard_normal((clouds, n, d))
        hits = int((changes(x) > PRINTED).any(axis=1).sum())
        readings.append(Frequency(f"d = {d}, n = {n}", hits, clouds, "0.00", printed_runs=CLOUDS))
    return readings


left_targets_are_not_taken_again = section.claim(
    note=(
        "With B = I and gamma = 1/6 the third of (9, 14), (9, 0), (6, -4), (11, 2) follows the fourth, then the second, "
        "then the fourth again: targets move, and a token may turn from one to the other and back. For three tokens it is "
        "true; in the limit every token tends to one that owns its cell."
    ),
    statement="If B > 0 and gamma is constant, a token that changes its target never has the old one for a target again.",
    assumptions=(where_unmet(definite_key_query), inner_scalar_step),
    corrected_by="frank_wolfe.limits_own_their_cells",
    draw=run_of_a_crowd,
)


@left_targets_are_not_taken_again.orbit(">= 0", exact_only=True)
def targets_taken_again(f: HardmaxStep):
    """Minus the number of times at which a token takes a target that it had before; nothing is said of runs with ties."""
    lists = targets_of(f)
    return exact([] if lists is None else [len(set(taken)) - len(taken) for taken in lists])


# 2^(n-2) - 1 is 0, 1, 3, 7 for n = 2, 3, 4, 5: what was found is 0, 1, 3, 6.
targets_change_at_most_exponentially_often = section.claim(
    statement=(
        "If B > 0, gamma is constant and leaders are single, a token of n > 1 changes its target at most 2^(n-2) - 1 times."
    ),
    assumptions=(where_unmet(definite_key_query), inner_scalar_step, single_targets),
    standing=Standing.OPEN,
    draw=run_of_a_crowd,
)


@targets_change_at_most_exponentially_often.orbit(">= 0", exact_only=True, name="changes_left")
def changes_left_of_exponentially_many(f: HardmaxStep, *, factor=1):
    """2^(n-2) - 1 minus the changes of each token, for n > 1; of a tie, where targets are no tokens, nothing."""
    lists = targets_of(f)
    if lists is None or len(f.x) == 1:
        return exact([])
    return exact([factor * (2 ** (len(f.x) - 2) - 1) - (len(taken) - 1) for taken in lists])


targets_change_less_often_than_tokens_are = section.claim(
    note=(
        "With B = I and gamma = 1/8 the third of the five tokens (15, 50), (0, 41), (-19, 18), (12, 49), (50, 40) changes "
        "its target five times. No bound in n alone is known; what holds is that every token tends to one that owns its "
        "cell."
    ),
    statement="If B > 0 and gamma is constant, every token changes its target at most n - 1 times.",
    assumptions=(where_unmet(definite_key_query), inner_scalar_step),
    corrected_by="frank_wolfe.limits_own_their_cells",
    draw=run_of_a_crowd,
)


@targets_change_less_often_than_tokens_are.orbit(">= 0", exact_only=True, name="changes_left")
def changes_left_of_tokens(f: HardmaxStep):
    """n - 1 minus the changes of each token; nothing is said of runs with ties."""
    lists = targets_of(f)
    return exact([] if lists is None else [len(f.x) - len(taken) for taken in lists])


three_tokens_change_one_target = section.claim(
    statement=(
        "If n <= 3, B > 0, gamma is constant and leaders are single, one token at most changes its target, and only once."
    ),
    assumptions=(where_unmet(definite_key_query), inner_scalar_step, at_most_three_tokens, single_targets),
    draw=run_of_three,
)


@three_tokens_change_one_target.orbit(">= 0", exact_only=True, name="changes_left")
def changes_left_of_three_tokens(f: HardmaxStep, *, most=1):
    """1 minus the changes of all tokens together; of a tie, where targets are no tokens, nothing."""
    lists = targets_of(f)
    return exact([] if lists is None else [most - sum(len(taken) - 1 for taken in lists)])
