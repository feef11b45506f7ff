"""The symbols of each paper, and which of them a statement uses."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from claims.statement import PAPERS, Claim


def symbols_in(claim: Claim) -> dict[str, str]:
    """The paper's symbols that a statement and its note use, in the order of their first use, with what each means."""
    text, found = f"{claim.statement}\n{claim.note}", {}
    for symbol, (pattern, meaning) in _notation(claim.paper.key).items():
        if first := re.search(pattern, text):
            found[symbol] = (first.start(), meaning)
    return {symbol: meaning for symbol, (_, meaning) in sorted(found.items(), key=lambda one: one[1][0])}


def symbols_of(paper: str) -> dict[str, str]:
    """Every symbol of a paper of the suite, with what it means."""
    return {symbol: meaning for symbol, (_, meaning) in _notation(paper).items()}


@cache
def _notation(paper: str) -> dict[str, tuple[str, str]]:
    if paper not in PAPERS:
        return {}
    text = (Path(__file__).parent / paper / "notation.toml").read_text(encoding="utf-8")
    return {symbol: (pattern, meaning) for symbol, (pattern, meaning) in tomllib.loads(text).items()}
