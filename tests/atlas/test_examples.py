"""The examples of docs/examples as pages of the atlas, with pictures of their systems; all of them in a long run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.calling import run
from tests.planting import LONG

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.mark.parametrize("name", ["sphere", *(["sigmoid_attention", "causal_attention"] if LONG else [])])
def test_an_example_has_a_page_with_a_picture(name, tmp_path):
    run("atlas", "--file", EXAMPLES / f"{name}.py", "--out", tmp_path / "atlas", "--unchecked", "--jobs", 1)
    (page,) = (tmp_path / "atlas").rglob(f"{name}*.html")
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") >= (3 if name == "sphere" else 1)
    assert "all_tokens_meet" in text or name != "sphere"
