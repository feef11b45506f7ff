"""What is known of constants: in words, in a picture, merged into the data of the package, and by the command."""

import json
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from claims.atlas.pictures.brackets import WIDEST, bracket_picture
from claims.atlas.pictures.scenes import Dot, Level
from claims.campaigns.engines import fingerprint
from claims.campaigns.ledger import Ledger
from claims.certificates import constants, tables
from claims.certificates.constants import BRACKETS, bracket_in_words
from claims.certificates.current import is_current
from claims.certificates.marked_tables import with_tables
from claims.cli import ledgers
from claims.cli import sharpen as command
from claims.sharpening import brackets, record
from claims.sharpening.brackets import bracket, spec_of
from claims.stating.catalogue import catalogue
from claims.stating.statement import Standing
from claims.targets.target import Target
from dynamics.arithmetic import rational
from tests import calling
from tests.in_process import InProcess
from tests.planting import bugs_in
from tests.sharpening.inequalities import OWN, STOPS, as_it_is

ROOT = Path(__file__).parents[2]

run = partial(calling.run, "sharpen")
refused = partial(calling.refused, "sharpen")

PROVED = {"proved": {"value": "5/2", "for_all": ["n = 2, d = 1", "n = 3, d = 1"]}}


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"word": "sharp", "attained": True, "refuted": "3"}, "sharp: it is attained"),
        ({"word": "sharp", "attained": False, "refuted": "2001/1000"}, "sharp: 2001/1000 is refuted"),
        (
            {"word": "sharp", "attained": True, "refuted": "3", "sides": 2},
            "sharp: it is attained, on the nearer of two sides",
        ),
        (
            {"word": "sharp in the limit", "along": "x -> 0", "refuted": "21/10"},
            "sharp in the limit: 21/10 is refuted, as x -> 0",
        ),
        (
            {"word": "improvable", "refuted": "3"} | PROVED,
            "improvable: 3 is refuted, 5/2 is proved for all n = 2, d = 1; n = 3, d = 1",
        ),
        ({"word": "improvable"} | PROVED, "improvable: 5/2 is proved for all n = 2, d = 1; n = 3, d = 1"),
        ({"word": "unknown", "refuted": "3"}, "between 2 and 3: 3 is refuted"),
        ({"word": "unknown"}, "unknown"),
        ({"word": "no bracket", "reason": "an identity"}, "no bracket: an identity"),
        ({"word": "refuted as printed", "refuted": "2", "sides": 2}, "refuted as printed"),
    ],
)
def test_every_word_is_told(entry, words):
    assert bracket_in_words({"value": "2"} | entry) == words


def test_a_picture_has_a_row_for_each_size_and_ends_where_it_says():
    sizes = {f"n={n},d=1": f"{n}" for n in range(3, 14)} | {"n=2,d=1": "5/2", "n=20,d=1": "40"}
    entry = {"constant": "c", "value": "2", "word": "improvable", "refuted": "5/2", "by_size": sizes}
    entry |= {"proved": {"value": "9/4", "for_all": ["n = 2"]}}
    picture = bracket_picture(entry)
    (scene,) = picture.frames
    ends = [shape.point for shape in scene.shapes if isinstance(shape, Dot)]
    assert ends == [(2.5, -1), (2.5, -2), (3, -3), (4, -4), (5, -5), (6, -6), (6, -7), (6, -8), (6, -9)]
    assert max(x for x, _ in ends) == 2 + WIDEST * 2
    assert [shape.at for shape in scene.shapes if isinstance(shape, Level)] == [2, 2.25]
    assert picture.alt.startswith("c = 2, improvable: 5/2 is refuted, 9/4 is proved for all n = 2. every size met: 5/2; ")
    assert bracket_picture({"constant": "c", "value": "2", "word": "unknown"}) is None
    assert bracket_picture(entry | {"by_size": {}}) is None


WHERE = ("clusters.hull_shrinks", "edges_move_inward", "room")


@pytest.fixture(scope="module")
def found():
    """A bracket of the suite's own, with few starts."""

    spec = spec_of(Target(*WHERE[:2]), WHERE[2], 0, 16)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(brackets, "simplify", as_it_is)
        patch.setattr(brackets, "MOST_PROVING", 0)
        return spec, bracket(spec)


def ledger_of(folder, *tasks):
    with Ledger(folder) as ledger:
        ledger.begin({"code": fingerprint(), "constants": []})
        for spec, result in tasks:
            ledger.record(spec, result, 1.0, "here")
    return folder


def test_ledgers_are_merged_to_the_narrower_bracket_of_todays_formulas(found, tmp_path):
    spec, one = found
    entry = record.entry_of(one)
    assert "certificate" in one
    assert "certificate" not in entry
    assert is_current(entry)
    assert record.refutation(entry) is not None
    assert record.refutation(entry | {"refuted": entry["value"]}) is None
    narrower, wider = one | {"room": "1/90000", "slack": "-7"}, one | {"room": "9"}
    more = ledger_of(tmp_path / "more", (spec, wider), (spec | {"seed": 1}, narrower), (spec | {"seed": 2}, one))
    assert record.merged_brackets([entry], [more])[WHERE]["slack"] == "-7"
    assert record.merged_brackets([], []) == {}
    others = (
        (spec, narrower | {"text": "of other formulas"}),
        (spec | {"width": "1/10"}, narrower),
        (spec | {"size": {"n": 3}}, narrower),
        (spec | {"target": spec["target"] | {"sharpened": {"room": "3"}}}, narrower),
        (spec | {"target": spec["target"] | {"file": "own.py", "source": OWN}}, narrower),
        (spec | {"constant": "gone"}, narrower | {"constant": "gone"}),
    )
    assert record.merged_brackets([], [ledger_of(tmp_path / "others", *others)]) == {}
    stale = entry | {"text": "of other formulas"}
    assert not is_current(stale)
    assert record.merged_brackets([entry | {"constant": "gone"}], []) == {}
    kept = record.merged_brackets([stale], [])
    assert list(kept) == [WHERE]
    assert is_current(kept[WHERE])
    assert not is_current(entry | {"conclusion": "gone"})


STALE = {"text": "of other formulas", "attained": True, "along": "x -> 0", "proved": {"value": "2", "for_all": ["n = 2"]}}


def test_of_other_formulas_what_the_instance_decides_today_is_kept(found, monkeypatch):
    _, one = found
    entry = record.entry_of(one)
    attained = entry.get("attained", False)
    of_it = (*record.OF_THE_INSTANCE, "text", "slack", "forced")
    for word, left in (
        ("sharp", {"word": "sharp", "attained": attained}),
        ("sharp in the limit", {"word": "sharp", "attained": attained}),
        ("improvable", {"word": "unknown"}),
        ("unknown", {"word": "unknown"}),
    ):
        kept = record.decided_today(entry | STALE | {"word": word, "slack": "old"})
        by_size = {"by_size": {entry["size"]: entry["refuted"]}}
        assert kept == {name: entry[name] for name in of_it if name in entry} | left | by_size
    # Each of these is decided otherwise today: by the value, the hypotheses, the model, or the constant itself.
    for other in (
        {"refuted": entry["value"]},
        {"instance": entry["instance"] | {"x": [[0], [0]]}},
        {"instance": entry["instance"] | {"x": "no array"}},
        {"value": "7"},
    ):
        assert record.decided_today(entry | STALE | other) is None, other
    assert record.decided_today({k: v for k, v in (entry | STALE).items() if k != "refuted"}) is None
    refuted = record.decided_today(entry | STALE | {"word": "refuted as printed"})
    assert refuted is not None
    assert refuted["word"] == "refuted as printed"
    assert not {"held_false", "by_size"} & set(refuted)
    held = replace(catalogue()[WHERE[0]], standing=Standing.FALSE)
    resolve = Target.resolve
    monkeypatch.setattr(Target, "resolve", lambda target: replace(resolve(target), claim=held))
    assert record.decided_today(entry | STALE | {"word": "refuted as printed"})["held_false"]


def test_the_data_is_written_and_decided_again(found, tmp_path, monkeypatch, capsys):
    for module in (tables, record):
        monkeypatch.setattr(module, "EVIDENCE", tmp_path)

    def forget():
        vars(BRACKETS).pop("stored", None)
        constants.brackets_of.cache_clear()

    forget()
    try:
        assert BRACKETS.stored == {}
        forget()
        assert record.main([str(ledger_of(tmp_path / "ledger", found))]) == 0
        assert capsys.readouterr().out == "1 constants, 1 with a refuted value\n"
        forget()
        assert list(BRACKETS.stored) == [WHERE]
        assert list(constants.brackets_of(WHERE[0])) == [WHERE[1:]]
        assert record.main(["--again", "3"]) == 0
        assert capsys.readouterr().out == "1 of 1 refuted again\n"
        text = (tmp_path / BRACKETS.name).read_text()
        wrong = json.dumps(found[1]["value"])
        (tmp_path / BRACKETS.name).write_text(text.replace(f'"refuted":"{found[1]["refuted"]}"', f'"refuted":{wrong}'))
        forget()
        assert record.main(["--again", "3"]) == 1
        assert capsys.readouterr().out == f"0 of 1 refuted again\n{'.'.join(WHERE)}\n"
        # Decided again as far as the instance goes, once the value is the right one and only the formulas are others.
        (tmp_path / BRACKETS.name).write_text(text.replace(f'"text":"{found[1]["text"]}"', '"text":"of other formulas"'))
        forget()
        assert record.main([]) == 0
        told = "1 entries are of other formulas; 1 are kept as far as their instance decides"
        assert capsys.readouterr().out == f"1 constants, 1 with a refuted value\n{told}:\n{'.'.join(WHERE)}\n"
        forget()
        assert list(constants.brackets_of(WHERE[0])) == [WHERE[1:]]
        for bad in (
            ["--again", "0"],
            ["--again", "1", "folder"],
            ["--page", "page.md", "folder"],
            [str(tmp_path / "none")],
        ):
            with pytest.raises(SystemExit):
                record.main(bad)
    finally:
        forget()
    with pytest.raises(ValueError, match="not brackets of format"):
        BRACKETS.parsed("{}")


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A file with inequalities, in a folder where the command runs in this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(brackets, "simplify", as_it_is)
    monkeypatch.setattr(brackets, "MOST_PROVING", 0)
    monkeypatch.setattr(command, "WORK", "tests.sharpening.inequalities:stopping")
    monkeypatch.setenv(STOPS, str(tmp_path / "stops"))
    (tmp_path / "known.py").write_text(OWN)

    @contextmanager
    def here(*_):
        yield InProcess()

    monkeypatch.setattr(ledgers, "engine_of", here)
    return ["--file", "known.py", "--starts", 60]


def test_the_command_tells_brackets_and_writes_certificates(own, tmp_path):
    chosen = [*own, "--constant", "c", "--constant", "excess", "--out", "new", "--json", "found.json"]
    said = run(*chosen, code=1).stdout
    assert "2 tasks; the ledger is in new" in said
    assert "1 no bracket" in said
    assert "1 refuted as printed" in said
    found = json.loads((tmp_path / "found.json").read_text())["brackets"]
    assert [one["conclusion"] for one in found] == ["idle", "wrong"]
    certificates = sorted((tmp_path / "new" / "certificates").iterdir())
    assert len(certificates) == 1
    for path in certificates:
        assert f"claims check --run-source {path.relative_to(tmp_path)}" in said
        calling.run("check", path, "--run-source")


def test_another_value_that_is_refuted_is_not_called_printed(own, tmp_path):
    said = run(*own, "--around", "excess=5/2", "--out", "new").stdout
    assert "1 refuted\n" in said
    assert "as printed" not in said


def test_rooms_of_whole_numbers_and_of_zero_are_no_parts():
    assert command._room({"value": "3", "room": "1", "whole": True}) == "1"
    assert command._room({"value": "0", "room": "1/8"}) == "1/8"
    assert command._room({"value": "3", "room": "1/8"}) == "12.5 %"
    assert command._room({"value": "3"}) == ""


def test_a_stopped_run_is_resumed_and_repeats_nothing(own, tmp_path):
    (tmp_path / "stops").touch()
    chosen = [*own, "--constant", "c", "--constant", "k", "--constant", "least", "--out", "new"]
    said = run(*chosen, code=130).stdout
    assert "1 constants," in said
    assert "stopped; continue with: claims sharpen --resume new" in said
    (tmp_path / "stops").unlink()
    said = run("--resume", "new", "--json", "resumed.json").stdout
    assert "3 constants," in said
    run(*chosen[:-1], "whole", "--json", "whole.json")
    assert (tmp_path / "resumed.json").read_text() == (tmp_path / "whole.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--to", "1"], "'1' is no width: write 1% or 0.1%"),
        (["--to", "100%"], "between 0% and 100%"),
        (["--constant", "room", "--constant", "bogus"], "no inequality chosen has a constant bogus: there are "),
        (["--around", "bogus=2"], "no inequality chosen has a constant bogus"),
        (["--around", "room=2", "--constant", "share"], "no constant is in both --constant and --around"),
        (["--around", "room"], "room"),
        (["--size", "n"], "'n' is no size: write n=3,d=2"),
        (["--size", "m=3"], "clusters.hull_shrinks has no size m=3: its sizes are d, n, at least 1"),
        (["--size", "n=0"], "clusters.hull_shrinks has no size n=0"),
        (["--json", "nowhere/found.json"], "its folder does not exist"),
        (["--resume", "new"], "--resume continues a sharpening as it was begun: PATTERN, --starts cannot be given again"),
    ],
)
def test_bad_usage_is_one_sentence_and_leaves_no_folder(monkeypatch, tmp_path, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert words in refused("clusters.hull_shrinks", "localmax.norms_grow_under_hardmax", "--starts", 60, *arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_folder_is_not_resumed(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert "holds no sharpening" in refused("--resume", "new")
    assert "--to cannot be given again" in refused("--resume", "new", "--to", "1%")
    with Ledger(tmp_path / "hunt") as ledger:
        ledger.begin({"targets": [], "seed": 1, "code": "any"})
    assert "of another campaign than brackets of constants" in refused("--resume", "hunt")


# ---------------------------------------------------------------------------------------------------------------------
# Constants that can be better


def test_the_table_of_constants_that_can_be_better_is_that_of_today():
    page = ROOT / "docs" / "hunting.md"
    text = page.read_text(encoding="utf-8")
    assert with_tables(page.name, text, {record.TABLE: record.improvable()}, record.COMMAND) == text, record.COMMAND


def test_of_two_brackets_the_narrower_is_kept_with_what_is_proved_within_it():
    wide = {
        "word": "improvable",
        "value": "1",
        "refuted": "3",
        "room": "2",
        "proved": {"value": "3/2", "for_all": ["n = 2"]},
    }
    narrow = {"word": "unknown", "value": "1", "refuted": "2", "room": "1"}
    joined = narrow | {"word": "improvable", "proved": wide["proved"]}
    assert record.of_two(wide, narrow) == record.of_two(narrow, wide) == joined
    # What is proved at a small size may be refuted at another one: it is no improvement.
    nearer = {"word": "unknown", "value": "1", "refuted": "5/4", "room": "1/4"}
    assert record.of_two(wide, nearer) == record.of_two(nearer, wide) == nearer
    sharp = {"word": "sharp", "value": "1", "refuted": "1001/1000", "room": "1/1000", "attained": True}
    assert record.of_two(wide, sharp) == sharp


def a_proof_beside_a_bracket_counts_within_it_alone(m):
    """Value, proved and refuted in every order, ends that meet among them: at the value or beyond an end it is none."""
    for value, proved, refuted in product(("1", "3/2", "2"), repeat=3):
        other = {"word": "improvable", "value": value, "refuted": "9", "room": "8", "proved": {"value": proved}}
        kept = {"word": "unknown", "value": value, "refuted": refuted, "room": "1"}
        inside = min(value, refuted, key=rational) != proved != max(value, refuted, key=rational) and (
            (rational(value) < rational(proved)) == (rational(proved) < rational(refuted))
        )
        expected = kept | {"word": "improvable", "proved": other["proved"]} if inside else kept
        assert m.of_two(kept, other) == m.of_two(other, kept) == expected, (value, proved, refuted)


def test_a_proof_beside_a_bracket_counts_within_it_alone():
    a_proof_beside_a_bracket_counts_within_it_alone(record)


@bugs_in(record)
def test_a_bug_planted_in_the_record_is_noticed(bug):
    assert bug.is_noticed([a_proof_beside_a_bracket_counts_within_it_alone])
