"""Solvers for tests, skipped by name where they are not installed; and what is to be proved of a claim file."""

from __future__ import annotations

import atexit
from typing import Any

import pytest

from claims.proving.solver_process import SOLVERS
from claims.proving.solvers import Answer, Solver
from claims.targets.target import Target


def solvers_or_skip() -> None:
    """Skip the test, or at its top the file, without the solvers."""
    for name, backend in SOLVERS.items():
        pytest.importorskip(backend.module, reason=f"{name} is not installed: pip install '.[prove]'")


class Remembering(Solver):
    """A solver that is asked each question once: tests of one flow ask much the same of it, and a bug asks another."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.replies: dict[str, dict[str, Any]] = {}
        atexit.register(self.close)

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any] | None:
        if request["system"] in self.replies:
            return self.replies[request["system"]]
        reply = super()._ask(request, seconds)
        if reply is not None and reply["answer"] in ("sat", "unsat"):
            self.replies[request["system"]] = reply
        return reply


class Told(Solver):
    """A solver that says the same of every system, without a process."""

    def __init__(self, word: str, name: str = "told") -> None:  # whether or not one of this name is installed
        self.word, self.name = word, name

    def decide(self, *_: object) -> Answer:
        return Answer(self.word)


def target_in(source: str, file: str, conclusion: str) -> Target:
    """A conclusion of a claim file's text, which is executed where a test asks for its claim: cases name many of these."""
    return Target(file.removesuffix(".py"), conclusion, file=file, source=source)
