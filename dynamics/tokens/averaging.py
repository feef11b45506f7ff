"""Dynamics in which every token moves part of the way to an average of tokens: hardmax and localmax in one form."""

from __future__ import annotations

from dataclasses import dataclass

from dynamics.arithmetic import Array


# What the limits of hardmax and localmax share: their proofs ask only who is whose neighbour, and that weights are positive
# there.
@dataclass(frozen=True)
class Averaging:
    """z_i <- (1 - gamma) z_i + gamma sum_j W_ij z_j, with W_ij > 0 where j is a neighbour of i and 0 elsewhere.

    The neighbours are those whose score <A z_i, z_j> is within `delta` of the largest; delta = 0 is hardmax. The rows of W
    depend on the neighbours alone. z: (n, d), A: (d, d), W: (n, n), exact rationals.
    """

    z: Array
    A: Array
    gamma: Array
    delta: Array
    W: Array
