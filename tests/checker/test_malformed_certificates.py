"""Files that are no certificates, and the process in which they are read."""

from __future__ import annotations

import subprocess
import sys

import flint
import pytest

from claims.checker.__main__ import forbid_deciding_code, is_refused
from claims.targets.target import Target
from tests.checker.genuine import (
    BALLS,
    CHOOSING,
    DOCS,
    NAMESAKE,
    OPEN,
    ROUNDS,
    SIGNS,
    certified,
    forged,
    own_lie,
    put_to_check,
    slack_of,
    unreadable,
)


@pytest.fixture(scope="module")
def findings(genuine, tmp_path_factory):
    """What a check says of texts that are no certificates, and of one that brings its source."""
    files = {name: text for name, (text, _) in unreadable(genuine).items()}
    files["own source"] = forged(genuine["dropped"], source={"file": "own.py", "text": "1 / 0"})
    return put_to_check(tmp_path_factory.mktemp("malformed"), files)


def test_what_cannot_be_read_is_named(genuine, findings):
    for name, (_, word) in unreadable(genuine).items():
        assert (findings[name]["verdict"], word in findings[name]["reason"]) == ("MALFORMED", True), findings[name]


def test_the_source_of_a_users_own_claim_is_not_run_unasked_and_may_not_deceive(genuine, findings, tmp_path):
    assert findings["own source"]["verdict"] == "CANNOT DECIDE"
    assert "--run-source" in findings["own source"]["reason"]
    # Source that leaves a trace if it is run.
    source = {"file": "own.py", "text": f"open({str(tmp_path / 'ran')!r}, 'w')"}
    path = {"known": "certified", "method": "validated Taylor steps"}
    text = (DOCS / "examples" / "my_claim.py").read_text(encoding="utf-8")
    mine = Target("my_claim", "farthest_pair_recedes", ("definite_key_query",), (), "my_claim.py", text)
    files = {
        "genuine": certified(mine, {"x": [[0], [1]], "B": [[-1]]}),
        "a suite's claim": forged(genuine["dropped"], source=source),
    }
    # Signed anew, so that not the digest but the statement gives it away.
    files["other source"] = forged(files["genuine"], source__text=text.replace("= 0", "= 1").replace("approach", "meet"))
    files["no claim"] = forged(files["genuine"], source__text="1 / 0")
    files |= {
        "namesake": own_lie("namesake", NAMESAKE, "decays", {"x": [[1]]}, times=[1], slack=slack_of("-2", "-1"), **path),
        "choosing": own_lie(
            "choosing", CHOOSING, "falls", {"x": [2, 1]}, times=[2], slack=slack_of("-1", "-1/100"), **path
        ),
        "signs": own_lie("signs", SIGNS, "slack", {"x": [[1]]}, ("huge",)),
        "rounds": own_lie("rounds", ROUNDS, "slack", {"x": [[1]]}, **BALLS),
        "nobody knows": own_lie("open", OPEN, "slack", {"x": [[1]]}, ("open",)),
    }
    found = put_to_check(tmp_path, files, "--run-source")
    # The source would write this file: of a claim of the suite it is not run, though that is allowed.
    assert not (tmp_path / "ran").exists()
    for name, verdict, word in (
        ("genuine", "CONFIRMED", ""),
        ("a suite's claim", "NOT CONFIRMED", "claim of the suite"),
        ("other source", "NOT CONFIRMED", ""),
        ("no claim", "NOT CONFIRMED", ""),
        ("namesake", "NOT CONFIRMED", "not violated"),
        ("choosing", "CANNOT DECIDE", "compares numbers"),
        ("signs", "CANNOT DECIDE", "huge is open"),
        ("rounds", "NOT CONFIRMED", "rounds"),
        ("nobody knows", "CANNOT DECIDE", "open is open"),
    ):
        assert (found[name]["verdict"], word in found[name]["reason"]) == (verdict, True), found[name]


def test_flint_and_the_deciding_code_are_refused():
    script = """
import importlib, sys
from claims.checker import __main__ as check
check.forbid_deciding_code()
# Inside of a stand-in, too: its name stands for one module, and what lies below it stays refused.
for name in [*check.REFUSED, "dynamics.trusted.taylor", "flint.flint_base"]:
    if name == "flint":
        continue
    try:
        importlib.import_module(name)
    except ImportError as error:
        assert "has no part" in str(error) or "not a package" in str(error), (name, error)
    else:
        assert name in ("dynamics.orbits", "dynamics.limits"), name
        assert not hasattr(sys.modules[name], "__file__"), name
import claims.targets.target
from claims.stating.catalogue import catalogue
from dynamics.checker.stand_ins import MODULES
assert len(catalogue()) > 300
for name in MODULES:
    assert not hasattr(importlib.import_module(name), "__file__"), name
"""
    subprocess.run([sys.executable, "-c", script], check=True)
    assert is_refused("claims.hunting.rounds")
    assert not is_refused("claims.targets.target")


def test_a_process_that_decided_cannot_check():
    """As this one has: it refuses before it replaces anything."""
    before = [*sys.meta_path]
    with pytest.raises(RuntimeError, match="is imported already"):
        forbid_deciding_code()
    assert (sys.meta_path, flint.__file__ is not None) == (before, True)
