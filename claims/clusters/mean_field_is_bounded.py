"""The vector field of a measure in the ball of radius R is bounded by |V| R, everywhere.

Clusters W3, `e:bddinx`; empirical measures. Sharp for a Dirac mass.
"""

from claims.clusters.setting import frobenius, sizes, squared_norms
from claims.statement import Claim, Origin
from dynamics.tokens.two_prompts import TwoPrompts

claim = Claim(
    __name__,
    where="equation (e:bddinx), Lemma lem:vectorfield.properties",
    refs=("W3",),
    statement="|X[mu](p)| <= |V| R for every p, for mu in the ball of radius R.",
    origin=Origin.REPORTED,
    system=TwoPrompts,
)


@claim.state(">= 0")
def bound_less_speed(f: TwoPrompts, *, share=1):
    """|V|^2 R^2 - |X[mu](p)|^2, with the root of the sum of squares for |V| and R the largest |x_i|."""
    speed = squared_norms(f.field(f.x, f.p[..., None, :]))[..., 0]
    return share * frobenius(f.V) ** 2 * sizes(squared_norms(f.x)) - speed
