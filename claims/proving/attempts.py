"""An attempt to prove a conclusion, by the way that its form asks for; where it stays open, a search for a violation."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

import numpy as np

from claims.hunting.rounds import is_counterexample, verdict_on
from claims.hunting.search import search
from claims.hunting.simplify import simplest_near
from claims.proving.agreement import admitted_sample
from claims.proving.entries import FOLLOWED
from claims.proving.ever import AboutTrajectories
from claims.proving.exploring import NoProofError, Size
from claims.proving.on_boxes import AboutBox, Bounds, outline_of
from claims.proving.proof import AboutStates, Attempt, ProofStatus, attempt
from claims.stating.statement import AT_A_STATE, Form, is_costly
from claims.targets.target import Target
from dynamics.system import System

PROVABLE = (*AT_A_STATE, *FOLLOWED)
"""Forms of conclusions that may be proved: formulas in one state, and in the state now and at the start."""

# What a search for a violation gets where no proof is found: so many seconds, and of the budget at most so much. What is
# false is refuted by a hunt, which takes its time; this one finds what the size was chosen for.
SEARCH_SECONDS, SEARCH_SHARE = 5.0, 0.2
STARTS = 4000  # instances that are looked at, as far as the time goes

# Instances of the size from which the search starts, of a cheap conclusion and of a costly one: a few in the time there is.
MOST_KNOWN = {False: 16, True: 4}


def subject_of_proof(form: Form, is_on_box: bool) -> type[AboutStates]:
    """What a proof of a conclusion of this form is about."""
    return AboutBox if is_on_box else AboutTrajectories if form in FOLLOWED else AboutStates


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
    # What is violated somewhere in a box is violated: that is found without one.
    spared = 0 if bounds else min(SEARCH_SECONDS, budget * SEARCH_SHARE)
    kind = subject_of_proof(target.resolve().conclusion.form, bool(bounds))
    made = attempt(target, size, budget - spared, limit, kind, outline_of(bounds) if bounds else None)
    if spared and made.word is ProofStatus.UNKNOWN:
        began = time.monotonic()
        _look_for_violation(made, size, spared)
        made.seconds += time.monotonic() - began
    return made


def _look_for_violation(made: Attempt, size: Mapping[str, int], seconds: float) -> None:
    """Turn an attempt that found nothing into a violation where one of this size is found, in float64, decided as ever."""
    variant = made.target.resolve()
    try:
        known = admitted_sample(variant, Size.of(variant.claim.system, size))
    except NoProofError:
        return
    found: list[System] = []

    def confirm(system: System) -> bool:
        if not known or not _alike(system, known[0]):
            return False
        # Simple numbers may lose the violation, or the size: the ones that were found have both.
        near = simplest_near(variant, system)
        for one in (near, system) if near is not system else (system,):
            if _alike(one, known[0]) and is_counterexample(verdict_on(variant, one)):
                found.append(one)
                return True
        return False

    if known:
        search(variant, [0], STARTS, known[: MOST_KNOWN[is_costly(variant.conclusion)]], confirm, seconds)
    if found:
        made.refute(found[0], verdict_on(variant, found[0]), "found by a search in float64")


def _alike(system: System, other: System) -> bool:
    # The size of a proof is that of its labels and counts, too.
    fields = system.fields()
    return all(
        array.shape == other.arrays()[name].shape
        and (not fields[name].integer or np.array_equal(array, other.arrays()[name]))
        for name, array in system.arrays().items()
    )
