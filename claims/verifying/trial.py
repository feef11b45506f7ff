"""Tries a user's claim on a few instances before any search."""

from __future__ import annotations

import ast
import inspect
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from flint import arb, fmpq

from claims.campaigns.deadlines import OutOfTimeError, within
from claims.instances.builders import draw_system
from claims.instances.draws import SeededDraws
from claims.stating.statement import AT_A_STATE, Assumption, Claim, Conclusion, Form, Tail, is_costly, takes
from claims.targets.unnoticed import OverlookedError
from claims.targets.user_claims import ADVICE, MOST_SOURCE, ClaimText, OwnFileError, claim_in, claim_watched, error_text
from dynamics.arithmetic import FLOAT64, Array, UndecidedError, numbers, rational, working_precision
from dynamics.choices import plain
from dynamics.limits.margins import NotTrappedError
from dynamics.strict_reading import UnreadableError, read_text
from dynamics.system import Flow, StepMap, System

PROBES = 12  # instances on which a file is tried before any search: enough to meet most kinds of start
WATCHED = 3  # of these under watch for what nothing else notices, which slows every operation down
TRIAL_SECONDS = 3.0  # of processor time: one evaluation may take long, and what follows has a time of its own
MEMBERS = 7  # of the float64 batch on which a slack is tried: a prime, since no axis of an instance has such a length
PROBE_BITS = 256  # enough for most signs, of which verdicts begin with 64


def read_own(path: Path | str) -> Claim:
    """The claim that a file defines, tried on a few instances. Raises OwnFileError with the line and the reason."""
    try:
        source = read_text(Path(path), MOST_SOURCE)
    except UnreadableError as error:
        raise OwnFileError(str(path), 0, f"cannot be read: the file {error}") from None
    except OSError as error:
        raise OwnFileError(str(path), 0, f"cannot be read: {error.strerror}") from None
    try:
        return _tried(source, str(path))
    except OwnFileError:
        raise
    except Exception as error:
        # A file may leave anything behind, a claim without a system too.
        raise OwnFileError(str(path), 0, f"its claim cannot be used: {error_text(error)}") from error


@cache
def _tried(source: str, file: str) -> Claim:
    # Kept, as a text is executed once under one name.
    ClaimText(source, file).refuse_outside()
    claim = claim_in(source, file)
    try_out(claim)
    return claim


def try_out(claim: Claim, probes: int = PROBES) -> None:
    """Evaluate each conclusion on a few instances, exactly and in float64. Raises OwnFileError with the line that fails."""
    file = claim.file or str(sys.modules[claim.module].__file__)
    text = ClaimText(Path(file).read_text(encoding="utf-8") if claim.source is None else claim.source, file)
    if claim.source is not None and (found := text.unnoticed()):
        raise OwnFileError(file, *found)
    with suppress(OutOfTimeError), within(TRIAL_SECONDS, time.process_time):
        for turn in range(probes):
            for conclusion in claim.conclusions:
                if conclusion.form is Form.EXPERIMENT:
                    continue
                system = _built(claim, conclusion, turn, text)
                with working_precision(PROBE_BITS):
                    _try_field(claim, system, text)
                    _try_slack(conclusion, system, text)
                if turn == 0:  # a path takes the time of many slacks
                    _try_path(conclusion, system, text)
            if turn < WATCHED and claim.source is not None:
                _try_watched(claim_watched(claim.source, file), turn, text)


def _try_watched(claim: Claim, turn: int, text: ClaimText) -> None:
    """Evaluate hypotheses and slacks of a claim that is watched. Raises OwnFileError for what nothing else notices."""
    for conclusion in claim.conclusions:
        if conclusion.form not in AT_A_STATE:
            continue
        try:
            conclusion.slack(_built(claim, conclusion, turn, text))
        except OverlookedError as error:
            raise OwnFileError(text.file, text.line_of(error), f"{conclusion.name}: {error}") from error
        except OwnFileError as error:
            if isinstance(error.__cause__, OverlookedError):
                raise
        except (ArithmeticError, LookupError, TypeError, ValueError):  # as unwatched: told there
            continue


def _running(text: ClaimText, what: str, fallback: int, function: Callable[[], Any]) -> Any:
    try:
        return function()
    except UndecidedError as error:
        if error.precision_helps or type(error) is NotTrappedError:
            return None  # a comparison open at this precision: a verdict raises it; or no limit is shown of this instance
        raise OwnFileError(text.file, text.line_of(error) or fallback, f"{what}: {error}") from error
    except (KeyboardInterrupt, OutOfTimeError):
        raise
    except BaseException as error:
        told = error_text(error)
        reason = told if told.startswith(what) else f"{what}: {told}"
        raise OwnFileError(text.file, text.line_of(error) or fallback, reason) from error


def _built(claim: Claim, conclusion: Conclusion, turn: int, text: ClaimText) -> System:
    # Kinds of start go by turns: twelve instances meet most of them.
    draws = SeededDraws(np.random.default_rng([turn]), is_costly(conclusion), turn)
    line = text.line_assigning("claim")
    system = _running(text, "draw", line, lambda: claim.draw(draws) if claim.draw else draw_system(claim.system, draws))
    if not isinstance(system, claim.system):
        line = text.line_defining(claim.draw) if claim.draw else line
        raise OwnFileError(text.file, line, f"draw must return a {claim.system.__name__}, not {system!r:.80}")
    _check_exact("draw", system, text.line_defining(claim.draw) if claim.draw else line, text)
    if turn == 0 and type(system).__module__ == claim.module:
        _try_keeping(system, text)
    met: list[Assumption] = []
    for assumption in claim.assumptions_of(conclusion):
        what, before = f"restrict of {assumption.name}", system
        own = text.line_defining(assumption.restrict)
        at = f"{what} at {before.to_json()}"[:400]
        system = _running(text, at, own, lambda a=assumption, s=before: a.restrict(s))  # type: ignore[misc]
        if not isinstance(system, claim.system):
            where = text.line_defining(assumption.restrict)
            raise OwnFileError(text.file, where, f"{what} must return a {claim.system.__name__}, not {system!r:.80}")
        _check_exact(what, system, own, text)
        _try_batch(what, assumption.restrict, before, text)
        met.append(assumption)
        for other in met:
            question = lambda a=other, s=system: a.satisfies(s)  # noqa: E731
            if not _running(text, f"satisfies of {other.name}", line, question):
                raise _unmet(claim, assumption, other, system, text)
    _try_restrictions(claim, conclusion, system, text)
    return system


def _check_exact(what: str, system: System, line: int, text: ClaimText) -> None:
    for name, array in system.arrays().items():
        if array.dtype == object and any(isinstance(entry, arb) for entry in map(plain, array.flat)):
            message = (
                f"{what} gives balls for {name}: an instance is exact, and a root or an exponential is mostly no rational"
            )
            way = "write it with + - * / alone, for a sphere as --own-system sphere does"
            raise OwnFileError(text.file, line, f"{message}: {way}")


def _try_keeping(system: System, text: ClaimText) -> None:
    # It would be another instance than the one that is named.
    for array, values in system.arrays().items():
        # Other numbers than it has, or keeping its own would not be noticed.
        given = -1 - values if values.dtype == object else values
        held = system.replace(**{array: given}).arrays()[array]
        if held.shape != given.shape or not (held == given).all():
            message = (
                f"{type(system).__name__} changes the {array} that it is given: let validate refuse what makes no sense"
            )
            raise OwnFileError(text.file, _line_of_class(type(system), text), message)


def _try_restrictions(claim: Claim, conclusion: Conclusion, system: System, text: ClaimText) -> None:
    # A search goes elsewhere than draw does: an instance whose numbers are moved a little, or are all 0, is restricted
    # anew. Nothing is asked where an assumption without a restriction of its own, which others may rest on, is broken by
    # the move, or where a formula has no value.
    assumed = claim.assumptions_of(conclusion)
    for off in (nudged(system), at_zero(system)):
        try:
            if any(not one.satisfies(off) for one in assumed if not one.is_imposed):
                continue
            led = off
            for one in assumed:
                led = one.restrict(led)
            broken = next((one for one in assumed if not one.satisfies(led)), None)
        except KeyboardInterrupt:
            raise
        except Exception:  # noqa: BLE001, S112 -- a search meets it, too, and goes on elsewhere
            continue
        if broken is not None:
            raise _unmet(claim, broken, broken, led, text)


def nudged(system: System) -> System:
    """The instance with each of its numbers moved by a multiple of 1/8."""

    # Multiples of five kinds, none of them 0: neighbours move apart, and what was equal is so no more.
    def moved(array: Array) -> Array:
        return array + np.array([fmpq(k % 5 - 2 or 3, 8) for k in range(array.size)]).reshape(array.shape)

    return _with_numbers(system, moved)


def at_zero(system: System) -> System:
    """The instance with each of its numbers 0."""
    return _with_numbers(system, lambda array: 0 * array)


def _with_numbers(system: System, change: Callable[[Array], Array]) -> System:
    fields = system.fields()
    changed = {name: numbers(change(array)) for name, array in system.arrays().items() if not fields[name].integer}
    return system.replace(**changed)


def _unmet(claim: Claim, last: Assumption, broken: Assumption, system: System, text: ClaimText) -> OwnFileError:
    instance = f"{system.to_json()}"[:300]
    if last is not broken:
        line = text.line_defining(last.restrict)
        reason = f"the restrict of {last.name} breaks {broken.name}, which comes before it, at {instance}"
    elif broken.is_imposed:
        line = text.line_defining(broken.restrict)
        reason = f"{broken.name} is not satisfied by what its own restrict returns: {instance}"
    else:
        line = text.line_defining(broken.satisfies)
        built = "what draw returns" if claim.draw else f"every {claim.system.__name__}"
        reason = f"{broken.name} has no restrict and is not satisfied by {built}, for instance {instance}"
    return OwnFileError(text.file, line, reason)


def _in_batch(system: System) -> System:
    fields, single = system.fields(), system.to(FLOAT64)
    own = {name: np.asarray(array)[None] for name, array in single.arrays().items() if not fields[name].integer}
    return single.replace(**{name: np.repeat(array, MEMBERS, axis=0) for name, array in own.items()})


def _try_field(claim: Claim, system: System, text: ClaimText) -> None:
    if not isinstance(system, Flow) or type(system).__module__ != claim.module:
        return
    line = _line_of_class(type(system), text)
    flows: list[tuple[Any, str]] = [(system, "an exact instance"), (_in_batch(system), f"a float64 batch of {MEMBERS}")]
    for one, kind in flows:
        try:
            rates = _running(text, f"velocity on {kind}", line, one.velocity)
        except OwnFileError as error:
            if one is system or (instead := text.blind_at(error.line)) is None:
                raise
            message = f"velocity must run on batches: {instead} ({error.reason})"
            raise OwnFileError(text.file, error.line, message) from error
        if rates is None:
            continue
        defined = text.line_defining(type(system).velocity)
        if not isinstance(rates, tuple):
            raise OwnFileError(text.file, defined, "velocity must return a tuple: (x',) for moving = ('x',)")
        shapes, wanted = [np.shape(rate) for rate in rates], [getattr(one, name).shape for name in system.moving]
        if shapes != wanted:
            blind = text.batch_blind(type(system).velocity) if one is not system else None
            where, advice = blind or (defined, "one array for each in moving")
            raise OwnFileError(text.file, where, f"velocity on {kind} has shapes {shapes}, not {wanted}: {advice}")
    _try_constants(system, text)


def _try_constants(system: Flow, text: ClaimText) -> None:
    """A speed that is rational in balls is taken for constant (docs/certified_trajectories.md, S3): it must not change."""
    line = text.line_defining(type(system).velocity)
    start = [entry for name in system.moving for entry in getattr(system, name).flat]
    found: dict[int, fmpq] = {}
    for shift in (fmpq(0), fmpq(1, 3), fmpq(-7, 5), fmpq(41), fmpq(-1000)):
        moved = [arb(entry + shift * (1 + k)) for k, entry in enumerate(start)]
        try:
            speeds = [entry for rate in system.with_state(moved).velocity() for entry in numbers(rate).flat]
        except (ArithmeticError, ValueError, TypeError):
            continue  # no value there, or a comparison that is refused: an enclosure meets it, too
        for k, speed in enumerate(speeds):
            if isinstance(speed, int | np.integer | fmpq) and found.setdefault(k, rational(speed)) != speed:
                message = f"speed {k} is the rational {found[k]} at one state and {speed} at another"
                advice = "a speed that depends on the state is made of operations on it, without a choice"
                raise OwnFileError(text.file, line, f"velocity: {message}: {advice}")


def _line_of_class(kind: type, text: ClaimText) -> int:
    nodes = (node for node in ast.walk(text.tree) if isinstance(node, ast.ClassDef))
    return next((node.lineno for node in nodes if node.name == kind.__name__), 0)


def _try_slack(conclusion: Conclusion, system: System, text: ClaimText) -> None:
    line, name = text.line_defining(conclusion.slack), conclusion.name
    systems = (system, system) if conclusion.horizon is not None else (system,)
    if (given := conclusion.times) is not None:
        if conclusion.trap is None:  # what a trap shows is tried along a trajectory
            times = _running(text, f"times of {name}", text.line_defining(given), lambda: given(system))
            # On the start itself, as often as there are times: the states are certified ones, and later.
            states, what = (
                [system for _ in times or ()],
                f"{name} on a list of exact states, which a limit without trap= gets",
            )
            found = _running(text, what, line, lambda: conclusion.slack(states, system))
            if found is not None:
                _check_numbers(found, name, line, text)
        return
    single = _running(text, f"{name} on an exact instance", line, lambda: conclusion.slack(*systems))
    if conclusion.form is Form.PROBABILITY:
        if not isinstance(single, Tail):
            raise OwnFileError(text.file, line, f"{name} must return a Tail, not {single!r:.80}")
        return
    if single is None:
        # Open at this precision, or nothing was returned at all.
        def returned() -> None:
            if conclusion.slack(*systems) is None:
                raise ValueError("returns nothing: return the slack")

        _running(text, name, line, returned)
        return
    _check_numbers(single, name, line, text)
    # Equal, and another object: a formula may have kept the first one.
    copy = system.replace(**{array: values.copy() for array, values in system.arrays().items()})
    again = _running(text, name, line, lambda: conclusion.slack(*(copy for _ in systems)))
    if list(map(str, numbers(single).flat)) != list(map(str, numbers(again).flat)):
        message = "two equal instances give two slacks: it must depend on the numbers alone, not on memory or identity"
        raise OwnFileError(text.file, line, f"{name}: {message}")
    if conclusion.exact_only or conclusion.form not in AT_A_STATE:
        return
    _try_batch(name, conclusion.slack, system, text)


def _try_batch(what: str, function: Callable[[Any], Any], system: System, text: ClaimText) -> None:
    line = text.line_defining(function)
    own = inspect.unwrap(function)
    # What the suite brings has tests of its own.
    if not isinstance(own, FunctionType) or own.__code__.co_filename != text.file:
        return
    with np.errstate(all="ignore"):
        alone = _running(text, f"{what} in float64", line, lambda: _arrays(function(system.to(FLOAT64))))
        try:
            batch = _arrays(function(_in_batch(system)))
        except UndecidedError:
            return
        except (KeyboardInterrupt, OutOfTimeError):
            raise
        except BaseException as error:
            failed = text.line_of(error) or line
            where, advice = text.batch_blind(function, failed) or (failed, ADVICE)
            raise OwnFileError(text.file, where, f"{what} must run on batches: {advice} ({error_text(error)})") from error
    for one, several in zip(alone or [], batch, strict=False):
        if several.shape != (MEMBERS, *one.shape):
            message = f"of {MEMBERS} instances its shape is {several.shape}, not {(MEMBERS, *one.shape)}"
        elif _differs(several, one):
            message = f"{MEMBERS} copies of one instance give other values than the instance alone"
        else:
            continue
        where, advice = text.batch_blind(function) or (line, ADVICE)
        raise OwnFileError(text.file, where, f"{what} must run on batches: {advice}; {message}")


def _arrays(value: Any) -> list[Array]:
    if not isinstance(value, System):
        return [np.asarray(numbers(value), dtype=float)]
    fields = value.fields()
    return [np.asarray(array, dtype=float) for name, array in value.arrays().items() if not fields[name].integer]


def _differs(batch: Array, alone: Array) -> bool:
    # By more than the order of summation explains; what overflows is compared by no one.
    values = np.asarray(batch, dtype=float)
    finite = np.isfinite(values) & np.isfinite(alone)
    values, alone = np.where(finite, values, 0), np.where(finite, alone, 0)
    size = 1 + np.abs(values).max(initial=0) + np.abs(alone).max(initial=0)
    return bool((np.abs(values - alone) > 1e-6 * size).any())


def _check_numbers(value: Any, name: str, line: int, text: ClaimText) -> None:
    array: Array = numbers(value)
    others = (bool, np.bool_, str, type(None))
    fit = array.dtype == object and all(not isinstance(e, others) and hasattr(e, "__sub__") for e in array.flat)
    if not fit and array.dtype != float:
        raise OwnFileError(text.file, line, f"{name} must return numbers, the signed margins, not {value!r:.80}")


def _try_path(conclusion: Conclusion, system: System, text: ClaimText) -> None:
    function: Callable[[Any], Any] | None = conclusion.horizon or conclusion.times
    if function is None:
        return
    if not isinstance(system, Flow):
        message = f"{conclusion.name} is a {conclusion.form} of a flow, and {type(system).__name__} is none"
        instead = "for the limit of a map write @claim.orbit with contracted(start, steps)"
        line = text.line_defining(conclusion.slack)
        raise OwnFileError(
            text.file, line, f"{message}: {instead if isinstance(system, StepMap) else 'write @claim.state'}"
        )
    if conclusion.trap is not None and not takes(conclusion.trap, 1, 2):
        reason = f"trap of {conclusion.name} must take the state, or the state and the start: def trap(state, start)"
        raise OwnFileError(text.file, text.line_defining(conclusion.slack), reason)
    what = f"{'horizon' if conclusion.horizon else 'times'} of {conclusion.name}"
    line = text.line_defining(function)
    given = _running(text, what, line, lambda: function(system))
    for when in given if conclusion.times else [given]:
        if not isinstance(when, int | fmpq) or not when > 0:
            raise OwnFileError(text.file, line, f"{what} must give exact positive numbers, fmpq(1, 2), not {when!r:.80}")
    # Where a file is only read, as in a second check, nothing that decides is imported.
    from claims.verifying.deciding import Effort, check  # noqa: PLC0415

    line, effort = text.line_defining(conclusion.slack), Effort(trajectory_bits=64)
    _running(text, f"{conclusion.name} along a trajectory", line, lambda: check(conclusion, system, effort))
