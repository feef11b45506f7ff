"""What the papers say, and what decides it; `from claims import ...` offers what a file of one's own needs."""

from __future__ import annotations

from typing import Any

OFFERED = {
    "Assumption": "claims.stating.statement",
    "Claim": "claims.stating.statement",
    "ClaimError": "claims.stating.statement",
    "Origin": "claims.stating.statement",
    "Paper": "claims.stating.statement",
    "Section": "claims.stating.statement",
    "Standing": "claims.stating.statement",
    "Tail": "claims.stating.statement",
    "property_test": "claims.testing.property_tests",
    "suite_test": "claims.testing.property_tests",
    "__version__": "claims.certificates.provenance",
}
"""Names by the modules that define them, which are read when a name is asked for.

The independent checker imports this package before anything else: nothing may come with it.
"""

MOVED = {
    **dict.fromkeys(("assumptions", "catalogue", "defects", "experiments", "matrices", "statement", "verdict"), "stating"),
    **dict.fromkeys(("profiles", "property_tests", "pytest_plugin", "strategies"), "testing"),
    "target": "targets",
}
"""Modules that once stood at the top, by their rooms: files of one's own, and a `conftest.py`, import them by that name."""


def _keep_former_names() -> None:
    # All that it takes stays in here: what this module had imported, a claim file could import from it.
    import importlib  # noqa: PLC0415
    import sys  # noqa: PLC0415
    from importlib.abc import Loader, MetaPathFinder  # noqa: PLC0415
    from importlib.machinery import ModuleSpec  # noqa: PLC0415
    from types import ModuleType  # noqa: PLC0415

    rooms = dict(MOVED)

    class FormerNames(MetaPathFinder, Loader):
        # One module with two names, and not a second copy with classes of its own.
        def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
            package, _, module = name.partition(".")
            return ModuleSpec(name, self) if package == "claims" and module in rooms else None

        def create_module(self, spec: ModuleSpec) -> ModuleType:
            module = spec.name.removeprefix("claims.")
            found = importlib.import_module(f"claims.{rooms[module]}.{module}")
            spec.loader_state = found.__spec__
            return found

        def exec_module(self, module: ModuleType) -> None:
            # It has been executed under its own name, and goes on saying so.
            former = module.__spec__
            assert former is not None
            module.__spec__ = former.loader_state

    # First: an installed copy of an older version may still have a file of that name.
    sys.meta_path.insert(0, FormerNames())


_keep_former_names()
del _keep_former_names

__all__ = list(OFFERED)


def __getattr__(name: str) -> Any:
    if name not in OFFERED:
        raise AttributeError(f"module 'claims' has no attribute {name!r}: it offers {', '.join(OFFERED)}")
    import importlib  # noqa: PLC0415

    return getattr(importlib.import_module(OFFERED[name]), name)
