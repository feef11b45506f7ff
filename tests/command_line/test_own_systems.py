"""A claim file to begin with, and a system of one's own: constants, batches, certificates that carry it, parts of a run."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from flint import fmpq

from claims.atlas.tracing import of_certificate, of_claim
from claims.certificates.format import read_certificate
from claims.cli.formats import github
from claims.cli.new import FORMS, OWN_SYSTEMS, is_suited, starting_text
from claims.hunting.hunt import is_unseen
from claims.hunting.rounds import certified
from claims.instances.builders import buildable
from claims.stating.catalogue import catalogue
from claims.stating.statement import Form, Standing
from claims.stating.verdict import Outcome
from claims.targets.target import Target
from claims.testing import property_tests
from claims.verifying.deciding import Effort, check
from claims.verifying.smoke import verify_briefly
from claims.verifying.tallies import verify_conclusion
from claims.verifying.trial import read_own
from dynamics.arithmetic import exact, numbers
from dynamics.choices import ForeignNumberError
from tests.calling import refused, run
from tests.hypothesis_tests.hostile import file
from tests.proving.solver_processes import solvers_or_skip

SINKS = file(
    '''
@claim.state(">= 0")
def margin(f: Decay, *, room=fmpq(1, 10)):
    """x + 4 - room."""
    return f.x + 4 - room
'''
)


@pytest.fixture
def sinks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("sinks.py").write_text(SINKS, encoding="utf-8")
    return read_own("sinks.py")


@pytest.fixture
def certificate(sinks):
    """The file of a certificate that carries the claim's text."""
    (conclusion,) = sinks.conclusions
    # At -4 the margin is -1/10, by its constant alone.
    start = sinks.system.instance(x=[-4, 1])
    found = certified(Target.of(sinks, conclusion), start, check(conclusion, start, Effort()), 0)
    Path("found.json").write_text(json.dumps(found), encoding="utf-8")
    return "found.json"


def test_constants_compute_in_the_arithmetic_of_the_array():
    floats, rationals = numbers(np.array([1.0, 2.0])), exact([1, 2])
    assert (floats * fmpq(1, 2) + fmpq(1, 4)).tolist() == [0.75, 1.25]
    assert (fmpq(1, 2) / floats > fmpq(1, 4)).tolist() == [True, False]
    # A half and a quarter are the floats that are written; a tenth is none.
    assert (0.5 * rationals - 0.25).tolist() == [fmpq(1, 4), fmpq(3, 4)]
    with pytest.raises(ForeignNumberError, match="is not the number"):
        rationals * 0.1


def test_batches_propose_instances_of_a_draw_of_ones_own(sinks):
    (conclusion,) = sinks.conclusions
    tally = verify_conclusion(sinks, conclusion, 8, 0, Effort())
    assert tally.violated
    assert tally.screened


def test_a_batch_that_is_exact_in_part_is_screened(tmp_path):
    text = SINKS
    for old, new in (
        ('    x: Array = quantity("n"', '    rate: Array = quantity(meaning="rate")\n    x: Array = quantity("n"'),
        ("(-self.x,)", "(-self.rate[..., None] * self.x,)"),
        ("return f.x + 4", "return f.rate[..., None] * f.x + 4"),
        # One array of rationals beside one of floats: no batch is all of one kind.
        ("return Decay(", "return Decay(rate=numbers(fmpq(draws.choice([1, 2]))), "),
    ):
        text = text.replace(old, new)
    (tmp_path / "mixed.py").write_text(text, encoding="utf-8")
    claim = read_own(tmp_path / "mixed.py")
    tally = verify_conclusion(claim, claim.conclusions[0], 48, 0, Effort())
    assert tally.screened
    assert tally.violated


def test_a_row_of_a_batch_is_led_back_into_the_hypotheses(tmp_path):
    run("new", tmp_path / "mine.py", "--own-system", "sphere")
    claim = read_own(tmp_path / "mine.py")
    tally = verify_conclusion(claim, claim.conclusions[1], 8, 0, Effort())
    assert tally.screened
    assert not tally.vacuous


@pytest.mark.parametrize("kind", OWN_SYSTEMS)
def test_a_system_of_ones_own_to_begin_with(kind, tmp_path):
    run("new", tmp_path / "mine.py", "--own-system", kind)
    claim = read_own(tmp_path / "mine.py")
    forms = {one.form for one in claim.conclusions}
    along = {Form.STEP, Form.ORBIT} if kind == "step" else {Form.TRAJECTORY, Form.RATE, Form.LIMIT}
    assert forms == {Form.IDENTITY, Form.STATE, *along}
    assert all(one.restrict for one in claim.assumptions)
    # What is decided for ever, where the model has a limit: scores and unnormalised tokens run off, an orbit has no trap.
    assert any(one.trap for one in claim.conclusions) is (kind in {"flow", "sphere", "mask"})
    for conclusion in claim.conclusions:
        if conclusion.form is Form.RATE or (conclusion.form is Form.LIMIT and conclusion.trap is None):
            continue
        tally = verify_briefly(claim, conclusion, 0, Effort(trajectory_bits=64))
        assert tally.holds, conclusion.name
        assert not tally.violated, conclusion.name


@pytest.mark.parametrize("form", FORMS)
def test_a_new_file_of_every_form_runs(form, tmp_path):
    file = tmp_path / f"my_{form}.py"
    assert f"claims verify --file {file}" in run("new", file, "--form", form).stdout
    claim = read_own(file)
    assert claim.standing is Standing.OPEN
    (conclusion,) = claim.conclusions
    assert conclusion.form == form
    tally = verify_briefly(claim, conclusion, 0, Effort(trajectory_bits=64))
    assert not tally.violated
    # They state that squares are not negative: what is asked is whether the file runs.
    assert tally.holds or form == "limit", "a limit without a trap is only read off"


@pytest.mark.parametrize("system", ["LocalmaxStep", "ScheduledHardmax", "EluFlow", "SquareLossFlow"])
def test_a_new_file_is_about_the_system_that_was_named(system, tmp_path):
    run("new", tmp_path / "mine.py", "--form", "state", "--system", system)
    assert read_own(tmp_path / "mine.py").system.__name__ == system


def test_every_text_is_one_that_python_reads():
    for system in buildable():
        for form in FORMS:
            if is_suited(system, form):
                compile(starting_text(form, system), "mine.py", "exec")


TOGETHER = """

@claim.orbit(">= 0", exact_only=True)
def all_tokens_meet_at_once(f: OwnStep):
    \"\"\"1 less the number of limits.\"\"\"
    return 1 - contracted(f, 0).number_of_limits
"""


def test_a_limit_that_is_not_shown_of_the_first_instance_is_no_mistake(tmp_path):
    """Of a file of which no instance has met at its start, and of one whose formula no lemma is about."""
    whole = (files("claims.cli.own_systems") / "step.py").read_text(encoding="utf-8")
    # Alone: the file's other conclusions are tried elsewhere, and take most of the time.
    text = whole.partition("@claim.")[0] + TOGETHER
    (tmp_path / "limits.py").write_text(text, encoding="utf-8")
    claim = read_own(tmp_path / "limits.py")
    assert verify_briefly(claim, claim.conclusions[-1], 0, Effort(trajectory_bits=64)).undecided
    sized = text.replace("x=self.weights() @ self.x", "x=abs(self.weights() @ self.x)")
    (tmp_path / "choosing.py").write_text(sized, encoding="utf-8")
    assert "makes a choice by its coordinates" in refused("verify", "--file", tmp_path / "choosing.py")


def test_a_limit_of_which_float64_sees_nothing_is_told_from_others():
    claim = catalogue()["polarization.cube_map_polarises"]
    limit = next(one for one in claim.conclusions if one.trap)
    state = catalogue()["clusters.hull_shrinks"].conclusions[0]

    def hunted(conclusion, **found):
        target = SimpleNamespace(dropped=(), sharpened=(), resolve=lambda: SimpleNamespace(conclusion=conclusion))
        blank = {"certificate": None, "violation": None, "starts": 9, "failures": [], "finished": True, "idle": ""}
        return SimpleNamespace(target=target, **{**blank, "decided": 0, "proposed": 0, **found})

    # Each of the others differs from it in one thing.
    assert is_unseen(hunted(limit))
    for other in (hunted(state), hunted(limit, decided=1), hunted(limit, proposed=1), hunted(limit, finished=False)):
        assert not is_unseen(other)


def test_the_system_of_another_file_is_taken(sinks):
    run("new", "other.py", "--system", "Decay", "--file", "sinks.py", "--form", "trajectory")
    claim = read_own("other.py")
    assert claim.system.__name__ == "Decay"
    assert [one.form for one in claim.conclusions] == [Form.TRAJECTORY]
    assert "margin(" not in Path("other.py").read_text(encoding="utf-8")
    assert "no step is asked of a system 'Decay'" in refused(
        "new", "third.py", "--system", "Decay", "--file", "sinks.py", "--form", "step"
    )
    assert "leave the other options out" in refused("new", "third.py", "--own-system", "flow", "--form", "state")


def test_a_certificate_brings_its_system(certificate):
    for command in (["plot", certificate, "--out", "a.svg"], ["trace", certificate], ["show", certificate]):
        assert "allow it with --run-source" in refused(*command)
        run(*command, "--run-source")
    assert "What is hostile." in run("show", certificate, "--run-source").stdout
    assert "-4" in run("trace", certificate, "--run-source").stdout
    assert Path("a.svg").exists()


def test_a_picture_of_a_certificate_is_of_its_violation(certificate, sinks):
    data = read_certificate(Path(certificate).read_text(encoding="utf-8"))
    subject = of_certificate(data, sinks)
    assert subject.is_violated
    assert subject.conclusion.name == "margin"


def test_a_picture_of_a_claim_of_ones_own_is_of_an_instance_decided_now(sinks):
    subject = of_claim(sinks)
    assert check(subject.conclusion, subject.system, Effort()).outcome is not Outcome.UNDECIDED


RISE = '''
@claim.trajectory(">= 0", horizon=lambda f: 1)
def rise(now: Decay, start: Decay):
    """x(t) - x(0)."""
    return now.x - start.x
'''

NORMS = '''

@claim.state(">= 0", assuming=())
def every_norm_grows(f: SigmoidFlow):
    """<x_i, x_i'>."""
    return (f.x * f.velocity()[0]).sum(axis=-1)


@claim.state(">= 0", assuming=())
def sum_of_norms_grows(f: SigmoidFlow):
    """sum_i <x_i, x_i'>."""
    return every_norm_grows(f).sum(axis=-1)[..., None]
'''


@pytest.mark.parametrize(
    ("conclusion", "told"),
    [("sum_of_norms_grows", "PROVED for all n = 2, d = 1"), ("every_norm_grows", "VIOLATED at n = 2, d = 1")],
)
def test_sigmoid_attention_is_proved_and_refuted(conclusion, told, tmp_path):
    solvers_or_skip()
    text = (files("claims.cli.own_systems") / "sigmoid.py").read_text(encoding="utf-8") + NORMS
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    options = ("--only", conclusion, "--size", "n=2,d=1", "--budget", "30s" if "PROVED" in told else "3s", "--jobs", 1)
    assert told in run("prove", "--file", tmp_path / "mine.py", *options).stdout


def test_a_costly_violation_is_made_smaller_for_a_while_only(tmp_path, monkeypatch):
    """What is not decided any more does not hide the violation, nor does Hypothesis call the test flaky."""
    text = SINKS.partition("@claim.state")[0] + RISE
    (tmp_path / "rise.py").write_text(text, encoding="utf-8")
    claim = read_own(tmp_path / "rise.py")
    # No time at all: what is made smaller would else be decided again and again.
    monkeypatch.setattr(property_tests, "SHRINKING", 0.0)
    one = property_tests.ConclusionTest(claim, (claim.conclusions[0],))
    with pytest.raises(AssertionError, match="claims verify --file"):
        one.run()
    assert one.tally.instances < 8  # 10, and more on larger systems, where all that is made smaller is decided


# ---------------------------------------------------------------------------------------------------------------------
# Parts of a run

FEW = ("localmax.hull_shrinks", "localmax.norms*", "frank_wolfe.hull_shrinks")


def told(file):
    data = json.loads(Path(file).read_text(encoding="utf-8"))
    for claim in data["claims"]:
        claim.pop("seconds")
    return data


def test_parts_of_a_run_are_merged_to_the_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = (*FEW, "--examples", 4, "--jobs", 1)
    run("verify", *options, "--json", "whole.json")
    for part in (1, 2, 3):
        run("verify", *options, "--shard", f"{part}/3", "--json", f"{part}.json")
    said = run("report", "1.json", "2.json", "3.json", "--json", "merged.json", "--junit", "junit.xml").stdout
    assert told("merged.json") == told("whole.json")
    count = len(told("whole.json")["claims"])
    assert f"{count} of {count} standings borne out" in said
    cases = ET.parse("junit.xml").getroot().iter("testcase")  # noqa: S314
    assert len(list(cases)) == sum(len(claim["conclusions"]) for claim in told("whole.json")["claims"])

    assert not list(ET.parse("junit.xml").getroot().iter("error"))  # noqa: S314

    lacking = run("report", "1.json", "3.json", "--json", "rest.json", "--junit", "junit.xml", code=1)
    missing = {claim["id"] for claim in told("2.json")["claims"]}
    assert missing
    assert all(f"missing: {claim} is in none of the files" in lacking.stderr for claim in missing)
    assert lacking.stderr.count("missing: ") == len(missing)
    assert {claim["id"] for claim in told("rest.json")["claims"]}.isdisjoint(missing)
    assert len(list(ET.parse("junit.xml").getroot().iter("error"))) == len(missing)  # noqa: S314

    # The same part under another name: its claims would count twice.
    Path("copy.json").write_text(Path("1.json").read_text(encoding="utf-8"), encoding="utf-8")
    assert "is decided twice" in refused("report", "1.json", "copy.json")
    # Parts of two seeds are no run that anyone could repeat.
    other = json.loads(Path("2.json").read_text(encoding="utf-8")) | {"seed": 1}
    Path("other.json").write_text(json.dumps(other), encoding="utf-8")
    assert "they differ in seed" in refused("report", "1.json", "other.json")


def test_annotations_carry_the_counterexample_and_its_replay(sinks):
    told = run("verify", "--file", "sinks.py", "--jobs", 1, "--examples", 96, "--format", "github", code=1).stdout
    (error,) = (line for line in told.splitlines() if line.startswith("::error"))
    assert "file=sinks.py,line=1,title=sinks" in error
    assert '%0Aclaims verify --file sinks.py --instance \'{"system":"Decay"' in error
    assert github([]) == "::notice title=claims::0 of 0 standings borne out"
