"""How the systems of the papers move, in every arithmetic; `from dynamics import ...` offers what a formula needs."""

from __future__ import annotations

from typing import Any

SYSTEMS = ("Flow", "StepMap", "System", "quantity")
ARITHMETIC = (
    *("distinct", "exact", "exp", "indicator", "inverse", "larger", "log", "matrix_exponential", "numbers"),
    *("peak", "rational", "sqrt", "summits", "transposed"),
)
OFFERED = dict.fromkeys(SYSTEMS, "dynamics.system") | dict.fromkeys(ARITHMETIC, "dynamics.arithmetic")
"""Names by the modules that define them, which are read when a name is asked for."""

__all__ = [*OFFERED]  # noqa: PLE0604 -- names, all of them


def __getattr__(name: str) -> Any:
    if name not in OFFERED:
        raise AttributeError(f"module 'dynamics' has no attribute {name!r}: it offers {', '.join(OFFERED)}")
    import importlib  # noqa: PLC0415

    return getattr(importlib.import_module(OFFERED[name]), name)
