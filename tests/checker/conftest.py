"""Certificates that several tests of the checker look at."""

from __future__ import annotations

import pytest

from claims.targets.target import Target
from tests.checker.genuine import (
    CHAIN,
    CHANCE,
    DROPPED,
    ENDINGS,
    SHARPENED,
    STATED,
    TRAJECTORY,
    at_once,
    certified,
    forged,
    lies,
    lies_about_later,
    put_to_check,
    with_facts_forged,
    with_fields_forged,
)


@pytest.fixture(scope="session")
def genuine() -> dict[str, dict]:
    """Certificates by name: every published one that is decided at once, one of a dropped assumption, one sharpened."""
    found = {
        data["claim"]["id"]: certified(Target(data["claim"]["id"], data["conclusion"]["name"]), data["instance"])
        for data in STATED
        # Those along a flow take seconds each: the gallery has their turn.
        if at_once(data)
    }
    found["dropped"] = certified(DROPPED, {"x": [[0], [1]], "B": [[-1]]})
    found["sharpened"] = certified(SHARPENED, {"u": ["1/4096", 0], "a": ["-23/16", "-15/8"], "K": "1/8"})
    return found


@pytest.fixture(scope="session")
def later(genuine) -> dict[str, dict]:
    """Genuine certificates of a violation along a trajectory, and of a chance."""
    instances = {data["claim"]["id"]: data["instance"] for data in STATED}
    return {
        "trajectory": certified(TRAJECTORY, instances[TRAJECTORY.claim]),
        "chance": certified(CHANCE, CHAIN),
    }


@pytest.fixture(scope="session")
def restated() -> dict[str, dict]:
    """A genuine certificate that rests on facts of each kind: what becomes of an orbit, and what separates from a hull."""
    return {name: certified(*given) for name, given in ENDINGS.items()}


@pytest.fixture(scope="session")
def fields_forged(genuine) -> dict[str, dict]:
    return with_fields_forged(genuine)


@pytest.fixture(scope="session")
def facts_forged(restated) -> dict[str, dict]:
    return with_facts_forged(restated)


@pytest.fixture(scope="module")
def findings(genuine, fields_forged, later, restated, facts_forged, tmp_path_factory) -> dict[str, dict]:
    """What a check says of all certificates, genuine and not, by name: one process reads them all."""
    files = genuine | fields_forged | lies(genuine) | later | lies_about_later(later)
    elsewhere = restated["cycle"]["facts"]
    facts = {
        "facts of another": forged(restated["ending"], facts=elsewhere),
        "facts twice": forged(restated["ending"], facts=2 * restated["ending"]["facts"]),
        "no facts": forged(restated["ending"], facts=[]),
        "facts where there are none": forged(genuine["dropped"], facts=elsewhere),
    } | {**restated, **facts_forged}
    assert not facts.keys() & files.keys()
    files |= facts
    return put_to_check(tmp_path_factory.mktemp("certificates"), files)
