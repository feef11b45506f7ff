"""The assumptions of the suite's claims, stated again for the checker, in Fractions and mpmath's intervals alone.

What :mod:`claims.checker.words` can read is not stated here. All else is written from its words, which stand next to it: an
assumption whose words have changed is not restated, and the checker says so. An instance is read from the certificate's
own JSON into plain lists of Fractions, under the names of its arrays. Nothing is imported that decides, and no NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from math import isqrt, lcm
from types import SimpleNamespace
from typing import Any

from claims.certificates.format import exact_number
from claims.checker.words import (
    Test,
    all_zero,
    characteristic,
    definite,
    determinant,
    diagonal,
    eye_minus,
    flat,
    invertible,
    meaning,
    negative,
    plus,
    scalar,
    semidefinite,
    symmetric,
    tokens,
    transposed,
)
from dynamics.checker import polytopes
from dynamics.checker.intervals import (
    Interval,
    interval,
    interval_exp,
    interval_log,
    interval_precision,
    interval_sqrt,
    larger,
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

RESTATED: dict[tuple[str, str], Test] = {}
"""Whether plain instances satisfy an assumption, by its name and its words."""

LEAST_BITS, MOST_BITS = 64, 4096


class OpenError(ArithmeticError):
    """Intervals do not decide whether an assumption is satisfied, or no method is known here."""


def satisfies(name: str, statement: str, instance: dict[str, Any]) -> bool | None:
    """Whether the instance, given as JSON, satisfies the assumption; None if that is not restated. Raises OpenError."""
    test = meaning_of(name, statement)
    return None if test is None else bool(test(plain_instance(instance)))


def meaning_of(name: str, statement: str) -> Test | None:
    """What tells whether a plain instance satisfies an assumption: stated here, or read from its words."""
    return RESTATED.get((name, statement)) or meaning(statement)


def plain_instance(instance: dict[str, Any]) -> SimpleNamespace:
    """The arrays of an instance's JSON by name, as nested lists of Fractions."""
    return SimpleNamespace(**{name: _fractions(value) for name, value in instance.items() if name != "system"})


def _fractions(value: Any) -> Any:
    return [_fractions(entry) for entry in value] if isinstance(value, list) else exact_number(value, "instance")


def restated(name: str, statement: str) -> Callable[[Test], Test]:
    """Register the function as the meaning of the words."""

    def registered(test: Test) -> Test:
        RESTATED[name, statement] = test
        return test

    return registered


def _state(name: str, statement: str, test: Test) -> None:
    RESTATED[name, statement] = test


# ---------------------------------------------------------------------------------------------------------------------
# Numbers


def _sign(number: Callable[[], Any]) -> int:
    """The sign of what the function computes: a Fraction, or intervals at more and more bits. Raises OpenError."""
    bits = LEAST_BITS
    while bits <= MOST_BITS:
        with interval_precision(bits):
            try:
                value = number()
            except ValueError:  # of too few bits for a logarithm or a root
                bits *= 2
                continue
            if isinstance(value, Fraction | int):
                return (value > 0) - (value < 0)
            if value.a > 0:
                return 1
            if value.b < 0:
                return -1
        bits *= 2
    raise OpenError(f"a sign is open at {MOST_BITS} bits")


def _exp(x: Fraction) -> Any:
    return Fraction(1) if x == 0 else interval_exp(interval(x))


def _sum(values: Sequence[Any]) -> Any:
    """Of Fractions exactly, with intervals an interval."""
    if all(isinstance(value, Fraction) for value in values):
        return sum(values, Fraction(0))
    return sum((_interval(value) for value in values), interval(0))


def _interval(value: Any) -> Interval:
    return interval(value) if isinstance(value, Fraction | int) else value


def _softmax(scores: Row) -> Row:
    weights = [_exp(score - scores[0]) for score in scores]
    whole = _sum(weights)
    if isinstance(whole, Fraction):
        return [weight / whole for weight in weights]
    return [_interval(weight) / whole for weight in weights]


def _falling(values: Sequence[Fraction]) -> bool:
    return all(values[k] >= values[k + 1] for k in range(len(values) - 1))


def _strictly_falling(values: Sequence[Fraction]) -> bool:
    return all(values[k] > values[k + 1] for k in range(len(values) - 1))


def _same(values: Sequence[Any]) -> bool:
    return all(value == values[0] for value in values)


# ---------------------------------------------------------------------------------------------------------------------
# Matrices

_state(
    "unit_root_on_the_subspace",
    "pi_F A = 1 on F, where Q^T K = 1 + C C^T, C = pi_F A on G",
    lambda f: semidefinite([[v - int(i == j) for j, v in enumerate(row)] for i, row in enumerate(f.B)]),
)
_state(
    "semidefinite_energy",
    "B_* = -B is symmetric, >= 0 and not 0",
    lambda f: semidefinite(negative(f.B)) and not all_zero(f.B),
)
_state(
    "positive_diagonal_key_query",
    "B is diagonal and positive definite; a rotation of N(0, I) makes any B > 0 so",
    lambda f: diagonal(f.B) and all(f.B[k][k] > 0 for k in range(len(f.B))),
)
_state("scalar_step", "P = gamma I with 0 <= gamma <= 1", lambda f: scalar(f.P) and 0 <= f.P[0][0] <= 1)
_state("inner_scalar_step", "P = gamma I, 0 < gamma < 1", lambda f: scalar(f.P) and 0 < f.P[0][0] < 1)
_state(
    "invertible_step",
    "P = (I + V)^{-1} V for a V with I + V invertible: I - P is invertible",
    lambda f: invertible(eye_minus(f.P, -1)),
)
_state(
    "diagonal_values",
    "V is diagonal and positive: P is diagonal with entries in (0, 1)",
    lambda f: diagonal(f.P) and all(0 < f.P[k][k] < 1 for k in range(len(f.P))),
)
_state("two_rates", "the first two entries of V differ", lambda f: len(f.P) > 1 and f.P[0][0] != f.P[1][1])
_state(
    "averaged_leaders", "ties are averaged: all weights are 1", lambda f: all(weight == 1 for weight in flat(f.selection))
)

# ---------------------------------------------------------------------------------------------------------------------
# Tokens and values of the clusters paper


def _distinct(rows: Rows) -> bool:
    return len({tuple(row) for row in rows}) == len(rows)


def _eigen_rows(V: Rows, tie: Callable[[Rows], bool]) -> bool:
    """Whether the first two rows vanish beyond two columns and the corner is as asked."""
    return tie(V) and all(value == 0 for row in V[:2] for value in row[2:])


def _symmetric_up_to_values(f: Any) -> bool:
    """B V^-1 is symmetric: adj(V)^T B^T = B adj(V), the adjugate being V^-1 times the determinant."""
    V, d = f.V, len(f.V)
    if not invertible(V):
        return False

    def minor(i: int, j: int) -> Fraction:
        rest = [[V[a][b] for b in range(d) if b != j] for a in range(d) if a != i]
        return determinant(rest) if rest else Fraction(1)

    adjugate = [[(-1) ** (i + j) * minor(j, i) for j in range(d)] for i in range(d)]
    return symmetric([[inner(row, column) for column in transposed(adjugate)] for row in f.B])


def _block(f: Any) -> bool:
    k, rate = int(f.k), f.V[0][0]
    return rate > 0 and all(
        value == (rate if i == j else 0) for i, row in enumerate(f.V) for j, value in enumerate(row) if i < k or j < k
    )


def _jordan_block(V: Rows) -> bool:
    rate, d = V[0][0], len(V)
    return (
        d > 1
        and rate >= 0
        and all(V[i][j] == (rate if i == j else 1 if j == i + 1 else 0) for i in range(d) for j in range(d))
    )


def _loss(f: Any) -> Rows:
    """-(BV + V^T B^T)."""
    gained = [[inner(row, column) for column in transposed(f.V)] for row in f.B]
    return negative(plus(gained, transposed(gained)))


_state(
    "ordered_tokens",
    "x_1 < ... < x_n in the first coordinate",
    lambda f: _strictly_falling([-row[0] for row in tokens(f)]),
)
_state("distinct_tokens", "x_i != x_j for i != j", lambda f: _distinct(tokens(f)))
_state("some_token", "the tokens are not all 0", lambda f: not all_zero(tokens(f)))
_state(
    "first_coordinate_is_eigen",
    "phi is the first coordinate: V_1j = 0 for j > 1",
    lambda f: all(value == 0 for value in f.V[0][1:]),
)
_state("diagonal_value", "V is diagonal: coordinates are those of an eigenbasis", lambda f: diagonal(f.V))
_state(
    "sorted_rates",
    "V_11 > |V_22| >= ... >= |V_dd| and V_11 > 0",
    lambda f: (
        f.V[0][0] > 0
        and all(f.V[0][0] > abs(f.V[k][k]) for k in range(1, len(f.V)))
        and _falling([abs(f.V[k][k]) for k in range(1, len(f.V))])
    ),
)
_state(
    "different_real_eigenvalues",
    "d = 2 and V has two different real eigenvalues",
    lambda f: len(f.V) == 2 and (f.V[0][0] + f.V[1][1]) ** 2 > 4 * determinant(f.V),
)
_state("jordan_block", "V is a Jordan block of a real eigenvalue >= 0, d > 1", lambda f: _jordan_block(f.V))
_state(
    "eigen_plane",
    "phi is the first coordinate for d = 1, else x_1 + i x_2 with V_11 = V_22, V_12 = -V_21 and V_1k = V_2k = 0 for k > 2",
    lambda f: len(f.V) == 1 or _eigen_rows(f.V, lambda V: V[0][0] == V[1][1] and V[0][1] == -V[1][0]),
)
_state(
    "jordan_plane",
    "V_11 = V_22, V_21 = 0 and V_1k = V_2k = 0 for k > 2, d > 1",
    lambda f: len(f.V) > 1 and _eigen_rows(f.V, lambda V: V[0][0] == V[1][1] and V[1][0] == 0),
)
_state("block_value", "V maps F and G to themselves and is lambda I on F, lambda > 0", _block)
_state("dissipative_value", "<BVy, y> <= 0 for every y", lambda f: semidefinite(_loss(f)))
_state("symmetric_up_to_values", "B = M V with M symmetric and V invertible", _symmetric_up_to_values)
_state(
    "invertible_growth",
    "R = I + dt V is invertible",
    lambda f: invertible(eye_minus([[f.dt * value for value in row] for row in f.V], 1)),
)
_state(
    "line_in_the_subspace",
    "F is the first axis, and tokens differ there",
    lambda f: f.k == 1 and not _same([row[0] for row in f.z]),
)
_state(
    "others_at_minus_reciprocal",
    "x_1 > 0 and x_i = -1/x_1 for i > 1, n > 1",
    lambda f: len(f.x) > 1 and f.x[0][0] > 0 and all(row[0] * f.x[0][0] == -1 for row in f.x[1:]),
)
_state(
    "point_in_the_ball",
    "|p| <= R, the largest |x_i| and |y_i|",
    lambda f: inner(f.p, f.p) <= max(inner(row, row) for row in [*f.x, *f.y]),
)

# ---------------------------------------------------------------------------------------------------------------------
# Limits of the clusters paper


def _apart(V: Rows, k: int) -> bool:
    """Whether row and column k vanish but where they meet."""
    return all(V[k][j] == 0 and V[j][k] == 0 for j in range(len(V)) if j != k)


def _is_beyond_omega(z: Fraction, t: Fraction, n: int) -> bool:
    """e^{2t} z^2 > W((n - 1)/e): for y >= 0 that is y e^{y + 1} > n - 1."""
    if n == 1:
        return z != 0

    def excess() -> Any:
        square = interval(z) * interval(z) * _exp(2 * t) if t else z * z
        if isinstance(square, Fraction):
            return interval(square) * _exp(square + 1) - (n - 1)
        return square * interval_exp(square + 1) - (n - 1)

    return _sign(excess) > 0


def _pair_beside_the_axis(f: Any) -> bool:
    if len(f.z) != 2 or len(f.z[0]) != 2 or f.t != 0:
        return False
    (a, s), (b, r) = f.z
    return bool(a == b == 1 and s > 0 and r == -s)


def _last_is_slow(V: Rows) -> bool:
    d = len(V)
    return d > 1 and diagonal(V) and _same([V[k][k] for k in range(d - 1)]) and abs(V[-1][-1]) < V[0][0]


_state(
    "leading_direction",
    "V_1k = V_k1 = 0 and sum_l |V_kl| < V_11 for k > 1, and V_11 > 0",
    lambda f: f.V[0][0] > 0 and _apart(f.V, 0) and all(sum(abs(value) for value in row[1:]) < f.V[0][0] for row in f.V[1:]),
)
_state(
    "beyond_threshold",
    "x_i(0)^2 > omega_n for every i",
    lambda f: all(_is_beyond_omega(row[0], f.t, len(f.z)) for row in f.z),
)
_state(
    "positive_tokens",
    "x_i > 0 for every i, in the first coordinate",
    lambda f: all(row[0] > 0 for row in tokens(f)),
)
_state("pair_beside_the_axis", "n = d = 2, t = 0, z_1 = (1, s), z_2 = (1, -s) with s > 0", _pair_beside_the_axis)
_state(
    "bracketing",
    "n = 2, d = 1, Q^T K = V = 1, x_1 <= -1, -1/4 <= y_1 < 0, 1 <= x_2 = y_2 <= 2 at the start",
    lambda f: (
        f.B == f.V == [[1]]
        and len(f.x) == 2
        and f.x[0][0] + 1 <= 0 > f.y[0][0] >= -Fraction(1, 4)
        and f.x[1] == f.y[1]
        and 0 <= f.x[1][0] - 1 <= 1
    ),
)
_state(
    "mirrored_pair",
    "n = 2, d = 1, x_2 = -x_1 != 0",
    lambda f: len(tokens(f)) == 2 and len(f.V) == 1 and tokens(f)[0][0] == -tokens(f)[1][0] != 0,
)
_state(
    "leading_modulus",
    "d = 1: |V| is the largest modulus of an eigenvalue, > 0 and simple",
    lambda f: len(f.V) == 1 and f.V[0][0] != 0,
)
_state(
    "one_resting_direction",
    "d = 2, V = diag(lambda, 0) with lambda > 0",
    lambda f: len(f.V) == 2 and diagonal(f.V) and f.V[0][0] > 0 and f.V[1][1] == 0,
)
_state(
    "different_growing_rates",
    "d = 2, V = diag(lambda_1, lambda_2) with lambda_1 > lambda_2 > 0",
    lambda f: len(f.V) == 2 and diagonal(f.V) and f.V[0][0] > f.V[1][1] > 0,
)
_state(
    "simple_growing_rate",
    "V is diagonal, lambda_1 > 0 and lambda_1 > lambda_k for all others, |lambda_k| of any size",
    lambda f: diagonal(f.V) and f.V[0][0] > max([Fraction(0), *(f.V[k][k] for k in range(1, len(f.V)))]),
)
_state(
    "nonnegative_perceptron",
    "V and W are diagonal, their entries >= 0",
    lambda f: diagonal(f.V) and diagonal(f.W) and min(*flat(f.V), *flat(f.W)) >= 0,
)
_state(
    "definite_symmetric_part",
    "Q^T K and its transpose have a positive definite sum",
    lambda f: definite(plus(f.B, transposed(f.B))),
)
_state(
    "positive_heads",
    "d = 1, V_h > 0 and Q_h^T K_h > 0 for every head, dt > 0",
    lambda f: len(f.x[0]) == 1 and min(*flat(f.V), *flat(f.B), f.dt) > 0,
)
_state(
    "turning_value",
    "d = 2, V = I + omega J, J the rotation by a right angle",
    lambda f: len(f.V) == 2 and f.V[0][0] == f.V[1][1] == 1 and f.V[0][1] + f.V[1][0] == 0,
)
_state(
    "falling_second_rate",
    "d = 2, V = diag(lambda, -mu) with lambda, mu > 0",
    lambda f: len(f.V) == 2 and diagonal(f.V) and f.V[1][1] < 0 < f.V[0][0],
)
_state(
    "beyond_the_curve",
    "n = 2, d = 1, x_1 <= -513/1000 and x_2 > 0",
    lambda f: len(f.x) == 2 and len(f.x[0]) == 1 and 1000 * f.x[0][0] <= -513 and f.x[1][0] > 0,
)
_state(
    "half_value_beside_the_plane",
    "V = diag(1, 1, 1/2)",
    lambda f: diagonal(f.V) and [f.V[k][k] for k in range(len(f.V))] == [1, 1, Fraction(1, 2)],
)
_state("slow_last_direction", "V = diag(lambda, ..., lambda, mu) with |mu| < lambda, d > 1", lambda f: _last_is_slow(f.V))

# ---------------------------------------------------------------------------------------------------------------------
# Step sizes of one step


# ---------------------------------------------------------------------------------------------------------------------
# Schedules of hardmax


def _proportional(f: Any) -> bool:
    """B^t = beta^t B for some numbers beta^t."""
    return polytopes.rank([list(flat(B)) for B in f.B]) <= 1


def _with_steps(f: Any) -> bool:
    """gamma^0 B^t = gamma^t B^0, no step size zero."""
    first = f.gamma[0]
    return all(
        gamma != 0 and all(first * a == gamma * b for a, b in zip(flat(B), flat(f.B[0]), strict=True))
        for gamma, B in zip(f.gamma, f.B, strict=True)
    )


_state(
    "energies_never_grow",
    "B_*^t - B_*^{t+1} is >= 0",
    lambda f: all(semidefinite(plus(f.B[t + 1], negative(f.B[t]))) for t in range(len(f.B) - 1)),
)
for _name in ("one_energy", "one_matrix"):
    _state(_name, "B^t = B", lambda f: _same(f.B))
_state(
    "equal_eigenvalues",
    "B^t has the same eigenvalues for all t",
    lambda f: _same([characteristic(B) for B in f.B]),
)
_state(
    "nonnegative_scores",
    "B^t = beta^t B, beta^t >= 0, B >= 0",
    lambda f: _proportional(f) and all(semidefinite(B) for B in f.B),
)
_state(
    "scores_of_either_sign",
    "B^t = beta^t B, B >= 0, beta^t of any sign",
    lambda f: _proportional(f) and all(semidefinite(B) or semidefinite(negative(B)) for B in f.B),
)
_state("scores_scale_with_steps", "beta^t/beta^{t+1} = gamma^t/gamma^{t+1}", _with_steps)
_state(
    "open_loop_steps",
    "gamma^t = 2/(t + 2), from t = 0 on",
    lambda f: f.t == 0 and all(gamma * (t + 2) == 2 for t, gamma in enumerate(f.gamma)),
)
for _name in ("constant_step", "constant_small_step"):
    _state(_name, "gamma^t = gamma in (0, 1)", lambda f: _same(f.gamma) and 0 < f.gamma[0] < 1)


def _holds_origin(x: Rows) -> bool:
    return polytopes.convex_weights([Fraction(0)] * len(x[0]), x) is not None


@restated("origin_in_every_hull", "0 is in K^t at as many steps as the schedule lists")
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


for _words in ("0 is in K^0", "0 in K^0"):
    _state("origin_in_hull", _words, lambda f: _holds_origin(f.x))


@restated("tokens_on_both_sides", "-b = min K^0 < 0 < a = max K^0, a != 2b, b != 2a, no token is 0")
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


@restated("own_vertex_cells", "every vertex owns its cell: <Bv_j, v_j> > <Bv_j, v_i> for i != j")
@restated("own_vertex_cells", "every vertex owns its cell: <Bv_j, v_j> > <Bv_j, v_i> for i != j, at the first step")
def _own_vertex_cells(f: Any) -> bool:
    v, B = _corners(f), _scores_at_first(f)
    return all(inner(image(B, a), minus(a, b)) > 0 for j, a in enumerate(v) for i, b in enumerate(v) if i != j)


@restated("tokens_in_one_cell", "every token lies in exactly one cell")
@restated("tokens_in_one_cell", "every token lies in exactly one cell, at the first step")
def _tokens_in_one_cell(f: Any) -> bool:
    for row in table(f.x, _scores_at_first(f)):
        leading = [x for x, score in zip(f.x, row, strict=True) if score == max(row)]
        if any(x != leading[0] for x in leading):
            return False
    return True


@restated("equal_norm_vertices", "J(v_i) = <Bv_i, v_i>/2 is the same for every vertex")
def _equal_norm_vertices(f: Any) -> bool:
    return _same([inner(image(f.B, v), v) for v in _corners(f)])


@restated(
    "exchanged_corners",
    "the tokens are 0, s e_1, ..., s e_d with s > 0, B e_1 is a positive multiple of e_2 and B e_2 of e_1",
)
def _exchanged_corners(f: Any) -> bool:
    n, d, s = len(f.x), len(f.x[0]), f.x[-1][-1]
    if n != d + 1 or d < 2 or s <= 0:
        return False
    if any(value != (s if i == a + 1 else 0) for i, x in enumerate(f.x) for a, value in enumerate(x)):
        return False
    columns = transposed(f.B)
    return all(
        columns[i][j] > 0 and all(value == 0 for a, value in enumerate(columns[i]) if a != j) for i, j in ((0, 1), (1, 0))
    )


# ---------------------------------------------------------------------------------------------------------------------
# Localmax

for _name, _words, _rules in (
    ("additive_rule", "C_i = {j : gap_i(z_j) <= delta} (D1)", (0,)),
    ("neighbours_by_score", "a rule by which no token is its own neighbour but by its score", (0, 1, 2, 3, 5)),
    ("gaps_below_sensitivity", "a rule by which every neighbour of token i has gap_i <= delta", (0, 3, 5)),
    (
        "sensitivity_is_a_gap",
        "a rule by which a gap that exceeds delta makes no neighbour, but of a token itself",
        (0, 3, 4, 5),
    ),
    ("averages_over_indices", "a rule by which c_i is the mean over indices", (0, 1, 2, 3, 4)),
    ("averages_over_points", "a rule by which c_i is the mean over distinct points", (5,)),
    ("another_rule", "neighbours by another rule than D1", (1, 2, 3, 4, 5)),
):
    _state(_name, _words, lambda f, rules=_rules: f.rule in rules)  # type: ignore[misc]

_state(
    "distinct_tokens",
    "the tokens are distinct",
    lambda f: all(p != q for i, p in enumerate(f.z) for q in f.z[:i]),
)
_state("coincident_pair", "z_1 = z_2", lambda f: len(f.z) > 1 and f.z[0] == f.z[1])
_state("nonzero_tokens", "no token is at the origin", lambda f: not any(all_zero(p) for p in f.z))
_state(
    "all_hear_all",
    "<A z_i, z_l - z_j> <= delta for all i, l, j",
    lambda f: all(gap <= f.delta for gap in flat(shortfalls(table(f.z, f.A)))),
)
_state("lasting_sensitivity", "liminf delta_k > 0", lambda f: f.delta[-1] > 0)
_state("vanishing_sensitivity", "delta_k -> 0", lambda f: f.delta[-1] == 0)
_state("recurring_sensitivity", "limsup delta_k > 0, the schedule recurs", lambda f: max(f.delta) > 0)
_state(
    "two_against_one",
    "tokens p > z > 0 > -W on a line, neighbours by gap_i(z_j) <= delta",
    lambda f: len(f.z) == 3 and len(f.z[0]) == 1 and f.rule == 0 and f.z[0][0] > f.z[1][0] > 0 and f.z[2][0] < 0,
)
_state("hardmax_at_first", "the smaller sensitivity is 0", lambda f: f.delta == 0)
_state(
    "open_step_sizes",
    "0 < gamma_k < 1, in a compact part of it",
    lambda f: all(0 < gamma < 1 for gamma in f.gamma),
)
_state(
    "positive_step_sizes",
    "0 < gamma_k <= 1, in a compact part of it",
    lambda f: all(0 < gamma <= 1 for gamma in f.gamma),
)


def _square(A: Rows, p: Row, q: Row) -> Fraction:
    """<A (p - q), p - q>."""
    apart = minus(p, q)
    return inner(image(A, apart), apart)


_state(
    "small_diameter",
    "<A (z_i - z_j), z_i - z_j> < 2 delta for all i, j",
    lambda f: all(_square(f.A, p, q) < 2 * f.delta for p in f.z for q in f.z),
)
_state(
    "equal_token_norms",
    "|z_1|_A = ... = |z_n|_A",
    lambda f: _same([inner(image(f.A, p), p) for p in f.z]),
)


@restated("mutual_neighbours", "j in C_i if and only if i in C_j")
def _mutual_neighbours(f: Any) -> bool:
    attended = localmax_heard(f.z, f.A, f.delta, int(f.rule))
    return attended == [list(column) for column in zip(*attended, strict=True)]


@restated("vertices_apart", "<Av, v - w> > 0 for all distinct vertices v, w of K, one token at each")
def _vertices_apart(f: Any) -> bool:
    corners = [f.z[i] for i in polytopes.vertices(f.z)]
    tokens = [p for p in f.z if p in corners]
    return all(inner(image(f.A, v), minus(v, w)) > 0 for i, v in enumerate(tokens) for j, w in enumerate(tokens) if i != j)


@restated("last_token_hidden", "the last token is in the interior of the hull of the others")
def _last_token_hidden(f: Any) -> bool:
    others, last = f.z[:-1], f.z[-1]
    if polytopes.dimension(others) < len(last):
        return False
    return len(polytopes.smallest_face(last, others)) == len(others)


@restated("sensitivity_below_gaps", "delta is below every positive gap in the first 3 steps of hardmax")
def _sensitivity_below_gaps(f: Any) -> bool:
    z = f.z
    for _ in range(3):
        if any(0 < gap <= f.delta for gap in flat(shortfalls(table(z, f.A)))):
            return False
        z = localmax_step(z, f.A, f.gamma, Fraction(0), 0)
    return True


@restated(
    "separated_blocks",
    "tokens are partitioned into blocks with <A z_i, z_l - z_j> <= delta inside, and <A z_i, z_i - z_j> > delta + "
    "max_{p,q in Q} |z_p - z_q|_A^2 / 2 for i in the block Q and j in another one",
)
def _separated_blocks(f: Any) -> bool:
    """Such a block is what each of its tokens attends to, in additive terms: every other token scores less than its own."""
    attended = localmax_heard(f.z, f.A, f.delta, 0)
    blocks = [[j for j, attends in enumerate(row) if attends] for row in attended]
    if any(i not in block or any(blocks[j] != block for j in block) for i, block in enumerate(blocks)):
        return False
    for i, block in enumerate(blocks):
        widest = max(_square(f.A, f.z[p], f.z[q]) for p in block for q in block)
        turned = image(f.A, f.z[i])
        outside = [j for j in range(len(f.z)) if j not in block]
        if any(inner(turned, minus(f.z[i], f.z[j])) <= f.delta + widest / 2 for j in outside):
            return False
    return True


@restated(
    "a_visit",
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
    retreat = gamma * (q + W) / 3
    return all(
        margin > 0
        for margin in (
            4 - 7 * gamma,
            g,
            p - z,
            z,
            delta - a * z * (p + W),
            a * after * (after + W) - delta,
            W - p,
            a * W * (W + q - most) - delta,
            (3 - 2 * gamma) * (q - most) + gamma * (q - W),
            delta - a * p * most,
            retreat - g / (a * (q + W)),
        )
    )


# ---------------------------------------------------------------------------------------------------------------------
# Scores and value projections


def _values(f: Any) -> Row:
    """u, or V^T beta_* of a full model."""
    return f.u if hasattr(f, "u") else [inner(f.beta_star, column) for column in transposed(f.V)]


def _target(f: Any) -> Fraction:
    """|beta_*|^2."""
    return f.K if hasattr(f, "K") else inner(f.beta_star, f.beta_star)


_state("zero_scores", "a(0) = 0", lambda f: all_zero(f.a))
_state("ordered_values", "u_0(0) > ... > u_{p-1}(0)", lambda f: _strictly_falling(_values(f)))
_state("weakly_ordered_values", "u_0 >= ... >= u_{p-1}", lambda f: _falling(f.u))
_state("ordered_scores", "s_0(0) > ... > s_{p-1}(0)", lambda f: _strictly_falling(f.a))
_state("unit_target", "|beta_*| = 1", lambda f: _target(f) == 1)
_state(
    "comonotone",
    "s_0 >= ... >= s_{p-1} and u_0 > ... > u_{p-1}",
    lambda f: _falling(f.a) and _strictly_falling(f.u),
)
_state("zero_values", "u(0) = 0, as for V(0) = 0", lambda f: all_zero(f.u))
_state("equal_scores", "a_0(0) = ... = a_{p-1}(0)", lambda f: _same(f.a))
_state("unit_scores", "a(0) = (1, ..., 1)", lambda f: all(a == 1 for a in f.a))
_state("leading_value", "u_0 > u_j for j != 0", lambda f: all(f.u[0] > value for value in f.u[1:]))
_state(
    "leader_dominates",
    "u_0 > u_j and a_0 >= a_j for j != 0",
    lambda f: all(f.u[0] > u and f.a[0] >= a for u, a in zip(f.u[1:], f.a[1:], strict=True)),
)
_state(
    "leading_column",
    "<beta_*, v_0> > <beta_*, v_j> for j != 0",
    lambda f: all(_values(f)[0] > value for value in _values(f)[1:]),
)
_state(
    "tied_leaders",
    "u_0 = u_1 > u_j and a_0 = a_1 >= a_j for j >= 2",
    lambda f: (
        len(f.u) >= 2
        and f.u[0] == f.u[1]
        and f.a[0] == f.a[1]
        and all(f.u[0] > u and f.a[0] >= a for u, a in zip(f.u[2:], f.a[2:], strict=True))
    ),
)
_state(
    "tied_losers",
    "u_1 = ... = u_{p-1} and a_1 = ... = a_{p-1}",
    lambda f: _same(f.u[1:]) and _same(f.a[1:]),
)
_state(
    "small_descent_step",
    "rate (u_0 - u_{p-1}) <= 4",
    lambda f: f.rate * (f.u[0] - f.u[-1]) <= 4,
)
_state(
    "four_given_values",
    "u(0) = (1, 2/5, -3/10, -1/2) and |beta_*| = 1",
    lambda f: f.u == [1, Fraction(2, 5), Fraction(-3, 10), Fraction(-1, 2)] and f.K == 1,
)


def _downwards(values: Row) -> Row:
    return sorted(values, reverse=True)


@restated("clear_leader", "the largest u_j(0) exceeds the next by at least 2 |beta_*| (a smaller lead only takes longer)")
def _clear_leader(f: Any) -> bool:
    u = _downwards(f.u)
    return len(u) < 2 or bool((u[0] - u[1]) ** 2 >= 4 * f.K)


@restated("near_tie", "u(0) = c + (delta, 0, ..., 0) with 0 < delta <= |beta_*| / 256")
def _near_tie(f: Any) -> bool:
    if len(f.u) < 2 or not _same(f.u[1:]):
        return False
    lead = f.u[0] - f.u[1]
    return bool(lead > 0 and (256 * lead) ** 2 <= f.K)


@restated(
    "moderate_lead",
    "p <= 6 and the largest a_j(0) exceeds the others by 1/2 to 2 (elsewhere the remainder has a larger constant)",
)
def _moderate_lead(f: Any) -> bool:
    a = _downwards(f.a)
    return len(a) <= 6 and all(Fraction(1, 2) <= a[0] - other <= 2 for other in a[1:])


@restated("halved_ratios", "s_j <= s_0 / 2 for j != 0")
def _halved_ratios(f: Any) -> bool:
    """exp(a_0 - a_j) >= 2; no rational but 0 has a rational exponential."""
    return all(_sign(lambda x=f.a[0] - a: _exp(x) - 2) >= 0 for a in f.a[1:])  # type: ignore[misc]


def _margin_less_target(f: Any) -> int:
    """The sign of m - K, m = <softmax(a), u>."""

    def difference() -> Any:
        shares = _softmax(f.a)
        weighed = [u * s if isinstance(s, Fraction) else interval(u) * s for u, s in zip(f.u, shares, strict=True)]
        return _sum([*weighed, -f.K])

    if _same(f.u):
        return (f.u[0] > f.K) - (f.u[0] < f.K)
    return _sign(difference)


_state("margin_below_target", "m(0) < K", lambda f: _margin_less_target(f) < 0)
_state("margin_above_target", "m(0) > K", lambda f: _margin_less_target(f) > 0)

# Maps of scores: the first four are positive with positive slopes on the line, the others powers, so on x > 0.

_state(
    "positive_map",
    "f > 0 and f' > 0 at the scores",
    lambda f: f.map in (0, 1, 2, 3) or all(score > 0 for score in f.a),
)
_state("positive_map_on_the_line", "f > 0 and f' > 0 on the whole line", lambda f: f.map in (0, 1, 2, 3))
_state(
    "power_map",
    "f(x) = x^k on positive scores",
    lambda f: f.map in (4, 5, 6) and all(score > 0 for score in f.a),
)

# ---------------------------------------------------------------------------------------------------------------------
# Full models and copies


@restated("aligned_values", "V = beta_* c^T for some c")
def _aligned_values(f: Any) -> bool:
    """Every column is a multiple of beta_*."""
    if all_zero(f.beta_star):
        return all_zero(f.V)
    return all(polytopes.rank([f.beta_star, column]) <= 1 for column in transposed(f.V))


_state(
    "positive_model",
    "V and beta_* are positive in every entry",
    lambda f: all(value > 0 for value in (*flat(f.V), *f.beta_star)),
)
_state("square_model", "V is p x p", lambda f: len(f.V) == len(f.V[0]))
_state(
    "same_start",
    "all copies have the same b, V(0) = 0 and a(0), with a_0(0) > ... > a_{p-1}(0)",
    lambda f: _same(f.b) and all_zero(f.V) and _same(f.a) and _strictly_falling(f.a[0]),
)
_state(
    "half_the_loss",
    "two copies with the same X, the second with half the loss of the first",
    lambda f: len(f.weight) == 2 and f.weight[0] - f.weight[1] == f.weight[1] and _same(f.X),
)
_state(
    "conditioned_in_order",
    "the largest singular value is 1 and kappa does not fall from copy to copy; the losses have the same factor",
    lambda f: _same(f.weight) and all(max(values) == 1 for values in f.X) and _falling([min(values) for values in f.X]),
)
_state(
    "falling_singular_values",
    "in one basis, no singular value grows from copy to copy; the losses have the same factor",
    lambda f: _same(f.weight) and all(_falling(list(values)) for values in zip(*f.X, strict=True)),
)
_state(
    "least_singular_values",
    "X is the least singular value alone, along which b lies, and does not grow from copy to copy; losses have one factor",
    lambda f: _same(f.weight) and len(f.X[0]) == 1 and _falling([values[0] for values in f.X]),
)
_state(
    "gap_alone",
    "the gap starts at 1, D and x at 0",
    lambda f: f.gap == 1 and all_zero(f.D) and all_zero(f.x),
)

# ---------------------------------------------------------------------------------------------------------------------
# Slow clocks: logs holds log q_j - log q_{p-1} and log q_{p-1}


def _log_ratios(f: Any) -> Row:
    return [log + f.logs[-1] for log in f.logs[:-1]] + [f.logs[-1]]


_state(
    "leading_index",
    "u_0(0) > u_j(0) and a_0(0) >= a_j(0) for all j >= 1",
    lambda f: all(gap > 0 for gap in f.gaps) and all(ratio <= 0 for ratio in _log_ratios(f)),
)
_state("level_scores", "a_0(0) = ... = a_{p-1}(0), as for a(0) = 0", lambda f: all_zero(f.logs))
_state(
    "positive_margin",
    "min_i u_i(0) > 0, so m > 0 at every time",
    lambda f: min(f.offset - gap for gap in [Fraction(0), *f.gaps]) > 0,
)
_state("loss_not_too_steep", "k >= -1: the loss is linear, or its slope m^{-(k+1)} falls", lambda f: f.k >= -1)


@restated("near_one_hot", "x <= 1/16, where x is the distance to the one-hot limit (docs/limits_of_training.md)")
def _near_one_hot(f: Any) -> bool:
    losers = len(f.gaps)
    p = losers + 1

    def room() -> Interval:
        logs = [interval_log(interval(f.K * p / 2)) + interval(ratio) for ratio in _log_ratios(f)]
        gaps = [interval(gap / f.K - 1) for gap in f.gaps]
        S, O = _sum(logs), _sum(gaps)
        x = (abs(S + 2 * O) + 3 * abs(O)) / losers + 10 / interval(f.K)
        if losers > 1:
            k = interval(Fraction(2, p - 2))
            modes = [abs((l - S / losers) - k * (o - O / losers)) for l, o in zip(logs, gaps, strict=True)]
            x += reduce(larger, modes) + (1 + k) * reduce(larger, [abs(o - O / losers) for o in gaps])
        return 1 - 16 * x

    return _sign(room) >= 0


# ---------------------------------------------------------------------------------------------------------------------
# Rows of scores

_state("every_token_visible", "every row sees every token", lambda f: all(seen == 1 for seen in flat(f.visible)))
_state(
    "causal_rows",
    "row i sees tokens 0..i",
    lambda f: all(seen == (j <= i) for i, row in enumerate(f.visible) for j, seen in enumerate(row)),
)
_state(
    "earlier_tokens_visible",
    "a row that sees a token sees all earlier ones",
    lambda f: all(_falling(row) for row in f.visible),
)
_state(
    "last_row_on_itself",
    "A(0) = 0 but for A_{T-1,T-1} = 5",
    lambda f: f.A[-1][-1] == 5 and all_zero(f.A[:-1]) and all_zero(f.A[-1][:-1]),
)
_state(
    "equal_rows",
    "all rows of A are equal and see every token",
    lambda f: _same(f.A) and all(seen == 1 for seen in flat(f.visible)),
)
_state(
    "comonotone_rows",
    "u_0 > ... > u_{T-1} and A_i0 >= ... >= A_i,T-1 in every row",
    lambda f: _strictly_falling(f.u) and all(_falling(row) for row in f.A),
)
_state(
    "first_token_leads",
    "u_0 >= u_j and A_i0 >= A_ij for all i, j",
    lambda f: f.u[0] == max(f.u) and all(row[0] == max(row) for row in f.A),
)
_state("second_value_leads", "u_1 >= u_j for all j", lambda f: len(f.u) >= 2 and f.u[1] == max(f.u))
_state("tied_first_values", "u_0 = u_1", lambda f: len(f.u) >= 2 and f.u[0] == f.u[1])


@restated("held_by_second_token", "A_i1 >= A_ij for i >= 1 and all j, and sum_{i >= 1} (S_i1 - S_i0) > 1")
def _held_by_second_token(f: Any) -> bool:
    if len(f.visible) < 2 or any(row[1] != max(row) for row in f.A[1:]):
        return False

    def hold() -> Any:
        parts = []
        for row, seen in zip(f.A[1:], f.visible[1:], strict=True):
            places = [j for j, sees in enumerate(seen) if sees == 1]
            shares = dict(zip(places, _softmax([row[j] for j in places]), strict=True))
            parts += [shares.get(1, Fraction(0)), -shares.get(0, Fraction(0))]
        return _sum([*parts, Fraction(-1)])

    return _sign(hold) > 0


# ---------------------------------------------------------------------------------------------------------------------
# Chains about the vertices of a polytope


def _c_0(f: Any) -> Fraction:
    return min(inner(v, minus(v, w)) for i, v in enumerate(f.v) for j, w in enumerate(f.v) if i != j)


def _squared_diameter(points: Rows) -> Fraction:
    return max((polytopes.squared_distance(p, q) for i, p in enumerate(points) for q in points[:i]), default=Fraction(0))


def _away(f: Any) -> Row:
    """|x_i - v_sigma(i)|^2 of each token."""
    return [polytopes.squared_distance(x, f.v[int(label)]) for x, label in zip(f.x, f.group, strict=True)]


def _in_polytope(f: Any) -> bool:
    return all(polytopes.convex_weights(x, f.v) is not None for x in f.x)


for _name in ("free_tokens_in_polytope", "tokens_in_polytope"):
    _state(_name, "x_i in K", _in_polytope)
_state("own_cells", "<v_i, v_i> >= <v_i, v_l> + c_0 with c_0 > 0", lambda f: _c_0(f) > 0)
_state("equal_norms", "|v_1| = ... = |v_kappa|", lambda f: _same([inner(v, v) for v in f.v]))
_state(
    "token_at_each_vertex",
    "x_i = v_i and sigma(i) = i for i <= kappa",
    lambda f: f.x[: len(f.v)] == f.v and [int(label) for label in f.group[: len(f.v)]] == list(range(len(f.v))),
)
_state(
    "too_many_to_be_acute",
    "d >= 2 and n >= 2^d",
    lambda f: len(f.x[0]) >= 2 and len(f.x) >= 2 ** len(f.x[0]),
)


@restated("acute_vertices", "every angle of K at a vertex is acute")
def _acute_vertices(f: Any) -> bool:
    """<v_j - v_i, v_k - v_i> > 0, from the products of the points over one denominator, in integers."""
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


@restated("regular_tokens", "the tokens are the vertices of a regular simplex around 0")
def _regular_tokens(f: Any) -> bool:
    sides = [polytopes.squared_distance(p, q) for i, p in enumerate(f.x) for q in f.x[:i]]
    return len(f.x) > 1 and _same(sides) and sides[0] > 0 and all(sum(column) == 0 for column in zip(*f.x, strict=True))


@restated("tokens_in_own_cells", "some token is free, c_0 > 0, and <v_sigma(i) - v_j, x_i> > 0 for j != sigma(i)")
def _tokens_in_own_cells(f: Any) -> bool:
    if not any(_away(f)) or _c_0(f) <= 0:
        return False
    return all(
        inner(minus(f.v[int(label)], v), x) > 0
        for x, label in zip(f.x, f.group, strict=True)
        for j, v in enumerate(f.v)
        if j != int(label)
    )


@restated("tokens_in_eroded_cells", "n > kappa, and x_i in I_sigma(i)(beta^{-1/8}) less a margin beta^{-1/4} for i > kappa")
def _tokens_in_eroded_cells(f: Any) -> bool:
    """A ball of radius beta^{-1/4} around x is in K and in the cell less beta^{-1/8}; K is a simplex of full dimension.

    Barycentric coordinates are affine, lambda_j(x) = <g_j, x> + h_j: the ball is in K if lambda_j(x) >= r |g_j|.
    """
    kappa, d = len(f.v), len(f.v[0])
    if len(f.x) <= kappa:
        return False
    if polytopes.dimension(f.v) < d or kappa != d + 1:
        raise OpenError("cells are decided in a simplex of full dimension")
    forms = []
    for j in range(kappa):
        found = polytopes.solved([[*v, Fraction(1)] for v in f.v], [Fraction(int(i == j)) for i in range(kappa)])
        assert found is not None
        forms.append(found)

    def room(lead: Fraction, eta: int, length: Fraction) -> Any:
        """lead - eta beta^(-1/8) - beta^(-1/4) length^(1/2)."""
        radius, size = _power(f.beta, -2), _root(length)
        whole = isinstance(radius, Fraction) and isinstance(size, Fraction)
        reach = radius * size if whole else _interval(radius) * _interval(size)
        return _sum([lead, *([-_power(f.beta, -1)] * eta), -reach])

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
    root = x
    for _ in range(3):
        found = _exact_root(root)
        if found is None:
            return interval_exp(interval_log(interval(x)) * interval(Fraction(eighths, 8)))
        root = found
    return root**eighths


def _root(x: Fraction) -> Any:
    """The square root, exactly where it is rational."""
    exact = _exact_root(x)
    return interval_sqrt(interval(x)) if exact is None else exact


def _exact_root(x: Fraction) -> Fraction | None:
    p, q = isqrt(x.numerator), isqrt(x.denominator)
    return Fraction(p, q) if p * p == x.numerator and q * q == x.denominator else None


MOST_STEPS = 1000
"""How long a first phase is followed."""


@restated(
    "low_temperature",
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

    def room() -> Interval:
        logarithm, D, c = interval_log(interval(f.beta)), interval_sqrt(interval(square)), interval(c_0)
        gap = _smaller(interval_exp(-logarithm / 8), c)
        width = _smaller(interval(keep ** (T - 1)) * interval_exp(-logarithm / 4), c / D)
        return interval(f.beta) * gap * width / D - logarithm / 8 - interval_log(interval(n * (n - 1) * T))

    return _sign(room) > 0


def _smaller(x: Interval, y: Interval) -> Interval:
    """The interval of the smaller of two numbers."""
    return -larger(-x, -y)


def _tube(f: Any, size: Fraction, width: Fraction) -> bool:
    """4 S r + 2 r^2 <= c_0 / 2 for r = rho + width, S^2 = size, rho the largest distance of a token from its vertex."""
    rho, c_0 = max(_away(f)), _c_0(f)

    def room() -> Any:
        r, S = _root(rho), _root(size)
        if isinstance(r, Fraction) and isinstance(S, Fraction):
            r += width
            return c_0 / 2 - 4 * S * r - 2 * r * r
        r, S = _interval(r) + interval(width), _interval(S)
        return interval(c_0 / 2) - 4 * S * r - 2 * r * r

    if rho == 0 and width == 0:
        return c_0 >= 0
    return _sign(room) >= 0


_state(
    "tokens_near_vertices",
    "every token is within r of its vertex, 4 R r + 2 r^2 <= c_0 / 2",
    lambda f: _tube(f, max(inner(v, v) for v in f.v), Fraction(0)),
)
_state(
    "tokens_near_vertices_by_diameter",
    "every token is within r of its vertex, 4 D(K) r + 2 r^2 <= c_0 / 2",
    lambda f: _tube(f, _squared_diameter(f.v), Fraction(0)),
)
_state(
    "narrow_tube",
    "4 R r + 2 r^2 <= c_0 / 2 for r = rho + eps, rho the start's distance from the vertices (this makes eps_* explicit)",
    lambda f: _tube(f, max(inner(v, v) for v in f.v), f.eps),
)
_state("small_step", "eps / gamma >= 2 D(K)", lambda f: f.eps**2 >= 4 * f.gamma**2 * _squared_diameter(f.v))

_state("unit_diameter", "D(K) = 1", lambda f: _squared_diameter(f.v) == 1)
_state("unit_radius", "|v_i| = 1 for all i", lambda f: all(inner(v, v) == 1 for v in f.v))
_state("low_temperature_in_diameters", "beta D^2 >= 1000", lambda f: f.beta * _squared_diameter(f.x) >= 1000)
_state(
    "tokens_within_tau",
    "x_i in B(v_i, C tau) with C = 1, tau = min(c_0/(2 D(K)), sqrt(2 c_0)/2)",
    lambda f: _c_0(f) > 0 and max(_away(f)) <= min(_c_0(f) ** 2 / (4 * _squared_diameter(f.v)), _c_0(f) / 2),
)
_state(
    "free_tokens_inside_polytope",
    "x_i in the relative interior of K for i > kappa",
    lambda f: all(len(polytopes.smallest_face(x, f.v)) == len(f.v) for x in f.x[len(f.v) :]),
)


@restated("thin_tube", "eps < eps_*, with 4 R eps_* + 2 eps_*^2 <= c_0/2")
def _thin(f: Any) -> bool:
    """(4 R eps)^2 < (c_0/2 - 2 eps^2)^2, both sides positive: then so is a larger eps_*."""
    room = _c_0(f) / 2 - 2 * f.eps**2
    return room > 0 and 16 * max(inner(v, v) for v in f.v) * f.eps**2 < room**2


@restated("single_leaders", "the leaders of each token are at one point")
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
            for picks in product(range(n), repeat=n):
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


_state(
    "no_way_out",
    "no picks, 4096 combinations at most, lead out of the tubes before t",
    lambda f: _leads_out(f) is False,
)
_state(
    "a_way_out",
    "some picks, 4096 combinations at most, lead out of the tubes before t",
    lambda f: _leads_out(f) is True,
)


_state(
    "on_a_segment",
    "K = [-s, s] on a line",
    lambda f: len(f.v) == 2 and len(f.v[0]) == 1 and f.v[0][0] == -f.v[1][0],
)
_state(
    "two_ends_and_one_between",
    "x = (1, -1, s) on a line with 3/8 <= s <= 3/4",
    lambda f: (
        f.x[:2] == [[1], [-1]] and len(f.x) == 3 and len(f.x[2]) == 1 and Fraction(3, 8) <= f.x[2][0] <= Fraction(3, 4)
    ),
)
_state(
    "cold_steps",
    "4 <= beta <= 5 and gamma in {1/2, 1/4}",
    lambda f: 4 <= f.beta <= 5 and f.gamma in (Fraction(1, 2), Fraction(1, 4)),
)
_state("not_all_at_one_place", "the tokens are not all at one place", lambda f: not _same(f.x))
_state(
    "step_other_than_half",
    "0 < gamma < 1 and gamma != 1/2",
    lambda f: 0 < f.gamma < 1 and f.gamma != Fraction(1, 2),
)

# Escapes of single tokens

_state(
    "one_token_per_tube", "n > 1, and no two tokens have the same group", lambda f: len(set(f.group)) == len(f.group) > 1
)


def _squares_between(f: Any) -> list[Fraction]:
    return [polytopes.squared_distance(p, q) for i, p in enumerate(f.x) for q in f.x[:i]]


_state(
    "tubes_apart",
    "some two tokens start more than 2 eps apart",
    lambda f: any(square > 4 * f.eps**2 for square in _squares_between(f)),
)
_state(
    "tubes_disjoint",
    "every two tokens start more than 2 eps apart",
    lambda f: all(square > 4 * f.eps**2 for square in _squares_between(f)),
)
_state(
    "every_pick_leads_out",
    "gamma |x_i - x_j| > eps for all tokens i != j",
    lambda f: all(f.gamma**2 * square > f.eps**2 for square in _squares_between(f)),
)


@restated("time_for_a_run", "t > m, m picks lead out from everywhere inside")
def _time_for_a_run(f: Any) -> bool:
    """t - 1 picks suffice: ((1 - (1 - gamma)^{t-1}) D)^2 > (2 eps)^2 for the farthest two tokens."""
    square, way = max(_squares_between(f), default=Fraction(0)), 1 - (1 - f.gamma) ** max(0, int(f.steps) - 1)
    return way > 0 and way**2 * square > 4 * f.eps**2


_state("equal_norms_of_tokens", "|x_1| = ... = |x_n|", lambda f: _same([inner(x, x) for x in f.x]))


@restated("first_picks_cost_the_most", "max <x, y - z> over tokens at the start is the cost of their cheapest pick")
def _first_picks_cost_the_most(f: Any) -> bool:
    if len(f.x) < 2:
        return False
    scores = [[inner(x, y) for y in f.x] for x in f.x]
    cheapest = min(max(row) - value for i, row in enumerate(scores) for j, value in enumerate(row) if j != i)
    return max(max(row) - min(row) for row in scores) == cheapest
