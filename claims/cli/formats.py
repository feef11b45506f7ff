"""What `claims verify` found, as a table, JSON, JUnit's XML, Markdown, or annotations of a GitHub workflow."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from rich.console import Console
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

from claims.cli.terminal import PLAIN
from claims.cli.wording import BORNE_OUT, brief_of, compact, how_decided, verdict_text
from claims.stating.experiments import Word
from claims.stating.plain_text import one_line
from claims.stating.statement import Claim, Form, Standing, replay_command
from claims.verifying.tallies import Tally
from claims.verifying.tasks import Report


class Format(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    GITHUB = "github"
    JUNIT = "junit"
    MARKDOWN = "markdown"


LEAST_OF_INSTANCE = 24
"""Columns below which the instance that attains a slack is left out: it is in the JSON file."""

GAP = 3
"""Columns that a column takes beside its text, at most."""

LEAST_OF_NAMES = 16
"""Columns that names take at least, where they and the verdicts are all that is left."""

DROPPED = (2, 3, 4)
"""Columns that are left out one by one where a terminal is narrow: from the least to the most telling, and no verdict."""


def _word_of(report: Report) -> tuple[str, str]:
    if report.is_news:
        return "NEWS: VIOLATED", "bold red"
    if report.unfinished:  # what is decided so far would pass for the whole
        return "stopped before it was decided", "dim"
    if report.standing is Standing.EMPIRICAL:
        read = [reading["word"] for tally in report.tallies for reading in tally.readings]
        run = sum(word != Word.NOT_RECORDED for word in read)
        return (f"{read.count(Word.BORNE_OUT)} of {run} comparisons borne out", "") if run else ("not recorded", "dim")
    return BORNE_OUT[report.borne_out]


def columns_that_fit(widths: list[int], room: int, dropped: Sequence[int], whole: int, least: int) -> list[int]:
    """The columns of a table that are kept; where even these do not fit the first is made narrower in `widths`.

    Those of `dropped` go one by one until the first has room for `whole`; then it takes what is left, `least` or more.
    """
    kept = list(range(len(widths)))
    for column in dropped:
        if whole + GAP + sum(widths[i] + GAP for i in kept[1:]) > room:
            kept.remove(column)
    # Names go over several lines: what stands beside them is never cut.
    widths[0] = max(least, min(widths[0], room - sum(widths[i] + GAP for i in kept[1:]) - GAP))
    return kept


def print_table(console: Console, reports: Sequence[Report]) -> None:
    """A row for each claim and each conclusion, with the columns that fit."""
    names = ["claim and its conclusions", "verdict", "form", "how decided", "tightest"]
    rows: list[tuple[list[Text], Tally | None]] = []
    for report in reports:
        word, style = _word_of(report)
        head = [Text(report.claim, "bold"), Text.assemble(f"{report.standing_word}: ", (word, style))]
        rows.append(([*head, *(Text() for _ in names[2:])], None))
        for one in report.tallies:
            told = [one.form, how_decided(one), brief_of(one)]
            rows.append(([Text(f"  {one.name}"), verdict_text(one), *map(Text, told)], one))
    widths = [
        max(len(name), *(Measurement.get(console, console.options, row[i]).maximum for row, _ in rows), 1)
        for i, name in enumerate(names)
    ]
    if not console.is_terminal:  # nothing is narrow there, and a program reads whole rows
        console.width = max(console.width, sum(widths) + GAP * len(widths))
    kept = columns_that_fit(widths, console.width, DROPPED, widths[0], LEAST_OF_NAMES)
    left = console.width - sum(widths[i] + GAP for i in kept)
    attained = console.is_terminal and len(kept) == len(names) and left > LEAST_OF_INSTANCE
    table = Table(**PLAIN)
    for i in kept:
        table.add_column(names[i], width=widths[i], overflow="fold", justify="right" if i == 4 else "left")
    if attained:
        table.add_column("attained at", no_wrap=True)
    for row, tally in rows:
        found = tally and (tally.tightest or tally.violation)
        place = (compact(found["instance"] if found else {}, left - GAP),) if attained else ()
        table.add_row(*(row[i] for i in kept), *place)
    console.print(table)


def print_papers(console: Console, reports: Sequence[Report], claims: Sequence[Claim]) -> None:
    """A row for each paper: how many statements there are, what became of them, and how many instances are open."""
    papers = {claim.id: claim.paper.key for claim in claims}
    # One column for each standing, and each claim in one of them: what is not borne out is in its own alone.
    names = ["paper", "statements", "true", "false", "open", "empirical", "not yet", "NOT BORNE OUT", "UNDECIDED instances"]
    table = Table(names[0], *(Column(name, justify="right") for name in names[1:]), **PLAIN)
    for paper in dict.fromkeys(papers.values()):
        own = [report for report in reports if papers[report.claim] == paper]
        broken = sum(report.borne_out is False for report in own)
        kinds = Counter(report.standing for report in own if report.borne_out is not False)
        counts = [len(own), *(kinds[one] for one in Standing)]
        undecided = sum(tally.undecided for one in own for tally in one.tallies if tally.form != Form.EXPERIMENT)
        style = "bold red" if broken else ""
        table.add_row(paper, *map(str, counts), Text(str(broken), style), str(undecided))
    console.print(table)


def markdown_report(reports: Sequence[Report]) -> str:
    """A table in Markdown, and how many standings are borne out."""
    lines = ["| claim | conclusion | standing | verdict | how decided | tightest |", "|---|---|---|---|---|---|"]
    for report in reports:
        for tally in report.tallies:
            told = [report.claim, tally.name, f"{report.standing_word}: {_word_of(report)[0]}", verdict_text(tally).plain]
            told += [how_decided(tally), brief_of(tally)]
            lines.append("| " + " | ".join(_cell(one) for one in told) + " |")
    return "\n".join([*lines, "", _borne_out(reports)])


def _borne_out(reports: Sequence[Report]) -> str:
    verdicts = [report.borne_out for report in reports if report.borne_out is not None]
    return f"{sum(verdicts)} of {len(verdicts)} standings borne out"


def _cell(text: str) -> str:
    # A bar would end the cell, "<a|b>" would be a tag, and a backslash would take what follows it.
    return one_line(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def junit(reports: Sequence[Report], missing: Sequence[str] = ()) -> str:
    """JUnit's XML: a test case for each conclusion, failed where the standing of its claim is not borne out.

    What is missing of a run is an error of its own.
    """
    root = ET.Element("testsuites")
    for report in reports:
        # A standing is of a claim: which of its conclusions failed it, the message of each tells.
        failed = report.borne_out is False
        suite = ET.SubElement(
            root, "testsuite", name=report.claim, tests=str(len(report.tallies)), time=f"{report.seconds:.3f}",
            failures=str(len(report.tallies) if failed else 0),
        )  # fmt: skip
        for tally in report.tallies:
            case = ET.SubElement(suite, "testcase", classname=report.claim, name=tally.name)
            if failed:
                told = f"held to be {report.standing_word}: {verdict_text(tally).plain}; {report.why}"
                ET.SubElement(case, "failure", message=one_line(told)).text = _counterexample(report, tally)
    if missing:  # an error and no failure: nothing was found wrong of what nobody decided
        suite = ET.SubElement(root, "testsuite", name="missing", tests=str(len(missing)), errors=str(len(missing)))
        for told in missing:
            case = ET.SubElement(suite, "testcase", classname="missing", name=one_line(told))
            ET.SubElement(case, "error", message=one_line(told))
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode")


def _counterexample(report: Report, tally: Tally) -> str:
    found = tally.violation
    if found is None:
        return ""
    slack = one_line(f"{tally.name} = {found['slack']}")
    return f"{slack}\n{replay_command(report.named, found['instance'])}"


def github(reports: Sequence[Report]) -> str:
    """An error for each standing that is not borne out, with the counterexample, and one line for the rest.

    It stands at the file of a user's own claim. See :func:`step_summary`.
    """
    lines = []
    for report in reports:
        if report.borne_out is False:
            text = "; ".join([*(f"{one.name}: {verdict_text(one).plain}" for one in report.tallies), report.why])
            place = f"title={_escaped(report.claim, ':,')}"
            if report.file is not None:  # the annotation then stands in the change that is reviewed
                place = f"file={_escaped(report.file, ':,')},line=1,{place}"
            found = filter(None, (_counterexample(report, one) for one in report.tallies))
            shown = "\n".join([f"held to be {report.standing_word}: {text}", *found])
            lines.append(f"::error {place}::{_escaped(shown)}")
    return "\n".join([*lines, f"::notice title=claims::{_borne_out(reports)}"])


def _escaped(text: str, also: str = "") -> str:
    # The percent sign first: it is what the others become.
    for character in "%\r\n" + also:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def step_summary(reports: Sequence[Report]) -> None:
    """Add the table to the summary of the workflow's step, where there is one. Raises OSError."""
    if file := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(file).open("a", encoding="utf-8") as summary:
            summary.write(markdown_report(reports) + "\n")
