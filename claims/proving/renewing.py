"""Bring the table of what is proved up to date: `python -m claims.proving.renewing [PATTERN...]`.

For maintainers of this repository. Run it at the root, with the extra `prove`. What the table says of today's claims is
kept, what it says of other formulas is removed, and what it does not know is tried, the smallest sizes first; the file is
written after every attempt. With `--again S` nothing is written: what was proved within S seconds is proved again, and an
entry that is not, or that is of other formulas than today's, ends the command with 1. With `--earlier S` what another
prover than today's, or other solvers, proved within S seconds is proved again, and noted as today's. With `--open` what
another prover left open is tried again, what is held true first. With `--size n=3,d=2` what was proved at the smallest
size is tried at this one, which no ladder has.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from flint import fmpq

from claims.certificates.current import is_current, statement_digest
from claims.certificates.provenance import versions_in_use
from claims.certificates.tables import Entry
from claims.proving.attempts import PROVABLE, attempted
from claims.proving.exploring import SMALL, size_of
from claims.proving.proof import Attempt, ProofStatus
from claims.proving.solvers import NoSolverError, require
from claims.proving.table import PROOFS, Key, current
from claims.proving.version import otherwise, prover, solver_versions
from claims.stating.catalogue import catalogue
from claims.stating.patterns import UnmatchedError, matched
from claims.stating.statement import AT_A_STATE, Claim, Standing
from claims.targets.target import Target
from dynamics.arithmetic import rational
from dynamics.strict_reading import read_text
from dynamics.system import System

TABLE = Path("claims/evidence") / PROOFS.name

BUDGET, LIMIT = 20.0, 5.0  # seconds for one conclusion at one size, and of a solver for one system
AGAIN = 10.0  # how many times as long a proof may take when it is found again: machines differ
BOX = (fmpq(-1), fmpq(1))  # where it is tried to prove what is open for all numbers
CLIMBED = (ProofStatus.PROVED, ProofStatus.VACUOUS)  # what became of an attempt from which a larger size is tried
GROWING = ("n", "p", "T")  # the axis that a second size makes longer: tokens, scores, rows


def ladder(kind: type[System]) -> list[dict[str, int]]:
    """The sizes that are tried, smaller ones first. A label that is not given is 0, and a count 2."""
    axes = dict.fromkeys((axis for one in kind.fields().values() for axis in one.axes), 2)
    axes |= {name: 0 if one.label else 2 for name, one in kind.fields().items() if one.integer and one.default is None}
    if {"n", "d"} <= set(axes):
        return [axes | size for size in sorted(SMALL, key=lambda size: (size["n"] * size["d"], size["n"]))]
    longer = next((axis for axis in GROWING if axis in axes), None)
    return [axes, axes | {longer: 3}] if longer else [axes]


def _described(made: Attempt) -> dict[str, Any]:
    one: dict[str, Any] = {"size": made.size, "verdict": made.word.value, "prover": prover()}
    if made.word is ProofStatus.PROVED:
        one |= {"for_all": made.told, "how": made.how}
    else:
        one["reason"] = made.reason[:200]
    return one | {"seconds": round(made.seconds, 1)}


def to_be_tried(claims: Sequence[Claim], table: dict[Key, Entry]) -> Iterator[tuple[Target, dict[str, int]]]:
    """What is to be tried: each rung of the ladder for all conclusions before the next.

    A rung is climbed from one that was proved, or that had nothing to say; what stays open at a small size is not tried at
    a larger one, and what cannot run at one runs at none.
    """
    targets = [Target.of(claim, one) for claim in claims for one in claim.conclusions if one.form in PROVABLE]
    # Rung by rung: a run that is ended has tried all at the small sizes, which take a moment.
    for rung in range(len(SMALL)):
        for target in targets:
            sizes = ladder(catalogue()[target.claim].system)
            known = [one["verdict"] for one in on_ladder(table.get((target.claim, target.conclusion)), sizes)]
            if len(known) == rung < len(sizes) and all(word in CLIMBED for word in known):
                yield target, sizes[rung]


def on_ladder(entry: Entry | None, sizes: Sequence[dict[str, int]]) -> list[dict[str, Any]]:
    """What was tried at these sizes."""
    return [one for one in entry["tried"] if one["size"] in sizes] if entry else []


def _beyond(
    claims: Sequence[Claim], table: dict[Key, Entry], size: dict[str, int]
) -> Iterator[tuple[Target, dict[str, int]]]:
    """What is to be tried at a size beyond the ladder: what was proved at the smallest, the quickest at its largest first.

    What is refuted, or cannot run, at some size is left out.
    """
    found = []
    for claim in claims:
        axes = dict.fromkeys((axis for one in claim.system.fields().values() for axis in one.axes), 2)
        if not set(size) <= set(axes):
            continue
        for one in claim.conclusions:
            tried = table.get((claim.id, one.name), {"tried": []})["tried"]
            words = [attempt["verdict"] for attempt in tried]
            is_new = axes | size not in [attempt["size"] for attempt in tried]
            holds = words[:1] == [ProofStatus.PROVED] and set(words) <= {*CLIMBED, ProofStatus.UNKNOWN}
            if is_new and holds and one.form in AT_A_STATE:
                not_proved = len(words) - words.count(ProofStatus.PROVED)
                found.append(
                    (not_proved, tried[-1]["seconds"], str(Target.of(claim, one)), Target.of(claim, one), axes | size)
                )
    yield from ((target, wanted) for *_, target, wanted in sorted(found, key=lambda one: one[:3]))


def open_at(claims: Sequence[Claim], table: dict[Key, Entry]) -> Iterator[tuple[Target, dict[str, int]]]:
    """What is to be tried on a box: what is open about a state at the last size tried."""
    for claim in claims:
        for one in claim.conclusions:
            entry = table.get((claim.id, one.name))
            tried = on_ladder(entry, ladder(claim.system))
            is_open = entry and tried and tried[-1]["verdict"] == ProofStatus.UNKNOWN and "boxes" not in entry
            if is_open and one.form in AT_A_STATE:
                yield Target.of(claim, one), tried[-1]["size"]


def renew_table(
    claims: Sequence[Claim], path: Path, minutes: float, budget: float, size: dict[str, int] | None = None
) -> None:
    """Try what the table does not know, and write it each time: of one size, or of the ladder and on boxes.

    Raises OSError, ValueError, ContradictionError.
    """
    end = time.monotonic() + 60 * minutes
    table = current(PROOFS.parsed(read_text(path)).values()) if path.is_file() else {}
    # Both are lazy: what is found decides what is tried next.
    for target, wanted in _beyond(claims, table, size) if size else to_be_tried(claims, table):
        if time.monotonic() > end:
            break
        made = attempted(target, wanted, budget, LIMIT)
        fresh = {"claim": target.claim, "conclusion": target.conclusion, "text": statement_digest(target), "tried": []}
        entry = table.setdefault((target.claim, target.conclusion), fresh)
        entry["tried"].append(_described(made))
        _keep(made, path, table)
    for target, wanted in () if size else open_at(claims, table):
        if time.monotonic() > end:
            break
        made = attempted(target, wanted, budget, LIMIT, {"": BOX})
        table[target.claim, target.conclusion]["boxes"] = [_described(made) | {"box": [str(end) for end in BOX]}]
        _keep(made, path, table)
    PROOFS.save(path, table, versions_in_use() | solver_versions())


def again(
    table: dict[Key, Entry], ids: Iterable[str], most: float, path: Path | None = None, minutes: float = math.inf
) -> Iterator[str]:
    """Prove again what was proved within `most` seconds, and say what is not, a sentence for each.

    With a path only what another prover proved is, and noted there as today's. What is not proved again stays as it is:
    said to be of an earlier prover. Raises OSError.
    """
    end, wanted = time.monotonic() + 60 * minutes, set(ids)
    for key, entry in table.items():
        if key[0] not in wanted:
            continue
        if not is_current(entry):
            if path is None:
                yield f"{'.'.join(key)} has changed since it was tried"
            continue
        for one in (*entry["tried"], *entry.get("boxes", ())):
            known = path is not None and not otherwise(one.get("prover"))
            if known or one["verdict"] != ProofStatus.PROVED or one["seconds"] > most:
                continue
            if time.monotonic() > end:
                return
            box = {"": (rational(one["box"][0]), rational(one["box"][1]))} if "box" in one else None
            made = attempted(Target(*key), one["size"], AGAIN * max(most, 1), AGAIN * LIMIT, box)
            if made.word is not ProofStatus.PROVED or made.told != one["for_all"]:
                yield f"{made.target} is {made.text} where it was proved for all {one['for_all']}: {made.reason}"
            elif path is not None:
                one.update(_described(made))
                PROOFS.save(path, table, versions_in_use() | solver_versions())


def _keep(made: Attempt, path: Path, table: dict[Key, Entry]) -> None:
    PROOFS.save(path, table, versions_in_use() | solver_versions())
    print(f"{made.target}: {made.text} ({made.seconds:.1f} s) {made.reason[:80]}", flush=True)  # noqa: T201


def retried(table: dict[Key, Entry], claims: Sequence[Claim], path: Path, minutes: float, budget: float) -> None:
    """Try again what another prover left open, what is held true first and the shortest of it, and note what is found.

    Raises OSError, ContradictionError.
    """
    end = time.monotonic() + 60 * minutes
    kept = current(table.values())  # whose attempts are those of the table: they are noted in place
    found = [
        (claim.standing is not Standing.TRUE, one["seconds"], number, Target.of(claim, conclusion), one)
        for claim in claims
        for conclusion in claim.conclusions
        for number, one in enumerate(kept.get((claim.id, conclusion.name), {"tried": []})["tried"])
        if one["verdict"] == ProofStatus.UNKNOWN and otherwise(one.get("prover"))
    ]
    for *_, target, one in sorted(found, key=lambda one: (*one[:3], str(one[3]))):
        if time.monotonic() > end:
            return
        made = attempted(target, one["size"], budget, LIMIT)
        one.clear()
        one.update(_described(made))
        _keep(made, path, kept)


def main(arguments: Sequence[str] | None = None) -> None:
    """Renew the table, or prove again what it says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="ids, globs, papers or labels; all by default")
    parser.add_argument(
        "--again", type=float, metavar="S", help="prove again what was proved within S seconds; write nothing"
    )
    parser.add_argument(
        "--earlier", type=float, metavar="S", help="prove again what an earlier prover proved within S seconds"
    )
    parser.add_argument("--open", action="store_true", help="try again what an earlier prover left open")
    parser.add_argument("--size", type=size_of, metavar="n=3,d=2", help="a size beyond those that are tried anyway")
    parser.add_argument("--minutes", type=float, default=60.0, help="when to stop")
    parser.add_argument("--budget", type=float, default=BUDGET, help="seconds for one conclusion at one size")
    chosen = parser.parse_args(arguments)
    try:
        require()
        ids = matched(chosen.patterns, {name: claim.refs for name, claim in catalogue().items()})
    except (NoSolverError, UnmatchedError) as error:
        parser.error(str(error))
    if not TABLE.parent.is_dir():
        parser.error(f"there is no {TABLE.parent}: run this at the root of the repository")
    if chosen.earlier is not None:
        kept = list(again(PROOFS.parsed(read_text(TABLE)), ids, chosen.earlier, TABLE, chosen.minutes))
        print("\n".join([*kept, f"{len(kept)} not proved again, and kept as they are"]))  # noqa: T201
        return
    if chosen.open:
        every = [catalogue()[name] for name in ids]
        retried(PROOFS.parsed(read_text(TABLE)), every, TABLE, chosen.minutes, chosen.budget)
        return
    if chosen.again is None:
        renew_table([catalogue()[name] for name in ids], TABLE, chosen.minutes, chosen.budget, chosen.size)
        return
    lost = list(again(PROOFS.parsed(read_text(TABLE)), ids, chosen.again))
    print("\n".join([*lost, f"{len(lost)} lost of what was proved within {chosen.again:g} s"]))  # noqa: T201
    parser.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
