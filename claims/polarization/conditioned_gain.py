"""Near uniform scores |b - X V s|^2 multiplies gaps a_i - a_j by a gain from cosh |w| to prod_k cosh(w_k), X w = b.

This is the law behind figures 3 and 12 (S8). The gap and the difference D of columns obey gap' = <g, D>, D' = g gap
with int g = w: a product of Lorentz boosts, which conserves gap^2 - |D|^2. If all singular values of the w_k != 0 are
equal, the gain is cosh |w| (`regression_gain_is_cosh`), and if only one w_k != 0 both bounds are attained. No enclosure
separates an equality from less, so such starts stay undecided.

`conditioned_gain_is_above_cosh`: The source has this half as a conjecture (O5); here is a proof. With g_i = g(t_i) the
gap is the sum over n of the integrals of <g_1, g_2> <g_3, g_4> ... over t_1 > ... > t_2n, and |x|^{2n} / (2n)! is the
integral of the average of such products over all pairings of the 2n times. The pairing of neighbours gives the largest
product: <g_1, g_2> <g_3, g_4> exceeds the pairings (13)(24) and (14)(23) by <g_1 ^ g_4, g_2 ^ g_3> and <g_1 ^ g_3, g_2
^ g_4>. Both are >= 0, since g_k = r_k w_k e^{-r_k t} gives each coordinate of g_i ^ g_j the same sign for all t_i >
t_j.

`conditioned_gain_is_below_product`: With x = int_0^t g, cosh(x_1) ... cosh(x_d) bounds the gap: written as sums of
iterated integrals of positive products of g_k, it has the terms of the gap and more. The singular values enter only
through the order in which x reaches w.
"""

from flint import fmpq

from claims.polarization.setting.regression import gap_alone
from claims.stating.statement import Section
from dynamics.arithmetic import exp, sqrt
from dynamics.limits.remaining_motion import GapEnd, linearised_gap_limit
from dynamics.training.conditioned_regression import LinearisedGapFlow

# The linear flow of one gap: near uniform scores all gaps are multiplied by the same gain, whatever p.
section = Section(
    __name__, where="section 3.2, figures 3 and 12, near uniform scores", system=LinearisedGapFlow, assumptions=(gap_alone,)
)

conditioned_gain_is_above_cosh = section.claim(
    refs=("S8", "O5"),
    statement="The gain G of all gaps satisfies G >= cosh |w|.",
)


# x approaches w like e^{-rate t}: after 16 units of the slowest rate 10^-7 of the way is left.
def _late(start):
    return [fmpq(n) / min(start.rate) for n in (16, 32, 64)]


@conditioned_gain_is_above_cosh.limit(">= 0", times=_late, trap=linearised_gap_limit)
def gain_is_above_cosh(limit: GapEnd, start: LinearisedGapFlow, *, reach=1):
    """G - cosh |w|."""
    length = reach * sqrt((start.w * start.w).sum(axis=-1))
    return limit.gap - (exp(length) + exp(-length)) / 2


conditioned_gain_is_below_product = section.claim(
    refs=("S8", "E14", "C-reg6"),
    statement="The gain G of all gaps satisfies G <= prod_k cosh(w_k).",
)


def _cosh(x):
    return (exp(x) + exp(-x)) / 2


# Why the steps are Lorentz boosts: they keep gap^2 - |D|^2, which is 1 at the start.
@conditioned_gain_is_below_product.identity(assuming=())
def boost_is_conserved(f: LinearisedGapFlow, *, share=1):
    """d(gap^2 - |D|^2)/dt / 2."""
    gap_rate, D_rate, _ = f.velocity()
    return f.gap * gap_rate - share * (f.D * D_rate).sum(axis=-1)


@conditioned_gain_is_below_product.limit(">= 0", times=_late, trap=linearised_gap_limit)
def gain_is_below_product(limit: GapEnd, start: LinearisedGapFlow, *, reach=1):
    """prod_k cosh(w_k) - G."""
    return _cosh(reach * start.w).prod(axis=-1) - limit.gap
