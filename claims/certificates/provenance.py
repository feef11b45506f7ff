"""The versions that made a finding, and files written whole or not at all."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

import claims


def versions_in_use() -> dict[str, str]:
    """Versions of Python and of every package that computes."""
    packages = ("numpy", "scipy", "mpmath", "python-flint", "hypothesis")
    # Of the suite itself nothing need be installed: a clone that runs from its folder has no metadata.
    own = {"attention-claims": claims.__version__}
    return {"python": platform.python_version()} | own | {name: version(name) for name in packages}


def write_whole(path: Path, text: str) -> None:
    """Write a file completely or not at all. Raises OSError."""
    # Beside the file, then in its place at once: whoever reads it meanwhile sees the old one or the new one.
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
