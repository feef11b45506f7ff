"""Trajectories without certificates: in float64, one or a whole batch, and in multiprecision. Evidence, never a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import mpmath
import numpy as np
import scipy  # its parts are loaded when they are used

from dynamics.arithmetic import FLOAT64, MULTIPRECISION, Array
from dynamics.system import Flow, System

S = TypeVar("S", bound=System)


def _flatten(arrays: Sequence[Array]) -> Array:
    return np.concatenate([np.asarray(array).reshape(-1) for array in arrays])


def integrate(system: Flow, times: Sequence[float], tolerance: float = 1e-12) -> list[Flow]:
    """The flow from an exact start in float64 (DOP853) at increasing times after 0.

    Raises ArithmeticError when the solver gives up.
    """
    return list(followed(system, times, tolerance))


def followed(system: Flow, times: Sequence[float], tolerance: float = 1e-12) -> Iterator[Flow]:
    """The states of :func:`integrate`, one by one: no step is taken before a state beyond it is asked for."""
    start = system.to(FLOAT64)
    solver = scipy.integrate.DOP853(
        lambda _, state: _flatten(start.with_state(state).velocity()),
        0.0,
        _flatten([getattr(start, name) for name in start.moving]),
        float(times[-1]),
        rtol=tolerance,
        atol=tolerance,
    )
    # The interpolant of a step costs three evaluations of the field: it is made for steps with a time in them, once.
    state_at: Callable[[float], Array] | None = None
    for time in map(float, times):
        while solver.t < time:
            message = solver.step()
            if solver.status == "failed":
                raise ArithmeticError(f"the integration stopped: {message}")
            state_at = None
        state_at = state_at or solver.dense_output()
        yield start.with_state(state_at(time))


def integrate_multiprecision(system: Flow, times: Sequence[float]) -> list[Flow]:
    """The flow from an exact start by `mpmath.odefun` at the working precision, at increasing times after 0. Slow."""
    start = system.to(MULTIPRECISION)
    solution = mpmath.odefun(
        lambda _, state: list(_flatten(start.with_state(np.array(state, dtype=object)).velocity())),
        0,
        list(_flatten([getattr(start, name) for name in start.moving])),
    )
    return [start.with_state(np.array(solution(time), dtype=object)) for time in times]


# ---------------------------------------------------------------------------------------------------------------------
# Whole batches


def _with_axis(system: System) -> dict[str, Array]:
    """The arrays that have the leading axis of a batch, one more than is declared; the others are shared by its members."""
    fields = system.fields()
    return {name: array for name, array in system.arrays().items() if array.ndim > len(fields[name].axes)}


def members(system: System) -> int:
    """How many members a batch has; 1 for a single system."""
    return next(map(len, _with_axis(system).values()), 1)


def is_batch(system: System) -> bool:
    """Whether some array has the leading axis of a batch, even a batch of one member."""
    return bool(_with_axis(system))


def chosen(system: S, rows: Array | int) -> S:
    """Some members of a batch in its own arithmetic, by indices or a mask; one index gives one system without the axis."""
    return system.replace(**{name: array[rows] for name, array in _with_axis(system).items()})


def joined(batches: Sequence[S]) -> S:
    """Several batches after one another, with the other arrays of the first."""
    names = _with_axis(batches[0])
    return batches[0].replace(**{name: np.concatenate([getattr(batch, name) for batch in batches]) for name in names})


def in_float64(system: S) -> S:
    """The batch with every array but the integers float64 and with a row for each member."""
    batch, fields = members(system), system.fields()

    def rows(name: str, array: Array) -> Array:
        values = FLOAT64.convert(array) if array.dtype == object else np.asarray(array, dtype=float)
        return values if values.ndim > len(fields[name].axes) else np.repeat(values[None], batch, axis=0)

    arrays = {name: array for name, array in system.arrays().items() if not fields[name].integer}
    return system.replace(**{name: rows(name, array) for name, array in arrays.items()})


ORDER = 8
"""Of the method of Dormand and Prince, whose tableau is taken from SciPy's DOP853."""

SAFETY, LEAST_FACTOR, MOST_FACTOR = 0.9, 0.2, 10.0

Field = Callable[[Array, Array], Array]


def _combined(weights: Array, slopes: Array) -> Array:
    """sum_s weights_s slopes_s for slopes (stages, batch, size)."""
    return np.asarray(np.tensordot(weights, slopes, axes=1))


def _first_steps(field: Field, rows: Array, y: Array, f: Array, ends: Array, tolerance: float) -> Array:
    """The usual guess of a first step, row by row (Hairer, Norsett, Wanner, II.4), shape (rows,)."""

    def size(values: Array) -> Array:
        return np.asarray(np.sqrt(np.mean((values / (tolerance + abs(y) * tolerance)) ** 2, axis=1)))

    d0, d1 = size(y), size(f)
    h = np.where((d0 < 1e-5) | (d1 < 1e-5), 1e-6, 0.01 * d0 / d1)
    h = np.minimum(np.where(np.isfinite(h), h, 1e-6), ends)
    d2 = size(field(rows, y + h[:, None] * f) - f) / h
    steepest = np.maximum(d1, d2)
    other = np.where(steepest <= 1e-15, np.maximum(1e-6, h * 1e-3), (0.01 / steepest) ** (1 / ORDER))
    # Infinite slopes leave NaN behind: such a row begins as small as can be and fails on its own.
    return np.asarray(np.fmax(np.fmin(np.fmin(100 * h, other), ends), 1e-12 * ends))


@dataclass(eq=False)
class _Paths:
    """The members still being integrated, as rows of a smaller batch: their states, clocks and next steps."""

    rows: Array
    y: Array
    f: Array
    t: Array
    h: Array

    def only(self, kept: Array) -> _Paths:
        return _Paths(self.rows[kept], self.y[kept], self.f[kept], self.t[kept], self.h[kept])


def integrate_batch(flow: Flow, times: Array, tolerance: float = 1e-9, most_steps: int = 400) -> tuple[list[Flow], Array]:
    """A float64 batch of starts followed at once (DOP853 with dense output), each member with its own steps and times.

    `times` is (batch, m) or (m,), positive and increasing along rows. Returns the m batches of states and a mask
    (batch,) of the members that reached all their times. A member that blows up, or takes more than `most_steps` steps,
    rejected ones included, has NaN at the times it did not reach, and so has every NaN or negative time; nothing is raised.
    Members share their integers: fields branch on them.
    """
    start = in_float64(flow)
    batch = members(start)
    y = np.concatenate([np.asarray(getattr(start, name)).reshape(batch, -1) for name in start.moving], axis=1)
    times = np.broadcast_to(np.asarray(times, dtype=float), (batch, np.shape(times)[-1]))
    narrowed: dict[int, Flow] = {}

    def field(rows: Array, states: Array) -> Array:
        if len(rows) not in narrowed:
            narrowed.clear()  # rows only ever drop out, so their number names them
            narrowed[len(rows)] = chosen(start, rows)
        return narrowed[len(rows)].with_states(states).velocities()

    with np.errstate(all="ignore"):
        found = _followed(field, y, times, tolerance, most_steps)
    reached = np.asarray(np.isfinite(found).all(axis=(1, 2)))
    return [start.with_states(found[:, k]) for k in range(times.shape[1])], reached


def _followed(field: Field, y: Array, times: Array, tolerance: float, most_steps: int) -> Array:
    """The states at the times, shape (batch, m, size), NaN where they were not reached."""
    batch, size = y.shape
    found = np.full((batch, times.shape[1], size), np.nan)
    # The start is known without a step, and a row may ask for nothing else.
    found[times == 0] = np.repeat(y[:, None], times.shape[1], axis=1)[times == 0]
    ends = np.max(np.where(times > 0, times, 0), axis=1, initial=0)
    # NaN and negative times leave no end, infinite starts no slope: those rows never set out, and their states stay NaN.
    rows = np.flatnonzero((ends > 0) & np.isfinite(ends) & np.isfinite(y).all(axis=1))
    if not len(rows):
        return found
    y = y[rows]
    f = field(rows, y)
    paths = _Paths(rows, y, f, np.zeros(len(rows)), _first_steps(field, rows, y, f, ends[rows], tolerance))
    for _ in range(most_steps):
        # A row that has come to its end, or to a step below the resolution of its clock, has no more steps to take.
        under_way = (paths.t < ends[paths.rows]) & (paths.h > 16 * np.finfo(float).eps * paths.t)
        if not under_way.all():
            paths = paths.only(under_way)
        if not len(paths.rows):
            break
        _advance(field, paths, times[paths.rows], ends[paths.rows], found, tolerance)
    return found


def _advance(field: Field, paths: _Paths, times: Array, ends: Array, found: Array, tolerance: float) -> None:
    """One step of every row, accepted or not, row by row; states at the times inside go to `found`."""
    pair = scipy.integrate.DOP853
    rows, y, t = paths.rows, paths.y, paths.t
    last = t + paths.h >= ends
    h = np.where(last, ends - t, paths.h)
    stages, step = len(pair.B), h[:, None]
    slopes = np.empty((stages + 1 + len(pair.A_EXTRA), *y.shape))
    slopes[0] = paths.f  # the slope at the end of the step before
    for s in range(1, stages):
        slopes[s] = field(rows, y + step * _combined(pair.A[s, :s], slopes[:s]))
    after = y + step * _combined(pair.B, slopes[:stages])
    slopes[stages] = field(rows, after)

    # e5^2 / sqrt(e5^2 + e3^2 / 100) over what is tolerated (Hairer, Norsett, Wanner, II.10): of order 8, as e5 falls like
    # h^6 and e3 like h^4.
    scale = tolerance * (1 + np.maximum(abs(y), abs(after)))
    fifth, third = (np.sum((_combined(part, slopes[: stages + 1]) / scale) ** 2, axis=1) for part in (pair.E5, pair.E3))
    size = np.sqrt((fifth + 0.01 * third) * y.shape[1])
    error = np.where(size == 0, 0, h * fifth / np.where(size == 0, 1, size))
    # NaN, from a stage beyond a pole, is no error below 1: the row tries again, much shorter.
    accepted = (error < 1) & np.isfinite(after).all(axis=1)
    factor = np.where(error == 0, MOST_FACTOR, SAFETY * error ** (-1 / ORDER))
    factor = np.clip(np.where(np.isfinite(error) & np.isfinite(factor), factor, LEAST_FACTOR), LEAST_FACTOR, MOST_FACTOR)
    # A last step ends at its end exactly: t + h may miss it by a rounding, and the row would have a tiny step left.
    later = np.where(last, ends, t + h)

    inside = (times > t[:, None]) & (times <= later[:, None]) & accepted[:, None]
    if inside.any():  # the pair's own interpolant, of order 7, costs three more stages: most steps have no time inside
        for s, weights in enumerate(pair.A_EXTRA, start=stages + 1):
            slopes[s] = field(rows, y + step * _combined(weights[:s], slopes[:s]))
        ahead = after - y
        terms = [ahead, step * slopes[0] - ahead, 2 * ahead - step * (slopes[stages] + slopes[0])]
        terms += [step * _combined(weights, slopes) for weights in pair.D]
        row, column = np.nonzero(inside)
        share = ((times[row, column] - t[row]) / h[row])[:, None]
        value = np.zeros((len(row), y.shape[1]))
        for index, term in enumerate(reversed(terms)):
            value = (value + term[row]) * (share if index % 2 == 0 else 1 - share)
        found[rows[row], column] = y[row] + value
    paths.y = np.where(accepted[:, None], after, y)
    paths.f = np.where(accepted[:, None], slopes[stages], paths.f)
    paths.t = np.where(accepted, later, t)
    # After a rejection the step does not grow, whatever its estimate says: it would be rejected again.
    paths.h = h * np.where(accepted, factor, np.minimum(factor, 1))
