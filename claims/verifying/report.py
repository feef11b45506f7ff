"""What was found, as JSON, and how files of it are read."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from claims.verifying.dropping import Drop
from claims.verifying.tallies import Tally
from claims.verifying.tasks import Report
from dynamics.strict_reading import UnreadableError, read_json, read_text

MOST_READ = 64 << 20
"""Bytes of a file of verdicts or findings."""


class FindingsError(ValueError):
    """A file of verdicts or of findings is not one; the message says what is wrong with it."""


def read_output(path: Path, command: str, most: int = MOST_READ) -> Any:
    """The JSON that a command wrote to a file. Raises FindingsError."""
    try:
        return read_json(read_text(path, most))
    except UnreadableError as error:
        raise FindingsError(f"{path} is not what `{command}` writes: this {error}") from None
    except OSError as error:
        raise FindingsError(f"{path} cannot be read: {error.strerror}") from None


def report_json(report: Report) -> dict[str, Any]:
    """A claim with its tallies."""
    return {
        "id": report.claim,
        "refs": list(report.refs),
        "origin": report.origin.value,
        "standing": report.standing_word,
        "borne_out": report.borne_out,
        "why_not": "" if report.borne_out is not False else report.why,
        "news": report.is_news,
        "file": report.file,
        "unfinished": report.unfinished,
        "seconds": round(report.seconds, 3),
        "conclusions": [tally_json(tally) for tally in report.tallies],
    }


def tally_json(tally: Tally) -> dict[str, Any]:
    """What was found about one conclusion."""
    return {
        "name": tally.name,
        "form": tally.form,
        "instances": tally.instances,
        "holds": tally.holds,
        "violated": tally.violated,
        "undecided": tally.undecided,
        "vacuous": tally.vacuous,
        "touched": tally.touched,
        "screened": tally.screened,
        "decided_by": {str(known): count for known, count in sorted(tally.decided_by.items())},
        "kinds": dict(sorted(tally.kinds.items())),
        "undecided_because": dict(tally.reasons),
        "error": tally.error,
        "readings": tally.readings,
        "tightest": tally.tightest,
        "counterexample": tally.violation,
        "mpmath_digits": None if tally.agreement is None else math.floor(10 * tally.agreement) / 10,
        "mpmath_objects": tally.objection,
    }


def drop_json(drop: Drop) -> dict[str, Any]:
    """What was found without an assumption."""
    tally = drop.tally
    return {
        "claim": drop.claim,
        "refs": list(drop.refs),
        "origin": drop.origin.value,
        "standing": drop.standing_word,
        "dropped": list(tally.dropped),
        "finding": drop.finding.value,
        "no_way_to_break": list(drop.unbreakable),
        "missed": dict(sorted(tally.missed.items())),
        "seconds": round(drop.seconds, 3),
        "conclusion": tally_json(tally),
    }
