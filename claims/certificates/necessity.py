"""The necessity map: for each assumption of a claim the counterexample without it, or how long one was searched for.

The map is data of the package, with one entry for each target of the catalogue; hunts are merged into it. A counterexample
is there by the name of the certificate that is published for its conclusion, so that the map shows no other one. A
counterexample to another conclusion at the certificate's instance is there by that name with what it says otherwise. Of
what a hunt left open, `open` says why: such an entry is neither for the statement nor a counterexample to it.

A counterexample is decided again by its certificate. Any other entry speaks for the formulas that were hunted: `text` is
their digest, and where they have changed since, it is no longer read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Protocol

from claims.certificates.current import computation_digest
from claims.certificates.format import writing_cost
from claims.certificates.published import Certificate, name_of, published
from claims.certificates.tables import Entry, Table
from claims.targets.target import Target, TargetError


def _name(entry: Entry) -> str:
    return str(Target.from_json(entry))


MAP = Table("necessity.json", "attention-claims necessity map 1", "a necessity map", _name)


def referring(entry: Entry, certificates: Mapping[str, Certificate]) -> Entry:
    """The entry with the published certificate for its counterexample, where that is of its conclusion or its instance."""
    found = entry.get("counterexample")
    name = name_of(entry["claim"], entry.get("dropped", ()))
    certificate = certificates.get(name)
    if not found or not certificate:
        return entry
    # One counterexample is published for a conclusion: the map must not tell another one.
    if certificate["conclusion"]["name"] == entry["conclusion"]:
        return entry | {"counterexample": {"certificate": name}}
    if certificate["instance"] != found["instance"]:
        return entry
    return entry | {"counterexample": {"certificate": name} | _without(found, {"instance": found["instance"]})}


def resolved(entry: Entry, certificates: Mapping[str, Certificate]) -> Entry:
    """The entry in full, its counterexample with slack and instance. Raises LookupError where its certificate is gone."""
    found = entry.get("counterexample", {})
    if "certificate" not in found:
        return entry
    certificate = certificates.get(found["certificate"])
    if certificate is None:
        raise LookupError(f"{_name(entry)}: there is no certificate {found['certificate']}")
    return entry | {"counterexample": _counterexample(certificate) | _without(found, {"certificate": found["certificate"]})}


def _counterexample(certificate: Mapping[str, Any]) -> dict[str, Any]:
    instance = dict(sorted(certificate["instance"].items()))
    return {"slack": certificate["violation"]["slack"]["lower"], "instance": instance}


def _without(found: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name not in known or known[name] != value}


NOTHING_DECIDED = "nothing decided"
"""Of a conclusion that was searched without one verdict, all that was proposed outside the hypotheses for one."""

NOT_CERTIFIED = "violated, not certified"  # of one that was decided to be violated where no certificate could be written


class Searched(Protocol):
    """What the map takes of a hunt for one target: who only reads the map needs no hunt."""

    target: Target
    evaluations: int
    decided: int
    certificate: Certificate | None
    violation: dict[str, Any] | None
    tightest: dict[str, Any] | None
    idle: str | None


def map_entry(hunted: Searched) -> Entry:
    """What one target's hunt adds to the map, beside the number of starts.

    The counterexample, or what was left open, or the tightest of the instances that were decided, where it has a slack.
    """
    entry: Entry = hunted.target.to_json() | {"starts": hunted.evaluations}
    if hunted.certificate is not None:
        return entry | {"counterexample": _counterexample(hunted.certificate)}
    entry["text"] = computation_digest(hunted.target)
    if hunted.violation is not None:
        return entry | {"open": NOT_CERTIFIED}
    if not hunted.decided:
        return entry | {"open": hunted.idle or NOTHING_DECIDED}
    return entry | ({"tightest": hunted.tightest} if hunted.tightest else {})


def still_stands(entry: Entry) -> bool:
    """Whether an entry is about the formulas of today, or has a counterexample, which is decided by itself."""
    try:
        return "counterexample" in entry or entry["text"] == computation_digest(Target.from_json(entry))
    except TargetError:  # a claim that is no more, or has another conclusion
        return False


def folded(entries: Mapping[str, Entry], hunts: Iterable[Searched]) -> dict[str, Entry]:
    """The map with hunts of the suite's own claims merged: counterexamples win, then long searches that decided anything.

    Left out are targets with other constants or of a user's own file, and those of which no round came back.
    """
    result = dict(entries)
    for one in hunts:
        is_silent = one.evaluations == 0 and one.idle is None
        if one.target.sharpened or one.target.source is not None or is_silent:
            continue
        new, name = map_entry(one), str(one.target)
        if name not in result or _rank(new) > _rank(result[name]):
            result[name] = new
    return result


def _rank(entry: Entry) -> tuple[int, int]:
    """Counterexamples, short before long; other violations; searches that found none, long before short; the rest."""
    if "counterexample" in entry:
        return 3, -writing_cost(entry["counterexample"])[0]
    if entry.get("open") == NOT_CERTIFIED:
        return 2, 0
    return int("open" not in entry), entry["starts"]


def known_instances(entries: Mapping[str, Entry]) -> dict[str, list[dict[str, Any]]]:
    """The tight instances in the map by target, for later hunts to start from."""
    return {name: [entry["tightest"]["instance"]] for name, entry in entries.items() if "tightest" in entry}


@cache
def entries_by_claim() -> dict[str, list[Entry]]:
    """The entries of the package as they are stored, claim by claim."""
    found: dict[str, list[Entry]] = {}
    for entry in MAP.stored.values():
        found.setdefault(entry["claim"], []).append(entry)
    return found


def entries_of(claim: str) -> list[Entry]:
    """The entries of one claim in full that are about its formulas of today, by assumption."""
    certificates = published()
    found = [resolved(entry, certificates) for entry in entries_by_claim().get(claim, ()) if still_stands(entry)]
    return sorted(found, key=lambda entry: (entry.get("dropped", []), entry["conclusion"]))
