"""Copies of a module with something changed in its text, for tests that must notice."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")

LONG = settings().max_examples > 100
"""Whether this is a long run, as every night."""


def one_in(share: int, things: Iterable[T]) -> list[T]:
    """One in so many of the things, by their order; in a long run all of them."""
    return list(things)[:: 1 if LONG else share]


class StaleError(BaseException):
    """A bug cannot be planted. No Exception: whatever a test takes for a bug that was noticed, it does not take this."""


def replaced(source: str, name: str, *replacements: str) -> str:
    """The text with what is right replaced by what is wrong, and so on in pairs.

    Raises StaleError unless what is right stands there exactly once, and something else than what is wrong.
    """
    for right, wrong in zip(replacements[::2], replacements[1::2], strict=True):
        if source.count(right) != 1 or right == wrong:
            raise StaleError(f"{right!r} occurs {source.count(right)} times in {name}, to be replaced by {wrong!r}")
        source = source.replace(right, wrong)
    return source


def planted(module: types.ModuleType, *replacements: str) -> types.ModuleType:
    """A copy of the module with a bug: what is right, what is wrong, and so on in pairs. Raises StaleError."""
    source = replaced(inspect.getsource(module), module.__name__, *replacements)
    copy = types.ModuleType(module.__name__)
    copy.__dict__["__file__"] = module.__file__
    with in_place_of(module, copy):  # dataclasses look up the module of their class
        exec(compile(source, f"planted.{module.__name__}", "exec"), copy.__dict__)  # noqa: S102
    return copy


@contextmanager
def in_place_of(module: types.ModuleType, copy: types.ModuleType) -> Iterator[None]:
    """Modules executed meanwhile import the copy."""
    sys.modules[module.__name__], kept = copy, sys.modules[module.__name__]
    try:
        yield
    finally:
        sys.modules[module.__name__] = kept


def noticed(facts: Sequence[Callable[[types.ModuleType], None]], module: types.ModuleType) -> bool:
    """Whether a fact fails of the module, the facts in their order."""
    for fact in facts:
        try:
            fact(module)
        except (AssertionError, ArithmeticError, LookupError, TypeError, ValueError, pytest.fail.Exception):
            return True
    return False
