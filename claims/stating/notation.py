"""The symbols of each paper, and which of them a statement uses."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from claims.stating.statement import PAPERS, Claim


def symbols_in(claim: Claim) -> dict[str, str]:
    """The paper's symbols that a statement, its note and its hypotheses use, in this order, with what each means."""
    text, found = "\n".join([claim.statement, claim.note, *(one.statement for one in claim.assumptions)]), {}
    for symbol, (pattern, meaning) in _notation(claim.paper.key).items():
        if first := re.search(pattern, text):
            found[symbol] = (first.start(), meaning)
    return {symbol: meaning for symbol, (_, meaning) in sorted(found.items(), key=lambda one: one[1][0])}


@dataclass(frozen=True)
class Mark:
    """A place of a text, from `start` to before `end`, at which a symbol of the paper stands: the one of this `number`."""

    start: int
    end: int
    number: int


def marks_in(text: str, paper: str) -> list[Mark]:
    """The places of a paper's symbols in a text, in order and without overlaps: the earlier one, then the longer one."""
    found = []
    for number, (symbol, (pattern, _)) in enumerate(_notation(paper).items()):
        names = re.findall("[A-Za-z]+", symbol)
        for match in re.finditer(pattern, text):
            # Patterns look at what stands around a symbol, to know it: that is not part of what is marked.
            start = match.end() - len(match[0].lstrip(AROUND))
            shown = text[start : match.end()].rstrip(AROUND)
            if any(name in shown for name in names):  # others only use the symbol, as SA_infinity does
                found.append(Mark(start, start + len(shown), number))
    kept: list[Mark] = []
    # The earlier one, then the longer: of two patterns that meet in one place the more special one is meant.
    for mark in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


AROUND = " <>,|^_([]='"
"""What patterns see beside a symbol, to know it by."""


def symbols_of(paper: str) -> dict[str, str]:
    """Every symbol of a paper of the suite, with what it means."""
    return {symbol: meaning for symbol, (_, meaning) in _notation(paper).items()}


@cache
def _notation(paper: str) -> dict[str, tuple[str, str]]:
    if paper not in PAPERS:
        return {}
    text = (Path(__file__).parents[1] / paper / "notation.toml").read_text(encoding="utf-8")
    return {symbol: (pattern, meaning) for symbol, (pattern, meaning) in tomllib.loads(text).items()}
