"""Hypothesis's profiles, of the names that `claims verify --profile` takes too, and one for HypoFuzz."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis.errors import InvalidArgument

COMMON: dict[str, Any] = {
    "deadline": None,  # a verdict takes as long as it needs
    "print_blob": True,
    "suppress_health_check": [HealthCheck.too_slow],  # exact constructions take as long as their numbers are
}

PROFILES: dict[str, dict[str, Any]] = {
    "smoke": {"max_examples": 5, "derandomize": True},
    "nightly": {"max_examples": 800},
    "fuzz": {"max_examples": 100},
}
"""Hypothesis brings a profile `ci` of its own, which a repository may replace."""


def register_profiles() -> None:
    """Register those whose names are not taken: a repository's own profiles come first."""
    for name, values in PROFILES.items():
        with suppress(InvalidArgument):
            settings.get_profile(name)
            continue
        settings.register_profile(name, **COMMON, **values)
