"""Tables in the documentation that a command writes anew: each stands between two marks on its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

# The same for all tables: a mark with a name could be left behind when its table is renamed.
END = "<!-- end -->"


def begin(command: str, name: str) -> str:
    """The mark that a table of this name begins with, which says what writes it."""
    return f"<!-- written by `{command}`: {name} -->"


def with_tables(page: str, text: str, tables: Mapping[str, str], command: str) -> str:
    """The text of a page with its tables as they are today. Raises ValueError where a mark is missing."""
    for name, today in tables.items():
        mark = begin(command, name)
        before, found, rest = text.partition(mark)
        _, end, after = rest.partition(END)
        if not (found and end):
            raise ValueError(f"{page} has no table {name}: it would stand between {mark} and {END}")
        text = f"{before}{mark}\n\n{today}\n{end}{after}"
    return text


def markdown(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; cells are as they are to stand there."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
