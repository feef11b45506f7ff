"""Proof files: a manifest of all paths; an SMT-LIB 2 file, or trees of boxes, for each that leaves something open.

A proof about a state has one part, its paths. One that holds for ever has a part for each step that its rules ask for.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from claims.certificates.format import digest, hypotheses, statement
from claims.certificates.provenance import versions_in_use, write_whole
from claims.proving.proof import Attempt, Part
from claims.proving.reasons import SUMS
from claims.proving.version import prover
from claims.targets.target import Target
from dynamics.strict_reading import read_json, read_text

FORMAT = "attention-claims proof"
VERSION = 3
READ = (2, VERSION)  # one of version 2 has no sums and no renamings, and says all else in the same words

MANIFEST = "manifest.json"

# What is told of a path that leaves something open: its files, what decides it, and of which path it is a renaming.
HOW = ("files", "by", "as", "renaming")

MOST = 999_999  # the largest size, label or count: as much as the command line takes


class ProofFileError(ValueError):
    """A folder holds no proof that can be read; the message says what is wrong."""


def said(target: Target) -> dict[str, Any]:
    """What the claim says: its statement and hypotheses, with the text of every formula as certificates carry it."""
    variant = target.resolve()
    return {
        "statement": statement(variant.claim, variant.printed),
        "hypotheses": hypotheses(variant.claim, variant.printed, target.dropped),
    }


def manifest_entries(part: Part, number: int) -> Iterator[tuple[dict[str, Any], dict[str, str]]]:
    """What the manifest says of each path of a part, with its files, texts by name."""
    for k, leaf in enumerate(part.leaves):
        one: dict[str, Any] = {"answers": leaf.answers, "kind": leaf.kind.value}
        texts: dict[str, str] = {}
        if leaf.open:
            stem = f"part-{number:03d}-path-{k:06d}"
            texts[f"{stem}.smt2"] = leaf.systems[0]
            for tree, told in enumerate(part.trees.get(leaf.answers, ())):
                texts[f"{stem}-boxes-{tree}.json"] = json.dumps(told, separators=(",", ":")) + "\n"
            reason = part.reasons.get(leaf.answers, {"by": "boxes" if leaf.answers in part.trees else "solvers"})
            if SUMS in reason:
                texts[f"{stem}-sums.json"] = json.dumps(reason[SUMS], separators=(",", ":")) + "\n"
            one["files"] = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
            one |= {name: value for name, value in reason.items() if name != SUMS}
        yield one, texts


def write_proof(attempt: Attempt, folder: Path) -> Path:
    """Write a proof into a folder of its own below this one. Raises OSError, and ProofFileError where that is not empty."""
    box = {f"box-{name}" if name else "box": "..".join(ends) for name, ends in attempt.outline.get("box", {}).items()}
    size = "_".join(f"{name}={value}" for name, value in (attempt.size | box).items())
    place = folder / re.sub(r"[^A-Za-z0-9_.=-]", "_", f"{attempt.target.claim}.{attempt.target.conclusion}.{size}")
    place.mkdir(parents=True, exist_ok=True)
    if any(place.iterdir()):
        raise ProofFileError(f"{place} is not empty: remove it, or name another folder")
    parts: list[dict[str, Any]] = []
    for number, part in enumerate(attempt.parts):
        parts.append({"shows": part.shows, "paths": []})
        for one, texts in manifest_entries(part, number):
            parts[-1]["paths"].append(one)
            for name, text in texts.items():
                write_whole(place / name, text)
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "target": attempt.target.to_json(),
        "size": attempt.size,
        "for_all": attempt.told,
        "said": said(attempt.target),
        "outline": attempt.outline,
        "parts": parts,
        "versions": versions_in_use() | prover(),
    }
    data["digest"] = digest(data)
    # Last: a folder without it was not written to the end.
    write_whole(place / MANIFEST, json.dumps(data, indent=1) + "\n")
    return place


def read(folder: Path) -> dict[str, Any]:
    """The manifest of a folder, with the fields and types that it must have. Raises ProofFileError."""
    try:
        data = read_json(read_text(folder / MANIFEST))
    except (OSError, ValueError, RecursionError) as error:
        raise ProofFileError(f"{folder} holds no proof: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") not in READ:
        raise ProofFileError(f"{folder} holds no proof of version {' or '.join(map(str, READ))}")
    kinds = dict.fromkeys(("target", "size", "said", "outline", "versions"), cast("type", dict))
    kinds |= {"for_all": str, "parts": list, "digest": str}
    for name, kind in kinds.items():
        if not isinstance(data.get(name), kind):
            raise ProofFileError(f"{folder}: {name} is missing or of the wrong type")
    # Nor may there be more: a reader would take it for part of what is checked.
    if set(data) != {"format", "version", *kinds}:
        raise ProofFileError(f"{folder}: the manifest has other fields than a proof")
    if not all(type(value) is int and abs(value) <= MOST for value in data["size"].values()):
        raise ProofFileError(f"{folder}: a size is a whole number of at most {MOST}")
    for part in data["parts"]:
        if not isinstance(part, dict) or set(part) != {"shows", "paths"} or not isinstance(part["paths"], list):
            raise ProofFileError(f"{folder}: a part is not told as parts are")
        for one in part["paths"]:
            if not isinstance(one, dict) or not {"answers", "kind"} <= set(one) <= {"answers", "kind", *HOW}:
                raise ProofFileError(f"{folder}: a path is not told as paths are")
            if not isinstance(one["answers"], str) or set(one["answers"]) - set("TF"):
                raise ProofFileError(f"{folder}: answers are T and F")
    if data["digest"] != digest({name: value for name, value in data.items() if name != "digest"}):
        raise ProofFileError(f"{folder}: the digest does not fit the manifest")
    return data
