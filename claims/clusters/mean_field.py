"""The vector field of a measure in the ball of radius R is bounded and Lipschitz, in space and in the measure.

Lemma `lem:vectorfield.properties` with explicit constants, for empirical measures.

`mean_field_is_bounded`: Sharp for a Dirac mass.

`mean_field_is_sharply_lipschitz`: Half of the paper's constant, and sharp: two atoms at R and -R on the line, p = 0.

`mean_field_is_lipschitz`: The paper's constant. The derivative is V Cov B^T, where Cov is the covariance under softmax and
at most R^2, so a factor 1 is enough.

`mean_field_is_lipschitz_in_the_measure`: With E = e^{|Q^T K| R^2} and L = E |Q^T K| R the proof's constant is C = E (2 L
|V| R + E |V|) = |V| E^2 (1 + 2 |Q^T K| R^2). No constant serves far outside the ball, where attention becomes hardmax.
With s = |Q^T K| R^2 as little as |V| cosh(s) (1 + 2 s) is enough: along the optimal coupling the mean moves by at most (1 +
2 s) sum_j P_j |z_j'|, and n sum_j P_j^2 <= cosh(s)^2, as the weights are within a factor of e^{2 s} (Kantorovich).
"""

import numpy as np
from flint import fmpq

from claims.clusters.setting.notation import frobenius, sizes, squared_norms
from claims.clusters.setting.starts import antipodal, antipodal_or_any, prompts_near_the_bound
from claims.stating.statement import Assumption, Draws, Origin, Section
from dynamics.arithmetic import Array, exp, indicator, numbers, transposed
from dynamics.differentiation import jacobian
from dynamics.tokens.two_prompts import TwoPrompts

# Two prompts and a point p: the field is that of a measure at any place, not only at the tokens.
section = Section(__name__, refs=("W3",), system=TwoPrompts)

mean_field_is_bounded = section.claim(
    where="equation (e:bddinx), Lemma lem:vectorfield.properties",
    statement="|X[mu](p)| <= |V| R for every p, for mu in the ball of radius R.",
    origin=Origin.REPORTED,
)


# X[mu](p) is V times a mean of the tokens; on a line tokens in one place attain the bound.
@mean_field_is_bounded.state(">= 0")
def bound_less_speed(f: TwoPrompts, *, share=1):
    """|V|^2 R^2 - |X[mu](p)|^2, with the root of the sum of squares for |V| and R the largest |x_i|."""
    speed = squared_norms(f.field(f.x, f.p[..., None, :]))[..., 0]
    return share * frobenius(f.V) ** 2 * sizes(squared_norms(f.x)) - speed


# The covariance under softmax is largest for two opposite tokens of equal weight; p near 0 makes their weights equal.
mean_field_is_sharply_lipschitz = section.claim(
    where="sharpened from equation (e:lipinx)",
    statement="|grad X[mu](p)| <= |Q^T K| |V| R^2 for every p, for mu in the ball of radius R.",
    draw=antipodal,
)


# D X = V Cov B^T with |Cov| <= R^2, so this holds for unit vectors h; the axes are enough to tell 1 from any smaller
# factor.
@mean_field_is_sharply_lipschitz.state(">= 0")
def bound_less_slope(f: TwoPrompts, *, factor=1):
    """factor^2 |B|^2 |V|^2 R^4 - |D X[mu](p) h|^2 for h along each axis, |.| the root of the sum of squares."""
    slopes = jacobian(lambda p: f.field(f.x, p[..., None, :])[..., 0, :], f.p)
    bound = factor**2 * frobenius(f.B) ** 2 * frobenius(f.V) ** 2 * sizes(squared_norms(f.x)) ** 2
    return bound[..., None] - squared_norms(transposed(slopes))


mean_field_is_lipschitz = section.claim(
    where="equation (e:lipinx), Lemma lem:vectorfield.properties",
    statement="|grad X[mu](p)| <= 2 |Q^T K| |V| R^2 for every p, for mu in the ball of radius R.",
    origin=Origin.REPORTED,
    draw=antipodal_or_any,
)


@mean_field_is_lipschitz.state(">= 0")
def printed_bound_less_slope(f: TwoPrompts, *, factor=2):
    """factor^2 |B|^2 |V|^2 R^4 |h|^2 - |D X[mu](p) h|^2 for h along each axis."""
    return bound_less_slope(f, factor=factor)


def radius_squared(f: TwoPrompts) -> Array:
    """The largest |x_i|^2 and |y_i|^2, shape (...)."""
    return sizes(squared_norms(np.concatenate([f.x, f.y], axis=-2)))


# The scores 32 and 0 take the place of 0 and 0, so the field changes by about 1, while W_2 is 32/(sqrt(2) far). C(R) is
# about 92 here, so that far > 2100 breaks the bound.
def _far_out(draws: Draws) -> TwoPrompts:
    """Two antipodal tokens seen from afar and from aside: one of them turned a little takes all the attention."""
    far = fmpq(1 << draws.integer(14, 18))
    x = np.array([[fmpq(1), fmpq(0)], [fmpq(-1), fmpq(0)]])
    turned = np.array([[fmpq(1), 32 / far], [fmpq(-1), fmpq(0)]])
    eye = indicator(np.eye(2, dtype=bool), x)
    return TwoPrompts(x=x, y=turned, p=np.array([fmpq(0), far]), B=eye, V=eye)


# The mean of two tokens is in the ball, and depends on both prompts.
point_in_the_ball = Assumption(
    "point_in_the_ball",
    "|p| <= R, the largest |x_i| and |y_i|",
    satisfies=lambda f: bool(f.p @ f.p <= max([x @ x for x in f.x] + [y @ y for y in f.y])),
    restrict=lambda f: f.replace(p=(f.x[..., 0, :] + f.y[..., 0, :]) / 2),
    violate=lambda f, draws: _far_out(draws),
)

mean_field_is_lipschitz_in_the_measure = section.claim(
    where="equation (e:lipinmu), Lemma lem:vectorfield.properties",
    statement="|X[mu](p) - X[nu](p)| <= C(R) W_2(mu, nu) for |p| <= R and mu, nu in the ball of radius R.",
    origin=Origin.REPORTED,
    assumptions=(point_in_the_ball,),
    draw=prompts_near_the_bound,
)


# X is a quotient: its numerator is a mean of something Lipschitz in y with L |V| R + E |V|, its denominator of something
# Lipschitz with L, and denominators are at least 1/E.
def lipschitz_constant(f: TwoPrompts) -> Array:
    """C(R) = |V| E^2 (1 + 2 log E), shape (...)."""
    exponent = frobenius(f.B) * radius_squared(f)
    return numbers(frobenius(f.V) * exp(numbers(2 * exponent)) * (1 + 2 * exponent))


@mean_field_is_lipschitz_in_the_measure.state(">= 0")
def bound_less_difference(f: TwoPrompts, *, share=1):
    """C(R)^2 W_2(mu, nu)^2 - |X[mu](p) - X[nu](p)|^2."""
    apart = f.field(f.x, f.p[..., None, :]) - f.field(f.y, f.p[..., None, :])
    return share * lipschitz_constant(f) ** 2 * f.squared_transport() - squared_norms(apart)[..., 0]
