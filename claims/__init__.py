"""What the papers say: one module per claim, and the machinery that decides them."""

from __future__ import annotations


def __getattr__(name: str) -> str:
    """`__version__`, read when it is asked for: the independent checker imports this package before anything else."""
    if name != "__version__":
        raise AttributeError(f"module 'claims' has no attribute {name!r}")
    import tomllib  # noqa: PLC0415
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    project = Path(__file__).parents[1] / "pyproject.toml"
    if project.is_file():  # a clone, whatever is installed
        found: str = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
        return found
    try:
        return version("attention-claims")
    except PackageNotFoundError:
        return "unknown"
