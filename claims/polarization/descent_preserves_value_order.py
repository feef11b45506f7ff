"""Gradient descent keeps the order of the value projections, at any learning rate: open.

The other half of Theorem 3.2(a) in discrete time (polarization H9, O9). The order of the scores may break
(`descent_preserves_order`), and then a gap of u shrinks by rate gamma K (s_j - s_i) at each step; no start was found
for which this closes it.
"""

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.training.gradient_descent import LogisticDescent

claim = Claim(
    __name__,
    where="Theorem 3.2(a), asked of gradient descent",
    refs=("H9",),
    statement="If a(0) = 0 and u_0(0) > ... > u_{p-1}(0), gradient descent keeps u_0 > ... > u_{p-1} at every step.",
    origin=Origin.CARRIED_OVER,
    system=LogisticDescent,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.OPEN,
)


@claim.step("> 0")
def values_stay_ordered(f: LogisticDescent):
    """u_i - u_{i+1} after six steps."""
    for _ in range(6):
        f = f.step()
    return f.u[..., :-1] - f.u[..., 1:]
