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
    # The same examples every time: a smoke test that fails is to fail again.
    "smoke": {"max_examples": 5, "derandomize": True},
    "nightly": {"max_examples": 800},
    "fuzz": {"max_examples": 100},
}
"""Hypothesis brings a profile `ci` of its own, which a repository may replace."""


def register_profiles() -> None:
    """Register those whose names are not taken: a repository's own profiles come first.

    Each takes the rest from Hypothesis's profile `default`, on a CI machine too. There the profile in force is
    Hypothesis's own `ci`, which draws the same examples every time and keeps none: no fuzzer can work with it.
    """
    for name, values in PROFILES.items():
        with suppress(InvalidArgument):
            settings.get_profile(name)
            continue
        settings.register_profile(name, settings.get_profile("default"), **COMMON, **values)
