"""The float64 slacks of whole batches of systems: what a search minimises, never a verdict."""

from __future__ import annotations

import numpy as np

from claims.statement import Conclusion
from dynamics.arithmetic import Array
from dynamics.system import System


def margins(conclusion: Conclusion, systems: System) -> Array:
    """The float64 slacks of a float64 batch, shape (batch, k), NaN where there is no value."""
    name, field = next(iter(systems.fields().items()))
    batch = len(getattr(systems, name)) if getattr(systems, name).ndim > len(field.axes) else 1
    with np.errstate(all="ignore"):
        try:
            return np.asarray(conclusion.slack(systems), dtype=float).reshape(batch, -1)
        except (ArithmeticError, IndexError, ValueError, TypeError):
            return np.full((batch, 1), np.nan)
