"""Mutations of an instance: entries and arrays scaled by powers of two, tokens moved together, numbers set equal or 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamics.arithmetic import Array
from dynamics.integrate import members
from dynamics.system import System

MUTATIONS = 8  # kinds of mutation
ONE_HALF = 1 / 2  # chance of one more mutation: mostly few, as many small changes together lead nowhere


def mutants(system: System, rng: Any, count: int) -> System:
    """A float64 batch of one, and `count` mutants of it."""
    fields = system.fields()
    arrays = {
        name: np.repeat(np.asarray(array, dtype=float), count + 1, axis=0)
        for name, array in system.arrays().items()
        if not fields[name].integer
    }
    for member in range(1, count + 1):
        while True:
            _mutate(arrays[list(arrays)[rng.integers(len(arrays))]][member : member + 1], rng)
            if rng.random() < ONE_HALF:
                break
    return system.replace(**arrays)


def _mutate(one: Array, rng: Any) -> None:
    # A single number can only be scaled.
    array, move = one[0], rng.integers(MUTATIONS) if one.ndim > 1 else 0
    factor, little = 2.0 ** rng.uniform(-6, 6), rng.choice((-1, 1)) * 2.0 ** -rng.uniform(0, 12)
    if move == 0:
        one *= factor
        return
    size, at, other = abs(array).max() or 1.0, tuple(rng.integers(array.shape)), tuple(rng.integers(array.shape))
    rows = array if array.ndim == 1 or rng.random() < ONE_HALF else array.swapaxes(0, 1)
    i, j = rng.integers(len(rows), size=2)
    if move == 1:
        array += size * little * rng.standard_normal(array.shape)
    elif move == 2:
        array += size * little
    elif move == 3:
        array[at] *= factor * rng.choice((-1, 1, 1, 1))
    elif move == 4:
        array[at] += size * little
    elif move == 5:
        array[at] = rng.choice((0.0, array[other]))
    elif move == 6:
        rows[i] = rows[j] + little**2 * (rows[i] - rows[j])
    else:
        rows[i] = rows[i] * factor


def differing_members(systems: System) -> Array:
    """Which members of a batch differ from its first, without it: members - 1 is counted from 0."""
    fields, differ = systems.fields(), np.zeros(members(systems), dtype=bool)
    for name, array in systems.arrays().items():
        if array.ndim > len(fields[name].axes):
            differ |= (array != array[:1]).reshape(len(array), -1).any(axis=1)
    return np.flatnonzero(differ[1:])
