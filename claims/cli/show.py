"""The commands `claims list` and `claims show`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from claims.atlas.sheets.typed import typed
from claims.certificates.constants import bracket_in_words, brackets_of
from claims.certificates.necessity import entries_of
from claims.certificates.published import certificate_of, name_of
from claims.cli.choosing import (
    OwnFiles,
    Patterns,
    RunSource,
    chosen_claims,
    offering,
    own_claims,
    own_of_certificate,
    papers_and_ids,
)
from claims.cli.terminal import PLAIN, refuse, terminal
from claims.cli.wording import assigned, brief, print_replay
from claims.proving.accepted import proofs_of, theorems
from claims.stating.catalogue import catalogue, claims_by_id, defect_of, explanation, kind_of, precedence
from claims.stating.coverage import coverage
from claims.stating.plain_text import one_line
from claims.stating.statement import PAPERS, Assumption, Claim, Standing


def _summary(claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.id,
        "refs": list(claim.refs),
        "paper": claim.paper.key,
        "statement": claim.statement,
        "origin": claim.origin.value,
        "standing": claim.standing_word,
        "kind": kind_of(claim),
        "corrected_by": claim.corrected_by,
        "assumptions": [assumption.name for assumption in claim.assumptions],
        "conclusions": [conclusion.name for conclusion in claim.conclusions],
    }


STYLES = {
    Standing.TRUE: "green",
    Standing.FALSE: "red",
    Standing.OPEN: "yellow",
    Standing.EMPIRICAL: "cyan",
    Standing.NOT_YET: "dim",
}


def list_claims(
    patterns: Patterns = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    files: OwnFiles = None,
    proved: Annotated[
        bool, typer.Option("--proved", help="List what is proved for all real inputs of a size, conclusion by conclusion.")
    ] = False,
    covered: Annotated[
        bool, typer.Option("--coverage", help="List what the papers state, in their order, with the claims about it.")
    ] = False,
) -> None:
    """List the claims: where each is printed, and what we believe about it."""
    claims = chosen_claims(patterns, own_claims(files), everywhere=True)
    if covered:
        _print_coverage(claims, as_json)
    elif proved:
        _print_proved(claims, as_json)
    elif as_json:
        typer.echo(json.dumps([_summary(claim) for claim in claims], indent=2))
    else:
        _print_list(terminal(), claims)


def _print_list(console: Console, claims: Sequence[Claim]) -> None:
    # On a terminal the statement stands below and is wrapped; a program reads lines, one for each claim and none cut.
    told = [(claim.id, ", ".join(claim.refs), claim.origin.value, claim.standing_word) for claim in claims]
    widths = [max(map(len, column), default=0) for column in zip(*told, strict=True)]
    for claim, (name, refs, origin, standing) in zip(claims, told, strict=True):
        if console.is_terminal:
            labels = f" ({refs})" if refs else ""
            head = Text.assemble((name, "bold"), f"{labels}  {origin}, ", (standing, STYLES[claim.standing]))
            console.print(head, Padding(Text(claim.statement), (0, 0, 0, 4)))
        else:
            row = [text.ljust(width) for text, width in zip((name, refs, origin, standing), widths, strict=True)]
            console.print(Text("  ".join([*row, one_line(claim.statement)])), soft_wrap=True)


def _print_coverage(claims: Sequence[Claim], as_json: bool) -> None:
    """What the papers of these claims state; where only some claims of a paper are asked for, the places they are about."""
    asked = {claim.id for claim in claims}
    console, rows = terminal(), []
    for paper in PAPERS:
        stated = coverage(paper)
        # Of a whole paper its places without claims are told, too: they are what is missing.
        if not {claim.id for one in stated for claim in one.claims} <= asked:
            stated = tuple(one for one in stated if any(claim.id in asked for claim in one.claims))
        if stated and not as_json:
            console.print(Text(str(PAPERS[paper]), "bold"))
        for one in stated:
            ids = [claim.id for claim in one.claims]
            rows.append({"paper": paper, "printed": one.printed, "claims": ids, "reason": one.reason or None})
            if not as_json:
                verdict = (one.verdict, "red" if one.is_false else "")
                console.print(Text.assemble(f"  {one.printed}: ", verdict), soft_wrap=True)
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
    else:
        console.print(f"{sum(bool(row['claims']) for row in rows)} of {len(rows)} places have claims")


def _print_proved(claims: Sequence[Claim], as_json: bool) -> None:
    """What is proved of these claims for all real inputs of a size."""
    # A file of one's own may have a name of the suite's: the table of proofs is about the suite.
    found = {claim.id: proofs for claim in claims if claim.file is None and (proofs := proofs_of(claim.id))}
    if as_json:
        rows = [
            {"id": name, "conclusion": one.conclusion, "for_all": one.for_all, "how": one.how}
            for name, proofs in found.items()
            for one in proofs
        ]
        typer.echo(json.dumps(rows, indent=2))
        return
    console = terminal()
    for name, proofs in found.items():
        claim = catalogue()[name]
        text = "" if claim.standing is Standing.TRUE else f" ({claim.standing_word}; so much of it is proved)"
        console.print(Text.assemble((name, "bold"), text))
        sizes: dict[str, list[str]] = {}
        for one in proofs:
            sizes.setdefault(one.conclusion, []).append(one.for_all)
        for conclusion, found_for in sizes.items():
            console.print(Text(f"  {conclusion}: PROVED for all {'; '.join(found_for)}"), soft_wrap=True)
    console.print(f"something is proved for all real inputs of {len(found)} of {len(claims)} claims")


def show_claims(
    claim_id: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="An id or a part that only it has, a label, or a theorem's number or words: all that match are shown; "
            "or the certificate of a claim of your own.",
            show_default=False,
            autocompletion=offering(papers_and_ids),
        ),
    ] = None,
    files: OwnFiles = None,
    run_source: RunSource = False,
) -> None:
    """Show a claim, or all that carry a label: source, statement, standing, what is wrong, assumptions, conclusions."""
    if certified := own_of_certificate(claim_id or "", run_source):
        _show(terminal(), certified[1], certified[1:], certified[0])
        return
    mine = own_claims(files)
    if claim_id is None and not mine:
        raise refuse("which claim? give an ID, or --file FILE; `claims list` shows the ids")
    claims = chosen_claims([claim_id] if claim_id else None, mine, everywhere=True)
    # The end of an id names it, however many others have it as a part.
    exact = [claim for claim in claims if claim_id in (claim.id, claim.id.split(".")[-1])]
    if len(exact or claims) > 1 and (claim_id is None or any(claim_id in claim.id for claim in claims)):
        ids = ", ".join(claim.id for claim in claims)
        raise refuse(f"{claim_id!r} is a part of several ids: {ids}" if claim_id else f"give one ID of {ids}")
    console = terminal()
    # Who asks by a theorem's number asks what is wrong with it, mostly.
    shown = sorted(exact or claims, key=precedence)
    if len(shown) > 1:
        console.print(f"{len(shown)} claims match:")
        for claim in shown:
            console.print(Text.assemble(f"  {claim.id}: ", (claim.standing_word, STYLES[claim.standing])), soft_wrap=True)
    for claim in shown:
        if len(shown) > 1:
            console.print()
            console.rule(style="dim")
        _show(console, claim, mine)


def _show(console: Console, claim: Claim, mine: Sequence[Claim], given: dict[str, Any] | None = None) -> None:
    """Print the claim, with the certificate that is given or its published one."""
    console.print(Text.assemble((claim.id, "bold"), f" ({', '.join(claim.refs)})" if claim.refs else ""))
    console.print(Text(f"{claim.paper}: {claim.where}" if claim.where else str(claim.paper)))
    console.print(Text(f"\n{claim.statement}\n", "italic"))
    console.print(Text(f"origin: {claim.origin.value}"))
    console.print(Text.assemble("standing: ", (claim.standing_word, STYLES[claim.standing])))
    text = claim.note or explanation(claim).removeprefix("FALSE: ").removeprefix("FALSE. ")
    # Of a true statement the docstring repeats what stands above.
    if claim.note or claim.standing in (Standing.FALSE, Standing.OPEN):
        console.print(Text(reflowed(f"what is wrong: {text}" if claim.standing is Standing.FALSE else text)))
    # A claim that only points to another one has that one's defect, and kind of error.
    kind, defect = kind_of(claim), defect_of(claim)
    if kind is not None:
        console.print(Text(f"kind of error: {kind}"))
    for after in defect.consequences if defect else ():
        fate = "survives" if after.survives else "does not survive as stated"
        console.print(Text(f"then: {typed(after.where)}: {fate} ({after.shown_by})"))
    if claim.corrected_by:
        corrected = claims_by_id(mine).get(claim.corrected_by)
        console.print(Text(f"corrected by: {claim.corrected_by}" + (f" -- {corrected.statement}" if corrected else "")))
    _print_counterexample(console, claim, given)
    if claim.hand is not None:
        from claims.atlas.sheets.sheet import lines_of  # noqa: PLC0415 -- slow to import

        console.print(Text("check it by hand:"))
        for number, line in enumerate(lines_of(claim), 1):
            console.print(Padding(Text(f"{number}. {typed(line)}"), (0, 0, 0, 4)))
        if claim.hand.beside:
            console.print(Padding(Text(typed(claim.hand.beside)), (0, 0, 0, 4)))
    about = (claim.system.__doc__ or "").strip().split("\n")[0]
    console.print(Text(f"system: {claim.system.__name__} -- {about}"))
    for name, field in claim.system.fields().items():
        axes = f"({', '.join(field.axes)})" if field.axes else "number"
        optional = "" if field.default is None else ", may be left out"
        alias = f" or {field.alias}" if field.alias else ""
        console.print(Text(f"    {name}{alias}: {axes}, {field.meaning}{optional}"))
    for assumption in claim.every_assumption():
        where = "" if assumption in claim.assumptions else " (for some conclusions)"
        about = _about(assumption, claim.source is not None)
        console.print(Text(f"assumes {assumption.name}{where}: {assumption.statement} {about}"))
    proved = proofs_of(claim.id) if claim.file is None else []
    brackets = brackets_of(claim.id) if claim.file is None else {}
    for conclusion in claim.conclusions:
        own = claim.assumptions_of(conclusion)
        scope = "" if own == claim.assumptions else f" [assuming {', '.join(a.name for a in own) or 'nothing'}]"
        constants = "".join(f", {name} = {value}" for name, value in conclusion.constants.items())
        console.print(Text(f"concludes {conclusion.name} ({conclusion.form}, {conclusion.relation}{constants}){scope}:"))
        console.print(Text(f"    {conclusion.meaning}"))
        for one in proved:
            if one.conclusion == conclusion.name:
                console.print(Text.assemble("    ", (one.text, "green"), f" ({one.how})"))
        for name in conclusion.constants:
            if entry := brackets.get((conclusion.name, name)):
                console.print(Text(f"    {name} = {entry['value']}: {bracket_in_words(entry)}"))
    _print_necessity(console, claim)


def _print_counterexample(console: Console, claim: Claim, given: dict[str, Any] | None) -> None:
    """The counterexample, array by array, with the commands that decide it again."""
    certificate = certificate_of(name_of(claim.id, ())) if claim.file is None else given
    if certificate is None:
        return
    instance, slack = certificate["instance"], certificate["violation"]["slack"]["lower"]
    console.print(Text.assemble(("counterexample", "red"), f": {certificate['conclusion']['name']} = {brief(slack)} at"))
    for name, value in instance.items():
        if name != "system":
            console.print(Text(f"    {name} = {json.dumps(value)}".replace('"', "")))
    print_replay(console, claim.named, instance, if_long="")
    if given is None:
        console.print(Text(f"    claims check --published {claim.id}"), soft_wrap=True)
        if name_of(claim.id, ()) in theorems():
            console.print(Text(f"    claims formal {claim.id} --check    # a theorem of Coq, accepted by its kernel"))


def _print_necessity(console: Console, claim: Claim) -> None:
    """For each assumption the counterexample without it, the tightest slack or what was left open, and how many starts."""
    entries = entries_of(claim.id)
    if not entries:
        return
    console.print(Text("\nhunted:"))
    rows = []
    for entry in entries:
        found = entry.get("counterexample")
        shown = found or entry.get("tightest") or {"slack": "", "instance": {}}
        finding = Text("counterexample", "red") if found else Text("none found", "green")
        if "open" in entry:
            finding = Text(entry["open"], "yellow")
        # The map has an entry without any assumption dropped: what a hunt for the claim as it is has found.
        without = ", ".join(entry.get("dropped", ())) or "(as it is)"
        place = assigned(shown["instance"])
        where = Text(place) if len(place) <= LONGEST_PLACE else Text(f"in {len(place)} characters", "dim")
        counts = (Text(str(entry["starts"])), Text(brief(shown["slack"])))
        rows.append([Text(without), Text(entry["conclusion"]), finding, *counts, where])
    names = ["without", "conclusion", "finding", "starts", "slack", "where"]
    # Instances are the widest, and the certificate has them.
    if console.is_terminal and sum(max(row[i].cell_len for row in rows) + GAP for i in range(len(names))) > console.width:
        names.pop()
    table = Table(**PLAIN)
    for name in names:
        table.add_column(name, overflow="fold", no_wrap=name == "finding", justify="right" if name == "starts" else "left")
    for row in rows:
        table.add_row(*row[: len(names)])
    console.print(table)


LONGEST_PLACE = 72
"""Characters up to which an instance is shown in the table of what was hunted; `claims atlas` has them all."""

GAP = 3
"""Columns between two columns."""


def reflowed(text: str) -> str:
    """The text with its paragraphs on one line each, to be wrapped where it is shown; indented lines and lists stay."""
    lines: list[str] = []
    for line in text.split("\n"):
        before = lines[-1] if lines else ""
        if before and line and not line.startswith((" ", "- ", "* ")) and not before.startswith(" "):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)


def _about(assumption: Assumption, is_own: bool) -> str:
    missing = "no violate= breaks it" if is_own else "this suite has no way to break it"
    dropped = missing if assumption.violate is None else "--drop tries without it"
    if is_own and not assumption.is_imposed:
        dropped = f"no restrict= leads back into it; {dropped}"
    return f"[{assumption.label}; {dropped}]" if assumption.label else f"[{dropped}]"
