"""What a search varies: the numbers of a construction, or the neighbourhood of an instance.

Both turn rows of numbers into a float64 batch whose members all satisfy the hypotheses that are kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from claims.instances.builders import draw_system
from claims.instances.draws import PlannedDraws
from claims.targets.target import Variant
from dynamics.arithmetic import Array
from dynamics.integrate import in_float64, is_batch, joined, members
from dynamics.system import System

SCALES = 8  # arrays are scaled by powers of two up to this exponent


def restricted(variant: Variant, system: System) -> System:
    """The system within the hypotheses that are kept, in any arithmetic."""
    # A restriction that is written for one instance is asked about the members of a batch one by one, in rationals.
    for assumption in variant.kept:
        try:
            moved = assumption.restrict(system)
        except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError):
            if not is_batch(system):
                raise
            moved = None
        # One that runs on a batch all the same may have taken its members for tokens.
        if is_batch(system) and (moved is None or not is_batch(moved) or members(moved) != members(system)):
            moved = joined([in_float64(assumption.restrict(system.row(i))) for i in range(members(system))])
        assert moved is not None
        system = moved
    return system


@dataclass
class Plan:
    """The sizes and kinds of one construction; its numbers, then a scale for each array in `scaled`."""

    variant: Variant
    draws: PlannedDraws
    scaled: tuple[str, ...]
    drawn: int
    typical: float = np.nan

    @property
    def dimension(self) -> int:
        """Numbers of the construction and scales."""
        return self.drawn + len(self.scaled)

    def systems(self, rows: Array) -> System:
        """The float64 batch of the rows, all within the hypotheses that are kept."""
        claim = self.variant.claim
        draws = self.draws.replaying(rows[:, : self.drawn])
        system = claim.draw(draws) if claim.draw else draw_system(claim.system, draws)
        changes = {}
        for position, name in enumerate(self.scaled):
            array = getattr(system, name)
            if array.dtype == object:
                raise ValueError(f"{name} is given, not drawn: it has no scale")
            scale = np.exp2(SCALES * rows[:, self.drawn + position])
            changes[name] = array * scale.reshape(-1, *[1] * (array.ndim - 1))
        return restricted(self.variant, system.replace(**changes))


@dataclass
class Around:
    """The neighbourhood of one float64 instance: entries change relative to their size, or to that of their array if zero.

    Arrays that are zero throughout, or of whole numbers, stay. Positive arrays stay positive.
    """

    variant: Variant
    start: System
    typical: float = np.nan

    @property
    def moved(self) -> tuple[str, ...]:
        """The arrays that move."""
        fields = self.start.fields()
        return tuple(name for name, array in self.start.arrays().items() if not fields[name].integer and array.any())

    @property
    def dimension(self) -> int:
        """Entries of the arrays that move."""
        return sum(getattr(self.start, name).size for name in self.moved)

    def systems(self, rows: Array) -> System:
        """The float64 batch, restricted to the hypotheses that are kept."""
        changes, position, fields = {}, 0, self.start.fields()
        for name, array in self.start.arrays().items():
            if fields[name].integer:
                continue
            batched = np.repeat(np.asarray(array), len(rows), axis=0)
            if name in self.moved:
                step = rows[:, position : position + array.size].reshape(batched.shape)
                position += array.size
                size = np.where(array == 0, abs(array).max(), array)
                batched = batched * np.exp2(2 * step) if (array > 0).all() else batched + 2 * step * size
            changes[name] = batched
        return restricted(self.variant, self.start.replace(**changes))
