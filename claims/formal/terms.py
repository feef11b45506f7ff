"""What a formula computes, as plain terms over index expressions, and their text in Coq.

A term is a tuple whose first entry names its kind. An index expression is text of Coq, a natural number, in which the
variables are written ?1, ?2, ...; they get their names when a definition is printed. The text knows what it means.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count
from typing import Any, Self

import numpy as np

Term = tuple[Any, ...]

ZERO, ONE = ("rational", Fraction(0)), ("rational", Fraction(1))
TRUE, FALSE = ("truth", True), ("truth", False)

BINDING = {"sum", "product", "largest", "all"}  # kinds (kind, variable, bound, body)

# One count for all terms: a variable bound in one of them would otherwise capture that of another.
_numbers = count(1)


Places = Mapping[str, int]


class Index(str):
    """An index expression, or a test of some, with its value where variables have theirs: no text is ever read again."""

    __slots__ = ("meaning",)
    meaning: Callable[[Places], int]

    def __new__(cls, text: str, meaning: Callable[[Places], int]) -> Self:
        """The text with what it means."""
        made = super().__new__(cls, text)
        made.meaning = meaning
        return made


def index_at(index: str, places: Places) -> int:
    """The value of an index expression, or whether a test holds; a number that is written out needs no places."""
    return index.meaning(places) if isinstance(index, Index) else int(index)


def index_sum(index: str, by: int, text: str = "{} + {}") -> Index:
    """An index expression plus a whole number, as it is written."""
    return Index(text.format(index, by), lambda places: index_at(index, places) + by)


def index_plus(index: str, by: int) -> str:
    """The same computed, where it can be."""
    return index if not by else str(int(index) + by) if index.isdigit() else index_sum(index, by)


def index_difference(index: str, other: str) -> Index:
    """A difference of index expressions: Coq's natural numbers end at 0."""
    text = f"minus {bracketed(index)} {bracketed(other)}"
    return Index(text, lambda places: max(index_at(index, places) - index_at(other, places), 0))


TESTS: dict[str, Callable[[int, int], bool]] = {"Nat.eqb": operator.eq, "Nat.leb": operator.le, "Nat.ltb": operator.lt}


def bracketed(index: str) -> str:
    """An index expression as an argument of a function of Coq."""
    return index if index.replace("?", "").isalnum() else f"({index})"


def index_test(test: str, left: str, right: str, bracket: Callable[[str], str] = bracketed) -> Index:
    """A test of two index expressions, by its name in Coq."""
    holds, text = TESTS[test], f"{test} {bracket(left)} {bracket(right)}"
    return Index(text, lambda places: holds(index_at(left, places), index_at(right, places)))


class SystemName(str):
    """The name of a system in Coq: f, or what the definition `step` makes of another system."""

    __slots__ = ("of", "step")
    step: str
    of: SystemName | None

    def __new__(cls, step: str = "", of: SystemName | None = None) -> Self:
        """f by itself."""
        made = super().__new__(cls, "f" if of is None else f"({step} {of})")
        made.step, made.of = step, of
        return made


START = SystemName()


def fresh(axis: str = "") -> str:
    """A variable that occurs nowhere else; one for coordinates has a name of its own kind."""
    name = f"?{next(_numbers)}{'c' if axis == 'd' else ''}"
    return Index(name, lambda places: places[name])


def with_plain_variables(term: Term) -> str:
    """Text that two terms have in common if and only if they differ in the names of variables alone."""
    names: dict[str, str] = {}  # in the order in which they occur
    return re.sub(r"\?\d+c?", lambda found: names.setdefault(found.group(), f"?{len(names)}"), repr(term))


def negation(term: Term) -> Term:
    """Not the switch, without a double negation."""
    # Of an enclosure "not not" is open where the switch is: nothing is decided by leaving it out.
    return term[1] if term[0] == "not" else ("truth", not term[1]) if term[0] == "truth" else ("not", term)


def both(left: Term, right: Term) -> Term:
    """Both switches."""
    if FALSE in (left, right):  # also where the other is open: "false and open" is false
        return FALSE
    return right if left == TRUE else left if right == TRUE else ("and", left, right)


def either(left: Term, right: Term) -> Term:
    """One of the switches."""
    return (
        negation(both(negation(left), negation(right)))
        if TRUE in (left, right) or FALSE in (left, right)
        else ("or", left, right)
    )


def choice(switch: Term, yes: Term, no: Term) -> Term:
    """The number yes where the switch is on, else no."""
    if switch[0] == "truth":
        return yes if switch[1] else no
    return yes if yes == no else ("pick", switch, yes, no)


def arithmetic(sign: str, left: Term, right: Term) -> Term:
    """A sum, difference, product or quotient; constants are computed, and x + 0, x * 1 and 0 * x are no operations."""
    # Coq's reals have a value of 1/0, the library's numbers none: a division by zero is kept, so that nothing follows.
    if left[0] == right[0] == "rational" and not (sign == "/" and right == ZERO):
        x, y = left[1], right[1]
        return ("rational", x + y if sign == "+" else x - y if sign == "-" else x * y if sign == "*" else x / y)
    if sign == "*" and ZERO in (left, right):
        return ZERO
    if (sign in "*/" and right == ONE) or (sign in "+-" and right == ZERO):
        return left
    if (sign == "*" and left == ONE) or (sign == "+" and left == ZERO):
        return right
    return (sign, left, right)


class Printer:
    """Writes terms of one definition; variables are named in the order of their first occurrence.

    What it uses of `definitions`, arrays of their own, and of systems other than f is computed once, in a `let`. `states`
    are systems that have a name. Lists and assertions beyond `widest` letters stand in several lines.
    """

    def __init__(
        self,
        taken: Iterable[str],
        definitions: Iterable[str] = (),
        states: Mapping[str, SystemName] | None = None,
        widest: int = 0,
    ) -> None:
        self.names: dict[str, str] = {}
        self.definitions, self.states, self.widest = set(definitions), states or {}, widest
        self.bound: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.taken = set(taken)
        # Letters of tokens and of coordinates apart, as papers have them; n, d, f, t and z read as what papers call so.
        self.free = {kind: self._free(letters) for kind, letters in (("", "ijklmopqrs"), ("c", "abceuvwxy"))}

    def _free(self, letters: str) -> Iterator[str]:
        names = (f"{letter}{times or ''}" for times in count() for letter in letters)
        return (name for name in names if name not in self.taken)

    def index(self, text: str) -> str:
        """An index expression with its variables named."""
        if "?" not in text:  # as most: a definition of long tables has thousands of places
            return text
        return re.sub(r"\?\d+c?", lambda found: self.name(found.group()), text)

    def name(self, variable: str) -> str:
        """The name of a variable."""
        if variable not in self.names:
            self.names[variable] = next(self.free["c" if variable.endswith("c") else ""])
        return self.names[variable]

    def _once(self, name: str, what: str, value: str = "") -> str:
        """The local name of something that depends on no place, and its value where that is written otherwise."""
        if what not in self.bound:
            of = what.partition(" ")[2].strip("'")
            local = f"{name}_{of}'" if self.widest and of.isidentifier() and of != "f" else f"{name}'"
            while local in self.bound.values():
                local += "'"
            self.bound[what] = local
            self.values[what] = value or what
        return self.bound[what]

    def system(self, text: str) -> str:
        """A system's name: f, or a local name for "(step f)"."""
        if not isinstance(text, SystemName) or text.of is None:
            return text
        known = self.states.get(text.step)
        if known is not None and known.of is not None and known.of[1:-1] in self.bound:  # which is computed once
            return self._once(text.step, text[1:-1], f"{known.step} {self.bound[known.of[1:-1]]}")
        return self._once(text.step, f"{text.step} {self.system(text.of)}")

    def lets(self, text: str) -> str:
        """The text after what it uses of other definitions."""
        return "".join(f"let {local} := {self.values[what]} in\n  " for what, local in self.bound.items()) + text

    def argument(self, text: str) -> str:
        """An index expression as an argument of a function."""
        text = self.index(text)
        if text in ("0", "1"):  # which are numbers in this scope
            return "O" if text == "0" else "1%nat"
        # The scope is that of numbers, in which + is another one; what is applied to one name has none.
        return (
            text if re.fullmatch(r"[\w']+", text) else f"({text})" if re.fullmatch(r"\w+ \w+'*", text) else f"({text})%nat"
        )

    def number(self, term: Term, level: int = 0) -> str:
        """A number. Levels: 0 a sum, 1 a summand, 2 a factor, 3 what divides, 9 an argument."""
        kind, *parts = term
        match kind:
            case "rational":
                value = parts[0]
                text = str(value) if value.denominator == 1 else f"{value.numerator}#{value.denominator}"
                text = text if value in (0, 1) else f"rational {text if text.isdigit() else f'({text})'}"
            case "ref":
                name, system, indices = parts
                what = f"{name} {self.system(system)}" if system else name
                what = self._once(name, what) if name in self.definitions else what
                text = " ".join([what, *map(self.argument, indices)])
            case "+" | "-":
                return _within(f"{self.number(parts[0], 0)} {kind} {self.number(parts[1], 1)}", level > 0)
            case "*" | "/":
                return _within(f"{self.number(parts[0], 2)} {kind} {self.number(parts[1], 3)}", level > 2)
            case "neg":
                return _within(f"- {self.number(parts[0], 3)}", level > 0)
            case "function":
                text = " ".join([parts[0], *(self.number(one, 9) for one in parts[1:])])
            case "pick":
                text = f"pick {self.switch(parts[0], 9)} {self.number(parts[1], 9)} {self.number(parts[2], 9)}"
            case "count":
                text = f"count num {self.argument(parts[0])}"
            case "nth":
                entries = self._joined(";", [self.number(one) for one in parts[1]])
                text = f"nth {self.argument(parts[0])} [{entries}] 0"
            case "if":
                return f"(if {self.index(parts[0])} then {self.number(parts[1])} else {self.number(parts[2])})"
            case "determinant":
                text = self.matrix("determinant num", term)
            case _ if kind in BINDING:
                text = self._bound(term, self.number(parts[2]))
            case _:
                raise ValueError(f"no number: {kind}")
        return _within(text, level > 8 and " " in text)

    def _joined(self, sign: str, parts: Sequence[str]) -> str:
        """Parts with a sign between them, in lines of their own where they are long."""
        long = self.widest and sum(map(len, parts)) > self.widest
        return f"{sign}\n    ".join(parts) if long else f"{sign} ".join(parts)

    def _bound(self, term: Term, body: str) -> str:
        return f"{term[0]} num {self.argument(term[2])} (fun {self.name(term[1])} => {body})"

    def matrix(self, name: str, term: Term) -> str:
        """A function of a square matrix, (kind, size, row, column, entry)."""
        _, size, row, column, entry = term
        return f"{name} {self.argument(size)} (fun {self.name(row)} {self.name(column)} => {self.number(entry)})"

    def switch(self, term: Term, level: int = 0) -> str:
        """A switch, which a number may depend on."""
        kind, *parts = term
        match kind:
            case "truth":
                text = f"truth {str(parts[0]).lower()}"
            case "decided":
                text = f"truth ({self.index(parts[0])})"
            case "ref":
                return self.number(term, level)
            case "below":
                text = f"below {self.number(parts[0], 9)} {self.number(parts[1], 9)}"
            case "and" | "or" | "not":
                same = _equal(term)
                equal = same and f"equal num {self.number(same[0], 9)} {self.number(same[1], 9)}"
                text = equal or " ".join([kind, *(self.switch(one, 9) for one in parts)])
            case "all":
                text = self._bound(term, self.switch(parts[2]))
            case "definite":
                text = self.matrix("definite_by_pivots num", term)
            case "nth":
                entries = "; ".join(self.switch(one) for one in parts[1])
                text = f"nth {self.argument(parts[0])} [{entries}] (truth false)"
            case "if":
                return f"(if {self.index(parts[0])} then {self.switch(parts[1])} else {self.switch(parts[2])})"
            case _:
                raise ValueError(f"no switch: {kind}")
        return _within(text, level > 8)

    def assertion(self, term: Term, level: int = 0) -> str:
        """That a switch is on, in ordinary notation. Levels: 0 anything, 1 what stands beside a connective."""
        kind = term[0]
        if kind == "implies":
            return _within(f"{self.assertion(term[1], 1)} -> {self.assertion(term[2], 1)}", level > 0)
        if kind == "below":
            return f"{self.number(term[1])} <= {self.number(term[2])}"
        if kind == "not" and term[1][0] == "below":
            return f"{self.number(term[1][2])} < {self.number(term[1][1])}"
        same = _equal(term)
        if same:
            return f"{self.number(same[0])} = {self.number(same[1])}"
        if kind in ("and", "or"):
            sign = "/\\" if kind == "and" else "\\/"
            return _within(self._joined(f" {sign}", [self.assertion(one, 1) for one in term[1:]]), level > 0)
        if kind == "not" and term[1][0] in ("and", "or", "all"):
            return _within(f"~ ({self.assertion(term[1])})", level > 0)
        if kind == "all":
            name = self.name(term[1])
            return _within(f"ALL {name} < {self.argument(term[2])}, {self.assertion(term[3])}", level > 0)
        return f"holds ({self.switch(term)})"


def _within(text: str, brackets: bool) -> str:
    return f"({text})" if brackets else text


def _equal(term: Term) -> tuple[Term, Term] | None:
    """x and y where the switch says x <= y and y <= x."""
    if term[0] == "and" and term[1][0] == term[2][0] == "below" and term[1][1:] == term[2][:0:-1]:
        return term[1][1], term[1][2]
    return None


def rational_text(value: Any) -> str:
    """An exact number as text of Q."""
    number = Fraction(str(value))
    sign = f"({number.numerator})" if number.numerator < 0 else str(number.numerator)
    return f"{sign}#{number.denominator}"


def nested(array: Any, entry: Callable[[Any], Any]) -> str:
    """An array as nested lists of Coq, entry by entry."""
    if isinstance(array, np.ndarray) and array.shape:
        return "[" + "; ".join(nested(one, entry) for one in array) + "]"
    return str(entry(array.item() if isinstance(array, np.ndarray) else array))
