"""The vector field of a measure in the ball of radius R is Lipschitz in space with constant 2 |Q^T K| |V| R^2.

Clusters W3, `e:lipinx`. The derivative is V Cov B^T, the covariance that of softmax, which is R^2 at most: a factor 1 is
enough.
"""

from claims.clusters.mean_field_is_sharply_lipschitz import bound_less_slope
from claims.statement import Claim, Origin
from dynamics.tokens.two_prompts import TwoPrompts

claim = Claim(
    __name__,
    where="equation (e:lipinx), Lemma lem:vectorfield.properties",
    refs=("W3",),
    statement="|grad X[mu](p)| <= 2 |Q^T K| |V| R^2 for every p, for mu in the ball of radius R.",
    origin=Origin.REPORTED,
    system=TwoPrompts,
    equivalent={
        f"printed_bound_less_slope: factor = 2 => {factor}": (
            "D X h = V Cov B^T h, and |Cov| <= R^2 under softmax in the ball: a factor 1 is enough."
        )
        for factor in ("19/10", "999/500")
    },
)


@claim.state(">= 0")
def printed_bound_less_slope(f: TwoPrompts, *, factor=2):
    """factor^2 |B|^2 |V|^2 R^4 |h|^2 - |D X[mu](p) h|^2 for h along each axis."""
    return bound_less_slope(f, factor=factor)
