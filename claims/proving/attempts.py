"""An attempt to prove a conclusion, by the way that its form asks for."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

from claims.proving.entries import FOLLOWED
from claims.proving.ever import attempt_for_ever
from claims.proving.on_boxes import Bounds, attempt_on_box
from claims.proving.proof import Attempt, ProofStatus, attempt
from claims.proving.searching import look_for_violation
from claims.statement import AT_A_STATE
from claims.target import Target

PROVABLE = (*AT_A_STATE, *FOLLOWED)
"""Forms of conclusions that may be proved: formulas in one state, and in the state now and at the start."""

# What a search for a violation gets where no proof is found: so many seconds, and of the budget at most so much. What is
# false is refuted by a hunt, which takes its time; this one finds what the size was chosen for.
SEARCH_SECONDS, SEARCH_SHARE = 5.0, 0.2


def attempted(
    target: Target,
    size: Mapping[str, int],
    budget: float,
    limit: float,
    bounds: Mapping[str, Bounds] | None = None,
    end: float = math.inf,
) -> Attempt:
    """What becomes of a target at a size, or in a box of it, within `budget` seconds, at most `limit` for one system.

    Nothing is begun after the `end`, of the monotonic clock, by which all attempts are to be over.

    Raises ContradictionError where two solvers contradict each other, TargetError, and NoSolverError.
    """
    budget = min(budget, end - time.monotonic())
    if budget <= 0:
        return Attempt(target, dict(size), word=ProofStatus.UNKNOWN, reason="the time for all was over", out_of_time=True)
    if bounds:
        return attempt_on_box(target, size, bounds, budget)
    way = attempt_for_ever if target.resolve().conclusion.form in FOLLOWED else attempt
    spared = min(SEARCH_SECONDS, budget * SEARCH_SHARE)
    made = way(target, size, budget - spared, limit)
    if made.word is ProofStatus.UNKNOWN:
        began = time.monotonic()
        look_for_violation(made, size, spared)
        made.seconds += time.monotonic() - began
    return made
