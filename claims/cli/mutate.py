"""The command `claims mutate`: it prints the mutants, live progress, and those that nothing noticed."""

from __future__ import annotations

import difflib
import hashlib
import os
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from claims.certificates.provenance import versions_in_use
from claims.cli.choosing import OwnFiles, Patterns, chosen_claims, own_claims
from claims.cli.stopping import Stopped
from claims.cli.terminal import PLAIN, left, progress_bar, refuse, refuse_missing_folder, terminal, write_json
from claims.mutating.equivalents import equivalents
from claims.mutating.rewriting import Mutant, NoTextError, difference, module_text, mutants_of
from claims.mutating.trial import COUNTED, Fate, Result, proof_of, run_mutants
from claims.stating.statement import Claim, judged_by_runs
from claims.verifying.processes import workers
from claims.verifying.tallies import PROFILES
from dynamics.strict_reading import read_json, read_text

STYLES = {Fate.KILLED: "green", Fate.SURVIVED: "red", Fate.NOT_DECIDED: "yellow"}


def mutate_claims(
    patterns: Patterns = None,
    files: OwnFiles = None,
    only: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="One mutant, or those whose names contain this: show what it changes."),
    ] = None,
    names: Annotated[bool, typer.Option("--list", help="List the mutants and try none.")] = False,
    profile: Annotated[str, typer.Option(help=f"Instances of each mutant: {', '.join(PROFILES)}.")] = "ci",
    budget: Annotated[
        int, typer.Option(min=0, help="Starts of the search for each mutant that verification missed.")
    ] = 400,
    limit: Annotated[float, typer.Option(min=0.1, help="Seconds of processor time that one mutant may take.")] = 60.0,
    seed: Annotated[int, typer.Option(min=0, help="Reproduces a run exactly.")] = 0,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; as many as cores by default.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Mutants of each conclusion, chosen by the seed; all.")] = None,
    least: Annotated[
        float, typer.Option(min=0, max=100, help="The score, in percent, below which the exit code is 1.")
    ] = 100,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write every fate to this file, claim by claim.")] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep what the JSON file says of claims whose text is the same.")
    ] = False,
) -> None:
    """Change each statement a little and see whether verification, or the hunt's search, notices.

    Exits 0 when the score is reached, 1 when it is not or when a mutant that is declared equivalent was noticed, 2 on bad
    usage.
    """
    claims = chosen_claims(patterns, own_claims(files))
    if profile not in PROFILES:
        raise refuse(f"unknown profile {profile!r}: there are {', '.join(PROFILES)}")
    refuse_missing_folder(json_file)
    if keep and json_file is None:
        raise refuse("--keep takes what a JSON file says: give --json FILE, too")
    mutants = _mutants(claims)
    if only is not None:
        mutants = _only(mutants, only)
    if sample is not None:
        mutants = [(claim, _sample(claim, found, sample, seed)) for claim, found in mutants]
    console = terminal()
    if names:
        for claim, found in mutants:
            for mutant in found:
                console.print(Text(f"{claim.id} [{mutant.kind}] {mutant.name}"), soft_wrap=True)
        return
    settings = (PROFILES[profile], budget, seed, limit)
    told = {"profile": profile, "budget": budget, "limit": limit, "seed": seed}
    kept = _kept(json_file, told) if keep and json_file is not None else {}
    began = time.perf_counter()
    entries: dict[str, dict[str, Any]] = {}
    stopped = None
    try:
        with progress_bar() as progress, workers(jobs or os.cpu_count() or 1) as pool:
            bar = progress.add_task("mutating", total=sum(len(found) for _, found in mutants))
            for claim, found in mutants:
                known = _still_true(kept.get(claim.id), claim)
                missing = [mutant for mutant in found if mutant.name not in known]
                progress.update(bar, advance=len(found) - len(missing))
                try:
                    for mutant, result in run_mutants(claim, missing, settings, pool):
                        known[mutant.name] = _mutant_json(claim, mutant, result)
                        progress.update(bar, advance=1, description=f"{claim.id}: {result.fate}")
                finally:  # claim by claim: a run of hours that is killed has written all but one
                    entries[claim.id] = _entry(claim, known)
                    if json_file is not None:
                        write_json(json_file, _report(told, (kept | entries).values()))
    except Stopped as request:
        stopped = request
    for claim, found in mutants if only is not None else ():
        for mutant in found:
            console.print(Text(f"{claim.id} [{mutant.kind}] {mutant.name}", "bold"), soft_wrap=True)
            console.print(Text(difference(claim, mutant)), soft_wrap=True)
    _print_found(console, list(entries.values()), time.perf_counter() - began)
    if stopped is not None:
        tried = f"{sum(len(entry['mutants']) for entry in entries.values())} of {sum(len(found) for _, found in mutants)}"
        raise left(stopped, f"{tried} mutants were tried")
    every = [mutant for entry in entries.values() for mutant in entry["mutants"]]
    score = score_of(every)
    refuted = any(mutant["declared"] and mutant["fate"] == Fate.KILLED for mutant in every)
    raise typer.Exit(1 if refuted or (score is not None and score < least) else 0)


def score_of(mutants: Iterable[dict[str, Any]]) -> float | None:
    """The percentage of killed mutants among those that should be noticed; None where there are none."""
    fates = Counter(mutant["fate"] for mutant in mutants)
    counted = sum(fates[fate] for fate in COUNTED)
    return 100 * fates[Fate.KILLED] / counted if counted else None


# ---------------------------------------------------------------------------------------------------------------------
# What is asked


def _mutants(claims: Sequence[Claim]) -> list[tuple[Claim, list[Mutant]]]:
    """The mutants of each claim. Raises typer.Exit for experiments alone, and for a proof that names no mutant."""
    if nothing := judged_by_runs(claims):
        raise refuse(nothing)
    found = []
    for claim in claims:
        try:
            mutants = mutants_of(claim)
        except NoTextError as error:
            raise refuse(str(error)) from None
        names = [mutant.name for mutant in mutants]
        # A proof excuses a mutant by its name: one of a name that is gone would excuse nothing, in silence.
        for name in equivalents(claim):
            if name not in names:
                near = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
                hint = f": did you mean {near[0]!r}?" if near else ""
                raise refuse(f"{claim.id}: equivalent names {name!r}, but no mutant has this name{hint}")
        found.append((claim, mutants))
    return found


def _only(mutants: list[tuple[Claim, list[Mutant]]], name: str) -> list[tuple[Claim, list[Mutant]]]:
    """The mutants of this name, or else those whose names contain it, one by one. Raises typer.Exit if there are none."""
    # A whole name first: it may be a part of longer ones.
    exact = [(claim, [mutant for mutant in found if mutant.name == name]) for claim, found in mutants]
    part = [(claim, [mutant for mutant in found if name in mutant.name]) for claim, found in mutants]
    chosen_ones = exact if any(found for _, found in exact) else part
    kept = [(claim, found) for claim, found in chosen_ones if found]
    if not kept:
        raise refuse(f"no mutant of the chosen claims has {name!r} in its name; --list shows the names")
    return kept


def _sample(claim: Claim, mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """At most this many mutants of each conclusion."""

    # In the order of a hash and not of a generator: a mutant stays chosen when others come or go.
    def place(mutant: Mutant) -> str:
        return hashlib.sha256(f"{seed} {claim.id} {mutant.name}".encode()).hexdigest()

    kept = set[str]()
    for index in {mutant.index for mutant in mutants}:
        own = sorted((mutant for mutant in mutants if mutant.index == index), key=place)
        kept |= {mutant.name for mutant in own[:count]}
    return [mutant for mutant in mutants if mutant.name in kept]


def _digest(claim: Claim) -> str:
    return hashlib.sha256(module_text(claim).encode()).hexdigest()[:16]


def _kept(path: Path, told: dict[str, Any]) -> dict[str, Any]:
    """What a JSON file of the same settings says, by claim. Raises typer.Exit for any other file."""
    if not path.exists():
        return {}
    try:
        data = read_json(read_text(path))
        same = all(data[name] == value for name, value in told.items())
        entries = {entry["id"]: entry for entry in data["claims"]}
        for entry in entries.values():
            texts = [entry[key] for key in ("id", "paper", "standing", "text")]
            texts += [mutant[key] for mutant in entry["mutants"] for key in ("name", "reason", "fate")]
            "".join(texts)  # raises for what is no text: it would fail in the table, after the run
            _summary(entry["mutants"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise refuse(f"{path} holds no fates of mutants: remove it, or leave out --keep") from None
    if not same:
        raise refuse(f"{path} was written with other settings: give the same, or leave out --keep")
    return entries


def _still_true(entry: dict[str, Any] | None, claim: Claim) -> dict[str, dict[str, Any]]:
    """What a JSON entry says of mutants, by name, if the text of the claim and the proof have not changed."""
    if entry is None or entry["text"] != _digest(claim):
        return {}
    proofs = {mutant.name: proof_of(claim, mutant) for mutant in mutants_of(claim)}
    # A proof stands in another file than the claim: what was declared since changes what a fate means.
    same = [one for one in entry["mutants"] if one["declared"] == proofs.get(one["name"])]
    return {one["name"]: one for one in same}


# ---------------------------------------------------------------------------------------------------------------------
# What was found


def _entry(claim: Claim, known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    # In the order of the text, whatever the order in which processes answered.
    return {
        "id": claim.id,
        "paper": claim.paper.key,
        "standing": claim.standing.value,
        "text": _digest(claim),
        "mutants": [known[mutant.name] for mutant in mutants_of(claim) if mutant.name in known],
    }


def _mutant_json(claim: Claim, mutant: Mutant, result: Result) -> dict[str, Any]:
    return {
        "name": mutant.name,
        "conclusion": claim.conclusions[mutant.index].name,
        "kind": mutant.kind,
        "fate": result.fate.value,
        "by": result.by,
        "reason": result.reason,
        "declared": proof_of(claim, mutant),
        "slack": result.slack,
        "instance": result.instance,
        "seconds": result.seconds,
    }


def _summary(mutants: Sequence[dict[str, Any]]) -> dict[str, Any]:
    fates = Counter(Fate(mutant["fate"]) for mutant in mutants)
    score = score_of(mutants)
    counts = {fate.value: fates[fate] for fate in Fate}
    return {"mutants": len(mutants), **counts, "score": None if score is None else round(score, 1)}


def _by_paper(entries: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The mutants of each paper."""
    # A score over all papers would hide one that is low behind others that are long.
    papers: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        papers.setdefault(entry["paper"], []).extend(entry["mutants"])
    return papers


def _counts(summary: dict[str, Any]) -> str:
    return ", ".join(f"{summary[fate]} {fate}" for fate in Fate if summary[fate])


def _report(told: dict[str, Any], entries: Iterable[dict[str, Any]]) -> dict[str, Any]:
    entries = list(entries)
    papers = {paper: _summary(mutants) for paper, mutants in _by_paper(entries).items()}
    return {**told, "versions": versions_in_use(), "papers": papers, "claims": entries}


def _print_found(console: Console, entries: Sequence[dict[str, Any]], seconds: float) -> None:
    """Print every mutant that should have been noticed and was not, and the counts."""
    name = Column("claim, and mutants that nobody noticed", max_width=110)
    table = Table(name, Column("fate", no_wrap=True), "remark", **PLAIN)
    for entry in entries:
        told = f"{entry['standing']}: {_counts(_summary(entry['mutants'])) or 'no mutants'}"
        table.add_row(Text(entry["id"], "bold"), "", Text(told))
        for mutant in entry["mutants"]:
            wrong = mutant["declared"] is not None and mutant["fate"] == Fate.KILLED
            if mutant["fate"] in (Fate.SURVIVED, Fate.NOT_DECIDED) or wrong:
                fate = Text(mutant["fate"], STYLES[Fate(mutant["fate"])])
                remark = "DECLARED EQUIVALENT, BUT NOTICED" if wrong else mutant["reason"]
                table.add_row(Text(f"  {mutant['name']}"), fate, Text(remark[:120]))
    console.print(table)
    for paper, mutants in _by_paper(entries).items():
        summary = _summary(mutants)
        counts = _counts(summary)
        score = "nothing to notice" if summary["score"] is None else f"score {summary['score']}%"
        console.print(Text.assemble(f"{paper}: {len(mutants)} mutants: {counts}; ", (score, "bold")))
    console.print(f"in {seconds:.1f} s")
