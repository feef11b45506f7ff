"""Any two vertices v, w of the limiting polytope satisfy <A(v - w), v - w> >= 2 delta, for any A.

localmax LM-7 (i). Eventually neither vertex attends to the other: <Av, v - w> >= delta and <Aw, w - v> >= delta.
Where A is symmetric positive semidefinite they are so at least sqrt(2 delta) apart in its norm, which bounds their number.
"""

from claims.localmax.setting.ends import corners, limits, margins
from claims.localmax.setting.hypotheses import additive_rule, open_step_size, positive_sensitivity
from claims.localmax.setting.starts import uneven_or_lattice
from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LM-7", "LM-15"),
    statement="delta constant, any A: different vertices v, w of Kinf satisfy <A(v-w), v-w> >= 2 delta.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, open_step_size, positive_sensitivity),
    draw=uneven_or_lattice,
)


@claim.orbit(">= 0", exact_only=True)
def vertices_are_apart(f: LocalmaxStep, *, factor=2):
    """<A(v-w), v-w> - 2 delta for any two vertices v, w of Kinf."""
    v = corners(limits(f))
    pairs = [v[i] - v[j] for i in range(len(v)) for j in range(i)]
    return margins([(f.A @ pair) @ pair - factor * f.delta.item() for pair in pairs])
