"""Ends what takes too long, in whatever thread it runs: one formula, asked once, may take hours."""

from __future__ import annotations

import _thread
import ctypes
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import ClassVar

AGAIN = 0.5
"""Seconds until what goes on all the same, because it caught the exception, is interrupted again."""

TICK = 0.02
"""Seconds between two looks at the clocks."""


class OutOfTimeError(BaseException):
    """The time is over. No Exception: a formula that catches whatever it raises goes on for ever."""


class within:  # noqa: N801 -- reads as what it says: with within(3):
    """Raise OutOfTimeError inside, in this thread, after so many seconds of a clock; where they are over, soon.

    Signals reach the main thread alone, and tasks run in others. The exception comes between two steps of Python: a
    call into a library is waited for. Of two, one within the other, each ends only what is in it. Infinite seconds end
    nothing.

    The exception may come inside of any method written in Python, and what Event and Condition lock there stays locked
    for ever. And what is sent to a thread that is just starting another one may end the new one instead. So there are
    bare locks only, and one thread that looks at all clocks: it starts where this thread has no clock yet.
    """

    _lock: ClassVar = threading.Lock()
    _running: ClassVar[list[within]] = []
    _watched: ClassVar[int] = 0
    """The process whose clocks are looked at; 0 where none runs."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self._clock, self._fired = seconds, clock, False
        self._thread = ctypes.c_ulong(threading.get_ident())

    def __enter__(self) -> None:
        """Start the clock. Raises OutOfTimeError where there is no time at all."""
        if self.seconds <= 0:
            raise OutOfTimeError("there was no time left")
        # The caller's frame: whether the block is still being run is asked of the stack, where no exception can intervene.
        self._end, self._frame = self._clock() + self.seconds, sys._getframe(1)  # noqa: SLF001 -- where the block stands
        if self.seconds == math.inf:
            return
        try:
            with within._lock:
                within._running.append(self)
                # By process: a fork copies the number and not the thread.
                if within._watched != os.getpid():
                    _thread.start_new_thread(within._look_at_clocks, ())
                    within._watched = os.getpid()
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
                with within._lock:
                    if self in within._running:
                        within._running.remove(self)
                # Nothing is sent any more, and leaving the lock is a step where what was sent arrives. To take it back
                # would not do: Python 3.11 then goes on to look for it at each step, and for ever under sys.setprofile.
            except OutOfTimeError:
                late = True
            else:
                return late

    def _look(self) -> None:
        """End what is inside where its time is over."""
        if self._fired and not self._is_inside():
            within._running.remove(self)  # the exception came when the block was being left, and nothing stopped the clock
        elif self._clock() >= self._end:
            self._fired = True
            # To the thread by its number: a signal would reach the main thread alone.
            ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread, ctypes.py_object(OutOfTimeError))
            self._end += AGAIN

    def _is_inside(self) -> bool:
        """Whether the function with the block is still running."""
        frame = sys._current_frames().get(self._thread.value)  # noqa: SLF001 -- as debuggers do
        while frame is not None and frame is not self._frame:
            frame = frame.f_back
        return frame is not None

    @staticmethod
    def _look_at_clocks() -> None:
        """Look at every clock again and again, until none is left."""
        while True:
            time.sleep(TICK)
            with within._lock:
                # A copy: a clock that is looked at may take itself off the list.
                for one in tuple(within._running):
                    one._look()  # noqa: SLF001 -- one of these
                if not within._running:
                    within._watched = 0
                    return
