"""No door of the property tests at which silence reads as success."""

from __future__ import annotations

import itertools
import json
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import settings

from claims.stating.catalogue import catalogue
from claims.stating.statement import Form, Origin, Standing
from claims.stating.verdict import Known, Outcome, Verdict
from claims.targets.user_claims import ClaimText, OwnFileError, claim_in
from claims.testing import property_tests
from claims.testing.property_tests import ClaimTests, ConclusionTest, all_tests_of, property_test
from claims.verifying.deciding import Effort, check
from claims.verifying.tallies import LEAST, Tally, why_not_borne_out
from claims.verifying.tasks import Report, verify
from claims.verifying.trial import read_own
from tests.hypothesis_tests.hostile import HOSTILE, file, slack, text_of
from tests.planting import bugs_in, facts_above, planted, todays_share

POSITIVE = file(
    '\n@claim.state(">= 0")\ndef margin(f):\n    """x."""\n    return f.x\n',
    'assumptions = (Assumption("positive", "x > 0", satisfies=lambda f: all(x > 0 for x in f.x), '
    "restrict=lambda f: f.replace(x=f.x * f.x + 1)),)\n",
)
# Few bits: what no precision decides is given up on sooner, and all else is decided by these.
LOW = Effort(bits=256)
WITHIN, OUTSIDE = '{"system": "Decay", "x": [1, 2]}', '{"system": "Decay", "x": [-1, 2]}'


def written(folder, text, name="own_margin.py"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", todays_share(6, HOSTILE))
def test_no_hostile_file_is_a_success_under_pytest_or_under_verify(name, tmp_path, monkeypatch):
    monkeypatch.setattr(property_tests, "Effort", lambda: LOW)
    monkeypatch.setattr(property_tests, "check", lambda conclusion, system, *_: check(conclusion, system, LOW))
    try:
        claim = read_own(written(tmp_path, text_of(name)))
    except OwnFileError:
        return
    # Both judges: a file may be hostile to one of them alone, by knowing whose call it is in.
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
    "raise np.testing.SkipTest('later')",
    "raise hypothesis.errors.StopTest(0)",
    "raise SystemExit(0)",
]


@pytest.mark.parametrize("use", RUNNERS)
def test_what_a_runner_takes_for_no_failure_fails(use, tmp_path, monkeypatch):
    """In a test alone, so that nothing shows before: x >= 0, which is false, where no instance below zero is left."""
    monkeypatch.setattr(property_tests, "Effort", lambda: LOW)
    monkeypatch.setattr(ClaimText, "refuse_outside", lambda text: None)
    # Harmless wherever it is tried before: only a test that draws meets what the runner would take for a pass.
    body = "import hypothesis, pytest\nif not hypothesis.currently_in_test_context():\n    return f.x * f.x\n"
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


def test_instances_are_drawn_whatever_the_profile_says(tmp_path, monkeypatch):
    # A profile that draws nothing: a test under it would pass whatever the statement is.
    bare = settings(phases=[], max_examples=1)
    monkeypatch.setattr(property_tests, "settings", lambda parent=bare, **more: settings(parent, **more))
    (test,) = all_tests_of(read_own(written(tmp_path, POSITIVE.replace("return f.x", "return f.x - 1 / f.x - 9"))))
    with pytest.raises(AssertionError, match="margin = -"):
        test.run()
    (test,) = all_tests_of(read_own(written(tmp_path, POSITIVE)))
    test.run()
    assert test.tally.decided >= LEAST > 1


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
    tallies = [Tally("one", "state", **count), Tally("two", "state", holds=1)]
    report = Report("own", (), Origin.OURS, standing, tallies, 1.0, unfinished)
    assert report.is_news == (standing is Standing.OPEN and "violated" in count)
    if of_true is None:
        assert report.borne_out is False
    elif standing in (Standing.NOT_YET, Standing.EMPIRICAL) or (unfinished and "violated" not in count):
        assert report.borne_out is None
    else:
        assert report.borne_out is (of_false if standing is Standing.FALSE else of_true)


def test_an_error_is_the_result_of_its_conclusion_and_of_no_other():
    # Late: some instances have been decided by then, and what they said of the other conclusion has to stay.
    failing = POSITIVE + (
        '\n@claim.state(">= 0")\ndef fails(f):\n    """x, but far out."""\n'
        "    tried.append(f)\n    if len(tried) > 60:\n        raise KeyError('far out')\n    return f.x\n"
    )
    claim = claim_in(failing.replace("any_start =", "tried = []\nany_start ="), "own_margin.py")
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
    system = next(iter(known for known in module.decided_before_draws(claim, conclusion)), None) or claim.system.instance(
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


def what_is_made_of_known_instances(module):
    """Which tests there are of two conclusions, and what is put to each first, for all that known instances may be.

    An instance violates a conclusion, bears it out, or lies outside its hypotheses, where a violation is none.
    """
    claim = replace(catalogue()["localmax.hull_shrinks"], file="own.py")
    first, second = claim.conclusions
    published, *systems = (claim.system.instance(z=[[k], [2]]) for k in range(3))
    states = list(itertools.product(("violates", "holds", "outside"), repeat=2))
    # Which tests there are is asked, and of none that it runs: to be made by Hypothesis takes far longer.
    module.ConclusionTest = lambda claim, conclusions, refuting=False, known=(): SimpleNamespace(
        conclusions=conclusions, refuting=refuting, known=known
    )
    for of_each, standing, of_published in itertools.product(
        [(), *((one,) for one in states), *itertools.product(states, repeat=2)],
        (Standing.TRUE, Standing.FALSE),
        (None, first, second),
    ):
        known = systems[: len(of_each)]
        told = {
            (one.name, id(system)): state
            for system, both in zip(known, of_each, strict=True)
            for one, state in zip((first, second), both, strict=True)
        }
        module.unmet = lambda claim, one, system, told=told: [0] * (told[one.name, id(system)] == "outside")
        module.check = lambda one, system, told=told: Verdict(
            Outcome.HOLDS if told[one.name, id(system)] == "holds" else Outcome.VIOLATED, Known.EXACT, -1
        )
        module._published = lambda claim_id, one=of_published: None if one is None else (one.name, published)
        found = module.all_tests_of(replace(claim, standing=standing), known)
        those = {
            one.name: {state: [s for s in known if told[one.name, id(s)] == state] for state in ("violates", "outside")}
            for one in (first, second)
        }
        if standing is not Standing.FALSE:
            nowhere = [s for s in known if all(s in those[one.name]["outside"] for one in (first, second))]
            for test, one in zip(found, (first, second), strict=True):
                assert (test.conclusions, test.refuting) == ((one,), False)
                within = [s for s in known if s not in those[one.name]["outside"]]
                assert sorted(map(id, test.known)) == sorted(map(id, within + nowhere))
            continue
        broken = {one.name: those[one.name]["violates"] + [published] * (one is of_published) for one in (first, second)}
        idle = [s for s in known if s not in [*broken[first.name], *broken[second.name]]]
        if not idle and not any(broken.values()):
            assert [(test.conclusions, test.refuting, list(test.known)) for test in found] == [((first, second), True, [])]
            continue
        least = first if broken[first.name] or not broken[second.name] else second
        for test, one in zip(found, (first, second), strict=True):
            assert (test.conclusions, test.refuting) == ((one,), bool(broken[one.name]) or one is least)
            assert sorted(map(id, test.known)) == sorted(map(id, broken[one.name] + idle * (one is least)))


def what_is_known_of_a_correction(module):
    """The counterexamples to what it corrects, if they are of its system, and what hunts met, but for what they dropped."""
    claim = catalogue()["localmax.hull_shrinks"]
    conclusion = claim.conclusions[0]
    own, other, *met = (claim.system.instance(z=[[k], [2]]) for k in range(6))
    foreign = catalogue()["polarization.score_gaps_grow"].system.instance(u=[1, 0])
    published = {"one": ("c", own), "two": ("c", foreign), "three": None, "four": ("c", other)}
    module._corrections, module._published = (lambda: {claim.id: list(published)}), published.get
    entries = [
        {"conclusion": conclusion.name, "tightest": {"instance": json.loads(json.dumps(met[0].to_json()))}},
        {"conclusion": conclusion.name},
        {"conclusion": conclusion.name, "tightest": {"instance": met[1].to_json()}, "dropped": ["finite"]},
        {"conclusion": "another", "tightest": {"instance": met[2].to_json()}},
        {"conclusion": conclusion.name, "tightest": {"instance": met[3].to_json()}},
    ]
    module.entries_by_claim = lambda: {claim.id: entries}
    found = module.decided_before_draws(claim, conclusion)
    assert [one.to_json() for one in found] == [one.to_json() for one in (own, other, met[0], met[3])]
    assert module.decided_before_draws(replace(claim, file="own.py"), conclusion) == []


def efforts_are_those_of_the_standing(module):
    examples = settings().max_examples
    claim = catalogue()["localmax.hull_shrinks"]
    cheap, costly = claim.conclusions[0], catalogue()["polarization.score_gaps_grow"].conclusions[0]
    few = max(module.LEAST_COSTLY, examples // module.COSTLY_SHARE)
    for standing, source, refuting, factor in (
        (Standing.TRUE, None, False, 1), (Standing.TRUE, "own.py", False, 1), (Standing.OPEN, None, False, 1),
        (Standing.OPEN, "own.py", False, module.LONGER_IF_OPEN), (Standing.FALSE, None, True, module.LONGER),
        (Standing.FALSE, "own.py", False, 1),
    ):  # fmt: skip
        of = replace(claim, standing=standing, file=source)
        for conclusions, least in (((cheap,), examples), ((costly,), few), ((cheap, costly), examples)):
            test = module.ConclusionTest(of, conclusions, refuting)
            assert test._effort().max_examples == factor * (examples if refuting else least)
            assert test.is_costly == (costly in conclusions)


def each_of_several_has_to_say_something(module):
    """Where it is not known which of two conclusions fails, one is refuted, and one, both or neither is silent."""
    claim = replace(catalogue()["localmax.hull_shrinks"], standing=Standing.FALSE, file="own.py")
    system = claim.system.instance(z=[[1], [2]])
    module._say = module.note = lambda *given: None
    module.unmet, module.start_in_turn = (lambda *given: []), (lambda *given: system)
    for refuted, silent in itertools.product((True, False), ((), (0,), (1,), (0, 1))):
        outcome = Outcome.VIOLATED if refuted else Outcome.HOLDS
        module.check = lambda *given, outcome=outcome: Verdict(outcome, Known.EXACT, -1)
        module.verify_briefly = lambda claim, one, *given, silent=silent: Tally(
            one.name, "state", undecided=1, holds=int(claim.conclusions.index(one) not in silent)
        )
        test = module.ConclusionTest(claim, tuple(claim.conclusions), refuting=True)
        test._is_steered = False
        for found_by_hypothesis in (True, False):
            given = (lambda test=test: test.look(claim.conclusions[0], system)) if found_by_hypothesis else (lambda: None)
            if refuted and not silent:
                test.run(given)
                continue
            with pytest.raises(AssertionError, match="nothing was decided" if refuted else "no violation"):
                test.run(given)


def each_example_is_judged_as_the_standing_demands(module):
    """All that an example may be: known or drawn, within the hypotheses or not, and what is decided there."""
    suite = catalogue()["localmax.hull_shrinks"]
    conclusion, system = suite.conclusions[0], suite.system.instance(z=[[1], [2]])
    module._say = module.note = module.event = lambda *given: None
    for standing, source, refuting, known, missing, outcome in itertools.product(
        (Standing.TRUE, Standing.FALSE), (None, "own.py"), (False, True), (False, True), (False, True), Outcome
    ):
        module.check = lambda *given, outcome=outcome: Verdict(
            outcome, None if outcome is Outcome.UNDECIDED else Known.EXACT, -1
        )
        module.unmet = lambda *given, missing=missing: [SimpleNamespace(name="one")] * missing
        claim = replace(suite, standing=standing, file=source)
        test = module.ConclusionTest(claim, (conclusion,), refuting, [system] * known)
        test._is_steered = False
        violated = outcome is Outcome.VIOLATED and not missing
        if refuting:
            expected = AssertionError if known and not violated else module.Refuted if violated and not known else None
        elif missing:
            expected = None if known and source is None else AssertionError
        else:
            expected = AssertionError if violated and standing is not Standing.FALSE else None
        found = None
        try:
            test.look(conclusion, system)
        except (AssertionError, module.Refuted) as error:
            found = type(error)
        assert found is expected
        assert test.tally.instances == int(refuting or not missing)


def a_refutation_that_is_said_is_none(module):
    """A formula may raise what the judge raises of a violation: without one that was counted the test does not pass."""
    claim = replace(catalogue()["localmax.hull_shrinks"], standing=Standing.FALSE, file="own.py")
    for conclusions, refuting, violated in itertools.product((claim.conclusions[:1], claim.conclusions), (1, 0), (1, 0)):
        module.verify_briefly = lambda *given: Tally("one", "state", holds=1)
        test = module.ConclusionTest(claim, tuple(conclusions), refuting=bool(refuting))

        def said(test=test, violated=violated):
            test.tally.violated = violated
            raise module.Refuted("as I say")

        with nullcontext() if refuting and violated else pytest.raises(module.Refuted):
            test.run(said)


def what_leaves_nothing_to_test_is_refused(module):
    """Claims of experiments alone would make a file without a test, which seems to pass; one that is decided is enough."""
    decided = catalogue()["localmax.hull_shrinks"]
    (run, *_) = (one for one in catalogue().values() if all(c.form is Form.EXPERIMENT for c in one.conclusions))
    for chosen in itertools.product((decided, run), repeat=2):
        module.matching = lambda *_, chosen=chosen: list(chosen)
        with nullcontext() if decided in chosen else pytest.raises(ValueError, match="not on instances"):
            module.suite_test("any")
    for one in (decided, run):
        module.read_own = lambda *_, one=one: one
        with nullcontext() if one is decided else pytest.raises(ValueError, match="not on instances"):
            module.property_test("any.py")


JUDGE = facts_above(globals(), "module")


@pytest.mark.parametrize("fact", JUDGE)
def test_the_judge_is_sound(fact):
    fact(planted(property_tests))


@bugs_in(property_tests)
def test_a_bug_planted_in_the_judge_is_noticed(bug):
    assert bug.is_noticed(JUDGE)


def test_a_summary_carries_what_was_counted():
    assert json.loads(json.dumps(Tally("one", "state", undecided=2).summary()))["undecided"] == 2
