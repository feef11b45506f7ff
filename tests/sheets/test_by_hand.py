"""Every printed statement that a sheet calls false is refuted here again, with fractions and whole numbers alone.

The numbers are read from the lines of the sheet, in TeX: what a reader would check with pencil and paper.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

from claims.catalogue import catalogue
from claims.sheets.sheet import lines_of, sheet_of
from claims.statement import PAPERS

HALF = Fraction(1, 2)
_NUMBER = re.compile(r"-?\\tfrac\{?(\d+)\}?\{?(\d+)\}?|-?\d+")

Check = Callable[[Sequence[list[Fraction]]], None]
CHECKS: dict[str, Check] = {}


def numbers(line: str) -> list[Fraction]:
    """The whole numbers and fractions of a line, from left to right, without those in scripts."""
    found = []
    for match in _NUMBER.finditer(re.sub(r"[_^](\{[^{}]*\}|\w)", " ", line)):
        sign = -1 if match[0].startswith("-") else 1
        found.append(sign * Fraction(int(match[1]), int(match[2])) if match[1] else Fraction(int(match[0])))
    return found


def of(name: str) -> Callable[[Check], Check]:
    """Register what refutes a claim, given the numbers of each line."""

    def register(check: Check) -> Check:
        CHECKS[name] = check
        return check

    return register


def rows() -> dict[str, Sequence[str]]:
    """The lines of every row of a part A, by claim."""
    papers = [next(claim.paper for claim in catalogue().values() if claim.paper.key == key) for key in PAPERS]
    return {row.claim.id: row.lines for paper in papers for row in sheet_of(paper).parts["A"]}


def ends(line: Sequence[Fraction], *wanted: Fraction | int) -> bool:
    """Whether a line ends with these numbers."""
    return list(line[-len(wanted) :]) == [Fraction(one) for one in wanted]


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


@of("clusters.attention_rank_is_at_most_the_number_of_vertices")
def _(lines):
    left, middle, right = lines[0][-4:-1]  # the tokens, before the 0 of "-x(t), 0, x(t)"
    assert (left, middle, right) == (-1, 0, 1)
    scores = [middle * token for token in (left, middle, right)]
    assert len(set(scores)) == 1  # equal scores: weights 1/3
    assert [Fraction(1, 3)] * 3 == lines[1][-3:]
    limits = [(1, 0, 0), (Fraction(1, 3),) * 3, (0, 0, 1)]
    a, b, c = limits
    determinant = sum(
        sign * a[i] * b[j] * c[k]
        for (i, j, k), sign in {
            (0, 1, 2): 1,
            (1, 2, 0): 1,
            (2, 0, 1): 1,
            (2, 1, 0): -1,
            (1, 0, 2): -1,
            (0, 2, 1): -1,
        }.items()
    )
    assert determinant != 0
    assert ends(lines[3], 3, 2)


@of("clusters.softmax_drift_is_near_the_sum_over_leaders")
def _(lines):
    first, second = Fraction(0), Fraction(1)
    assert {first, second} <= set(lines[0])
    weights = [HALF, HALF]  # the scores first * first and first * second are equal
    assert first * first == first * second
    drift = sum(weight * (token - first) for weight, token in zip(weights, (first, second), strict=True))
    total = sum(token - first for token in (first, second))
    assert ends(lines[1], drift)
    assert ends(lines[2], total)
    assert drift != total


@of("clusters.scores_expand_in_different_eigenvectors")
def _(lines):
    z = Fraction(1)
    assert lines[1][-2:] == [z * z, 0]
    assert z * z != sum((), Fraction(0))


@of("clusters.tokens_leave_the_inside_of_the_polytope")
def _(lines):
    tokens = [(-1, 0), (0, 0), (1, 0)]
    assert lines[0][-6:] == [entry for token in tokens for entry in token]
    middle = tokens[1]
    assert len({middle[0] * token[0] + middle[1] * token[1] for token in tokens}) == 1
    pull = [mean([Fraction(token[k]) for token in tokens]) - middle[k] for k in range(2)]
    assert pull == [0, 0]  # V times nothing is nothing
    assert lines[1][-2:] == pull


@of("clusters.boolean_rows_converge_doubly_exponentially")
def _(lines):
    # At (0, 1) the first token weighs both alike: it starts to the right, while (-1, 1) is symmetric.
    assert mean([Fraction(0), Fraction(1)]) == HALF
    assert HALF in lines[0]
    # Where x_1 x_2 and x_1^2 tend to 0 both scores do, and both weights tend to 1/2, not to 0.
    assert lines[3][-2:] == [HALF, 0]


@of("frank_wolfe.tokens_contract_to_the_origin")
def _(lines):
    first, second = lines[0][3:5]
    assert (first, second) == (1, -2)
    assert second <= 0 <= first
    tokens = (first, second)
    targets = [max(tokens, key=lambda y, x=x: -x * y) for x in tokens]
    after = [x + HALF * (y - x) for x, y in zip(tokens, targets, strict=True)]
    assert after[0] == after[1] != 0
    assert all(after[0] in line for line in lines[2:])


@of("frank_wolfe.tokens_collapse_to_the_origin")
def _(lines):
    first, second = Fraction(0), Fraction(1)
    assert first * first == first * second  # equal scores
    moved = first + HALF * (mean([first, second]) - first)
    assert ends(lines[1], moved)
    # e > 1, so the other token's mean is above 1/2, and it lands above the first one's place.
    assert moved > 0
    assert HALF * second + HALF * HALF > moved


@of("polarization.average_moves_by_printed_jacobian")
def _(lines):
    s = [HALF, HALF]
    J = [[(s[i] if i == j else 0) - s[i] * s[j] for j in range(2)] for i in range(2)]
    square = [[sum(J[i][k] * J[k][j] for k in range(2)) for j in range(2)] for i in range(2)]
    assert lines[1] == [*(entry for row in J for entry in row), *(entry for row in square for entry in row)]
    assert lines[2][-2:] == [J[0][0], square[0][0]]  # V picks the first row and column
    assert lines[3][0] == J[0][0] - square[0][0] != 0


@of("polarization.reduced_flow_with_printed_sign")
def _(lines):
    slope = Fraction(1, 1 + 1)  # 1 / (1 + e^0)
    assert ends(lines[1], slope)
    assert ends(lines[2], -slope)
    assert slope != -slope
    s, u = [HALF, HALF], [Fraction(1), Fraction(-1)]
    m = sum(weight * value for weight, value in zip(s, u, strict=True))
    assert lines[3] == [2, 0, 0, *u, m, 0, -slope * s[0] * (u[0] - m)]
    higher = [Fraction(2, 3), Fraction(1, 3)]  # s with a_0 raised by log 2
    assert sum(weight * value for weight, value in zip(higher, u, strict=True)) > m  # so L falls: a_0 is to rise


@of("polarization.regression_flow_with_printed_sign")
def _(lines):
    v = Fraction(0)
    assert ends(lines[1], 1 - v)
    assert ends(lines[2], -(1 - v))
    assert 1 - v != -(1 - v)


@of("polarization.gaps_grow_for_all_pairs")
def _(lines):
    u = lines[0][-2:]
    assert u[0] > u[1]
    rise = Fraction(1)  # whatever the rise of u_0 - u_1 is, u_1 - u_0 rises by minus that
    assert not (rise > 0 and -rise > 0)


@of("polarization.score_gaps_grow")
def _(lines):
    u, s = [Fraction(2), Fraction(1), Fraction(0)], [Fraction(1, 3)] * 3
    assert lines[0][-9:-6] == u
    assert lines[0][-5:-2] == s
    gap_at_the_start, gap_later, limit = s[1] - s[2], Fraction(1, 10**9), Fraction(0)
    assert gap_at_the_start == limit < gap_later  # it rises from 0 and returns to 0: it cannot increase throughout
    ratio, bounded, margin = Fraction(1001, 1000), 10, 10**6  # e^{a_1 - a_2}, |u_1| and |u_2|, m
    assert (margin + bounded) - ratio * (margin - bounded) < 0  # the bracket at its largest


@of("polarization.increasing_map_keeps_order")
def _(lines):
    a, u = [Fraction(0), Fraction(0)], [Fraction(1), Fraction(0)]
    value, slope = Fraction(-1), Fraction(1)  # of -e^{-x} and of x - 1 at 0
    F = value * len(a)
    weights = [value / F for _ in a]
    m = sum(w * one for w, one in zip(weights, u, strict=True))
    velocity = [slope * (one - m) / F for one in u]  # times gamma > 0
    assert ends(lines[0], F, *weights)
    assert velocity == [Fraction(-1, 4), Fraction(1, 4)]
    assert all(one in lines[1] for one in velocity)
    assert a[0] == a[1]
    assert velocity[0] < velocity[1]
    assert lines[0][1:4] == [value, 0, slope]  # "f(0) = -1 and f'(0) = 1"


@of("polarization.scores_move_with_spurious_gamma")
def _(lines):
    # 2 < e < 3 bounds gamma (1 - gamma) = e / (1 + e)^2 away from 0.
    assert Fraction(2, 16) < Fraction(1966, 10000) < Fraction(3, 9)
    assert ends(lines[1], 0)
    shown = re.search(r"= (0\.\d+)\\ldots", rows()["polarization.scores_move_with_spurious_gamma"][2])[1]
    terms = sum(Fraction(1, math.factorial(k)) for k in range(18))
    e = terms, terms + Fraction(1, 10**15)
    low, high = e[0] / (1 + e[1]) ** 2, e[1] / (1 + e[0]) ** 2
    assert Fraction(shown) <= low <= high < Fraction(shown) + Fraction(1, 10**4)


@of("polarization.margin_exceeds_share_of_leader")
def _(lines):
    u = [Fraction(1), Fraction(-1)]
    assert lines[0][-5:-3] == u
    assert ends(lines[0], HALF, HALF)
    m = sum(HALF * value for value in u)
    assert m < u[0] / 2
    assert m in lines[1]
    assert ends(lines[1], u[0] / 2)


@of("polarization.square_gradient_without_half")
def _(lines):
    v, target = Fraction(0), Fraction(1)
    assert ends(lines[1], -2 * (v - target))
    assert ends(lines[2], target - v)
    assert -2 * (v - target) != target - v


def dot(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))


Near = Callable[[Fraction, Fraction, Fraction], bool]
"""Whether a score is near the best one, given their difference, the best score and the squared norm of the token."""


def after(tokens: Sequence[Sequence[Fraction]], near: Near, own: bool = False) -> list[list[Fraction]]:
    """The tokens half way to the mean of those whose scores are near the best, with one's own if `own`."""
    moved = []
    for i, x in enumerate(tokens):
        scores = [dot(x, y) for y in tokens]
        best = max(scores)
        kept = [
            y
            for j, (y, score) in enumerate(zip(tokens, scores, strict=True))
            if near(best - score, best, dot(x, x)) or (own and i == j)
        ]
        moved.append([(a + mean(column)) / 2 for a, column in zip(x, zip(*kept, strict=True), strict=True)])
    return moved


READINGS: dict[str, tuple[Near, bool]] = {
    "as reconstructed": (lambda gap, best, norm: gap <= Fraction(4, 5), False),
    "strict": (lambda gap, best, norm: gap < Fraction(4, 5), False),
    "with oneself": (lambda gap, best, norm: gap <= Fraction(4, 5), True),
    "part of the best score": (lambda gap, best, norm: gap <= Fraction(4, 15) * best, False),
    "part of the norm": (lambda gap, best, norm: gap**2 <= Fraction(1, 4) * norm, False),
}


@pytest.mark.parametrize("reading", READINGS)
def test_a_step_ends_at_rest_whatever_the_neighbours_are(reading):
    start = [[Fraction(e) for e in x] for x in ((-1, 3, 0), (3, 0, 0), (1, 1, -2), (1, 1, 2), (1, "9/8", 0))]
    assert [e for x in start for e in x] == lines_of_b2()[0][2:]
    once = after(start, *READINGS[reading])
    assert once[:4] == start[:4]
    assert once[4] == lines_of_b2()[2][:3] != start[4]
    assert after(once, *READINGS[reading]) == once


def lines_of_b2() -> list[list[Fraction]]:
    """The numbers of the row on finite-time convergence."""
    return [numbers(line) for line in lines_of(catalogue()["localmax.no_step_ends_at_rest"])]


def test_a_fourth_vote_at_the_limit_moves_a_token():
    start = [[Fraction(e) for e in x] for x in ((2, 0), (0, 1), (0, 2), (1, 1))]
    once = after(start, lambda gap, best, norm: gap == 0)
    assert once == [start[0], [0, Fraction(3, 2)], start[2], start[3]]
    limit = [start[0], start[2], start[2], start[3]]
    lines = lines_of(catalogue()["localmax.limit_is_an_equilibrium"])
    assert ends(numbers(lines[3]), *after(limit, lambda gap, best, norm: gap == 0)[3])


@pytest.mark.parametrize("name", rows())
def test_a_printed_statement_is_refuted_by_hand(name):
    assert name in CHECKS, f"{name} is in part A of a sheet: check its lines here with fractions"
    CHECKS[name]([numbers(line) for line in rows()[name]])


def test_what_is_checked_is_in_a_sheet():
    assert set(CHECKS) == set(rows())


def test_numbers_are_read_with_their_signs_and_without_scripts():
    assert numbers(r"$x_{12}^2 = -\tfrac{3}{4}$, $\tfrac12$ and $-7 u_0$") == [Fraction(-3, 4), HALF, -7]
