"""Which published certificates are theorems: what Coq's kernel accepted when it was last asked about all."""

from __future__ import annotations

import json
from functools import cache

from claims.certificates.published import EVIDENCE

RECORD = EVIDENCE / "theorems.json"
"""The digest of each file that was accepted, by certificate. A test compares them with the files of today."""


def recorded() -> dict[str, str]:
    """The digests of the files that the kernel accepted, by certificate."""
    found: dict[str, str] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}
    return found


@cache
def theorems() -> frozenset[str]:
    """The names of the certificates that are theorems."""
    return frozenset(recorded())
