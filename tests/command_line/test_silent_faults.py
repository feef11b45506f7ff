"""Faults that once passed for success, each through the door by which it came: a file on the command line, and pytest."""

from __future__ import annotations

import re
import resource
import time
from collections import Counter
from itertools import permutations, product
from pathlib import Path
from signal import Signals
from unittest.mock import Mock, patch

import pytest
import typer

from claims.cli import check, check_proofs, progress, prove, show, verify, wording
from claims.hunting.plan import Hunt, Limits
from claims.stating.catalogue import catalogue
from claims.stating.defects import Consequence
from claims.stating.statement import Form
from claims.targets.target import Target
from claims.targets.user_claims import ClaimText
from tests.calling import refused, run
from tests.hypothesis_tests.hostile import GOOD, file, text_of
from tests.in_process import computed_here
from tests.planting import bugs_in, planted

ROOT = Path(__file__).parents[2]

# Python runs such a file without complaint, and its statement would simply not be there.
VANISHING = (
    "identity without parentheses",
    "state without arguments",
    "step without arguments",
    "orbit without arguments",
    "trajectory without arguments",
    "rate without arguments",
    "limit without arguments",
    "probability without parentheses",
    "experiment without parentheses",
    "a function without a decorator",
    "no conclusions",
)

# Rational points, by the parametrisation of the circle: no move in float64 meets the equation again.
ON_THE_CIRCLE = """
circle = Assumption("circle", "x_0^2 + x_1^2 = 1", satisfies=lambda f: (f.x * f.x).sum() == 1{given})
assumptions = (circle,)


def draw(draws):
    t = draws.dyadic(1)[0]
    return Decay(x=numbers(np.array([2 * t / (1 + t * t), (1 - t * t) / (1 + t * t)], dtype=object)))
"""
FARTHER = """
@claim.state(">= 0")
def far_enough(f):
    \"\"\"3 - x_0 - x_1: true of the circle, and false of what a search proposes beside it.\"\"\"
    return 3 - f.x.sum(axis=-1)[..., None]
"""
# sqrt(3 + 2 sqrt 2) is 1 + sqrt 2: the two balls overlap at every precision.
OPEN = """
from dynamics.arithmetic import sqrt


@claim.state("> 0")
def never_known(f):
    \"\"\"e^sqrt(3 + 2 sqrt 2) - e^(1 + sqrt 2), which is 0: no precision decides it.\"\"\"
    root = sqrt(2 + 0 * f.x[..., :1])
    return exp(sqrt(3 + 2 * root)) - exp(1 + root)
"""
FAILS = """
tried = []


@claim.state(">= 0")
def fails_later(f):
    \"\"\"Fails later than a look at the file.\"\"\"
    tried.append(f)
    if len(tried) > 60:
        raise RuntimeError("planted")
    return f.x * f.x
"""
LIMIT = """
@claim.limit(">= 0", times={times})
def late({states}):
    \"\"\"x^2.\"\"\"
    return states[-1].x * states[-1].x
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder."""
    monkeypatch.chdir(tmp_path)


def written(text, name="mine.py"):
    Path(name).write_text(text, encoding="utf-8")
    return name


@pytest.mark.parametrize("name", VANISHING)
def test_a_conclusion_that_would_disappear_is_refused(name):
    told = refused("verify", "--file", written(text_of(name)))
    assert "mine.py" in told
    assert "Traceback" not in told


def test_a_hunt_whose_candidates_all_leave_the_hypotheses_says_so(monkeypatch):
    """Nothing leads them back, and nothing is drawn inside."""
    text = file(FARTHER, ON_THE_CIRCLE.format(given=""))
    run("verify", "--file", written(text), "--examples", 8, "--jobs", 1)
    computed_here(monkeypatch)
    told = run("hunt", "--file", "mine.py", "--starts", 16, "--jobs", 1, "--out", "hunt").output
    outside = re.search(r"candidates that left the hypotheses: (\d+) by circle", told)
    assert outside is not None, told
    assert int(outside[1]) > 0
    assert "give one to circle" in told


def test_a_restriction_that_does_not_meet_its_hypothesis_is_named_with_an_instance_before_anything_runs():
    setting = ON_THE_CIRCLE.format(given=", restrict=lambda f: f.replace(x=2 * f.x)")
    written(file(FARTHER, setting))
    for command in (("hunt", "--starts", 8, "--out", "hunt"), ("verify",)):
        told = refused(command[0], "--file", "mine.py", *command[1:])
        assert "circle is not satisfied by what its own restrict returns" in told
        assert "'system': 'Decay'" in told
    assert not Path("hunt").exists()


def test_a_file_of_which_all_is_undecided_is_not_borne_out():
    # No precision decides it: a lower one shows that in a tenth of the time.
    asked = ("--examples", 2, "--precision", 256, "--jobs", 1)
    told = run("verify", "--file", written(file(OPEN)), *asked, code=1).output
    assert "never_known" in told
    assert re.search(r"UNDECIDED \d+", told)
    assert "0 of 1 standings borne out" in told


@pytest.mark.parametrize(
    ("text", "word"), [(text_of("nothing to compare"), "vacuous"), (file(OPEN), "UNDECIDED"), (file(GOOD), "HOLDS")]
)
def test_an_instance_by_which_nothing_is_decided_is_no_success(text, word):
    code = int(word != "HOLDS")
    told = run("verify", "--file", written(text), "--instance", '{"x": [1, 2]}', "--precision", 256, code=code).output
    assert word in told
    assert (word == "HOLDS") == ("HOLDS" in told)


def test_times_that_are_a_tuple_are_refused_with_what_works():
    told = refused("verify", "--file", written(file(LIMIT.format(times="(1, 2)", states="states, start"))))
    advised = re.search(r"write `?times=(lambda [a-z]+: \[[\d, ]+\])", told)
    assert advised is not None, told
    advice = advised[1].replace("100", "2").replace("10", "1")  # later times take longer, and are read alike
    written(file(LIMIT.format(times=advice, states="states, start")), "advised.py")
    assert "1 of 1 standings borne out" in run("verify", "--file", "advised.py", "--examples", 2, "--jobs", 1).output


def test_a_wrong_signature_is_refused_before_the_run():
    assert "late takes" in refused(
        "verify", "--file", written(file(GOOD + LIMIT.format(times="lambda f: [1, 2]", states="states")))
    )


def test_an_error_in_one_conclusion_is_the_result_of_that_one(monkeypatch):
    monkeypatch.setattr(ClaimText, "refuse_outside", lambda text: None)  # it is to fail late
    told = run("verify", "--file", written(file(GOOD + FAILS)), "--examples", 96, "--jobs", 1, code=1).output
    assert "planted" in told
    assert re.search(r"square +survived \d+", told)
    assert "0 of 1 standings borne out" in told


def test_a_budget_ends_within_five_seconds():
    begun, worked = time.monotonic(), _processor_time()
    run("hunt", "--file", written(file(GOOD)), "--budget", "1s", "--jobs", 1, "--out", "hunt")
    # Where others use the machine as well, what was worked counts.
    assert min(time.monotonic() - begun, _processor_time() - worked) < 6


def _processor_time():
    """Seconds of this process and of those that it has ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


# ---------------------------------------------------------------------------------------------------------------------
# Exit codes of several findings


def several(kind, most=3):
    """Every list of so many of a kind, none among them."""
    return (list(found) for count in range(most + 1) for found in product(kind, repeat=count))


# In every order: a code by the first finding or the last one is right for most lists.
def proofs_exit_by_the_worst(m):
    for found in several(m.Finding):
        told = iter(found)
        m.require, m.terminal = (lambda: None), Mock
        m.recheck = lambda *given, told=told: Mock(finding=next(told))
        code = m.check_proofs([Path(f"proof-{k}") for k in range(len(found))], False, "1s", None)
        worst = 1 if m.Finding.NOT_CONFIRMED in found else 3 if m.Finding.CANNOT_DECIDE in found else 0
        assert code == worst, found


def attempts_exit_by_what_is_left_open(m):
    """A violation of what is held true comes first; then all that was asked has to be proved or refuted."""
    # All standings and words of two attempts, with and without one that is missing: no rule of thumb fits them all.
    for words, standing in product(several(m.ProofStatus, 2), m.Standing):
        claims = {"false": Mock(standing=m.Standing.FALSE), "other": Mock(standing=standing)}
        for names in product(claims, repeat=len(words)):
            made = [Mock(word=word, target=Mock(claim=name)) for word, name in zip(words, names, strict=True)]
            refuted = [claims[one.target.claim].standing for one in made if one.word is m.ProofStatus.VIOLATED]
            news = m.Standing.TRUE in refuted
            decided = all(word in (m.ProofStatus.PROVED, m.ProofStatus.VIOLATED) for word in words)
            for missing in (0, 1):
                code = 1 if news else 0 if decided and not missing else 3
                assert m._exit_code(made, len(made) + missing, claims) == code


def a_check_exits_by_the_checker_or_by_coq(m):
    """What the one refuses the other does not make good, and Coq is asked only where that was said."""
    for code, rejected, formal in product(range(4), (0, 1), (False, True)):
        m.subprocess = Mock(run=lambda *_, code=code, **__: Mock(returncode=code))
        with patch("claims.cli.formal.tell_answers", return_value=rejected) as tell, pytest.raises(typer.Exit) as left:
            m.check_certificates(None, published=True, formal=formal)
        assert left.value.exit_code == ((formal and rejected) or code)
        assert tell.called is formal


def drops_exit_by_the_first_that_fails(m):
    """Wherever it stands among others; a run that is stopped says so, and one of a name that nothing assumes is refused."""
    m.targets_without, m.print_drops = (lambda *_: []), (lambda *_: None)
    for found in several(m.DropFinding, 2):
        m.run_without = lambda *_, found=found: ([Mock(finding=one) for one in found], None)
        assert m._verify_without(["any"], [], 1, 0, None, 1, None) == int(m.DropFinding.FAILED in found), found
    m.run_without = lambda *_: ([], m.Stopped(Signals.SIGINT))
    with pytest.raises(typer.Exit):
        m._verify_without(["any"], [], 1, 0, None, 1, None)


def what_is_not_borne_out_is_told(m):
    """And what is not borne out, or that mpmath objects to, is told without -v, too."""
    loud = []
    m.print_papers = m._print_false = m._print_agreement = m.terminal = Mock()
    m._print_standings = lambda _, reports, claims: loud.extend(reports)
    for borne, objections in product((True, False, None), ((), (None,), (None, "told"), ("told", None))):
        tallies = [
            Mock(objection=told, decided_by=Counter(), kinds=Counter(), undecided=0, vacuous=0, screened=0, violated=0)
            for told in objections
        ]
        report = Mock(borne_out=borne, tallies=tallies)
        loud.clear()
        m.print_reports([report], [], 1.0, in_full=False)
        assert loud == [report] * (borne is False or "told" in objections), (borne, objections)


def the_fewest_digits_are_told(m):
    """Of slacks in any order; what mpmath objects to, or does not look at, agrees to none."""
    # In every order: what is told of the first or of the last is right by chance.
    for digits in permutations([76.9, 3.2, None, 41.0]):
        tallies = [Mock(agreement=one, objection=None) for one in digits]
        tallies.append(Mock(agreement=0.5, objection={"told": "it is outside"}))
        for k, tally in enumerate(tallies):
            tally.name = f"slack{k}"
        console, report = Mock(), Mock(tallies=tallies)
        report.claim = "paper.claim"
        m._print_agreement(console, [report])
        (told,) = console.print.call_args.args
        assert "to 3 digits or more on 3 tightest" in told.plain
        assert told.plain.endswith(f"paper.claim.slack{digits.index(3.2)}")


# ---------------------------------------------------------------------------------------------------------------------
# What is shown


def shown(m, claim):
    """The lines that are printed of a claim, but for tables."""
    console, m._print_necessity = Mock(), Mock()
    m._show(console, claim, ())
    return [str(call.args[0]) for call in console.print.call_args_list if call.args]


def what_becomes_of_consequences_is_told(m):
    """Of each one whether it survives."""
    claim = catalogue()["polarization.score_gaps_grow"]
    after = [Consequence(f"place {k}", "Why.", bool(k), "a.b") for k in range(2)]
    m.defect_of = lambda _: Mock(consequences=after)
    assert [line for line in shown(m, claim) if line.startswith("then: ")] == [
        "then: place 0: does not survive as stated (a.b)",
        "then: place 1: survives (a.b)",
    ]


def some_conclusions_assume_more(m):
    """Each assumption once, those of some conclusions alone as such."""
    # One with hypotheses of both kinds: of all its conclusions, and of some.
    claim = next(one for one in catalogue().values() if len(one.every_assumption()) > len(one.assumptions) > 0)
    text = shown(m, claim)
    for one in claim.every_assumption():
        (line,) = (line for line in text if re.match(rf"assumes {one.name}\b", line))
        assert (" (for some conclusions): " in line) is (one not in claim.assumptions)


def a_violation_keeps_digits_that_it_has(m):
    """The tightest slack of an identity is at most what is told; every other one has at least the digits told."""
    # To four digits 0.0123456789 is 0.01234 rounded down and 0.01235 rounded up.
    tight, broken = {"slack": "0.0123456789"}, {"slack": "-0.0123456789"}
    for form, first in product(Form, (True, False)):
        above = form is Form.IDENTITY
        for tightest, violation in ((tight, None), (None, broken), (tight, broken)):
            tally = Mock(tightest=tightest, violation=violation, form=form)
            shown = violation if violation and (first or not tightest) else tightest
            digits = "-0.01234" if shown is broken else "0.01235" if above else "0.01234"
            assert m.brief_of(tally, violated_first=first) == digits, (form, shown)


def what_is_short_is_told_whole(m):
    """Numbers, instances and commands up to their limits; of a claim of one's own no published violation."""
    for slack in (None, "", "-1/3", "-1234567/12345678", "0.1234567"):
        assert m.brief(slack) == (slack or "")
    assert m.brief("0.12345678") == "0.1234"
    instance = {"system": "S", "x": ["1", "2"]}
    assert [m.compact(instance, longest) for longest in (7, 6)] == ["x=[1,2]", "x=[1,…"]
    # As long as is printed, and one character longer.
    for more, told in ((0, "claims verify"), (1, "an instance of 601 characters")):
        console, text = Mock(), {"x": "1" * (m.LONGEST_REPLAY - len('{"x":""}') + more)}
        m.print_replay(console, "a.b", text)
        assert told in str(console.print.call_args.args[0])
    for name, source, found in (
        ("polarization.score_gaps_grow", None, "score_gap_rate"),
        ("polarization.score_gaps_grow", "its own text", None),
        ("clusters.hull_shrinks", None, None),
    ):
        assert (m.published_violation(Mock(id=name, source=source)) or [None])[0] == found


def a_budget_is_over_when_its_seconds_are(m):
    """With some time for what ends with it; what is made small gets more, and all that it needs in a hunt that goes on."""
    claim = catalogue()["localmax.hull_shrinks"]
    plan = Hunt([Target.of(claim, claim.conclusions[0])], Limits(starts=1000, seconds=400.0), 0)
    (one,) = plan.hunted
    one.evaluations, one.seconds = 999, 300.0  # as a start has taken so far, the last one takes 0.3 seconds
    for reducing, finished, resumed, workers in product((False, True), (False, True), (False, True), (1, 4)):
        one.finished = False
        seen = m.Progress(plan, Mock(is_terminal=False), workers)
        one.reducing, one.finished, seen.resumed = reducing, finished, resumed
        assert seen.budget == 100.0
        small, limit = reducing and not finished, 100.0 / workers
        grace = max(4.5, limit / 11) if small else max(3.0, limit / 20)
        for more in (-0.5, 0.5):
            seen.began = time.perf_counter() - limit - grace - more
            assert seen.is_over() is (more > 0 and not (small and resumed)), (reducing, finished, resumed, workers)
    plan.limits = Limits(starts=1000)
    assert not m.Progress(plan, Mock(is_terminal=False), 1).is_over()


def a_hunt_says_what_is_so_while_it_runs(m):
    """What ends is told once, and not again what was told before; starts that were taken before take no time now."""
    claim = catalogue()["localmax.hull_shrinks"]
    plan = Hunt([Target.of(claim, conclusion) for conclusion in claim.conclusions[:2]], Limits(starts=100), 0)
    one, other = plan.hunted
    console, m.Plain, m.finding = Mock(is_terminal=False), Mock(), lambda _: "survived"
    seen = m.Progress(plan, console, 2)

    def told(kind, of=console, **more):
        of.reset_mock()
        seen.event(m.Event(kind, **more))
        return [str(call.args[0]) for call in of.method_calls + of.return_value.method_calls if call.args]

    one.evaluations, one.finished, other.evaluations = 40, True, 10
    assert told("recalled") == []
    assert told("waiting", text="no worker") == ["no worker"]
    other.finished, other.evaluations, other.proposed, other.rejected = True, 30, 5, 2
    assert told("recorded") == [f"{other.target}: survived (30 instances)"]
    assert told("recorded") == []
    # A line after ten seconds, and then none until ten more have passed.
    for since, count in ((8, 0), (12, 1), (13, 0), (23, 1)):
        seen.began = time.perf_counter() - since
        assert len(told("recorded", m.Plain)) == count, since
    assert told("recalled", m.Plain) == []
    seen.began, other.evaluations, other.finished = time.perf_counter() - 10, 90, False
    plan.remaining = lambda: 120.0
    begun = "1 of 2 finished, 130 starts, 6 a second; violations: 5 proposed, 0 certified, 2 rejected as rounding; 10 s"
    assert str(seen.totals()) == f"{begun}, about 60 s left"
    one.reducing = other.reducing = True
    assert seen.left == "about 60 s and what makes 1 small"
    columns = seen.shown().renderables[1].columns
    assert [list(column.cells) for column in columns] == [[str(other.target)], ["90"], [""], ["5"], ["0"], ["2"]]
    other.tight = [{"slack": 0.125}]
    assert list(seen.shown().renderables[1].columns[2].cells) == ["0.125"]
    plan.remaining = lambda: None
    assert seen.left == ""
    for words, more, style in (
        ("survived", {}, "green"),
        ("UNDECIDED", {}, "bold yellow"),
        ("survived", {"violation": {}}, "red"),
        ("survived", {"certificate": {}}, "red"),
    ):
        m.finding = lambda _, words=words: words
        assert m.finding_of(Mock(**{"violation": None, "certificate": None} | more)).style == style


CODES = {
    check: [a_check_exits_by_the_checker_or_by_coq],
    check_proofs: [proofs_exit_by_the_worst],
    prove: [attempts_exit_by_what_is_left_open],
    verify: [drops_exit_by_the_first_that_fails, what_is_not_borne_out_is_told, the_fewest_digits_are_told],
    progress: [a_budget_is_over_when_its_seconds_are, a_hunt_says_what_is_so_while_it_runs],
    show: [what_becomes_of_consequences_is_told, some_conclusions_assume_more],
    wording: [a_violation_keeps_digits_that_it_has, what_is_short_is_told_whole],
}


@pytest.mark.parametrize("module", CODES, ids=lambda module: module.__name__)
def test_a_run_exits_by_the_worst_and_tells_what_it_found(module):
    for fact in CODES[module]:
        fact(planted(module))


@bugs_in(*CODES)
def test_a_bug_planted_in_what_is_told_is_noticed(bug):
    assert bug.is_noticed(CODES[bug.module])
