"""s_j log^2 t -> 2 K / p for every j >= 1, and u_0 - log(K t) ~ 2 K (p - 1) / (p log t).

The sharp form of Lemma B.1(b) (polarization S1, C-B1b): s_j tau^2 -> 2 / (p K) and K tau = log(K t) - C + o(1), where m -
log(K t) is so small that u_0 - log(K t) is u_0 - m. The paper's proof of the upper bound fails (E9);
`one_hot_bound_in_time` is explicit. The limits follow once index 0 leads in u and a (docs/limits_of_training.md).
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import leading_index
from claims.statement import Claim, Origin
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.slow_clocks import SlowFlow

claim = Claim(
    __name__,
    where="Lemma B.1(b), sharp",
    refs=("S1", "C-B1b", "C-3.3c", "E9"),
    statement=(
        "s_j = O(1/log^2 t) for j >= 1; sharp: s_j log^2 t -> 2 |beta_*|^2 / p, u_0 - log(K t) ~ 2K(p-1) / (p log t)."
    ),
    origin=Origin.OURS,
    system=SlowFlow,
    assumptions=(leading_index,),
)


@claim.limit("== 0", times=lambda start: (fmpq(1, 4), fmpq(1), fmpq(3)), trap=approach_trap)
def scores_tend_to_limit(limit: Approach, start: SlowFlow, *, constant=2):
    """p / K times the limits of s_j log^2 t and of (u_0 - log(K t)) log t, minus 2 and 2 (p - 1)."""
    p, K = start.p, start.K.item()
    found = limit.scores_in_time, limit.lead_in_time
    return np.array([p * x / K - constant * y for x, y in zip(found, (1, p - 1), strict=True)])
