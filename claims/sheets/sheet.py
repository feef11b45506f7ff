"""What a sheet says: which statements stand, which do not and why, and what may interest the authors of a paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from claims.catalogue import catalogue
from claims.certificates.published import certificate_of, name_of
from claims.defects import Defect, Kind
from claims.formal.accepted import theorems
from claims.proving.table import proved_of
from claims.sharpening.derived import derivations
from claims.sheets.interest import OF_INTEREST
from claims.statement import Claim, Origin, Paper, Standing
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
        origin: {
            standing: sum(claim.origin is origin and claim.standing is standing for claim in theirs)
            for standing in Standing
        }
        for origin in THEIRS
    }
    true = [claim for claim in theirs if claim.standing is Standing.TRUE]
    places = (place for claim in true for place in claim.where.split("; "))
    # A line may stand in a proof that does not.
    stands = tuple(dict.fromkeys(place for place in places if place and not place.startswith("proof")))
    interest = tuple((catalogue()[name], told) for name, told in OF_INTEREST.get(paper.key, ()))
    interest += tuple(_better_constants(claim for claim in own if claim.standing is Standing.TRUE))
    return Sheet(paper, parts, counts, sum(bool(proved_of(claim.id)) for claim in true), stands, interest)


def _rows(part: str, origin: Origin, own: list[Claim]) -> Iterable[Row]:
    """The rows of a part, by severity, then in the order of the paper."""
    false = [claim for claim in own if claim.standing is Standing.FALSE and claim.origin is origin]
    told: dict[str, list[Claim]] = {}
    for claim in false:
        if claim.defect is None:
            raise SheetError(f"{claim.id} is false and does not say what is wrong: write defect=Defect(...)")
        name = claim.defect if isinstance(claim.defect, str) else claim.id
        if not isinstance(claim.defect, str):
            told.setdefault(name, []).insert(0, claim)
        else:
            told.setdefault(name, []).append(claim)
    ordered = sorted(told.values(), key=lambda together: _severity(together[0]))
    for number, together in enumerate(ordered, 1):
        yield _row(f"{part}{number}", together)


def _severity(claim: Claim) -> int:
    if not isinstance(claim.defect, Defect):
        raise SheetError(f"{claim.id} points to the defect of {claim.defect}, which has none of the same origin")
    return list(Kind).index(claim.defect.kind)


def _row(number: str, together: list[Claim]) -> Row:
    claim = together[0]
    assert isinstance(claim.defect, Defect)
    certificates = {name: found for one in together if (found := certificate_of(name := name_of(one.id, ()))) is not None}
    known = sorted({found["violation"]["known"] for found in certificates.values()})
    proved = proved_of(claim.corrected_by) if claim.corrected_by else []
    return Row(
        number,
        tuple(together),
        claim.defect,
        lines_of(claim),
        catalogue().get(claim.corrected_by or ""),
        " and ".join(known),
        bool(theorems() & certificates.keys()),
        tuple(dict.fromkeys(one.for_all for one in proved)),
    )


def lines_of(claim: Claim) -> tuple[str, ...]:
    """The lines that refute a claim by hand, its numbers evaluated. Raises SheetError where it has none."""
    if claim.hand is None:
        raise SheetError(f"{claim.id} cannot be checked by hand: write @claim.by_hand(...)")
    instance: Any = claim.system.instance(**claim.hand.instance) if claim.hand.instance else None
    with working_precision(BITS):
        return tuple(claim.hand.lines(instance))


def _better_constants(claims: Iterable[Claim]) -> list[tuple[Claim, str]]:
    """Of statements that stand: for which constants of the paper's own a better value is derived."""
    found = [(claim, one) for claim in claims for one in derivations().values() if one.key[0] == claim.id]
    return [(claim, one.says) for claim, one in found if one.says]
