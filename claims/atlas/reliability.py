"""How a verdict can be wrong: what each kind rests on, how that was attacked, and what was found. Its figures are data.

What the tests attack with is counted in their own tables (`python -m tests.attacks`, in a checkout); what an audit measured
on a day is kept apart from that.
`python -m claims.atlas.reliability docs/commands.md` writes them into the documentation, too.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from claims.atlas.checked import CONFIRMED, recorded_answers
from claims.atlas.recorded import run_in_numbers
from claims.certificates.marked_tables import markdown, with_tables
from claims.certificates.provenance import write_whole
from claims.certificates.published import EVIDENCE, published
from claims.proving.accepted import sizes, theorems
from claims.proving.table import proved_of
from claims.stating.catalogue import catalogue

NAME = "attacks.json"

# What must be right for each word of a verdict to be right: who trusts one of these less, trusts the word less.
RESTS_ON = (
    ("exact", "rationals, and that the formula in the module says what the paper says"),
    ("certified", "also ball arithmetic (flint) and, along a trajectory, dynamics/trusted and its written derivation"),
    ("to 60 digits", "also ball arithmetic, at 60 digits: an identity that failed by less would not be seen"),
    ("for ever", "also the lemma that is named, and that its hypotheses were decided at the state"),
    ("statistical", "also the random numbers; all tests of a run together err with a probability below 1e-12"),
    ("numerical", "float64: evidence only, and never a violation"),
    ("CONFIRMED", "mpmath, Python and the formula of the slack: flint and the code that decided cannot be imported there"),
    ("proved", "a solver (Z3 or cvc5) or exact algebra, and the translation of the formula into its language"),
    ("PROVED IN COQ", "Coq's kernel, and that the theorem it was given says what the claim says"),
    ("survived N", "nothing but the N instances: it is never called proved"),
)

# Where bugs are planted, in words: a room whose tests plant none is not here, and the page claims nothing of it.
ROOMS = {
    "dynamics.trusted": "the code that certified trajectories rest on",
    "dynamics.checker": "the dynamics that the checker states again",
    "claims.checker": "the rest of the checker",
    "dynamics.enclosures": "what proposes and reads enclosures",
    "dynamics.limits": "limits of flows",
    "dynamics.orbits": "limits of steps",
    "dynamics.escapes": "escape times",
    "claims.verifying": "what decides and counts verdicts",
    "claims.proving": "proofs",
    "claims.hunting": "hunts",
    "claims.certificates": "the necessity map",
    "claims.sharpening": "brackets of constants",
    "claims.cli": "commands and their codes",
    "claims.formal": "theorems for Coq",
    "dynamics": "numbers, choices and hulls",
    "claims.targets": "what refuses files of one's own",
    "claims.stating": "experiments",
    "claims.testing": "property tests",
    "dynamics.tokens": "models of tokens",
    "dynamics.transformers": "trained models and their measures",
}

# "At least": tests are added more often than the record of how many there are.
ATTACKS = (
    "Planted falsehoods that verification must refute, one for each conclusion and more: at least {falsehoods}.",
    (
        "Changes of one sign, number or term of a statement that `claims mutate` plants: at least {mutants}, of them "
        "{equivalent_mutants} with a proof that the changed statement is true as well."
    ),
    (
        "Claim files that cheat a proof: at least {cheating_claims}; proof files that are edited to be confirmed: at least "
        "{forged_proofs}; claim files with a mistake that must be named: at least {mistakes}."
    ),
    "Kinds of text, put into every field of a certificate, that try to pass for a finding: {hostile_texts}.",
)


@dataclass(frozen=True)
class Figures:
    """All figures of the page: of the evidence, and what the tests attack with; `bugs` by what they are planted in."""

    certificates: int
    confirmed: int
    in_coq: int
    sizes_in_coq: int
    known: dict[str, int]
    proved: int
    claims: int
    run: dict[str, int]
    bugs: tuple[tuple[str, int], ...]
    attacks: dict[str, int]
    audits: tuple[dict[str, Any], ...]


@cache
def figures() -> Figures:
    """The figures, from the data of the package."""
    attacks = json.loads((EVIDENCE / NAME).read_text(encoding="utf-8"))
    counted = attacks["counted"]
    stored = published()
    return Figures(
        certificates=len(stored),
        confirmed=sum(name in stored and one["verdict"] == CONFIRMED for name, one in recorded_answers().items()),
        in_coq=len(theorems()),
        sizes_in_coq=len(sizes()),
        known=dict(Counter(one["violation"]["known"] for one in stored.values()).most_common()),
        proved=sum(bool(proved_of(name)) for name in catalogue()),
        claims=len(catalogue()),
        run=run_in_numbers(),
        bugs=tuple((ROOMS[room], counted["planted"][room]) for room in ROOMS),
        attacks={name: number for name, number in counted.items() if name != "planted"},
        audits=tuple(attacks["audits"]),
    )


def sentences_of(found: Figures) -> list[str]:
    """What the figures say, a sentence for each."""
    planted = sum(number for _, number in found.bugs)
    known = " and ".join(f"{number} {how}" for how, number in found.known.items())
    decided = ", ".join(f"{found.run[how]} {how}" for how in ("exact", "certified"))
    by_room = ", ".join(f"{number} in {name}" for name, number in sorted(found.bugs, key=lambda one: -one[1]))
    return [
        f"Published certificates: {found.certificates} ({known}), of them recorded as {CONFIRMED}: {found.confirmed}.",
        f"Of them stated as theorems that Coq's kernel accepted: {found.in_coq}.",
        f"Verdicts of the recorded run: {found.run['instances']} ({decided}, {found.run['undecided']} UNDECIDED).",
        f"Of {found.proved} of {found.claims} claims something is proved for all real inputs of a size.",
        f"Of these proofs accepted by Coq's kernel as theorems, too: {found.sizes_in_coq}.",
        f"Bugs that are planted in the code and that the tests must notice: at least {planted}, {by_room}.",
        *(told.format(**found.attacks) for told in ATTACKS),
    ]


COMMAND = "python -m claims.atlas.reliability docs/commands.md"


def as_tables() -> dict[str, str]:
    """What the documentation shows, by the names of its tables."""
    found = figures()
    parts = ("day", "tried", "missed", "left", "note")
    audits = ([one["what"], *(str(one[part]) for part in parts)] for one in found.audits)
    return {
        "what a verdict rests on": markdown(("verdict", "rests on"), RESTS_ON),
        "attacks": "".join(f"- {one}\n" for one in sentences_of(found)),
        "audits": markdown(("audit", "recorded", "tried", "missed at first", "missed now", "of these"), audits),
    }


def main() -> None:
    """Write the tables into the page that is the argument."""
    page = Path(sys.argv[1])
    write_whole(page, with_tables(page.name, page.read_text(encoding="utf-8"), as_tables(), COMMAND))


if __name__ == "__main__":
    main()
