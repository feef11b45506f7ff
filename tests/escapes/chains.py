"""Small chains of one token per tube, and their escape times by linear algebra in mpmath, written on its own."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

import mpmath

from dynamics.tokens.attention_chain import AttentionChain

TRIANGLE = [[1, 0], ["-1/2", "7/8"], ["-1/2", "-7/8"]]


def published(beta=4):
    """The two tokens near -2 and 2 that break the printed exponent."""
    return AttentionChain.instance(
        v=[[2], [-2]], x=[["17/9"], ["-17/9"]], group=[0, 1], beta=beta, gamma="1/24", eps="1/3"
    )  # fmt: skip


def plane_pair():
    return AttentionChain.instance(
        v=[[1, 0], [0, 1]], x=[["9/10", 0], [0, 1]], group=[0, 1], beta=3, gamma="1/9", eps="3/10"
    )


def triangle(beta=4, eps="1/6", gamma="1/12"):
    return AttentionChain.instance(v=TRIANGLE, x=TRIANGLE, group=[0, 1, 2], beta=beta, gamma=gamma, eps=eps)


def lopsided():
    return AttentionChain.instance(
        v=[[3], [-1]], x=[["5/2"], ["-1"]], group=[0, 1], beta="1/2", gamma="1/7", eps="4/5"
    )  # fmt: skip


def three_on_a_line():
    """The token in the middle may go to and fro: its positions return, and no bound of the number of moves is known."""
    return AttentionChain.instance(
        v=[[2], [0], [-2]], x=[[2], ["1/8"], [-2]], group=[0, 1, 2], beta="1/2", gamma="1/5", eps="1"
    )  # fmt: skip


CHAINS = {
    "published": published(), "plane pair": plane_pair(), "triangle": triangle(), "lopsided": lopsided(),
    "three on a line": three_on_a_line(),
}  # fmt: skip
DIGITS = 60


def _number(value):
    return mpmath.mpf(value.numerator) / value.denominator


def exact(chain):
    """Places, beta, gamma and eps as fractions."""
    start = tuple(tuple(Fraction(int(a.p), int(a.q)) for a in row) for row in chain.x.tolist())
    return start, *(Fraction(int(q.item().p), int(q.item().q)) for q in (chain.beta, chain.gamma, chain.eps))


def inner(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def ways_from(chain, x):
    """Where each combination of picks leads from a state, None out of the tubes, with its chance in mpmath."""
    # A generator of all picks of all tokens: chances in mpmath, places as fractions, so that equal states are one.
    start, beta, gamma, eps = exact(chain)
    powers = [[mpmath.exp(_number(beta * inner(p, q))) for q in x] for p in x]
    totals = list(map(mpmath.fsum, powers))
    for picks in product(range(len(x)), repeat=len(x)):
        y = tuple(tuple((1 - gamma) * a + gamma * b for a, b in zip(x[i], x[j], strict=True)) for i, j in enumerate(picks))
        away = [[a - b for a, b in zip(p, q, strict=True)] for p, q in zip(y, start, strict=True)]
        chance = mpmath.fprod(powers[i][j] / totals[i] for i, j in enumerate(picks))
        yield None if any(inner(one, one) > eps**2 for one in away) else y, chance


@cache
def matrix_of(chain):
    """The matrix of steps between the states inside the tubes, and the chance to leave from each, in mpmath."""
    start, *_ = exact(chain)
    states, steps, waiting = {start: 0}, [], [start]
    for x in waiting:
        for y, chance in ways_from(chain, x):
            if y is not None and y not in states:
                states[y] = len(states)
                waiting.append(y)
            steps.append((states[x], states.get(y), chance))
    matrix, out = mpmath.zeros(len(states)), mpmath.zeros(len(states), 1)
    for before, after, chance in steps:
        if after is None:
            out[before] += chance
        else:
            matrix[before, after] += chance
    return matrix, out


def moments_by_linear_algebra(chain):
    """E T_2 and Var T_2: h = 1 + P h, and the second moment s = 1 + 2 P h + P s."""
    with mpmath.workdps(DIGITS):
        matrix, _ = matrix_of(chain)
        size = matrix.rows
        rest = mpmath.eye(size) - matrix
        # Once for both right sides: in 60 digits the elimination is what costs.
        factors, order = mpmath.mp.LU_decomp(rest)

        def solved(right):
            return mpmath.mp.U_solve(factors, mpmath.mp.L_solve(factors, right, order))

        once = solved(mpmath.ones(size, 1))
        twice = solved(mpmath.ones(size, 1) + 2 * matrix * once)
        return once[0], twice[0] - once[0] ** 2


def chance_by_steps(chain, t):
    """P[T_2 < t], step after step."""
    with mpmath.workdps(DIGITS):
        matrix, out = matrix_of(chain)
        gone = 0 * out
        # T_2 < t: within t - 1 steps.
        for _ in range(t - 1):
            gone = out + matrix * gone
        return gone[0]


@dataclass(frozen=True)
class Visit:
    """E T_2 from a state, the chance that something moves, and how many moves it takes to leave: at most, at least.

    That chance is from `slowest` to `fastest` here and wherever moves lead to inside the tubes.
    """

    mean: object
    leave: object
    most: int
    least: int
    slowest: object
    fastest: object


def visits(chain):
    """Every state inside the tubes of a chain whose positions never return, those that lead to nothing else first.

    The means come state after state: what is many picks deep takes no linear algebra.
    """
    known = {}

    def visit(x):
        if x in known:
            return known[x]
        here, leaving, most, least, chances = mpmath.mpf(1), mpmath.mpf(0), 1, [], []
        for y, chance in ways_from(chain, x):
            # A pick that moves nothing is waiting.
            if y == x:
                continue
            leaving += chance
            if y is None:
                least.append(1)
                continue
            after = visit(y)
            chances += [after.slowest, after.fastest]
            here, most = here + chance * after.mean, max(most, after.most + 1)
            least.append(after.least + 1)
        chances.append(leaving)
        known[x] = Visit(here / leaving, leaving, most, min(least), min(chances), max(chances))
        return known[x]

    with mpmath.workdps(DIGITS):
        visit(exact(chain)[0])
    return known
