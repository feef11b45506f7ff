"""Where solvers leave a conclusion open: a search in float64 for a violation of the same size, decided as ever."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from claims.hunting.rounds import is_counterexample, verdict_on
from claims.hunting.search import search
from claims.hunting.simplify import simplest_near
from claims.instances.drawing import is_costly
from claims.proving.agreement import admitted_sample
from claims.proving.exploring import NoProofError, Size
from claims.proving.proof import Attempt
from dynamics.system import System

STARTS = 4000  # instances that are looked at, as far as the time goes

# Instances of the size from which the search starts, of a cheap conclusion and of a costly one: a few in the time there is.
MOST_KNOWN = {False: 16, True: 4}


def look_for_violation(made: Attempt, size: Mapping[str, int], seconds: float) -> None:
    """Turn an attempt that found nothing into a violation where one of this size is found."""
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
    if not found:
        return
    made.refute(found[0], verdict_on(variant, found[0]), "found by a search in float64")


def _alike(system: System, other: System) -> bool:
    fields = system.fields()
    return all(
        array.shape == other.arrays()[name].shape
        and (not fields[name].integer or np.array_equal(array, other.arrays()[name]))
        for name, array in system.arrays().items()
    )
