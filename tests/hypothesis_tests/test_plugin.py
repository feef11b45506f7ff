"""The plugin: one ordinary Hypothesis test for each conclusion, here and in a repository that is not ours."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings

from claims.certificates.published import certificate_of, name_of
from claims.stating.catalogue import catalogue
from claims.stating.statement import Form, Standing, is_costly
from claims.stating.verdict import Outcome
from claims.testing import property_tests, pytest_plugin
from claims.testing.profiles import COMMON
from claims.testing.property_tests import ClaimTests, ConclusionTest, Refuted, all_tests_of, decided_before_draws
from claims.verifying.deciding import check
from tests.calling import pytest_in

ROOT = Path(__file__).parents[2]

OWN = '''
"""Tokens meet: false, for a step of one half keeps two of them apart."""
from claims.stating.statement import Claim, Standing
from dynamics.arithmetic import at_most
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(__name__, statement="The first coordinate never grows.", system=LocalmaxStep)


@claim.step(">= 0")
def first_coordinate_never_grows(f):
    """x_11 - x_11'."""
    return f.z[..., 0, 0] - f.step().z[..., 0, 0]
'''

SILENT = OWN.replace("f.z[..., 0, 0]", "f.z[..., :0, 0]").replace("f.step().z[..., 0, 0]", "f.step().z[..., :0, 0]")
"""Nothing is compared: no example fails, and all of them together say nothing."""

TESTS = """
from claims.testing.property_tests import property_test, suite_test

test_mine = property_test("first.py")
test_silent = property_test("silent.py")
test_theirs = suite_test("localmax.hull_shrinks", "localmax.every_limit_is_aligned")
misnamed = property_test("first.py")


def test_dropped():
    property_test("first.py")
"""


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """A repository that is not ours, and what pytest with xdist says of its tests."""
    folder = tmp_path_factory.mktemp("foreign")
    (folder / "first.py").write_text(OWN, encoding="utf-8")
    (folder / "silent.py").write_text(SILENT, encoding="utf-8")
    (folder / "test_first.py").write_text(TESTS, encoding="utf-8")
    # One worker: what it tells has to come through to the terminal and to JUnit as from many.
    return folder, pytest_in(folder, "-vv", "-n", "1", "--dist", "loadgroup", "--junit-xml", "junit.xml",
                             "--hypothesis-profile", "smoke", "--hypothesis-show-statistics")  # fmt: skip


def test_a_falsehood_of_a_foreign_repository_is_told_with_instance_command_and_blob(foreign):
    folder, done = foreign
    text = done.stdout
    assert done.returncode == 1, text
    assert "first_coordinate_never_grows = -" in text
    instance = json.loads(text.partition(f"claims verify --file {folder / 'first.py'} --instance '")[2].partition("'")[0])
    assert len(instance["z"]) <= 2
    assert "@reproduce_failure(" in text
    assert "test_theirs[localmax.hull_shrinks.supports_contract]" in text
    # What is false is refuted, which passes.
    assert "3 failed, 3 passed" in text
    never_run = re.findall(r"^the tests of claims that are made at .*test_first.py:(\d+) are never run", text, re.MULTILINE)
    assert never_run == ["7", "11"], "one without a name that pytest knows, one within a test, which fails"
    assert re.search(r"first_coordinate_never_grows: nothing was decided: \d+ instances, 0 violated, 0 hold", text)


def test_the_terminal_and_junit_say_what_was_found(foreign):
    folder, done = foreign
    line = next(line for line in done.stdout.splitlines() if line.startswith("first.first_coordinate_never_grows: "))
    assert " violated, 0 UNDECIDED, " in line
    found = [json.loads(one.get("value")) for one in ET.parse(folder / "junit.xml").getroot().iter("property")]  # noqa: S314
    assert {one["claim"] for one in found} == {
        "first",
        "silent",
        "localmax.hull_shrinks",
        "localmax.every_limit_is_aligned",
    }


@pytest.mark.parametrize("status", list(pytest.ExitCode))
def test_a_session_that_makes_tests_and_does_not_run_them_fails(status, monkeypatch):
    monkeypatch.setattr(ClaimTests, "made", [])
    made = [ClaimTests(lambda patterns, files, n=n: one[:n], "own.py:1") for n in (0, 1, 2, 0)]
    one = [SimpleNamespace(is_run=True), SimpleNamespace(is_run=False)]
    for taken in made[:3]:
        taken.tests()  # none, one that is run, and one that is not beside it
    made[3].is_in_hand = True
    silent = status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    for each, idle in zip(made, (True, False, True, False), strict=True):
        monkeypatch.setattr(ClaimTests, "made", [each])
        session = SimpleNamespace(config=SimpleNamespace(stash=pytest.Stash()), exitstatus=status)
        pytest_plugin.pytest_sessionfinish(session)
        assert session.exitstatus == (pytest.ExitCode.TESTS_FAILED if idle and silent else status)


def test_a_blob_replays_the_failure(foreign):
    folder, done = foreign
    call = done.stdout.partition("@reproduce_failure(")[2].partition(")")[0]
    (folder / "test_again.py").write_text(
        textwrap.dedent(f"""
        from hypothesis import reproduce_failure
        from claims.testing.property_tests import property_test
        test_mine = reproduce_failure({call})(property_test("first.py"))
        """),
        encoding="utf-8",
    )
    again = pytest_in(folder, "-vv", "test_again.py", "-p", "no:xdist", "--hypothesis-show-statistics").stdout
    assert "first.first_coordinate_never_grows: 1 instances" in again or "2 instances" in again, again
    assert "claims verify --file" in again


def test_statistics_list_every_conclusion_with_its_draws(foreign):
    _, done = foreign
    for name in ("new_tokens_stay_in_hull", "supports_contract"):
        told = statistics(done, f"test_theirs[localmax.hull_shrinks.{name}]")
        for event in ("form: step", "decided: exact", "verdict: HOLDS", "start: ", "size: n = "):
            assert event in told, done.stdout
    # Of more examples than a few Hypothesis is told how near each came.
    assert "Highest target score" in statistics(done, "test_mine[first.first_coordinate_never_grows]")


def statistics(done, test):
    return done.stdout.partition(f"test_first.py::{test}:\n")[2].partition("\n\n\n")[0]


def test_observations_carry_instance_verdict_and_slack(foreign):
    folder, _ = foreign
    lines = [
        line
        for file in folder.glob(".hypothesis/observed/*_testcases.jsonl")
        for line in file.read_text(encoding="utf-8").splitlines()
        if "hull_shrinks" in json.loads(line)["property"]
    ]
    features = [json.loads(line)["features"] for line in lines]
    assert len(features) >= 10
    assert all(json.loads(one["instance"])["system"] == "LocalmaxStep" for one in features)
    assert {one["verdict"] for one in features} == {"HOLDS"}
    assert all(one["slack"] for one in features)
    assert all(json.loads(line)["timing"] for line in lines)


# ---------------------------------------------------------------------------------------------------------------------
# Which tests there are


def decided():
    return [(c, k) for c in catalogue().values() for k in c.conclusions if k.form is not Form.EXPERIMENT]


def test_every_conclusion_has_a_test_made_by_given_that_a_fuzzer_takes():
    covered = set()
    for test in (test for claim in catalogue().values() for test in all_tests_of(claim)):
        covered |= {(test.claim.id, conclusion.name) for conclusion in test.conclusions}
        assert test.function.is_hypothesis_test
        chosen = test.function._hypothesis_internal_use_settings
        # HypoFuzz refuses tests whose settings switch this check off.
        assert set(chosen.suppress_health_check) == {HealthCheck.too_slow}
        assert chosen.max_examples >= (
            property_tests.LEAST_COSTLY if is_costly(test.conclusions[0]) else settings().max_examples
        )
    assert covered == {(claim.id, conclusion.name) for claim, conclusion in decided()}


def test_only_one_health_check_is_suppressed_here():
    assert COMMON["suppress_health_check"] == list(property_tests.SUPPRESSED) == [HealthCheck.too_slow]
    for profile in ("ci", "smoke", "nightly", "fuzz"):
        assert list(settings.get_profile(profile).suppress_health_check) == [HealthCheck.too_slow]


@pytest.mark.parametrize("on_ci", [True, False])
def test_a_fuzzer_s_profile_draws_at_random_and_keeps_what_it_finds_on_ci_too(on_ci):
    # In a process of its own: Hypothesis reads the environment once, when it is first imported.
    environment = {name: value for name, value in os.environ.items() if name not in ("CI", "GITHUB_ACTIONS")}
    shown = subprocess.run(
        [
            sys.executable,
            "-c",
            (
                "from hypothesis import settings\n"
                "from claims.testing.profiles import register_profiles; register_profiles()\n"
                "for name in ('fuzz', 'nightly', 'smoke'):\n"
                "    one = settings.get_profile(name); print(name, one.derandomize, one.database is not None)"
            ),
        ],
        env=environment | ({"CI": "true"} if on_ci else {}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.splitlines() == ["fuzz False True", "nightly False True", "smoke True False"]


# ---------------------------------------------------------------------------------------------------------------------
# What comes first


def test_every_published_counterexample_is_the_first_example_of_what_it_refutes_and_of_the_correction():
    shown = corrected = 0
    for claim in catalogue().values():
        data = certificate_of(name_of(claim.id, ())) if claim.standing is Standing.FALSE else None
        if data is None:
            continue
        (test,) = (test for test in all_tests_of(claim) if test.refuting)
        examples = [one.kwargs["system"] for one in test.function.hypothesis_explicit_examples]
        assert [one.to_json() for one in examples] == [data["instance"]]
        shown += 1
        correction = catalogue()[claim.corrected_by]
        if correction.system is claim.system:
            for conclusion in correction.conclusions:
                if conclusion.form is not Form.EXPERIMENT:
                    known = [one.to_json() for one in decided_before_draws(correction, conclusion)]
                    assert data["instance"] in known
                    corrected += 1
    assert shown > 100
    assert corrected > 50


def test_a_counterexample_that_refutes_no_more_is_noticed():
    claim = catalogue()["localmax.every_limit_is_aligned"]
    (test,) = all_tests_of(claim)
    test.run()
    (conclusion,) = claim.conclusions
    kept = claim.system.instance(z=[[1], [2]])
    # It holds there: the test has to fail of the instance that is given, although others still refute the statement.
    assert check(conclusion, kept).outcome is Outcome.HOLDS
    with pytest.raises(AssertionError, match="a known counterexample refutes no more"):
        ConclusionTest(claim, (conclusion,), True, [kept]).run()


def test_a_known_instance_that_violates_what_is_held_true_is_noticed():
    claim = catalogue()["localmax.every_limit_is_aligned"]
    (conclusion,) = claim.conclusions
    (published,) = (test.known for test in all_tests_of(claim))
    claim_held_true = type(claim)(
        claim.module, statement="", system=claim.system, origin=claim.origin, assumptions=claim.assumptions,
        standing=Standing.TRUE, draw=claim.draw, conclusions=[conclusion],

    )  # fmt: skip
    with pytest.raises(AssertionError, match="claims verify localmax"):
        ConclusionTest(claim_held_true, (conclusion,), False, published).run()


def test_a_test_that_refutes_nothing_fails(monkeypatch):
    monkeypatch.setattr(property_tests, "LONGER", 4)
    monkeypatch.setattr(property_tests, "TURNS", 40)
    claim = catalogue()["localmax.hull_shrinks"]
    with pytest.raises(AssertionError, match=r"no violation of localmax\.hull_shrinks was found"):
        ConclusionTest(claim, (claim.conclusions[0],), True).run()
    false = catalogue()["localmax.every_limit_is_aligned"]
    with pytest.raises(Refuted):
        ConclusionTest(false, tuple(false.conclusions), True).function()


def test_called_without_pytest_it_runs_every_test():
    ran = []
    test = ConclusionTest(catalogue()["localmax.hull_shrinks"], (catalogue()["localmax.hull_shrinks"].conclusions[0],))
    test.function = lambda: ran.append(1)
    ClaimTests(lambda patterns, files: [test, test])()
    assert ran == [1, 1]
