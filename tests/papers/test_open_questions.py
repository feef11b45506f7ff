"""The open questions about the Frank-Wolfe and localmax papers are found by their labels."""

from __future__ import annotations

import pytest

from claims.catalogue import matching

QUESTIONS = [
    *(f"Q{k}" for k in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13)),
    *(f"OQ-{k}" for k in (1, 3, 4, 5, 6, 7, 8, 9, 10)),
]


@pytest.mark.parametrize("label", QUESTIONS)
def test_a_question_has_claims(label):
    assert any(label in claim.refs for claim in matching([label]))
