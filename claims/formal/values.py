"""What recorded terms are at an instance, in fractions: the answers to what a formula asks of its data."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from claims.formal.arrays import Recorded, Refused
from claims.formal.terms import Term
from dynamics.arithmetic import fraction

Places = Mapping[str, int]


@dataclass
class _State:
    """A system at the instance: its data, or what a definition makes of another state."""

    name: str
    fields: dict[str, Callable[[tuple[int, ...]], Fraction]]
    known: dict[Any, Any] = field(default_factory=dict)
    after: dict[str, _State] = field(default_factory=dict)


class Values:
    """Terms of one recorder at the instance that it was made for."""

    def __init__(self, recorder: Any, data: Mapping[str, Any]) -> None:
        self.recorder = recorder
        arrays = {recorder.field_names[name]: np.asarray(array) for name, array in data.items()}
        self.start = _State("f", {name: _entries(array) for name, array in arrays.items()})

    def mask(self, array: Recorded) -> np.ndarray:
        """The switches of an array."""
        return self._table(array, lambda place: self.holds(array.entry(place)), bool)

    def numbers(self, array: Recorded) -> np.ndarray:
        """The numbers of an array."""
        return self._table(array, lambda place: self.number(array.number(place)), object)

    def _table(self, array: Recorded, entry: Callable[[list[str]], Any], kind: Any) -> np.ndarray:
        found = np.empty([axis.size for axis in array.axes], dtype=kind)
        for place in np.ndindex(*found.shape):
            found[place] = entry([str(k) for k in place])
        return found

    def _state(self, text: str, at: _State) -> _State:
        """The state that a system's name means, said of a state."""
        if text == "f":
            return at
        name, _, of = text[1:-1].partition(" ")
        if name in self.recorder.states:
            name, _, of = self.recorder.states[name][1:-1].partition(" ")
        before = self._state(of, at)
        if name not in before.after:
            fields = dict(before.fields)
            for one, (variables, term) in self.recorder.changed_terms[name].items():
                fields[one] = self._defined(variables, term, before)
            before.after[name] = _State(name, fields)
        return before.after[name]

    def _defined(self, variables: Sequence[str], term: Term, at: _State) -> Callable[[tuple[int, ...]], Fraction]:
        known: dict[tuple[int, ...], Fraction] = {}

        def entry(place: tuple[int, ...]) -> Fraction:
            if place not in known:
                known[place] = self.number(term, dict(zip(variables, place, strict=True)), at)
            return known[place]

        return entry

    def _referred(self, term: Term, places: Places, at: _State, is_switch: bool) -> Any:
        _, name, text, indices = term
        place = tuple(self._index(one, places) for one in indices)
        if not text:  # the limit of the orbit, or its limit points
            limits = self.recorder.ray.limits
            return (limits[0] if name == "limit" else np.array(limits))[place]
        state = self._state(text, at)
        if name in state.fields:
            return state.fields[name](place)
        key = (name, place)
        if key not in state.known:
            variables, body = self.recorder.meanings[name]
            inner = dict(zip(variables, place, strict=True))
            state.known[key] = (self.holds if is_switch else self.number)(body, inner, state)
        return state.known[key]

    def number(self, term: Term, places: Places | None = None, at: _State | None = None) -> Fraction:
        """A number. Raises Refused for one that is not rational, and for what an instance does not tell."""
        places, at = places or {}, at or self.start
        kind = term[0]
        if kind == "rational":
            return Fraction(term[1])
        if kind == "ref":
            return self._referred(term, places, at, False)
        if kind in _SIGNS:
            right = self.number(term[2], places, at)
            if kind == "/" and not right:
                raise Refused("divides by zero at the instance")
            return _SIGNS[kind](self.number(term[1], places, at), right)
        if kind == "neg":
            return -self.number(term[1], places, at)
        if kind == "function" and term[1] in ("abs", "maximum"):
            return (abs if term[1] == "abs" else max)(*(self.number(one, places, at) for one in term[2:]))
        if kind == "pick":
            return self.number(term[2] if self.holds(term[1], places, at) else term[3], places, at)
        if kind in ("sum", "product", "largest"):
            found = [self.number(term[3], inner, at) for inner in self._bound(term, places)]
            return Fraction(sum(found) if kind == "sum" else math.prod(found) if kind == "product" else max(found))
        if kind == "count":
            return Fraction(self._index(term[1], places))
        if kind == "nth":
            return self.number(term[2][self._index(term[1], places)], places, at)
        if kind == "if":
            return self.number(term[2] if self._index(term[1], places) else term[3], places, at)
        if kind == "determinant":
            return _determinant(self._matrix(term, places, at))
        raise Refused(f"asks at the instance for {term[1] if kind == 'function' else kind}")

    def holds(self, term: Term, places: Places | None = None, at: _State | None = None) -> bool:
        """Whether a switch is on. Raises Refused as for numbers."""
        places, at = places or {}, at or self.start
        kind = term[0]
        if kind == "truth":
            return bool(term[1])
        if kind == "decided":
            return bool(self._index(term[1], places))
        if kind == "ref":
            return bool(self._referred(term, places, at, True))
        if kind == "below":
            return self.number(term[1], places, at) <= self.number(term[2], places, at)
        if kind == "not":
            return not self.holds(term[1], places, at)
        if kind in ("and", "or"):
            return (all if kind == "and" else any)(self.holds(one, places, at) for one in term[1:])
        if kind == "all":
            return all(self.holds(term[3], inner, at) for inner in self._bound(term, places))
        if kind == "nth":
            return self.holds(term[2][self._index(term[1], places)], places, at)
        if kind == "if":
            return self.holds(term[2] if self._index(term[1], places) else term[3], places, at)
        if kind == "pick":
            return self.holds(term[2] if self.holds(term[1], places, at) else term[3], places, at)
        if kind == "definite":
            matrix = self._matrix(term, places, at)
            minors = (_determinant(matrix[:k, :k]) > 0 for k in range(1, len(matrix) + 1))
            return bool((matrix == matrix.T).all()) and all(minors)
        raise Refused(f"asks at the instance whether {kind}")

    def _bound(self, term: Term, places: Places) -> list[Places]:
        return [{**places, term[1]: k} for k in range(self._index(term[2], places))]

    def _matrix(self, term: Term, places: Places, at: _State) -> np.ndarray:
        _, size, row, column, entry = term
        n = self._index(size, places)
        rows = [[self.number(entry, {**places, row: i, column: j}, at) for j in range(n)] for i in range(n)]
        return np.array(rows, dtype=object).reshape(n, n)

    def _index(self, text: str, places: Places) -> Any:
        """The value of an index expression, or of a test of two."""
        return self._index_of(_parsed(text), places)

    def _index_of(self, tree: Any, places: Places) -> Any:
        if isinstance(tree, int):
            return tree
        if isinstance(tree, str):
            return places[tree]
        head, *parts = tree
        if head in self.recorder.lengths_by_name:  # of whatever system: only numbers and tokens change
            return self.recorder.lengths_by_name[head]
        found = [self._index_of(part, places) for part in parts]
        if head == "nth":
            return found[1][found[0]] if found[0] < len(found[1]) else found[2]
        if head == "list":
            return found
        return _TESTS[head](*found)


_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
}
_TESTS: dict[str, Callable[..., Any]] = {
    "+": lambda *parts: sum(parts),
    "minus": lambda m, k: max(m - k, 0),
    "Nat.eqb": lambda x, y: x == y,
    "Nat.leb": lambda x, y: x <= y,
    "Nat.ltb": lambda x, y: x < y,
}


def _entries(array: np.ndarray) -> Callable[[tuple[int, ...]], Fraction]:
    return lambda place: Fraction(str(array[place]))


def _determinant(matrix: np.ndarray) -> Fraction:
    return fraction(fmpq_mat([[fmpq(one.numerator, one.denominator) for one in row] for row in matrix]).det())


@cache
def _parsed(text: str) -> Any:
    """An index expression as a tree: numbers, variables, and lists of a head with its parts."""
    words = re.findall(r"\?\d+c?|[\w.']+|[()\[\];+]", text)
    found, rest = _sum(words)
    if rest:
        raise Refused(f"reads the place {text} at the instance")
    return found


def _sum(words: list[str]) -> tuple[Any, list[str]]:
    parts = []
    while True:
        part, words = _application(words)
        parts.append(part)
        if not words or words[0] != "+":
            return (parts[0] if len(parts) == 1 else ("+", *parts)), words
        words = words[1:]


def _application(words: list[str]) -> tuple[Any, list[str]]:
    parts = []
    while words and words[0] not in (")", "]", ";", "+"):
        part, words = _atom(words)
        parts.append(part)
    if len(parts) == 1 and not (isinstance(parts[0], tuple) and parts[0][0] == "name"):
        return parts[0], words
    return (parts[0][1], *parts[1:]), words


def _atom(words: list[str]) -> tuple[Any, list[str]]:
    word, *rest = words
    if word == "(":
        found, rest = _sum(rest)
        return found, rest[1:]
    if word == "[":
        entries = []
        while rest[0] != "]":
            entry, rest = _sum(rest[1:] if rest[0] == ";" else rest)
            entries.append(entry)
        return ("list", *entries), rest[1:]
    if word.isdigit():
        return int(word), rest
    return (word if word.startswith("?") else ("name", word)), rest
