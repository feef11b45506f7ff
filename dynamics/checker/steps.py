"""The discrete steps of the papers, stated again for the checker: plain lists, no NumPy, nothing imported.

Written from the definitions, not from :mod:`dynamics.tokens.hardmax` and the like. Numbers are Fractions, or anything else
with `+ - * /` and certain comparisons: tokens are rows, `z[i][a]` is coordinate a of token i.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Row = list[Any]
Rows = list[Row]
Exponential = Callable[[Any], Any]

# ---------------------------------------------------------------------------------------------------------------------
# Rows of numbers


def inner(x: Sequence[Any], y: Sequence[Any]) -> Any:
    """<x, y>."""
    total: Any = 0
    for a, b in zip(x, y, strict=True):
        total = total + a * b
    return total


def image(A: Rows, x: Sequence[Any]) -> Row:
    """A x."""
    return [inner(row, x) for row in A]


def minus(x: Sequence[Any], y: Sequence[Any]) -> Row:
    """x - y."""
    return [a - b for a, b in zip(x, y, strict=True)]


def towards(x: Sequence[Any], y: Sequence[Any], share: Any) -> Row:
    """x + share (y - x)."""
    return [a + share * (b - a) for a, b in zip(x, y, strict=True)]


def averaged(weights: Sequence[Any], points: Rows) -> Row:
    """sum_j weights_j points_j / sum_j weights_j."""
    whole = sum(weights[1:], weights[0])
    return [inner(weights, column) / whole for column in zip(*points, strict=True)]


def shares_of(weights: Sequence[Any]) -> Row:
    """The weights over their sum."""
    whole = sum(weights[1:], weights[0])
    return [weight / whole for weight in weights]


def table(z: Rows, A: Rows) -> Rows:
    """<A z_i, z_j>, row i and column j."""
    return [[inner(turned, y) for y in z] for turned in (image(A, x) for x in z)]


def shortfalls(scores: Rows) -> Rows:
    """How far each score is below the best of its row."""
    return [[max(row) - score for score in row] for row in scores]


def within(scores: Rows, tolerance: Any) -> list[list[bool]]:
    """Which scores are at most so far below the best of their row."""
    return [[gap <= tolerance for gap in row] for row in shortfalls(scores)]


# ---------------------------------------------------------------------------------------------------------------------
# Schedules


def lasting(schedule: Sequence[Any], step: int) -> Any:
    """The entry in force at a step: the last one stays."""
    return schedule[step] if step < len(schedule) else schedule[-1]


def recurring(schedule: Sequence[Any], step: int) -> Any:
    """The entry in force at a step: they come back in turn."""
    return schedule[step - len(schedule) * (step // len(schedule))]


# ---------------------------------------------------------------------------------------------------------------------
# Hardmax and Frank-Wolfe


def hardmax_targets(x: Rows, B: Rows, selection: Rows) -> Rows:
    """y_i: the mean of the tokens with the best score <B x_i, .>, weighted by row i of `selection`."""
    targets = []
    for i, row in enumerate(table(x, B)):
        best = [j for j, score in enumerate(row) if score >= max(row)]
        targets.append(averaged([selection[i][j] for j in best], [x[j] for j in best]))
    return targets


def hardmax_weights(x: Rows, B: Rows, selection: Rows) -> Rows:
    """The weights, rows that sum to one, by which y_i averages all tokens."""
    return [
        shares_of([chosen if score >= max(row) else 0 * chosen for chosen, score in zip(weights, row, strict=True)])
        for weights, row in zip(selection, table(x, B), strict=True)
    ]


def hardmax_step(x: Rows, B: Rows, P: Rows, selection: Rows) -> Rows:
    """x_i + P (y_i - x_i)."""
    targets = hardmax_targets(x, B, selection)
    return [[a + b for a, b in zip(p, image(P, minus(y, p)), strict=True)] for p, y in zip(x, targets, strict=True)]


def frank_wolfe_step(x: Rows, B_star: Rows, gamma: Any) -> Rows:
    """x_i + gamma (y_i - x_i), y_i the mean of the tokens at which <grad J(x_i), .> is least, J(x) = <B_* x, x>/2."""
    moved = []
    transposed = [list(column) for column in zip(*B_star, strict=True)]
    for p in x:
        twice_gradient = [a + b for a, b in zip(image(B_star, p), image(transposed, p), strict=True)]
        slopes = [inner(twice_gradient, y) for y in x]
        least = [y for y, slope in zip(x, slopes, strict=True) if slope <= min(slopes)]
        moved.append(towards(p, averaged([1] * len(least), least), gamma))
    return moved


# ---------------------------------------------------------------------------------------------------------------------
# Localmax


def localmax_heard(z: Rows, A: Rows, delta: Any, rule: int) -> list[list[bool]]:
    """Whether token i attends to token j, by the rule of that index (:data:`dynamics.tokens.localmax.RULES`)."""
    scores = table(z, A)
    attended = []
    for i, row in enumerate(scores):
        h, r = max(row), row[i]
        attends = []
        for j, score in enumerate(row):
            gap = h - score
            if rule == 1:
                near = gap <= delta * h
            elif rule == 2:  # gap <= delta sqrt(r); where r has no root, no gap is below it
                near = gap * gap <= delta * delta * r
            elif rule == 3:
                near = gap < delta
            elif rule == 4:
                near = i == j or gap <= delta
            else:
                near = gap <= delta
            # The best are heard under every rule, also where a threshold is negative.
            attends.append(bool(near or gap <= 0))
        attended.append(attends)
    return attended


def localmax_weights(z: Rows, A: Rows, delta: Any, rule: int) -> Rows:
    """How much token i attends to token j: the same of each neighbour, or of each point (rule 5), rows that sum to one."""
    copies = [sum(p == q for q in z) if rule == 5 else 1 for p in z]
    # A 1 of the kind of number that came in.
    one = delta * 0 + 1
    return [
        shares_of([one / copy if attends else 0 * one for attends, copy in zip(row, copies, strict=True)])
        for row in localmax_heard(z, A, delta, rule)
    ]


def localmax_targets(z: Rows, A: Rows, delta: Any, rule: int) -> Rows:
    """c_i: the mean of the neighbours of token i, or of the points where these are (rule 5)."""
    targets = []
    for row in localmax_heard(z, A, delta, rule):
        near = [p for p, attends in zip(z, row, strict=True) if attends]
        if rule == 5:
            near = [p for k, p in enumerate(near) if p not in near[:k]]
        targets.append(averaged([1] * len(near), near))
    return targets


def localmax_step(z: Rows, A: Rows, gamma: Any, delta: Any, rule: int) -> Rows:
    """z_i + gamma (c_i - z_i)."""
    return [towards(p, c, gamma) for p, c in zip(z, localmax_targets(z, A, delta, rule), strict=True)]


# ---------------------------------------------------------------------------------------------------------------------
# Softmax


def softmax(scores: Sequence[Any], reference: int, exponential: Exponential) -> Row:
    """e_j / sum_k e_k with e_j = exp(s_j - s_r), for any reference r: exactly 1/n where all scores are equal."""
    best = scores[reference]
    return shares_of([0 * best + 1 if j == reference else exponential(score - best) for j, score in enumerate(scores)])


def attention(query: Sequence[Any], keys: Rows, reference: int, exponential: Exponential) -> Row:
    """The softmax of the scores <q, k_j>, as <q, k_j - k_r>."""
    apart = [
        [0 * a if j == reference else a - b for a, b in zip(key, keys[reference], strict=True)]
        for j, key in enumerate(keys)
    ]
    return softmax([inner(query, key) for key in apart], reference, exponential)


def softmax_step(x: Rows, gamma: Any, weights: Rows) -> Rows:
    """(1 - gamma) x_i + gamma sum_j a_ij x_j for weights a."""
    columns = list(zip(*x, strict=True))
    return [towards(p, [inner(row, column) for column in columns], gamma) for p, row in zip(x, weights, strict=True)]


# ---------------------------------------------------------------------------------------------------------------------
# Gradient descent


def descended(u: Row, a: Row, weights: Row, slopes: Row, K: Any, rate: Any, exponential: Exponential) -> tuple[Row, Row]:
    """One step on log(1 + e^-m), m = sum_i weights_i u_i with dm/da_i = slopes_i (u_i - m): the new u and a.

    dL/dm = -1/(1 + e^m), dm/du_i = weights_i, which the matrix behind u multiplies by K.
    """
    m = inner(weights, u)
    pull = rate / (1 + exponential(m))
    return (
        [value + K * pull * weight for value, weight in zip(u, weights, strict=True)],
        [score + pull * slope * (value - m) for score, slope, value in zip(a, slopes, u, strict=True)],
    )


def power_shares(a: Row, k: int) -> tuple[Row, Row]:
    """a_i^k / sum_j a_j^k, and k a_i^(k-1) / sum_j a_j^k."""
    whole = sum((score**k for score in a[1:]), a[0] ** k)
    return [score**k / whole for score in a], [k * score ** (k - 1) / whole for score in a]
