"""The assumptions of the suite's claims, stated again for the checker, in Fractions and mpmath's intervals alone.

What :mod:`claims.checker.words` can read is not stated here. All else is written from its words, by which it is found: an
assumption whose words have changed is not restated, and the checker says so. An instance is read from the certificate's
own JSON into plain lists of Fractions, under the names of its arrays. Nothing is imported that decides, and no NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import combinations, pairwise
from itertools import product as all_tuples
from math import isqrt, lcm
from types import SimpleNamespace
from typing import Any

from claims.certificates.format import exact_number
from claims.checker.words import Test, all_zero, flat, meaning, semidefinite, tokens
from dynamics.checker import polytopes
from dynamics.checker.flint_stand_in import arb
from dynamics.checker.intervals import interval_precision
from dynamics.checker.matrices import (
    characteristic,
    diagonal,
    factor_of_identity,
    inverse,
    is_definite,
    negative,
    plus,
    product,
    rank,
    transposed,
    unit,
)
from dynamics.checker.steps import (
    Row,
    Rows,
    hardmax_step,
    image,
    inner,
    lasting,
    localmax_heard,
    localmax_step,
    minus,
    shortfalls,
    table,
)

MEANINGS: dict[str, Test] = {}
"""Whether plain instances satisfy an assumption, by its words."""

# At 64 bits nearly every sign is seen. At 4096 an equality is all that is left to suspect, and no bits show one.
LEAST_BITS, MOST_BITS = 64, 4096


class OpenError(ArithmeticError):
    """Intervals do not decide whether an assumption is satisfied, or no method is known here."""


def satisfies(words: str, instance: dict[str, Any]) -> bool | None:
    """Whether the instance, given as JSON, is as an assumption says; None if that is not restated. Raises OpenError."""
    test = meaning_of(words)
    return None if test is None else bool(test(plain_instance(instance)))


def meaning_of(words: str) -> Test | None:
    """What tells whether a plain instance satisfies an assumption: stated here, or read from its words."""
    return MEANINGS.get(words) or meaning(words)


def plain_instance(instance: dict[str, Any]) -> SimpleNamespace:
    """The arrays of an instance's JSON by name, as nested lists of Fractions."""

    def fractions(value: Any) -> Any:
        return [fractions(entry) for entry in value] if isinstance(value, list) else exact_number(value, "instance")

    return SimpleNamespace(**{name: fractions(value) for name, value in instance.items() if name != "system"})


def means(words: str) -> Callable[[Test], Test]:
    """Register the function as the meaning of the words."""

    def registered(test: Test) -> Test:
        MEANINGS[words] = test
        return test

    return registered


# ---------------------------------------------------------------------------------------------------------------------
# Numbers: Fractions as long as it goes, for only they can be equal, and intervals as soon as one is among them


def _sign(number: Callable[[], Any]) -> int:
    """The sign of what the function computes: a Fraction, or intervals at more and more bits. Raises OpenError."""
    bits = LEAST_BITS
    while bits <= MOST_BITS:
        with interval_precision(bits):
            value = number()
            if isinstance(value, Fraction | int):
                return (value > 0) - (value < 0)
            # By its ends: a comparison that is open at so few bits would be counted, and the assumption be taken for open.
            low, high = value.interval.a, value.interval.b
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
        bits *= 2
    raise OpenError(f"a sign is open at {MOST_BITS} bits")


def _exp(x: Fraction) -> Any:
    return Fraction(1) if x == 0 else arb(x).exp()


def _softmax(scores: Row) -> Row:
    # Beside the first score: where all are equal every share is a Fraction, so that a margin may be met exactly.
    weights = [_exp(score - scores[0]) for score in scores]
    whole = sum(weights)
    return [weight / whole for weight in weights]


def _falling(values: Sequence[Fraction]) -> bool:
    return all(a >= b for a, b in pairwise(values))


def _strictly_falling(values: Sequence[Fraction]) -> bool:
    return all(a > b for a, b in pairwise(values))


def _leads(values: Row) -> bool:
    return all(values[0] > value for value in values[1:])


def _same(values: Sequence[Any]) -> bool:
    return all(value == values[0] for value in values)


# ---------------------------------------------------------------------------------------------------------------------
# Matrices


def _less_unit(A: Rows) -> Rows:
    return plus(A, negative(unit(len(A))))


def _step_size(f: Any) -> Fraction:
    """gamma where P = gamma I, else what is no step size."""
    gamma = factor_of_identity(f.P)
    return Fraction(-1) if gamma is None else gamma


@means("R = I + dt V is invertible")
def _invertible_growth(f: Any) -> bool:
    R = plus(unit(len(f.V)), [[f.dt * value for value in row] for row in f.V])
    return rank(R) == len(R)


MEANINGS |= {
    "pi_F A = 1 on F, where Q^T K = 1 + C C^T, C = pi_F A on G": lambda f: semidefinite(_less_unit(f.B)),
    "B_* = -B is symmetric, >= 0 and not 0": lambda f: semidefinite(negative(f.B)) and not all_zero(f.B),
    "B is diagonal and positive definite; a rotation of N(0, I) makes any B > 0 so": lambda f: (
        min(diagonal(f.B), default=0) > 0
    ),
    "P = gamma I with 0 <= gamma <= 1": lambda f: 0 <= _step_size(f) <= 1,
    "P = gamma I, 0 < gamma < 1": lambda f: 0 < _step_size(f) < 1,
    "P = (I + V)^{-1} V for a V with I + V invertible: I - P is invertible": lambda f: rank(_less_unit(f.P)) == len(f.P),
    "V is diagonal and positive: P is diagonal with entries in (0, 1)": lambda f: (
        diagonal(f.P) != [] and all(0 < rate < 1 for rate in diagonal(f.P))
    ),
    "the first two entries of V differ": lambda f: len(f.P) > 1 and f.P[0][0] != f.P[1][1],
    "ties are averaged: all weights are 1": lambda f: all(weight == 1 for weight in flat(f.selection)),
}

# ---------------------------------------------------------------------------------------------------------------------
# Tokens and values of the clusters paper


def _distinct(rows: Rows) -> bool:
    return len({tuple(row) for row in rows}) == len(rows)


def _beyond_two_columns(V: Rows) -> bool:
    """Whether the first two rows vanish there."""
    return all(value == 0 for row in V[:2] for value in row[2:])


@means(
    "phi is the first coordinate for d = 1, else x_1 + i x_2 with V_11 = V_22, V_12 = -V_21 and V_1k = V_2k = 0 for k > 2"
)
def _eigen_plane(f: Any) -> bool:
    V = f.V
    return len(V) == 1 or (V[0][0] == V[1][1] and V[0][1] == -V[1][0] and _beyond_two_columns(V))


@means("B = M V with M symmetric and V invertible")
def _symmetric_up_to_values(f: Any) -> bool:
    # M = B V^-1 is symmetric where V^T M V = V^T B is.
    M = product(transposed(f.V), f.B)
    return rank(f.V) == len(f.V) and transposed(M) == M


@means("V maps F and G to themselves and is lambda I on F, lambda > 0")
def _block(f: Any) -> bool:
    k, rate = int(f.k), f.V[0][0]
    return rate > 0 and all(
        value == (rate if i == j else 0) for i, row in enumerate(f.V) for j, value in enumerate(row) if i < k or j < k
    )


@means("V is a Jordan block of a real eigenvalue >= 0, d > 1")
def _jordan_block(f: Any) -> bool:
    rate, d = f.V[0][0], len(f.V)
    wanted = [[rate if i == j else int(j == i + 1) for j in range(d)] for i in range(d)]
    return d > 1 and rate >= 0 and wanted == f.V


@means("<BVy, y> <= 0 for every y")
def _dissipative(f: Any) -> bool:
    gained = product(f.B, f.V)
    return semidefinite(negative(plus(gained, transposed(gained))))


MEANINGS |= {
    "x_1 < ... < x_n in the first coordinate": lambda f: _strictly_falling([-row[0] for row in tokens(f)]),
    "x_i != x_j for i != j": lambda f: _distinct(tokens(f)),
    "the tokens are not all 0": lambda f: not all_zero(tokens(f)),
    "phi is the first coordinate: V_1j = 0 for j > 1": lambda f: all(value == 0 for value in f.V[0][1:]),
    "V is diagonal: coordinates are those of an eigenbasis": lambda f: diagonal(f.V) != [],
    "V_11 > |V_22| >= ... >= |V_dd| and V_11 > 0": lambda f: (
        f.V[0][0] > 0
        and all(f.V[0][0] > abs(f.V[k][k]) for k in range(1, len(f.V)))
        and _falling([abs(f.V[k][k]) for k in range(1, len(f.V))])
    ),
    "d = 2 and V has two different real eigenvalues": lambda f: (
        len(f.V) == 2 and characteristic(f.V)[1] ** 2 > 4 * characteristic(f.V)[0]
    ),
    "V_11 = V_22, V_21 = 0 and V_1k = V_2k = 0 for k > 2, d > 1": lambda f: (
        len(f.V) > 1 and f.V[0][0] == f.V[1][1] and f.V[1][0] == 0 and _beyond_two_columns(f.V)
    ),
    "F is the first axis, and tokens differ there": lambda f: f.k == 1 and not _same([row[0] for row in f.z]),
    "x_1 > 0 and x_i = -1/x_1 for i > 1, n > 1": lambda f: (
        len(f.x) > 1 and f.x[0][0] > 0 and all(row[0] * f.x[0][0] == -1 for row in f.x[1:])
    ),
    "|p| <= R, the largest |x_i| and |y_i|": lambda f: inner(f.p, f.p) <= max(inner(row, row) for row in [*f.x, *f.y]),
}

# ---------------------------------------------------------------------------------------------------------------------
# Limits of the clusters paper


@means("x_i(0)^2 > omega_n for every i")
def _beyond_omega(f: Any) -> bool:
    """e^{2t} z^2 > W((n - 1)/e): for y >= 0 that is y e^{y + 1} > n - 1."""
    n = len(f.z)

    def excess(z: Fraction) -> Any:
        square = z * z * _exp(2 * f.t)
        return square * arb(square + 1).exp() - (n - 1)

    # W(0) = 0 of one token, which intervals would never tell from z = 0.
    return all(row[0] != 0 if n == 1 else _sign(partial(excess, row[0])) > 0 for row in f.z)


@means("n = d = 2, t = 0, z_1 = (1, s), z_2 = (1, -s) with s > 0")
def _pair_beside_the_axis(f: Any) -> bool:
    s = f.z[0][-1]
    return f.t == 0 and s > 0 and f.z == [[1, s], [1, -s]]


MEANINGS |= {
    "V_1k = V_k1 = 0 and sum_l |V_kl| < V_11 for k > 1, and V_11 > 0": lambda f: (
        f.V[0][0] > 0
        and all_zero(f.V[0][1:])
        and all(row[0] == 0 and sum(map(abs, row[1:])) < f.V[0][0] for row in f.V[1:])
    ),
    "x_i > 0 for every i, in the first coordinate": lambda f: all(row[0] > 0 for row in tokens(f)),
    "n = 2, d = 1, Q^T K = V = 1, x_1 <= -1, -1/4 <= y_1 < 0, 1 <= x_2 = y_2 <= 2 at the start": lambda f: (
        f.B == f.V == [[1]]
        and len(f.x) == 2
        and f.x[0][0] + 1 <= 0 > f.y[0][0] >= -Fraction(1, 4)
        and f.x[1] == f.y[1]
        and 0 <= f.x[1][0] - 1 <= 1
    ),
    "n = 2, d = 1, x_2 = -x_1 != 0": lambda f: (
        len(tokens(f)) == 2 and len(f.V) == 1 and tokens(f)[0][0] == -tokens(f)[1][0] != 0
    ),
    "d = 1: |V| is the largest modulus of an eigenvalue, > 0 and simple": lambda f: len(f.V) == 1 and f.V[0][0] != 0,
    "d = 2, V = diag(lambda, 0) with lambda > 0": lambda f: len(f.V) == 2 and diagonal(f.V)[1:] == [0] and f.V[0][0] > 0,
    "d = 2, V = diag(lambda_1, lambda_2) with lambda_1 > lambda_2 > 0": lambda f: (
        len(f.V) == 2 and diagonal(f.V) != [] and f.V[0][0] > f.V[1][1] > 0
    ),
    "V is diagonal, lambda_1 > 0 and lambda_1 > lambda_k for all others, |lambda_k| of any size": lambda f: (
        diagonal(f.V) != [] and _leads([f.V[0][0], 0, *diagonal(f.V)[1:]])
    ),
    "V and W are diagonal, their entries >= 0": lambda f: (
        min(diagonal(f.V), default=-1) >= 0 and min(diagonal(f.W), default=-1) >= 0
    ),
    "Q^T K and its transpose have a positive definite sum": lambda f: is_definite(plus(f.B, transposed(f.B))),
    "d = 1, V_h > 0 and Q_h^T K_h > 0 for every head, dt > 0": lambda f: (
        len(f.x[0]) == 1 and min(*flat(f.V), *flat(f.B), f.dt) > 0
    ),
    "d = 2, V = I + omega J, J the rotation by a right angle": lambda f: (
        len(f.V) == 2 and f.V[0][0] == f.V[1][1] == 1 and f.V[0][1] + f.V[1][0] == 0
    ),
    "d = 2, V = diag(lambda, -mu) with lambda, mu > 0": lambda f: (
        len(f.V) == 2 and diagonal(f.V) != [] and f.V[1][1] < 0 < f.V[0][0]
    ),
    "n = 2, d = 1, x_1 <= -513/1000 and x_2 > 0": lambda f: (
        len(f.x) == 2 and len(f.x[0]) == 1 and 1000 * f.x[0][0] <= -513 and f.x[1][0] > 0
    ),
    "V = diag(1, 1, 1/2)": lambda f: diagonal(f.V) == [1, 1, Fraction(1, 2)],
    "V = diag(lambda, ..., lambda, mu) with |mu| < lambda, d > 1": lambda f: (
        len(f.V) > 1 and diagonal(f.V) != [] and _same(diagonal(f.V)[:-1]) and abs(f.V[-1][-1]) < f.V[0][0]
    ),
}

# ---------------------------------------------------------------------------------------------------------------------
# Schedules of hardmax


def _proportional(f: Any) -> bool:
    """B^t = beta^t B for some numbers beta^t."""
    return rank([list(flat(B)) for B in f.B]) <= 1


@means("beta^t/beta^{t+1} = gamma^t/gamma^{t+1}")
def _with_steps(f: Any) -> bool:
    # gamma^0 B^t = gamma^t B^0: multiplied out, for a score may be zero. A step size may not.
    first = f.gamma[0]
    return all(
        gamma != 0 and all(first * a == gamma * b for a, b in zip(flat(B), flat(f.B[0]), strict=True))
        for gamma, B in zip(f.gamma, f.B, strict=True)
    )


MEANINGS |= {
    "B_*^t - B_*^{t+1} is >= 0": lambda f: all(semidefinite(plus(after, negative(B))) for B, after in pairwise(f.B)),
    "B^t = B": lambda f: _same(f.B),
    "B^t has the same eigenvalues for all t": lambda f: _same([characteristic(B) for B in f.B]),
    "B^t = beta^t B, beta^t >= 0, B >= 0": lambda f: _proportional(f) and all(semidefinite(B) for B in f.B),
    "B^t = beta^t B, B >= 0, beta^t of any sign": lambda f: (
        _proportional(f) and all(semidefinite(B) or semidefinite(negative(B)) for B in f.B)
    ),
    "gamma^t = 2/(t + 2), from t = 0 on": lambda f: (
        f.t == 0 and all(gamma * (t + 2) == 2 for t, gamma in enumerate(f.gamma))
    ),
    "gamma^t = gamma in (0, 1)": lambda f: _same(f.gamma) and 0 < f.gamma[0] < 1,
    "0 is in K^0": lambda f: _holds_origin(f.x),
    "0 in K^0": lambda f: _holds_origin(f.x),
}


def _holds_origin(x: Rows) -> bool:
    return polytopes.convex_weights([Fraction(0)] * len(x[0]), x) is not None


@means("0 is in K^t at as many steps as the schedule lists")
def _origin_in_every_hull(f: Any) -> bool:
    """t counts from that of the instance, after the end the last entry stays."""
    x, d = f.x, len(f.x[0])
    for t in range(int(f.t), int(f.t) + len(f.gamma)):
        if not _holds_origin(x):
            return False
        gamma = lasting(f.gamma, t)
        P = [[gamma if a == b else Fraction(0) for b in range(d)] for a in range(d)]
        x = hardmax_step(x, lasting(f.B, t), P, f.selection)
    return True


@means("-b = min K^0 < 0 < a = max K^0, a != 2b, b != 2a, no token is 0")
def _on_both_sides(f: Any) -> bool:
    places = [x[0] for x in f.x]
    a, b = max(places), -min(places)
    return bool(a > 0 and b > 0 and a != 2 * b and b != 2 * a and 0 not in places)


# ---------------------------------------------------------------------------------------------------------------------
# Cells


def _scores_at_first(f: Any) -> Rows:
    """B, or the matrix of the step of a schedule that comes next."""
    return lasting(f.B, int(f.t)) if isinstance(f.B[0][0], list) else f.B


def _corners(f: Any) -> Rows:
    return [f.x[i] for i in polytopes.vertices(f.x)]


@means("every vertex owns its cell: <Bv_j, v_j> > <Bv_j, v_i> for i != j")
@means("every vertex owns its cell: <Bv_j, v_j> > <Bv_j, v_i> for i != j, at the first step")
def _own_vertex_cells(f: Any) -> bool:
    v, B = _corners(f), _scores_at_first(f)
    return all(inner(image(B, a), minus(a, b)) > 0 for j, a in enumerate(v) for i, b in enumerate(v) if i != j)


@means("every token lies in exactly one cell")
@means("every token lies in exactly one cell, at the first step")
def _tokens_in_one_cell(f: Any) -> bool:
    for row in table(f.x, _scores_at_first(f)):
        leading = [x for x, score in zip(f.x, row, strict=True) if score == max(row)]
        if any(x != leading[0] for x in leading):
            return False
    return True


MEANINGS["J(v_i) = <Bv_i, v_i>/2 is the same for every vertex"] = lambda f: _same(
    [inner(image(f.B, v), v) for v in _corners(f)]
)


@means("the tokens are 0, s e_1, ..., s e_d with s > 0, B e_1 is a positive multiple of e_2 and B e_2 of e_1")
def _exchanged_corners(f: Any) -> bool:
    d, s = len(f.x[0]), f.x[-1][-1]
    if d < 2 or s <= 0 or f.x != [[s * (i == a + 1) for a in range(d)] for i in range(d + 1)]:
        return False
    first, second, *_ = transposed(f.B)
    return first[1] > 0 and second[0] > 0 and all_zero([first[0], *first[2:], *second[1:]])


# ---------------------------------------------------------------------------------------------------------------------
# Localmax

# Rules by their index: 1 and 2 measure the gap by a score, 3 is strict, 4 adds the token itself, 5 averages points.
MEANINGS |= {
    "C_i = {j : gap_i(z_j) <= delta} (D1)": lambda f: f.rule == 0,
    "a rule by which no token is its own neighbour but by its score": lambda f: f.rule in (0, 1, 2, 3, 5),
    "a rule by which every neighbour of token i has gap_i <= delta": lambda f: f.rule in (0, 3, 5),
    "a rule by which a gap that exceeds delta makes no neighbour, but of a token itself": lambda f: f.rule in (0, 3, 4, 5),
    "a rule by which c_i is the mean over indices": lambda f: f.rule in (0, 1, 2, 3, 4),
    "a rule by which c_i is the mean over distinct points": lambda f: f.rule == 5,
    "neighbours by another rule than D1": lambda f: f.rule in (1, 2, 3, 4, 5),
    "the tokens are distinct": lambda f: _distinct(f.z),
    "z_1 = z_2": lambda f: len(f.z) > 1 and f.z[0] == f.z[1],
    "no token is at the origin": lambda f: not any(all_zero(p) for p in f.z),
    "<A z_i, z_l - z_j> <= delta for all i, l, j": lambda f: all(
        gap <= f.delta for gap in flat(shortfalls(table(f.z, f.A)))
    ),
    "liminf delta_k > 0": lambda f: f.delta[-1] > 0,
    "delta_k -> 0": lambda f: f.delta[-1] == 0,
    "limsup delta_k > 0, the schedule recurs": lambda f: max(f.delta) > 0,
    "tokens p > z > 0 > -W on a line, neighbours by gap_i(z_j) <= delta": lambda f: (
        len(f.z) == 3 and len(f.z[0]) == 1 and f.rule == 0 and f.z[0][0] > f.z[1][0] > 0 and f.z[2][0] < 0
    ),
    "the smaller sensitivity is 0": lambda f: f.delta == 0,
    "0 < gamma_k < 1, in a compact part of it": lambda f: all(0 < gamma < 1 for gamma in f.gamma),
    "0 < gamma_k <= 1, in a compact part of it": lambda f: all(0 < gamma <= 1 for gamma in f.gamma),
    "<A (z_i - z_j), z_i - z_j> < 2 delta for all i, j": lambda f: all(
        polytopes.squared_distance(p, q, f.A) < 2 * f.delta for p in f.z for q in f.z
    ),
    "|z_1|_A = ... = |z_n|_A": lambda f: _same([inner(image(f.A, p), p) for p in f.z]),
}


@means("j in C_i if and only if i in C_j")
def _mutual_neighbours(f: Any) -> bool:
    attended = localmax_heard(f.z, f.A, f.delta, int(f.rule))
    return attended == [list(column) for column in zip(*attended, strict=True)]


@means("<Av, v - w> > 0 for all distinct vertices v, w of K, one token at each")
def _vertices_apart(f: Any) -> bool:
    corners = [f.z[i] for i in polytopes.vertices(f.z)]
    tokens = [p for p in f.z if p in corners]
    return all(inner(image(f.A, v), minus(v, w)) > 0 for i, v in enumerate(tokens) for j, w in enumerate(tokens) if i != j)


@means("the last token is in the interior of the hull of the others")
def _last_token_hidden(f: Any) -> bool:
    others, last = f.z[:-1], f.z[-1]
    if polytopes.dimension(others) < len(last):
        return False
    return len(polytopes.smallest_face(last, others)) == len(others)


@means("delta is below every positive gap in the first 3 steps of hardmax")
def _sensitivity_below_gaps(f: Any) -> bool:
    z = f.z
    for _ in range(3):
        if any(0 < gap <= f.delta for gap in flat(shortfalls(table(z, f.A)))):
            return False
        z = localmax_step(z, f.A, f.gamma, Fraction(0), 0)
    return True


@means(
    "tokens are partitioned into blocks with <A z_i, z_l - z_j> <= delta inside, and <A z_i, z_i - z_j> > delta + "
    "max_{p,q in Q} |z_p - z_q|_A^2 / 2 for i in the block Q and j in another one",
)
def _separated_blocks(f: Any) -> bool:
    # There is no choice of blocks to search: each is what any of its tokens attends to under D1.
    attended = localmax_heard(f.z, f.A, f.delta, 0)
    blocks = [[j for j, attends in enumerate(row) if attends] for row in attended]
    if any(i not in block or any(blocks[j] != block for j in block) for i, block in enumerate(blocks)):
        return False
    for i, block in enumerate(blocks):
        widest = max(polytopes.squared_distance(f.z[p], f.z[q], f.A) for p in block for q in block)
        turned = image(f.A, f.z[i])
        outside = [j for j in range(len(f.z)) if j not in block]
        if any(inner(turned, minus(f.z[i], f.z[j])) <= f.delta + widest / 2 for j in outside):
            return False
    return True


@means(
    "p > z > 0 > -W on a line, W > p, A > 0, 0 < gamma < 4/7, neighbours by gap_i(z_j) <= delta, and the margins of a "
    "visit: g > 0 stays positive in this step, z attends to -W, which attends only to itself, and g is small",
)
def _a_visit(f: Any) -> bool:
    """What :class:`claims.localmax.setting.recurring.Visit` asks, from its words: twelve inequalities."""
    if len(f.z) != 3 or len(f.z[0]) != 1 or f.rule != 0 or not 0 < f.gamma < 1:
        return False
    (p,), (z,), (low,) = f.z
    a, gamma, delta, W = f.A[0][0], f.gamma, f.delta, -low
    if not (a > 0 and p > 0 and W > 0):
        return False
    g = a * p * (p + W) - delta
    q = p - g / (a * W)
    most = 2 * g / (a * gamma * W)
    after = p - gamma * (p - z) / 2
    margins = (
        4 - 7 * gamma,
        g,
        p - z,
        z,
        delta - a * z * (p + W),  # z attends to -W
        a * after * (after + W) - delta,  # g stays positive in this step
        W - p,
        a * W * (W + q - most) - delta,  # -W attends only to itself
        (3 - 2 * gamma) * (q - most) + gamma * (q - W),
        delta - a * p * most,
        gamma * (q + W) / 3 - g / (a * (q + W)),  # g is small beside the way back
    )
    return all(margin > 0 for margin in margins)


# ---------------------------------------------------------------------------------------------------------------------
# Scores and value projections


def _values(f: Any) -> Row:
    """u, or V^T beta_* of a full model."""
    return f.u if hasattr(f, "u") else image(transposed(f.V), f.beta_star)


MEANINGS |= {
    "a(0) = 0": lambda f: all_zero(f.a),
    "u_0(0) > ... > u_{p-1}(0)": lambda f: _strictly_falling(_values(f)),
    "u_0 >= ... >= u_{p-1}": lambda f: _falling(f.u),
    "s_0(0) > ... > s_{p-1}(0)": lambda f: _strictly_falling(f.a),
    # A reduced model has K = |beta_*|^2 in the place of beta_*.
    "|beta_*| = 1": lambda f: (f.K if hasattr(f, "K") else inner(f.beta_star, f.beta_star)) == 1,
    "s_0 >= ... >= s_{p-1} and u_0 > ... > u_{p-1}": lambda f: _falling(f.a) and _strictly_falling(f.u),
    "u(0) = 0, as for V(0) = 0": lambda f: all_zero(f.u),
    "a_0(0) = ... = a_{p-1}(0)": lambda f: _same(f.a),
    "a(0) = (1, ..., 1)": lambda f: all(a == 1 for a in f.a),
    "u_0 > u_j for j != 0": lambda f: _leads(f.u),
    "u_0 > u_j and a_0 >= a_j for j != 0": lambda f: _leads(f.u) and f.a[0] == max(f.a),
    "<beta_*, v_0> > <beta_*, v_j> for j != 0": lambda f: _leads(_values(f)),
    "u_0 = u_1 > u_j and a_0 = a_1 >= a_j for j >= 2": lambda f: (
        len(f.u) >= 2 and f.u[0] == f.u[1] and f.a[0] == f.a[1] == max(f.a) and _leads(f.u[1:])
    ),
    "u_1 = ... = u_{p-1} and a_1 = ... = a_{p-1}": lambda f: _same(f.u[1:]) and _same(f.a[1:]),
    "rate (u_0 - u_{p-1}) <= 4": lambda f: f.rate * (f.u[0] - f.u[-1]) <= 4,
    "u(0) = (1, 2/5, -3/10, -1/2) and |beta_*| = 1": lambda f: (
        f.u == [1, Fraction(2, 5), Fraction(-3, 10), Fraction(-1, 2)] and f.K == 1
    ),
}


@means("the largest u_j(0) exceeds the next by at least 2 |beta_*| (a smaller lead only takes longer)")
def _clear_leader(f: Any) -> bool:
    u = sorted(f.u)
    return len(u) < 2 or (u[-1] - u[-2]) ** 2 >= 4 * f.K


@means("u(0) = c + (delta, 0, ..., 0) with 0 < delta <= |beta_*| / 256")
def _near_tie(f: Any) -> bool:
    # Both sides are squared, as |beta_*| itself need not be rational.
    return len(f.u) > 1 and _same(f.u[1:]) and f.u[0] > f.u[1] and (256 * (f.u[0] - f.u[1])) ** 2 <= f.K


@means("p <= 6 and the largest a_j(0) exceeds the others by 1/2 to 2 (elsewhere the remainder has a larger constant)")
def _moderate_lead(f: Any) -> bool:
    *others, largest = sorted(f.a)
    return len(others) < 6 and all(Fraction(1, 2) <= largest - other <= 2 for other in others)


@means("s_j <= s_0 / 2 for j != 0")
def _halved_ratios(f: Any) -> bool:
    # exp(a_0 - a_j) >= 2 is never an equality, for no rational but 0 has a rational exponential: every sign is seen.
    return all(_sign(lambda x=f.a[0] - a: _exp(x) - 2) >= 0 for a in f.a[1:])  # type: ignore[misc]


def _margin_less_target(f: Any) -> int:
    """The sign of m - K, m = <softmax(a), u>."""
    # Equal values average to themselves under any shares, where intervals would leave an equality open.
    return _sign(lambda: (f.u[0] if _same(f.u) else inner(_softmax(f.a), f.u)) - f.K)


MEANINGS |= {
    "m(0) < K": lambda f: _margin_less_target(f) < 0,
    "m(0) > K": lambda f: _margin_less_target(f) > 0,
}

# Maps of scores: the first four are positive with positive slopes on the line, the others powers, so on x > 0.

MEANINGS |= {
    "f > 0 and f' > 0 at the scores": lambda f: f.map in (0, 1, 2, 3) or all(score > 0 for score in f.a),
    "f > 0 and f' > 0 on the whole line": lambda f: f.map in (0, 1, 2, 3),
    "f(x) = x^k on positive scores": lambda f: f.map in (4, 5, 6) and all(score > 0 for score in f.a),
}

# ---------------------------------------------------------------------------------------------------------------------
# Full models and copies


@means("V = beta_* c^T for some c")
def _aligned_values(f: Any) -> bool:
    # A column is a multiple of beta_* where it adds nothing to its span, which is {0} for beta_* = 0.
    return rank([f.beta_star, *transposed(f.V)]) == rank([f.beta_star])


MEANINGS |= {
    "V and beta_* are positive in every entry": lambda f: all(value > 0 for value in (*flat(f.V), *f.beta_star)),
    "V is p x p": lambda f: len(f.V) == len(f.V[0]),
    "all copies have the same b, V(0) = 0 and a(0), with a_0(0) > ... > a_{p-1}(0)": lambda f: (
        _same(f.b) and all_zero(f.V) and _same(f.a) and _strictly_falling(f.a[0])
    ),
    "two copies with the same X, the second with half the loss of the first": lambda f: (
        len(f.weight) == 2 and f.weight[0] - f.weight[1] == f.weight[1] and _same(f.X)
    ),
    "in one basis, no singular value grows from copy to copy; the losses have the same factor": lambda f: (
        _same(f.weight) and all(_falling(list(values)) for values in zip(*f.X, strict=True))
    ),
    "the gap starts at 1, D and x at 0": lambda f: f.gap == 1 and all_zero(f.D) and all_zero(f.x),
}


@means("the largest singular value is 1 and kappa does not fall from copy to copy; the losses have the same factor")
def _conditioned_in_order(f: Any) -> bool:
    return _same(f.weight) and all(max(values) == 1 for values in f.X) and _falling([min(values) for values in f.X])


@means(
    "X is the least singular value alone, along which b lies, and does not grow from copy to copy; losses have one factor"
)
def _least_singular_values(f: Any) -> bool:
    return _same(f.weight) and len(f.X[0]) == 1 and _falling([values[0] for values in f.X])


# ---------------------------------------------------------------------------------------------------------------------
# Slow clocks: logs holds log q_j - log q_{p-1} and log q_{p-1}


def _log_ratios(f: Any) -> Row:
    return [log + f.logs[-1] for log in f.logs[:-1]] + [f.logs[-1]]


MEANINGS |= {
    "u_0(0) > u_j(0) and a_0(0) >= a_j(0) for all j >= 1": lambda f: (
        all(gap > 0 for gap in f.gaps) and all(ratio <= 0 for ratio in _log_ratios(f))
    ),
    "a_0(0) = ... = a_{p-1}(0), as for a(0) = 0": lambda f: all_zero(f.logs),
    "min_i u_i(0) > 0, so m > 0 at every time": lambda f: min(f.offset - gap for gap in [Fraction(0), *f.gaps]) > 0,
    "k >= -1: the loss is linear, or its slope m^{-(k+1)} falls": lambda f: f.k >= -1,
}


@means("x <= 1/16, where x is the distance to the one-hot limit (docs/limits_of_training.md)")
def _near_one_hot(f: Any) -> bool:
    losers = len(f.gaps)
    p = losers + 1

    def room() -> Any:
        logs = [arb(f.K * p / 2).log() + ratio for ratio in _log_ratios(f)]
        gaps = [arb(gap / f.K - 1) for gap in f.gaps]
        S, O = sum(logs, arb(0)), sum(gaps, arb(0))
        x = (abs(S + 2 * O) + 3 * abs(O)) / losers + 10 / f.K
        if losers > 1:
            # Beside its mean each loser has a mode of its own; of two tokens there is the mean alone.
            k = Fraction(2, p - 2)
            modes = [abs((l - S / losers) - k * (o - O / losers)) for l, o in zip(logs, gaps, strict=True)]
            widest = reduce(arb.max, [abs(o - O / losers) for o in gaps])
            x = x + reduce(arb.max, modes) + widest * (1 + k)
        return 1 - 16 * x

    return _sign(room) >= 0


# ---------------------------------------------------------------------------------------------------------------------
# Rows of scores

MEANINGS |= {
    "every row sees every token": lambda f: all(seen == 1 for seen in flat(f.visible)),
    "row i sees tokens 0..i": lambda f: all(
        seen == (j <= i) for i, row in enumerate(f.visible) for j, seen in enumerate(row)
    ),
    "a row that sees a token sees all earlier ones": lambda f: all(_falling(row) for row in f.visible),
    "A(0) = 0 but for A_{T-1,T-1} = 5": lambda f: f.A[-1][-1] == 5 and all_zero(f.A[:-1]) and all_zero(f.A[-1][:-1]),
    "all rows of A are equal and see every token": lambda f: _same(f.A) and all(seen == 1 for seen in flat(f.visible)),
    "u_0 > ... > u_{T-1} and A_i0 >= ... >= A_i,T-1 in every row": lambda f: (
        _strictly_falling(f.u) and all(_falling(row) for row in f.A)
    ),
    "u_0 >= u_j and A_i0 >= A_ij for all i, j": lambda f: f.u[0] == max(f.u) and all(row[0] == max(row) for row in f.A),
    "u_1 >= u_j for all j": lambda f: len(f.u) >= 2 and f.u[1] == max(f.u),
    "u_0 = u_1": lambda f: len(f.u) >= 2 and f.u[0] == f.u[1],
}


@means("A_i1 >= A_ij for i >= 1 and all j, and sum_{i >= 1} (S_i1 - S_i0) > 1")
def _held_by_second_token(f: Any) -> bool:
    if len(f.visible) < 2 or any(row[1] != max(row) for row in f.A[1:]):
        return False

    def hold() -> Any:
        parts = []
        for row, seen in zip(f.A[1:], f.visible[1:], strict=True):
            places = [j for j, sees in enumerate(seen) if sees == 1]
            shares = dict(zip(places, _softmax([row[j] for j in places]), strict=True))
            parts += [shares.get(1, 0), -shares.get(0, 0)]
        return sum(parts, Fraction(-1))

    return _sign(hold) > 0


# ---------------------------------------------------------------------------------------------------------------------
# Chains about the vertices of a polytope


def _c_0(f: Any) -> Fraction:
    return min(inner(v, minus(v, w)) for i, v in enumerate(f.v) for j, w in enumerate(f.v) if i != j)


def _squares_between(points: Rows) -> Row:
    return [polytopes.squared_distance(p, q) for p, q in combinations(points, 2)]


def _squared_diameter(points: Rows) -> Fraction:
    return max(_squares_between(points), default=Fraction(0))


def _away(f: Any) -> Row:
    """|x_i - v_sigma(i)|^2 of each token."""
    return [polytopes.squared_distance(x, f.v[int(label)]) for x, label in zip(f.x, f.group, strict=True)]


MEANINGS |= {
    "x_i in K": lambda f: all(polytopes.convex_weights(x, f.v) is not None for x in f.x),
    "<v_i, v_i> >= <v_i, v_l> + c_0 with c_0 > 0": lambda f: _c_0(f) > 0,
    "|v_1| = ... = |v_kappa|": lambda f: _same([inner(v, v) for v in f.v]),
    "x_i = v_i and sigma(i) = i for i <= kappa": lambda f: (
        f.x[: len(f.v)] == f.v and [int(label) for label in f.group[: len(f.v)]] == list(range(len(f.v)))
    ),
    "d >= 2 and n >= 2^d": lambda f: len(f.x[0]) >= 2 and len(f.x) >= 2 ** len(f.x[0]),
}


@means("every angle of K at a vertex is acute")
def _acute_vertices(f: Any) -> bool:
    # <v_j - v_i, v_k - v_i> > 0 from the products of the points. In integers over one denominator: there are polytopes in
    # 160 dimensions, and a Fraction is reduced after every sum.
    scores = [[inner(v, w) for w in f.v] for v in f.v]
    common = lcm(*(value.denominator for value in flat(scores)))
    whole = [[int(value * common) for value in row] for row in scores]
    for i, own in enumerate(whole):
        others = [j for j in range(len(whole)) if j != i]
        for j in others:
            row, base = whole[j], own[i] - own[j]
            if any(row[k] - own[k] + base <= 0 for k in others):
                return False
    return True


@means("the tokens are the vertices of a regular simplex around 0")
def _regular_tokens(f: Any) -> bool:
    sides = _squares_between(f.x)
    return len(f.x) > 1 and _same(sides) and sides[0] > 0 and all(sum(column) == 0 for column in zip(*f.x, strict=True))


@means("some token is free, c_0 > 0, and <v_sigma(i) - v_j, x_i> > 0 for j != sigma(i)")
def _tokens_in_own_cells(f: Any) -> bool:
    if not any(_away(f)) or _c_0(f) <= 0:
        return False
    return all(
        inner(minus(f.v[int(label)], v), x) > 0
        for x, label in zip(f.x, f.group, strict=True)
        for j, v in enumerate(f.v)
        if j != int(label)
    )


@means("n > kappa, and x_i in I_sigma(i)(beta^{-1/8}) less a margin beta^{-1/4} for i > kappa")
def _tokens_in_eroded_cells(f: Any) -> bool:
    """A ball of radius beta^{-1/4} around x is in K and in the cell less beta^{-1/8}; K is a simplex of full dimension.

    Barycentric coordinates are affine, lambda_j(x) = <g_j, x> + h_j: the ball is in K if lambda_j(x) >= r |g_j|.
    """
    kappa, d = len(f.v), len(f.v[0])
    if len(f.x) <= kappa:
        return False
    if polytopes.dimension(f.v) < d or kappa != d + 1:
        raise OpenError("cells are decided in a simplex of full dimension")
    solved = inverse([[*v, Fraction(1)] for v in f.v])
    assert solved is not None  # the corners of a simplex
    forms = transposed(solved)

    def room(lead: Fraction, eta: int, length: Fraction) -> Any:
        """lead - eta beta^(-1/8) - beta^(-1/4) length^(1/2)."""
        return lead - eta * _power(f.beta, -1) - _power(f.beta, -2) * _root(length)

    for x, label in zip(f.x[kappa:], f.group[kappa:], strict=True):
        own = f.v[int(label)]
        needs = [(inner(form[:-1], x) + form[-1], 0, inner(form[:-1], form[:-1])) for form in forms]
        needs += [
            (inner(minus(own, v), x), 1, polytopes.squared_distance(own, v)) for j, v in enumerate(f.v) if j != int(label)
        ]
        if any(_sign(partial(room, *need)) < 0 for need in needs):
            return False
    return True


def _power(x: Fraction, eighths: int) -> Any:
    """x^(eighths/8), exactly where x is an eighth power."""
    root: Any = x
    for _ in range(3):
        if not isinstance(root := _root(root), Fraction):
            return (arb(x).log() * Fraction(eighths, 8)).exp()
    return root**eighths


def _root(x: Any) -> Any:
    """The square root, exactly where it is rational: a token may be at the very edge of a cell."""
    p, q = isqrt(x.numerator), isqrt(x.denominator)
    return Fraction(p, q) if p * p == x.numerator and q * q == x.denominator else arb(x).sqrt()


MOST_STEPS = 1000
"""How long a first phase is followed."""


@means(
    "some token is free, c_0 > 0, "
    "n (n-1) T exp(-beta min(beta^{-1/8}, c_0) min((1-gamma)^{T-1} beta^{-1/4}, c_0/D)/D) < beta^{-1/8}",
)
def _low_temperature(f: Any) -> bool:
    """T is least with (1 - gamma)^T M <= tau = min(c_0/(2 D), sqrt(c_0/2), (1 - gamma) M), M the largest |x_i - v|."""
    c_0, reach = _c_0(f), max(_away(f))
    if c_0 <= 0 or reach == 0:
        return False
    square, keep, n = _squared_diameter(f.v), 1 - f.gamma, len(f.x)
    radius = min(c_0 * c_0 / (4 * square), c_0 / 2, keep * keep * reach)
    T, left = 0, reach
    while left > radius:
        T, left = T + 1, left * keep * keep
        if T > MOST_STEPS:
            raise OpenError(f"the first phase is longer than {MOST_STEPS} steps")
    if n < 2:
        return True  # no other tokens, so that the left side is 0; T > 0, as tau < M

    def room() -> Any:
        # In logarithms: the exponential itself is too small for any exponent.
        logarithm, D = arb(f.beta).log(), arb(square).sqrt()
        gap = (-logarithm / 8).exp().min(c_0)
        width = (keep ** (T - 1) * (-logarithm / 4).exp()).min(c_0 / D)
        return f.beta * gap * width / D - logarithm / 8 - arb(n * (n - 1) * T).log()

    return _sign(room) > 0


def _largest_square(points: Rows) -> Fraction:
    return max(inner(v, v) for v in points)


def _tube(f: Any, size: Fraction, width: Fraction = Fraction(0)) -> bool:
    """4 S r + 2 r^2 <= c_0 / 2 for r = rho + width, S^2 = size, rho the largest distance of a token from its vertex."""
    rho, c_0 = max(_away(f)), _c_0(f)

    def room() -> Any:
        r = _root(rho) + width
        return c_0 / 2 - 4 * _root(size) * r - 2 * r * r

    # At rest in the vertices S does not matter, whose root may be irrational: an equality would stay open.
    return c_0 >= 0 if rho == 0 and width == 0 else _sign(room) >= 0


MEANINGS |= {
    "every token is within r of its vertex, 4 R r + 2 r^2 <= c_0 / 2": lambda f: _tube(f, _largest_square(f.v)),
    "every token is within r of its vertex, 4 D(K) r + 2 r^2 <= c_0 / 2": lambda f: _tube(f, _squared_diameter(f.v)),
    "eps / gamma >= 2 D(K)": lambda f: f.eps**2 >= 4 * f.gamma**2 * _squared_diameter(f.v),
    "D(K) = 1": lambda f: _squared_diameter(f.v) == 1,
    "|v_i| = 1 for all i": lambda f: all(inner(v, v) == 1 for v in f.v),
    "beta D^2 >= 1000": lambda f: f.beta * _squared_diameter(f.x) >= 1000,
    "x_i in B(v_i, C tau) with C = 1, tau = min(c_0/(2 D(K)), sqrt(2 c_0)/2)": lambda f: (
        _c_0(f) > 0 and max(_away(f)) <= min(_c_0(f) ** 2 / (4 * _squared_diameter(f.v)), _c_0(f) / 2)
    ),
    "x_i in the relative interior of K for i > kappa": lambda f: all(
        len(polytopes.smallest_face(x, f.v)) == len(f.v) for x in f.x[len(f.v) :]
    ),
}


@means("4 R r + 2 r^2 <= c_0 / 2 for r = rho + eps, rho the start's distance from the vertices (this makes eps_* explicit)")
def _narrow_tube(f: Any) -> bool:
    return _tube(f, _largest_square(f.v), f.eps)


@means("eps < eps_*, with 4 R eps_* + 2 eps_*^2 <= c_0/2")
def _thin(f: Any) -> bool:
    # (4 R eps)^2 < (c_0/2 - 2 eps^2)^2, both sides positive: then so it is of a larger eps_*, too.
    room = _c_0(f) / 2 - 2 * f.eps**2
    return room > 0 and 16 * _largest_square(f.v) * f.eps**2 < room**2


@means("the leaders of each token are at one point")
def _single_leaders(f: Any) -> bool:
    rows = [[inner(x, y) for y in f.x] for x in f.x]
    led = [[y for y, score in zip(f.x, row, strict=True) if score == max(row)] for row in rows]
    return all(_same(points) for points in led)


MOST_PICKS = 4096


def _leads_out(f: Any) -> bool | None:
    """Whether some picks lead a token out of its tube before t; None beyond so many combinations."""
    tubes = {label: [x for x, other in zip(f.x, f.group, strict=True) if other == label] for label in f.group}
    layer, followed, n = [f.x], 0, len(f.x)
    found = False
    for _ in range(int(f.steps) - 1):
        followed += len(layer) * n**n
        if followed > MOST_PICKS:
            return None
        after: list[Rows] = []
        for state in layer:
            moves = [[[a + f.gamma * (b - a) for a, b in zip(x, y, strict=True)] for y in state] for x in state]
            for picks in all_tuples(range(n), repeat=n):
                moved = [moves[i][j] for i, j in enumerate(picks)]
                out = any(
                    polytopes.squared_distance_to_hull(x, tubes[label]) > f.eps**2
                    for x, label in zip(moved, f.group, strict=True)
                )
                found = found or out
                if not out and moved not in after:
                    after.append(moved)
        layer = after
    return found


MEANINGS |= {
    "no picks, 4096 combinations at most, lead out of the tubes before t": lambda f: _leads_out(f) is False,
    "some picks, 4096 combinations at most, lead out of the tubes before t": lambda f: _leads_out(f) is True,
    "K = [-s, s] on a line": lambda f: len(f.v) == 2 and len(f.v[0]) == 1 and f.v[0][0] == -f.v[1][0],
    "x = (1, -1, s) on a line with 3/8 <= s <= 3/4": lambda f: (
        f.x[:2] == [[1], [-1]] and len(f.x) == 3 and len(f.x[2]) == 1 and Fraction(3, 8) <= f.x[2][0] <= Fraction(3, 4)
    ),
    "4 <= beta <= 5 and gamma in {1/2, 1/4}": lambda f: 4 <= f.beta <= 5 and f.gamma in (Fraction(1, 2), Fraction(1, 4)),
    "the tokens are not all at one place": lambda f: not _same(f.x),
    "0 < gamma < 1 and gamma != 1/2": lambda f: 0 < f.gamma < 1 and f.gamma != Fraction(1, 2),
    # Escapes of single tokens
    "n > 1, and no two tokens have the same group": lambda f: len(set(f.group)) == len(f.group) > 1,
    "some two tokens start more than 2 eps apart": lambda f: _squared_diameter(f.x) > 4 * f.eps**2,
    "every two tokens start more than 2 eps apart": lambda f: all(s > 4 * f.eps**2 for s in _squares_between(f.x)),
    "gamma |x_i - x_j| > eps for all tokens i != j": lambda f: all(
        f.gamma**2 * square > f.eps**2 for square in _squares_between(f.x)
    ),
    "|x_1| = ... = |x_n|": lambda f: _same([inner(x, x) for x in f.x]),
}


@means("t > m, m picks lead out from everywhere inside")
def _time_for_a_run(f: Any) -> bool:
    # m = t - 1 picks suffice: ((1 - (1 - gamma)^{t-1}) D)^2 > (2 eps)^2 for the farthest two tokens.
    way = 1 - (1 - f.gamma) ** max(0, int(f.steps) - 1)
    return way > 0 and way**2 * _squared_diameter(f.x) > 4 * f.eps**2


@means("max <x, y - z> over tokens at the start is the cost of their cheapest pick")
def _first_picks_cost_the_most(f: Any) -> bool:
    if len(f.x) < 2:
        return False
    scores = [[inner(x, y) for y in f.x] for x in f.x]
    cheapest = min(max(row) - value for i, row in enumerate(scores) for j, value in enumerate(row) if j != i)
    return max(max(row) - min(row) for row in scores) == cheapest
