"""Under (1) and (2) of Theorem 4.2 the hardmax flow has the solution e^{-t} x_i^0 + (1 - e^{-t}) v_sigma(i), and no other.

`flow_keeps_its_targets`: Theorem `thm: ode`. The score of the target v_sigma(i) exceeds all others strictly at all times.
So near the solution the targets are the same, the right side is v_sigma(i) - x_i, and no other solution can part from it.
In s = e^{-t} gaps of scores are quadratics, whose least value over (0, 1] is decided; a token with the same vertex
approaches it like s, and its gap is divided by s. The theorem's B > 0 is not used; without (2) a token may leave in several
directions, or wait.

`euler_steps_follow_the_flow`: A hardmax step of size h is Euler's step for the flow. Both move straight to v_sigma(i);
(1-h)^k of the way is left after k steps, e^{-t} in the flow. Between steps k and k+1 the difference is largest at one of
the two times. It is about h just before the first step, and at most about h/(2e) at steps.

`perturbed_vertex_token_wins`: Claim `cl: stab.cell` in Part 3 of the proof, as it stands: for every token i the perturbed
token of v_sigma(i) has a larger score than every other perturbed token. By index this needs a positive gap to every other
token; but nothing in (1) and (2) forbids a second token at the same vertex.

`perturbed_vertices_win`: The claim for points, with an explicit size: if every coordinate moves by at most eps, a gap <B
x_i, v_i - x_j> to a token not at v_i falls by at most eps (|B^T(v_i - x_j)|_1 + 2 |B x_i|_1) + 2 eps^2 |B|_1. Nothing is
said of hulls: tokens on the boundary of K may become vertices that do not own their cells, and still keep their targets.
Nor is anything said of the flow: of tokens that share a vertex either may become the target, and for indefinite B both in
turn. For B = diag(1, -1) the tokens (1, 0), (1, 0), (-1, 0), (1/2, 0) satisfy (1) and (2); with the first two at (1, e) and
(1, -e) and the last at (1/2, y), the last moves to (1, -e) for y > 0 and to (1, e) for y < 0.
"""

from itertools import product

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.cells import own_vertex_cells, tokens_in_one_cell
from claims.frank_wolfe.setting.runs import (
    own_cells_or_a_kite,
    scalar_step_with_own_cells,
    step_with_shared_vertices,
    step_with_waning_gaps,
    where_unmet,
)
from claims.frank_wolfe.setting.steps import scalar_step
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, UndecidedError, exact, exp, numbers
from dynamics.orbits.exact import orbit
from dynamics.polytopes import vertices
from dynamics.tokens.hardmax import HardmaxStep

section = Section(__name__, refs=("FW-12",), system=HardmaxStep)

flow_keeps_its_targets = section.claim(
    where="Theorem thm: ode, section 4",
    statement="x_i(t) = e^{-t} x_i^0 + (1-e^{-t}) v_sigma(i) is the only solution: it keeps <B x_i, v_sigma(i) - x_j> > 0.",
    origin=Origin.REPORTED,
    assumptions=(own_cells_or_a_kite, where_unmet(tokens_in_one_cell)),
    draw=step_with_waning_gaps,
)


def least_on_unit_interval(constant: fmpq, slope: fmpq, curvature: fmpq) -> fmpq:
    """min over s in [0, 1] of constant + slope s + curvature s^2."""
    ends = min(constant, constant + slope + curvature)
    if curvature > 0 and 0 < -slope < 2 * curvature:
        return min(ends, constant - slope * slope / (4 * curvature))
    return ends


# A gap to a token with the same vertex vanishes like s, so only its quotient by s stays away from 0.
@flow_keeps_its_targets.orbit("> 0", exact_only=True, argued="x_i(s) is at time t with s = e^{-t}, which is never 0")
def least_gap(f: HardmaxStep):
    """min over s in [0, 1] of <B x_i(s), v_i - x_j(s)>, divided by s where v_j = v_i, for x_j that is not v_i."""
    v, B = np.asarray(f.targets()), np.asarray(f.B)
    away = np.asarray(f.x - v)
    slacks = []
    for i, end in enumerate(v):
        here, moving = B @ end, B @ away[i]
        for j, other in enumerate(v):
            constant, slope = here @ (end - other), moving @ (end - other) - here @ away[j]
            curvature = -(moving @ away[j])
            if (end != other).any():
                slacks.append(least_on_unit_interval(constant, slope, curvature))
            elif (away[j] != 0).any():
                slacks.append(least_on_unit_interval(slope, curvature, fmpq(0)))
    return exact(slacks)


STEPS = 16

# h P = h I is the hardmax step of size h: Euler's method for x' = y - x.
euler_steps_follow_the_flow = section.claim(
    where="Theorem thm: ode, the steps that approach it",
    statement=(
        "After floor(t/h) hardmax steps a token is within h |x_i^0 - v_sigma(i)| of x_i(t) for h in [0,1], t <= 16 h."
    ),
    assumptions=(scalar_step, own_cells_or_a_kite, where_unmet(tokens_in_one_cell)),
    draw=scalar_step_with_own_cells,
)


# The step x^k stays while t runs over [kh, (k+1)h], and e^{-t} is monotone: the ends of the interval are the worst times.
@euler_steps_follow_the_flow.orbit(">= 0", exact_only=True, argued="x_i(t) is the curve e^{-t} x_i^0 + (1-e^{-t}) v_i")
def distance_between_steps(f: HardmaxStep, *, constant=1):
    """h^2 |x_i^0 - v_i|^2 - |x_i^k - x_i(t)|^2 at both ends t of [kh, (k+1)h], for k < 16."""
    h, v = f.P[0, 0], f.targets()
    away = f.x - v
    bound = (constant * h) ** 2 * (away * away).sum(axis=-1)
    slacks = []
    for k, state in enumerate(orbit(f, STEPS - 1)):
        for end in (k, k + 1):
            apart = state.x - v - exp(numbers(-end * h)) * away
            slacks.append(bound - (apart * apart).sum(axis=-1))
    return numbers(np.stack(slacks, axis=-1))


perturbed_vertex_token_wins = section.claim(
    where="claim cl:stab.cell, proof of Theorem thm: ode",
    note=(
        "Where two tokens share the vertex 1 there is no gap between them: the second wins as soon as it is moved outward "
        "a little. For points the claim holds: after small moves the tokens near v_sigma(i) still beat all others."
    ),
    statement="The perturbation of the vertex token beats every other perturbed token.",
    assumptions=(where_unmet(own_vertex_cells), where_unmet(tokens_in_one_cell)),
    corrected_by="frank_wolfe.perturbed_vertices_win",
    draw=step_with_shared_vertices,
)


# Half of a positive gap is a move that changes no winner. Where the gap is 0 any move outwards does.
@perturbed_vertex_token_wins.step(">= 0", exact_only=True)
def lead_after_a_change(f: HardmaxStep):
    """<B x_i, v_i - x_j'> for the token at v_i and any other j, moved along B x_i by half of its gap, or a little."""
    slacks = []
    x, y = np.asarray(f.x), np.asarray(f.targets())
    image = x @ np.asarray(f.B).T
    for i, vertex in enumerate(y):
        token = next((k for k in vertices(x) if (x[k] == vertex).all()), None)
        if token is None:
            continue  # tied leaders: the target lies between vertices
        size = image[i] @ image[i]
        gaps = [image[i] @ (vertex - x[j]) for j in range(len(x)) if j != token]
        slacks += [gap / 2 if gap > 0 else gap - size / 1024 for gap in gaps]
    return exact(slacks)


perturbed_vertices_win = section.claim(
    where="claim cl:stab.cell, proof of Theorem thm: ode, for points",
    refs=("FW-12", "Q11"),
    statement="If tokens move by at most eps each, those near v_sigma(i) keep beating for token i all others.",
    assumptions=(where_unmet(own_vertex_cells), where_unmet(tokens_in_one_cell)),
    draw=step_with_shared_vertices,
)


class TooManyMovesError(UndecidedError):
    """There are more moves than are tried."""

    precision_helps = False


@perturbed_vertices_win.step("> 0", exact_only=True)
def least_lead(f: HardmaxStep, *, parts=1):
    """Least <B x_i', v_i' - x_j'> after moves by eps = gap/(|B^T(v_i-x_j)|_1 + 2 |B x_i|_1 + gap + |B|_1).

    Each of the three points moves by at most eps in every coordinate, on its own: a bound where they are one token.
    Raises TooManyMovesError for d > 8.
    """
    x, y, B = (np.asarray(array) for array in (f.x, f.targets(), f.B))
    slacks = []
    for here, vertex in zip(x, y, strict=True):
        for other in (point for point in x if (point != vertex).any()):
            image, edge = B @ here, B.T @ (vertex - other)
            gap, slope, whole = image @ (vertex - other), abs(edge).sum() + 2 * abs(image).sum(), abs(B).sum()
            eps = gap / (parts * (slope + gap + whole))
            # The slack is concave in the move of the difference, so its least value is at 2 eps times signs.
            slacks.append(
                min(gap + 2 * eps * (image @ s) - eps * abs(edge + 2 * eps * (B.T @ s)).sum() for s in _signs(len(B)))
            )
    return exact(slacks)


def _signs(d: int) -> list[Array]:
    """All vectors (d,) of signs."""
    if d > 8:
        raise TooManyMovesError(f"2^{d} ways to move the difference of two points are too many")
    return [np.array(signs) for signs in product((1, -1), repeat=d)]
