"""Ends a run on Ctrl-C and SIGTERM: what is decided is kept, and no process is left behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from claims.campaigns import watched


class Stopped(KeyboardInterrupt):
    """The run is to end. `code` is the exit code that shells give to the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.code = 128 + number


TWICE = 0.3
"""Seconds within which the same signal comes twice and was sent once: to the process group, and to a process of it."""

_asked = {"by": 0}


def exit_code() -> int:
    """The exit code of a run that was asked to stop, 0 of one that was not."""
    return 128 + _asked["by"] if _asked["by"] else 0


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise Stopped in the main thread at the first SIGINT or SIGTERM; a second one ends the process at once."""
    # Python delivers signals to the main thread alone; a test or a notebook may run a command in another one.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _asked["by"] = 0
    first = 0.0

    def stop(number: int, _: FrameType | None) -> None:
        nonlocal first
        # Raised once: a second exception would interrupt what the first one has begun to clean up.
        if not _asked["by"]:
            _asked["by"], first = number, time.monotonic()
            raise Stopped(number)
        if time.monotonic() - first > TWICE:
            leave(128 + number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def leave(exit_code: int) -> NoReturn:
    """End this process and its workers now: what libraries do at an orderly end may wait for what was not finished."""
    from claims.verifying.processes import end_children, release  # noqa: PLC0415 -- most runs are not stopped

    # First the code: who watches takes a process that ends without one for a run that a file has ended.
    watched.say(exit_code)
    end_children()
    release()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(exit_code)  # not sys.exit, which would wait for threads that wait for workers
