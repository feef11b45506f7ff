"""Prints text from a file on one line of a terminal: it cannot move the cursor, reorder the line, or begin another."""

from __future__ import annotations

import re
import unicodedata

HIDDEN = ("C", "Z")
"""First letters of Unicode's categories of controls, formats, surrogates, private and unassigned characters; separators."""


def visible(text: str) -> str:
    r"""The text with an escape, such as \x1b or \u202e, for every character that is not visible as itself."""
    # Almost all text: the categories of characters are looked up one by one.
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(one) if one != " " and unicodedata.category(one)[0] in HIDDEN else one for one in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def one_line(text: str, longest: int | None = None) -> str:
    """The visible text without runs of spaces, which could make a wrapped line look like a new one; cut on request."""
    line = " ".join(visible(text).split())
    return line if longest is None or len(line) <= longest else f"{line[: longest - 3]}..."


def sentences(text: str) -> list[str]:
    """The text by sentences: each ends with a full stop, and the next begins with a capital."""
    return re.split(r"(?<=\.) (?=[A-Z])", text)
