"""Conditions that sums refute, and what has them among others: the same sum refutes it, renamed where it must be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from claims.proving.renamings import Renaming, renamed
from claims.proving.sums import Refutation, Sums
from claims.proving.symbols import Condition


class Cores:
    """Sums that are known, by the conditions that they use, with what these become under a group of renamings."""

    def __init__(self, group: Sequence[Renaming]) -> None:
        self._group = group
        self._numbers: dict[Condition, int] = {}
        self._cores: dict[frozenset[int], tuple[Condition, ...]] = {}
        self._sums: dict[frozenset[int], Refutation | None] = {}

    def learn(self, conditions: Sequence[Condition], told: Refutation) -> None:
        """Add what the sum uses of these conditions."""
        used = sorted({n for n, _ in told["fixed"]} | {n for _, numbers, _ in told["sum"] for n in numbers})
        core = tuple(conditions[n] for n in used)
        # Images without their sums: these are searched for when one is met, as most never are.
        for one in self._group:
            image = tuple(renamed(condition, one) for condition in core)
            self._cores.setdefault(self._of(image), image)
        # It may be known as an image whose own search failed, in another order.
        self._cores[self._of(core)] = core
        self._sums[self._of(core)] = renumbered(told, {n: k for k, n in enumerate(used)})

    def refutation(self, conditions: Sequence[Condition], search: Sums) -> Refutation | None:
        """A sum that refutes the conditions, where a core is among them; None where none is."""
        there = self._of(conditions)
        # By the numbers of conditions: thousands of sets are compared on every branch.
        for key, core in self._cores.items():
            if key <= there:
                if key not in self._sums:
                    self._sums[key] = search.refutation(core)
                told = self._sums[key]
                if told is not None:
                    return renumbered(told, {k: conditions.index(one) for k, one in enumerate(core)})
        return None

    def _of(self, conditions: Iterable[Condition]) -> frozenset[int]:
        return frozenset(self._numbers.setdefault(one, len(self._numbers)) for one in conditions)


def renumbered(told: Refutation, places: dict[int, int]) -> Refutation:
    """The sum with other numbers of its conditions."""
    return {
        "fixed": [[places[n], v] for n, v in told["fixed"]],
        "sum": [[factor, [places[n] for n in numbers], cofactor] for factor, numbers, cofactor in told["sum"]],
    }
