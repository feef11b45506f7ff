"""The command `claims verify --instance`: decides the claims on one instance that the user gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from claims.certificates.provenance import versions_in_use
from claims.cli.terminal import refuse, terminal, write_json
from claims.instances.drawing import unmet
from claims.instances.files import InstanceError, read_instance
from claims.statement import Claim, Form, Standing
from claims.verdict import Outcome, Verdict
from claims.verifying.deciding import Effort
from claims.verifying.tallies import decide, plain
from dynamics.system import System


def verify_instance(claims: list[Claim], source: str, effort: Effort, json_file: Path | None) -> int:
    """Decide the claims on the instances that `source` gives; the exit code. Raises typer.Exit where none fits."""
    try:
        systems = read_instance(source, [claim.system for claim in claims if claim.file is not None])
    except InstanceError as error:
        raise refuse(str(error)) from None
    pairs = [(claim, system) for claim in claims for system in systems if type(system) is claim.system]
    rows = [row for claim, system in pairs for row in _decide(claim, system, effort)]
    if not rows:
        takes = sorted({claim.system.__name__ for claim in claims})
        given = ", ".join(type(system).__name__ for system in systems)
        raise refuse(f"the instance is a {given}; the chosen claims are about {', '.join(takes)}")
    table = Table("claim and its conclusions", "form", "verdict", "known", "least slack", "remarks", box=box.SIMPLE_HEAD)
    styles = {"HOLDS": "green", "VIOLATED": "red", "UNDECIDED": "yellow"}
    for position, row in enumerate(rows):
        if position == 0 or rows[position - 1]["claim"] != row["claim"]:
            table.add_row(Text(row["claim"], "bold"), "", "", "", "", Text(row["standing"]))
        remarks = [f"outside the hypotheses: {', '.join(row['unmet'])}"] if row["unmet"] else []
        remarks += [row["reason"]] if row["reason"] else []
        verdict = Text(row["verdict"], styles[row["verdict"]])
        cells = (row["form"], verdict, row["known"], row["slack"], Text("; ".join(remarks)))
        table.add_row(Text(f"  {row['conclusion']}"), *cells)
    terminal().print(table)
    if json_file is not None:
        write_json(
            json_file, {"versions": versions_in_use(), "instances": [s.to_json() for s in systems], "verdicts": rows}
        )
    return 1 if any(row["contradicts"] for row in rows) else 0


def _decide(claim: Claim, system: System, effort: Effort) -> list[dict[str, Any]]:
    rows = []
    for conclusion in claim.conclusions:
        if conclusion.form is Form.EXPERIMENT:
            continue
        missing = [assumption.name for assumption in unmet(claim, conclusion, system)]
        try:
            verdict = decide(conclusion, system, effort, outside=bool(missing))
        except (ArithmeticError, LookupError, StopIteration, ValueError) as error:
            # Numbers of any size reach a formula here: what it cannot bear is said of the instance.
            verdict = Verdict(Outcome.UNDECIDED, None, None, f"the slack has no value: {error or type(error).__name__}")
        violated = verdict.outcome is Outcome.VIOLATED
        rows.append(
            {
                "claim": claim.id,
                "conclusion": conclusion.name,
                "form": Form(conclusion.form).value,
                "origin": claim.origin.value,
                "standing": claim.standing_word,
                "verdict": verdict.outcome.value,
                "known": None if verdict.known is None else verdict.known.value,
                "slack": plain(verdict.slack),
                "reason": verdict.reason,
                "unmet": missing,
                "contradicts": violated and not missing and claim.standing in (Standing.TRUE, Standing.OPEN),
            }
        )
    return rows
