"""Energies along runs of hardmax steps, and their least values on the hull."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, TypeVar

import flint
import mpmath
import numpy as np
from flint import fmpq, fmpq_mat

from claims.stating.matrices import eye_like, is_positive_definite, is_positive_semidefinite
from dynamics.arithmetic import Array, exact, numbers, peak, sqrt, transposed
from dynamics.choices import hull
from dynamics.geometry import squared_distances
from dynamics.orbits.exact import orbit

S = TypeVar("S")


def length(f: Any) -> int:
    """The number of steps that the schedule lists."""
    return int(f.gamma.shape[-1])


def run(f: Any) -> list[Any]:
    """The states at steps 0 to the length of the schedule."""
    return orbit(f, length(f))


def energy(x: Array, B_star: Array) -> Array:
    """J(x_i) = <B_* x_i, x_i>/2 for tokens (..., n, d) and a matrix (..., d, d), shape (..., n)."""
    return np.asarray(((x @ transposed(B_star)) * x).sum(axis=-1) / 2)


# The bound of Theorem 3.1 multiplies it, and an eigenvalue of more than two dimensions is no closed form: a ball around it
# is enough, for only whether the bound is exceeded is asked.
def largest_eigenvalue(M: Array) -> Array:
    """The largest eigenvalue of symmetric matrices (..., d, d): in closed form for d <= 2, a ball around it for more."""
    if M.shape[-1] == 1:
        return numbers(M[..., 0, 0])
    if M.shape[-1] > 2:
        if M.dtype != object:
            return numbers(np.linalg.eigvalsh(M)[..., -1])
        if isinstance(M.flat[0], fmpq):
            return numbers(_largest_eigenvalue_ball(M))
        return numbers(max(mpmath.eigsy(mpmath.matrix(M.tolist()), eigvals_only=True)))
    difference, corner = M[..., 0, 0] - M[..., 1, 1], 2 * M[..., 0, 1]
    return numbers((M[..., 0, 0] + M[..., 1, 1] + sqrt(numbers(difference * difference + corner * corner))) / 2)


def _largest_eigenvalue_ball(M: Array) -> Any:
    """The largest eigenvalue of a symmetric rational matrix (d, d) to the working precision, 256 bits at most.

    Bisected between rationals: it is below c where c I - M is positive definite. Exact where it is on the diagonal.
    """
    eye = eye_like(M)
    low, high = max(M.diagonal()), max(abs(M).sum(axis=-1))
    if is_positive_semidefinite(low * eye - M):
        return low
    width = (high - low) / 2 ** min(flint.ctx.prec, 256)
    high += width
    while high - low > width:
        middle = (low + high) / 2
        if is_positive_definite(middle * eye - M):
            high = middle
        else:
            low = middle
    return hull(low, high)


def squared_diameter(x: Array) -> Array:
    """D(K)^2 of tokens (..., n, d), shape (...)."""
    pairs = squared_distances(x, x)
    return numbers(peak(pairs.reshape(*pairs.shape[:-2], -1))[..., 0])


def least_on_hull(x: Array, B_star: Array) -> tuple[fmpq, Array]:
    """min_K J and a point of K where it is attained, for rational tokens (n, d) and any symmetric B_*.

    A minimiser with the fewest tokens in it solves a regular system: were that singular, it could be moved without a
    change of energy until it needs fewer. So the least over all subsets with a regular system and weights >= 0 is min J.
    """
    scores = x @ B_star @ transposed(x)
    best: tuple[fmpq, Array] | None = None
    for weights in _stationary_weights(scores):
        value = numbers(weights @ scores @ weights).item() / 2
        if best is None or value < best[0]:
            best = value, weights @ x
    assert best is not None  # a single token solves a regular system
    return best


# All subsets of tokens: exponential, and exact for the few tokens that instances have. A solver for quadratic programs
# would end near the minimum, not at it.
def _stationary_weights(scores: Array) -> Iterator[Array]:
    """Convex weights (n,) at which w -> <w, scores w> is stationary on the face of the tokens of positive weight."""
    n = len(scores)
    for size in range(1, n + 1):
        for subset in combinations(range(n), size):
            rows = [[*scores[i, list(subset)], fmpq(1)] for i in subset] + [[fmpq(1)] * size + [fmpq(0)]]
            system = fmpq_mat(rows)
            if system.det() == 0:
                continue
            solution = system.solve(fmpq_mat([[fmpq(0)]] * size + [[fmpq(1)]]))
            weights = exact([0] * n)
            weights[list(subset)] = [solution[k, 0] for k in range(size)]
            if all(weight >= 0 for weight in weights):
                yield weights


def energy_gap(f: Any) -> fmpq:
    """e_t = max_i J^t(x_i^t) - min_{K^t} J^t of an exact state with B_*^t >= 0."""
    B_star = -f.key_query()
    return max(energy(f.x, B_star)) - least_on_hull(f.x, B_star)[0]
