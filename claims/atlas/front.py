"""The front page: a summary, every claim by paper, and what the search of the page looks through."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from claims.atlas.drawing import Drawn
from claims.atlas.evidence import Evidence
from claims.atlas.places import address, folder, place_of, theorem_page
from claims.catalogue import explanation, precedence
from claims.defects import Kind
from claims.plain_text import visible
from claims.sheets.sheet import Sheet
from claims.statement import Claim, Origin, Paper, Standing

GRAVEST = 2  # false statements of each paper that the summary names: it is to stand on one screen
FEW = 60  # so many claims are shown unfolded: of a chosen few one wants to see the list, not to search it


@dataclass(frozen=True)
class Listed:
    """A claim as the front page lists it; `search` is what its search knows of it, as plain data."""

    claim: Claim
    href: str
    words: str
    search: dict[str, Any]


def row_of_statement(
    claim: Claim, evidence: Evidence, pictures: Sequence[Drawn], words: str, erratum: str, typeset: Callable[[str], str]
) -> Listed:
    """A row. `words` tell of an empirical claim's comparisons, `erratum` is where its row of a sheet is."""
    shown = [picture.note for picture in pictures if not picture.dropped]
    proved = (one.text for one in evidence.proved)
    texts = (claim.id, *claim.refs, claim.where, claim.statement, claim.note, *shown, *proved)
    known = {
        "paper": visible(claim.paper.key),
        "section": visible(f"{claim.paper.key}: {place_of(claim.where).section}"),
        "standing": claim.standing_word,
        "origin": claim.origin.value,
        "where": visible(claim.where.lower()),
        "form": list(dict.fromkeys(one.form.value for one in claim.conclusions)),
        "how-decided": evidence.decided_by,
        "proved-sizes": evidence.proved_sizes,
        # Apart from what the statement says of itself: words that only its explanation has find it last.
        "search": visible(" ".join(texts).lower()),
        "explanation": visible(" ".join(explanation(claim).lower().split())),
        "statement": typeset(claim.statement),
        "note": typeset(claim.note) if claim.standing is Standing.FALSE else "",
        "erratum": erratum,
        "pictures": len(pictures),
        "hand": claim.hand is not None,
        "severity": precedence(claim)[-1],
    }
    return Listed(claim, address(claim), words, known)


def search_data(rows: Iterable[Listed]) -> str:
    """What the search knows, as a script: a page on disk may load scripts, and no JSON."""
    text = json.dumps({visible(row.claim.id): row.search for row in rows}, ensure_ascii=False, separators=(",", ":"))
    return f'"use strict";\nconst SEARCH = {text};\n'


def filters_of(rows: Sequence[Listed]) -> dict[str, list[str]]:
    """What can be chosen of each property that the search knows."""
    found = {name: set[str]() for name in ("origin", "form", "how-decided", "proved-sizes")}
    for row in rows:
        for name, values in found.items():
            values.update([row.search[name]] if isinstance(row.search[name], str) else row.search[name])
    return {name: sorted(values) for name, values in found.items()}


def counts_of(papers: Iterable[Paper], claims: Sequence[Claim]) -> list[dict[str, Any]]:
    """For each paper its claims by standing and by origin, and how many of the printed ones are false."""
    found = []
    for paper in papers:
        own = [claim for claim in claims if claim.paper.key == paper.key]
        false = [claim for claim in own if claim.standing is Standing.FALSE]
        found.append(
            {
                "paper": paper,
                "all": len(own),
                "standing": Counter(claim.standing_word for claim in own),
                "printed": sum(claim.origin is Origin.PRINTED for claim in own),
                "false": len(false),
                "false_printed": sum(claim.origin is Origin.PRINTED for claim in false),
            }
        )
    return found


def gravest(papers: Iterable[Paper], sheets: dict[str, Sheet], present: Iterable[str]) -> list[dict[str, str]]:
    """The gravest of each paper's own false words that have a page here: where it is printed, its kind, and the address."""
    pages, found = set(present), []
    for paper in papers:
        rows = [row for part in sheets[paper.key].parts.values() for row in part] if paper.key in sheets else []
        rows = [row for row in rows if row.claim.id in pages]
        # A false theorem first; then what is printed before what is known at second hand.
        for row in sorted(rows, key=lambda row: row.defect.kind is not Kind.THEOREM)[:GRAVEST]:
            statement = place_of(row.claim.where).statement
            href = theorem_page(paper, statement) if statement else address(row.claim)
            # Without the label of its source: who looks at the front page reads the paper, not its LaTeX.
            where = re.sub(r" \((?:thm|lem|prop)[^)]*\)", "", row.where)
            found.append({"paper": paper.key, "where": where, "kind": row.defect.kind.value, "href": href})
    return found


def errata_of(papers: Iterable[Paper], sheets: dict[str, Sheet]) -> dict[str, str]:
    """Where on its paper's page the row of a claim in the sheet for the authors is, by the claim's id."""
    return {
        claim.id: f"{folder(paper)}/index.html#{row.number}"
        for paper in papers
        if paper.key in sheets
        for part in sheets[paper.key].parts.values()
        for row in part
        for claim in row.claims
    }
