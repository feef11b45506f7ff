"""What certificates say as theorems: recorded from the claims' own formulas, with all hypotheses, or refused by name."""

from __future__ import annotations

import builtins
import copy
import json
import re
from itertools import product
from operator import iadd, setitem
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq
from typer.testing import CliRunner

from claims.certificates.marked_tables import with_tables
from claims.certificates.published import certificate_of, published
from claims.cli import app
from claims.formal import __main__ as command
from claims.formal import answers, compiling, hulls, stand_ins
from claims.formal.arrays import AxisLength, Recorded, Refused, lift, on_all_paths
from claims.formal.limits import ray_of
from claims.formal.recording import Recorder
from claims.formal.terms import Printer
from claims.formal.theorems import NotStated, record, refuted_variant, theorem
from claims.localmax import line_has_two_ends
from claims.localmax.setting import ends
from claims.proving import accepted
from claims.targets.target import Target
from dynamics import arithmetic
from dynamics.arithmetic import lambert_w
from dynamics.tokens.localmax import LocalmaxStep
from tests.planting import LONG, bugs_in, facts_above, planted, todays_share

ROOT = Path(__file__).parents[2]
PAIR = "localmax/distinct_tokens_stay_distinct.json"
ALIGNED = "localmax/every_limit_is_aligned.json"
LEADER = "localmax/leader_margin_shrinks_by_step.without_step_size_below_one.json"


def recorder() -> Recorder:
    return Recorder(LocalmaxStep, {"n": 3, "d": 2}, {"rule": np.asarray(0)})


def number(array: Recorded) -> str:
    return Printer(()).number(array.number(["?1", "?2", "?3"][: array.ndim]))


# ---------------------------------------------------------------------------------------------------------------------
# The recorder


def test_a_method_becomes_a_definition_for_all_lengths():
    own = recorder()
    own.system().gaps()
    assert "Definition scores f : nat -> nat -> num" in own.definitions["scores"]
    assert "sum num (d f)" in own.definitions["scores"]
    assert "largest num (n f)" in own.definitions["gaps"]
    assert own.pinned == []


def test_a_hypothesis_is_the_claim_s_own_words_in_ordinary_notation():
    text = theorem(certificate_of(LEADER) or {}).body
    assert "holds (all num (n f) (fun j => or" not in text
    assert re.search(r"~ margins_contract_by_step_at_most reals f\.", text)
    kept = theorem(certificate_of(PAIR) or {})
    assert kept.hypotheses == [one["name"] for one in (certificate_of(PAIR) or {})["assumptions"]["kept"]]
    assert "(0 < gamma f) /\\ (gamma f < 1)" in kept.body or "0 < gamma f /\\ gamma f < 1" in kept.body
    assert "positive_definite (d f)" in kept.body


@pytest.mark.parametrize(
    ("formula", "answer"),
    [
        (lambda f: f.z.shape[-1] == 1, False),
        (lambda f: len(list(f.z)) == 3, True),
        (lambda f: list(range(f.z.shape[-2])) == [0, 1, 2], True),
        (lambda f: f.z.shape[-2] >= 2, True),
    ],
)
def test_whoever_asks_for_a_length_gets_that_of_the_instance_and_it_is_noted(formula, answer):
    own = recorder()
    assert formula(own.system()) is answer
    assert own.pinned


@pytest.mark.parametrize(
    ("formula", "names"),
    [
        (lambda f: 1 if f.gamma.item() > 0 else 0, "chooses by data"),
        (lambda f: float(f.gamma.item()), "machine number"),
        (lambda f: bool(f.z > 0), "whether an array holds"),
        (lambda f: f.z.cumsum(), r"\.cumsum"),
        (lambda f: f.velocity, r"\.velocity"),
        (lambda f: f.to(None), r"\.to\(\)"),
        (lambda f: f.z + 0.1, "computes with 0.1"),
        (lambda f: f.z**f.gamma, "raises to the power"),
        (lambda f: f.z[f.z > 0].sum(), "what a mask has picked"),
        (lambda f: f.z[::2], "with steps"),
        (lambda f: f.z + f.z.T, "lets lengths"),
        (lambda f: f.replace(w=f.z), r"changes \.w"),
        (lambda f: str(f.gamma.item()) == "1/2", "its text"),
        (lambda f: 1 if f"{f.z.shape[0]}" == "3" else 0, "its text"),
        (lambda f: f.z[f.z > 0].shape[0] * f.gamma, "takes apart what a mask"),
        (lambda f: next(iter(f.z[f.z > 0].flat)), "takes apart what a mask"),
        (lambda f: (f.z[f.z > 0] < 5).all(), "what a mask has picked"),
        (lambda f: f.z[f.z > 0].T, "takes apart what a mask"),
        (lambda f: (f.z > 0) + (f.z > 1), "adds two masks"),
        (lambda f: setitem(f.z, 0, 1), "writes to an array"),
        (lambda f: iadd(f.z, 1), "in place"),
        (lambda f: f.z.argmax(axis=-1), r"\.argmax"),
        (lambda f: getattr(f.z, "argsort", 3), r"\.argsort"),
    ],
)
def test_what_the_recorder_does_not_know_it_refuses_by_name(formula, names):
    with pytest.raises(Refused, match=names):
        number(lift(formula(recorder().system())))


SEEN = [1, 2]


def writes(f):
    global SEEN
    SEEN = f.gamma
    return SEEN


def grows(f):
    SEEN.append(1)
    return f.gamma * len(SEEN)


def counts_calls(f, k=[0]):  # noqa: B006
    k[0] += 1
    return f.gamma * k[0]


def catches(f):
    try:
        return f.z.cumsum()
    except:  # noqa: E722
        return 7


def catches_a_choice(f):
    try:
        return 1 if f.gamma.item() > 0 else 0
    except:  # noqa: E722
        return 7


def imports(f):
    import math

    return f.gamma * math.floor(2)


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (writes, "writes the name SEEN"),
        (grows, "append"),
        (counts_calls, "item assignment"),
        (catches, r"\.cumsum"),
        (catches_a_choice, "catches an error"),
        (imports, "imports math"),
        (lambda f: 1 if f.__class__.__name__ == "LocalmaxStep" else 0, r"\.__class__"),
        (lambda f: f.z[7], "place 7 of 3"),
        (lambda f: f.z[-4], "place -4 of 3"),
        (lambda f: f.z[[0, 5]], r"places \[0, 5\] of 3"),
        (lambda f: np.asarray(f.z, dtype=int), "machine numbers"),
        (lambda f: np.sort(f.z), r"np\.sort"),
        (lambda f: lambert_w(f.z), "Lambert's W"),
    ],
)
def test_state_text_and_caught_errors_make_no_constant(function, error, monkeypatch):
    monkeypatch.setattr(function, "__module__", "claims.own")
    own = recorder()
    with pytest.raises((Refused, AttributeError, TypeError, IndexError), match=error):
        number(lift(on_all_paths(lambda: own.plain(function)(own.system()))))
    assert SEEN == [1, 2]
    assert counts_calls.__defaults__ == ([0],)


def divides(f):
    try:
        return 1 / f.gamma
    except ZeroDivisionError:
        return 5


def test_who_catches_a_division_by_zero_is_asked_for_it(monkeypatch):
    monkeypatch.setattr(divides, "__module__", "claims.own")
    own = recorder()
    found = on_all_paths(lambda: own.plain(divides)(own.system()))
    assert number(found) == "pick (equal num (gamma f) 0) (rational 5) (1 / gamma f)"


def test_what_is_read_of_arrays_and_lengths_is_noted():
    z = recorder().system().z
    assert number(z[[True, False, True]]) == number(z[[0, 2]]) == "z f (nth i [0; 2] 0)%nat j"
    own = recorder()
    assert {3: 1}.get(own.system().z.shape[0], 0) == 1
    assert own.pinned == ["n"]
    own = recorder()
    own.system().z[1:, -1].max()
    assert own.least == {"n": 2, "d": 1}


def test_the_model_s_own_conditions_are_hypotheses():
    text = theorem(certificate_of(LEADER) or {}).body
    assert "Definition accepted f : Assertion num :=\n  0 <= delta f." in text
    assert "1 <= n f /\\ 1 <= d f /\\ rule f = 0 /\\ accepted reals f /\\" in text
    rows = theorem(certificate_of("polarization/first_of_two_causal_tokens_wins.without_only_two_rows.json") or {}).body
    assert "accepted f : Assertion num :=\n  0 < K f." in rows


def test_products_and_axes_stand_where_numpy_puts_them():
    own = recorder().system()
    outer = np.multiply.outer(np.arange(6).reshape(2, 3), np.arange(4).reshape(2, 2))
    recorded = stand_ins.ARRAYS.multiply.outer(lift([[0, 1, 2], [3, 4, 5]]), lift([[0, 1], [2, 3]]))
    assert [axis.size for axis in recorded.axes] == list(outer.shape)
    turned, moved = recorded.transpose(0, 3, 2, 1), outer.transpose(0, 3, 2, 1)
    around, again = recorded.transpose(1, 2, 3, 0), outer.transpose(1, 2, 3, 0)
    for array, expected in ((recorded, outer), (turned, moved), (around, again)):
        for place in np.ndindex(*expected.shape):
            assert array.number(tuple(map(str, place))) == ("rational", expected[place]), place
    backwards = lift([[0, 1], [2, 3], [4, 5]])[::-1]
    assert [backwards.number((str(k), "1")) for k in range(3)] == [("rational", one) for one in (5, 3, 1)]
    assert number(own.scores().trace()) == number(own.scores().diagonal().sum())


LEFT, RIGHT = [[1, 4, 9], [2, 2, -3]], [[0, 4, 8], [2, 5, -5]]


def stand_ins_give_of_numbers_what_numpy_gives(m):
    recorder()  # which counts anew what is computed
    for name, given in [
        *(("diff", (LEFT, axis)) for axis in (0, -1)),
        *(("stack", ([LEFT, RIGHT], axis)) for axis in (0, 1, -1)),
        *(("concatenate", ([LEFT, RIGHT], axis)) for axis in (0, 1)),
        *((name, (LEFT, k)) for name in ("tril", "triu") for k in (-1, 0, 1)),
        *(("eye", (3, 3, k)) for k in (-1, 0, 1)),
        *((name, (LEFT, RIGHT)) for name in ("maximum", "minimum", "kron", "outer")),
        ("where", ([True, False, True], LEFT, RIGHT)),
        ("append", (LEFT, RIGHT, 0)),
        ("delete", (LEFT, 1, 1)),
        ("take", (LEFT, 2, 1)),
        ("diag", ([3, 4],)),
        ("diag", (LEFT,)),
    ]:
        found = getattr(m.ARRAYS, name)(*given)
        expected = np.diff(given[0], axis=given[1]) if name == "diff" else getattr(np, name)(*given)
        assert [axis.size for axis in found.axes] == list(expected.shape), name
        for place in np.ndindex(*expected.shape):
            assert worth(found.number(tuple(map(str, place)))) == expected[place], (name, place)


def worth(term):
    """The number that a term of numbers is."""
    if term[0] == "neg":
        return -worth(term[1])
    return max(map(worth, term[2:])) if term[:2] == ("function", "maximum") else {"rational": term[1]}[term[0]]


def stand_ins_know_signs_sets_and_what_holds_of_all(m):
    recorder()
    for sign in (-1, 0, 1):
        assert m.STAND_INS[arithmetic.sign](lift(3 * sign)).number(()) == ("rational", sign)
    one_two = m.BUILTINS["set"]([lift(1), lift(2), lift(1)])
    for others in ({1}, {1, 2}, {1, 2, 3}, {1, 3}):
        assert (one_two == others).entry(()) == ("truth", others == {1, 2})
    for truths in product((True, False), repeat=2):
        for name in ("all", "any"):
            mixed = m.BUILTINS[name]([lift(truths[0]), lift(truths[1])])
            assert mixed.entry(()) == ("truth", getattr(builtins, name)(truths))


OF_NUMBERS = facts_above(globals())


@pytest.mark.parametrize("fact", OF_NUMBERS)
def test_of_numbers(fact):
    fact(planted(stand_ins))


@bugs_in(stand_ins, share=4)
def test_a_bug_planted_in_stand_ins_is_noticed(bug):
    assert bug.is_noticed(OF_NUMBERS)


def instance(name: str) -> LocalmaxStep:
    data = {key: value for key, value in (certificate_of(name) or {})["instance"].items() if key != "system"}
    return LocalmaxStep.instance(**data)


@pytest.mark.parametrize(
    ("name", "phases", "turns"),
    [
        (ALIGNED, 1, 8),
        ("localmax/every_token_converges.json", 2, 8),
        ("localmax/every_token_converges.without_open_step_size.json", 2, 0),  # no ray, but a cycle
        ("localmax/every_token_converges_under_other_rules.json", 2, 11),  # after a ray that is left again
        ("localmax/tokens_converge_under_positive_scores.json", 4, 0),
    ],
)
def test_a_ray_is_that_of_all_later_states(name, phases, turns):
    found = ray_of(instance(name), "z")
    assert found is not None
    assert (len(found.limits), found.turns) == (phases, turns)
    assert found.rotated(found.limits[1:] + found.limits[:1]) is not None
    assert found.rotated([one + 1 for one in found.limits]) is None


def test_where_no_ray_is_seen_there_is_none():
    assert ray_of(instance("localmax/every_hardmax_tail_is_geometric.json"), "z") is None


def test_the_limit_is_that_of_the_instance_alone():
    own = Recorder(LocalmaxStep, {"n": 3, "d": 1}, {"rule": np.asarray(0)}, start=instance(ALIGNED))
    limits, f = own.translated(ends.limits), own.system()
    assert number(limits(f)) == "limit i j"
    others = f.step(), f.replace(z=f.z + f.z), f.replace(rule=np.asarray(4))
    for other in others:
        with pytest.raises(Refused, match="another system"):
            limits(other)
    # Nor by a function of its own, whose definition would be read of another system.
    own = Recorder(LocalmaxStep, {"n": 3, "d": 1}, {"rule": np.asarray(0)}, start=instance(ALIGNED))
    with pytest.raises(Refused, match="another system"):
        own.translated(line_has_two_ends.distance_to_the_own_end)(own.system().step())


def test_a_choice_by_data_becomes_a_choice_of_the_definition():
    f = recorder().system()

    def larger():
        return max(f.delta, f.gamma)

    assert number(on_all_paths(larger)) == "pick (not (below (gamma f) (delta f))) (gamma f) (delta f)"


def test_arithmetic_is_written_as_it_is_computed():
    n = AxisLength("n f", 3, "n")
    x = Recorded((n,), lambda place: ("ref", "x", "f", tuple(place)))
    assert number(x - (x - 1) * fmpq(1, 2)) == "x f i - (x f i - 1) * rational (1#2)"
    assert number(1 / (x * x)) == "1 / (x f i * x f i)"
    assert number(-(x + 1) / n) == "(- (x f i + 1)) / count num (n f)"
    assert number(x[1:] - x[:-1]) == "x f (i + 1)%nat - x f i"
    assert number(x[-1]) == "x f (minus (n f) 1)%nat"
    assert number(x.max() - x[0]) == "largest num (n f) (fun i => x f i) - x f O"
    assert Printer(()).assertion(((x >= 0) & (x < 1)).entry(["?1"])) == "0 <= x f i /\\ x f i < 1"


# ---------------------------------------------------------------------------------------------------------------------
# Certificates


SHARE = 4
"""To record the formulas of a certificate takes ten milliseconds, and of all of them eight seconds."""

READ = (
    PAIR,
    LEADER,
    "frank_wolfe/flow_has_one_solution.json",
    "localmax/vertices_apart_keep_the_hull.without_vertices_apart.json",
    "localmax/hull_shrinks.without_step_size_at_most_one.json",
)
"""Certificates whose text a test reads."""


@pytest.fixture(scope="module")
def some():
    """Published certificates as theorems, or why each is none: a share of them each day, in a long run all."""
    return answers.stated({name: published()[name] for name in {*READ, *todays_share(SHARE, published())}})


def test_each_certificate_is_the_theorem_that_the_kernel_accepted_or_none(some):
    """Without this a recorder that refuses more, or writes another text, would pass all else."""
    known = answers.accepted_digests()
    today = {name: answers.theorem_digest(one.theorem) for name, one in some.items() if one.theorem is not None}
    assert {name for name in some if today.get(name) != known.get(name)} == set(), f"run {command.COMMAND} --coq"


def test_a_theorem_has_every_kept_hypothesis_or_there_is_none(some):
    for name, one in some.items():
        if one.theorem is None:
            assert one.reason
            continue
        assert one.theorem.hypotheses == [kept["name"] for kept in published()[name]["assumptions"]["kept"]]
        statement = one.theorem.body.partition("Theorem ")[2].partition("Proof.")[0]
        for kept in one.theorem.hypotheses:
            assert re.search(rf"\b{kept}_*\b", statement), (name, kept)


def test_a_comment_says_what_is_held_argued_and_found(some):
    def refuted(name: str) -> tuple[str, str]:
        return published()[name]["claim"]["id"], published()[name]["conclusion"]["name"]

    found = {name: one.theorem for name, one in some.items() if one.theorem}
    # Of all, not of some: what is refuted with every hypothesis needs none of them, whichever certificates are looked at.
    theorems = published().keys() & answers.accepted_digests()
    with_all = {refuted(name) for name in theorems if not published()[name]["assumptions"]["dropped"]}
    needed = [name for name, one in found.items() if "that needs it" in one.title]
    assert LEADER in needed
    assert not [name for name in needed if refuted(name) in with_all]
    assert "is an argument" in found["frank_wolfe/flow_has_one_solution.json"].title
    assert "is an argument" in found["localmax/vertices_apart_keep_the_hull.without_vertices_apart.json"].title
    body = found["localmax/hull_shrinks.without_step_size_at_most_one.json"].body
    assert "as found for the instance. *)\nDefinition direction f" in body
    assert body.count("rational (-1)") == 1


@pytest.mark.parametrize("place", [1, 5])
def test_weights_and_directions_of_an_instance_are_no_part_of_a_formula(place):
    start = LocalmaxStep.instance(z=[[place], [0], [2]], A=[[1]])
    own = Recorder(LocalmaxStep, {"n": 3, "d": 1}, {"rule": np.asarray(0)}, start=start)
    own.at_its_instance()
    z = own.system().z
    assert on_all_paths(lambda: hulls.recorded_membership(z[0], z[1:]).inside) is (place == 1)
    for asks in (list, lambda witness: witness[0], lambda witness: z * witness):
        with pytest.raises(Refused):
            on_all_paths(lambda asks=asks: asks(hulls.recorded_membership(z[0], z[1:]).witness))


def changed(place: tuple[str, ...], value: object) -> dict:
    data = copy.deepcopy(certificate_of(PAIR) or {})
    inner = data
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return data


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("conclusion", "formula"), ["def no_pair_merges(f):", "    return 1"], "stale"),
        (("conclusion", "relation"), ">= 0", "stale"),
        (("conclusion", "meaning"), "something else", "stale"),
        (("conclusion", "name"), "no_pair_parts", "no conclusion"),
        (("conclusion", "form"), "orbit", "stale"),
        (("conclusion", "form"), "limit", "a flow"),
        (("claim", "id"), "localmax.no_such_claim", "no claim"),
        (("assumptions", "kept"), [], "stale"),
        (("assumptions", "dropped"), [{"name": "planar", "statement": "d <= 2"}], "does not assume"),
    ],
)
def test_a_certificate_of_another_formula_gives_no_theorem(place, value, said):
    with pytest.raises(NotStated, match=said):
        theorem(changed(place, value))


def test_reworded_hypotheses_are_stale():
    data = copy.deepcopy(certificate_of(PAIR) or {})
    data["assumptions"]["kept"][1]["statement"] = "A is positive"
    with pytest.raises(NotStated, match="stale"):
        theorem(data)


def test_a_changed_constant_is_part_of_the_definition():
    data = copy.deepcopy(certificate_of("localmax/copies_change_nothing.json") or {})
    data["constants"]["share"]["value"] = "5/7"
    assert "rational (5#7)" in theorem(data).body
    assert "5#7" not in theorem(certificate_of("localmax/copies_change_nothing.json") or {}).body


def test_the_digest_is_that_of_the_formulas():
    one, other = (theorem(certificate_of(name) or {}) for name in (PAIR, LEADER))
    assert one.digest != other.digest
    assert one.digest in one.text
    variant = Target("localmax.distinct_tokens_stay_distinct", "no_pair_merges").resolve()
    assert record(variant, LocalmaxStep.instance(z=[[0], [1], [2]], A=[[1]])).recorder.lengths == {"n": 3, "d": 1}
    assert refuted_variant(certificate_of(PAIR) or {}).claim is variant.claim


def test_the_table_of_theorems_is_that_of_today(some, monkeypatch):
    page = ROOT / "docs" / "proofs.md"
    text = page.read_text(encoding="utf-8")
    # How many theorems there are of each kind is in the record; what the others lack is known when all are stated.
    accepted_ones = answers.accepted_digests()
    words = {True: answers.TheoremStatus.PROVED, False: answers.TheoremStatus.NOT_STATED}
    known = {name: answers.Told(words[name in accepted_ones]) for name in published()}
    rows = "\n".join(answers.answer_counts(known)).partition("\n\n")[0]
    assert f"\n\n{rows}\n\n" in text, f"run {command.COMMAND} --coq"
    if LONG:
        monkeypatch.setattr(command, "stated", lambda _: some)
        assert with_tables(page.name, text, command.formal_tables(), command.COMMAND) == text


@pytest.mark.parametrize("accepts", [True, False])
def test_a_theorem_is_what_the_kernel_accepted_as_it_is_today(accepts, some, tmp_path, monkeypatch):
    """The record of one that is as it was, one that has changed, one that is gone, and one that nobody asks about."""
    known = {name: some[name] for name in (PAIR, LEADER)}
    known["gone"] = answers.Told(answers.TheoremStatus.NOT_STATED, "a reason")
    today = {name: answers.theorem_digest(one.theorem) for name, one in known.items() if one.theorem is not None}
    about = {"claim": "a.claim", "conclusion": "holds", "for_all": "n = 2"}
    record = {
        "certificates": {PAIR: today[PAIR], LEADER: today[PAIR], "gone": today[PAIR], "another": today[PAIR]},
        "sizes": {"shown": about | {"file": "sha256:"}, "open": about | {"for_all": "n = 3", "open": "no proof by signs"}},
    }
    file = tmp_path / "theorems.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    for module in (accepted, answers):
        monkeypatch.setattr(module, "RECORD", file)
    told = answers.from_record(known)
    assert {name for name, one in told.items() if one.word is answers.TheoremStatus.PROVED} == {PAIR}
    assert accepted.sizes.__wrapped__() == {("a.claim", "holds", "n = 2")}
    monkeypatch.setattr(answers, "published", lambda: known)
    monkeypatch.setattr(answers, "stated", lambda _: known)
    word = answers.TheoremStatus.PROVED if accepts else answers.TheoremStatus.REJECTED
    asked = []
    monkeypatch.setattr(
        answers, "put_to_coq", lambda some, _: asked.extend(some) or dict.fromkeys(some, answers.Told(word))
    )
    answers.record_accepted(tmp_path)
    assert asked == [LEADER]
    kept = {PAIR: today[PAIR], "another": today[PAIR]} | ({LEADER: today[LEADER]} if accepts else {})
    assert accepted.kernel_record() == record | {"certificates": kept}


# ---------------------------------------------------------------------------------------------------------------------
# The command


def test_the_command_says_what_is_stated_and_writes_files(tmp_path):
    run = CliRunner().invoke(app, ["formal", "leader_margin", "no_planar_step", "order_is_kept", "--out", str(tmp_path)])
    assert run.exit_code == 0
    assert "leader_margin_shrinks_by_step.without_step_size_below_one  STATED (statement generated)" in run.output
    assert "NOT STATED: the conclusion calls np.argsort" in run.output
    assert {"Makefile", "index.md", "library"} < {path.name for path in tmp_path.iterdir()}
    assert "coqchk" in (tmp_path / "Makefile").read_text(encoding="utf-8")
    assert sorted(path.stem for path in (tmp_path / "library").glob("*.v")) == sorted(compiling.LIBRARY)


def test_without_coq_there_is_a_plain_sentence(monkeypatch):
    monkeypatch.setattr(compiling.shutil, "which", lambda _: None)
    run = CliRunner().invoke(app, ["formal", "leader_margin", "--check"])
    assert run.exit_code == 2
    assert "Coq is not installed" in run.output


def test_an_unknown_pattern_is_refused():
    assert CliRunner().invoke(app, ["formal", "no_such_claim_at_all"]).exit_code == 2


@pytest.mark.parametrize("name", compiling.LIBRARY)
def test_the_library_proves_what_it_says(name):
    text = re.sub(r"\(\*.*?\*\)", "", compiling.library()[name], flags=re.DOTALL)
    assert not re.search(r"\b(Axiom|Admitted|admit|Parameter|Conjecture|Unset|bypass)\b", text)
