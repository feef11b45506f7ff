"""With s_i = a_i^k / sum_j a_j^k in place of softmax the invariant is |a|^2 (and not sum_i a_i).

Lemma D.1(b) for another normalisation (polarization C-D1b): s does not change when a is stretched, so <a, grad_a L> = 0.
The flow keeps |a|^2; gradient descent adds rate^2 |grad_a L|^2 to it at each step.
"""

from claims.statement import Claim, Origin
from dynamics.differentiation import gradient
from dynamics.training.gradient_descent import PowerDescent

claim = Claim(
    __name__,
    where="Lemma D.1(b), for f(x) = x^k",
    refs=("C-D1b",),
    statement="<a, grad_a L> = 0; the flow keeps |a|^2, a step of gradient descent adds rate^2 |grad_a L|^2.",
    origin=Origin.OURS,
    system=PowerDescent,
)


@claim.identity()
def gradient_is_tangent(f: PowerDescent, *, weight=1):
    """<a, dL/da>, the first term taken `weight` times."""
    terms = f.a * gradient(PowerDescent.loss, f, "a")
    return terms.sum(axis=-1) + (weight - 1) * terms[..., 0]


@claim.identity()
def norm_after_a_step(f: PowerDescent, *, growth=1):
    """|a_+|^2 - |a|^2 - rate^2 |dL/da|^2."""
    slopes, moved = gradient(PowerDescent.loss, f, "a"), f.step().a
    grown = (moved * moved).sum(axis=-1) - (f.a * f.a).sum(axis=-1)
    return grown - growth * f.rate * f.rate * (slopes * slopes).sum(axis=-1)
