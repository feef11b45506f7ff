"""Spans of time as one writes them, 90s, 2m, 1h30m, and as one says them."""

from __future__ import annotations

import re

# A slip such as 1e9h would else be a run that nobody sees end.
LONGEST_SECONDS = 365 * 24 * 3600


def seconds_of(text: str) -> float:
    """The seconds of "90", "60s", "2m" or "1h30m". Raises ValueError for anything else, and for none."""
    parts = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?", text.strip())
    hours, minutes, seconds = (float(part or 0) for part in parts.groups()) if parts else (0.0, 0.0, 0.0)
    total = 3600 * hours + 60 * minutes + seconds
    if not 0 < total <= LONGEST_SECONDS:
        raise ValueError(f"{text!r} is no time, or longer than a year: write 90s, 2m or 1h30m")
    return total


def in_words(seconds: float) -> str:
    """A span of time to one digit after the point at most: 45 s, 12 min, 3.5 h, 2 days."""
    # To 100 of a unit, or 48 hours: 90 min say more than 1.5 h.
    for unit, length, most in (("s", 1, 100), ("min", 60, 100), ("h", 3600, 48)):
        if seconds < most * length:
            return f"{seconds / length:.0f} {unit}" if unit != "h" else f"{seconds / length:.3g} {unit}"
    return f"{seconds / 86400:.0f} days"
