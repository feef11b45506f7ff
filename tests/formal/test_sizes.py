"""Theorems for all real inputs of a size: what the kernel accepts, planted falsehoods, and the search for their proofs."""

from __future__ import annotations

import random
import re

import pytest

from claims.formal.agreement import compare, module
from claims.formal.answers import theorem_digest
from claims.formal.compiling import AXIOMS, check_theorems, compile_library, has_coq, run_coq
from claims.formal.signs import search_proof
from claims.formal.size_proofs import of_sizes, proved, size_counts
from claims.formal.sizes import Proof, statement_at_size, theorem_at_size
from claims.formal.theorems import NotStated, Theorem, head
from claims.proving.accepted import accepted_digests
from claims.proving.accepted import kernel_record as accepted
from claims.targets.target import Target
from tests.formal.test_kernel import library, told_apart  # noqa: F401 -- a fixture
from tests.planting import todays_share

needs_coq = pytest.mark.skipif(not has_coq(), reason="Coq with its plugins Interval and Param is not installed")
pytestmark = pytest.mark.xdist_group("coq")

ORDERED = ("clusters.attention_decays_with_the_token", "distance_below_gap", {"n": 2, "d": 1})
CELLS = ("frank_wolfe.cells_are_convex", "lag_is_convex", {"n": 2, "d": 1})
ROWS = ("clusters.attention_rows_are_stochastic", "weights_are_positive", {"n": 3, "d": 2})
CYCLES = ("clusters.attention_has_full_rank", "cycles_are_reversible", {"n": 2, "d": 1})
DRIFT = ("clusters.drift_of_a_positive_token", "speed_less_first_bound", {"n": 2, "d": 1})
RESCALED = ("clusters.discrete_rescaling", "rescaled_step_less_step_rescaled", {"n": 2, "d": 2})


def made(claim: str, conclusion: str, size: dict[str, int]) -> Theorem:
    """The theorem of a recorded proof."""
    (one,) = [one for one in proved([claim]) if one.target == Target(claim, conclusion) and one.size == size]
    (found,) = of_sizes([one]).values()
    assert found.theorem is not None, found.text
    return found.theorem


@needs_coq
def test_the_kernel_accepts_them_on_known_axioms_alone(library, tmp_path):  # noqa: F811
    every = {str(one): made(*one) for one in todays_share(3, (ORDERED, CELLS, ROWS, CYCLES, DRIFT, RESCALED))}
    answers = check_theorems(every, library, tmp_path)
    assert {name: one.reason for name, one in answers.items() if not one.accepted} == {}
    assert {axiom for one in answers.values() for axiom in one.axioms} <= set(AXIOMS)


def test_a_theorem_has_every_hypothesis_and_is_for_all_systems():
    goal = re.search(r"Theorem \w+ : (.*?)\.\nProof", made(*CELLS).body, re.DOTALL)
    assert goal is not None
    assert goal.group(1).startswith("forall f : system reals,")
    kept = Target(*CELLS[:2]).resolve().kept
    assert goal.group(1).count("->") == len(CELLS[2]) + len(kept) + ("accepted" in goal.group(1))
    assert "definite" not in goal.group(1) or "by_pivots" not in goal.group(1)


FALSEHOODS: dict[str, tuple[tuple[str, str, dict[str, int]], str, str]] = {
    "< for <=": (ORDERED, "0 <= (x f i O + abs", "0 < (x f i O + abs"),
    "the other sign": (DRIFT, "0 <= x f i O * drift' i O - x", "0 <= - (x f i O * drift' i O) - x"),
    "a bound that is one less": (DRIFT, "+ count num (n f)", "+ count num (n f) - 1"),
    "no exponential": (ROWS, "(exp (", "(((0 - 1) * "),
    "a product for a sum": (CELLS, "Absurd (PsatzAdd (", "Absurd (PsatzMulE ("),
    "the sign of another polynomial": (ORDERED, "(Split (poly [term 1 [1]])", "(Split (poly [term 1 [2]])"),
    "branches in the other order": (CYCLES, "(poly [term 1 [0; 0; 1]])", "(poly [term (-1) [0; 0; 1]])"),
    "another exponent": (CYCLES, "poly [term 1 [1; 1; 1]]", "poly [term 2 [1; 1; 1]]"),
    "a negative weight": (CYCLES, "PsatzC (1#2)", "PsatzC (-1#2)"),
    "another fact": (CYCLES, "(PsatzIn Q 9)", "(PsatzIn Q 8)"),
    "a tangent at another point": (DRIFT, "Tangent 0 1 (", "Tangent 0 2 ("),
    "entries that are one variable": (RESCALED, "Sizes.entry2 0 2 2", "Sizes.entry2 0 1 2"),
    "an array in the place of another": (CYCLES, "(Sizes.entry2 2 1 1)", "(Sizes.entry2 0 1 1)"),
}
"""The text of a theorem, and what stands in its place: the tree does not show what is stated then."""

MISFITS: dict[str, tuple[tuple[str, str, dict[str, int]], str, str]] = {
    "another size": (ORDERED, "n f = 2 -> ", "n f = 3 -> "),
    "any size": (ORDERED, "n f = 2 -> ", ""),
    "a hypothesis fewer": (ORDERED, "ordered_tokens reals f -> ", ""),
    "definite by name alone": (CYCLES, "positive_definite (d f)", "positive_definite 0"),
    "the value of another exponent": (CYCLES, "(nth 1 The_exponents (Sizes.constant 0)))", "(Sizes.constant 0)))"),
    "another real number": (ORDERED, "[x_ 0 0; x_ 1 0;", "[x_ 1 0; x_ 1 0;"),
}
"""Of these the tree is right, and it is the theorem that must not follow."""

PROVED = "Proof. vm_cast_no_check (eq_refl true). Qed."


def edited(one: tuple[str, str, dict[str, int]], old: str, new: str) -> str:
    body = made(*one).body
    assert old in body, old
    return body.replace(old, new, 1)


@needs_coq
def test_planted_falsehoods_are_rejected(library, tmp_path):  # noqa: F811
    lines = [head("Sizes")]
    for k, (name, (one, old, new)) in enumerate(todays_share(3, FALSEHOODS.items())):
        before, found, _ = edited(one, old, new).partition(PROVED)
        assert found, name
        lines.append(f"(* {name} *)\nModule F{k}.\n{before}{PROVED.replace('Qed', 'Fail Qed')} Abort.\nEnd F{k}.")
    # And what a tree does not speak of.
    right = {f"{one}": made(*one).body for one in (ORDERED, CYCLES)}
    wrong = {name: edited(*texts) for name, texts in todays_share(2, MISFITS.items())}
    _, told, fine = run_coq(told_apart(tmp_path, "\n".join(lines), right, wrong), library)
    assert fine, told


ANEW = todays_share(2, (ORDERED, CYCLES))


@pytest.fixture(scope="module")
def anew(library, tmp_path_factory):  # noqa: F811
    """The answers to theorems whose proofs are searched for again."""
    pytest.importorskip("z3")
    compile_library(library, with_asking=True)
    found = {}
    for claim, conclusion, size in ANEW:
        at = statement_at_size(Target(claim, conclusion), size)
        found[conclusion] = theorem_at_size(at, search_proof(at, library))
    return check_theorems(found, library, tmp_path_factory.mktemp("anew"))


@needs_coq
@pytest.mark.parametrize("one", ANEW, ids=lambda one: one[1])
def test_a_proof_is_found_anew(anew, one):
    assert anew[one[1]].accepted


@needs_coq
def test_their_definitions_agree_with_python(library, tmp_path):  # noqa: F811
    rng = random.Random(5)
    names = rng.sample(sorted(name for name, entry in accepted()["sizes"].items() if "file" in entry), 3)
    subjects = [statement_at_size(one.target, one.size) for one in proved() if one.name in names]
    modules = {
        at.name: found for at in subjects if (found := module(at.variant, at.recording.system, 2, rng, of_instance=False))
    }
    assert len(modules) >= len(names) // 2
    answers = compare(modules, library, tmp_path / "Compared.v")
    assert {name for name, words in answers.items() if set(words) != {"Some true"}} == set()


def test_what_is_recorded_is_of_the_statements_of_today():
    rng = random.Random()
    known = {name: entry for name, entry in accepted()["sizes"].items() if "file" in entry}
    names = set(rng.sample(sorted(known), 25))
    found = of_sizes([one for one in proved() if one.name in names])
    changed = {
        name
        for name, one in found.items()
        if one.theorem is None or theorem_digest(one.theorem) != accepted_digests()[name]
    }
    assert changed == set(), "run python -m claims.formal docs/proofs.md --sizes 30"


def test_most_proofs_by_sums_are_theorems():
    many = sum("file" in entry for entry in accepted()["sizes"].values())
    assert many >= 150
    assert f"{many} of {len(proved())}." in " ".join(size_counts())
    names = {one.name for one in proved()}
    assert accepted()["sizes"].keys() <= names
    assert all(entry.get("open") or entry.get("file") for entry in accepted()["sizes"].values())


@pytest.mark.parametrize(
    ("target", "size", "reason"),
    [
        (("clusters.hull_shrinks", "support_never_grows"), {"n": 2, "d": 1}, "a conclusion about a flow"),
        (("localmax.every_hardmax_tail_is_geometric", "tails"), {"n": 2, "d": 1}, "a conclusion about an orbit"),
    ],
)
def test_what_is_no_statement_about_one_system_is_not_stated(target, size, reason):
    with pytest.raises(NotStated, match=reason):
        statement_at_size(Target(*target), size)


def test_a_tree_is_text_of_the_library_alone():
    at = statement_at_size(Target(*ORDERED[:2]), ORDERED[2])
    found = theorem_at_size(at, Proof("Done"))
    before, _, after = found.body.partition("Record system")
    assert "The_tree : tree :=\n Done." in before
    assert "sum_of" not in after
