"""A user's own claim file: what is wrong in it is said with its line, and what is right has the power of the suite's."""

from __future__ import annotations

import json
import pickle
import shlex
import sys
import textwrap
import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar
from unittest.mock import Mock

import pytest
from flint import arb, fmpq

from claims.campaigns.deadlines import OutOfTimeError
from claims.certificates.format import statement
from claims.cli.terminal import terminal
from claims.cli.verify import _print_undecided
from claims.instances.drawing import unmet
from claims.instances.files import read_instance
from claims.stating.catalogue import catalogue
from claims.stating.formulas import formula
from claims.stating.statement import AT_A_STATE, SYSTEMS_OF, Form, Relation, Standing
from claims.stating.verdict import Outcome
from claims.targets.target import Target
from claims.targets.user_claims import ClaimText, OwnFileError, claim_in
from claims.testing import property_tests
from claims.testing.property_tests import ConclusionTest
from claims.verifying import trial
from claims.verifying.deciding import check
from claims.verifying.tallies import Tally
from claims.verifying.trial import read_own, try_out
from dynamics.arithmetic import UndecidedError, numbers
from dynamics.limits.margins import NotTrappedError
from dynamics.system import Flow, System, quantity
from tests.calling import pytest_in, run
from tests.planting import one_in

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"

# Each line is there once: mistakes.toml replaces one of them, and names the line that is to be told.
GOOD = '''\
"""Tokens of one coordinate."""
from dataclasses import dataclass

from flint import fmpq

from claims.stating.statement import Assumption, Claim, Paper
from dynamics.arithmetic import Array, exp
from dynamics.system import Flow, quantity


@dataclass(frozen=True, eq=False)
class Decay(Flow):
    """x' = -x."""

    moving = ("x",)
    x: Array = quantity("n", meaning="numbers", alias="tokens")

    def velocity(self):
        return (-self.x,)


def draw(draws):
    return Decay(x=draws.dyadic(draws.integer(2, 4)))


positive = Assumption(
    "positive",
    "x > 0",
    satisfies=lambda f: all(x > 0 for x in f.x),
    restrict=lambda f: f.replace(x=f.x * f.x + 1),
    violate=lambda f, draws: f.replace(x=-f.x),
)

claim = Claim(__name__, statement="They decay.", system=Decay, paper=Paper("own"), assumptions=(positive,), draw=draw)


@claim.state("< 0" if False else ">= 0")
def falls(f, *, factor=1):
    """x - x'."""
    return f.x - factor * f.velocity()[0]


@claim.trajectory(">= 0", horizon=lambda f: fmpq(1))
def never_grows(now, start):
    """x(0) - x(t)."""
    return start.x - now.x
'''


def write(folder, text, name="own_decay.py"):
    path = folder / name
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


def refusal(folder, old, new, name="own_decay.py"):
    """The error, and the line of the first changed text in the file."""
    assert GOOD.count(old) == 1, "the planted mistake must stand in one place"
    text = GOOD.replace(old, new)
    with pytest.raises(OwnFileError) as caught:
        read_own(write(folder, text, name))
    return caught.value, text


MISTAKES = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("reason", MISTAKES)
def test_mistake_is_named_with_its_line(tmp_path, reason):
    old, new, marked = MISTAKES[reason]
    error, text = refusal(tmp_path, old, new)
    assert reason in error.reason
    line = next(number for number, line in enumerate(text.splitlines(), 1) if marked in line)
    assert error.line == line, f"{error}\nexpected in line {line}"
    assert str(error) == f"{tmp_path / 'own_decay.py'}:{line}: {error.reason}"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301 -- as workers send it


@pytest.mark.parametrize("form", SYSTEMS_OF)
def test_what_takes_the_arguments_of_a_form_is_a_conclusion_or_begins_with_an_underscore(form):
    given = ", ".join(f"f{k}" for k in range(len(SYSTEMS_OF[form])))
    text = f"{GOOD}\n\ndef margin({given}):\n    return f0.x\n"
    with pytest.raises(OwnFileError, match="nothing uses margin, which looks like a conclusion"):
        claim_in(text, "own_decay.py")
    claim = claim_in(text.replace("margin", "_margin"), "own_decay.py")
    assert [one.name for one in claim.conclusions] == ["falls", "never_grows"]


def test_file_without_a_claim_or_without_conclusions_is_refused(tmp_path):
    head, _, tail = GOOD.partition("claim = Claim(")
    with pytest.raises(OwnFileError, match="no claim: the file must define claim = Claim"):
        read_own(write(tmp_path, head))
    only = "claim = Claim(" + tail.partition("\n")[0]
    with pytest.raises(OwnFileError, match=r"no conclusions: write @claim\.state"):
        read_own(write(tmp_path, head + only))
    with pytest.raises(OwnFileError, match=r":\d+: no claim: .*, not int"):
        read_own(write(tmp_path, head + "claim = 3\n"))
    with pytest.raises(OwnFileError, match="a second claim") as caught:
        read_own(write(tmp_path, f"{GOOD}\n{only}\n"))
    assert caught.value.line == len(GOOD.splitlines()) + 2


# The list of conclusions may be written by hand, past all that decorators check.
LISTED = GOOD.replace('@claim.trajectory(">= 0", horizon=lambda f: fmpq(1))\n', "").replace(
    "Claim, Paper", "Claim, Conclusion, Paper"
)
AS_TEXT = 'Conclusion("never_grows", "trajectory", ">= 0", never_grows, horizon=lambda f: fmpq(1))'


def listed(*conclusions):
    """The file with conclusions that are put on the list of the claim by themselves."""
    return LISTED + "\n\n" + "".join(f"claim.conclusions.append({one})\n" for one in conclusions)


def test_a_conclusion_given_in_plain_texts_is_like_any_other(tmp_path):
    claim = read_own(write(tmp_path, listed(AS_TEXT)))
    assert [one.form for one in claim.conclusions] == [Form.STATE, Form.TRAJECTORY]
    assert all(isinstance(one.form, Form) and isinstance(one.relation, Relation) for one in claim.conclusions)
    told = statement(claim, claim.conclusions[1])["conclusion"]
    assert (type(told["form"]), type(told["relation"])) == (str, str), "what certificates write"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"trajectory"', '"trajektory"', "never_grows: a form is one of identity, .*: did you mean 'trajectory'"),
        ('">= 0"', '">=0"', "never_grows: a relation is one of >= 0, .*: did you mean '>= 0'"),
        (", horizon=lambda f: fmpq(1)", "", "never_grows: horizon must be a function of the start: write horizon="),
        ('"trajectory"', '"limit"', "never_grows: times must be a function of the start: write times="),
        ('">= 0", never_grows', '">= 0", "never_grows"', "never_grows: the slack must be a function, not 'never_grows'"),
        ('("never_grows"', '("falls"', "two conclusions are named falls"),
        (AS_TEXT, '"never_grows"', "conclusions must be a list of Conclusion, not "),
    ],
)
def test_a_listed_conclusion_that_is_none_is_refused(tmp_path, old, new, reason):
    assert AS_TEXT.count(old) == 1
    with pytest.raises(OwnFileError, match=reason) as caught:
        read_own(write(tmp_path, listed(AS_TEXT.replace(old, new))))
    assert caught.value.line


def test_file_that_cannot_be_read_or_has_a_taken_name_is_refused(tmp_path):
    with pytest.raises(OwnFileError, match="cannot be read: No such file"):
        read_own(tmp_path / "missing.py")
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(OwnFileError, match="cannot be read"):
        read_own(tmp_path / "binary.py")
    # `claims verify NAME` would mean two things: a claim of the suite, or a paper, and this file.
    for name in ("hull_shrinks.py", "polarization.py"):
        with pytest.raises(OwnFileError, match="rename the file"):
            read_own(write(tmp_path, GOOD, name))
    with pytest.raises(OwnFileError, match=r"name it my_claim\.py"):
        read_own(write(tmp_path, GOOD, "own-decay.py"))


# Each of the two is sound by itself: x -> -x undoes what the first one has imposed.
def test_restriction_that_breaks_an_earlier_assumption_is_named(tmp_path):
    late = "late = Assumption('late', 'x < 0', lambda f: True, lambda f: f.replace(x=-f.x))"
    text = GOOD.replace("claim = Claim(", f"{late}\n\nclaim = Claim(")
    with pytest.raises(OwnFileError, match="the restrict of late breaks positive") as caught:
        read_own(write(tmp_path, text.replace("(positive,)", "(positive, late)")))
    assert caught.value.line == text[: text.index("late = ")].count("\n") + 1


def test_claim_with_its_own_system_has_the_power_of_the_suite(tmp_path):
    path = write(tmp_path, GOOD)
    claim = read_own(path)
    assert (claim.id, claim.file, claim.source) == ("own_decay", str(path), GOOD)
    assert claim_in(GOOD, str(path)) is claim, "the same text is executed once"
    assert claim_in(GOOD + "\n", str(path)) is not claim, "another text is another claim"
    assert claim.id not in catalogue()
    assert claim.module in sys.modules
    system = claim.system.instance(tokens=["1/2", 3])
    assert isinstance(system, System)
    assert pickle.loads(pickle.dumps(system)).x.tolist() == system.x.tolist()  # noqa: S301
    for conclusion in claim.conclusions:
        assert check(conclusion, system).outcome is Outcome.HOLDS
    # x - factor x' is (1 + factor) x where x' = -x: with -2 it is negative.
    variant = Target(claim.id, "falls", ("positive",), (("factor", "-2"),), claim.file, claim.source).resolve()
    assert variant.claim is claim
    assert check(variant.conclusion, system).outcome is Outcome.VIOLATED


def test_postponed_annotations_work_in_a_dataclass(tmp_path):
    # dataclass looks for the module of a class in sys.modules, where annotations are texts.
    text = GOOD.replace("from dataclasses", "from __future__ import annotations\n\nfrom dataclasses")
    assert read_own(write(tmp_path, text)).system.__name__ == "Decay"


def test_traceback_shows_the_users_line(tmp_path):
    path = write(tmp_path, GOOD.replace("return f.x - factor", "return f.z - factor"))
    with pytest.raises(OwnFileError) as caught:
        read_own(path)
    path.unlink()
    # The file is gone: the line comes from what was read of it.
    import traceback

    shown = "".join(traceback.format_exception(caught.value.__cause__))
    assert "return f.z - factor * f.velocity()[0]" in shown


def test_a_formula_is_that_of_its_own_text_though_another_text_has_had_the_file_s_name_since():
    # linecache keeps one text for each name, and inspect reads it from there.
    texts = GOOD, GOOD.replace("return start.x - now.x", "return start.x - 2 * now.x")
    for text in texts:
        claim_in(text, "one_name.py")
    for text, last in zip(texts, ("start.x - now.x", "start.x - 2 * now.x"), strict=True):
        assert formula(claim_in(text, "one_name.py").conclusions[1].slack)[-1] == f"    return {last}"


def test_commands_take_the_file(tmp_path):
    path = write(tmp_path, GOOD)
    verified = run("verify", "--file", path, "--profile", "smoke", "--jobs", 1).stdout
    assert "own_decay" in verified
    assert "1 of 1 standings borne out" in verified
    dropped = run("verify", "--file", path, "--drop", "each", "--profile", "smoke", "--jobs", 1).stdout
    assert "falls without positive" in dropped
    assert f"claims verify --file {path} --instance" in dropped
    one = run("verify", "--file", path, "--instance", '{"system": "Decay", "x": [-1, 2]}').stdout
    assert "VIOLATED" in one
    assert "outside the hypotheses: positive" in one
    unnamed = run("verify", "--file", path, "--instance", '{"tokens": [1, 2]}').stdout
    assert "HOLDS" in unnamed, "its system is recognised by its arrays, too"
    listed = json.loads(run("list", "--file", path, "own_decay", "L1", "--json").stdout)
    assert {entry["id"] for entry in listed} > {"own_decay", "clusters.pairwise_distances_grow"}
    assert [entry["id"] for entry in json.loads(run("list", "--file", path, "--json").stdout)] == ["own_decay"]
    shown = run("show", "--file", path).stdout
    assert shown.startswith("own_decay")
    assert "factor = 1" in shown


def test_commands_refuse_a_file_in_one_sentence(tmp_path):
    path = write(tmp_path, GOOD)
    for command in ("list", "show", "verify"):
        wrong = run(command, "--file", write(tmp_path, "claim = 1 /\n", "wrong.py"), code=2)
        assert (wrong.stdout, wrong.stderr) == ("", f"error: {tmp_path / 'wrong.py'}:1: syntax error: invalid syntax\n")
    assert "two claims have the id own_decay" in run("list", "--file", path, "--file", path, code=2).stderr
    assert "which claim?" in run("show", code=2).stderr
    assert "falls does not" not in run("verify", "--file", path, "--drop", "scalar_step", code=2).stderr
    told = run("verify", "--file", path, "--drop", "positiv", code=2).stderr
    assert "no claim assumes 'positiv': did you mean positive" in told


# ---------------------------------------------------------------------------------------------------------------------
# The worked example of the documentation


def test_a_model_of_ones_own_needs_no_construction_where_it_has_tokens_and_matrices_alone():
    text = run("verify", "--file", EXAMPLES / "sigmoid_attention.py", "--examples", 12, "--jobs", 1).stdout
    assert "1 of 1 standings borne out" in text


def test_example_is_open_and_its_harder_search_refutes_it_where_that_of_a_true_claim_does_not(tmp_path):
    claim = read_own(EXAMPLES / "my_claim.py")
    assert claim.standing is Standing.OPEN
    assert "my_claim is open, and VIOLATED" in run("verify", "--file", EXAMPLES / "my_claim.py", "--jobs", 1, code=1).stdout
    text = (EXAMPLES / "my_claim.py").read_text(encoding="utf-8")
    text = text.replace("import Assumption, Claim", "import Assumption, Claim, Standing")
    text = text.replace("    __name__,", "    __name__, standing=Standing.TRUE,")
    held = write(tmp_path, text, "held.py")
    assert "1 of 1 standings borne out" in run("verify", "--file", held, "--jobs", 1).stdout
    (conclusion,) = claim.conclusions
    for B, outcome in (([[1, 2], [2, 5]], Outcome.VIOLATED), ([[1, 1], [1, 2]], Outcome.HOLDS)):
        system = claim.system.instance(x=[[3, 0], [0, 0], [1, 2]], B=B)
        assert not unmet(claim, conclusion, system)
        assert check(conclusion, system).outcome is outcome


def words(text):
    return " ".join(text.replace("…", " ").split())


def test_documentation_shows_what_the_commands_print(monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    page = (ROOT / "docs" / "own_claims.md").read_text(encoding="utf-8")
    for name in ("my_claim.py", "test_my_claim.py", "test_by_hand.py"):
        assert f"```python\n{Path(name).read_text(encoding='utf-8')}```" in page
    blocks = page.split("    $ claims ")[1:]
    shown = 0
    for command, *lines in (block.split("\n\n")[0].splitlines() for block in blocks):
        if command.startswith(("hunt", "check", "prove")):
            continue  # a search by the clock; solvers, which are an extra
        code = 1 if "--instance" in command or command == "verify --file my_claim.py" else 0
        printed = words(run(*shlex.split(command), "--jobs", 1, code=code).stdout)
        for line in lines:
            if "farthest_pair" in line:
                assert words(line) in printed, f"{command}: {line}"
                shown += 1
    # All of them: a page whose examples had gone would pass every comparison.
    assert shown == 9


def test_the_counterexample_of_the_documentation_replays(monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    page = (ROOT / "docs" / "own_claims.md").read_text(encoding="utf-8")
    (hunted,) = (block.split("\n\n")[0] for block in page.split("    $ claims ") if block.startswith("hunt "))
    (replay,) = (line.strip() for line in hunted.splitlines() if line.strip().startswith("claims verify"))
    (slack,) = {line.split()[1].rstrip(",") for line in hunted.splitlines() if line.strip().startswith("slack ")}
    printed = run(*shlex.split(replay)[1:], code=1).stdout
    assert f"VIOLATED certified {slack}" in words(printed)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("f.x[..., i, :] - f.x", "f.x[0] - f.x", ":36: farthest_pair_recedes must run on batches: write f.x[..., 0]"),
        ("f.x.shape[-2] >= 2,", "f.x.shape[-2] >= 9,", ":11: two_tokens is not satisfied by what its own restrict returns"),
        ('state(">= 0")', 'state(">=0")', ":31: my_claim: a relation is one of >= 0, > 0, == 0, not '>=0': did you"),
        ("(f: Self", "(f, start: Self", ":31: farthest_pair_recedes takes f, start: the function of a state takes 1"),
    ],
)  # fmt: skip
def test_documentation_shows_the_mistakes_as_they_are_told(tmp_path, old, new, told):
    text = (EXAMPLES / "my_claim.py").read_text(encoding="utf-8")
    with pytest.raises(OwnFileError) as caught:
        read_own(write(tmp_path, text.replace(old, new), "my_claim.py"))
    assert told in str(caught.value)
    assert f"error: my_claim.py{told}" in (ROOT / "docs" / "own_claims.md").read_text(encoding="utf-8")


def test_corrected_example_needs_symmetry():
    path = EXAMPLES / "my_corrected_claim.py"
    assert "1 of 1 standings borne out" in run("verify", "--file", path, "--jobs", 1).stdout
    dropped = run("verify", "--file", path, "--drop", "definite_key_query", "--jobs", 1).stdout
    assert "needed: VIOLATED" in dropped
    found = json.loads(dropped.partition("--instance '")[2].partition("'")[0])
    assert found["B"] != [list(column) for column in zip(*found["B"], strict=True)], "-B alone does not break it"


def test_example_runs_under_pytest_outside_the_repository(tmp_path):
    for name in ("my_claim.py", "my_corrected_claim.py", "test_my_claim.py"):
        (tmp_path / name).write_text((EXAMPLES / name).read_text(encoding="utf-8"), encoding="utf-8")
    done = pytest_in(tmp_path, "-q", "-p", "no:xdist", "test_my_claim.py", "--hypothesis-profile", "smoke")
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert "farthest_pair_recedes = [-0.985165" in done.stdout
    assert f"claims verify --file {tmp_path / 'my_claim.py'} --instance '" in done.stdout


def test_counterexample_file_stands_for_its_instance(tmp_path):
    instance = {"system": "SelfAttentionFlow", "x": [[3, 0], [0, 0], [1, 2]], "B": [[1, 2], [2, 5]]}
    path = tmp_path / "found.json"
    path.write_text(json.dumps({"format": "attention-claims counterexample", "instance": instance}), encoding="utf-8")
    text = run("verify", "--file", EXAMPLES / "my_claim.py", "--instance", path, code=1).stdout
    assert "VIOLATED" in text
    assert "outside the hypotheses" not in text
    claim = read_own(EXAMPLES / "my_claim.py")
    (system,) = read_instance(str(path), [claim.system])
    assert str(check(claim.conclusions[0], system).slack).startswith("[-0.985165")


def test_own_file_runs_under_the_suites_pytest(tmp_path):
    false = GOOD.replace("Claim(__name__,", "Claim(__name__, standing=Standing.FALSE,").replace("factor=1):", "factor=-2):")
    path = write(tmp_path, false.replace("import Assumption, Claim", "import Assumption, Claim, Standing"))
    chosen = ("--claim-file", path, "--claims", "own_decay")
    done = pytest_in(ROOT, "-q", "-p", "no:xdist", "tests/papers/test_claims.py", *chosen)
    assert "own_decay.refuted: " in done.stdout, done.stdout
    assert done.returncode == 0, "its general instances may be those of another day"


def test_hypothesis_shrinks_a_violation_and_says_how_to_replay_it(tmp_path, monkeypatch):
    # Nothing refutes what is true, however long: a short search shows that as well.
    monkeypatch.setattr(property_tests, "LONGER", 2)
    monkeypatch.setattr(property_tests, "TURNS", 4)
    claim = read_own(write(tmp_path, GOOD.replace("factor=1):", "factor=-2):")))
    with pytest.raises(AssertionError, match=r"falls = -1") as caught:
        ConclusionTest(claim, tuple(claim.conclusions)).run()
    instance = json.loads(str(caught.value).partition("--instance '")[2].partition("'")[0])
    assert instance == {"system": "Decay", "x": [1, 1]}
    ConclusionTest(claim, tuple(claim.conclusions), refuting=True).run()
    true = read_own(write(tmp_path, GOOD))
    with pytest.raises(AssertionError, match="no violation of own_decay was found"):
        ConclusionTest(true, tuple(true.conclusions), refuting=True).run()


def test_states_and_steps_of_the_suite_pass_the_same_tests():
    for claim in one_in(4, catalogue().values()):
        if claim.draw is None:
            try_out(replace(claim, conclusions=[c for c in claim.conclusions if c.form in AT_A_STATE]), probes=2)


@dataclass(frozen=True, eq=False)
class Switching(Flow):
    """x' = 1, and y' is 1 up to a level of x and 2 beyond it, by the middle of a ball."""

    moving: ClassVar[tuple[str, ...]] = ("x", "y")
    x: object = quantity(meaning="time")
    y: object = quantity(meaning="length")
    level: object = quantity(meaning="where the speed changes")

    def velocity(self):
        x = self.x.item()
        return numbers(fmpq(1)), numbers(1 + (getattr(x, "mid", lambda: x)() > arb(self.level.item())))


def test_a_speed_that_is_one_rational_here_and_another_there_is_refused():
    """A rational speed is taken for a constant: one that a choice picks is none."""
    text = ClaimText(GOOD, "own.py")
    # No trial comes near this level; the one below is crossed.
    trial._try_constants(Switching.instance(x=0, y=0, level=10**6), text)
    with pytest.raises(OwnFileError, match="speed 1 is the rational 1 at one state and 2 at another"):
        trial._try_constants(Switching.instance(x=0, y=0, level=4), text)


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ('limit(">= 0", times=lambda f: [1], trap=contraction_to)', "write trap=contraction_to(...)"),
        ('limit(">= 0", times=lambda f: [1], trap=hulls("weights"))', "hulls is given a function of the state"),
        ('limit(">= 0", times=lambda f: [1])', "on a list of exact states, which a limit without trap= gets"),
    ],
)
def test_a_limit_that_is_asked_wrongly(tmp_path, declared, told):
    text = GOOD.replace('trajectory(">= 0", horizon=lambda f: fmpq(1))', declared).replace("start.x - now.x", "now.limits")
    imports = "from dynamics.limits.contraction import contraction_to\nfrom dynamics.limits.hulls import hulls\n"
    with pytest.raises(OwnFileError) as caught:
        read_own(write(tmp_path, text.replace("from dynamics.system", f"{imports}from dynamics.system")))
    assert told in str(caught.value)


def test_a_trajectory_of_a_map_is_refused(tmp_path):
    text = GOOD.replace("Flow", "StepMap").replace("def velocity", "def step").replace("f.velocity()[0]", "f.x")
    text = text.replace("return (-self.x,)", "return self.replace(x=self.x / 2)").replace('    moving = ("x",)\n', "")
    with pytest.raises(OwnFileError, match="never_grows is a trajectory of a flow, and Decay is none"):
        read_own(write(tmp_path, text))


def test_why_most_instances_are_undecided_is_told(capsys):
    tally = Tally("they_meet", "limit", undecided=3, reasons=Counter({"one token has no other": 2, "the sign is open": 1}))
    decided = Tally("falls", "state")
    _print_undecided(terminal(), [SimpleNamespace(claim="mine", tallies=[tally, decided])])
    assert capsys.readouterr().out.strip() == "UNDECIDED: mine.they_meet: one token has no other (2 of 3)"


# 0 where the error came from elsewhere: then the line of the function is told.
@pytest.mark.parametrize("found", [0, 7])
def test_what_a_function_of_a_file_raises_is_told_with_its_line(found):
    """But for what more bits may tell or no limit shows; and what ends the run is no fault of the file."""
    text, undecided = SimpleNamespace(file="own.py", line_of=lambda error: found), UndecidedError("open")
    for error in (undecided, NotTrappedError("away")):
        assert trial._running(text, "draw", 3, Mock(side_effect=error)) is None
    undecided.precision_helps = False
    for error in (undecided, ValueError("open"), SystemExit("open"), MemoryError()):
        with pytest.raises(OwnFileError, match=f"^own.py:{found or 3}: draw: "):
            trial._running(text, "draw", 3, Mock(side_effect=error))
    for error in (KeyboardInterrupt(), OutOfTimeError()):
        with pytest.raises(type(error)):
            trial._running(text, "draw", 3, Mock(side_effect=error))
    assert trial._running(text, "draw", 3, lambda: 5) == 5
