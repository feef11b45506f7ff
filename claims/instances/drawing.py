"""Instances of a claim, built rather than filtered: what its assumptions demand, or all but those that are dropped."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from claims.instances.builders import draw_system
from claims.stating.statement import Assumption, Claim, Conclusion, Form, is_costly
from dynamics.system import System

FARTHEST = 40  # exponent of two: how far a draw of a user's own is left; 2 where one verdict may take long


def draw_instance(claim: Claim, conclusion: Conclusion, draws: Any, without: Sequence[Assumption] = ()) -> System:
    """An instance that satisfies the conclusion's assumptions by construction, then violates those in `without`.

    Raises ValueError for an assumption that does not say how to break it.
    """
    # First within all of them, then out of those that are dropped: they alone are to be broken.
    system = draw_freely(claim, conclusion, draws, ())
    for assumption in without:
        system = _violated(claim, assumption, system, draws)
    return imposed_again(claim, conclusion, system, without) if without else system


def imposed_again(claim: Claim, conclusion: Conclusion, system: System, without: Sequence[Assumption]) -> System:
    """The exact instance, after imposing again the assumptions that a violation of others, or rounding, has broken."""
    for assumption in claim.assumptions_of(conclusion):
        if assumption not in without and not assumption.satisfies(system):
            system = assumption.restrict(system)
    return system


def draw_elsewhere(claim: Claim, conclusion: Conclusion, draws: Any) -> System | None:
    """A general instance within the hypotheses of a claim with a draw of its own, which may cover a special family only.

    Of a user's own system without a general construction it is what the draw makes, with other numbers. None where the
    system has none, or the assumptions cannot be imposed on what it makes.
    """
    try:
        system = draw_system(claim.system, draws)
    except LookupError:
        return _draw_beside(claim, conclusion, draws) if claim.file is not None and claim.draw is not None else None
    system = imposed_again(claim, conclusion, system, ())
    return None if unmet(claim, conclusion, system) else system


def _draw_beside(claim: Claim, conclusion: Conclusion, draws: Any) -> System | None:
    # Counts grow a little only, as a run of a thousand steps would take too long, and labels stay: others would make
    # another system.
    assert claim.draw is not None
    most = 2 if is_costly(conclusion) or conclusion.form is Form.ORBIT else FARTHEST
    # A system may refuse numbers, and hypotheses may have no value there.
    with suppress(ArithmeticError, LookupError, TypeError, ValueError):
        system = claim.draw(draws)
        # Of all magnitudes alike: a hypothesis such as "small" is met only near zero, "large" only far away.
        size, others = 1 << draws.integer(0, most), {}
        for name, field in system.fields().items():
            array = getattr(system, name)
            chosen = np.reshape([draws.integer(0, 1) == 1 for _ in range(array.size)], array.shape)
            if not field.label:
                other = draws.dyadic(*array.shape, size=size) / draws.integer(1, 9)
                others[name] = np.where(chosen, array + draws.integer(1, 3) if field.integer else other, array)
        moved = system.replace(**others)
        led = imposed_again(claim, conclusion, moved, ())
        # What nothing was changed of is no other instance, and would be counted as one.
        return None if moved.to_json() == system.to_json() or unmet(claim, conclusion, led) else led
    return None


def draw_as_it_is(claim: Claim, conclusion: Conclusion, draws: Any) -> System | None:
    """An instance of a user's own claim on which no restriction is imposed; None where it misses the hypotheses.

    A restriction leads into the hypotheses, but it may lead to a part of them only.
    """
    if claim.file is None or not any(one.is_imposed for one in claim.assumptions_of(conclusion)):
        return None
    system = draw_freely(claim, conclusion, draws, claim.assumptions_of(conclusion))
    return None if unmet(claim, conclusion, system) else system


def draw_freely(claim: Claim, conclusion: Conclusion, draws: Any, free: Sequence[Assumption]) -> System:
    """An instance that satisfies the conclusion's assumptions except those in `free`, which are not imposed.

    It may satisfy them nevertheless. Unlike a violation this works in every arithmetic, including float64 batches.
    """
    system = claim.draw(draws) if claim.draw else draw_system(claim.system, draws)
    for assumption in claim.assumptions_of(conclusion):
        if assumption not in free:
            system = assumption.restrict(system)
    return system


def violate_where_met(claim: Claim, system: System, draws: Any, without: Sequence[Assumption]) -> System:
    """The exact instance, after violating those in `without` that it does not certainly break. Raises as `draw_instance`.

    A violation may break what is kept, or mend what was broken before it: whoever asks tests the instance again.
    """
    for assumption in without:
        # What is broken already stays as it was drawn: a violation of its own would make all starts alike.
        if not assumption.is_broken(system):
            system = _violated(claim, assumption, system, draws)
    return system


def _violated(claim: Claim, assumption: Assumption, system: System, draws: Any) -> System:
    if assumption.violate is None:
        raise ValueError(f"{claim.id}: this suite has no way to break the assumption {assumption.name}")
    violated: System = assumption.violate(system, draws)
    return violated


def unmet(claim: Claim, conclusion: Conclusion, system: System) -> list[Assumption]:
    """The assumptions of the conclusion that the exact instance does not (certainly) satisfy."""
    return [assumption for assumption in claim.assumptions_of(conclusion) if not assumption.satisfies(system)]
