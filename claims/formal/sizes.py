r"""Theorems for all real systems of a size, by signs of polynomials.

    forall f : system reals, dim_n f = 2 -> dim_d f = 1 -> hypothesis_1 reals f -> ... -> conclusion reals f

The statement is generated as for certificates. Its proof is a tree: it splits by the sign of a polynomial, until the
statement is decided or a sum of products refutes the facts of the branch (claims/formal/rocq/Sizes.v). Coq itself is asked
which comparison is open (Asking.v), and sums are found as for other proofs; the kernel checks the finished tree alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from claims.formal.recording import Recorder
from claims.formal.theorems import (
    FORMS,
    NotStated,
    Recording,
    Theorem,
    definitions,
    record,
    recording_digest,
    subject_of_form,
)
from claims.proving.exploring import Size
from claims.targets.target import Target, Variant
from dynamics.arithmetic import rational


@dataclass
class Statement:
    """What is stated at a size: the recorded definitions, and the numbers of a system as variables."""

    name: str
    title: str
    digest: str
    recording: Recording
    variant: Variant
    size: Size

    @property
    def recorder(self) -> Recorder:
        """What recorded it."""
        return self.recording.recorder

    @property
    def premises(self) -> list[str]:
        """The definitions that are assumed, over any numbers: of a definite matrix its pivots."""
        return [*self.recording.conditions, *self.recording.hypotheses.values()]

    def definite(self) -> dict[str, str]:
        """The premises about definite matrices, each with the definition that says it of all vectors."""
        recording = self.recording
        return {recording.hypotheses[kept]: text.format(name=f"{kept}_") for kept, text in recording.definite.items()}

    @property
    def fixed(self) -> dict[str, int]:
        """The lengths and the labels by their names in Coq."""
        return {name: value for name, value in self.parts.items() if isinstance(value, int)}

    @property
    def parts(self) -> dict[str, int | tuple[int, ...]]:
        """What a system consists of, by names in Coq: the value of what is fixed, the shapes of the arrays."""
        recorder = self.recorder
        found: dict[str, int | tuple[int, ...]] = {
            name: recorder.lengths[axis] for axis, name in recorder.axis_names.items()
        }
        for name, one in recorder.kind.fields().items():
            shape = tuple(recorder.lengths[axis] for axis in one.axes)
            value = int(np.asarray(getattr(self.recording.system, name)).item()) if one.label else shape
            found[recorder.field_names[name]] = value
        return found

    @property
    def arrays(self) -> list[tuple[str, tuple[int, ...]]]:
        """The names of the arrays in Coq, with their shapes."""
        return [(name, shape) for name, shape in self.parts.items() if not isinstance(shape, int)]

    @property
    def numbers(self) -> int:
        """How many numbers a system has."""
        return sum(math.prod(shape) for _, shape in self.arrays)

    def symbols(self, library: str = "", around: str = "") -> str:
        """The system of variables, each put into a function; names of the library have its name before them."""
        texts, first = [], 0
        for shape in self.parts.values():
            if isinstance(shape, int):
                texts.append(str(shape))
                continue
            where = "".join(f" {letter}" for letter in "ijk"[: len(shape)])
            entry = f"{library}entry{len(shape)} {' '.join(map(str, [first, *shape]))}"
            if not around:
                texts.append(f"({entry})")
            else:
                texts.append(f"(fun{where} => {around} ({entry}{where}))" if where else f"({around} ({entry}))")
            first += math.prod(shape)
        return " ".join(texts)

    @property
    def text(self) -> str:
        """The definitions, with the statement about a system as one assertion."""
        recording = self.recording
        # Over any numbers at once: Coq is asked about it over polynomials, and the theorem is over real numbers.
        text = " (".join(f"implies ({made} num f)" for made in self.premises)
        conclusion = f"({recording.conclusion} num f)"
        whole = f"{text} {conclusion}{')' * (len(self.premises) - 1)}" if text else conclusion
        return (
            f"{definitions(recording)}\nDefinition The_statement (num : Num) (f : system num) : Assertion num := {whole}."
        )


def statement_at_size(target: Target, values: Mapping[str, int]) -> Statement:
    """The statement of a conclusion at a size. Raises NotStated, saying what is missing."""
    variant = target.resolve()
    form = variant.conclusion.form
    if form not in FORMS[:3]:
        raise NotStated(f"a conclusion about {subject_of_form(form)}")
    size = Size.of(variant.claim.system, values)
    # They are functions of places, for which the theorem has no premise.
    if any(one.label and one.axes for one in size.system.fields().values()):
        raise NotStated("its systems have labels of each token")
    recording = record(variant, _some_instance(size))
    if any(made.endswith("_is_diagonal") for made in recording.conditions):
        raise NotStated("is recorded for diagonal matrices")
    name = "_".join([*target.claim.split(".")[1:], "", target.conclusion, *(f"{k}{v}" for k, v in values.items())])
    title = f"(** {target.claim}, {target.conclusion}: for all {size}.\n    {recording_digest(variant)} *)"
    return Statement(name, title, recording_digest(variant), recording, variant, size)


def _some_instance(size: Size) -> Any:
    """An instance of a size, whose shapes are recorded. Raises NotStated."""
    many = len(size.names)
    # Different numbers, equal ones, and two that models take which ask for weights: only the shapes matter.
    tries = ([k + 1 for k in range(many)], ["1/3"] * many, [1, *[0] * (many - 1)], [f"1/{k + 2}" for k in range(many)])
    for values in tries:
        try:
            return size.instance({name: rational(str(value)) for name, value in zip(size.names, values, strict=False)})
        except ValueError:
            continue
    raise NotStated("no instance of this size is at hand")


@dataclass(frozen=True)
class Proof:
    """A tree and the exponents of the exponentials that it speaks of, as text of Coq."""

    tree: str
    exponents: Sequence[str] = ()


def theorem_at_size(stated: Statement, proof: Proof) -> Theorem:
    """The theorem with its proof. What is of the library alone comes before the claim's names, or has its own before it."""
    # Lengths are put in before anything is computed: sums over them unfold.
    premises = stated.premises
    conditions = [f"{name} f = {value}" for name, value in stated.fixed.items()]
    definite = stated.definite()
    real = [f"{definite[made].split()[1]} f" if made in definite else f"{made} reals f" for made in premises]
    goal = " -> ".join([*conditions, *real, f"{stated.recording.conclusion} reals f"])
    shown = [f"(Definite.pivots_of_definite _ _ h{k})" if made in definite else f"h{k}" for k, made in enumerate(premises)]
    given = " ".join(f"{name}_" for name, _ in stated.arrays)
    own = " ".join(str(one) if isinstance(one, int) else f"{name}_" for name, one in stated.parts.items())
    # The values of the variables: numbers of the system, then each exponential, whose exponent may have those before it.
    entries = (" ".join([f"{name}_", *map(str, place)]) for name, shape in stated.arrays for place in np.ndindex(*shape))
    values = [f"let l0 := [{'; '.join(entries)}] in"]
    for k in range(len(proof.exponents)):
        exponent = f"nth {k} The_exponents (Sizes.constant 0)"
        one = f"Rtrigo_def.exp (Sizes.value (Sizes.entries_are l{k}) ({exponent}))"
        values.append(f"let l{k + 1} := l{k} ++ [{one}] in")
    arrays = " ".join(f"({name}_ : {'nat -> ' * len(shape)}R)" for name, shape in stated.arrays)
    table = exponentials_text([f"nth {k} The_exponents (constant 0)" for k in range(len(proof.exponents))], stated.numbers)
    quotients = "Sizes.quotients facts The_exponentials"
    lines = [
        f"Definition The_exponents : list (Pol Q) := [{'; '.join(proof.exponents)}].",
        f"Definition The_exponentials : exponentials := {table}.",
        f"Definition The_tree : tree :=\n {proof.tree}.",
        stated.text,
        "Parametricity Recursive The_statement.",
        "Definition The_answer (facts : list Sizes.fact) : open :=",
        f"  The_statement ({quotients}) (System ({quotients}) {stated.symbols('Sizes.')}).",
        "Lemma The_tree_is_right : Sizes.check The_answer The_exponentials The_tree [] = true.",
        "Proof. vm_cast_no_check (eq_refl true). Qed.",
        f"Definition The_values {arrays} : list R := {' '.join(values)} l{len(proof.exponents)}.",
        *definite.values(),
        f"Theorem {stated.name} : forall f : system reals,\n  {goal}.",
        "Proof.",
        f"  intros [{' '.join(f'{name}_' for name in stated.parts)}]. cbn [{' '.join(stated.fixed)}].",
        f"  intros {' '.join(['->'] * len(conditions))}.",
        f"  assert (core : The_statement reals (System reals {own}));",
        f"    [ | intros {' '.join(f'h{k}' for k in range(len(premises)))}; exact (core {' '.join(shown)}) ].",
        f"  assert (he : Sizes.exponentials_hold (Sizes.entries_are (The_values {given})) The_exponentials).",
        "  { intros one i. repeat (destruct i as [<- | i]; [ vm_compute; reflexivity | ]). destruct i. }",
        "  refine (Sizes.check_R The_answer The_exponentials _ he _ _ The_tree [] _ The_tree_is_right); [ | intros f [] ].",
        "  intros facts h. refine (The_statement_R _ _ (Sizes.quotients_agree _ facts h The_exponentials he) _ _ _).",
        "  apply system_R_System_R; try (apply nat_R_refl).",
        *(f"  - apply Sizes.entry{len(shape)}_R; Sizes.every_place." for _, shape in stated.arrays),
        "Qed.",
    ]
    return Theorem(
        stated.name, stated.title, "\n".join(lines), stated.digest, {}, real, False, False, for_all=str(stated.size)
    )


def exponentials_text(exponents: Sequence[str], first: int) -> str:
    """The table of the exponentials as text of Coq, from the text of their exponents: variables after so many."""
    return "[" + "; ".join(f"({text}, {first + k + 1}%positive)" for k, text in enumerate(exponents)) + "]"
