"""Which branches of a path are possible: points show that some are, sums and renamings that others are not.

Where no point is known on the path itself Z3 is asked, for a share of the time: a branch that is followed in vain costs
time, and no proof.
"""

from __future__ import annotations

import time

import numpy as np

from claims.proving.agreement import sample
from claims.proving.exploring import Possible, Size, asking
from claims.proving.reasons import Reasons
from claims.proving.renamings import Renaming, renamings
from claims.proving.solvers import Solver
from claims.proving.symbols import Condition, Path
from claims.proving.witnesses import Witnesses
from claims.target import Variant

SHARE = 0.5
"""How much of the time Z3 may take for branches."""

AT_ONCE = 2.0
"""Seconds that it may take before this is looked at."""


class Branches:
    """What is known of the branches of one statement about a state, at one size."""

    def __init__(self, variant: Variant, size: Size, z3: Solver, reasons: Reasons) -> None:
        self._variant, self._size, self._reasons = variant, size, reasons
        self._ask: Possible = asking(z3)
        self._witnesses: Witnesses | None = None
        self._began, self._asked = time.monotonic(), 0.0

    def possible(self, path: Path, asked: tuple[Condition, Condition], seconds: float) -> list[bool]:
        """Which of two conditions may hold beside those of the path."""
        witnesses = self._witnesses = self._witnesses or self._drawn()
        found = witnesses.possible(path.conditions, asked)
        may = [
            seen or self._reasons.of(path.variables, (*path.conditions, one), ()) is None
            for seen, one in zip(found, asked, strict=True)
        ]
        if may == found or any(found):
            return may
        now = time.monotonic()
        if self._asked < max(SHARE * (now - self._began), AT_ONCE):
            told = self._ask(path, asked, seconds)
            self._asked += time.monotonic() - now
            may = [one and other for one, other in zip(may, told, strict=True)]
        return may

    def _drawn(self) -> Witnesses:
        points = [self._size.point(one) for one in sample(self._variant, self._size)]
        return Witnesses(np.array([[float(x.p) / float(x.q) for x in point] for point in points]))


def symmetries(size: Size) -> list[Renaming]:
    """Signed renamings of the numbers of a size: tokens, scores, coordinates."""
    return renamings(size.places)
