"""What recorded terms are at an instance, in fractions: the answers to what a formula asks of its data."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from claims.formal.arrays import Recorded, Refused
from claims.formal.terms import Places, SystemName, Term, index_at


@dataclass
class _State:
    """A system at the instance: its data, or what a definition makes of another state."""

    fields: dict[str, Callable[[tuple[int, ...]], Fraction]]
    known: dict[Any, Any] = field(default_factory=dict)
    after: dict[str, _State] = field(default_factory=dict)


class Values:
    """Terms of one recorder at the instance that it was made for."""

    def __init__(self, recorder: Any, data: Mapping[str, Any]) -> None:
        self.recorder = recorder
        # Fractions: what is asked of the data is answered exactly, or not at all.
        arrays = ((recorder.field_names[name], np.asarray(array)) for name, array in data.items())
        self.start = _State({name: lambda place, of=of: Fraction(str(of[place])) for name, of in arrays})  # type: ignore[misc]

    def mask(self, array: Recorded) -> np.ndarray:
        """The switches of an array."""
        return self._table(array, lambda place: self.worth(array.entry(place)), bool)

    def numbers(self, array: Recorded) -> np.ndarray:
        """The numbers of an array."""
        return self._table(array, lambda place: self.worth(array.number(place)), object)

    def _table(self, array: Recorded, entry: Callable[[list[str]], Any], kind: Any) -> np.ndarray:
        found = np.empty([axis.size for axis in array.axes], dtype=kind)
        for place in np.ndindex(*found.shape):
            found[place] = entry([str(k) for k in place])
        return found

    def _state(self, text: str, at: _State) -> _State:
        """The state that a system's name means, said of a state."""
        if not isinstance(text, SystemName) or text.of is None:
            return at
        known = self.recorder.states.get(text.step, text)
        name, before = known.step, self._state(known.of, at)
        if name not in before.after:
            # Each entry once: a step reads its state many times, which reads the one before it as often.
            changed = {
                one: cache(lambda place, of=of: self.worth(of[1], dict(zip(of[0], place, strict=True)), before))
                for one, of in self.recorder.changed_terms[name].items()
            }
            before.after[name] = _State(before.fields | changed)
        return before.after[name]

    def _referred(self, term: Term, places: Places, at: _State) -> Any:
        _, name, text, indices = term
        place = tuple(index_at(one, places) for one in indices)
        if not text:  # the limit of the orbit, or its limit points
            limits = self.recorder.ray.limits
            return (limits[0] if name == "limit" else np.array(limits))[place]
        state = self._state(text, at)
        if name in state.fields:
            return state.fields[name](place)
        # Definitions refer to definitions: each entry once, or their number would multiply at every step.
        key = (name, place)
        if key not in state.known:
            variables, body = self.recorder.meanings[name]
            state.known[key] = self.worth(body, dict(zip(variables, place, strict=True)), state)
        return state.known[key]

    def worth(self, term: Term, places: Places | None = None, at: _State | None = None) -> Any:
        """A number, or whether a switch is on. Raises Refused for what is not rational, or no instance tells."""
        places, at = places or {}, at or self.start
        kind, *parts = term
        match kind:
            case "rational" | "truth":
                return Fraction(parts[0]) if kind == "rational" else bool(parts[0])
            case "decided" | "count":
                return (bool if kind == "decided" else Fraction)(index_at(parts[0], places))
            case "ref":
                return self._referred(term, places, at)
            case "+" | "-" | "*" | "/" | "neg" | "below" | "not":
                found = [self.worth(one, places, at) for one in parts]
                if kind == "/" and not found[1]:
                    raise Refused("divides by zero at the instance")
                return _OPERATIONS[kind](*found)
            case "and" | "or":  # the second is asked only where the first does not decide: it may have no value
                return (all if kind == "and" else any)(self.worth(one, places, at) for one in parts)
            case "function" if parts[0] in ("abs", "maximum"):
                return (abs if parts[0] == "abs" else max)(*(self.worth(one, places, at) for one in parts[1:]))
            case "pick":
                return self.worth(parts[1] if self.worth(parts[0], places, at) else parts[2], places, at)
            case "if":
                return self.worth(parts[1] if index_at(parts[0], places) else parts[2], places, at)
            case "nth":
                return self.worth(parts[1][index_at(parts[0], places)], places, at)
            case "sum" | "product" | "largest" | "all":
                variable, length, body = parts
                inner = ({**places, variable: k} for k in range(index_at(length, places)))
                return _OPERATIONS[kind](self.worth(body, one, at) for one in inner)
        raise Refused(f"asks at the instance for {parts[0] if kind == 'function' else kind}")


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "neg": operator.neg,
    "below": operator.le,
    "not": operator.not_,
    "sum": lambda found: Fraction(sum(found)),
    "product": lambda found: Fraction(math.prod(found)),
    "largest": max,
    "all": all,
}
