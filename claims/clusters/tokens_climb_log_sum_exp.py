"""With Q^T K = V = I each token climbs the convex f(y) = log sum_j e^<y, x_j>.

Slides, proof of the lemma on distances (clusters L0, M1). At a token it is also the velocity of the continuity equation
of slide "What can we expect?": the empirical measure divides the sum by n, which no gradient sees. The Hessian of f is
the covariance of the tokens under softmax.
"""

import numpy as np

from claims.assumptions import identity_key_query, identity_value
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, exp, log, numbers, transposed
from dynamics.attention import softmax
from dynamics.differentiation import jacobian
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="slide 'Lemma (any d >= 1)', its proof",
    refs=("L0", "M1"),
    statement="Have x_i'(t) = nabla f(x_i(t)) where f(z) = log sum_{j=1}^n e^{<z, x_j>} is convex.",
    origin=Origin.PRINTED,
    system=SelfAttentionFlow,
    assumptions=(identity_value, identity_key_query),
    equivalent={
        f"curvature: f.x[..., None, :, :] - f.x[..., :, None, :] => {direction}": (
            "The Hessian of a convex function is >= 0 in every direction h, in these, too."
        )
        for direction in (
            "f.x[..., None, :, :]",
            "-f.x[..., :, None, :]",
            "f.x[..., None, :, :] + f.x[..., :, None, :]",
        )
    },
)


def log_sum_exp(y: Array, x: Array) -> Array:
    """log sum_j e^<y_i, x_j>, shape (..., n); for lengths at which floats do not overflow."""
    return log(numbers(exp(y @ transposed(x)).sum(axis=-1)))


@claim.identity()
def velocity_less_gradient(f: SelfAttentionFlow, *, slope=1):
    """x_i' - grad f(x_i)."""
    rates = jacobian(lambda y: log_sum_exp(y, f.x).sum(axis=-1), f.x, axes=2)
    return f.drift() - slope * rates


@claim.state(">= 0")
def curvature(f: SelfAttentionFlow):
    """<(D grad f)(x_i) h, h> for h the differences x_k - x_i, by differentiating the gradient."""
    apart = f.x[..., None, :, :] - f.x[..., :, None, :]
    means = jacobian(lambda y: softmax(y @ transposed(f.x)) @ f.x, f.x, axes=2)
    own = np.stack([means[..., i, :, i, :] for i in range(f.x.shape[-2])], axis=-3)
    return ((apart @ transposed(own)) * apart).sum(axis=-1)
