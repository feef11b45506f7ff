"""Square loss, scores near uniform: every gap a_i - a_j is multiplied by cosh |beta_*|, whatever p.

The limit behind section 3.2 (polarization S7). Near uniform scores a gap and the gap D of its value projections obey
da/dtau = D/p and dD/dtau = K a/p, and the clock runs to tau_* = p: gain cosh(sqrt(K) tau/p). That is 1.543 for K = 1.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.regression import near_uniform_scores
from claims.polarization.setting.scores import ordered_scores, two_scores, zero_values
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, sqrt
from dynamics.limits.remaining_motion import SquareLossEnd, square_loss_limit
from dynamics.training.value_softmax import SquareLossFlow

claim = Claim(
    __name__,
    where="section 3.2, the limit near uniform scores",
    refs=("S7", "C-reg3", "T3"),
    statement="a_i - a_j is multiplied by cosh |beta_*| up to O(|a(0)|), and int gamma -> p.",
    origin=Origin.OURS,
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values, near_uniform_scores),
)


@claim.limit(">= 0", times=lambda start: [len(start.a) * fmpq(n) for n in (24, 36)], trap=square_loss_limit)
def gaps_grow_by_cosh(limit: SquareLossEnd, start: SquareLossFlow, *, speed=1, length=1):
    """64 (|a(0)|^2 + 2^-40) minus the defects of a_i - a_{i+1} (cosh |beta_*| times its start) and of tau_* = p."""
    p, root = len(start.a), speed * sqrt(start.K)
    gaps = limit.a[:-1] - limit.a[1:] - (exp(root) + exp(-root)) / 2 * (start.a[:-1] - start.a[1:])
    clock = limit.tau - start.tau - length * p
    return 64 * (max(abs(start.a)) ** 2 + fmpq(1, 2**40)) - abs(np.concatenate([gaps, clock[None]]))
