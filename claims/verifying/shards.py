"""A run of `claims verify` in parts: disjoint, together complete, and merged again from their JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from claims.stating.statement import Claim, Form, Origin, Standing
from claims.verifying.report import WRITTEN
from claims.verifying.tallies import Tally
from claims.verifying.tasks import Report

COSTS = dict.fromkeys(Form, 1.0) | {Form.ORBIT: 2.0, Form.TRAJECTORY: 2.0, Form.RATE: 6.0, Form.LIMIT: 6.0}
COSTS |= {Form.PROBABILITY: 30.0, Form.EXPERIMENT: 30.0}
"""What a conclusion of each form costs beside others, as measured on the suite: rough, and the same on every machine."""

SAME = ("seed", "versions", "examples", "precision", "asked")  # what the parts of one run have in common


class ShardError(ValueError):
    """No such part, or files that are not parts of one run; the message says why."""


def shard_of(text: str) -> tuple[int, int]:
    """The part that "i/n" names, 1 <= i <= n. Raises ShardError."""
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise ShardError(f"{text!r} is no part: write i/n, 2/4 for the second of four")
    return int(found[1]), int(found[2])


def part_of(claims: Sequence[Claim], number: int, parts: int, seconds: Mapping[str, float] | None = None) -> list[Claim]:
    """The claims of one of so many parts, in their order: the costliest first to the part with least to do.

    `seconds` are those of an earlier run, by the claims' ids; of what was not in it an estimate is made.
    """
    # Never zero, since the seconds are divided by it; what only has to be read takes a moment, too.
    estimated = {claim.id: 0.1 + sum(COSTS[one.form] for one in claim.conclusions) for claim in claims}
    known = seconds or {}
    both = [name for name in estimated if name in known]
    scale = sum(known[name] for name in both) / sum(estimated[name] for name in both) if both else 1.0
    costs = {name: known.get(name, scale * cost) for name, cost in estimated.items()}
    loads = [0.0] * parts
    chosen = []
    # Every part computes all of them: wherever it runs, it must come to the same division.
    for claim in sorted(claims, key=lambda claim: (-costs[claim.id], claim.id)):
        least = loads.index(min(loads))
        loads[least] += costs[claim.id]
        chosen += [claim] if least == number - 1 else []
    return [claim for claim in claims if claim in chosen]


def merged(files: Mapping[str, Mapping[str, Any]]) -> tuple[dict[str, Any], list[str]]:
    """The JSON of the whole run from that of its parts, by the names of their files, and what is missing of it.

    Raises ShardError where two are not parts of one run, or decided the same claim.
    """
    (first, whole), *others = files.items()
    for name, data in others:
        if differs := [key for key in SAME if data[key] != whole[key]]:
            raise ShardError(f"{first} and {name} are not parts of one run: they differ in {', '.join(differs)}")
    found: dict[str, Any] = {}
    for name, data in files.items():
        for claim in data["claims"]:
            if claim["id"] in found:
                raise ShardError(f"{claim['id']} is decided twice, once in {name}: give each part once")
            found[claim["id"]] = claim
    told = {name: data["stopped"] for name, data in files.items() if data.get("stopped")}
    missing = [f"{name} was stopped by {why}" for name, why in told.items()]
    missing += [f"{claim} is in none of the files" for claim in whole["asked"] if claim not in found]
    data = {key: whole[key] for key in SAME} | {"shard": None}
    data |= {"claims": [found[claim] for claim in whole["asked"] if claim in found]}
    return (data | {"stopped": "; ".join(told.values())} if told else data), missing


def report_of(data: Mapping[str, Any]) -> Report:
    """The report that :func:`claims.verifying.report.report_json` wrote."""
    standing = next(one for one in Standing if data["standing"].startswith(one.value))
    tallies = []
    for one in data["conclusions"]:
        given = {name: one[key] for key, name in WRITTEN.items()}
        tallies.append(Tally(**given | {name: Counter(given[name]) for name in ("decided_by", "kinds", "reasons")}))
    told = (data["id"], tuple(data["refs"]), Origin(data["origin"]), standing, tallies, data["seconds"], data["unfinished"])
    return Report(*told, file=data["file"])
