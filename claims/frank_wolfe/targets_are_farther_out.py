"""The target of a token is farther out in the norm of B, by more than their distance.

Frank_wolfe FW-8, sharper: <Bx, y> >= <Bx, x> for the target y of x says |y|_B^2 >= |x|_B^2 + |y - x|_B^2 when
B is symmetric. So for B > 0 the graph of targets has no cycles, and ends at tokens that are their own targets.
"""

from claims.frank_wolfe.setting.energies import energy
from claims.frank_wolfe.setting.run_hypotheses import symmetric_energies
from claims.statement import Claim, Origin
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 4.2, sharper",
    refs=("FW-8", "Q5"),
    statement="If B is symmetric, |y_i|_B^2 >= |x_i|_B^2 + |y_i - x_i|_B^2 for the target y_i of every token.",
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(symmetric_energies,),
)


@claim.state(">= 0")
def gain_of_the_target(f: ScheduledHardmax, *, share=1):
    """(|y_i|_B^2 - |x_i|_B^2 - |y_i - x_i|_B^2)/2 for every token."""
    B, y = f.key_query(), f.targets()
    return energy(y, B) - energy(f.x, B) - share * energy(y - f.x, B)
