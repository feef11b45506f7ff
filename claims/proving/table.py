"""What is proved for every real input: a table that is data of the package, and how it is read.

One entry for each conclusion that was tried, with every size at which it was. An entry is of the formulas that were proved:
where a claim's slack or hypotheses have changed since, it is no longer read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from claims.certificates.format import digest
from claims.certificates.tables import Entry, Table
from claims.proving.version import otherwise
from claims.stating.formulas import formula
from claims.targets.target import Target, TargetError
from dynamics.system import System

PROVED = "PROVED"

Key = tuple[str, str]


def _key(entry: Mapping[str, Any]) -> Key:
    return entry["claim"], entry["conclusion"]


PROOFS = Table("proved.json", "attention-claims table of proofs 1", "a table", _key)


@dataclass(frozen=True)
class Proved:
    """A conclusion that holds for all of something, how that was proved, and in how many seconds.

    `how` says where it was another prover than today's, or another solver.
    """

    conclusion: str
    for_all: str
    how: str
    seconds: float

    @property
    def text(self) -> str:
        """The verdict in words."""
        return f"{PROVED} for all {self.for_all}"


def proved_of(claim: str) -> list[Proved]:
    """What is proved of a claim of the suite, by its id: of today's formulas, one item for each conclusion and size."""
    found = []
    for entry in PROOFS.stored.values():
        if entry["claim"] == claim and is_current(entry):
            for one in (*entry["tried"], *entry.get("boxes", ())):
                if one["verdict"] == PROVED:
                    how = "; ".join(part for part in (one["how"], otherwise(one.get("prover"))) if part)
                    found.append(Proved(entry["conclusion"], one["for_all"], how, one["seconds"]))
    return found


def statement_digest(target: Target) -> str:
    """A digest of what is proved: relation, slack, hypotheses and model as they are written, with the models that they use.

    What all formulas share, their numbers, is left out. Raises TargetError.
    """
    variant = target.resolve()
    conclusion = variant.printed
    # Of the model all classes down to ours, which its velocity may call; what is said in words may change.
    kinds = [one for one in variant.claim.system.__mro__ if one.__module__ not in ("builtins", System.__module__)]
    return digest(
        {
            "system": [_text(kind) for kind in kinds],
            "form": conclusion.form.value,
            "relation": conclusion.relation.value,
            "slack": _text(conclusion.slack),
            "hypotheses": [[one.name, _text(one.satisfies)] for one in variant.kept],
        }
    ).removeprefix("sha256:")


# Hypotheses and models are shared by hundreds of conclusions.
@cache
def _text(function: Callable[..., Any]) -> list[str]:
    return formula(function, ("claims", "dynamics"))


def is_current(entry: Mapping[str, Any]) -> bool:
    """Whether today's claim is the one that was tried."""
    try:
        return statement_digest(Target(entry["claim"], entry["conclusion"])) == entry["text"]
    except TargetError:  # a claim that is no more, or has another conclusion
        return False


def current(table: Iterable[Entry]) -> dict[Key, Entry]:
    """The entries of today's claims."""
    return {_key(entry): entry for entry in table if is_current(entry)}
