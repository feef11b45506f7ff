"""Every statement of a paper is listed with its claims, or with the reason why it has none."""

import re
from pathlib import Path

import pytest

from claims.stating.catalogue import catalogue
from claims.stating.coverage import THEIRS, Stated, _stated, coverage
from claims.stating.statement import PAPERS


@pytest.mark.parametrize("paper", PAPERS)
def test_what_is_stated_has_claims_or_a_reason(paper: str):
    assert [stated.printed for stated in coverage(paper) if bool(stated.claims) == bool(stated.reason)] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_about_a_papers_own_words_is_listed(paper: str):
    listed = {claim.id for stated in coverage(paper) for claim in stated.claims}
    assert {claim.id for claim in catalogue().values() if claim.paper.key == paper and claim.origin in THEIRS} <= listed


def _numbers(kind: str) -> list[int]:
    """The numbers that follow a word in the polarization paper's list: "equations (25) to (29)" are five."""
    found: list[int] = []
    for stated in coverage("polarization"):
        for part in re.findall(rf"{kind}s? ((?:(?:, | and | to )?\(?\d+\)?)+)", stated.printed):
            ends = [int(number) for number in re.findall(r"\d+", part)]
            found += range(ends[0], ends[1] + 1) if " to " in part else ends
    return found


@pytest.mark.parametrize(("kind", "last"), [("equation", 31), ("Figure", 21), ("Table", 3)])
def test_no_number_of_the_paper_that_was_at_hand_is_left_out(kind: str, last: int):
    assert sorted(_numbers(kind)) == list(range(1, last + 1))


def test_every_numbered_statement_of_the_paper_that_was_at_hand_is_listed():
    text = " ".join(stated.printed for stated in coverage("polarization"))
    parts = {"3.2": "ab", "3.3": "abc", "3.5": "ab", "B.1": "ab", "D.1": "ab"}
    for name in ("Theorem 3.2", "Theorem 3.3", "Lemma 3.5", "Lemma B.1", "Lemma D.1"):
        assert all(f"{name}({part})" in text for part in parts[name.split()[1]])
    assert all(name in text for name in ("Assumption 3.1", "Assumption 3.4", "Lemma D.2", "Property D.3", "Lemma D.4"))


def test_an_unknown_label_is_refused():
    with pytest.raises(LookupError, match="Theorem 9: no claim is labelled T9"):
        _stated("Theorem 9", ["T9"], [])


def test_a_statement_tells_its_standings_or_the_reason():
    claims = tuple(claim for claim in catalogue().values() if {"C-3.2b", "H9"} & set(claim.refs))
    assert Stated("Theorem 3.2(b)", claims, "").verdict == "1 true, 1 false as printed, 4 of ours"
    assert Stated("Table 1", (), "a definition").verdict == "no claim: a definition"


def test_the_readme_counts_what_has_claims():
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    places = [stated for paper in PAPERS for stated in coverage(paper)]
    assert (
        f"Of {len(places)} places where the papers state something, {sum(bool(one.claims) for one in places)} have claims"
        in (" ".join(readme.split()))
    )
