"""What was found, as JSON, and how files of it are read."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from claims.verifying.dropping import Drop
from claims.verifying.tallies import Tally
from claims.verifying.tasks import Report
from dynamics.strict_reading import UnreadableError, read_json, read_text

MOST_READ = 64 << 20  # bytes: no run of the suite writes so much, and reading a file must end
OTHERWISE = {
    "undecided_because": "reasons",
    "counterexample": "violation",
    "mpmath_digits": "agreement",
    "mpmath_objects": "objection",
}
TALLIED = (
    *(
        "name",
        "form",
        "instances",
        "holds",
        "violated",
        "undecided",
        "vacuous",
        "touched",
        "screened",
        "decided_by",
        "kinds",
    ),
    *("undecided_because", "error", "readings", "tightest", "counterexample", "mpmath_digits", "mpmath_objects"),
)
# One table for who writes a tally and who reads it again: what only one of them knew would be lost on the way.
WRITTEN = {key: OTHERWISE.get(key, key) for key in TALLIED}
"""What a file tells of a tally, in its order, with the name it has there."""


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
    return {key: getattr(tally, name) for key, name in WRITTEN.items()} | {
        # Sorted: in which order processes ended is no part of what was found.
        "decided_by": {str(known): count for known, count in sorted(tally.decided_by.items())},
        "kinds": dict(sorted(tally.kinds.items())),
        "undecided_because": dict(tally.reasons),
        # Cut, not rounded: it agrees to that many digits or more.
        "mpmath_digits": None if tally.agreement is None else math.floor(10 * tally.agreement) / 10,
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
