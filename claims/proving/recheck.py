"""Decides a proof again: every system is written anew from the claim's own text, compared, and put to both solvers.

The search for the paths is not repeated and no solver is asked for them: the answers in the manifest must be the leaves of
a complete tree, and the formula, run along each of them, must end as the manifest says and leave the system in the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from claims.proving.agreement import DisagreeingRunError, cross_check
from claims.proving.exploring import Kind, Leaf, NoProofError, Size, follow, is_complete
from claims.proving.files import ProofFileError, entry, read, said
from claims.proving.proof import is_inhabited
from claims.proving.solvers import Solver
from claims.proving.symbols import Condition, Cut
from claims.proving.symbols import Path as Run
from claims.target import Target, TargetError, Variant
from claims.user_claims import OwnFileError
from dynamics.strict_reading import read_text


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
        variant = target.resolve()
        size = Size.of(variant.claim.system, data["size"])
        _compare_statement(data, target, size)
        leaves = _leaves(folder, data, variant, size)
        agreed = cross_check(variant, size, {leaf.answers: leaf.kind for leaf in leaves})
        return _decided(
            variant, size, leaves, limit, f"{data['for_all']}: {len(leaves)} ends of paths; {agreed} instances agree"
        )
    except _NotConfirmedError as error:
        return Checked(Finding.NOT_CONFIRMED, str(error))
    except DisagreeingRunError as error:
        return Checked(Finding.NOT_CONFIRMED, f"symbols and rationals disagree: {error}")
    except (KeyError, TypeError, AttributeError, TargetError, NoProofError, OwnFileError) as error:
        return Checked(Finding.NOT_CONFIRMED, f"what is said to be proved is not there: {error}")


def _compare_statement(data: dict[str, Any], target: Target, size: Size) -> None:
    if data["said"] != said(target):
        raise _NotConfirmedError("the claim says something else than what was proved")
    if data["for_all"] != str(size):
        raise _NotConfirmedError(f"the size is {size}, not {data['for_all']}")
    if target.to_json() != data["target"]:
        raise _NotConfirmedError("the target is not told as targets are")


def _leaves(folder: Path, data: dict[str, Any], variant: Variant, size: Size) -> list[Leaf]:
    """Every path walked again. Raises _NotConfirmedError where the files say anything else."""
    if not is_complete([one["answers"] for one in data["paths"]]):
        raise _NotConfirmedError("the paths are not the leaves of a tree: one is missing, or is there twice")
    leaves = []
    for number, one in enumerate(data["paths"]):
        leaf = _walked(variant, size, one)
        if entry(leaf, number) != one:
            raise _NotConfirmedError(f"path {number} ends otherwise, or leaves another system, than is told")
        if leaf.open and _text(folder / one["file"]) != leaf.systems[0]:
            raise _NotConfirmedError(f"{one['file']} is not the system of its path")
        leaves.append(leaf)
    return leaves


def _walked(variant: Variant, size: Size, one: dict[str, Any]) -> Leaf:
    cut = one["kind"] == Kind.CUT
    answers = one["answers"][:-1] if cut else one["answers"]
    ends: list[Leaf] = []

    def beyond(path: Run, condition: Condition, so_far: str) -> bool:
        if cut:
            letter = one["answers"][-1]
            added = condition if letter == "T" else path.otherwise(condition)
            ends.append(Leaf.cut(path, so_far + letter, added))
        raise Cut

    try:
        leaf = follow(variant, size, answers, beyond)
    except Cut:
        if not ends:
            raise _NotConfirmedError(f"the path {answers} goes on: a branch was never followed") from None
        return ends[0]
    if cut:
        raise _NotConfirmedError(f"the path {answers} ends before it is said to be cut")
    return leaf


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except (OSError, ValueError) as error:
        raise _NotConfirmedError(f"{path.name} cannot be read: {error}") from None


def _decided(variant: Variant, size: Size, leaves: list[Leaf], limit: float, told: str) -> Checked:
    """Both solvers on every system; those that come twice are asked once."""
    texts = list(dict.fromkeys(text for leaf in leaves for text in leaf.systems))
    parts = {leaf.systems[0]: leaf.parts for leaf in leaves if leaf.open}
    words: dict[str, dict[str, str]] = {}
    with Solver("z3") as z3:
        if not is_inhabited(variant, size, leaves, z3, lambda: limit):
            return Checked(Finding.CANNOT_DECIDE, "no input is known that meets the hypotheses")
    for name in ("z3", "cvc5"):
        with Solver(name) as solver:
            words[name] = {text: _word(solver, text, parts[text], limit) for text in texts}
    said_so = [{words[name][text] for name in words} for text in texts]
    if any(answers == {"sat", "unsat"} for answers in said_so):
        return Checked(Finding.NOT_CONFIRMED, "the solvers contradict each other")
    if any("sat" in answers for answers in said_so):
        return Checked(Finding.NOT_CONFIRMED, "a system has a solution")
    counts = "; ".join(
        f"{name} {sum(word == 'unsat' for word in answers.values())} of {len(texts)}" for name, answers in words.items()
    )
    if any("unsat" not in answers for answers in said_so):
        return Checked(Finding.CANNOT_DECIDE, f"{told}; {counts}")
    both = all(answers == {"unsat"} for answers in said_so)
    return Checked(Finding.CONFIRMED if both else Finding.BY_ONE, f"{told}; {counts}")


def _word(solver: Solver, text: str, parts: list[str], limit: float) -> str:
    word = solver.decide(text, limit).word
    if word != "unknown" or len(parts) < 2:
        return word
    answers = {solver.decide(part, limit).word for part in parts}
    return "sat" if "sat" in answers else "unsat" if answers == {"unsat"} else "unknown"
