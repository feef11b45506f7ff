"""Copies of a module with one line changed, for tests that must notice."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Sequence

import pytest


def planted(module: types.ModuleType, right: str, wrong: str) -> types.ModuleType:
    """A copy of the module with a bug in the place of what is right, which must stand there exactly once."""
    source = inspect.getsource(module)
    assert source.count(right) == 1, f"{right!r} occurs {source.count(right)} times"
    copy = types.ModuleType(f"planted.{module.__name__}")
    # Dataclasses look up the module of their class.
    sys.modules[copy.__name__] = copy
    try:
        exec(compile(source.replace(right, wrong), "planted", "exec"), copy.__dict__)  # noqa: S102
    finally:
        del sys.modules[copy.__name__]
    return copy


def noticed(facts: Sequence[Callable[[types.ModuleType], None]], module: types.ModuleType) -> bool:
    """Whether a fact fails of the module, the facts in their order."""
    for fact in facts:
        try:
            fact(module)
        except (AssertionError, ArithmeticError, LookupError, TypeError, ValueError, pytest.fail.Exception):
            return True
    return False
