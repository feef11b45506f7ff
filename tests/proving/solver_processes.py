"""Solvers for tests: skipped by name where they are not installed, one process of each for a whole file."""

from __future__ import annotations

import types
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from claims.proving.solver_process import SOLVERS
from claims.proving.solvers import Solver


def solvers_or_skip() -> None:
    """Skip the test, or at its top the file, without the solvers."""
    for name, backend in SOLVERS.items():
        pytest.importorskip(backend.module, reason=f"{name} is not installed: pip install '.[prove]'")


@contextmanager
def shared_by(*rooms: types.ModuleType) -> Iterator[None]:
    """Solvers take longer to start than to answer: these modules share one process of each."""
    kept = {name: Solver(name) for name in SOLVERS}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Solver, "__exit__", lambda *given: None)
        for room in rooms:
            patch.setattr(room, "Solver", kept.__getitem__)
        yield
    for solver in kept.values():
        solver.close()
