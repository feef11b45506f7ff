"""The models of the suite, and which construction builds which."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import Any

import dynamics.tokens
import dynamics.training
from claims.instances import tokens, training
from dynamics.system import System

BUILDERS = tokens.BUILDERS | training.BUILDERS


@cache
def models() -> dict[str, type[System]]:
    """Every model by name: the classes in `dynamics.tokens` and `dynamics.training`, but for what others only share."""
    found: dict[str, type[System]] = {}
    for package in (dynamics.tokens, dynamics.training):
        for entry in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            found |= {
                name: one
                for name, one in vars(importlib.import_module(entry.name)).items()
                if isinstance(one, type) and issubclass(one, System) and one.__module__ == entry.name
            }
    # A parent with a construction is a model itself.
    shared = {parent for one in found.values() for parent in one.__bases__ if parent not in BUILDERS}
    return {name: one for name, one in found.items() if one not in shared}


def buildable() -> list[type[System]]:
    """The models with a construction."""
    return list(dict.fromkeys([*BUILDERS, *(kind for kind in models().values() if construction_of(kind))]))


def construction_of(system: type[System]) -> Callable[[Any], System] | None:
    """What builds a general instance, with nothing assumed; None for a system of other arrays without one of its own."""
    return BUILDERS.get(system) or (tokens.general(system) if tokens.is_of_tokens(system) else None)


def draw_system(system: type[System], draws: Any) -> System:
    """A general instance, nothing assumed. Raises LookupError for a system without a construction: `draw` may be given."""
    build = construction_of(system)
    if build is None:
        raise LookupError(f"no instances are known for {system.__name__}: give the claim a draw function")
    return build(draws)
