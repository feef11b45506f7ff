"""The largest energy of the tokens never changes.

Frank_wolfe FW-8, sharper: for B >= 0 the energy is convex, so it cannot grow as hulls shrink; and
a token of largest energy has the largest score with itself by Cauchy and Schwarz, so that it moves only where B does not
see it.
"""

from claims.frank_wolfe.setting.energies import energy, run
from claims.frank_wolfe.setting.run_hypotheses import concave_energies, one_matrix, steps_at_most_one
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers, peak
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 4.2, sharper",
    refs=("FW-8",),
    statement="If B >= 0 is constant and gamma^t in [0,1], max_i <B x_i^t, x_i^t> is constant in t.",
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(concave_energies, one_matrix, steps_at_most_one),
    equivalent={
        "change_of_the_largest: f.B[..., 0, :, :] => f.B[..., 1, :, :]": "B^t is the same for all t.",
        "change_of_the_largest: run(f)[-1] => run(f)[-2]": "The statement of a schedule that ends one step earlier.",
    },
)


@claim.orbit("== 0")
def change_of_the_largest(f: ScheduledHardmax, *, later=1):
    """max_i J(x_i^T) - max_i J(x_i^0) at the end of the schedule."""
    B = f.B[..., 0, :, :]
    return numbers(later * peak(energy(run(f)[-1].x, B)) - peak(energy(f.x, B)))
