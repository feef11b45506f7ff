"""On a line hardmax sends positive tokens to the largest, negative ones to the smallest, in the end by 1 - gamma.

A positive token attends to the largest one, which attends to itself and stands still. A zero token attends to all and
takes the sign of their mean. It waits while that mean is 0; the others approach their limits, all by one factor, so the
next mean has the sign of the sum of these limits (HM-11).
"""

import numpy as np

from claims.localmax.setting.ends import limits, tail_errors
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, hardmax, one_dimension, open_step_size
from claims.localmax.setting.starts import balanced_or_hardmax
from claims.stating.statement import Claim
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("HM-11",),
    statement="d = 1, A > 0. min < 0 < max: positives tend to max, negatives to min. All >= 0 and max > 0: K = {max}. Zero "
    "tokens jump to gamma * mean first. In the end all close in by the factor 1 - gamma.",
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size, one_dimension),
    draw=balanced_or_hardmax,
)


@claim.orbit("== 0", exact_only=True)
def distance_to_the_own_end(f: LocalmaxStep):
    """s_i - max_j z_j where z_i > 0, s_i - min_j z_j where z_i < 0; a zero token takes the side of the first mean not 0."""
    z = f.z[:, 0]
    largest, smallest = z.max(), z.min()
    later = (z > 0).sum() * largest + (z < 0).sum() * smallest
    side = np.where(z == 0, later if z.sum() == 0 else z.sum(), z)
    ends = np.where(side > 0, largest, np.where(side < 0, smallest, 0 * z))
    return limits(f)[:, 0] - ends


@claim.orbit("== 0", exact_only=True)
def tails(f: LocalmaxStep, *, share=1):
    """z_i^k - s_i - (1-gamma)^k (z_i^0 - s_i), k up to 3, once neighbours are final."""
    return tail_errors(f, lambda s, end: True, share)
