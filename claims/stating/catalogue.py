"""Finds the suite's claims, in the order of each paper's table of contents."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

from claims.stating.defects import Defect, Kind
from claims.stating.patterns import UnmatchedError, matched
from claims.stating.statement import PAPERS, Claim, Origin, Standing

PLACE = re.compile(
    r"\b(?:theorem|lemma|corollary|proposition|remark|equation|figure|property) [A-Z]?\.?\d[\d.]*\b(?:\([a-z]\))?",
    re.IGNORECASE,
)
"""What a question such as "what is wrong with Theorem 5.4?" asks of."""


class UnknownClaimError(LookupError):
    """No claim matches a pattern; the message suggests the nearest."""


@cache
def catalogue() -> dict[str, Claim]:
    """Every claim of the suite by id: paper by paper, in the order of the paper."""
    found: dict[str, Claim] = {}
    for paper in PAPERS:
        for name in importlib.import_module(f"claims.{paper}").CONTENTS:
            found |= {claim.id: claim for claim in claims_of(importlib.import_module(f"claims.{paper}.{name}")).values()}
    # After all papers are read: a correction may stand in another module, or another paper.
    for claim in found.values():
        if claim.corrected_by and claim.corrected_by not in found:
            raise LookupError(f"{claim.id} is corrected by {claim.corrected_by}, which does not exist")
    return found


def claims_of(module: ModuleType) -> dict[str, Claim]:
    """The claims that a module makes, by the names of its variables, in the order of its text."""
    own: dict[str, Claim] = {}
    for name, one in vars(module).items():
        # By its home, as modules import claims of others; and once, under the first of its names.
        if isinstance(one, Claim) and one.module == module.__name__ and one not in own.values():
            own[name] = one
    return own


def ids() -> Iterator[str]:
    """The ids of the suite's claims, read off the texts of their modules, none of which is loaded."""
    for paper in PAPERS:
        package = importlib.import_module(f"claims.{paper}")
        for name in package.CONTENTS:
            text = Path(str(package.__file__)).with_name(f"{name}.py").read_text(encoding="utf-8")
            # Texts and not modules: completing a name in a shell must not load NumPy.
            yield from (f"{paper}.{one}" for one in re.findall(r"^(\w+) = section\.claim\(", text, re.MULTILINE) or [name])


def claims_by_id(own: Sequence[Claim] = ()) -> dict[str, Claim]:
    """The suite's claims and a user's own, by id. Raises UnknownClaimError if two of them share an id."""
    found = dict(catalogue())
    for claim in own:
        if claim.id in found:
            raise UnknownClaimError(f"two claims have the id {claim.id}: rename {claim.file or claim.module}")
        found[claim.id] = claim
    return found


def matching(patterns: Sequence[str], own: Sequence[Claim] = (), everywhere: bool = False) -> list[Claim]:
    """The claims whose id, paper, or reference in the papers' files matches one of the patterns.

    A pattern is an id, a label, a paper, a shell glob, a plain word that must be a part of the id, or the number of a
    theorem, "Theorem 5.4" or "3.2(b)", also within a question, which is looked for in `where` and then in the words; with
    `everywhere` plain words are, too. For no pattern: a user's own claims where there are any, else all. Raises
    UnknownClaimError for a pattern that matches nothing.
    """
    claims = claims_by_id(own)
    if own and not patterns:
        return list(own)
    labels = {name: claim.refs for name, claim in claims.items()}
    chosen: set[str] = set()
    for pattern in patterns or ("*",):
        searched = everywhere or any(character.isdigit() or character.isspace() for character in pattern)
        # Places first: of "Theorem 5.4" the claims that stand there are meant, and not all that mention it.
        texts = (lambda name: claims[name].where, lambda name: _words(claims[name])) if searched else ()
        try:
            chosen.update(matched([pattern], labels, texts))
        except UnmatchedError as error:
            # Of a question the theorem that it names is asked for, once nothing else of its words was found.
            if (place := PLACE.search(pattern)) and place[0] != pattern:
                chosen.update(claim.id for claim in matching([place[0]], own))
                continue
            hint = f": did you mean {error.near}?" if error.near else "; `claims list` shows them"
            raise UnknownClaimError(f"no claim matches {error.pattern!r}{hint}") from None
    return [claim for name, claim in claims.items() if name in chosen]


def defect_of(claim: Claim) -> Defect | None:
    """What its authors are told of a false statement, by its own claim or by the one that tells it."""
    return catalogue()[claim.defect].defect if isinstance(claim.defect, str) else claim.defect  # type: ignore[return-value]


def kind_of(claim: Claim) -> Kind | None:
    """What kind of error a false statement is; None for others, and where nothing is said of it."""
    if claim.standing is not Standing.FALSE:
        return None
    defect = defect_of(claim)
    of_itself = {Origin.CARRIED_OVER: Kind.NOT_CARRIED_OVER, Origin.OURS: Kind.QUESTION}
    return of_itself.get(claim.origin) if defect is None else defect.kind


def precedence(claim: Claim) -> tuple[bool, int, bool, int]:
    """Where a claim stands among those about one statement: false words of the paper itself first, the gravest first.

    Then what is printed, reported, carried over and ours, each with what is false first.
    """
    # False sorts before True: what is false in the paper's own words comes first.
    is_true, origin = claim.standing is not Standing.FALSE, list(Origin).index(claim.origin)
    kind = kind_of(claim)
    # What has no kind comes after the mildest.
    severity = len(Kind) if kind is None else list(Kind).index(kind)
    return is_true or claim.origin not in (Origin.PRINTED, Origin.REPORTED), origin, is_true, severity


def explanation(claim: Claim) -> str:
    """What the claim's module says of it: why it holds, or what is wrong and where.

    A paragraph that begins with the name of a statement, "`name`: ...", is about that one, like those that follow up to the
    next such; those before the first are about all.
    """
    text = inspect.cleandoc(getattr(sys.modules.get(claim.module), "__doc__", None) or "").strip()
    about, chosen = "", []
    for paragraph in text.split("\n\n"):
        begins = re.match(r"`(\w+)`: ", paragraph)
        about = begins[1] if begins else about
        if about in ("", claim.name):
            chosen.append(paragraph.removeprefix(f"`{about}`: "))
    return "\n\n".join(chosen)


def _words(claim: Claim) -> str:
    """What a claim says: statement, note, explanation and conclusions."""
    return "\n".join([claim.statement, claim.note, explanation(claim), *(one.meaning for one in claim.conclusions)])
