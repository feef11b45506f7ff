"""Every printed statement that a sheet calls false is refuted here again, with fractions and whole numbers alone; so are
those known from reports whose refutation takes some arithmetic.

The numbers are read from the lines of the sheet, in TeX: what a reader would check with pencil and paper.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

import pytest

from claims.atlas.sheets.sheet import sheet_of
from claims.stating.catalogue import catalogue
from claims.stating.statement import PAPERS

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


@cache
def rows(parts: str = "AB") -> dict[str, Sequence[str]]:
    """The lines of every row of some parts, by claim."""
    sheets = [sheet_of(paper) for paper in PAPERS.values()]
    return {row.claim.id: row.lines for sheet in sheets for part in parts for row in sheet.parts[part]}


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
    # Of the limit's three rows the first and the last are unit vectors: the determinant is the middle one's middle entry.
    assert lines[1][-2] != 0
    assert ends(lines[3], 3, 2)
    # The reading: of the three tokens the last one has three equal scores.
    x1, y1, x2, y2, x3, y3 = numbers(
        catalogue()["clusters.attention_rank_is_at_most_the_number_of_vertices"].defect.reading
    )[1:7]
    assert x3 * x1 + y3 * y1 == x3 * x2 + y3 * y2 == x3 * x3 + y3 * y3


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
    # The exponents of e, in units of t: of the score, and of the sum with k = l, which has lambda + lambda once more.
    rate = 1
    exponents = re.findall(r"e\^\{(\d?) ?t\}", rows()["clusters.scores_expand_in_different_eigenvectors"][2])
    score, total = rate + rate, (rate + rate) + rate + rate
    assert [int(one or 1) for one in exponents] == [rate, rate, score, rate, rate, total]
    assert score != total


@of("clusters.tokens_leave_the_inside_of_the_polytope")
def _(lines):
    tokens = [(-1, 0), (0, 0), (1, 0)]
    assert lines[0][-6:] == [entry for token in tokens for entry in token]
    middle = tokens[1]
    assert len({middle[0] * token[0] + middle[1] * token[1] for token in tokens}) == 1
    pull = [mean([Fraction(token[k]) for token in tokens]) - middle[k] for k in range(2)]
    assert pull == [0, 0]  # V times nothing is nothing
    assert lines[1][-2:] == pull
    assert lines[0][:4] == [1, 0, 0, 0]  # V = diag(1, 0): lambda = 1 on F, and 0 < 1 on G
    # (log c)' = (e^s - e^-s)/(e^s + 1 + e^-s) - 1 for s = x^2, and e^s is any number E >= 1: -3/E or more.
    for E in (Fraction(1), Fraction(3, 2), Fraction(10), Fraction(1000)):
        assert (E - 1 / E) / (E + 1 + 1 / E) - 1 >= -3 / E
    assert len({-1, 0, 1}) > 2  # three limits, and a segment has two ends


@of("clusters.boolean_rows_converge_doubly_exponentially")
def _(lines):
    # At (0, 1) the first token weighs both alike: it starts to the right, while (-1, 1) is symmetric.
    assert mean([Fraction(0), Fraction(1)]) == HALF
    assert HALF in lines[0]
    # u / (1 + e^u) < 1/2 for u > 0, as e^u > 1 + u + u^2/2: 2 u < 2 + u + u^2/2 for every u, whose discriminant is below 0.
    assert 1 - 4 * HALF * 2 < 0
    assert lines[0][-3:-2] == [HALF]
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
    assert r"\frac{1}{1 + 2 e^{2 \beta}}" in rows()["frank_wolfe.tokens_collapse_to_the_origin"][3]
    # The chain: with q = e^{2 beta} each of 1 and -1 picks the other with p = 1/(1 + q); both do, given that one does.
    for q in (Fraction(2), Fraction(55), Fraction(10**6)):
        p = 1 / (1 + q)
        assert p * p / (1 - (1 - p) ** 2) == 1 / (1 + 2 * q)
    # One at 0 and the other at -1 or nearer: wherever the other goes, the token that leaves 0 is below it, and so are both.
    for other in (Fraction(-1), Fraction(-1, 2), Fraction(-1, 4)):
        assert max(HALF * other, other, HALF * (other + 0)) < 0


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


def dot(a: Sequence[Fraction | int], b: Sequence[Fraction | int]) -> Fraction:
    return sum((Fraction(x) * y for x, y in zip(a, b, strict=True)), Fraction(0))


@of("clusters.projected_scores_have_small_remainders")
def _(lines):
    A, z_1, z_2 = (lines[0][-8:-6], lines[0][-6:-4]), lines[0][-4:-2], lines[0][-2:]
    assert A[0][0] > 0
    assert A[0][0] * A[1][1] > A[0][1] * A[1][0] == A[0][1] ** 2  # symmetric and positive definite
    assert z_1[0] == z_2[0] == 0  # in G, where V is 0: tokens at rest
    first, apart = [dot(row, z_1) for row in A], [dot(row, [b - a for a, b in zip(z_1, z_2, strict=True)]) for row in A]
    assert ends(lines[1], *first, dot(first, apart), first[0] * apart[0])
    assert lines[2][0] == dot(first, apart)


@of("frank_wolfe.first_phase_takes_the_nearest_token")
def _(lines):
    gamma, c_0, far = HALF, Fraction(2), HALF
    for N in (4, 9, 100, 10**6):
        near = 1 - Fraction(1, N)
        # beta = N^4: with a ball of radius 1/N both are in K = [-1, 1], and 2x >= N^{-1/2} there, as (2x)^2 N >= 1.
        assert all(x + Fraction(1, N) <= 1 and (2 * (x - Fraction(1, N))) ** 2 * N >= 1 for x in (far, near))
        m = min(1 - far, 1 - near)
        tau = min(c_0 / (2 * 2), Fraction(1), (1 - gamma) * m)  # sqrt(2 c_0)/2 = 1
        assert (m, tau) == (Fraction(1, N), Fraction(1, 2 * N))
        assert tau / m == 1 - gamma  # T_1 = 1
        left = 1 - ((1 - gamma) * far + gamma)
        assert left == Fraction(1, 4)
        assert left > (N * HALF - HALF / 2) * tau  # C < N/2
    assert ends(lines[2], Fraction(1, 4), 1)


@of("frank_wolfe.group_jumps_are_rare_by_diameter")
def _(lines):
    d, r, c_0 = 144, Fraction(1, 24), HALF
    v_0, u = [-HALF] * d, [Fraction(1, 12)] * d
    v_k, v_l = [HALF, *v_0[1:]], [*v_0[1:], HALF]
    assert dot(v_0, v_0) == dot(v_k, v_k) == 36
    assert min(dot(v_0, v_0) - dot(v_0, v_k), dot(v_k, v_k) - dot(v_k, v_l)) == c_0
    assert dot(u, u) == 1
    assert d * r * u[0] <= 1  # z = v_0 + sum_k (r/12)(v_k - v_0) is in K
    assert Fraction(3, 2) * 4 * r + 2 * r * r > c_0 / 2 > Fraction(71, 50) * 4 * r + 2 * r * r  # sqrt 2 < 1.42
    z = [a + r * b for a, b in zip(v_0, u, strict=True)]
    gap = dot(z, [a - b for a, b in zip(z, v_k, strict=True)])
    assert gap == Fraction(1, 4) - Fraction(1, 576) < c_0 / 2
    assert ends(lines[2], Fraction(1, 4), Fraction(1, 576))
    # v_k + s (1, ..., 1), with v_0 shortened to its norm: cosines at v_0 have the sign of 2 w + d w^2, w about 2 s/d > 0.
    s = Fraction(1, 10**6)
    moved = [a + s for a in v_k]
    shorter = (1 - Fraction(2 * (d - 2), d) * s) ** 2  # of v_0, to first order; the square of the norm is concave
    assert abs(dot(moved, moved) / 36 - shorter) < 100 * s * s
    assert s - HALF * Fraction(2 * (d - 2), d) * s == 2 * s / d > 0


Near = Callable[[Fraction, Fraction, Fraction], bool]
"""Whether a product is near the best one, given their difference, the best one and the squared norm of the token."""


def after(tokens: Sequence[Sequence[Fraction]], near: Near, own: bool = False) -> list[list[Fraction]]:
    """The tokens half way to the mean of those whose products are near the best, with one's own if `own`."""
    moved = []
    for i, x in enumerate(tokens):
        products = [dot(x, y) for y in tokens]
        best = max(products)
        kept = [j for j, one in enumerate(products) if near(best - one, best, dot(x, x)) or (own and i == j)]
        moved.append([(x[k] + mean([tokens[j][k] for j in kept])) / 2 for k in range(len(x))])
    return moved


READINGS: tuple[tuple[Near, bool], ...] = (
    (lambda gap, best, norm: gap <= Fraction(4, 5), False),
    (lambda gap, best, norm: gap < Fraction(4, 5), False),
    (lambda gap, best, norm: gap <= Fraction(4, 5), True),
    (lambda gap, best, norm: gap <= Fraction(4, 15) * best, False),
    (lambda gap, best, norm: gap**2 <= Fraction(1, 4) * norm, False),
)
"""What the neighbours of a token may be: the reading says that the example works with all of these."""


@of("localmax.no_step_ends_at_rest")
def _(lines):
    numbers_of_tokens = lines[0][2:]
    start = [numbers_of_tokens[k : k + 3] for k in range(0, 15, 3)]
    for reading in READINGS:
        once = after(start, *reading)
        assert once[:4] == start[:4]
        assert once[4] == lines[2][:3] == [mean([x[k] for x in once]) for k in range(3)] != start[4]
        assert after(once, *reading) == once


@of("localmax.limit_is_an_equilibrium")
def _(lines):
    def hardmax(gap, best, norm):
        return gap == 0

    start = [lines[0][k : k + 2] for k in range(1, 9, 2)]
    once = after(start, hardmax)
    assert [k for k in range(4) if once[k] != start[k]] == [1]
    assert once[1] == [0, 2 - HALF]
    limit = [start[0], start[2], start[2], start[3]]
    assert ends(lines[3], *after(limit, hardmax)[3])
    assert after(limit, hardmax)[3] != limit[3]


@pytest.mark.parametrize("name", CHECKS)
def test_a_statement_is_refuted_by_hand(name):
    CHECKS[name]([numbers(line) for line in rows()[name]])


def test_what_is_checked_is_in_a_sheet():
    assert set(rows("A")) - set(CHECKS) == set(), "in part A of a sheet: check the lines here with fractions"
    assert set(CHECKS) <= set(rows())


def test_numbers_are_read_with_their_signs_and_without_scripts():
    assert numbers(r"$x_{12}^2 = -\tfrac{3}{4}$, $\tfrac12$ and $-7 u_0$") == [Fraction(-3, 4), HALF, -7]
