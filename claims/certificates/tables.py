"""Tables that are data of the package: JSON with one entry on a line, so that a difference shows what changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from dynamics.strict_reading import read_json

Entry = dict[str, Any]


def entries_in(text: str, kind: str, what: str) -> list[Entry]:
    """The entries of a table. Raises ValueError, naming `what` it should be, if it is not JSON or of another kind."""
    data = read_json(text)
    if not isinstance(data, dict) or data.get("format") != kind:
        raise ValueError(f"not {what} of format {kind!r}")
    found: list[Entry] = data["entries"]
    return found


def as_table(entries: Iterable[Entry], kind: str, versions: Mapping[str, str] | None = None) -> str:
    """The table as text; `versions` are of what made it."""
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
    told = "" if versions is None else f'"versions": {json.dumps(dict(versions))},\n'
    return f'{{"format": "{kind}",\n{told}"entries": [\n{lines}\n]}}\n'
