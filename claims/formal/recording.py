"""Runs a claim's own formulas on recorded arrays, and writes what they call as definitions of Coq.

A formula runs in a scope of its own: every name it looks up is a stand-in that records, a function that is recorded in its
turn, or a constant. What is none of these raises :class:`claims.formal.arrays.Refused` when it is used: nothing that the
recorder does not know becomes part of a definition.
"""

from __future__ import annotations

import dataclasses
import dis
import functools
import inspect
import re
import types
from collections.abc import Callable, Sequence
from enum import Enum
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
from flint import fmpq

from claims.formal import hulls, stand_ins
from claims.formal.arrays import (
    NOTES,
    AtTheInstance,
    AxisLength,
    PairAxis,
    Recorded,
    Refused,
    Unknown,
    Untold,
    Whole,
    fixed,
    follow_the_way,
    forked,
    lift,
    on_all_paths,
)
from claims.formal.limits import LIMITS, Lasting, Ray, final_neighbours, ray_of
from claims.formal.terms import START, Printer, SystemName, Term, bracketed, fresh, nested, rational_text
from claims.formal.values import Values
from dynamics.attention import leaders
from dynamics.choices import OURS
from dynamics.system import Flow, StepMap, System

_WORDS = """
num System system witness fun forall exists if then else let in match end with as at fix cofix struct return
where rational add mul opp inv abs maximum exp ln sqrt below truth not and or pick le lt eq holds both either
implies neg every some sum product largest all count power equal minus kept1 kept2 table1 table2 table3
determinant symmetric positive_pivots definite_by_pivots Num Type Prop Set carrier Switch Assertion nat nth
map seq fst snd S O Nat Some None true false list matrix vector reals rationals form refuted slack_entries
statement agrees same compared q_compare i_compare positive_definite limit limits next with_tokens after tends settles
dot convex_weights averages in_hull outside_hull same_point extreme vertices least_on_hull in_hull_shown outside_hull_shown
vertices_shown least_on_hull_shown form2 form_of
"""
RESERVED = frozenset(_WORDS.split())  # names of Coq and of the library that a definition may not take
LONG = 60  # letters: half a line of a definition, beyond which a reader wants a name and the docstring's first line

MOST_KEPT = 4  # the library has tables of up to three axes, kept1 to kept3, which are computed once

# Functions of papers that are more than their text: a minimum that is searched for, and one that takes arrays for numbers.
LEAST_ENERGY = ("claims.frank_wolfe.setting.energies", "least_on_hull")
MARGINS = ("claims.localmax.setting.ends", "margins")

# Their methods run models, check instances and write files: no formula means any of it.
MACHINERY = (System, StepMap, Flow, object)


class Handle(Untold):
    """A system in a formula: its fields are recorded arrays, its methods become definitions. `text` is its name in Coq."""

    def __init__(
        self, recorder: Recorder, text: SystemName, axes: dict[str, AxisLength], labels: dict[str, Any], wholes: Any = None
    ) -> None:
        self.__dict__.update(
            _recorder=recorder, _kind=recorder.kind, _text=text, _axes=axes, _labels=labels, _wholes=wholes or {}
        )

    def __setattr__(self, name: str, value: Any) -> None:
        raise Refused(f"writes to .{name} of a system")

    def fields(self) -> Any:
        return self._kind.fields()

    def own_kind(self) -> _Kind:
        return _Kind(self._recorder, self._kind)

    def replace(self, **changes: Any) -> Handle:
        return self._recorder.changed(self, changes)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)  # what Python asks of any object, which is no question of the formula's
        recorder = self._recorder
        if name in self._labels:
            return self._labels[name]
        field = self._kind.fields().get(name)
        if field is not None and not isinstance(self, Inline):
            axes = [self._axes[axis] for axis in field.axes]
            coq, text = recorder.field_names[name], self._text
            if name in self._wholes:
                return Whole(lambda _: ("ref", coq, text, ()), name, self._wholes[name])
            return Recorded(axes, lambda place: ("ref", coq, text, tuple(place)))
        for owner in self._kind.__mro__:
            if name in vars(owner):
                if owner in MACHINERY:
                    raise Refused(f"calls .{name}() of systems in general")
                break
        else:
            raise Refused(f"asks a system for .{name}")
        # Bound as Python binds what it finds in a class: its own binding would run the original.
        match vars(owner)[name]:
            case property(fget=function) | functools.cached_property(func=function):
                return recorder.translated(function)(self)
            case types.FunctionType() as function:
                return functools.partial(recorder.translated(function), self)
            case value:
                return recorder.translated(value, f".{name}")


class _Scope(dict):  # type: ignore[type-arg]
    """The globals of a recorded function: looked up in those of the original, and translated."""

    def __init__(self, recorder: Recorder, original: dict[str, Any]) -> None:
        super().__init__(__builtins__=stand_ins.BUILTINS, __name__=original.get("__name__", ""))
        self.recorder, self.original = recorder, original

    def __missing__(self, name: str) -> Any:
        if name not in self.original:
            raise KeyError(name)
        return self.recorder.translated(self.original[name], name)


class Inline(Handle):
    """A system whose arrays stand in the formula itself: what is asked of it is computed in place, and no definition."""

    def __init__(self, recorder: Recorder, kind: type[System], arrays: dict[str, Any], labels: dict[str, Any]) -> None:
        self.__dict__.update(_recorder=recorder, _kind=kind, _arrays=arrays, _labels=labels)

    def replace(self, **changes: Any) -> Handle:
        return self._recorder.inlined(self, changes)

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__["_arrays"]:
            return self._arrays[name]
        return super().__getattr__(name)


class Static(Untold):
    """A constant of several parts, such as a map with its derivative: its parts are translated when they are asked for."""

    def __init__(self, recorder: Recorder, value: Any) -> None:
        self.__dict__.update(_recorder=recorder, _value=value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = inspect.getattr_static(self._value, name)
        if isinstance(found, types.FunctionType) and name not in vars(self._value):
            return functools.partial(self._recorder.translated(found), self)
        return self._recorder.translated(getattr(self._value, name), name)


class Recorder:
    """Definitions for one kind of system, at the lengths and labels of one instance."""

    def __init__(
        self,
        kind: type[System],
        lengths: dict[str, int],
        labels: dict[str, Any],
        wholes: dict[str, int] | None = None,
        start: System | None = None,
    ) -> None:
        self.kind, self.labels, self.lengths, self.wholes = kind, labels, lengths, wholes or {}
        self.taken = set(RESERVED)
        self.axis_names = {axis: self._name(axis) for axis in lengths}
        self.field_names = {name: self._name(name) for name in kind.fields()}
        self.definitions: dict[str, str] = {}
        self.arrays: set[str] = set()
        self._known: dict[Any, Any] = {}
        self._made: dict[Any, Any] = {}
        self._naming: list[str] = []
        self._changed_fields: set[str] = set()
        self.changes: dict[str, set[str]] = {}
        self.meanings: dict[str, tuple[list[str], Term]] = {}
        self.changed_terms: dict[str, dict[str, tuple[list[str], Term]]] = {}
        self.states: dict[str, SystemName] = {}
        self.depths: dict[str, int] = {}
        self.lasting: Lasting | None = None
        self.facts: dict[str, tuple[str, str, str]] = {}
        self.limit_uses: list[str] = []
        self.start = start
        NOTES.begin()

    def at_its_instance(self) -> None:
        """Let formulas ask of the data what is answered at the instance: the statement then is about data of this kind."""
        assert self.start is not None
        NOTES.instance = Values(self, {name: getattr(self.start, name) for name in self.kind.fields()})

    @property
    def pinned(self) -> list[str]:
        """The axes whose length the definitions rest on."""
        return [axis for axis in self.lengths if axis in NOTES.pinned]

    @property
    def least(self) -> dict[str, int]:
        """How long the other axes are at least: of nothing no model speaks, and a formula only of what is there."""
        return {
            axis: min(NOTES.least.get(axis, 1), size) for axis, size in self.lengths.items() if axis not in NOTES.pinned
        }

    def conditions(self) -> dict[str, Term]:
        """What else the definitions rest on: values of whole numbers, and that matrices are diagonal. Raises Refused."""
        found: dict[str, Term] = {}
        for name, value in self.wholes.items():
            if name in NOTES.pinned:
                number, own = ("ref", self.field_names[name], "f", ()), ("rational", Fraction(value))
                found[f"{name}_is_{value}"] = ("and", ("below", number, own), ("below", own, number))
        for name, length in NOTES.diagonal.items():
            # The condition is said of f: of a system that f is changed to, the definition would assume nothing.
            matrix = np.asarray(getattr(self.start, name))
            if any(matrix[i, j] != 0 for i, j in np.ndindex(*matrix.shape) if i != j):
                raise Refused(f"takes the exponential of {name}, which is not diagonal")
            if name in self._changed_fields:
                raise Refused(f"changes {name}, of which a definition assumes something")
            i, j = fresh("d"), fresh("d")
            entry, zero = ("ref", name, "f", (i, j)), ("rational", Fraction(0))
            same = ("decided", f"Nat.eqb {i} {j}")
            body = ("or", same, ("and", ("below", entry, zero), ("below", zero, entry)))
            found[f"{name}_is_diagonal"] = ("all", i, length, ("all", j, length, body))
        return found

    def _name(self, wanted: str) -> str:
        name = own = wanted.strip("_") or "helper"
        for times in count(2):
            if name not in self.taken:
                break
            name = f"{own}_{times}" if NOTES.instance else f"{name}_"
        self.taken.add(name)
        return name

    def system(self, sizes: dict[str, int] | None = None) -> Handle:
        """The system f of Coq, of the lengths of the instance or those given."""
        lengths = sizes or self.lengths
        axes = {axis: AxisLength(f"{self.axis_names[axis]} f", size, axis) for axis, size in lengths.items()}
        return Handle(self, START, axes, self.labels, self.wholes)

    def translated(self, value: Any, name: str = "") -> Any:
        """The stand-in for what a formula finds under a name."""
        plain = inspect.unwrap(value) if callable(value) else value
        known = stand_ins.stand_in(plain)
        if known is not None:
            return known
        if isinstance(plain, types.FunctionType):
            # By their names: to import a paper's modules here would load all of them for a formula of another paper.
            where = plain.__module__, plain.__qualname__
            if where == LEAST_ENERGY:
                return functools.partial(hulls.least_on_hull, plain)
            if where == MARGINS:
                return lift
            return functools.partial(self._limit, LIMITS[where], plain) if where in LIMITS else self._function(plain)
        if plain is np:
            return stand_ins.ARRAYS
        if isinstance(plain, type):
            if issubclass(plain, System):
                return _Kind(self, plain)
            is_plain = issubclass(plain, BaseException | Enum) or plain in (int, float, str, tuple, list, dict)
            return plain if is_plain else Unknown(plain.__name__)
        constant = isinstance(plain, bool | int | str | fmpq | Fraction | Enum | np.bool_ | type(None))
        if constant or (isinstance(plain, tuple | list) and all(isinstance(one, int | str | fmpq) for one in plain)):
            return tuple(plain) if isinstance(plain, list) else plain  # which nobody changes
        if isinstance(plain, tuple | list):
            return tuple(self.translated(one, name) for one in plain)
        if dataclasses.is_dataclass(plain) and type(plain).__module__.startswith(OURS):
            return Static(self, plain)
        return Unknown(name or getattr(plain, "__name__", type(plain).__name__))

    def _limit(self, asked: str, original: Callable[..., Any], f: Handle, *more: Any) -> Any:
        """The limit of the tokens of f, or its limit points, as what the statement says of the orbit."""
        if type(f) is not Handle or f._text != "f":
            raise Refused("asks for the limit of another system")  # the statement speaks of one orbit, that of f
        if self.ray is None or (asked != "limits" and len(self.ray.limits) > 1):
            raise Refused("has a limit that no ray shows" if self.ray is None else "goes round on its ray")
        self.limit_uses.append(asked.partition(",")[0])
        axes = [f._axes[axis] for axis in self.kind.fields()[self.token_field].axes]
        if asked == "limits":
            return Recorded([fixed(len(self.ray.limits)), *axes], lambda place: ("ref", "limits", "", tuple(place)))
        limit = Recorded(axes, lambda place: ("ref", "limit", "", tuple(place)))
        if asked == "limit, states":
            states = self._until_final(f, lambda start: original(start, *more))
            return types.SimpleNamespace(final=types.SimpleNamespace(limits=limit), states=states)
        return (limit, Unknown("the run until its end")) if asked == "limit, run" else limit

    def _until_final(self, f: Handle, settled: Callable[..., Any]) -> list[Any]:
        """The states until neighbours are final; that they are stands in the statement."""
        follow_the_way("asks for final neighbours")
        assert isinstance(self.start, StepMap)
        found = final_neighbours(self.start, settled)
        if found is None:
            raise Refused("asks for final neighbours that are not shown")
        attended = f.neighbours() if hasattr(self.kind, "neighbours") else self.translated(leaders)(f.scores())
        name, places = self._array_of("attended", attended)
        if len(places) != attended.ndim:
            raise Refused("asks for the final neighbours of one token")
        self.lasting = Lasting(name, *found)
        states = [f]
        for _ in range(found[0]):
            states.append(states[-1].step())
        return states

    @functools.cached_property
    def ray(self) -> Ray | None:
        """The ray of the instance's orbit."""
        return ray_of(self.start, self.token_field) if isinstance(self.start, StepMap) else None

    @functools.cached_property
    def token_field(self) -> str:
        """The one field that a step changes."""
        found = self.step()[1]
        if len(found) != 1 or len(self.kind.fields()[next(iter(found))].axes) != 2:
            raise Refused("has the limit of a step that changes more than the tokens")
        return next(iter(found))

    def step(self) -> tuple[str, set[str]]:
        """The name of the definition of a step, and the fields that it changes."""
        found = self.system().step()
        if type(found) is not Handle or found._text.of != "f":
            raise Refused("has the limit of a step that is no definition")
        name = found._text.step
        return name, self.changes[name]

    def accepted(self, f: Handle) -> Any:
        """Whether the data make sense for the model, which its `validate` says by raising no error."""
        owners = [one for one in self.kind.__mro__ if "validate" in vars(one) and one not in MACHINERY]

        def answer() -> bool:
            NOTES.telling = True
            try:
                for owner in owners[::-1]:  # each without those before it, which super() calls
                    self.plain(vars(owner)["validate"])(f)
            except ValueError:
                return False
            finally:
                NOTES.telling = False
            return True

        return on_all_paths(answer)

    def plain(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A formula to be recorded in place, and not as a definition of its own."""
        return self._function(inspect.unwrap(function)).__wrapped__

    def _function(self, original: types.FunctionType) -> Any:
        # Two functions made by one factory have one code and different cells.
        key = (original, *map(id, (cell.cell_contents for cell in original.__closure__ or ())))
        if key not in self._known:
            if not original.__module__.startswith(OURS):
                return Unknown(f"{original.__module__}.{original.__qualname__}")
            _refuse_hidden_state(original.__code__)
            defaults = tuple(self.translated(one) for one in original.__defaults__ or ())
            closure = tuple(types.CellType(self.translated(cell.cell_contents)) for cell in original.__closure__ or ())
            # The same bytecode, which finds stand-ins where the original finds what it looks up.
            copy = types.FunctionType(
                original.__code__, _Scope(self, original.__globals__), original.__name__, defaults, closure
            )
            keywords = original.__kwdefaults__ or {}
            copy.__kwdefaults__ = {name: self.translated(one, name) for name, one in keywords.items()}
            copy.__doc__ = original.__doc__
            self._known[key] = self._defining(
                _catching(copy) if "ZeroDivisionError" in original.__code__.co_names else copy
            )
        return self._known[key]

    def _defining(self, function: Any) -> Callable[..., Any]:
        """The function, whose call on a system alone becomes a definition where it gives an array or a system."""

        @functools.wraps(function)
        def call(*given: Any, **constants: Any) -> Any:
            # While a division by zero may be caught all is in place: a definition does not say where it divides by zero.
            if (
                NOTES.catching
                or len(given) != 1
                or constants
                or type(given[0]) is not Handle
                or function.__name__ == "<lambda>"
            ):
                return self._named(function, function(*given, **constants))
            handle = given[0]
            # A definition is of any system, but what pins lengths or reads labels was recorded for these.
            sizes = tuple((name, axis.size) for name, axis in handle._axes.items())
            key = (function, sizes, repr(handle._labels), repr(handle._wholes))
            if key not in self._made:
                self._made[key] = self._define(function, handle, dict(sizes))
            made = self._made[key]
            return self._named(function, function(handle)) if made is None else made(handle)

        return call

    def _named(self, function: Any, found: Any) -> Any:
        if NOTES.catching or function.__name__ == "<lambda>" or not _is_whole(found):
            return found
        return self.named(function.__name__, found, inspect.getdoc(function) or "")

    def named(self, wanted: str, found: Recorded, doc: str, least: int = LONG) -> Recorded:
        """A long array as a reference to a definition of its own, which a reader can take in."""
        # Whose length is another system's: a definition is of f, and knows none.
        if not NOTES.instance or any(axis.name and " f" not in f" {axis.text}" for axis in found.axes):
            return found
        places = ["0" if axis.text == "1" else fresh(axis.name) for axis in found.axes]
        printer = self.printer()
        if len((printer.switch if found.is_switch else printer.number)(found.entry(places))) < least:
            return found
        name, own = self.define(wanted, found, doc)
        return Recorded(found.axes, lambda place: ("ref", name, "f", tuple(place[k] for k in own)), found.is_switch)

    def _define(self, function: types.FunctionType, handle: Handle, sizes: dict[str, int]) -> Any:
        """What stands for the call on any system: a reference to a definition; None where the function is run each time."""
        inner = Handle(self, START, self.system(sizes=sizes)._axes, handle._labels, handle._wholes)
        asked = len(self.limit_uses)
        self._naming.append(function.__name__)
        try:
            found = forked(lambda: function(inner))
        except AtTheInstance:
            return None  # what is asked of a system is answered of no other
        except (ValueError, ZeroDivisionError):
            return None  # on some path: whether on that of the formula which calls it is seen where it is run in place
        finally:
            self._naming.pop()
        # `inner` is named f whatever the handle is: the limit it was given is that of the start.
        if len(self.limit_uses) > asked and handle._text != "f":
            raise Refused("asks for the limit of another system")
        if isinstance(found, Inline) or len(self.limit_uses) > asked:
            return None  # where the limit of the start is asked for, it is in place
        if isinstance(found, Handle):
            return None if found._text.of != "f" else lambda other: self._applied(found._text.step, other, found)
        if not _is_whole(found):
            return None
        name, places = self.define(function.__name__, found, inspect.getdoc(function) or "")
        axes = found.axes

        def refer(other: Handle) -> Recorded:
            moved = [self._moved(axis, other) for axis in axes]
            return Recorded(
                moved,
                lambda place: ("ref", name, other._text, tuple(place[k] for k in places)),
                found.is_switch,
            )

        return refer

    def _applied(self, name: str, other: Handle, found: Handle) -> Handle:
        moved = {axis: self._moved(one, other) for axis, one in found._axes.items()}
        return Handle(self, self._after(name, other._text), moved, other._labels, found._wholes)

    def _after(self, name: str, of: SystemName) -> SystemName:
        """A system's name; one that is several steps from f has a definition of its own."""
        text = SystemName(name, of)
        if of == "f" or not NOTES.instance:
            return text
        if text not in self.states.values():
            steps = 1 + self.depths.get(of, 1)
            own = self._name(f"after_{steps}" if name.startswith("step") else f"{name}_of_{of.step}")
            self.depths[SystemName(own, START)] = steps
            self.states[own] = text
            self.definitions[own] = f"Definition {own} f : system num := {text[1:-1]}."
        return SystemName(next(own for own, known in self.states.items() if known == text), START)

    def _moved(self, axis: AxisLength, other: Handle) -> AxisLength:
        if not axis.name:
            return axis
        return other._axes[axis.name].moved(axis.offset) if axis.offset else other._axes[axis.name]

    def define(self, wanted: str, array: Recorded, doc: str) -> tuple[str, list[int]]:
        """Write an array as a definition; its name, and the axes that are its arguments, those of length 1 left out."""
        places = [k for k, axis in enumerate(array.axes) if axis.text != "1"]
        variables = [fresh(axis.name) for axis in array.axes]
        term = array.entry([variables[k] if k in places else "0" for k in range(array.ndim)])
        printer = self.printer()
        text = printer.switch(term, 9) if array.is_switch else printer.number(term, 9)
        kind = "Switch num" if array.is_switch else "num"
        if places:
            variable = " ".join(printer.name(variables[k]) for k in places)
            bounds = " ".join(printer.argument(array.axes[k].text) for k in places)
            # A function alone would compute each entry anew wherever it is read, and what it reads again, and so on.
            if len(places) < MOST_KEPT:
                nothing = "(truth false)" if array.is_switch else "0"
                text = f"kept{len(places)} {nothing} {bounds} (fun {variable} =>\n    {text})"
            else:
                text = f"fun {variable} => {text}"
        body = f"f : {'nat -> ' * len(places)}{kind} :=\n  {printer.lets(text)}."
        name = self._write(wanted, body, doc)
        self.arrays.add(name)
        self.meanings[name] = [variables[k] for k in places], term
        return name, places

    def assert_that(
        self, wanted: str, term: Term, doc: str, quantified: Sequence[tuple[str, str]] = (), given: str = ""
    ) -> str:
        """Write an assertion about f, for all places below their lengths, as a definition; its name.

        `given` is one that it is said under.
        """
        printer = self.printer()
        before = "".join(f"ALL {printer.name(variable)} < {printer.argument(bound)}, " for variable, bound in quantified)
        text = printer.lets(f"{before}{printer.assertion(term)}")
        if given:
            text = f"{given} f -> ({text})"
        return self._write(wanted, f"f : Assertion num :=\n  {text}.", doc)

    def printer(self) -> Printer:
        """What writes the text of a definition."""
        return Printer(self.taken | {"f"}, self.arrays, self.states, 120 if NOTES.instance else 0)

    def _write(self, wanted: str, body: str, doc: str) -> str:
        # What a formula computes twice is one definition: the kernel computes it once.
        for name, text in self.definitions.items():
            if text.endswith(f" {body}") and re.fullmatch(rf"{re.escape(wanted.strip('_'))}(_\d+|_*)", name):
                return name
        name = self._name(wanted)
        # The first line of the docstring, as a comment of Coq: it may begin no other and end none.
        first = doc.split("\n", maxsplit=1)[0].replace("(*", "( *").replace("*)", "* )").replace('"', "'")
        self.definitions[name] = (f"(** {first} *)\n" if first else "") + f"Definition {name} {body}"
        return name

    def note_fact(self, fact: hulls.Fact) -> list[Recorded]:
        """Write what is computed of a fact as a definition, and what it says; its arrays, by their names."""
        inner, outer, arrays = [], [], []
        for wanted, one in fact.arguments:
            if isinstance(one, str):
                inner.append(one)
                outer.append(one)
                continue
            name, places = self._array_of(wanted, one)
            own = [k in places for k in range(one.ndim)]
            arrays.append(Recorded(one.axes, functools.partial(_reference, name, places)))
            inner.append(_function(f"{name} f", own))
            # Where a definition speaks of the limit, that is an argument of it outside of its section.
            used = next(iter(self.limit_uses), "")
            text = self.definitions.get(name, "").partition(":=")[2]
            given = f" {used}" if used and re.search(rf"\b{used}\b", text) else ""
            message = f"{name} reals{given} f" if name in self.definitions else f"{name} f"
            outer.append(_function(message, own))
        lengths = [bracketed(length) for length in fact.lengths]
        tables = [f"(table{one.ndim} num {nested(one, rational_text)}%Q)" for one in map(hulls.rationals, fact.witness)]
        shown = " ".join([f"{fact.says}_shown num", *lengths, *inner, *tables])
        says = " ".join([fact.says, *lengths, *outer])
        if not any(says == known[1] for known in self.facts.values()):
            body = f"f : Assertion num :=\n  holds ({shown})."
            name = self._write(f"{fact.says}_by_witness", body, "Computed with a witness.")
            self.facts[name] = self._name(fact.name), says, f"{fact.says}_of_witness"
        return arrays

    def _array_of(self, wanted: str, array: Recorded) -> tuple[str, list[int]]:
        """The name of a field or a definition that is the array, and the axes that are its arguments."""
        variables = [fresh(axis.name) for axis in array.axes]
        term = array.entry(variables)
        # What is a field already, or a definition, gets no other name.
        if term[0] == "ref" and term[2] == "f" and term[3] == tuple(variables):
            return str(term[1]), list(range(array.ndim))
        return self.define(wanted, array, "")

    def inlined(self, handle: Handle, changes: dict[str, Any]) -> Inline:
        """The system with some arrays replaced, in place."""
        fields = handle._kind.fields()
        arrays = {name: lift(changes.get(name, getattr(handle, name))) for name, one in fields.items() if not one.label}
        labels = {name: np.asarray(changes.get(name, one)) for name, one in handle._labels.items()}
        return Inline(self, handle._kind, arrays, labels)

    def changed(self, handle: Handle, changes: dict[str, Any]) -> Handle:
        """The system with some arrays replaced: a definition, or in place where the arrays are of other shapes."""
        fields = self.kind.fields()
        arrays: dict[str, Recorded] = {}
        axes = dict(handle._axes)
        for name, value in changes.items():
            if name not in fields:
                raise Refused(f"changes .{name} of a system")
            if fields[name].label:
                return self.inlined(handle, changes)
            arrays[name] = lift(value)
            if name in NOTES.diagonal:
                raise Refused(f"changes {name}, of which a definition assumes something")
            # A definition has arrays of the shape of fields: others stand in the formula itself.
            pairs = any(isinstance(axis, PairAxis) for axis in arrays[name].axes)
            if arrays[name].guard is not None or pairs or arrays[name].ndim != len(fields[name].axes):
                return self.inlined(handle, changes)
            for axis, given in zip(fields[name].axes, arrays[name].axes, strict=True):
                if given.text != axes[axis].text and not (given.text == "1" and axes[axis].size == 1):
                    axes[axis] = given
        bounds = {axis: one.text for axis, one in axes.items()}
        terms: dict[str, tuple[list[str], Term]] = {}
        printer = self.printer()
        parts = [bracketed(bounds[axis]) for axis in self.lengths]
        for name, field in fields.items():
            if name not in changes:
                parts.append(f"({self.field_names[name]} {printer.system(handle._text)})")
                continue
            variables = [fresh(axis) for axis in field.axes]
            array = arrays[name]
            term = array.number(["0" if axis.text == "1" else v for axis, v in zip(array.axes, variables, strict=True)])
            terms[self.field_names[name]] = variables, term
            entry = printer.number(term)
            if not variables:
                parts.append(f"({entry})")
                continue
            text = f"(fun {' '.join(map(printer.name, variables))} => {entry})"
            if len(variables) <= 2:
                text = f"(kept{len(variables)} 0 {' '.join(bracketed(bounds[axis]) for axis in field.axes)} {text})"
            parts.append(text)
        for axis in axes.values():
            if axis.name and " f" not in f" {axis.text}":
                raise Refused("makes a system of another system's length")
        wanted = self._naming[-1] if self._naming else "changed"
        body = f"f : system num :=\n  {printer.lets('System num ' + ' '.join(parts))}."
        # A whole number that is computed is that of the instance no more.
        wholes = {name: value for name, value in handle._wholes.items() if name not in changes}
        wholes |= {name: value.value for name, value in changes.items() if isinstance(value, Whole)}
        self._changed_fields |= set(changes)
        name = self._write(wanted, body, "")
        self.changes[name] = set(changes)
        self.changed_terms[name] = terms
        return Handle(self, SystemName(name, START), axes, handle._labels, wholes)


def _is_whole(found: Any) -> bool:
    # A definition stands for an array of all its places, each a number: what a mask picked, and pairs, are none.
    return (
        isinstance(found, Recorded) and found.guard is None and not any(isinstance(axis, PairAxis) for axis in found.axes)
    )


class _Kind:
    """A class of systems as a formula finds it: it may ask whether a system is of it, and make one."""

    def __init__(self, recorder: Recorder, kind: type[System]) -> None:
        self.__dict__.update(recorder=recorder, kind=kind, __name__=kind.__name__)

    def __call__(self, *values: Any, **arrays: Any) -> Inline:
        fields = self.kind.fields()
        arrays |= dict(zip(fields, values, strict=False))
        if arrays.keys() != fields.keys():
            raise Refused(f"makes a {self.kind.__name__} without all of its arrays")
        labels = {name: np.asarray(value) for name, value in arrays.items() if fields[name].label}
        return Inline(self.recorder, self.kind, {n: lift(v) for n, v in arrays.items() if n not in labels}, labels)

    def instance(self, **arrays: Any) -> Inline:
        return self(**arrays)

    def fields(self) -> Any:
        return self.kind.fields()

    def __getattr__(self, name: str) -> Any:
        for owner in self.kind.__mro__:
            member = vars(owner).get(name)
            if isinstance(member, staticmethod):
                return self.recorder.translated(member.__func__)
            if isinstance(member, types.FunctionType) and owner not in MACHINERY:
                return self.recorder.translated(member)
            if member is not None:
                return self.recorder.translated(member, name)
        raise Refused(f"uses {self.kind.__name__}.{name}")


def _catching(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that catches a division by zero: while it runs whoever divides asks whether it is by zero."""

    @functools.wraps(function)
    def call(*given: Any, **constants: Any) -> Any:
        NOTES.catching += 1
        try:
            return function(*given, **constants)
        finally:
            NOTES.catching -= 1

    return call


@functools.cache
def _refuse_hidden_state(code: types.CodeType) -> None:
    """Raise Refused for a formula that writes to its module, imports, or asks for what Python keeps of objects."""
    for one in dis.get_instructions(code):
        if one.opname in ("STORE_GLOBAL", "DELETE_GLOBAL", "IMPORT_NAME"):
            raise Refused(f"writes the name {one.argval}" if "GLOBAL" in one.opname else f"imports {one.argval}")
        if "ATTR" in one.opname and str(one.argval).startswith("__") and one.argval != "__name__":
            raise Refused(f"asks for .{one.argval}")
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            _refuse_hidden_state(inner)


def _reference(name: str, places: Sequence[int], place: Sequence[str]) -> Term:
    return "ref", name, "f", tuple(place[k] for k in places)


def _function(text: str, own: Sequence[bool]) -> str:
    """A function of as many places, of which some are its own."""
    if all(own):
        return f"({text})"
    letters = "ijk"[: len(own)]
    return (
        f"(fun {' '.join(letters)} => {' '.join([text, *(one for one, kept in zip(letters, own, strict=True) if kept)])})"
    )
