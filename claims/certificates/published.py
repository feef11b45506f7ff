"""The certificates that the suite publishes: data of the package, one for each claim under each set of assumptions.

Shared by the code that writes certificates and the code that checks them, so it decides nothing: which certificates are
meant is read from the files themselves, not from the claims.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from claims.certificates.format import MalformedError, read_certificate
from claims.patterns import matched

EVIDENCE = files("claims") / "evidence"
"""Certificates by paper, and the necessity map."""


def name_of(claim: str, dropped: Sequence[str]) -> str:
    """The file's name below the folder of evidence: one for each claim and each set of dropped assumptions."""
    paper, _, name = claim.partition(".")
    return f"{paper}/{'.'.join([name, *(f'without_{one}' for one in dropped), 'json'])}"


def place_of(certificate: dict[str, Any]) -> str:
    """The name under which a certificate is published."""
    return name_of(certificate["claim"]["id"], [assumption["name"] for assumption in certificate["assumptions"]["dropped"]])


def published(patterns: Sequence[str] = ()) -> dict[str, Traversable]:
    """The files of certificates, by name, whose claim matches a pattern: an id, a glob, part of an id, or a label.

    Raises claims.patterns.UnmatchedError for a pattern that matches nothing.
    """
    entries = EVIDENCE.iterdir() if EVIDENCE.is_dir() else ()
    papers = sorted((entry for entry in entries if entry.is_dir()), key=lambda entry: entry.name)
    by_claim: dict[str, list[tuple[str, Traversable]]] = {}
    for paper in papers:
        for file in sorted(paper.iterdir(), key=lambda entry: entry.name):
            if file.name.endswith(".json"):
                claim = f"{paper.name}.{file.name.partition('.')[0]}"
                by_claim.setdefault(claim, []).append((f"{paper.name}/{file.name}", file))
    labels = {claim: _labels(found[0][1]) for claim, found in by_claim.items()} if patterns else dict.fromkeys(by_claim, ())
    return {name: file for claim in matched(patterns, labels) for name, file in by_claim[claim]}


def _labels(file: Traversable) -> Sequence[str]:
    """The labels of the claim; none where the file is damaged, which checking it will report."""
    try:
        return tuple(read_certificate(file.read_text(encoding="utf-8"))["claim"]["refs"])
    except (MalformedError, OSError, UnicodeDecodeError):
        return ()


def certificate_of(name: str, evidence: Traversable = EVIDENCE) -> dict[str, Any] | None:
    """The published certificate of this name, unchecked; None if there is none. `evidence` is another folder to look in."""
    file = evidence / name
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None
