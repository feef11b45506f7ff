"""With V frozen the losing scores decay exactly like one over the clock: s_j tau -> 1 / (p (u_0 - u_j)).

The sharp form of `frozen_values_also_polarise` (polarization E10), for p scores that start equal. As s -> e_0 the
ratios r_j = s_0 / s_j obey r_j' = w_j + r_j sum_k w_k / r_k with w_k = u_0 - u_k, solved by r_j = p w_j tau. Since tau
/ t -> gamma_inf = 1 / (1 + e^{u_0}), in time t s_j -> 1 / (p w_j gamma_inf). A lead of 1 makes tau = 4 and 16 late times.
"""

from flint import fmpq

from claims.assumptions import two_scores, wide_lead, zero_scores
from claims.statement import POLARIZATION, Claim
from dynamics.frozen_values import FrozenValuesFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3.1, on joint training, sharpened",
    refs=("C-joint", "E10"),
    printed="If only a is trained, from a(0) = 0, p (u_0 - u_j) tau s_j -> 1 for j != 0.",
    system=FrozenValuesFlow,
    assumptions=(two_scores, zero_scores, wide_lead),
)


@claim.limit("> 0", times=lambda start: (fmpq(4), fmpq(16)))
def remainder_shrinks(states, start: FrozenValuesFlow, *, slope=1, shrink=4):
    """(3 e(4))^2 - (4 e(16))^2, e(tau) = p (u_0 - u_j) tau s_j - 1: four times later, less than three quarters."""
    gaps = slope * len(start.u) * (start.u[:1] - start.u[1:])
    early, late = (gaps * (now.tau - start.tau) * now.s[1:] - 1 for now in states)
    return 9 * early * early - shrink * shrink * late * late
