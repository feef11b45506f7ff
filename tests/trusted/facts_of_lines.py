"""Facts about a module m like dynamics.trusted.straight_line: what a line makes of numbers is what its formula makes."""

from __future__ import annotations

from contextlib import suppress

from flint import arb, arb_series

from dynamics.arithmetic import numbers
from dynamics.training.conditioned_regression import ConditionedRegressionFlow
from dynamics.training.value_softmax import FullAlignedFlow, LogisticFlow, SquareLossClockFlow
from dynamics.trusted.taylor import jacobian_over_box
from dynamics.trusted.trajectory import field_of
from tests.trusted.truth import precision, q

STATE = [arb("0.5", "0.01"), arb(3), arb("-1.25")]


def drawn(m, formula, state=STATE):
    return m.straight_line(formula, state, formula(state))


def as_text(found):
    # As text: two balls are equal in no other way, and a rational must not have become a ball.
    return [f"{type(one).__name__} {one}" for one in found]


def agrees(m, formula, state=STATE):
    with precision(80, cap=8):
        line = drawn(m, formula, state)
        assert line is not None
        moved = [value + arb("0.3", "0.1") * k for k, value in enumerate(state)]
        series = [arb_series([value, k + 1, q(1, 3)], 6) for k, value in enumerate(moved)]
        # The state itself, balls that move by different amounts, series, and a mixture of them.
        for others in (state, moved, series, state[:1] + moved[1:]):
            assert as_text(line(others)) == as_text(formula(others))


def operations_are_made_on_the_operands_in_their_order(m):
    agrees(m, lambda x: [x[0] - x[1], x[1] - x[0], x[0] / x[1], x[1] / x[0], x[0] ** 2, -x[0], +x[2]])
    agrees(m, lambda x: [1 - x[0], x[0] - 1, q(2, 3) / x[1], x[1] / q(2, 3), 2 * x[2], 3 + x[1], x[0] * x[0]])
    agrees(m, lambda x: [x[0].exp(), (x[1] * x[1]).sqrt(), x[1].log(), (x[0] - x[2]).sin() * x[0].cos()])


def equal_operands_share_a_number_and_others_do_not(m):
    # Balls that are no exact numbers, so that `==` says nothing about them.
    third, other = arb(1) / 3, arb(1) / 7
    agrees(m, lambda x: [x[0] + third, x[0] + other, x[0] + 1, x[0] + q(1), x[0] + q(2), x[0] * third])
    agrees(m, lambda x: [(x[0] + x[1]) * (x[0] + x[1]), x[0] + x[2], x[1] + x[2], x[0] + x[0], x[1] + x[1]])


def what_is_constant_stays_what_it_is(m):
    agrees(m, lambda x: [q(1), x[0], q(1, 7), arb(1) / 3, x[1] + q(5), 7])
    agrees(m, lambda x: [])


def fields_are_lines(m):
    flows = [
        LogisticFlow.instance(u=[1, 2, "1/2"], a=[0, 1, "1/4"], K=2),
        SquareLossClockFlow.instance(u=[1, 2], a=[0, 1], K=2),
        ConditionedRegressionFlow.instance(V=[[[1, 2], [0, 1]]] * 2, a=[[0, 1]] * 2, X=[[1, 2], [1, 3]], b=[[1, 1]] * 2),
        FullAlignedFlow.instance(V=[[1, 2], [3, 4]], a=[1, 0], beta_star=[1, 2], c=[1, 2, 3, 4, 5, 6]),
    ]
    for flow in flows:
        start = [arb(entry) for name in flow.moving for entry in getattr(flow, name).flat]
        agrees(m, field_of(flow), start)


def moves_as(m, formula, box, at):
    """The line's derivative over a box holds that of the formula at points in it, and is about as narrow as flint's."""
    with precision(80, cap=8):
        found, wide = drawn(m, formula, box).jacobian(box), jacobian_over_box(formula, box)
        for place in at:
            point = [value.mid() + place * value.rad() for value in box]
            true = jacobian_over_box(formula, point)
            assert all(a.contains(b.mid()) for x, y in zip(found, true, strict=True) for a, b in zip(x, y, strict=True))
        pairs = [(a, b) for x, y in zip(found, wide, strict=True) for a, b in zip(x, y, strict=True)]
        # A derivative that is wider than flint's by far would be true and of no use.
        assert all(a.rad() <= 2 * b.rad() + arb("1e-15") for a, b in pairs)


def lines_know_their_derivatives(m):
    box = [arb("0.5", "0.125"), arb(3, "0.25"), arb("-1.25", "0.0625")]
    moves_as(m, lambda x: [x[0] + x[1], x[0] - x[1], x[1] - x[0], x[0] * x[1], x[0] / x[1], x[2] / x[0]], box, (-1, 0, 1))
    moves_as(m, lambda x: [1 - x[0], x[0] - 1, q(2, 3) / x[1], x[1] / q(2, 3), 2 * x[2], -x[0], x[1] ** 3], box, (-1, 0, 1))
    moves_as(m, lambda x: [x[0].exp() * x[2], (x[1] * x[1]).sqrt(), x[1].log(), x[0] / (x[0] - x[1])], box, (-1, 0, 1))
    moves_as(m, lambda x: [x[2], q(3), arb(1) / 3, x[0] * x[0] + x[0]], box, (0,))


def a_pole_in_the_box_has_no_derivative(m):
    with precision(80, cap=8):
        for formula in (lambda x: [1 / (x[0] - x[1])], lambda x: [x[0], (x[0] - x[1]).log()]):
            line, box = drawn(m, formula, [arb(3), arb(1)]), [arb(1, 1), arb(1)]
            try:
                found = line.jacobian(box)
            except ZeroDivisionError:
                continue
            raise AssertionError(f"no error but {found}")


def swallowing(question, answer, otherwise):
    def formula(x):
        with suppress(TypeError, AttributeError):
            if question(x):
                return [answer(x)]
        getattr(x[0], "__array_ufunc__", None)  # as NumPy asks of everything: what was asked before stays asked
        return [otherwise(x)]

    return formula


def what_asks_is_no_line(m):
    for question in (
        lambda x: x[1] < x[0],
        lambda x: x[1] <= x[0],
        lambda x: x[0] > x[1],
        lambda x: x[0] >= x[1],
        lambda x: x[0] == x[1],
        lambda x: [] if x[0] != x[1] else [x],
        lambda x: not x[1],
        lambda x: abs(x[2]) < 0,
        lambda x: float(x[1].mid()) < 0,
        lambda x: x[1].rad() > 1,
        lambda x: x[1].contains(7),
        lambda x: hash(x[1]) and False,
        lambda x: bool(numbers(x[1]) < 0),
        lambda x: "-" in str(x[1]),
        lambda x: "-" in repr(x[1]),
        lambda x: f"{x[1]}" < "2",
        lambda x: len(dir(x[1])) == 0,
    ):
        assert drawn(m, swallowing(question, lambda x: x[0], lambda x: x[1])) is None
    # An operation that a line does not know is no error either.
    assert drawn(m, lambda x: [x[0].max(x[1])]) is None


def a_line_gives_what_the_formula_gives_where_it_is_drawn(m):
    # A formula that takes another way for what stands in for numbers is caught by its values.
    assert drawn(m, lambda x: [x[0] * x[0] if type(x[0]) is arb else x[0] + x[0]]) is None
    assert drawn(m, lambda x: [x[1] if type(x[0]) is arb else q(3)]) is None
    assert drawn(m, lambda x: [q(3) if type(x[0]) is arb else x[1]]) is None
    for images in (
        [],
        [STATE[0]],
        [STATE[0], STATE[1] + 1],
        [STATE[0] + arb(0, 1), STATE[1]],
        [STATE[0], STATE[1], STATE[2]],
    ):
        assert m.straight_line(lambda x: [x[0], x[1]], STATE, images) is None
    assert m.straight_line(lambda x: [x[0], x[1]], STATE, STATE[:2]) is not None
