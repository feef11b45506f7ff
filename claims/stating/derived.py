"""Better values of constants that are derived by hand for every size: `improved.toml` of each paper, and how it is read.

A prover shows a better value at small sizes, where it may be too good for larger ones. What holds at every size, or why
nothing better does, stands in these tables with its derivation; the tests try each value on instances of every size met.
"""

from __future__ import annotations

import ast
import operator
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from flint import fmpq

from claims.stating.statement import PAPERS

Key = tuple[str, str, str]

FOLDER = Path(__file__).parents[1]
FILE = "improved.toml"

OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


class Stands(StrEnum):
    """Where the constant that can be better stands."""

    PAPER = "paper"
    """The text of the paper has it."""
    STATEMENT = "statement"
    """A statement of this suite has it."""
    FORMULA = "formula"
    """Only our slack has it, to say something where the statement in words is silent."""


@dataclass(frozen=True)
class Derivation:
    """A better value of a constant at every size, or None with the reason why there is none, and where it stands.

    `says` tells the authors of the paper in LaTeX, where the constant is theirs.
    """

    key: Key
    better: str | None
    why: str
    stands: Stands
    says: str = ""

    @property
    def told(self) -> str:
        """What holds at every size, in a few words."""
        return self.why if self.better is None else f"{self.better} is derived for every size"

    def value(self, size: Mapping[str, int]) -> fmpq:
        """The better value at a size, the lengths of axes by name. Raises ValueError where there is none."""
        if self.better is None:
            raise ValueError(f"no better value of {'.'.join(self.key)} holds at every size: {self.why}")
        return _evaluated(ast.parse(self.better, mode="eval").body, size)


def _evaluated(node: ast.expr, size: Mapping[str, int]) -> fmpq:
    """The value of a formula in whole numbers and sizes. Raises ValueError for anything else in it."""
    # Not by eval: tables are data, and a value in floats would decide nothing.
    match node:
        case ast.Constant(int(number)):
            return fmpq(number)
        case ast.Name(name) if name in size:
            return fmpq(size[name])
        case ast.BinOp(left, sign, right) if type(sign) in OPERATIONS:
            value: fmpq = OPERATIONS[type(sign)](_evaluated(left, size), _evaluated(right, size))
            return value
    raise ValueError(f"{ast.unparse(node)} is no formula in whole numbers and {', '.join(size)}")


@cache
def derivations() -> dict[Key, Derivation]:
    """All of them by claim, conclusion and constant. Raises ValueError for an entry with other keys than these."""
    found = {}
    for paper in PAPERS:
        file = FOLDER / paper / FILE
        table = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        for statement, constants in table.items():
            for constant, entry in constants.items():
                stands = Stands(entry["stands"])
                told = {"says"} if stands is Stands.PAPER and "better" in entry else set()
                # A misspelt key would be a reason that nobody reads.
                if set(entry) not in ({"better", "stands", "why"} | told, {"none", "stands"}):
                    wanted = "better, stands and why, says if the paper has it; or none and stands"
                    raise ValueError(f"{file.name} of {paper}, {statement}, {constant}: write {wanted}")
                claim, conclusion = statement.rsplit(".", 1)
                key = (claim, conclusion, constant)
                why = entry["why"] if "better" in entry else entry["none"]
                found[key] = Derivation(key, entry.get("better"), why, stands, entry.get("says", ""))
    return found
