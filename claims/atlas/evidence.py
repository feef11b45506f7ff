"""What is known of a claim: certificates and whether they were confirmed, its necessity, the verdicts of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claims.certificates.format import as_text
from claims.certificates.necessity import entries_of
from claims.certificates.published import published
from claims.proving.accepted import proofs_of, theorems
from claims.proving.table import Proved
from claims.stating.statement import Claim
from claims.verifying.report import FindingsError, read_output


@dataclass(frozen=True)
class Certificate:
    """A certificate: its name, and the answer of the checker, if any, with when it was given; `file` if one was read."""

    name: str
    data: dict[str, Any]
    answer: str = ""
    reason: str = ""
    when: str = ""
    file: str | None = None

    @property
    def text(self) -> str:
        """What its file says: a user's own is offered as it was written."""
        # Written when it is asked for: a picture of one claim needs the text of none.
        return as_text(self.data) if self.file is None else self.file

    @property
    def is_theorem(self) -> bool:
        """Whether Coq's kernel has accepted it as a theorem."""
        return self.name in theorems()

    @property
    def dropped(self) -> tuple[str, ...]:
        """The assumptions without which the statement fails here."""
        return tuple(one["name"] for one in self.data["assumptions"]["dropped"])


@dataclass(frozen=True)
class Evidence:
    """All that is known of one claim."""

    certificates: Sequence[Certificate] = ()
    entries: Sequence[dict[str, Any]] = ()
    report: dict[str, Any] | None = None
    proved: Sequence[Proved] = ()

    @property
    def refutation(self) -> Certificate | None:
        """The certificate that refutes the statement as it stands."""
        return next((one for one in self.certificates if not one.dropped), None)

    @property
    def decided_by(self) -> list[str]:
        """How anything about the claim was decided, in words."""
        found = {how for conclusion in (self.report or {}).get("conclusions", ()) for how in conclusion["decided_by"]}
        found |= {one.data["violation"]["known"] for one in self.certificates}
        found |= {entry["tightest"]["known"] for entry in self.entries if entry.get("tightest")}
        return sorted(found)

    @property
    def proved_sizes(self) -> list[str]:
        """The sizes for which some conclusion is proved for all real inputs."""
        return sorted({one.for_all for one in self.proved})


def gathered(
    claims: Iterable[Claim],
    reports: Iterable[dict[str, Any]],
    answers: Mapping[str, Mapping[str, str]],
    brought: Sequence[Certificate] = (),
) -> dict[str, Evidence]:
    """The evidence on each claim, by id: the reports of a run, the checker's `answers` by the names of certificates.

    `brought` are certificates of a user's own claims.
    """
    by_id = {report["id"]: report for report in reports}
    found: dict[str, list[Certificate]] = {}
    for name, data in published().items():
        told = (answers.get(name, {}).get(part, "") for part in ("verdict", "reason", "when"))
        found.setdefault(data["claim"]["id"], []).append(Certificate(name, data, *told))
    evidence = {}
    for claim in claims:
        report = by_id.get(claim.id)
        if claim.source is None:
            evidence[claim.id] = Evidence(found.get(claim.id, ()), entries_of(claim.id), report, proofs_of(claim.id))
        else:
            # A user's file may have the id of a claim of ours: what is published is not about it.
            own = [one for one in brought if one.data["claim"]["id"] == claim.id]
            evidence[claim.id] = Evidence(own, (), report)
    return evidence


def names_for(claims: Iterable[Claim]) -> list[str]:
    """The names of the published certificates of these claims."""
    chosen = {claim.id for claim in claims if claim.source is None}
    return [name for name, data in published().items() if data["claim"]["id"] in chosen]


# ---------------------------------------------------------------------------------------------------------------------
# Files of verdicts and findings


def read_verdicts(path: Path) -> list[dict[str, Any]]:
    """The reports on claims in the JSON of `claims verify --json`. Raises FindingsError."""
    reports: list[dict[str, Any]] = read_run(path)["claims"]
    return reports


def read_run(path: Path) -> dict[str, Any]:
    """The JSON of `claims verify --json`, whose "claims" hold what pages show of them. Raises FindingsError."""
    data: Any = read_output(path, "claims verify --json")
    reports = data.get("claims") if isinstance(data, dict) else None
    if not isinstance(reports, list) or not all(
        isinstance(one, dict) and all(key in one for key in ("id", "borne_out", "conclusions")) for one in reports
    ):
        raise FindingsError(f"{path} is not what `claims verify --json` writes: it has no list of claims")
    for one in reports:
        conclusions = one["conclusions"]
        # All that a page shows is read here, once: a page that is half written would say nothing of what is wrong.
        if not isinstance(one["id"], str) or not isinstance(conclusions, list) or not all(map(_is_tally, conclusions)):
            raise FindingsError(f"{path} is not what `claims verify --json` writes: see the conclusions of {one['id']!r}")
    return dict(data)


_COUNTS = ("instances", "holds", "violated", "undecided", "vacuous")
_TYPES = {"name": str, "form": str, "decided_by": dict} | dict.fromkeys(_COUNTS, int)


def _is_tally(data: Any) -> bool:
    """Whether all that a page shows of a conclusion's verdicts is there, each of its type."""
    if not isinstance(data, dict) or not all(type(data.get(key)) is kind for key, kind in _TYPES.items()):
        return False
    for name in ("tightest", "counterexample"):
        found = data.get(name)
        if name not in data or (found is not None and not _has(found, {"instance": dict, "slack?": str, "known?": str})):
            return False
    readings = data.get("readings", [])  # what an experiment on trained models says of comparisons
    return isinstance(readings, list) and all(_has(one, {"name": str, "word": str, "text": str}) for one in readings)


def _has(data: Any, kinds: Mapping[str, type]) -> bool:
    """Whether these are data with such entries; one with a question mark may be None."""
    return isinstance(data, dict) and all(
        isinstance(value := data.get(key.rstrip("?")), kind) or (key.endswith("?") and value is None)
        for key, kind in kinds.items()
    )


def read_answers(path: Path) -> dict[str, dict[str, str]]:
    """The JSON of `claims check --published --json`, by the names of certificates. Raises FindingsError."""
    data = read_output(path, "claims check --published --json")
    if not isinstance(data, list) or not all(_has(one, {"file": str, "verdict": str, "reason": str}) for one in data):
        raise FindingsError(f"{path} is not what `claims check --published --json` writes")
    return by_name(data)


def by_name(findings: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """The checker's findings by the names of published certificates."""
    known = published()
    return {one["file"]: {"verdict": one["verdict"], "reason": one["reason"]} for one in findings if one["file"] in known}
