"""Symbols against rationals: the paths of a proof are walked by exact instances, which must find there what they are.

Solvers decide what the paths say; nothing in them shows that the paths say what the claim says. Here every instance of a
sample, ties and zeros among them, is evaluated the ordinary way: a path must be among those of the proof, end as it does,
exclude the instance exactly where a hypothesis does, and give the same slack to the last digit, or balls that meet. No
slack may break the relation: that is checked, too, where balls of roots or exponentials leave the path open.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from flint import arb, fmpq

from claims.instances.drawing import draw_instance
from claims.instances.draws import SeededDraws
from claims.proving.exploring import LOOK_BITS, Leaf, PathEnd, Size, Traced, path_at
from claims.stating.statement import AT_A_STATE
from claims.stating.verdict import Outcome
from claims.targets.target import Target, Variant
from claims.targets.unnoticed import OverlookedError
from claims.targets.user_claims import claim_watched
from claims.verifying.deciding import Effort, check
from dynamics.arithmetic import UndecidedError, numbers, rational, sign, working_precision
from dynamics.choices import guarded_numbers, plain
from dynamics.system import System

# Instances in a sample: half of them small numbers, so that ties and zeros are among them, which draws hardly have. WATCHED
# are run once more with an eye on what no number notices, each of whose operations is slow then.
DRAWN, WATCHED = 48, 4

Points = Callable[[Collection[str]], Iterable[System]]


class DisagreeingRunError(ArithmeticError):
    """A path and an exact instance on it do not agree."""


def cross_check(
    variant: Variant,
    size: Size,
    leaves: Iterable[Leaf],
    moved: Callable[[System], System] = lambda instance: instance,
    more: Points = lambda met: (),
) -> int:
    """The number of instances that agree with the leaves of a proof. Raises DisagreeingRunError.

    Where the proof speaks of some instances only, as of those in a box, `moved` makes one of these of each of a sample.
    `more`, which is lazy, gives further instances when the answers of the leaves that those lie on are known.
    """
    ends = {leaf.answers: leaf for leaf in leaves}
    agreed, met = 0, set[str]()
    for instance in chain(map(moved, sample(variant, size)), more(met)):
        found = path_at(variant, size, size.point(instance))
        if found is not None:
            met.add(found.leaf.answers)
        if found is not None and ends.get(found.leaf.answers) != found.leaf:
            raise DisagreeingRunError(f"no path of the proof holds {instance.to_json()}")
        try:
            if found is None or found.has_balls:  # which leave the path open, or the slack
                _look_for_violation(variant, instance)
            if found is not None:
                _compare(variant, instance, found)
                agreed += 1
        except DisagreeingRunError:
            raise
        except UndecidedError as error:
            if found is None or not found.has_balls:
                raise DisagreeingRunError(f"the formula is open on {instance.to_json()}: {error}") from None
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            text = f"{type(error).__name__}: {error}"
            raise DisagreeingRunError(f"the formula fails on {instance.to_json()}: {text}") from None
    return agreed


def _look_for_violation(variant: Variant, instance: System) -> None:
    if _is_valid(instance) and variant.admits(instance):
        verdict = check(variant.conclusion, instance, Effort(bits=LOOK_BITS))
        if verdict.outcome is Outcome.VIOLATED:
            raise DisagreeingRunError(f"a counterexample to the proof: {instance.to_json()}")


def noting(more: Points, points: list[list[str]]) -> Points:
    """Further instances, of which the numbers are noted, in the order of their names."""

    def noted(met: Collection[str]) -> Iterator[System]:
        for instance in more(met):
            fields = instance.fields()
            given = [name for name, one in fields.items() if not one.integer]
            points.append([str(number) for name in given for number in instance.arrays()[name].flat])
            yield instance

    return noted


def refuse_unnoticed(target: Target, values: Mapping[str, int], points: Iterable[Sequence[str]]) -> None:
    """Raise DisagreeingRunError where machine integers wrap at this size, or an exact number is asked to be a float.

    Of a sample a few instances are asked, and those with the numbers `points`.
    """
    if target.source is None:
        return
    claim = claim_watched(target.source, target.file or "claim file")
    (conclusion,) = (one for one in claim.conclusions if one.name == target.conclusion)
    if conclusion.form not in AT_A_STATE:
        return  # its slack takes two states
    variant, size = replace(target.resolve(), claim=claim, conclusion=conclusion), Size.of(claim.system, values)
    filled = (size.filled(dict(zip(size.names, map(rational, point), strict=True))) for point in points)
    for instance in chain(sample(variant, size)[:WATCHED], filled):
        try:
            conclusion.slack(instance)
        except OverlookedError as error:
            raise DisagreeingRunError(f"the slack of {instance.to_json()}: {error}") from None
        except (ArithmeticError, LookupError, TypeError, ValueError):  # compared elsewhere
            continue


def _compare(variant: Variant, instance: System, found: Traced) -> None:
    """Raises DisagreeingRunError unless the ordinary way finds the same."""
    admitted = _is_valid(instance) and variant.admits(instance)
    if admitted != (found.kind is not PathEnd.EXCLUDED):
        raise DisagreeingRunError(f"the hypotheses of {instance.to_json()}: {found.kind}, but admitted is {admitted}")
    if found.kind is not PathEnd.DECIDED:
        return
    with working_precision(LOOK_BITS):
        found_there = (plain(value) for value in numbers(variant.conclusion.slack(instance)).flat)
        values = [int(value) if isinstance(value, np.integer) else value for value in found_there]
    if len(values) != len(found.values) or not all(map(may_be_equal, values, found.values)):
        raise DisagreeingRunError(f"the slack of {instance.to_json()}")
    if any(sign(value) in variant.conclusion.relation.forbidden for value in values):
        raise DisagreeingRunError(f"a counterexample is on a path of the proof: {instance.to_json()}")


def may_be_equal(one: Any, other: Any) -> bool:
    """Whether two rationals are equal, or balls around two numbers meet."""
    if isinstance(one, arb) or isinstance(other, arb):
        return bool(arb(one).overlaps(arb(other)))
    return bool(one == other)


def _is_valid(instance: System) -> bool:
    try:
        instance.validate()
    except ValueError:
        return False
    return True


def is_admitted(variant: Variant, instance: System) -> bool:
    """Whether an instance makes sense and meets what is kept, in the ordinary way."""
    return _is_valid(instance) and all(one.satisfies(instance) for one in variant.kept)


def admitted_sample(variant: Variant, size: Size) -> list[System]:
    """The instances of a sample that meet the hypotheses."""
    found = []
    for one in sample(variant, size):
        with suppress(ArithmeticError):  # a hypothesis that balls leave open
            found += [one] if _is_valid(one) and variant.admits(one) else []
    return found


def is_compared(variant: Variant, instance: System) -> bool:
    """Whether the slack has an entry at an instance, as far as balls tell: where its path is not known."""
    # Balls are guarded, as ever: flint's own are compared unnoticed.
    with working_precision(LOOK_BITS), guarded_numbers():
        try:
            values = numbers(variant.conclusion.slack(instance))
        except (ArithmeticError, LookupError, TypeError, ValueError):  # the formula has no value there
            return False
    return values.size > 0 and all(value.is_finite() for value in map(plain, values.flat) if isinstance(value, arb))


def sample(variant: Variant, size: Size) -> list[System]:
    """Instances of a size, whether or not they meet the hypotheses.

    They are drawn as ever where they have the size; else they are small numbers with those arrays of theirs that fit.
    """
    rng = np.random.default_rng(0)  # the same for the search, the comparison and a second check
    found = []
    for turn in range(DRAWN):
        units = rng.integers(-4, 5, size=len(size.names)) if turn % 2 else rng.integers(-9, 10, size=len(size.names))
        system = size.filled({name: fmpq(int(unit), 2) for name, unit in zip(size.names, units, strict=True)})
        try:
            drawn = draw_instance(variant.claim, variant.conclusion, SeededDraws(rng, turn=turn))
        except (LookupError, ArithmeticError, ValueError):
            found.append(system)
            continue
        fields = size.system.fields()
        kept = {
            name: array
            for name, array in drawn.arrays().items()
            if not fields[name].integer and array.shape == system.arrays()[name].shape
        }
        mixed = system.replace(**kept)
        found += [drawn] if size.fits(drawn) else [mixed] if turn % 4 else [system]
    return found
