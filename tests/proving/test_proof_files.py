"""Files of proofs for ever and on boxes: confirmed by both solvers and mpmath, and tampered with in every field."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq

from claims.certificates.format import digest
from claims.proving import attempts, ever, files, on_boxes, recheck
from claims.proving.attempts import attempted
from claims.proving.boxes import Problem
from claims.proving.entries import Entries
from claims.proving.exploring import Size, asking, explore
from claims.proving.files import MANIFEST
from claims.proving.moments import question
from claims.proving.proof import Attempt, Part, ProofStatus
from claims.proving.recheck import Finding
from claims.proving.rules import GROWS, KNOWN, LEFT, NEVER_FALLS, STAYS, needed
from claims.proving.solvers import Answer, Solver
from claims.targets import user_claims
from claims.targets.target import Target
from claims.targets.user_claims import ClaimText
from tests.planting import LONG
from tests.proving.claim_texts import HEAD
from tests.proving.solver_processes import solvers_or_skip, target_in

solvers_or_skip()

SPEED = Target("clusters.drift_of_a_positive_token", "speed_less_second_bound")
ORDER = Target("polarization.order_is_preserved", "scores_stay_ordered")
LINE = {"n": 2, "d": 1}
UNIT = (fmpq(-1), fmpq(1))

SHRINKING = (
    HEAD
    + '''\
@claim.trajectory("{relation}", horizon=lambda start: fmpq(1))
def gap(now, start):
    """Something of two numbers now and at the start."""
    return np.array([{formula}], dtype=object)
'''
)


def shrinking(formula: str, relation: str = ">= 0") -> Target:
    return target_in(SHRINKING.format(formula=formula, relation=relation), "shrinking.py", "gap")


GAP = shrinking("now.x[1], start.x[0] - now.x[0], start.x[1] - now.x[1], now.x[0] * now.x[1]")
"""Numbers that keep their signs, a region, and what follows of both."""


@pytest.fixture(scope="module")
def for_ever(tmp_path_factory) -> Path:
    made = attempted(GAP, {"n": 2}, 60, 5)
    assert made.word is ProofStatus.PROVED, made.reason
    assert made.decided["faces"] > 0
    return files.write_proof(made, tmp_path_factory.mktemp("ever"))


@pytest.fixture(scope="module")
def on_box(tmp_path_factory) -> Path:
    made = attempted(SPEED, LINE, 60, 5, {"": UNIT})
    assert made.word is ProofStatus.PROVED, made.reason
    assert made.text == "PROVED for all n = 2, d = 1, numbers in [-1, 1]"
    assert made.decided["boxes"] > 1
    return files.write_proof(made, tmp_path_factory.mktemp("box"))


def checked(folder: Path) -> recheck.Checked:
    return recheck.recheck(folder, 5, run_source=True)


def rewritten(proof: Path, place: Path, change: Callable[[dict], object]) -> Path:
    """A copy whose manifest was changed, with digests of all files and of itself that fit."""
    folder = Path(shutil.copytree(proof, place / proof.name))
    data = json.loads((folder / MANIFEST).read_text())
    change(data)
    for part in data["parts"]:
        for one in part["paths"]:
            for name in one.get("files", ()):
                if (folder / name).is_file():
                    one["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    data["digest"] = digest({name: value for name, value in data.items() if name != "digest"})
    (folder / MANIFEST).write_text(json.dumps(data))
    return folder


def tampered(proof: Path, place: Path, name: str, change: Callable[[str], str]) -> Path:
    """A copy one of whose files was changed, with digests that fit."""
    copy = Path(shutil.copytree(proof, place / "before" / proof.name))
    (found, *_) = sorted(copy.glob(name))
    text = found.read_text()
    assert change(text) != text
    found.write_text(change(text))
    return rewritten(copy, place, lambda data: None)


# ---------------------------------------------------------------------------------------------------------------------
# For ever


def test_both_solvers_confirm_what_holds_for_ever(for_ever):
    found = checked(for_ever)
    assert found.finding is Finding.CONFIRMED, found.reason
    assert "steps" in found.reason
    data = json.loads((for_ever / MANIFEST).read_text())
    rules = {part["shows"]["rule"] for part in data["parts"]}
    assert {"smooth", "start", "affine", "face", "4 entries"} < rules
    assert data["for_all"] == "starts and all t > 0, n = 2"


@pytest.mark.skipif(not LONG, reason="takes a while")
def test_a_claim_of_the_suite_is_confirmed_for_ever(tmp_path):
    assert checked(files.write_proof(attempted(ORDER, {"p": 3}, 60, 5), tmp_path)).finding in (
        Finding.CONFIRMED,
        Finding.BY_ONE,
    )


def test_one_solver_confirms_it_where_the_other_gives_up(for_ever, monkeypatch):
    ask = Solver.decide
    monkeypatch.setattr(
        Solver, "decide", lambda self, *given: ask(self, *given) if self.name == "z3" else Answer("unknown")
    )
    assert checked(for_ever).finding is Finding.BY_ONE
    monkeypatch.setattr(Solver, "decide", lambda self, *given: Answer("unsat" if self.name == "z3" else "sat"))
    assert "contradict" in checked(for_ever).reason


def part_of(data: dict, *rules: str) -> dict:
    return next(part for part in data["parts"] if part["shows"]["rule"] in rules)


def without(*rules: str) -> Callable[[dict], object]:
    """The first part by these rules is lost."""
    return lambda data: data["parts"].remove(part_of(data, *rules))


def without_an_entry(data: dict) -> None:
    """A bound of the region is lost with all that was to be shown of it."""
    name = data["outline"]["inside"].pop()
    data["parts"] = [part for part in data["parts"] if part["shows"]["of"] != name]


def leaning_on_itself(data: dict) -> None:
    """The face of an entry is shown where the entry is said to be positive."""
    face = part_of(data, "face")["shows"]
    face["given"] = [[name, [1]] for name, _ in face["given"]]


def with_a_lost_path(data: dict) -> None:
    max(data["parts"], key=lambda part: len(part["paths"]))["paths"].pop()


def with_a_step_of_another(data: dict) -> None:
    one, other = [part for part in data["parts"] if part["shows"]["rule"] == "face"][:2]
    one["paths"], other["paths"] = other["paths"], one["paths"]


def otherwise_inferred(rule: str) -> Callable[[dict], object]:
    def change(data: dict) -> None:
        first = data["outline"]["inferred"][0]
        first[0] = rule if first[0] != rule else NEVER_FALLS

    return change


FOR_EVER = [
    without("face"),
    without("start"),
    without("affine"),
    without("smooth"),
    without("slope", "slope at start", KNOWN, GROWS, LEFT, NEVER_FALLS),
    without("4 entries"),
    without_an_entry,
    leaning_on_itself,
    with_a_lost_path,
    with_a_step_of_another,
    otherwise_inferred(STAYS),
    lambda data: data["parts"].reverse(),
    lambda data: data["outline"]["inferred"].clear(),
    lambda data: data["outline"]["inferred"].reverse(),
    lambda data: data["outline"]["kept"].append(data["outline"]["inside"].pop()),
    lambda data: data["outline"]["counts"].update(gap=2),
    lambda data: data["outline"].update(box={"": ["-1", "1"]}),
    lambda data: data.update(outline={}),
    lambda data: data["outline"].update(inferred=[["known", "gap 0", ">= 0", 1]]),
    lambda data: data["outline"]["inside"].append({}),
    lambda data: data.update(for_all="n = 2"),
    lambda data: part_of(data, "face")["paths"][0].update(by="boxes"),
    lambda data: data["target"].update(source=data["target"]["source"].replace("x_1 > x_2 > 0", "x_1 > 0")),
    lambda data: data["target"].update(source=data["target"]["source"].replace("return (-self.x,)", "return (self.x,)")),
]


@pytest.mark.parametrize("change", FOR_EVER)
def test_a_tampered_proof_for_ever_is_not_confirmed(for_ever, tmp_path, change):
    assert checked(rewritten(for_ever, tmp_path, change)).finding is Finding.NOT_CONFIRMED


def test_a_weaker_system_of_a_face_is_not_confirmed(for_ever, tmp_path):
    folder = tampered(for_ever, tmp_path, "*.smt2", lambda text: text.replace("(check-sat)", "(assert false)\n(check-sat)"))
    found = checked(folder)
    assert found.finding is Finding.NOT_CONFIRMED
    assert "another system" in found.reason


FAR = "-1 + 0 * now.x[1] if start.x[0] > 10**6 and not hasattr(start.x[0], 'exp') else now.x[1]"


def test_what_goes_another_way_from_far_starts_does_not_hold_for_ever(monkeypatch):
    """Hardly a start that is drawn is so far out: its path is compared at a point of its own."""
    monkeypatch.setattr(attempts, "SEARCH_SECONDS", 0.1)
    made = attempted(shrinking(FAR), {"n": 2}, 30, 5)
    assert made.word is ProofStatus.VIOLATED or (made.word is ProofStatus.UNKNOWN and "disagree" in made.reason)


@pytest.mark.parametrize("change", [os.mkfifo, Path.mkdir])
def test_what_is_no_file_is_not_waited_for(for_ever, tmp_path, change):
    folder = rewritten(for_ever, tmp_path, lambda data: None)
    for one in folder.glob("*.smt2"):
        one.unlink()
        change(one)
    assert "is no file" in checked(folder).reason


WARM = SHRINKING.replace(
    'trajectory("{relation}", horizon=lambda start: fmpq(1))\ndef gap(now, start)', 'state("> 0")\ndef gap(now)'
).replace("[{formula}]", "[warm(now.x[0] > 3)]")


def test_the_last_paths_are_walked_first(tmp_path):
    """What the first ones make true of the last is not confirmed by another process, which has executed the text anew."""
    warm = "kept = []\n\ndef warm(far):\n    kept.extend([1] * far)\n    return 1 if kept else -1\n\nclaim ="
    folder = proved_as_a_state(WARM.replace("claim =", warm), tmp_path)
    user_claims._claim_executed.cache_clear()
    assert checked(folder).finding is Finding.NOT_CONFIRMED


def forged(target: Target, size: dict[str, int], outline: dict[str, object]) -> Attempt:
    """What no prover would write: all systems that an outline asks for, whether or not they have solutions."""
    variant = target.resolve()
    kind = Size.of(variant.claim.system, size)
    moments = ever.moments_of(kind)
    made = Attempt(target, size, ever.AboutTrajectories(variant, kind).told, ProofStatus.PROVED, outline=outline)
    for ask in needed(outline, Entries(variant, kind), moments):
        leaves = list(explore(question(variant.kept, ask), moments, asking(ever.Solver("z3")), time.monotonic() + 60))
        made.parts.append(Part(ask.to_json(), leaves))
    return made


NOTHING_INSIDE = {"counts": {"gap": 1}, "kept": [], "inside": []}
FORGED = [
    ("start.x[1] - now.x[0]", NOTHING_INSIDE | {"inferred": [[NEVER_FALLS, "gap 0", ">= 0"]]}),
    ("now.x[0] - start.x[1]", NOTHING_INSIDE | {"inferred": [[NEVER_FALLS, "gap 0", ">= 0"]]}),
    ("now.x[0] - start.x[1]", NOTHING_INSIDE | {"inside": ["gap 0"], "inferred": [[STAYS, "gap 0", ">= 0"]]}),
    ("now.x[0] - start.x[1]", NOTHING_INSIDE | {"inferred": [[KNOWN, "gap 0", ">= 0"]]}),
    ("start.x[0] - 2 * now.x[0]", NOTHING_INSIDE | {"inferred": [[GROWS, "gap 0", "> 0"]]}),
]


@pytest.mark.parametrize(("formula", "outline"), FORGED)
def test_a_forged_proof_of_what_is_false_is_not_confirmed(tmp_path, formula, outline):
    """Its systems are those of today's claim: they have solutions."""
    made = forged(shrinking(formula), {"n": 2}, outline)
    found = checked(files.write_proof(made, tmp_path))
    assert found.finding is Finding.NOT_CONFIRMED
    assert "disagree" in found.reason or "has a solution" in found.reason


@pytest.mark.parametrize("more", ["", ", now.x[1] - start.x[0]"])
def test_an_entry_that_is_not_counted_is_noticed(tmp_path, more):
    """The one that is counted is shown, the other is false."""
    outline = NOTHING_INSIDE | {"kept": ["gap 0"], "inferred": []}
    found = checked(files.write_proof(forged(shrinking(f"now.x[0]{more}"), {"n": 2}, outline), tmp_path))
    assert (found.finding is Finding.CONFIRMED) is (not more), found.reason


def proved_as_a_state(source: str, tmp_path: Path) -> Path:
    """What a prover would write that takes any slack for one about a state."""
    target = target_in(source, "shrinking.py", "gap")
    variant = target.resolve()
    size = Size.of(variant.claim.system, {"n": 2})
    made = Attempt(target, {"n": 2}, str(size), ProofStatus.PROVED)
    made.parts = [Part({}, list(explore(variant, size, asking(ever.Solver("z3")), time.monotonic() + 60)))]
    return files.write_proof(made, tmp_path)


@pytest.mark.parametrize("form", ['limit(">= 0", times=lambda f: [fmpq(1)])', "experiment()", "probability()"])
def test_a_form_that_no_proof_is_known_of_is_not_confirmed(tmp_path, form):
    """True at the start: for the limit, 0, it is false."""
    source = SHRINKING.format(formula="now.x[1]", relation="> 0")
    source = source.replace('trajectory("> 0", horizon=lambda start: fmpq(1))', form).replace(
        "(now, start)", "(now, *start)"
    )
    found = checked(
        proved_as_a_state(source.replace("(now, *start)", "(now)") if "limit" not in form else source, tmp_path)
    )
    assert (found.finding, "no proof is known of" in found.reason) == (Finding.NOT_CONFIRMED, True)


def test_a_text_of_ones_own_under_the_name_of_another_claim_is_not_confirmed(for_ever, tmp_path):
    found = checked(rewritten(for_ever, tmp_path, lambda data: data["target"].update(claim=ORDER.claim)))
    assert found.finding is Finding.NOT_CONFIRMED
    assert "shrinking.gap" in checked(for_ever).reason


BY_TYPE = """lambda f: all(type(x).__name__ == "fmpq" and x >= 100 for x in f.x.tolist())"""


def test_hypotheses_that_exclude_all_symbols_show_nothing(tmp_path, monkeypatch):
    """A type tells a symbol: what falls from 100 would be above 50 for ever. The text is refused; else it disagrees."""
    source = SHRINKING.format(formula="now.x[1] - 50", relation=">= 0").replace("(-self.x,)", "(0 * self.x - 1,)")
    source = source.replace("lambda f: bool(f.x[0] > f.x[1]) and bool(f.x[1] > 0)", BY_TYPE)
    target = target_in(
        source.replace("x=1 + draws.dyadic(2) ** 2", "x=100 + draws.dyadic(2, bits=0) ** 2"), "falling.py", "gap"
    )
    made = forged(target, {"n": 2}, NOTHING_INSIDE | {"inferred": [[KNOWN, "gap 0", ">= 0"]]})
    folder = files.write_proof(made, tmp_path)
    assert (checked(folder).finding, "has no type" in checked(folder).reason) == (Finding.NOT_CONFIRMED, True)
    monkeypatch.setattr(ClaimText, "refuse_outside", lambda text: None)
    found = checked(folder)
    assert (found.finding, "disagree" in found.reason) == (Finding.NOT_CONFIRMED, True)


def test_a_slack_that_is_another_on_symbols_is_noticed(monkeypatch):
    monkeypatch.setattr(ever.AboutTrajectories, "follow_some", lambda _: None)
    monkeypatch.setattr(attempts, "SEARCH_SECONDS", 0.1)
    typed = "*(1 + x * x if type(x) is fmpq else 0 * x + 1 for x in now.x)"
    made = attempted(shrinking(typed), {"n": 2}, 60, 5)
    assert (made.word, "the slack on symbols" in made.reason) == (ProofStatus.UNKNOWN, True)


@pytest.mark.parametrize("formula", ["1 / (now.x[1] - 1)", "now.x[1] ** 0 / now.x[1]"])
def test_a_step_without_a_value_somewhere_ends_in_a_finding(tmp_path, formula):
    outline = NOTHING_INSIDE | {"inferred": [[GROWS, "gap 0", "> 0"]]}
    assert (
        checked(files.write_proof(forged(shrinking(formula), {"n": 2}, outline), tmp_path)).finding is Finding.NOT_CONFIRMED
    )


def test_a_path_longer_than_any_of_its_tree_is_refused_at_once(for_ever, tmp_path):
    long = [{"answers": "T" * 1_000_000, "kind": "cut"}]
    found = checked(rewritten(for_ever, tmp_path, lambda data: data["parts"][0].update(paths=long)))
    assert found.finding is Finding.NOT_CONFIRMED


def test_a_size_beyond_all_is_refused(for_ever, tmp_path):
    with pytest.raises(files.ProofFileError, match="a size is a whole number"):
        checked(rewritten(for_ever, tmp_path, lambda data: data["size"].update(n=10**30)))


# ---------------------------------------------------------------------------------------------------------------------
# On boxes


FIXED = """
from dataclasses import dataclass
from claims.stating.statement import Assumption, Claim
from dynamics.arithmetic import Array, exp
from dynamics.system import System, quantity

@dataclass(frozen=True, eq=False)
class Pair(System):
    x: Array = quantity("n", meaning="numbers", alias="tokens")
    p: Array = quantity("n", meaning="parameters")

def draw(draws):
    return Pair(x=draws.dyadic(1), p=0 * draws.dyadic(1) + 5)

five = Assumption("five", "p = 5", lambda f: bool((f.p == 5).all()), restrict=lambda f: f.replace(p=0 * f.p + 5))
claim = Claim(__name__, statement="none", system=Pair, draw=draw, assumptions=(five,))

@claim.state(">= 0")
def gap(f):
    return exp(f.x / 2) + f.p - 6 - f.x / 2 - f.x * f.x / 16
"""


@pytest.mark.parametrize(("low", "high", "word"), [(0, 1, ProofStatus.UNKNOWN), (4, 6, ProofStatus.PROVED)])
def test_a_box_that_a_hypothesis_leaves_empty_is_proved_nothing_of(low, high, word):
    box = {"x": (fmpq(0), fmpq(1)), "p": (fmpq(low), fmpq(high))}
    assert attempted(target_in(FIXED, "pairs.py", "gap"), {"n": 1}, 60, 5, box).word is word


def test_mpmath_s_intervals_confirm_what_holds_on_a_box(on_box):
    found = checked(on_box)
    assert found.finding is Finding.CONFIRMED, found.reason
    assert "2 trees of boxes" in found.reason


def edited(change: Callable[[Any], object], part: str = "") -> Callable[[str], str]:
    """A change of a file's data, or of a part of them."""

    def changed(text: str) -> str:
        data = json.loads(text)
        change(data[part] if part else data)
        return json.dumps(data, separators=(",", ":")) + "\n"

    return changed


def _inwards(nodes: list) -> None:
    """The box of an end begins a little later than the one before it ended."""
    *_, box = next(node for node in reversed(nodes) if node[0] != "halves")
    name = next(iter(box))
    low, high = (fmpq(*map(int, end.split("/"))) if "/" in end else fmpq(int(end)) for end in box[name])
    box[name][0] = str(low + (high - low) / 1000)


def _cut_short(nodes: list) -> None:
    """The whole box is said to be in order at once."""
    ends = [node for node in nodes if node[0] != "halves"]
    nodes[:] = [["sign", {v: ["-1", "1"] for v in ends[0][-1]}]]


TREES = [
    edited(lambda nodes: nodes.pop(), "tree"),
    edited(lambda nodes: nodes.append(nodes[-1]), "tree"),
    edited(lambda nodes: nodes.clear(), "tree"),
    edited(_inwards, "tree"),
    edited(_cut_short, "tree"),
    edited(lambda nodes: nodes[-1].insert(0, "condition"), "tree"),
    edited(lambda nodes: nodes[0].append(7), "tree"),
    edited(lambda nodes: nodes.insert(0, ["halves", 99]), "tree"),
    edited(lambda nodes: nodes.insert(0, ["halves", {}]), "tree"),
    edited(lambda nodes: nodes.insert(0, "halves"), "tree"),
    edited(lambda nodes: nodes.__setitem__(slice(None), [["halves", 0]] * 100_000), "tree"),
    edited(lambda data: data["box"].update({next(iter(data["box"])): ["-1/2", "1/2"]}), "problem"),
    edited(lambda data: data.update(signs=[]), "problem"),
    edited(lambda data: data["factors"].clear(), "problem"),
    edited(lambda data: data["conditions"].append([[["1", [0] * data["first"]]], [0]]), "problem"),
    lambda text: "{}",
    lambda text: "[",
]


@pytest.mark.parametrize("change", TREES)
def test_a_tampered_tree_is_not_confirmed(on_box, tmp_path, change):
    assert checked(tampered(on_box, tmp_path, "*-boxes-0.json", change)).finding is Finding.NOT_CONFIRMED


def by_solvers(data: dict) -> None:
    (one,) = (one for one in data["parts"][0]["paths"] if one.get("by") == "boxes")
    one["by"] = "solvers"


BOXES = [
    by_solvers,
    lambda data: data.update(outline={}, for_all="n = 2, d = 1"),
    lambda data: data.update(outline={}),
    lambda data: data.update(outline={"box": {"": ["-2", "2"]}}, for_all="n = 2, d = 1, numbers in [-2, 2]"),
    lambda data: data.update(for_all="n = 2, d = 1, numbers in [-2, 2]"),
    lambda data: data.update(outline={"box": {"": ["1", "-1"]}}),
    lambda data: data.update(outline={"box": {"": ["-1", "x"]}}),
    lambda data: data.update(outline={"box": {"": ["-1.0", "1"]}}),
    lambda data: data.update(outline={"box": {"nothing": ["-1", "1"]}}),
    lambda data: data.update(outline={"box": {}}),
    lambda data: data.update(outline={"box": []}),
    lambda data: data["outline"].update(counts={}),
    lambda data: data["parts"][0]["paths"].pop(),
    lambda data: data["parts"][0]["paths"][0].update(by="boxes"),
]


@pytest.mark.parametrize("change", BOXES)
def test_a_tampered_proof_on_a_box_is_not_confirmed(on_box, tmp_path, change):
    assert checked(rewritten(on_box, tmp_path, change)).finding is Finding.NOT_CONFIRMED


def test_trees_that_change_places_are_not_confirmed(on_box, tmp_path):
    copy = Path(shutil.copytree(on_box, tmp_path / "copy"))
    one, other = sorted(copy.glob("*.json"))[1:]
    first, second = one.read_text(), other.read_text()
    assert first != second
    one.write_text(second)
    other.write_text(first)
    assert checked(rewritten(copy, tmp_path / "rewritten", lambda data: None)).finding is Finding.NOT_CONFIRMED


@pytest.mark.skipif(not LONG, reason="a proof of its own")
def test_a_bound_that_the_prover_rounds_inwards_is_noticed(tmp_path, monkeypatch):
    """As if the search, its check and the file took a smaller box than was asked for."""
    bounds_of = on_boxes.AboutBox.bounds_of
    with monkeypatch.context() as patch:
        rounded = lambda *given: tuple(end * fmpq(999, 1000) for end in bounds_of(*given))  # noqa: E731
        patch.setattr(on_boxes.AboutBox, "bounds_of", rounded)
        made = attempted(SPEED, LINE, 60, 5, {"": UNIT})
    assert made.word is ProofStatus.PROVED
    found = checked(files.write_proof(made, tmp_path))
    assert found.finding is Finding.NOT_CONFIRMED


@pytest.mark.skipif(not LONG, reason="a proof of its own")
def test_a_problem_that_the_prover_weakens_is_noticed(tmp_path, monkeypatch):
    told = Problem.to_json
    with monkeypatch.context() as patch:
        patch.setattr(Problem, "to_json", lambda self, box: told(self, box) | {"signs": []})
        made = attempted(SPEED, LINE, 60, 5, {"": UNIT})
    assert checked(files.write_proof(made, tmp_path)).finding is Finding.NOT_CONFIRMED
