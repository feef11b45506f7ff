"""The folder of an atlas: written whole, never over what somebody else wrote; its text is never markup."""

from __future__ import annotations

import json

import pytest

from claims.atlas.building import MARK, FolderError, check_place, write_folder
from tests.atlas.conftest import HOSTILE
from tests.atlas.links import Page, dead_links, links_of, words_of

FILES = {"index.html": "<p>one", "deep/page.html": "<p>two"}


def texts(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_folder_is_written_whole_and_written_again(tmp_path):
    out = tmp_path / "site"
    write_folder(out, FILES)
    assert {name: text for name, text in texts(out).items() if name != MARK} == FILES
    # Fewer pages than before: what an atlas wrote itself it also takes away.
    write_folder(out, {"index.html": "<p>new"})
    assert set(texts(out)) == {"index.html", MARK}
    assert [path.name for path in tmp_path.iterdir()] == ["site"], "nothing is left beside it"


def test_an_empty_folder_is_taken_and_a_file_that_was_put_into_it_is_left_alone(tmp_path):
    write_folder(tmp_path, FILES)
    # Deep inside of what an atlas wrote: a look at the top alone would not see it.
    (tmp_path / "deep" / "notes.txt").write_text("mine")
    before = texts(tmp_path)
    assert before["deep/page.html"] == "<p>two"
    with pytest.raises(FolderError, match=r"notes\.txt, which no atlas wrote"):
        write_folder(tmp_path, FILES)
    assert texts(tmp_path) == before


@pytest.mark.parametrize(
    "mark", [None, "", "[]", '{"format": "another", "files": ["thesis.tex"]}', '{"format": "attention-claims atlas 1"}']
)
def test_a_folder_of_somebody_else_is_left_alone_whatever_its_mark_says(tmp_path, mark):
    (tmp_path / "thesis.tex").write_text("years of work")
    if mark is not None:
        (tmp_path / MARK).write_text(mark)
    before = texts(tmp_path)
    with pytest.raises(FolderError, match="other files than an atlas"):
        write_folder(tmp_path, FILES)
    assert texts(tmp_path) == before


def test_links_and_files_are_no_folder(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "elsewhere").mkdir()
    # Followed, it would lead to a folder that somebody else may have filled.
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    for name in ("file", "link"):
        with pytest.raises(FolderError, match="is no folder"):
            check_place(tmp_path / name)
    with pytest.raises(FolderError, match="its folder does not exist"):
        check_place(tmp_path / "a" / "b")


def test_when_writing_fails_the_old_atlas_stays(tmp_path, monkeypatch):
    out = tmp_path / "site"
    write_folder(out, FILES)
    monkeypatch.setattr(
        # As a full disk answers, on the first file.
        "pathlib.Path.write_bytes",
        lambda self, data: (_ for _ in ()).throw(OSError(28, "No space left on device")),
    )
    with pytest.raises(FolderError, match="No space left"):
        write_folder(out, {"index.html": "<p>new"})
    assert (out / "index.html").read_text() == "<p>one"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_no_link_of_the_small_atlas_is_dead_and_its_mark_lists_its_files(small):
    found = texts(small)
    assert dead_links(found) == []
    assert json.loads(found[MARK])["files"] == sorted(set(found) - {MARK})


def test_hostile_words_are_text_on_every_page(small):
    assert "<script>" in HOSTILE
    shown = 0
    for name, text in texts(small).items():
        if not name.endswith(".html"):
            continue
        page = Page(text)
        scripts = [one.given for one in page.all("script")]
        data = [{"src": "assets/search.js"}] if name == "index.html" else []
        assert scripts == [{"src": scripts[0]["src"], "defer": None}, *data], name
        assert scripts[0]["src"].endswith("assets/atlas.js")
        assert page.all("img", "b", "iframe") == [] == [one for one in page.elements if "onerror" in one.given], name
        assert "\u202e" not in text, name
        assert {one.given[part] for one in page.elements for part in ("href", "src") if part in one.given} == links_of(text)
        assert " ".join("".join(page.text).split()) == words_of(text)
        shown += "document.title" in "".join(page.text)
    assert shown == 3, "the index, the paper's page and the claim's own"


def test_evidence_and_answers_stand_on_the_pages(small):
    own = words_of((small / "own" / "hostile_words.html").read_text())
    assert "The verdicts bear the standing out." in own
    assert "the tightest instance of this run of `claims verify`, decided: exact" in own
    cycle = words_of((small / "localmax" / "every_token_converges.html").read_text())
    assert "CONFIRMED by the independent checker" in cycle
    other = words_of((small / "polarization" / "score_gaps_grow.html").read_text())
    assert "Not checked in this build" in other
    assert "gaps between losing scores close again" in other
