r"""The theorem that a certificate stands for, as a file of Coq.

    exists f : system reals, hypothesis_1 reals f /\\ ... /\\ ~ conclusion reals f

with every hypothesis that the certificate keeps. Definitions are recorded from the claim as it is now; a certificate whose
formula is another one gives no theorem.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from claims.certificates.format import hypotheses, statement
from claims.formal.arrays import NOTES, PairAxis, Recorded, Refused, lift, on_all_paths
from claims.formal.limits import Lasting, Ray
from claims.formal.recording import Recorder
from claims.formal.terms import TRUE, Printer, Term, both, fresh, nested, rational_text
from claims.stating.formulas import formula
from claims.stating.statement import Relation, Standing
from claims.targets.target import Target, TargetError, Variant
from dynamics.system import Field, Flow, System

LIMIT_TYPES = {"limit": "matrix", "limits": "nat -> matrix"}  # types of what a statement says of an orbit
FORMS = ("identity", "state", "step", "orbit")
"""Forms of conclusions that are theorems about one system, with its next step."""

HEAD = """From Coq Require Import Reals QArith List Bool Arith{lia}.
From Param Require Import Param.
From Formal Require Import Numbers Arrays Definite{more}.
Import ListNotations.
Close Scope Q_scope. Close Scope R_scope. Open Scope nat_scope.
"""

TRANSCENDENTAL = re.compile(r"\b(exp|ln|sqrt)\b")  # of these rationals have no value: the kernel computes in enclosures


class NotStated(Exception):  # noqa: N818 -- an answer
    """There is no theorem; the message says in one line what is missing."""


@dataclass
class Theorem:
    """A statement with its proof. `pinned` are the axes at whose lengths of the instance alone the definitions hold.

    `for_all` tells the size for whose inputs it is stated, if it is no counterexample.
    """

    name: str
    title: str
    body: str
    digest: str
    pinned: dict[str, int]
    hypotheses: list[str]
    enclosed: bool
    about_limits: bool
    about_hulls: bool = False
    for_all: str = ""

    @property
    def uses(self) -> tuple[str, ...]:
        """The files of the library that it needs beside those that all need."""
        wanted = {
            "Hulls": self.about_hulls,
            "Limits": self.about_limits,
            "Enclosures": self.enclosed,
            "Sizes": bool(self.for_all),
        }
        return tuple(name for name, is_wanted in wanted.items() if is_wanted)

    @property
    def text(self) -> str:
        """A file of its own."""
        return "\n".join([self.title, head(*self.uses), self.body, f"Print Assumptions {self.name}.", ""])


def head(*uses: str) -> str:
    """What a file with theorems begins with that use these files of the library beside those that all use."""
    also = {"Limits": " Lia", "Sizes": " RingMicromega EnvRing"}
    return HEAD.format(lia="".join(also.get(name, "") for name in uses), more="".join(f" {name}" for name in uses))


@dataclass
class Recording:
    """The definitions of a conclusion and of hypotheses. `terms` are those of the hypotheses."""

    recorder: Recorder
    system: System
    conclusion: str
    hypotheses: dict[str, str] = field(default_factory=dict)
    definite: dict[str, str] = field(default_factory=dict)
    conditions: list[str] = field(default_factory=list)
    facts: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    slack: Recorded | None = None

    @property
    def definitions(self) -> str:
        """The text of the definitions that the statement speaks of."""
        known = self.recorder.definitions
        if not NOTES.instance:
            return "\n".join(known.values())
        # What was recorded on the way and is not reached would be read, and checked, for nothing.
        wanted = [self.conclusion, *self.hypotheses.values(), *self.conditions, *self.facts]
        wanted += [self.recorder.step()[0]] if self.limit else []
        wanted += [self.recorder.lasting.name] if self.recorder.lasting else []
        reached: set[str] = set()
        while wanted:
            name = wanted.pop()
            if name not in reached:
                reached.add(name)
                wanted += set(re.findall(r"\w+", known[name].partition(" f ")[2])) & known.keys()
        return "\n".join(text for name, text in known.items() if name in reached)

    @property
    def limit(self) -> str:
        """What the statement says of the orbit: its `limit`, its `limits` by phase, or nothing."""
        return next(iter(self.recorder.limit_uses), "")

    def of(self, made: str, num: str) -> str:
        """A definition over some numbers, and of the limit where it speaks of it."""
        return f"{made} {num} {self.limit}" if self.speaks_of_the_limit(made) else f"{made} {num}"

    def speaks_of_the_limit(self, made: str) -> bool:
        """Whether a definition depends on the limit."""
        if not self.limit:
            return False
        words = set(re.findall(r"\w+", self.recorder.definitions[made].partition(":=")[2]))
        # Coq's sections make the limit an argument of all that reach it, through other definitions, too.
        return self.limit in words or any(
            self.speaks_of_the_limit(one) for one in words & self.recorder.definitions.keys() - {made}
        )

    def assume(self, name: str, term: Term, words: str) -> None:
        """Write a hypothesis as a definition; definiteness by pivots, and what that says of the real matrix."""
        recorder = self.recorder
        wanted = f"{name}_by_pivots" if term[0] == "definite" else name
        self.hypotheses[name] = recorder.assert_that(wanted, term, words)
        if term[0] == "definite":
            matrix = Printer(recorder.taken | {"f"}).matrix("positive_definite", term)
            # Of a matrix that is computed the pivots are what is said.
            if not re.search(rf"\b({'|'.join(['num', *recorder.definitions])})\b", matrix):
                self.definite[name] = f"Definition {{name}} (f : system reals) : Prop :=\n  ({matrix})%num."


def refuted_variant(certificate: Mapping[str, Any]) -> Variant:
    """What a certificate refutes, as the claims say it today. Raises NotStated where they say something else."""
    conclusion, constants = certificate["conclusion"], certificate["constants"]
    if conclusion["form"] not in FORMS:
        raise NotStated(f"a conclusion about {subject_of_form(conclusion['form'])}")
    target = Target(
        certificate["claim"]["id"],
        conclusion["name"],
        tuple(one["name"] for one in certificate["assumptions"]["dropped"]),
        tuple((name, one["value"]) for name, one in constants.items() if one["value"] != one["printed"]),
    )
    try:
        variant = target.resolve()
    except TargetError as error:
        raise NotStated(str(error)) from None
    # The definitions are recorded from the claim as it is now: of another formula they would be another theorem.
    if statement(variant.claim, variant.printed)["conclusion"] != conclusion:
        raise NotStated("stale: the formula of the conclusion is another one than in the certificate")
    if hypotheses(variant.claim, variant.printed, target.dropped) != certificate["assumptions"]:
        raise NotStated("stale: the claim assumes something else than the certificate says")
    return variant


def subject_of_form(form: str) -> str:
    """What a conclusion of this form is about, of which there is no theorem."""
    return {"orbit": "an orbit", "probability": "a probability"}.get(form, f"a flow ({form})")


def record(variant: Variant, system: System, of_instance: bool = False) -> Recording:
    """The conclusion and all kept hypotheses, recorded at the lengths and labels of a system. Raises NotStated.

    `of_instance` lets formulas be recorded along the way of this system where they are for no other: what they ask of the
    data becomes part of hypotheses, and a case that the conclusion is about.
    """
    kind = type(system)
    lengths: dict[str, int] = {}
    for name, one in kind.fields().items():
        lengths |= dict(zip(one.axes, getattr(system, name).shape, strict=True))
    labels = {name: np.asarray(getattr(system, name)) for name, one in kind.fields().items() if one.label}
    wholes = {
        name: int(str(np.asarray(getattr(system, name)).item()))
        for name, one in kind.fields().items()
        if one.integer and not one.label and not one.axes
    }
    recorder = Recorder(kind, lengths, labels, wholes, system)
    if of_instance:
        recorder.at_its_instance()
    f = recorder.system()
    found: dict[str, Term] = {}
    words = {one.name: one.statement for one in variant.kept}
    recording = Recording(recorder, system, "")
    for assumption in variant.kept:
        before = len(recorder.facts)
        try:
            run = recorder.plain(assumption.satisfies)
            found[assumption.name] = _answered(on_all_paths(lambda run=run: run(f)))  # type: ignore[misc]
        except (Refused, *ERRORS) as error:
            raise NotStated(f"{assumption.name} {why_not_recorded(error)}") from None
        # A hypothesis that is nothing but facts says "true": its comment names them, where a reader would look for it.
        if found[assumption.name] == TRUE and len(recorder.facts) > before:
            names = [name for name, *_ in list(recorder.facts.values())[before:]]
            words[assumption.name] = f"{assumption.statement}: that is {' and '.join(names)}"
    try:
        sense = _answered(recorder.accepted(f))
    except (Refused, *ERRORS) as error:
        raise NotStated(f"the model {why_not_recorded(error)}") from None
    try:
        run, constants = recorder.plain(variant.printed.slack), variant_constants(variant)
        slack = recording.slack = lift(on_all_paths(lambda: run(f, **constants)))
        case = NOTES.answers
        slack.number(slack_places(slack)[0])  # what it asks for, it asks for when it is read
        for name, term in recorder.conditions().items():
            recording.conditions.append(recorder.assert_that(name, term, "The definitions hold for such systems alone."))
        if sense != TRUE:
            recording.conditions.append(recorder.assert_that("accepted", sense, "The model takes such data alone."))
        for name, term in found.items():
            recording.assume(name, term, words[name])
        recording.conclusion = _assert(variant, recorder, slack, case)
        recording.facts = dict(recorder.facts)
    except (Refused, *ERRORS) as error:
        raise NotStated(f"the conclusion {why_not_recorded(error)}") from None
    if len(set(recorder.limit_uses)) > 1:
        raise NotStated("asks for the limit and for limit points")
    return recording


def _answered(found: Any) -> Term:
    """A hypothesis as a switch, with what it asked before it was answered. Raises Refused for what is none."""
    if found is None:
        raise Refused("gives no answer")
    recorded = lift(found)
    if recorded.axes or not recorded.is_switch:
        raise Refused("is no yes or no")
    answer = recorded.entry(())
    # What was asked is true of the instance whatever the hypothesis says: it would be no hypothesis.
    if NOTES.answers and answer[0] == "truth":
        raise Refused("is decided by what it asks of the instance alone")
    return functools.reduce(lambda whole, one: both(one, whole), reversed(NOTES.answers), answer)


# What a formula may raise on recorded arrays that are not what it expects. Of ArithmeticError one kind alone: others, as an
# undecided comparison, come of our own numbers.
ERRORS = (NameError, TypeError, ValueError, AttributeError, LookupError, AssertionError, ZeroDivisionError, StopIteration)


def why_not_recorded(error: Exception) -> str:
    """Why a formula was not recorded."""
    return str(error) if isinstance(error, Refused) else f"fails on recorded arrays: {type(error).__name__}: {error!s:.80}"


def variant_constants(variant: Variant) -> dict[str, Any]:
    """The constants that differ from the printed ones."""
    function = variant.conclusion.slack
    if function is variant.printed.slack:
        return {}
    # A sharpened slack is a closure around the printed one: the recorder runs that, with these arguments.
    sharpened = inspect.getclosurevars(inspect.unwrap(function)).nonlocals
    return dict(sharpened.get("constants", {}))


def slack_places(slack: Recorded) -> tuple[list[Any], list[tuple[str, str]]]:
    """A place of the slack, and its variables with their bounds, outermost first."""
    place: list[Any] = []
    quantified: list[tuple[str, str]] = []
    for axis in slack.axes:
        if isinstance(axis, PairAxis):  # for all j < n, for all i < j
            one, other = fresh(), fresh()
            place.append((one, other))
            quantified += [(other, axis.along.text), (one, other)]
        elif axis.text == "1":
            place.append("0")
        else:
            place.append(fresh(axis.name))
            quantified.append((place[-1], axis.text))
    return place, quantified


def _assert(variant: Variant, recorder: Recorder, slack: Recorded, case: Sequence[Term]) -> str:
    place, quantified = slack_places(slack)
    number, zero = slack.number(place), ("rational", Fraction(0))
    term: Term = {
        Relation.NONNEGATIVE: ("below", zero, number),
        Relation.POSITIVE: ("not", ("below", number, zero)),
        Relation.ZERO: ("and", ("below", number, zero), ("below", zero, number)),
    }[variant.printed.relation]
    if slack.guard is not None:
        term = ("implies", slack.guard.entry(place), term)
    doc = f"{variant.printed.meaning}  {variant.printed.relation.value}"
    name = variant.printed.name
    if not case:
        return recorder.assert_that(name, term, doc, quantified)
    # A slack of constants is what Python counted on the way: the theorem would say nothing of the system.
    if not re.search(r"'ref'", repr(term)):
        raise Refused("counts what it asks of the instance")
    whole = functools.reduce(lambda found, one: both(one, found), reversed(case), TRUE)
    said = "What the formula asks of the data before, answered as here; it is refuted in this case."
    return recorder.assert_that(name, term, doc, quantified, recorder.assert_that(f"{name}_case", whole, said))


# ---------------------------------------------------------------------------------------------------------------------
# The file


def witness(recorder: Recorder, system: System, name: str = "witness") -> str:
    """The instance as a system over any numbers."""
    return f"Definition {name} (num : Num) : system num :=\n  {_instance(recorder, system, {})}."


def _instance(recorder: Recorder, system: System, instead: Mapping[str, str]) -> str:
    parts = [str(recorder.lengths[axis]) for axis in recorder.axis_names]
    for name, one in recorder.kind.fields().items():
        parts.append(instead.get(name) or _datum(one, np.asarray(getattr(system, name))))
    return f"System num {' '.join(parts)}"


def _datum(one: Field, array: Any) -> str:
    if one.label:
        if any(int(entry) < 0 for entry in array.flat):  # labels are natural numbers there
            raise NotStated("has a negative label")
        if not one.axes:
            return str(int(array.item()))
        if len(one.axes) > 1:
            return f"(fun i j => nth j (nth i {nested(array, int)} []) 0)"
        return f"(fun i => nth i {nested(array, int)} 0)"
    data = nested(array, lambda entry: rational_text(entry if not hasattr(entry, "plain") else entry.plain))
    return f"(table{len(one.axes)} num {data}%Q)" if one.axes else f"(rational ({data}))"


def definitions(recording: Recording) -> str:
    """The record of systems, lengths and fields as functions of places, and the definitions over any numbers."""
    recorder = recording.recorder
    parts = [f"{name} : nat" for name in recorder.axis_names.values()]
    for name, one in recorder.kind.fields().items():
        parts.append(f"{recorder.field_names[name]} : {'nat -> ' * len(one.axes)}{'nat' if one.label else 'num'}")
    names = [*recorder.axis_names.values(), *recorder.field_names.values()]
    # One text for rationals, enclosures and reals: parametricity of it is what carries a computation over to the reals.
    return "\n".join(
        [
            f"Record system (num : Num) := System {{ {'; '.join(parts)} }}.",
            " ".join(f"Arguments {name} {{_}}." for name in names),
            "Section Claim.",
            "Context (num : Num).",
            *([f"Context ({recording.limit} : {LIMIT_TYPES[recording.limit]} num)."] if recording.limit else []),
            "Local Open Scope num_scope.",
            "Implicit Types f : system num.",
            recording.definitions,
            "End Claim.",
        ]
    )


def theorem(certificate: Mapping[str, Any]) -> Theorem:
    r"""The theorem that a certificate stands for. Raises NotStated, saying what is missing."""
    variant = refuted_variant(certificate)
    data = {name: value for name, value in certificate["instance"].items() if name != "system"}
    system = variant.claim.system.instance(**data)
    recording = record(variant, system, of_instance=True)
    recorder = recording.recorder
    enclosed = bool(TRANSCENDENTAL.search(recording.definitions))
    name = re.sub(r"\W", "_", f"{certificate['claim']['id'].split('.')[1]}__{variant.printed.name}")
    # Each part of the statement with the tactic that shows it: what is computed of lengths and labels, then the orbit.
    parts = [(f"{recorder.axis_names[axis]} f = {recorder.lengths[axis]}", "reflexivity") for axis in recorder.pinned]
    for axis, size in recorder.least.items():
        if size:
            parts.append((f"{size} <= {recorder.axis_names[axis]} f", "apply Nat.leb_le; reflexivity"))
    for field_name, one in recorder.kind.fields().items():
        if one.label:
            said = _label(recorder.field_names[field_name], one, np.asarray(getattr(system, field_name)), recorder)
            parts.append((said, "intros; reflexivity" if one.axes else "reflexivity"))
    orbit = _orbit(recording) if recording.limit else None
    lasting = _lasting(recording, recorder.lasting) if recorder.lasting else None
    parts += [(orbit.statement, "exact orbit_tends")] if orbit else []
    parts += [(lasting.statement, "exact neighbours_are_final")] if lasting else []
    # Then what one computation decides: the text that says it of reals, if that is another, and why it follows of `made`.
    real = [f"{recording.of(made, 'reals')} f" for made in recording.conditions]
    proofs = [("", made, "exact h0") for made in recording.conditions]
    for made, (name_of_fact, says, lemma) in recording.facts.items():
        limit = (
            f"({recording.limit} : {LIMIT_TYPES[recording.limit]} reals) " if says.find(f" {recording.limit} ") > 0 else ""
        )
        given = f" {recording.limit}" if limit else ""
        real.append(f"{name_of_fact}{given} f")
        doc = "(** The definitions hold where this is so. *)\n"
        text = f"{doc}Definition {name_of_fact} {limit}(f : system reals) : Prop := {says}."
        proofs.append((text, made, f"eapply {lemma}, h0"))
    for kept, made in recording.hypotheses.items():
        definite = recording.definite.get(kept)
        if definite:
            own = recorder._name(kept)  # noqa: SLF001
            real.append(f"{own} f")
            proofs.append((definite.format(name=own), made, "apply definite_of_pivots, h0"))
        else:
            real.append(f"{recording.of(made, 'reals')} f")
            proofs.append(("", made, "exact h0"))
    goal = " /\\ ".join(
        [*(said for said, _ in parts), *real, f"~ {recording.of(recording.conclusion, 'reals')} f"],
    )
    all_of = " ".join(f"both ({recording.of(made, 'num')} f) (" for _, made, _ in proofs)
    whole = f"{all_of}neg ({recording.of(recording.conclusion, 'num')} f){')' * len(proofs)}"
    steps = [f"  split; [ {tactic} | ]." for _, tactic in parts]
    steps += [f"  destruct h as [h0 h]. split; [ {tactic} | clear h0 ]." for _, _, tactic in proofs]
    by = "enclosed" if enclosed else "computed"
    also = f"{recording.limit} : {LIMIT_TYPES[recording.limit]} reals" if orbit else ""
    given = f"let {recording.limit} := {recording.limit}_of_witness num in " if orbit else ""
    digest = recording_digest(variant)
    comment = "".join(f"\n    {line}" for line in _comment(certificate, variant))
    title = f"(** {certificate['claim']['id']}, {variant.printed.name}{comment}\n    {digest} *)"
    lines = [
        definitions(recording),
        *(text for text, _, _ in proofs if text),
        "",
        witness(recorder, system),
        *([orbit.proof] if orbit else []),
        *([lasting.proof] if lasting else []),
        # One assertion, computed once: hypotheses and the negated conclusion share what they compute.
        f"Definition refuted (num : Num) : Assertion num := let f := witness num in {given}{whole}.",
        "Parametricity Recursive refuted.",
        "Lemma refuted_reals : refuted reals.",
        f"Proof. apply ({by} refuted refuted_R). vm_cast_no_check (eq_refl (Some true)). Qed.",
        "",
        f"Theorem {name} : exists f : system reals,{f' exists {also},' if also else ''}\n  {goal}.",
        "Proof.",
        f"  exists (witness reals).{f' exists ({recording.limit}_of_witness reals).' if also else ''}",
        "  assert (h := refuted_reals). unfold refuted in h.",
        *steps,
        "  exact h.",
        "Qed.",
    ]
    pinned, hypotheses = {axis: recorder.lengths[axis] for axis in recorder.pinned}, list(recording.hypotheses)
    about = enclosed, bool(orbit), bool(recording.facts)
    return Theorem(name, title, "\n".join(lines), digest, pinned, hypotheses, *about)


def limit_text(recording: Recording, ray: Ray) -> str:
    """The limit, or the limit points, over any numbers."""
    found = np.array(ray.limits[0] if recording.limit == "limit" else ray.limits, dtype=object)
    return f"table{found.ndim} num {nested(found, rational_text)}%Q"


@dataclass(frozen=True)
class _Orbit:
    statement: str
    proof: str


def _orbit(recording: Recording) -> _Orbit:
    """That the orbit tends to its limit, or through its limit points, by the ray of the instance."""
    recorder = recording.recorder
    ray, start = recorder.ray, recorder.start
    assert ray is not None
    assert start is not None
    step, field = recorder.step()[0], recorder.token_field
    z, axes = recorder.field_names[field], recorder.kind.fields()[field].axes
    lengths = [recorder.axis_names[axis] for axis in axes]
    n, d = (recorder.lengths[axis] for axis in axes)
    p = len(ray.limits)
    # Phase j of a cycle of p limit points tends to the j-th of them; a limit is the cycle of one, without the phase.
    one = recording.limit == "limit"
    at = "k" if one else f"(k * {p} + j)"
    states = f"(fun k => {z} (Nat.iter {at} ({step} reals) f))"
    text = f"tends ({lengths[0]} f) ({lengths[1]} f) {states} {'limit' if one else '(limits j)'}"
    statement = text if one else f"(forall j, j < {p} -> {text})"
    limit = f"{recording.limit}_of_witness"
    value = limit_text(recording, ray)
    # The lemma is about the witness, the theorem about an f of which it then says that it is this one.
    claim = statement.replace(" f)", " (witness reals))").replace("(limits j)", f"({limit} reals j)")
    claim = claim.removesuffix("limit") + f"({limit} reals)" if one else claim
    ray_text = f"start {_table(ray.s)} {_table(ray.e)} {ray.turns} ({rational_text(ray.r)}) limits_found"
    phase = "0 (le_n 1)" if one else "j lj"
    # The orbit moves the tokens alone: it is that of `next` on tokens, whose instance is the rest. Parametricity of `next`
    # carries the ray, decided in rationals, over to the reals.
    proof = f"""Definition {limit} (num : Num) : {LIMIT_TYPES[recording.limit]} num := {value}.
Definition start : list (list Q) := {_table(getattr(start, field))}.
Definition limits_found : list (list (list Q)) := {_table(ray.limits)}.
Definition with_tokens (num : Num) (y : matrix num) : system num :=
  {_instance(recorder, start, {field: "y"})}.
Definition next (num : Num) (y : matrix num) : matrix num := {z} ({step} num (with_tokens num y)).
Parametricity Recursive next.
Lemma next_alike K1 K2 K_R z1 z2 : alike K1 K2 K_R z1 z2 -> alike K1 K2 K_R (next K1 z1) (next K2 z2).
Proof.
  intros h i a. refine (next_R K1 K2 K_R z1 z2 _ i i (nat_R_refl i) a a (nat_R_refl a)).
  intros i1 i2 ir a1 a2 ar. apply nat_R_eq in ir, ar. subst. apply h.
Qed.
Lemma next_outside (y : matrix reals) i a : {n} <= i \\/ {d} <= a -> next reals y i a = Q2R 0.
Proof. exact (kept_outside (Q2R 0) {n} {d} _ i a). Qed.
Lemma states_are num k : Nat.iter k ({step} num) (witness num) = with_tokens num (after next num k (table2 num start)).
Proof.
  induction k as [ | k h ]; [ reflexivity | ].
  change ({step} num (Nat.iter k ({step} num) (witness num)) = with_tokens num (after next num (S k) (table2 num start))).
  rewrite h. reflexivity.
Qed.
Lemma ray_settles : settles next {n} {d} {ray_text} = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma orbit_tends : {claim}.
Proof.
  {"" if one else "intros j lj. "}
  assert (k := settles_R next {n} {d} start next_alike next_outside _ _ _ _ _ ray_settles {phase}).
  refine (tends_same _ _ _ _ _ _ k). intros k' i a. cbv beta. rewrite states_are.
  {"replace (k' * length limits_found + 0) with k' by (simpl; lia). " if one else ""}reflexivity.
Qed."""
    return _Orbit(statement, proof)


def _lasting(recording: Recording, lasting: Lasting) -> _Orbit:
    recorder = recording.recorder
    ray = recorder.ray
    assert ray is not None
    step, since, name = recorder.step()[0], lasting.since, lasting.name
    tokens = recorder.kind.fields()[recorder.token_field].axes[0]
    axis, length = recorder.axis_names[tokens], recorder.lengths[tokens]
    states = f"(Nat.iter {{k}} ({step} reals) f)"
    after, then = (f"{name} reals {states.format(k=k)} i j" for k in ("k", since))
    said = f"(forall k i j, {since} <= k -> i < {axis} f -> j < {axis} f -> {after} = {then})"
    claim = said.replace(" f)", " (witness reals))").replace(f"{axis} f ", f"{axis} (witness reals) ")
    table = "[" + "; ".join(str(row.tolist()).lower().replace(",", ";") for row in lasting.mask) + "]"
    on_the_ray = f"{_table(ray.s)} {_table(ray.e)} {ray.turns}"
    proof = f"""Definition attended_after (num : Num) (y : matrix num) : nat -> nat -> Switch num :=
  {name} num (with_tokens num y).
Parametricity Recursive attended_after.
Lemma attended_alike K1 K2 K_R z1 z2 : alike K1 K2 K_R z1 z2 ->
  forall i j, Switch_R K1 K2 K_R (attended_after K1 z1 i j) (attended_after K2 z2 i j).
Proof.
  intros h i j. refine (attended_after_R K1 K2 K_R z1 z2 _ i i (nat_R_refl i) j j (nat_R_refl j)).
  intros i1 i2 ir a1 a2 ar. apply nat_R_eq in ir, ar. subst. apply h.
Qed.
Definition final_neighbours : list (list bool) := {table}.
Lemma neighbours_last :
  lasts next {length} start attended_after {on_the_ray} {len(ray.limits)} {since} final_neighbours = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma neighbours_are_final : {claim}.
Proof.
  intros k i j lk li lj. rewrite !states_are.
  transitivity (listed final_neighbours i j); [ | symmetry ];
    refine (lasts_R next _ _ start next_alike next_outside attended_after attended_alike _ _ _ _ _ _ _ ray_settles
      neighbours_last _ i j _ li lj); lia.
Qed."""
    return _Orbit(said, proof)


def _table(array: Any) -> str:
    return f"{nested(np.array(array, dtype=object), rational_text)}%Q"


def _comment(certificate: Mapping[str, Any], variant: Variant) -> list[str]:
    claim, printed = variant.claim, variant.printed
    words = [*f"{certificate['claim']['statement']}".split("\n"), f"Refuted: {printed.meaning}  {printed.relation.value}"]
    dropped = [one["statement"] for one in certificate["assumptions"]["dropped"]]
    if dropped:
        is_true = claim.standing is Standing.TRUE
        held = "It is this conclusion that needs it." if is_true else "The claim is not held true with it, either."
        words.append(f"without the hypothesis: {'; '.join(dropped)}. {held}")
    if len(claim.conclusions) > 1:
        words.append(f"This is one of the {len(claim.conclusions)} conclusions of the claim.")
    if issubclass(claim.system, Flow):
        words.append("It is about the system at one moment; what that means for solutions is not in this file.")
    if printed.argued:
        words.append(f"That this refutes the statement is an argument, and not in this file: {printed.argued}.")
    # In Coq a comment may hold comments, and a quotation mark in it begins a text that hides its end.
    return [one.replace("(*", "( *").replace("*)", "* )").replace('"', "'") for one in words]


def _label(name: str, one: Field, array: Any, recorder: Recorder) -> str:
    if not one.axes:
        return f"{name} f = {int(array.item())}"
    if len(one.axes) > 1:
        bounds = " ".join(f"{v} < {recorder.axis_names[axis]} f ->" for v, axis in zip("ij", one.axes, strict=True))
        return f"(forall i j, {bounds} {name} f i j = nth j (nth i {nested(array, int)} []) 0)"
    return f"(forall i, i < {recorder.axis_names[one.axes[0]]} f -> {name} f i = nth i {nested(array, int)} 0)"


def recording_digest(variant: Variant) -> str:
    """A digest of what the definitions are recorded from: the formulas of conclusion and hypotheses, and the system."""
    packages = ("claims", "dynamics")
    texts = {
        "conclusion": formula(variant.printed.slack, packages),
        "relation": variant.printed.relation.value,
        "constants": {name: str(value) for name, value in variant_constants(variant).items()},
        "kept": {one.name: formula(one.satisfies, packages) for one in variant.kept},
        "system": formula(variant.claim.system, packages),
    }
    return f"sha256:{hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()}"
