"""A state now and the start it came from, on symbols; numbers that depend on both; what is asked of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from claims.proving.exploring import Size
from claims.proving.symbols import Run, Signs, Symbol, inside
from claims.stating.statement import Assumption, Conclusion, Form, Relation
from dynamics.arithmetic import Array, numbers, sign
from dynamics.differentiation import directional_derivative
from dynamics.system import Flow, System


@dataclass(frozen=True)
class Entry:
    """One number that depends on the state now and the start, by its name."""

    name: str
    formula: Callable[[Any, Any], Any]
    place: int = 0

    def at(self, now: Any, start: Any) -> Any:
        """Its value."""
        return in_a_row(self.formula(now, start))[self.place]

    def rate(self, now: Any, start: Any) -> Any:
        """Its derivative along the flow."""

        # The start stands still. Of this entry alone: others of the same formula may have no derivative.
        def moved(*arrays: Array) -> Array:
            there = now.replace(**dict(zip(now.moving, arrays, strict=True)))
            return in_a_row(self.formula(there, start))[self.place : self.place + 1]

        return directional_derivative(moved, [getattr(now, name) for name in now.moving], now.velocity()).item()


def in_a_row(value: Any) -> Array:
    """The numbers of an array of any shape in a row, shape (entries,)."""
    return numbers(np.asarray(numbers(value)).reshape(-1))


Given = tuple[Entry, Signs]


@dataclass(frozen=True)
class Ask:
    """Under the hypotheses on the start, and where the entries given have these signs: a value that is >= 0, > 0 or 0.

    The rule and the entry say which value: asks that have both in common are taken for one.
    """

    rule: str
    entry: Entry
    value: Callable[[Any, Any], Any] = field(compare=False)
    relation: Relation
    given: tuple[Given, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data that says what is asked."""
        return {
            "rule": self.rule,
            "of": self.entry.name,
            "relation": self.relation.value,
            "given": [[entry.name, sorted(signs)] for entry, signs in self.given],
        }


@dataclass(frozen=True)
class Moment:
    """A state now and the start, which share their parameters."""

    now: Any
    start: Any

    def validate(self) -> None:
        """Raise ValueError where the start makes no sense; of the state now nothing is demanded."""
        self.start.validate()


@dataclass(frozen=True)
class Moments:
    """All moments of a size."""

    size: Size

    @property
    def moving(self) -> tuple[str, ...]:
        """The arrays that move."""
        return cast("type[Flow]", self.size.system).moving

    @property
    def names(self) -> list[str]:
        """The numbers of the start, then those that move, now."""
        # In the order in which `_of` takes them off.
        first = self.size.names
        places = [name for name in self.moving for _ in range(self._length(name))]
        return [*first, *(f"now{k}_{name}" for k, name in enumerate(places))]

    def _shape(self, name: str) -> tuple[int, ...]:
        return tuple(self.size.axes[axis] for axis in self.size.system.fields()[name].axes)

    def _length(self, name: str) -> int:
        return int(np.prod(self._shape(name), dtype=int))

    def symbolic(self, path: Run) -> Moment:
        """The general moment."""
        return self._of(self.size.symbolic(path), path.symbols)

    def filled(self, values: Mapping[str, Any]) -> Moment:
        """The moment with these numbers, by their names, whether or not the start makes sense."""
        given = np.array([values[name] for name in self.names], dtype=object)
        start = self.size.filled({name: values[name] for name in self.size.names})
        return self._of(start, lambda shape, first: given[first : first + int(np.prod(shape, dtype=int))].reshape(shape))

    def _of(self, start: System, part: Callable[[tuple[int, ...], int], Array]) -> Moment:
        moved, first = {}, len(self.size.names)
        for name in self.moving:
            moved[name] = numbers(part(self._shape(name), first))
            first += self._length(name)
        return Moment(start.replace(**moved), start)

    def is_affine(self, value: Any) -> bool:
        """Whether a number is an affine function of the numbers that move, for any start."""
        if not isinstance(value, Symbol):
            return True
        # Variables come in this order: the start, what moves, roots and exponentials. The last may be of what moves.
        first, end = len(self.size.names), len(self.names)
        above, below = inside(value).top.to_dict(), inside(value).bottom.to_dict()
        return not any(sum(one[first:]) > 1 or any(one[end:]) for one in above) and not any(
            any(one[first:]) for one in below
        )


@dataclass(frozen=True)
class AboutMoments:
    """What is asked of moments as a question: the hypotheses are about the start."""

    kept: tuple[Assumption, ...]
    conclusion: Conclusion


def question(kept: tuple[Assumption, ...], ask: Ask) -> AboutMoments:
    """What is asked, under these hypotheses of a claim on the start."""

    def slack(moment: Moment) -> Any:
        for entry, signs in ask.given:
            value = entry.at(moment.now, moment.start)
            # What is given is no question that forks the path: it is known of it.
            if isinstance(value, Symbol) and not inside(value).product.is_constant():
                inside(value).path.define(inside(value).product, signs)
            elif sign(value) not in signs:  # there is no such moment, and nothing to show
                return np.empty(0, dtype=object)
        return ask.value(moment.now, moment.start)

    conclusion = Conclusion(ask.entry.name, Form.STATE, ask.relation, slack)
    return AboutMoments(tuple(_of_start(one) for one in kept), conclusion)


def _of_start(assumption: Assumption) -> Assumption:
    return Assumption(assumption.name, assumption.statement, lambda moment: assumption.satisfies(moment.start))
