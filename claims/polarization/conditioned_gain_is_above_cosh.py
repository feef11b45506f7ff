"""Near uniform scores, |b - X V s|^2 multiplies every gap a_i - a_j by at least cosh |w|, X w = b.

The lower half of the law of `conditioned_gain_is_below_product`, a conjecture in polarization S8, O5; cosh |w| is the gain
of the straight path from 0 to w, which equal singular values take. Proof: with g_i = g(t_i) the gap is the sum over n of
the integrals of <g_1, g_2> <g_3, g_4> ... over t_1 > ... > t_2n, and |x|^{2n} / (2n)! is the integral of the average of
such products over all pairings of the 2n times. Neighbours give the largest: <g_1, g_2> <g_3, g_4> exceeds the pairings
(13)(24) and (14)(23) by <g_1 ^ g_4, g_2 ^ g_3> and <g_1 ^ g_3, g_2 ^ g_4>. Both are >= 0, since g_k = r_k w_k e^{-r_k t}
gives each coordinate of g_i ^ g_j the same sign for all t_i > t_j. Where the singular values of the w_k != 0 are equal, as
of one alone, G = cosh |w|, by `regression_gain_is_cosh`: no enclosure tells that from less, and such starts stay undecided.
"""

from flint import fmpq

from claims.polarization.setting.regression import gap_alone
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, sqrt
from dynamics.limits.remaining_motion import GapEnd, linearised_gap_limit
from dynamics.training.conditioned_regression import LinearisedGapFlow

claim = Claim(
    __name__,
    where="section 3.2, figures 3 and 12, near uniform scores",
    refs=("S8", "O5"),
    statement="The gain G of all gaps satisfies G >= cosh |w|.",
    origin=Origin.OURS,
    system=LinearisedGapFlow,
    assumptions=(gap_alone,),
)


def _late(start):
    return [fmpq(n) / min(start.rate) for n in (16, 32, 64)]


@claim.limit(">= 0", times=_late, trap=linearised_gap_limit)
def gain_is_above_cosh(limit: GapEnd, start: LinearisedGapFlow, *, reach=1):
    """G - cosh |w|."""
    length = reach * sqrt((start.w * start.w).sum(axis=-1))
    return limit.gap - (exp(length) + exp(-length)) / 2
