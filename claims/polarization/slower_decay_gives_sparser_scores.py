"""The slower the gradient decays, the sparser the scores: false for speed alone, a factor of the loss slows all equally.

Beside section 3.2, "sparsification is controlled by the integral of the gradient magnitude: the slower the gradient
decays, the stronger the induced sparsity in the attention scores" (polarization C-reg5, E14). The integral does decide
(`scores_depend_on_clock_only`); slowness without it does not. With l -> l / 2 the gradient decays half as fast, its
integral and the limit of the scores stay, and at every finite time the scores are less sparse.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.regression import half_the_loss, same_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import numbers
from dynamics.training.conditioned_regression import ConditionedRegressionFlow


def _two_speeds(draws):
    """One model twice, X the number 1, the second copy with half the loss."""
    target = abs(draws.dyadic(1, 1, size=2, bits=2)) + 1
    a = numbers(draws.dyadic(2, 2, size=1, bits=2))
    b = np.concatenate([target, target], axis=-2)
    weight = 0 * b[..., 0] + 1
    weight[..., 1] = weight[..., 1] / 2
    return ConditionedRegressionFlow(V=0 * a[..., None, :], a=a, X=0 * b + 1, b=b, weight=weight)


claim = Claim(
    __name__,
    where="section 3.2, on the decay of the gradient, read of its speed alone",
    refs=("C-reg5", "E14"),
    note=(
        "A loss times 1/2 is slower, and its limit is the same: with X = 1, b = 3 and a(0) = (1, 0) its s_0 is "
        "behind by 0.0585 at t = 1. What decides is the integral of the gradient's magnitude."
    ),
    statement="Half the loss, whose gradient decays half as fast, gives at least as sparse scores at every time.",
    origin=Origin.OURS,
    system=ConditionedRegressionFlow,
    assumptions=(same_start, half_the_loss),
    standing=Standing.FALSE,
    corrected_by="polarization.scores_depend_on_clock_only",
    draw=_two_speeds,
)


@claim.trajectory(">= 0", horizon=lambda start: fmpq(3))
def slower_copy_is_sparser(now: ConditionedRegressionFlow, start: ConditionedRegressionFlow):
    """s_0 of the copy with half the loss minus s_0 of the other, at every time."""
    return now.s[1, :1] - now.s[0, :1]
