"""Along the explicit solution of the hardmax flow every target stays the only one.

Theorem `thm: ode` (frank_wolfe FW-12): under (1) and (2) of Theorem 4.2 x_i(t) = e^{-t} x_i^0 + (1 - e^{-t}) v_sigma(i)
solves x_i' = y_i - x_i, y_i the maximiser of <B x_i, .> among the tokens. What is checked is the strict gap of scores.
It makes the solution the only one: near it the targets are the same and the right side is v_sigma(i) - x_i, so that no
other one can part from it. With s = e^{-t} everything is rational, and gaps of scores are quadratics in s whose least
value over (0, 1] is decided. Token j with the same vertex comes to it like s, and the gap is divided by s. Stated for
B > 0, which this does not use; without (2) a token may leave in several directions, or wait.
"""

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.cells import tokens_in_one_cell
from claims.frank_wolfe.setting.runs import own_cells_or_a_kite, step_with_own_cells, where_unmet
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Theorem thm: ode, section 4",
    refs=("FW-12",),
    statement="x_i(t) = e^{-t} x_i^0 + (1-e^{-t}) v_sigma(i) is the only solution: it keeps <B x_i, v_sigma(i) - x_j> > 0.",
    origin=Origin.REPORTED,
    system=HardmaxStep,
    assumptions=(own_cells_or_a_kite, where_unmet(tokens_in_one_cell)),
    draw=step_with_own_cells,
)


def least_on_unit_interval(constant: fmpq, slope: fmpq, curvature: fmpq) -> fmpq:
    """min over s in [0, 1] of constant + slope s + curvature s^2."""
    ends = min(constant, constant + slope + curvature)
    if curvature > 0 and 0 < -slope < 2 * curvature:
        return min(ends, constant - slope * slope / (4 * curvature))
    return ends


@claim.orbit("> 0", exact_only=True)
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
