"""Orbits of step maps: exact as long as their numbers stay short, then in balls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar

from flint import fmpq

from dynamics.arithmetic import Array, elementwise
from dynamics.choices import ball
from dynamics.system import StepMap

S = TypeVar("S", bound=StepMap)


def orbit(start: S, steps: int) -> list[S]:
    """The states at steps 0 to `steps`, in any arithmetic."""
    return list(islice(_states(start), steps + 1))


def _states(start: S) -> Iterator[S]:
    while True:
        yield start
        start = start.step()


@dataclass(frozen=True)
class EnclosedOrbit(Generic[S]):
    """States at steps 0, 1, ...; the first `exact` of them in rationals, the others in balls."""

    states: Sequence[S]
    exact: int


def enclosed_orbit(start: S, steps: int, most_bits: int) -> EnclosedOrbit[S]:
    """An orbit that is continued in balls, at the working precision, once a denominator has more than `most_bits` bits.

    Balls cannot tell a tie. Raises UndecidedError where one is to be decided; a higher working precision decides all
    others.
    """
    states = [start]
    exact = 1
    for _ in range(steps):
        following = states[-1].step()
        if exact == len(states):
            if denominator_bits(following) <= most_bits:
                exact += 1
            else:
                following = _in_balls(following)
        states.append(following)
    return EnclosedOrbit(states, exact)


def denominator_bits(system: StepMap) -> int:
    """Bits of the longest denominator in the arrays of an exact system."""
    return max(int(v.q).bit_length() for name, array in _rational_arrays(system) for v in array.flat)


def _rational_arrays(system: StepMap) -> list[tuple[str, Array]]:
    fields = system.fields()
    return [(name, array) for name, array in system.arrays().items() if not fields[name].integer]


def _in_balls(system: S) -> S:
    return system.replace(**{name: elementwise(_ball, array) for name, array in _rational_arrays(system)})


def _ball(value: Any) -> Any:
    """Integers stay what they are: a zero that is exact annihilates."""
    return ball(value) if isinstance(value, fmpq) and value.q != 1 else value
