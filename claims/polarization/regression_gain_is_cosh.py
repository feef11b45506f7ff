"""Square loss, scores near uniform: every gap a_i - a_j is multiplied by cosh |beta_*|, whatever p.

The limit behind section 3.2 (polarization S7). Near uniform scores a gap and the gap D of its value projections obey
da/dtau = D/p and dD/dtau = K a/p, and the clock runs to tau_* = p: gain cosh(sqrt(K) tau/p). That is 1.543 for K = 1.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import near_uniform_scores, ordered_scores, two_scores, zero_values
from claims.statement import POLARIZATION, Claim
from dynamics.arithmetic import exp, sqrt
from dynamics.value_softmax import SquareLossFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3.2, the limit near uniform scores",
    refs=("S7", "C-reg3", "T3"),
    statement="a_i - a_j is multiplied by cosh |beta_*| up to O(|a(0)|), and int gamma -> p.",
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values, near_uniform_scores),
)


@claim.limit(">= 0", times=lambda start: (fmpq(2), fmpq(6), fmpq(12)))
def gaps_grow_by_cosh(states, start: SquareLossFlow, *, speed=1, length=1):
    """64 (|a(0)|^2 + 2^-40) minus the defects of a_i - a_{i+1} (cosh times its start) and of tau = p (1 - e^{-t/p})."""
    p, gaps = len(start.a), start.a[:-1] - start.a[1:]
    defects = []
    for now in states:
        tau = now.tau - start.tau
        x = speed * sqrt(now.K) * tau / p
        defects += list(now.a[:-1] - now.a[1:] - (exp(x) + exp(-x)) / 2 * gaps)
        defects.append((tau - length * p * (1 - exp(-(now.t - start.t) / p))).item())
    return 64 * (max(abs(start.a)) ** 2 + fmpq(1, 2**40)) - abs(np.array(defects, dtype=object))
