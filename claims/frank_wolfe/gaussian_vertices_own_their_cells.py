"""Gaussian vertices own their cells with probability at least 1 - kappa (kappa - 1)/2 (1 + 1/cond B)^{-d/2}.

Remark `prop: d.to.infty` (frank_wolfe FW-9); the rate is not printed. Given v_i, <B v_i, v_j> is N(0, |B v_i|^2), so v_j
wins with chance Q(x), x = <B v_i, v_i>/|B v_i|. Q(x) <= e^{-x^2/2}/2, x^2 >= <B v_i, v_i>/lambda_max, and the Gaussian
integral E e^{-<B v, v>/(2 lambda_max)} is prod_i (1 + lambda_i/lambda_max)^{-1/2}. What is checked is each inequality.
"""

from claims.frank_wolfe.finite_temperature import gaussian_vertices, largest, positive_diagonal_key_query, spectrum
from claims.statement import FRANK_WOLFE, Claim
from dynamics.arithmetic import exp, log, numbers, sqrt
from dynamics.hardmax import HardmaxStep

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="Remark prop: d.to.infty, section 4",
    refs=("FW-9",),
    printed="P(<B v_i, v_i> > <B v_i, v_j> for all i != j) -> 1 as d -> inf for v_i iid N(0, I_d), cond B bounded.",
    system=HardmaxStep,
    assumptions=(positive_diagonal_key_query,),
    draw=gaussian_vertices,
)

TWO_PI = (10838702, 1725033)
"""Numerator and denominator of a number a little above 2 pi."""

TERMS = 80
"""Terms of the series of Q that are summed; all are positive, so that fewer only loosen the bound."""


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
    """e^{-x^2/2}/2 - Q(x) for x = <B v_i, v_i>/|B v_i| and Q(x) = 1/2 - phi(x) (x + x^3/3 + x^5/15 + ...), cut short."""
    score, spread = _quadratic_forms(f)
    spread = spread + (spread == 0)  # the zero vertex has x = 0
    square = score**2 / spread
    term = sqrt(square)
    total = 0 * term
    for k in range(TERMS):
        total, term = total + term, term * square / (2 * k + 3)
    density = exp(-square / 2) / sqrt(numbers(0 * square + TWO_PI[0]) / TWO_PI[1])
    return exp(-square / 2) / half - (1 - 2 * density * total) / 2


@claim.state(">= 0")
def product_is_below_power(f: HardmaxStep, *, times=1):
    """(sum_i log(1 + lambda_i/lambda_max) - d log(1 + lambda_min/lambda_max)) / 2, of the logs of the two bounds."""
    eigenvalues = spectrum(f)
    top, bottom = largest(eigenvalues), -largest(-eigenvalues)
    product = 1 + 0 * top
    for i in range(eigenvalues.shape[-1]):
        product = product * (1 + eigenvalues[..., i] / top) / (1 + times * bottom / top)
    return log(product) / 2
