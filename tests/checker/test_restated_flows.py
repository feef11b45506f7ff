"""The independent checker's own statements of the flows: every flow of the suite is stated, and both say the same."""

from __future__ import annotations

import importlib
import pkgutil
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq

from claims.stating.catalogue import catalogue
from claims.stating.statement import Form
from dynamics import tokens, training
from dynamics.arithmetic import fraction, working_precision
from dynamics.checker import flows as checker_fields
from dynamics.checker.flows import Statement
from dynamics.checker.integrator import statement_of
from dynamics.checker.intervals import Dual, Series, interval, interval_precision, leading
from dynamics.checker.recording import Own, Restated, recorded
from dynamics.system import Flow
from tests.checker.worlds import ends

BITS = 160
SIZES = {"p": 3, "d": 2, "n": 3, "T": 3, "D": 3, "losers": 3, "copies": 2, "shapes": 6}
POSITIVE = ("K", "X", "weight", "weights", "rate", "decay", "g")


def flows() -> dict[str, type[Flow]]:
    """Every flow of the suite that has a field."""
    for package in (tokens, training):
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")
    found: list[type[Flow]] = [Flow]
    for kind in found:
        found += (flow for flow in kind.__subclasses__() if flow.__module__.startswith("dynamics."))
    # Classes that others derive from, without a field of their own.
    shared = ("Flow", "FullFlow", "ReducedFlow", "ScoreMapFlow", "NormalisedMapFlow", "ElementwiseMapFlow")
    return {flow.__name__: flow for flow in found if flow.__name__ not in shared}


FLOWS = flows()


def drawn(name: str, rng: random.Random, sizes: dict[str, int]) -> Flow:
    """An exact instance with numbers of no meaning."""

    def entries(field: str, axes: tuple[str, ...]) -> Any:
        if axes:
            return [entries(field, axes[1:]) for _ in range(sizes[axes[0]])]
        # Odd denominators: no float and no ball has these numbers exactly, and none is special.
        value = Fraction(rng.randint(-24, 24), rng.randint(7, 13))
        return abs(value) + Fraction(1, 3) if field in POSITIVE else value

    fields = FLOWS[name].fields()
    given = {field: entries(field, described.axes) for field, described in fields.items()}
    T = sizes["T"]
    special = {
        "visible": [[int(i == j or rng.random() < 0.6) for j in range(T)] for i in range(T)],
        "map": rng.randrange(7),
        "k": rng.choice((-1, 0, 1, 2)),
        "sigma": 0,
    }
    return FLOWS[name].instance(**given | {field: value for field, value in special.items() if field in fields})


def ball(value: Any) -> Any:
    """A ball with the members of an interval."""
    low, high = (arb(fmpq(end.numerator, end.denominator)) for end in ends(value))
    return low.union(high)


def difference(statement: Statement, flow: Flow, state: list[Fraction]) -> str:
    """What the statement says otherwise than the flow's own formula of the velocity at a state, or nothing."""
    with working_precision(BITS), interval_precision(BITS):
        moved = flow.with_state([arb(fmpq(x.numerator, x.denominator)) for x in state])
        truth = [arb(entry) for array in moved.velocity() for entry in np.asarray(array).flat]
        point = [interval(x) for x in state]
        # A time that the field knows as such is not recorded, and nothing is differentiated in it.
        run = statement.field if statement.time is not None else recorded(statement.field, point).run
        noted = run([Series([x]) for x in point])
        duals = statement.field([Dual(x, {} if i == statement.time else {i: interval(1)}) for i, x in enumerate(point)])
        # As it is written, as it is recorded for series, and with its slopes: three ways through the same formula.
        for said in (statement.field(point), [leading(series) for series in noted], [leading(dual) for dual in duals]):
            if not len(said) == len(truth) == len(state):
                return f"{len(said)} coordinates"
            for i, (value, number) in enumerate(zip(said, truth, strict=True)):
                found = ball(value)
                if not found.overlaps(number):
                    return f"coordinate {i}: {found} is not {number}"
                # An interval that holds everything would agree with anything.
                if not found.rad() < arb(2) ** -80 * (1 + abs(number)):
                    return f"coordinate {i}: {found} says little"
    return ""


def random_state(flow: Flow, rng: random.Random) -> list[Fraction]:
    size = sum(getattr(flow, name).size for name in flow.moving)
    return [Fraction(rng.randint(1, 997), 397) * rng.choice((1, 1, -1)) for _ in range(size)]


@pytest.mark.parametrize("name", FLOWS)
def test_the_checker_states_every_flow_of_the_suite_as_it_is(name):
    rng = random.Random(name)
    # One of each, where sums over others are empty, and sizes that differ from each other.
    for sizes in (SIZES, SIZES | {"p": 1, "T": 1, "losers": 1}, SIZES | {"p": 2, "T": 2, "d": 3, "n": 2}):
        flow = drawn(name, rng, sizes)
        statement, kind = statement_of(flow)
        assert kind is Restated
        assert statement.blocks == flow.blocks()
        assert statement.start == [fraction(x) for part in flow.moving for x in getattr(flow, part).flat]
        for _ in range(2):
            assert difference(statement, flow, random_state(flow, rng)) == ""


@pytest.mark.parametrize("name", FLOWS)
def test_clocks_are_the_coordinates_whose_speed_no_state_changes(name):
    rng = random.Random(name)
    for sizes in (SIZES, SIZES | {"p": 1, "T": 1, "losers": 1}):
        flow = drawn(name, rng, sizes)
        statement, _ = statement_of(flow)
        with working_precision(BITS):
            # In balls: what is exact at all of them does not depend on the state.
            balls = [arb(fmpq(x.numerator, x.denominator), 1e-9) for x in random_state(flow, rng)]
            speeds = [entry for array in flow.with_state(balls).velocity() for entry in np.asarray(array).flat]
        constant = {i: fraction(speed) for i, speed in enumerate(speeds) if isinstance(speed, fmpq)}
        assert statement.clocks == constant


def test_every_flow_that_a_certificate_can_be_about_is_stated():
    along = (Form.TRAJECTORY, Form.RATE, Form.LIMIT)
    named = {claim.system.__name__ for claim in catalogue().values() if any(c.form in along for c in claim.conclusions)}
    assert named <= set(checker_fields._STATEMENTS)
    assert set(checker_fields._STATEMENTS) == set(FLOWS)


class LogisticFlow:
    """A user's own, which has the name of a flow of the suite."""

    moving = ("u",)
    u = np.array([fmpq(1), fmpq(0)], dtype=object)

    def arrays(self) -> dict[str, Any]:
        return {"u": self.u}

    def blocks(self) -> list[range]:
        return [range(1), range(1, 2)]


def test_a_flow_of_a_users_own_is_known_by_its_own_formula_though_it_has_a_known_name():
    assert statement_of(LogisticFlow())[1] is Own


BUGS = {
    # A flow, and what is read for what in its instance or written in its velocity.
    "LogisticFlow": lambda rates: [rates[1], rates[0], *rates[2:]],
    "FrozenValuesFlow": lambda rates: [*rates[:-2], rates[-2] - 1, rates[-1]],
    "RowAttentionFlow": lambda rates: [*rates[:3], rates[4], rates[3], *rates[5:]],
    "SlowLogisticFlow": lambda rates: [*rates[:-1], -rates[-1]],
    "EluFlow": lambda rates: [rates[0] * interval(Fraction(1001, 1000)), *rates[1:]],
    "TiedFlow": lambda rates: [rates[0], rates[3], rates[2], rates[1], *rates[4:]],
}


@pytest.mark.parametrize("name", BUGS)
def test_an_error_in_a_statement_is_a_disagreement(name):
    rng = random.Random(name)
    flow = drawn(name, rng, SIZES)
    statement, _ = statement_of(flow)
    state = random_state(flow, rng)
    assert difference(statement, flow, state) == ""
    wrong = Statement(statement.start, statement.blocks, statement.clocks, lambda x: BUGS[name](statement.field(x)))
    assert difference(wrong, flow, state) != ""


def fractions(value: Any) -> Any:
    return [fractions(one) for one in value] if isinstance(value, list) else fraction(fmpq(value))


def run(name: str, arrays: dict[str, Any]) -> None:
    """State a flow and run its field, which refuses what it alone looks at."""
    statement = checker_fields.restate(name, arrays)
    # Away from zeros and poles, so that only a shape or a sign is refused.
    statement.field([interval(abs(x) + 1) for x in statement.start])


def is_refused(make, *given, **arrays):
    try:
        make(*given, **arrays)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("name", FLOWS)
def test_the_checker_refuses_what_the_suite_refuses(name):
    """Each array with nothing in it, negative, or with one entry more or less."""
    arrays = {field: array.tolist() for field, array in drawn(name, random.Random(name), SIZES).arrays().items()}
    for field, value in arrays.items():
        array = np.array(value, dtype=object)
        for changed in (0 * array, -abs(array), *([array[:-1], np.concatenate([array, array[:1]])] if array.ndim else ())):
            given = arrays | {field: np.asarray(changed, dtype=object).tolist()}
            plain = {key: fractions(one) for key, one in given.items()}
            theirs, own = is_refused(FLOWS[name].instance, **given), is_refused(run, name, plain)
            # A map of FullMapFlow is counted from the end by the suite alone.
            assert own is theirs or (own and field == "map"), (field, changed)
