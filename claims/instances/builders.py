"""Which construction builds which system."""

from __future__ import annotations

from typing import Any

from claims.instances import tokens, training
from dynamics.system import System

BUILDERS = tokens.BUILDERS | training.BUILDERS


def draw_system(system: type[System], draws: Any) -> System:
    """A general instance of the system: nothing assumed.

    Raises LookupError for a system without a construction: give the claim its own `draw`.
    """
    if system not in BUILDERS:
        raise LookupError(f"no instances are known for {system.__name__}: give the claim a draw function")
    return BUILDERS[system](draws)
