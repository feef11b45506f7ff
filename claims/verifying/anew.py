"""A process that has run no claim file: what it finds rests on the text that it is given alone.

Whatever a formula keeps in this process, in its own file, in another module or in the environment, is not there. The
process has the environment that this one began with, and answers each question in a child of its own, which ends with its
answer: so no question sees what another one left. A child that ends without an answer is *lost*.
"""

from __future__ import annotations

import atexit
import os
import pickle
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, ParamSpec, TypeVar

from claims.targets.kept import refuse_kept

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

BEGAN_WITH = dict(os.environ)  # before any claim file was read: a file may change its environment
SECONDS = 120.0  # for an answer: a formula that hangs must not hang who asks
CAN_FORK = hasattr(os, "fork")


class NoAnswerError(RuntimeError):
    """There is no answer: the message says why."""


class _Anew:
    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        # Of which process it is the child: one that was forked must not ask its parent's.
        self._of, self._asking = 0, threading.Lock()

    def start(self) -> None:
        """Start it, if it does not run."""
        if self._process is not None and self._of == os.getpid() and self._process.poll() is None:
            return
        command = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import main; main()"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=BEGAN_WITH)  # noqa: S603 -- ourselves
        # Once, though it may be started again: after a fork, or when it has ended.
        if self._of == 0:
            atexit.register(self.close)
        self._of = os.getpid()

    def close(self) -> None:
        """End it."""
        if self._process is not None and self._of == os.getpid():
            self._process.kill()
            self._process.communicate()
        self._process = None

    def ask(self, question: bytes) -> bytes:
        """The answer, empty where there is none."""
        with self._asking:
            self.start()
            assert self._process is not None
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            try:
                self._process.stdin.write(question)
                self._process.stdin.flush()
                ready = select.select([self._process.stdout], [], [], SECONDS)[0]
                answer: bytes = pickle.load(self._process.stdout) if ready else b""  # noqa: S301 -- from ourselves
            except (OSError, EOFError, pickle.UnpicklingError):
                self.close()
                return b""
            except BaseException:  # the answer to come would be taken for that of the next question
                self.close()
                raise
            if not answer or not CAN_FORK:
                self.close()
            return answer


_anew = _Anew()
start = _anew.start


def ask(function: Callable[Given, Answer], *given: Given.args, **options: Given.kwargs) -> Answer:
    """What a function of the suite finds in a process that has run no claim file.

    Raises NoAnswerError where it raises something, is not through in time, or the process ends by itself.
    """
    answer = _anew.ask(pickle.dumps((function, given, options)))
    if not answer:
        raise NoAnswerError("asked anew, its process ended by itself, or took too long")
    found, error = pickle.loads(answer)  # noqa: S301 -- from ourselves
    if error:
        raise NoAnswerError(f"asked anew, it fails: {error}")
    return found


def main() -> None:
    """Answer questions until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a formula prints is no answer
    while True:
        try:
            # What a question names is imported here, once for all: each child has it.
            question = pickle.load(sys.stdin.buffer)  # noqa: S301 -- from who started this
        except EOFError:
            return
        with suppress(BrokenPipeError):
            pickle.dump(_answered(question), answers)
            answers.flush()


def _answered(question: Any) -> bytes:
    if not CAN_FORK:
        return _answer(*question)
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(BaseException), os.fdopen(theirs, "wb") as told:
            os.close(ours)
            sys.stdin.close()
            if hasattr(signal, "setitimer"):  # who asked may be gone
                signal.setitimer(signal.ITIMER_REAL, SECONDS)
            told.write(_answer(*question))
        # At once: what was registered for the end of this process is not the child's to do.
        os._exit(0)
    # With this end still open the end of the answer would never be seen.
    os.close(theirs)
    with os.fdopen(ours, "rb") as told:
        answer = _read(told)
    os.waitpid(child, 0)
    return answer


def _read(told: BinaryIO) -> bytes:
    answer = told.read()
    with suppress(Exception):
        pickle.loads(answer)  # noqa: S301 -- from ourselves
        return answer
    return b""


def _answer(function: Callable[..., Any], given: tuple[Any, ...], options: dict[str, Any]) -> bytes:
    try:
        found = function(*given, **options)
        refuse_kept()
        return pickle.dumps((found, ""))
    except BaseException as error:  # noqa: BLE001 -- a formula may raise anything, and exit
        return pickle.dumps((None, f"{type(error).__name__}: {error}"))
