"""The text of a formula: of a function of a claim, and of whatever of claims it calls."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

MACHINERY = (
    *("claims.stating.statement", "claims.stating.verdict", "claims.stating.experiments", "claims.stating.catalogue"),
    "claims.instances",
    *("dynamics.arithmetic", "dynamics.choices", "dynamics.differentiation", "dynamics.system"),
)
"""Modules of the vocabulary, and of the numbers that all formulas share: what they define is no part of a formula."""


def formula(function: Callable[..., Any], packages: tuple[str, ...] = ("claims",)) -> list[str]:
    """The lines of the function and of all functions, classes and constants of claims that it uses, an empty line between.

    The function, or class, comes first, then what it uses in the order of use. What has no source, such as a function typed
    at a prompt, is left out. `packages` are those whose functions are followed.
    """
    texts: list[str] = []
    for name, thing in _walked(inspect.unwrap(function), packages, set()):
        text = f"{name} = {_told(thing)}" if name else _source(thing)
        if not name or text not in texts:
            texts.append(text)
    return "\n\n".join(texts).split("\n") if texts else []


def parts(function: Callable[..., Any], packages: tuple[str, ...] = ("claims",)) -> Iterator[Callable[..., Any]]:
    """The function and all functions and classes of `packages` that it uses, in the order of use."""
    return (thing for name, thing in _walked(inspect.unwrap(function), packages, set()) if not name)


def _walked(thing: Any, packages: tuple[str, ...], seen: set[int], home: str = "") -> Iterator[tuple[str, Any]]:
    """A function or class and those it uses, without names, and with theirs constants: in capitals, or of a closure."""
    if id(thing) in seen:
        return
    # By identity: two functions of one text, made in a loop, are two things, with other closures.
    seen.add(id(thing))
    try:
        _source(thing)
    except (OSError, TypeError):
        return
    yield "", thing
    homes = (home or thing.__module__, *(f"{one}." for one in packages))
    for name, used in _used(thing, homes):
        value = inspect.unwrap(used) if callable(used) else used
        if isinstance(value, FunctionType | type) and _is_at(value.__module__, homes):
            yield from _walked(value, packages, seen, homes[0])
        # In capitals, or of a closure: other globals are modules, or caches that a formula does not depend on.
        elif _is_constant(value) and (name.startswith("given ") or (id(value) not in seen and name.isupper())):
            yield name.removeprefix("given "), value


@cache
def _source(thing: Any) -> str:
    text = textwrap.dedent(inspect.getsource(thing)).rstrip()
    if isinstance(thing, FunctionType) and text.startswith("@"):
        # What a decorator says of a formula, its form and its relation, is no part of it.
        text = "\n".join(text.split("\n")[ast.parse(text).body[0].lineno - 1 :])
    return text


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
            for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
                try:
                    yield f"given {name}", cell.cell_contents
                except ValueError:  # not filled yet
                    continue
            # In the order of the code, each once: a digest of the text must not depend on a set's order.
            names = list(dict.fromkeys(_names(function.__code__)))
            for name in names:
                value = function.__globals__.get(name)
                # A module of ours by its name, geometry.gram: of its attributes those count that the code names.
                if isinstance(value, ModuleType) and value.__name__.startswith(homes[1:]):
                    yield from ((part, getattr(value, part)) for part in names if hasattr(value, part))
                elif value is not None:
                    yield name, value


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
