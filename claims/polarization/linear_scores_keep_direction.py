"""With the identity in place of softmax V becomes rank one, and the scores keep their direction.

In the clock tau the flow is linear, u' = K a and a' = u, so a(0) = 0 gives a = u(0) sinh(sqrt(K) tau) / sqrt(K): every
share a_i / a_j is that of u(0) at all times, while V - V(0) = beta_* (u - u(0))^T / K grows exponentially.
"""

from flint import fmpq

from claims.polarization.setting.scores import zero_scores
from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import exp, sqrt
from dynamics.differentiation import time_derivative
from dynamics.training.linear_network import LinearNetworkFlow

claim = Claim(
    __name__,
    where="section 3.1, on linear networks",
    refs=("C-lin",),
    statement=(
        "When sigma is the identity, the model reduces to a linear network ... The crucial difference, however, is that "
        "the attention scores s(t) converge to a one-hot vector. This behavior does not arise in linear networks"
    ),
    origin=Origin.PRINTED,
    system=LinearNetworkFlow,
    assumptions=(zero_scores,),
)


# The formula is exact; a trajectory is asked for an inequality, so 10^-9 stands for zero.
@claim.rate("> 0", horizon=lambda start: 2)
def scores_follow_start(now: LinearNetworkFlow, start: LinearNetworkFlow, *, speed=1):
    """10^-9 - |a - u(0) sinh(sqrt(K) tau) / sqrt(K)|^2, at every time up to tau = 2."""
    root = sqrt(start.K)
    reach = speed * root * (now.tau - start.tau)
    error = now.a - start.u * (exp(reach) - exp(-reach)) / (2 * root)
    return fmpq(1, 10**9) - (error * error).sum(axis=-1)


@claim.identity(assuming=())
def shares_stay(f: LinearNetworkFlow, *, share=1):
    """The rate of a_i u_j - a_j u_i, at any state: zero, so that a stays parallel to u once it is."""
    rate = time_derivative(lambda g: g.a[..., :, None] * g.u[..., None, :], f)
    return rate - share * rate.swapaxes(-1, -2)


# K V' and not V': V' is beta_* times a row divided by K.
@claim.identity(assuming=())
def growth_has_rank_one(f: LinearNetworkFlow, *, share=1):
    """K V' - beta_* (V'^T beta_*)^T."""
    dV = f.velocity()[0]
    du = (dV * f.beta_star[..., :, None]).sum(axis=-2)
    return f.K[..., None, None] * dV - share * f.beta_star[..., :, None] * du[..., None, :]
