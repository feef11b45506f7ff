# ruff: noqa: E501 -- bugs are told in texts of the source as they stand
"""Facts about the checker's integrator, its judge of trajectory files, and violations on paths."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from mpmath import iv, libmp, mp

from claims.stating.statement import Relation
from dynamics.checker.intervals import interval_precision
from dynamics.checker.trajectory_format import StepRecord
from tests.checker.facts_of_intervals import OPERATIONS, SERIES, THIRD
from tests.checker.facts_of_the_stand_in import exponential_truth
from tests.checker.worlds import ends, exact, fact, holds, is_least, span, true

# ---------------------------------------------------------------------------------------------------------------------
# The integrator


def statement(w: Any, start: list[Any], field: Any, blocks: Any = None, clocks: Any = None) -> Any:
    size = len(start)
    return w.fields.Statement(
        [Fraction(x) for x in start], blocks or [range(i, i + 1) for i in range(size)], clocks or {}, field
    )


@fact
def defects_bound_what_a_polynomial_misses(w):
    """x' = x and x' = x^2 along polynomials that are far from solutions: every order of the miss matters somewhere."""
    fields = {"x": (lambda s: [s[0]], lambda x: x), "x^2": (lambda s: [s[0] * s[0]], lambda x: x * x)}
    rows = ([1, 1, 1, 1], [1, 1, Fraction(1, 2), 0], [0, 1, 0, 0], [0, 0, 0, 1], [2, 0, 0, 0], [0, 0, 1, 0])
    for (field, plain), row, length in product(fields.values(), rows, (Fraction(1), Fraction(1, 4), Fraction(3))):
        with interval_precision(60), mp.workprec(60):
            record = w.integrator.recorded(field, exact(w, row[0]))
            (bound,) = w.integrator.defects(record, [exact(w, *row)], length, 60)
        for k in range(9):
            t = length * k / 8
            p = sum(Fraction(c) * t**j for j, c in enumerate(row))
            slope = sum(j * Fraction(c) * t ** (j - 1) for j, c in enumerate(row) if j)
            # At nine times of the step: each order of the miss is largest at another one.
            is_least(bound, abs(slope - plain(p)))


@fact
def comparisons_bound_the_jacobian(w):
    """x' = y z, y' = z x, z' = x y over a box, in blocks."""
    field = lambda s: [s[1] * s[2], s[2] * s[0], s[0] * s[1]]  # noqa: E731
    with interval_precision(60):
        box = [span(w, 1, 2), span(w, -3, -1), span(w, 2, 5)]
        record = w.integrator.recorded(field, [value.mid for value in box])
        derivative = w.integrator.jacobian(record, box)
        for point in product((1, 2), (-3, -1), (2, 5)):
            x, y, z = point
            truth = np.array([[0, z, y], [z, 0, x], [y, x, 0]], dtype=float)
            for i, j in product(range(3), repeat=2):
                holds(derivative[i].get(j, iv.mpf(0)), Fraction(truth[i, j]))
            for blocks in (((0,), (1,), (2,)), ((0, 1), (2,)), ((0,), (1, 2)), ((0, 1, 2),)):
                found = w.integrator.comparison(derivative, blocks)
                for a, block in enumerate(blocks):
                    for b, other in enumerate(blocks):
                        part = truth[np.ix_(block, other)]
                        # How fast errors of a block grow by themselves, and how much another block adds to them.
                        least = np.linalg.eigvalsh((part + part.T) / 2)[-1] if a == b else np.linalg.norm(part, 2)
                        assert float(found[a][b].b) >= least - 1e-9


@fact
def errors_are_propagated_in_full(w):
    with interval_precision(64):
        # What moves one place on: the k-th term of the series stands alone, so one that is left out is missed.
        chain = [[iv.mpf(1 if j == i + 1 else 0) for j in range(17)] for i in range(17)]
        for last in (3, 12, 15, 16):
            vector = [iv.mpf(int(i == last)) for i in range(17)]
            found = w.integrator.propagate(chain, iv.mpf(1), vector)
            factorial = Fraction(1)
            for k in range(1, last + 1):
                factorial *= k
            is_least(found[0], 1 / factorial)
        for rows, h in (
            ([[-3, 1], [2, Fraction(1, 2)]], Fraction(1, 2)), ([[-50, 1], [1, -1]], THIRD), ([[2]], 3), ([[-2]], 3), ([[0, 5], [0, 0]], 2),
        ):  # fmt: skip
            truth = exponential_truth(tuple(tuple(Fraction(x) * h for x in row) for row in rows))
            vector = [Fraction(k + 1) for k in range(len(rows))]
            found = w.integrator.propagate(
                [exact(w, *row) for row in rows], w.numbers.interval(Fraction(h)), exact(w, *vector)
            )
            for i in range(len(rows)):
                least = sum(truth[i * len(rows) + j][0] * vector[j] for j in range(len(rows)))
                is_least(found[i], least, Fraction(1001, 1000))


@fact
def the_best_of_partitions_is_taken_where_each_is_true(w):
    with interval_precision(30):
        partitions = [[(0,), (1,)], [(0, 1)]]
        # Of each coordinate the smaller of its bounds: 5 as a block of its own, 3 in a pair.
        found = w.integrator.single([exact(w, 1, 5), exact(w, 3)], partitions)
        assert [ends(value)[1] for value in found] == [1, 3]
        near = w.integrator._rounded([iv.mpf([1, 3]), iv.mpf([0, 8])], [exact(w, 1, 5), exact(w, 3)], partitions)
        assert [ends(point) for point in near.points] == [(2, 2), (4, 4)]
        for known, least in zip(near.errors, ([2, 9], [3 + Fraction(41, 10)]), strict=True):
            for error, number in zip(known, least, strict=True):
                is_least(error, number, Fraction(11, 10))
        paths = []
        kept, w.integrator._part = w.integrator._part, lambda record, path, sizes, known, *_: paths.append(path) or known
        try:
            record, shape = w.integrator.recorded(lambda s: [s[0]], exact(w, 1)), types.SimpleNamespace(partitions=[[(0,)]])
            w.integrator.step(record, [exact(w, 1, 1)], exact(w, 0), [exact(w, 0)], Fraction(1), shape, 2)
        finally:
            w.integrator._part = kept
        for (path,), members in zip(paths, ((1, Fraction(3, 2)), (Fraction(3, 2), 2)), strict=True):
            for member in members:
                holds(path, member)
        assert [ends(x)[1] for x in w.integrator._raised([exact(w, -2, 3)])[0]] == [0, 3]


@fact
def errors_stay_in_a_tube_that_holds_them(w):
    """Beside p = 0: x' = x^2 from 1/2, and x' = y^2, y' = 100 x from (1/100, 0), which leaves the first tube in y alone."""

    def after(field: Any, errors: list[Any], h: Fraction, partitions: Any) -> Any:
        nothing = exact(w, *[0] * len(errors))
        record = w.integrator.recorded(field, nothing)
        shape = w.integrator.Shape(partitions, w.integrator.Rung(*COARSE), iv.mpf(2) ** -50, w.integrator.Restated)
        known = [exact(w, *errors) for _ in partitions]
        return w.integrator._part(record, nothing, nothing, known, w.numbers.interval(h), shape)

    with interval_precision(64):
        found = after(lambda s: [s[0] * s[0]], [Fraction(1, 2)], Fraction(1, 4), [[(0,)]])
        # 1 / (2 - 1/4) from 1/2, in closed form.
        is_least(found[0][0], Fraction(4, 7))
        for h in (Fraction(1), Fraction(1, 10)):
            found = after(lambda s: [s[1] * s[1], s[0] * 100], [Fraction(1, 100), 0], h, [[(0,), (1,)]])
            if found is not None:
                is_least(found[0][0], Fraction(1, 100) + h**3 / 3)


COARSE = (60, 6, 12)


def part_from(w: Any, field: Any, errors: Any, sizes: Any, h: Fraction, partitions: Any) -> Any:
    """Bounds of each coordinate a time h later beside p = 0, from errors and defects; None where nothing is said."""
    nothing = exact(w, *[0] * len(errors))
    record = w.integrator.recorded(field, nothing)
    shape = w.integrator.Shape(partitions, w.integrator.Rung(*COARSE), iv.mpf(2) ** -50, w.integrator.Restated)
    known = [w.integrator._norms(exact(w, *errors), blocks) for blocks in partitions]
    found = w.integrator._part(record, nothing, exact(w, *sizes), known, w.numbers.interval(h), shape)
    return None if found is None else w.integrator.single(found, partitions)


@fact
def errors_and_defects_add_up_in_a_part(w):
    """x' = a x + r: e^{a h} e + r (e^{a h} - 1) / a is the error, and the defect counts no more than r h e^{max(a, 0) h}."""
    with interval_precision(64):
        for a, r, e, h in product((-8, -1, 1, 8), (0, 1, 100), (0, F(1, 100), 1), (F(1, 8), F(1))):
            (found,) = part_from(w, lambda s, a=a, r=r: [s[0] * a + r], [e], [r], h, [[(0,)]])
            grown = true(lambda x: x.exp(), a * h)
            least = tuple(end * e + r * (end - 1) / a for end in grown)
            most = grown[1] * e + r * h * max(grown[1], 1)
            is_least(found, least)
            assert ends(found)[0] <= F(1001, 1000) * most + F(1, 2**40)


CURVED = [
    # What peaks before the end, and is small there in every linear field: y runs away at its peak.
    ([0, -8, 0, 0, 0], [0, 24, -8, 0, 8], (3 / 2, 0), 2),
    # What only the defect makes leave the tube.
    ([1, 0, 0, 4, 0], [0, 0, 0, 0, 0], (0, 0), 1),
]
"""Coefficients of 1, x, y, x^2, y^2 in x' and in y', errors at the start, a length."""


def curved_cases() -> Any:
    yield from CURVED
    rng = np.random.default_rng(3)
    for k in range(24):
        x, y = ((rng.integers(-8, 9, 5) * (rng.random(5) < 0.5)).tolist() for _ in range(2))
        errors = rng.choice([0, 1 / 64, 1 / 2], 2).tolist()
        yield (x, y, errors, [1 / 8, 1][k % 2]) if k % 4 < 2 else ([*x[:3], 0, 0], [*y[:3], 0, 0], errors, 1 / 32)


def worst(x: Any, y: Any, errors: Any, h: float) -> Any:
    """The largest |x| and |y| after h from the corners, by Runge and Kutta's method; infinite for what runs away."""
    # By another method than Taylor's, in floats: a bound that is too small is so by more than these are wrong by.
    coefficients = np.array([x, y], dtype=float)
    state = np.array(list(product((-1, 1), repeat=2))).T * np.array(errors, dtype=float)[:, None]

    def speed(s: Any) -> Any:
        return coefficients @ np.array([np.ones(4), *s, *s**2])

    steps = 200
    with np.errstate(all="ignore"):
        for _ in range(steps):
            a = speed(state)
            b = speed(state + h / steps / 2 * a)
            c = speed(state + h / steps / 2 * b)
            state = state + h / steps / 6 * (a + 2 * b + 2 * c + speed(state + h / steps * c))
        return np.nan_to_num(abs(state), nan=np.inf).max(axis=1)


@fact
def a_part_holds_all_that_starts_near(w):
    """Nothing is said where a solution runs away; along lines bounds are near what is reached with all signs alike."""
    near = 0
    for x, y, errors, h in curved_cases():
        truth, alike = worst(x, y, errors, h), worst(np.abs(x), np.abs(y), errors, h)
        field = lambda s, x=x, y=y: [  # noqa: E731
            s[0] * s[0] * c[3] + s[1] * s[1] * c[4] + s[0] * c[1] + s[1] * c[2] + c[0] for c in (x, y)
        ]
        for partitions in ([[(0,), (1,)]], [[(0,), (1,)], [(0, 1)]]):
            with interval_precision(64):
                sizes = [abs(x[0]), abs(y[0])]
                found = part_from(w, field, [Fraction(e) for e in errors], sizes, Fraction(h), partitions)
            if found is None:
                continue
            for bound, least, most in zip(found, truth, alike, strict=True):
                assert float(bound.b) >= least * (1 - 1e-6), (x, y, errors, h, partitions)
                # Short and linear: there a bound has no excuse for being wide.
                if h == 1 / 32 and len(partitions[0]) == 2:
                    near += 1
                    assert float(bound.b) <= 1.3 * most + 1e-9, (x, y, errors, h, partitions)
    assert near > 10


@fact
def a_tube_is_looked_at_up_to_its_edge(w):
    """x' = x + r + (x / wall)^40 for t <= 1: behind the wall, wherever it is in the first tube, solutions run away."""
    for wall, (error, defect) in product((Fraction(k, 8) for k in (10, 14, 17, 18, 20, 21, 40, 48)), ((1, 0), (0, 1))):
        # The 40th power is a wall: nothing before it, everything behind.
        field = lambda s, wall=wall, r=defect: [s[0] + r + power_of(s[0] / wall, 40)]  # noqa: E731
        with interval_precision(64):
            found = part_from(w, field, [error], [defect], Fraction(1), [[(0,)]])
        reached = math.e * error + (math.e - 1) * defect
        assert (found is None) is (wall <= 3), (wall, error, defect)
        if found is not None:
            assert reached <= float(found[0].b) <= 2 * reached


@fact
def solutions_are_where_they_are(w):
    """Where defects, rounding, growth, decay and couplings matter, each in turn."""

    def at(start, field, times, rung=COARSE, **more):
        return w.integrator.enclosures(
            statement(w, start, field, **more), [Fraction(t) for t in times], w.integrator.Rung(*rung)
        )

    ((value,),) = at([1], lambda s: [s[0] * 4], [1])
    holds(value, true(lambda x: x.exp(), 4), Fraction(8))
    ((value,), (later,)) = at([1], lambda s: [-s[0] * 6], [THIRD, 2])
    holds(value, true(lambda x: x.exp(), -2))
    holds(later, true(lambda x: x.exp(), -12))
    ((value,),) = at([THIRD], lambda s: [(s[0] * 3 - 1) * 8 / 3], [3], (60, 14, 50))
    holds(value, THIRD)
    (values,) = at([1, 0], lambda s: [-s[1], s[0]], [2])
    holds(values[0], true(lambda x: x.cos(), 2), Fraction(1, 2))
    holds(values[1], true(lambda x: x.sin(), 2), Fraction(1, 2))
    ((value,),) = at([1], lambda s: [s[0] * s[0]], [Fraction(3, 4)], (60, 10, 30))
    holds(value, 4, Fraction(1))
    both = lambda s: [(s[0] * 24 - 8 + s[1] * 3 - 1) / 3, (s[1] * 24 - 8 + s[0] * 3 - 1) / 3]  # noqa: E731
    for blocks in (None, [range(2)]):
        (values,) = at([THIRD, THIRD], both, [Fraction(5, 2)], (60, 14, 50), blocks=blocks)
        for value in values:
            holds(value, THIRD)
    (values,) = at([0, 1], lambda s: [s[0] * 0 + 1, s[1] * s[0]], [2], (60, 10, 30))
    holds(values[0], 2, Fraction(1, 100))
    holds(values[1], true(lambda x: x.exp(), 2), Fraction(1, 2))
    wide = w.integrator.enclosures(
        statement(w, [0], lambda s: [s[0]]),
        [Fraction(1)],
        w.integrator.Rung(60, 14, 50),
        start=[span(w, 0, Fraction(1, 1000))],
    )
    holds(wide[0][0], 0)
    holds(wide[0][0], true(lambda x: x.exp() / 1000, 1))


RECORDED: dict[str, Callable[[Any, Any], Any]] = {
    **OPERATIONS,
    "a constant over": lambda x, y: 5 / (x + y) * 2 - 1,
    "powers": lambda x, y: x * x * x - 1 / (y * y),
    "of constants": lambda x, y: (x * 0 + 2) * y + (x * 0 + 3) / y - (x * 0 + 1),
}


@fact
def a_record_does_what_the_field_does(w):
    with interval_precision(60), mp.workprec(60):
        for name in (*RECORDED, "exp", "log", "sqrt"):
            operation = RECORDED.get(name) or (lambda x, y, name=name: getattr(w.numbers, name)(x))
            record = w.integrator.recorded(lambda s, f=operation: [f(s[0], s[1]), s[0]], exact(w, 1, 1))
            rows = [w.numbers.Series(exact(w, *row)) for row in SERIES]
            found, plain = record.run(rows)[0], operation(*rows)
            for value, truth in zip(found.c, plain.c, strict=True):
                holds(value, ends(truth), Fraction(1, 2**30))


@fact
def rescaled_tokens_are_where_they_are(w):
    """One token alone stays where it is; two on a line with V = 1 keep their middle and come nearer."""

    class RescaledFlow:
        def __init__(self, **arrays):
            self.given = {name: np.array(value, dtype=object) for name, value in arrays.items()}

        def arrays(self):
            return self.given

    # Flows are restated by name and by where they are from.
    RescaledFlow.__module__ = "dynamics.here"
    one = RescaledFlow(z=[[F(1), F(2)]], B=[[F(1), F(0)], [F(0), F(1)]], V=[[F(1), F(1, 2)], [F(0), F(-1)]], t=F(1, 3))
    ((x, y, t),) = w.integrator.states_at(one, [F(3, 4)], w.integrator.LADDER[0])
    holds(x, 1, F(1, 10**6))
    holds(y, 2, F(1, 10**6))
    holds(t, F(13, 12), F(1, 10**9))


# ---------------------------------------------------------------------------------------------------------------------
# The judge of trajectory files


def judged(w: Any, flow: Any, finest: int = 16, **step: Any) -> str:
    """The verdict on one step, with polynomials given as short rows."""
    given = {
        "length": Fraction(1),
        "weights": [Fraction(1)] * len(flow.start),
        "start": 0,
        "error": 0,
        "slope": 0,
        "final": 0,
    }
    given |= step
    numbers = {name: Fraction(given[name]) for name in ("length", "start", "error", "slope", "final")}
    rows = [[Fraction(c) for c in row] for row in given["polynomials"]]
    record = StepRecord(
        polynomials=rows,
        weights=[Fraction(x) for x in given["weights"]],
        method="remainder",
        box=given.get("box"),
        **numbers,
    )
    return str(w.checker._step(flow, record, 64, finest)[0])


YES, NO = "CONFIRMED", "NOT CONFIRMED"


def power_of(x: Any, k: int) -> Any:
    result = x
    for _ in range(k - 1):
        result = result * x
    return result


OPEN = "CANNOT DECIDE"
F = Fraction
STEADY = (1, {}, lambda s: [s[0] * 0 + 1])
GROWING = (1, {"start": 1, "error": 1}, lambda s: [s[0] * 1])
FALLING = (1, {"start": 1}, lambda s: [s[0] * -1])
STEEP = (2, {"polynomials": [[0], [0, 1]], "weights": [1, 0]}, lambda s: [power_of(s[1], 19) * 20, s[1] * 0 + 1])
COUPLED = (2, {"start": 1, "error": 1}, lambda s: [s[1] * 1, s[1] * 0])
TURN = {"start": 1, "error": F(3, 2), "slope": F(1, 1000)}
DAMPED = (2, TURN, lambda s: [s[1] * 3 - s[0] * 2, s[0] * -3 - s[1] * 2])
BESIDE = (3, TURN | {"weights": [1, 1, 4]}, lambda s: [s[1] * 1, s[0] * -1, s[2] * 0 + 1])
JUDGED = {
    # x = t^20 beside p = 0, with a clock: late and steep. Bounds hold inside of the step and at its end.
    "late": [
        (STEEP, {"error": 2, "slope": 0, "final": 2}, (YES,)),
        (STEEP, {"error": F(1, 2), "slope": 0, "final": 2}, (NO, OPEN)),
        (STEEP, {"error": 2, "slope": 0, "final": F(9, 10)}, (NO,)),
        (STEEP, {"error": 0, "slope": F(1, 2), "final": 2}, (NO, OPEN)),
        (STEEP, {"error": F(1, 1000), "slope": 2, "final": 2}, (YES,)),
    ],
    # x' = x from an error of 1 beside p = 0: e^t.
    "growing": [
        (GROWING, {"slope": 2, "final": F(272, 100)}, (YES,)),
        (GROWING, {"slope": 2, "final": F(271, 100)}, (NO, OPEN)),
        (GROWING, {"slope": F(3, 2), "final": F(272, 100)}, (NO, OPEN)),
        (GROWING, {"slope": 0, "final": 3}, (NO, OPEN)),
        (FALLING, {"error": 1, "slope": F(1, 100), "final": F(37, 100)}, (YES,)),
        (FALLING, {"error": 1, "slope": F(1, 100), "final": F(36, 100)}, (NO, OPEN)),
        (FALLING, {"error": F(9, 10), "slope": 0, "final": 1}, (NO,)),
    ],
    # x' = 1 beside p = 0: defects add up from piece to piece.
    "steady": [
        (STEADY, {"error": F(3, 10), "slope": 0, "final": F(3, 10)}, (NO, OPEN)),
        (STEADY, {"error": F(1, 10), "slope": 1, "final": F(11, 10)}, (YES,)),
        (STEADY, {"error": F(1, 10), "slope": 0, "final": F(1, 2)}, (NO,)),
    ],
    # Errors that turn: |e| never exceeds sqrt 2, which bounds of single coordinates do not see.
    "turning": [(DAMPED, {"final": F(1, 4)}, (OPEN,)), (BESIDE, {"final": F(3, 2)}, (OPEN,))],
    # x' = y, y' = 0: an error w_y of y moves x by w_y t. The third is true, but more than this method shows.
    "coupled": [
        (COUPLED, {"weights": [1, 8], "slope": 20000, "final": 10000}, (YES,)),
        (COUPLED, {"weights": [1, 8], "slope": 4, "final": 5}, (NO, OPEN)),
        (COUPLED, {"weights": [1, 8], "slope": 8, "final": 9}, (OPEN,)),
        (COUPLED, {"weights": [8, 1], "slope": F(1, 4), "final": F(5, 4)}, (YES,)),
        (COUPLED, {"weights": [8, 1], "slope": F(1, 16), "final": F(17, 16)}, (NO, OPEN)),
    ],
}
"""By what is seen: size, what is stated and the field; what is stated besides; and what may be said of it."""


@fact
def steps_are_judged_as_they_are(w):
    for (size, given, field), stated, allowed in (case for cases in JUDGED.values() for case in cases):
        clocks = {1: F(1)} if given.get("weights") == [1, 0] else {}
        flow = statement(w, [0] * size, field, clocks=clocks)
        assert judged(w, flow, **{"polynomials": [[0]] * size} | given | stated) in allowed, (given, stated)


@fact
def a_box_of_starts_is_part_of_what_is_stated(w):
    """x' = 0 beside p = 0: starts, the sides of their box and the bounds in every order."""
    still = statement(w, [0], lambda s: [s[0] * 0])
    sizes = (Fraction(1, 2), Fraction(1))
    for start, side, error, final, slope in product(sizes, (None, *sizes), sizes, (*sizes, Fraction(2)), (0, 4)):
        step = {"start": start, "box": None if side is None else [side], "error": error, "final": final, "slope": slope}
        is_true = min(start, side or start) <= min(error, final)
        assert judged(w, still, 4, polynomials=[[0]], **step) != (NO if is_true else YES), step


@fact
def growth_is_that_of_the_widest_tube_of_a_piece(w):
    """x' = x^2 in a tube that widens from 0 to 8 around p = 0: DF = 2 x is at most 16 at its end."""
    square = statement(w, [0], lambda s: [s[0] * s[0]])
    record = StepRecord(Fraction(1), [[Fraction(0)]], [Fraction(1)], *(Fraction(x) for x in (0, 0, 8, 8)), "remainder")
    with interval_precision(100):
        for begin, length in ((Fraction(0), Fraction(1)), (Fraction(1, 2), Fraction(1, 4))):
            piece = w.checker._piece(square, record, begin, length, 3)
            is_least(piece.growth, 16 * (begin + length), Fraction(102, 100))
            is_least(piece.couplings[0], 16 * (begin + length), Fraction(102, 100))
        tilted = StepRecord(Fraction(1), [[Fraction(0), Fraction(5)]], [Fraction(1)], *(Fraction(0),) * 4, "remainder")
        piece = w.checker._piece(square, tilted, Fraction(0), Fraction(1), 3)
        is_least(piece.growth, 10)
        is_least(piece.defect, 20)  # |5 - 25 t^2| at t = 1
        piece = w.checker._piece(square, tilted, Fraction(1, 2), Fraction(1, 2), 3)
        is_least(piece.defect, 20)
        total = Fraction(5, 2) - Fraction(25, 3) * Fraction(7, 8)
        holds(piece.moves[0], total)


@fact
def a_defect_is_seen_between_the_middle_and_the_ends(w):
    """p' - F(p) of every order, around the middle of a piece."""
    line = statement(w, [0, 0], lambda s: [power_of(s[1], 5), s[1] * 0 + 1], clocks={1: Fraction(1)})
    record = StepRecord(
        Fraction(2),
        [[Fraction(0)], [Fraction(-1), Fraction(1)]],
        [Fraction(1), Fraction(0)],
        *(Fraction(0),) * 4,
        "remainder",
    )
    with interval_precision(80):
        for order in (1, 2, 3, 6):
            piece = w.checker._piece(line, record, Fraction(0), Fraction(2), order)
            is_least(piece.defect, 1)
            holds(piece.moves[0], 0)
            late = w.checker._piece(
                line,
                replace(record, polynomials=[[Fraction(0)], [Fraction(0), Fraction(1)]]),
                Fraction(0),
                Fraction(2),
                order,
            )
            holds(late.moves[0], Fraction(-32, 3))


@fact
def steps_hang_together(w):
    """Starts, hand-overs, clocks, blocks and times, in rationals."""
    from dynamics.checker.trajectory_format import Certificate

    flow = statement(w, [1, 0], lambda s: [s[0] * 0, s[1] * 0 + 1], clocks={1: Fraction(1)})

    still = statement(w, [1], lambda s: [s[0] * 0])

    def answer(times=(0, 1, 2), horizon=2, blocks=None, flow=flow, **changes):
        steps = []
        for k in range(2):
            given = {
                "polynomials": [[1], [k, 1]],
                "weights": [1, 0],
                "start": k,
                "error": 3,
                "slope": 0,
                "final": 1,
                "length": 1,
            }
            given |= changes.get(f"step{k}", {})
            rows = [[Fraction(c) for c in row] for row in given.pop("polynomials")]
            weights, box = [Fraction(x) for x in given.pop("weights")], given.pop("box", None)
            steps.append(
                StepRecord(
                    polynomials=rows, weights=weights, method="remainder", box=None if box is None else [Fraction(x) for x in box],
                    **{name: Fraction(value) for name, value in given.items()},
                )
            )  # fmt: skip
        made = Certificate(
            "", {}, 64, 20, Fraction(horizon), [Fraction(t) for t in times], blocks or flow.blocks, steps, {}, []
        )
        return w.checker._structure(made, flow)

    assert answer() is None
    alone = {"polynomials": [[1]], "weights": [1]}
    assert answer(flow=still, step0=alone, step1=alone) is None
    assert answer(flow=still, step0=alone | {"length": 2}, step1=alone) is not None
    assert answer(step0={"weights": [0, 0]}) is not None
    assert answer(step1={"start": 2, "polynomials": [[2], [1, 1]]}) is None
    for changes in (
        {"times": (0, 1)}, {"times": (1, 1, 2)}, {"times": (0, 1, 3)}, {"horizon": 3}, {"blocks": [range(2)]},
        {"step0": {"length": 2}}, {"step0": {"polynomials": [[2], [0, 1]]}}, {"step0": {"polynomials": [[1], [1, 1]]}},
        {"step1": {"polynomials": [[1], [0, 1]]}}, {"step1": {"polynomials": [[1], [1, 2]]}}, {"step1": {"polynomials": [[1], [1, 1, 1]]}},
        {"step1": {"polynomials": [[1], [1]]}}, {"step1": {"weights": [0, 0]}}, {"step1": {"start": Fraction(1, 2)}},
        {"step1": {"start": 0}}, {"step1": {"polynomials": [[2], [1, 1]]}}, {"step0": {"final": 2}}, {"step1": {"weights": [1]}},
        {"step1": {"polynomials": [[1]]}}, {"step1": {"box": [Fraction(1, 2), 0]}}, {"step1": {"box": [1]}},
        {"step0": {"weights": [2, 0]}}, {"step1": {"weights": [Fraction(1, 2), 0]}},
    ):  # fmt: skip
        assert answer(**changes) is not None, changes


# ---------------------------------------------------------------------------------------------------------------------
# Violations


@fact
def an_enclosure_must_hold_what_was_found(w):
    with interval_precision(60):
        for found, stated, answer in (
            ((1, 2), (1, 2), True), ((1, 2), (0, 3), True), ((1, 2), (F(3, 2), 3), None), ((1, 2), (0, F(3, 2)), None),
            ((1, 2), (F(5, 4), F(3, 2)), None), ((1, 2), (3, 4), False), ((1, 2), (-1, 0), False), ((1, 1), (1, 1), True),
            ((1, 2), (2, 3), None), ((F(1), F(1)), (F(1), F(2)), True),
        ):  # fmt: skip
            assert w.paths._is_inside(span(w, *found), tuple(map(F, stated))) is answer, (found, stated)
        for values, relation, stated, verdict in (
            ([(-2, -1)], ">= 0", (-3, 0), YES), ([(-2, 1)], ">= 0", (-3, 0), None), ([(1, 2)], ">= 0", None, NO),
            ([(0, 0)], "> 0", (0, 0), YES), ([(0, 0)], ">= 0", None, NO), ([(-2, -1)], ">= 0", (-9, -8), NO),
            ([(-2, -1)], ">= 0", (F(-3, 2), 0), None), ([(-2, -1), (3, 4)], ">= 0", None, YES), ([(3, 4), (-1, 1)], ">= 0", None, None),
            ([(1, 2)], "== 0", None, YES), ([(-2, -1)], "== 0", None, YES), ([(0, 0)], "== 0", None, NO),
        ):  # fmt: skip
            arbs = [w.arithmetic.arb.of(span(w, *ends_)) for ends_ in values]
            # The sign is taken by the arithmetic of the process: here by comparison.
            kept, w.paths.sign = (
                w.paths.sign,
                lambda x: 0 if x.ends[0] == x.ends[1] == libmp.fzero else 1 if x > 0 else -1 if x < 0 else None,
            )
            try:
                found = w.paths._judged(arbs, Relation(relation), None if stated is None else tuple(map(F, stated)))[0]
            finally:
                w.paths.sign = kept
            assert (None if found is None else str(found)) == verdict, (values, relation, stated)


def chance_of_escape(state: tuple[Fraction, Fraction], picks: int, eps: Fraction, gamma: Fraction) -> Fraction:
    """By all sequences of picks, each as likely as another, of two tokens that begin at 0 and 1."""
    if max(state[0], 1 - state[1]) > eps:
        return Fraction(1)
    if not picks:
        return Fraction(0)
    moves = [tuple(x + gamma * (y - x) for x, y in zip(state, to, strict=True)) for to in product(state, repeat=2)]
    return sum(chance_of_escape(move, picks - 1, eps, gamma) for move in moves) / 4


@fact
def escapes_are_counted_in_full(w):
    """Two tokens on a line, one step at inverse temperature 0: each picks either with chance 1/2, and a move escapes."""

    def chain(steps, beta=0, eps="1/8", gamma="1/2"):
        given = {"beta": beta, "gamma": Fraction(gamma), "eps": Fraction(eps), "steps": steps}
        arrays = {name: np.array(value, dtype=object) for name, value in given.items()}
        points = np.array([[Fraction(0)], [Fraction(1)]], dtype=object)
        return types.SimpleNamespace(x=points, group=np.array([0, 1]), **arrays)

    with interval_precision(80):
        nothing = iv.mpf(0)
        for steps, movers, truth in ((2, 2, Fraction(3, 4)), (2, 1, Fraction(1, 2)), (1, 2, 0), (3, 2, Fraction(15, 16))):
            escaped, dropped = w.paths.escapes(chain(steps), nothing, movers)
            holds(escaped, truth, Fraction(1, 2**60))
            holds(dropped, {(2, 1): Fraction(1, 4)}.get((steps, movers), 0))
            assert movers == 1 or ends(dropped)[1] < Fraction(1, 2**60)
        # Where a token may stray and come back, states are reached in several ways.
        for steps, eps, gamma in product((3, 4), ("5/8", "4/5"), ("1/2", "3/4")):
            escaped, _ = w.paths.escapes(chain(steps, 0, eps, gamma), nothing, 2)
            holds(escaped, chance_of_escape((Fraction(0), Fraction(1)), steps - 1, Fraction(eps), Fraction(gamma)))
        # At beta = 2 a token at 1 picks 0 with chance 1 / (1 + e^2), one at 0 either with 1/2.
        escaped, _ = w.paths.escapes(chain(2, 2), nothing, 2)
        holds(escaped, true(lambda x: 1 - x.exp() / (1 + x.exp()) / 2, 2), Fraction(1, 2**60))
        # A negligible pick is dropped, and counted as such.
        escaped, dropped = w.paths.escapes(chain(2, 2), iv.mpf(1) / 4, 2)
        holds(escaped + dropped, true(lambda x: 1 - x.exp() / (1 + x.exp()) / 2, 2))
        # Ratios of logarithms: P is at most 1.
        found = w.paths._log_ratio(exact(w, -3)[0], exact(w, Fraction(1, 4))[0], exact(w, 2)[0])
        holds(found, -3)
        holds(found, true(lambda x: x.log() - 3, 4))
        assert ends(found)[0] >= -3 - Fraction(1, 2**40)
