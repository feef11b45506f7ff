"""Decides a certificate again, against the claim as it is today.

It runs on whatever replaces flint: :mod:`claims.checker` installs fractions and mpmath's intervals.
The certificate is only a hint: everything it states that can be computed is recomputed and compared.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from claims.certificates.format import METHODS, MalformedError, constant_text, digest, exact_number, hypotheses, statement
from claims.checker import assumptions as restated_assumptions
from claims.checker import paths
from claims.checker.sharing import Shared
from claims.stating.catalogue import catalogue
from claims.stating.formulas import formula
from claims.stating.statement import AT_A_STATE, Assumption, Conclusion, Form
from claims.targets.target import Target, TargetError, Variant
from dynamics.arithmetic import Array, UndecidedError, numbers, precisions, sign, working_precision
from dynamics.checker import flint_stand_in
from dynamics.checker import stand_ins as second_stand_ins
from dynamics.checker.answers import Verdict
from dynamics.checker.closed_forms import closed_forms
from dynamics.checker.flint_stand_in import arb
from dynamics.findings import Finding, from_here, listening
from dynamics.strict_reading import shown
from dynamics.system import System

LOWEST_BITS = 64
MOST_BITS = 1 << 16


class NotConfirmedError(Exception):
    """Something that the certificate states is false; the message says what."""


class CannotDecideError(Exception):
    """Something that the certificate states could be neither confirmed nor refuted; the message says what."""


def check_certificate(data: dict[str, Any], run_source: bool = False, shared: Shared | None = None) -> tuple[Verdict, str]:
    """Decide again what a well-formed certificate states; every answer comes with a reason.

    `shared` records which functions of the deciding code were used.

    `run_source` allows the source of a user's own claim to be run. Raises MalformedError for an instance that is none of
    the claim's system.
    """
    if digest(data) != data["digest"]:
        return Verdict.NOT_CONFIRMED, "the file was changed after it was written: its digest does not match"
    try:
        variant = _variant(data, run_source)
        _compare_statement(data, variant)
        system = _instance(data["instance"], variant.claim.system)
        shared = shared or Shared()
        shared.formula = formula(variant.printed.slack)
        # A user's assumption may bear the words of ours and mean something else.
        plain = None if data["source"] else data["instance"]
        for assumptions, kept in ((variant.kept, True), (variant.without, False)):
            for assumption in assumptions:
                _need(assumption, system, plain, kept, shared)
        return Verdict.CONFIRMED, _violation(data, variant.conclusion, system, shared)
    except NotConfirmedError as error:
        return Verdict.NOT_CONFIRMED, str(error)
    except CannotDecideError as error:
        return Verdict.CANNOT_DECIDE, str(error)
    except (AttributeError, LookupError, NotImplementedError, RecursionError, TypeError) as error:
        return Verdict.CANNOT_DECIDE, f"the claim's formulas do not run on these numbers: {type(error).__name__}: {error}"


# ---------------------------------------------------------------------------------------------------------------------
# The statement


def _variant(data: dict[str, Any], run_source: bool) -> Variant:
    """Today's claim with the constants of the certificate, without the assumptions that the certificate drops."""
    source = data["source"] or {}
    if source and not run_source:
        raise CannotDecideError("the claim is the user's own: read its source in the file, then allow it with --run-source")
    target = Target(
        data["claim"]["id"],
        data["conclusion"]["name"],
        tuple(assumption["name"] for assumption in data["assumptions"]["dropped"]),
        _sharpened(data["constants"]),
        source.get("file"),
        source.get("text"),
    )
    # Else a file could bring its own version of a printed statement under the suite's name.
    if source and target.claim in catalogue():
        raise NotConfirmedError(f"{target.claim} is a claim of the suite: a source of its own cannot replace it")
    try:
        return target.resolve()
    except TargetError as error:
        raise NotConfirmedError(str(error)) from None
    except ImportError as error:
        raise CannotDecideError(f"the claim cannot be imported: {error}") from None
    except ValueError as error:
        if isinstance(error.__cause__, ImportError):
            raise CannotDecideError(f"the source cannot be run here: {error}") from None
        raise NotConfirmedError(f"the source is no claim: {error}") from None


def _sharpened(constants: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    changed = {name: entry["value"] for name, entry in constants.items() if entry["value"] != entry["printed"]}
    for name, value in changed.items():
        exact_number(value, f"constants.{name}.value")
    return tuple(changed.items())


def _compare_statement(data: dict[str, Any], variant: Variant) -> None:
    """Raises NotConfirmedError where claim, conclusion, constants or assumptions are not what they are today."""
    claim, printed = variant.claim, variant.printed
    dropped = tuple(assumption.name for assumption in variant.without)
    today = statement(claim, printed) | {
        "assumptions": hypotheses(claim, printed, dropped),
        "constants": {name: constant_text(value) for name, value in printed.constants.items()},
    }
    said = {name: data[name] for name in ("claim", "conclusion", "assumptions")} | {
        "constants": {name: entry["printed"] for name, entry in data["constants"].items()},
    }
    _compare(said, today, "")
    known, form = data["violation"]["known"], data["conclusion"]["form"]
    # Known and method are redundant, and must not contradict one another where a reader looks at one.
    if METHODS.get((form, known)) != data["violation"]["method"]:
        raise NotConfirmedError(f"violation.method: a {form} is not known as {known} by {data['violation']['method']}")


def _compare(said: Any, today: Any, where: str) -> None:
    if isinstance(today, dict) and isinstance(said, dict):
        for name in dict.fromkeys((*today, *said)):
            at = f"{where}.{name}" if where else name
            if name not in said or name not in today:
                raise NotConfirmedError(f"{at} is not {'in the file' if name not in said else 'said today'}")
            _compare(said[name], today[name], at)
    elif isinstance(today, list) and isinstance(said, list) and len(said) == len(today):
        # A formula is a list of lines, of which a reader wants the one that has changed.
        for number, (one, other) in enumerate(zip(said, today, strict=True)):
            _compare(one, other, f"{where}[{number}]")
    elif isinstance(today, list) and isinstance(said, list):
        first = next((i for i, (a, b) in enumerate(zip(said, today, strict=False)) if a != b), min(len(said), len(today)))
        raise NotConfirmedError(
            f"{where}: the file has {len(said)} entries, today there are {len(today)}; they differ from {where}[{first}] on"
        )
    elif said != today:
        raise NotConfirmedError(f"{where}: the file says {shown(said)}, today it is {shown(today)}")


# ---------------------------------------------------------------------------------------------------------------------
# The instance


def _instance(data: dict[str, Any], kind: type[System]) -> System:
    """The instance, every array of it given and written in lowest terms. Raises MalformedError."""
    if data["system"] != kind.__name__:
        raise MalformedError(f"instance.system must be {kind.__name__}, not {shown(data['system'])}")
    arrays = {name: value for name, value in data.items() if name != "system"}
    for name in (*kind.fields(), *arrays):
        if name not in arrays:
            raise MalformedError(f"instance.{name} is missing")
        if name not in kind.fields():
            raise MalformedError(f"instance.{name} is no array of {kind.__name__}")
    try:
        system = kind.instance(**{name: _rationals(value, f"instance.{name}") for name, value in arrays.items()})
    except ValueError as error:
        raise MalformedError(f"instance: {error}") from None
    # One instance has one text, and so one digest.
    if system.to_json() != data:
        raise MalformedError("instance: a number is not written in lowest terms, integers as integers")
    return system


def _rationals(value: Any, where: str) -> Any:
    if isinstance(value, list):
        return [_rationals(entry, where) for entry in value]
    return _rational(exact_number(value, where))


def _rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _need(assumption: Assumption, system: System, plain: dict[str, Any] | None, kept: bool, shared: Shared) -> None:
    """Raises unless the assumption is certainly satisfied where it is kept, and certainly broken where it is dropped.

    An assumption of the suite is decided on the plain instance, as it is restated for the checker; where it is not, and
    for a user's own claim, its own test is run.
    """
    before = flint_stand_in.open_comparisons()
    try:
        restated = None if plain is None else restated_assumptions.satisfies(assumption.statement, plain)
        if restated is None:
            shared.assumptions.append(assumption.name)
            with shared.noted():
                answer = assumption.satisfies(system)
                satisfied = None if answer is None else bool(answer)
        else:
            satisfied = restated
    except (ArithmeticError, IndexError, ValueError) as error:
        raise CannotDecideError(f"assumption {assumption.name} cannot be decided at the instance: {error}") from None
    # An open comparison counts as no in Python: it must decide neither for nor against.
    if satisfied is None or flint_stand_in.open_comparisons() != before:
        raise CannotDecideError(f"assumption {assumption.name} is open at the instance: intervals overlap")
    if satisfied != kept:
        text = "is broken, though it is said to be kept" if kept else "is satisfied, though it is said to be dropped"
        raise NotConfirmedError(f"assumption {assumption.name} ({assumption.statement}) {text}")


# ---------------------------------------------------------------------------------------------------------------------
# The violation


def _violation(data: dict[str, Any], conclusion: Conclusion, system: System, shared: Shared) -> str:
    """The reason that confirms the violation. Raises NotConfirmedError or CannotDecideError."""
    violation = data["violation"]
    lower = exact_number(violation["slack"]["lower"], "violation.slack.lower", decimal=True)
    upper = exact_number(violation["slack"]["upper"], "violation.slack.upper", decimal=True)
    if lower > upper:
        raise MalformedError("violation.slack: lower is above upper")
    if not conclusion.relation.is_broken_between(lower, upper):
        raise NotConfirmedError(f"a slack between {lower} and {upper} does not break the relation {conclusion.relation}")
    stated = data["facts"]
    # Facts are told while a slack of one state is evaluated; what comes later is decided from the formula alone.
    if conclusion.form not in AT_A_STATE:
        if stated:
            raise NotConfirmedError(f"facts: a conclusion of the form {conclusion.form.value} rests on none")
        return _along_path(violation, conclusion, system, (lower, upper), shared)
    if violation["times"]:
        raise NotConfirmedError(f"violation.times: a conclusion of the form {conclusion.form.value} knows no times")
    # Gaps of hulls hang on directions that the certificate names.
    second_stand_ins.STATED = stated
    try:
        with shared.noted():
            return _at_instance(violation, conclusion, system, (_rational(lower), _rational(upper)), stated)
    finally:
        second_stand_ins.STATED = None


def _at_instance(
    violation: dict[str, Any],
    conclusion: Conclusion,
    system: System,
    enclosure: tuple[fmpq, fmpq],
    stated: list[Finding],
) -> str:
    """Evaluate the slack with more and more digits until its entry is inside the stated enclosure, or outside.

    The facts it uses about orbits and hulls must be those that the certificate states.
    """
    entry, (lower, upper) = tuple(violation["entry"]), enclosure
    reason = ""
    for bits in precisions(LOWEST_BITS, MOST_BITS):
        # In intervals first: what they show rests on less.
        closed = bits > LOWEST_BITS
        with working_precision(bits), closed_forms() if closed else nullcontext():
            with listening() as found:
                values, doubt = _evaluated(conclusion, system)
            if values is None or doubt:
                reason = f"{doubt} at {bits} bits"
                continue
            _compare_facts(stated, from_here(found, system))
            value = _entry_of(values, entry)
            # A float slack would be compared as exactly the rounded number that it is.
            if not isinstance(value, arb | fmpq | int):
                raise NotConfirmedError(f"the slack is a {type(value).__name__}, which rounds: no exact number encloses it")
            exact, said = all(isinstance(other, fmpq) for other in values.flat), violation["known"] == "exact"
            # A zero of exponentials is exact in closed form only: the next round tells.
            if exact != said and not closed:
                reason = f"violation.known: the slack is {'' if exact else 'not '}an exact rational"
                if exact:
                    raise NotConfirmedError(reason)
                continue
            # Certain on either side: outside at these bits is outside at any.
            if value < lower or value > upper:
                raise NotConfirmedError(f"the slack is {value}, outside the stated enclosure")
            order = sign(value)
            if order is not None and order not in conclusion.relation.forbidden:
                raise NotConfirmedError(f"the slack {value} stands in the relation {conclusion.relation}")
            if said and not exact and order is not None:
                raise NotConfirmedError("violation.known: the slack is not an exact rational")
            if order is not None and value >= lower and value <= upper:
                return f"{conclusion.relation} is broken by {_told(value)}, {bits} bits"
            reason = f"the slack {value} may lie outside the stated enclosure at {bits} bits"
    raise CannotDecideError(reason)


def _compare_facts(stated: list[Finding], found: list[Finding]) -> None:
    # All of them, for a fact left out would be one that nobody can check.
    if len(stated) != len(found):
        raise NotConfirmedError(f"facts: the slack rests on {len(found)} of them, the file states {len(stated)}")
    for place, (one, other) in enumerate(zip(stated, found, strict=True)):
        _compare(one, other, f"facts[{place}]")


def _evaluated(conclusion: Conclusion, system: System) -> tuple[Array | None, str]:
    """The slack at the instance, and why it cannot be relied on where a comparison in it was open."""
    before = flint_stand_in.open_comparisons()
    try:
        values = numbers(conclusion.slack(system))
    except UndecidedError as error:
        if not error.precision_helps:
            raise NotConfirmedError(f"the slack has no value that counts: {error}") from None
        return None, str(error)
    except (ArithmeticError, IndexError, ValueError) as error:
        raise NotConfirmedError(f"the slack has no value at the instance: {error}") from None
    except (AttributeError, TypeError) as error:
        raise CannotDecideError(f"the slack cannot be evaluated by intervals: {error}") from None
    return values, "a comparison in the slack is open" if flint_stand_in.open_comparisons() != before else ""


def _entry_of(values: Array, entry: tuple[int, ...]) -> Any:
    if len(entry) != values.ndim or any(index >= size for index, size in zip(entry, values.shape, strict=True)):
        raise NotConfirmedError(f"violation.entry: the slack has the shape {values.shape}, without an entry {list(entry)}")
    return np.asarray(values)[entry] if entry else values.item()


def _told(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _along_path(
    said: dict[str, Any], conclusion: Conclusion, system: System, enclosure: tuple[Fraction, Fraction], shared: Shared
) -> str:
    """The same for a violation at later times, or of a probability bound, by :mod:`claims.checker.paths`."""
    times = [exact_number(time, "violation.times") for time in said["times"]]
    if conclusion.form is Form.LIMIT and conclusion.trap is None:
        raise NotConfirmedError("a limit is not decided by finitely many times")
    if len(times) != (0 if conclusion.form is Form.PROBABILITY else 1):
        raise NotConfirmedError(f"violation.times: a {conclusion.form.value} is not violated at {len(times)} times")
    entry = tuple(said["entry"])
    if conclusion.form is Form.PROBABILITY:
        _entry_of(numbers(fmpq(0)), entry)  # one number
        watched = conclusion
    else:

        def watched_slack(*states: Any) -> Array:
            before = flint_stand_in.open_comparisons()
            with shared.noted():
                values = numbers(conclusion.slack(*states))
            if flint_stand_in.open_comparisons() != before:
                raise UndecidedError("a comparison in the slack is open")
            return numbers(_entry_of(values, entry))

        watched = replace(conclusion, slack=watched_slack)
    try:
        verdict, reason, found = paths.violation(watched, system, times[0] if times else None, enclosure)
    except UndecidedError as error:
        raise CannotDecideError(str(error)) from None
    except (ArithmeticError, IndexError, ValueError) as error:
        raise NotConfirmedError(f"the slack has no value: {error}") from None
    if verdict is not Verdict.CONFIRMED or found is None:
        raise (NotConfirmedError if verdict is Verdict.NOT_CONFIRMED else CannotDecideError)(reason)
    return f"{conclusion.relation} is broken by {_told(arb.of(found))}: {reason}"
