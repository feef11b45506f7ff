"""Tokens move straight towards the vertices of their cells, and converge exponentially fast if steps are bounded below.

Theorem 4.2: if (1) every vertex owns its cell and (2) every token lies in one cell only, then x_i^t = prod (1 - gamma^s)
x_i^0 + (sum gamma^s prod_{r>s} (1 - gamma^r)) v_sigma(i), and tokens converge at least exponentially fast for any gamma^t
in (0, 1). The formula is true, for any B; the rate is not.

`tokens_move_straight_to_their_vertices`: Both the start and v_sigma strictly satisfy what makes v_sigma the target, hence
so does the segment. The theorem's B > 0 is not used.

`tokens_reach_their_vertices`: The last sentence. The distance left is prod (1 - gamma^s) of the first, which tends to 0 if
and only if the steps have an infinite sum. Steps are continued by halving, gamma^{T-1+k} = gamma^{T-1}/2^k: then at all
times prod >= prod_{s<T} (1 - gamma^s) (1 - gamma^{T-1}) > 0. For gamma^t = 2^{-t-1} the product is 0.2887...

`tokens_reach_their_vertices_under_bounded_steps`: The abstract of the ICML version: for gamma^t >= c the part left is prod
(1 - gamma^s) <= (1 - c)^t, with equality for gamma^t = c. Sufficient, not necessary: convergence is exponential iff liminf
(1/t) sum -log(1 - gamma^s) > 0.

`tokens_keep_their_cells`: "When it is positive semidefinite, ... interior points remain in their initial cells" (abstract
of version 1) does not mention hypothesis (1). Cells are those of the vertices of K^0. False also where 0 is inside K:
vertices (3,0), (-3,0), (0,-1), (1,9/10) and token (0,3/10) with B = I and gamma = 1/2.

`vertices_are_stationary`: The same of "vertices are stationary". False also where 0 is inside K.

`largest_energy_stays`: Sharper: for B >= 0 the energy is convex, so it cannot grow as hulls shrink; and a token of largest
energy has the largest score with itself (Cauchy-Schwarz), so it moves only in the kernel of B.

`targets_are_farther_out`: Sharper: for symmetric B, <Bx, y> >= <Bx, x> for the target y of x says |y|_B^2 >= |x|_B^2 + |y -
x|_B^2. So for B > 0 the graph of targets has no cycles, and ends at tokens that are their own targets.

`unique_targets_stay`: Theorem 4.2 for one token, without hypotheses on all vertices and for any B. Let w be the only point
of K^0 at which <Bw, .> is largest. It stays so on every smaller hull. For x with w as only target both x and w lie in the
half-spaces of its cell, hence so does the segment, and <B., w> stays the largest score along it.
"""

from itertools import pairwise

import numpy as np

from claims.frank_wolfe.setting.energies import energy, run
from claims.frank_wolfe.setting.run_hypotheses import (
    concave_energies,
    one_matrix,
    steps_at_most_one,
    steps_inside_unit_interval,
    strictly_concave_energies,
    symmetric_energies,
)
from claims.frank_wolfe.setting.runs import (
    definite_scores_of_these_cells,
    one_cell_at_the_start,
    own_cells_at_the_start,
    run_on_a_kite,
    run_with_definite_scores,
    run_with_own_cells,
)
from claims.stating.defects import Consequence, Defect, Kind
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, exact, indicator, numbers, peak, transposed
from dynamics.attention import leaders
from dynamics.geometry import squared_distances
from dynamics.polytopes import dimension, in_relative_interior, vertices
from dynamics.tokens.schedules import ScheduledHardmax

section = Section(__name__, system=ScheduledHardmax)

# B > 0 is left out, for nothing but (1) and (2) enters; `one_matrix` is needed, as another B has other cells.
tokens_move_straight_to_their_vertices = section.claim(
    where="Theorem 4.2 (thm: exp.fast.polytope) without its last sentence, for any B",
    refs=("FW-8",),
    statement="x_i^t = prod_{s<t}(1-gamma^s) x_i^0 + (sum_{s<t} gamma^s prod_{s<r<t}(1-gamma^r)) v_sigma(i).",
    origin=Origin.REPORTED,
    assumptions=(one_matrix, steps_inside_unit_interval, own_cells_at_the_start, one_cell_at_the_start),
    draw=run_with_own_cells,
)


@tokens_move_straight_to_their_vertices.orbit("== 0", exact_only=True)
def distance_from_the_formula(f: ScheduledHardmax, *, factor=1):
    """x_i^t minus the formula, for every token and step."""
    v, kept, reached, slacks = f.targets(), 1, 0, []
    for now, after in pairwise(run(f)):
        gamma = now.step_size().item()
        kept, reached = kept * (1 - gamma), reached * (1 - gamma) + factor * gamma
        slacks.append(after.x - kept * f.x - reached * v)
    return np.stack(slacks)


@tokens_move_straight_to_their_vertices.orbit("== 0", exact_only=True)
def vertices_stay(f: ScheduledHardmax, *, factor=1):
    """v^t - v^0 for every vertex of K."""
    corners = vertices(f.x)
    return np.stack([state.x[corners] - factor * f.x[corners] for state in run(f)[1:]])


# Here B > 0 is kept, so that the counterexample is one to the theorem as printed.
tokens_reach_their_vertices = section.claim(
    where="Theorem 4.2 (thm: exp.fast.polytope), last sentence",
    refs=("FW-8", "FW-16"),
    note=(
        "Steps in (0, 1) may have a finite sum: if gamma^0 = 1/2 and each later step is half of the one before, the token "
        "1 among 2 and -2 stays at least 1/4 away from its vertex 2. If gamma^t >= c > 0 for all t, a step leaves at "
        "most the part 1 - c of the distance."
    ),
    statement="If gamma^t in (0,1), x_i^t -> v_sigma(i) at least exponentially fast.",
    origin=Origin.REPORTED,
    assumptions=(
        definite_scores_of_these_cells,
        one_matrix,
        steps_inside_unit_interval,
        own_cells_at_the_start,
        one_cell_at_the_start,
    ),
    corrected_by="frank_wolfe.tokens_reach_their_vertices_under_bounded_steps",
    draw=run_with_definite_scores,
    defect=Defect(
        Kind.CASE,
        quotation=r"If $\gamma^t \in (0, 1)$, $x_i^t \to v_{\sigma(i)}$ at least exponentially fast.",
        context=(
            r"Theorem 4.2: $B > 0$ constant, every vertex in its own cell alone, token $i$ in the cell of "
            r"$v_{\sigma(i)}$, so that $x_i^{t+1} = x_i^t + \gamma^t (v_{\sigma(i)} - x_i^t)$."
        ),
        wrong=r"Steps in $(0, 1)$ may have a finite sum, and then the token stops on its way.",
        correction=(
            r"If $\gamma^t \ge c > 0$ for all $t$, then $|x_i^t - v_{\sigma(i)}| \le (1 - c)^t |x_i^0 - v_{\sigma(i)}|$."
        ),
        consequences=(
            Consequence(
                "the formula of Theorem 4.2",
                why=r"Only its last sentence fails. The abstract of the ICML version is reported to ask for such steps.",
            ),
        ),
    ),
)


# With the last step g listed, later ones leave (1 - g/2)(1 - g/4)... >= 1 - (g/2 + g/4 + ...) = 1 - g of the way.
@tokens_reach_their_vertices.orbit(">= 0", exact_only=True, argued="steps that halve for ever leave this part of the way")
def no_distance_is_kept(f: ScheduledHardmax):
    """Minus a bound from below for |x_i^t - v_i|^2 at all times t, if steps halve after the last one listed."""
    rest = run(f)[-1].x - f.targets()
    return -((1 - f.gamma[-1]) ** 2) * (rest * rest).sum(axis=-1)


@tokens_reach_their_vertices.by_hand(by_argument=True, x=[[2], [-2], [1]], B=[[[1]]], gamma=["1/2"])
def a_product_that_stays_positive(_: object):
    """The distance is a product of 1 - gamma^t."""
    yield (
        r"Take $d = 1$, $B = 1$, tokens $2$, $-2$ and $1$, which lies in the cell of $2$; $\gamma^t = 2^{-(t+1)} \in "
        r"(0, 1)$."
    )
    yield r"For the token that starts at $1$: $|x^t - 2| = \prod_{s < t} (1 - 2^{-(s+1)})$."
    yield (
        r"$\prod_{s < t} (1 - 2^{-(s+1)}) \ge \tfrac12 \big(1 - (\tfrac14 + \tfrac18 + \dots)\big) = \tfrac14$: "
        r"the token stays $\tfrac14$ or more away from $2$ at all times."
    )


tokens_reach_their_vertices_under_bounded_steps = section.claim(
    where="Theorem 4.2, last sentence, as in the abstract of the ICML version",
    refs=("FW-8",),
    statement="If gamma^t >= c > 0, |x_i^t - v_sigma(i)| <= (1-c)^t |x_i^0 - v_sigma(i)|.",
    origin=Origin.REPORTED,
    assumptions=(one_matrix, steps_inside_unit_interval, own_cells_at_the_start, one_cell_at_the_start),
    draw=run_with_own_cells,
)


@tokens_reach_their_vertices_under_bounded_steps.orbit(">= 0", exact_only=True)
def distance_is_below_the_power(f: ScheduledHardmax, *, factor=1):
    """(1-c)^{2t} |x_i^0 - v_i|^2 - |x_i^t - v_i|^2 with c the least step, for every token and step."""
    v, c = f.targets(), min(f.gamma)
    squares = [((state.x - v) ** 2).sum(axis=-1) for state in run(f)]
    return np.stack([((1 - factor * c) ** (2 * t) * squares[0] - left) for t, left in enumerate(squares)])


tokens_keep_their_cells = section.claim(
    where="Theorem 4.2 (thm: exp.fast.polytope) without hypothesis (1)",
    refs=("FW-16", "FW-8"),
    note=(
        "For tokens (8, 0), (-8, 0), (1, 2), (0, 1) with B = I and gamma = 1/2 the last has the target (1, 2) and moves to "
        "(1/2, 3/2), which scores 4 with (8, 0) and only 7/2 with (1, 2). Where every vertex owns its cell, a token inside "
        "one cell keeps it and moves straight to its vertex."
    ),
    statement="If B > 0, tokens inside K remain in their initial cells, also where vertices do not own theirs.",
    origin=Origin.CARRIED_OVER,
    assumptions=(strictly_concave_energies, one_matrix, steps_inside_unit_interval),
    corrected_by="frank_wolfe.tokens_move_straight_to_their_vertices",
    draw=run_on_a_kite,
)


# "Inside" is the topological interior: a lower-dimensional hull has none, and nothing is said then.
@tokens_keep_their_cells.orbit(">= 0", exact_only=True)
def first_targets_keep_the_largest_score(f: ScheduledHardmax):
    """max over the first leaders y of <B x_i^t, y> - max over all of K^0, for every token inside K^0 and every step."""
    n, d = f.x.shape
    inside = [i for i in range(n) if dimension(f.x) == d and in_relative_interior(f.x[i], f.x)]
    first, image = leaders(f.scores()), f.x @ f.B[0]
    slacks = []
    for state in run(f)[1:]:
        scores = state.x @ transposed(image)
        away = peak(scores) - scores
        slacks += [-min(away[i, first[i]]) for i in inside]
    return exact(slacks)


vertices_are_stationary = section.claim(
    where="Theorem 4.2 (thm: exp.fast.polytope) without hypothesis (1)",
    refs=("FW-16", "FW-8"),
    note=(
        "For tokens 1 and 2 with B = 1 the vertex 1 scores higher with 2 than with itself: for gamma = 7/8 it moves to "
        "15/8. Vertices that own their cells do not move."
    ),
    statement="If B > 0, the vertices of K are stationary, also those that do not own their cells.",
    origin=Origin.CARRIED_OVER,
    assumptions=(strictly_concave_energies, one_matrix, steps_inside_unit_interval),
    corrected_by="frank_wolfe.tokens_move_straight_to_their_vertices",
    draw=run_on_a_kite,
)


# Squares, so that one number tells for each vertex whether it has moved.
@vertices_are_stationary.orbit(">= 0", exact_only=True, name="vertices_stay")
def vertices_stay_without_own_cells(f: ScheduledHardmax):
    """-|v^t - v^0|^2 for every vertex of K."""
    corners = vertices(f.x)
    return np.stack([-((state.x[corners] - f.x[corners]) ** 2).sum(axis=-1) for state in run(f)[1:]])


largest_energy_stays = section.claim(
    where="Theorem 4.2, sharper",
    refs=("FW-8",),
    statement="If B >= 0 is constant and gamma^t in [0,1], max_i <B x_i^t, x_i^t> is constant in t.",
    assumptions=(concave_energies, one_matrix, steps_at_most_one),
)


# Only the first and the last state: if the largest energy changed in between it would have to come back, and it never
# falls.
@largest_energy_stays.orbit("== 0")
def change_of_the_largest(f: ScheduledHardmax, *, later=1):
    """max_i J(x_i^T) - max_i J(x_i^0) at the end of the schedule."""
    B = f.B[..., 0, :, :]
    return numbers(later * peak(energy(run(f)[-1].x, B)) - peak(energy(f.x, B)))


targets_are_farther_out = section.claim(
    where="Theorem 4.2, sharper",
    refs=("FW-8", "Q5"),
    statement="If B is symmetric, |y_i|_B^2 >= |x_i|_B^2 + |y_i - x_i|_B^2 for the target y_i of every token.",
    assumptions=(symmetric_energies,),
)


@targets_are_farther_out.state(">= 0")
def gain_of_the_target(f: ScheduledHardmax, *, share=1):
    """(|y_i|_B^2 - |x_i|_B^2 - |y_i - x_i|_B^2)/2 for every token."""
    B, y = f.key_query(), f.targets()
    return energy(y, B) - energy(f.x, B) - share * energy(y - f.x, B)


# No vertex need own its cell but w. Tokens that settle later are asked from their own start on.
unique_targets_stay = section.claim(
    where="Theorem 4.2, localised",
    refs=("FW-8", "Q10"),
    statement="If w is the only target of itself and of x_i: x_i^t = prod_{s<t}(1-gamma^s) x_i^0 + (1 - prod) w for all t.",
    assumptions=(one_matrix, steps_at_most_one),
)


def settled(f: ScheduledHardmax) -> Array:
    """The tokens whose only target is a point that is its own only target, boolean (..., n). Points count, not indices."""
    led = leaders(f.scores())
    apart = squared_distances(f.x, f.x) != 0
    single = ~(led[..., :, None] & led[..., None, :] & apart[..., None, :, :]).any(axis=(-2, -1))
    own = single & led[..., np.arange(f.x.shape[-2]), np.arange(f.x.shape[-2])]
    return np.asarray(single & (led & own[..., None, :]).any(axis=-1))


# Tokens that are not settled are multiplied by 0: which they are differs between the members of a batch.
@unique_targets_stay.orbit("== 0")
def straight_paths(f: ScheduledHardmax, *, moved=1):
    """x_i^t - prod (1-gamma^s) x_i^0 - (1 - prod) w for every settled token and t."""
    here, w = indicator(settled(f), f.x)[..., None], f.targets()
    left, slacks = 1 + 0 * f.step_size(), []
    for now, after in zip(run(f)[:-1], run(f)[1:], strict=True):
        left = left * (1 - now.step_size())
        rest = left[..., None, None]
        slacks.append(here * (after.x - rest * f.x - moved * (1 - rest) * w))
    return np.stack(slacks, axis=-1)
