"""A hardmax step moves no token out of the convex hull of the tokens.

Lemma `lem:convHullDecreases` (frank_wolfe FW-2): with P = gamma I, gamma in (0, 1), K^{t+1} lies in K^t, for any B and
any choice among tied maximisers. Each new token is a convex combination of old points.
"""

from claims.frank_wolfe.setting.steps import scalar_step
from claims.statement import Claim, Origin
from dynamics.geometry import hull_excess, support_contraction
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Lemma lem:convHullDecreases, section 2.3",
    refs=("FW-2",),
    statement="If gamma^t in (0,1) then K^{t+1} is contained in K^t under SA_infinity.",
    origin=Origin.REPORTED,
    system=HardmaxStep,
    assumptions=(scalar_step,),
)


@claim.step(">= 0", exact_only=True)
def new_tokens_stay_in_hull(f: HardmaxStep):
    """For each new token 0, or minus its distance from a hyperplane that cuts it off: a linear program, certified."""
    return hull_excess(f.x, f.step().x)


@claim.step(">= 0")
def supports_contract(f: HardmaxStep, *, keep=1):
    """(h - <l, x_i^{t+1}>) - (1 - gamma) (h - <l, x_i^t>) for h = max_j <l, x_j^t> and probing directions l."""
    return support_contraction(f.x, f.step().x, keep - f.P[..., 0, 0])
