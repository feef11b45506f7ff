"""Under an elementwise ReLU nothing polarizes: the shares tend to those of u_i(0) + sqrt(K) a_i(0).

Section 3.2 (polarization C-relu, S9), logistic loss, for u(0) > 0: without it a score may die, as in
`elementwise_relu_keeps_every_score`. On the active set u' = K a and a' = u: with k = sqrt(K) the
coordinate c_i = u_i + k a_i grows like e^{k tau}, the same for all i, and d_i = u_i - k a_i decays like e^{-k tau}. The
shares a_i / sum_j a_j tend to c_i / sum_j c_j, all positive, up to terms of order e^{-2 k tau}.
"""

import numpy as np

from claims.polarization.setting.maps import positive_scores, positive_values
from claims.polarization.setting.scores import two_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, sqrt
from dynamics.training.score_maps import ElementwiseReluFlow


def _any_start_or_unlike(draws):
    """Any values and scores; or a first token of great value and almost no score, a second of great score and no value."""
    unlike = draws.choice(("any start", "unlike start")) == "unlike start"
    p = 2 if unlike else draws.integer(2, 4)
    u, a, K = draws.dyadic(p), draws.dyadic(p), abs(draws.dyadic()) + 1
    if unlike:
        u, a, K = u * 0, a * 0, 0 * K + 1
        u[..., 0], a[..., 1] = u[..., 0] + 2**20, a[..., 1] + 2**8
    return ElementwiseReluFlow(u=u, a=a, K=K, tau=draws.dyadic())


claim = Claim(
    __name__,
    where="section 3.2, other non-linearities",
    refs=("C-relu", "S9", "C-lin"),
    statement=(
        "For both the regression and logistic losses, we do not observe the same polarization behavior under "
        "sigmoid (and similarly under ReLU), see Figure 13 for reference."
    ),
    origin=Origin.PRINTED,
    system=ElementwiseReluFlow,
    assumptions=(two_scores, positive_scores, positive_values),
    draw=_any_start_or_unlike,
)


@claim.identity(assuming=())
def modes(f: ElementwiseReluFlow, *, speed=1):
    """c_i' - sqrt(K) c_i and d_i' + sqrt(K) d_i."""
    k = sqrt(f.K)[..., None]
    du, da = f.du_dtau(), f.da_dtau()
    growing = (du + k * da) - speed * k * (f.u + k * f.a)
    falling = (du - k * da) + speed * k * (f.u - k * f.a)
    return np.stack([growing, falling], axis=-2)


@claim.rate("> 0", horizon=lambda start: 3 * start.time_unit())
def shares_tend_to_those_of_growing_modes(now: ElementwiseReluFlow, start: ElementwiseReluFlow, *, most=2):
    """(most e^{-2 k tau} l_i)^2 - (1 - e^{-2 k tau})^2 (share_i - l_i)^2, l_i = c_i / C, times (C F)^2."""
    k = sqrt(now.K)
    c, rest = start.u + k * start.a, exp(-2 * k * (now.tau - start.tau))
    room, off = most * rest * c * now.F, (1 - rest) * (now.a * c.sum(axis=-1) - c * now.F)
    return room * room - off * off
