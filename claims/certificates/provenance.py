"""The versions that made a finding, and files written whole or not at all."""

from __future__ import annotations

import os
import platform
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def _own_version() -> str:
    project = Path(__file__).parents[2] / "pyproject.toml"
    if project.is_file():  # a clone, whatever is installed
        found: str = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
        return found
    try:
        return version("attention-claims")
    except PackageNotFoundError:
        return "unknown"


__version__ = _own_version()


def versions_in_use() -> dict[str, str]:
    """Versions of Python and of every package that computes."""
    packages = ("numpy", "scipy", "mpmath", "python-flint", "hypothesis")
    own = {"python": platform.python_version(), "attention-claims": __version__}
    return own | {name: version(name) for name in packages}


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
