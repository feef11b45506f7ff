"""A run that executes a file of the user's own goes on in a child, which has to say how it ended.

`os._exit(0)` in a formula, in a thread or at exit would end a run as a success. The parent, which runs no such file, ends
with the exit code that the child wrote for it; a child that ends without a word is no success, whatever its exit code.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

EXECUTING = ("--file", "--run-source")
"""Options that have a file of the user's own executed."""

# A list, so that whoever speaks first takes it: a second word would be read as part of the first.
_to: list[int] = []
"""Where the child says how it ends."""


def executes(arguments: Sequence[str]) -> bool:
    """Whether a command with these arguments executes a file of the user's own."""
    return any(one.partition("=")[0] in EXECUTING for one in arguments)


def go_on_in_a_child() -> None:
    """Return in a child, if this system knows children; the parent waits, and exits."""
    if not hasattr(os, "fork"):
        return
    told, to = os.pipe()
    # Its other end closes when the parent ends, however that ends: the child reads this and ends, too.
    alive, kept_open = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(told)
        os.close(kept_open)
        _to.append(to)
        threading.Thread(target=_end_with_parent, args=(alive,), daemon=True).start()
        return
    os.close(to)
    os.close(alive)
    # Ctrl-C reaches both; what `kill` sends is handed on.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: os.kill(child, number))
    _, status = os.waitpid(child, 0)
    # The child has ended; a grandchild may hold the pipe open, and reading would wait for it.
    os.set_blocking(told, False)
    word = b""
    with suppress(BlockingIOError):
        word = os.read(told, 16)
    code = os.waitstatus_to_exitcode(status)
    # The word before the exit code: os._exit(0) gives a code, and no word.
    if word:
        sys.exit(int(word))
    if code < 0:
        sys.exit(128 - code)
    print("error: the run ended by itself: a file of your own ends the process", file=sys.stderr)  # noqa: T201
    sys.exit(code or 1)


def say(code: int) -> None:
    """Tell the parent with what exit code this run ends, once."""
    if _to:
        os.write(_to.pop(), str(code).encode())


def _end_with_parent(alive: int) -> None:
    os.read(alive, 1)
    os._exit(1)
