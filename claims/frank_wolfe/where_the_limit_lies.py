"""On the line the cluster of Theorem 3.1 lies within a step of the origin; in the plane it need not.

`limit_is_not_the_origin`: Question Q1: is x_inf != 0 for almost every start, even if K^0 contains 0? True on the line. If
leaders are single and targets final after finitely many steps the limit is sum u_a x_a^0 with sum u_a = 1, which is 0 on a
null set only, and there are countably many such u. So what is open is whether targets can change infinitely often, which no
instance that settles decides. Runs with ties are left out. A start whose tokens meet at 0, as opposite tokens do, should be
an exception: its tokens are first moved outwards, each by a different amount, with 0 still in the hull.

`limit_is_within_a_step_of_the_origin`: Question Q2: is |x_inf| <= C gamma D? False in the plane for C = 1, which is right
on the line. Targets are final after a few steps, so the limit is exact. Whether another constant will do is open.

`limit_is_within_a_step_of_the_origin_on_the_line`: Q2 for d = 1. In the step in which the hull leaves the origin, say to
the right, the smallest token moves to at most gamma max K, also if it is 0 and all scores tie, and the largest one to at
most (1 - gamma) max K. The end of the hull nearest to 0 then stays, and all others tend to it. If the hull never leaves the
origin the limit is 0.

`line_limit_under_open_loop_steps`: Theorem 3.1 for d = 1 in closed form, with a the largest token, -b the smallest, none at
0. The first step sends every token to -b or a, the second to (a - 2b)/3 or (2a - b)/3. If their signs differ the third step
sends all to (a - b)/2; otherwise the one nearer to 0 stays, and the other approaches it like t^{-2}, which is no linear
rate. So the energy tends to 0 only for a = b. For a = 2b or b = 2a, left out here, the rule for ties decides.
"""

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.energies import run, squared_diameter
from claims.frank_wolfe.setting.limits import (
    definite_energy,
    has_ties,
    inner_scalar_step,
    limits_in_the_end,
    on_a_line,
    run_of_a_triangle,
    run_of_constant_step,
)
from claims.frank_wolfe.setting.run_hypotheses import (
    holds_origin,
    on_the_line,
    one_energy,
    open_loop_steps,
    origin_in_hull,
    strictly_convex_energies,
    tokens_on_both_sides,
)
from claims.frank_wolfe.setting.runs import run_of_any_length
from claims.stating.statement import Section, Standing
from dynamics.arithmetic import exact
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.schedules import ScheduledHardmax

section = Section(__name__, system=HardmaxStep)

limit_is_not_the_origin = section.claim(
    where="question Q1",
    refs=("FW-5", "Q1"),
    statement="If B_* > 0 and gamma is constant, x_inf != 0 for a.e. start.",
    assumptions=(definite_energy, inner_scalar_step, origin_in_hull),
    standing=Standing.OPEN,
    draw=run_of_a_triangle,
)


# A start whose limit is 0 is moved and asked again: "almost every" forgives single starts, not open sets of them.
@limit_is_not_the_origin.orbit("> 0", exact_only=True)
def distance_of_the_limit(f: HardmaxStep, *, least=0):
    """|x_inf|^2 - least D(K^0)^2 for the limit of every token, all moved outwards first where it is 0; ties left out."""
    limits, states = limits_in_the_end(f)
    if (limits == 0).all(axis=-1).any():
        shares = exact([[fmpq(1, 4 * (k + 2))] for k in range(len(f.x))])
        limits, states = limits_in_the_end(f.replace(x=f.x * (1 + shares)))
    if has_ties(states) or not f.x.any():
        return exact([])
    return (limits * limits).sum(axis=-1) - least * squared_diameter(f.x)


limit_is_within_a_step_of_the_origin = section.claim(
    where="question Q2",
    refs=("FW-5", "Q2"),
    note=(
        "From (40, 0), (32, 40), (-1, -1) with B = -diag(1, 4) and gamma = 1/3 all tokens meet at a distance of 19.4 from "
        "the origin, more than gamma D(K^0) = 17.5. On a line the bound holds, even with min(gamma, 1 - gamma) for gamma."
    ),
    statement="If 0 in K^0, B_* > 0 and gamma is constant, |x_inf| <= gamma D(K^0).",
    assumptions=(definite_energy, inner_scalar_step, origin_in_hull),
    corrected_by="frank_wolfe.limit_is_within_a_step_of_the_origin_on_the_line",
    draw=run_of_a_triangle,
)


@limit_is_within_a_step_of_the_origin.orbit(">= 0", exact_only=True)
def room_of_the_limit(f: HardmaxStep, *, constant=1):
    """(gamma D(K^0))^2 - |x_inf|^2 for the limit of every token."""
    limits, _ = limits_in_the_end(f)
    return constant * squared_diameter(f.x) * f.P[0, 0] ** 2 - (limits * limits).sum(axis=-1)


limit_is_within_a_step_of_the_origin_on_the_line = section.claim(
    where="question Q2, d = 1",
    refs=("FW-5", "Q2"),
    statement=(
        "If d = 1, 0 in K^0, B_* > 0 and gamma is constant, |x_inf| <= min(gamma, 1 - gamma) D(K^t), K^t the last hull "
        "that holds 0."
    ),
    assumptions=(on_a_line, definite_energy, inner_scalar_step, origin_in_hull),
    draw=run_of_constant_step,
)


# D(K^t) of the last hull that holds 0, which is less than D(K^0): the bound of the proof, not that of the question.
@limit_is_within_a_step_of_the_origin_on_the_line.orbit(">= 0", exact_only=True, name="room_of_the_limit")
def room_of_the_limit_on_the_line(f: HardmaxStep, *, constant=1):
    """min(gamma, 1 - gamma)^2 D(K^t)^2 - |x_inf|^2 for the limit of every token."""
    (limits, states), gamma = limits_in_the_end(f), f.P[0, 0]
    squares = (limits * limits).sum(axis=-1)
    held = [state.x for state in states if holds_origin(state.x)] or [f.x]
    return np.asarray(constant * min(gamma, 1 - gamma) ** 2 * squared_diameter(held[-1]) - squares)


line_limit_under_open_loop_steps = section.claim(
    where="Theorem 3.1 on the line",
    refs=("FW-5", "Q1"),
    statement=(
        "d = 1, B_* > 0, t >= 3: all tokens are (a-b)/2 if a/2 < b < 2a; else those at c = (a-2b)/3 or (2a-b)/3 stay."
    ),
    system=ScheduledHardmax,
    assumptions=(on_the_line, strictly_convex_energies, one_energy, open_loop_steps, tokens_on_both_sides),
    draw=run_of_any_length,
)


# For two tokens of one sign the factor at step t is (1 - 2/(t + 2)): from t = 2 on these multiply to 6/(t (t + 1)).
@line_limit_under_open_loop_steps.orbit("== 0", exact_only=True)
def distances_from_the_limit(f: ScheduledHardmax, *, share=2):
    """x_i^t - x_i for t >= 3, with x_i = c + 6 (x_i^2 - c)/(t (t+1)), or (a-b)/2 where the origin is held.

    Nothing is said of schedules of one or two steps.
    """
    a, b = max(f.x[:, 0]), -min(f.x[:, 0])
    states, slacks = run(f), []
    for t, now in enumerate(states[3:], 3):
        c = (max(a - share * b, 0) + min(share * a - b, 0)) / 3
        end = c + 6 * (states[2].x[:, 0] - c) / (t * (t + 1)) if c else (a - b) / 2
        slacks.append(now.x[:, 0] - end)
    return exact(slacks)
