"""Proof files: a folder with one SMT-LIB 2 file for each path that leaves something open, and a manifest of all paths."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from claims.certificates.format import digest, hypotheses, statement
from claims.certificates.provenance import versions_in_use, write_whole
from claims.proving.exploring import Leaf
from claims.proving.proof import Attempt
from claims.proving.solvers import versions
from claims.target import Target
from dynamics.strict_reading import read_json, read_text

FORMAT = "attention-claims proof"
VERSION = 1
MANIFEST = "manifest.json"


class ProofFileError(ValueError):
    """A folder holds no proof that can be read; the message says what is wrong."""


def folder_name(attempt: Attempt) -> str:
    """A name that says what is proved."""
    size = "_".join(f"{name}={value}" for name, value in attempt.size.items())
    return re.sub(r"[^A-Za-z0-9_.=-]", "_", f"{attempt.target.claim}.{attempt.target.conclusion}.{size}")


def said(target: Target) -> dict[str, Any]:
    """What the claim says: its statement and hypotheses, with the text of every formula as certificates carry it."""
    variant = target.resolve()
    return {
        "statement": statement(variant.claim, variant.printed),
        "hypotheses": hypotheses(variant.claim, variant.printed, target.dropped),
    }


def entry(leaf: Leaf, number: int) -> dict[str, Any]:
    """What the manifest says of a path."""
    one: dict[str, Any] = {"answers": leaf.answers, "kind": leaf.kind.value}
    if leaf.open:
        text = leaf.systems[0]
        one |= {"file": f"path-{number:06d}.smt2", "sha256": hashlib.sha256(text.encode()).hexdigest()}
    return one


def manifest(attempt: Attempt) -> dict[str, Any]:
    """The manifest of a proof."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "target": attempt.target.to_json(),
        "size": attempt.size,
        "for_all": attempt.told,
        "said": said(attempt.target),
        "paths": [entry(leaf, number) for number, leaf in enumerate(attempt.leaves)],
        "versions": versions_in_use() | versions(),
    }
    data["digest"] = digest(data)
    return data


def write(attempt: Attempt, folder: Path) -> Path:
    """Write a proof into a folder of its own below this one. Raises OSError, and ProofFileError where that is not empty."""
    place = folder / folder_name(attempt)
    place.mkdir(parents=True, exist_ok=True)
    if any(place.iterdir()):
        raise ProofFileError(f"{place} is not empty: remove it, or name another folder")
    data = manifest(attempt)
    for leaf, one in zip(attempt.leaves, data["paths"], strict=True):
        if "file" in one:
            write_whole(place / one["file"], leaf.systems[0])
    # Last: a folder without it was not written to the end.
    write_whole(place / MANIFEST, json.dumps(data, indent=1) + "\n")
    return place


def read(folder: Path) -> dict[str, Any]:
    """The manifest of a folder, with the fields and types that it must have. Raises ProofFileError."""
    try:
        data = read_json(read_text(folder / MANIFEST))
    except (OSError, ValueError, RecursionError) as error:
        raise ProofFileError(f"{folder} holds no proof: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise ProofFileError(f"{folder} holds no proof of version {VERSION}")
    kinds = {"target": dict, "size": dict, "for_all": str, "said": dict, "paths": list, "versions": dict, "digest": str}
    for name, kind in kinds.items():
        if not isinstance(data.get(name), kind):
            raise ProofFileError(f"{folder}: {name} is missing or of the wrong type")
    if set(data) != {"format", "version", *kinds}:
        raise ProofFileError(f"{folder}: the manifest has other fields than a proof")
    if not all(isinstance(value, int) and not isinstance(value, bool) for value in data["size"].values()):
        raise ProofFileError(f"{folder}: a size is a whole number")
    for one in data["paths"]:
        texts = isinstance(one, dict) and all(isinstance(value, str) for value in one.values())
        if not texts or not {"answers", "kind"} <= set(one) <= {"answers", "kind", "file", "sha256"}:
            raise ProofFileError(f"{folder}: a path is not told as paths are")
        if set(one["answers"]) - set("TF"):
            raise ProofFileError(f"{folder}: answers are T and F")
    if data["digest"] != digest({name: value for name, value in data.items() if name != "digest"}):
        raise ProofFileError(f"{folder}: the digest does not fit the manifest")
    return data
