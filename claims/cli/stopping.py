"""Ends a run on Ctrl-C and SIGTERM: what is decided is kept, and no process is left behind."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from claims.verifying.processes import end_children


class Stopped(KeyboardInterrupt):
    """The run is to end. `code` is the exit code that shells give to the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.code = 128 + number


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise Stopped in the main thread at the first SIGINT or SIGTERM; a second one ends the process at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked = False

    def stop(number: int, _: FrameType | None) -> None:
        nonlocal asked
        if asked:
            end_children()
            os._exit(128 + number)
        asked = True
        raise Stopped(number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
