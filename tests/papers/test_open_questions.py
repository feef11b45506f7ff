"""Open questions, and all statements of the clusters paper, are found by their labels; a page says why one has no claim."""

import re
from pathlib import Path

import pytest

from claims.stating.catalogue import catalogue, matching

QUESTIONS = [
    *(f"Q{k}" for k in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13)),
    *(f"OQ-{k}" for k in (1, 3, 4, 5, 6, 7, 8, 9, 10)),
]

CLUSTERS = [
    *(f"{kind}{k}" for kind, most in {"M": 3, "W": 4, "H": 2, "Q": 4, "G": 4, "N": 8, "O": 6, "T": 5}.items()
      for k in range(1, most + 1)),
    *(f"L{k}" for k in range(8)),
    *("E-T1a", "E-T1b", "R7.9", "eq17", "propofS", "C2", "TS", "D4.1", "D5.1", "K4.3"),
    *("5a", "5b", "5c", "5d"),
    *(f"CE{k}" for k in (5, 8, 12, 13, 14, 15)),
]  # fmt: skip
PAGE = (Path(__file__).parents[2] / "docs" / "statements.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## What has no claim here")[2].partition("Parts of a label")[0]
WITHOUT = re.findall(r"^\| (\S+) \| .+ \|$", SECTION, re.MULTILINE)


@pytest.mark.parametrize("label", CLUSTERS)
def test_a_label_of_clusters_has_a_claim_or_a_reason_for_none(label):
    claimed = any(label in claim.refs for claim in catalogue().values() if claim.paper.key == "clusters")
    assert claimed != (label in WITHOUT)


def test_reasons_are_given_for_labels_that_there_are():
    assert set(WITHOUT) - {"label"} <= set(CLUSTERS)


@pytest.mark.parametrize("label", QUESTIONS)
def test_a_question_has_claims(label):
    assert any(label in claim.refs for claim in matching([label]))
