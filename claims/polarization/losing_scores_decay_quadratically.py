"""The losing scores decay like one over log^2 t, with explicit constants: q_j <= 1 / R(xi), xi = (u_0 - u_0(0)) / K.

Lemma B.1(b) (polarization C-B1b), whose printed proof does not show it (E9). In the clock xi = int s_0 dtau the leader
gains exactly K xi, w_j = u_0 - u_j moves by w_j' = K (1 - q_j) and 1/q_j by at least w_j. So 1/q_j stays above the
solution R of R'' = K (1 - 1/R), R(0) = 1, R'(0) = delta_j = w_j(0), and R >= 1 + delta_j xi gives the closed bound

    R >= 1 + delta_j xi + K (xi^2/2 - ((1 + delta_j xi) log(1 + delta_j xi) - delta_j xi) / delta_j^2)    (S5).

It grows like K xi^2/2, and xi like log t by `leading_value_outgrows_time`. In particular q_j <= 1 / (1 + delta_j xi).
"""

import numpy as np
from flint import fmpq

from claims.assumptions import leading_value, two_scores, zero_scores
from claims.polarization.score_ratios_decay import inverse_ratio_speed
from claims.statement import POLARIZATION, Claim
from dynamics.arithmetic import exp, log
from dynamics.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Lemma B.1(b), proved anew",
    refs=("C-B1b", "E9", "S5", "M2(l)"),
    statement="s_j = O(1 / log^2 t) for j != 0; explicitly 1/q_j >= R((u_0 - u_0(0)) / |beta_*|^2).",
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, leading_value),
)


def least_inverse_ratio(K, gap, xi):
    """The closed lower bound on R(xi) above, for each gap; 1 for a gap of zero."""
    grown = 1 + gap * xi
    lost = (grown * log(grown) - gap * xi) / (gap * gap + (gap == 0))
    return grown + K * ((gap != 0) * xi * xi / 2 - lost)


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def inverse_ratio_speeds_up(now: LogisticFlow, start: LogisticFlow, *, K_factor=1):
    """delta_j (d(1/q_j)/dxi - delta_j - K xi) + K log(1 + delta_j xi) at every t > 0, the derivative of the bound."""
    gap, xi = start.u[:1] - start.u[1:], (now.u[:1] - start.u[:1]) / now.K
    excess = inverse_ratio_speed(now) / now.s[:1] - gap
    return gap * excess - K_factor * now.K * (gap * xi - log(1 + gap * xi))


@claim.limit("> 0", times=lambda start: (fmpq(1), fmpq(3), fmpq(9)))
def inverse_ratio_exceeds_bound(states, start: LogisticFlow, *, K_factor=1):
    """1/q_j minus the closed bound at tau = 1, 3, 9."""
    gap = start.u[:1] - start.u[1:]
    margins = []
    for now in states:
        xi = (now.u[:1] - start.u[:1]) / now.K
        margins.append(exp(now.a[:1] - now.a[1:]) - least_inverse_ratio(K_factor * now.K, gap, xi))
    return np.concatenate(margins)
