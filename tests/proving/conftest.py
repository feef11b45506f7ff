"""Solvers and processes that all tests of proofs share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from claims.proving import ever, proof, recheck
from claims.proving.solvers import Solver
from tests.proving.solver_processes import Remembering

remembering = cache(Remembering)


def _in_this_process(function: Callable[..., None], *given: Any) -> None:
    function(*given)


@pytest.fixture(scope="module", autouse=True)
def processes_kept(request: pytest.FixtureRequest) -> Iterator[None]:
    """Solvers take longer to start than to answer: all rooms share one process of each.

    So do processes that have run no claim file, in which a proof is run again: a file that is about them says `ANEW`.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Solver, "__exit__", lambda *given: None)
        for room in (ever, proof, recheck):
            patch.setattr(room, "Solver", remembering)
        patch.setattr(proof, "SIMPLIFY_SECONDS", 0.1)  # no test reads what is simpler: hunting's do
        if not getattr(request.module, "ANEW", False):
            patch.setattr(proof, "start", lambda: None)
            patch.setattr(proof, "ask", _in_this_process)
        yield
