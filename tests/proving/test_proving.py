"""Proofs of real claims and refutations of false ones, without a start from us; files, tampering, planted bugs."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest
from flint import fmpq

from claims.certificates.format import digest
from claims.cli import prove
from claims.cli.prove import Times
from claims.proving import agreement, exploring, files, proof, recheck, solvers, symbols
from claims.proving.branches import Branches
from claims.proving.exploring import BudgetSpentError, NoProofError, PathEnd, Size, follow_answers, sign_at
from claims.proving.files import MANIFEST, ProofFileError
from claims.proving.proof import Attempt, ContradictionError, Part, ProofStatus, Solving, attempt
from claims.proving.reasons import Reasons
from claims.proving.recheck import Finding
from claims.proving.solver_process import SOLVERS
from claims.proving.solvers import Answer, NoSolverError, Solver
from claims.proving.symbols import Run
from claims.stating.catalogue import catalogue
from claims.targets.target import Target
from dynamics.arithmetic import Array
from dynamics.system import System, quantity
from tests.calling import refused, run
from tests.proving.solver_processes import Told, solvers_or_skip, target_in

solvers_or_skip()

LINE = {"n": 2, "d": 1}
MARGIN = Target("localmax.leader_margin_shrinks_by_step", "margins_contract_by_step_at_most")
GAIN = Target("localmax.norm_gain_pays_for_the_gaps", "norm_gain")

OWN = '''
"""Tokens on a line."""
import numpy as np
from dynamics.arithmetic import exp, lambert_w, log, sqrt
from dynamics.tokens.localmax import LocalmaxStep
from claims.stating.statement import Assumption, Claim, Standing

apart = Assumption("apart", "z_1 < z_2", satisfies=lambda f: f.z[0, 0] {relation} f.z[1, 0])

claim = Claim(__name__, statement="none", system=LocalmaxStep, assumptions=(apart,))

@claim.state("{sign}")
def margin(f):
    """Something of two tokens on a line."""
    x, y = f.z[..., 0, 0], f.z[..., 1, 0]
    return {formula}
'''


def own(formula: str, sign: str = ">= 0", relation: str = "<") -> Target:
    return target_in(OWN.format(formula=formula, sign=sign, relation=relation), "on_a_line.py", "margin")


def tried(target: Target, size: dict[str, int] = LINE) -> Attempt:
    return attempt(target, size, budget=60, limit=20)


@pytest.fixture(scope="module")
def margin() -> Attempt:
    """Proved by solvers alone."""
    with pytest.MonkeyPatch.context() as patch:
        # Without reasons of our own, which would leave the solvers nothing to be asked and to confirm.
        patch.setattr(Reasons, "of", lambda *given: None)
        return tried(MARGIN)


def test_an_inequality_is_proved_on_every_path(margin):
    assert margin.word is ProofStatus.PROVED
    assert margin.text == "PROVED for all n = 2, d = 1, rule = 0"
    assert margin.decided["z3"] > 10
    assert margin.decided.get("cvc5 confirms", 0) <= margin.decided["z3"], "how many depends on the clock"
    assert margin.paths + margin.cut < len(margin.parts[0].leaves)
    assert {leaf.kind for leaf in margin.parts[0].leaves} == {PathEnd.CUT, PathEnd.DECIDED, PathEnd.EXCLUDED}


def test_later_solvers_are_asked_again_what_earlier_ones_decided(margin):
    known = {"a": "z3", "bb": "cvc5", "c": "z3"}

    def confirmed(second: str, third: str = "unknown", end: float = float("inf")) -> dict[str, int]:
        solvers = Told("sat", "z3"), Told(second, "cvc5"), Told(third, "third")
        return Solving(solvers, float("inf"), 1).confirm(margin, known, end)

    assert confirmed("unsat") == {"cvc5 confirms": 2}
    assert confirmed("unsat", "unsat") == {"cvc5 confirms": 2, "third confirms": 3}
    assert confirmed("unsat", end=0) == confirmed("unknown") == {}
    with pytest.raises(ContradictionError, match="cvc5 finds a solution where z3 finds none"):
        confirmed("sat")
    with pytest.raises(ContradictionError, match="third finds a solution where"):
        confirmed("unsat", "sat")
    now = time.monotonic()
    for began, deadline, least, most in ((50, 9, 9, 9), (50, 99, 49, 60), (0, 99, proof.CONFIRM_SECONDS, 60)):
        solving = Solving([Told("sat")], now + deadline, 1)
        solving.began = now - began
        assert least <= solving.until() - now <= most


def test_an_identity_is_proved_by_normal_form_alone():
    made = tried(GAIN)
    assert made.word is ProofStatus.PROVED
    assert not any(leaf.open for leaf in made.parts[0].leaves)


TRUE = [
    ("(y - x) * (y - x) - 4 * (x * y - x * y)", "> 0"),
    ("abs(x) + abs(y) - abs(x + y)", ">= 0"),
    ("x / (y - x) + 1 - y / (y - x)", "== 0"),
    ("sqrt(x * x) * sqrt(x * x) - x * x", "== 0"),
    ("exp(y) - exp(x)", "> 0"),
    ("log((y - x) * (y - x) + 1)", "> 0"),
    ("exp(log(1 + x * x)) - 1 - x * x", "== 0"),
    ("exp((x - y) / (1 + x * x)) * exp((y - x) / (1 + x * x)) - 1", "== 0"),
    ("exp(x) / (exp(x) + exp(y)) + exp(y) / (exp(x) + exp(y)) - 1", "== 0"),
]


@pytest.mark.parametrize(("formula", "sign"), TRUE)
def test_what_is_true_is_proved(formula, sign):
    made = tried(own(formula, sign))
    assert made.word is ProofStatus.PROVED, made.reason


FALSE = [
    ("x * x + y * y - 1", ">= 0"),
    ("10**6 - (y - x)", "> 0"),  # no instance that is drawn is so far out
    ("(x - y) * (x - y)", "== 0"),
    ("2 - x * x * (y - x)", ">= 0"),
    ("x * x - 2", "> 0"),
    ("log(1 + x * x) - 1", "> 0"),
    # Open to balls: closed forms decide it.
    ("exp(x) if sqrt(np.array(2, dtype=object)).item() ** 2 != 2 else -exp(x)", ">= 0"),
]


@pytest.mark.parametrize(("formula", "sign"), FALSE)
def test_what_is_false_is_refuted_by_a_model_that_is_decided_as_ever(formula, sign):
    made = tried(own(formula, sign))
    assert made.word is ProofStatus.VIOLATED, made.reason
    assert made.instance is not None
    # A model of the solver's symbols may lie elsewhere: what is reported has to be an instance of the claim.
    z = [Fraction(str(row[0])) for row in made.instance["z"]]
    assert z[0] < z[1], "within the hypothesis"


def test_a_sharpened_constant_is_refuted_and_certified():
    made = tried(replace(MARGIN, sharpened=(("keep", "11/10"),)))
    assert made.word is ProofStatus.VIOLATED
    assert made.certificate is not None
    assert made.certificate["claim"]["id"] == MARGIN.claim


OPEN = [
    (own("exp(y - x) - 1 - (y - x) - (y - x) ** 2 / 2"), ProofStatus.UNKNOWN, "a model that is no counterexample"),
    (own("np.exp(f.z[:, 0])[0] - 5"), ProofStatus.UNKNOWN, "a model that is no counterexample: TypeError"),
    (own("1 / (x * x)"), ProofStatus.UNKNOWN, "a model that is no counterexample: ZeroDivisionError"),
    (own("0.1 * x"), ProofStatus.IMPOSSIBLE, "float"),
    (own("lambert_w(x)"), ProofStatus.IMPOSSIBLE, "lambertw"),
    (own("log(x - x - 1)"), ProofStatus.UNKNOWN, "logarithm of a number that is not positive"),
    # False wherever it is decided, and open to balls: an overlap of flint's own would be a no.
    (own("exp(x) if (w := lambert_w(1)) * exp(w) != 1 else -exp(x)"), ProofStatus.UNKNOWN, "UndecidedError"),
    # Formulas that tell a symbol from a number: the instances notice, where roots and exponentials come up, too.
    (
        own("exp(x) if type(x.item()).__name__ == 'Symbol' else -exp(x)"),
        ProofStatus.UNKNOWN,
        "a counterexample to the proof",
    ),
    (own("exp(x) if type(x.item()).__name__ == 'Symbol' else exp(x) + 1"), ProofStatus.UNKNOWN, "the slack of"),
    (own("x * x if type(x.item()).__name__ == 'Symbol' else x / (x - x)"), ProofStatus.UNKNOWN, "the formula fails on"),
    # Vacuous on symbols alone.
    (own("x * x", relation="< 1 and type(f.z[0, 0]).__name__ == 'fmpq' or 2 <"), ProofStatus.UNKNOWN, "disagree"),
    # Less than is true is known of exponentials: what compares only where they are too small compares nothing.
    (
        own("(y - x)[None][exp(y - x)[None] < 1 + (y - x) + (y - x) ** 2 / 2]"),
        ProofStatus.UNKNOWN,
        "no solver finds an input",
    ),
    # What is open to balls, e^x e^-x <= 1, is an identity of symbols.
    (own("1 + x * x", relation="!= 0 and (exp(f.z) * exp(-f.z) <= 1).all() or f.z[0, 0] !="), ProofStatus.PROVED, "agree"),
    (
        own("x if x >= 10**400 else 1 + x * x"),
        ProofStatus.PROVED,
        "agree",
    ),  # beyond floats, in which branches are looked at
    (own("x", relation="!= f.z[1, 0] or f.z[0, 0] !="), ProofStatus.VIOLATED, ""),
    (own("x", relation="< f.z[0, 0] <"), ProofStatus.VACUOUS, "meets the hypotheses"),
    (own("f.z[2:, 0]"), ProofStatus.VACUOUS, "nothing to compare"),
    (Target("localmax.hull_shrinks", "new_tokens_stay_in_hull"), ProofStatus.IMPOSSIBLE, "does not run on symbols"),
]


@pytest.mark.parametrize(("target", "word", "reason"), OPEN)
def test_what_is_not_proved_says_why(target, word, reason):
    made = tried(target)
    assert made.word is word
    assert reason in made.reason


def test_a_spent_budget_is_said():
    made = attempt(MARGIN, LINE, budget=1e-3, limit=1)
    assert made.word is ProofStatus.UNKNOWN
    assert "more paths than" in made.reason


def test_sizes_that_are_none_are_refused():
    made = tried(GAIN, {"n": 2})
    assert made.word is ProofStatus.IMPOSSIBLE
    assert "say how large d is" in made.reason
    with pytest.raises(NoProofError, match="has no size p"):
        Size.of(catalogue()[GAIN.claim].system, {"n": 2, "d": 1, "p": 2})
    with pytest.raises(NoProofError, match="n must be at least 1"):
        Size.of(catalogue()[GAIN.claim].system, {"n": 0, "d": 1})


@dataclass(frozen=True, eq=False)
class Namesakes(System):
    x: Array = quantity("n", meaning="numbers")
    x_0: Array = quantity(meaning="a number of another name")


def test_two_numbers_of_one_name_are_refused():
    with pytest.raises(NoProofError, match="two numbers named x_0"):
        Size.of(Namesakes, {"n": 2})


# ---------------------------------------------------------------------------------------------------------------------
# Solvers


def test_a_solver_that_takes_too_long_is_ended_and_starts_again(monkeypatch):
    text = "(declare-const x Real)(assert (< (* x x) 0))(check-sat)"
    z3 = proof.Solver("z3")
    assert z3.decide(text, 30).word == "unsat"
    monkeypatch.setattr(solvers, "GRACE", 0.0)
    answer = z3.decide(text.replace("x", "y"), 0.0)
    assert (answer.word, answer.reason) == ("unknown", "z3 was ended after 0 s")
    assert z3.decide(text.replace("x", "y"), 30).word == "unsat"


@pytest.mark.parametrize("name", SOLVERS)
def test_nonsense_is_unknown(name):
    assert proof.Solver(name).decide("(nonsense", 10).word == "unknown"


# ---------------------------------------------------------------------------------------------------------------------
# Proof files


@pytest.fixture(scope="module")
def proved(margin, tmp_path_factory) -> Path:
    return files.write_proof(margin, tmp_path_factory.mktemp("proofs"))


@pytest.fixture
def copied(proved, tmp_path) -> Path:
    return Path(shutil.copytree(proved, tmp_path / proved.name))


def changed(folder: Path, change) -> Finding:
    """The finding after a change of the manifest, with a digest that fits it again."""
    data = json.loads((folder / MANIFEST).read_text())
    change(data)
    data["digest"] = digest(data)
    (folder / MANIFEST).write_text(json.dumps(data))
    return recheck.recheck(folder, 20).finding


def test_both_solvers_confirm_a_proof(proved):
    assert recheck.recheck(proved, 20).finding is Finding.CONFIRMED


def test_a_proof_of_a_hypothesis_that_only_unknown_exponentials_meet_is_not_confirmed(tmp_path):
    """x > 1 and e^x < 1 + x + x^2/2 contradict each other, which no solver knows."""
    target = own("x - x", relation="> 1 and exp(f.z[:, 0])[0] - 1 - f.z[0, 0] - f.z[0, 0] ** 2 / 2 < 0 *")
    made = tried(target)
    assert (made.word, made.reason) == (ProofStatus.UNKNOWN, "no solver finds an input that meets the hypotheses")
    size = Size.of(target.resolve().claim.system, LINE)
    leaves = list(exploring.explore(target.resolve(), size, exploring.asking(proof.Solver("z3")), time.monotonic() + 30))
    made.parts = [Part({}, leaves)]
    checked = recheck.recheck(files.write_proof(made, tmp_path), 20, run_source=True)
    assert checked.finding is Finding.CANNOT_DECIDE


def test_one_solver_confirms_where_the_other_gives_up(proved, monkeypatch):
    ask = Solver.decide
    monkeypatch.setattr(
        Solver, "decide", lambda self, *given: ask(self, *given) if self.name == "z3" else Answer("unknown")
    )
    assert recheck.recheck(proved, 20).finding is Finding.BY_ONE
    monkeypatch.setattr(Solver, "decide", lambda self, *given: Answer("unknown"))
    assert recheck.recheck(proved, 20).finding is Finding.CANNOT_DECIDE
    monkeypatch.setattr(Solver, "decide", lambda self, *given: Answer("unsat"))
    assert recheck.recheck(proved, 20).finding is Finding.CONFIRMED, "an instance of the sample meets the hypotheses"
    monkeypatch.setattr(proof, "admitted_sample", lambda *given: [])
    assert recheck.recheck(proved, 20).finding is Finding.CANNOT_DECIDE, "no input meets the hypotheses"
    monkeypatch.setattr(Solver, "decide", lambda self, *given: Answer("sat" if self.name == "z3" else "unsat"))
    checked = recheck.recheck(proved, 20)
    assert checked.finding is Finding.NOT_CONFIRMED
    assert "contradict" in checked.reason


def _path(data, *has: str, kind: str = ""):
    return next(one for one in data["parts"][0]["paths"] if {*has} <= set(one) and kind in (one["kind"], ""))


def _with_a_shorter_path(data):
    paths = data["parts"][0]["paths"]
    longest = max(paths, key=lambda one: len(one["answers"]))
    siblings = [one for one in paths if one["answers"][:-1] == longest["answers"][:-1]]
    for one in siblings:
        paths.remove(one)
    paths.append(longest | {"answers": longest["answers"][:-1]})


def _another_ending(data):
    one = _path(data, "files", kind="decided")
    one["kind"] = "excluded"
    del one["files"], one["by"]


TAMPERINGS = [
    lambda data: data["parts"][0]["paths"].pop(),
    _with_a_shorter_path,
    _another_ending,
    lambda data: _path(data, kind="decided").update(kind="cut"),
    lambda data: _path(data, "files").update(by="boxes"),
    lambda data: data["parts"].append(data["parts"][0]),
    lambda data: data["parts"].clear(),
    lambda data: data["parts"][0]["shows"].update(rule="known"),
    lambda data: data.update(outline={"box": {"": ["-1", "1"]}}),
    lambda data: data["size"].update(n=3),
    lambda data: data.update(for_all="n = 7, d = 7, rule = 0"),
    lambda data: data["target"].update(conclusion="another"),
    lambda data: data["target"].update(claim=GAIN.claim, conclusion=GAIN.conclusion),
    lambda data: data["target"].update(sharpened={"keep": "1/2"}),
    lambda data: data["said"]["hypotheses"]["kept"].clear(),
    lambda data: data["said"]["statement"]["claim"].update(statement="Everything."),
    lambda data: data["parts"][0]["paths"][0].update(files={}),
]


@pytest.mark.parametrize("tamper", TAMPERINGS)
def test_a_tampered_manifest_is_not_confirmed(copied, tamper):
    assert changed(copied, tamper) is Finding.NOT_CONFIRMED


def test_a_tampered_system_is_not_confirmed(copied):
    one = min(copied.glob("*.smt2"))
    one.write_text(one.read_text().replace("(check-sat)", "(assert false)\n(check-sat)"))
    assert recheck.recheck(copied, 20).finding is Finding.NOT_CONFIRMED
    one.unlink()
    assert recheck.recheck(copied, 20).finding is Finding.NOT_CONFIRMED


BROKEN = ["", "{", "[]", '{"format": "attention-claims proof", "version": 2}', '{"format": 1}']


@pytest.mark.parametrize("text", BROKEN)
def test_a_folder_that_holds_no_proof_is_refused(tmp_path, text):
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(ProofFileError):
        recheck.recheck(tmp_path, 1)


def test_a_manifest_whose_digest_does_not_fit_is_refused(copied):
    text = (copied / MANIFEST).read_text()
    (copied / MANIFEST).write_text(text.replace('"rule = 0"', '"rule = 1"').replace("n = 2", "n = 3"))
    with pytest.raises(ProofFileError, match="digest"):
        recheck.recheck(copied, 1)


def test_a_proof_of_an_own_claim_is_code_and_runs_only_if_allowed(tmp_path):
    folder = files.write_proof(tried(own("(y - x) * (y - x)", "> 0")), tmp_path)
    with pytest.raises(ProofFileError, match="--run-source"):
        recheck.recheck(folder, 20)
    assert recheck.recheck(folder, 20, run_source=True).finding is Finding.CONFIRMED


# ---------------------------------------------------------------------------------------------------------------------
# Planted bugs: each would prove too much


FALSE_MARGIN = replace(MARGIN, sharpened=(("keep", "11/10"),))


def test_a_lost_path_is_noticed(monkeypatch):
    explore = exploring.explore

    def losing(*given):
        return (leaf for leaf in explore(*given) if leaf.answers != "FTTTTT"[: len(leaf.answers)])

    monkeypatch.setattr(proof, "explore", losing)
    made = tried(MARGIN)
    assert made.word is ProofStatus.UNKNOWN
    assert "a path was lost" in made.reason


def test_a_branch_that_is_followed_on_one_side_only_is_noticed(monkeypatch):
    """Pruning that lies: the cut has a solution, which is a counterexample or none, but never a proof."""
    possible = Branches.possible
    monkeypatch.setattr(Branches, "possible", lambda self, *given: [possible(self, *given)[0], False])
    assert tried(MARGIN).word is not ProofStatus.PROVED
    assert tried(FALSE_MARGIN).word is not ProofStatus.PROVED


def test_a_hypothesis_that_is_negated_twice_is_noticed(monkeypatch):
    outcome = exploring._outcome

    def negated(variant, general, path):
        kept = [replace(a, satisfies=lambda f, a=a: not a.satisfies(f)) for a in variant.kept]
        return outcome(type("V", (), {"kept": kept, "conclusion": variant.conclusion}), general, path)

    monkeypatch.setattr(exploring, "_outcome", negated)
    assert tried(own("y - x - 1", ">= 0", relation=">=")).word is not ProofStatus.PROVED
    assert tried(own("x - y", ">= 0", relation="<")).word is not ProofStatus.PROVED


def test_a_comparison_that_forgets_a_turned_sign_is_noticed(monkeypatch):
    normal = symbols.normal
    monkeypatch.setattr(symbols, "normal", lambda polynomial: (normal(polynomial)[0], False))
    assert tried(MARGIN).word is not ProofStatus.PROVED


def test_a_violation_that_is_not_looked_for_is_noticed_by_the_instances_that_violate(monkeypatch):
    leaf = exploring._leaf
    monkeypatch.setattr(exploring, "_leaf", lambda *given: replace(leaf(*given), violations=(), open=False))
    assert tried(FALSE_MARGIN).word is not ProofStatus.PROVED


def test_a_formula_that_is_not_the_same_at_every_run_is_refused():
    variant = MARGIN.resolve()
    size = Size.of(variant.claim.system, LINE)
    point = [fmpq(value) for value in (1, 2, 1)] + [fmpq(1, 2), fmpq(0)]

    def beyond(path, condition, so_far):
        return sign_at(condition, point) in condition.signs

    first = follow_answers(variant, size, "", beyond)
    assert follow_answers(variant, size, first.answers, beyond) == first
    changed = replace(variant, conclusion=replace(variant.conclusion, slack=lambda f: f.z[..., 0]))
    with pytest.raises(NoProofError, match="not the same"):
        follow_answers(changed, size, first.answers, beyond)


def test_a_number_kept_from_an_earlier_run_is_refused():
    one, other = Run(["a"], lambda condition: True), Run(["a"], lambda condition: True)
    with pytest.raises(symbols.CannotRunError, match="earlier run"):
        one.symbols((1,), 0)[0] + other.symbols((1,), 0)[0]


def test_the_sample_holds_ties_and_admitted_instances():
    variant = MARGIN.resolve()
    size = Size.of(variant.claim.system, LINE)
    sample = agreement.sample(variant, size)
    admitted = [one for one in sample if agreement._is_valid(one) and variant.admits(one)]
    assert 12 <= len(admitted) < len(sample)  # a quarter at least: the rest shows that hypotheses exclude alike
    assert any(one.z[0, 0] == one.z[1, 0] for one in sample)


# ---------------------------------------------------------------------------------------------------------------------
# The command


def test_the_command_proves_writes_and_checks(tmp_path):
    words = ["prove", MARGIN.claim, "--size", "n=2,d=1", "--jobs", "1", "--proofs", str(tmp_path)]
    result = run(*words, "--json", tmp_path / "out.json")
    assert "PROVED for all n = 2, d = 1, rule = 0" in result.stdout
    (told,) = json.loads((tmp_path / "out.json").read_text())["attempts"]
    assert told["verdict"] == "PROVED"
    (folder,) = [path for path in tmp_path.iterdir() if path.is_dir()]
    assert run("check", folder).stdout.split()[0] == "CONFIRMED"
    run(*words, code=2)  # a proof is not overwritten


def test_where_time_is_short_all_are_tried_before_one_is_tried_long():
    times = Times(budget=120, within=1800, limit=10)
    assert times.each(rounds=10, left=1800, before=0) == 120
    assert times.each(rounds=500, left=1800, before=0) == 2
    assert times.each(rounds=5000, left=1800, before=0) == pytest.approx(0.288)
    assert [times.each(50, 1250, before) for before in (2, 8)] == [8, 20]
    assert times.each(5, 1200, 32) == 120
    assert times.each(100, 800, 8) == 8, "not longer by enough"
    assert times.each(1, 1200, 120) == 120, "nothing is tried longer than its budget"
    assert times.each(1, 0, 8) == 8


def test_what_ran_out_of_time_is_tried_again_for_longer(monkeypatch):
    tried = []

    def planted(target, size, budget, *_):
        tried.append(budget)
        with proof.attempting(target, size, budget, "paths") as (made, _):
            if budget < 9:
                raise BudgetSpentError
            made.word = ProofStatus.VIOLATED if budget > 40 else ProofStatus.PROVED
        return made

    monkeypatch.setattr(prove, "attempted", planted)
    words = ["prove", MARGIN.claim, "--jobs", "1", "--within", "5m"]
    run(*words)
    assert tried == [2] * 3 + [8] * 3 + [32] * 3
    tried.clear()
    run(*words, "--size", "n=2,d=1", "--budget", "8s", code=3)
    assert tried == [8]


def test_a_size_that_is_named_twice_is_tried_once(monkeypatch):
    tried = []

    def planted(target, size, *_):
        tried.append(size)
        return Attempt(target, dict(size), word=ProofStatus.PROVED)

    monkeypatch.setattr(prove, "attempted", planted)
    result = run("prove", MARGIN.claim, "--jobs", "1", "--size", "n=2", "--size", "d=2,n=2")
    assert tried == [{"n": 2, "d": 2}]
    assert "not tried" not in result.stdout


def test_the_command_refutes_an_own_claim(tmp_path):
    path = tmp_path / "on_a_line.py"
    path.write_text(
        OWN.format(formula="x * x - y", sign=">= 0", relation="<")
        .replace("(apart,)", "(), standing=Standing.TRUE")
        .replace("f.z[..., 1, 0]", "f.z[..., -1, 0]")
    )
    result = run("prove", "--file", path, "--size", "n=2,d=1", "--jobs", "1", code=1)
    assert "VIOLATED" in result.stdout
    assert "--instance" in result.stdout


def test_the_documentation_shows_what_is_proved_of_the_example():
    root = Path(__file__).parents[2]
    result = run("prove", "--file", root / "docs" / "examples" / "my_claim.py", "--size", "n=2,d=1", "--jobs", "1")
    page = (root / "docs" / "own_claims.md").read_text(encoding="utf-8")
    (shown,) = (line for line in page.splitlines() if "PROVED for all" in line)
    # How many systems cvc5 confirms depends on the clock.
    assert " ".join(shown.partition(", cvc5")[0].split()) in " ".join(result.stdout.split())
    assert "my_claim open" in " ".join(result.stdout.split())


BAD = [
    (["prove", MARGIN.claim, "--size", "n=x"], "no size"),
    (["prove", MARGIN.claim, "--size", ""], "no size"),
    (["prove", MARGIN.claim, "--budget", "soon"], "no time"),
    (["prove", MARGIN.claim, "--within", "0s"], "no time"),
    (["prove", "nothing_like_it"], "no claim matches"),
    (["prove", MARGIN.claim, "--only", "another"], "nothing to prove"),
    (["prove", MARGIN.claim, "--proofs", "/no/such/folder"], "no folder"),
]


@pytest.mark.parametrize(("words", "told"), BAD)
def test_bad_input_is_one_sentence(words, told):
    assert told in refused(*words)


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(solvers.importlib.util, "find_spec", lambda name: None)
    assert "z3-solver and cvc5 not installed: pip install" in refused("prove", MARGIN.claim)
    with pytest.raises(NoSolverError):
        Solver("z3")
