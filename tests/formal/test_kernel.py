"""What Coq's kernel accepts and rejects, in few files: to load the library takes longer than to check a theorem."""

from __future__ import annotations

import copy
import fcntl
import random
import re
import subprocess
import zlib
from collections.abc import Callable
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest

from claims.certificates.format import hypotheses
from claims.certificates.published import certificate_of
from claims.formal import arrays, compiling, hulls, stand_ins, terms
from claims.formal.agreement import certified_subject, compare, module
from claims.formal.arrays import AxisLength, Recorded
from claims.formal.compiling import AXIOMS, axioms_in, check_theorems, compile_library, has_coq, run_coq
from claims.formal.theorems import NotStated, definitions, head, record, refuted_variant, theorem
from claims.targets.target import Target
from dynamics import geometry
from tests.planting import one_in, todays_share

pytestmark = [
    pytest.mark.skipif(not has_coq(), reason="Coq with its plugins Interval and Param is not installed"),
    pytest.mark.xdist_group("coq"),
]


@pytest.fixture(scope="module")
def library(pytestconfig) -> Path:
    """The compiled library, which the processes of a run share and later runs find: for this Coq and these plugins."""
    # By the times of what is installed: Coq refuses files that another Coq compiled, and no name of theirs tells it.
    found = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=True)  # noqa: S607
    installed = [Path(found.stdout.strip()), *(Path(found.stdout.strip()) / "user-contrib").glob("*")]
    key = zlib.crc32(repr([(str(folder), folder.stat().st_mtime_ns) for folder in sorted(installed)]).encode())
    folder = pytestconfig.cache.mkdir(f"coq_library_{key:08x}")
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        compile_library(folder)
    return folder


def certificate(name: str) -> dict:
    return copy.deepcopy(certificate_of(f"{name}.json") or {})


# ---------------------------------------------------------------------------------------------------------------------
# Accepted

ACCEPTED = (
    "localmax/distinct_tokens_stay_distinct",
    "localmax/energy_falls_with_its_own_graph",
    "localmax/longest_tokens_lead.without_distinct_tokens",
    "localmax/norms_grow_under_hardmax.without_hardmax",
    "clusters/values_have_an_orthonormal_eigenbasis",
    "polarization/increasing_map_separates_scores",
    "localmax/every_limit_is_aligned",
    "localmax/every_token_converges",
    "localmax/line_has_two_ends.without_one_dimension",
    "frank_wolfe/duality_gap_is_small_at_any_temperatures",
    "frank_wolfe/vertices_are_stationary",
    "frank_wolfe/energy_gap_contracts.without_convex_energies",
    "localmax/limit_vertices_are_packed.without_additive_rule",
)


def test_the_kernel_accepts_theorems_on_known_axioms_alone(library, tmp_path):
    answers = check_theorems({name: theorem(certificate(name)) for name in todays_share(3, ACCEPTED)}, library, tmp_path)
    assert {name: one.reason for name, one in answers.items() if not one.accepted} == {}
    assert {axiom for one in answers.values() for axiom in one.axioms} <= set(AXIOMS)
    # None at all would mean that what was printed is not read: every theorem here is about Coq's reals.
    assert all(one.axioms for one in answers.values())


# ---------------------------------------------------------------------------------------------------------------------
# Falsehoods: each is a theorem with something in it changed, and Qed must fail


def kept_too(name: str) -> str:
    """The theorem with the hypothesis that its instance breaks."""
    data = certificate(name)
    kept, dropped = (data["assumptions"][kind] for kind in ("kept", "dropped"))
    variant = Target(data["claim"]["id"], data["conclusion"]["name"]).resolve()
    data["assumptions"] = hypotheses(variant.claim, variant.printed, ())
    assert len(data["assumptions"]["kept"]) == len(kept) + len(dropped)
    return theorem(data).body


def edited(name: str, old: str, new: str) -> str:
    """The theorem with a text in it replaced, once."""
    body = theorem(certificate(name)).body
    assert old in body, f"{name} has no {old}"
    return body.replace(old, new, 1)


def with_instance(name: str, **values: object) -> str:
    """The theorem about another instance."""
    data = certificate(name)
    data["instance"] |= values
    return theorem(data).body


PLANAR = "localmax/no_planar_step_ends_at_rest"
MERGING = "localmax/distinct_tokens_stay_distinct"
NORMS = "localmax/norms_grow_under_hardmax.without_hardmax"
OWN = "localmax/energy_falls_with_its_own_graph"
LEADER = "localmax/leader_margin_shrinks_by_step.without_step_size_below_one"
SUMS = "localmax/norm_sum_grows_under_localmax"
PAIR = "localmax/coincident_tokens_move_together.without_coincident_pair"
ROUND = "localmax/equal_norms_make_hegselmann_krause.without_sensitivity_is_a_gap"
SMALL = "localmax/norms_fall_by_sensitivity_at_most.without_semidefinite_matrix"
APART = "localmax/hardmax_keeps_tokens_apart.without_semidefinite_matrix"
LAST = "clusters/attention_decays_with_the_token.without_ordered_tokens"
SPENT = "localmax/limits_have_small_self_gaps.without_additive_rule"
ANY = "frank_wolfe/duality_gap_is_small_at_any_temperatures"
ALIGNED = "localmax/every_limit_is_aligned"
CYCLE = "localmax/every_token_converges"
STATIONARY = "frank_wolfe/vertices_are_stationary"
REACHED = "frank_wolfe/tokens_reach_their_vertices"
ORIGIN = "frank_wolfe/tokens_contract_to_the_origin"
GAP = "frank_wolfe/energy_gap_contracts.without_convex_energies"
RETURNS = "frank_wolfe/orbits_do_not_repeat"
TAILS = "localmax/hardmax_tail_at_vertices_is_geometric.without_definite_matrix"
LONGEST = "localmax/longest_tokens_lead.without_distinct_tokens"
FOUND = "limits_found : list (list (list Q)) := [[["

FALSEHOODS: dict[str, Callable[[], str]] = {
    "the conclusion holds, not its negation": lambda: edited(OWN, "neg (energy", "( energy"),
    "the conclusion holds, of norms": lambda: edited(SUMS, "neg (", "("),
    "the conclusion holds, of a pair": lambda: edited(PAIR, "neg (", "("),
    "a hypothesis fails": lambda: edited(OWN, "both (mutual_neighbours num f)", "both (neg (mutual_neighbours num f))"),
    "definite, where it is not": lambda: kept_too("localmax/longest_tokens_lead.without_definite_matrix"),
    "distinct, where two coincide": lambda: kept_too("localmax/longest_tokens_lead.without_distinct_tokens"),
    "hardmax, where delta is 1": lambda: kept_too(NORMS),
    "a symmetric matrix that is none": lambda: kept_too("localmax/norms_grow_under_hardmax.without_symmetric_matrix"),
    "a step below one that is above": lambda: kept_too(LEADER),
    "another rule than the instance's": lambda: kept_too("localmax/no_step_ends_at_rest.without_additive_rule"),
    "mutual neighbours that are not": lambda: kept_too(
        "localmax/truncated_energy_falls_with_mutual_neighbours.without_mutual_neighbours"
    ),
    "< for <= where tokens merge": lambda: edited(MERGING, "-> 0 < ", "-> 0 <= "),
    "< for <= in a leader's margin": lambda: edited(
        "localmax/longest_points_lead.without_definite_matrix", "-> 0 < ", "-> 0 <= "
    ),
    "<= for < in the neighbours": lambda: edited(NORMS, "below (gaps' i j) (delta f)", "not (below (delta f) (gaps' i j))"),
    "a token off by 1e-8": lambda: with_instance(MERGING, z=shifted(MERGING)),
    "a matrix off by 1e-8": lambda: with_instance(ROUND, A=turned(ROUND)),
    "equal norms off by 1e-8": lambda: with_instance(ROUND, z=shifted(ROUND)),
    "all tokens at zero": lambda: with_instance(OWN, z=[[0] for _ in certificate(OWN)["instance"]["z"]]),
    "no step": lambda: with_instance(SUMS, gamma=0),
    "no sensitivity": lambda: with_instance(MERGING, delta=0),
    "the sum for the largest": lambda: edited(MERGING, "largest num (n f)", "sum num (n f)"),
    "gaps of the other sign": lambda: edited(MERGING, "- (scores' i j - largest", "(scores' i j - largest"),
    "neighbours without the token": lambda: edited(
        PLANAR, "below (gaps' i j) (delta f)", "and (below (gaps' i j) (delta f)) (not (truth (Nat.eqb i j)))"
    ),
    "gamma for 1 - gamma": lambda: edited(LEADER, "1 - gamma f", "gamma f - 1"),
    "the step's own state": lambda: edited(SUMS, "step' := step f", "step' := f"),
    "the conclusion holds, of a limit": lambda: edited(ALIGNED, "neg (self_gaps", "( self_gaps"),
    "the conclusion holds, of limit points": lambda: edited(CYCLE, "neg (limit_points", "( limit_points"),
    "a step is short, of an orbit": lambda: edited(SPENT, "neg (self_gaps", "( self_gaps"),
    "a vertex left out": lambda: edited(REACHED, "[0; 1]%nat", "[0]%nat"),
    "a vertex that lies inside": lambda: edited(REACHED, "[0; 1]%nat", "[0; 1; 2]%nat"),
    "equal rows counted twice": lambda: edited(REACHED, "Nat.leb ((i) + 1) (j)", "Nat.leb (i) (j)"),
    "a vertex that does not move": lambda: edited(STATIONARY, "neg (vertices_stay", "( vertices_stay"),
    "inside, where it is outside": lambda: edited(
        ORIGIN,
        "outside_hull_shown num (n f) (d f) (points f) (point f) (table1 num [(-1)#1]",
        "in_hull_shown num (n f) (d f) (points f) (point f) (table1 num [1#2; 1#2]",
    ),
    "the other side of a hull": lambda: edited(ORIGIN, "[(-1)#1]", "[1#1]"),
    "weights that do not sum to one": lambda: edited(ORIGIN, "[2#3; 1#3]", "[2#3; 2#3]"),
    "a token of more energy": lambda: edited(GAP, "nth i [0; 1] 0", "nth i [1; 0] 0"),
    "an energy off by 1e-8": lambda: edited(GAP, "[[63#16;", "[[630000001#160000000;"),
    "moves of the other sign": lambda: edited(RETURNS, "0 <= - sum", "0 <= sum"),
    "what returns has not moved": lambda: edited(RETURNS, "neg (what_returns", "( what_returns"),
}

RAYS: dict[str, Callable[[], str]] = {
    "a limit off by 1e-8": lambda: edited(ALIGNED, f"{FOUND}2#1", f"{FOUND}200000001#100000000"),
    "a limit point off by 1e-8": lambda: edited(
        CYCLE, "1#3; 0#1]]]%Q.\nDefinition with", "1#3; 1#100000000]]]%Q.\nDefinition with"
    ),
    "limit points in another order": lambda: edited(CYCLE, f"{FOUND}4#1; 4#1", f"{FOUND}11#3; 1#3"),
    "a faster rate": lambda: edited(ALIGNED, "(2#3) limits_found = true", "(1#3) limits_found = true"),
    "no rate": lambda: edited(ALIGNED, "(2#3) limits_found = true", "(1#1) limits_found = true"),
    "a rate of 0": lambda: edited(CYCLE, "(2#5) limits_found = true", "(0#1) limits_found = true"),
    "a turn too early": lambda: edited(CYCLE, "]]%Q 8 (2#5)", "]]%Q 7 (2#5)"),
    "one token fewer": lambda: edited(ALIGNED, "settles next 3 1", "settles next 2 1"),
    "a cycle that is a limit": lambda: one_phase(theorem(certificate(CYCLE)).body),
    "neighbours under another sensitivity": lambda: theorem(certificate(CYCLE)).body.replace("(17#4)", "(1#4)"),
}
"""Of these it is the ray that must be rejected."""

NEIGHBOURS: dict[str, Callable[[], str]] = {
    "a token that attends to itself as well": lambda: edited(TAILS, ":= [[false; true]; [", ":= [[true; true]; ["),
    "a token that attends to none": lambda: edited(TAILS, ":= [[false; true]; [", ":= [[false; false]; ["),
}
"""Of these the ray is right, but not the neighbours for ever."""

MISFITS: dict[str, tuple[str, str]] = {
    "another start": ("start : list (list Q) := [[2#1]", "start : list (list Q) := [[3#1]"),
    "another step size": ("y (table2 num [[1#1]]%Q) (rational (1#2))", "y (table2 num [[1#1]]%Q) (rational (1#3))"),
    "another limit": ("matrix num := table2 num [[2#1]; [(-3)#1]", "matrix num := table2 num [[2#1]; [0#1]"),
}
"""Of these the ray is right, but not that of the statement: texts of ALIGNED, and what stands in their place."""


def one_phase(body: str) -> str:
    """The limit points of a cycle cut down to the first."""
    before, found, after = body.partition(FOUND)
    first, _, rest = after.partition("]]; [[")
    return f"{before}{found}{first}]]]%Q.\n{rest.partition(chr(10))[2]}"


def shifted(name: str) -> list:
    """The tokens, the first number off by 1e-8."""
    z = [list(row) for row in certificate(name)["instance"]["z"]]
    whole, _, part = str(z[0][0]).partition("/")
    # As a rational: the number has to be another one, by an amount that float64 would still see and a rounded print not.
    z[0][0] = f"{int(whole) * 10**8 + int(part or 1)}/{int(part or 1) * 10**8}"
    return z


def turned(name: str) -> list:
    """The matrix, a number off its diagonal off by 1e-8."""
    matrix = [list(row) for row in certificate(name)["instance"]["A"]]
    if len(matrix) == 1:
        matrix[0][0] = "-1/100000000"
    else:
        matrix[0][1] = "1/100000000"
    return matrix


def test_planted_falsehoods_are_rejected(library, tmp_path):
    assert len(FALSEHOODS) + len(RAYS) + len(MISFITS) >= 40
    lines = [head("Hulls", "Limits")]
    marked = [(*one, "(Some true)") for one in FALSEHOODS.items()]
    marked += [(*one, "true") for one in (*RAYS.items(), *NEIGHBOURS.items())]
    for k, (name, make, answer) in enumerate(todays_share(6, marked)):
        body = make()
        split = body.rpartition if name in NEIGHBOURS else body.partition
        before, found, _ = split(f" vm_cast_no_check (eq_refl {answer}). Qed.")
        assert found, name
        # In one file: where a Qed does not fail, Fail does, and the whole file is refused with the line that tells which.
        lines.append(
            f"(* {name} *)\nModule F{k}.\n{before} vm_cast_no_check (eq_refl {answer}). Fail Qed. Abort.\nEnd F{k}."
        )
    wrong = {name: edited(ALIGNED, *texts) for name, texts in MISFITS.items()}
    right = {"as it stands": theorem(certificate(ALIGNED)).body}
    _, told, fine = run_coq(told_apart(tmp_path, "\n".join(lines), right, wrong), library)
    assert fine, told


def written(file: Path, lines: list[str]) -> Path:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def told_apart(folder: Path, beginning: str, right: dict[str, str], wrong: dict[str, str]) -> Path:
    """A file that Coq accepts where it accepts each of the right texts and none of the wrong ones."""
    lines = [beginning]
    # Loaded, for Fail takes one command: a whole text that has to fail is one only as a file.
    for k, (name, text) in enumerate({**right, **wrong}.items()):
        written(folder / f"Part{k}.v", [f"Module M{k}.", text, f"End M{k}."])
        lines.append(f'{"Fail " * (name in wrong)}Load "{folder / f"Part{k}"}". (* {name} *)')
    return written(folder / "Whole.v", lines)


def test_where_coq_has_a_value_by_convention_there_is_none_to_compute_with(library, tmp_path):
    lines = [head("Enclosures")]
    for num, name, x in (
        (num, name, x)
        for num in ("rationals", "enclosures")
        for name, x in (("sqrt", "(-2)"), ("ln", "(-2)"), ("ln", "0"), ("inv", "0"))
    ):
        lines.append(f"Eval vm_compute in @le {num} (@rational {num} (0#1)) (@{name} {num} (@rational {num} ({x}#1))).")
    printed, told, fine = run_coq(written(tmp_path / "Conventions.v", lines), library)
    assert fine, told
    assert re.findall(r"= (\w+)", printed) == ["None"] * 8


# ---------------------------------------------------------------------------------------------------------------------
# Readings written by hand, which the kernel proves to be what is generated, for all lengths


def generated() -> str:
    """What is generated of a localmax step."""
    data = certificate(LEADER)
    variant = refuted_variant(data)
    given = {name: value for name, value in data["instance"].items() if name != "system"}
    recording = record(variant, variant.claim.system.instance(**given))
    recording.recorder.system().step()
    return "\n".join([head(), "From Coq Require Import Lia Lra.", definitions(recording)])


MISREADINGS = {
    "below delta": ("(z f i) (z f j) <= delta f.", "(z f i) (z f j) < delta f."),
    "the transposed matrix": ("x a * A b a", "x a * A a b"),
    "the share that is left": ("z f i a + gamma f * (c a", "z f i a + (1 - gamma f) * (c a"),
    "not itself": ("forall l, (l < n f)%nat -> inner", "i <> j /\\ forall l, (l < n f)%nat -> inner"),
}


def test_readings_by_hand_are_what_is_generated_and_misreadings_are_not(library, tmp_path):
    text = (Path(__file__).parent / "localmax_readings.v").read_text(encoding="utf-8")
    assert all(text.count(old) == 1 for old, _ in MISREADINGS.values())
    misread = {name: text.replace(*MISREADINGS[name]) for name in todays_share(2, MISREADINGS)}
    printed, told, fine = run_coq(told_apart(tmp_path, generated(), {"as it stands": text}, misread), library)
    assert fine, told
    assert set(axioms_in(printed)) <= set(AXIOMS)


HULLS = {
    "weights of either sign": ("(forall i, (i < n)%nat -> 0 <= w i) /\\ rsum n w = 1", "rsum n w = 1"),
    "every token of a place": (" /\\ forall j, (j < i)%nat -> ~ same_point d (x j) (x i)", ""),
    "averages with itself": ("same_point d (x j) (x i) -> w j = 0", "False -> w j = 0"),
    "the largest energy": ("form d B p <= form d B y", "form d B y <= form d B p"),
}


def test_what_is_said_of_hulls_is_read_on_a_line_and_misreadings_are_not(library, tmp_path):
    said = compiling.library()["Hulls"].partition("(** ** What is computed")[0]
    assert all(said.count(old) == 1 for old, _ in HULLS.values())
    text = (Path(__file__).parent / "hulls_readings.v").read_text(encoding="utf-8")
    head_, said = said.partition("(** ** What is said")[::2]
    misread = {name: said.replace(*HULLS[name]).partition("*)")[2] + text for name in todays_share(2, HULLS)}
    beginning = f"From Coq Require Import Lra.\n{head_}"
    _, told, fine = run_coq(
        told_apart(tmp_path, beginning, {"as it stands": said.partition("*)")[2] + text}, misread), library
    )
    assert fine, told


# ---------------------------------------------------------------------------------------------------------------------
# Generated definitions against Python, and planted bugs of the recorder

COMPARED = (
    "localmax/distinct_tokens_stay_distinct",
    "localmax/norms_grow_under_hardmax.without_hardmax",
    "localmax/energy_falls_along_its_graph.without_averages_over_indices",
    "localmax/leader_margin_shrinks_by_step.without_step_size_below_one",
    "localmax/longest_tokens_lead.without_distinct_tokens",
    "polarization/increasing_map_separates_scores",
    "clusters/attention_decays_with_any_token",
    SPENT,
    ANY,
    REACHED,
    ORIGIN,
    GAP,
    RETURNS,
)


@contextmanager
def planted(patch: pytest.MonkeyPatch, where: object, name: str, bug: object):
    with patch.context() as inner:
        inner.setattr(where, name, bug)
        yield


def swapped(name: str) -> Callable[..., Recorded]:
    """An operation with its operands exchanged."""
    right = getattr(Recorded, name)
    return lambda self, other: right(arrays.lift(other), self)


triangle = stand_ins._triangle


def turned_membership(point: object, points: object) -> SimpleNamespace:
    found = hulls.recorded_membership(point, points)
    return SimpleNamespace(inside=found.inside, gap=-found.gap)


def first_token(_: object, points: Recorded, matrix: Recorded) -> tuple[Recorded, Recorded]:
    return points[0] @ matrix @ points[0] / 2, points[0]


original = {
    name: getattr(Recorded, name) for name in ("sum", "max", "swapaxes", "__abs__", "__pow__", "__le__", "__matmul__")
}

BUGS: dict[str, tuple[object, str, object, str]] = {
    "differences have the other sign": (Recorded, "__sub__", swapped("__sub__"), NORMS),
    "quotients are reciprocal": (Recorded, "__truediv__", swapped("__truediv__"), MERGING),
    "<= is <": (Recorded, "__le__", lambda a, b: ~original["__le__"](arrays.lift(b), a), SMALL),
    "the largest is the sum": (Recorded, "max", original["sum"], NORMS),
    "matrices are not transposed": (Recorded, "swapaxes", lambda self, *_: self, NORMS),
    "a power is one factor short": (Recorded, "__pow__", lambda self, k: original["__pow__"](self, k - 1), APART),
    "sizes are kept with their sign": (Recorded, "__abs__", lambda self: self, MERGING),
    "the identity is on everywhere": (
        stand_ins.ARRAYS,
        "eye",
        lambda n, *_, **__: Recorded([n, n], lambda _: terms.TRUE, True),
        LONGEST,
    ),
    "the last place is the first": (AxisLength, "moved", lambda self, by: AxisLength("0", 1) if by < 0 else self, LAST),
    "a mask counts what is off": (stand_ins, "choice", lambda switch, yes, no: ("pick", switch, no, yes), NORMS),
    "both is either": (arrays, "both", lambda left, right: ("or", left, right), MERGING),
    "a guard is forgotten": (Recorded, "__getitem__", lambda self, key: self, LEADER),
    "an orbit is a step short": (
        stand_ins,
        "STAND_INS",
        {**stand_ins.STAND_INS, islice: lambda states, most: list(islice(states, most - 1))},
        SPENT,
    ),
    "rows are not told from themselves": (
        stand_ins,
        "_triangle",
        lambda lower: lambda array, k=0: triangle(lower)(array),
        REACHED,
    ),
    "a distance from a hull has the other sign": (
        stand_ins,
        "STAND_INS",
        {**stand_ins.STAND_INS, geometry.membership: turned_membership},
        ORIGIN,
    ),
    "the energy is least at the first token": (hulls, "least_on_hull", first_token, GAP),
    "what is off is on": (Recorded, "__invert__", lambda self: self, LONGEST),
    "what is equal is not": (Recorded, "__eq__", Recorded.__ne__, LONGEST),
    "the opposite is itself": (Recorded, "__neg__", lambda self: self, ORIGIN),
    "products are of rows with rows": (
        Recorded,
        "__matmul__",
        lambda self, other: original["__matmul__"](self, arrays.lift(other).swapaxes(-1, -2)),
        NORMS,
    ),
    "a length is always 1": (AxisLength, "concrete", lambda self: 1, "clusters/attention_decays_with_any_token"),
}


def test_generated_definitions_agree_with_python_and_bugs_of_the_recorder_do_not(library, tmp_path, monkeypatch):
    rng = random.Random(11)
    modules = {name: found for name in COMPARED if (found := module(*certified_subject(certificate(name)), 3, rng))}
    assert len(modules) == len(COMPARED)
    refused, chosen = [], one_in(3, BUGS.items())
    for name, (where, attribute, bug, about) in chosen:
        with planted(monkeypatch, where, attribute, bug):
            try:
                found = module(*certified_subject(certificate(about)), 6, rng)
            except (NotStated, AssertionError, TypeError, ValueError, LookupError, AttributeError) as error:
                refused.append((name, str(error)))
                continue
            assert found is not None, name
            modules[f"bug: {name}"] = found
    answers = compare(modules, library, tmp_path / "Compared.v")
    assert {name for name, words in answers.items() if "bug" not in name and set(words) != {"Some true"}} == set()
    assert {name for name, words in answers.items() if "bug" in name and set(words) == {"Some true"}} == set()
    assert len(refused) <= len(chosen) // 2, refused  # a refusal shows nothing of the comparison
