"""The page of what a claim file may use is as the code is, and its import lines work."""

from __future__ import annotations

import re
from pathlib import Path

from claims.atlas.api_page import page
from claims.instances.builders import BUILDERS

PAGE = Path(__file__).parents[2] / "docs" / "api.md"


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), "stale: run python -m claims.atlas.api_page docs/api.md"


def test_a_changed_docstring_makes_it_stale(monkeypatch):
    monkeypatch.setattr(BUILDERS.__iter__().__next__(), "__doc__", "Another system.")
    assert PAGE.read_text(encoding="utf-8") != page()


def test_every_import_line_works():
    lines = re.findall(r"^ {4}(from .*)$|`(from \S+ import \w+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) > 20
    for block, inline in lines:
        exec((block or inline).removesuffix(", ..."), {})  # noqa: S102
