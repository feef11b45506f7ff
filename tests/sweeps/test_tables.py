"""What is written of the record of trained runs: its words, its page, and what is trained again."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from claims.campaigns.ledger import Ledger
from claims.certificates.marked_tables import END, with_tables
from claims.cli.wording import WORDS
from claims.polarization.setting.transformers import CLASSIFIER
from claims.stating.experiments import COMPARISONS, Comparison, Word
from claims.stating.statement import Origin
from claims.sweeps import record
from claims.sweeps.tables import COMMAND, tables, told_by_holm_alone, words
from tests.sweeps.pretended import DESIGN


@pytest.fixture(scope="module")
def readings():
    """Every question of an empirical claim to the record, with its claim."""
    return [
        (claim, reading)
        for claim, conclusions in words().items()
        for readings in conclusions.values()
        for reading in readings
    ]


def test_the_level_is_divided_by_the_number_of_questions_and_intervals_agree_with_the_words(readings):
    assert len(readings) == COMPARISONS
    assert {reading.among for _, reading in readings} == {COMPARISONS}
    assert set(WORDS) == set(Word)
    assert all(word.meaning for word in Word)
    for claim, reading in readings:
        if isinstance(reading, Comparison) and reading.word is Word.BORNE_OUT:
            low, high = reading.interval
            assert low > 0 if reading.rises else high < 0, reading.name
        # What the paper does not assert of transformers cannot be denied of them: it does not carry over.
        carried = claim.origin is Origin.CARRIED_OVER
        assert isinstance(reading, Comparison) or (reading.opposite is Word.NOT_CARRIED) == carried
        if reading.word is Word.CONTRADICTED:
            assert all(sample.printed for sample in reading.samples.values())


@pytest.mark.parametrize(
    ("chances", "more"), [([0.001, 0.014, 0.03, 0.03], ["b"]), ([0.001, 0.02, 0.02, 0.02], []), ([0.3] * 4, [])]
)
def test_holm_s_refinement_goes_on_until_one_is_not_told_apart(monkeypatch, chances, more):
    monkeypatch.setattr("claims.sweeps.tables.COMPARISONS", 4)
    given = [SimpleNamespace(name=name, p=chance, effect="some") for name, chance in zip("abcd", chances, strict=True)]
    assert [one.name for one in told_by_holm_alone(given)] == more


def test_words_that_were_disputed(readings):
    """Told apart: flips with two heads. Not denied: what has no room, what is in the printed direction, what is ours."""
    found = {(claim.id.partition(".")[2], reading.name): reading for claim, reading in readings}
    for name in ("2 heads, with perceptron and norm", "2 heads, attention only", "2 layers, attention only"):
        assert found["more_heads_and_layers_flip_less", name].word is Word.BORNE_OUT
    elu = found["shifted_queries_give_fewer_sinks", "elu*elu"]
    assert (elu.word, elu.slack > 0.2, 0.01 < elu.p < 0.02) == (Word.NOT_TOLD, True, True)
    assert found["no_positions_give_more_sinks", "softmax"].word is Word.NO_ROOM
    assert found["heads_duplicate_without_auxiliary_loss", "elu*elu"].word is not Word.CONTRADICTED


PAGE = Path(__file__).parents[2] / "docs" / "transformers.md"


@pytest.mark.skipif(not PAGE.exists(), reason="an installed package has no documents")
def test_the_page_is_what_the_record_says_today():
    text = PAGE.read_text(encoding="utf-8")
    assert with_tables(PAGE.name, text, tables(), COMMAND) == text
    by_hand = [part.rpartition(END)[2] for part in f"{END}{text}".split("<!-- written by")]
    for word in (*Word, "not seen", "too few seeds"):
        allowed = 2 if word is Word.BORNE_OUT else 0  # once for thresholds, once for what verify says
        assert sum(part.count(word) for part in by_hand) <= allowed, word


def classified(hits):
    """A run of a classifier of which so many swaps of twelve flip the label."""
    return {"seed": 0, "epochs": {"accuracy": [1.0], "loss": [0.1]}, "end": {"flips": [[hits]], "swaps": 12}}


@pytest.mark.parametrize(("hits", "another"), [([12] * 6, False), ([12, 12, 12, 12, 12, 11], False), ([0] * 6, True)])
def test_runs_trained_again_may_differ_by_chance(monkeypatch, capsys, hits, another):
    task = {"setting": CLASSIFIER.as_data(), "runs": [classified(12)] * 6}
    again = [classified(one) for one in hits]
    monkeypatch.setattr(record, "train", lambda spec: {"runs": again})
    assert record._is_another(task) is another
    same = "bit for bit the same" if hits == [12] * 6 else f"{sum(one != 12 for one in hits)} of 6 read otherwise"
    assert same in capsys.readouterr().out


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(record, "RECORD", tmp_path / "transformers.json")
    monkeypatch.setattr(record, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(record, "DESIGNS", {"tiny": DESIGN})
    monkeypatch.setattr(record, "missing", lambda: "")
    return tmp_path


def task_of(spec, seconds=1.0, result=1.0):
    names = ("accuracy", "loss", "sinks", "printed_sinks", "largest")
    runs = [{"seed": seed, "epochs": {name: [result] for name in names}, "end": {}} for seed in spec["seeds"]]
    return {"setting": spec["setting"], "seconds": seconds, "runs": runs}


def ledger_of(folder, *tasks):
    """A ledger with these tasks, and one of another campaign."""
    with Ledger(folder) as ledger:
        ledger.begin({"designs": ["tiny"], "seeds": None, "code": "any"})
        ledger.record({"target": "another campaign's"}, {"runs": []}, 1.0, "here")
        for task in tasks:
            seeds = [run["seed"] for run in task["runs"]]
            ledger.record({"setting": task["setting"], "seeds": seeds}, {"runs": task["runs"]}, task["seconds"], "here")
    return folder


def test_sweeps_are_put_into_the_record_in_the_order_of_their_designs_the_latest_counts(place, capsys):
    first, second, third, *_ = list(DESIGN.specs())
    gone = first | {"seeds": [7]}
    known = [task_of(third), task_of(gone), task_of(first, result=0.5)]
    later = ledger_of(place / "later", task_of(first, 2.04, result=0.7), task_of(second, 3.26))
    latest = ledger_of(place / "latest", task_of(first, 4.0, result=0.9))
    found = [task_of(first, 4.0, result=0.9), task_of(second, 3.3), task_of(third)]
    assert record._folded(known, [later, latest]) == found
    assert record._folded(known, []) == [known[2], known[0]]
    record.main([str(ledger_of(place / "one", task_of(first, result=0.5), task_of(third)))])
    assert capsys.readouterr().out == "4 runs in 2 tasks, 2 of them new\n"
    record.main([str(later), str(latest)])
    assert capsys.readouterr().out == "6 runs in 3 tasks, 1 of them new\n"
    assert record._known() == found
    assert len((place / "transformers.json").read_text().splitlines()) == 2 + len(found)


@pytest.mark.parametrize(("count", "others", "code"), [(1, (), 0), (2, (1.0,), 1), (1, (2.0,), 0), (9, (3.0,), 1)])
def test_the_cheapest_are_trained_again_and_one_that_is_another_fails(place, monkeypatch, count, others, code):
    specs = list(DESIGN.specs())[:3]
    (place / "transformers.json").write_text(record._as_text(map(task_of, specs, (3.0, 1.0, 2.0))))
    trained = []
    monkeypatch.setattr(record, "_is_another", lambda task: trained.append(task["seconds"]) or task["seconds"] in others)
    if code:
        with pytest.raises(SystemExit) as ended:
            record.main(["--again", str(count)])
        assert ended.value.code == code
    else:
        record.main(["--again", str(count)])
    assert trained == [1.0, 2.0, 3.0][:count]


def test_what_the_record_cannot_do_is_said(place, monkeypatch, capsys):
    (place / "page.md").write_text("")
    written = []
    monkeypatch.setattr(record, "with_tables", lambda name, text, found, command: written.append((name, found)) or "new")
    monkeypatch.setattr(record, "tables", lambda: {"a": "table"})
    record.main(["--tables"])
    assert (written, (place / "page.md").read_text()) == ([("page.md", {"a": "table"})], "new")
    monkeypatch.setattr(record, "missing", lambda: "no jax")
    for arguments, told in (([], "nothing to do"), (["--again", "1"], "no jax"), ([str(place / "none")], "")):
        with pytest.raises(SystemExit) as ended:
            record.main(arguments)
        assert ended.value.code == 2
        assert told in capsys.readouterr().err
