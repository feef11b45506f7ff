"""Every point of a polytope lies in the cell of one of its vertices.

Lemma `lem: cells` (iii) (frank_wolfe FW-7). A linear form is largest at a vertex. True for every matrix B.
"""

from claims.frank_wolfe.setting.cells import definite_or_any, held, polytope
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Lemma lem: cells (iii), section 4.1",
    refs=("FW-7",),
    statement="For B > 0 and a polytope K the cells of the vertices cover K.",
    origin=Origin.REPORTED,
    system=HardmaxStep,
    assumptions=(definite_or_any,),
    draw=polytope,
)


@claim.state(">= 0", exact_only=True)
def cells_around_each_token(f: HardmaxStep, *, least=1):
    """The number of vertices v_i with <Bx, v_i - y> >= 0 for every token y, less one, for each token x."""
    return exact(held(f).sum(axis=-1)) - least
