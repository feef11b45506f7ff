"""Near uniform scores, |b - X V s|^2 multiplies every gap a_i - a_j by at most prod_k cosh(w_k), X w = b.

The law behind figures 3 and 12 (polarization S8): the gap and the difference of columns obey gap' = <g, D>, D' = g
gap with int g = w, a product of Lorentz boosts, so gap^2 - |D|^2 is conserved and cosh(x_1) ... cosh(x_d) bounds the
gap, x = int_0^t g: written as sums of iterated integrals of positive products of g_k, it has the terms of the gap and more.
The singular values enter only through the order in which x reaches w; with all of them equal the gain is cosh |w|
(`regression_gain_is_cosh`), its least value (`conditioned_gain_is_above_cosh`). Where only one of the w_k is not 0 both
bounds are attained: no enclosure tells that, and such starts stay undecided.
"""

from flint import fmpq

from claims.polarization.setting.regression import gap_alone
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.limits.remaining_motion import GapEnd, linearised_gap_limit
from dynamics.training.conditioned_regression import LinearisedGapFlow

claim = Claim(
    __name__,
    where="section 3.2, figures 3 and 12, near uniform scores",
    refs=("S8", "E14", "C-reg6"),
    statement="The gain G of all gaps satisfies G <= prod_k cosh(w_k).",
    origin=Origin.OURS,
    system=LinearisedGapFlow,
    assumptions=(gap_alone,),
)


def _cosh(x):
    return (exp(x) + exp(-x)) / 2


@claim.identity(assuming=())
def boost_is_conserved(f: LinearisedGapFlow, *, share=1):
    """d(gap^2 - |D|^2)/dt / 2."""
    gap_rate, D_rate, _ = f.velocity()
    return f.gap * gap_rate - share * (f.D * D_rate).sum(axis=-1)


def _late(start):
    return [fmpq(n) / min(start.rate) for n in (16, 32, 64)]


@claim.limit(">= 0", times=_late, trap=linearised_gap_limit)
def gain_is_below_product(limit: GapEnd, start: LinearisedGapFlow, *, reach=1):
    """prod_k cosh(w_k) - G."""
    return _cosh(reach * start.w).prod(axis=-1) - limit.gap
