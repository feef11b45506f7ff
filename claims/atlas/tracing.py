"""States of an instance as data: an exact orbit step by step, or certified enclosures of a flow on a grid of times."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, fmpq

from claims.atlas.drawing import Wanted, instance_of_certificate, subject_of, wanted
from claims.atlas.evidence import Certificate, gathered
from claims.atlas.pictures import NothingToShowError, Subject, pictures_of
from claims.atlas.pictures.scenes import Picture, Source
from claims.atlas.pictures.trained import trained_pictures
from claims.atlas.recorded import recorded
from claims.certificates.decimals import enclosing_decimals
from claims.instances.files import InstanceError, read_instance
from claims.stating.catalogue import PLACE, UnknownClaimError, matching, precedence
from claims.stating.experiments import RecordError
from claims.stating.statement import Claim, Conclusion, Form, Relation, Standing, is_costly, judged_by_runs
from dynamics.arithmetic import exact, numbers, rational, working_precision
from dynamics.decimals import outward
from dynamics.enclosures.steps import EnclosureError, enclose
from dynamics.orbits.exact import orbit
from dynamics.system import Flow, StepMap, System

STEPS, POINTS = 12, 33  # steps of an orbit, and times of a grid, where no other number is asked for
DECIDED_NOW = 8  # instances of a user's own claim that are decided for a picture: who waits for one waits for seconds
BITS = 128  # the precision of steps that are no rational numbers
EARLY = (fmpq(1, 16), fmpq(1, 256))  # until when a flow is drawn that is too fast to be enclosed until time 1


class TraceError(ValueError):
    """There is nothing to trace or to draw; the message says why."""


@dataclass(frozen=True)
class TracedState:
    """The system at a step, or at a time; `values` are its moving numbers by place, `x[0][1]`, exact or in balls."""

    at: Any
    values: dict[str, Any]


@dataclass(frozen=True)
class Trace:
    """States of one instance; `clock` is "step" or "time"."""

    instance: dict[str, Any]
    clock: str
    states: list[TracedState]
    radius: str = ""

    def as_json(self) -> dict[str, Any]:
        """Plain data: exact numbers as integers and "p/q", balls as a list of two decimals around them."""
        return {
            "instance": self.instance,
            "clock": self.clock,
            "states": [
                {self.clock: _told(state.at)} | {name: _told(value) for name, value in state.values.items()}
                for state in self.states
            ],
        }

    def as_csv(self) -> str:
        """A row for each state; a ball has a column for either end."""
        # Whether a number is ever a ball decides for all rows: a table has as many columns in each.
        wide = {name: any(isinstance(state.values[name], arb) for state in self.states) for name in self.states[0].values}
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        names = ([f"{name}.lower", f"{name}.upper"] if is_wide else [name] for name, is_wide in wide.items())
        writer.writerow([self.clock, *(column for columns in names for column in columns)])
        for state in self.states:
            cells = [_told(state.at)]
            for name, is_wide in wide.items():
                told = _told(state.values[name])
                cells += told if isinstance(told, list) else [told] * (1 + is_wide)
            writer.writerow(cells)
        return text.getvalue()


def _told(value: Any) -> Any:
    if isinstance(value, arb):
        lower, upper = enclosing_decimals(value)
        return lower if value.is_exact() and lower == upper else [lower, upper]
    number = rational(value)
    return int(number.p) if number.q == 1 else str(number)


# ---------------------------------------------------------------------------------------------------------------------
# From a name to a subject


def subject(source: str, own: list[Claim], conclusion: str | None = None) -> Subject:
    """What is meant by an instance (JSON text, a file, a certificate) or a claim's id. Raises TraceError.

    A claim stands for the instance of its published certificate, or for its tightest one in the necessity map; a false one
    without a certificate for its counterexample of the recorded run.
    """
    given = meant(source, own)
    return of_instance(given) if isinstance(given, System) else of_claim(given, conclusion)


def meant(source: str, own: list[Claim]) -> Claim | System:
    """The instance, or the one claim, that a text stands for. Raises TraceError.

    A question after a numbered statement, "Theorem 5.4", means what is false of the paper's own words about it first.
    """
    is_question = " " in source and not {"{", "/"} & set(source) and PLACE.search(source) and not Path(source).exists()
    is_file = "{" in source or "." in source.rsplit("/", maxsplit=1)[-1][-5:] or "/" in source
    if is_file and not is_question:
        try:
            return read_instance(source, [claim.system for claim in own])[0]
        except InstanceError as error:
            raise TraceError(str(error)) from None
    try:
        found = matching([source], own)
    except UnknownClaimError as error:
        raise TraceError(str(error)) from None
    if is_question:
        return min(found, key=precedence)
    exactly = [claim for claim in found if source in (claim.id, claim.id.split(".")[-1])]
    if len(exactly or found) > 1:
        raise TraceError(f"{source!r} is a part of several ids: {', '.join(claim.id for claim in found[:8])}")
    return (exactly or found)[0]


def pictures_for(source: str, own: list[Claim], conclusion: str | None = None) -> list[Picture]:
    """The pictures of what :func:`subject` finds, or of the recorded runs that an empirical claim is about.

    Raises TraceError.
    """
    given = meant(source, own)
    return pictures_or_motion(of_instance(given)) if isinstance(given, System) else drawn_of(given, conclusion)


def pictures_or_motion(subject: Subject) -> list[Picture]:
    """The pictures of a conclusion on an instance, or where there is none those of how the instance moves.

    Raises TraceError for a counterexample that does not show what its picture is drawn for.
    """
    try:
        found = pictures_of(subject)
        for until in (1, *EARLY) if isinstance(subject.system, Flow) else (1,):
            found = found or pictures_of(of_instance(subject.system, fmpq(until)))
    except NothingToShowError as error:
        raise TraceError(str(error)) from None
    return found


def drawn_of(claim: Claim, conclusion: str | None = None) -> list[Picture]:
    """The pictures of a claim on its decided instance, or of the recorded runs that it is about. Raises TraceError."""
    if claim.standing is not Standing.EMPIRICAL:
        return pictures_or_motion(of_claim(claim, conclusion))
    _check_conclusion(claim, conclusion)
    try:
        found = [
            replace(picture, title=f"{picture.title}: {name}" if name else picture.title)
            for name, picture in trained_pictures(claim)
            if conclusion in (None, name)
        ]
    except RecordError as error:
        raise TraceError(str(error)) from None
    if not found:
        raise TraceError(f"nothing of {claim.id} was run: there is nothing to draw")
    return found


def _check_conclusion(claim: Claim, conclusion: str | None) -> None:
    names = [one.name for one in claim.conclusions]
    if conclusion is not None and conclusion not in names:
        raise TraceError(f"{claim.id} has no conclusion {conclusion!r}: it has {', '.join(names)}")


def of_claim(claim: Claim, conclusion: str | None = None) -> Subject:
    """A claim on its published counterexample, or its tightest instance. Raises TraceError where none is published."""
    _check_conclusion(claim, conclusion)
    wishes = list(wanted(claim, gathered([claim], [], {})[claim.id]))
    # A certificate goes before a run: it is published, and the same for every reader.
    is_shown = any(wish.is_violated and not wish.dropped for wish in wishes)
    if claim.standing is Standing.FALSE and not is_shown and (report := recorded(claim.id)) is not None:
        wishes = list(wanted(claim, gathered([claim], [report], {})[claim.id]))
    for wish in sorted(wishes, key=lambda wish: bool(wish.dropped)):
        if conclusion in (None, wish.conclusion) and (found := subject_of(claim, wish)) is not None:
            return found
    if claim.file is not None:
        from claims.verifying.deciding import Effort  # noqa: PLC0415 -- what is published was decided before
        from claims.verifying.tallies import Tally, verify_conclusion  # noqa: PLC0415

        # Of a user's own claim nothing is published: a violation, or the tightest, of a few instances is found now.
        asked = [one for one in claim.conclusions if conclusion in (None, one.name) and one.form is not Form.EXPERIMENT]
        tallies = list[Tally]()
        for one in sorted(asked, key=is_costly):  # what is cheap may show a violation: then nothing else is decided
            tallies.append(verify_conclusion(claim, one, DECIDED_NOW, 0, Effort(), first=True))
            if tallies[-1].violation:
                break
        for tally in sorted(tallies, key=lambda tally: tally.violation is None):
            if told := tally.violation or tally.tightest:
                source = Source(f"an instance decided now: {told['known']}")
                own = subject_of(claim, Wanted(claim.id, tally.name, told["instance"], source, bool(tally.violation)))
                if own is not None:
                    return own
    unpublished = f"no decided instance of {claim.id} is published: give one, as JSON or as a file"
    raise TraceError(judged_by_runs([claim]) or unpublished)


def of_certificate(data: dict[str, Any], claim: Claim) -> Subject:
    """The claim that a certificate is about, on its instance. Raises TraceError where it has no such conclusion."""
    found = subject_of(claim, instance_of_certificate(claim, Certificate(data["digest"][:15], data)))
    if found is None:
        raise TraceError(f"{claim.id} has no conclusion {data['conclusion']['name']} on the system of this certificate")
    return found


def of_instance(system: System, until: fmpq | int = 1) -> Subject:
    """An instance alone, without anything claimed of it; a flow is followed for the time `until`."""
    claim = Claim(type(system).__name__, statement="", system=type(system))
    form = Form.TRAJECTORY if isinstance(system, Flow) else Form.ORBIT if isinstance(system, StepMap) else Form.STATE
    nothing = Conclusion(
        "motion", form, Relation.NONNEGATIVE, lambda *systems: exact([]), horizon=lambda start: fmpq(until)
    )
    return Subject(claim, nothing, system, Source("the instance that was given"))


# ---------------------------------------------------------------------------------------------------------------------
# States


def trace(given: Subject, steps: int | None = None, until: fmpq | None = None, points: int = POINTS) -> Trace:
    """The states of an orbit, or enclosures of a flow at evenly spaced times. Raises TraceError.

    A flow is followed until the violated time of its certificate, or the horizon of its conclusion, if no time is given.
    """
    system = given.system
    if isinstance(system, StepMap):
        if until is not None:
            raise TraceError(f"{type(system).__name__} moves in steps: say how many, not until when")
        with working_precision(BITS):
            try:
                states = orbit(system, STEPS if steps is None else steps)
            except (ArithmeticError, ValueError) as error:
                raise TraceError(f"the orbit cannot be followed: {error}") from None
        # What no step changes, such as a matrix, stands in the instance; of a single state nothing is known to rest.
        names = [
            name
            for name, declared in system.fields().items()
            if not declared.label and (len(states) == 1 or any(not _is_as_in(states[0], state, name) for state in states))
        ]
        return Trace(system.to_json(), "step", [TracedState(k, _values(state, names)) for k, state in enumerate(states)])
    if not isinstance(system, Flow):
        raise TraceError(f"{type(system).__name__} does not move: there is nothing to trace")
    if steps is not None:
        raise TraceError(f"{type(system).__name__} moves in continuous time: say until when, not how many steps")
    end, conclusion = fmpq(1) if until is None else until, given.conclusion
    if until is None and given.times:
        end = max(rational(time) for time in given.times)
    elif until is None and conclusion.horizon is not None:
        end = rational(conclusion.horizon(system))
    elif until is None and conclusion.times is not None:
        end = rational(min(conclusion.times(system)))
    if not end > 0:
        raise TraceError(f"the time must be positive, not {end}")
    try:
        trajectory = enclose(system, end)
    except (EnclosureError, ArithmeticError, ValueError) as error:
        raise TraceError(f"no enclosure is certified up to {end}: {error}") from None
    times = [end * k / (points - 1) for k in range(points)]
    enclosed = [TracedState(time, _values(trajectory.at(time), list(system.moving))) for time in times]
    return Trace(system.to_json(), "time", enclosed, outward(trajectory.radius, 1, 3))


def _is_as_in(start: Any, state: Any, name: str) -> bool:
    pairs = zip(numbers(getattr(start, name)).flat, numbers(getattr(state, name)).flat, strict=True)
    return all(bool(a == b) for a, b in pairs)


def _values(state: Any, names: list[str]) -> dict[str, Any]:
    found = {}
    for name in names:
        array = numbers(getattr(state, name))
        for place in np.ndindex(array.shape):
            found[name + "".join(f"[{k}]" for k in place)] = array[place] if place else array.item()
    return found
