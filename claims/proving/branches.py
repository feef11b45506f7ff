"""Which branches of a path are possible: points and Z3 show that some are, Z3, sums and renamings that others are not.

What decides more in its time is tried first. A branch that is followed in vain costs time, and no proof.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from claims.proving.agreement import sample
from claims.proving.exploring import BRANCH_SECONDS, Size, branch
from claims.proving.reasons import Reasons
from claims.proving.solvers import Solver
from claims.proving.symbols import Condition, Run
from claims.proving.witnesses import Witnesses
from claims.targets.target import Variant

SHARE, AT_ONCE = 0.5, 2.0  # how much of the time Z3 may take for branches, and seconds before this is looked at


@dataclass
class _Way:
    """A way to decide whether a branch is possible: None where it cannot tell. Its seconds, and what it decided in them."""

    ask: Callable[[Run, Condition, float], bool | None]
    seconds: float = 0.0
    decided: int = 0

    @property
    def price(self) -> float:
        return self.seconds / (self.decided + 1)

    def __call__(self, path: Run, condition: Condition, seconds: float) -> bool | None:
        began = time.monotonic()
        answer = self.ask(path, condition, seconds)
        self.seconds += time.monotonic() - began
        self.decided += answer is not None
        return answer


class Branches:
    """What is known of the branches of one statement about a state, at one size."""

    def __init__(self, variant: Variant, size: Size, z3: Solver, reasons: Reasons) -> None:
        self._variant, self._size, self._reasons, self._z3 = variant, size, reasons, z3
        self._witnesses: Witnesses | None = None
        self._began = time.monotonic()
        self._solver, self._refuted = _Way(self._by_solver), _Way(self._by_reasons)

    def possible(self, path: Run, asked: tuple[Condition, Condition], seconds: float) -> list[bool]:
        """Which of two conditions may hold beside those of the path: one at least."""
        if self._witnesses is None:  # not before a branch is asked about: most formulas have none
            points = [self._size.point(one) for one in sample(self._variant, self._size)]
            self._witnesses = Witnesses(np.array([[float(x.p) / float(x.q) for x in point] for point in points]))
        first, second = self._witnesses.possible(path.conditions, asked)
        first = first or self._may(path, asked[0], seconds)
        # The path itself is possible, as far as is known.
        second = second or not first or self._may(path, asked[1], seconds)
        return [first, second]

    def _may(self, path: Run, condition: Condition, seconds: float) -> bool:
        if self._reasons.known(path.variables, (*path.conditions, condition), ()) is not None:
            return False
        # By what a decision has cost so far: of some formulas sums decide nearly all, of others Z3 does.
        for way in sorted((self._solver, self._refuted), key=lambda one: one.price):
            answer = way(path, condition, seconds)
            if answer is not None:
                return answer
        return True

    def _by_solver(self, path: Run, condition: Condition, seconds: float) -> bool | None:
        if self._solver.seconds > max(SHARE * (time.monotonic() - self._began), AT_ONCE):
            return None
        answer = self._z3.decide(branch(path, condition), min(BRANCH_SECONDS, seconds))
        if answer.model is not None and self._witnesses is not None:
            with suppress(OverflowError):  # a number beyond floats makes no point
                self._witnesses.add([float(Fraction(answer.model.get(name, ("0", True))[0])) for name in self._size.names])
        return {"sat": True, "unsat": False}.get(answer.word)

    def _by_reasons(self, path: Run, condition: Condition, _: float) -> bool | None:
        reason = self._reasons.of(path.variables, (*path.conditions, condition), ())
        return None if reason is None else False
