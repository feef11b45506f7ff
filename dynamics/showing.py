"""Small tables of HTML, with which systems and trajectories show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

LONGEST = 400
"""Characters of one cell."""


def as_table(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """A table with a name and a value in each row, cut where it is long. Its text is never markup."""
    cells = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{_cell(value)}</td></tr>'
        for name, value in rows
    )
    return f"<table><caption>{escape(title)}</caption><tbody>{cells}</tbody></table>"


def _cell(value: object) -> str:
    text = str(value)
    return escape(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")
