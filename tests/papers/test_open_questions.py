"""Open questions, and all statements of the clusters paper, are found by their labels; a page says why one has no claim."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from claims.catalogue import catalogue, matching

QUESTIONS = [
    *(f"Q{k}" for k in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13)),
    *(f"OQ-{k}" for k in (1, 3, 4, 5, 6, 7, 8, 9, 10)),
]


CLUSTERS = [
    *[
        "M1",
        "M2",
        "M3",
        "W1",
        "W2",
        "W3",
        "W4",
        "L0",
        "L1",
        "L2",
        "L3",
        "L4",
        "L5",
        "L6",
        "L7",
        "T1",
        "E-T1a",
        "E-T1b",
        "R7.9",
        "H1",
        "H2",
        "T2",
        "eq17",
        "propofS",
        "C2",
        "TS",
        "Q1",
        "Q2",
        "Q3",
        "Q4",
    ],
    *[
        "D4.1",
        "T3",
        "K4.3",
        "D5.1",
        "T4",
        "5a",
        "5b",
        "5c",
        "5d",
        "T5",
        "G1",
        "G2",
        "G3",
        "G4",
        "N1",
        "N2",
        "N3",
        "N4",
        "N5",
        "N6",
        "N7",
        "N8",
        "O1",
        "O2",
        "O3",
        "O4",
        "O5",
        "O6",
    ],
    *["CE5", "CE8", "CE12", "CE13", "CE14", "CE15"],
]
PAGE = (Path(__file__).parents[2] / "docs" / "clusters.md").read_text(encoding="utf-8")
WITHOUT = re.findall(r"^\| (\S+) \| .+ \|$", PAGE.partition("## What has no claim here")[2], re.MULTILINE)


@pytest.mark.parametrize("label", CLUSTERS)
def test_a_label_of_clusters_has_a_claim_or_a_reason_for_none(label):
    claimed = any(label in claim.refs for claim in catalogue().values() if claim.paper.key == "clusters")
    assert claimed != (label in WITHOUT)


def test_reasons_are_given_for_labels_that_there_are():
    assert set(WITHOUT) - {"label"} <= set(CLUSTERS)


@pytest.mark.parametrize("label", QUESTIONS)
def test_a_question_has_claims(label):
    assert any(label in claim.refs for claim in matching([label]))
