"""q_j tau^2 -> 2 / (p K) for every j >= 1: all losing scores decay alike, and q_j / q_k - 1 = O(tau^{-2/p}).

The sharp form of Theorem 3.3(b) and Lemma B.1(b) (polarization S1). Balance of the flow in sigma = log T, T = 1 + tau: with
u_0 - u_j ~ K tau, E_j = q_j T^2 rests where 2 = K (E_j + sum_k E_k); the slowest error dies out like e^{-2 sigma / p}.
The limit follows once index 0 leads in u and a (docs/limits_of_training.md). How fast it is reached is explicit from a
state near it on (docs/slow_clocks.md), and is checked from starts that are near it already.
"""

from flint import fmpq

from claims.polarization.setting.clocks import leading_index
from claims.statement import Claim, Origin
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.slow_clocks import SlowFlow

claim = Claim(
    __name__,
    where="Theorem 3.3(b), Lemma B.1(b), sharp",
    refs=("S1", "C-3.3b", "C-B1b"),
    statement="q_j tau^2 -> 2 / (p |beta_*|^2), q_j / q_k - 1 = O(tau^{-2/p}) for all j, k >= 1.",
    origin=Origin.OURS,
    system=SlowFlow,
    assumptions=(leading_index,),
)


@claim.limit("== 0", times=lambda start: (fmpq(1, 4), fmpq(1), fmpq(3)), trap=approach_trap)
def ratios_tend_to_limit(limit: Approach, start: SlowFlow, *, constant=2):
    """The limit of p K q_j tau^2, minus 2."""
    return start.p * start.K * limit.ratio - constant
