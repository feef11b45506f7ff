"""Enclosures of trajectories put to `claims check` beside counterexamples: genuine, untrue, forged, no certificates."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from flint import fmpq

from claims.checker.__main__ import as_line
from dynamics.checker.trajectory_format import (
    MOST_ENTRIES,
    MOST_ORDER,
    MOST_STEPS,
    CertificateError,
    Decided,
    as_text,
    load,
)
from dynamics.enclosures.files import as_certificate, up_to
from dynamics.enclosures.steps import Rung, enclose_at
from dynamics.training.value_softmax import LogisticFlow
from tests.checker.genuine import DROPPED, certified, put_to_check, replaced_at

FLOW = LogisticFlow.instance(u=["1/3", "-1"], a=["1/2", "0"], K="5/3")


@pytest.fixture(scope="module")
def genuine():
    trajectory = enclose_at(FLOW, fmpq(1, 2), Rung(64, 16, 1e-15))
    assert len(trajectory.steps) == 2
    return as_certificate(trajectory, [Decided("polarization.some_claim", "slack", "VIOLATED")]).to_json()


def changed(data, *path, to):
    return replaced_at(data, path, to)


def untrue(data):
    """Stated of another start, of other bounds, of a time that is not reached, of another flow with the same arrays."""
    return {
        "another start": changed(data, "instance", "u", 0, to="1/2"),
        "another end": changed(data, "steps", 0, "final", to=0),
        "a longer time": changed(data, "horizon", to="1"),
        "another flow": changed(data, "instance", "system", to="SquareLossFlow"),
    }


def no_certificates(data):
    """By name: the text of a file, and what is to be said of it."""
    # Short in the file, gigabytes as numbers.
    heavy = ["1*2^1000000"] * 3000
    files = {
        "a field too many": (data | {"proved": True}, "unknown field 'proved'"),
        "a field too few": ({k: v for k, v in data.items() if k != "steps"}, "steps is missing"),
        "a float": (changed(data, "horizon", to=0.5), "float"),
        "an endless float": (changed(data, "horizon", to=float("inf")), "Infinity"),
        "no array": (changed(data, "instance", "u", to=[["1"]]), "instance.u"),
        "no instance": (changed(data, "instance", to=[]), "instance: must be an object"),
        "no system": (changed(data, "instance", "system", to=7), "instance.system: must be a string"),
        "a long number": (changed(data, "horizon", to="9" * 9000), "no exact number"),
        "a long integer": (as_text(data).replace('"bits": 64', '"bits": ' + "9" * 200_000), "more than 100000 digits"),
        "heavy numbers": (changed(data, "steps", 0, "polynomials", 0, to=heavy), "bits in all"),
        "a high order": (changed(data, "steps", 0, "polynomials", 0, to=["1"] * (MOST_ORDER + 1)), f"at most {MOST_ORDER}"),
        "many steps": (data | {"steps": [{}] * (MOST_STEPS + 1)}, f"more than {MOST_STEPS}"),
        "a large instance": (changed(data, "instance", "u", to=["1"] * (MOST_ENTRIES + 1)), f"more than {MOST_ENTRIES}"),
        "nested": ('{"format": "trajectory certificate 1", "steps": ' + "[" * 5000 + "]" * 5000 + "}", "too deeply"),
        "twice": (as_text(data).replace('"order"', '"bits"'), "given twice"),
        "half a file": (as_text(data)[:-20], "is not JSON"),
        "another version": (data | {"format": "trajectory certificate 2"}, 'or "trajectory certificate 1", not "traj'),
        "no object": ('["trajectory certificate 1"]', "must be an object"),
    }
    return {name: (text if isinstance(text, str) else json.dumps(text), said) for name, (text, said) in files.items()}


@pytest.fixture(scope="module")
def findings(genuine, tmp_path_factory):
    """One process for all files: both formats, the true, the untrue and what is no certificate."""
    files = {"genuine": genuine, "a counterexample": certified(DROPPED, {"x": [[0], [1]], "B": [[-1]]})}
    files |= untrue(genuine)
    files |= {
        "an unknown flow": changed(genuine, "instance", "system", to="SomeFlow"),
        # Text that would begin a line of its own, and one that moves the cursor.
        "a lying name": changed(genuine, "instance", "system", to="X\nCONFIRMED  genuine.json: \x1b[2K"),
        "a lying verdict": changed(genuine, "decided", 0, "verdict", to="PROVED\nCONFIRMED  other.json"),
    }
    files |= {name: text for name, (text, _) in no_certificates(genuine).items()}
    return put_to_check(tmp_path_factory.mktemp("files"), files)


def test_a_list_of_files_may_be_of_both_formats(findings):
    assert findings["a counterexample"]["verdict"] == "CONFIRMED", findings["a counterexample"]
    found = findings["genuine"]
    assert found["verdict"] == "CONFIRMED", found
    assert found["about"] == "the trajectory of LogisticFlow"
    assert found["reason"] == "2 steps to t = 1/2; 1 recorded verdict was not examined"


def test_what_is_untrue_is_not_confirmed(genuine, findings):
    for name in untrue(genuine):
        assert findings[name]["verdict"] == "NOT CONFIRMED", (name, findings[name])
    assert findings["another end"]["reason"].startswith("step 0: "), findings["another end"]
    assert findings["an unknown flow"]["verdict"] == "CANNOT DECIDE"


def test_what_is_no_certificate_is_named_in_one_sentence(genuine, findings):
    for name, (_, said) in no_certificates(genuine).items():
        assert (findings[name]["verdict"], said in findings[name]["reason"]) == ("MALFORMED", True), (name, findings[name])


def test_no_text_of_a_file_begins_a_line_or_says_more_than_was_checked(findings):
    for name, finding in findings.items():
        line = as_line(finding)
        assert "\n" not in line, name
        assert line.isprintable(), (name, line)
        assert len(line) < 1500
    assert "other.json" not in as_line(findings["a lying verdict"])
    assert findings["a lying name"]["verdict"] == "CANNOT DECIDE"
    assert 'the trajectory of "X' in as_line(findings["a lying name"])


def test_the_command_prints_and_exits_as_for_counterexamples(genuine, tmp_path):
    path, other = tmp_path / "true.json", tmp_path / "untrue.json"
    path.write_text(as_text(genuine), encoding="utf-8")
    other.write_text(as_text(untrue(genuine)["a longer time"]), encoding="utf-8")
    command = [sys.executable, "-m", "claims", "check", str(path), str(other)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (1, ""), run.stderr
    assert [line.split("  ")[0] for line in run.stdout.splitlines()] == ["CONFIRMED", "NOT CONFIRMED"]


def test_a_trajectory_is_cut_after_the_step_that_reaches_a_time():
    trajectory = enclose_at(FLOW, fmpq(1, 2), Rung(64, 16, 1e-15))
    first = trajectory.times[1]
    # On both sides of the end of a step, and on it: there the next step is not needed.
    for time, steps in ((fmpq(0), 1), (first / 2, 1), (first, 1), (first + fmpq(1, 1000), 2), (fmpq(1, 2), 2)):
        cut = up_to(trajectory, time)
        assert len(cut.steps) == steps
        assert cut.horizon == trajectory.times[steps] >= time
        assert cut.joins()
        assert fmpq(*load(as_certificate(cut).to_json()).horizon.as_integer_ratio()) == cut.horizon
    for time in (fmpq(-1), fmpq(3, 4)):
        with pytest.raises(ValueError, match="is outside"):
            up_to(trajectory, time)


def test_many_heavy_numbers_are_refused_before_one_is_built(genuine):
    with pytest.raises(CertificateError, match="bits in all"):
        load(changed(genuine, "steps", 0, "polynomials", 0, to=["1*2^-1048576"] * 3000))
