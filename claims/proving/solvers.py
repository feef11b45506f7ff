"""Solvers, each in a process of its own, under a limit of time and memory."""

from __future__ import annotations

import importlib.util
import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from claims.proving.solver_process import SOLVERS

START_SECONDS = 120.0  # on a busy machine, where many processes import at a time
GRACE = 2.0  # seconds beyond the limit that a solver was given: it looks at its clock now and then


class NoSolverError(ImportError):
    """A solver is not installed; the message says what to install."""


def require(names: Sequence[str] = tuple(SOLVERS)) -> None:
    """Raise NoSolverError unless these solvers are installed."""
    missing = [one.package for one in map(SOLVERS.__getitem__, names) if importlib.util.find_spec(one.module) is None]
    if missing:
        raise NoSolverError(f"{' and '.join(missing)} not installed: pip install 'attention-claims[prove]'")


@dataclass(frozen=True)
class Answer:
    """What a solver says of a system: "sat", "unsat" or "unknown"; with `model` the numbers of a satisfiable one.

    `model` maps names to (exact rational as text, whether it is the number and not one near it).
    """

    word: str
    model: dict[str, tuple[str, bool]] | None = None
    reason: str = ""


class Solver:
    """One solver's process. It is ended where it exceeds its time, and starts again for the next question."""

    def __init__(self, name: str) -> None:
        require([name])
        self.name = name
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def decide(self, system: str, seconds: float) -> Answer:
        """What the solver says of a system in SMT-LIB 2 within this time."""
        try:
            reply = self._ask({"system": system, "seconds": seconds}, seconds + GRACE)
        except BaseException:  # interrupted: the answer would be taken for that to the next question
            self.close()
            raise
        if reply is None:
            return Answer("unknown", None, f"{self.name} was ended after {seconds:.0f} s")
        word = str(reply["answer"])
        if word not in ("sat", "unsat"):
            return Answer("unknown", None, str(reply.get("error", "")) or f"{self.name} says {word or 'nothing'}")
        model = reply.get("model")
        return Answer(word, None if model is None else {name: (one["value"], one["exact"]) for name, one in model.items()})

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any] | None:
        process = self._process or self._started()
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = self._line(seconds)
        except OSError:
            line = ""
        if not line:
            self.close()
            return None
        return dict(json.loads(line))

    def _started(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "claims.proving.solver_process", self.name, str(os.getpid())]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603 -- ourselves
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        )
        if not self._line(START_SECONDS):
            self.close()
            raise NoSolverError(f"{self.name} does not start: pip install 'attention-claims[prove]'")
        return self._process

    def _line(self, seconds: float) -> str:
        # The next line, "" where none comes in time: a process answers one question with one line.
        assert self._process is not None
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], seconds)
        return self._process.stdout.readline() if ready else ""


@contextmanager
def each_solver(make: Callable[[str], Solver]) -> Iterator[list[Solver]]:
    """All solvers, in the order in which they are asked; the first also finds the models."""
    with ExitStack() as stack:
        yield [stack.enter_context(make(name)) for name in SOLVERS]
