"""The certificates that the suite publishes: data of the package, one for each claim under each set of assumptions.

Shared by the code that writes certificates and the code that checks them, so it decides nothing: which certificates are
meant is read from the files themselves, not from the claims.

The certificates of a paper stand in one file of JSON lines. The first line holds what most of them share, such as their
versions; then comes each claim, its conclusions and assumptions written once, and after it its certificates.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from claims.certificates.format import MalformedError, read_data
from claims.certificates.provenance import write_whole
from claims.stating.patterns import matched

EVIDENCE = files("claims") / "evidence"
"""Certificates by paper, and the tables of what is needed, proved and trained."""

ENDING = ".jsonl"

SHARED = ("format", "version", "source", "versions")
"""Fields that a certificate leaves to the first line of its file where it says the same."""

Certificate = dict[str, Any]


def name_of(claim: str, dropped: Sequence[str]) -> str:
    """The name of a certificate, and of its file where it is written apart."""
    paper, _, name = claim.partition(".")
    return f"{paper}/{'.'.join([name, *(f'without_{one}' for one in dropped), 'json'])}"


def published_name(certificate: Certificate) -> str:
    """The name under which a certificate is published."""
    return name_of(certificate["claim"]["id"], [assumption["name"] for assumption in certificate["assumptions"]["dropped"]])


def published(patterns: Sequence[str] = ()) -> dict[str, Certificate]:
    """The certificates by name, to be read only, whose claim matches a pattern: an id, a glob, part of an id, or a label.

    Raises UnmatchedError for a pattern that matches nothing, MalformedError where a file is damaged.
    """
    stored = _stored()
    if not patterns:
        return dict(stored)
    # From the certificates, so that a check imports no claim before it must.
    labels = {data["claim"]["id"]: tuple(data["claim"]["refs"]) for data in stored.values()}
    chosen = set(matched(patterns, labels))
    return {name: data for name, data in stored.items() if data["claim"]["id"] in chosen}


def certificate_of(name: str) -> Certificate | None:
    """A copy of the published certificate of this name; None if there is none."""
    # The stored ones are shared by all who ask.
    return copy.deepcopy(_stored().get(name))


@cache
def _stored() -> dict[str, Certificate]:
    return read_evidence(EVIDENCE)


def read_evidence(folder: Traversable) -> dict[str, Certificate]:
    """The certificates in a folder by name, their structure unchecked. Raises MalformedError for a file that is damaged."""
    entries = folder.iterdir() if folder.is_dir() else ()
    kept = sorted((entry for entry in entries if entry.name.endswith(ENDING)), key=lambda entry: entry.name)
    return {published_name(data): data for file in kept for data in _read(file)}


def _read(file: Traversable) -> Iterator[Certificate]:
    head, claim = {}, {}
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                record = read_data(line)
                # The order tells what a line is: shared fields, a claim, or a certificate of the last claim.
                if number == 1:
                    head = record
                elif "conclusions" in record:
                    claim = record
                else:
                    yield _joined(head, claim, record)
            except (MalformedError, LookupError, TypeError) as error:
                reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
                raise MalformedError(f"{file.name}, line {number}: {reason}") from None


def _joined(head: Mapping[str, Any], claim: Mapping[str, Any], record: Mapping[str, Any]) -> Certificate:
    """The certificate that a line stands for, after the lines of its file and of its claim."""
    words = claim["assumptions"]
    assumptions = {
        kind: [{"name": name, "statement": words[name]} for name in record[kind]] for kind in ("kept", "dropped")
    }
    rest = {name: value for name, value in record.items() if name not in assumptions}
    stated = {"claim": claim["claim"], "conclusion": claim["conclusions"][record["conclusion"]], "assumptions": assumptions}
    return {name: head[name] for name in SHARED} | rest | stated


def write_evidence(folder: Path, certificates: Mapping[str, Certificate]) -> None:
    """Write the certificates to the files of their papers, in the order of their names.

    Raises OSError, and ValueError where two certificates of one claim do not say the same of it.
    """
    papers: dict[str, list[Certificate]] = {}
    for name in sorted(certificates):
        papers.setdefault(name.partition("/")[0], []).append(certificates[name])
    # A paper without certificates keeps no file of old ones.
    for file in folder.glob(f"*{ENDING}"):
        if file.name.removesuffix(ENDING) not in papers:
            file.unlink()
    for paper, ones in papers.items():
        lines = (json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in _records(ones))
        write_whole(folder / f"{paper}{ENDING}", "".join(f"{line}\n" for line in lines))


def _records(certificates: Sequence[Certificate]) -> Iterator[dict[str, Any]]:
    """The lines of a file: what most certificates share, then claim by claim its words and its certificates."""
    # The most common values go to the first line; certificates that differ say so themselves.
    common = {name: Counter(json.dumps(one[name], sort_keys=True) for one in certificates) for name in SHARED}
    head = {name: json.loads(counted.most_common(1)[0][0]) for name, counted in common.items()}
    yield head
    by_claim: dict[str, list[Certificate]] = {}
    for one in certificates:
        by_claim.setdefault(one["claim"]["id"], []).append(one)
    for ones in by_claim.values():
        assumed = [one for data in ones for kind in ("kept", "dropped") for one in data["assumptions"][kind]]
        claim = {
            "claim": ones[0]["claim"],
            "conclusions": {one["conclusion"]["name"]: one["conclusion"] for one in ones},
            "assumptions": {one["name"]: one["statement"] for one in assumed},
        }
        yield claim
        for one in ones:
            record = {kind: [entry["name"] for entry in one["assumptions"][kind]] for kind in ("kept", "dropped")}
            record |= {name: value for name, value in one.items() if name not in head or value != head[name]}
            del record["claim"], record["assumptions"]
            record["conclusion"] = one["conclusion"]["name"]
            # What is written is read back, for two certificates of a claim may disagree about its words.
            if _joined(head, claim, record) != one:
                raise ValueError(f"certificates of {one['claim']['id']} do not say the same of it: renew them")
            yield record
