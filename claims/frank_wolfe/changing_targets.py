"""How often a token may change its target (frank_wolfe Q5, Q10).

`limits_own_their_cells`: Every token tends to a token that owns its cell, and its targets change finitely often.

Question Q5 (frank_wolfe FW-8), settled for runs in which single points lead. As <Bx, x> grows by more than
gamma^2 |y - x|_B^2 in a step, |y - x| tends to 0. So an accumulation point of the tokens has each of them lead itself over
the last hull, which makes it the point of least norm of a face: there are finitely many, and as steps tend to 0 the tokens
converge. Of those with one limit w the longest has a target among them, no shorter than itself: itself. So it is w, and
stays. By the unique lead of w, those near it have it for target. How often targets change before that is open.

`orbits_do_not_repeat`: A hardmax run that returns to its start has not moved: false where leaders are tied.

Question Q10 (frank_wolfe FW-8), settled for constant B and gamma. Hulls that return are all the same, so
that their vertices never move and are their own only targets. By `unique_targets_stay` a token with a single leader then
goes straight for ever: single leaders leave no cycles, for any B, symmetric or not. With tied leaders there are some:
vertices (1,1,1), (1,-1,-1), (-1,1,-1), (-1,-1,1) and token (-1/3,0,0) with B = diag(-1,2,2) and gamma = 1/2. The token
is drawn to the middle of one edge, then to that of the opposite edge, and is back after two steps. Such starts are a
null set.

`clusters_are_at_most_the_corners`: The limit has no more clusters than K^0 has vertices: false.

Question Q5 (frank_wolfe FW-8): the number of final clusters. They are the vertices of the last hull, and that is all: a
vertex of K^0 that leaves may bare several tokens that were behind it, and these own their cells once they are far enough
from one another. A triangle has two tokens near one vertex, which goes to another vertex, and four clusters in the end. n
is attained where all tokens own their cells, and d = 1 allows two.

`gaussian_tokens_seldom_change_targets`: Tokens of Gaussian clouds change their targets at most eight times.

Question Q5 (frank_wolfe FW-8): "early switches <= 8 per token before floating-point ties", in all runs, d <= 10, n <= 30.
The number of runs and the step size are not given; here B = I and gamma = 1/10, 300 clouds in each setting. Most tokens
never change, few do so twice. Not so for designed clouds: a token of six may do so eleven times. Measured in float64; a
lead of less than 1e-9 of the score is a tie.

`left_targets_are_not_taken_again`: A token never comes back to a target that it left for another: false, for four tokens
or more.

Question Q5 (frank_wolfe FW-8). Targets are farther out, but they move, and a token between two that go after a third may
turn from one to the other and back. With B = I and gamma = 1/6 the third of (9,14), (9,0), (6,-4), (11,2) goes after the
fourth, the second, the fourth again and at last the first. Among three tokens it is true
(`three_tokens_change_one_target`), and so it is in the limit.

`targets_change_at_most_exponentially_often`: A token of n changes its target at most 2^(n-2) - 1 times: open.

Question Q5 (frank_wolfe FW-8), conjectured here. Right for n <= 3 (`three_tokens_change_one_target`). Found by climbing, at
small steps in up to four dimensions: 3 changes for n = 4, 6 for n = 5, 11 for n = 6. What is known for all n is that
changes end (`limits_own_their_cells`).

`targets_change_less_often_than_tokens_are`: A token of n changes its target at most n - 1 times: false, for five tokens
or more.

Question Q5 (frank_wolfe FW-8), as it would be if no target were taken twice. With B = I and gamma = 1/8 the third of
(15,50), (0,41), (-19,18), (12,49), (50,40) changes it five times. With smaller steps a token of five does so six times and
one of six eleven times. No bound in terms of n alone is known to us.

`three_tokens_change_one_target`: Of up to three tokens only the shortest may change its target, and once.

Question Q5 (frank_wolfe FW-8) for n <= 3. Targets are longer: the longest token is its own, and the second has it or itself
for a target: both stay. The third may go after the second while that goes after the first; what it turns to then, the
first or itself, is its own target and stays. Where places tie for the lead a target is an average of tokens and none of
them: that is left out, as is a token at 0, of which all others are leaders.
"""

import numpy as np

from claims.assumptions import definite_key_query
from claims.experiments import Frequency
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
from claims.statement import Section, Standing
from dynamics.arithmetic import Array, exact
from dynamics.geometry import squared_distances
from dynamics.orbits.exact import orbit
from dynamics.polytopes import vertices
from dynamics.tokens.hardmax import HardmaxStep

section = Section(__name__, refs=("Q5", "FW-8"), system=HardmaxStep)

limits_own_their_cells = section.claim(
    "limits_own_their_cells",
    where="question Q5",
    refs=("FW-8", "Q5"),
    statement="If B > 0, gamma is constant and leaders are single, every token tends to one that owns its cell.",
    assumptions=(definite_key_query, inner_scalar_step, single_leaders),
    draw=run_of_constant_step,
    equivalent={
        "lead_of_the_limits: here - there => here": (
            "A limit w_i that leads another one is not 0, and B > 0: <B w_i, w_i> > 0."
        ),
        "limits_are_tokens_at_rest: (end.targets() == end.x).all => (end.targets() == end.x).any": (
            "More tokens to be near to: the nearest is still at the distance 0."
        ),
    },
)


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
    "orbits_do_not_repeat",
    where="question Q10",
    refs=("FW-8", "Q10"),
    note=(
        "Where leaders are tied a token may go to and fro between the midpoints of two edges: of these five "
        "tokens the last is at (3751/64, 0, 0), then at (-3751/64, 0, 0), then back again. A token with a single "
        "leader that is its own only leader goes straight to it for ever."
    ),
    statement="If x^p = x^0 for some p > 0, for constant B and gamma in (0,1), then x^1 = x^0.",
    assumptions=(inner_scalar_step,),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.unique_targets_stay",
    draw=run_between_two_edges,
)


@orbits_do_not_repeat.orbit(">= 0", exact_only=True)
def what_returns_has_not_moved(f: HardmaxStep):
    """-|x_i^1 - x_i^0|^2 for the tokens of a run that is back after up to four steps."""
    states = orbit(f, STEPS)
    moved = -((states[1].x - f.x) ** 2).sum(axis=-1)
    return moved if any(bool((state.x == f.x).all()) for state in states[1:]) else exact([])


clusters_are_at_most_the_corners = section.claim(
    "clusters_are_at_most_the_corners",
    where="question Q5",
    note=(
        "With B = I and gamma = 1/3 the vertex (10, 17) of the triangle with (36, -29), (-63, 60) goes to the "
        "third vertex, but the two tokens behind it, (14, 8) and (10, 12), stay apart from all others: four "
        "limits of three vertices. What is true is that every token tends to one that owns its cell."
    ),
    statement="If B > 0 and gamma is constant, the limits of the tokens are at most as many as K^0 has vertices.",
    assumptions=(where_unmet(definite_key_query), inner_scalar_step),
    standing=Standing.FALSE,
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
    "gaussian_tokens_seldom_change_targets",
    where="measured for question Q5",
    statement="In runs of Gaussian clouds no token changes its target more than 8 times.",
)


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
    "left_targets_are_not_taken_again",
    where="question Q5",
    note=(
        "With B = I and gamma = 1/6 the third of (9, 14), (9, 0), (6, -4), (11, 2) goes after the fourth, then "
        "the second, then the fourth again: targets move, and a token may turn from one to the other and back. "
        "Among three tokens it is true; in the end every token tends to one that owns its cell."
    ),
    statement="If B > 0 and gamma is constant, a token that changes its target never has the old one for a target again.",
    assumptions=(where_unmet(definite_key_query), inner_scalar_step),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.limits_own_their_cells",
    draw=run_of_a_crowd,
)


@left_targets_are_not_taken_again.orbit(">= 0", exact_only=True)
def targets_taken_again(f: HardmaxStep):
    """Minus the number of times at which a token takes a target that it had before; nothing is said of runs with ties."""
    lists = targets_of(f)
    return exact([] if lists is None else [len(set(taken)) - len(taken) for taken in lists])


targets_change_at_most_exponentially_often = section.claim(
    "targets_change_at_most_exponentially_often",
    where="question Q5",
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
    "targets_change_less_often_than_tokens_are",
    where="question Q5",
    note=(
        "With B = I and gamma = 1/8 the third of the five tokens (15, 50), (0, 41), (-19, 18), (12, 49), (50, 40)"
        " changes its target five times. No bound in n alone is known; what is true is that every token tends to "
        "one that owns its cell."
    ),
    statement="If B > 0 and gamma is constant, every token changes its target at most n - 1 times.",
    assumptions=(where_unmet(definite_key_query), inner_scalar_step),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.limits_own_their_cells",
    draw=run_of_a_crowd,
)


@targets_change_less_often_than_tokens_are.orbit(">= 0", exact_only=True, name="changes_left")
def changes_left_of_tokens(f: HardmaxStep):
    """n - 1 minus the changes of each token; nothing is said of runs with ties."""
    lists = targets_of(f)
    return exact([] if lists is None else [len(f.x) - len(taken) for taken in lists])


three_tokens_change_one_target = section.claim(
    "three_tokens_change_one_target",
    where="question Q5",
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
