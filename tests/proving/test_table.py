"""The table of what is proved: of today's formulas, proved again, renewed, shown."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import pytest

from claims.certificates import current
from claims.certificates.published import published
from claims.formal import size_proofs
from claims.hunting.rounds import instance_of
from claims.proving import renewing, table, version
from claims.proving.exploring import Size
from claims.proving.proof import Attempt, ProofStatus
from claims.proving.table import PROOFS, PROVED, proved_of
from claims.stating import formulas
from claims.stating.assumptions import size
from claims.stating.catalogue import catalogue
from claims.targets.target import Target
from dynamics.attention import attention
from dynamics.tokens.self_attention import RescaledFlow
from tests.calling import run
from tests.planting import one_in
from tests.proving.solver_processes import solvers_or_skip
from tests.test_walls import HOUSE, imported

FALSE = ("polarization.values_follow_replicator", "values_rise_above_average_only")
TRUE = ("polarization.weights_follow_exact_replicator", "scores_rise_above_average")
HANDFUL = (
    TRUE,
    ("polarization.leading_score_gaps_grow", "score_gap_rate"),
    ("localmax.norm_gain_pays_for_the_gaps", "norm_gain"),
)


@pytest.fixture
def solvers():
    solvers_or_skip()


def test_every_entry_is_of_today_s_formulas():
    """Where this fails: python -m claims.proving.renewing."""
    assert [key for key, entry in PROOFS.stored.items() if not current.is_current(entry)] == []


def test_the_table_says_what_an_attempt_says():
    assert ProofStatus.PROVED == PROVED
    for (claim, conclusion), entry in PROOFS.stored.items():
        assert (claim, conclusion) == (entry["claim"], entry["conclusion"])
        assert conclusion in {one.name for one in catalogue()[claim].conclusions}
        for one in entry["tried"]:
            ProofStatus(one["verdict"])
            assert ("for_all" in one) == ("how" in one) == (one["verdict"] == PROVED) == ("reason" not in one)
            assert one["seconds"] >= 0


def contradicted(table) -> list[str]:
    """Conclusions that are said to be proved at the size of a published counterexample."""
    found = []
    for name, certificate in published().items():
        claim, conclusion = certificate["claim"]["id"], certificate["conclusion"]["name"]
        entry = table.get((claim, conclusion))
        if certificate["assumptions"]["dropped"] or entry is None:
            continue
        system = instance_of(Target(claim, conclusion).resolve(), certificate["instance"])
        sizes = [one["size"] for one in entry["tried"] if one["verdict"] == PROVED]
        found += [name for size in sizes if Size.of(type(system), size).fits(system)]
    return found


def test_a_hypothesis_is_told_with_the_numbers_that_it_was_made_with():
    """One bound is not another, though both are compared by the same line."""
    two, three = (current._text(size("some_rows", "T", least=least).satisfies) for least in (2, 3))
    assert "least = 2" in two
    assert two != three


def test_no_published_counterexample_is_of_a_size_that_is_proved():
    assert contradicted(PROOFS.stored) == []
    size = {"p": 3}
    printed = ("polarization.score_gaps_grow", "score_gap_rate")
    assert contradicted({printed: {"tried": [{"verdict": PROVED, "size": size}]}}) == ["polarization/score_gaps_grow.json"]


def test_the_false_conclusion_is_not_proved():
    assert not any(one["verdict"] == PROVED for one in PROOFS.stored[FALSE]["tried"])


def test_a_handful_is_proved_again(solvers):
    chosen = one_in(3, HANDFUL)
    assert list(renewing.again({key: PROOFS.stored[key] for key in chosen}, [claim for claim, _ in chosen], 2)) == []


def test_what_is_not_proved_again_is_told(solvers):
    """A false statement said to be proved, and another size than was tried."""
    forged = copy.deepcopy(PROOFS.stored[FALSE])
    forged["tried"][0] |= {"verdict": PROVED, "for_all": "p = 2"}
    (told,) = renewing.again({FALSE: forged}, [FALSE[0]], 100)
    assert "VIOLATED at p = 2" in told
    widened = copy.deepcopy(PROOFS.stored[TRUE])
    widened["tried"] = [widened["tried"][0] | {"for_all": "p = 3"}]
    (told,) = renewing.again({TRUE: widened}, [TRUE[0]], 100)
    assert "proved for all p = 3" in told


def test_the_prover_of_an_entry_is_told_from_today_s(monkeypatch, tmp_path):
    """By its code, and by the solvers that are installed; an entry of before this was noted is an earlier prover's."""
    today = version.prover()
    assert len(today["code"]) == 16
    assert version.otherwise(today) == ""
    assert version.otherwise(None) == version.otherwise(today | {"code": "0"}) == "by an earlier prover"
    monkeypatch.setattr(version, "solver_versions", lambda: {"z3": "2"})
    assert version.otherwise(today | {"z3": "1", "cvc5": "1"}) == "by z3 1"
    monkeypatch.setattr(version, "solver_versions", dict)
    assert version.otherwise(today) == ""
    copy = tmp_path / "rules.py"
    copy.write_bytes((version.HERE / "rules.py").read_bytes())
    same = tuple(copy if file.name == copy.name else file for file in version.PROVER)
    assert version.code(same) == today["code"]
    copy.write_text(copy.read_text() + "# changed")
    version.code.cache_clear()
    assert version.code(same) != today["code"]


def test_the_prover_is_all_that_an_attempt_reaches():
    """Of this room, and of the numbers that all formulas share."""
    reached, waiting = set(), ["claims.proving.attempts"]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            found = imported(HOUSE[name].read_text(encoding="utf-8"), set(HOUSE))
            waiting += [one for one in found if one.startswith("claims.proving.")]
    inside = {name.rpartition(".")[2] for name in reached} - {"attempts", "version", *version.PROPOSING}
    assert inside | {"solver_process"} == {file.stem for file in version.PROVER if file.parent == version.HERE}
    shared = {name.partition(".")[2] for name in formulas.MACHINERY if name.startswith("dynamics.")}
    assert shared == {file.stem for file in version.PROVER if file.parent == version.NUMBERS}


def test_what_an_earlier_prover_proved_is_said_and_proved_again(tmp_path, monkeypatch, planted):
    entry = copy.deepcopy(PROOFS.stored[TRUE])
    (first, *_) = entry["tried"]
    first.pop("prover", None)
    known = {TRUE: entry}
    monkeypatch.setitem(vars(PROOFS), "stored", known)
    assert proved_of(TRUE[0])[0].how == f"{first['how']}; by an earlier prover"
    tried, _ = planted(ProofStatus.UNKNOWN, ProofStatus.PROVED)
    path = tmp_path / "proved.json"

    def again() -> list[str]:
        return list(renewing.again(known, [TRUE[0]], first["seconds"], path, 1))

    (lost, *_) = again()
    assert "planted" in lost
    assert "prover" not in first, "what is not proved again stays as it was"
    again()
    assert first["prover"] == version.prover()
    assert PROOFS.parsed(path.read_text())[TRUE]["tried"][0] == first
    assert not proved_of(TRUE[0])[0].how.endswith("prover")
    before = len(tried)
    assert list(renewing.again({TRUE: entry | {"tried": [first]}}, [TRUE[0]], 100, path, 1)) == []
    assert len(tried) == before, "what is today's is not tried again"


def test_an_entry_of_other_formulas_is_neither_read_nor_proved_again(monkeypatch):
    stale, other = PROOFS.stored[TRUE] | {"text": "0" * 64}, PROOFS.stored[FALSE]
    monkeypatch.setitem(vars(PROOFS), "stored", {TRUE: stale})
    assert [*proved_of(TRUE[0]), *size_proofs.proved([TRUE[0]])] == []
    assert list(renewing.again({TRUE: stale}, [TRUE[0]], 2)) == [f"{'.'.join(TRUE)} has changed since it was tried"]
    assert table.current([stale, other]) == {FALSE: other}


def test_an_entry_is_of_a_claim_and_a_conclusion_that_there_are(monkeypatch):
    (key, entry), other = next(iter(PROOFS.stored.items())), "clusters.hull_shrinks"
    assert current.is_current(entry)
    changes = {"claim": "clusters.nothing"}, {"claim": other}, {"conclusion": "nothing"}, {"text": entry["text"][::-1]}
    for change in changes:
        changed = entry | change
        assert not current.is_current(changed), change
        assert table.current([changed]) == {}
        monkeypatch.setitem(vars(PROOFS), "stored", {key: changed})
        assert table.proved_of(changed["claim"]) == []


def test_the_text_of_an_entry_is_of_slack_and_hypotheses(monkeypatch):
    """Words may change; a formula may not."""
    target, claim = Target(*TRUE), catalogue()[TRUE[0]]
    text = current.statement_digest(target)
    monkeypatch.setattr(claim, "statement", "Other words.")
    assert current.statement_digest(target) == text
    monkeypatch.setattr(claim, "assumptions", claim.assumptions[:-1])
    assert current.statement_digest(target) != text
    monkeypatch.undo()
    other = [replace(one, slack=lambda f: f.u) if one.name == TRUE[1] else one for one in claim.conclusions]
    monkeypatch.setattr(claim, "conclusions", other)
    assert current.statement_digest(target) != text


@pytest.mark.parametrize("part", [RescaledFlow, attention])
def test_the_text_of_an_entry_is_of_the_model_too(monkeypatch, part):
    """A field that changes moves other tokens; so does a function that it uses."""
    target, source = Target("clusters.hull_shrinks", "support_never_grows"), formulas._source
    text = current.statement_digest(target)
    monkeypatch.setattr(formulas, "_source", lambda thing: source(thing) + "# changed" * (thing is part))
    monkeypatch.setattr(current, "_text", current._text.__wrapped__)
    assert current.statement_digest(target) != text
    monkeypatch.setattr(formulas, "_source", source)
    assert current.statement_digest(target) == text


@pytest.fixture
def planted(monkeypatch):
    """Attempts that end by the words that are given, then as what may be proved says; and what was asked, and on boxes."""
    asked, on_boxes = [], []

    def plant(*words: ProofStatus, proved: str = ""):
        left = iter(words)

        def attempted(target, size, budget, limit, bounds=None):
            (on_boxes if bounds else asked).append((target.conclusion, size["p"]))
            word = next(left, ProofStatus.PROVED if target.conclusion == proved else ProofStatus.UNKNOWN)
            return Attempt(target, dict(size), told=f"p = {size['p']}", word=word, reason="planted", seconds=3)

        monkeypatch.setattr(renewing, "attempted", attempted)
        return asked, on_boxes

    return plant


def test_renewing_goes_on_where_it_was_and_climbs_from_what_was_proved(tmp_path, planted, solvers):
    asked, on_boxes = planted(proved=TRUE[1])
    claim, path = catalogue()[TRUE[0]], tmp_path / "proved.json"
    names = [one.name for one in claim.conclusions]
    renewing.renew_table([claim], path, minutes=1, budget=1)
    assert asked == [*((name, 2) for name in names), (TRUE[1], 3)]
    assert on_boxes == [(name, 2) for name in names if name != TRUE[1]], "what is open is tried on a box"
    renewing.renew_table([claim], path, minutes=1, budget=1)
    assert len(asked + on_boxes) == 2 * len(names), "what is known is not tried again"
    known = PROOFS.parsed(path.read_text())
    assert [one.get("for_all") for one in known[TRUE]["tried"]] == ["p = 2", "p = 3"]
    PROOFS.save(path, known | {TRUE: known[TRUE] | {"text": "stale"}}, {})
    renewing.renew_table([claim], path, minutes=1, budget=1)
    assert asked[len(names) + 1 :] == [(TRUE[1], 2), (TRUE[1], 3)]


def test_what_an_earlier_prover_left_open_is_tried_again_once(tmp_path, planted):
    """What is held true first, however long it took; what was proved stays proved."""
    claims, path = [catalogue()[FALSE[0]], catalogue()[TRUE[0]]], tmp_path / "proved.json"
    entry, other = copy.deepcopy(PROOFS.stored[TRUE]), copy.deepcopy(PROOFS.stored[FALSE])
    first, *_ = entry["tried"]
    stays = first | {"size": {"p": 5}, "verdict": "unknown", "prover": version.prover()}
    left = {"verdict": "unknown", "prover": None, "reason": "no time"}
    entry["tried"] = [first | left | {"seconds": 9}, first | {"size": {"p": 4}, "prover": None}, stays]
    other["tried"] = [other["tried"][0] | left | {"size": {"p": 6}, "seconds": 1}]
    asked, _ = planted(ProofStatus.PROVED, ProofStatus.PROVED)
    for _ in range(2):
        renewing.retried({TRUE: entry, FALSE: other}, claims, path, 1, 7)
        assert asked == [(TRUE[1], 2), (FALSE[1], 6)]
    found = PROOFS.parsed(path.read_text())[TRUE]["tried"]
    told = [(one["verdict"], one["prover"] == version.prover()) for one in found]
    assert told == [("PROVED", True), ("PROVED", False), ("unknown", True)]
    assert "reason" not in found[0], "nothing is left of the attempt before"


def test_a_size_beyond_the_ladder_is_tried_of_what_was_proved_and_is_no_rung(tmp_path, planted, solvers):
    """Of what is proved at the smallest size and refuted nowhere, once; what is tried on the ladder stays the same."""
    asked, _ = planted()
    claim, path = catalogue()[TRUE[0]], tmp_path / "proved.json"
    names = [one.name for one in claim.conclusions]
    known = {key: copy.deepcopy(PROOFS.stored[key]) for key in ((claim.id, name) for name in names)}
    for entry in known.values():
        entry["tried"] = entry["tried"][:1]
    known[claim.id, names[0]]["tried"][0] |= {"verdict": "VIOLATED", "reason": "planted"}
    wanted = [name for name in names if known[claim.id, name]["tried"][0]["verdict"] == PROVED]
    assert wanted
    before = list(renewing.to_be_tried([claim], known))
    PROOFS.save(path, known, {})
    renewing.renew_table([claim], path, 1, 1, {"p": 5})
    renewing.renew_table([claim], path, 1, 1, {"p": 5})
    assert sorted(asked) == sorted((name, 5) for name in wanted)
    assert list(renewing.to_be_tried([claim], PROOFS.parsed(path.read_text()))) == before


def test_a_table_is_read_as_it_was_written():
    text = PROOFS.text(PROOFS.stored, {"z3": "1"})
    assert PROOFS.parsed(text) == PROOFS.stored
    with pytest.raises(ValueError, match="not a table"):
        PROOFS.parsed(json.dumps({"format": "other", "entries": []}))


def test_show_prints_what_is_proved():
    (one,) = (found for found in proved_of(TRUE[0]) if found.conclusion == TRUE[1] and found.for_all == "p = 2")
    assert f"{one.text} ({one.how}" in " ".join(run("show", TRUE[0]).stdout.split())
    assert "PROVED" not in run("show", FALSE[0]).stdout


def test_bad_arguments_are_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(renewing, "require", lambda: None)
    with pytest.raises(SystemExit):
        renewing.main(["nothing_like_it"])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        renewing.main([TRUE[0]])
    assert "run this at the root" in capsys.readouterr().err
