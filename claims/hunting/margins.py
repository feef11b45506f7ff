"""The float64 slacks of whole batches, for every form of conclusion: a search minimises them; they decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from claims.stating.statement import ALONG_A_FLOW, Conclusion, Form, Tail
from dynamics.arithmetic import Array, Column, DisagreementError, UndecidedError, exact, fraction, numbers
from dynamics.choices import height
from dynamics.enclosures.escapes import log_chance_alone
from dynamics.integrate import chosen, in_float64, integrate_batch, joined, members
from dynamics.system import Flow, System

# Times on a path: half equally spaced, half doubling from the start, where fast modes are over before the first step.
SAMPLES = 24

EARLIEST = 2.0**-20  # of the horizon, the first of these times: what is over at once is to be seen, too
TOLERANCE = 1e-11
# A path that takes more steps is given up: all of its batch would wait for it.
MOST_STEPS = 300

MOST_GROUPS = 200  # of a batch that branches part: with more of them members one by one are as fast

# Poles, too few tokens, a float that is no rational: formulas raise all of these where they are undefined.
NO_VALUE = (ArithmeticError, AttributeError, IndexError, TypeError, ValueError)


@dataclass(frozen=True)
class Sampled:
    """Slacks (batch, k) and the time of each, (batch, k): zero for what has no time, NaN where there is no value.

    Of a limit, whose slack looks at several times, the time is the last.
    """

    slacks: Array
    times: Array


def margins(conclusion: Conclusion, systems: System) -> Array:
    """The float64 slacks of a float64 batch, shape (batch, k), NaN where a formula has no value or a path was lost.

    A trajectory's columns are its times by the entries of its slack. One instance is a batch of one.
    Raises ValueError for an experiment.
    """
    return sampled(conclusion, systems).slacks


def sampled(conclusion: Conclusion, systems: System) -> Sampled:
    """The slacks of :func:`margins`, and when they are met. Raises ValueError as it does."""
    if conclusion.form is Form.EXPERIMENT:
        raise ValueError(f"{conclusion.name} is an experiment: it has no slack to make small")
    batch = members(systems)
    with np.errstate(all="ignore"):
        if conclusion.form is Form.PROBABILITY:
            return _timeless(_finite(_of_each(batch, lambda i: _chance_margin(conclusion, systems, i))))
        if conclusion.exact_only:
            return _timeless(_finite(_of_each(batch, lambda i: _floats(conclusion.slack(systems.row(i))).reshape(-1))))
        parts = []
        for rows, part in _alike(in_float64(systems), batch):
            if isinstance(part, Flow) and conclusion.form in ALONG_A_FLOW:
                path = _limit if conclusion.form is Form.LIMIT else _along
                parts.append((rows, path(conclusion, part, len(rows))))
            else:
                parts.append((rows, _timeless(_evaluated(conclusion.slack, (part,), len(rows)))))
        return Sampled(*(_merged([(rows, getattr(part, name)) for rows, part in parts]) for name in ("slacks", "times")))


def _alike(systems: System, batch: int) -> Iterator[tuple[Array, System]]:
    # Formulas branch on integers, which floats of one batch therefore share.
    fields = systems.fields()
    own = {n: a for n, a in systems.arrays().items() if fields[n].integer and a.ndim > len(fields[n].axes)}
    if not own:
        yield np.arange(batch), systems
        return
    kinds = np.concatenate([np.asarray(array).reshape(batch, -1) for array in own.values()], axis=1)
    for kind in np.unique(kinds, axis=0):
        rows = np.flatnonzero((kinds == kind).all(axis=1))
        shared = {name: numbers(np.asarray(array[rows[0]])) for name, array in own.items()}
        yield rows, chosen(systems, rows).replace(**shared)


def _merged(parts: list[tuple[Array, Array]]) -> Array:
    found = np.full((sum(len(rows) for rows, _ in parts), max(values.shape[1] for _, values in parts)), np.nan)
    for rows, values in parts:
        found[rows, : values.shape[1]] = values
    return found


def _timeless(slacks: Array) -> Sampled:
    return Sampled(slacks, np.zeros(slacks.shape))


# ---------------------------------------------------------------------------------------------------------------------
# Slacks of a batch

Slack = Callable[..., Any]
Arguments = tuple[Any, ...]  # a float64 batch, or a list of them


def _evaluated(slack: Slack, arguments: Arguments, batch: int) -> Array:
    # A formula over leading axes runs on the arrays as they are, one written for a single instance on columns. Which of
    # them it is is found out, not believed: `u[0]` is the leading value of an instance and the first member of a batch.
    # Of a path that was lost there is nothing to say, whatever a formula makes of NaN.
    states = [state for one in arguments for state in ([one] if isinstance(one, System) else one)]
    fields = states[0].fields()
    floats = [array for state in states for name, array in state.arrays().items() if not fields[name].integer]
    known = np.flatnonzero(np.logical_and.reduce([np.isfinite(one).reshape(len(one), -1).all(axis=1) for one in floats]))
    if not len(known):
        return np.full((batch, 1), np.nan)
    if len(known) == batch:
        return _finite(_evaluated_somehow(slack, arguments, batch))
    found = _evaluated_somehow(slack, _each_argument(lambda system: chosen(system, known), arguments), len(known))
    slacks = np.full((batch, found.shape[1]), np.nan)
    slacks[known] = _finite(found)
    return slacks


def _evaluated_somehow(slack: Slack, arguments: Arguments, batch: int) -> Array:
    members_asked: list[int] = []
    truth: list[Array] = []
    # Three at which it has a value, far apart: neighbours of a batch around one instance are much alike.
    for index in np.unique(np.linspace(0, batch - 1, 7).astype(int)):
        with suppress(*NO_VALUE):
            truth.append(_of_one(slack, arguments, index))
            members_asked.append(index)
        if len(members_asked) == 3:
            break
    some = np.array(members_asked, dtype=int)
    sample = _each_argument(lambda system: chosen(system, some), arguments)
    # Arrays first: they are much faster than objects, and most formulas are written over leading axes.
    for way in (_over_axes, _over_columns) if truth else ():
        # Tried on a few members first: a formula that takes members for coordinates may want all pairs of them.
        few = way(slack, sample, len(some))
        if few is not None and _same(few, truth):
            found = way(slack, arguments, batch)
            if found is not None and _same(found[some], truth):
                return found
    return _of_each(batch, lambda i: _of_one(slack, arguments, i))


def _same(rows: Array, truth: Sequence[Array]) -> bool:
    # Orders of summation differ between the ways, and so do the last digits; NaN at the end is padding.
    return all(
        len(row) >= len(own)
        and np.isnan(row[len(own) :]).all()
        and np.allclose(row[: len(own)], own, rtol=1e-6, atol=1e-9, equal_nan=True)
        for row, own in zip(rows, truth, strict=True)
    )


def _over_axes(slack: Slack, arguments: Arguments, batch: int) -> Array | None:
    try:
        found = _floats(slack(*arguments))
    except NO_VALUE:
        return None
    return found.reshape(batch, -1) if found.shape[:1] == (batch,) else None


def parted(
    slack: Slack, arguments: Arguments, batch: int, number: type[Column], read: Callable[[Any], Any], most: int
) -> list[tuple[Array, list[Any] | None]] | None:
    """What a formula gives members that go the same ways at comparisons: rows, and the numbers as they are read, or None.

    None at all where they part into more groups than about `most`.
    """
    found: list[tuple[Array, list[Any] | None]] = []
    waiting = [np.arange(batch)]
    for _ in range(most):
        if not waiting:
            break
        group = waiting.pop()
        part = _each_argument(lambda system: columns(chosen(system, group), number), arguments)  # noqa: B023 -- used at once
        try:
            found.append((group, [read(value) for value in np.asarray(slack(*part)).reshape(-1)]))
        except DisagreementError as error:
            waiting += [group[error.yes], group[~error.yes]]
        except NO_VALUE:
            found.append((group, None))
    return None if waiting else found


def _over_columns(slack: Slack, arguments: Arguments, batch: int) -> Array | None:
    parts: list[tuple[Array, Array]] = []
    for group, found in parted(slack, arguments, batch, Column, _column, MOST_GROUPS) or [(np.arange(batch), None)]:
        if found is not None:
            slacks = [np.broadcast_to(value, len(group)) for value in found]
            parts.append((group, np.array(slacks).reshape(len(slacks), len(group)).T))
        elif len(group) == batch:
            return None
        else:
            # Some of those who went this way may have a value in another arithmetic.
            own = _of_each(len(group), lambda i: _of_one(slack, arguments, int(group[i])))  # noqa: B023 -- used at once
            parts.append((group, own))
    return _merged(parts)


def _column(value: Any) -> Any:
    return value.values if isinstance(value, Column) else _float(value)


def columns(system: System, number: type[Column] = Column) -> System:
    """A float64 batch, its integers shared, as one system of columns, of the kind `number`."""
    fields = system.fields()
    changes: dict[str, Array] = {}
    for name, array in system.arrays().items():
        if fields[name].integer or array.ndim == len(fields[name].axes):
            continue
        entries = np.empty(array.shape[1:], dtype=object)
        for index in np.ndindex(entries.shape):
            entries[index] = number(np.ascontiguousarray(array[:, *index]))
        changes[name] = numbers(entries)
    return system.replace(**changes)


def _each_argument(change: Callable[[System], System], arguments: Arguments) -> Arguments:
    return tuple(change(a) if isinstance(a, System) else [change(state) for state in a] for a in arguments)


def _of_one(slack: Slack, arguments: Arguments, index: int) -> Array:
    # Floats first; a column of one, where floats and the rationals of a formula do not mix; else the rationals that the
    # floats are, and balls: the last way is the slowest by far.
    try:
        return _floats(slack(*_each_argument(lambda system: chosen(system, index), arguments))).reshape(-1)
    except NO_VALUE:
        pass
    one = np.array([index])
    try:
        return _floats(slack(*_each_argument(lambda system: columns(chosen(system, one)), arguments))).reshape(-1)
    except NO_VALUE:
        return _floats(slack(*_each_argument(lambda system: _rationals(chosen(system, index)), arguments))).reshape(-1)


def _rationals(system: System) -> System:
    fields = system.fields()
    return system.replace(**{name: exact(array) for name, array in system.arrays().items() if not fields[name].integer})


def _of_each(batch: int, one: Callable[[int], Array]) -> Array:
    """one(i) for every member, padded with NaN to the longest; all NaN for a member at which the formula has no value."""
    rows: list[tuple[Array, Array]] = []
    for index in range(batch):
        try:
            values = one(index)
        except NO_VALUE:
            values = np.full(1, np.nan)
        rows.append((np.array([index]), values[None]))
    return _merged(rows)


def _finite(slacks: Array) -> Array:
    return np.where(np.isfinite(slacks), slacks, np.nan)


def _floats(values: Any) -> Array:
    values = np.asarray(values)
    if values.dtype != object:
        return np.asarray(values, dtype=float)
    return np.asarray(np.frompyfunc(_float, 1, 1)(values), dtype=float)


def _float(value: Any) -> float:
    if isinstance(value, fmpq):
        return float(fraction(value))
    return float(height(value))


# ---------------------------------------------------------------------------------------------------------------------
# Along paths


def _times_of(function: Callable[[Any], Any], systems: System, batch: int) -> Array:
    """The horizon or the times of each member, shape (batch, m), NaN where there are none."""
    try:
        # What does not look at its start says the same of all.
        return np.repeat(_moments(function(None))[None], batch, axis=0)
    except (AttributeError, TypeError):
        return _of_each(batch, lambda i: _moments(function(systems.row(i))))


def _moments(times: fmpq | Sequence[fmpq]) -> Array:
    return np.array([_float(time) for time in (times if isinstance(times, Sequence) else [times])])


def _shares() -> Array:
    # The doubling ones a little early: 1/2 is one of the equal steps, too, and times have to increase.
    doubling = np.geomspace(EARLIEST, 1 / 2, SAMPLES // 2)
    return np.sort(np.concatenate([doubling * (1 - 1e-3), np.linspace(0, 1, SAMPLES - len(doubling) + 1)[1:]]))


def _along(conclusion: Conclusion, start: Flow, batch: int) -> Sampled:
    assert conclusion.horizon is not None
    times = _times_of(conclusion.horizon, start, batch) * _shares()
    states, _ = integrate_batch(start, times, TOLERANCE, MOST_STEPS)
    # All times at once: member i at time k is member k * batch + i of one long batch.
    now, before = joined(states), chosen(start, np.tile(np.arange(batch), len(states)))
    slacks = _evaluated(conclusion.slack, (now, before), batch * len(states))
    entries = slacks.shape[1]
    found = slacks.reshape(len(states), batch, entries).swapaxes(0, 1).reshape(batch, -1)
    return Sampled(found, np.repeat(times, entries, axis=1))


def _limit(conclusion: Conclusion, start: Flow, batch: int) -> Sampled:
    """slack(states, start) at the conclusion's own times; with a trap, of the first of the states that it catches."""
    assert conclusion.times is not None
    times = _times_of(conclusion.times, start, batch)
    # A path is followed once and forwards, in whatever order the conclusion names its times.
    order = np.argsort(times, axis=1)
    increasing, _ = integrate_batch(start, np.take_along_axis(times, order, axis=1), TOLERANCE, MOST_STEPS)
    states = _reordered(increasing, np.argsort(order, axis=1))
    found = _evaluated(conclusion.slack if conclusion.trap is None else _caught(conclusion), (states, start), batch)
    last = np.where(np.isnan(times), -np.inf, times).max(axis=1)
    return Sampled(found, np.repeat(last[:, None], found.shape[1], axis=1))


def _caught(conclusion: Conclusion) -> Slack:
    def slack(states: list[Flow], start: Flow) -> Any:
        failure = UndecidedError("there is no state")
        for state in states:
            try:
                return conclusion.slack(conclusion.shown(state, start), start)
            except UndecidedError as error:
                failure = error
        raise failure

    return slack


def _reordered(states: list[Flow], places: Array) -> list[Flow]:
    if (places == np.arange(len(states))).all():
        return states
    every = np.arange(len(places))
    stacked = {name: np.stack([getattr(state, name) for state in states]) for name in states[0].moving}
    return [
        state.replace(**{name: array[places[:, k], every] for name, array in stacked.items()})
        for k, state in enumerate(states)
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Chances


def _chance_margin(conclusion: Conclusion, systems: System, index: int) -> Array:
    # One token alone that moves gives a lower bound of P: below zero it is a violation.
    tail: Tail = conclusion.slack(systems.row(index))
    margin = _float(tail.log_bound) - log_chance_alone(tail.chain)  # infinite where one pick more would be needed
    return np.array([-margin if tail.reverse else margin])
