"""The command `claims prove`: it prints what is proved for every real input of a size, what is refuted, what is open."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from claims.campaigns.durations import seconds_of
from claims.certificates.provenance import versions_in_use
from claims.certificates.writing import file_name
from claims.certificates.writing import save_certificate as write_certificate
from claims.cli.choosing import OwnFiles, Patterns, chosen_claims, own_claims
from claims.cli.terminal import PLAIN, progress_bar, refuse, terminal, write_json
from claims.cli.wording import print_violation
from claims.hunting import moves
from claims.instances.draws import SeededDraws
from claims.proving import files as proof_files
from claims.proving.attempts import PROVABLE, attempted
from claims.proving.exploring import size_of, sizes_of
from claims.proving.on_boxes import Bounds
from claims.proving.proof import Attempt, ContradictionError, ProofStatus
from claims.proving.solvers import NoSolverError, require
from claims.proving.version import prover
from claims.stating.statement import Claim, Standing, judged_by_runs
from claims.targets.target import Target
from claims.verifying.processes import ENDED, workers
from dynamics.arithmetic import rational

STYLES = {
    ProofStatus.PROVED: "green",
    ProofStatus.VIOLATED: "red",
    ProofStatus.UNKNOWN: "yellow",
    ProofStatus.VACUOUS: "dim",
    ProofStatus.IMPOSSIBLE: "dim",
}


SHORT = 2.0
"""Seconds of the first attempt, where there is no time for long ones of all."""

LONGER = 4.0
"""How many times as long the next one is."""

WORTH = 1.5
"""A next one that is not longer by this is not worth its time."""

DRAWN = 12
"""Instances of a draw of one's own, the smallest of which says what size is tried where none is named."""

SPARING = 0.8
"""How much of the time is given away: an attempt takes a little longer than it is allowed."""


@dataclass(frozen=True)
class Times:
    """Seconds for one conclusion at one size, for all, and for one question to a solver."""

    budget: float
    within: float
    limit: float

    def each(self, rounds: float, left: float, before: float) -> float:
        """How long attempts may take if `rounds` of them, one after another, are to end in time; `before` if not longer."""
        room = SPARING * left / max(rounds, 1)
        # Where long attempts of all fit none is short first: a short one that fails is time lost.
        if before == 0:
            return self.budget if self.budget <= room else min(SHORT, room)
        each = min(LONGER * before, room, self.budget)
        return each if each >= min(WORTH * before, self.budget) else before


def prove_claims(
    patterns: Patterns = None,
    files: OwnFiles = None,
    only: Annotated[
        str | None, typer.Option("--only", metavar="NAME", help="One conclusion of the claims, by its name.")
    ] = None,
    sizes: Annotated[
        list[str] | None,
        typer.Option("--size", metavar="n=3,d=2", help="Sizes, labels and counts (repeatable); small ones by default."),
    ] = None,
    boxes: Annotated[
        list[str] | None,
        typer.Option(
            "--box", metavar="x=-1..1", help="Bounds of an array, an entry x_0_0, or (-1..1) all numbers (repeatable)."
        ),
    ] = None,
    budget: Annotated[str, typer.Option(help="Time for one conclusion at one size: 90s, 2m.")] = "2m",
    within: Annotated[
        str, typer.Option(help="Time for all: short attempts first, longer ones of what is open while there is time.")
    ] = "30m",
    limit: Annotated[str, typer.Option(help="Time of a solver for one system.")] = "10s",
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; as many as cores by default.")] = None,
    proofs: Annotated[
        Path | None, typer.Option("--proofs", metavar="DIR", help="Write proofs, and certificates of violations, here.")
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write every verdict to this file.")] = None,
) -> None:
    """Prove conclusions for every real input of a size, or refute them by an exact instance.

    Exits 0 when all are proved, or refuted where the suite holds them to be false or open; 1 when a claim held to be true
    is refuted; 2 on bad usage; 3 when one is not decided.
    """
    claims = chosen_claims(patterns, own_claims(files))
    try:
        require()
        times = Times(seconds_of(budget), seconds_of(within), seconds_of(limit))
        wanted = [size_of(text) for text in sizes or ()]
        bounds = dict(_bounds(text) for text in boxes or ())
    except (NoSolverError, ValueError) as error:
        raise refuse(str(error)) from None
    for path in (json_file.parent if json_file else None, proofs):
        if path is not None and not path.is_dir():
            raise refuse(f"{path} is no folder")
    units, skipped = _units(claims, wanted, only)
    if not units:
        nothing = "no conclusion of the chosen claims is a formula in states: there is nothing to prove"
        raise refuse(judged_by_runs(claims) or nothing)
    began = time.perf_counter()
    done: dict[int, Attempt] = {}
    told = asdict(times) | {"versions": versions_in_use() | prover()}
    interrupted = False
    try:
        for number, made in _attempts(units, times, jobs or os.cpu_count() or 1, bounds):
            done[number] = made
            # At once, and not at the end: who stops a long run keeps what it has proved.
            if proofs is not None:
                _keep(made, proofs)
            if json_file is not None:
                write_json(json_file, told | {"attempts": [done[k].to_json() for k in sorted(done)]})
    except KeyboardInterrupt:  # what is proved stays proved, and is told
        interrupted = True
    except (ContradictionError, NoSolverError) as error:
        raise refuse(str(error)) from None
    console = terminal()
    found = [done[k] for k in sorted(done)]
    _print(console, found, {claim.id: claim for claim in claims}, time.perf_counter() - began)
    if skipped:
        console.print(f"{skipped} conclusions are no formulas in states: not tried")
    if interrupted:
        console.print(f"interrupted: {len(units) - len(done)} of {len(units)} not tried or not finished")
        raise typer.Exit(130)
    if len(done) < len(units):
        left = f"{len(units) - len(done)} of {len(units)} not tried"
        console.print(f"{left}: allow more time, --within {within} is too little")
    raise typer.Exit(_exit_code(found, len(units), {claim.id: claim for claim in claims}))


def _bounds(text: str) -> tuple[str, Bounds]:
    """The name and the ends of "x=-1..1", the name "" where there is none. Raises ValueError."""
    name, _, ends = text.rpartition("=")
    low, dots, high = ends.partition("..")
    if not dots or (name and not name.isidentifier()):
        raise ValueError(f"{text!r} is no box: write x=-1..1, or -1..1 for all numbers")
    found = rational(low), rational(high)
    if found[0] > found[1]:
        raise ValueError(f"{text!r} is no box: it ends before it begins")
    return name, found


def _units(
    claims: Sequence[Claim], sizes: Sequence[dict[str, int]], only: str | None
) -> tuple[list[tuple[Target, dict[str, int]]], int]:
    """What is tried, and how many conclusions are not."""
    units, skipped = [], 0
    for claim in claims:
        for conclusion in claim.conclusions:
            if only is not None and conclusion.name != only:
                continue
            if conclusion.form not in PROVABLE:
                skipped += 1
                continue
            target, found = Target.of(claim, conclusion), sizes_of(claim.system, sizes, _drawn_axes(claim))
            # n=2 and n=2,d=2 are one size.
            units += [(target, size) for number, size in enumerate(found) if size not in found[:number]]
    return units, skipped


def _drawn_axes(claim: Claim) -> dict[str, int] | None:
    """The axes of the smallest instance that a user's own claim draws; None where it is drawn as the suite's are."""
    # Sizes by default are those of the suite's models: a draw of one's own may never make such ones.
    if claim.draw is None or claim.source is None:
        return None
    drawn = (claim.draw(SeededDraws(np.random.default_rng([turn]), True, turn)) for turn in range(DRAWN))
    return min((moves.axis_lengths(system) for system in drawn), key=lambda axes: sum(axes.values()))


def _lost(target: Target, size: dict[str, int], *_: object) -> Attempt:
    """What is told where the process ended."""
    return Attempt(target, size, word=ProofStatus.IMPOSSIBLE, reason=ENDED)


def _attempts(
    units: Sequence[tuple[Target, dict[str, int]]], times: Times, jobs: int, bounds: dict[str, Bounds]
) -> Iterator[tuple[int, Attempt]]:
    """Every attempt, by the number of its unit; one that ran out of time is followed by a longer one, if there is time."""
    # Pools answer in any order, and a target comes once for each size: both together say which unit it was.
    places = {(target, tuple(size.items())): number for number, (target, size) in enumerate(units)}
    end = time.monotonic() + times.within
    left, before = set(places.values()), 0.0
    with progress_bar() as progress, workers(min(jobs, len(units))) as pool:
        while left and (each := times.each(len(left) / jobs, end - time.monotonic(), before)) > before:
            bar = progress.add_task("proving", total=len(left))
            tried = [(*units[number], each, times.limit, bounds, end) for number in sorted(left)]
            for (target, size, *_), made in pool.results(attempted, tried, _lost):
                number = places[target, tuple(size.items())]
                # More time changes nothing of what was decided, nor of what no solver can state.
                if not made.out_of_time:
                    left.discard(number)
                progress.update(bar, advance=1, description=f"{target}: {made.word}")
                yield number, made
            before = each


def _keep(made: Attempt, folder: Path) -> None:
    """Write a proof, or the certificate of a violation. Raises typer.Exit."""
    try:
        if made.word is ProofStatus.PROVED and made.parts:
            proof_files.write_proof(made, folder)
        elif made.certificate is not None:
            write_certificate(made.certificate, folder / file_name(made.certificate))
    except (OSError, proof_files.ProofFileError) as error:
        raise refuse(str(error)) from None


def _print(console: Console, found: Sequence[Attempt], claims: dict[str, Claim], seconds: float) -> None:
    name, seconds_each = Column("claim and its conclusions", max_width=70), Column("s", justify="right")
    table = Table(name, "verdict", "how", seconds_each, **PLAIN)
    before = ""
    for made in found:
        if made.target.claim != before:
            before = made.target.claim
            table.add_row(Text(before, "bold"), claims[before].standing_word, "", "")
        how = made.how if made.word is ProofStatus.PROVED else f"{made.how}: {made.reason}" if made.paths else made.reason
        style = STYLES[made.word]
        table.add_row(Text(f"  {made.target.conclusion}"), Text(made.text, style), Text(how[:120]), f"{made.seconds:.1f}")
    console.print(table)
    for made in found:
        if made.instance is not None:
            console.print(Text(f"{made.target} is violated {made.text.partition(' ')[2]}"))
            violation = {"slack": made.slack, "known": "", "reason": made.reason, "instance": made.instance}
            print_violation(console, claims[made.target.claim], made.target.conclusion, violation)
    counts = Counter(made.word for made in found)
    console.print(f"{', '.join(f'{counts[word]} {word}' for word in ProofStatus if counts[word])} in {seconds:.1f} s")


def _exit_code(found: Sequence[Attempt], units: int, claims: dict[str, Claim]) -> int:
    refuted = {made.target.claim for made in found if made.word is ProofStatus.VIOLATED}
    if any(claims[name].standing is Standing.TRUE for name in refuted):
        return 1
    # What is vacuous compared nothing, and is open as what was not tried.
    if len(found) == units and all(made.word in (ProofStatus.PROVED, ProofStatus.VIOLATED) for made in found):
        return 0
    return 3
