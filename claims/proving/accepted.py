"""What Coq's kernel accepted when it was last asked: published certificates, and proofs for all inputs of a size."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

from claims.certificates.published import EVIDENCE
from claims.proving.table import Proved, proved_of

RECORD = EVIDENCE / "theorems.json"
"""The digest of each file that was accepted, by certificate; of each size what was found. A test compares with today's."""


def kernel_record() -> dict[str, dict[str, Any]]:
    """What is recorded: of `certificates` the digests of their files, of `sizes` an entry each.

    An entry has the claim, the conclusion, the size and the digest of its file, with the tree and the exponents of the
    proof; or the reason why there is none.
    """
    if not RECORD.is_file():
        return {"certificates": {}, "sizes": {}}
    # Read anew each time: who asks the kernel writes it as answers come, and must not lose what came before.
    found: dict[str, dict[str, Any]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def accepted_digests() -> dict[str, str]:
    """The digests of the files that the kernel accepted, by certificate, and by name of what is proved for a size."""
    known = kernel_record()
    return known["certificates"] | {name: one["file"] for name, one in known["sizes"].items() if "file" in one}


@cache
def theorems() -> frozenset[str]:
    """The names of the certificates that are theorems."""
    return frozenset(kernel_record()["certificates"])


@cache
def sizes() -> frozenset[tuple[str, str, str]]:
    """What is a theorem for all inputs of a size: the claim, the conclusion, and the size in words."""
    known = kernel_record()["sizes"].values()
    return frozenset((one["claim"], one["conclusion"], one["for_all"]) for one in known if "file" in one)


def proofs_of(claim: str) -> list[Proved]:
    """What is proved of a claim of the suite for all inputs of a size, and where a theorem of Coq says so, too."""
    # Told beside the solvers' proof, and not in its place: the kernel's is of what was recorded, not of the Python itself.
    known = sizes()
    return [
        replace(one, how=f"{one.how}; a theorem of Coq") if (claim, one.conclusion, one.for_all) in known else one
        for one in proved_of(claim)
    ]
