"""Selects names by a user's patterns."""

from __future__ import annotations

import difflib
import fnmatch
import re
from collections.abc import Callable, Mapping, Sequence

NEAR = 0.8
"""How alike two words are of which one may be a slip for the other."""


class UnmatchedError(LookupError):
    """The pattern `pattern` selects nothing; `near` is a name, paper or label that may have been meant."""

    def __init__(self, pattern: str, near: str | None) -> None:
        super().__init__(pattern)
        self.pattern, self.near = pattern, near


def matched(
    patterns: Sequence[str], labels: Mapping[str, Sequence[str]], texts: Sequence[Callable[[str], str]] = ()
) -> list[str]:
    """The names that the patterns choose, in the order of `labels`: every name, with its labels.

    A pattern is a name or its last part, a label, a paper (what stands before the dot of names), a shell glob, or a word
    that must be a part of the name. What chooses nothing so is looked for in `texts`, each by name: in the first where it
    occurs. None choose all. Raises UnmatchedError for a pattern that chooses nothing, and for a slip of a paper's name.
    """
    chosen: set[str] = set()
    for pattern in patterns or ("*",):
        hits = _hits(pattern, labels)
        # "cluster" is a part of many names, and a slip of "clusters": which one is meant is asked and not guessed.
        slip = _near(pattern, _papers(labels))
        if hits and slip and _is_part_only(pattern, labels):
            raise UnmatchedError(pattern, slip)
        for text in texts:
            hits = hits or [name for name in labels if occurs(pattern, text(name))]
        if not hits and patterns:
            names = [*labels, *(label for named in labels.values() for label in named), *_papers(labels)]
            names += [name.split(".")[-1] for name in labels]
            raise UnmatchedError(pattern, slip or _near(pattern, names, 0.4))
        chosen.update(hits)
    return [name for name in labels if name in chosen]


def occurs(pattern: str, text: str) -> bool:
    """Whether the words of a pattern occur in a text as whole words: 5.4 is no part of 15.4 or 5.41, nor 3.2 of 3.2.1."""
    words = r"\s+".join(re.escape(word) for word in pattern.split())
    return bool(words) and re.search(rf"(?<![\w.]){words}(?!\w|\.\d)", text, re.IGNORECASE) is not None


def _papers(names: Mapping[str, object]) -> list[str]:
    return sorted({name.split(".")[0] for name in names if "." in name})


def _hits(pattern: str, labels: Mapping[str, Sequence[str]]) -> list[str]:
    if pattern in labels:
        return [pattern]
    by_label = [name for name in labels if pattern in labels[name]]
    in_paper = [name for name in labels if name.startswith(f"{pattern}.")]
    globbed = [name for name in labels if fnmatch.fnmatchcase(name, pattern)]
    # The first kind that finds any: a label that is also part of a name means the label.
    return by_label or in_paper or globbed or [name for name in labels if pattern in name]


def _is_part_only(pattern: str, labels: Mapping[str, Sequence[str]]) -> bool:
    """Whether a plain word is only a part of names."""
    ends = {name.split(".")[-1] for name in labels}
    known = pattern in labels or pattern in ends or pattern in _papers(labels)
    return not known and not any(pattern in named for named in labels.values()) and not set(pattern) & set("*?[.")


def _near(pattern: str, names: Sequence[str], cutoff: float = NEAR) -> str | None:
    # Cut: the time that difflib takes grows with the square of the length.
    return next(iter(difflib.get_close_matches(pattern[:200], names, n=1, cutoff=cutoff)), None)
