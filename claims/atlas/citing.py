"""How a page is cited, and which lines of a module state a claim."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata

from claims.atlas.evidence import Evidence
from claims.atlas.kept import digest_of
from claims.atlas.relations import source_of
from claims.certificates.current import statement_digest
from claims.certificates.provenance import __version__
from claims.stating.statement import Claim, Paper
from claims.targets.target import Target


@dataclass(frozen=True)
class Citation:
    """A page in words and as BibTeX, with the digest of what it states."""

    text: str
    bibtex: str
    digest: str


def citation_of(claim: Claim, evidence: Evidence, address: str, year: str) -> Citation:
    """Of the page of a claim."""
    text = f"{claim.id}, {claim.standing_word}" + (f" ({claim.where})" if claim.where else "")
    return _citation(claim.id, text, claim.paper, address, [(claim, evidence)], year)


def citation_of_place(
    name: str, paper: Paper, stated: Sequence[tuple[Claim, Evidence]], address: str, year: str
) -> Citation:
    """Of the page of a numbered statement, about which there are these claims."""
    key = f"{paper.key}.{''.join(letter if letter.isalnum() else '_' for letter in name.lower())}"
    return _citation(key, name, paper, address, stated, year)


def _citation(
    key: str, told: str, paper: Paper, address: str, stated: Iterable[tuple[Claim, Evidence]], year: str
) -> Citation:
    # The digest is of what a page states, not of its looks: a reader can tell whether the words cited are still there.
    content = []
    for claim, evidence in stated:
        formulas = [statement_digest(Target.of(claim, conclusion)) for conclusion in claim.conclusions]
        words = [claim.id, claim.where, claim.statement, claim.standing_word, claim.note, claim.corrected_by]
        content.append([words, formulas, sorted(one.data["digest"] for one in evidence.certificates)])
    digest = digest_of(content)[:DIGITS]
    of = f"{told}, of {paper}" if paper.title or paper.arxiv else told
    suite = f"attention-claims, version {__version__}"
    fields = {
        "author": "{attention-claims}",
        "title": told,
        "howpublished": f"{suite}, {address}",
        "note": f"on {paper}; content sha256:{digest}",
        "year": year,
    }
    written = "".join(f"  {name} = {{{re.sub(SPECIAL, ESCAPED, text)}}},\n" for name, text in fields.items())
    return Citation(f"{of}. {suite}, {address}, content sha256:{digest}.", f"@misc{{{key},\n{written}}}", digest)


SPECIAL, ESCAPED = r"[_&%#$]", r"\\\g<0>"  # what BibTeX would read as more than a character
DIGITS = 32  # of a digest in a citation, 128 bits: nobody finds another text of the same digest


# ---------------------------------------------------------------------------------------------------------------------
# The lines of a module


def lines_of_claim(claim: Claim) -> list[tuple[int, int]]:
    """The first and the last line of each passage of the module that states the claim or one of its conclusions."""
    names, given, passages = set[str](), set[str](), list[tuple[int, int]]()
    # In this order: names of the claim are known once it is made, and functions that it is given may stand before that.
    kinds = (ast.Assign, ast.Expr, ast.FunctionDef)
    for node in (node for kind in kinds for node in _parsed(source_of(claim)).body if isinstance(node, kind)):
        first = node.lineno
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            own = {one.id for one in node.targets if isinstance(one, ast.Name)}
            # In a module that states one claim, the claim has no name of its own.
            if not (claim.name in own if claim.name else ast.unparse(node.value.func) == "Claim"):
                continue
            names |= own
        elif isinstance(node, ast.Expr) and names & (used := _names_in(node)):  # `name.state(...)(function)`
            given |= used
        elif isinstance(node, ast.FunctionDef) and (
            node.name in given or any(names & _names_in(mark) for mark in node.decorator_list)
        ):
            first = min([first, *(mark.lineno for mark in node.decorator_list)])  # a function begins at its `def`
        else:
            continue
        passages.append((first, node.end_lineno or first))
    joined: list[tuple[int, int]] = []
    for first, last in sorted(passages):
        if joined and first <= joined[-1][1] + GAP:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


GAP = 3  # passages with fewer lines between them are one: two empty lines part one function from the next


@cache
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)  # a module states several claims


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
    return f"{found['Repository'].rstrip('/')}/blob/v{__version__}" if "Repository" in found else ""
