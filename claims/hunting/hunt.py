"""A hunt as plain data: what is asked, and what was found."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from claims.campaigns.durations import seconds_of
from claims.campaigns.engines import fingerprint
from claims.certificates.current import computation_digest
from claims.certificates.necessity import MAP, NOTHING_DECIDED, known_instances
from claims.hunting.plan import COUNTS, Hunt, Hunted
from claims.stating.statement import Claim, Standing, judged_by_runs
from claims.targets.target import Target, TargetError
from claims.verifying.dropping import checked_conclusions, targets_without
from dynamics.arithmetic import rational

WORK = "claims.hunting.rounds:work"

DEFAULT_SECONDS = 60.0


# ---------------------------------------------------------------------------------------------------------------------
# What is asked


def constant_of(text: str) -> tuple[str, str]:
    """The name and exact value of "NAME=VALUE". Raises ValueError naming what is wrong."""
    name, given, value = text.partition("=")
    if not given:
        raise ValueError(f"{text!r} is no constant: write NAME=VALUE, for instance rate=1001/1000")
    return name.strip(), str(rational(value.strip()))


def targets_of(
    claims: Sequence[Claim], dropped: Sequence[str], constants: Sequence[tuple[str, str]], only: Sequence[str] = ()
) -> list[Target]:
    """The targets: every conclusion, or those named that assume what is dropped and have the constants.

    Raises TargetError for a constant given twice, a name that no conclusion has, and when nothing remains, DropError for
    an assumption that nothing has.
    """
    if len(dict(constants)) < len(constants):
        raise TargetError(f"a constant is given twice: {', '.join(f'{name}={value}' for name, value in constants)}")
    if dropped:
        wanted = targets_without(claims, dropped)
    else:
        wanted = [Target.of(claim, conclusion) for claim in claims for conclusion in checked_conclusions(claim)]
    names = list(dict.fromkeys(target.conclusion for target in wanted))
    for name in only:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names) or 'none'}"
            raise TargetError(f"no conclusion that is hunted here is named {name!r}: {hint}")
    targets = []
    for target in wanted:
        if only and target.conclusion not in only:
            continue
        conclusion = target.resolve().conclusion
        # A conclusion without one of the constants would be hunted as it stands, which was not asked.
        own = tuple((key, value) for key, value in constants if key in conclusion.constants)
        if len(own) == len(constants):
            file = target.file_name or None  # where a file lies is no part of what it says
            targets.append(replace(target, sharpened=own, file=file))
    if not targets:
        if not constants:
            raise TargetError(judged_by_runs(claims) or "the chosen claims have no conclusion that is checked on instances")
        known = sorted({name for claim in claims for conclusion in claim.conclusions for name in conclusion.constants})
        asked = ", ".join(name for name, _ in constants)
        raise TargetError(f"no conclusion chosen has the constants {asked}: there are {', '.join(known) or 'none'}")
    return targets


def hunt_settings(
    claims: Sequence[Claim],
    dropped: Sequence[str],
    sharpen: Sequence[str],
    budget: str | None,
    starts: int | None,
    seed: int,
    processes: int,
    command: str,
    only: Sequence[str] = (),
) -> dict[str, Any]:
    """All settings of a hunt, plain data for its ledger. Raises ValueError, DropError or TargetError for none."""
    constants = [constant_of(text) for text in sharpen]
    seconds = seconds_of(budget) if budget else None if starts else DEFAULT_SECONDS
    targets = targets_of(claims, dropped, constants, only)
    known = known_instances(MAP.stored)
    return {
        "targets": [target.to_json() for target in targets],
        "texts": [computation_digest(target) for target in targets],
        "starts": starts,
        "seconds": None if seconds is None else seconds * processes,
        "processes": processes,
        "seed": seed,
        "command": command,
        "code": fingerprint(),
        # Kept with the settings, so that a map renewed meanwhile changes no hunt that is resumed.
        "memory": {str(target): known[str(target)] for target in targets if str(target) in known},
    }


# ---------------------------------------------------------------------------------------------------------------------
# What was found

# Of these a counterexample is news: others are known to be false, or not claimed.
REFUTABLE = (Standing.TRUE, Standing.OPEN)


def contradicts(hunted: Hunted) -> bool:
    """Whether what was found refutes a claim held true or open, as it stands."""
    standing = hunted.target.resolve().claim.standing
    return (
        hunted.violation is not None and not hunted.target.dropped and not hunted.target.sharpened and standing in REFUTABLE
    )


def finding(hunted: Hunted) -> str:
    """The finding on a target, in a word or two."""
    if hunted.certificate is not None:
        return "COUNTEREXAMPLE"
    if hunted.violation is not None:
        return "VIOLATED, not reduced"
    if hunted.starts == 0 and hunted.failures:
        return "lost"
    if not hunted.finished:
        return "none so far" if hunted.starts else "not begun"
    return hunted.idle or ("survived" if hunted.decided else NOTHING_DECIDED)


def says_nothing(hunted: Hunted) -> bool:
    """Whether the hunt ended without a verdict on a statement as it stands: that is no success."""
    asked = not hunted.target.dropped and not hunted.target.sharpened
    return asked and hunted.finished and hunted.violation is None and finding(hunted) != "survived"


def is_unseen(hunted: Hunted) -> bool:
    """Whether nothing was proposed or decided of a limit with a trap: float64 may not see what balls show."""
    return says_nothing(hunted) and not hunted.proposed and hunted.target.resolve().conclusion.trap is not None


def outside_in_words(hunted: Hunted) -> str:
    """How many candidates left which hypotheses; empty where none did."""
    text = ", ".join(f"{count} by {name}" for name, count in hunted.outside.most_common())
    claim = hunted.target.resolve().claim
    fixed = [one.name for one in claim.assumptions if claim.source and not one.is_imposed and hunted.outside[one.name]]
    way = "; a search leads back into a hypothesis that has a restrict: "
    advice = f"{way}give one to {', '.join(fixed)}" if fixed else ""
    return f"candidates that left the hypotheses: {text}{advice}" if text else ""


def enclosure_path(certificate: Path) -> Path:
    """Where the enclosure of a trajectory is written: beside the certificate of its violation."""
    return certificate.with_suffix(".trajectory.json")


def report(hunt: Hunt, settings: dict[str, Any], paths: dict[int, Path]) -> dict[str, Any]:
    """What was found, as plain data; `paths` are those of the certificates by the position of their target."""
    found = []
    for index, one in enumerate(hunt.hunted):
        found.append(
            {
                # Not the text of a user's file, which the certificate carries where there is one.
                **{key: value for key, value in one.target.to_json().items() if key != "source"},
                "finding": finding(one),
                **{name: getattr(one, name) for name in COUNTS},
                "outside": dict(one.outside),
                "seconds": round(one.seconds, 3),
                "tightest": one.tightest,
                "certificate": str(paths[index]) if index in paths else None,
                "counterexample": one.certificate,
                "enclosure": str(enclosure_path(paths[index])) if one.enclosure is not None and index in paths else None,
                "no_enclosure": one.no_enclosure,
                "failures": one.failures,
            }
        )
    kept = {key: value for key, value in settings.items() if key not in ("targets", "texts", "memory")}
    return {**kept, "hunted": found}
