"""Selects names by a user's patterns."""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Mapping, Sequence


class UnmatchedError(LookupError):
    """The pattern `pattern` selects nothing; `near` is a name or label that may have been meant."""

    def __init__(self, pattern: str, near: str | None) -> None:
        super().__init__(pattern)
        self.pattern, self.near = pattern, near


def matched(patterns: Sequence[str], labels: Mapping[str, Sequence[str]]) -> list[str]:
    """The names that the patterns choose, in the order of `labels`: every name, with its labels.

    A pattern is a name, a shell glob, a plain word that must be a part of the name, or a label. None choose all. Raises
    UnmatchedError for a pattern that chooses nothing.
    """
    chosen: set[str] = set()
    for pattern in patterns or ("*",):
        hits = [pattern] if pattern in labels else [name for name in labels if _fits(pattern, name, labels[name])]
        if not hits and patterns:
            names = [*labels, *(label for named in labels.values() for label in named)]
            names += [name.split(".")[-1] for name in labels]
            near = difflib.get_close_matches(pattern, names, n=1, cutoff=0.4)
            raise UnmatchedError(pattern, near[0] if near else None)
        chosen.update(hits)
    return [name for name in labels if name in chosen]


def _fits(pattern: str, name: str, labels: Sequence[str]) -> bool:
    return fnmatch.fnmatchcase(name, pattern) or pattern in name or pattern in labels
