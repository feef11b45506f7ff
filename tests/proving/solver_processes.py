"""Solvers for tests: skipped by name where they are not installed, one process of each for all files."""

from __future__ import annotations

import atexit
import types
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

from claims.proving.solver_process import SOLVERS
from claims.proving.solvers import Solver


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


remembering = cache(Remembering)


@contextmanager
def shared_by(*rooms: types.ModuleType) -> Iterator[None]:
    """Solvers take longer to start than to answer: these modules share one process of each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Solver, "__exit__", lambda *given: None)
        for room in rooms:
            patch.setattr(room, "Solver", remembering)
        yield
