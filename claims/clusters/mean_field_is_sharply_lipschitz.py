"""The vector field of a measure in the ball of radius R is Lipschitz in space with constant |Q^T K| |V| R^2.

Half of the paper's constant (clusters W3, `e:lipinx`), and sharp: two atoms at R and -R on the line, p = 0.
"""

from claims.clusters.setting import antipodal, frobenius, sizes, squared_norms
from claims.statement import Claim, Origin
from dynamics.arithmetic import transposed
from dynamics.differentiation import jacobian
from dynamics.tokens.two_prompts import TwoPrompts

claim = Claim(
    __name__,
    where="sharpened from equation (e:lipinx)",
    refs=("W3",),
    statement="|grad X[mu](p)| <= |Q^T K| |V| R^2 for every p, for mu in the ball of radius R.",
    origin=Origin.OURS,
    system=TwoPrompts,
    draw=antipodal,
)


@claim.state(">= 0")
def bound_less_slope(f: TwoPrompts, *, factor=1):
    """factor^2 |B|^2 |V|^2 R^4 - |D X[mu](p) h|^2 for h along each axis, |.| the root of the sum of squares."""
    slopes = jacobian(lambda p: f.field(f.x, p[..., None, :])[..., 0, :], f.p)
    bound = factor**2 * frobenius(f.B) ** 2 * frobenius(f.V) ** 2 * sizes(squared_norms(f.x)) ** 2
    return bound[..., None] - squared_norms(transposed(slopes))
