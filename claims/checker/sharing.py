"""Measures what a check shares with the code that decided first.

While a slack is evaluated and assumptions are tested, every function of the suite that runs is recorded. What is left after
the checker's own modules is what both sides rely on: an error there is seen by neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from cProfile import Profile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from dynamics.choices import SUITE

ROOT = Path(__file__).resolve().parents[2]

OWN = re.compile(
    r"(claims|dynamics)\.checker\.\w+|dynamics\.(findings|tokens\.averaging)"
    r"|claims\.(certificates\.format|stating\.formulas)"
)
"""The checker's own modules, and those that hold data and compute nothing."""

VOCABULARY = re.compile(
    r"claims\.(__init__|stating\.(catalogue|experiments|statement|verdict)|targets\.(target|user_claims))"
    r"|dynamics\.(__init__|arithmetic|choices|system)"
)
"""Modules that find claims, read instances and hold numbers in arrays: the same on both sides, and part of no claim."""


@dataclass
class Shared:
    """What both sides rely on: assumptions by name, and functions of the suite by module, the slack's formula apart."""

    formula: Sequence[str] = ()
    assumptions: list[str] = field(default_factory=list)
    _codes: set[CodeType] = field(default_factory=set)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Record every function that runs within."""
        # The profiler in C: a function of ours for each call would take longer than what is checked.
        watching = Profile(subcalls=False, builtins=False)
        watching.enable()
        try:
            yield
        finally:
            watching.disable()
            self._codes |= {entry.code for entry in watching.getstats() if isinstance(entry.code, CodeType)}

    def functions(self) -> dict[str, list[str]]:
        """The functions that ran and are neither the checker's own nor part of the formula's text, by module."""
        shown = set(re.findall(r"^(?:def|class) (\w+)", "\n".join(self.formula), re.MULTILINE))
        found: dict[str, set[str]] = {}
        for code in self._codes:
            module = _module_of(code.co_filename)
            name, _, method = code.co_qualname.partition(".")
            # What is left decides, and both sides rely on it: each function is named.
            if module is None or OWN.fullmatch(module) or VOCABULARY.fullmatch(module) or "<module>" in (name, method):
                continue
            if method.partition(".")[0] == "validate" and module.startswith(SUITE):
                continue  # how an instance is read
            if not (module.startswith("claims.") and name in shown):
                found.setdefault(module, set()).add(name)
        return {module: sorted(names) for module, names in sorted(found.items())}

    def to_json(self) -> dict[str, Any]:
        """As plain data: the formula's functions by name, assumptions that were not restated, other functions by module."""
        # Their text is part of the certificate: a reader can judge them.
        names = re.findall(r"^(?:def|class) (\w+)", "\n".join(self.formula), re.MULTILINE)
        return {"formula": names, "assumptions": self.assumptions, "functions": self.functions(), "summary": self.summary()}

    def summary(self) -> str:
        """On one line."""
        parts = ["the formula of the slack"]
        parts += [f"assumption {name}" for name in self.assumptions]
        return ", ".join([*parts, *self.functions()])


@cache
def _module_of(file: str) -> str | None:
    """The suite's module that a file is; None for one of another package."""
    path = Path(file)
    try:
        inside = path.resolve().relative_to(ROOT)
    except (ValueError, OSError):
        return None
    return ".".join(inside.with_suffix("").parts) if inside.parts[0] in ("claims", "dynamics") else None
