"""Bugs planted in copies of modules, for tests that must notice.

The bugs are data, in `tests/bugs/`: a table for each module, `"name" = [what is right, what is wrong, ...]`. In front of
them stands the fact that notices the bug, where that is a certain one. A bug that cannot be planted is never taken for one
that was noticed: StaleError is no Exception.
"""

from __future__ import annotations

import inspect
import os
import time
import tomllib
import types
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings

from claims.mutating.planting import StaleError, module_of, replaced

T = TypeVar("T")
Fact = Callable[[Any], None]

LONG = settings().max_examples > 100
"""Whether this is a long run, as every night."""

TABLES = Path(__file__).parent / "bugs"


def one_in(share: int, things: Iterable[T]) -> list[T]:
    """One in so many of the things, by their order; in a long run all of them."""
    return list(things)[:: 1 if LONG else share]


def todays_share(share: int, things: Iterable[T]) -> list[T]:
    """One in so many of the things, others tomorrow: in so many days each comes once, in a long run all of them at once.

    For cases of which each may fail for a reason of its own, and none costs much more than another.
    """
    found = list(things)
    return found if LONG else found[int(os.environ["TESTED_DAY"]) % share :: share]


@dataclass(frozen=True)
class Bug:
    """What is replaced by what in a module, in pairs, and the name of the fact that notices it, if it is a certain one."""

    name: str
    module: types.ModuleType
    replacements: tuple[str, ...]
    fact: str | None = None

    def source(self) -> str:
        """The text of the module with the bug. Raises StaleError."""
        return replaced(inspect.getsource(self.module), self.module.__name__, *self.replacements)

    def planted(self) -> types.ModuleType:
        """A copy of the module with the bug. Raises StaleError."""
        return planted(self.module, *self.replacements)

    def asked(self, facts: Iterable[Fact]) -> list[Fact]:
        """The facts that are to notice it: all of these, or the one that is named."""
        found = [fact for fact in facts if self.fact in (None, fact.__name__)]
        if not found:
            raise StaleError(f"{self.name}: there is no fact {self.fact}")
        return found

    def is_noticed(self, facts: Iterable[Fact]) -> bool:
        """Whether one of the facts that are to notice it fails of the module with the bug.

        Each has a copy of its own: a fact may put something else into the module, of which the next one would fail.
        """
        return any(noticed([fact], self.planted()) for fact in self.asked(facts))

    def __str__(self) -> str:
        return self.name


@cache
def _tables(package: str) -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((TABLES / f"{package}.toml").read_text(encoding="utf-8"))


def bugs_of(module: types.ModuleType, part: str = "") -> list[Bug]:
    """The bugs of a module, or those of one of its tables."""
    package, _, _ = module.__name__.rpartition(".")
    table = _tables(package)[f"{module.__name__}: {part}" if part else module.__name__]
    # Of an odd number of texts the first is the name of a fact.
    return [
        Bug(name, module, tuple(texts[len(texts) % 2 :]), texts[0] if len(texts) % 2 else None)
        for name, texts in table.items()
    ]


def bugs_in(*modules: types.ModuleType, part: str = "", share: int = 16) -> pytest.MarkDecorator:
    """A mark that asks a test of one in so many bugs of these modules, as its `bug`; in a long run of all of them.

    What the bugs are noticed by runs in every run. They show that it can fail, which changes with the tests alone.
    """
    bugs = one_in(share, [bug for module in modules for bug in bugs_of(module, part)])
    return pytest.mark.parametrize("bug", bugs, ids=str)


def asked_of(
    module: types.ModuleType,
    facts: Sequence[Fact],
    part: str = "",
    share: int = 16,
    around: Callable[[], AbstractContextManager[Any]] = nullcontext,
) -> tuple[Callable[[Fact], None], Callable[[Bug], None]]:
    """Two tests: that the facts hold of a module, and that they notice the bugs planted in it; each within `around()`.

    `test_it, test_bugs_in_it = asked_of(it, FACTS)`. What is sound is asked of a copy, too: a fact may put what it wants
    into the module, and one that fails of every copy would seem to notice every bug.
    """

    @pytest.mark.parametrize("fact", facts)
    def holds(fact: Fact) -> None:
        with around():
            fact(planted(module))

    @bugs_in(module, part=part, share=share)
    def are_noticed(bug: Bug) -> None:
        with around():
            assert bug.is_noticed(facts)

    return holds, are_noticed


def facts_above(names: dict[str, Any], parameter: str = "m", but: Iterable[Fact] = ()) -> tuple[Fact, ...]:
    """The facts of a test file as far as they are defined: its functions of one module of this name. None is forgotten."""
    return tuple(
        thing
        for thing in names.values()
        if isinstance(thing, types.FunctionType)
        and thing.__module__ == names["__name__"]
        and [*inspect.signature(thing).parameters] == [parameter]
        and thing not in but
    )


def planted(module: types.ModuleType, *replacements: str) -> types.ModuleType:
    """A copy of the module with a bug: what is right, what is wrong, and so on in pairs. Raises StaleError."""
    source = replaced(inspect.getsource(module), module.__name__, *replacements)
    # Not with this file's own future statements: the module has its own.
    code = compile(source, f"planted.{module.__name__}", "exec", dont_inherit=True)
    return module_of(code, module.__name__, module.__file__ or "")


def noticed(facts: Iterable[Fact], module: Any) -> bool:
    """Whether a fact fails of the module, the facts in their order."""
    for fact in facts:
        try:
            fact(module)
        # Not every Exception: StaleError and mistakes of a test must not pass for a bug that was noticed.
        except (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, pytest.fail.Exception):
            return True
    return False


def finds_wrong(parts: Iterable[Callable[[Any], Iterable[Any]]], module: Any) -> bool:
    """Whether a part yields something that is wrong of the module, or a formula of it does not run any more."""
    try:
        return any(next(iter(part(module)), None) is not None for part in parts)
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError):
        return True


def shown_false(facts: Iterable[Fact], module: Any) -> bool:
    """Whether a fact is found false of the module; one that crashes is not, as nothing was certified."""
    for fact in facts:
        try:
            fact(module)
        except AssertionError:
            return True
        except Exception:  # noqa: BLE001, S112 -- whatever a bug does
            continue
    return False


def survivors(
    bugs: Sequence[Bug],
    facts: Iterable[Fact],
    fails: Callable[[Iterable[Fact], Any], bool] = shown_false,
    made: Callable[..., Any] = planted,
) -> list[str]:
    """Names of the bugs that no fact notices, cheap facts first; each that is asked holds of what is made without a bug."""
    # A fact that fails of sound code would seem to notice every bug.
    sound, costs, found, by = made(bugs[0].module), dict[Fact, float](), list[str](), None
    facts = list(facts)
    for bug in bugs:
        asked = bug.asked(facts)
        for fact in asked:
            if fact not in costs:
                begin = time.process_time()
                assert not fails([fact], sound), fact.__name__
                costs[fact] = time.process_time() - begin
        broken = made(bug.module, *bug.replacements)
        # Neighbours in a table are often caught by the same fact: it is tried first.
        order = sorted(asked, key=lambda fact, by=by: (fact is not by, costs[fact]))  # type: ignore[misc]
        by = next((fact for fact in order if fails([fact], broken)), None)
        found += [bug.name] if by is None else []
    return found
