"""What a sheet says: which statements stand, which do not and why, and what may interest the authors of a paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from claims.atlas.sheets.interest import OF_INTEREST
from claims.certificates.published import certificate_of, name_of
from claims.proving.accepted import theorems
from claims.proving.table import proved_of
from claims.stating.catalogue import catalogue
from claims.stating.defects import Defect, Kind
from claims.stating.derived import derivations
from claims.stating.statement import Claim, Origin, Paper, Standing
from dynamics.arithmetic import working_precision

BITS = 128
"""The precision of the numbers in the lines to be checked by hand, of which four decimals are shown."""

THEIRS = {Origin.PRINTED: "A", Origin.REPORTED: "B"}
"""Whose words the rows of each part are."""


class SheetError(ValueError):
    """Something that a sheet needs is missing; the message says what, and of which claim."""


@dataclass(frozen=True)
class Row:
    """One false sentence: the claims that state it, its defect, and the lines that refute it."""

    number: str
    claims: tuple[Claim, ...]
    defect: Defect
    lines: tuple[str, ...]
    correction: Claim | None
    known: str
    in_coq: bool
    proved: tuple[str, ...]

    @property
    def claim(self) -> Claim:
        """The claim that tells the defect."""
        return self.claims[0]

    @property
    def where(self) -> str:
        """The place in the text that the claims have in common."""
        parts = zip(*(claim.where.split(", ") for claim in self.claims), strict=False)
        # From the left: a place goes from the theorem to the line, and only what all share is true of the row.
        common = [part[0] for part in takewhile(lambda part: len(set(part)) == 1, parts)]
        return ", ".join(common) or self.claim.where


@dataclass(frozen=True)
class Sheet:
    """The sheet of a paper: rows by part, the gravest first."""

    paper: Paper
    parts: Mapping[str, tuple[Row, ...]]
    standing: Mapping[Origin, Mapping[Standing, int]]
    proved: int
    stands: tuple[str, ...]
    interest: tuple[tuple[Claim, str], ...]


def sheet_of(paper: Paper, claims: Iterable[Claim] | None = None) -> Sheet:
    """The sheet of a paper of the suite. Raises SheetError where a false statement says too little."""
    own = [claim for claim in (catalogue().values() if claims is None else claims) if claim.paper.key == paper.key]
    theirs = [claim for claim in own if claim.origin in THEIRS]
    parts = {part: tuple(_rows(part, origin, own)) for origin, part in THEIRS.items()}
    counts = {
        origin: {one: sum((claim.origin, claim.standing) == (origin, one) for claim in theirs) for one in Standing}
        for origin in THEIRS
    }
    true = [claim for claim in theirs if claim.standing is Standing.TRUE]
    places = (place for claim in true for place in claim.where.split("; "))
    # A line may stand in a proof that does not: to name the proof would say more than was decided.
    stands = tuple(dict.fromkeys(place for place in places if place and not place.startswith("proof")))
    interest = [(catalogue()[name], told) for name, told in OF_INTEREST.items() if name.startswith(f"{paper.key}.")]
    # A better value of a constant that is only in our slack would tell the authors nothing: `says` is empty there.
    better = [
        one for claim in own if claim.standing is Standing.TRUE for one in derivations().values() if one.key[0] == claim.id
    ]
    interest += [(catalogue()[one.key[0]], one.says) for one in better if one.says]
    return Sheet(paper, parts, counts, sum(bool(proved_of(claim.id)) for claim in true), stands, tuple(interest))


def _rows(part: str, origin: Origin, own: list[Claim]) -> Iterator[Row]:
    """The rows of a part, by severity, then in the order of the paper."""
    told: dict[str, list[Claim]] = {}
    for claim in own:
        if claim.standing is not Standing.FALSE or claim.origin is not origin:
            continue
        if claim.defect is None:
            raise SheetError(f"{claim.id} is false and does not say what is wrong: write defect=Defect(...)")
        # A claim that only names another one shares its row. It may come first in the paper: who tells goes in front.
        if isinstance(claim.defect, str):
            told.setdefault(claim.defect, []).append(claim)
        else:
            told.setdefault(claim.id, []).insert(0, claim)
    defects: list[tuple[Defect, list[Claim]]] = []
    for together in told.values():
        first = together[0]
        if not isinstance(first.defect, Defect):
            raise SheetError(f"{first.id} points to the defect of {first.defect}, which has none of the same origin")
        defects.append((first.defect, together))
    # Sorting is stable: rows as grave as each other stay in the order of the paper.
    defects.sort(key=lambda one: list(Kind).index(one[0].kind))
    for number, (defect, together) in enumerate(defects, 1):
        claim = together[0]
        certificates = {name: found for one in together if (found := certificate_of(name := name_of(one.id, ())))}
        yield Row(
            f"{part}{number}",
            tuple(together),
            defect,
            lines_of(claim),
            catalogue().get(claim.corrected_by or ""),
            " and ".join(sorted({found["violation"]["known"] for found in certificates.values()})),
            bool(theorems() & certificates.keys()),
            tuple(dict.fromkeys(one.for_all for one in proved_of(claim.corrected_by or ""))),
        )


def lines_of(claim: Claim) -> tuple[str, ...]:
    """The lines that refute a claim by hand, its numbers evaluated. Raises SheetError where it has none."""
    if claim.hand is None:
        raise SheetError(f"{claim.id} cannot be checked by hand: write @claim.by_hand(...)")
    instance: Any = claim.system.instance(**claim.hand.instance) if claim.hand.instance else None
    # The precision is flint's own, and global: lines must not depend on what was decided before.
    with working_precision(BITS):
        return tuple(claim.hand.lines(instance))
