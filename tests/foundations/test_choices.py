"""No choice between overlapping balls passes unnoticed: spellings, certified falsehoods of the past, and random formulas.

The truth of a random formula is told by an interpreter of its own, at 2000 bits, which follows both ways wherever a
comparison stays open: a verdict must be right whichever of them is taken.
"""

from __future__ import annotations

import math
import random
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from flint import arb, arb_series, fmpq

from claims.stating.statement import Claim, Conclusion
from claims.stating.verdict import Outcome
from claims.verifying import deciding
from claims.verifying.deciding import Effort, check
from dynamics import choices
from dynamics.arithmetic import (
    Array,
    UndecidedError,
    at_most,
    below_peak,
    exact,
    exp,
    lambert_w,
    numbers,
    peak,
    sign,
    summits,
    working_precision,
)
from dynamics.attention import near_leaders
from dynamics.choices import (
    Ball,
    Count,
    KinkError,
    Series,
    ball,
    decided_choices,
    guarded_numbers,
    hull,
    stands_for_itself,
)
from dynamics.enclosures.steps import EnclosureError, enclosures
from dynamics.system import Flow, System, guarded_formula, quantity
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.training.value_softmax import SquareLossClockFlow
from dynamics.trusted.trajectory import field_of
from tests.planting import LONG

AT_STATES, ALONG_FLOWS, IN_FIELDS = (180_000, 18_000, 2_000) if LONG else (1_200, 80, 20)


@dataclass(frozen=True, eq=False)
class Numbers(System):
    """Some numbers, and whole ones."""

    x: Array = quantity("n", meaning="numbers")
    k: Array = quantity(meaning="a count", default=0, integer=True)


@dataclass(frozen=True, eq=False)
class Lines(Flow):
    """x_i' = v_i, with v_i' = 0."""

    moving = ("x",)
    x: Array = quantity("n", meaning="numbers")
    v: Array = quantity("n", meaning="speeds")

    def velocity(self):
        return (0 * self.x + self.v,)


@dataclass(frozen=True, eq=False)
class Switch(Flow):
    """x' = 1 and y' = one of several functions of x with a switch or a kink at a level, by index."""

    moving = ("x", "y")
    x: Array = quantity(meaning="a clock")
    y: Array = quantity(meaning="what it drives")
    level: Array = quantity(meaning="where the speed changes")
    spelling: Array = quantity(meaning="an index into SWITCHES or KINKS", default=0, label=True)

    def velocity(self):
        one = 0 * self.x + 1
        # Floats only propose: a complex step may be taken of them, so the real parts are compared.
        if self.x.dtype != object:
            batch = np.stack([self.x + 0 * self.y, self.level + 0 * self.x], axis=-1)
            return one, _float_speed(batch, int(self.spelling.flat[0]))
        a, b = self.x.item(), self.level.item()
        # The spellings are tables, so that each field of a certified run is written in another way.
        return one, numbers(SPEEDS[int(self.spelling.item())](a, b))


def _float_speed(batch: Any, spelling: int) -> Any:
    a, b = batch[..., 0], batch[..., 1]
    return 1.0 + (a.real > b.real) if spelling < len(SWITCHES) else np.where(a.real > b.real, a, b)


def _row(*values: Any) -> Any:
    row = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        row[i] = value
    return row


def conclusion(kind: str, function: Any, system: type[System], relation: str = ">= 0", **details: Any) -> Conclusion:
    claim = Claim("claims.own.anything", statement="", system=system)
    getattr(claim, kind)(relation, **details)(function)
    return claim.conclusions[0]


def state(function: Any, relation: str = ">= 0") -> Conclusion:
    return conclusion("state", function, Numbers, relation)


def along(function: Any, horizon: fmpq, system: type[System] = Lines) -> Conclusion:
    return conclusion("trajectory", function, system, horizon=lambda start: horizon)


# ---------------------------------------------------------------------------------------------------------------------
# Spellings


def _swallowed(x: Any, y: Any) -> Any:
    try:
        return x < y
    except ArithmeticError:
        return None


CHOICES = {
    "max": max,
    "min": lambda x, y: min([x, y]),
    "sorted": lambda x, y: sorted([x, y]),
    "np.max": lambda x, y: np.max(_row(x, y)),
    "np.maximum": lambda x, y: np.maximum(_row(x), _row(y)),
    "np.fmax": lambda x, y: np.fmax(_row(x), _row(y)),
    ".max": lambda x, y: _row(x, y).max(),
    "numbers.max": lambda x, y: numbers(_row(x, y)).max(),
    "asarray.max": lambda x, y: np.asarray([x, y]).max(),
    "accumulate": lambda x, y: np.maximum.accumulate(_row(x, y)),
    "argmax": lambda x, y: _row(x, y).argmax(),
    "argmin": lambda x, y: np.argmin(_row(x, y)),
    "argsort": lambda x, y: np.argsort(_row(x, y)),
    "sort": lambda x, y: np.sort(_row(x, y)),
    "partition": lambda x, y: np.partition(_row(x, y), 0),
    "median": lambda x, y: np.median(_row(x, y)),
    "unique": lambda x, y: np.unique(_row(x, y)),
    "searchsorted": lambda x, y: np.searchsorted(_row(x, y + 1), y),
    "where": lambda x, y: np.where(_row(x) > _row(y), 1, 2),
    "where equal": lambda x, y: np.where(_row(x) == _row(y), 1, 2),
    "clip": lambda x, y: np.clip(_row(x), y, None),
    "array_equal": lambda x, y: np.array_equal(_row(x), _row(y)),
    "isin": lambda x, y: np.isin(_row(x), _row(y)),
    "in": lambda x, y: x in [y],  # noqa: FURB171 -- the spelling
    "tuples": lambda x, y: (x, 1) < (y, 2),
    "nonzero": lambda x, y: np.nonzero(_row(x - y)),
    "any": lambda x, y: np.any(_row(x - y)),
    "np.sign": lambda x, y: np.sign(_row(x - y)),
    "bool": lambda x, y: bool(x - y),
    "not": lambda x, y: not x - y,
    "absolute": lambda x, y: abs(x - y) == 0,
    "float": lambda x, y: float(x),
    "np.float64": lambda x, y: np.float64(x),
    "astype": lambda x, y: _row(x).astype(float),
    "astype int": lambda x, y: _row(x).astype(int),
    "int": lambda x, y: int(x),
    "round": lambda x, y: round(x),
    "math.exp": lambda x, y: math.exp(x),
    "math.floor": lambda x, y: math.floor(x),
    "hash": lambda x, y: {x, y},
    "modulo": lambda x, y: x % 1,
    "text": lambda x, y: float(f"{x}"),
    "mid": lambda x, y: x.mid(),
    "is_zero": lambda x, y: (x - y).is_zero(),
    "contains": lambda x, y: x.contains(y),
    "coeffs": lambda x, y: x.coeffs(),
    "at_most": lambda x, y: at_most(_row(x), _row(y)),
    "summits": lambda x, y: summits(_row(x, y)),
    "swallowed": _swallowed,
}


@pytest.mark.parametrize("spelling", CHOICES)
@pytest.mark.parametrize("length", [0, 4])
def test_choice_between_overlapping_numbers_is_never_made(spelling, length):
    # They overlap, and their middles are apart: whoever looks at middles has an answer.
    x, y = (Series(arb_series([arb(value, 0.1), 1], length)) if length else Ball(arb(value, 0.1)) for value in (1, 1.0625))
    with pytest.raises(UndecidedError), guarded_numbers(), decided_choices():
        CHOICES[spelling](x, y)
    with pytest.raises(UndecidedError, match="a choice between overlapping balls was made"):  # noqa: SIM117
        # A formula that swallows the refusal must not get away with it.
        with guarded_numbers(), decided_choices(), suppress(UndecidedError):
            CHOICES[spelling](x, y)


def test_comparisons_that_balls_do_tell_are_answered():
    low, high, again = Ball(arb(1, 0.1)), Ball(arb(2, 0.1)), Ball(arb(3))
    assert low < high
    assert not low > high
    assert low != high
    assert again == 3
    assert again <= fmpq(3)
    assert low == low  # noqa: PLR0124 -- whatever number it is
    assert max(low, high) is high
    assert np.argmax(_row(low, high)) == 1
    assert sign(low - high) == -1
    assert (sign(Ball(arb(0))), Series(arb_series([arb(1, 0.1), 5], 3)) < 2) == (0, True)


def test_number_that_is_not_even_finite_equals_nothing_not_even_itself():
    nothing = Ball(arb("nan"))
    with pytest.raises(UndecidedError):
        bool(nothing == nothing)  # noqa: PLR0124


@pytest.mark.parametrize(
    "value", [0.1, np.float64(1 / 3), float("inf"), 1j, mpmath.mpf(1), mpmath.mpc(1), "1", None], ids=repr
)
def test_foreign_number_is_refused_by_name(value):
    for operation in (lambda a, b: a + b, lambda a, b: a < b, lambda a, b: b * a, lambda a, b: a == b):
        with pytest.raises(UndecidedError, match=r"float|complex|mp|str|NoneType"):
            operation(Ball(arb(1, 0.1)), value)


def test_floats_that_are_what_they_say_are_taken():
    assert [stands_for_itself(value) for value in (0.5, 3.0, -0.125, 0.1, math.pi)] == [True, True, True, False, False]
    assert (Ball(arb(3)) * 0.5).plain == fmpq(3, 2)
    assert (Fraction(1, 2) * Ball(arb(3))).plain == fmpq(3, 2)


# ---------------------------------------------------------------------------------------------------------------------
# Maxima


def test_maximum_encloses_every_way_the_numbers_may_lie():
    x, y = Ball(arb(1, 1)), Ball(arb(2, 1))
    assert all(x.max(y).plain.contains(arb(value)) for value in (1, 2, 3))
    assert all(x.min(y).plain.contains(arb(value)) for value in (0, 1, 2))
    top = peak(_row(x, y, fmpq(5, 2))).item().plain
    assert all(top.contains(value) for value in (fmpq(5, 2), fmpq(3)))
    assert top > 2


def test_maximum_of_series_is_first_order_or_none():
    x, y = arb_series([arb(1, 1), 3], 2), arb_series([arb(2, 1), -1], 2)
    top = Series(x).max(Series(y)).plain
    assert all(top[0].contains(arb(value)) for value in (1, 2, 3))
    assert all(top[1].contains(arb(value)) for value in (3, -1))
    with pytest.raises(KinkError):
        Series(arb_series([arb(1, 1), 3], 3)).max(Series(arb_series([arb(2, 1), -1], 3)))
    apart = Series(arb_series([1, 3, 7], 3))
    assert apart.max(0) is apart
    assert abs(-apart).plain[2] == 7


def test_below_peak_of_overlapping_balls_favours_none():
    """Three scores: 10 +- 1, 10 +- 1 and 9/2. The third lies 5.5 to 6.5 below the larger, and within 6 for some members."""
    row = _row(Ball(arb(10, 1)), Ball(arb(10.5, 1)), fmpq(9, 2))
    below = below_peak(row[None])[0]
    # Every corner of the two balls.
    for first, second in ((9, 9.5), (11, 9.5), (9, 11.5), (11, 11.5)):
        top = max(first, second)
        truth = (first - top, second - top, 4.5 - top)
        assert all(entry.plain.contains(arb(value)) for entry, value in zip(below, truth, strict=True))
    with pytest.raises(UndecidedError):
        near_leaders(row[None], exact([[6]]))
    assert near_leaders(row[None], exact([[8]])).tolist() == [[True, True, True]]


def test_third_neighbour_is_not_decided_against_a_middle():
    """Two best scores that balls cannot order, a third token 5 below the one and 5.5 below the other."""
    tokens = _row(Ball(arb(10, 1)), Ball(arb(10.5, 1)), Ball(arb(5)))[:, None]
    now = LocalmaxStep(
        z=numbers(tokens), A=exact([[1]]), gamma=numbers(fmpq(1, 2)), delta=numbers(fmpq(50)), rule=numbers(np.array(0))
    )
    assert now.gaps()[2, 2].plain.contains(arb(22.5))
    assert now.gaps()[2, 2].plain.contains(arb(32.5))
    with pytest.raises(UndecidedError):
        now.replace(delta=numbers(fmpq(27))).neighbours()


# ---------------------------------------------------------------------------------------------------------------------
# What was certified and false


def test_maximum_of_two_crossing_coordinates_is_followed_across():
    start = Lines.instance(x=[0, "1/10"], v=["6/5", 0])
    # The maximum is 6/25 in the end, and 1/10 until the two cross: a choice by the start would say 1/10 for ever.
    for level, outcome in (("1/5", Outcome.VIOLATED), ("1/4", Outcome.HOLDS), ("2401/10000", Outcome.HOLDS)):
        bound = fmpq(*map(int, level.split("/")))
        verdict = check(along(_below(bound), fmpq(1, 5)), start)
        assert verdict.outcome is outcome


def test_switch_in_a_field_is_not_stepped_over():
    """x' = 1, y' = 1 + [x > 1/10] from 0: at t = 1/5 x - y is -1/10."""
    for spelling in (0, 3, len(SWITCHES) - 1):
        start = Switch.instance(x=0, y=0, level="1/10", spelling=spelling)
        # Across the switch no step is valid; before it there is nothing to refuse.
        for horizon, outcome in ((fmpq(1, 5), Outcome.UNDECIDED), (fmpq(1, 12), Outcome.HOLDS)):
            slack = along(lambda now, start: now.x - now.y + fmpq(1, 100), horizon, Switch)
            assert check(slack, start, Effort(trajectory_bits=64)).outcome is outcome


def _hidden_maximum(f: Any) -> tuple[Any, Any]:
    x, y, a = f.x
    half = exp(numbers(a / 2)).item()
    return x, y + half * half - exp(numbers(a)).item()


@pytest.mark.parametrize(
    "largest",
    [
        max,
        lambda a, b: peak(_row(a, b))[0],
        lambda a, b: np.max(_row(a, b)),
        lambda a, b: np.where(_row(a) > _row(b), a, b)[0],
        lambda a, b: sorted([a, b])[-1],  # noqa: FURB192 -- the spelling
        lambda a, b: _row(a, b)[summits(_row(a, b))],
    ],
)
def test_maximum_hidden_in_a_cancellation_is_not_missed(largest):
    # e^133 less itself is 0: at 64 bits that is a ball wider than 10^30.
    start = Numbers.instance(x=[0, 10**30, 133])
    at_most_one = state(lambda f: numbers(1 - largest(*_hidden_maximum(f))))
    at_least_one = state(lambda f: numbers(largest(*_hidden_maximum(f)) - 1))
    assert check(at_most_one, start).outcome is Outcome.VIOLATED
    assert check(at_least_one, start).outcome is Outcome.HOLDS


def test_choice_that_is_swallowed_makes_the_verdict_undecided():
    def slack(f):
        w = lambert_w(f.x[2:]).item()  # w e^w = x, which no closed form tells
        try:
            return numbers(fmpq(1) if w * exp(numbers(w)).item() < f.x[2] else fmpq(2))
        except ArithmeticError:
            return numbers(fmpq(3))

    verdict = check(state(slack), Numbers.instance(x=[0, 0, 133]), Effort(bits=256))
    assert verdict.outcome is Outcome.UNDECIDED


def test_counts_are_exact_and_their_quotients_rational():
    start = Numbers.instance(x=[0], k=3037000500)
    assert check(state(lambda f: numbers(f.x + f.k * f.k)), start).slack == fmpq(3037000500**2)
    # Its square is no integer of the machine, in which it would be 0.
    start = Numbers.instance(x=[1], k=2**40)
    assert check(state(lambda f: numbers(f.k**2 - 1)), start).outcome is Outcome.HOLDS
    third = state(lambda f: numbers(3 * (f.k / 3) * exp(f.x) - f.k * exp(f.x)))
    assert check(third, start, Effort(bits=256)).outcome is not Outcome.VIOLATED
    assert (Count(7) / 3, Count(2) ** -2, 2 ** Count(3), fmpq(1, 2) ** Count(2)) == (fmpq(7, 3), fmpq(1, 4), 8, fmpq(1, 4))
    assert (Count(7) % 3, Count(-7) // 2, 7 % Count(4), 7 // Count(2)) == (1, -4, 3, 3)
    assert [*range(Count(3))] == [0, 1, 2]
    huge = 2**40
    for square in (np.array([Count(huge)]) ** 2, np.array([Count(huge)]) * Count(huge), np.int64(huge) * _row(Count(huge))):
        assert square[0] == fmpq(huge) ** 2
    assert np.int64(huge) * Count(huge) == fmpq(huge) ** 2


def test_counts_of_a_batch_are_machine_numbers():
    start = Numbers.instance(x=[1, 2], k=5)
    batch = start.replace(x=np.ones((4, 2)))
    assert batch.k.dtype == int
    assert start.k.item().__class__ is Count


def test_label_beyond_a_machine_number_is_refused():
    with pytest.raises(ValueError, match="is a label"):
        Switch.instance(x=0, y=0, level=0, spelling=1 << 20)


@pytest.mark.parametrize(
    ("give", "named"),
    [
        (lambda f: mpmath.mpf(1) + 0 * mpmath.mpf(2), "mpmath"),
        (lambda f: 1.5, "float64"),
        (lambda f: complex(1), "complex"),
        (lambda f: Fraction(1, 2), "Fraction"),
        (lambda f: __import__("decimal").Decimal(1), "Decimal"),
        (lambda f: "1", "str"),
        (lambda f: arb(1), "flint.arb"),
        (lambda f: (0.1 * exp(f.x[:1]))[0], "0.1"),
        (lambda f: exp(f.x[:1])[0] * mpmath.mpf(1), "mpmath"),
    ],
)
def test_slack_of_foreign_numbers_is_undecided_and_named(give, named):
    verdict = check(state(lambda f: numbers(give(f))), Numbers.instance(x=[1]))
    assert verdict.outcome is Outcome.UNDECIDED
    assert named in verdict.reason


def test_softmax_of_several_is_no_list_of_coefficients():
    """p >= 2: the sum over one axis is a bare series, which NumPy would read as a list of its coefficients."""
    start = SquareLossClockFlow.instance(**_square_loss())
    trajectory = next(enclosures(start, fmpq(1, 16), most_bits=64))
    assert trajectory.horizon >= fmpq(1, 16)


def _square_loss() -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, field in SquareLossClockFlow.fields().items():
        if field.default is None:
            size = 2 ** len(field.axes)
            given[name] = exact([fmpq(1 + 3 * i, 4) for i in range(size)]).reshape([2] * len(field.axes))
    return given


def test_field_without_a_choice_runs_on_flints_own_numbers():
    plain, choosing = Lines.instance(x=[0], v=[1]), Switch.instance(x=0, y=0, level=1)
    assert field_of(plain).__name__ == "bare_field"
    assert field_of(choosing).__name__ == "guarded_field"
    for spelling in range(len(SPEEDS)):
        assert field_of(choosing.replace(spelling=numbers(np.array(spelling)))).__name__ == "guarded_field"


def test_guarded_formula_leaves_batches_alone_and_gives_flints_numbers_back():
    seen = []

    def formula(f):
        seen.append(type(f.x.flat[0]))
        return numbers(exp(f.x) + hull(fmpq(0), 1) + ball(2))

    run = guarded_formula(formula, gives_numbers=True)
    assert all(isinstance(value, arb) for value in run(Numbers.instance(x=[1, 2])).flat)
    run(replace(Numbers.instance(x=[1, 2]), x=np.ones((3, 2)), k=np.array(0)))
    run(Numbers(x=numbers(_row(arb(1), arb(2))), k=numbers(np.array(0))))
    # An exact instance stays exact, a batch stays floats, and flint's own balls are guarded within.
    assert seen == [fmpq, np.float64, Ball]


def test_formula_around_a_formula_is_guarded_once():
    inner = state(lambda f, *, factor=1: factor * exp(f.x))
    outer = inner.sharpened(factor=fmpq(-1)).reversed()
    assert check(outer, Numbers.instance(x=[1, 2])).outcome is Outcome.HOLDS


# ---------------------------------------------------------------------------------------------------------------------
# Random formulas

Node = tuple[Any, ...]

MAXIMA = (
    max,
    lambda a, b: peak(_row(a, b))[0],
    lambda a, b: np.max(_row(a, b)),
    lambda a, b: np.maximum(_row(a), _row(b))[0],
    lambda a, b: max(b, a),
    lambda a, b: np.where(_row(a) > _row(b), _row(a), _row(b))[0],
    lambda a, b: sorted([a, b])[-1],  # noqa: FURB192 -- the spelling
    lambda a, b: np.sort(_row(a, b))[1],
    lambda a, b: _row(a, b)[np.argmax(_row(a, b))],
    lambda a, b: _row(a, b)[int(summits(_row(a, b)))],
    lambda a, b: -np.min(-_row(a, b)),
    lambda a, b: (a + b + abs(a - b)) / 2,
    lambda a, b: a - below_peak(_row(a, b))[0],
    lambda a, b: np.clip(_row(a), b, None)[0],
    lambda a, b: np.partition(_row(a, b), 1)[1],
)
GREATER = (
    lambda a, b: a > b,
    lambda a, b: b < a,
    lambda a, b: not a <= b,
    lambda a, b: bool(np.argmax(_row(b, a))),
    lambda a, b: bool((_row(a) > _row(b)).all()),
    lambda a, b: sign(a - b) == 1 if not isinstance(a - b, Series) else a - b > 0,
    lambda a, b: not at_most(_row(a), _row(b)).item(),
)
EQUAL = (
    lambda a, b: a == b,
    lambda a, b: not a != b,  # noqa: SIM202 -- another spelling
    lambda a, b: not a - b,
    lambda a, b: a in [b],  # noqa: FURB171
    lambda a, b: len(np.unique(_row(a, b))) == 1,
    lambda a, b: np.array_equal(_row(a), _row(b)),
    lambda a, b: abs(a - b) == 0,
)
AT_LEAST = (
    lambda a, b: np.argmax(_row(a, b)) == 0,
    lambda a, b: int(summits(_row(a, b))) == 0,
    lambda a, b: np.argsort(-_row(a, b))[0] == 0,
)
MEDIANS = (lambda *row: np.sort(_row(*row))[1], lambda *row: sorted(row)[1])
# Comparisons by what they ask of the sign of a - b: a formula goes on with its third or its fourth part.
ASKED = {
    "if": (GREATER, lambda order: order == 1),
    "equal": (EQUAL, lambda order: order == 0),
    "argmax": (AT_LEAST, lambda order: order >= 0),
}
SWITCHES = tuple(lambda a, b, g=greater: 1 + int(g(a, b)) for greater in GREATER)
KINKS = MAXIMA
SPEEDS = (*SWITCHES, *KINKS)


def drawn(rng: random.Random, depth: int, places: int) -> Node:
    """A random formula in some numbers; every operation carries its spelling."""
    if depth == 0 or rng.random() < 0.1:
        kind = rng.choice(("number", "number", "place", "place", "place", "hidden"))
        if kind == "place":
            return ("place", rng.randrange(places))
        if kind == "number":
            return (
                "number",
                # Beside 10^30 a one is lost at 64 bits, and 10^-30 beside a one.
                fmpq(rng.randint(-6, 6), rng.choice((1, 1, 2, 3, 7))) * fmpq(10) ** rng.choice((0, 0, 0, 30, -30)),
            )
        return ("hidden", fmpq(rng.choice((1, 7, 133)), rng.choice((1, 3))))
    less = depth - 1
    # Conditions twice as often: it is they that a verdict may take wrongly.
    kind = rng.choice(("+", "-", "*", "exp", "max", "abs", "if", "if", "equal", "argmax", "median"))
    if kind in ("exp", "abs"):
        return (kind, drawn(rng, less, places))
    tables = {name: (table, 4) for name, (table, _) in ASKED.items()} | {"median": (MEDIANS, 3), "max": (MAXIMA, 2)}
    if kind in tables:
        table, parts = tables[kind]
        return (kind, rng.randrange(len(table)), *(drawn(rng, less, places) for _ in range(parts)))
    return (kind, drawn(rng, less, places), drawn(rng, less, places))


def _exp(value: Any) -> Any:
    return exp(numbers(value)).item()


def _hidden(c: fmpq) -> Any:
    """Zero, as balls do not see it."""
    half = _exp(c / 2)
    return half * half - _exp(c)


def evaluated(node: Node, x: Any) -> Any:
    """The formula as a user writes it, on whatever numbers x holds."""
    kind, *rest = node
    if kind == "number":
        return rest[0]
    if kind == "place":
        return x[rest[0]]
    if kind == "hidden":
        return _hidden(rest[0])
    if kind in ASKED:
        a, b = evaluated(rest[1], x), evaluated(rest[2], x)
        return evaluated(rest[3 if ASKED[kind][0][rest[0]](a, b) else 4], x)
    if kind in ("median", "max"):
        table = MEDIANS if kind == "median" else MAXIMA
        return table[rest[0]](*(evaluated(one, x) for one in rest[1:]))
    values = [evaluated(one, x) for one in rest]
    if kind == "exp":
        return _exp(values[0] if not isinstance(values[0], fmpq) or abs(values[0]) < 1000 else fmpq(0))
    return abs(values[0]) if kind == "abs" else _binary(kind, *values)


def _binary(kind: str, a: Any, b: Any) -> Any:
    return a + b if kind == "+" else a - b if kind == "-" else a * b


MOST_WAYS = 64


class TooManyWaysError(Exception):
    """So much is open that the truth is not worth following."""


def truths(node: Node, x: list[Any]) -> list[Any]:
    """Rationals, or balls at the working precision, one for each way in which comparisons that stay open may turn out."""
    found = _truths(node, x)
    # Each comparison that is open doubles the ways.
    if len(found) > MOST_WAYS:
        raise TooManyWaysError
    return found


def _truths(node: Node, x: list[Any]) -> list[Any]:
    kind, *rest = node
    if kind == "number":
        return [rest[0]]
    if kind == "place":
        return [x[rest[0]]]
    if kind == "hidden":
        # Known here, and hidden from the balls of the formula.
        return [fmpq(0)]
    if kind in ASKED:
        order = [sign(a - b) for a in truths(rest[1], x) for b in truths(rest[2], x)]
        answers = {None if one is None else ASKED[kind][1](one) for one in order}
        # Where the order stays open both parts may be meant.
        ways = [part for part, answer in ((rest[3], True), (rest[4], False)) if answers & {answer, None}]
        return [truth for part in ways for truth in truths(part, x)]
    if kind == "median":
        triples = [(a, b, c) for a in truths(rest[1], x) for b in truths(rest[2], x) for c in truths(rest[3], x)]
        return [_least(_most(a, b), _most(_least(a, b), c)) for a, b, c in triples]
    if kind == "max":
        return [_most(a, b) for a in truths(rest[1], x) for b in truths(rest[2], x)]
    if kind == "abs":
        return [abs(a) for a in truths(rest[0], x)]
    if kind == "exp":
        return [fmpq(1) if isinstance(a, fmpq) and a == 0 else arb(a).exp() for a in truths(rest[0], x)]
    return [_binary(kind, a, b) for a in truths(rest[0], x) for b in truths(rest[1], x)]


def _most(a: Any, b: Any) -> Any:
    order = sign(a - b)
    if order is None:
        return arb(a).max(arb(b))
    return a if order >= 0 else b


def _least(a: Any, b: Any) -> Any:
    return -_most(-a, -b)


def _is_wild(node: Node) -> bool:
    """Whether an exponential is taken of numbers that may be huge."""
    return any(_is_wild(one) or (node[0] == "exp" and _may_be_huge(one)) for one in node[1:] if isinstance(one, tuple))


def _may_be_huge(node: Node) -> bool:
    if node[0] == "number":
        return bool(abs(node[1]) > 100)
    if node[0] in ("exp", "*"):
        return True
    return any(_may_be_huge(one) for one in node[1:] if isinstance(one, tuple))


def formulas(rng: random.Random, depth: int, places: int) -> Node:
    while True:
        node = drawn(rng, depth, places)
        if node[0] not in ("number", "place", "hidden") and not _is_wild(node):
            return node


def numbers_with_ties(rng: random.Random, count: int) -> list[fmpq]:
    """Numbers of which some are equal, or nearly."""
    values = [fmpq(rng.randint(-8, 8), rng.choice((1, 2, 3))) for _ in range(count)]
    for i in range(1, count):
        if rng.random() < 0.4:
            # Apart by nothing, by what any precision shows, by what 64 bits do not, and by what takes more than 256.
            values[i] = values[rng.randrange(i)] + rng.choice((0, 0, 1, -1)) * fmpq(1, 1 << rng.choice((4, 70, 300)))
    return values


def _agrees(outcome: Outcome, ways: list[Any], strict: bool) -> bool:
    """Whether a verdict is right in all ways that 2000 bits leave open."""
    if outcome is Outcome.UNDECIDED:
        return True
    signs = [sign(value) for value in ways]
    if None in signs:
        return False
    holds = [one > 0 or (one == 0 and not strict) for one in signs if one is not None]
    return all(holds) if outcome is Outcome.HOLDS else not any(holds)


def _slack_of(node: Node) -> Any:
    return lambda f: numbers(evaluated(node, f.x))


def _slack_along(node: Node) -> Any:
    return lambda now, start: numbers(evaluated(node, now.x))


def _below(bound: fmpq) -> Any:
    return lambda now, start: bound - peak(now.x)


def false_verdicts_at_states(seed: int, count: int, most: int = 99) -> tuple[list[Any], int]:
    """Formulas whose verdict at a state differs from the truth at 2000 bits, and how many were decided."""
    rng, wrong, decided = random.Random(seed), [], 0
    for _ in range(count):
        if len(wrong) == most:
            break
        node, values, strict = formulas(rng, rng.choice((1, 2, 2, 3)), 4), numbers_with_ties(rng, 4), rng.random() < 0.5
        slack = state(_slack_of(node), "> 0" if strict else ">= 0")
        verdict = check(slack, Numbers.instance(x=values), Effort(bits=1024))
        decided += verdict.outcome is not Outcome.UNDECIDED
        try:
            with working_precision(2000):
                right = _agrees(verdict.outcome, truths(node, values), strict)
        except TooManyWaysError:
            continue
        if not right:
            wrong.append((node, values, verdict))
    return wrong, decided


def false_verdicts_along_flows(seed: int, count: int, most: int = 99) -> tuple[list[Any], int]:
    """The same along straight lines, at 17 times and where a violation is said to be."""
    rng, wrong, decided = random.Random(seed), [], 0
    for _ in range(count):
        if len(wrong) == most:
            break
        node = formulas(rng, rng.choice((1, 2)), 3)
        x, v = numbers_with_ties(rng, 3), [fmpq(rng.randint(-3, 3), 2) for _ in range(3)]
        start, horizon = Lines.instance(x=x, v=v), fmpq(1)
        slack = along(_slack_along(node), horizon).slack
        try:
            trajectory = next(enclosures(start, horizon, most_bits=64))
            decision = trajectory.decide(lambda now, s=slack, f=start: s(now, f), strict=False, refinements=4)
        except (EnclosureError, UndecidedError):
            continue
        if decision.sign is None:
            continue
        decided += 1
        times = [decision.time] if decision.sign < 0 else [fmpq(k, 16) for k in range(17)]
        outcome = Outcome.HOLDS if decision.sign > 0 else Outcome.VIOLATED
        try:
            with working_precision(2000):
                right = all(
                    _agrees(outcome, truths(node, [a + b * time for a, b in zip(x, v, strict=True)]), strict=False)
                    for time in times
                )
        except TooManyWaysError:
            continue
        if not right:
            wrong.append((node, x, v, decision))
    return wrong, decided


def false_balls_in_fields(seed: int, count: int, most: int = 99) -> tuple[list[Any], int]:
    """Flows y' = f(x), x' = 1, with a switch or a kink in f, whose certified end is not y's."""
    rng, wrong, decided = random.Random(seed), [], 0
    for _ in range(count):
        if len(wrong) == most:
            break
        spelling, horizon = rng.randrange(len(SPEEDS)), fmpq(rng.randint(1, 8), 8)
        x = fmpq(rng.randint(-8, 8), 4)
        # Before, within and after the time that is followed; sevenths, so that no step ends on it.
        level = x + horizon * fmpq(rng.randint(-4, 12), 7)
        start = Switch.instance(x=x, y=0, level=level, spelling=spelling)
        try:
            end = next(enclosures(start, horizon, most_bits=64)).end()
        except EnclosureError:
            continue
        decided += 1
        # The part of the time after the switch.
        after = max(fmpq(0), min(horizon, x + horizon - level))
        truth = horizon + after if spelling < len(SWITCHES) else level * (horizon - after) + _integral(max(x, level), after)
        with working_precision(2000):
            if not end.y.item().contains(arb(truth)):
                wrong.append((start.to_json(), horizon, end.y, truth))
    return wrong, decided


def _integral(begin: fmpq, time: fmpq) -> fmpq:
    return begin * time + time * time / 2


def test_no_verdict_of_a_random_formula_is_false():
    wrong, decided = false_verdicts_at_states(0, AT_STATES)
    assert wrong == []
    # Who leaves everything open is never wrong.
    assert decided > AT_STATES // 2


def test_no_verdict_along_a_flow_is_false():
    wrong, decided = false_verdicts_along_flows(0, ALONG_FLOWS)
    assert wrong == []
    assert decided > ALONG_FLOWS // 3


def test_no_end_of_a_flow_with_a_choice_is_false():
    wrong, decided = false_balls_in_fields(0, IN_FIELDS)
    assert wrong == []
    assert decided > IN_FIELDS // 5


@pytest.mark.parametrize(
    ("search", "count"), [(false_verdicts_at_states, 400), (false_verdicts_along_flows, 60), (false_balls_in_fields, 15)]
)
def test_random_formulas_find_out_a_comparison_that_answers_no_where_it_is_open(monkeypatch, search, count):
    # As flint itself answers: False where it does not know.
    monkeypatch.setattr(choices, "refuse_choice", lambda error: False)
    wrong, _ = search(0, count, most=1)
    assert wrong


def test_random_formulas_find_out_a_maximum_by_middles(monkeypatch):
    def by_middles(self, other, which):
        other = other if isinstance(other, Ball) else Ball(arb(other))
        return max(self, other, key=lambda one: one.plain.mid() * (1 if which is arb.max else -1))

    monkeypatch.setattr(Ball, "_extreme", by_middles)
    monkeypatch.setattr(deciding, "closed_forms", nullcontext)  # in which few maxima are of balls
    wrong, _ = false_verdicts_at_states(0, 1500, most=1)
    assert wrong
