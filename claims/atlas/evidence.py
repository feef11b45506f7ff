"""What is known of a claim: certificates and whether they were confirmed, its necessity, the verdicts of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claims.certificates.format import as_text
from claims.certificates.published import published
from claims.formal.accepted import proofs_of, theorems
from claims.hunting.necessity import entries_of
from claims.proving.table import Proved
from claims.statement import Claim
from claims.verifying.report import FindingsError, read_output


@dataclass(frozen=True)
class Certificate:
    """A published certificate: its name, its text, and the answer of the checker, if any, with when it was given."""

    name: str
    text: str
    data: dict[str, Any]
    answer: str = ""
    reason: str = ""
    when: str = ""

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
        found: dict[str, None] = {}
        for conclusion in (self.report or {}).get("conclusions", ()):
            found |= dict.fromkeys(conclusion["decided_by"])
        found |= dict.fromkeys(one.data["violation"]["known"] for one in self.certificates)
        found |= dict.fromkeys(entry["tightest"]["known"] for entry in self.entries if entry.get("tightest"))
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
        answer = answers.get(name, {})
        told = (answer.get(part, "") for part in ("verdict", "reason", "when"))
        one = Certificate(name, as_text(data), data, *told)
        found.setdefault(data["claim"]["id"], []).append(one)
    return {
        claim.id: Evidence(
            found.get(claim.id, ())
            if claim.source is None
            else [one for one in brought if one.data["claim"]["id"] == claim.id],
            entries_of(claim.id) if claim.source is None else (),
            by_id.get(claim.id),
            proofs_of(claim.id) if claim.source is None else (),
        )
        for claim in claims
    }


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
    needed = ("id", "borne_out", "conclusions")
    if not isinstance(reports, list) or not all(
        isinstance(one, dict) and all(key in one for key in needed) for one in reports
    ):
        raise FindingsError(f"{path} is not what `claims verify --json` writes: it has no list of claims")
    for one in reports:
        for tally in one["conclusions"] if isinstance(one["conclusions"], list) and isinstance(one["id"], str) else [None]:
            if not isinstance(tally, dict) or not _is_tally(tally):
                raise FindingsError(
                    f"{path} is not what `claims verify --json` writes: see the conclusions of {one['id']!r}"
                )
    return dict(data)


_TALLY = {
    "name": str,
    "form": str,
    "instances": int,
    "holds": int,
    "violated": int,
    "undecided": int,
    "vacuous": int,
    "decided_by": dict,
}
"""What a page shows of a conclusion's verdicts."""


def _is_tally(data: dict[str, Any]) -> bool:
    """Whether all that a page shows is there, each of its type."""
    for name in ("tightest", "counterexample"):
        found = data.get(name)
        if name not in data or not (found is None or (isinstance(found, dict) and isinstance(found.get("instance"), dict))):
            return False
        if found is not None and not all(
            found.get(key) is None or isinstance(found[key], str) for key in ("slack", "known")
        ):
            return False
    return all(type(data.get(key)) is kind for key, kind in _TALLY.items()) and _are_readings(data.get("readings", []))


def _are_readings(data: Any) -> bool:
    """Whether these are what an experiment on trained models says of comparisons."""
    return isinstance(data, list) and all(
        isinstance(one, dict) and all(isinstance(one.get(key), str) for key in ("name", "word", "text")) for one in data
    )


def read_answers(path: Path) -> dict[str, dict[str, str]]:
    """The JSON of `claims check --published --json`, by the names of certificates. Raises FindingsError."""
    data = read_output(path, "claims check --published --json")
    if not isinstance(data, list) or not all(
        isinstance(one, dict) and all(isinstance(one.get(key), str) for key in ("file", "verdict", "reason"))
        for one in data
    ):
        raise FindingsError(f"{path} is not what `claims check --published --json` writes")
    return by_name(data)


def by_name(findings: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """The checker's findings by the names of published certificates."""
    known = published()
    return {one["file"]: {"verdict": one["verdict"], "reason": one["reason"]} for one in findings if one["file"] in known}
