"""What recorded formulas call instead of NumPy, of Python's own functions and of the suite's arithmetic."""

from __future__ import annotations

import builtins
import inspect
import types
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from itertools import combinations, combinations_with_replacement, islice, pairwise, permutations, product
from typing import Any

import numpy as np
from flint import fmpq

from claims.formal import hulls
from claims.formal.arrays import (
    NOTES,
    AxisLength,
    MaskedRows,
    PairAxis,
    Pairs,
    Product,
    Recorded,
    Refused,
    Whole,
    at_the_instance,
    axis_of,
    concatenated,
    function,
    lift,
    stacked,
    switch,
    together,
)
from claims.formal.terms import FALSE, TRUE, ZERO, Term, both, choice, fresh, index_sum, index_test
from claims.stating import assumptions, matrices
from dynamics import arithmetic, attention, differentiation, findings, geometry, polytopes


def _is_recorded(*values: Any) -> bool:
    return any(
        isinstance(one, Recorded | AxisLength) or (isinstance(one, list | tuple) and _is_recorded(*one)) for one in values
    )


# ---------------------------------------------------------------------------------------------------------------------
# Python's own


def _len(value: Any) -> Any:
    if isinstance(value, Distinct):
        return value.number()
    # Python's own len must give an int, and would pin the length.
    return value.shape[0] if isinstance(value, Recorded) and value.axes else builtins.len(value)


class Distinct:
    """The first of each set of equal rows, of which a formula may ask how many there are."""

    def __init__(self, rows: Any) -> None:
        self.mask: Recorded | None = rows.mask if isinstance(rows, MaskedRows) else None
        self.rows = rows.array if isinstance(rows, MaskedRows) else lift(rows).whole()

    def _are_equal(self) -> Recorded:
        """Whether rows i and j are equal, shape (n, n)."""
        rows = self.rows if self.rows.ndim > 1 else self.rows[:, None]
        equal = lift(rows[:, None] == rows[None])
        while equal.ndim > 2:
            equal = equal.all(axis=-1)
        return equal

    def number(self) -> Recorded:
        """How many different rows there are."""
        # Those that have no equal one before them: how many is a number of the data, where which is a choice by them.
        before = _triangle(True)(self._are_equal(), -1)
        if self.mask is not None:
            before = before & self.mask[None, :]
        first = ~before.any(axis=-1)
        number = (first if self.mask is None else first & self.mask).sum()
        doc = "How many different rows there are: those that have no equal one before them."
        return NOTES.instance.recorder.named("different_rows", number, doc) if NOTES.instance else number


class _Set:
    """A set of recorded numbers: it is compared with one of whole numbers."""

    def __init__(self, values: list[Any]) -> None:
        self.values = [lift(one) for one in values]

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, set):
            raise Refused("compares two sets of numbers")
        found = lift(True)
        for one in self.values:
            found = found & _any([one == wanted for wanted in other])
        for wanted in other:
            found = found & _any([one == wanted for one in self.values])
        return found

    __hash__ = None  # type: ignore[assignment]


def _set(values: Any = ()) -> Any:
    ones = list(values)
    return _Set(ones) if _is_recorded(*ones) else set(ones)


def _all(values: Iterable[Any]) -> Any:
    found: Any = True
    for one in values:
        if isinstance(one, Recorded):
            found = switch(one) & found
        elif not one:
            return False
    return found


def _any(values: Iterable[Any]) -> Any:
    found: Any = False
    for one in values:
        if isinstance(one, Recorded):
            found = switch(one) | found
        elif one:
            return True
    return found


def _extreme(largest: bool) -> Callable[..., Any]:
    def extreme(*values: Any, key: Any = None, default: Any = None) -> Any:
        ones = list(values[0]) if len(values) == 1 else list(values)
        if key is not None:
            raise Refused("takes the largest by a key")
        # The larger of two lengths is no length that can be written: it is that of the instance.
        if any(isinstance(one, AxisLength) for one in ones) and all(isinstance(one, AxisLength | int) for one in ones):
            ones = [int(one) for one in ones]
        if not _is_recorded(*ones):
            plain = builtins.max if largest else builtins.min
            return plain(ones) if default is None else plain(ones, default=default)
        found = lift(ones[0])
        for one in ones[1:]:
            found = maximum(found, one) if largest else minimum(found, one)
        return found

    return extreme


def maximum(x: Any, y: Any) -> Recorded:
    """The larger of two numbers, entry by entry."""
    return together([lift(x), lift(y)], lambda left, right: ("function", "maximum", left, right))


def minimum(x: Any, y: Any) -> Recorded:
    """The smaller of two numbers, entry by entry."""
    return -maximum(-lift(x), -lift(y))


def _bool(value: Any = False) -> Any:
    return switch(value) if isinstance(value, Recorded) else bool(value)


def _int(value: Any = 0) -> int:
    if isinstance(value, Recorded) and not isinstance(value, Whole | Product):
        raise Refused("takes a number for a whole one")
    return int(value)


def _type(value: Any) -> Any:
    if hasattr(builtins.type(value), "own_kind"):
        return value.own_kind()
    # Numbers are asked for their class to choose between an exact way and another.
    if isinstance(value, Recorded | AxisLength):
        if isinstance(value, AxisLength) or value.is_switch:
            raise Refused("asks for the class of a length or of a switch")
        return QUOTIENT
    return builtins.type(value)


def _issubclass(one: Any, kinds: Any) -> bool:
    if one is not QUOTIENT:
        raise Refused("asks for a class")
    return any(kind is QUOTIENT for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))


def _getattr(value: Any, name: str, *default: Any) -> Any:
    if name.startswith("__"):  # as an attribute that is written out is refused when the code is looked at
        raise Refused(f"asks for .{name}")
    return getattr(value, name, *default)


def _refusing(reason: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise Refused(reason)

    return refuse


class _Super:
    # What a model's `validate` calls first; that of each class is recorded by itself.
    def validate(self) -> None:
        """Nothing more."""


def _sum(values: Iterable[Any], start: Any = 0) -> Any:
    found = start
    for one in values:
        found = found + one
    return found


def _quotient(p: Any, q: Any = 1) -> Any:
    return lift(p) / lift(q) if _is_recorded(p, q) else fmpq(p, q)


QUOTIENT, WHOLE = _quotient, _int  # as classes of numbers, too: a formula may ask for that of a number

# Of these, recorded numbers refuse by themselves what they cannot answer. What is in no table has no name in a formula.
PASSED_ON = "abs enumerate tuple list dict reversed map str next iter slice filter object ZeroDivisionError ValueError"

BUILTINS = {name: getattr(builtins, name) for name in PASSED_ON.split()} | {
    "len": _len,
    "getattr": _getattr,
    "super": _Super,
    "range": lambda *bounds: range(*map(int, bounds)),
    "set": _set,
    "all": _all,
    "any": _any,
    "max": _extreme(True),
    "min": _extreme(False),
    "bool": _bool,
    "int": WHOLE,
    "issubclass": _issubclass,
    "type": _type,
    "sum": _sum,
    "zip": lambda *parts, strict=False: zip(*map(list, parts), strict=strict),
    "True": True,
    "False": False,
    "None": None,
}


# ---------------------------------------------------------------------------------------------------------------------
# NumPy


def _shape(shape: Any) -> list[AxisLength]:
    return [axis_of(one) for one in (shape if isinstance(shape, tuple | list) else (shape,))]


def _eye(n: Any, m: Any = None, k: int = 0, **_: Any) -> Recorded:
    def entry(place: Any) -> Term:
        row, column = place
        if row.isdigit() and column.isdigit():
            return TRUE if int(row) + k == int(column) else FALSE
        if row == column:
            return FALSE if k else TRUE
        # Natural numbers: k is added on one side, as it cannot be taken off the other.
        left, right = (index_sum(row, k), column) if k > 0 else (row, index_sum(column, -k) if k else column)
        return ("decided", index_test("Nat.eqb", left, right, "({})".format))

    return Recorded([axis_of(n), axis_of(n if m is None else m)], entry, True)


def _triangle(lower: bool) -> Callable[..., Recorded]:
    def triangle(array: Any, k: int = 0) -> Recorded:
        mask = lift(array)

        def entry(place: Any) -> Term:
            row, column = place[-2:]
            moved = [index_sum(row, k, "({}) + {}"), column] if k >= 0 else [row, index_sum(column, -k, "({}) + {}")]
            left, right = moved[::-1] if lower else moved
            test: Term = ("decided", index_test("Nat.leb", left, right, "({})".format))
            if row.isdigit() and column.isdigit():
                inside = int(column) <= int(row) + k if lower else int(column) >= int(row) + k
                test = TRUE if inside else FALSE
            term = mask.entry(place)
            return both(test, term) if mask.is_switch else choice(test, term, ("rational", 0))

        return Recorded(mask.axes, entry, mask.is_switch)

    return triangle


def _constant(value: Any) -> Callable[..., Recorded]:
    def constant(shape: Any, *_: Any, dtype: Any = None, **__: Any) -> Recorded:
        is_switch = dtype is bool or dtype is _bool
        whole = lift(bool(value)) if is_switch else lift(value)
        return Recorded(_shape(shape), lambda _: whole.entry(()), is_switch)

    return constant


def _where(mask: Any, yes: Any, no: Any) -> Recorded:
    arrays = [switch(mask), lift(yes), lift(no)]
    if arrays[1].is_switch and arrays[2].is_switch:
        return (arrays[0] & arrays[1]) | (~arrays[0] & arrays[2])

    def make(test: Term, left: Term, right: Term) -> Term:
        if test[0] == "truth":
            return left if test[1] else right
        return choice(test, left, right)

    numbers = [Recorded(one.axes, one.number) for one in arrays[1:]]
    return together([arrays[0], *numbers], make, of_switches=True)


def _broadcast_to(array: Any, shape: Any) -> Recorded:
    whole = lift(array)
    zeros = Recorded(_shape(shape), lambda _: TRUE, True)
    return together([whole, zeros], lambda term, _: term, whole.is_switch, of_switches=whole.is_switch)


def _broadcast_arrays(*arrays: Any) -> list[Recorded]:
    ones = [lift(one) for one in arrays]
    axes = together(ones, lambda *_: TRUE).axes
    return [_broadcast_to(one, axes) for one in ones]


def _pairs(n: Any, k: int = 0) -> Any:
    axis = axis_of(n)
    # With the diagonal, or of a length that is written out, places are tables like others.
    if k != 1 or not axis.name:
        return tuple(list(map(int, one)) for one in np.triu_indices(axis.concrete(), k))
    # The statement is for all pairs: in which order they come is no part of it.
    pairs = PairAxis(axis)
    return Pairs(pairs, 0), Pairs(pairs, 1)


def _stack(parts: Any, axis: int = 0) -> Recorded:
    found = stacked([lift(one) for one in parts])
    at = axis % found.ndim
    return found.transpose(*range(1, at + 1), 0, *range(at + 1, found.ndim))


def _concatenate(parts: Any, axis: int = 0) -> Recorded:
    return concatenated([lift(one) for one in parts], axis)


def _delete(array: Any, places: Any, axis: int) -> Recorded:
    whole = lift(array)
    gone = {int(one) for one in (places if isinstance(places, list | tuple) else [places])}
    kept = [k for k in range(whole.axes[axis].concrete()) if k not in gone]  # a gap in the middle has no slice
    return whole[(*[slice(None)] * (axis % whole.ndim), kept)]


def _asarray(value: Any, *_: Any, dtype: Any = None, **__: Any) -> Any:
    if dtype in (bool, _bool):
        return switch(value)
    # What holds no recorded number stays NumPy's: places and labels are computed with as they are.
    if isinstance(value, np.ndarray) or _is_recorded(value):
        if _is_recorded(value) and dtype not in (None, object):
            raise Refused("turns numbers into machine numbers")
        return lift(value)
    return np.array(value, dtype=int if dtype in (int, WHOLE) else object)


def _kron(A: Any, B: Any) -> Recorded:
    one, other = lift(A), lift(B)
    (m, n), (p, q) = ([axis.concrete() for axis in each.axes] for each in (one, other))
    return lift([[one[i // p, j // q] * other[i % p, j % q] for j in range(n * q)] for i in range(m * p)])


def _append(array: Any, values: Any, axis: Any = None) -> Recorded:
    whole, more = lift(array), lift(values)
    return concatenated([whole, more if more.axes else more[None]], axis or 0)


def _diff(array: Any, axis: int = -1) -> Recorded:
    moved = lift(array).swapaxes(axis, -1)
    return (moved[..., 1:] - moved[..., :-1]).swapaxes(axis, -1)


def _products(x: Any, y: Any) -> Recorded:
    left, right = lift(x).whole(), lift(y).whole()
    return left[(..., *(None for _ in right.axes))] * right


def _outer(x: Any, y: Any) -> Recorded:
    # A row stays as it is: to flatten it would pin its length.
    return _products(*(lift(one).ravel() if lift(one).ndim > 1 else one for one in (x, y)))


def _diagonal(array: Any, **which: Any) -> Any:
    if isinstance(array, np.ndarray) and array.dtype.kind in "iub":
        return np.diagonal(array, **which)
    whole = lift(array)
    if whole.ndim == 1 and not which:

        def entry(place: Any) -> Term:
            test = _eye(whole.axes[0]).entry(place)
            return choice(test, whole.number((place[0],)), ("rational", 0))

        return Recorded((whole.axes[0], whole.axes[0]), entry)
    return whole.diagonal(**which)


class _Arrays(types.SimpleNamespace):
    def __getattr__(self, name: str) -> Any:
        raise Refused(f"calls np.{name}")


ARRAYS = _Arrays(
    asarray=_asarray,
    array=_asarray,
    eye=_eye,
    ones=_constant(1),
    zeros=_constant(0),
    ones_like=lambda array, **given: _constant(1)(lift(array).shape, **given),
    zeros_like=lambda array, **given: _constant(0)(lift(array).shape, **given),
    full=lambda shape, value, **_: _constant(value)(shape),
    where=_where,
    broadcast_to=_broadcast_to,
    broadcast_arrays=_broadcast_arrays,
    triu_indices=_pairs,
    stack=_stack,
    concatenate=_concatenate,
    vstack=lambda parts: _concatenate([one if one.ndim > 1 else one[None] for one in map(lift, parts)]),
    hstack=lambda parts: _concatenate(parts, -1),
    append=_append,
    delete=_delete,
    ix_=lambda *places: np.ix_(*([int(k) for k in one] for one in places)),
    diff=_diff,
    arange=lambda *bounds: np.arange(*map(int, bounds)),
    take=lambda array, place, axis: lift(array)[(*[slice(None)] * (axis % lift(array).ndim), int(place))],
    ndindex=lambda *shape: np.ndindex(*(int(one) for one in (shape[0] if isinstance(shape[0], tuple) else shape))),
    isin=lambda array, values: (_refusing("calls np.isin") if _is_recorded(array) else np.isin)(array, values),
    kron=_kron,
    multiply=types.SimpleNamespace(outer=_products),
    outer=_outer,
    tril=_triangle(True),
    triu=_triangle(False),
    diag=_diagonal,
    diagonal=_diagonal,
    shape=lambda array: lift(array).shape,
    ndim=lambda array: lift(array).ndim,
    flatnonzero=lambda mask: np.flatnonzero(_mask(mask)),
    argwhere=lambda mask: np.argwhere(_mask(mask)),
    nonzero=lambda mask: np.nonzero(_mask(mask)),
    maximum=maximum,
    minimum=minimum,
    abs=abs,
    sum=lambda array, axis=None: lift(array).sum(axis),
    newaxis=None,
    bool_=bool,
    True_=True,
    int64=WHOLE,
    ndarray=Recorded,
)


def _mask(mask: Any) -> np.ndarray:
    return at_the_instance(switch(mask), "asks for the places of a mask")


# ---------------------------------------------------------------------------------------------------------------------
# The suite's arithmetic


def _peak(x: Recorded) -> Recorded:
    return lift(x).max(axis=-1, keepdims=True)


def _exp(x: Any) -> Recorded:
    return function("exp", x)


def _softmax(scores: Recorded) -> Recorded:
    # Without the shift by the largest, which real numbers do not need: the quotient is the same.
    weights = _exp(scores)
    return weights / weights.sum(axis=-1, keepdims=True)


def _square(name: str) -> Callable[[Any], Recorded]:
    def of_matrix(A: Any) -> Recorded:
        matrix = lift(A)
        if matrix.ndim != 2 or matrix.guard is not None:
            raise Refused(f"takes the {name} of an array of {matrix.ndim} axes")
        row, column = fresh(), fresh()
        own = ["0" if axis.text == "1" else one for axis, one in zip(matrix.axes, (row, column), strict=True)]
        return Recorded((), lambda _: (name, matrix.axes[0].text, row, column, matrix.number(own)), name == "definite")

    return of_matrix


def _inverse(A: Any) -> Recorded:
    # Cramer's rule: elimination would ask which pivots are zero, on every path anew.
    matrix, determinant = lift(A), _square("determinant")
    d = matrix.axes[0].concrete()
    if d == 1:
        return 1 / matrix
    minors = [[determinant(_delete(_delete(matrix, j, 0), i, 1)) * (-1) ** (i + j) for j in range(d)] for i in range(d)]
    return lift(minors) / determinant(matrix)


def _matrix_exponential(V: Any, t: Any) -> Recorded:
    """e^{tV} of a diagonal matrix. That it is diagonal is noted as a condition of the definition."""
    matrix, time = lift(V), lift(t)
    if matrix.ndim != 2 or time.ndim:
        raise Refused("takes the exponential of several matrices")
    row, column = fresh("d"), fresh("d")
    term = matrix.entry((row, column))
    # Of a field the condition can be said as a hypothesis; of what is computed it would be one on its result.
    if term[0] != "ref" or NOTES.diagonal.setdefault(term[1], matrix.axes[0].text) != matrix.axes[0].text:
        raise Refused("takes the exponential of a matrix that is computed")
    diagonal = function("exp", time * matrix.diagonal())
    same = _eye(matrix.axes[0])
    return Recorded(matrix.axes, lambda place: choice(same.entry(place), diagonal.entry(place[:1]), ZERO))


def _sign(x: Any) -> Any:
    number = lift(x)
    return _where(number > 0, 1, _where(number < 0, -1, 0))


ITERTOOLS = (pairwise, combinations, combinations_with_replacement, product, permutations, islice)

STAND_INS: dict[Any, Callable[..., Any]] = {
    arithmetic.numbers: lift,
    arithmetic.exact: lift,
    arithmetic.rational: lambda value: value if isinstance(value, Recorded) else arithmetic.rational(value),
    arithmetic.fraction: lambda value: value,
    arithmetic.transposed: lambda x: lift(x).swapaxes(-1, -2),
    arithmetic.at_most: lambda x, bound: lift(x) <= bound,
    arithmetic.indicator: lambda mask, like: _where(mask, 1, 0),
    arithmetic.peak: _peak,
    arithmetic.below_peak: lambda x: lift(x) - _peak(x),
    arithmetic.below_any_summit: lambda x: lift(x) - _peak(x),  # which of several is taken is no part of its value
    arithmetic.larger: maximum,
    arithmetic.sign: _sign,
    arithmetic.leading: lambda x: x,
    arithmetic.exp: _exp,
    arithmetic.log: lambda x: function("ln", x),
    arithmetic.sqrt: lambda x: function("sqrt", x),
    arithmetic.exp_difference: lambda x, y: _exp(x) - _exp(y),
    arithmetic.determinant: _square("determinant"),
    arithmetic.inverse: _inverse,
    arithmetic.are_rational: lambda _: True,  # formulas ask it to choose an exact way, which is the one that is stated
    attention.softmax: _softmax,
    attention.attention: lambda queries, keys: _softmax(lift(queries) @ lift(keys).swapaxes(-1, -2)),
    matrices.is_positive_definite: _square("definite"),
    arithmetic.working_precision: lambda _: nullcontext(),  # real numbers have none
    arithmetic.matrix_exponential: _matrix_exponential,
    # What is certain of balls is true of real numbers.
    assumptions.certainly_positive: lambda x: lift(x) > 0,
    assumptions.certainly_at_most: lambda x, bound: lift(x) <= bound,
    assumptions.certainly_all: _all,
    arithmetic.distinct: Distinct,
    geometry.membership: hulls.recorded_membership,
    polytopes.vertices: hulls.recorded_vertices,
    findings.tell: lambda *_, **__: None,
    geometry.gram: lambda points: lift(points) @ lift(points).swapaxes(-1, -2),
    pairwise: lambda values: pairwise(list(values)),
    combinations: lambda values, k: combinations(list(values), k),
    combinations_with_replacement: lambda values, k: combinations_with_replacement(list(values), k),
    product: lambda *values, repeat=1: product(*map(list, values), repeat=repeat),
    permutations: lambda values: permutations(list(values)),
    islice: lambda values, most: list(islice(values, _int(most))),
    arithmetic.lambert_w: _refusing("has Lambert's W in it"),
    arithmetic.summits: _refusing("takes the place of the largest"),
    differentiation.directional_derivative: _refusing("takes a derivative"),
}
"""The functions whose meaning is known to the recorder, by what they stand for; and what a formula does that is refused."""

STAND_INS = {inspect.unwrap(function): known for function, known in STAND_INS.items()}


def stand_in(value: Any) -> Any:
    """What is called in place of a function; None where none is known."""
    if isinstance(value, types.FunctionType) or value in ITERTOOLS:
        return STAND_INS.get(value)
    return QUOTIENT if value is fmpq else None
