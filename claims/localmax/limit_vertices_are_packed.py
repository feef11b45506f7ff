"""Two vertices of the limiting polytope are at least sqrt(2 delta) apart, so that their number is bounded.

localmax LM-7 (i) (not printed). Neither vertex hears the other in the end: <Av, v - w> >= delta and <Aw, w - v> >= delta.
That needs nothing of A.
"""

from claims.localmax.endings import corners, limits, margins, monotone_matrix, uneven_or_lattice
from claims.localmax.hypotheses import open_step_size, positive_sensitivity
from claims.statement import LOCALMAX, Claim
from dynamics.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    where="not printed",
    refs=("LM-7", "LM-15"),
    printed="delta constant, A + A^T positive semidefinite: vertices of Kinf satisfy <A(v-w), v-w> >= 2 delta.",
    system=LocalmaxStep,
    assumptions=(monotone_matrix, open_step_size, positive_sensitivity),
    draw=uneven_or_lattice,
)


@claim.orbit(">= 0", exact_only=True)
def vertices_are_apart(f: LocalmaxStep, *, factor=2):
    """<A(v-w), v-w> - 2 delta for any two vertices v, w of Kinf."""
    v = corners(limits(f))
    pairs = [v[i] - v[j] for i in range(len(v)) for j in range(i)]
    return margins([(f.A @ pair) @ pair - factor * f.delta.item() for pair in pairs])
