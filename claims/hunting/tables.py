"""Writes the documentation's tables of refuted statements from the claims and their published certificates.

Each stands between two marks on its page; `python -m claims.hunting.gallery --tables` writes them anew.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from pathlib import Path
from typing import Any

from claims.catalogue import catalogue
from claims.certificates.format import exact_number
from claims.certificates.provenance import write_whole
from claims.certificates.published import certificate_of, name_of, published
from claims.marked_tables import markdown, with_tables
from claims.plain_text import sentences
from claims.statement import PAPERS, Claim, Form, Origin, Standing

COMMAND = "python -m claims.hunting.gallery --tables"

MOST_ROWS = 6
"""Lists longer than this are shown by their first three entries and the last."""

LONGEST_SLACK = 24
"""Characters of an exact slack; a longer one is rounded."""

DIGITS = 6

UNSAID = {
    "clusters": ("B", "V", "A", "t"),
    "frank_wolfe": ("selection", "t"),
    "localmax": ("selection", "rule", "t"),
    "polarization": ("a", "A", "K", "t", "tau", "sigma", "visible"),
}
"""Arrays of a paper that are not shown where they are what they are by default; its page says what that is."""

Row = tuple[Claim, dict[str, Any] | None]


def _standing(row: Row) -> str:
    claim, _ = row
    return claim.standing_word if claim.origin is Origin.PRINTED else f"{claim.standing_word}, {claim.origin.value}"


def _statement(row: Row) -> str:
    claim, _ = row
    return f"{_cell(claim.statement)} ({', '.join(claim.refs)})"


def _where(row: Row) -> str:
    claim, _ = row
    return f"{_cell(claim.where)} ({', '.join(claim.refs)})"


def _wrong(row: Row) -> str:
    """Why it fails; what holds instead is the correction beside it."""
    claim, _ = row
    return _cell(sentences(claim.note)[0])


def _counterexample(row: Row) -> str:
    claim, certificate = row
    if certificate is None:
        return f"too large for a file: `claims verify {claim.id}` finds one"
    given = {name: certificate["instance"][name] for name in claim.system.fields()}
    for name in UNSAID[claim.paper.key]:
        others = {other: value for other, value in given.items() if other != name}
        optional = name in given and claim.system.fields()[name].default is not None
        if optional and claim.system.instance(**others).to_json() == certificate["instance"]:
            given = others
    return _cell(", ".join(f"{name} = {_short(value)}" for name, value in given.items()))


def _slack(row: Row) -> str:
    _, certificate = row
    if certificate is None:
        return ""
    violation, form = certificate["violation"], certificate["conclusion"]["form"]
    file = f"../claims/evidence/{name_of(certificate['claim']['id'], ())}"
    when = "".join(f" for ever from time {t} on" if form == Form.LIMIT else f" at time {t}" for t in violation["times"])
    return f"{_number(violation, form)}{when}, [{violation['known']}]({file})"


def _number(violation: dict[str, Any], form: str) -> str:
    """The slack, rounded where it is long; of a chance, whose lower end takes P <= 1, what it is certainly below."""
    lower, upper = violation["slack"]["lower"], violation["slack"]["upper"]
    if violation["known"] == "exact" and lower == upper and len(lower) <= LONGEST_SLACK:
        return str(lower)
    return f"below {_rounded(upper)}" if form == Form.PROBABILITY else _rounded(lower)


def _rounded(text: str) -> str:
    exact = exact_number(text, "slack", decimal=True)
    rounded = Context(prec=DIGITS).divide(Decimal(exact.numerator), Decimal(exact.denominator))
    return f"{rounded.normalize():f}" if -DIGITS < rounded.adjusted() < DIGITS else str(rounded)


def _corrected(row: Row) -> str:
    claim, _ = row
    return " -> ".join(_link(one) for one in (claim.id, claim.corrected_by) if one)


def _link(claim: str) -> str:
    paper, _, name = claim.partition(".")
    return f"[{name}](../claims/{paper}/{name}.py)"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _short(value: Any) -> str:
    """Numbers and nested lists as people write them."""
    if not isinstance(value, list):
        return str(value)
    shown = [_short(entry) for entry in value]
    if len(shown) <= MOST_ROWS:
        return f"[{', '.join(shown)}]"
    return f"[{', '.join(shown[:3])}, ..., {shown[-1]}] ({len(shown)} entries)"


Column = Callable[[Row], str]

SHORT: dict[str, Column] = {
    "statement": _statement,
    "standing": _standing,
    "counterexample": _counterexample,
    "slack": _slack,
    "claim -> correction": _corrected,
}

LONG: dict[str, Column] = {
    "standing": _standing,
    "where": _where,
    "what is wrong": _wrong,
    "counterexample": _counterexample,
    "slack": _slack,
    "claim -> correction": _corrected,
}

COLUMNS: dict[str, dict[str, Column]] = {
    "clusters": LONG,
    "frank_wolfe": SHORT,
    "localmax": SHORT,
    "polarization": LONG,
}
"""What the table of a paper says, by heading."""

PAGES = {
    "clusters": "clusters.md",
    "frank_wolfe": "frank_wolfe.md",
    "localmax": "localmax.md",
    "polarization": "polarization.md",
}
"""The page of a paper's table, below `docs`."""

EVERY_PAGE = tuple(sorted({*PAGES.values(), "counterexamples.md"}))
"""The pages with tables: the last counts certificates."""


def refuted(paper: str) -> list[Row]:
    """The false statements of a paper with their certificates: what is printed first, ours last."""
    false = [claim for claim in catalogue().values() if claim.paper.key == paper and claim.standing is Standing.FALSE]
    ordered = sorted(false, key=lambda claim: list(Origin).index(claim.origin))
    return [(claim, certificate_of(name_of(claim.id, ()))) for claim in ordered]


def table(paper: str) -> str:
    """The table of a paper's refuted statements in Markdown."""
    columns = COLUMNS[paper]
    return markdown(list(columns), [[column(row) for column in columns.values()] for row in refuted(paper)])


def counts() -> str:
    """The table of how many certificates are published of each paper."""
    names = list(published())
    dropped = {paper: sum(name.startswith(f"{paper}/") and ".without_" in name for name in names) for paper in PAPERS}
    of_statements = {paper: sum(name.startswith(f"{paper}/") for name in names) - dropped[paper] for paper in PAPERS}
    rows = [[f"*{paper}*", str(of_statements[paper]), str(dropped[paper])] for paper in PAPERS]
    return markdown(["paper", "of a statement as it stands", "without an assumption"], rows)


def tables(page: str) -> dict[str, str]:
    """The tables of a page by the name in their marks."""
    found = {paper: table(paper) for paper, place in PAGES.items() if place == page}
    return found | ({"counts": counts()} if page == "counterexamples.md" else {})


def brought_up_to_date(page: str, text: str) -> str:
    """The text of a page with its tables as they are today. Raises ValueError where a mark is missing."""
    return with_tables(page, text, tables(page), COMMAND)


def write_tables(docs: Path) -> list[str]:
    """Bring the pages in a folder up to date; returns those that were changed. Raises OSError and ValueError."""
    texts = {page: (docs / page).read_text(encoding="utf-8") for page in EVERY_PAGE}
    today = {page: brought_up_to_date(page, text) for page, text in texts.items()}
    stale = [page for page, text in texts.items() if text != today[page]]
    for page in stale:
        write_whole(docs / page, today[page])
    return stale
