"""How a page is cited, and which lines of a module state a claim."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata

import claims
from claims.atlas.evidence import Evidence
from claims.atlas.kept import digest_of
from claims.atlas.relations import source_of
from claims.proving.table import statement_digest
from claims.statement import Claim, Paper
from claims.target import Target


@dataclass(frozen=True)
class Citation:
    """A page in words and as BibTeX, with the digest of what it states."""

    text: str
    bibtex: str
    digest: str


def citation_of(claim: Claim, evidence: Evidence, address: str, year: str) -> Citation:
    """Of the page of a claim."""
    told = f"{claim.id}, {claim.standing_word}" + (f" ({claim.where})" if claim.where else "")
    return _citation(claim.id, told, claim.paper, address, content_digest([(claim, evidence)]), year)


def citation_of_place(
    name: str, paper: Paper, stated: Sequence[tuple[Claim, Evidence]], address: str, year: str
) -> Citation:
    """Of the page of a numbered statement, about which there are these claims."""
    key = f"{paper.key}.{''.join(letter if letter.isalnum() else '_' for letter in name.lower())}"
    return _citation(key, name, paper, address, content_digest(stated), year)


@cache
def _version() -> str:
    """It is read from a file; every page tells it."""
    return str(claims.__version__)


def _citation(key: str, told: str, paper: Paper, address: str, digest: str, year: str) -> Citation:
    of = f"{told}, of {paper}" if paper.title or paper.arxiv else told
    suite = f"attention-claims, version {_version()}"
    fields = {
        "author": "{attention-claims}",
        "title": told,
        "howpublished": f"{suite}, {address}",
        "note": f"on {paper}; content sha256:{digest}",
        "year": year,
    }
    written = "".join(f"  {name} = {{{_in_bibtex(text)}}},\n" for name, text in fields.items())
    return Citation(f"{of}. {suite}, {address}, content sha256:{digest}.", f"@misc{{{key},\n{written}}}", digest)


def _in_bibtex(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "_&%#$" else letter for letter in text)


def content_digest(stated: Iterable[tuple[Claim, Evidence]]) -> str:
    """A digest of what a page states: statements, standings, formulas and hypotheses, certificates. Not of its looks."""
    told = []
    for claim, evidence in stated:
        formulas = [statement_digest(Target.of(claim, conclusion)) for conclusion in claim.conclusions]
        words = [claim.id, claim.where, claim.statement, claim.standing_word, claim.note, claim.corrected_by]
        told.append([words, formulas, sorted(one.data["digest"] for one in evidence.certificates)])
    return digest_of(told)[:DIGITS]


DIGITS = 32
"""Digits of a digest in a citation."""


# ---------------------------------------------------------------------------------------------------------------------
# The lines of a module


def lines_of_claim(claim: Claim) -> list[tuple[int, int]]:
    """The first and the last line of each passage of the module that states the claim or one of its conclusions."""
    passages = sorted(_passages(ast.parse(source_of(claim)), claim))
    joined: list[tuple[int, int]] = []
    for first, last in passages:
        if joined and first <= joined[-1][1] + GAP:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


GAP = 3
"""Passages with fewer lines between them are one."""


def _passages(module: ast.Module, claim: Claim) -> Iterator[tuple[int, int]]:
    """Where the claim is made, and the functions that it decorates, or is given: `name.state(...)(function)`."""
    names = set[str]()
    for node in module.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            own = {one.id for one in node.targets if isinstance(one, ast.Name)}
            # In a module that states one claim, the claim has no name of its own.
            made = claim.name in own if claim.name else ast.unparse(node.value.func) == "Claim"
            if made:
                names |= own
                yield node.lineno, node.end_lineno or node.lineno
    given = set[str]()
    for node in module.body:
        if isinstance(node, ast.Expr) and names & (used := _names_in(node)):
            given |= used
            yield node.lineno, node.end_lineno or node.lineno
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            first = node.decorator_list[0] if node.decorator_list else node
            if node.name in given or any(names & _names_in(mark) for mark in node.decorator_list):
                yield first.lineno, node.end_lineno or node.lineno


def _names_in(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


@cache
def repository() -> str:
    """The prefix of addresses of this version's files, by the repository that the package names; "" where it names none."""
    try:
        urls = metadata("attention-claims").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    found = dict(url.split(", ", 1) for url in urls if ", " in url)
    return f"{found['Repository'].rstrip('/')}/blob/v{claims.__version__}" if "Repository" in found else ""
