r"""What is wrong with a statement, in the words of a letter to its author.

Texts are prose with formulas between dollar signs, in TeX: `$\gamma \le 1$`. A sheet writes them as LaTeX, Markdown or
HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import fraction
from dynamics.choices import plain


class Kind(StrEnum):
    """What kind of error it is, the gravest first."""

    THEOREM = "false theorem"
    LEMMA = "false step, the theorem stands"
    CASE = "missing case or hypothesis"
    INTUITION = "false intuition"
    MISPRINT = "misprint"
    NOT_CARRIED_OVER = "does not carry over"
    """Printed for another setting: no error of its authors."""
    QUESTION = "a question of ours, answered no"


@dataclass(frozen=True)
class Consequence:
    """A later statement of the text that uses a false one: whether it survives, why, and the claim that shows it."""

    where: str
    why: str
    survives: bool = True
    shown_by: str = ""
    """By default the correction of the false one."""


@dataclass(frozen=True)
class Defect:
    """What a sheet says of a false statement.

    `quotation` is the sentence as it stands in the text; `context` quotes or cites every hypothesis, definition and
    convention that stands elsewhere. `wrong` names the defect in one sentence of mathematics, `correction` is what holds
    instead. `reading` says which of two readings is meant where a sentence has two.
    """

    kind: Kind
    quotation: str
    context: str
    wrong: str
    correction: str
    consequences: tuple[Consequence, ...] = ()
    reading: str = ""

    def shown_by(self, correction: str) -> Defect:
        """The same, where consequences that name no claim are shown by this one."""
        shown = tuple(replace(one, shown_by=one.shown_by or correction) for one in self.consequences)
        return replace(self, consequences=shown)


@dataclass(frozen=True)
class ByHand:
    """A counterexample to be checked with pencil and paper: the arrays of an instance, and the lines that refute it."""

    instance: dict[str, Any]
    lines: Callable[[Any], Iterable[str]]
    """Maps the exact instance to sentences; their numbers are evaluated there."""
    by_argument: bool = False
    """Whether the lines argue with limits or bounds: then the instance need not break a conclusion at once."""
    beside: str = ""
    """What the published certificate has to do with these lines, where it is of another instance or of one of a family."""


def tex(value: Any, places: int = 4) -> str:
    """An exact number, or a nested list of them, in TeX; of a ball the decimals that are certain, at most so many.

    Raises ValueError for a ball of which not even the first decimal is certain.
    """
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], list | tuple):
            rows = r" \\ ".join(" & ".join(tex(entry, places) for entry in row) for row in value)
            return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"
        return f"({', '.join(tex(entry, places) for entry in value)})"
    value = plain(value)
    if isinstance(value, arb):
        return _decimals(value, places)
    exact = fraction(value) if isinstance(value, fmpq) else Fraction(value)
    if exact.denominator == 1:
        return str(exact.numerator)
    return f"{'-' if exact < 0 else ''}\\tfrac{{{abs(exact.numerator)}}}{{{exact.denominator}}}"


def _decimals(value: arb, places: int) -> str:
    """Cut after the last decimal that all numbers of the ball share."""
    # Cut, not rounded: the digits shown are digits of every number in the ball, as dots behind them say.
    for shown in range(places, -1, -1):
        scaled = value * arb(10) ** shown
        cut = (abs(scaled)).floor().unique_fmpz()
        # Around zero not even the sign before the digits is certain.
        if cut is not None and (value > 0 or value < 0):
            digits = str(int(cut)).rjust(shown + 1, "0")
            whole, rest = digits[: len(digits) - shown], digits[len(digits) - shown :]
            return f"{'-' if value < 0 else ''}{whole}{'.' if rest else ''}{rest}\\ldots"
    raise ValueError(f"no decimal of {value} is certain")
