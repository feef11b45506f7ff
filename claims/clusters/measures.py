"""Measures that move by self-attention part at most exponentially in W_2.

`measures_part_at_most_exponentially`: The rate behind W_2(mu_t, nu_t) <= e^{Ct} W_2(mu_0, nu_0). With the tokens of two
prompts optimally paired at the start, the root of the mean of |x_i - y_i|^2 is W_2 there and an upper bound of it later.

`weak_form_has_the_current_field`: For the test function |x|^2 it says d/ds int |x|^2 dmu_s = int 2 <x, X[mu_s](x)> dmu_s.

`weak_form_has_the_final_field`: X[mu_t] is printed inside the integral over s. Differentiated twice at t = 0, the right
side then has the additional term int <grad g(x), d/dt X[mu_t](x)> dmu_0.
"""

from claims.clusters.mean_field import lipschitz_constant, radius_squared
from claims.clusters.setting.notation import frobenius, squared_norms
from claims.clusters.setting.starts import prompts_near_the_bound
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, transposed
from dynamics.attention import attention
from dynamics.differentiation import time_derivative
from dynamics.tokens.self_attention import SelfAttentionFlow
from dynamics.tokens.two_prompts import TwoPrompts

section = Section(__name__, refs=("W4",), system=SelfAttentionFlow)

measures_part_at_most_exponentially = section.claim(
    where="equation (e:w2estimate)",
    statement="(1/2) |d/dt sum_i |x_i - y_i|^2| <= C sum_i |x_i - y_i|^2 with C = |Q^T K| |V| R^2 + C(R).",
    origin=Origin.REPORTED,
    system=TwoPrompts,
    draw=prompts_near_the_bound,
)


# The point moves in the field of mu, which is Lipschitz with |Q^T K| |V| R^2, and the measure changes at a fixed point,
# which C(R) bounds. W_2 is at most the root of the mean square of any pairing, so this one may stay as it is at the start.
@measures_part_at_most_exponentially.state(">= 0")
def bound_less_rate(f: TwoPrompts, *, share=1):
    """C sum_i |x_i - y_i|^2 - |sum_i <x_i - y_i, x_i' - y_i'>|."""
    apart, rate = f.x - f.y, f.field(f.x, f.x) - f.field(f.y, f.y)
    constant = frobenius(f.B) * frobenius(f.V) * radius_squared(f) + lipschitz_constant(f)
    return share * constant * squared_norms(apart).sum(axis=-1) - abs((apart * rate).sum(axis=(-2, -1)))


# The weak form is differentiated: what holds of the rates at every state holds of the integrals.
weak_form_has_the_current_field = section.claim(
    where="weak form of the continuity equation, corrected",
    statement="int g dmu_t = int g dmu_0 + int_0^t int <grad g(x), X[mu_s](x)> dmu_s(x) ds.",
)


def moved(f: SelfAttentionFlow, points: Array, tokens: Array) -> Array:
    """sum_i 2 <p_i, X[mu](p_i)> for points p_i and mu of the tokens, shape (...)."""
    field = attention(points @ f.B, tokens) @ tokens @ transposed(f.V)
    return 2 * (points * field).sum(axis=(-2, -1))


@weak_form_has_the_current_field.identity()
def rate_less_integrand(f: SelfAttentionFlow, *, share=1):
    """d/ds sum_i |x_i|^2 - sum_i 2 <x_i, X[mu_s](x_i)>."""
    return time_derivative(lambda g: squared_norms(g.x).sum(axis=-1), f) - share * moved(f, f.x, f.x)


# Both sides and their first derivatives agree at t = 0. So it takes the second derivatives to tell them apart.
weak_form_has_the_final_field = section.claim(
    where="weak form of the continuity equation",
    note=(
        "X[mu_t] stands inside the integral where X[mu_s] belongs: for one token at 1, V = 1 and g = |x|^2 the second "
        "derivatives of the two sides at t = 0 differ by 2. With X[mu_s] the equation holds."
    ),
    statement="int g dmu_t = int g dmu_0 + int_0^t int <grad g(x), X[mu_t](x)> dmu_s(x) ds.",
    origin=Origin.REPORTED,
    corrected_by="clusters.weak_form_has_the_current_field",
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"$\int g \, d\mu_t = \int g \, d\mu_0 + \int_0^t \int \langle \nabla g(x), \mathcal X[\mu_t](x) "
            r"\rangle \, d\mu_s(x) \, ds$."
        ),
        context=r"The weak form of $\partial_t \mu_t + \mathrm{div}(\mathcal X[\mu_t] \mu_t) = 0$, for smooth $g$.",
        wrong=r"$\mathcal X[\mu_t]$ stands under the integral over $s$, where $\mathcal X[\mu_s]$ belongs.",
        correction=(
            r"$\int g \, d\mu_t = \int g \, d\mu_0 + \int_0^t \int \langle \nabla g(x), \mathcal X[\mu_s](x) "
            r"\rangle \, d\mu_s(x) \, ds$."
        ),
        consequences=(Consequence("well-posedness of the continuity equation", why="It is about the right weak form."),),
    ),
)


@weak_form_has_the_final_field.identity()
def term_too_many(f: SelfAttentionFlow):
    """d/dt sum_i 2 <x_i, X[mu_t](x_i)> with the points x_i held: the second derivatives of both sides differ by it."""
    return time_derivative(lambda g: moved(f, f.x, g.x), f)


@weak_form_has_the_final_field.by_hand(by_argument=True, x=[[1]], B=[[1]], V=[[1]])
def one_token(f: SelfAttentionFlow):
    """mu_t is a point mass at e^t, and X[mu_t] is the constant e^t."""
    yield (
        rf"Take $d = n = 1$, $V = 1$, $x(0) = {tex(f.x[0, 0])}$: $\mu_t = \delta_{{e^t}}$ and $\mathcal "
        rf"X[\mu_t](x) = e^t$ for every $x$. Let $g(x) = x$."
    )
    yield r"Left: $e^t$. Right: $1 + \int_0^t e^t \, ds = 1 + t e^t$. At $t = 1$ these are $e$ and $1 + e$."
    yield r"With $\mathcal X[\mu_s]$ both are equal: $1 + \int_0^t e^s \, ds = e^t$."
