"""The symbols of the clusters paper: scores, norms, and omega_n = W((n - 1)/e)."""

from typing import Any

import numpy as np

from dynamics.arithmetic import Array, exp, indicator, lambert_w, numbers, peak, sqrt, transposed


def tokens_of(f: Any) -> Array:
    """x of a flow or step in the tokens, z of a rescaled one, shape (..., n, d)."""
    tokens: Array = f.z if "z" in f.fields() else f.x
    return tokens


def with_tokens(f: Any, x: Array) -> Any:
    """The same flow or step with other tokens (..., n, d): z if it is rescaled, else x."""
    return f.replace(**{"z" if "z" in f.fields() else "x": x})


def scores(x: Array, B: Array) -> Array:
    """<x_i, B x_j>, shape (..., n, n)."""
    return np.asarray(x @ B @ transposed(x))


# The sum over coordinates is taken last, so that i is paired with i and no matrix of all pairs is built.
def form(x: Array, B: Array, y: Array) -> Array:
    """<x_i, B y_i>, shape (..., n)."""
    return np.asarray(((x @ B) * y).sum(axis=-1))


def mean_scores(s: Array, P: Array) -> Array:
    """sum_j P_ij s_ij, shape (..., n)."""
    return np.asarray((P * s).sum(axis=-1))


def squared_norms(x: Array) -> Array:
    """|x_i|^2, shape (..., n)."""
    return np.asarray((x * x).sum(axis=-1))


# An operator norm of more than rank one is an eigenvalue: it has no closed form that runs in every arithmetic.
def frobenius(M: Array) -> Array:
    """The root of the sum of squares of a matrix, at least its operator norm and equal to it for rank one, shape (...)."""
    return sqrt(numbers((M * M).sum(axis=(-2, -1))))


# `peak` encloses the largest number where balls overlap; `max` would have to choose one, and be undecided.
def sizes(values: Array) -> Array:
    """The largest entry along the last axis without that axis, shape (...)."""
    return numbers(peak(values)[..., 0])


# The token's own score is among them, so that this is never negative.
def head_starts(s: Array) -> Array:
    """max_j s_ij - s_ii of scores (..., n, n), shape (..., n)."""
    own = np.diagonal(s, axis1=-2, axis2=-1)
    return numbers(peak(s - own[..., None])[..., 0])


# e^{-1} is computed in the arithmetic at hand: (n - 1)/e as a float would be another number.
def omega(n: int, like: Array) -> Array:
    """W((n - 1)/e), the most by which a softmax mean of n numbers can miss their maximum, in the arithmetic of `like`."""
    one = indicator(np.ones((), dtype=bool), like)
    return lambert_w(numbers((n - 1) * exp(-one)))


def pivots(M: Array) -> Array:
    """The pivots of symmetric elimination without exchanges, shape (..., n): all positive exactly if M is definite.

    After a pivot that is exactly zero there are only zeros.
    """
    found = []
    while M.shape[-1]:
        lead = M[..., :1, :1]
        found.append(lead[..., 0, 0])
        try:
            M = M[..., 1:, 1:] - M[..., 1:, :1] * (M[..., :1, 1:] / lead)
        except ZeroDivisionError:
            M = 0 * M[..., 1:, 1:]
    return numbers(np.stack(found, axis=-1))
