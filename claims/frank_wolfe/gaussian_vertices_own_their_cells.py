"""Gaussian vertices own their cells with probability at least 1 - kappa (kappa - 1)/2 (1 + 1/cond B)^{-d/2}.

Remark `prop: d.to.infty` (frank_wolfe FW-9); the rate is ours. Given v_i, <B v_i, v_j> is N(0, |B v_i|^2), so v_j
wins with chance Q(x), x = <B v_i, v_i>/|B v_i|. Q(x) <= e^{-x^2/2}/2, x^2 >= <B v_i, v_i>/lambda_max, and the Gaussian
integral E e^{-<B v, v>/(2 lambda_max)} is prod_i (1 + lambda_i/lambda_max)^{-1/2}. What is checked is each inequality.
"""

import numpy as np

from claims.frank_wolfe.setting.gaussian import gaussian_vertices, positive_diagonal_key_query, spectrum
from claims.frank_wolfe.setting.softmax_steps import largest
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, indicator, log, numbers, sqrt
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Remark prop: d.to.infty, section 4",
    refs=("FW-9",),
    statement="P(<B v_i, v_i> > <B v_i, v_j> for all i != j) -> 1 as d -> inf for v_i iid N(0, I_d), cond B bounded.",
    origin=Origin.REPORTED,
    system=HardmaxStep,
    assumptions=(positive_diagonal_key_query,),
    draw=gaussian_vertices,
)

ABOVE_TWO_PI = (10838702, 1725033)
BELOW_TWO_PI = (103993, 16551)
"""Numerators and denominators of numbers a little above and a little below 2 pi."""

TERMS = 80
"""Terms of the series of Q that are summed up to x = 2: all are positive, and those left out are below 10^-50 there."""


def _density(square, two_pi):
    """phi(x), or a number a little below or above it, as two_pi is above or below 2 pi."""
    return exp(-square / 2) / sqrt(numbers(0 * square + two_pi[0]) / two_pi[1])


def _tail_from_series(square):
    """At least Q(x) = 1/2 - phi(x) (x + x^3/3 + x^5/15 + ...), x^2 = square."""
    term = sqrt(square)
    total = 0 * term
    for k in range(TERMS):
        total, term = total + term, term * square / (2 * k + 3)
    return (1 - 2 * _density(square, ABOVE_TWO_PI) * total) / 2


def _quadratic_forms(f):
    """<B v_i, v_i> and |B v_i|^2, shape (..., kappa)."""
    eigenvalues = spectrum(f)[..., None, :]
    return [numbers((eigenvalues**k * f.x * f.x).sum(axis=-1)) for k in (1, 2)]


@claim.state(">= 0")
def score_beats_its_spread(f: HardmaxStep):
    """lambda_max <B v_i, v_i> - |B v_i|^2."""
    score, spread = _quadratic_forms(f)
    return largest(spectrum(f))[..., None] * score - spread


@claim.state(">= 0")
def tail_is_below_half_exponential(f: HardmaxStep, *, half=2):
    """e^{-x^2/2}/2 less a bound of Q(x), x = <B v_i, v_i>/|B v_i|: its series up to x = 2, phi(x)/x from there on."""
    score, spread = _quadratic_forms(f)
    spread = spread + (spread == 0)  # the zero vertex has x = 0
    square = numbers(score**2 / spread)
    far = indicator(np.asarray(square > 4, dtype=bool), square)
    near_square, far_square = numbers((1 - far) * square), numbers(far * square + (1 - far) * 4)
    mills = _density(far_square, BELOW_TWO_PI) / sqrt(far_square)
    tail = far * mills + (1 - far) * _tail_from_series(near_square)
    return exp(-square / 2) / half - tail


@claim.state(">= 0")
def product_is_below_power(f: HardmaxStep, *, times=1):
    """(sum_i log(1 + lambda_i/lambda_max) - d log(1 + lambda_min/lambda_max)) / 2, of the logs of the two bounds."""
    eigenvalues = spectrum(f)
    top, bottom = largest(eigenvalues), -largest(-eigenvalues)
    product = 1 + 0 * top
    for i in range(eigenvalues.shape[-1]):
        product = product * (1 + eigenvalues[..., i] / top) / (1 + times * bottom / top)
    return log(product) / 2
