"""A formula as the straight line of operations that it makes, which is repeated on other numbers without the formula.

Section 15 of docs/certified_trajectories.md. A small field spends most of its time on the way to its operations: arrays
are made, shaped, viewed. It is run once on numbers that write down what is done with them and answer nothing else.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from flint import arb, arb_mat, arb_series, fmpq

from dynamics.choices import FUNCTIONS, Count, Shown, flint_operand
from dynamics.trusted.taylor import Rows, SeriesMap, coefficient

HASHED = (fmpq, int, Count)
"""The kinds of constants that are told apart by their values; balls are, by which they are."""


class LineError(TypeError):
    """A formula asks of a number something else than an operation."""


class _Line:
    """The numbers that a formula has made, in their order, and the operations by which it made them."""

    def __init__(self, state: Sequence[arb]) -> None:
        self.made: dict[Any, RecordedNumber] = {}
        self.asked = False
        self.inputs = [RecordedNumber(self, k, value) for k, value in enumerate(state)]

    def number(self, operation: Callable[..., Any], *operands: Any) -> RecordedNumber:
        """What an operation makes of recorded numbers and constants: the same number where it made one of them before."""
        # By what it is made of: an operation that the formula repeats is done once on every other state.
        key = (operation, *map(_name, operands))
        if key not in self.made:
            value = operation(*(one.value if type(one) is RecordedNumber else one for one in operands))
            self.made[key] = RecordedNumber(self, len(self.inputs) + len(self.made), value, operation, operands)
        return self.made[key]

    def refuse(self, what: str) -> NoReturn:
        """Raise LineError, and remember it: the formula may swallow it."""
        # Remembered before it is raised: a formula that catches the error has compared all the same, and its line is no
        # line.
        self.asked = True
        raise LineError(f"{what} is no operation on numbers")


def _name(operand: Any) -> Any:
    if type(operand) is RecordedNumber:
        return "recorded", operand.place
    # Equal balls are not the same number, so that balls are the same constant only where they are one object.
    return (type(operand), operand) if type(operand) in HASHED else ("constant", id(operand))


def _binary(operation: Callable[[Any, Any], Any], reflected: bool) -> Any:
    def apply(self: RecordedNumber, other: Any) -> Any:
        operand = other if type(other) is RecordedNumber else flint_operand(other)
        if operand is NotImplemented:
            return NotImplemented
        return self.line.number(operation, *((operand, self) if reflected else (self, operand)))

    return apply


class RecordedNumber(Shown):
    """A number of which a formula learns nothing, with a ball around what it is at the state where the line is drawn."""

    __slots__ = ("line", "operands", "operation", "place", "value")
    takes_balls = True

    def __init__(self, line: _Line, place: int, value: arb, operation: Any = None, operands: tuple[Any, ...] = ()) -> None:
        self.line, self.place, self.value = line, place, value
        self.operation, self.operands = operation, operands

    __add__, __radd__ = _binary(operator.add, False), _binary(operator.add, True)
    __sub__, __rsub__ = _binary(operator.sub, False), _binary(operator.sub, True)
    __mul__, __rmul__ = _binary(operator.mul, False), _binary(operator.mul, True)
    __truediv__, __rtruediv__ = _binary(operator.truediv, False), _binary(operator.truediv, True)
    __pow__, __rpow__ = _binary(operator.pow, False), _binary(operator.pow, True)

    def __neg__(self) -> RecordedNumber:
        return self.line.number(operator.neg, self)

    def __pos__(self) -> RecordedNumber:
        return self

    def near(self) -> arb:
        """The middle of what it is where the line is drawn, to choose by where any choice is right."""
        return self.value.mid()

    def __getattr__(self, name: str) -> Any:
        """Raises AttributeError, and no line is drawn where the formula asks for what numbers have."""
        # NumPy looks for protocols of its own on every object, __array_interface__ for one: that asks of no number.
        self.line.asked |= not name.startswith("__")
        raise AttributeError(f"a recorded number has no {name}")


SMOOTH = {name: operator.methodcaller(name) for name in FUNCTIONS}
"""The operations that are functions of one number, by their names."""


def _function(name: str) -> Any:
    return lambda self: self.line.number(SMOOTH[name], self)


def _refused(name: str) -> Any:
    return lambda self, *_: self.line.refuse(name)


for _method in FUNCTIONS:
    setattr(RecordedNumber, _method, _function(_method))
_COMPARED = ("lt", "le", "gt", "ge", "eq", "ne", "bool", "abs", "float", "int", "index", "complex", "hash", "round")
for _method in (*_COMPARED, "str", "repr", "format", "reduce_ex", "sizeof", "dir"):  # digits decide as comparisons do
    setattr(RecordedNumber, f"__{_method}__", _refused(_method))


@dataclass(frozen=True)
class StraightLine:
    """Operations on the numbers at these places: the entries of a state, the constants, and what was made before."""

    constants: list[Any]
    program: list[tuple[Callable[..., Any], list[int]]]
    results: list[int]

    def __call__(self, state: Sequence[Any]) -> list[Any]:
        """What the operations make of another state."""
        values = [*state, *self.constants]
        for operation, at in self.program:
            values.append(operation(values[at[0]], values[at[1]]) if len(at) == 2 else operation(values[at[0]]))
        return [values[k] for k in self.results]

    def jacobian(self, box: Sequence[arb]) -> Rows:
        """Enclosures over the box of the derivative of each result in each coordinate, as rows [result][coordinate].

        By the chain rule, all coordinates at once. Raises ZeroDivisionError at a pole.
        """
        size, values = len(box), [*box, *self.constants]
        rows: list[Any] = [arb_mat(1, size, [int(i == j) for j in range(size)]) for i in range(size)]
        rows += [None] * len(self.constants)
        for operation, at in self.program:
            operands = [values[k] for k in at]
            value = operation(*operands)
            # The slope of x + c is 1 even where c is infinite: what has no value must not pass for having a slope.
            if not value.is_finite():
                raise ZeroDivisionError("a number has no value, or a pole, in the box")
            parts = []
            for turn, k in enumerate(at):
                if rows[k] is not None:
                    slope = _slope(operation, operands, value, turn)
                    parts.append(rows[k] if slope is None else rows[k] * slope)
            values.append(value)
            rows.append(parts[0] + parts[1] if len(parts) == 2 else parts[0])
        return [[arb(0)] * size if rows[k] is None else rows[k].entries() for k in self.results]


def _slope(operation: Callable[..., Any], operands: Sequence[Any], value: arb, turn: int) -> Any:
    """The derivative of an operation, which gives this value, in its first (`turn` 0) or second operand; None for 1."""
    # Four operations by hand, which are most of any line; of all others a series of length 2 knows the slope.
    if operation is operator.add or operation is operator.sub:
        return -1 if operation is operator.sub and turn == 1 else None
    if operation is operator.mul:
        return operands[1 - turn]
    if operation is operator.truediv:
        return -value / operands[1] if turn == 1 else 1 / arb(operands[1])
    moving = [arb_series([one, 1], 2) if place == turn else one for place, one in enumerate(operands)]
    return coefficient(operation(*moving), 1)


def straight_line(formula: SeriesMap, state: Sequence[arb], images: Sequence[Any]) -> StraightLine | None:
    """The operations of a formula, on other balls or series, without the formula; None where it is no straight line.

    The line is drawn at a state, where the formula is known to give the `images`: what the line gives there has to be the
    same, ball for ball and rational for rational.
    """
    line = _Line(state)
    try:
        made = formula(list(line.inputs))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return None
    # The images are of the formula itself: a line that does not give them, ball for ball, has left something out.
    if line.asked or len(made) != len(images) or not all(map(_is_same, made, images)):
        return None
    return _repeated(_needed(made), made, len(state))


def _is_same(made: Any, image: Any) -> bool:
    value = made.value if type(made) is RecordedNumber else made
    if type(value) is not type(image):
        return False
    # Middle and radius: == of balls that overlap would be False whatever they are.
    return bool(value.mid() == image.mid() and value.rad() == image.rad()) if type(value) is arb else bool(value == image)


def _needed(made: Sequence[Any]) -> list[RecordedNumber]:
    """The numbers that the results are made of, each after those that it is made of itself; not the inputs."""
    found: dict[int, RecordedNumber] = {}
    waiting = [one for one in made if type(one) is RecordedNumber]
    while waiting:
        number = waiting.pop()
        if number.operation is not None and number.place not in found:
            found[number.place] = number
            waiting += [one for one in number.operands if type(one) is RecordedNumber]
    # Numbers were made in this order, so that each stands behind what it is made of.
    return [found[place] for place in sorted(found)]


def _repeated(steps: Sequence[RecordedNumber], made: Sequence[Any], size: int) -> StraightLine:
    """The line that makes the steps of a state of this size, and gives what is made of it."""
    operands = [one for number in steps for one in number.operands]
    # In the order in which `place` will ask for them: operands of all steps, then results.
    constants = [one for one in (*operands, *made) if type(one) is not RecordedNumber]
    left = iter(range(size, size + len(constants)))
    places = {id(number): size + len(constants) + k for k, number in enumerate(steps)}

    def place(one: Any) -> int:
        if type(one) is not RecordedNumber:
            return next(left)
        return one.place if one.operation is None else places[id(one)]

    program = [(number.operation, [place(one) for one in number.operands]) for number in steps]
    return StraightLine(constants, program, [place(one) for one in made])
