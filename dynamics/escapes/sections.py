"""The drift from section to section: how many steps tokens take that see each other rarely, without taking them.

The path of the steps is followed along itself, not in time: on it a step of 1e-60 is as good as any other. Steps are
counted by the length of the way over the length of a step. Section 13 of docs/escapes.md derives it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import flint
import numpy as np
from flint import arb, arb_mat, fmpq

from dynamics.arithmetic import FLOAT64, Array, exp, fraction, numbers
from dynamics.escapes.times import Enclosure
from dynamics.tokens.attention_chain import SoftmaxStep
from dynamics.trusted.taylor import SeriesMap, euclidean, evaluate, solution_series, span, upper
from dynamics.trusted.trajectory import series_precision

ORDER = 8
"""Of the Taylor series of the path, and of its derivative by where it begins."""

TURN, LEAST, FINE = 0.1, 1e-3, arb(2) ** -20
"""A block's length times how fast direction and pace change: at first, and the least that is tried. What is lost in a block
by rounding and by the last terms of the series, relative to its length, unless more is lost to the length of a step."""

MOST_BLOCKS, MOST_COUNTED = 4000, 10_000
"""Blocks of a path; and steps that are taken one by one where they lead out of a tube."""


@dataclass(frozen=True)
class Drift:
    """g(x) = sum_j a_ij (x_j - x_i) of tokens (n, d) of any kind of number, and its direction f = g/pace, pace = <ell, g>.

    `ell` (n, d) is a constant; a unit of <ell, x> takes 1/(gamma pace) steps.
    """

    beta: arb
    gamma: arb
    ell: Array

    def pull(self, x: Array) -> tuple[Array, Array, Array]:
        """g (n, d), the attention (n, n) and x_j - x_i (n, n, d)."""
        ways = _apart(x)
        weights = exp((x[:, None, :] * ways).sum(axis=-1) * self.beta)
        attention = weights / weights.sum(axis=-1)[:, None]
        return (attention[:, :, None] * ways).sum(axis=1), attention, ways

    def pace(self, g: Array) -> Array:
        """<ell, g>, shape ()."""
        return numbers((self.ell * g).sum())

    def direction(self, x: Array) -> tuple[Array, Any]:
        """f (n, d), and the steps that a unit of <ell, x> takes."""
        g, _, _ = self.pull(x)
        pace = self.pace(g)
        return g / pace, (1 / (pace * self.gamma)).item()

    def derivatives(self, x: Array, along: Array) -> tuple[Array, list[Any]]:
        """Those of f (n, d, m), and of log pace, in the m directions `along` (n, d, m)."""
        g, a, ways = self.pull(x)
        pace = self.pace(g)
        f, turned, quickened = g / pace, [], []
        for v in np.moveaxis(along, -1, 0):
            apart = _apart(v)
            scores = (v[:, None, :] * ways + x[:, None, :] * apart).sum(axis=-1) * self.beta
            shares = a * (scores - (a * scores).sum(axis=-1)[:, None])
            change = (shares[:, :, None] * ways + a[:, :, None] * apart).sum(axis=1) / pace
            quicker = self.pace(change)
            turned.append(change - f * quicker)
            quickened.append(quicker.item())
        return np.stack(turned, axis=-1), quickened


def _apart(x: Array) -> Array:
    """x_j - x_i (n, n, d), and 0 for j = i: the difference of a ball from itself would hide all pulls."""
    return (x[None, :, :] - x[:, None, :]) * (1 - np.eye(len(x), dtype=int)).astype(object)[:, :, None]


@dataclass(frozen=True)
class CrossSection:
    """Where <ell, x> has grown by `way`: tokens, flat, in c + Q r, after `steps` steps, a ball of real numbers.

    `c` has n d numbers, `Q` (n d, n d) and `r` (n d, 1). Entries of tokens change by at most `reach` in the step that leads
    across. Points from which the steps since the section before began are in `passed`.
    """

    way: arb
    c: list[arb]
    Q: arb_mat
    r: arb_mat
    steps: arb
    reach: list[arb]
    passed: list[arb]

    @property
    def box(self) -> list[arb]:
        """A ball for each entry of the tokens."""
        spread = self.Q * self.r
        return [a + spread[i, 0] for i, a in enumerate(self.c)]


def sections(start: SoftmaxStep, far: fmpq | None = None) -> Iterator[CrossSection]:
    """Sections of the path of softmax steps from an exact start, that of the start first, until no block is certified.

    Blocks are short where they would move entries by about TURN times `far`.
    """
    x, drift = drift_from(start)
    shape, size = (x.shape[0], x.shape[1]), x.size
    now = CrossSection(arb(0), list(x.flat), _identity(size), arb_mat(size, 1), arb(0), [arb(0)] * size, list(x.flat))
    while True:
        yield now
        turn, following = TURN, None
        while following is None:
            if turn < LEAST:
                return
            with series_precision(flint.ctx.prec, ORDER):
                following = _across(drift, now, shape, turn, far)
            turn /= 2
        now = following


def drift_from(start: SoftmaxStep) -> tuple[Array, Drift]:
    """The tokens (n, d) as balls, and the drift; `ell` is the direction of each token's first pull, in floats."""
    x = numbers(np.vectorize(arb, otypes=[object])(start.x))
    drift = Drift(arb(start.beta.item()), arb(start.gamma.item()), x)
    pulls = [(row, euclidean(list(row))) for row in drift.pull(x)[0]]
    ell = [arb(float((a / length).mid()) if length > 0 else 0.0) for row, length in pulls for a in row]
    return x, replace(drift, ell=_tokens(ell, x.shape))


def _across(
    drift: Drift, now: CrossSection, shape: tuple[int, int], turn: float, far: fmpq | None = None
) -> CrossSection | None:
    """The section at the end of a block, None where it is not certified."""
    size, box = len(now.c), now.box
    units = _tokens(_identity(size).entries(), (*shape, size))
    middle = _tokens(now.c, shape)
    f, slowness = drift.direction(middle)
    turned, quickened = drift.derivatives(middle, units)
    # The length is chosen at the middle alone, and only confirmed on the tube.
    # Where one token moves far faster than all others, its pace changes while the direction stays.
    quicker = _sum_of_products(quickened, [upper(a) for a in f.flat])
    speed = _most([_norm(turned.reshape(size, size)), quicker])
    speed = speed if far is None else speed.max(_most(list(f.flat)) / far)
    h = (turn / speed).mid()
    if not (slowness > 0 and h > 0):
        return None
    # Where the path may go on the block is tried, and confirmed.
    way = [h * a for a in f.flat]
    longest = _most(way)
    tube = [p + a / 2 + arb(0, upper(upper(a) + longest / 4)) for p, a in zip(box, way, strict=True)]
    wide, reach = _with_steps(drift, tube, now.reach, shape)
    bend, slowness = drift.direction(wide)
    turned, quickened = drift.derivatives(wide, units)
    slopes = turned.reshape(size, size)
    theta = upper(_norm(slopes) * h)  # below 1 Picard's map on the tube contracts
    ahead = [p + span(fmpq(0), fmpq(1)) * h * a for p, a in zip(box, bend.flat, strict=True)]
    if not (slowness > 0 and theta < 1 and all(map(arb.contains_interior, tube, ahead))):
        return None
    # The path of f, its derivative by where it begins, and the steps that it takes.
    near, ones = arb(0, upper(theta / (1 - theta))), _identity(size).entries()
    field = _with_derivatives(drift, shape)
    begun = solution_series(field, [*box, *ones, arb(0)], ORDER - 1)
    beyond = solution_series(field, [*tube, *(one + near for one in ones), arb(0)], ORDER)
    ends = [evaluate([*row, last[ORDER]], h) for row, last in zip(begun, beyond, strict=True)]
    centred = solution_series(lambda state: list(drift.direction(_tokens(state, shape))[0].flat), now.c, ORDER - 1)
    # From c alone, so that the mean value theorem carries the box: J of all of it, around what becomes of its centre.
    y = [evaluate([*row, last[ORDER]], h) for row, last in zip(centred, beyond, strict=False)]
    # The steps lead elsewhere, as each keeps the direction with which it begins: within a step f changes by slopes times
    # the reach, over the block by h times that, and this grows like any difference of starts.
    late = upper(h * _most([_sum_of_products(row, reach) for row in slopes]) / (1 - theta))
    if not all(value.rad() <= late.max(longest * FINE) for value in y):
        return None
    lost = upper(h * slowness) * _sum_of_products(quickened, [e + late for e in reach])
    steps = now.steps + ends[-1] + arb(0, upper(lost))
    axes = _turned(now, arb_mat(size, size, ends[size:-1]), [a + arb(0, late) for a in y])
    return None if axes is None else CrossSection(now.way + h, *axes, steps, reach, list(wide.flat))


def _with_steps(drift: Drift, tube: list[arb], reach: list[arb], shape: tuple[int, int]) -> tuple[Array, list[arb]]:
    """The tube with all points that a step leads from into it, and how long these steps are, at least `reach`.

    Both are infinite where this is not confirmed.
    """
    for _ in range(3):
        wide = _tokens([p + arb(0, e) for p, e in zip(tube, reach, strict=True)], shape)
        needed = [upper(drift.gamma * a) for a in drift.pull(wide)[0].flat]
        if all(a <= e for a, e in zip(needed, reach, strict=True)):
            return wide, reach
        reach = [upper(e.max(a * fmpq(9, 8))) for a, e in zip(needed, reach, strict=True)]
    nowhere = [arb("nan")] * len(tube)  # which no later comparison accepts
    return _tokens(nowhere, shape), nowhere


def _turned(now: CrossSection, J: arb_mat, y: list[arb]) -> tuple[list[arb], arb_mat, arb_mat] | None:
    """c, Q and r of a box that holds y + J Q r, in axes along which this is long and short."""
    size, M = len(y), J * now.Q
    if not all(value.is_finite() for value in (*y, *M.entries())):
        return None
    lengths = [upper(value) for value in now.r.entries()]
    longest = _most(lengths)
    scale = [float(one / longest) if longest > 0 else 1.0 for one in lengths]
    columns = np.array([[float(value.mid()) for value in row] for row in M.tolist()]) * scale
    # The longest first, as in Lohner's method: the others are made orthogonal to it, and the box does not wrap.
    columns = columns[:, np.argsort(-np.linalg.norm(columns, axis=0), kind="stable")]
    Q = arb_mat(size, size, [arb(float(a)) for a in np.linalg.qr(columns)[0].flat])
    back = Q.inv()
    rounding = arb_mat(size, 1, [arb(0, value.rad()) for value in y])
    r = (back * M) * now.r + back * rounding
    return [value.mid() for value in y], Q, r


def _with_derivatives(drift: Drift, shape: tuple[int, int]) -> SeriesMap:
    """The field of x, J and the number of steps: x' = f(x), J' = Df(x) J, 1/(gamma pace)."""
    size = shape[0] * shape[1]

    def field(state: Sequence[Any]) -> list[Any]:
        x, J = _tokens(state[:size], shape), _tokens(state[size:-1], (*shape, size))
        f, slowness = drift.direction(x)
        return [*f.flat, *drift.derivatives(x, J)[0].flat, slowness]

    return field


def leaving(start: SoftmaxStep, eps: fmpq, most_blocks: int = MOST_BLOCKS) -> Enclosure | None:
    """The first step at which a token is farther than eps from its start, enclosed; None where it is not found.

    It is counted where it comes soon. Else every token is to see others rarely: what gathers or meets within a few steps
    ends the path of sections.
    """
    if _comes_soon(start, eps):
        return _counted(start, eps)
    first, shape = list(start.x.flat), start.x.shape
    low, held = arb(0), True
    for section in islice(sections(start, eps / 3), most_blocks):
        sizes = [euclidean(list(row)) for row in _tokens(_less(section.passed, first), shape)]
        # Low only grows while every point from which a step began so far is certainly inside.
        held = held and all(one <= eps for one in sizes)
        if held:
            low = section.steps.lower()
        balls = [a + arb(0, e) for a, e in zip(section.box, section.reach, strict=True)]
        away = _tokens(_less(balls, first), shape)
        if any(sum((a.abs_lower() ** 2 for a in row), arb(0)) > eps * eps for row in away):
            return Enclosure(low, section.steps.upper())
    return None


def _comes_soon(start: SoftmaxStep, eps: fmpq) -> bool:
    """Whether float64 leaves within as many steps as are counted one by one; not where a number is beyond floats."""
    try:
        now, most = start.to(FLOAT64), float(fraction(eps))
    except OverflowError:
        return False
    first = now.x
    for _ in range(MOST_COUNTED):
        now = now.step()
        if (((now.x - first) ** 2).sum(axis=-1) > most * most).any():
            return True
    return False


def _counted(start: SoftmaxStep, eps: fmpq) -> Enclosure | None:
    """The same by taking the steps in balls, none if these grow too wide."""
    first, drift = drift_from(start)
    x = first
    for step in range(1, 2 * MOST_COUNTED):
        x = x + drift.pull(x)[0] * drift.gamma
        beyond = [sum((a * a for a in row), arb(0)) - eps * eps for row in x - first]
        if any(one > 0 for one in beyond):
            return Enclosure(arb(step), arb(step))
        if not all(one <= 0 for one in beyond):
            return None
    return None


def _less(balls: Sequence[arb], first: Sequence[fmpq]) -> list[arb]:
    return [a - b for a, b in zip(balls, first, strict=True)]


def _tokens(entries: Sequence[Any], shape: tuple[int, ...]) -> Array:
    # One by one: NumPy would take a power series for a list of numbers.
    return numbers(np.fromiter(entries, dtype=object, count=len(entries)).reshape(shape))


def _sum_of_products(row: Iterable[arb], sizes: Sequence[arb]) -> arb:
    """Upper bound of sum |row_i| sizes_i."""
    return upper(sum((upper(a) * e for a, e in zip(row, sizes, strict=True)), arb(0)))


def _most(values: Sequence[arb]) -> arb:
    """An exact number at least every |value|."""
    found = arb(0)
    for value in values:
        found = found.max(upper(value))
    return upper(found)


def _norm(matrix: Array) -> arb:
    """An exact number at least the largest sum of |entries| of a row."""
    return _most([_sum_of_products(row, [arb(1)] * len(row)) for row in matrix])


def _identity(size: int) -> arb_mat:
    return arb_mat(size, size, [arb(int(i == j)) for i in range(size) for j in range(size)])
