"""A hardmax run that returns to its start has not moved: false where leaders are tied.

Question Q10 (frank_wolfe FW-8), settled for constant B and gamma. Hulls that return are all the same, so
that their vertices never move and are their own only targets. By `unique_targets_stay` a token with a single leader then
goes straight for ever: single leaders leave no cycles, for any B, symmetric or not. With tied leaders there are some:
vertices (1,1,1), (1,-1,-1), (-1,1,-1), (-1,-1,1) and token (-1/3,0,0) with B = diag(-1,2,2) and gamma = 1/2. The token
is drawn to the middle of one edge, then to that of the opposite edge, and is back after two steps. Such starts are a
null set.
"""

from claims.frank_wolfe.setting.limits import inner_scalar_step, run_between_two_edges
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.orbits.exact import orbit
from dynamics.tokens.hardmax import HardmaxStep

STEPS = 4

claim = Claim(
    __name__,
    where="question Q10",
    refs=("FW-8", "Q10"),
    note=(
        "Where leaders are tied a token may go to and fro between the midpoints of two edges: of these five "
        "tokens the last is at (3751/64, 0, 0), then at (-3751/64, 0, 0), then back again. A token with a single "
        "leader that is its own only leader goes straight to it for ever."
    ),
    statement="If x^p = x^0 for some p > 0, for constant B and gamma in (0,1), then x^1 = x^0.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(inner_scalar_step,),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.unique_targets_stay",
    draw=run_between_two_edges,
)


@claim.orbit(">= 0", exact_only=True)
def what_returns_has_not_moved(f: HardmaxStep):
    """-|x_i^1 - x_i^0|^2 for the tokens of a run that is back after up to four steps."""
    states = orbit(f, STEPS)
    moved = -((states[1].x - f.x) ** 2).sum(axis=-1)
    return moved if any(bool((state.x == f.x).all()) for state in states[1:]) else exact([])
