"""A module with something changed in its text: what mutants of claims and bugs planted in trusted code have in common."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, ModuleType
from typing import Any


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


def module_of(code: str | CodeType, name: str, file: str, **given: Any) -> ModuleType:
    """A new module of this text or code, told to stand in a file, with some names given before it is executed."""
    module = ModuleType(name)
    vars(module).update(__file__=file, **given)
    if isinstance(code, str):
        # Without the futures of this module, by which the text may mean something else.
        code = compile(code, file, "exec", dont_inherit=True)
    with in_place_of(module):  # dataclasses look up the module of their class
        exec(code, vars(module))  # noqa: S102 -- the text of a module of ours, changed
    return module


@contextmanager
def in_place_of(*copies: ModuleType) -> Iterator[None]:
    """Modules executed meanwhile import these for those of the same names."""
    kept = {copy.__name__: sys.modules.get(copy.__name__) for copy in copies}
    sys.modules.update({copy.__name__: copy for copy in copies})
    try:
        yield
    finally:
        for name, module in kept.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
