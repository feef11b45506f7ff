"""The verdicts of a recorded run of the whole suite, which are data of the package.

`claims verify --json FILE` and then `python -m claims.atlas.recorded FILE` write them; a run of some claims, of the same
seed and the same versions, replaces the verdicts of these. A claim is read only while its conclusions, their hypotheses
and its system are those of the run.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from claims.atlas.evidence import read_run
from claims.certificates.current import statement_digest
from claims.certificates.provenance import write_whole
from claims.certificates.published import EVIDENCE
from claims.stating.catalogue import catalogue
from claims.stating.statement import Claim
from claims.targets.target import Target
from claims.verifying.report import FindingsError

NAME = "verdicts.json"
COUNTS = ("instances", "holds", "violated", "undecided", "vacuous")
SHOWN = ("name", "form", *COUNTS, "decided_by", "tightest", "counterexample")  # what is stored of a conclusion


def recorded(name: str) -> dict[str, Any] | None:
    """The report on a claim of the suite, with "of", the run in words; None where it has changed since or was not run."""
    head, reports = _read()
    report, claim = reports.get(name), catalogue().get(name)
    if report is None or claim is None or report["texts"] != _texts(claim):
        return None
    version = head["versions"]["attention-claims"]
    return report | {"of": f"a recorded run of every claim: seed {head['seed']}, version {version}"}


def run_in_numbers() -> dict[str, int]:
    """How many verdicts the recorded run has, by outcome and by how they were decided."""
    tallies = [one for report in _read()[1].values() for one in report["conclusions"]]
    outcomes = {name: sum(one[name] for one in tallies) for name in COUNTS}
    return outcomes | dict(sum((Counter(one["decided_by"]) for one in tallies), Counter[str]()))


@cache
def _read() -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    run = json.loads((EVIDENCE / NAME).read_text(encoding="utf-8"))
    return run, {report["id"]: report for report in run.pop("claims")}


def _texts(claim: Claim) -> list[str]:
    return [statement_digest(Target(claim.id, conclusion.name)) for conclusion in claim.conclusions]


def record_of(run: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> str:
    """The record of a run, from the JSON of `claims verify`: a line for each claim; others are as they were `before`.

    Raises FindingsError where a claim of the suite is missing in both, or a run is to be added to one of another seed or
    of other versions.
    """
    reports = {report["id"]: report for report in run["claims"]}
    # Each claim's instances follow from the seed and its own id: a run of it alone is that part of the whole run.
    before = before or {"claims": []}
    earlier = {report["id"]: report for report in before["claims"]}
    if earlier.keys() & (catalogue().keys() - reports.keys()):
        for part in ("seed", "versions"):
            if run[part] != before[part]:
                raise FindingsError(f"a run of some claims is added to one of the same {part}: run all claims")
    if missing := [name for name in catalogue() if name not in reports and name not in earlier]:
        raise FindingsError(f"the run did not decide every claim: {missing[0]} and {len(missing) - 1} others are missing")
    rows = []
    for name, claim in catalogue().items():
        if name not in reports:
            rows.append(earlier[name])
            continue
        conclusions = [{key: tally[key] for key in SHOWN} for tally in reports[name]["conclusions"]]
        borne_out = reports[name]["borne_out"]
        rows.append({"id": name, "borne_out": borne_out, "conclusions": conclusions, "texts": _texts(claim)})
    # A line for each claim, so that a new run shows in a difference what has changed.
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    head = json.dumps({"seed": run["seed"], "versions": run["versions"]})
    return f'{head[:-1]}, "claims": [\n{lines}\n]}}\n'


def main() -> None:
    """Write the record of the run whose JSON is the argument."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit("usage: python -m claims.atlas.recorded FILE, which `claims verify --json FILE` wrote")
    stored = json.loads((EVIDENCE / NAME).read_text(encoding="utf-8"))
    try:
        text = record_of(read_run(Path(sys.argv[1])), stored)
    except FindingsError as error:
        raise SystemExit(str(error)) from None
    write_whole(Path(str(EVIDENCE)) / NAME, text)


if __name__ == "__main__":
    main()
