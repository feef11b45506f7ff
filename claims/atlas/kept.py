"""What builds keep for later ones, in a folder of the user's: the checker's answers and pictures.

Each value stands under a digest of all that it was made from, the code included; whatever changes is made anew. A value
carries a digest of its own: an entry that is damaged is thrown away and made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from claims.certificates.provenance import versions_in_use, write_whole

Told = Callable[[str, int, int], object]  # hears what a build is doing, how much of it is done, and how much there is


def silent(what: str, done: int, number: int) -> None:
    """Tell nobody."""


ROOT = Path(__file__).resolve().parents[2]

# The code that checks certificates again, and the code that draws, but for the papers' modules: a key holds formulas, or
# the text of a claim's module, instead. With all modules each change of a claim would make every value anew.
CHECKING = (
    *("claims/*.py", "claims/stating/*.py", "claims/targets/*.py", "claims/certificates/*.py", "claims/checker/*.py"),
    "claims/instances/*.py",
    *("dynamics/*.py", "dynamics/checker/*.py", "dynamics/tokens/*.py", "dynamics/training/*.py"),
)
DRAWING = (
    *("claims/*.py", "claims/stating/*.py", "claims/targets/*.py", "claims/certificates/*.py", "claims/instances/*.py"),
    *("claims/atlas/drawing.py", "claims/atlas/evidence.py", "claims/atlas/labels.py", "claims/atlas/svg.py"),
    *("claims/atlas/typeset.py", "claims/atlas/observed.py", "claims/atlas/pictures/*.py"),
    *("claims/*/setting/*.py", "dynamics/**/*.py"),
)
KEPT_FOR = 90 * 24 * 3600.0  # seconds after which an entry that no build has used is thrown away


def folder_of_user() -> Path:
    """The folder of what builds keep."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "attention-claims"


@dataclass
class Kept:
    """The values in a folder, by key; without a folder there are none, and none is kept.

    Nothing here is needed: where a file cannot be read or written, its value is made again.
    """

    folder: Path | None = None
    found: int = 0
    damaged: list[Path] = field(default_factory=list)

    def recall(self, key: str) -> Any:
        """The value of a key; None where there is none."""
        if self.folder is None:
            return None
        path = self.folder / key[:2] / key  # in 256 folders: some file systems are slow with thousands in one
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, ValueError):
            return self._thrown_away(path) if path.exists() else None
        digest, _, value = text.partition("\n")
        if digest != digest_of(value):
            return self._thrown_away(path)
        self.found += 1
        # An entry that is used is young: `sweep` goes by the time of the file.
        with suppress(OSError):
            os.utime(path)
        return json.loads(value)

    def _thrown_away(self, path: Path) -> None:
        self.damaged.append(path)
        with suppress(OSError):
            path.unlink()

    def keep(self, key: str, value: Any) -> None:
        """Keep a value of plain data."""
        if self.folder is None:
            return
        text, path = json.dumps(value), self.folder / key[:2] / key
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, f"{digest_of(text)}\n{text}")

    def sweep(self) -> None:
        """Throw away what no build has used for long."""
        if self.folder is None:
            return
        with suppress(OSError):
            for path in self.folder.glob("??/*"):
                if path.stat().st_mtime < time.time() - KEPT_FOR:
                    path.unlink()


def key_of(kind: str, code: Sequence[str], *parts: Any) -> str:
    """The key of a value of this kind, made by this code and the libraries in use from these parts of plain data."""
    return digest_of([kind, code_digest(*code), _versions(), *parts])


@cache
def _versions() -> dict[str, str]:
    return versions_in_use()  # read from the packages' files each time


@cache
def code_digest(*patterns: str) -> str:
    """A digest of the modules of the installed suite that the patterns name."""
    paths = sorted({path for pattern in patterns for path in ROOT.glob(pattern)})
    return digest_of([[path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")] for path in paths])


def digest_of(value: Any) -> str:
    """The digest of plain data."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
