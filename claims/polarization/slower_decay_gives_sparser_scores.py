"""The slower the gradient decays, the sparser the scores: false, a factor of the loss slows everything down alike.

Section 3.2 (polarization C-reg5, E14). With l -> c l, c < 1, the gradient decays more slowly, the scores reach the
same limit, and at every finite time they are less sparse. What decides is the clock int gamma
(`scores_depend_on_clock_only`).
"""

import numpy as np
from flint import fmpq

from claims.assumptions import same_start
from claims.statement import POLARIZATION, Claim, Standing
from dynamics.arithmetic import numbers
from dynamics.conditioned_regression import ConditionedRegressionFlow


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
    paper=POLARIZATION,
    where="section 3.2, on the decay of the gradient",
    refs=("C-reg5", "E14"),
    statement="The slower the gradient decays, the stronger the sparsity of s.",
    system=ConditionedRegressionFlow,
    assumptions=(same_start,),
    standing=Standing.FALSE,
    corrected_by="polarization.scores_depend_on_clock_only",
    draw=_two_speeds,
)


@claim.limit(">= 0", times=lambda start: (fmpq(1), fmpq(3)))
def slower_copy_is_sparser(states, start: ConditionedRegressionFlow):
    """s_0 of the copy with half the loss minus s_0 of the other."""
    return np.stack([now.s[1, 0] - now.s[0, 0] for now in states])
