"""On a line a limit interval, if not a point, contains zero, so far from both ends that neither attends to the other.

localmax LM-11. The ends v, w are vertices: a v (v - w) >= delta and a w (w - v) >= delta.
"""

from flint import fmpq

from claims.localmax.setting.ends import limits, margins
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, one_dimension, open_step_size
from claims.localmax.setting.starts import lattice_or_pair
from claims.statement import Claim, Draws, Origin
from dynamics.tokens.localmax import LocalmaxStep


def _in_any_unit(draws: Draws) -> LocalmaxStep:
    """A lattice start or pair, half of the time in a unit of 1 to 1/16: so delta may be small."""
    f, unit = lattice_or_pair(draws), fmpq(1, 1 << draws.integer(0, 4) * draws.integer(0, 1))
    return f.replace(z=f.z * unit, delta=f.delta * unit * unit)


claim = Claim(
    __name__,
    refs=("LM-11",),
    statement="d = 1, A = a > 0: a limit interval [v,w], v < w, must have v < 0 < w, |v| (w-v) a >= delta and "
    "w (w-v) a >= delta.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, one_dimension),
    draw=_in_any_unit,
)


@claim.orbit(">= 0", exact_only=True)
def ends_are_unheard(f: LocalmaxStep, *, factor=1):
    """-a v (w - v) - delta and a w (w - v) - delta."""
    end, delta = limits(f)[:, 0], factor * f.delta.item()
    v, w, a = end.min(), end.max(), f.A[0, 0]
    return margins([-a * v * (w - v) - delta, a * w * (w - v) - delta] if v < w else [])


@claim.orbit("> 0", exact_only=True)
def zero_is_inside(f: LocalmaxStep):
    """-v and w."""
    end = limits(f)[:, 0]
    return margins([-end.min(), end.max()] if end.min() < end.max() else [])
