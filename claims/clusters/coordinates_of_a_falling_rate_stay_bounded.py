"""For Q^T K = I it is open whether a coordinate with a negative eigenvalue stays bounded.

The bound asked for is the sum of its initial sizes plus sqrt(omega_n). Then the moduli of negative eigenvalues would be of
no account in Theorem 3 if Q^T K = I; for indefinite Q^T K they are (`larger_moduli_give_three_hyperplanes`). The bound is
certified up to a finite time from each start, and no start that breaks it is known.
"""

from flint import fmpq

from claims.clusters.setting.hypotheses import falling_second_rate
from claims.clusters.setting.notation import omega
from claims.clusters.setting.starts_of_flows import negative_rate_start
from claims.stating.assumptions import identity_key_query
from claims.stating.statement import Claim, Standing
from dynamics.arithmetic import sqrt
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Theorem 3 and `l:nottoofassst` under Q^T K > 0",
    refs=("N4", "Q3"),
    statement="V = diag(lambda, -mu), lambda, mu > 0, Q^T K = I: |phi_2(x_i(t))| <= sum_j |phi_2(x_j(0))| + sqrt(omega_n).",
    system=SelfAttentionFlow,
    assumptions=(falling_second_rate, identity_key_query),
    draw=negative_rate_start,
    standing=Standing.OPEN,
)


# A product of the two bounds, bound - phi_2 and bound + phi_2: |phi_2| has a kink at 0.
@claim.rate(">= 0", horizon=lambda start: fmpq(1))
def bound_less_size(now: SelfAttentionFlow, start: SelfAttentionFlow, *, times=1):
    """sum_j |phi_2(x_j(0))| + sqrt(omega_n) - |phi_2(x_i(t))|, as two bounds: on phi_2 and on its negative."""
    first, after = start.x[..., 1], now.x[..., 1]
    bound = times * (abs(first).sum(axis=-1) + sqrt(omega(len(start.x), start.x)))
    return bound * bound - after * after
