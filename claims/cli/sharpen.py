"""The command `claims sharpen`: each named constant between a value that is held and one that is refuted."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from flint import fmpq
from rich.table import Column, Table
from rich.text import Text

from claims.campaigns.campaign import Event
from claims.campaigns.durations import in_words, seconds_of
from claims.certificates.constants import ConstantStatus, value_of
from claims.cli.choosing import OwnFiles, Patterns, chosen_claims, own_claims
from claims.cli.ledgers import new_folder, refuse_both, refuse_resuming, run_independent, way_on, write_certificate
from claims.cli.terminal import PLAIN, keep_stdout_for_json, refuse, refuse_missing_folder, terminal, write_json
from claims.proving.exploring import size_of
from claims.sharpening.brackets import WORK
from claims.sharpening.plan import plan_of, settings_of
from claims.stating.plain_text import one_line
from claims.targets.target import TargetError
from dynamics.arithmetic import rational
from dynamics.decimals import outward

USUAL = "0.1%"
"""The width below which a bracket is called sharp."""

BRACKETS = Path("brackets")
"""Where ledgers are kept when no folder is given."""

STYLES = {
    ConstantStatus.SHARP: "green",
    ConstantStatus.IN_THE_LIMIT: "green",
    ConstantStatus.IMPROVABLE: "magenta",
    ConstantStatus.REFUTED: "red",
}


def sharpen_constants(
    patterns: Patterns = None,
    files: OwnFiles = None,
    only: Annotated[
        list[str] | None, typer.Option("--constant", metavar="NAME", help="Only constants of this name (repeatable).")
    ] = None,
    around: Annotated[
        list[str] | None,
        typer.Option("--around", metavar="NAME=VALUE", help="Another value to begin from, in place of the printed one."),
    ] = None,
    size: Annotated[
        str | None, typer.Option("--size", metavar="n=3,d=1", help="Instances of this size only; of every size by default.")
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(help="The most time for one constant, 30s or 2m; what it finds then depends on the machine."),
    ] = None,
    starts: Annotated[int | None, typer.Option(min=1, help="Instances that are looked at for one constant.")] = None,
    to: Annotated[
        str, typer.Option("--to", metavar="PERCENT", help="A constant with a narrower bracket is called sharp.")
    ] = USUAL,
    seed: Annotated[int, typer.Option(min=0, help="Without --budget, reproduces what is refuted.")] = 0,
    jobs: Annotated[int | None, typer.Option(min=1, help="Local processes; as many as cores by default.")] = None,
    cluster: Annotated[str | None, typer.Option(metavar="tcp://HOST:PORT", help="A running Dask scheduler.")] = None,
    out: Annotated[Path | None, typer.Option(help="A folder for the ledger and the certificates.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Continue in this folder.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write every bracket to this file.")] = None,
) -> None:
    """Bracket the named constants of inequalities between a value that is held and a stronger one that is refuted.

    A bracket goes from the value that is held, or the best one proved, to the nearest one that an instance refutes; the
    instance is a certificate, which `claims check` confirms. A better value is proved at small sizes only.

    Exits 0 when it is over, 1 if a printed value of a statement not held false was refuted, 2 on bad usage, 3 if work
    was lost.
    """
    keep_stdout_for_json(json_file)
    refuse_missing_folder(json_file)
    refuse_both(jobs, cluster)
    settings: dict[str, Any] | None = None
    if resume is not None:
        given: dict[str, Any] = {"PATTERN": patterns, "--file": files, "--constant": only, "--around": around}
        given |= {"--size": size, "--budget": budget, "--starts": starts, "--out": out, "--seed": seed}
        given["--to"] = to != USUAL and to  # the usual width cannot be told from none that was given
        refuse_resuming("sharpening", resume, given)
        folder = resume
    else:
        claims = chosen_claims(patterns, own_claims(files))
        try:
            sized = size_of(size) if size else None
            seconds = seconds_of(budget) if budget else None
            command = shlex.join(["claims", *sys.argv[1:]])
            width = _width(to)
            settings = settings_of(claims, only or [], around or [], sized, seconds, starts, seed, command, width)
        except (ValueError, TargetError) as error:
            raise refuse(str(error)) from None
        folder = out or new_folder(BRACKETS, patterns or [file.stem for file in files or ()], seed)
    ended = run_independent("sharpen", folder, settings, plan_of, WORK, (cluster, jobs or os.cpu_count() or 1), _told)
    found = ended.plan.found
    paths = {k: write_certificate(folder, one["certificate"]) for k, one in enumerate(found) if "certificate" in one}
    _print_found(found, paths)
    terminal().print(f"{len(found)} constants, {in_words(ended.plan.work)} of work")
    if json_file is not None:
        write_json(json_file, {"brackets": found})
    code = ended.code(way_on("sharpen", folder))
    # That a value of --around is refuted, or one of a statement known to be false, is what was asked, and no news.
    wrong = (one["word"] == ConstantStatus.REFUTED and not one.get("held_false") and "printed" not in one for one in found)
    raise typer.Exit(code or int(any(wrong)))


def _width(text: str) -> str:
    """The width of "0.1%" as an exact part. Raises ValueError."""
    parts = re.fullmatch(r"(\d+)(?:\.(\d+))?%", text.strip())
    if not parts:
        raise ValueError(f"{text!r} is no width: write 1% or 0.1%")
    # By its digits: 0.1 % as a float is no part that a rational bracket is compared with.
    places = len(parts[2] or "")
    width = fmpq(int(parts[1] + (parts[2] or "")), 100 * 10**places)
    if not 0 < width < 1:
        raise ValueError(f"{text!r} is no width between 0% and 100%")
    return str(width)


def _told(event: Event) -> str:
    found = event.result
    return f"{found['claim']}.{found['conclusion']}, {found['constant']}: {_word(found)} {value_of(found)}"


def _word(one: dict[str, Any]) -> str:
    """The word of a bracket; a value from --around is not the printed one."""
    return "refuted" if one["word"] == ConstantStatus.REFUTED and "printed" in one else str(one["word"])


def _room(one: dict[str, Any]) -> str:
    """The room as a part of the value; of zero, and of whole numbers, as it is."""
    if "room" not in one:
        return ""
    room = rational(one["room"])
    # Of zero no value is a part, and between whole numbers there is none to be found.
    plain = one.get("whole") or rational(one["value"]) == 0
    return str(room) if plain else f"{outward(room * 100, 1, 3)} %"


def _print_found(found: list[dict[str, Any]], paths: dict[int, Path]) -> None:
    console = terminal()
    short = (Column(name, no_wrap=True) for name in ("value", "held .. refuted", "room", "", "at"))
    table = Table(Column("constant", max_width=84), *short, **PLAIN)
    heading = ""
    for one in found:
        if one["claim"] != heading:
            heading = one["claim"]
            table.add_row(Text(heading, "bold"))
        word = ConstantStatus(one["word"])
        name = Text(f"  {one['conclusion']}: {one['constant']}")
        shown = "" if word is ConstantStatus.NONE else value_of(one)
        styled = Text(_word(one), STYLES.get(word, ""))
        table.add_row(name, one["value"], shown, _room(one), styled, one.get("size", ""))
    console.print(table)
    for index, one in enumerate(found):
        if one["word"] == ConstantStatus.IMPROVABLE:
            proved = one["proved"]
            text = f"{one['claim']}.{one['conclusion']}: {one['constant']} = {proved['value']} is proved for all "
            console.print(Text(text + "; ".join(proved["for_all"])), soft_wrap=True)
        if one["word"] == ConstantStatus.IN_THE_LIMIT:
            text = f"{one['claim']}.{one['conclusion']}: {one['constant']} is sharp as {one['along']}, rooms in floats "
            console.print(Text(text + ", ".join(f"{room:g}" for room in one["rooms"])), soft_wrap=True)
        # What a line says is to be checked without this suite's word for it.
        if index in paths:
            own = "--run-source " if one["certificate"].get("source") else ""
            console.print(Text(f"    claims check {own}{shlex.quote(str(paths[index]))}"), soft_wrap=True)
        if "no_certificate" in one:
            text = f"{one['claim']}.{one['conclusion']}: {one['constant']} = {one['refuted']} has no certificate: "
            console.print(Text(text + one_line(one["no_certificate"]), "yellow"), soft_wrap=True)
    counts = Counter(map(_word, found))
    console.print(", ".join(f"{count} {word}" for word, count in counts.most_common()))
