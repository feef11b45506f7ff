"""Square loss, large target: 1 - s_0(infinity) = 2 (p - 1) / (p K) (1 + O(K^{-1/2})), and int gamma = 1 + O(K^{-1/2}).

The other end of the limit of section 3.2 (polarization S7). After a time O(K^{-1/2}) the leader takes over and the path
is that of the one-hot asymptotics, s_j = 2/(p K tau^2), stopped at tau_* = 1. For p = 2 it is the first integral
(u_0 - u_1)^2 / 2 - K cosh(a_0 - a_1). The constant of the remainder is measured, for gaps to the leader between 1/2 and 2;
it grows without bound towards ties and far leaders.
"""

from flint import fmpq

from claims.polarization.setting.regression import large_target, moderate_lead
from claims.polarization.setting.scores import ordered_scores, two_scores, zero_values
from claims.statement import Claim, Origin
from dynamics.limits.remaining_motion import SquareLossEnd, square_loss_limit
from dynamics.training.value_softmax import SquareLossFlow


def _leader_ahead(draws):
    """p = 2 or 3, the leader 1/2 to 3/2 ahead of the others, which differ by at most 1/2; values zero."""
    p, most = draws.integer(2, 3), {"large target": 48, "huge target": 2**12}[draws.choice(("large target", "huge target"))]
    K = 0 * draws.dyadic(size=1) + draws.integer(most // 3, most)
    a = -abs(draws.dyadic(p, size=1, bits=3)) / 2
    a[..., 0] = (0 * a[..., 0] + draws.integer(2, 4)) / 4
    return SquareLossFlow(u=0 * a, a=a, K=K, t=draws.dyadic(), tau=draws.dyadic())


claim = Claim(
    __name__,
    where="section 3.2, the limit for large |beta_*|",
    refs=("S7", "E17", "T3"),
    statement="1 - s_0(infinity) ~ 2 (p - 1) / (p K) and int gamma -> 1 as K -> infinity.",
    origin=Origin.OURS,
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values, large_target, moderate_lead),
    draw=_leader_ahead,
)


def _late(start):
    return (fmpq(8), fmpq(16), fmpq(32))


@claim.limit("> 0", times=_late, trap=square_loss_limit)
def rest_is_two_over_target(limit: SquareLossEnd, start: SquareLossFlow, *, share=1, constant=8):
    """(constant / sqrt(K))^2 - (p K (1 - s_0) / (2 (p - 1)) - share)^2 at the limit."""
    p = len(start.a)
    return constant**2 / start.K - (p * start.K * limit.s[1:].sum() / (2 * (p - 1)) - share) ** 2


@claim.limit("> 0", times=_late, trap=square_loss_limit)
def clock_nears_one(limit: SquareLossEnd, start: SquareLossFlow, *, least=1, constant=8):
    """(constant / sqrt(K))^2 - (tau_* - least)^2."""
    return constant**2 / start.K - (limit.tau - start.tau - least) ** 2
