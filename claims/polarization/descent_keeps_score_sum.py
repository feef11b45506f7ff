"""Gradient descent keeps sum_i a_i exactly, at any learning rate: a linear invariant of the flow is also one of its steps.

Lemma D.1(b) (polarization C-D1b, M2(b)) in discrete time, logistic loss.
"""

from claims.statement import Claim, Origin
from dynamics.training.gradient_descent import LogisticDescent

claim = Claim(
    __name__,
    where="Lemma D.1(b), asked of gradient descent",
    refs=("C-D1b",),
    statement="sum_i a_i is the same at every step of gradient descent.",
    origin=Origin.CARRIED_OVER,
    system=LogisticDescent,
)


@claim.identity()
def score_sum_after_three_steps(f: LogisticDescent, *, stretch=1):
    """sum_i a_i after three steps minus stretch times sum_i a_i."""
    return f.step().step().step().a.sum(axis=-1) - stretch * f.a.sum(axis=-1)
