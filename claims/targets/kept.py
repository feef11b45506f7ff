"""What a claim file keeps, and what it changes that is not its own: a slack depends on its instance alone.

A text does not show all of it: a list may be changed by a function that it is given to, and so may a class of the suite.
What is there when a file has been executed is compared with what is there later, thing by thing.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from operator import is_
from types import CellType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

import numpy as np

COLLECTIONS = (list, tuple, set, frozenset, deque)
OTHERS = ("builtins", "dataclasses", "flint", "functools", "itertools", "math", "numpy", "operator")
"""What a formula computes with, beside the suite."""
CHANCE: Any = (np.random.BitGenerator, np.random.Generator, np.random.RandomState)
OURS = ("claims", "dynamics")
OF_PYTHON = frozenset(["__abstractmethods__", "__dict__", "__doc__", "__weakref__", "_abc_impl"])
STATED = ("Assumption", "Claim", "Conclusion")
"""Classes of the suite whose objects are of the file."""

State = dict[str, tuple[Any, Any]]
"""By its name each thing, and what of it may change while it remains."""


class KeepsError(ValueError):
    """Something is not what it was when the file had been executed; the message names it."""


class _Names:
    """Names of a module or a class, with what they stand for: equal to others that stand for the same things.

    `asks` says, of a name and what it stands for, what is compared: NOTHING for a name that might as well not be there.
    """

    __slots__ = ("asks", "of")

    def __init__(self, of: dict[str, Any], asks: Callable[[str, Any], Any]) -> None:
        self.of, self.asks = of, asks

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Names) and not self.changed(other)

    __hash__ = None  # type: ignore[assignment]

    def stand_for(self, of: dict[str, Any]) -> bool:
        """Whether the same names, in the same order, stand for the very same things there."""
        # By identity, and in C: it is asked of every module around every file, and almost always nothing has changed.
        # In their order, which a dictionary keeps while nothing is taken out: to look each name up takes longer.
        return len(self.of) == len(of) and all(map(is_, chain(self.of, self.of.values()), chain(of, of.values())))

    def changed(self, other: _Names) -> str:
        """The first name that stands for another thing there, or for none."""
        if self is other or self.stand_for(other.of):
            return ""
        for name in {**self.of, **other.of}:
            one, another = (self.asks(name, side.of[name]) if name in side.of else NOTHING for side in (self, other))
            if one is not another:
                return name
        return ""


class _Module(_Names):
    """The names of a module of the suite, with its functions and the classes that it defines."""

    __slots__ = ("classes", "functions")

    def __init__(self, of: dict[str, Any], asks: Callable[[str, Any], Any]) -> None:
        super().__init__(of, asks)
        self.functions = [(key, value) for key, value in of.items() if type(value) is FunctionType]
        # Of others, too: where a class belongs is asked at every look, for it may be told to belong elsewhere.
        self.classes = [(key, value) for key, value in of.items() if isinstance(value, type)]


NOTHING = object()


def _of_library(_: str, value: Any) -> Any:
    # A part of a library that is imported later becomes a name of it: no change of the file's.
    return NOTHING if type(value) is ModuleType else value


def _of_suite(_: str, value: Any) -> Any:
    # Numbers of the suite's are not compared, for modules count.
    return NOTHING if type(value) is ModuleType else value if callable(value) else None


def _of_class(public: bool, name: str, value: Any) -> Any:
    # What is private counts as numbers of a module do, but for functions and whatever else Python binds to an object.
    if name in OF_PYTHON:
        return NOTHING
    return value if (public and name[:1] != "_") or hasattr(type(value), "__get__") else None


_seen: dict[str, _Names] = {}
"""The names of each module and class as they were when they were last looked at."""


def _names_of(place: str, of: dict[str, Any], asks: Callable[[str, Any], Any], kind: type[_Names] = _Names) -> Any:
    """The names that stand at a place: the same object as long as they stand for the same things."""
    # The state of every file that is executed stays: a copy of all names for each would fill the memory of a long run.
    known = _seen.get(place)
    if known is None or not known.stand_for(of):
        known = _seen[place] = kind(of, asks)
    return known


def surroundings() -> State:
    """The functions and the classes that a file finds there, with all that the classes define; of libraries all names."""
    found: State = {}
    for module in [*sys.modules.values()]:
        name = getattr(module, "__name__", "")
        # Modules of claim files have an @ in their names: what they keep is looked at thing by thing, elsewhere.
        if "@" in name or (name not in OTHERS and name.partition(".")[0] not in OURS):
            continue
        # A copy, made at once: a thread that imports while this goes on would change the dictionary under it.
        there = vars(module).copy()
        if name in OTHERS:
            found[name] = module, _names_of(name, there, _of_library)
            continue
        names = _names_of(name, there, _of_suite, _Module)
        found[name] = module, names
        # What a function carries, a cache for one, may be written by whoever holds the function.
        found[f"{name}:"] = module, {key: {**value.__dict__} for key, value in names.functions if value.__dict__}
        for key, value in names.classes:
            if value.__module__ != name:
                continue
            place, asks = f"{name}.{key}", partial(_of_class, key[:1] != "_")
            found[place] = value, _names_of(place, vars(value).copy(), asks)
    return found


def state_of(module: ModuleType) -> State:
    """All that the names of a claim file lead to. Raises KeepsError for what is used up by going through it."""
    return dict(_reached(module.__name__, vars(module), set(), ""))


# Never emptied: a later file may change what an earlier one keeps.
_executed: list[tuple[ModuleType, State, State]] = []
"""The modules of claim files with what they led to, and what was around them, when they had been executed."""


def remember(module: ModuleType, around: State) -> None:
    """Keep what the module of a claim file leads to. Raises KeepsError for what it changes of what was around it."""
    if told := differs(around, surroundings()):
        raise KeepsError(f"{told} is changed, which is not of this file")
    _executed.append((module, state_of(module), around))


def refuse_kept() -> None:
    """Raise KeepsError where a formula has changed something since its file was executed."""
    # First: to look at what a file keeps may run code of the file's, such as an iteration of its own.
    states = [state_of(module) for module, _, _ in _executed]
    now = surroundings()
    for (_, before, around), state in zip(_executed, states, strict=True):
        if told := differs(before, state) or differs(around, now):
            raise KeepsError(f"a formula keeps nothing between two calls, and {told} is changed")


def differs(before: State, now: State) -> str:
    """The first thing that is another one now, or gone; empty where there is none."""
    for name, (value, inside) in before.items():
        # Identity of the thing, equality of what is in it: an equal list in its place was put there by someone.
        if name not in now or now[name][0] is not value or now[name][1] != inside:
            return ".".join(filter(None, (name, _part(inside, now[name][1] if name in now else None))))
    return ""


def _part(before: Any, now: Any) -> str:
    """Which part is another one, where parts have names."""
    if isinstance(before, _Names) and isinstance(now, _Names):
        return before.changed(now)
    if isinstance(before, dict) and isinstance(now, dict):
        return next((key for key in {**before, **now} if before.get(key) != now.get(key)), "")
    return ""


def _reached(home: str, value: Any, seen: set[int], name: str) -> Iterator[tuple[str, tuple[Any, Any]]]:
    inside, parts = _inside(home, value)
    if name:
        yield name, (value, inside)
    # After it was told: under a second name it is the same thing, but the name itself must not come to stand for another.
    if id(value) in seen:
        return
    seen.add(id(value))
    # To look into an iterator is to use it up: what it still holds can be neither compared nor put back.
    if hasattr(type(value), "__next__"):
        raise KeepsError(f"{name} is consumed once, and by all calls: write a tuple")
    for key, part in parts:
        yield from _reached(home, part, seen, f"{name}.{key}" if name else key)


def _inside(home: str, value: Any) -> tuple[Any, list[tuple[str, Any]]]:
    """What may change of a thing, and the things that are part of it."""
    kind: Any = type(value)
    if isinstance(value, ModuleType):
        return None, []
    if isinstance(value, type):
        # Classes of others are compared once for all files, among the surroundings.
        own = vars(value).items() if _place_of(value) in ("", home) else ()
        parts = [(key, one) for key, one in own if key not in OF_PYTHON]
        return len(parts), parts
    parts = []
    inside: Any = None
    if isinstance(value, COLLECTIONS):
        parts = [(str(k), one) for k, one in enumerate(value)]
    elif isinstance(value, dict):
        parts = [(str(key), one) for key, one in value.items() if key != "__builtins__" and not str(key).startswith("@")]
    elif isinstance(value, np.ndarray):
        plain = np.asarray(value)
        inside = plain.tobytes()
        parts = [(str(k), one) for k, one in enumerate(plain.flat)] if plain.dtype == object else []
    elif isinstance(value, CHANCE):
        # Its state and not the object: a draw changes nothing else of it.
        inside = str(getattr(value, "_bit_generator", getattr(value, "bit_generator", value)).state)
    elif isinstance(value, bytearray) or _place_of(kind).partition(".")[0] == "flint":
        inside = str(value)
    elif isinstance(value, FunctionType):
        of_the_file = home in (value.__module__, value.__globals__.get("__name__"))
        closure = value.__closure__ or () if of_the_file else ()
        given = {"__defaults__": value.__defaults__, "__kwdefaults__": value.__kwdefaults__, "__closure__": closure}
        parts = [*given.items()]
    elif isinstance(value, CellType):
        # A cell that is not filled yet raises when it is read.
        parts = [("cell", value.cell_contents)] if value != CellType() else []
    elif isinstance(value, MethodType):
        parts = [("__self__", value.__self__), ("__func__", value.__func__)]
    elif isinstance(value, partial):
        parts = [("func", value.func), ("args", value.args), ("keywords", value.keywords)]
    # Objects of the suite keep what they work out, caches for one: those alone are looked into that belong to the file.
    if kind.__name__ in STATED or _place_of(kind).partition(".")[0] not in OURS:
        parts += getattr(value, "__dict__", {}).items()
        slotted = (vars(one).items() for one in kind.__mro__ if "__slots__" in vars(one))
        slots = [key for own in slotted for key, slot in own if isinstance(slot, MemberDescriptorType)]
        parts += [(key, getattr(value, key)) for key in slots if hasattr(value, key)]
    return (len(parts), inside), parts


def _place_of(kind: Any) -> str:
    """The module in which a class is found; empty where it is not in the one that it names."""
    # A class may say that it comes from NumPy: it is believed where it is found there.
    there = getattr(sys.modules.get(kind.__module__), kind.__qualname__, None)
    return kind.__module__ if there is kind else ""
