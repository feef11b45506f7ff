"""Why a system has no solution, where no solver is asked: a sum refutes it, or it is another that is shown, renamed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from claims.proving.cores import Cores
from claims.proving.renamings import Renaming, ShownImpossible, follows, is_renaming, known, renamed
from claims.proving.sum_check import SumError, check_sum
from claims.proving.sums import Sums
from claims.proving.symbols import Condition

SUMS, RENAMED = "sums", "renamed"

Reason = dict[str, Any]  # plain data: a sum for each violation, or the answers of the other path with the renaming


def alternatives(conditions: Sequence[Condition], violations: Sequence[Condition]) -> list[tuple[Condition, ...]]:
    """The conditions of a system with each of its violations, or alone where it has none."""
    return [(*conditions, one) for one in violations] or [tuple(conditions)]


class Reasons:
    """The reasons that are found in one proof."""

    def __init__(self, group: Sequence[Renaming]) -> None:
        self._sums: dict[int, Sums] = {}
        self._shown, self._cores = ShownImpossible(group), Cores(group)
        self._found: dict[Any, Reason] = {}
        self._without: set[Any] = set()

    def of(self, names: Sequence[str], conditions: Sequence[Condition], violations: Sequence[Condition]) -> Reason | None:
        """Why a system has no solution; None where that is not found."""
        key = (tuple(conditions), tuple(violations))
        found = self.known(names, *key)
        if found is None and key not in self._without:
            found = self._summed(names, *key, search=True)
            if found is None:  # a branch is asked about when it forks, and again as a leaf
                self._without.add(key)
        return found

    def known(
        self, names: Sequence[str], conditions: Sequence[Condition], violations: Sequence[Condition]
    ) -> Reason | None:
        """The same as far as it follows from reasons found before."""
        key = (tuple(conditions), tuple(violations))
        if key not in self._found:
            found = self._summed(names, *key, search=False) or self._renamed(conditions, violations)
            if found is None:
                return None
            self._found[key] = found
        return self._found[key]

    def _renamed(self, conditions: Sequence[Condition], violations: Sequence[Condition]) -> Reason | None:
        other = self._shown.reason(conditions, violations)
        if other is None:
            return None
        return {"by": RENAMED, "as": other[0], "renaming": [list(one) for one in other[1]]}

    def _summed(
        self, names: Sequence[str], conditions: Sequence[Condition], violations: Sequence[Condition], search: bool
    ) -> Reason | None:
        """The sum of each alternative; where it is to be searched for, it is kept for others."""
        # Paths have more variables the more roots and exponentials they met, and polynomials of one ring are compared.
        sums = self._sums.setdefault(len(names), Sums(len(names)))
        found = []
        for system in alternatives(conditions, violations):
            one = self._cores.refutation(system, sums)
            if one is None and search:
                one = sums.refutation(system)
                if one is not None:
                    self._cores.learn(system, one)
            if one is None:
                return None
            found.append(one)
        check_sums(conditions, violations, found)  # anew, as they were renumbered: what raises here ends the attempt
        return {"by": SUMS, "sums": found}

    def learn(self, answers: str, conditions: Sequence[Condition], violations: Sequence[Condition]) -> None:
        """Add the system of a path that solvers decide: what it is when renamed need not be asked."""
        self._shown.learn(answers, conditions, violations)


def check_sums(conditions: Sequence[Condition], violations: Sequence[Condition], told: Any) -> None:
    """Raise SumError, TypeError, ValueError or LookupError unless there is a sum for each alternative that refutes it."""
    systems = alternatives(conditions, violations)
    if not isinstance(told, list) or len(told) != len(systems):
        raise SumError("there is not one sum for each violation")
    for system, one in zip(systems, told, strict=True):
        check_sum([(condition.terms, condition.signs) for condition in system], one)


def is_shown_by(
    system: tuple[Sequence[Condition], Sequence[Condition]],
    other: tuple[Sequence[Condition], Sequence[Condition]],
    told: Any,
    variables: int,
) -> bool:
    """Whether a system has no solution if the other has none, by the renaming that is told of the first variables."""
    if not is_renaming(told, variables):
        return False
    conditions, violations = ([renamed(one, told) for one in part] for part in other)
    return follows((known(system[0]), system[1]), (conditions, violations))
