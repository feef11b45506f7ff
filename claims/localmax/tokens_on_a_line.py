"""On a line tokens keep their order, and a limit hull that is no point contains zero.

`line_limits_straddle_zero`: The ends v < w are vertices, and neither attends to the other: a v (v - w) >= delta and a w
(w - v) >= delta.

`order_is_kept_on_a_line`: The average c(x) does not fall with x: a larger x > 0 tolerates fewer tokens, all of them at
the right end. So distinct tokens never merge (LM-11, HM-4b). It fails in the plane, and for the rule that each token is
its own neighbour.
"""

import numpy as np
from flint import fmpq

from claims.localmax.setting.ends import limits, margins
from claims.localmax.setting.hypotheses import (
    additive_rule,
    definite_matrix,
    neighbours_by_score,
    one_dimension,
    open_step_size,
    step_size_below_one,
)
from claims.localmax.setting.starts import lattice_or_pair
from claims.stating.statement import Draws, Section
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, system=LocalmaxStep)


# A small unit makes delta small without changing which gaps it admits, for the bounds are compared with delta itself.
def _in_any_unit(draws: Draws) -> LocalmaxStep:
    """A lattice start or pair, half of the time in a unit of 1 to 1/16: so delta may be small."""
    f, unit = lattice_or_pair(draws), fmpq(1, 1 << draws.integer(0, 4) * draws.integer(0, 1))
    return f.replace(z=f.z * unit, delta=f.delta * unit * unit)


line_limits_straddle_zero = section.claim(
    refs=("LM-11",),
    statement="d = 1, A = a > 0: a limit interval [v,w], v < w, must have v < 0 < w, |v| (w-v) a >= delta and "
    "w (w-v) a >= delta.",
    assumptions=(additive_rule, definite_matrix, open_step_size, one_dimension),
    draw=_in_any_unit,
)


@line_limits_straddle_zero.orbit(">= 0", exact_only=True)
def ends_are_unheard(f: LocalmaxStep, *, factor=1):
    """-a v (w - v) - delta and a w (w - v) - delta."""
    end, delta = limits(f)[:, 0], factor * f.delta.item()
    v, w, a = end.min(), end.max(), f.A[0, 0]
    return margins([-a * v * (w - v) - delta, a * w * (w - v) - delta] if v < w else [])


# From delta >= 0 alone: an end v >= 0 would attend to w, whose score is larger.
@line_limits_straddle_zero.orbit("> 0", exact_only=True)
def zero_is_inside(f: LocalmaxStep):
    """-v and w."""
    end = limits(f)[:, 0]
    return margins([-end.min(), end.max()] if end.min() < end.max() else [])


order_is_kept_on_a_line = section.claim(
    refs=("LM-11", "HM-4b"),
    statement="If d = 1, A = a > 0 and x_i > x_j then x_i' - x_j' >= (1 - gamma) (x_i - x_j), for every delta >= 0.",
    assumptions=(one_dimension, definite_matrix, neighbours_by_score, step_size_below_one),
)


# Neighbours in order suffice, since gaps add up; ties are sorted anyhow, as equal tokens step to one place.
@order_is_kept_on_a_line.step(">= 0")
def gaps_contract_by_step_at_most(f: LocalmaxStep, *, keep=1):
    """(x_i' - x_j') - (1 - gamma) (x_i - x_j) for tokens next to each other, x_i >= x_j."""
    x, after = f.z[..., 0], f.step().z[..., 0]
    order = np.argsort(x, axis=-1)
    before, after = (np.diff(np.take_along_axis(values, order, axis=-1), axis=-1) for values in (x, after))
    return after - (keep - f.gamma)[..., None] * before
