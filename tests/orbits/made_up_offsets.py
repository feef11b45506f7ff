"""Offsets, forms and rates of three tokens, made up for facts of neighbours that last."""

from __future__ import annotations

import numpy as np
from flint import fmpq

from dynamics.arithmetic import exact

N = range(3)
HALF = fmpq(1, 2)


def some(seed, *shape, size=3):
    return exact(np.random.default_rng([61, *seed]).integers(-size, size + 1, shape))


def gap(A, z, i, l, j):
    """<A z_i, z_l - z_j>."""
    return (A @ z[i] @ (z[l] - z[j])).item() if z.ndim else None


def stochastic(mask):
    return exact(mask) / exact(mask.sum(axis=1, keepdims=True))


def hears(A, z, delta, i, j):
    return all(gap(A, z, i, l, j) <= delta for l in range(len(z)))


CHANGING = [
    ([[2]], [[2], [2], [0]], [[2], [4], [2]], ["1/3", "1/16", "1/16"], 0, 2),
    ([[-2]], [[-1], [-1], [-1]], [[2], [3], [-4]], ["1/16"] * 3, 0, 0),
    ([[1, 1], [-1, -1]], [[0, 0], [0, 0], [0, 1]], [[4, 1], [-3, 1], [2, 1]], ["1/3"] * 3, 0, 2),
    ([[2, 1], [-2, 2]], [[-1, -3], [-1, -3], [2, 0]], [[0, -3], [3, -4], [1, 4]], ["1/3"] * 3, 0, 0),
    ([[2]], [[-2], [0], [-2]], [[-1], ["1/2"], [0]], ["1/8", "1/8", 0], 4, 0),
    # Two rates, whose parts cancel now and not later: <A z_0, z_2 - z_1> = -2 + 100 / 2^m - 100 / 16^m.
    (
        [[0, 0, 0, 0, 0], [0, 0, 0, 100, 0], [1, 0, 1, 0, 0], [0, 0, 0, 0, 0], [1, 0, 0, 0, 0]],
        [[1, 0, 0, 0, 0], [0, 0, 10, 0, 0], [0, 1, 8, 0, 0]],
        [[0, 0, 0, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, -100]],
        ["1/2", 0, "1/16"],
        1,
        0,
    ),
    # Nobody attends to another but at m = 1: <A z_0, z_0 - z_1> - 1 = 17/100 - 4/5 x + 4/5 x^2 with x = 1/2^m.
    (
        [["117/100", 0, "-9/5", 0], [0, 9, 0, 0], [1, 0, 1, 0], [0, 0, "1/5", 0]],
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]],
        [[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1]],
        ["1/2"] * 3,
        1,
        99,
    ),
    # <A z_0, z_1 - z_0> = 19/10 x - 9/10 x^2 is 1 now, and more than half of it at the next step.
    (
        [[0, 0, 0, 0], [0, 9, 0, 0], [0, 0, 0, 0], ["19/10", 0, "-9/10", 0]],
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]],
        [[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1]],
        ["1/2"] * 3,
        1,
        0,
    ),
]
"""Forms, limits, offsets, rates, sensitivities, steps: neighbours change, though a part of the bounds may not tell."""
