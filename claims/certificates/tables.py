"""Tables that are data of the package: JSON with one entry on a line, so that a difference shows what changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from claims.certificates.provenance import write_whole
from claims.certificates.published import EVIDENCE
from dynamics.strict_reading import read_json

Entry = dict[str, Any]

Key = TypeVar("Key", str, tuple[str, str], tuple[str, str, str])


@dataclass(frozen=True)
class Table(Generic[Key]):
    """A table of the package: its file, its format and what it should be in words; `key` is what an entry is about."""

    name: str
    format: str
    what: str
    key: Callable[[Entry], Key]

    @cached_property
    def stored(self) -> dict[Key, Entry]:
        """The entries of the package by key, as they are stored; none where there is no file."""
        file = EVIDENCE / self.name
        return self.parsed(file.read_text(encoding="utf-8")) if file.is_file() else {}

    def parsed(self, text: str) -> dict[Key, Entry]:
        """The entries in a text. Raises ValueError if it is not JSON or has another format."""
        data = read_json(text)
        if not isinstance(data, dict) or data.get("format") != self.format:
            raise ValueError(f"not {self.what} of format {self.format!r}")
        return {self.key(entry): entry for entry in data["entries"]}

    def text(self, entries: Mapping[Key, Entry], versions: Mapping[str, str] | None = None) -> str:
        """The table as text, by key; `versions` are of what made it."""
        # One entry on a line, sorted, so that a difference of two versions shows what changed.
        lines = ",\n".join(json.dumps(entries[key], separators=(",", ":")) for key in sorted(entries))
        made_by = "" if versions is None else f'"versions": {json.dumps(dict(versions))},\n'
        return f'{{"format": "{self.format}",\n{made_by}"entries": [\n{lines}\n]}}\n'

    def save(self, path: Path, entries: Mapping[Key, Entry], versions: Mapping[str, str] | None = None) -> None:
        """Write the table whole or not at all. Raises OSError."""
        write_whole(path, self.text(entries, versions))
