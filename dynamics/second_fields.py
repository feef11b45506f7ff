"""The flows that the second checker knows, stated again from the papers, coordinate by coordinate.

Nothing is shared with the formulas of :mod:`dynamics`, which a certificate rests on: an error in either is a disagreement.
States are flat: tokens one after the other, matrices row by row. A field runs on intervals, power series and dual numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mpmath import iv

from dynamics.second_numbers import (
    Dual,
    Interval,
    Number,
    Series,
    at_most,
    exp,
    interval,
    larger,
    leading,
    symmetric,
    total,
    upper,
)

Field = Callable[[Sequence[Number]], list[Number]]


@dataclass(frozen=True)
class Statement:
    """A flow from an exact start: x' = field(x), blocks of coordinates, and clocks with their constant speeds.

    `time` is the clock, if any, that the field takes only as one: exactly known, and never perturbed.
    """

    start: list[Fraction]
    blocks: list[range]
    clocks: dict[int, Fraction]
    field: Field
    time: int | None = None


class UnknownFlowError(LookupError):
    """The second checker has no statement of this flow."""


def restate(system: str, instance: dict[str, Any]) -> Statement:
    """The flow of an instance, given as arrays of Fractions.

    Raises UnknownFlowError for a flow that is not stated here, ValueError naming the array that is missing, unknown or of
    the wrong shape.
    """
    if system not in _STATEMENTS:
        raise UnknownFlowError(f"no statement of {system!r}: known are {', '.join(_STATEMENTS)}")
    shapes, build = _STATEMENTS[system]
    for name in instance:
        if name not in shapes:
            raise ValueError(f"instance.{name}: {system} has no such array")
    sizes: dict[str, int] = {}
    for name, axes in shapes.items():
        if name not in instance:
            raise ValueError(f"instance.{name}: missing")
        _measure(instance[name], axes, sizes, f"instance.{name}")
    return build(instance)


def _measure(value: Any, axes: Sequence[str], sizes: dict[str, int], where: str) -> None:
    if not axes:
        if isinstance(value, list):
            raise ValueError(f"{where}: must have fewer axes")
        return
    if not isinstance(value, list) or not value or sizes.setdefault(axes[0], len(value)) != len(value):
        raise ValueError(f"{where}: axis {axes[0]} must be a list of length {sizes.get(axes[0], 'at least 1')}")
    for k, entry in enumerate(value):
        _measure(entry, axes[1:], sizes, f"{where}[{k}]")


def _dot(x: Sequence[Number], y: Sequence[Number]) -> Number:
    return total([b * a if isinstance(a, iv.mpf) else a * b for a, b in zip(x, y, strict=True)])


def _one(like: Number) -> Number:
    return like * 0 + 1


def _times(matrix: Sequence[Sequence[Number]], x: Sequence[Number]) -> list[Number]:
    return [_dot(row, x) for row in matrix]


def _matrix(value: list[list[Fraction]]) -> list[list[Interval]]:
    return [[interval(entry) for entry in row] for row in value]


def _is_multiple_of_identity(matrix: list[list[Fraction]]) -> bool:
    return all(entry == (matrix[0][0] if i == j else 0) for i, row in enumerate(matrix) for j, entry in enumerate(row))


# ---------------------------------------------------------------------------------------------------------------------
# Self-attention: x_i' = sum_j P_ij V x_j, P_ij ~ exp <x_i, B x_j>; rescaled: z = e^{-tV} x


def _weights(tokens: list[list[Number]], images: list[list[Number]]) -> list[list[Number]]:
    """P_ij ~ exp <x_i, y_j> from tokens x and images y_j = B x_j: row by row, divided by the largest term."""
    rows = []
    for token in tokens:
        heights = [_float(leading(_dot(token, image))) for image in images]
        winner = heights.index(max(heights))
        terms: list[Number] = []
        for j, image in enumerate(images):
            if j == winner:
                terms.append(_one(token[0]))
            else:
                terms.append(exp(_dot(token, [a - b for a, b in zip(image, images[winner], strict=True)])))
        whole = total(terms)
        rows.append([term / whole for term in terms])
    return rows


def _float(value: Interval) -> float:
    """For choices that change no value."""
    try:
        return float(value.mid)
    except (OverflowError, ValueError):
        return 0.0


def _self_attention(data: dict[str, Any]) -> Statement:
    n, d = len(data["x"]), len(data["x"][0])

    def field(state: Sequence[Number]) -> list[Number]:
        B, V = _matrix(data["B"]), _matrix(data["V"])
        x = [list(state[i * d : (i + 1) * d]) for i in range(n)]
        P = _weights(x, [_times(B, token) for token in x])
        values = [_times(V, token) for token in x]
        return [total([P[i][j] * values[j][k] for j in range(n)]) for i in range(n) for k in range(d)]

    blocks = [range(i * d, (i + 1) * d) for i in range(n)]
    return Statement([entry for token in data["x"] for entry in token], blocks, {}, field)


def _rescaled(data: dict[str, Any]) -> Statement:
    n, d = len(data["z"]), len(data["z"][0])

    def field(state: Sequence[Number]) -> list[Number]:
        B, V = _matrix(data["B"]), _matrix(data["V"])
        z = [list(state[i * d : (i + 1) * d]) for i in range(n)]
        growth = matrix_exponential(data["V"], state[n * d])
        x = [_times(growth, token) for token in z]
        P = _weights(x, [_times(B, token) for token in x])
        drift = []
        for i in range(n):
            mean = [total([P[i][j] * (z[j][k] - z[i][k]) for j in range(n) if j != i] or [z[i][k] * 0]) for k in range(d)]
            drift += _times(V, mean)
        return [*drift, _one(state[-1])]

    blocks = [*(range(i * d, (i + 1) * d) for i in range(n)), range(n * d, n * d + 1)]
    start = [entry for token in data["z"] for entry in token]
    return Statement([*start, data["t"]], blocks, {n * d: Fraction(1)}, field, time=n * d)


def matrix_exponential(V: list[list[Fraction]], t: Number) -> list[list[Number]]:
    """e^{tV} for a time that is an interval, a constant dual number, or a power series t_0 + s.

    e^{cV} e^{(t_0 - c)V} e^{sV}: the first factor at the middle c by halving, the second by its series with remainder.
    Raises ValueError for another series or dual number.
    """
    d = len(V)
    if _is_multiple_of_identity(V):
        diagonal = exp(t * interval(V[0][0]))
        return [[diagonal if i == j else iv.mpf(0) for j in range(d)] for i in range(d)]
    matrix = _matrix(V)
    if isinstance(t, Dual):
        if t.gradient:
            raise ValueError("the time is a clock: nothing is differentiated in it")
        return [[Dual(entry, {}) for entry in row] for row in matrix_exponential(V, t.value)]
    if isinstance(t, Series):
        if len(t.c) > 1 and not (t.c[1] == 1 and all(value == 0 for value in t.c[2:])):
            raise ValueError("the time must be t_0 + s")
        # Coefficients of e^{sV}: V^k / k!.
        base = matrix_exponential(V, t.c[0])
        powers = [base]
        for k in range(1, len(t.c)):
            powers.append([[entry / k for entry in row] for row in _product(powers[-1], matrix)])
        return [[Series([power[i][j] for power in powers]) for j in range(d)] for i in range(d)]
    center = t.mid
    around = _exponential([[entry * (t - center) for entry in row] for row in matrix])
    return _product(_exponential([[entry * center for entry in row] for row in matrix]), around)


def _exponential(matrix: list[list[Interval]]) -> list[list[Interval]]:
    """e^A: A halved until its row sums are at most 1/2, the Taylor series with its remainder, and squared again."""
    size = len(matrix)
    if not at_most(_row_sums(matrix), iv.mpf(1 << 60)):
        return [[iv.mpf([-iv.inf, iv.inf])] * size for _ in range(size)]
    halvings = int(math.log2(max(_float(_row_sums(matrix)), 0.5))) + 2
    scaled = [[entry / 2**halvings for entry in row] for row in matrix]
    q = _row_sums(scaled)
    if not at_most(q, iv.mpf(1)):
        return [[iv.mpf([-iv.inf, iv.inf])] * size for _ in range(size)]
    result = [[iv.mpf(1 if i == j else 0) for j in range(size)] for i in range(size)]
    term, beyond = result, iv.mpf(1)
    terms = 8 + iv.prec // 3
    for k in range(1, terms):
        term = [[entry / k for entry in row] for row in _product(term, scaled)]
        result = [[x + y for x, y in zip(old, new, strict=True)] for old, new in zip(result, term, strict=True)]
        beyond = beyond * q / k
    # The terms left out: q^K/K! (1 + q/(K + 1) + ...) <= 2 q^K/K!.
    tail = symmetric(2 * beyond * q / terms)
    result = [[entry + tail for entry in row] for row in result]
    for _ in range(halvings):
        result = _product(result, result)
    return result


def _row_sums(matrix: list[list[Interval]]) -> Interval:
    """A point at least every row's sum of absolute values."""
    sums = [total([upper(entry) for entry in row]).b for row in matrix]
    largest = sums[0]
    for value in sums[1:]:
        largest = larger(largest, value)
    return largest


def _product(A: Sequence[Sequence[Number]], B: Sequence[Sequence[Number]]) -> list[list[Number]]:
    columns = list(zip(*B, strict=True))
    return [[_dot(row, column) for column in columns] for row in A]


# ---------------------------------------------------------------------------------------------------------------------
# Value-softmax: beta = V softmax(a), gamma minus the derivative of the loss in m = <beta_*, beta>


def _softmax(a: Sequence[Number]) -> list[Number]:
    heights = [_float(leading(score)) for score in a]
    winner = heights.index(max(heights))
    terms = [_one(score) if i == winner else exp(score - a[winner]) for i, score in enumerate(a)]
    whole = total(terms)
    return [term / whole for term in terms]


def _pulled(s: Sequence[Number], v: Sequence[Number]) -> list[Number]:
    """(diag(s) - s s^T) v, as s_i sum_j s_j (v_i - v_j)."""
    return [s_i * total([s_j * (v_i - v_j) for s_j, v_j in zip(s, v, strict=True)]) for s_i, v_i in zip(s, v, strict=True)]


def _reduced(square: bool) -> Callable[[dict[str, Any]], Statement]:
    """(u, a, t, tau) with du/dtau = K s, da/dtau = J(s) u; logistic in the clock tau, square loss in the clock t."""

    def build(data: dict[str, Any]) -> Statement:
        p = len(data["u"])
        if data["K"] <= 0:
            raise ValueError("instance.K: must be positive")

        def field(state: Sequence[Number]) -> list[Number]:
            K = interval(data["K"])
            u, a = state[:p], state[p : 2 * p]
            s = _softmax(a)
            m = _dot(s, u)
            du, da = [s_i * K for s_i in s], _pulled(s, u)
            if not square:
                return [*du, *da, exp(m) + 1, _one(m)]
            gamma = 1 - m / K
            return [*(gamma * value for value in du), *(gamma * value for value in da), _one(m), gamma]

        clocks = {2 * p: Fraction(1)} if square else {2 * p + 1: Fraction(1)}
        if p == 1 and not square:
            clocks[0] = data["K"]
        blocks = [range(i, i + 1) for i in range(2 * p + 2)]
        return Statement([*data["u"], *data["a"], data["t"], data["tau"]], blocks, clocks, field)

    return build


def _full(square: bool) -> Callable[[dict[str, Any]], Statement]:
    """(V, a) with dV/dt = r s^T, da/dt = J(s) V^T r; r = beta_* - beta for square loss, gamma beta_* for logistic."""

    def build(data: dict[str, Any]) -> Statement:
        d, p = len(data["V"]), len(data["V"][0])
        if not any(data["beta_star"]):
            raise ValueError("instance.beta_star: must not be zero")

        def field(state: Sequence[Number]) -> list[Number]:
            target = [interval(value) for value in data["beta_star"]]
            V = [list(state[k * p : (k + 1) * p]) for k in range(d)]
            s = _softmax(state[d * p :])
            beta = _times(V, s)
            if square:
                r = [-value + goal for goal, value in zip(target, beta, strict=True)]
            else:
                gamma = 1 / (exp(_dot(beta, target)) + 1)
                r = [gamma * goal for goal in target]
            pull = [total([V[k][i] * r[k] for k in range(d)]) for i in range(p)]
            return [*(r[k] * s[i] for k in range(d) for i in range(p)), *_pulled(s, pull)]

        start = [entry for row in data["V"] for entry in row] + list(data["a"])
        return Statement(start, [range(i, i + 1) for i in range(d * p + p)], {}, field)

    return build


_REDUCED = {"u": ("p",), "a": ("p",), "K": (), "t": (), "tau": ()}
_FULL = {"V": ("d", "p"), "a": ("p",), "beta_star": ("d",)}
_STATEMENTS: dict[str, tuple[dict[str, tuple[str, ...]], Callable[[dict[str, Any]], Statement]]] = {
    "SelfAttentionFlow": ({"x": ("n", "d"), "B": ("d", "d"), "V": ("d", "d")}, _self_attention),
    "RescaledFlow": ({"z": ("n", "d"), "B": ("d", "d"), "V": ("d", "d"), "t": ()}, _rescaled),
    "LogisticFlow": (_REDUCED, _reduced(square=False)),
    "SquareLossFlow": (_REDUCED, _reduced(square=True)),
    "FullLogisticFlow": (_FULL, _full(square=False)),
    "FullSquareFlow": (_FULL, _full(square=True)),
}
