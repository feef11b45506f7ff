"""Compares generated definitions with the Python that they were recorded from, by the kernel, on random exact instances.

A recorder that gets something wrong would state another claim than the suite's, and the kernel would prove it all the same.
So hypotheses and every entry of the slack are computed both ways.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, fmpq

from claims.formal.arrays import PairAxis
from claims.formal.compiling import compile_library, run_coq
from claims.formal.limits import phases_told, ray_of
from claims.formal.terms import TRUE, rational_text
from claims.formal.theorems import (
    LIMIT_TYPES,
    TRANSCENDENTAL,
    NotStated,
    Recording,
    definitions,
    head,
    limit_text,
    record,
    refuted_variant,
    slack_places,
    witness,
)
from claims.targets.target import Variant
from dynamics.arithmetic import fraction, numbers, working_precision
from dynamics.system import StepMap, System

BITS = 160  # far finer than SLACKNESS, so that Python's own rounding is never what a comparison fails of

# By how much an enclosure is widened, relative to a number: the two sides enclose at different precisions, and a recorder
# that errs is wrong by far more.
SLACKNESS = Fraction(1, 10**12)

AGREES = """
Fixpoint agrees {X} (le : X -> X -> open) (of : Q -> X) (found : list (open * X)) (expected : list (Q * Q)) : open :=
  match found, expected with
  | (Some false, _) :: l, _ => agrees le of l expected
  | (Some true, x) :: l, (lo, hi) :: m => and3 (and3 (le (of lo) x) (le x (of hi))) (agrees le of l m)
  | [], [] => Some true
  | (None, _) :: _, _ => None
  | _, _ => Some false
  end.
Definition same (b : open) (c : bool) : open := match b with Some d => Some (Bool.eqb d c) | None => None end.
"""


def _sample(system: System, kept: set[str], rng: random.Random) -> System | None:
    """A random instance of the lengths and labels of a system; None where the model refuses it. Few values, many ties."""
    data: dict[str, Any] = {}
    for name, one in type(system).fields().items():
        array = np.asarray(getattr(system, name))
        # Some fields stay as they are: instances of other data alone would hardly ever meet the hypotheses.
        if one.integer or name in kept or rng.random() < 0.4:
            data[name] = array
            continue
        values = [rng.choice(("-1", "0", "1", "1/2", "2", "-3/2", "1/3")) for _ in range(array.size)]
        data[name] = np.array(values, dtype=object).reshape(array.shape) if array.shape else values[0]
    try:
        return type(system).instance(**data)
    except ValueError:
        return None


def expected(variant: Variant, system: System) -> tuple[list[bool], list[tuple[Fraction, Fraction]]] | None:
    """Whether each hypothesis holds, and an enclosure of each entry of the slack, by Python; None where it has no value."""
    try:
        with working_precision(BITS):
            answers = [one.satisfies(system) for one in variant.kept]
            slack = variant.conclusion.slack(system)
            entries = numbers(np.asarray(slack, dtype=object) if isinstance(slack, list) else slack)
            values = [_enclosure(value) for value in entries.flat]
    except (ArithmeticError, ValueError, LookupError):
        return None
    return None if None in answers or None in values else ([bool(one) for one in answers], values)  # type: ignore[return-value]


def _enclosure(value: Any) -> tuple[Fraction, Fraction] | None:
    if isinstance(value, arb):
        if not value.is_finite():
            return None
        middle, radius = (fraction(part.fmpq()) for part in (value.mid(), value.rad()))
        wide = radius + SLACKNESS * (1 + abs(middle))
        return middle - wide, middle + wide
    number = fraction(value) if isinstance(value, fmpq | int) else Fraction(int(value))
    return number, number


def _values_text(recording: Recording) -> str:
    """The slack as a list of its entries in Python's order, each with whether the statement speaks of it."""
    slack, recorder = recording.slack, recording.recorder
    assert slack is not None
    place, _ = slack_places(slack)
    printer = recorder.printer()
    guard = slack.guard.entry(place) if slack.guard is not None else TRUE
    text = f"[({printer.switch(guard)}, {printer.number(slack.number(place))})]"
    # From the innermost axis out; the statement names pairs (j, i) with j < i, of which Python has i first.
    for axis, variable in reversed(list(zip(slack.axes, place, strict=True))):
        if isinstance(axis, PairAxis):
            one, other = map(printer.name, variable)
            length = printer.index(axis.along.text)
            inner = f"flat_map (fun {other} => if Nat.ltb {one} {other} then {text} else []) (seq 0 ({length}))"
            text = f"flat_map (fun {one} => {inner}) (seq 0 ({length}))"
        elif axis.text != "1":
            text = f"flat_map (fun {printer.name(variable)} => {text}) (seq 0 ({printer.index(axis.text)}))"
    return f"Definition slack_entries f : list (Switch num * num) :=\n  {printer.lets(text)}."


def certified_subject(certificate: Mapping[str, Any]) -> tuple[Variant, System]:
    """What a certificate is about, and its instance. Raises NotStated."""
    variant = refuted_variant(certificate)
    data = {name: value for name, value in certificate["instance"].items() if name != "system"}
    return variant, variant.claim.system.instance(**data)


def module(
    variant: Variant, system: System, times: int, rng: random.Random, of_instance: bool = True
) -> tuple[str, int] | None:
    """Definitions, random instances and one list of comparisons, with its length; None where no instance was found.

    `of_instance` is for the definitions of a certificate, which may be recorded along the way of its instance.
    """
    recording = record(variant, system, of_instance)
    enclosed = bool(TRANSCENDENTAL.search(definitions(recording)))
    num, of, le = ("enclosures", "Exact", "i_compare") if enclosed else ("rationals", "Some", "q_compare")
    kept = {name.removesuffix("_is_diagonal") for name in recording.conditions}
    lines = [definitions(recording).replace("End Claim.", f"{_values_text(recording)}\nEnd Claim.")]
    asked: list[str] = []
    for k in range(8 * times):  # most that are drawn are refused by the model, or have no value
        instance = system if k == 0 else _sample(system, kept, rng)
        said = expected(variant, instance) if instance is not None else None
        if instance is None or said is None:
            continue
        name = f"instance{k}"
        limit = _limit_text(recording, instance, name)
        if limit is None or (k and of_instance and not _is_of_the_kind(recording, variant, instance)):
            continue
        lines.append(witness(recording.recorder, instance, name) + limit)
        given = f" ({name}_limit {num})" if limit else ""
        for made, holds in zip(recording.hypotheses.values(), said[0], strict=True):
            own = given if recording.speaks_of_the_limit(made) else ""
            asked.append(f"same ({made} {num}{own} ({name} {num})) {str(holds).lower()}")
        pairs = "; ".join(f"({rational_text(lower)}, {rational_text(upper)})" for lower, upper in said[1])
        asked.append(f"agrees {le} {of} (slack_entries {num}{given} ({name} {num})) [{pairs}]%Q")
        if len(asked) >= times * (1 + len(recording.hypotheses)):
            break
    if not asked:
        return None
    lines.append(f"Definition compared := [{'; '.join(asked)}].\nEval vm_compute in compared.")
    return "\n".join(lines), len(asked)


def _is_of_the_kind(recording: Recording, variant: Variant, instance: System) -> bool:
    """Whether the definitions are also those of another instance: what formulas ask of the data has the same answers."""
    if recording.facts:  # witnesses are of one instance
        return False
    try:
        return definitions(record(variant, instance, of_instance=True)) == definitions(recording)
    except NotStated:
        return False


def _limit_text(recording: Recording, instance: System, name: str) -> str | None:
    """The limit of an instance as a definition, nothing where none is asked for; None where no such ray is seen."""
    if not recording.limit:
        return ""
    own = recording.recorder.ray
    ray = ray_of(instance, recording.recorder.token_field) if isinstance(instance, StepMap) else None
    if own is None or ray is None or len(ray.limits) != len(own.limits):
        return None
    if recording.limit == "limits":  # which the claims list from another step on
        assert isinstance(instance, StepMap)
        told = phases_told(instance)
        if told is None:
            return None
        # Only the order is taken over from the claims' own function: the points themselves are compared.
        ray = ray.rotated(told)
        if ray is None:
            raise RuntimeError(f"the limit points of {instance} are others than the claims say")
    return f"\nDefinition {name}_limit (num : Num) : {LIMIT_TYPES[recording.limit]} num := {limit_text(recording, ray)}."


COMPARE = "Definition q_compare := @below rationals.\nDefinition i_compare := @below enclosures.\n"


def compare(modules: Mapping[str, tuple[str, int]], library_folder: Path, file: Path) -> dict[str, list[str]]:
    """The kernel's words on comparisons, "Some true" where both sides agree. Raises RuntimeError for a file it refuses."""
    compile_library(library_folder)
    texts = [f"Module C{k}.\n{text}\nEnd C{k}." for k, (text, _) in enumerate(modules.values())]
    file.write_text("\n".join([head("Hulls", "Limits", "Enclosures"), COMPARE, AGREES, *texts, ""]), encoding="utf-8")
    printed, told, fine = run_coq(file, library_folder)
    if not fine:
        raise RuntimeError(f"Coq refuses the definitions: {told[-600:]}")
    blocks = re.split(r"^\s*= ", printed, flags=re.MULTILINE)[1:]
    found = {name: re.findall(r"Some true|Some false|None", block) for name, block in zip(modules, blocks, strict=True)}
    for name, (_, length) in modules.items():
        if len(found[name]) != length:
            raise RuntimeError(f"{name}: {len(found[name])} answers to {length} comparisons")
    return found
