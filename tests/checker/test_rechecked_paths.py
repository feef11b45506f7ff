"""The independent checker of trajectories, limits and probabilities: right where the first is, and not fooled by bugs."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq
from mpmath import iv, mp

from claims.checker import paths as checker_paths
from dynamics.arithmetic import exact, fraction, working_precision
from dynamics.checker import flint_stand_in, integrator
from dynamics.checker.flows import Statement
from dynamics.checker.integrator import LADDER, CannotDecideError, Rung, enclosures, states_at
from dynamics.checker.intervals import interval, interval_precision
from dynamics.enclosures.escapes import escape_probability
from dynamics.enclosures.steps import LADDER as FIRST_LADDER
from dynamics.enclosures.steps import enclose_at
from dynamics.geometry import squared_distance_to_hull
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.training.value_softmax import FullLogisticFlow, FullSquareFlow, LogisticFlow, SquareLossFlow
from dynamics.trusted.trajectory import flat

FLOWS = [
    LogisticFlow.instance(u=[2, "1/3"], a=["1/2", 0]),
    SquareLossFlow.instance(u=["1/2", "1/3"], K=2),
    FullLogisticFlow.instance(V=[[1, 0], ["1/3", -1]], a=[0, "1/7"], beta_star=[1, 1]),
    FullSquareFlow.instance(V=[[1, 0]], a=[0, "1/7"], beta_star=[2]),
    SelfAttentionFlow.instance(x=[[1, 0], ["1/3", "-1/2"]], V=[[0, 1], [-1, 0]]),
    RescaledFlow.instance(z=[[1, 0], ["1/3", "-1/2"]], B=[[1, "1/2"], [0, 1]], V=[[1, 1], [0, "1/2"]], t="1/3"),
]


def bounds(value: Any) -> tuple[Fraction, Fraction]:
    """The ends of an interval."""
    low, high = value._mpi_
    return _exactly(low), _exactly(high)


def _exactly(raw: Any) -> Fraction:
    sign, mantissa, exponent, _ = raw
    return (-1) ** sign * int(mantissa) * Fraction(2) ** int(exponent)


def overlaps(value: Any, ball: Any) -> bool:
    """Whether an interval and an enclosure of the truth by the first integrator have common members."""
    low, high = bounds(value)
    with working_precision(512):
        number = arb(ball)
        return bool(number.upper() >= arb(fmpq(low.numerator, low.denominator))) and bool(
            number.lower() <= arb(fmpq(high.numerator, high.denominator))
        )


def width(value: Any) -> Fraction:
    low, high = bounds(value)
    return high - low


@pytest.mark.parametrize("flow", FLOWS, ids=[type(flow).__name__ for flow in FLOWS])
def test_enclosures_are_narrow_and_agree_with_the_first_integrator(flow):
    time = fmpq(1, 2)
    (found,) = states_at(flow, [fraction(time)], LADDER[0])
    trajectory = enclose_at(flow, time, FIRST_LADDER[0])
    assert trajectory.radius < arb(10) ** -9
    truth = flat([getattr(trajectory.at(time), name) for name in flow.moving])
    assert len(found) == len(truth)
    assert all(overlaps(value, ball) for value, ball in zip(found, truth, strict=True))
    assert all(width(value) < Fraction(1, 10**6) for value in found)


def test_enclosures_contain_a_closed_form_to_60_digits():
    """One score: u = u(0) + K tau, t = tau + e^{u(0)} (e^{K tau} - 1) / K."""
    flow = LogisticFlow.instance(u=["1/3"], K="3/2")
    states = states_at(flow, [Fraction(1, 3), Fraction(2)], LADDER[2])
    with mp.workprec(300), interval_precision(300):
        for state, tau in zip(states, (Fraction(1, 3), Fraction(2)), strict=True):
            clock = mp.mpf(tau.numerator) / tau.denominator
            time = clock + mp.exp(mp.mpf(1) / 3) * (mp.exp(3 * clock / 2) - 1) / mp.mpf("1.5")
            assert time in state[2]
            assert mp.mpf(1) / 3 + 3 * clock / 2 in state[0]
            assert width(state[2]) < Fraction(1, 10**30)


# ---------------------------------------------------------------------------------------------------------------------
# Planted bugs


def growing(start: Fraction, parts: int, rate: int) -> Statement:
    """x' = rate x for parts = 0, else x' = rate (parts x - 1) / parts, at rest in 1 / parts."""
    if parts == 0:
        return Statement([start], [range(1)], {}, lambda state: [state[0] * rate])
    return Statement([start], [range(1)], {}, lambda state: [(state[0] * parts - 1) * rate * interval(Fraction(1, parts))])


COARSE = Rung(60, 6, 12)
"""Defects far above rounding."""


def is_right_about_growth() -> bool:
    """Whether the enclosure contains e^4 where defects matter."""
    ((value,),) = enclosures(growing(Fraction(1), 0, 4), [Fraction(1)], COARSE)
    with mp.workprec(200):
        return bool(mp.exp(4) in value)


def is_right_at_an_unstable_rest() -> bool:
    """Whether the enclosure contains 1/3, the solution from 1/3, once the rounding of the start has grown."""
    third = Fraction(1, 3)
    ((value,),) = enclosures(growing(third, 3, 8), [Fraction(3)], Rung(60, 14, 50))
    low, high = bounds(value)
    return low <= third <= high


def is_right_of_two_that_couple() -> bool:
    """The same of x' = 8 (x - 1/3) + (y - 1/3) and y likewise: stated as two blocks, and measured together too."""

    def field(state: Any) -> list[Any]:
        x, y = (value * 3 - 1 for value in state)
        return [(x * 8 + y) * interval(Fraction(1, 3)), (y * 8 + x) * interval(Fraction(1, 3))]

    third = Fraction(1, 3)
    pair = Statement([third, third], [range(1), range(1, 2)], {}, field)
    (values,) = enclosures(pair, [Fraction(5, 2)], Rung(60, 14, 50))
    return all(low <= third <= high for low, high in map(bounds, values))


def test_either_partition_is_needed_to_be_right(monkeypatch):
    """The better of two bounds is taken, so growth that is halved in one of the two partitions is caught."""
    true = integrator.comparison
    assert is_right_of_two_that_couple()
    for together in (1, 2):
        with monkeypatch.context() as patch:
            patch.setattr(
                integrator,
                "comparison",
                lambda derivative, blocks, count=together: [
                    [entry / (2 if len(blocks) == count else 1) for entry in line] for line in true(derivative, blocks)
                ],
            )
            assert not is_right_of_two_that_couple()


def is_right_about_time() -> bool:
    """Whether the clock t of a flow is where it is known to be."""
    (state,) = states_at(LogisticFlow.instance(u=[0]), [Fraction(1)], LADDER[0])
    with mp.workprec(200):
        return bool(mp.e in state[2])


def test_without_bugs_all_is_right():
    assert is_right_about_growth()
    assert is_right_at_an_unstable_rest()
    assert is_right_about_time()


def test_a_forgotten_defect_is_caught(monkeypatch):
    monkeypatch.setattr(integrator, "defects", lambda record, rows, length, bits: [iv.mpf(0) for _ in rows])
    assert not is_right_about_growth()


def test_the_last_coefficient_of_the_defect_matters(monkeypatch):
    true = integrator.defects
    monkeypatch.setattr(integrator, "defects", lambda record, rows, length, bits: true(record, rows, 0 * length, bits))
    assert not is_right_about_growth()


def test_halved_growth_is_caught(monkeypatch):
    true = integrator.comparison
    monkeypatch.setattr(integrator, "comparison", lambda *given: [[entry / 2 for entry in line] for line in true(*given)])
    assert not is_right_at_an_unstable_rest()


def test_an_error_that_is_not_carried_over_is_caught(monkeypatch):
    true = integrator.step
    monkeypatch.setattr(
        integrator,
        "step",
        lambda record, rows, sizes, errors, *rest: true(
            record, rows, sizes, [[iv.mpf(0) for _ in known] for known in errors], *rest
        ),
    )
    assert not is_right_at_an_unstable_rest()


def test_a_wrong_clock_is_caught(monkeypatch):
    true = integrator.step
    monkeypatch.setattr(
        integrator,
        "step",
        lambda *given: true(*given[:4], given[4] * (1 + Fraction(1, 1 << 20)), *given[5:]),
    )
    assert not is_right_about_time()


def test_a_pole_or_too_many_steps_cannot_be_decided():
    square = Statement([Fraction(1)], [range(1)], {}, lambda state: [state[0] * state[0]])
    with pytest.raises(CannotDecideError):
        enclosures(square, [Fraction(2)], COARSE, most_steps=60)
    with pytest.raises(CannotDecideError, match="3 steps reached"):
        enclosures(square, [Fraction(15, 16)], LADDER[0], most_steps=3)
    with pytest.raises(ValueError, match="positive and grow"):
        enclosures(square, [Fraction(1, 2), Fraction(1, 4)], COARSE)


# ---------------------------------------------------------------------------------------------------------------------
# Fields that choose


def middle(number: Any) -> Any:
    return number[0].mid()


def softmax_of(state: Any) -> Any:
    """What is right whichever is the shift."""
    shift = max(state, key=middle)
    grown = [(value - shift).exp() for value in state]
    return [value / sum(grown[1:], grown[0]) for value in grown]


def chooser(choice: Callable[[Any], Any]) -> Any:
    """x_0' = one of the numbers, the others at rest."""
    return lambda state: [choice(state), *(0 * value for value in state[1:])]


CHOICES = {
    "the larger of x_0 and x_7": lambda x: max(x[0], x[7], key=middle),
    "the larger of x_6 and x_7": lambda x: max(x[6], x[7], key=middle),
    "the smaller of x_3 and x_7": lambda x: min(x[3], x[7], key=middle),
    "the largest of all": lambda x: max(x, key=middle),
    "the smallest of all": lambda x: min(x, key=middle),
    "the one in the middle": lambda x: sorted(x[2:7], key=middle)[2],
    "x_5 beyond a constant": lambda x: x[5] if middle(x[5]) > 3 else x[6],
    "x_5 below a constant": lambda x: x[5] if middle(x[5]) < -3 else x[6],
    "an absolute value": lambda x: x[1] if middle(x[1]) > 0 else -x[1],
    "the larger of two products": lambda x: max(x[0] * x[1], x[6] * x[7], key=middle),
    "a middle in the place of a number": lambda x: x[0] * middle(x[4]),
    "a step": lambda x: 1 + 0 * x[0] if middle(x[2] - x[7]) > 0 else 0 * x[0],
}


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
def test_a_field_that_chooses_is_no_one_formula(choice):
    rng = random.Random(1)
    for turn in (0, 3):
        numbers = [Fraction(rng.randint(-40, 40), 16) for _ in range(8)]
        for point in (numbers, sorted(numbers), [Fraction(1, 2)] * 8):
            with interval_precision(64), pytest.raises(TypeError, match="depends on a choice"):
                integrator.refuse_choices(chooser(choice), [interval(value) for value in point], turn)


def test_a_choice_that_changes_nothing_is_allowed():
    for point in ([1, 2, 3, 1, 1, 5, 5, 0], [0] * 8):
        with interval_precision(64):
            integrator.refuse_choices(softmax_of, [interval(value) for value in point])
            assert integrator.recorded(softmax_of, [interval(value) for value in point], integrator.Own).looked


@pytest.mark.parametrize(
    "look",
    [
        lambda x: x[0] if x[0][0] < x[1][0] else x[1],
        lambda x: x[0] if x[0][0] > 0 else x[1],
        lambda x: x[0] if x[0][0] == 0 else x[1],
        lambda x: x[0] if x[0][0] else x[1],
        lambda x: x[0] * abs(x[0][0]),
        lambda x: x[0] * x[1][0],
        lambda x: x[0] * flint_stand_in.arb(x[1][0]),
        lambda x: flint_stand_in.arb(2) * x[1][0] * x[0],
        lambda x: x[0] if x[1][0] > 0 else x[1],
        lambda x: x[0] if flint_stand_in.arb(0) < x[1][0] else x[1],
        lambda x: x[0] if flint_stand_in.arb(0).overlaps(x[1][0]) else x[1],
        lambda x: x[0] if x[1][0].is_finite() else x[1],
        lambda x: x[0] * str(x[1][0]).count("1"),
        lambda x: x[0] if x[0] == x[1] else x[1],
        lambda x: x[0] if x[1] else x[2],
        lambda x: x[0] if flint_stand_in.arb(0, 1) > 0 else x[1],
        lambda x: x[0] if (flint_stand_in.arb(0, 1) - 1).exp() == 1 else x[1],
        lambda x: max(x[1], x[0]),
        lambda x: abs(x[0]),
        lambda x: x[0].max(x[1]),
        lambda x: x[0] * float(x[1][0]),
        lambda x: np.max(np.array(x, dtype=object)),
    ],
)
def test_a_field_cannot_look_at_its_numbers(look):
    with interval_precision(64), pytest.raises((TypeError, AttributeError)):
        integrator.recorded(chooser(look), [interval(value) for value in (1, 2, 3)], integrator.Own)


# ---------------------------------------------------------------------------------------------------------------------
# Chains


def chain(**changes: Any) -> AttentionChain:
    given = {
        "v": [[1, 0], [0, 1]],
        "x": [[1, "1/8"], ["7/8", 0], [0, 1]],
        "group": [0, 0, 1],
        "beta": 3,
        "gamma": "1/2",
        "eps": "1/4",
        "steps": 3,
    }
    return AttentionChain.instance(**(given | changes))


@pytest.mark.parametrize("movers", [1, 3])
def test_escapes_are_as_likely_as_the_first_enumeration_finds(movers):
    first = escape_probability(chain(), arb(10) ** -6)
    with interval_precision(128):
        escaped, dropped = checker_paths.escapes(chain(), iv.mpf(10) ** -6, movers)
        low, high = bounds(escaped)[0], bounds(escaped + dropped)[1]
    assert 0 < low < high <= Fraction(101, 100)
    assert bool((first.escaped + first.cut).upper() >= arb(fmpq(low.numerator, low.denominator)))
    assert bool(first.escaped.lower() <= arb(fmpq(high.numerator, high.denominator)))
    if movers == 3:
        assert high - low < Fraction(1, 1000)


def test_distances_to_hulls_agree_with_the_first_ones():
    corners = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [1, 1, 0], [0, 0, 3]]
    for x in ([1, 1, 1], [3, 0, 0], [-1, -1, -1], ["1/2", "1/2", "1/4"], [2, 2, 2], [0, 0, 5]):
        first = squared_distance_to_hull(exact([x]), exact(corners))
        second = checker_paths.distance_squared(
            tuple(map(Fraction, x)), [tuple(map(Fraction, corner)) for corner in corners]
        )
        assert fraction(first.flat[0]) == second


# ---------------------------------------------------------------------------------------------------------------------
# Violations, in a process without flint

CHAIN = {
    "system": "AttentionChain",
    "v": [[2], [-2]],
    "x": [["23/12"], ["-23/12"]],
    "group": [0, 1],
    "beta": 4,
    "gamma": "1/24",
    "eps": "1/3",
    "steps": 9,
}
CASES = [
    # A violation, and the time of it.
    ("polarization.gaps_grow_for_all_pairs", "gap_rate_of_every_pair", {"system": "LogisticFlow", "u": [1, 0]}, "1/4"),
    (
        "polarization.regression_order_is_preserved",
        "scores_stay_ordered",
        {"system": "SquareLossFlow", "u": [0, 0], "a": [0, 1]},
        "1",
    ),
    (
        "polarization.increasing_map_keeps_order",
        "scores_stay_ordered",
        {"system": "MinusDecayFlow", "u": [1, 0]},
        "1/4",
    ),
    # The horizon is passed, or not yet begun.
    ("polarization.gaps_grow_for_all_pairs", "gap_rate_of_every_pair", {"system": "LogisticFlow", "u": [1, 0]}, "1000"),
    ("polarization.gaps_grow_for_all_pairs", "gap_rate_of_every_pair", {"system": "LogisticFlow", "u": [1, 0]}, "0"),
    # In probability: the printed bound, then the corrected one.
    ("frank_wolfe.escape_takes_exponentially_long", "escape_before_t", CHAIN, None),
    ("frank_wolfe.escape_takes_exponentially_long_in_diameters", "escape_before_t", CHAIN, None),
    # No violation at that time.
    ("polarization.order_is_preserved", "values_stay_ordered", {"system": "LogisticFlow", "u": [1, 0]}, "1/4"),
]

SCRIPT = """
import json, sys
from fractions import Fraction
from claims.checker.__main__ import forbid_deciding_code
forbid_deciding_code()
from claims.catalogue import catalogue
from claims.checker.paths import violation
answers = []
for name, conclusion, instance, time in json.load(sys.stdin):
    claim = catalogue()[name]
    (conclusion,) = (c for c in claim.conclusions if c.name == conclusion)
    assert instance.pop("system") == claim.system.__name__
    system = claim.system.instance(**instance)
    verdict, reason, slack = violation(conclusion, system, None if time is None else Fraction(time))
    answers.append([verdict, reason, str(slack)])
bad = [name for name in sys.modules if name.startswith(("dynamics.trusted", "dynamics.enclosures", "claims.verifying"))]
print(json.dumps([answers, bad, hasattr(sys.modules["flint"], "__file__")]))
"""


def test_violations_without_flint():
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], input=json.dumps(CASES), capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    answers, deciding_code, is_flint = json.loads(run.stdout)
    yes, no = "CONFIRMED", "NOT CONFIRMED"
    assert [verdict for verdict, *_ in answers] == [yes, yes, yes, no, no, yes, no, no], answers
    assert "is not in (0," in answers[3][1]
    assert deciding_code == []
    assert not is_flint
