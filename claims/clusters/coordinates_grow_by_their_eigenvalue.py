"""A coordinate along any left eigenvector, real or complex, grows at most like e^{|lambda| t}.

Slides, proof of Theorem 3 (clusters Q3, `l:nottoofassst`), with C the largest size at the start; any Q, K, V. At the
largest token d/dt |phi(x_i)|^2 <= 2 |lambda| |phi(x_i)| max_j |phi(x_j)|. A complex eigenvector is two coordinates with
V = [[a, -b], [b, a]] there; the exponent is attained for lambda < 0 under scores that send each token to its mirror image.
"""

from claims.clusters.setting import eigen_plane, sizes, squared_norms
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers, sqrt
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="slide 'Split the sum', proof of Theorem 3",
    refs=("Q3",),
    statement="|phi_k^*(e^{tV} z_i(t))| <= C e^{|lambda_k| t}",
    origin=Origin.PRINTED,
    system=SelfAttentionFlow,
    assumptions=(eigen_plane,),
)


@claim.state(">= 0")
def bound_less_growth(f: SelfAttentionFlow, *, pace=1):
    """|lambda| |phi(x_i)| max_j |phi(x_j)| - (1/2) d/dt |phi(x_i)|^2, phi the first coordinate or the first two."""
    width = min(2, f.x.shape[-1])
    phi, rate = f.x[..., :width], f.drift()[..., :width]
    eigenvalue = sqrt(numbers((f.V[..., :width, 0] ** 2).sum(axis=-1)))
    squares = squared_norms(phi)
    products = sqrt(numbers(squares * sizes(squares)[..., None]))  # exact at the largest
    return pace * eigenvalue[..., None] * products - (phi * rate).sum(axis=-1)
