"""What there is to say of certificates as theorems: stated or not and why, and what Coq's kernel makes of them."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from claims.certificates.provenance import write_whole
from claims.certificates.published import published
from claims.formal.compiling import LIBRARY, TOGETHER, check_theorems, library
from claims.formal.theorems import ERRORS, FORMS, NotStated, Theorem, theorem, why_not_recorded
from claims.proving.accepted import RECORD, accepted_digests, kernel_record


class TheoremStatus(StrEnum):
    """What became of a certificate."""

    PROVED = "PROVED IN COQ"
    STATED = "STATED"
    REJECTED = "NOT ACCEPTED BY COQ"
    NOT_STATED = "NOT STATED"


@dataclass(frozen=True)
class Told:
    """The answer about one certificate."""

    word: TheoremStatus
    reason: str = ""
    theorem: Theorem | None = None
    axioms: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The answer in words."""
        if self.theorem is None or self.word is TheoremStatus.REJECTED:
            return f"{self.word}: {self.reason}"
        if self.theorem.for_all:
            return f"{self.word} for all {self.theorem.for_all} (statement generated)"
        at = ", ".join(f"{axis} = {length}" for axis, length in self.theorem.pinned.items())
        return f"{self.word} (statement generated{f' for {at}' if at else ''})"


def stated(certificates: Mapping[str, Mapping[str, Any]]) -> dict[str, Told]:
    """Each certificate as a theorem, or why it is none."""
    found: dict[str, Told] = {}
    for name, data in certificates.items():
        try:
            found[name] = Told(TheoremStatus.STATED, theorem=theorem(data))
        except NotStated as error:
            found[name] = Told(TheoremStatus.NOT_STATED, str(error))
        except (ArithmeticError, *ERRORS) as error:
            found[name] = Told(TheoremStatus.NOT_STATED, why_not_recorded(error))
    return found


def put_to_coq(answers: Mapping[str, Told], folder: Path | None = None) -> dict[str, Told]:
    """The answers with the kernel's word on each theorem. Its files go to the folder, or to one that is deleted."""
    if folder is None:
        with tempfile.TemporaryDirectory() as name:
            return put_to_coq(answers, Path(name))
    theorems = {name: one.theorem for name, one in answers.items() if one.theorem is not None}
    found = dict(answers)
    for name, said in check_theorems(theorems, folder / "library", folder / "batches").items():
        word = TheoremStatus.PROVED if said.accepted else TheoremStatus.REJECTED
        found[name] = Told(word, said.reason, theorems[name], said.axioms)
    return found


def file_of(name: str) -> str:
    """The name of a certificate's file, without its ending."""
    return re.sub(r"\W", "_", name.removesuffix(".json"))


def write_library(answers: Mapping[str, Told], folder: Path) -> None:
    """Write the library, a file for each theorem, a Makefile and an index. Raises OSError."""
    (folder / "library").mkdir(parents=True, exist_ok=True)
    for name, text in library().items():
        write_whole(folder / "library" / f"{name}.v", text)
    rows = ["| certificate | answer | file |", "|---|---|---|"]
    for name, one in answers.items():
        if one.theorem is not None:
            write_whole(folder / f"{file_of(name)}.v", one.theorem.text)
        link = f"[{one.theorem.name}]({file_of(name)}.v)" if one.theorem else ""
        rows.append(f"| {name.removesuffix('.json')} | {one.text} | {link} |")
    write_whole(folder / "index.md", "\n".join(rows) + "\n")
    # Each file of the library may use those before it; coqchk checks the theorems again without Coq's elaboration.
    built = " ".join(f"library/{name}.vo" for name in LIBRARY)
    rules = "\n".join(
        f"library/{name}.vo: library/{name}.v {' '.join(f'library/{one}.vo' for one in LIBRARY[:k])}\n"
        f"\tcoqc -q -R library Formal $<"
        for k, name in enumerate(LIBRARY)
    )
    every = f"{' '.join(f'-norec Formal.{name}' for name in LIBRARY)} $(patsubst %.v,-norec %,$(wildcard *.v))"
    checked = f"checked: all\n\tcoqchk -o -R library Formal {every}\n\n"
    each = f"%.vo: %.v {built}\n\tcoqc -q -R library Formal $<\n\n{rules}\n"
    write_whole(folder / "Makefile", f"all: $(patsubst %.v,%.vo,$(wildcard *.v))\n\n{checked}{each}")


def theorem_digest(one: Theorem) -> str:
    """The digest of a theorem's file."""
    return f"sha256:{hashlib.sha256(one.text.encode()).hexdigest()}"


def from_record(answers: Mapping[str, Told]) -> dict[str, Told]:
    """The answers, proved where the record holds the digest of this very file."""
    # Of the file, not of the formula: the kernel's word is on a text, and a recorder that changes writes another.
    known = accepted_digests()
    return {
        name: Told(TheoremStatus.PROVED, theorem=one.theorem)
        if one.theorem and known.get(name) == theorem_digest(one.theorem)
        else one
        for name, one in answers.items()
    }


def answer_counts(answers: Mapping[str, Told]) -> list[str]:
    """A table of the answers by paper and kind of conclusion, and why the rest is not stated."""
    kept = {name: data for name, data in published().items() if data["conclusion"]["form"] in FORMS and name in answers}
    tally = Counter(
        (data["claim"]["paper"]["key"], data["conclusion"]["form"], answers[name].word is TheoremStatus.PROVED)
        for name, data in kept.items()
    )
    lines = [f"| paper | {' | '.join(FORMS)} | theorems |", f"|---|{'---|' * len(FORMS)}---|"]
    for paper in dict.fromkeys(key[0] for key in tally):
        cells = [(tally[paper, form, True], tally[paper, form, True] + tally[paper, form, False]) for form in FORMS]
        whole = tuple(map(sum, zip(*cells, strict=True)))
        lines.append(f"| *{paper}* | {' | '.join(f'{a} of {b}' if b else '' for a, b in (*cells, whole))} |")
    proved = [answers[name].theorem for name in kept if answers[name].word is TheoremStatus.PROVED]
    fixed = sum(bool(one and one.pinned) for one in proved)
    text = f"{len(proved) - fixed} of them state the claim for all lengths, {fixed} at the lengths of the instance."
    lines += ["", f"{len(proved)} of {len(kept)}; {text}"]
    reasons = Counter(short_reason(answers[name].reason) for name in kept if answers[name].word is not TheoremStatus.PROVED)
    lines += ["", "What the others lack:", "", "| certificates | what is missing |", "|---|---|"]
    lines += [f"| {number} | {reason} |" for reason, number in reasons.most_common()]
    return lines


def short_reason(reason: str) -> str:
    """A reason without the name of the hypothesis that it is about."""
    reason = re.sub(r" object at 0x\w+.*", "", reason)  # which is another one in every run
    return re.sub(r"^(the conclusion|\w+_\w+) ", "the formula ", reason)


def record_accepted(folder: Path) -> None:
    """Ask the kernel about published certificates whose theorem is not recorded, and write down what it accepts."""
    answers = stated(published())
    current = {name: theorem_digest(one.theorem) for name, one in answers.items() if one.theorem is not None}
    missing = [name for name in current if accepted_digests().get(name) != current[name]]
    # Files of one kind together: to load the library of enclosures takes longest, and rational theorems do not need it.
    missing.sort(key=lambda name: bool(answers[name].theorem and answers[name].theorem.enclosed))  # type: ignore[union-attr]
    # Once even if nothing is missing: what is recorded of theorems that are gone goes.
    for k in range(0, max(len(missing), 1), TOGETHER):
        said = put_to_coq({name: answers[name] for name in missing[k : k + TOGETHER]}, folder)
        accepted = {name: current[name] for name, one in said.items() if one.word is TheoremStatus.PROVED}
        known = kernel_record()["certificates"]
        kept = {name: one for name, one in known.items() if name not in answers or current.get(name) == one}
        write_record(certificates=kept | accepted)


def write_record(**parts: Mapping[str, Any]) -> None:
    """Write the record with some of its parts replaced."""
    write_whole(Path(str(RECORD)), json.dumps(kernel_record() | parts, indent=0, sort_keys=True) + "\n")
