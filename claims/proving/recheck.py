"""Decides a proof again: every system is written anew from the claim's own text, compared, and put to both solvers.

The search for the paths is not repeated and no solver is asked for them: the answers in the manifest must be the leaves of
a complete tree, and the formula, run along each of them, must end as the manifest says and leave the system in the file.
Which steps a proof for ever needs is written anew, too, from the rules that it names. Trees of boxes are decided again in
mpmath's intervals, on the boxes that the claim's own text and the box of the proof ask for.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from claims.proving.agreement import DisagreeingRunError, refuse_unnoticed
from claims.proving.attempts import PROVABLE, subject_of_proof
from claims.proving.box_check import CheckedTree, TreeError
from claims.proving.boxes import NoBoxError
from claims.proving.entries import FOLLOWED
from claims.proving.exploring import Leaf, NoProofError, PathEnd, Question, Shape, Size, follow_answers, is_complete
from claims.proving.files import ProofFileError, manifest_entries, read, said
from claims.proving.on_boxes import AboutBox
from claims.proving.proof import AboutStates, Part
from claims.proving.reasons import RENAMED, SUMS, Reason, check_sums, is_shown_by
from claims.proving.solver_process import SOLVERS
from claims.proving.solvers import Solver
from claims.proving.sum_check import SumError
from claims.proving.symbols import MOST_DEGREE, Condition, Cut, Run
from claims.targets.target import Target, TargetError, Variant
from claims.targets.user_claims import ClaimText, OwnFileError
from dynamics.strict_reading import read_json, read_text

# Of a sum in a file: a number, without an exponent, which would fill the memory; and the conditions in one product, of
# which the prover multiplies two, and some more where exponentials have to be cancelled.
RATIONAL = re.compile(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?")
MOST_MULTIPLIED = 8


class Finding(StrEnum):
    """What is found of a proof."""

    CONFIRMED = "CONFIRMED"
    BY_ONE = "CONFIRMED BY ONE"
    NOT_CONFIRMED = "NOT CONFIRMED"
    CANNOT_DECIDE = "CANNOT DECIDE"


@dataclass(frozen=True)
class Checked:
    """The finding on a folder, and why."""

    finding: Finding
    reason: str


class _NotConfirmedError(Exception):
    pass


def recheck(folder: Path, limit: float, run_source: bool = False) -> Checked:
    """The finding on a folder, with `limit` seconds for each solver and system.

    Raises ProofFileError where there is no proof to check, or the proof brings a claim's own text that is not to be run,
    and NoSolverError.
    """
    data = read(folder)
    if "source" in data["target"] and not run_source:
        raise ProofFileError(f"{folder} carries a claim's own text, which is code: read it, then say --run-source")
    try:
        target = Target.from_json(data["target"])
        if target.source is not None:  # what it may not name is refused before it is run, as for the prover
            ClaimText(target.source, target.file or "claim file").refuse_outside()
        variant = target.resolve()
        _check_kind(target, variant)
        size = Size.of(variant.claim.system, data["size"])
        kind = subject_of_proof(variant.conclusion.form, bool(data["outline"]) and variant.conclusion.form not in FOLLOWED)
        return _Check(folder, data, kind(variant, size, data["outline"]), limit).checked(target)
    except _NotConfirmedError as error:
        return Checked(Finding.NOT_CONFIRMED, str(error))
    except DisagreeingRunError as error:
        return Checked(Finding.NOT_CONFIRMED, f"symbols and rationals disagree: {error}")
    except (AttributeError, LookupError, TypeError, TargetError, NoProofError, NoBoxError, OwnFileError) as error:
        return Checked(Finding.NOT_CONFIRMED, f"what is said to be proved is not there: {error}")


def _check_kind(target: Target, variant: Variant) -> None:
    """Raise _NotConfirmedError for a text under another claim's name, and for a form that no proof is known of."""
    if variant.claim.id != target.claim:
        raise _NotConfirmedError(f"the target is {target.claim}, but its text is that of {variant.claim.id}")
    if variant.conclusion.form not in PROVABLE:
        raise _NotConfirmedError(f"no proof is known of a {variant.conclusion.form}")


@dataclass
class _Check:
    """A folder, what its proof is said to be about, and the seconds for each solver and system."""

    folder: Path
    data: dict[str, Any]
    subject: AboutStates
    limit: float

    def _trees(self, leaf: Leaf, stem: str) -> list[dict[str, Any]]:
        """The trees of boxes that decide a leaf. Raises _NotConfirmedError."""
        if not isinstance(self.subject, AboutBox):
            raise _NotConfirmedError(f"{stem}, the path {leaf.answers}, is decided on boxes, but no box is told")
        found = []
        for number, (problem, box) in enumerate(self.subject.problems(leaf)):
            name = f"{stem}-boxes-{number}.json"
            try:
                tree = read_json(_text(self.folder / name))["tree"]
                CheckedTree(problem.to_json(box)).check(tree)
            except (TreeError, ValueError, TypeError, LookupError) as error:
                raise _NotConfirmedError(f"{name} holds no tree that mpmath's intervals confirm: {error}") from None
            # The problem is that of the claim's text, whatever the file says: what differs is not of its path.
            found.append({"problem": problem.to_json(box), "tree": tree})
        return found

    def checked(self, target: Target) -> Checked:
        """The finding. Raises _NotConfirmedError, DisagreeingRunError and what the formulas raise."""
        if self.data["said"] != said(target):
            raise _NotConfirmedError("the claim says something else than what was proved")
        if target.to_json() != self.data["target"]:  # what is read over, as a constant of a claim without it, may mislead
            raise _NotConfirmedError("the target is not told as targets are")
        try:
            told, parts = self.subject.told, self.subject.parts
        except NoBoxError as error:  # its outline tells no box
            raise _NotConfirmedError(str(error)) from None
        if self.data["for_all"] != told:
            raise _NotConfirmedError(f"what is proved is of {told}, not {self.data['for_all']}")
        self._walk()
        with Solver("z3") as z3:
            agreed, points = self.subject.agreed(z3, time.monotonic() + self.limit)
            refuse_unnoticed(target, self.data["size"], points)
            if not self.subject.is_inhabited(z3, lambda: self.limit):
                return Checked(Finding.CANNOT_DECIDE, "no input is known that meets the hypotheses")
        ends = sum(len(part.leaves) for part in parts)
        steps = f"{len(parts)} steps, " if len(parts) > 1 else ""
        return _decided(parts, self.limit, f"{target}, {told}: {steps}{ends} ends of paths; {agreed}")

    def _walk(self) -> None:
        """Every path walked again. Raises _NotConfirmedError where the files say anything else."""
        questions = self.subject.questions()
        if [part["shows"] for part in self.data["parts"]] != [shows for shows, *_ in questions]:
            raise _NotConfirmedError("the parts are not what the proof needs: one is missing, or shows something else")
        for number, (shows, asked, shape) in enumerate(questions):
            paths = self.data["parts"][number]["paths"]
            if not is_complete([one["answers"] for one in paths]):
                raise _NotConfirmedError("the paths are not the leaves of a tree: one is missing, or is there twice")
            conditions: dict[str, Condition] = {}
            # The last first: a formula that kept something of those before would go another way.
            part = Part(shows, [_walked(asked, shape, one, conditions) for one in reversed(paths)][::-1])
            for k, (leaf, one) in enumerate(zip(part.leaves, paths, strict=True)):
                stem = f"part-{number:03d}-path-{k:06d}"
                if one.get("by") == "boxes":
                    part.trees[leaf.answers] = self._trees(leaf, stem)
                if one.get("by") == SUMS:
                    part.reasons[leaf.answers] = self._summed(leaf, f"{stem}-sums.json")
            # After all others: what another path shows must be shown there, and not by a renaming.
            for leaf, one in zip(part.leaves, paths, strict=True):
                if one.get("by") == RENAMED:
                    part.reasons[leaf.answers] = self._renamed(leaf, one, part, shape)
            # Text against text: what is checked above is what is written here, and no word besides.
            for k, (one, texts) in enumerate(manifest_entries(part, number)):
                if one != paths[k]:
                    raise _NotConfirmedError(
                        f"path {k} of part {number} ends otherwise, or leaves another system, than is told"
                    )
                for name, text in texts.items():
                    if _text(self.folder / name) != text:
                        raise _NotConfirmedError(f"{name} is not of its path")
            self.subject.parts.append(part)

    def _summed(self, leaf: Leaf, name: str) -> Reason:
        try:
            found = read_json(_text(self.folder / name))
            _check_form(found, len(leaf.names))
            check_sums(leaf.conditions, leaf.violations, found)
        except (SumError, ValueError, TypeError, LookupError, ArithmeticError, RecursionError) as error:
            raise _NotConfirmedError(f"{name} refutes nothing: {error}") from None
        return {"by": SUMS, SUMS: found}

    def _renamed(self, leaf: Leaf, one: dict[str, Any], part: Part, shape: Shape) -> Reason:
        told = one.get("renaming")
        bases = [other for other in part.leaves if other.answers == one.get("as") and other.open]
        kinds = {path["answers"]: path.get("by") for path in self.data["parts"][len(self.subject.parts)]["paths"]}
        if not bases or kinds[bases[0].answers] not in (SUMS, "solvers"):
            raise _NotConfirmedError(f"the path {leaf.answers} is said to be another that is not decided by itself")
        system, other = ((some.conditions, some.violations) for some in (leaf, bases[0]))
        if not is_shown_by(system, other, told, len(shape.names)):
            raise _NotConfirmedError(f"the path {leaf.answers} is not {one['as']} with its variables renamed")
        return {"by": RENAMED, "as": one["as"], "renaming": told}


def _check_form(told: Any, variables: int) -> None:
    """Raise ValueError, TypeError or LookupError for sums whose numbers are none, or would fill the memory."""
    for one in told:
        if not all(type(v) is int and 0 <= v < variables for _, v in one["fixed"]):
            raise ValueError("a variable that is put in is none")
        for factor, numbers, cofactor in one["sum"]:
            if len(numbers) > MOST_MULTIPLIED:
                raise ValueError("too many conditions are multiplied")
            if not all(isinstance(c, str) and RATIONAL.fullmatch(c) for c in (factor, *(c for c, _ in cofactor))):
                raise ValueError("a factor is no rational number")
            if any(len(powers) > variables or max(powers, default=0) > MOST_DEGREE for _, powers in cofactor):
                raise ValueError("a power is too large")


def _walked(variant: Question, size: Shape, one: dict[str, Any], asked: dict[str, Condition]) -> Leaf:
    cut = one["kind"] == PathEnd.CUT
    answers = one["answers"][:-1] if cut else one["answers"]
    ends: list[Leaf] = []

    def beyond(path: Run, condition: Condition, so_far: str) -> bool:
        if cut:
            letter = one["answers"][-1]
            added = condition if letter == "T" else path.otherwise(condition)
            ends.append(Leaf.cut(path, so_far + letter, added))
        raise Cut

    try:
        leaf = follow_answers(variant, size, answers, beyond, asked)
    except Cut:
        if not ends:
            raise _NotConfirmedError(f"the path {answers} goes on: a branch was never followed") from None
        return ends[0]
    if cut:
        raise _NotConfirmedError(f"the path {answers} ends before it is said to be cut")
    return leaf


def _text(path: Path) -> str:
    try:
        if not path.is_file():  # of a pipe the end may never come
            raise _NotConfirmedError(f"{path.name} is no file")
        return read_text(path)
    except (OSError, ValueError) as error:
        raise _NotConfirmedError(f"{path.name} cannot be read: {error}") from None


def _decided(proof: list[Part], limit: float, told: str) -> Checked:
    """All solvers on every system that no boxes, sum or renaming decides; those that come twice are asked once."""
    asked = [
        leaf for part in proof for leaf in part.leaves if leaf.open and not {leaf.answers} & {*part.trees, *part.reasons}
    ]
    parts = {leaf.systems[0]: leaf.parts for leaf in asked}
    words: dict[str, list[str]] = {}
    for name in SOLVERS:
        with Solver(name) as solver:
            words[name] = [_word(solver, text, some, limit) for text, some in parts.items()]
    on_trees = sum(len(found) for part in proof for found in part.trees.values())
    told += f"; {on_trees} trees of boxes" if on_trees else ""
    why = Counter(reason["by"] for part in proof for reason in part.reasons.values())
    told += "".join(f"; {why[kind]} {kind}" for kind in (SUMS, RENAMED) if why[kind])
    said_so = list(zip(*words.values(), strict=True))  # of each system
    # A contradiction is told first: that one of the solvers errs matters more than which.
    if any({"sat", "unsat"} <= {*answers} for answers in said_so):
        return Checked(Finding.NOT_CONFIRMED, "the solvers contradict each other")
    if any("sat" in answers for answers in said_so):
        return Checked(Finding.NOT_CONFIRMED, "a system has a solution")
    told += "".join(f"; {name} {answers.count('unsat')} of {len(parts)}" for name, answers in words.items())
    if any("unsat" not in answers for answers in said_so):
        return Checked(Finding.CANNOT_DECIDE, told)
    by_two = all(answers.count("unsat") > 1 for answers in said_so)
    return Checked(Finding.CONFIRMED if by_two else Finding.BY_ONE, told)


def _word(solver: Solver, text: str, parts: list[str], limit: float) -> str:
    word = solver.decide(text, limit).word
    if word != "unknown" or len(parts) < 2:
        return word
    answers = {solver.decide(part, limit).word for part in parts}
    return "sat" if "sat" in answers else "unsat" if answers == {"unsat"} else "unknown"
