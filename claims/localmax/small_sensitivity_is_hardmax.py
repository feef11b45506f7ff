"""A sensitivity below every positive gap that hardmax meets in its first steps changes none of them.

Then gap_i(z_j) <= delta means gap_i(z_j) = 0. It fails for delta equal to a gap. Under the rule that each token is its
own neighbour (D1self), "hardmax" is that rule at delta = 0 (LM-8b).
"""

import numpy as np
from flint import fmpq

from claims.localmax.setting.hypotheses import sensitivity_is_a_gap
from claims.stating.statement import Assumption, Claim
from dynamics.arithmetic import numbers
from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep

# The T of the statement: more steps would only add gaps.
STEPS = 3


def gaps_of_hardmax(f: LocalmaxStep):
    """All gaps in the first steps of hardmax, shape (..., entries)."""
    states = orbit(f.replace(delta=0 * f.delta), STEPS - 1)
    return np.stack([now.gaps() for now in states], axis=-3).reshape(*f.delta.shape, -1)


# 1 where no gap is positive: then all tokens tie, and every sensitivity will do.
def least_gap(f: LocalmaxStep):
    """The least positive gap in the first steps of hardmax, shape (...); 1 where there is none."""
    gaps = gaps_of_hardmax(f)
    if gaps.dtype == object:
        return numbers(min((gap for gap in gaps.flat if gap > 0), default=fmpq(1)))
    return np.where(gaps > 0, gaps, np.where((gaps > 0).any(axis=-1, keepdims=True), np.inf, 1)).min(axis=-1)


# At a gap exactly, or twice it, one more token is attended to: the violation.
sensitivity_below_gaps = Assumption(
    "sensitivity_below_gaps",
    f"delta is below every positive gap in the first {STEPS} steps of hardmax",
    satisfies=lambda f: all(f.delta.item() < gap for gap in gaps_of_hardmax(f).flat if gap > 0),
    restrict=lambda f: f.replace(delta=f.delta / (1 + f.delta) * least_gap(f)),
    violate=lambda f, draws: f.replace(delta=least_gap(f) * (1 + draws.integer(0, 1))),
)

claim = Claim(
    __name__,
    refs=("LM-8b",),
    statement="If delta is below every positive gap met by hardmax up to time T, the two trajectories coincide up to T.",
    system=LocalmaxStep,
    assumptions=(sensitivity_is_a_gap, sensitivity_below_gaps),
)


@claim.orbit("== 0")
def trajectories_coincide(f: LocalmaxStep, *, share=1):
    """z_i^3 with the sensitivity delta minus z_i^3 with none."""
    return orbit(f, STEPS)[-1].z - share * orbit(f.replace(delta=0 * f.delta), STEPS)[-1].z
