"""The text of a formula: of a function of a claim, and of whatever of claims it calls."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

MACHINERY = (
    *("claims.statement", "claims.verdict", "claims.experiments", "claims.catalogue", "claims.instances"),
    *("dynamics.arithmetic", "dynamics.choices", "dynamics.differentiation", "dynamics.system"),
)
"""Modules of the vocabulary, and of the numbers that all formulas share: what they define is no part of a formula."""


def formula(function: Callable[..., Any], packages: tuple[str, ...] = ("claims",)) -> list[str]:
    """The lines of the function and of all functions, classes and constants of claims that it uses, an empty line between.

    The function, or class, comes first, then what it uses in the order of use. What has no source, such as a function typed
    at a prompt, is left out. `packages` are those whose functions are followed.
    """
    texts: list[str] = []
    seen: set[int] = set()
    homes = (inspect.unwrap(function).__module__, *(f"{one}." for one in packages))
    _gather(inspect.unwrap(function), homes, texts, seen)
    return "\n\n".join(texts).split("\n") if texts else []


def _gather(thing: Any, homes: tuple[str, ...], texts: list[str], seen: set[int]) -> None:
    if id(thing) in seen:
        return
    seen.add(id(thing))
    try:
        texts.append(_source(thing))
    except (OSError, TypeError):
        return
    for name, used in _used(thing, homes):
        value = inspect.unwrap(used) if callable(used) else used
        if isinstance(value, FunctionType | type) and _is_at(value.__module__, homes):
            _gather(value, homes, texts, seen)
        elif _is_constant(value) and id(value) not in seen:
            line = f"{name} = {_told(value)}"
            if line not in texts and name.isupper():
                texts.append(line)


@cache
def _source(thing: Any) -> str:
    return textwrap.dedent(inspect.getsource(thing)).rstrip()


def _is_rational(value: Any) -> bool:
    # By its name: flint's is one of two, and this module is read before either has its place.
    return type(value).__name__ == "fmpq"


def _is_constant(value: Any) -> bool:
    return _is_rational(value) or (isinstance(value, int | str | Fraction) and not isinstance(value, bool))


def _told(value: Any) -> str:
    """A constant's text, the same whichever numbers are in the place of flint's."""
    return f"fmpq({value.p}, {value.q})" if _is_rational(value) else repr(value)


def _is_at(module: str, homes: tuple[str, ...]) -> bool:
    return (module == homes[0] or module.startswith(homes[1:])) and module not in MACHINERY


def _used(thing: Any, homes: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The globals that a function, or the methods of a class, name in their code, and the functions they enclose."""
    functions = [thing] if isinstance(thing, FunctionType) else list(vars(thing).values())
    for part in functions:
        for found in (part, getattr(part, "fget", None), getattr(part, "func", None), getattr(part, "__func__", None)):
            function = inspect.unwrap(found) if callable(found) else found
            if not isinstance(function, FunctionType):
                continue
            for cell in function.__closure__ or ():
                try:
                    yield "", cell.cell_contents
                except ValueError:  # not filled yet
                    continue
            names = list(dict.fromkeys(_names(function.__code__)))
            for name in names:
                value = function.__globals__.get(name)
                if isinstance(value, ModuleType) and value.__name__.startswith(homes[1:]):
                    yield from ((part, getattr(value, part)) for part in names if hasattr(value, part))
                elif value is not None:
                    yield name, value


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
