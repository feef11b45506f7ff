"""Constants that are known, and constants made too good or too weak: each gets the word that it deserves."""

from dataclasses import replace
from itertools import chain, combinations, product, repeat
from math import floor, log10
from types import SimpleNamespace

import numpy as np
import pytest
from flint import fmpq

from claims.certificates.constants import ConstantStatus, bracket_in_words, value_of
from claims.hunting.search import Search
from claims.proving.proof import ProofStatus as Proof
from claims.sharpening import brackets, forcing
from claims.sharpening.brackets import bracket, rounded_down
from claims.sharpening.forcing import NoConstantError, constants_of, rounded_up
from claims.sharpening.plan import settings_of
from claims.stating.catalogue import catalogue, matching
from claims.stating.statement import Form
from claims.stating.verdict import Known
from claims.targets.target import Target
from claims.verifying.deciding import check
from dynamics.arithmetic import fraction, rational
from dynamics.integrate import in_float64
from dynamics.tokens.localmax import LocalmaxStep
from tests.planting import bugs_in
from tests.sharpening.inequalities import as_it_is, bracketed, known


def test_a_constant_that_is_attained_is_sharp():
    found = bracketed("squares", "factor", small=True)
    assert (found["word"], found["attained"], found["stronger"], found["sides"]) == (
        ConstantStatus.SHARP,
        True,
        "larger",
        2,
    )
    assert 2 < rational(found["refuted"]) <= fmpq(2001, 1000)
    assert found["forced"] == "2"
    assert found["certificate"]["constants"]["factor"] == {"value": found["refuted"], "printed": "2"}
    assert set(found["by_size"]) >= {"n=2", "n=3"}
    assert bracket_in_words(found) == "sharp: it is attained, on the nearer of two sides"


def test_a_constant_that_only_a_limit_attains_is_told_with_its_sequence():
    found = bracketed("never", "most", starts=400)
    assert found["word"] in (ConstantStatus.IN_THE_LIMIT, ConstantStatus.SHARP)
    assert not found.get("attained")
    assert fmpq(999, 1000) <= rational(found["refuted"]) < 1


@pytest.mark.parametrize(("name", "value"), [("factor", "206/100"), ("factor", "2001/1000")])
def test_a_constant_that_is_too_good_is_refuted_as_it_stands(name, value):
    found = bracketed("squares", name, value)
    assert found["word"] == ConstantStatus.REFUTED
    assert (rational(found["value"]), found["printed"]) == (rational(value), "2")
    assert rational(found["refuted"]) == rational(value)
    assert rational(found["slack"]) < 0


def test_a_constant_that_is_too_weak_is_improved_by_a_proof():
    pytest.importorskip("z3")
    found = bracketed("squares", "factor", "194/100")
    assert found["word"] == ConstantStatus.IMPROVABLE
    assert fmpq(194, 100) < rational(found["proved"]["value"]) < 2 <= rational(found["refuted"]) < fmpq(201, 100)
    assert value_of(found) == f"{found['proved']['value']} .. {found['refuted']}"
    assert found["proved"]["for_all"]
    found = bracketed("loose", "most")
    assert found["word"] == ConstantStatus.IMPROVABLE
    assert 1 <= rational(found["proved"]["value"]) < 3


def test_a_constant_without_a_bracket_says_why():
    for conclusion, reason in (("idle", "no bearing"), ("same", "identity")):
        found = bracketed(conclusion, "c")
        assert (found["word"], reason in found["reason"]) == (ConstantStatus.NONE, True)
        assert "refuted" not in found


def test_only_instances_of_the_size_asked_for_are_looked_at():
    found = bracketed("mean", "share", size={"n": 3})
    assert set(found["by_size"]) == {"n=3"}
    assert found["size"] == "n=3"


def test_the_same_work_gives_the_same_bracket():
    first, second = bracketed("mean", "share"), bracketed("mean", "share")
    assert first == second


def test_the_way_that_is_stronger_is_found():
    target = known("loose")
    (constant,) = constants_of(target, "most", [0])
    assert (constant.way, constant.unit, constant.whole) == (-1, 3, False)
    assert constant.stronger(fmpq(1, 3)) == 2
    both = constants_of(known("squares"), "factor", [0])
    assert [one.way for one in both] == [1, -1]
    with pytest.raises(NoConstantError, match="no bearing"):
        constants_of(known("idle"), "c", [0])


def test_rounding_is_upwards_for_refuted_values_and_downwards_for_proved_ones():
    assert rounded_up(0.0123) == fmpq(13, 1000)
    assert rounded_up(123.4) == 130
    for room in (fmpq(1, 3), fmpq(7, 2), fmpq(1, 1000), fmpq(123456, 7)):
        assert 0 < rounded_down(room) <= room < 10 * rounded_down(room)


def test_equality_refutes_a_strict_inequality_and_is_no_attained_constant():
    found = bracketed("apart", "factor", starts=60, small=True)
    assert (found["word"], found["refuted"], found["slack"]) == (ConstantStatus.REFUTED, "2", "0")
    assert "attained" not in found


def test_a_violation_that_only_floats_saw_refutes_nothing(monkeypatch):
    def numerical(*given):
        return replace(check(*given), known=Known.NUMERICAL)

    for module in (brackets, forcing):
        monkeypatch.setattr(module, "check", numerical)
    found = bracketed("squares", "factor", "5/2", starts=40, width="1/1000")
    assert (found["word"] in (ConstantStatus.UNKNOWN, ConstantStatus.IMPROVABLE), "refuted" in found) == (True, False)


def test_a_zero_that_the_constant_does_not_move_attains_nothing():
    # So far out that the first slack is 1e-12; the zero beside it is moved by no constant, and must not pass for equality.
    near = known("two").resolve().claim.system.instance(x=[1 << 20, 1], a=0).to_json()
    found = bracketed("two", "most", starts=1, known=[near])
    assert found["room"] == "1/1000000000"
    assert found["word"] in (ConstantStatus.SHARP, ConstantStatus.IN_THE_LIMIT)
    assert not found.get("attained")


def test_of_whole_numbers_the_next_ones_are_tried():
    found = bracketed("power", "most", 3, starts=16)
    assert (found["word"], found["refuted"], found["room"], found["whole"]) == (ConstantStatus.SHARP, "4", "1", True)
    found = bracketed("power", "most", 2, starts=16)
    assert (found["word"], found["refuted"], found["room"]) == (ConstantStatus.UNKNOWN, "4", "2")
    assert bracketed("power", "most", 4, starts=16)["word"] == ConstantStatus.REFUTED
    with pytest.raises(NoConstantError, match="number of slacks depends"):
        constants_of(known("many"), "k", [0])


def test_a_constant_that_has_no_value_one_way_is_seen_from_the_other():
    assert [one.way for one in constants_of(known("below_one"), "least", [0])] == [-1]
    found = bracketed("below_one", "least", 0, starts=60, small=True)
    assert (found["word"], found["attained"]) == (ConstantStatus.SHARP, True)
    assert -fmpq(1, 1000) <= rational(found["refuted"]) < 0


def test_a_limit_is_told_only_of_a_sequence_within_the_hypotheses():
    made = known("tail").resolve().claim.system.instance
    found = bracketed("tail", "share", starts=1, known=[made(x=[64, 1], a=0).to_json()])
    assert (found["word"], found["along"]) == (ConstantStatus.IN_THE_LIMIT, "x -> infinity")
    assert found["rooms"] == sorted(found["rooms"], reverse=True)
    found = bracketed("steep", "share", starts=1, known=[made(x=[1, 1], a="1/16").to_json()])
    assert (found["word"], found["attained"]) == (ConstantStatus.SHARP, False)


@pytest.mark.parametrize(
    ("made", "word", "told"),
    [
        ([Proof.PROVED, Proof.UNKNOWN], ConstantStatus.IMPROVABLE, ["all 0"]),
        ([Proof.UNKNOWN, Proof.UNKNOWN, Proof.UNKNOWN, Proof.PROVED], ConstantStatus.IMPROVABLE, ["all 3"]),
        ([Proof.PROVED, Proof.VIOLATED, Proof.UNKNOWN, Proof.UNKNOWN], ConstantStatus.UNKNOWN, None),
        ([Proof.PROVED, Proof.VIOLATED, Proof.PROVED, Proof.VIOLATED], ConstantStatus.UNKNOWN, None),
    ],
)
def test_what_is_proved_at_one_size_and_violated_at_another_improves_nothing(monkeypatch, made, word, told):
    tried = iter(enumerate(chain(made, repeat(Proof.UNKNOWN))))
    values = []

    def attempted(target, *_, **__):
        values.append(rational(dict(target.sharpened)["most"]))
        k, found = next(tried)
        return SimpleNamespace(word=found, told=f"all {k}")

    monkeypatch.setattr(brackets, "attempted", attempted)
    monkeypatch.setattr(brackets, "require", lambda: None)
    monkeypatch.setattr(brackets, "sizes_of", lambda *_: [{"n": 2}, {"n": 3}])
    found = bracketed("loose", "most", starts=16)
    assert (found["word"], found.get("proved", {}).get("for_all")) == (word, told)
    assert all(rational(found["refuted"]) < value < 3 for value in values)
    assert values == sorted(values, reverse=found["stronger"] == "larger")
    assert "proved" not in found or rational(found["proved"]["value"]) == values[-1]


def test_the_published_counterexample_refutes_a_false_claim_at_once(monkeypatch):
    claim = catalogue()["clusters.attention_decays_with_any_token"]
    settings = settings_of([claim], [], [], None, None, 1, 0, "claims sharpen")
    (spec,) = (one for one in settings["constants"] if one["target"]["conclusion"] == "distance_below_gap")
    assert spec["known"]
    monkeypatch.setattr(Search, "_go", lambda self: None)
    monkeypatch.setattr(brackets, "simplify", as_it_is)
    found = bracket(spec)
    assert (found["word"], found["held_false"], found["refuted"]) == (ConstantStatus.REFUTED, True, found["value"])
    assert bracket(spec | {"size": {"n": 1 << 10}})["word"] != ConstantStatus.REFUTED


def a_room_closes_where_it_does_so_at_every_doubling(m):
    """One ratio that is too large, at any place of a sequence, tells no limit; the first sequence that closes is told."""
    closing = [1.0, 0.5, 0.25, 0.125, 0.0625]
    for place in (None, 1, 2, 3, 4):
        rooms = [room * (1.5 if place and k >= place else 1) for k, room in enumerate(closing)]
        way = object.__new__(m._Bracket)
        way.attains = lambda one: one == "it"
        for others in ([], [("u -> 0", [1.0, 1.0, 0.5])]):
            way._sequences = lambda *_, told=[*others, ("x -> 0", rooms)]: iter(told)
            found = way._how_sharp(None, ["one", "another"])
            if place is None:
                assert (found["word"], found["along"], found["rooms"]) == (ConstantStatus.IN_THE_LIMIT, "x -> 0", closing)
            else:
                assert found == {"word": ConstantStatus.SHARP, "attained": False}
            for met in (["it", "one"], ["one", "it"]):
                assert way._how_sharp(None, met) == {"word": ConstantStatus.SHARP, "attained": True}


def a_value_is_forced_where_the_slack_vanishes(m):
    """Of slacks that are affine in the room it is where the first of them is zero; of others nothing is forced."""
    for first, second, bend in product((fmpq(1, 8), fmpq(1, 2)), (fmpq(1, 4), fmpq(1), None), (0, 1, -1)):
        way = object.__new__(m._Bracket)
        way.variant, way.constant = (
            SimpleNamespace(conclusion=SimpleNamespace(form=Form.STATE)),
            SimpleNamespace(whole=False, stronger=lambda room: 10 + room),
        )
        ends = [first] if second is None else [second, first]
        way.slacks = lambda _, room, ends=ends, bend=bend: [end - room + bend * room**2 for end in ends]
        assert way.forced(None) == (None if bend else 10 + min(ends))
    way.slacks = lambda *_: [fmpq(1)]  # a slack that no room moves
    assert way.forced(None) is None


def what_says_more_is_told_first(m):
    """Orders of brackets, each before all that come after it."""
    orders = (
        [
            {"word": "refuted as printed"},
            {"word": "sharp", "room": "1/9", "attained": True},
            {"word": "sharp in the limit", "room": "1/9"},
            {"word": "sharp", "room": "1/3", "attained": True},
            {"word": "improvable", "room": "1/9"},
            {"word": "unknown", "room": "1/3"},
            {"word": "unknown"},
            {"word": "no bracket"},
        ],
        [
            {"word": "refuted as printed", "room": "0"},
            {"word": "sharp", "room": "1/1000000000", "attained": True},
            {"word": "sharp in the limit", "room": "1/1000000000"},
            {"word": "sharp", "room": "1/2000", "attained": False},
            {"word": "unknown", "room": "1/100"},
            {"word": "improvable", "room": "1/4"},
            {"word": "improvable"},
            {"word": "no bracket"},
        ],
    )
    for order in orders:
        assert {one["word"] for one in order} == set(ConstantStatus)
        for one, other in combinations(order, 2):
            assert m.rank_of_bracket(one) < m.rank_of_bracket(other), (one, other)


BRACKETS = (
    a_room_closes_where_it_does_so_at_every_doubling,
    a_value_is_forced_where_the_slack_vanishes,
    what_says_more_is_told_first,
)


@pytest.mark.parametrize("fact", BRACKETS)
def test_brackets(fact):
    fact(brackets)


@bugs_in(brackets)
def test_a_bug_planted_in_brackets_is_noticed(bug):
    assert bug.is_noticed(BRACKETS)


# ---------------------------------------------------------------------------------------------------------------------
# Rooms


def test_rooms_are_secants_and_what_is_rounding_is_none():
    """Of each entry: its slack before and after a step, of typical size 1, and the room that it leaves."""
    step, noise = float(fraction(forcing.STEP)), forcing.NOISE[False]
    entries = [
        (1.0, 0.0, step),
        (3.0, 1.0, 1.5 * step),
        (-1.0, -2.0, -step),
        (0.0, -1.0, forcing.LEAST),
        (-noise / 2, -1.0, forcing.LEAST),
        (-2 * noise, -1.0, -2 * noise * step / (1 - 2 * noise)),
        (1.0, 1.0, forcing.NO_ROOM),
        (1.0, 2.0, forcing.NO_ROOM),
        (1.0, 1 - noise / 2, forcing.NO_ROOM),
        (-4.0, -3.0, -4.0),
        (np.nan, 0.0, forcing.NO_ROOM),
        (np.inf, 0.0, forcing.NO_ROOM),
    ]
    search = object.__new__(forcing.Forcing)
    search.costly, search.constant = False, forcing.Constant("c", fmpq(2), 1, whole=False)
    before, after, wanted = (np.array([row]) for row in zip(*entries, strict=True))
    found = search._rooms(before, after, SimpleNamespace(typical=1.0))
    assert found == pytest.approx(wanted, rel=1e-9)
    for typical in (0.0, -1.0):
        origin = SimpleNamespace(typical=typical)
        search._rooms(np.array([[4.0, 0.0, -2.0, np.inf, 8.0]]), np.zeros((1, 5)), origin)
        assert origin.typical == 4.0, "the median of what is finite and not zero"
    for shapes in (((2, 3), (2, 2)), ((2, 0), (2, 0))):
        assert (search._rooms(*map(np.ones, shapes), SimpleNamespace(typical=1.0)) == np.full((2, 1), np.inf)).all()


def test_of_each_size_the_instances_with_the_least_room_are_kept():
    made = known("squares").resolve().claim.system.instance
    batches = {n: in_float64(made(x=[1] * n, a=0)) for n in (2, 3)}
    rooms = {2: [5, 3, 9, 1, 7, 2, 8], 3: [4, 6]}
    search = object.__new__(forcing.Forcing)
    search.nears = {}
    for n, met in rooms.items():
        for room in met:
            search.keep(float(room), batches[n], 0)
    found = {size: [near.room for near in nears] for size, nears in search.nears.items()}
    assert found == {f"n={n}": sorted(rooms[n])[: forcing.KEPT] for n in rooms}


def test_an_instance_is_of_a_size_in_all_of_its_axes():
    search = object.__new__(forcing.Forcing)
    plane = LocalmaxStep.instance(z=[[1, 0], [2, 0], [3, 1]])
    for given in ({}, {"n": 3}, {"d": 2}, {"n": 2}, {"d": 1}):
        for more in ({}, {"n": 3}, {"d": 2}, {"d": 3}):
            search.size = given | more
            assert search.is_sized(plane) is (search.size.items() <= {"n": 3, "d": 2}.items())
            assert search.is_sized(in_float64(plane)) is search.is_sized(plane)
    search.size = None
    assert search.is_sized(plane)


def test_a_value_that_is_stronger_by_a_room_is_so_by_parts_of_it():
    for value, way, whole, room in product((0, 3, -3), (1, -1), (True, False), (fmpq(1, 2), fmpq(2))):
        constant = forcing.Constant("c", fmpq(value), way, whole)
        parts = 1 if whole else abs(value) or 1
        assert constant.stronger(room) == value + way * parts * room
        assert constant.step == (1 if whole else forcing.STEP)
        sharpened = dict(constant.in_target(known("squares", "c", "7"), room).sharpened)
        assert sharpened == {"c": str(constant.stronger(room))}


def test_a_rounded_room_is_the_nearest_decimal_beyond_it():
    for room in (0.0123, 123.4, 9.99, 0.999, 1.0, 100.0, 1e-9, 3.5e-7, 99.01):
        unit = fmpq(10) ** (floor(log10(room)) - 1)
        up = rounded_up(room)
        assert (up / unit).q == 1
        assert up - unit < rational(room) <= up
        down = rounded_down(rational(room))
        assert down <= rational(room) < 2 * down


def test_the_rooms_that_are_tried_grow_from_what_floats_see():
    way = object.__new__(brackets._Bracket)
    for room in (1e-12, 1e-3, 0.37, 2.0):
        way.constant = SimpleNamespace(whole=False)
        tried = way._tried(room)
        assert tried == sorted(set(tried))
        assert max(rational(room), brackets.NEAREST) <= tried[0] <= max(rational(room) * fmpq(11, 10), brackets.NEAREST)
        assert len(tried) == len(brackets.SLACKENED)
        way.constant = SimpleNamespace(whole=True)
        assert way._tried(room) == list(range(1, int(4 * room) + 2))
    assert len(way._tried(1e6)) == brackets.MOST_WHOLE + 1


def test_a_constant_is_planned_for_once_and_begins_where_it_is_asked_to():
    claims = matching(["clusters"])
    every = [
        (claim.id, one.name, name)
        for claim in claims
        for one in claim.conclusions
        if one.relation != "== 0" and one.form != Form.EXPERIMENT
        for name in one.constants
    ]
    settings = settings_of(claims, [], [], None, None, None, 5, "as asked")
    assert settings["command"] == "as asked"
    specs = settings["constants"]
    assert [(one["target"]["claim"], one["target"]["conclusion"], one["constant"]) for one in specs] == every
    assert {(one["seed"], one["width"], "seconds" in one, "size" in one) for one in specs} == {(5, "1/1000", False, False)}
    for one in specs:
        conclusion = Target.from_json(one["target"]).resolve().conclusion
        assert one["starts"] == (3000 if conclusion.form in (Form.STATE, Form.STEP) else 400)
        assert "sharpened" not in one["target"] or not one["target"]["sharpened"]
    name = every[0][2]
    settings = settings_of(claims, [name], [], {"n": 3}, 60.0, 7, 0, "")
    assert [(one["constant"], one["size"], one["seconds"], one["starts"]) for one in settings["constants"]] == [
        (name, {"n": 3}, 60.0, 7) for *_, one in every if one == name
    ]
    settings = settings_of(claims, [], [f"{name}=9"], None, None, None, 0, "")
    assert [one["target"]["sharpened"] for one in settings["constants"]] == [
        {name: "9"} for *_, one in every if one == name
    ]


def test_a_refuted_value_without_a_certificate_says_why(monkeypatch):
    """As that of a chance which is too small."""

    def unwitnessed(*_given):
        raise ValueError("the verdict does not say where it is violated")

    monkeypatch.setattr(brackets, "witnessed", unwitnessed)
    found = bracketed("squares", "factor", small=True)
    assert found["word"] == ConstantStatus.SHARP
    assert found["no_certificate"] == "the verdict does not say where it is violated"
