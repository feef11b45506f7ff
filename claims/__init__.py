"""What the papers say, and what decides it; `from claims import ...` offers what a file of one's own needs."""

from __future__ import annotations

from typing import Any

OFFERED = {
    "Assumption": "claims.statement",
    "Claim": "claims.statement",
    "ClaimError": "claims.statement",
    "Origin": "claims.statement",
    "Paper": "claims.statement",
    "Section": "claims.statement",
    "Standing": "claims.statement",
    "Tail": "claims.statement",
    "property_test": "claims.property_tests",
    "suite_test": "claims.property_tests",
}
"""Names by the modules that define them, which are read when a name is asked for.

The independent checker imports this package before anything else: nothing may come with it.
"""

__all__ = [*OFFERED, "__version__"]  # noqa: PLE0604 -- names, all of them


def __getattr__(name: str) -> Any:
    if name in OFFERED:
        import importlib  # noqa: PLC0415

        return getattr(importlib.import_module(OFFERED[name]), name)
    if name != "__version__":
        raise AttributeError(f"module 'claims' has no attribute {name!r}: it offers {', '.join(OFFERED)}")
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
