"""The hardmax flow may have several solutions where the start has a tie; at a later tie it keeps one of the two targets.

Question Q11: Theorem `thm: ode` without hypotheses (1) and (2) of Theorem 4.2.

`flow_has_one_solution`: Without (2). Let v_j lead x_i^0 together with others. On the way to v_j, <B x_i(t), v_j - v_k> is a
part of the way from 0 to <B v_j, v_j - v_k> > 0, so v_j alone leads for all t > 0. So each vertex that leads at the start
gives a classical solution; the token may also wait for any time first.

`flow_crosses_ties`: Without (1) and (2), for definite B: the flow never slides between two targets. With target y the lead
<Bx, y - z> grows at the rate r_y, with target z at r_z = r_y - |y - z|_B^2, whatever y and z do. So r_y > 0 or r_z < 0. A
tie that is reached under y has r_y <= 0: if r_y < 0 the token changes to z and stays with it, and the solution is unique;
if r_y = 0 it may choose. Two solutions need r_z <= 0 <= r_y, at a tie of the start or one that is only touched. Whether
almost no start comes to touch one is open here.
"""

from typing import Any

import numpy as np

from claims.frank_wolfe.setting.cells import own_vertex_cells
from claims.frank_wolfe.setting.questions import own_cells_and_a_wall, tied_targets
from claims.frank_wolfe.setting.runs import where_unmet
from claims.stating.assumptions import definite_key_query
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, exact
from dynamics.attention import leaders
from dynamics.polytopes import vertices
from dynamics.tokens.hardmax import HardmaxStep

section = Section(__name__, refs=("Q11", "FW-12"), system=HardmaxStep)

flow_has_one_solution = section.claim(
    where="Theorem thm: ode without hypothesis (2) of Theorem 4.2 (question Q11)",
    note=(
        "For B = 1 the token 0 between 1 and -1 has the same score with both and may move to either: both curves x_i(t) = "
        "e^{-t} x_i + (1 - e^{-t}) v solve the equation. Where every token lies in one cell at the start there is one "
        "solution."
    ),
    statement="If every vertex owns its cell the flow x_i' = argmax_{x_j} <B x_i, x_j> - x_i has one solution.",
    origin=Origin.CARRIED_OVER,
    assumptions=(where_unmet(own_vertex_cells),),
    corrected_by="frank_wolfe.flow_keeps_its_targets",
    draw=own_cells_and_a_wall,
)


# Vertices only, as the argument needs a v_j that leads itself: <B v_j, v_j - v_k> > 0.
@flow_has_one_solution.step(">= 0", exact_only=True, argued="v_j leads alone on the way to it: both are solutions")
def solutions_agree(f: HardmaxStep):
    """-|v_j - v_k|^2 for the vertices v_j, v_k that lead one token: x_i(t) = e^{-t} x_i + (1 - e^{-t}) v for both."""
    corner = np.isin(np.arange(len(f.x)), vertices(f.x))
    led = leaders(f.scores()) & corner
    pairs = [(j, k) for row in led for j in np.flatnonzero(row) for k in np.flatnonzero(row) if j < k]
    return exact([-sum((f.x[j] - f.x[k]) ** 2) for j, k in pairs])


# Of two numbers the larger is at least half the sum: (r_y - r_z)/2 = |y - z|_B^2/2.
flow_crosses_ties = section.claim(
    where="question Q11",
    statement="If B > 0 and <Bx_i, y> = <Bx_i, z>, y != z, are largest: max(r_y, -r_z) >= |y - z|_B^2/2 > 0.",
    assumptions=(where_unmet(definite_key_query),),
    draw=tied_targets,
)


def ties(f: HardmaxStep) -> list[tuple[Any, Any, Any]]:
    """All tokens i, each with two that lead it, at different points."""
    return [
        (i, j, k)
        for i, row in enumerate(leaders(f.scores()))
        for j in np.flatnonzero(row)
        for k in np.flatnonzero(row)
        if k > j and (f.x[k] != f.x[j]).any()
    ]


def rates_at_ties(f: HardmaxStep) -> list[tuple[Array, Array, Array]]:
    """r_y, r_z and |y - z|_B^2 for all tokens and pairs of different points that lead them."""
    x, v, B = np.asarray(f.x), np.asarray(f.targets() - f.x), np.asarray(f.B)
    found = []
    for i, j, k in ties(f):
        apart = x[j] - x[k]
        carried = (B @ x[i]) @ (v[j] - v[k])
        found.append(((B @ (x[j] - x[i])) @ apart + carried, (B @ (x[k] - x[i])) @ apart + carried, B @ apart @ apart))
    return found


# Along these straight moves a lead is quadratic in h, so that half its change from -1 to 1 is its slope at 0.
def lead_after(f: HardmaxStep, h: int, target: int, tie: tuple[Any, Any, Any]) -> Array:
    """<Bx_i, y - z> once i has gone h times the way to a token, and y and z to their own targets."""
    i, j, k = tie
    moved = f.x + h * (f.targets() - f.x)
    return np.asarray((f.B @ (f.x[i] + h * (f.x[target] - f.x[i]))) @ (moved[j] - moved[k]))


@flow_crosses_ties.step("> 0", exact_only=True)
def one_target_is_kept(f: HardmaxStep):
    """max(r_y, -r_z)."""
    return exact([max(first, -second) for first, second, _ in rates_at_ties(f)])


@flow_crosses_ties.step(">= 0", exact_only=True)
def rates_are_apart(f: HardmaxStep, *, share=1):
    """max(r_y, -r_z) - |y - z|_B^2/2, for any B."""
    return exact([max(first, -second) - share * distance / 2 for first, second, distance in rates_at_ties(f)])


@flow_crosses_ties.state("== 0", assuming=(), exact_only=True)
def rates_are_those_of_leads(f: HardmaxStep, *, share=2):
    """The change of <Bx_i, y - z> from h = -1 to h = 1 less 2 r, for both targets: it is quadratic in h."""
    return exact(
        [
            lead_after(f, 1, target, tie) - lead_after(f, -1, target, tie) - share * rate
            for tie, rates in zip(ties(f), rates_at_ties(f), strict=True)
            for target, rate in zip(tie[1:], rates[:2], strict=True)
        ]
    )
