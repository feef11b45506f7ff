"""The measure of the tokens follows the weak form with the field X[mu_t] of the final time: false.

Clusters W4: X[mu_t] is printed inside the integral over s from 0 to t. Differentiated twice at t = 0 it has a term more
than the left side, int <grad g(x), d/dt X[mu_t](x)> dmu_0; for one token on the line with V = 1 and g = |x|^2 that is 2x^2.
"""

from claims.clusters.weak_form_has_the_current_field import moved
from claims.defects import Consequence, Defect, Kind, tex
from claims.statement import Claim, Origin, Standing
from dynamics.differentiation import time_derivative
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="weak form of the continuity equation",
    refs=("W4",),
    note=(
        "X[mu_t] stands inside the integral where X[mu_s] belongs: for one token at 1 with V = 1 and g = |x|^2 "
        "the second derivatives of the two sides at t = 0 differ by 2. With X[mu_s] the equation holds."
    ),
    statement="int g dmu_t = int g dmu_0 + int_0^t int <grad g(x), X[mu_t](x)> dmu_s(x) ds.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    standing=Standing.FALSE,
    corrected_by="clusters.weak_form_has_the_current_field",
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"$\int g \, d\mu_t = \int g \, d\mu_0 + \int_0^t \int \langle \nabla g(x), \mathcal X[\mu_t](x) "
            r"\rangle \, d\mu_s(x) \, ds$."
        ),
        context=r"The weak form of $\partial_t \mu_t + \mathrm{div}(\mathcal X[\mu_t] \mu_t) = 0$, for smooth $g$.",
        wrong=r"$\mathcal X[\mu_t]$ stands inside of the integral over $s$, where $\mathcal X[\mu_s]$ belongs.",
        correction=(
            r"$\int g \, d\mu_t = \int g \, d\mu_0 + \int_0^t \int \langle \nabla g(x), \mathcal X[\mu_s](x) "
            r"\rangle \, d\mu_s(x) \, ds$."
        ),
        consequences=(
            Consequence(
                "well-posedness of the continuity equation",
                survives=True,
                why="It is about the right weak form.",
                shown_by="clusters.weak_form_has_the_current_field",
            ),
        ),
    ),
)


@claim.identity()
def term_too_many(f: SelfAttentionFlow):
    """d/dt sum_i 2 <x_i, X[mu_t](x_i)> with the points x_i held: the second derivatives of both sides differ by it."""
    return time_derivative(lambda g: moved(f, f.x, g.x), f)


@claim.by_hand(by_argument=True, x=[[1]], B=[[1]], V=[[1]])
def one_token(f: SelfAttentionFlow):
    """mu_t is a point mass at e^t, and X[mu_t] is the constant e^t."""
    yield (
        rf"Take $d = n = 1$, $V = 1$, $x(0) = {tex(f.x[0, 0])}$: $\mu_t = \delta_{{e^t}}$ and $\mathcal "
        rf"X[\mu_t](x) = e^t$ for every $x$. Let $g(x) = x^2$."
    )
    yield r"Left: $e^{2t}$. Right: $1 + \int_0^t 2 e^s e^t \, ds = 1 + 2 e^t (e^t - 1) = 2 e^{2t} - 2 e^t + 1$."
    yield (
        r"They differ by $(e^t - 1)^2 > 0$ for $t > 0$. With $\mathcal X[\mu_s]$: $1 + \int_0^t 2 e^{2s} \, ds = "
        r"e^{2t}$."
    )
