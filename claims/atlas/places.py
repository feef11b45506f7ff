"""Where a statement is printed, as far as its `where` says: the numbered statement, the section, whether in a proof."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from claims.stating.statement import Claim, Paper

_KINDS = "Theorem|Lemma|Proposition|Property|Corollary|Remark|Assumption|claim"
_NUMBER = r"(?:[0-9]+(?:\.[0-9]+)*|[A-Z]\.[0-9]+|(?:lem|thm|prop|cl|l|p|c|r|e): ?[A-Za-z][\w.]*)"
_STATEMENT = re.compile(rf"\b({_KINDS})s? ({_NUMBER})")
_PROOF = re.compile(rf"\bproofs? of (?:the )?({_KINDS})s? ({_NUMBER})|, its proof")
_SECTION = re.compile(r"\bsections? ([0-9]+(?:\.[0-9]+)*)|\bappendix ([A-Z](?:\.[0-9]+)?)")
_HEADS = ("abstract", "slide", "figure", "caption", "equation", "question", "weak form", "the authors' code")


@dataclass(frozen=True)
class Place:
    """`statement` is "Theorem 3.3", "" where nothing numbered is named; `section` names a part of the paper."""

    statement: str
    section: str
    is_proof_step: bool

    @property
    def anchor(self) -> str:
        """The fragment of the paper's page at which the statement stands."""
        return slug(self.statement or self.section)


def place_of(where: str) -> Place:
    """The place that the words of a claim's `where` name."""
    proof = _PROOF.search(where)
    # "Proof of Lemma A, after Lemma B" is a step of A's proof, whichever is named first.
    found = proof if proof and proof[1] else _STATEMENT.search(where)
    statement = f"{found[1][:1].upper()}{found[1][1:]} {found[2]}" if found else ""
    number, named = found[2] if found else "", _SECTION.search(where)
    head = next((head for head in _HEADS if where.startswith(head) or f" {head}" in where), "")
    if named:
        section = f"section {named[1]}" if named[1] else f"appendix {named[2]}"
    elif re.fullmatch(r"[0-9]+\.[0-9.]+", number):  # Theorem 3.2 is in section 3
        section = f"section {number.split('.', maxsplit=1)[0]}"
    elif re.fullmatch(r"[A-Z]\.[0-9]+", number):
        section = f"appendix {number[0]}"
    elif head in ("slide", "figure", "equation", "question"):  # those of a paper together: each alone were no section
        section = f"{head}s"
    else:
        section = head or ("elsewhere" if where else "no place")
    return Place(statement, section, bool(proof))


RESERVED = ("assets", "certificates")  # folders of the site that no paper may take


def folder(paper: Paper) -> str:
    """The folder of a paper's pages; a user's own paper may have any name."""
    # By its digest where the key is no plain name: "../up" must not lead out of the site, nor two keys to one folder.
    if re.fullmatch(r"[A-Za-z0-9_]{1,60}", paper.key) and paper.key not in RESERVED:
        return paper.key
    return f"paper-{hashlib.sha256(paper.key.encode()).hexdigest()[:8]}"


def page_name(claim: Claim) -> str:
    """The name of a claim's page in that folder."""
    name = claim.id.split(".")[-1]
    return f"{'index-claim' if name == 'index' else name}.html"  # the page of its paper is called index.html already


def theorem_page(paper: Paper, statement: str) -> str:
    """The address, below the site, of the page of a numbered statement, "polarization/theorem-3.2/index.html"."""
    return f"{folder(paper)}/{slug(statement)}/index.html"


def address(claim: Claim) -> str:
    """The address of a claim's page below the site: its paper and its name, which do not change."""
    return f"{folder(claim.paper)}/{page_name(claim)}"


def slug(text: str) -> str:
    """A text as a fragment of an address: small letters, digits, dots and hyphens."""
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-") or "none"
