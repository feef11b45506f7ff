"""Every statement says whose words it is, and the README counts them as they are."""

import re
from collections import Counter
from pathlib import Path

import pytest

from claims.stating.catalogue import catalogue
from claims.stating.statement import ClaimError, Origin, Standing

ROW = re.compile(
    r"\| \*(\w+)\* \| (\d+) \| (\d+) of (\d+) printed \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|"
)


def test_no_place_says_that_it_is_not_printed():
    """That is what an origin is for."""
    assert [claim.id for claim in catalogue().values() if "not printed" in claim.where] == []


def test_only_printed_words_are_false_as_printed():
    words = {claim.standing_word for claim in catalogue().values() if claim.origin is not Origin.PRINTED}
    assert "false as printed" not in words
    assert {claim.standing for claim in catalogue().values() if claim.standing_word == "false as printed"} == {
        Standing.FALSE
    }


def test_an_origin_is_one_of_four():
    claim = next(iter(catalogue().values()))
    with pytest.raises(ClaimError, match=r"origin must be one of Origin\.PRINTED"):
        type(claim)("claims.some", statement="", system=claim.system, origin="printed")


def test_the_readme_counts_statements_as_they_are():
    rows = ROW.findall((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8"))
    assert [row[0] for row in rows] == ["clusters", "frank_wolfe", "localmax", "polarization"]
    for paper, *told in rows:
        own = [claim for claim in catalogue().values() if claim.paper.key == paper]
        false = Counter(claim.origin for claim in own if claim.standing is Standing.FALSE)
        standings = Counter(claim.standing for claim in own)
        counted = [
            len(own),
            false[Origin.PRINTED],
            sum(claim.origin is Origin.PRINTED for claim in own),
            *(false[origin] for origin in (Origin.REPORTED, Origin.CARRIED_OVER, Origin.OURS)),
            standings[Standing.OPEN],
            standings[Standing.EMPIRICAL],
            standings[Standing.NOT_YET],
        ]
        assert list(map(int, told)) == counted, f"README.md counts the statements of {paper} by hand: write {counted}"
