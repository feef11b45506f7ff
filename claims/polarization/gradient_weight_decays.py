"""The weight gamma of the gradient is O(1/t): gamma <= 2 / (K t / p + m(0) + e^{m(0)} + 3).

The proof of Lemma B.1 takes this from equation (18), from which it does not follow (E9): (18) bounds int gamma from
below, and in the clock tau it holds for every loss, also for the linear one, where gamma = 1. Even int gamma = O(log t)
with gamma decreasing gives only gamma = O(log t / t). It does follow from m + e^m >= m(0) + e^{m(0)} + K t / p
(`loss_vanishes`), since m + e^m <= 2 (1 + e^m) - 3. Both sides agree to first order near m = 0.
"""

from claims.polarization.clock_bounds import values_near_zero
from claims.polarization.setting.scores import ASSUMPTION_3_1
from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.training.value_softmax import LogisticFlow


# What the step m + e^m <= 2 (1 + e^m) - 3 gives away, e^m - m - 1, vanishes to second order at m = 0: starts lie near it.
def _small_values(draws):
    start = values_near_zero(draws)
    return start.replace(u=8 * start.u)


claim = Claim(
    __name__,
    where="proof of Lemma B.1",
    refs=("C-B1c", "C-3.3a", "E9"),
    statement="we can say that gamma = O(1/t)",
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=ASSUMPTION_3_1,
    draw=_small_values,
)


# 2/gamma = 2 (1 + e^m): no gamma in a denominator, and the constant 3 is that of the tangent at m = 0.
@claim.rate("> 0", horizon=lambda start: 4)
def inverse_weight_outgrows_time(now: LogisticFlow, start: LogisticFlow, *, rate=1, least=3):
    """2/gamma - (K t / p + m(0) + e^{m(0)} + least)."""
    return 2 * (1 + exp(now.m)) - rate * now.K * (now.t - start.t) / len(now.a) - start.m - exp(start.m) - least
