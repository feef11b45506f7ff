"""Square loss, small target: a_i(infinity) - a_i(0) = K s_i (s_i - |s|^2) / (2 |s|^4) + O(K^2), s = s(0).

The first order in K of the limit (polarization S7): u = K s tau, da/dtau = K tau J(s) s, tau_* = 1/|s|^2.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.regression import small_target
from claims.polarization.setting.scores import ordered_scores, two_scores, zero_values
from claims.statement import Claim, Origin
from dynamics.limits.remaining_motion import SquareLossEnd, square_loss_limit
from dynamics.training.value_softmax import SquareLossFlow

claim = Claim(
    __name__,
    where="section 3.2, the limit for small |beta_*|",
    refs=("S7", "T3"),
    statement="a_i(infinity) - a_i(0) = K s_i (s_i - |s|^2) / (2 |s|^4) + O(K^2), s = s(0).",
    origin=Origin.OURS,
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values, small_target),
)


def _late(start):
    return [len(start.a) * fmpq(n) for n in (16, 32)]


@claim.limit(">= 0", times=_late, trap=square_loss_limit)
def first_order_in_target(limit: SquareLossEnd, start: SquareLossFlow, *, share=1, constant=1):
    """constant (K / |s|^4)^2 - |a_i(infinity) - a_i(0) - K s_i (s_i - |s|^2) / (2 |s|^4)|, s = s(0)."""
    s, spread = start.s, (start.s * start.s).sum()
    shift = share * start.K * s * (s - spread) / (2 * spread**2)
    return constant * (start.K / spread**2) ** 2 - abs(limit.a - start.a - shift)


@claim.limit(">= 0", times=_late, trap=square_loss_limit)
def clock_nears_inverse_spread(limit: SquareLossEnd, start: SquareLossFlow, *, most=1, constant=1):
    """1 - |s|^2 tau_* and |s|^2 tau_* - 1 + constant K / |s|^4, s = s(0)."""
    spread = (start.s * start.s).sum()
    length = spread * (limit.tau - start.tau)
    return np.stack([most - length, length - most + constant * start.K / spread**2])
