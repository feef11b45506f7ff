"""A coordinate along a left eigenvector of V, real or complex, grows at most like e^{|lambda| t}.

`coordinates_grow_by_their_eigenvalue`: From the proof of Theorem 3 on the slides (`l:nottoofassst`), for any Q, K, V; C is
the largest initial modulus. For every token d/dt |phi(x_i)|^2 <= 2 |lambda| |phi(x_i)| max_j |phi(x_j)|.
A complex eigenvector is stated in two real coordinates, in which V = [[a, -b], [b, a]]. The exponent is attained for lambda
< 0 by scores that make each token attend to its mirror image.

`jordan_coordinates_grow_barely_faster`: In a Jordan block the exponent is |lambda| + delta, in a norm in which the
off-diagonal entry of the block is delta; stated for x_1, x_2 with V = [[lambda, delta], [0, lambda]].
"""

from claims.clusters.setting.hypotheses import eigen_plane, jordan_plane
from claims.clusters.setting.notation import sizes, squared_norms
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import numbers, sqrt
from dynamics.tokens.self_attention import SelfAttentionFlow

section = Section(__name__, refs=("Q3",), system=SelfAttentionFlow)

coordinates_grow_by_their_eigenvalue = section.claim(
    where="slide 'Split the sum', proof of Theorem 3",
    statement="|phi_k^*(e^{tV} z_i(t))| <= C e^{|lambda_k| t}",
    origin=Origin.PRINTED,
    assumptions=(eigen_plane,),
)


# x_i' is V times a mean, and V multiplies lengths in the plane of phi by |lambda| = |(a, b)|, its first column.
@coordinates_grow_by_their_eigenvalue.state(">= 0")
def bound_less_growth(f: SelfAttentionFlow, *, pace=1):
    """|lambda| |phi(x_i)| max_j |phi(x_j)| - (1/2) d/dt |phi(x_i)|^2, phi the first coordinate or the first two."""
    width = min(2, f.x.shape[-1])
    phi, rate = f.x[..., :width], f.drift()[..., :width]
    eigenvalue = sqrt(numbers((f.V[..., :width, 0] ** 2).sum(axis=-1)))
    squares = squared_norms(phi)
    products = sqrt(numbers(squares * sizes(squares)[..., None]))  # exact at the largest
    return pace * eigenvalue[..., None] * products - (phi * rate).sum(axis=-1)


jordan_coordinates_grow_barely_faster = section.claim(
    where="Remark r:notdiagonalizable, equation (e:notdi)",
    statement="On a Jordan block |pi x_i(t)| <= C e^{(|lambda| + delta) t}, in a norm that depends on delta.",
    origin=Origin.REPORTED,
    assumptions=(jordan_plane,),
)


# [[lambda, delta], [0, lambda]] is lambda I plus delta times a shift, of the norms |lambda| and |delta|.
@jordan_coordinates_grow_barely_faster.state(">= 0", name="bound_less_growth")
def bound_less_growth_of_jordan_coordinates(f: SelfAttentionFlow, *, pace=1):
    """(|lambda| + |delta|) |pi x_i| max_j |pi x_j| - (1/2) d/dt |pi x_i|^2."""
    phi, rate = f.x[..., :2], f.drift()[..., :2]
    squares = squared_norms(phi)
    products = sqrt(numbers(squares * sizes(squares)[..., None]))  # exact at the largest
    growth = abs(f.V[..., 0, 0]) + pace * abs(f.V[..., 0, 1])
    return growth[..., None] * products - (phi * rate).sum(axis=-1)
