"""The libraries that training needs: the extra `transformers`."""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec

PACKAGES = ("jax", "equinox", "optax")


def missing() -> str:
    """What to install before anything can be trained; empty if nothing is missing."""
    absent = [name for name in PACKAGES if find_spec(name) is None]
    return f"{absent[0]} is not installed: pip install 'attention-claims[transformers]'" if absent else ""


def versions() -> str:
    """What the numbers of a run depend on, with versions. Raises importlib.metadata.PackageNotFoundError."""
    return ", ".join(f"{name} {version(name)}" for name in (*PACKAGES, "numpy"))
