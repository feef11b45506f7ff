"""The command `claims verify --drop`: which assumptions a claim needs."""

from __future__ import annotations

from collections import Counter

from rich.table import Column, Table
from rich.text import Text

from claims.cli.stopping import Stopped
from claims.cli.terminal import PLAIN, progress_bar, terminal
from claims.cli.wording import brief_of, how_decided, print_violation
from claims.stating.plain_text import one_line
from claims.stating.statement import Claim
from claims.targets.target import Target
from claims.verifying.deciding import Effort
from claims.verifying.dropping import Drop, DropFinding, drop

FOUND = {
    DropFinding.NEEDED: "red",
    DropFinding.NOT_NEEDED: "green",
    DropFinding.VIOLATED: "red",
    DropFinding.SURVIVED: "green",
    DropFinding.UNDECIDED: "yellow",
    DropFinding.VACUOUS: "dim",
    DropFinding.NOT_BUILT: "bold yellow",
    DropFinding.UNBREAKABLE: "dim",
    DropFinding.FAILED: "bold red",
}


def run_without(
    targets: list[Target], examples: int, seed: int, effort: Effort, jobs: int
) -> tuple[list[Drop], Stopped | None]:
    """The findings without assumptions in the order of the targets, and the request that stopped the run, if one did."""
    found: dict[int, Drop] = {}
    stopped = None
    with progress_bar() as progress:
        bar = progress.add_task("dropping", total=len(targets))
        try:
            for position, one in drop(targets, examples, seed, effort, jobs):
                found[position] = one
                progress.update(bar, advance=1, description=f"{one.claim}: {_without(one)}")
        except Stopped as request:
            stopped = request
    return [found[position] for position in sorted(found)], stopped


def _without(found: Drop) -> str:
    return f"{found.tally.name} without {', '.join(found.tally.dropped)}"


def print_drops(drops: list[Drop], claims: list[Claim], seconds: float) -> None:
    """A table of what was found without each assumption, and the violations."""
    console = terminal()
    table = Table(
        Column("claim and its conclusions, without an assumption", max_width=66),
        Column("finding", max_width=48),
        *(Column(name, no_wrap=True) for name in ("how decided", "form")),
        Column("slack", justify="right", no_wrap=True),
        **PLAIN,
    )
    for position, found in enumerate(drops):
        # Findings come in the order of their targets, so that a claim's stand together.
        if position == 0 or drops[position - 1].claim != found.claim:
            table.add_row(Text(found.claim, "bold"), found.standing_word)
        cells = (Text(f"  {_without(found)}"), _finding(found), how_decided(found.tally), found.tally.form)
        table.add_row(*cells, brief_of(found.tally, violated_first=True))
    console.print(table)
    heading, by_id = "", {claim.id: claim for claim in claims}
    for found in drops:
        tally, remark = found.tally, ""
        if found.finding is DropFinding.NOT_BUILT:
            reasons = ", ".join(f"{n} {reason}" for reason, n in tally.missed.most_common())
            remark = f"no start breaks just this: {reasons}"
        elif found.finding is DropFinding.UNDECIDED:
            reason, count = tally.reasons.most_common(1)[0]
            remark = f"UNDECIDED {tally.undecided}, {count} because {reason}"
        elif tally.error:
            remark = f"failed: {one_line(tally.error)}"
        if heading != found.claim and (remark or tally.violation):
            heading = found.claim
            console.print(Text(f"{found.claim} ({found.standing_word})", "bold"))
        if remark:
            console.print(Text(f"  {_without(found)}: {remark}"))
        if tally.violation:
            print_violation(console, by_id[found.claim], _without(found), tally.violation)
    counts = Counter(found.finding for found in drops)
    text = ", ".join(f"{counts[finding]} {finding}" for finding in DropFinding if counts[finding])
    undecided, screened = (sum(getattr(found.tally, name) for found in drops) for name in ("undecided", "screened"))
    console.print(f"{len(drops)} searches without an assumption: {text}")
    console.print(f"UNDECIDED: {undecided}; float64 starts: {screened}; {seconds:.1f} s")
    # Only a claim of one's own can be helped by who reads this.
    own = dict.fromkeys(name for found in drops if by_id[found.claim].source for name in found.unbreakable)
    if own:
        text = f"to drop {', '.join(own)}, give violate=, which breaks it alone: violate=lambda f, draws: f.replace(...)"
        console.print(text, soft_wrap=True, markup=False)


def _finding(found: Drop) -> Text:
    """The finding with its counts; every instance counted breaks exactly what is dropped."""
    tally = found.tally
    told = {
        DropFinding.NEEDED: f"needed: VIOLATED {tally.violated}, survived {tally.holds}",
        DropFinding.NOT_NEEDED: f"not needed in {tally.holds} starts",
        DropFinding.VIOLATED: f"VIOLATED {tally.violated}, survived {tally.holds}",
        DropFinding.SURVIVED: f"survived {tally.holds}",
        DropFinding.NOT_BUILT: "not built: no start breaks just this",
        DropFinding.UNBREAKABLE: "this suite has no way to break it",
        DropFinding.FAILED: "failed",
    }
    # What is undecided or vacuous has no words of its own: its counts below say it.
    text = Text(told.get(found.finding, ""), FOUND[found.finding])
    if len(tally.dropped) > 1 and found.unbreakable:
        text.append(f" of {', '.join(found.unbreakable)}")
    for count, word, style in ((tally.undecided, "UNDECIDED", "yellow"), (tally.vacuous, "vacuous", "dim")):
        if count:
            text.append(f"{', ' if text else ''}{word} {count}", style)
    return text
