"""The common part of all models: named exact data of stated shapes."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

import mpmath
import numpy as np

from dynamics.arithmetic import Arithmetic, Array, Column, Numbers, elementwise, exact, numbers, rational
from dynamics.choices import (
    SUITE,
    Count,
    SelfAnswering,
    check_result,
    decided_choices,
    guarded,
    guarded_numbers,
    guarding,
    kinds,
    plain,
    settled,
)
from dynamics.showing import as_table

MOST_LABEL = 1 << 15
"""Labels are below this in size: they are indices and masks, machine integers that are not computed with."""


MOST_PLAIN = 10**1000
"""Whole numbers below this in size are written as such, others as texts."""


@dataclasses.dataclass(frozen=True)
class Field:
    """How one array of a system is declared: its axes, what it means, its plain name in files, and its default."""

    axes: tuple[str, ...]
    meaning: str
    alias: str | None = None
    default: Callable[[dict[str, int]], Any] | None = None
    integer: bool = False
    label: bool = False


def quantity(
    *axes: str,
    meaning: str,
    alias: str | None = None,
    default: Any = None,
    integer: bool = False,
    label: bool = False,
) -> Any:
    """Declare an array of a system. Axes of the same name must have the same length; no axes means a scalar.

    `default` is a value, or a function of the axis lengths; without one the array must be given. An `integer` array holds
    exact whole numbers, :class:`dynamics.choices.Count`; a `label` holds indices or a mask, small machine integers.
    """
    make = default if callable(default) or default is None else lambda sizes: default
    return dataclasses.field(default=None, metadata={"field": Field(axes, meaning, alias, make, integer or label, label)})


def identity(sizes: dict[str, int]) -> Array:
    """The default of a matrix of axes d, d."""
    return np.eye(sizes["d"], dtype=int)


def all_ones(sizes: dict[str, int]) -> Array:
    """The default of weights of axes n, n."""
    return np.ones((sizes["n"], sizes["n"]), dtype=int)


WRITTEN_ANEW = {*vars(type("", (), {})), *vars(dataclasses.make_dataclass("", [], frozen=True, eq=False))}
"""What Python and dataclasses define of every class."""

MOST_PRINTED = 300
"""Entries of an instance that is printed in full."""


@dataclasses.dataclass(frozen=True, eq=False)
class System:
    """One state of a model together with its parameters; an *instance* when every number is an exact rational.

    Arrays may carry leading batch axes. Subclasses declare their arrays with :func:`quantity`. What a model of the suite
    defines stays as it is in a class that is derived from it elsewhere, which raises TypeError otherwise.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.is_as_shown()

    @classmethod
    def is_as_shown(cls) -> None:
        """Raise TypeError where a class replaces what a model of the suite defines, from which it is derived elsewhere.

        Lemmas, ends of orbits and laws are shown of a model by its formulas, and would be told of whatever stands there.
        """
        models = [one for one in cls.__mro__ if one.__module__.startswith(SUITE)]
        # Flow, StepMap and System themselves are for others to fill.
        if all(one.__module__ == __name__ for one in models):
            return
        for model in models:
            defined = {name for name, member in vars(model).items() if not _is_left_open(member)} - WRITTEN_ANEW
            for name in sorted(defined | {"__getattribute__"}):
                holder = next(one for one in cls.__mro__ if name in vars(one))
                if not holder.__module__.startswith(SUITE) and holder is not object:
                    raise TypeError(
                        f"{cls.__name__} replaces {name} of {model.__name__}, of which much is shown that need not hold "
                        f"then: derive {cls.__name__} from Flow, StepMap or System instead"
                    )

    def __post_init__(self) -> None:
        for name in self.fields():
            array = getattr(self, name)
            # What another system holds already is shared: no formula can write it.
            if type(array) is not Numbers or array.flags.writeable:
                object.__setattr__(self, name, numbers(array))
        counts = self._counts()
        if counts:
            floats = any(
                getattr(self, name).dtype.kind in "fc" for name, field in self.fields().items() if not field.integer
            )
            for name in counts:
                object.__setattr__(self, name, _whole(getattr(self, name), floats))
        for name in self.fields():
            # What one formula writes another would read: a hypothesis could make the instance it is asked about.
            getattr(self, name).flags.writeable = False

    @classmethod
    @functools.cache
    def _counts(cls) -> tuple[str, ...]:
        return tuple(name for name, field in cls.fields().items() if field.integer and not field.label)

    @classmethod
    @functools.cache
    def fields(cls) -> dict[str, Field]:
        """The declared arrays by name, in order."""
        return {f.name: f.metadata["field"] for f in dataclasses.fields(cls) if "field" in f.metadata}

    @classmethod
    def instance(cls, /, **values: Any) -> Self:
        """Build an exact instance from numbers, "p/q" strings or arrays; fields may be named by alias.

        Raises ValueError naming the field that is unknown, missing, non-finite or of the wrong shape.
        """
        fields = cls.fields()
        # The names themselves come last: an alias never hides an array.
        names = {field.alias: name for name, field in fields.items() if field.alias} | {name: name for name in fields}
        data: dict[str, Array] = {}
        for key, value in values.items():
            if key not in names:
                raise ValueError(f"{cls.__name__} has no {key!r}: it takes {', '.join(fields)}")
            if names[key] in data:
                raise ValueError(f"{cls.__name__}: {names[key]} is given twice")
            data[names[key]] = _read(cls.__name__, names[key], fields[names[key]], value)
        sizes: dict[str, int] = {}
        # What is given says how long the axes are; the defaults take their shapes from that.
        for name, array in data.items():
            _measure(cls.__name__, name, fields[name], array, sizes)
        for name, field in fields.items():
            if name not in data:
                if field.default is None:
                    raise ValueError(f"{cls.__name__} needs {name} ({field.meaning}), which is missing")
                data[name] = _read(cls.__name__, name, field, field.default(sizes))
                _measure(cls.__name__, name, field, data[name], sizes)
        system = cls(**data)
        system.validate()
        return system

    def validate(self) -> None:
        """Raise ValueError when the data make no sense for this model, whatever a claim may assume."""

    def kept(self) -> Array:
        """Quantities that the motion keeps at zero, polynomials in what moves: x^2 - 1 for numbers on a circle, for one."""
        return numbers(np.empty(0, dtype=object))

    def replace(self, **changes: Array) -> Self:
        """The same system with some arrays replaced; nothing is checked."""
        return dataclasses.replace(self, **changes)

    def _repr_pretty_(self, printer: Any, _: bool) -> None:
        """What builds an exact instance again, if it is short: Hypothesis and IPython print this."""
        entries = sum(array.size for array in self.arrays().values())
        text = f"with {entries} entries"
        if entries <= MOST_PRINTED:
            text = ", ".join(f"{name}={value!r}" for name, value in self.to_json().items() if name != "system")
        printer.text(f"{type(self).__name__}.instance({text})")

    def arrays(self) -> dict[str, Array]:
        """The arrays by name."""
        return {name: getattr(self, name) for name in self.fields()}

    def to(self, arithmetic: Arithmetic) -> Self:
        """The same exact instance in another arithmetic."""
        return self.replace(
            **{name: arithmetic.convert(array) for name, array in self.arrays().items() if not self.fields()[name].label}
        )

    def guarded(self) -> Self:
        """The same system on guarded numbers, for a formula to be run on; itself where it holds no balls and series."""
        arrays = self.arrays()
        moved = {name: guarded(array) for name, array in arrays.items()}
        return self if all(moved[name] is arrays[name] for name in arrays) else self.replace(**moved)

    def row(self, index: int) -> Self:
        """One member of a float64 batch as an exact instance: floats are the dyadic numbers they are."""
        fields = self.fields()
        return type(self).instance(
            **{
                name: array[index] if array.ndim > len(fields[name].axes) else array
                for name, array in self.arrays().items()
            }
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data: the system's name and each array as nested lists of integers and "p/q" strings."""
        return {"system": type(self).__name__} | {
            name: _plain(array.tolist() if array.shape else array.item()) for name, array in self.arrays().items()
        }

    def _repr_html_(self) -> str:
        """A table of the arrays, for a notebook."""
        return as_table(
            type(self).__name__, ((f"{name}, {one.meaning}", getattr(self, name)) for name, one in self.fields().items())
        )


@dataclasses.dataclass(frozen=True, eq=False)
class Flow(System):
    """A system that moves in continuous time: an autonomous field on the arrays named in `moving`."""

    moving: ClassVar[tuple[str, ...]] = ()

    def velocity(self) -> tuple[Array, ...]:
        """The derivative of each moving array in the flow's clock."""
        raise NotImplementedError

    def blocks(self) -> list[range]:
        """Consecutive coordinates of the flat state in which errors are measured together, in the Euclidean norm.

        A certified trajectory is followed in the largest of these norms: single numbers unless a flow knows better.
        """
        size = sum(getattr(self, name).size for name in self.moving)
        return [range(i, i + 1) for i in range(size)]

    def with_states(self, states: Array) -> Self:
        """The same parameters with the moving arrays filled from a batch of flat states, shape (batch, size)."""
        moved: dict[str, Array] = {}
        position = 0
        for name in self.moving:
            array = getattr(self, name)
            shape = array.shape[array.ndim - len(self.fields()[name].axes) :]
            size = math.prod(shape)
            moved[name] = states[:, position : position + size].reshape(len(states), *shape)
            position += size
        return self.replace(**moved)

    def velocities(self) -> Array:
        """The velocity of a batch of states as flat rows, shape (batch, size)."""
        rows = [np.asarray(array) for array in self.velocity()]
        return np.concatenate([row.reshape(len(row), -1) for row in rows], axis=1)

    def with_state(self, state: Sequence[Any] | Array) -> Self:
        """The same parameters with the moving arrays filled, in order, from a flat sequence of numbers."""
        moved: dict[str, Array] = {}
        position = 0
        for name in self.moving:
            shape = getattr(self, name).shape
            size = math.prod(shape)
            # Filled one by one: NumPy would take a power series for a list of numbers.
            values = np.empty(size, dtype=getattr(state, "dtype", object))
            for i in range(size):
                values[i] = state[position + i]
            moved[name], position = values.reshape(shape), position + size
        return self.replace(**moved)


def guarded_formula(function: Callable[..., Any], gives_numbers: bool = False) -> Callable[..., Any]:
    """The function, run on guarded numbers where it is given exact systems, with its result unguarded again.

    Systems of float64, or of multiprecision numbers, are passed on as they are: their results decide nothing. Raises
    UndecidedError where a choice in it stays open and, if it `gives_numbers`, ForeignNumberError for a result that is no
    exact number, ball or series.
    """
    if getattr(function, "runs_guarded", None) is function:  # who wraps one copies its attributes
        return function

    @functools.wraps(function)
    def run(*given: Any, **constants: Any) -> Any:
        if guarding():  # by the caller
            return function(*given, **constants)
        systems = [one for argument in given for one in (argument if isinstance(argument, list | tuple) else [argument])]
        if not all(_is_exact(one) for one in systems if isinstance(one, System)):
            return function(*given, **constants)
        with guarded_numbers(), decided_choices():
            handed = [_with_guards(one) for one in given]
            # The arrays are read-only: all that a formula could still change is which array a name stands for.
            before = [(one, dict(vars(one))) for one in handed if isinstance(one, System)]
            try:
                return _released(function(*handed, **constants), gives_numbers)
            finally:
                if any(
                    vars(one).keys() != was.keys() or any(vars(one)[k] is not was[k] for k in was) for one, was in before
                ):
                    raise TypeError("a formula changes the instance that it is asked about")

    run.runs_guarded = run  # type: ignore[attr-defined]
    return run


def _is_exact(system: System) -> bool:
    """Whether no array holds float64, multiprecision numbers, columns of a batch or numbers that answer themselves."""
    arrays = system.arrays().values()
    return all(array.dtype == object or array.dtype.kind in "iub" for array in arrays) and not any(
        issubclass(kind, SelfAnswering | mpmath.mpf | Column)
        for array in arrays
        if array.dtype == object
        for kind in kinds(array)
    )


def _with_guards(argument: Any) -> Any:
    if isinstance(argument, System):
        return argument.guarded()
    if isinstance(argument, list | tuple):
        return type(argument)(_with_guards(one) for one in argument)
    if dataclasses.is_dataclass(argument) and not isinstance(argument, type):  # what a trap shows
        moved = {field.name: guarded(getattr(argument, field.name)) for field in dataclasses.fields(argument) if field.init}
        return dataclasses.replace(argument, **moved)
    return guarded(argument)


def _released(result: Any, gives_numbers: bool) -> Any:
    """The result of a formula with flint's own numbers in it, checked to be exact, balls or series if it is to be."""
    if isinstance(result, System):
        return result.replace(**{name: plain(array) for name, array in result.arrays().items()})
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        moved = {field.name: plain(getattr(result, field.name)) for field in dataclasses.fields(result) if field.init}
        return dataclasses.replace(result, **moved)
    if isinstance(result, list | tuple):
        return type(result)(_released(one, gives_numbers) for one in result)
    if gives_numbers and result is not None:
        for value in numbers(result).flat:
            check_result(value)
    return settled(result)


@dataclasses.dataclass(frozen=True, eq=False)
class StepMap(System):
    """A system that moves in discrete steps."""

    def step(self) -> Self:
        """The system after one step."""
        raise NotImplementedError


def _whole(array: Array, floats: bool) -> Array:
    """Whole numbers as exact objects, or beside float64 as machine numbers."""
    if floats:
        return numbers(array.astype(int if all(abs(entry) < 2**63 for entry in array.flat) else float))
    return elementwise(
        lambda entry: entry if isinstance(entry, Count | mpmath.mpf) else Count(int(entry)), array.astype(object)
    )


def _is_left_open(member: Any) -> bool:
    """Whether a model leaves it to others to define: a method that does no more than raise NotImplementedError."""
    # By what its code names: a docstring, or other words in the message, make no difference.
    code = getattr(getattr(member, "fget", member), "__code__", None)
    return code is not None and code.co_names == ("NotImplementedError",)


def _read(owner: str, name: str, field: Field, value: Any) -> Array:
    try:
        array = exact(value)
    except ValueError as error:
        raise ValueError(f"{owner}: {name} ({field.meaning}): {error}") from None
    if field.integer:
        if any(entry.q != 1 or abs(entry) >= 2**62 for entry in array.flat):
            raise ValueError(f"{owner}: {name} ({field.meaning}) must be integer and below 2^62 in size")
        if not field.label:
            return elementwise(lambda entry: Count(int(entry.p)), array)
        if any(abs(entry) > MOST_LABEL for entry in array.flat):
            raise ValueError(f"{owner}: {name} ({field.meaning}) is a label, at most {MOST_LABEL} in size")
        return np.array([int(entry.p) for entry in array.flat], dtype=int).reshape(array.shape)
    return array


def _measure(owner: str, name: str, field: Field, array: Array, sizes: dict[str, int]) -> None:
    shape = f"({', '.join(field.axes)})" if field.axes else "a single number"
    if array.ndim != len(field.axes) or 0 in array.shape:
        raise ValueError(f"{owner}: {name} ({field.meaning}) must be {shape}, not of shape {array.shape}")
    for axis, length in zip(field.axes, array.shape, strict=True):
        if sizes.setdefault(axis, length) != length:
            raise ValueError(f"{owner}: {name} ({field.meaning}) must be {shape} with {axis} = {sizes[axis]}, not {length}")


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    if isinstance(value, str):
        return value
    number = rational(value)
    return int(number.p) if number.q == 1 and abs(number) < MOST_PLAIN else str(number)
