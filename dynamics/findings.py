"""Records the facts about orbits and hulls that a formula used, so that a certificate can state them.

A slack asks for the limit of an orbit and gets limits. A certificate has to state them beside the verdict: so findings are
collected while the slack is evaluated, and the functions that find them record them. Findings are plain data: integers and
"p/q", in lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from dynamics.arithmetic import rational

Finding = dict[str, Any]

# Of the context, not of the process: two verdicts in two threads must not tell each other's facts.
_collected: ContextVar[list[Finding] | None] = ContextVar("collected", default=None)


@contextmanager
def listening() -> Iterator[list[Finding]]:
    """Collect the findings recorded within, each once, in the order in which they were first recorded."""
    found: list[Finding] = []
    before = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(before)


def is_heard() -> bool:
    """Whether findings are being collected: recording them takes time."""
    return _collected.get() is not None


def tell(kind: str, **content: Any) -> None:
    """Record a finding; arrays and lists of exact numbers become plain data. Does nothing unless findings are collected."""
    found = _collected.get()
    if found is None:
        return
    finding = {"kind": kind} | {name: plain(value) for name, value in content.items()}
    if finding not in found:
        found.append(finding)


def plain(value: Any) -> Any:
    """Nested lists of integers and "p/q"; text and None stay what they are, and so does a system's own JSON."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if value is None or isinstance(value, str | dict):
        return value
    number = rational(value)
    return int(number.p) if number.q == 1 and abs(number) < 10**1000 else str(number)


def start_of(system: Any) -> Any:
    """The start of an orbit as plain data, None for what is no system."""
    return system.to_json() if hasattr(system, "to_json") else None


def from_here(findings: list[Finding], system: Any) -> list[Finding]:
    """The same with None for a start that is this system."""
    here = start_of(system)
    return [one | {"start": None} if one.get("start") == here else one for one in findings]
