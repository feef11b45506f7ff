"""The command line: list the claims, show one, verify them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from flint import arb
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from claims.catalogue import claims_by_id
from claims.checking import Effort
from claims.dropping import Drop, DropError, Finding, assumptions_of, drop, tasks_without
from claims.hunting.certificates import versions_in_use
from claims.hunting.command import hunt_claims
from claims.hunting.necessity import entries_of
from claims.instance_files import InstanceError, read_instance
from claims.instances import unmet
from claims.mutating.command import mutate_claims
from claims.plain_text import one_line
from claims.statement import Assumption, Claim, Form, Known, Outcome, Standing, Verdict
from claims.terminal import LONGEST_REPLAY, NARROWEST, OwnFiles, Plain, chosen, own_claims, refuse, terminal, write_json
from claims.verification import EXPERIMENT_STEPS, PROFILES, Report, Tally, Task, decide, plain, verify
from dynamics.system import System

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Theorems about attention dynamics, decided: exactly, by certificate, or by a test with a stated error.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)

BORNE_OUT = {True: ("borne out", "green"), False: ("NOT BORNE OUT", "bold red"), None: ("nothing to check", "dim")}


def _summary(claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.id,
        "refs": list(claim.refs),
        "paper": claim.paper.key,
        "statement": claim.statement,
        "origin": claim.origin.value,
        "standing": claim.standing_word,
        "corrected_by": claim.corrected_by,
        "assumptions": [assumption.name for assumption in claim.assumptions],
        "conclusions": [conclusion.name for conclusion in claim.conclusions],
    }


# ---------------------------------------------------------------------------------------------------------------------
# list, show

STYLES = {
    Standing.TRUE: "green",
    Standing.FALSE: "red",
    Standing.OPEN: "yellow",
    Standing.NOT_YET: "dim",
}


@app.command("list")
def list_claims(
    patterns: Annotated[list[str] | None, typer.Argument(help="Ids, globs, papers or references; all by default.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    files: OwnFiles = None,
) -> None:
    """List the claims: where each is printed, and what we believe of it."""
    claims = chosen(patterns, own_claims(files))
    if as_json:
        typer.echo(json.dumps([_summary(claim) for claim in claims], indent=2))
        return
    table = Table("claim", "refs", "origin", "standing", "statement")
    for claim in claims:
        standing = Text(claim.standing_word, STYLES[claim.standing])
        table.add_row(claim.id, ", ".join(claim.refs), claim.origin.value, standing, Text(claim.statement))
    terminal().print(table)


@app.command()
def show(
    claim_id: Annotated[
        str | None, typer.Argument(metavar="ID", help="A claim's id, or a part that only it has.", show_default=False)
    ] = None,
    files: OwnFiles = None,
) -> None:
    """Show one claim: source, statement, assumptions, conclusions with their constants, standing."""
    mine = own_claims(files)
    if claim_id is None and not mine:
        raise refuse("which claim? give an ID, or --file FILE; `claims list` shows the ids")
    claims = chosen([claim_id] if claim_id else None, mine)
    exact = [claim for claim in claims if claim_id in (claim.id, claim.id.split(".")[-1])]
    if len(exact or claims) > 1:
        ids = ", ".join(claim.id for claim in claims)
        raise refuse(f"{claim_id!r} is a part of several ids: {ids}" if claim_id else f"give one ID of {ids}")
    claim = (exact or claims)[0]
    console = terminal()
    console.print(Text.assemble((claim.id, "bold"), f" ({', '.join(claim.refs)})" if claim.refs else ""))
    console.print(Text(f"{claim.paper}: {claim.where}" if claim.where else str(claim.paper)))
    console.print(Text(f"\n{claim.statement}\n", "italic"))
    console.print(Text(f"origin: {claim.origin.value}"))
    console.print(Text("standing: "), Text(claim.standing_word, STYLES[claim.standing]))
    if claim.note:
        console.print(Text(claim.note))
    if claim.corrected_by:
        corrected = claims_by_id(mine).get(claim.corrected_by)
        console.print(Text(f"corrected by: {claim.corrected_by}" + (f" -- {corrected.statement}" if corrected else "")))
    console.print(Text(f"system: {claim.system.__name__} -- {_first_line(claim.system.__doc__)}"))
    for name, field in claim.system.fields().items():
        axes = f"({', '.join(field.axes)})" if field.axes else "number"
        optional = "" if field.default is None else ", may be left out"
        alias = f" or {field.alias}" if field.alias else ""
        console.print(Text(f"    {name}{alias}: {axes}, {field.meaning}{optional}"))
    for assumption in assumptions_of(claim).values():
        where = "" if assumption in claim.assumptions else " (for some conclusions)"
        console.print(Text(f"assumes {assumption.name}{where}: {assumption.statement} {_about(assumption)}"))
    for conclusion in claim.conclusions:
        own = claim.assumptions_of(conclusion)
        scope = "" if own == claim.assumptions else f" [assuming {', '.join(a.name for a in own) or 'nothing'}]"
        constants = "".join(f", {name} = {value}" for name, value in conclusion.constants.items())
        console.print(Text(f"concludes {conclusion.name} ({conclusion.form}, {conclusion.relation}{constants}){scope}:"))
        console.print(Text(f"    {conclusion.meaning}"))
    _print_necessity(console, claim)


def _print_necessity(console: Console, claim: Claim) -> None:
    """For each assumption the counterexample without it, or the tightest slack and the number of starts."""
    entries = entries_of(claim.id)
    if not entries:
        return
    console.print(Text("\nhunted:"))
    table = Table("without", "conclusion", "finding", "slack", "where", box=box.SIMPLE_HEAD, pad_edge=False)
    for entry in entries:
        found = entry.get("counterexample")
        shown = found or entry.get("tightest") or {"slack": "", "instance": {}}
        finding = Text("counterexample", "red") if found else Text(f"none in {entry['starts']} starts", "green")
        without = ", ".join(entry.get("dropped", ())) or "(as it is)"
        table.add_row(without, entry["conclusion"], finding, _brief(shown["slack"]), _compact(shown["instance"], 72))
    console.print(table)


def _about(assumption: Assumption) -> str:
    dropped = "cannot be dropped: no violation is known" if assumption.violate is None else "can be dropped"
    return f"[{assumption.label}; {dropped}]" if assumption.label else f"[{dropped}]"


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n")[0]


# ---------------------------------------------------------------------------------------------------------------------
# verify


@app.command("verify")
def verify_claims(
    patterns: Annotated[list[str] | None, typer.Argument(help="Ids, globs, papers or references; all by default.")] = None,
    examples: Annotated[int | None, typer.Option(min=1, help="Instances of each state or step conclusion.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Reproduces a run exactly.")] = 0,
    profile: Annotated[str, typer.Option(help=f"How many instances: {', '.join(PROFILES)}.")] = "ci",
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; as many as cores by default.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write everything found to this file.")] = None,
    instance: Annotated[str | None, typer.Option(help="Decide one instance: a JSON or .npz file, or JSON text.")] = None,
    dropped: Annotated[
        list[str] | None,
        typer.Option(
            "--drop",
            metavar="NAME",
            help="Decide without this assumption; several are dropped together. 'each': every one, one at a time.",
        ),
    ] = None,
    precision: Annotated[int, typer.Option(help="Cap on the precision, in bits.")] = Effort().bits,
    files: OwnFiles = None,
) -> None:
    """Decide claims on many instances, or on one of your own, and hold the verdicts against the standings.

    With --drop, decide them on instances that break the assumption and nothing else, and say whether it is needed.

    Exits 0 when the verdicts bear the standings out, 1 when not, or when an open claim is violated, 2 on bad usage.
    Dropping breaks no standing.
    """
    claims = chosen(patterns, own_claims(files))
    if profile not in PROFILES:
        raise refuse(f"unknown profile {profile!r}: there are {', '.join(PROFILES)}")
    try:
        effort = Effort(bits=precision, steps=EXPERIMENT_STEPS[profile])
    except ValueError as error:
        raise refuse(str(error)) from None
    if json_file is not None and not json_file.parent.is_dir():
        raise refuse(f"{json_file} cannot be written: its folder does not exist")
    if dropped and instance is not None:
        raise refuse("--drop builds its own instances: with --instance, what the instance breaks is named in the verdict")
    if instance is not None:
        raise typer.Exit(_verify_instance(claims, instance, effort, json_file))
    began = time.perf_counter()
    examples, jobs = examples or PROFILES[profile], jobs or os.cpu_count() or 1
    if dropped:
        try:
            drops = _run_without(tasks_without(claims, dropped), examples, seed, effort, jobs)
        except DropError as error:
            raise refuse(str(error)) from None
        _print_drops(drops, claims, time.perf_counter() - began)
        if json_file is not None:
            found = [_drop_json(found) for found in drops]
            write_json(json_file, {"seed": seed, "versions": versions_in_use(), "drops": found})
        return
    reports = _run(claims, examples, seed, effort, jobs)
    _print_reports(reports, claims, time.perf_counter() - began)
    if json_file is not None:
        write_json(
            json_file, {"seed": seed, "versions": versions_in_use(), "claims": [_report_json(report) for report in reports]}
        )
    raise typer.Exit(1 if any(report.borne_out is False for report in reports) else 0)


def _progress() -> Progress:
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Plain(stderr=True), transient=True)


def _run(claims: list[Claim], examples: int, seed: int, effort: Effort, jobs: int) -> list[Report]:
    reports: dict[str, Report] = {}
    with _progress() as progress:
        task = progress.add_task("verifying", total=sum(len(claim.conclusions) for claim in claims))
        for event in verify(claims, examples, seed, effort, jobs):
            if isinstance(event, Report):
                reports[event.claim] = event
            else:
                progress.update(task, advance=1, description=event)
    return [reports[claim.id] for claim in claims]


def _report_json(report: Report) -> dict[str, Any]:
    return {
        "id": report.claim,
        "refs": list(report.refs),
        "origin": report.origin.value,
        "standing": report.standing_word,
        "borne_out": report.borne_out,
        "news": report.is_news,
        "seconds": round(report.seconds, 3),
        "conclusions": [_tally_json(tally) for tally in report.tallies],
    }


def _tally_json(tally: Tally) -> dict[str, Any]:
    return {
        "name": tally.name,
        "form": tally.form,
        "instances": tally.instances,
        "holds": tally.holds,
        "violated": tally.violated,
        "undecided": tally.undecided,
        "vacuous": tally.vacuous,
        "touched": tally.touched,
        "screened": tally.screened,
        "decided_by": {str(known): count for known, count in sorted(tally.decided_by.items())},
        "kinds": dict(sorted(tally.kinds.items())),
        "undecided_because": dict(tally.reasons),
        "tightest": tally.tightest,
        "counterexample": tally.violation,
        "mpmath_digits": None if tally.agreement is None else round(tally.agreement, 1),
    }


def _compact(instance: dict[str, Any], longest: int) -> str:
    """An instance on one line of at most `longest` characters."""
    parts = (f"{key}={json.dumps(value, separators=(',', ':'))}" for key, value in instance.items() if key != "system")
    text = " ".join(parts).replace('"', "")
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _print_reports(reports: list[Report], claims: list[Claim], seconds: float) -> None:
    console = terminal()
    wide = console.width >= NARROWEST - 30
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("claim and its conclusions", no_wrap=True, width=58 if wide else 36)
    table.add_column("verdict", no_wrap=True, min_width=27)
    table.add_column("form", no_wrap=True, min_width=11)
    table.add_column("tried", justify="right", min_width=5)
    table.add_column("how decided", no_wrap=True, min_width=22 if wide else 12)
    table.add_column("tightest", justify="right", no_wrap=True, min_width=10)
    if wide:
        table.add_column("attained at", no_wrap=True)
    for report in reports:
        word, style = ("NEWS: VIOLATED", "bold red") if report.is_news else BORNE_OUT[report.borne_out]
        table.add_row(Text(report.claim, "bold"), Text.assemble(f"{report.standing_word}: ", (word, style)))
        for tally in report.tallies:
            shown = tally.tightest or tally.violation or {"slack": None, "instance": {}}
            cells = (f"  {tally.name}", _verdict(tally), tally.form, str(tally.instances), _decided(tally))
            attained = (_compact(shown["instance"], console.width - 139),) if wide else ()
            table.add_row(*cells, _brief(shown["slack"]), *attained)
    console.print(table)
    if not wide:
        console.print("(the instances that attain the slacks need a wider terminal, or --json FILE)")
    _print_standings(console, reports, claims)
    known = sum((tally.decided_by for report in reports for tally in report.tallies), Counter[str]())
    tallies = [tally for report in reports for tally in report.tallies]
    undecided, vacuous, screened = (sum(getattr(t, name) for t in tallies) for name in ("undecided", "vacuous", "screened"))
    decided = ", ".join(f"{known[how.value]} {how}" for how in Known)
    console.print(f"decided: {decided}; UNDECIDED: {undecided}; said nothing: {vacuous}; float64 starts: {screened}")
    kinds = sum((tally.kinds for tally in tallies), Counter[str]())
    console.print(f"kinds of start: {', '.join(f'{kind} {count}' for kind, count in kinds.most_common())}")
    digits = [tally.agreement for tally in tallies if tally.agreement is not None]
    if digits:
        console.print(
            f"mpmath agrees with the balls to {min(digits):.0f} digits or more on {len(digits)} tightest instances"
        )
    borne, waiting = (sum(report.borne_out is verdict for report in reports) for verdict in (True, None))
    later = f", {waiting} not yet checked," if waiting else ""
    console.print(f"{borne} of {len(reports) - waiting} standings borne out{later} in {seconds:.1f} s")


def _brief(slack: str | None) -> str:
    """A slack to four digits; short rationals as they are."""
    return slack or "" if slack is None or len(slack) <= 9 or "/" in slack else str(arb(slack).str(4, radius=False))


def _decided(tally: Tally) -> str:
    return ", ".join(f"{count} {known}" for known, count in sorted(tally.decided_by.items()))


def _verdict(tally: Tally) -> Text:
    parts = [
        (tally.violated, "VIOLATED", "red"),
        (tally.holds, "survived", "green"),
        (tally.undecided, "UNDECIDED", "yellow"),
        (tally.vacuous, "said nothing", "dim"),
    ]
    text = Text()
    for count, word, style in parts:
        if count:
            text.append(f"{', ' if text else ''}{word} {count}", style)
    return text


def _print_standings(console: Console, reports: list[Report], claims: list[Claim]) -> None:
    by_id = {claim.id: claim for claim in claims}
    for report in reports:
        violations = [(tally, tally.violation) for tally in report.tallies if tally.violation]
        if report.is_news:
            console.print(Text(f"NEWS: {report.claim} is open, and VIOLATED: it is false", "bold red"))
        elif report.borne_out is False:
            console.print(Text(f"NOT BORNE OUT: {report.claim} is held to be {report.standing_word}", "bold red"))
        elif report.standing is Standing.FALSE:
            fix = by_id[report.claim].corrected_by
            console.print(Text(f"{report.standing_word}: {report.claim}" + (f" (corrected: {fix})" if fix else ""), "red"))
        for tally, found in violations:
            _print_violation(console, by_id[report.claim], tally.name, found)


def _print_violation(console: Console, claim: Claim, name: str, found: dict[str, Any]) -> None:
    """The slack of a violating instance, and a command that replays it."""
    how = ", ".join(filter(None, (found["known"], found["reason"])))
    console.print(Text(f"  {name} = {found['slack']}, {one_line(how)}"))
    text = json.dumps(found["instance"], separators=(",", ":"))
    if len(text) <= LONGEST_REPLAY:
        console.print(Text(f"    claims verify {claim.named} --instance '{text}'"), soft_wrap=True)
    else:
        console.print(Text(f"    an instance of {len(text)} characters: run with --json FILE to keep it"))


# ---------------------------------------------------------------------------------------------------------------------
# verify --drop

FOUND = {
    Finding.NEEDED: "red",
    Finding.NOT_NEEDED: "green",
    Finding.VIOLATED: "red",
    Finding.SURVIVED: "green",
    Finding.UNDECIDED: "yellow",
    Finding.SAYS_NOTHING: "dim",
    Finding.NOT_BUILT: "bold yellow",
    Finding.CANNOT_BE_DROPPED: "dim",
}


def _run_without(tasks: list[Task], examples: int, seed: int, effort: Effort, jobs: int) -> list[Drop]:
    found: dict[int, Drop] = {}
    with _progress() as progress:
        bar = progress.add_task("dropping", total=len(tasks))
        for position, one in drop(tasks, examples, seed, effort, jobs):
            found[position] = one
            progress.update(bar, advance=1, description=f"{one.claim}: {_without(one)}")
    return [found[position] for position in range(len(tasks))]


def _without(found: Drop) -> str:
    return f"{found.tally.name} without {', '.join(found.tally.dropped)}"


def _drop_json(found: Drop) -> dict[str, Any]:
    tally = found.tally
    return {
        "claim": found.claim,
        "refs": list(found.refs),
        "origin": found.origin.value,
        "standing": found.standing_word,
        "dropped": list(tally.dropped),
        "finding": found.finding.value,
        "no_violation_known": list(found.unbreakable),
        "missed": dict(sorted(tally.missed.items())),
        "seconds": round(found.seconds, 3),
        "conclusion": _tally_json(tally),
    }


def _print_drops(drops: list[Drop], claims: list[Claim], seconds: float) -> None:
    console = terminal()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("claim and its conclusions, without an assumption", max_width=66)
    table.add_column("finding", max_width=48)
    table.add_column("how decided", no_wrap=True)
    table.add_column("form", no_wrap=True)
    table.add_column("slack", justify="right", no_wrap=True)
    for position, found in enumerate(drops):
        if position == 0 or drops[position - 1].claim != found.claim:
            table.add_row(Text(found.claim, "bold"), found.standing_word)
        shown = found.tally.violation or found.tally.tightest or {"slack": None}
        cells = (Text(f"  {_without(found)}"), _finding(found), _decided(found.tally), found.tally.form)
        table.add_row(*cells, _brief(shown["slack"]))
    console.print(table)
    heading, by_id = "", {claim.id: claim for claim in claims}
    for found in drops:
        remark = _remark(found)
        if heading != found.claim and (remark or found.tally.violation):
            heading = found.claim
            console.print(Text(f"{found.claim} ({found.standing_word})", "bold"))
        if remark:
            console.print(Text(f"  {_without(found)}: {remark}"))
        if found.tally.violation:
            _print_violation(console, by_id[found.claim], _without(found), found.tally.violation)
    counts = Counter(found.finding for found in drops)
    told = ", ".join(f"{counts[finding]} {finding}" for finding in Finding if counts[finding])
    undecided, screened = (sum(getattr(found.tally, name) for found in drops) for name in ("undecided", "screened"))
    console.print(f"{len(drops)} searches without an assumption: {told}")
    console.print(f"UNDECIDED: {undecided}; float64 starts: {screened}; {seconds:.1f} s")


def _remark(found: Drop) -> str:
    """Why a search found nothing, where it did not."""
    tally = found.tally
    if found.finding is Finding.NOT_BUILT:
        return f"no start breaks just this: {', '.join(f'{n} {reason}' for reason, n in tally.missed.most_common())}"
    if found.finding is Finding.UNDECIDED:
        reason, count = tally.reasons.most_common(1)[0]
        return f"UNDECIDED {tally.undecided}, {count} because {reason}"
    return ""


def _finding(found: Drop) -> Text:
    """The finding with its counts; every instance counted breaks exactly what is dropped."""
    tally = found.tally
    told = {
        Finding.NEEDED: f"needed: VIOLATED {tally.violated}, survived {tally.holds}",
        Finding.NOT_NEEDED: f"not needed in {tally.holds} starts",
        Finding.VIOLATED: f"VIOLATED {tally.violated}, survived {tally.holds}",
        Finding.SURVIVED: f"survived {tally.holds}",
        Finding.NOT_BUILT: "not built: no start breaks just this",
        Finding.CANNOT_BE_DROPPED: "cannot be dropped: no violation is known",
    }
    text = Text(told.get(found.finding, ""), FOUND[found.finding])
    if len(tally.dropped) > 1 and found.unbreakable:
        text.append(f" of {', '.join(found.unbreakable)}")
    for count, word, style in ((tally.undecided, "UNDECIDED", "yellow"), (tally.vacuous, "said nothing", "dim")):
        if count:
            text.append(f"{', ' if text else ''}{word} {count}", style)
    return text


# ---------------------------------------------------------------------------------------------------------------------
# verify --instance


def _verify_instance(claims: list[Claim], source: str, effort: Effort, json_file: Path | None) -> int:
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


# ---------------------------------------------------------------------------------------------------------------------
# hunt, check

app.command("hunt")(hunt_claims)
app.command("mutate")(mutate_claims)


@app.command("check")
def check_certificates(
    certificates: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Certificates of counterexamples.")],
    run_source: Annotated[
        bool, typer.Option("--run-source", help="Run the claim's own source where a certificate carries one: it is code.")
    ] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the findings to this file.")] = None,
) -> None:
    """Decide certificates again with mpmath's intervals and fractions alone, in a process of their own.

    Exits 0 when all are CONFIRMED, 1 when one is NOT CONFIRMED, 2 for a file that is none, 3 when one cannot be decided.
    """
    # Neither flint nor the code that decided may be loaded there: a process of its own makes sure.
    options = [*(["--run-source"] if run_source else []), *(["--json", str(json_file)] if json_file else [])]
    command = [sys.executable, "-m", "claims.second_check", *options, "--", *map(str, certificates)]
    raise typer.Exit(subprocess.run(command, check=False).returncode)  # noqa: S603 -- ourselves


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # What a terminal of few letters cannot print is escaped: an error there would look like a refutation.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app()
