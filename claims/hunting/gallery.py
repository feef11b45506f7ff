"""Fold hunts into the necessity map and the gallery of certificates: `python -m claims.hunting.gallery DIR...`.

For those who keep this repository. Run at its root; the hunts may be unfinished.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from claims.hunting import certificates
from claims.hunting.ledger import Ledger, LedgerError, task_key
from claims.hunting.necessity import folded, parsed, save
from claims.hunting.plan import Hunt, Hunted, hunt_of
from claims.hunting.rounds import size
from claims.hunting.target import Target, TargetError

MAP = Path("claims/necessity.json")
GALLERY = Path("docs/counterexamples")


def recalled(folder: Path) -> Hunt:
    """The hunt in a folder as far as its ledger goes, without targets that there are no more. Raises LedgerError."""
    with Ledger(folder, reading=True) as ledger:
        if ledger.settings is None:
            raise LedgerError(f"the hunt in {folder} was never begun")
        known = [data for data in ledger.settings["targets"] if _is_known(Target.from_json(data))]
        hunt = hunt_of(ledger.settings | {"targets": known})
        recorded = {entry.key: entry for entry in ledger.entries()}
    handed = {task_key(spec): spec for spec in hunt.ready()}
    # In the order in which they arrived: where time is limited, that decides what came next.
    while key := next((key for key in recorded if key in handed), None):
        entry = recorded.pop(key)
        hunt.take(handed[key], entry.result, entry.seconds)
        handed |= {task_key(spec): spec for spec in hunt.ready()}
    return hunt


def _is_known(target: Target) -> bool:
    try:
        target.resolve()
    except TargetError:
        return False
    return True


def shown(hunts: Iterable[Hunted]) -> list[dict[str, Any]]:
    """The certificates worth showing: of each claim the shortest under each set of assumptions dropped."""
    best: dict[tuple[str, tuple[str, ...]], dict[str, Any]] = {}
    for one in hunts:
        found = one.certificate
        if found is None or one.target.sharpened or one.target.source is not None:
            continue
        if one.group not in best or size(found) < size(best[one.group]):
            best[one.group] = found
    return list(best.values())


def place(certificate: dict[str, Any], gallery: Path) -> Path:
    """Where the gallery keeps a certificate: one for each claim under each set of assumptions."""
    paper, _, name = certificate["claim"]["id"].partition(".")
    dropped = [assumption["name"] for assumption in certificate["assumptions"]["dropped"]]
    return gallery / paper / ".".join([name, *(f"without_{one}" for one in dropped), "json"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the hunts, write the map and the certificates."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="a folder that a hunt wrote")
    folders: list[Path] = parser.parse_args(arguments).folders
    if not MAP.is_file():
        parser.error(f"there is no {MAP}: run this at the root of the repository")
    entries = parsed(MAP.read_text(encoding="utf-8"))
    try:
        hunts = [one for folder in folders for one in recalled(folder).hunted]
    except LedgerError as error:
        parser.error(str(error))
    save(MAP, folded(entries, hunts))
    written = 0
    for found in shown(hunts):
        path = place(found, GALLERY)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or size(found) < size(json.loads(path.read_text(encoding="utf-8"))):
            certificates.write(found, path)
            written += 1
    print(f"{len(hunts)} targets folded into {MAP}; {written} certificates written to {GALLERY}")  # noqa: T201


if __name__ == "__main__":
    main()
