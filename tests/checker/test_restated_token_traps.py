# ruff: noqa: E501 -- states of a family in one line
"""The traps of tokens as the independent checker states them: the same as the suite's at the edge of each region and beyond.

Two statements of one lemma are put to the same exact states, just inside of the region and just outside, with tokens that
coincide and with ties. Bugs planted in the checker's are noticed.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from flint import arb, fmpq
from mpmath import iv

from dynamics import limits
from dynamics.arithmetic import UndecidedError, fraction, working_precision
from dynamics.checker import token_traps as second_token_traps
from dynamics.checker.intervals import interval, interval_precision
from dynamics.checker.traps import UncaughtError
from dynamics.tokens.perceptron import PerceptronFlow
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.tokens.two_starts import TwoStarts
from tests.checker.worlds import ends as ends_of_intervals
from tests.limits.test_special_starts import GATHERED, line
from tests.planting import LONG, bugs_in, todays_share

BITS = 128


# ---------------------------------------------------------------------------------------------------------------------
# The two statements


def plain(system):
    return {name: lists(array.tolist()) for name, array in system.arrays().items()}


def lists(value):
    return [lists(entry) for entry in value] if isinstance(value, list) else fraction(value)


def first_statement(name, state, start, module=limits):
    """What the suite's trap shows, None where it does not catch."""
    with working_precision(BITS):
        try:
            return getattr(module, name)(state, start)
        except UndecidedError:
            return None


def second_statement(name, state, start, module=second_token_traps):
    """What the checker's trap shows, None where it does not catch."""
    with interval_precision(BITS):
        arrays = {key: lifted(value) if key in state.moving else value for key, value in plain(state).items()}
        try:
            return getattr(module, name)(type(state).__name__, arrays, plain(start))
        except (UncaughtError, module.UncaughtError):
            return None


def lifted(value):
    return [lifted(entry) for entry in value] if isinstance(value, list) else interval(value)


def ends(value):
    """Both ends of a number, exactly."""
    if isinstance(value, arb | iv.mpf):
        return ends_of_intervals(value)
    exact = value if isinstance(value, Fraction) else fraction(value) if isinstance(value, fmpq) else Fraction(int(value))
    return exact, exact


def agree(found, end):
    """Fail where what the checker's trap shows is not what the suite's shows."""
    for name, value in found.items():
        told = getattr(end, name)
        if value is None or told is None:
            assert value is told, name
            continue
        one, other = np.array(value, dtype=object), np.asarray(told, dtype=object)
        assert one.shape == other.shape, name
        for a, b in zip(one.flat, other.flat, strict=True):
            (low, high), (below, above) = ends(a), ends(b)
            room = (high - low) / 2**20 + (1 + abs(low) + abs(high)) / 2**60
            assert abs(low - below) <= room, name
            assert abs(high - above) <= room, name


# ---------------------------------------------------------------------------------------------------------------------
# States at the edges


def rescaled(z, B=((1, 0), (0, 1)), V=((1, 0), (0, 1)), t=0):
    return RescaledFlow.instance(z=z, B=[list(row) for row in B], V=[list(row) for row in V], t=t)


def pairs(tokens, mu, b):
    """The tokens and their mirror images."""
    d = len(tokens[0])
    B, V = ([[(1 if i == 0 else -number(size)) if i == k else 0 for i in range(d)] for k in range(d)] for size in (b, mu))
    mirrored = [[row[0], *(-number(value) for value in row[1:])] for row in tokens]
    return RescaledFlow.instance(z=[*tokens, *mirrored], B=B, V=V)


def times(s, rows, along=None):
    return [
        [s * fmpq(v) if along is None or k < along else fmpq(v) for k, v in enumerate(map(number, row))] for row in rows
    ]


def number(value):
    value = value if isinstance(value, Fraction) else fraction(value) if isinstance(value, fmpq) else Fraction(value)
    return fmpq(value.numerator, value.denominator)


SKEW = ((1, "1/2"), (-1, 1))
HALVES = (((4, 0, 1), (0, 4, 2), (4, 4, 1)), ((4, 0, 1), (0, 4, 1), (4, 3, 1)), ((4, 2, 1), (1, 4, 3), (2, 1, 4)))
DRAWN = np.random.default_rng(14).integers(-16, 17, (5, 4, 2)).tolist()

FAMILIES = {
    "leader_trap": [
        lambda s: rescaled(times(s, [[1, 0], ["9/8", 2], ["9/8", "-7/4"]])),
        lambda s: rescaled(times(s, [[1, "1/4"], [2, 1], [2, -2], [2, 1]]), t="1/4"),
        lambda s: rescaled(times(s, [[1, 0], ["3/2", 0]])),  # one class
        lambda s: rescaled(times(s, [[1, 0], [0, "5/4"]])),  # nobody follows
        lambda s: rescaled(times(s, [[1, 0], [0, 1], [0, 1], [0, 1]])),
        lambda s: rescaled(times(s, [[1, 0], [1, "1/8"], [-1, 0], [-1, "-1/8"], [-1, "1/8"], [-1, "1/8"]]), SKEW),
        lambda s: rescaled(times(s, [[2, 0], [0, 2], ["9/8", "1/2"]]), V=((2, 0), (0, 2)), t="1/8"),
        lambda s: rescaled(times(s, [*[["-1/2"]] * 20, ["3/2"]]), [[1]], [[1]]),
        lambda s: rescaled([*[[-s]] * 20, ["297/100"]], [[1]], [[1]]),  # twenty prefer themselves by little
        lambda s: rescaled(times(s, [["1/2"], *[["3/2"]] * 9, ["-3/2"]]), [[1]], [[1]]),
        lambda s: SelfAttentionFlow.instance(x=times(s, [[1, 0], ["1/2", 2], [-1, -1]])),
        *(lambda s, z=z: rescaled(times(s / 8, z)) for z in DRAWN),
        *(lambda s, z=z: rescaled(times(s / 8, [*z, z[0]]), SKEW) for z in DRAWN),
    ],
    "threshold_trap": [
        lambda s: rescaled([[s], ["-1/2"], ["-1/4"]], [[1]], [[1]]),
        lambda s: rescaled(times(s, [[1], ["3/4"], [-1], [-1]]), [[2]], [[1]], "1/4"),
        lambda s: rescaled(times(s, [[1], ["3/4"]]), [[1]], [[2]]),
        lambda s: rescaled(times(s, [[-1], ["-3/4"], ["-3/4"]]), [[1]], [[1]]),
        lambda s: rescaled(times(s, [[1]]), [[1]], [[1]]),
        lambda s: SelfAttentionFlow.instance(x=times(s, [["1/2"], [1], [-1]])),
        lambda s: SelfAttentionFlow.instance(x=times(s, [["-1/8"], [2], ["-1/2"], ["5/2"]])),
    ],
    "symmetry_trap": [
        lambda s: rescaled(times(s, [[1, 0], [2, 1], [2, -1]])),
        lambda s: rescaled(times(s, [[-1, 0], [0, 0], [1, 0]])),
        lambda s: rescaled(times(s, [[1, 0], [2, 1], [2, -1], [1, 0]]), t="1/8"),
        lambda s: rescaled(times(s, [[0, 0], [2, 1], [-2, -1], [1, 1], [-1, -1]])),
        lambda s: rescaled(times(s, [[1, 1], [1, -1], ["-1/10", 0]]), ((-1, 0), (0, 4))),
        lambda s: rescaled(times(s, [[1, 1], [1, -1], ["1/2", 0], [-1, 0]])),
        lambda s: rescaled(times(s, [[1, 1], [1, -1], ["1/2", 0], [-1, 0], [1, 1]])),  # weights part what a mirror joins
        lambda s: rescaled(times(s, [[2, 0], [0, 1], [0, -1], ["1/8", 0]]), SKEW),
        # Half of the scores are the same after an exchange, or a turn.
        *(lambda s, B=B: rescaled(times(s, np.eye(3, dtype=int).tolist()), B, np.eye(3, dtype=int).tolist()) for B in HALVES),
        lambda s: rescaled([[0, 0], [0, 0]]),
        lambda s: rescaled(times(s, [[1, 1], [1, -1], [1, 0]])),
        lambda s: rescaled(times(s, [[2, 1], [1, 2], ["3/2", "3/2"], ["3/2", "3/2"]]), t="1/8"),
        lambda s: SelfAttentionFlow.instance(x=times(s, [[1, 1], [1, -1], [1, 0]])),
        lambda s: rescaled(times(s, [[1, 1], [1, -1], [1, 0], ["1/2", 0]])),
    ],
    "product_trap": [
        lambda s: rescaled(times(s, [[a, b] for a in (-1, 0, 1) for b in (-1, 0, 1)])),
        lambda s: rescaled(times(s, [[b, a] for a in (2, -1) for b in (-1, 0, 1, 1)]), ((2, 0), (0, 1)), t="1/8"),
        lambda s: rescaled(times(s, [[a, b] for a in (2, -1) for b in (-1, 0, 1)]), SKEW),
        lambda s: rescaled(times(s, [[a, b] for a in (2, -1) for b in (-1, 0, 1)]), ((1, 0), ("1/2", 1))),
        lambda s: rescaled(times(s, [[a, b] for a in (2, -1) for b in (-1, 0, 1)]), ((1, "1/2"), (0, 1))),
        lambda s: rescaled(
            times(s, [[a, c, b] for a, b in ([1, 0], [2, 1], [2, -1]) for c in (1, -2)]),
            ((1, 0, "1/4"), (0, 1, 0), ("-1/4", 0, 1)),
            ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ),
        lambda s: SelfAttentionFlow.instance(x=times(s, [[a, b] for a in (1, 2) for b in (1, -1)])),
        lambda s: rescaled(times(s, [[1, 1], [1, -1], [1, 0], [2, 0], [2, 1]])),
        lambda s: rescaled(times(s, [[1, 1], [1, -1], [2, 1], [2, -1], [2, -1]])),
    ],
    "tokens_trap": [
        lambda s: rescaled(times(s, [[1, 0], [2, 1], [2, -1]])),
        lambda s: rescaled(times(s, [[1, 0], ["9/8", 2], ["9/8", "-7/4"]])),
    ],
    "line_trap": [
        lambda s: rescaled(times(s, [[1], ["3/4"], [-1], [-1]]), [[2]], [[1]], "1/4"),
        lambda s: rescaled(times(s, [[-1], [0], [1]]), [[1]], [[1]]),  # tied at 0
        lambda s: rescaled([[s], ["-1/8"]], [[1]], [[1]]),
    ],
    "classes_trap": [
        lambda s: rescaled(times(s, [[1, "1/8"], [1, "-1/8"], [-1, 0], ["-15/16", "1/8"]])),
        lambda s: rescaled(times(s, [[1, "1/8"], [1, "-1/8"], [-1, 0], [-1, 0], [-1, "1/16"]]), SKEW, t="1/8"),
        lambda s: SelfAttentionFlow.instance(x=times(s, [[1], ["9/8"], [-1]])),
    ],
    "hyperplanes_trap": [
        lambda s, sign=sign, V=V: rescaled(
            times(s, [[1, "1/2"], ["3/2", "-1/4"], ["5/4" if sign < 0 else "-5/4", 1]], 1),
            ((sign, "1/2"), ("-1/4", 1)),
            V,
            "1/8",
        )
        for sign, V in (
            (1, ((1, 0), (0, "1/2"))),
            (-1, ((2, "1/4"), (0, -1))),
            (2, ((2, "1/4"), (0, -1))),
            (-1, ((1, 0), (0, 0))),
            (1, ((1, 0), (0, 0))),
        )
    ]
    + [
        lambda s, rows=rows: rescaled(times(s, rows, 1), ((1, "1/2"), ("-1/4", 1)), ((1, 0), (0, "1/2")), "1/8")
        for rows in ([[1, "1/2"], [-1, "-1/2"], [0, 0]], [[1, "1/2"], [-1, "-1/4"], [0, 0]])
    ]
    + [lambda s: rescaled(times(s, [[1, "1/2"], [-1, "-1/2"]], 1), ((-1, "1/2"), ("-1/4", 1)), ((1, 0), (0, "1/2")), "1/8")],
    "polytope_trap": [
        lambda s, V=V, B=B: rescaled(times(s, [[1, "1/2", 1], ["-3/2", "1/4", "1/2"], ["1/4", -1, "-1/2"]], 2), B, V, "1/8")
        for V, B in (
            (((1, 0, "1/8"), (0, 1, 0), (0, 0, "1/2")), ((2, "1/2", "1/4"), ("1/2", 1, 0), ("-1/2", "3/8", 1))),
            (((2, 0, 0), (0, 2, 0), (0, 0, -1)), ((2, "1/2", "1/4"), ("1/2", 1, 0), ("-1/2", "3/8", 1))),
            (((1, 0, 0), (0, 1, 0), (0, 0, 0)), ((1, 0, 0), (0, 1, 0), (0, 0, 0))),
        )
    ]
    + [
        lambda s, rows=rows: rescaled(times(s, rows, 2), np.eye(3, dtype=int), ((1, 0, 0), (0, 1, 0), (0, 0, "1/4")))
        for rows in ([[1, "1/4", "1/2"], [-1, "-1/4", "-1/2"], [0, 0, 0]], [[1, "1/4", 0], [-1, "1/4", 0], [0, 0, 0]])
    ],
    "frozen_trap": [
        lambda s: line([-s, -17, -18]),
        lambda s: line(["-1/8", "-1/4", -s], B=2, V="1/2"),
        lambda s: line([-s, -s - fmpq(1, 8), -s - fmpq(1, 4), -s - 1], W=3, t="1/4"),
        lambda s: line([-2, -1, "-9/8"], B=s, V="1/2", W="1/2"),
        lambda s: line([-2, -1], W=1 / s),
        lambda s: line([-2, "-19/10", "-1/10", "-1/5", "-3/10"], B=s, W="1/1000"),
    ],
    "pairs_trap": [
        lambda s: pairs([["-1/8", s, 0], ["1/8", 0, s]], 1, 1),
        lambda s: pairs(times(s / 8, [[-1, 7, 0], [0, 0, 7], [1, 5, 5], [2, 5, -5]]), 2, 1),
        lambda s: pairs([["-1/2", s], ["1/2", s + 1]], "3/2", "1/2"),
        lambda s: pairs([["1/64", 4, 0], ["1/32", 0, 4]], 1, s),
        lambda s: pairs([["-1/64", 3, 0], ["1/64", 0, 3], ["2", s, s]], 1, 1),
    ],
}  # fmt: skip

SINGLE = {
    "collapse_trap": [
        SelfAttentionFlow.instance(x=[[1, 0], [0, 2], [1, 1]], V=[[-1, 0], [0, -1]], B=[[2, 1], [1, 1]]),
        SelfAttentionFlow.instance(x=[[1, 2], [1, 2]], V=[[-2, 0], [0, -2]]),
        SelfAttentionFlow.instance(x=[[1, 2], [-1, -2], [0, 0]], V=[[-1, 0], [0, -1]]),
        SelfAttentionFlow.instance(x=[[1, 2], [0, 1]], V=[[-1, 0], [0, -1]], B=[[1, 0], [0, 0]]),
        SelfAttentionFlow.instance(x=[[1, 2], [0, 1]], V=[[-1, 0], [0, -1]], B=[[2, 1], [0, 2]]),
        SelfAttentionFlow.instance(x=[[1, 2], [0, 1]], V=[[-1, 0], [0, 1]]),
        SelfAttentionFlow.instance(x=[[1, 2], [0, 1]]),
        rescaled([[1, 2], [0, 1]], V=((-1, 0), (0, -1))),
    ],
    "corners_trap": [
        rescaled([[1, 2], [1, -2], [-1, 2], [-1, -2]], V=((2, 0), (0, 1))),
        rescaled([[-3], [3]], [[2]], [[1]]),
        rescaled([[1, 2], [1, -2], [-1, 2], [-1, -2]], V=((2, 1), (0, 1))),
        rescaled([[1, 2], [1, -2], [-1, 2], [-1, -2]], V=((2, 0), (0, -1))),
        rescaled([[1, 2], [1, -2], [-1, 2], [-1, -2]], B=((0, 0), (0, 1))),
        rescaled([[1, 2], [1, -2], [-1, 2]]),
        rescaled([[1, 2], [1, -2], [-1, 2], [-1, 2]]),
        rescaled([[1, 2], [1, -2], [-1, 2], [-1, -3]]),
        rescaled([[1, 0], [1, 0], [-1, 0], [-1, 0]]),
        SelfAttentionFlow.instance(x=[[1], [-1]]),
    ],
    "frozen_trap": [
        line([-3, 1, -9]),
        line([-3, -3, -9]),
        line([-3]),
        line([-3, -9], W=-1),
        PerceptronFlow.instance(z=[[-9, 0], [-3, 0]]),
        rescaled([[-9], [-3]], [[1]], [[1]]),
    ],
    "pairs_trap": [
        pairs([[-1, 5, 0, 0], [0, 0, 5, 0], ["1/4096", 0, 0, 5]], 1, "1/2"),
        pairs([[0, 9, 0], [1, 0, 9]], "1/2", 1),
        pairs([[0, 9, 0], [1, 0, 9]], 1, -1),
        pairs([[0, 9, 0], [1, 0, 0]], 1, 1),
        pairs([[0, 9, 0], [0, 9, 0]], 1, 1),
        pairs([[0, 9, 0], [0, 0, 9]], 1, 1),
        rescaled([[0, 9], [0, -9], [1, 4]], ((1, 0), (0, -1)), ((1, 0), (0, -1))),
        rescaled([[0, 9], [0, -9]], ((1, 0), (0, -1)), ((1, 0), (0, -1)), t=1),
        rescaled([[9], [-9]], [[1]], [[1]]),
    ],
    "triangle_trap": [
        SelfAttentionFlow.instance(x=x, B=B, V=[[v, 0], [0, v]])
        for x, B, v in (
            ([[3, 0], [0, 3], [-3, -3]], [[1, -6], [5, 1]], -1),
            ([[2, 0], [0, 2], [-2, -2]], [[2, 5], [-7, 2]], "-1/2"),
            ([[-2, 0], [0, -2], [2, 2]], [[2, 5], [-7, 2]], "-1/2"),
            ([["1/8", 0], [0, "1/8"], ["-1/8", "-1/8"]], [[1, -6], [5, 1]], -1),  # small: it shrinks
            ([[2, 0], [0, 2], [-2, -2]], [[1, "-9/4"], ["5/4", 1]], -1),  # grows only when large
            ([[1, 0], [0, 1], [-1, -1]], [[1, "-9/4"], ["5/4", 1]], -1),
            ([[3, 0], [0, 3], [-3, -3]], [[1, "-3/2"], ["1/2", 1]], -1),
            ([[3, 0], [0, 3], [-3, -3]], [[1, -6], [5, 1]], 1),
            ([[3, 0], [0, 3], [-3, -3]], [[1, -6], [6, 1]], -1),
            ([[3, 0], [0, 3], [-3, -3]], [[1, -6], [5, 2]], -1),
            ([[3, 0], [0, 3], [-3, 3]], [[1, -6], [5, 1]], -1),
            ([[0, 0], [0, 0], [0, 0]], [[1, -6], [5, 1]], -1),
            ([[3, 0], [-3, 0]], [[1, -6], [5, 1]], -1),
        )
    ],
    "mirrored_trap": [
        *(rescaled([[2], [-2]], [[b]], [[v]]) for v in (2, -3) for b in ("1/2", -2)),
        SelfAttentionFlow.instance(x=[["-1/2"], ["1/2"]], B=[[-1]], V=[[1]]),
        *(rescaled([[2], [-2]], [[b]], [[v]]) for v, b in ((0, 1), (1, 0))),
        *(rescaled(z, [[1]], [[1]]) for z in ([[2], [-1]], [[0], [0]], [[2], [-2], [0]])),
        rescaled([[2, 0], [-2, 0]]),
        line([2, -2]),
    ],
    "gathering_trap": [start for start, _ in GATHERED],
    "between_trap": [
        TwoStarts.instance(x=[[x], [a]], y=[[y], [b]], B=[[B]], V=[[V]])
        for x, y, a, b, B, V in (
            (-2, "-1/8", 2, 2, 1, 1),
            (-2, "1/8", 2, 2, 1, 1),
            ("-2", "1/4", 1, 1, 1, 1),
            (-2, "1/8", "7/8", "7/8", 1, 1),
            (-2, "1/8", 2, 3, 1, 1),
            (-2, -3, 2, 2, 1, 1),
            (2, 3, 2, 2, 1, 1),
            (-2, "1/8", 2, 2, 2, 1),
            (-2, "1/8", 2, 2, 1, 2),
        )
    ],
    "leader_trap": [rescaled([[2, 0], [0, 2]], V=((1, 0), (0, 2))), rescaled([[2, 0], [0, 2]], V=((0, 0), (0, 0)))],
    "symmetry_trap": [rescaled([[2, 0], [0, 2]], V=((-1, 0), (0, -1)))],
    "threshold_trap": [rescaled([[2], [3]], [[-1]], [[1]]), rescaled([[0], [3]], [[1]], [[1]])],
    "hyperplanes_trap": [
        rescaled([[2, 0], [-2, 1]], V=((1, 1), (0, 1))),  # a Jordan block
        rescaled([[2, 0], [-2, 1]], V=((1, 0), (0, -1))),  # as large on the other side
        rescaled([[2, 0], [-2, 1]], V=((0, 1), (-1, 0))),
        rescaled([[2, 0], [-2, 1]], V=((1, 1), (1, 0))),  # irrational
        rescaled([[2, 0], [-2, 1]], B=((0, 1), (1, 1)), V=((1, 0), (0, 0))),
        rescaled([[4, 0, 1], [-4, 1, 0]], ((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((1, 0, 0), (0, "1/4", 4), (0, 0, "1/4"))),
        rescaled([[9, 0, 1], [-9, 1, 0]], ((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((1, 0, 0), (0, 0, "1/2"), (0, "-1/2", 0))),
        rescaled([[9, 0, 1], [-9, 1, 0]], ((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((1, 0, 0), (0, 0, "1/2"), (0, "-1/3", 0))),
    ],
    "polytope_trap": [
        rescaled([[9, 0, 1], [-9, 1, 0]], ((1, 2, 0), (0, 1, 0), (0, 0, 1)), ((1, 0, 0), (0, 1, 0), (0, 0, 0))),
        rescaled([[9, 0], [-9, 1]], V=((3, 0), (0, 3))),
        rescaled([[9, 0], [-9, 1], [0, 0]]),
    ],
}  # fmt: skip


@cache
def cases(name):
    """States at the edges of the region and their starts, mostly the same, with what the suite's trap shows of each."""
    found = [(state, state) for one in SINGLE.get(name, ()) for state in (one, *doubled(one))]
    for make in FAMILIES.get(name, ()):
        low, high = fmpq(1, 64), fmpq(16)
        inside, outside = (first_statement(name, make(s), make(s)) is not None for s in (high, low))
        # Far inside, far outside, and at scales between.
        found += [(make(s), make(s)) for s in (high, low, fmpq(1), fmpq(7, 4), fmpq(4), fmpq(12))]
        if name in LED:
            found.append((make(fmpq(6)), make(fmpq(1))))
        if not inside or outside:
            continue
        for _ in range(24 if LONG else 12):
            middle = (low + high) / 2
            caught = first_statement(name, make(middle), make(middle)) is not None
            low, high = (low, middle) if caught else (middle, high)
        found += [(make(s), make(s)) for s in (low, high, high * fmpq(9, 8), high * fmpq(3, 2))]
    return [(state, start, first_statement(name, state, start)) for state, start in found]


@cache
def said_again(name):
    """The same states and starts, with what the checker's trap shows of each."""
    return [(state, start, second_statement(name, state, start)) for state, start, _ in cases(name)]


def doubled(state):
    """The same with its first token once more: a start with each token once is another start."""
    name = "z" if hasattr(state, "z") else "x"
    if not isinstance(state, TwoStarts):
        array = getattr(state, name)
        yield type(state).instance(**state.arrays() | {name: np.concatenate([array, array[:1]])})


LED = ("leader_trap", "threshold_trap", "symmetry_trap", "product_trap", "hyperplanes_trap", "polytope_trap")
"""Traps that look at a later state than the start."""

NAMES = sorted({*FAMILIES, *SINGLE})


def compared(name, module):
    """How many states are caught, and how many not; fails where the two statements do not agree."""
    counts = [0, 0]
    # The edge itself is last in each family, and shows what states far from it do not.
    for state, start, end in reversed(cases(name)):
        found = second_statement(name, state, start, module)
        assert (found is None) == (end is None), "caught, or not"
        counts[end is None] += 1
        if end is not None:
            agree(found, end)
    return counts


# Each trap is stated twice apart from the others: another half of them each day.
@pytest.mark.parametrize("name", todays_share(2, NAMES))
def test_the_two_statements_agree_at_the_edge(name):
    caught, missed = compared(name, second_token_traps)
    assert caught >= 2
    assert missed >= (0 if name == "tokens_trap" else 1)


def test_every_trap_is_asked():
    assert {trap.__name__ for trap in second_token_traps.TRAPS} == {*NAMES}


def test_the_start_says_what_coincides():
    start, state = rescaled([[4, 0], [8, 4], [8, 4]]), rescaled([[4, 0], [8, 4], [12, 4]])
    assert second_statement("leader_trap", state, start)["leaders"] == [1, 1, 1]
    assert second_statement("leader_trap", state, state)["leaders"] == [2, 2, 2]


@pytest.mark.parametrize("name", ["leader_trap", "threshold_trap", "symmetry_trap", "classes_trap"])
@pytest.mark.parametrize("width", [1, "inf"])
def test_an_open_margin_catches_nothing(name, width):
    rows, one = [[Fraction(3)], [Fraction(-3)]], [[Fraction(1)]]
    start = {"z": rows, "t": Fraction(0), "B": one, "V": one}
    trap = getattr(second_token_traps, name)
    assert trap("RescaledFlow", start | {"t": iv.mpf(0)}, start)["count"] == 2
    with pytest.raises(UncaughtError):
        trap("RescaledFlow", start | {"z": [[iv.mpf([f"-{width}", width])], [iv.mpf(-3)]], "t": iv.mpf(0)}, start)


def test_the_gap_constant_is_enclosed_tightly():
    with interval_precision(BITS):
        for n in (2, 3, 10, 1000):
            w = second_token_traps.gap_constant(n)
            goal = (n - 1) / iv.exp(iv.mpf(1))
            assert (w.a * iv.exp(w.a)).b < goal.a
            assert goal.b < (w.b * iv.exp(w.b)).a
            assert w.delta < iv.mpf(2) ** -90
        assert second_token_traps.gap_constant(1) == 0


# ---------------------------------------------------------------------------------------------------------------------
# Planted bugs


@bugs_in(second_token_traps)
def test_a_planted_bug_is_noticed(bug):
    with pytest.raises(AssertionError):
        compared(bug.fact, bug.planted())
