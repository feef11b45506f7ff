"""Symbols against rationals: the paths of a proof are walked by exact instances, which must find there what they are.

Solvers decide what the paths say; nothing in them shows that the paths say what the claim says. Here every instance of a
sample, ties and zeros among them, is evaluated the ordinary way: a path must be among those of the proof, exclude it
exactly where a hypothesis does, and give the same slack to the last digit.
"""

from __future__ import annotations

import numpy as np
from flint import fmpq

from claims.instances.drawing import draw_instance
from claims.instances.draws import SeededDraws
from claims.proving.exploring import Kind, NoProofError, Size, Traced, trace
from claims.statement import Conclusion
from claims.target import Variant
from dynamics.arithmetic import numbers
from dynamics.system import System

DRAWN, RANDOM = 60, 24
"""Instances drawn as ever, of which those of the size count, and made of small numbers."""


class DisagreeingRunError(ArithmeticError):
    """A path and an exact instance on it do not agree."""


def cross_check(variant: Variant, size: Size, leaves: dict[str, Kind], seed: int = 0) -> int:
    """The number of instances that agree with the leaves, by their answers. Raises DisagreeingRunError for one that does not."""
    agreed = 0
    for instance in _sample(variant, size, seed):
        found = trace(variant, size, size.point(instance))
        if found is None:
            continue  # roots and exponentials are no rationals
        if leaves.get(found.answers) is not found.kind:
            raise DisagreeingRunError(f"no path of the proof holds {instance.to_json()}")
        _compare(variant, instance, found)
        agreed += 1
    return agreed


def _compare(variant: Variant, instance: System, found: Traced) -> None:
    """Raises DisagreeingRunError unless the ordinary way finds the same."""
    admitted = _is_valid(instance) and variant.admits(instance)
    if admitted != (found.kind is not Kind.EXCLUDED):
        raise DisagreeingRunError(f"the hypotheses of {instance.to_json()}: {found.kind}, but admitted is {admitted}")
    if found.kind is Kind.DECIDED and not _same(variant.conclusion, instance, found):
        raise DisagreeingRunError(f"the slack of {instance.to_json()}")


def _same(conclusion: Conclusion, instance: System, found: Traced) -> bool:
    values = [fmpq(value) if isinstance(value, int) else value for value in numbers(conclusion.slack(instance)).flat]
    return len(values) == len(found.values) and all(a == b for a, b in zip(values, found.values, strict=True))


def _is_valid(instance: System) -> bool:
    try:
        instance.validate()
    except ValueError:
        return False
    return True


def _sample(variant: Variant, size: Size, seed: int) -> list[System]:
    rng = np.random.default_rng(seed)
    found = []
    for turn in range(DRAWN):
        try:
            instance = draw_instance(variant.claim, variant.conclusion, SeededDraws(rng, turn=turn))
        except (LookupError, ArithmeticError, ValueError, NoProofError):
            break
        if size.fits(instance):
            found.append(instance)
    for _ in range(RANDOM):
        units = rng.integers(-4, 5, size=len(size.names)) if rng.random() < 1 / 2 else rng.integers(-9, 10, len(size.names))
        halves = [fmpq(int(unit), 2) for unit in units]
        found.append(size.filled(dict(zip(size.names, halves, strict=True))))
    return found
