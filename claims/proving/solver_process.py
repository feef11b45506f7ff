"""The process that a solver runs in: systems come on its input, answers go to its output, one line of JSON each.

Solvers crash, hang and fill the memory: none of this may reach who asks.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MEMORY = 3 << 30  # bytes that a solver may take: several run at a time, and a machine that swaps hangs for all
DEATH_OF_PARENT = 1  # Linux's number for the signal that is sent when the parent dies, as prctl has it

# Seconds that a process outlives a question, and twice its time, where its parent's death is not told: who asked has ended
# it long before.
GRACE = 60.0


def _end_with_parent(parent: int) -> None:
    # As soon as the process ends that started this one, on Linux, whatever a solver is busy with: nobody else ends it.
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes  # noqa: PLC0415 -- not everywhere

        ctypes.CDLL(None).prctl(DEATH_OF_PARENT, signal.SIGKILL)
    if os.getppid() != parent:  # it has died before it was asked for
        os._exit(1)


def _end_after(seconds: float) -> None:
    # 0 for never. A solver that is busy notices no end of its input.
    if hasattr(signal, "setitimer"):  # what its signal does by itself needs no thread to run
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _z3() -> Callable[[dict[str, Any]], dict[str, Any]]:
    import z3  # noqa: PLC0415 -- an extra

    def decide(request: dict[str, Any]) -> dict[str, Any]:
        solver = z3.SolverFor("QF_NRA")
        solver.set("timeout", int(1000 * request["seconds"]))
        solver.from_string(request["system"])
        answer = solver.check()
        if answer != z3.sat:
            return {"answer": str(answer)}
        model = solver.model()
        return {"answer": "sat", "model": {str(name): _number(z3, model[name]) for name in model}}

    return decide


def _number(z3: Any, value: Any) -> dict[str, Any]:
    if z3.is_rational_value(value):
        return {"value": str(value.as_fraction()), "exact": True}
    # To 24 digits: whoever asks looks for a rational near it.
    return {"value": str(value.approx(24).as_fraction()), "exact": False}


def _cvc5() -> Callable[[dict[str, Any]], dict[str, Any]]:
    import cvc5  # noqa: PLC0415 -- an extra

    def decide(request: dict[str, Any]) -> dict[str, Any]:
        solver = cvc5.Solver(cvc5.TermManager())
        solver.setOption("tlimit-per", str(int(1000 * request["seconds"])))
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, request["system"], "system")
        symbols, told = parser.getSymbolManager(), ""
        while not (command := parser.nextCommand()).isNull():
            told += command.invoke(solver, symbols)
        return {"answer": told.strip()}

    return decide


@dataclass(frozen=True)
class Backend:
    """What a solver is installed with and imported as, and what makes the function that asks it.

    That function maps a system in SMT-LIB 2 and a number of seconds to an answer, "sat", "unsat" or anything else.
    """

    package: str
    module: str
    make: Callable[[], Callable[[dict[str, Any]], dict[str, Any]]]


SOLVERS = {"z3": Backend("z3-solver", "z3", _z3), "cvc5": Backend("cvc5", "cvc5", _cvc5)}
"""In the order in which they are asked: each what those before it give up, and again what these decided."""


def main(name: str, parent: int) -> None:
    """Answer questions until there are no more, or the parent has died: nobody is left to hear an answer."""
    _end_with_parent(parent)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 -- not everywhere

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    answer = SOLVERS[name].make()
    sys.stdout.write('{"ready": true}\n')
    sys.stdout.flush()
    for line in sys.stdin:
        try:
            request = json.loads(line)
            _end_after(2 * request["seconds"] + GRACE)  # solvers look at their own limit when they please
            reply = answer(request)
        except Exception as error:  # noqa: BLE001 -- whatever a solver fails with, it has not decided
            reply = {"answer": "unknown", "error": f"{type(error).__name__}: {error}"[:200]}
        _end_after(0)
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
