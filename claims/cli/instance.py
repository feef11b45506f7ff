"""The command `claims verify --instance`: decides the claims on one instance that the user gives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from claims.certificates.provenance import versions_in_use, write_whole
from claims.cli.formats import GAP, columns_that_fit
from claims.cli.terminal import refuse, terminal, write_json, writing
from claims.instances.drawing import unmet
from claims.instances.files import InstanceError, read_instance
from claims.stating.statement import ALONG_A_FLOW, Claim, Conclusion, Form, Standing, judged_by_runs
from claims.stating.verdict import Outcome, Verdict
from claims.verifying.deciding import Effort
from claims.verifying.enclosing import NoEnclosureError, enclosure
from claims.verifying.tallies import decide, slack_text
from dynamics.checker.trajectory_format import as_text
from dynamics.enclosures.remembered import remembered_enclosures
from dynamics.strict_reading import MOST_BYTES
from dynamics.system import System


def verify_instance(
    claims: list[Claim],
    source: str,
    effort: Effort,
    json_file: Path | None,
    conclusion: str | None = None,
    enclosure_file: Path | None = None,
) -> int:
    """Decide the claims, or one conclusion of them, on the instances that `source` gives; the exit code.

    It is 1 where a statement is contradicted, or nothing was decided of a user's own.
    Raises typer.Exit where none fits, and where an enclosure is asked for of what is not one conclusion along a flow.
    """
    if nothing := judged_by_runs(claims):
        raise refuse(nothing)
    try:
        systems = read_instance(source, [claim.system for claim in claims if claim.file is not None])
    except InstanceError as error:
        raise refuse(str(error)) from None
    # Exactly its class: a subclass has other arrays, or another velocity.
    pairs = [(claim, system) for claim in claims for system in systems if type(system) is claim.system]
    asked = [
        (claim, one, system)
        for claim, system in pairs
        for one in claim.conclusions
        if one.form is not Form.EXPERIMENT and conclusion in (None, one.name)
    ]
    if pairs and not asked and conclusion is not None:
        names = ", ".join(sorted({one.name for claim, _ in pairs for one in claim.conclusions}))
        raise refuse(f"no chosen claim decides a conclusion {conclusion!r} on instances: there are {names}")
    if not asked:
        takes = sorted({claim.system.__name__ for claim in claims})
        given = ", ".join(type(system).__name__ for system in systems)
        raise refuse(f"the instance is a {given}; the chosen claims are about {', '.join(takes)}")
    if enclosure_file is not None:
        along = [f"{claim.id}.{one.name}" for claim, one, _ in asked if one.form in ALONG_A_FLOW]
        if not along:
            raise refuse("--enclosure is of a trajectory: none of the conclusions chosen is decided along one")
        if len(along) > 1:
            text = f"choose one by its claim and --conclusion: {', '.join(along)}"
            raise refuse(f"--enclosure is of one conclusion on one instance: {text}")
    # Conclusions of one flow share its trajectory, which costs most.
    with remembered_enclosures():
        verdicts = [_decide(claim, one, system, effort) for claim, one, system in asked]
    rows = [_row(claim, one, decided, missing) for (claim, one, _), (decided, missing) in zip(asked, verdicts, strict=True)]
    print_rows(terminal(), rows)
    if json_file is not None:
        instances = [system.to_json() for system in systems]
        write_json(json_file, {"versions": versions_in_use(), "instances": instances, "verdicts": rows})
    if enclosure_file is not None:
        for (claim, one, _), (decided, missing) in zip(asked, verdicts, strict=True):
            if one.form in ALONG_A_FLOW:
                outside = f"outside the hypotheses: {', '.join(missing)}" if missing else ""
                try:
                    data = enclosure(claim.id, one.name, decided, outside, MOST_BYTES)
                except NoEnclosureError as error:
                    raise refuse(f"{enclosure_file} is not written, there is no enclosure: {error}") from None
                with writing(enclosure_file):
                    write_whole(enclosure_file, as_text(data))
    # Of the suite's claims other instances decide; a file of one's own may be such that none ever does.
    silent = any(claim.file is not None for claim, *_ in asked) and not any(row["known"] for row in rows)
    return 1 if silent or any(row["contradicts"] for row in rows) else 0


def _decide(claim: Claim, conclusion: Conclusion, system: System, effort: Effort) -> tuple[Verdict, list[str]]:
    """The verdict, and the assumptions that the instance does not meet."""
    missing = [assumption.name for assumption in unmet(claim, conclusion, system)]
    try:
        return decide(conclusion, system, effort, outside=bool(missing)), missing
    except (ArithmeticError, LookupError, StopIteration, ValueError) as error:
        # Numbers of any size reach a formula here: what it cannot bear is said of the instance.
        reason = f"the slack has no value: {error or type(error).__name__}"
        return Verdict(Outcome.UNDECIDED, None, None, reason), missing


VACUOUS = "vacuous"
"""The verdict on an instance about which the statement says nothing."""

LEAST_OF_REMARKS = 36
"""Columns below which remarks stand under the verdicts: a column as narrow would break every word of them."""

LEAST_OF_NAMES = 20
"""Columns that names take at least."""

DROPPED = (3, 1)
"""Columns left out one by one where a terminal is narrow: how a verdict is known, and the form."""


def print_rows(console: Console, rows: Sequence[dict[str, Any]]) -> None:
    """The verdicts, claim by claim. Nothing is cut: where a terminal is narrow names go over several lines."""
    names = ("claim and its conclusions", "form", "verdict", "known", "least slack")
    # Yellow for what says nothing: it must not be taken for one that holds.
    styles = {"HOLDS": "green", "VIOLATED": "red", "UNDECIDED": "yellow", VACUOUS: "yellow"}
    lines: list[tuple[list[Text], str]] = []
    for position, row in enumerate(rows):
        if position == 0 or rows[position - 1]["claim"] != row["claim"]:
            lines.append(([Text(row["claim"], "bold"), *(Text() for _ in names[1:])], row["standing"]))
        told = [row["form"], Text(row["verdict"], styles[row["verdict"]]), row["known"] or "", row["slack"] or ""]
        remarks = [f"outside the hypotheses: {', '.join(row['unmet'])}"] if row["unmet"] else []
        remarks += [row["reason"]] if row["reason"] else []
        lines.append(([Text(f"  {row['conclusion']}"), *map(Text.assemble, told)], "; ".join(remarks)))
    widths = [max(len(name), *(cells[i].cell_len for cells, _ in lines)) for i, name in enumerate(names)]
    # Remarks are sentences, and wrap; a verdict, a slack or a form must not.
    beside = console.width - sum(widths) - GAP * len(widths) >= LEAST_OF_REMARKS
    # Names are folded first here: how a verdict is known says more than a name on one line.
    kept = columns_that_fit(widths, console.width, DROPPED, LEAST_OF_NAMES, LEAST_OF_NAMES)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i in kept:
        table.add_column(names[i], width=widths[i], overflow="fold")
    if beside:
        table.add_column("remarks", overflow="fold")
    for cells, remark in lines:
        table.add_row(*(cells[i] for i in kept), *((Text(remark),) if beside else ()))
    console.print(table)
    # Named again: below the table a remark has lost its row.
    for cells, remark in () if beside else lines:
        if remark:
            console.print(Text.assemble(cells[0], f": {remark}"))


def _row(claim: Claim, conclusion: Conclusion, verdict: Verdict, missing: list[str]) -> dict[str, Any]:
    violated = verdict.outcome is Outcome.VIOLATED
    return {
        "claim": claim.id,
        "conclusion": conclusion.name,
        "form": Form(conclusion.form).value,
        "origin": claim.origin.value,
        "standing": claim.standing_word,
        "verdict": VACUOUS if verdict.outcome is Outcome.HOLDS and verdict.known is None else verdict.outcome.value,
        "known": None if verdict.known is None else verdict.known.value,
        "slack": slack_text(conclusion.form, verdict),
        "reason": verdict.reason,
        "unmet": missing,
        # Outside of the hypotheses, or of a statement that is held false, a violation is what one expects.
        "contradicts": violated and not missing and claim.standing in (Standing.TRUE, Standing.OPEN),
    }
