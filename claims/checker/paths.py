"""Decides violations along trajectories and of probability bounds again, without the code that decided them first.

Trajectories come from :mod:`dynamics.checker.integrator`; chains are enumerated here anew, with positions in Fractions
and probabilities in mpmath's intervals. The slack is the claim's own formula, which runs on the stand-in for flint of
:mod:`dynamics.checker.flint_stand_in`: this module belongs in a process where that is installed.
"""

from __future__ import annotations

import inspect
import math
import time as clock
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from flint import fmpq
from mpmath import iv

from claims.stating.statement import Conclusion, Form, Relation, Tail
from dynamics.arithmetic import UndecidedError, numbers, sign
from dynamics.checker.answers import Verdict
from dynamics.checker.contraction import Seen, is_of_any_system
from dynamics.checker.flint_stand_in import arb, open_comparisons
from dynamics.checker.integrator import LADDER, CannotDecideError, TooLongError, states_at
from dynamics.checker.intervals import Interval, interval, interval_exp, interval_log, interval_precision
from dynamics.checker.polytopes import squared_distance_to_hull
from dynamics.checker.recording import as_fraction
from dynamics.checker.stand_ins import LIMITS
from dynamics.checker.steps import inner
from dynamics.checker.token_traps import TRAPS, AnyTime, ForeignError, OutsideError
from dynamics.checker.traps import shown

Finding = tuple[Verdict, str, Interval | None]
"""A verdict on a violation, why, and an interval around the slack where there is one."""

SECONDS = 600.0
"""The cost limit of one decision, over all precisions: another precision is begun only within it."""

Stated = tuple[Fraction, Fraction]
"""The ends of the enclosure that a certificate states."""

CHAIN_BITS = 128
MOST_BRANCHES = 20000


def violation(
    conclusion: Conclusion,
    system: Any,
    time: Fraction | None = None,
    stated: Stated | None = None,
    seconds: float = SECONDS,
) -> Finding:
    """Whether the instance violates the conclusion: along its trajectory at `time`, for ever from then, or in probability.

    CONFIRMED only where the slack is certainly on the forbidden side and between the two numbers that are `stated`, NOT
    CONFIRMED where either is certainly not so. A limit is not decided by finitely many times: a violation that is read from
    them, and not shown by a trap, is NOT CONFIRMED. Raises ValueError for a conclusion of another form, or a trajectory
    without a time.
    """
    if conclusion.form is Form.PROBABILITY:
        return tail_violation(conclusion, system, stated)
    if conclusion.form is Form.LIMIT:
        if conclusion.trap is None or time is None:
            return Verdict.NOT_CONFIRMED, "a limit is not decided by finitely many times", None
        return _limit_violation(conclusion, conclusion.trap, system, time, stated, seconds)
    if conclusion.form not in (Form.TRAJECTORY, Form.RATE) or conclusion.horizon is None:
        raise ValueError(f"{conclusion.name} is of the form {conclusion.form.value}, which has no trajectory")
    if time is None:
        raise ValueError("a violation along a trajectory has a time")
    horizon = as_fraction(_certain(conclusion.horizon, system))
    if not 0 < time <= horizon:
        return Verdict.NOT_CONFIRMED, f"the time {time} is not in (0, {horizon}]", None
    return _decided_at(system, time, lambda now: conclusion.slack(now, system), conclusion.relation, stated, seconds, "at")


def _is_inside(found: Interval | Fraction, stated: Stated) -> bool | None:
    """Whether all of the number lies between the stated ones; None if that is open of a part of an interval."""
    if isinstance(found, Fraction):
        return stated[0] <= found <= stated[1]
    lower, upper = map(interval, stated)
    if found.a >= lower.b and found.b <= upper.a:
        return True
    return False if found.b < lower.a or found.a > upper.b else None


# ---------------------------------------------------------------------------------------------------------------------
# Along trajectories


def _limit_violation(
    conclusion: Conclusion, trap: Callable[..., Any], system: Any, time: Fraction, stated: Stated | None, seconds: float
) -> Finding:
    """Whether the slack of what a trap shows at one of its times is on the forbidden side, and as stated."""
    assert conclusion.times is not None
    # The search that found the time is no part of the claim: whichever time is stated, a trap that catches there decides.
    if isinstance(inspect.unwrap(conclusion.times), AnyTime):
        if not time > 0:
            return Verdict.NOT_CONFIRMED, f"the time {time} is not positive", None
    elif time not in [as_fraction(moment) for moment in _certain(conclusion.times, system)]:
        return Verdict.NOT_CONFIRMED, f"the time {time} is none of those of the conclusion", None
    # A user's own trap is code that decides: the checker has nothing beside it.
    if trap not in TRAPS and not is_of_any_system(trap) and not trap.__module__.startswith(f"{LIMITS}."):
        return Verdict.CANNOT_DECIDE, "this trap is not restated", None
    seen: Callable[[Any], Any] = lambda state: conclusion.slack(_shown(trap, state, system), system)  # noqa: E731
    try:
        return _decided_at(system, time, seen, conclusion.relation, stated, seconds, "for ever from")
    except OutsideError as error:
        return Verdict.NOT_CONFIRMED, f"{error} at t = {float(time):.6g}", None
    except ForeignError as error:
        return Verdict.NOT_CONFIRMED, f"the trap shows nothing here: {error}", None
    except LookupError as error:
        return Verdict.CANNOT_DECIDE, str(error), None


def _shown(trap: Callable[..., Any], state: Any, start: Any) -> Seen:
    """What the restated trap shows about a state, in the numbers of the stand-in for flint."""

    def entries(value: Any, moves: bool) -> Any:
        if isinstance(value, list):
            return [entries(entry, moves) for entry in value]
        return _as_interval(value) if moves else as_fraction(value)

    def numbered(value: Any) -> Any:
        # Indices stay machine numbers, as claims index by them.
        if isinstance(value, list) and all(type(entry) is int for entry in value):
            return np.array(value, dtype=int)
        if isinstance(value, list):
            return numbers(np.array([numbered(entry) for entry in value], dtype=object))
        if isinstance(value, Fraction):
            return fmpq(value.numerator, value.denominator)
        return arb.of(value) if isinstance(value, iv.mpf) else value

    if is_of_any_system(trap):
        return Seen(**trap(state, start))
    system = type(state).__name__
    arrays = {name: entries(array.tolist(), name in state.moving) for name, array in state.arrays().items()}
    if trap in TRAPS:
        found = trap(system, arrays, {name: entries(array.tolist(), moves=False) for name, array in start.arrays().items()})
    else:
        found = shown(trap.__name__, system, arrays)
    return Seen(**{name: numbered(value) for name, value in found.items()})


def _decided_at(
    system: Any,
    time: Fraction,
    slack: Callable[[Any], Any],
    relation: Relation,
    stated: Stated | None,
    seconds: float,
    preposition: str,
) -> Finding:
    reason, seen, until = "no precision was tried", None, clock.process_time() + seconds
    where = f"{preposition} t = {float(time):.6g}"
    for rung in LADDER:
        try:
            # All rungs share the seconds, for each is dearer than the last.
            (found,) = states_at(system, [time], rung, seconds=until - clock.process_time())
            with interval_precision(rung.bits):
                state = system.with_state([arb.of(value) for value in found])
                before = open_comparisons()
                values = list(numbers(slack(state)).flat)
                if open_comparisons() != before:
                    raise UndecidedError("a comparison in the slack is open")
        except TooLongError as error:
            reason = reason if seen is not None else str(error)
            break
        # These answer: more bits would say the same.
        except (OutsideError, ForeignError):
            raise
        except (ArithmeticError, ValueError) as error:  # open comparisons, and slacks that are not defined on so much
            reason = str(error)
            continue
        if not values:
            return Verdict.NOT_CONFIRMED, "there is nothing to compare", None
        with interval_precision(rung.bits):
            answer, reason, seen = _judged(values, relation, stated)
        if answer is not None:
            return answer, f"{reason} {where}, to {rung.bits} bits", seen
        reason = f"{reason} {where}, to {rung.bits} bits"
    return Verdict.CANNOT_DECIDE, reason, seen


def _judged(values: Sequence[Any], relation: Relation, stated: Stated | None) -> tuple[Verdict | None, str, Interval]:
    """The verdict on the entries of a slack, None if it is open; the reason, and the entry concerned."""
    signs = [sign(value) for value in values]
    bad = [value for value, found in zip(values, signs, strict=True) if found in relation.forbidden]
    if not bad and None not in signs:
        return Verdict.NOT_CONFIRMED, "the slack is not violated", _as_interval(min(values, key=_middle))
    unclear = [value for value, found in zip(values, signs, strict=True) if found is None]
    least = min(bad or unclear, key=_middle)
    worst = _as_interval(least)
    inside = True if stated is None else _is_inside(worst if isinstance(least, arb) else as_fraction(least), stated)
    # Of several open entries another one may be the stated one.
    if inside is False and (bad or len(values) == 1):
        return Verdict.NOT_CONFIRMED, "the slack is outside the stated enclosure", worst
    if bad and inside:
        return Verdict.CONFIRMED, "the slack is violated", worst
    return None, "the slack may lie outside the stated enclosure" if bad else "the sign of the slack is open", worst


def _certain(function: Callable[[Any], Any], system: Any) -> Any:
    """The horizon or the times of an instance. Raises UndecidedError where a comparison in them was open."""
    before = open_comparisons()
    value = function(system)
    if open_comparisons() != before:
        raise UndecidedError("a comparison in the times of the conclusion is open")
    return value


def _as_interval(value: Any) -> Interval:
    return value.interval if isinstance(value, arb) else interval(as_fraction(value))


def _middle(value: Any) -> float:
    middle = _as_interval(value).mid
    return float(middle.a) if abs(middle) < 1e300 else math.copysign(math.inf, middle.a)


# ---------------------------------------------------------------------------------------------------------------------
# Probabilities

Point = tuple[Fraction, ...]


def tail_violation(conclusion: Conclusion, system: Any, stated: Stated | None = None) -> Finding:
    """Whether P[T_2 < t] exceeds the stated bound, by following the picks that matter; the slack is in logarithms."""
    # Chances of e^-50 and less are compared by ratios: few bits would do, and more cost little.
    with interval_precision(CHAIN_BITS):
        before = open_comparisons()
        tail: Tail = conclusion.slack(system)
        if open_comparisons() != before:
            return Verdict.CANNOT_DECIDE, "a comparison in the statement of the chance is open", None
        log_bound = _as_interval(tail.log_bound)
        bound = interval_exp(log_bound)
        reason, seen = "no enumeration was tried", None
        # Chances of few movers decide most bounds at a fraction of the combinations.
        for movers, least in _passes(len(tail.chain.x)):
            try:
                escaped, cut = escapes(tail.chain, (bound * interval(least)).a, movers)
            except CannotDecideError as error:
                reason = str(error)
                break
            # Dropped picks only add: above is certain without them, below only with all of them.
            is_above = escaped.a > bound.b
            if not is_above and not (escaped + cut).b <= bound.a:
                reason = "the bound and the probability are too close to tell"
                continue
            text = f"the picks that escape are {'' if is_above else 'not '}likelier than the bound"
            if is_above == tail.reverse:
                return Verdict.NOT_CONFIRMED, text, None
            seen = _log_ratio(log_bound, escaped, cut)
            if tail.reverse:
                seen = -seen
            inside = True if stated is None else _is_inside(seen, stated)
            if inside:
                return Verdict.CONFIRMED, text, seen
            if inside is False:
                return Verdict.NOT_CONFIRMED, "the slack is outside the stated enclosure", seen
            reason = "the slack may lie outside the stated enclosure"
    return Verdict.CANNOT_DECIDE, reason, seen


def _log_ratio(log_bound: Interval, escaped: Interval, cut: Interval) -> Interval:
    """log bound - log P for escaped <= P <= escaped + cut, which is a chance: its logarithm is at most 0."""
    least = interval_log(escaped.a).a if escaped.a > 0 else iv.mpf(-iv.inf)
    most = (escaped + cut).b
    return log_bound - iv.mpf([least, interval_log(most).b if 0 < most < 1 else 0])


def _passes(tokens: int) -> Iterator[tuple[int, Fraction]]:
    """Pairs: how many tokens may leave their start, and what is negligible relative to the bound; cheap passes first."""
    yield 1, Fraction(1, 1 << 24)
    for bits in (6, 12, 24):
        yield tokens, Fraction(1, 1 << bits)


def escapes(chain: Any, negligible: Interval, movers: int, most_branches: int = MOST_BRANCHES) -> tuple[Interval, Interval]:
    """Intervals for chances a and b with a <= P[T_2 < t] <= a + b, t = chain.steps.

    b is the probability of what was dropped: picks less likely than `negligible` together, or with more than
    `movers` tokens away from their start. Raises CannotDecideError beyond `most_branches` combinations.
    """
    tokens: list[Point] = [tuple(as_fraction(value) for value in row) for row in chain.x.tolist()]
    groups = [int(label) for label in chain.group.tolist()]
    beta, gamma, eps = (as_fraction(value.item()) for value in (chain.beta, chain.gamma, chain.eps))
    hulls = {label: [x for x, other in zip(tokens, groups, strict=True) if other == label] for label in set(groups)}

    @cache
    def outside(label: int, x: Point) -> bool:
        return squared_distance_to_hull(x, hulls[label]) > eps * eps

    escaped = dropped = iv.mpf(0)
    layer: dict[tuple[Point, ...], Interval] = {tuple(tokens): iv.mpf(1)}
    followed = 0
    for _ in range(int(chain.steps.item()) - 1):
        after: dict[tuple[Point, ...], Interval] = {}
        for state, mass in layer.items():
            kept = iv.mpf(0)
            for moved, chance in _moves(state, tuple(tokens), beta, gamma, negligible / mass.b, movers):
                followed += 1
                if followed > most_branches:
                    raise CannotDecideError(f"more than {most_branches} combinations of picks")
                share = mass * chance
                kept += share
                if any(outside(label, x) for label, x in zip(groups, moved, strict=True)):
                    escaped += share
                else:
                    after[moved] = after.get(moved, iv.mpf(0)) + share
            # From 0: what is left over is rounded, and may be more than what was dropped.
            dropped += iv.mpf([0, max((mass - kept).b, iv.mpf(0).b)])
        layer = after
    return escaped, dropped


def _moves(
    state: tuple[Point, ...], start: tuple[Point, ...], beta: Fraction, gamma: Fraction, negligible: Interval, movers: int
) -> Iterator[tuple[tuple[Point, ...], Interval]]:
    """The positions that all tokens may reach in one step, with their probabilities, without the improbable ones."""
    options = [_targets(x, state, beta, gamma) for x in state]

    def extended(moved: tuple[Point, ...], chance: Interval, away: int) -> Iterator[tuple[tuple[Point, ...], Interval]]:
        if len(moved) == len(state):
            yield moved, chance
            return
        for target, pick in options[len(moved)].items():
            share, now = chance * pick, away + (target != start[len(moved)])
            if share.b >= negligible and now <= movers:
                yield from extended((*moved, target), share, now)

    yield from extended((), iv.mpf(1), 0)


def _targets(x: Point, state: tuple[Point, ...], beta: Fraction, gamma: Fraction) -> dict[Point, Interval]:
    """The positions a token may reach, (1 - gamma) x + gamma x_J, and their probabilities ~ exp(beta <x, x_J>)."""
    heights = [beta * inner(x, y) for y in state]
    top = max(heights)
    weights = [interval_exp(interval(height - top)) for height in heights]
    whole = sum(weights, iv.mpf(0))
    # Positions are exact, so that equal ones are one state and their chances add up.
    found: dict[Point, Interval] = {}
    for y, weight in zip(state, weights, strict=True):
        target = tuple((1 - gamma) * a + gamma * b for a, b in zip(x, y, strict=True))
        found[target] = found.get(target, iv.mpf(0)) + weight / whole
    return found
