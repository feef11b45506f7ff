"""Smaller singular values make the loss fall more slowly at the start, from V(0) = 0 and the same scores.

What is true of the caption of figure 12 (polarization E15): with V = 0 the loss |b - X V s|^2 falls at 4 |s|^2 |X b|^2, and
|X b| shrinks with every singular value, as it does in the figure, where they run evenly from 1 to 1/kappa. A larger kappa
alone is not enough with three singular values: (1, 1, 2/5) is worse conditioned than (1, 1/2, 1/2), and faster along the
second. Later the scores differ, and |s|^2 with them.
"""

from claims.polarization.setting.regression import falling_singular_values, same_start
from claims.statement import Claim, Origin
from dynamics.differentiation import time_derivative
from dynamics.training.conditioned_regression import ConditionedRegressionFlow

claim = Claim(
    __name__,
    where="figure 12, caption, of the start",
    refs=("C-reg6", "E15"),
    statement="Smaller singular values in the same basis make the loss fall more slowly at the start.",
    origin=Origin.OURS,
    system=ConditionedRegressionFlow,
    assumptions=(same_start, falling_singular_values),
    equivalent={
        "loss_rate_at_start: f.X * f.b => f.X": (
            "No singular value grows from copy to copy: |X| falls, with or without b."
        ),
    },
)


@claim.state(">= 0")
def loss_rate_at_start(f: ConditionedRegressionFlow):
    """dl/dt of the last copy minus dl/dt of the first, over 4 weight |s|^2: |X b|^2 of the first minus that of the last."""
    push = ((f.X * f.b) ** 2).sum(axis=-1)
    return push[..., 0] - push[..., -1]


@claim.identity()
def loss_rate_formula(f: ConditionedRegressionFlow, *, factor=4):
    """dl/dt + 4 weight |s|^2 |X b|^2 where V = 0."""
    push, s = f.X * f.b, f.s
    fall = factor * f.weight * (s * s).sum(axis=-1) * (push * push).sum(axis=-1)
    return time_derivative(ConditionedRegressionFlow.loss, f) + fall
