"""Row-wise attention from A(0) = 0: q_j ~ 2 / (K tau^2), that is s_j log^2 t -> 2K, whatever the number of rows.

Section 4.1 (polarization C-4.1, S1), |beta_*| = 1, from values not nearly tied, losing ones not wide apart. A lead D =
u_0 - u_1 makes q_j K tau^2 / 2 smaller by 1 + 2D / (K tau): beside the limit it is read, within a half, at tau = 100 T^2
+ 16 D. By `rows_polarize_together` the one-query order 2 / (T K tau^2) holds with K/T in place of K, and tau ~ log(t) /
K: the 2K/T of the one-query model becomes 2K.
"""

from flint import fmpq

from claims.polarization.setting.clocks import at_most_eight_scores
from claims.polarization.setting.maps import close_losing_values
from claims.polarization.setting.rows import values_an_eighth_apart
from claims.polarization.setting.scores import two_scores, unit_target, zero_scores
from claims.statement import POLARIZATION, Claim, Origin
from dynamics.arithmetic import exp
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.row_attention import EqualRowsFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 4.1, the rate",
    refs=("C-4.1", "S1"),
    statement="From A(0) = 0, q_ij K tau^2 -> 2 for every j != 0 in every row i.",
    origin=Origin.OURS,
    system=EqualRowsFlow,
    assumptions=(at_most_eight_scores, two_scores, zero_scores, unit_target, close_losing_values, values_an_eighth_apart),
    equivalent={
        "ratios_tend_to_sharp_order: start.K * limit.ratio => limit.ratio": ("K = |beta_*|^2 = 1 is assumed."),
    },
)


def _late(start: EqualRowsFlow):
    return (100 * len(start.a) ** 2 + 16 * (start.u[0] - start.u[1]),)


@claim.limit("== 0", times=lambda start: (fmpq(1), fmpq(4), fmpq(16)), trap=approach_trap)
def ratios_tend_to_sharp_order(limit: Approach, start: EqualRowsFlow, *, order=2):
    """The limit of K q_j tau^2, minus 2."""
    return start.K * limit.ratio - order


@claim.limit("> 0", times=_late)
def ratios_are_near_sharp_order(states, start: EqualRowsFlow, *, order=2):
    """A reading: 1/4 - (q_j K tau^2 / 2 - 1)^2 at tau = 100 T^2 + 16 (u_0 - u_1)."""
    (late,) = states
    return fmpq(1, 4) - (late.K * late.tau**2 * exp(late.a[1:] - late.a[:1]) / order - 1) ** 2
