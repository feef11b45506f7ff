"""No door of the property tests at which silence reads as success."""

from __future__ import annotations

import json
from dataclasses import replace
from unittest import SkipTest

import pytest
from hypothesis import Phase, settings

from claims import property_tests
from claims.catalogue import catalogue
from claims.property_tests import ClaimTests, ConclusionTest, all_tests_of, property_test
from claims.statement import Origin, Standing
from claims.user_claims import OwnFileError
from claims.verdict import Known, Outcome, Verdict
from claims.verifying.deciding import Effort, check
from claims.verifying.tallies import Tally, why_not_borne_out
from claims.verifying.tasks import Report, verify
from claims.verifying.trial import read_own
from tests.hypothesis_tests.hostile import HOSTILE, file, slack, text_of
from tests.planting import noticed, one_in, planted

POSITIVE = file(
    '\n@claim.state(">= 0")\ndef margin(f):\n    """x."""\n    return f.x\n',
    'assumptions = (Assumption("positive", "x > 0", satisfies=lambda f: all(x > 0 for x in f.x), '
    "restrict=lambda f: f.replace(x=f.x * f.x + 1)),)\n",
)
LOW = Effort(bits=256)
WITHIN, OUTSIDE = '{"system": "Decay", "x": [1, 2]}', '{"system": "Decay", "x": [-1, 2]}'


def written(folder, text, name="own_margin.py"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", one_in(6, HOSTILE))
def test_no_hostile_file_is_a_success_under_pytest_or_under_verify(name, tmp_path, monkeypatch):
    monkeypatch.setattr(property_tests, "Effort", lambda: LOW)
    monkeypatch.setattr(property_tests, "check", lambda conclusion, system, *_: check(conclusion, system, LOW))
    try:
        claim = read_own(written(tmp_path, text_of(name)))
    except OwnFileError:
        return
    (report,) = (one for one in verify([claim], 1, 0, LOW, 1) if not isinstance(one, str))
    assert report.borne_out is False
    assert report.why
    failed = []
    for test in all_tests_of(claim):
        try:
            test.run()
        except (AssertionError, ArithmeticError) as error:
            failed.append(str(error))
    assert failed, "green, and nothing was shown"


RUNNERS = [
    "hypothesis.assume(False)",
    "pytest.skip('later')",
    "pytest.xfail('known')",
    "pytest.exit('bye', returncode=0)",
    "raise unittest.SkipTest('later')",
    "raise hypothesis.errors.StopTest(0)",
    "raise SystemExit(0)",
]


@pytest.mark.parametrize("use", RUNNERS)
def test_what_a_runner_takes_for_no_failure_fails(use, tmp_path, monkeypatch):
    """In a test alone, so that nothing shows before: x >= 0, which is false, where no instance below zero is left."""
    monkeypatch.setattr(property_tests, "Effort", lambda: LOW)
    body = "import hypothesis, pytest, unittest\nif not hypothesis.currently_in_test_context():\n    return f.x * f.x\n"
    body += f"if f.x.dtype == object and any(x < 0 for x in f.x):\n    {use}\nreturn f.x"
    (test,) = all_tests_of(read_own(written(tmp_path, file(slack(body)))))
    with pytest.raises(AssertionError, match="margin raises"):
        test.run()


def test_what_is_refused_is_good_without_what_is_wrong(tmp_path):
    """The files are refused for what is hostile in them: as they are without it they pass."""
    property_test(written(tmp_path, POSITIVE), known=[WITHIN])()


def test_a_test_in_which_nothing_was_decided_fails_with_the_tally(tmp_path):
    claim = read_own(written(tmp_path, text_of("nothing to compare")))
    (test,) = all_tests_of(claim)
    with pytest.raises(
        AssertionError, match=r"not borne out: margin: nothing was decided: \d+ instances, 0 violated, 0 hold"
    ):
        test.run()
    assert test.tally.vacuous == test.tally.instances > 8


def test_one_decided_example_is_enough_and_the_shortest_look_is_asked_before_it_fails(monkeypatch):
    """As for `claims verify`: examples of a costly conclusion are few, and all of them may be undecided."""
    claim = catalogue()["localmax.hull_shrinks"]
    conclusion = claim.conclusions[0]
    monkeypatch.setattr(property_tests, "check", lambda *given: Verdict(Outcome.UNDECIDED, None, None, "planted"))
    test = ConclusionTest(claim, (conclusion,))
    test.run()
    assert (test.tally.decided, test.tally.undecided) == (1, test.tally.instances - 1)
    empty = Tally(conclusion.name, conclusion.form.value, undecided=3)
    monkeypatch.setattr(property_tests, "verify_briefly", lambda *given: empty)
    with pytest.raises(AssertionError, match="nothing was decided"):
        ConclusionTest(claim, (conclusion,)).run()


def test_without_a_phase_that_draws_it_does_not_pass(tmp_path, monkeypatch):
    effort = settings(
        property_tests.effort_for(read_own(written(tmp_path, POSITIVE)).conclusions[0]), phases=[Phase.explicit]
    )
    monkeypatch.setattr(property_tests, "effort_for", lambda conclusion: effort)
    (test,) = all_tests_of(read_own(written(tmp_path, POSITIVE)))
    with pytest.raises(SkipTest):
        test.run()


def test_a_known_instance_outside_the_hypotheses_fails(tmp_path):
    path = written(tmp_path, POSITIVE)
    with pytest.raises(
        AssertionError, match="known instance lies outside the hypotheses and decides nothing: it misses positive"
    ):
        property_test(path, known=[WITHIN, OUTSIDE])()
    with pytest.raises(ValueError, match="a known instance is a LocalmaxStep, and own_margin is about Decay"):
        property_test(path, known=['{"system": "LocalmaxStep", "z": [[1], [2]]}'])
    held_false = written(tmp_path, POSITIVE + "\nclaim.standing = Standing.FALSE\n", "held_false.py")
    with pytest.raises(AssertionError, match="a known counterexample refutes no more"):
        property_test(held_false, known=[OUTSIDE])()


def test_tests_of_nothing_do_not_pass():
    with pytest.raises(AssertionError, match="nothing to test"):
        ClaimTests(lambda patterns, files: [])()


@pytest.mark.parametrize(
    ("standing", "counts", "why"),
    [
        (Standing.TRUE, [{"holds": 1}], ""),
        (Standing.TRUE, [], "no conclusion"),
        (Standing.TRUE, [{"holds": 1}, {"undecided": 5}], "nothing was decided"),
        (Standing.OPEN, [{"vacuous": 5}], "nothing was decided"),
        (Standing.TRUE, [{"holds": 5, "violated": 1}], "violated: one"),
        (Standing.FALSE, [{"holds": 5, "violated": 1}, {"holds": 1}], ""),
        (Standing.FALSE, [{"violated": 1}, {"vacuous": 1}], "nothing was decided"),
        (Standing.FALSE, [{"holds": 1}], "no violation"),
        (Standing.FALSE, [{"violated": 1, "error": "ValueError: planted"}], "planted"),
    ],
)
def test_one_rule_says_what_is_borne_out(standing, counts, why):
    told = why_not_borne_out(standing, [Tally("one", "state", **count) for count in counts])
    assert bool(told) == bool(why)
    assert why in told


@pytest.mark.parametrize("standing", Standing)
@pytest.mark.parametrize("unfinished", [0, 1])
@pytest.mark.parametrize(
    ("count", "of_true", "of_false"),
    [
        ({"holds": 1}, True, False),
        ({"holds": 1, "violated": 1}, False, True),
        ({"undecided": 1}, False, False),
        ({"holds": 1, "objection": {}}, True, False),
        ({"holds": 1, "objection": {"told": "planted"}}, None, None),
        ({"violated": 1, "error": "planted"}, None, None),
    ],
)
def test_what_was_stopped_is_borne_out_by_nothing_but_what_it_has_shown(standing, unfinished, count, of_true, of_false):
    """Of conclusions that were not decided a violation may be missing or still to come; what is broken tells nothing."""
    report = Report("own", (), Origin.OURS, standing, [Tally("one", "state", **count)], 1.0, unfinished)
    if of_true is None:
        assert report.borne_out is False
    elif standing in (Standing.NOT_YET, Standing.EMPIRICAL) or (unfinished and "violated" not in count):
        assert report.borne_out is None
    else:
        assert report.borne_out is (of_false if standing is Standing.FALSE else of_true)


def test_an_error_is_the_result_of_its_conclusion_and_of_no_other(tmp_path):
    failing = POSITIVE + (
        '\n@claim.state(">= 0")\ndef fails(f):\n    """x, but far out."""\n'
        "    tried.append(f)\n    if len(tried) > 60:\n        raise KeyError('far out')\n    return f.x\n"
    )
    claim = read_own(written(tmp_path, failing.replace("any_start =", "tried = []\nany_start =")))
    (report,) = (one for one in verify([claim], 24, 0, Effort(), 1) if not isinstance(one, str))
    good, bad = report.tallies
    assert (good.error, good.violated) == ("", 0)
    assert good.holds > 0
    assert "KeyError: 'far out'" in bad.error
    assert "while deciding own_margin.fails on" in bad.error
    assert report.borne_out is False


# ---------------------------------------------------------------------------------------------------------------------
# Bugs of the judge


def facts_of(module):
    """What a module of property tests must say; raises AssertionError where it does not."""
    claim = catalogue()["localmax.hull_shrinks"]
    conclusion = claim.conclusions[0]
    system = next(iter(known for known in module.known_instances(claim, conclusion)), None) or claim.system.instance(
        z=[[1], [2]]
    )
    outside = replace(claim, standing=Standing.FALSE, file="own.py")
    verdicts = {
        "violated": Verdict(Outcome.VIOLATED, Known.EXACT, -1),
        "undecided": Verdict(Outcome.UNDECIDED, None, None, "planted"),
    }

    def asked(verdict, missing, look=0, **options):
        module.check = lambda *given: verdicts[verdict]
        module._say = module.note = lambda *given: None
        module.unmet = lambda *given: missing
        module.verify_briefly = lambda *given: Tally("one", "state", undecided=1, holds=look)
        module.start_in_turn = lambda *given: system
        test = module.ConclusionTest(outside, (conclusion,), **options)
        test._is_steered = False
        test.function = lambda: test.look(conclusion, system)
        try:
            test.run()
        except (AssertionError, module.Refuted) as error:
            return str(error) or "failed"
        return ""

    absent = list(claim.assumptions_of(conclusion))[:1]
    assert absent
    # What lies outside the hypotheses refutes nothing, known or drawn.
    assert "no violation" in asked("violated", absent, refuting=True)
    assert "refutes no more" in asked("violated", absent, refuting=True, known=[system])
    assert asked("violated", [], refuting=True) == ""
    assert "nothing was decided" in asked("undecided", [])
    assert asked("undecided", [], look=1) != asked("undecided", []), "the shortest look is asked"
    assert "outside the hypotheses" in asked("violated", absent, known=[system])


BUGS = {
    "what lies outside refutes": (
        "violated = verdict.outcome is Outcome.VIOLATED and not missing",
        "violated = verdict.outcome is Outcome.VIOLATED",
    ),
    "starts in turn refute from outside": (" and not unmet(self.claim, conclusion, system):", ":"),
    "silence passes": ("        if why:\n", "        if False:\n"),
    "known ones may lie outside": (
        "if missing and given_first and not self.refuting and claim.file is None:",
        "if missing and given_first and not self.refuting:",
    ),
    "no look": ("if self.tally.silence():", "if not self.tally.silence():"),
}


def test_the_judge_is_sound():
    facts_of(planted(property_tests))


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_planted_in_the_judge_is_noticed(bug):
    assert noticed([facts_of], planted(property_tests, *BUGS[bug]))


def test_a_summary_carries_what_was_counted():
    assert json.loads(json.dumps(Tally("one", "state", undecided=2).summary()))["undecided"] == 2
