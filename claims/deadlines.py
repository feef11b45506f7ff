"""Ends what takes too long, in whatever thread it runs: one formula, asked once, may take hours."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType

AGAIN = 0.5
"""Seconds until what goes on all the same, because it caught the exception, is interrupted again."""


class OutOfTimeError(BaseException):
    """The time is over. No Exception: a formula that catches whatever it raises goes on for ever."""


class within:  # noqa: N801 -- reads as what it says: with within(3):
    """Raise OutOfTimeError inside, in this thread, after so many seconds of a clock; where they are over, soon.

    Signals reach the main thread alone, and tasks run in others. The exception comes between two steps of Python: a
    call into a library is waited for. Of two, one within the other, each ends only what is in it. Infinite seconds end
    nothing.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self._clock = seconds, clock
        self._lock, self._over, self._fired = threading.Lock(), threading.Event(), False
        self._thread = ctypes.c_ulong(threading.get_ident())

    def __enter__(self) -> None:
        """Start the clock. Raises OutOfTimeError where there is no time at all."""
        if self.seconds <= 0:
            raise OutOfTimeError("there was no time left")
        self._end, self._frame = self._clock() + self.seconds, sys._getframe(1)  # noqa: SLF001 -- where the block stands
        try:
            if self.seconds < threading.TIMEOUT_MAX:
                threading.Thread(target=self._watch, daemon=True).start()
        except OutOfTimeError:  # already: then nothing ends this block
            self._close()
            if self._fired:
                raise OutOfTimeError(f"stopped after {self.seconds:g} s") from None
            raise

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Stop the clock. Raises OutOfTimeError, with the time, where it has ended what was inside."""
        if self._close() or (self._fired and kind is not None and issubclass(kind, OutOfTimeError)):
            raise OutOfTimeError(f"stopped after {self.seconds:g} s") from None

    def _close(self) -> bool:
        """Stop the clock; whether its exception arrived only now."""
        late = False
        while True:
            try:
                with self._lock:
                    self._over.set()
                    if self._fired:  # what was raised and has not arrived is of no use any more
                        ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread, None)
            except OutOfTimeError:
                late = True
            else:
                return late

    def _watch(self) -> None:
        while not self._over.wait(max(0.0, self._end - self._clock())):
            with self._lock:
                if self._fired and not self._is_inside():
                    return  # the exception came when the block was being left, and nothing has stopped the clock
                if self._clock() >= self._end and not self._over.is_set():
                    self._fired = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread, ctypes.py_object(OutOfTimeError))
                    self._end += AGAIN

    def _is_inside(self) -> bool:
        """Whether the function with the block is still running."""
        frame = sys._current_frames().get(self._thread.value)  # noqa: SLF001 -- as debuggers do
        while frame is not None and frame is not self._frame:
            frame = frame.f_back
        return frame is not None
