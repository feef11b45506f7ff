"""Another copy of a token changes the step of no other token: false.

SYM, last line: duplicating a token is no symmetry of the step over indices, where coincident tokens weigh
twice: of 1, -1, 0 with a second 1 the third no longer stays. It is one if averages are taken over points.
"""

import numpy as np

from claims.localmax.setting.hypotheses import averages_over_indices
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import numbers
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("SYM-5", "HM-8"),
    note=(
        "Means are taken over indices, so that coincident tokens weigh twice: of 0 and 1 with gamma = 1/2 the "
        "first steps to 1/4, and with a second token at 0 only to 1/6. Where means are taken over distinct "
        "points, copies change nothing."
    ),
    statement="If z_{n+1} = z_1 is added, z_1', ..., z_n' stay what they are.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(averages_over_indices,),
    standing=Standing.FALSE,
    corrected_by="localmax.copies_change_no_mean_of_points",
)


@claim.identity()
def others_step_the_same(f: LocalmaxStep, *, share=1):
    """z_i' with a further copy of the first token minus share times z_i' without."""
    more = f.replace(z=numbers(np.concatenate([f.z, f.z[..., :1, :]], axis=-2)))
    return more.step().z[..., :-1, :] - share * f.step().z
