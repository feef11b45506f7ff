"""Fold hunts into the necessity map and the gallery of certificates: `python -m claims.hunting.gallery DIR...`.

For maintainers of this repository. Run it at the root; hunts may be unfinished. With `--renew`, after claims have changed,
what was found before is compared with today's claims: certified again on the same instance, or removed. The counterexample
that a claim is refuted with by hand is the one that is published, wherever it violates a conclusion of the claim at hand.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from claims.campaigns.ledger import Ledger, LedgerError, task_key
from claims.certificates.current import computation_digest
from claims.certificates.format import MalformedError, hypotheses, statement, writing_cost
from claims.certificates.necessity import MAP, folded, referring, resolved, still_stands
from claims.certificates.published import Certificate, name_of, published_name, read_evidence, write_evidence
from claims.certificates.tables import Entry
from claims.hunting.moves import ties
from claims.hunting.plan import Hunt, Hunted, hunt_of
from claims.hunting.rounds import EFFORT, certified, instance_of
from claims.stating.catalogue import catalogue
from claims.stating.statement import AT_A_STATE
from claims.stating.verdict import Outcome
from claims.targets.target import Target, TargetError
from claims.verifying.tallies import decide
from dynamics.system import System

GALLERY = Path("claims/evidence")
MAP_FILE = GALLERY / MAP.name

TIED = 1_000_000  # ties of an instance that current claims do not admit: it comes after all that they do


def recalled(folder: Path, changed: list[str] | None = None) -> Hunt:
    """The hunt in a folder as far as its ledger goes, without targets whose formulas are no longer those that were hunted.

    Their names are added to `changed`. Raises LedgerError.
    """
    with Ledger(folder, reading=True) as ledger:
        if ledger.settings is None:
            raise LedgerError(f"the hunt in {folder} was never begun")
        # Of before the texts were kept nothing is known, so that nothing is taken.
        hunted = zip_longest(ledger.settings["targets"], ledger.settings.get("texts", ()))
        known = [(data, _text_of(Target.from_json(data)) == text) for data, text in hunted]
        hunt = hunt_of(ledger.settings | {"targets": [data for data, is_same in known if is_same]})
        if changed is not None:
            changed += [str(Target.from_json(data)) for data, is_same in known if not is_same]
        recorded = {entry.key: entry for entry in ledger.entries()}
    handed = {task_key(spec): spec for spec in hunt.ready()}
    # In the order in which they arrived: where time is limited, that decides what came next.
    while key := next((key for key in recorded if key in handed), None):
        entry = recorded.pop(key)
        hunt.take(handed[key], entry.result, entry.seconds)
        handed |= {task_key(spec): spec for spec in hunt.ready()}
    return hunt


def _text_of(target: Target) -> str:
    """The digest of a target's formulas; empty for a target that there is no more."""
    try:
        return computation_digest(target)
    except TargetError:
        return ""


def worth_showing(hunts: Iterable[Hunted]) -> list[dict[str, Any]]:
    """The certificates worth showing: of each claim that with the fewest ties, then the shortest, for each set dropped."""
    best: dict[tuple[str, tuple[str, ...]], dict[str, Any]] = {}
    for one in hunts:
        found = one.certificate
        # With other constants, or of a user's own file, it is no statement of the suite.
        if found is None or one.target.sharpened or one.target.source is not None:
            continue
        if one.group not in best or _rank(found) < _rank(best[one.group]):
            best[one.group] = found
    return list(best.values())


def _rank(certificate: dict[str, Any]) -> tuple[bool, int, int, str]:
    # What is checked by hand is what a sheet shows; ties occur on a null set, so without them an instance is stronger.
    target = _target_of(certificate)
    system = _admitted(target, certificate["instance"])
    tied = TIED if system is None else ties(system, target.resolve().conclusion.form)
    is_by_hand = not target.dropped and certificate["instance"] == instance_by_hand(target.claim)
    return (not is_by_hand, tied, *writing_cost(certificate))


def instance_by_hand(name: str) -> dict[str, Any] | None:
    """The instance at which a claim is refuted by hand, as certificates write it; None where no instance is named."""
    claim = catalogue().get(name)
    if claim is None or claim.hand is None or not claim.hand.instance:
        return None
    instance: dict[str, Any] = claim.system.instance(**claim.hand.instance).to_json()
    return instance


def by_hand(gallery: dict[str, Certificate]) -> dict[str, Certificate]:
    """The certificates at instances that are checked by hand, of those whose published one is at another."""
    found: dict[str, Certificate] = {}
    for name, claim in catalogue().items():
        published = gallery.get(name_of(name, ()))
        instance = instance_by_hand(name)
        if published is None or instance is None or published["instance"] == instance:
            continue
        # The one that is published first: then only the instance of what is shown changes.
        conclusions = sorted(claim.conclusions, key=lambda one: one.name != published["conclusion"]["name"])
        at_hand = published | {"instance": instance}
        certificates = (renewed(at_hand | {"conclusion": {"name": one.name}}) for one in conclusions)
        if first := next((one for one in certificates if one is not None), None):
            found[name_of(name, ())] = first
    return found


def _is_current(data: dict[str, Any]) -> bool:
    target = _target_of(data)
    try:
        variant = target.resolve()
    except TargetError:
        return False
    claim, printed = variant.claim, variant.printed
    today = statement(claim, printed) | {"assumptions": hypotheses(claim, printed, target.dropped)}
    today["command"] = target.command(_seed_of(data))
    return all(data[name] == value for name, value in today.items())


def renewed(data: dict[str, Any]) -> dict[str, Any] | None:
    """A new certificate of the same instance for today's claim; None if it is no longer a counterexample."""
    target = _target_of(data)
    system = _admitted(target, data["instance"])
    if system is None:
        return None
    # Without an assumption that was dropped the formula may have no value.
    verdict = decide(target.resolve().conclusion, system, EFFORT, outside=True)
    try:
        return certified(target, system, verdict, _seed_of(data))
    except ValueError:
        return None


def _seed_of(data: dict[str, Any]) -> int:
    given = re.search(r"--seed[ =](\d+)", data["command"])
    return int(given[1]) if given else 0


def _target_of(data: dict[str, Any]) -> Target:
    dropped = tuple(assumption["name"] for assumption in data["assumptions"]["dropped"])
    return Target(data["claim"]["id"], data["conclusion"]["name"], dropped)


def _admitted(target: Target, instance: dict[str, Any]) -> System | None:
    try:
        variant = target.resolve()
        system = instance_of(variant, instance)
    except (TargetError, ValueError):
        return None
    return system if variant.admits(system) else None


def _is_counterexample(target: Target, instance: dict[str, Any]) -> bool:
    system = _admitted(target, instance)
    if system is None:
        return False
    conclusion = target.resolve().conclusion
    return conclusion.form not in AT_A_STATE or decide(conclusion, system, EFFORT, outside=True).outcome is Outcome.VIOLATED


def renew(gallery: dict[str, Certificate], entries: dict[str, Entry]) -> dict[str, Entry]:
    """Bring the gallery up to date, and return the map without entries that are no longer counterexamples or targets."""
    stale = {name: renewed(data) for name, data in gallery.items() if not _is_current(data)}
    for name, new in stale.items():
        del gallery[name]
        gallery |= {name: new} if new is not None else {}
    gallery |= (checked := by_hand(gallery))
    kept = {name: entry for name, entry in entries.items() if _still_holds(entry, gallery)}
    removed = list(stale.values()).count(None)
    print(  # noqa: T201
        f"{len(stale) - removed} certificates renewed, {removed} removed, {len(checked)} at what is checked by hand; "
        f"{len(entries) - len(kept)} entries removed from the map"
    )
    return kept


def _still_holds(entry: Entry, gallery: dict[str, Certificate]) -> bool:
    target = Target.from_json(entry)
    if "counterexample" not in entry:
        return still_stands(entry)
    shown = name_of(target.claim, target.dropped) in gallery
    return shown and _is_counterexample(target, entry["counterexample"]["instance"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the hunts, write the map and the certificates."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR", help="a folder that a hunt wrote")
    parser.add_argument("--renew", action="store_true", help="first compare what was found before with the current claims")
    chosen = parser.parse_args(arguments)
    folders: list[Path] = chosen.folders
    if not (folders or chosen.renew):
        parser.error("nothing to do: name a folder that a hunt wrote, or --renew")
    if not MAP_FILE.is_file():
        parser.error(f"there is no {MAP_FILE}: run this at the root of the repository")
    _fold(parser, folders, chosen.renew)


def _fold(parser: argparse.ArgumentParser, folders: Sequence[Path], again: bool) -> None:
    try:
        gallery = read_evidence(GALLERY)
        stored = MAP.parsed(MAP_FILE.read_text(encoding="utf-8"))
        entries = {name: resolved(entry, gallery) for name, entry in stored.items()}
        changed: list[str] = []
        hunts = [one for folder in folders for one in recalled(folder, changed).hunted]
    except (LedgerError, LookupError, MalformedError) as error:
        parser.error(str(error))
    # Renewed first: new hunts are compared with what still holds. A long search for other formulas holds no longer.
    entries = renew(gallery, entries) if again else {name: one for name, one in entries.items() if still_stands(one)}
    entries = folded(entries, hunts)
    written = 0
    for one in worth_showing(hunts):
        found = one if _is_current(one) else renewed(one)
        if found is None:
            continue
        name = published_name(found)
        if name not in gallery or _rank(found) < _rank(gallery[name]):
            gallery[name] = found
            written += 1
    try:
        write_evidence(GALLERY, gallery)
    except ValueError as error:
        parser.error(str(error))
    MAP.save(MAP_FILE, {name: referring(entry, gallery) for name, entry in entries.items()})
    if changed:
        print(f"{len(changed)} left out, whose formulas have changed since; hunt them again: {', '.join(changed)}")  # noqa: T201
    print(f"{len(hunts)} targets folded into {MAP_FILE}; {written} certificates written to {GALLERY}")  # noqa: T201


if __name__ == "__main__":
    main()
