"""Numbers along a flow that a proof for ever may speak of, by name: orders, clocks, growths, the entries of slacks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import product
from typing import Any, cast

import numpy as np

from claims.proving.exploring import NoProofError, Size
from claims.proving.moments import Entry
from claims.stating.statement import Conclusion, Form
from claims.targets.target import Variant
from dynamics.system import Flow

FOLLOWED = (Form.TRAJECTORY, Form.RATE)  # forms whose slack is a formula in the state now and at the start
ORDERED = ("n", "p", "T")  # tokens, scores, rows: axes along which papers order coordinates
MOST = 10_000  # entries of one slack: an outline in a file may ask for any number


class Entries:
    """All entries of a target at a size; those of a slack once their number is told, which is to be shown.

    `own` are those of the conclusion itself.
    """

    def __init__(self, variant: Variant, size: Size) -> None:
        self.conclusion = variant.conclusion
        self.orders, self.clocks = orders(size), clocks(size)
        self.growths = growing([*self.orders[::2], *_coordinates(size)])
        self.own: list[Entry] = []
        self.counts: dict[str, int] = {}
        self._named: dict[str, Entry] = {}
        self._add([*self.orders, *self.clocks, *self.growths])
        self._conclusions = {one.name: one for one in others(variant)} | {self.conclusion.name: self.conclusion}

    def _add(self, found: Iterable[Entry]) -> None:
        for entry in found:
            if self._named.setdefault(entry.name, entry) is not entry:
                raise NoProofError(f"two numbers along the flow have the name {entry.name!r}")

    def count(self, name: str, number: int) -> list[Entry]:
        """The entries of a conclusion, by its name. Raises NoProofError."""
        if name not in self._conclusions or name in self.counts or not 0 < number <= MOST:
            raise NoProofError(f"{number} entries of {name!r} are not to be counted here")
        found = [Entry(f"{name} {k}", self._conclusions[name].slack, k) for k in range(number)]
        self._add(found)
        self.counts[name] = number
        if name == self.conclusion.name:
            self.own = found
        return found

    def __getitem__(self, name: str) -> Entry:
        """The entry of this name. Raises NoProofError."""
        if name not in self._named:
            raise NoProofError(f"no number along the flow has the name {name!r}")
        return self._named[name]


def others(variant: Variant) -> list[Conclusion]:
    """The claim's other conclusions about trajectories under the same hypotheses."""
    return [
        one
        for one in variant.claim.conclusions
        if one.form in FOLLOWED
        and one.name != variant.conclusion.name
        and variant.claim.assumptions_of(one) == variant.claim.assumptions_of(variant.conclusion)
    ]


def orders(size: Size) -> list[Entry]:
    """Differences of coordinates that move, along each axis: neighbours, and the first with the others."""
    fields = size.system.fields()
    found = []
    for name in cast("type[Flow]", size.system).moving:
        for axis, label in enumerate(fields[name].axes):
            if label not in ORDERED:
                continue
            length = size.axes[label]
            # Neighbours tell an order; the first with the others bounds the rest where it alone leads.
            pairs = [(i, i + 1) for i in range(length - 1)] + [(0, j) for j in range(2, length)]
            rest = int(np.prod([size.axes[one] for one in fields[name].axes], dtype=int)) // length
            # Both ways, one after the other: which of them holds is a matter of the hypotheses; growths need one of both.
            for (i, j), k in product(pairs, range(rest)):
                found += [
                    Entry(
                        f"{name}: {one} - {other} along axis {axis}, {k}", partial(_difference, name, axis, one, other), k
                    )
                    for one, other in ((i, j), (j, i))
                ]
    return found


def _difference(name: str, axis: int, i: int, j: int, now: Any, _: Any) -> Any:
    moving = np.moveaxis(np.asarray(getattr(now, name)), axis, 0)
    return moving[i] - moving[j]


def clocks(size: Size) -> list[Entry]:
    """The rates of the single numbers that move: factors that keep their sign are often among them."""
    kind = cast("type[Flow]", size.system)
    return [
        Entry(f"rate of {name}", partial(_rate, place))
        for place, name in enumerate(kind.moving)
        if not size.system.fields()[name].axes
    ]


def _rate(place: int, now: Any, _: Any) -> Any:
    return now.velocity()[place]


def growing(entries: Iterable[Entry]) -> list[Entry]:
    """Entries less what they were at the start, and the other way round."""
    return [Entry(f"{word} of {one.name}", partial(_growth, one, k)) for one in entries for word, k in GROWTHS.items()]


GROWTHS = {"growth": 1, "fall": -1}


def _growth(entry: Entry, factor: int, now: Any, start: Any) -> Any:
    return factor * (entry.at(now, start) - entry.at(start, start))


def _coordinates(size: Size) -> list[Entry]:
    found = []
    for name in cast("type[Flow]", size.system).moving:
        length = int(np.prod([size.axes[axis] for axis in size.system.fields()[name].axes], dtype=int))
        found += [Entry(f"{name}[{k}]", partial(_array, name), k) for k in range(length)]
    return found


def _array(name: str, now: Any, _: Any) -> Any:
    return getattr(now, name)
