"""What is proved for every real input: a table that is data of the package, and how it is read.

One entry for each conclusion that was tried, with every size at which it was. An entry is of the formulas that were proved:
where a claim's slack or hypotheses have changed since, it is no longer read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from claims.certificates.current import is_current
from claims.certificates.tables import Entry, Table
from claims.proving.version import otherwise

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


def current(table: Iterable[Entry]) -> dict[Key, Entry]:
    """The entries of today's claims."""
    return {_key(entry): entry for entry in table if is_current(entry)}
