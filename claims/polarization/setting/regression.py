"""Hypotheses on regression with the square loss."""

from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from claims.instances.numbers import power_of_two
from claims.polarization.setting.scores import descending, is_descending, strictly_descending
from claims.stating.assumptions import certainly_positive, with_entries
from claims.stating.statement import Assumption
from dynamics.arithmetic import Array, indicator, numbers


def _square_model(f: Any) -> Any:
    """As many rows as scores: the first rows of V, repeated where there are too few."""
    rows = np.arange(f.V.shape[-1]) % f.V.shape[-2]
    return f.replace(V=f.V[..., rows, :], beta_star=f.beta_star[..., rows] + power_of_two(f.V, -12))


# Broken by a column too many, not too few: 1/p >= 1/d for p <= d, so the bound with d in it would survive.
square_model = Assumption(
    "square_model",
    "V is p x p",
    satisfies=lambda f: f.V.shape[-1] == f.V.shape[-2],
    restrict=lambda f: f if f.V.shape[-1] == f.V.shape[-2] else _square_model(f),
    violate=lambda f, draws: f.replace(
        V=np.concatenate([f.V, f.V[..., :1]], -1), a=np.concatenate([f.a, f.a[..., :1]], -1)
    ),
    label="H7",
)

# m is an average of the u_i: with K/2 for the largest it is below K, with K + 1 for the smallest it is above.
margin_below_target = Assumption(
    "margin_below_target",
    "m(0) < K",
    satisfies=lambda f: certainly_positive(numbers(f.K - f.m).item()),
    restrict=lambda f: f.replace(u=f.u - f.u[..., :1] + f.K[..., None] / 2),
    violate=lambda f, draws: f.replace(u=f.u - f.u[..., -1:] + f.K[..., None] + 1),
)

margin_above_target = Assumption(
    "margin_above_target",
    "m(0) > K",
    satisfies=lambda f: certainly_positive(numbers(f.m - f.K).item()),
    restrict=lambda f: f.replace(u=f.u - f.u[..., -1:] + f.K[..., None] + 1),
    violate=lambda f, draws: f.replace(u=f.u - f.u[..., :1] + f.K[..., None] / 2),
)


def _near_uniform(f: Any) -> bool:
    return bool((abs(f.a) <= fmpq(1, 2**16)).all()) and f.K.item() <= 4


# The gain is cosh |beta_*| to first order in a(0); the bound K <= 4 keeps the cosh, and with it the remainder, moderate.
near_uniform_scores = Assumption(
    "near_uniform_scores",
    "|a_i(0)| <= 2^-16 and K <= 4",
    satisfies=_near_uniform,
    restrict=lambda f: f.replace(a=f.a / 2**20, K=f.K / 4),
)

small_target = Assumption(
    "small_target",
    "K <= 2^-6",
    satisfies=lambda f: f.K.item() <= fmpq(1, 64),
    restrict=lambda f: f.replace(K=f.K / 2**10),
)

large_target = Assumption(
    "large_target",
    "K >= 256",
    satisfies=lambda f: f.K.item() >= 256,
    restrict=lambda f: f.replace(K=256 + 16 * f.K),
)

# Without a way to meet it: moving scores together would undo their order, so the claim's draw sees to it.
moderate_lead = Assumption(
    "moderate_lead",
    "p <= 6 and the largest a_j(0) exceeds the others by 1/2 to 2 (elsewhere the remainder has a larger constant)",
    satisfies=lambda f: len(f.a) <= 6 and all(fmpq(1, 2) <= max(f.a) - x <= 2 for x in descending(f.a)[1:]),
)


def _copied(values: Array) -> Array:
    return np.asarray(values[..., :1, :] + 0 * values)


# "All else equal": the copies differ in X and in the factor of the loss alone.
same_start = Assumption(
    "same_start",
    "all copies have the same b, V(0) = 0 and a(0), with a_0(0) > ... > a_{p-1}(0)",
    satisfies=lambda f: (
        bool((f.V == 0).all())
        and all(bool((x == x[:1]).all()) for x in (f.a, f.b))
        and is_descending(f.a[0], strictly=True)
    ),
    restrict=lambda f: f.replace(V=0 * f.V, a=_copied(strictly_descending(f.a)), b=_copied(f.b)),
)

# In this order, so that "sparser" says second minus first; the violation exchanges the two.
half_the_loss = Assumption(
    "half_the_loss",
    "two copies with the same X, the second with half the loss of the first",
    satisfies=lambda f: len(f.weight) == 2 and f.weight[0] == 2 * f.weight[1] and bool((f.X[:1] == f.X).all()),
    restrict=lambda f: f.replace(X=_copied(f.X), weight=f.weight[..., :1] / np.array([1, 2])),
    violate=lambda f, draws: f.replace(weight=f.weight[..., ::-1]),
)


def _conditions(f: Any) -> list[Any]:
    return [max(values) / min(values) for values in f.X]


def _by_condition(f: Any) -> Any:
    sizes = abs(f.X) + indicator(f.X == 0, f.X)
    X = sizes / sizes.max(axis=-1)[..., None]
    order = np.argsort(-X.min(axis=-1), axis=-1)
    return f.replace(X=np.take_along_axis(np.asarray(X), order[..., None], axis=-2))


conditioned_in_order = Assumption(
    "conditioned_in_order",
    "the largest singular value is 1 and kappa does not fall from copy to copy; the losses have the same factor",
    satisfies=lambda f: (
        bool((f.weight == f.weight[:1]).all())
        and all(max(values) == 1 for values in f.X)
        and all(x <= y for x, y in pairwise(_conditions(f)))
    ),
    restrict=lambda f: _by_condition(f.replace(weight=0 * f.weight + 1)),
)

# The other coordinates of V s stay zero where b has none, so each copy is a problem with a single number for X.
least_singular_values = Assumption(
    "least_singular_values",
    "X is the least singular value alone, along which b lies, and does not grow from copy to copy; losses have one factor",
    satisfies=lambda f: f.X.shape[-1] == 1 and is_descending(f.X[:, 0]) and bool((f.weight == f.weight[:1]).all()),
)

# V = 0 at the start: no column differs from another, and nothing has been learnt. With D against the push the gap falls.
gap_alone = Assumption(
    "gap_alone",
    "the gap starts at 1, D and x at 0",
    satisfies=lambda f: f.gap.item() == 1 and bool((f.D == 0).all() and (f.x == 0).all()),
    restrict=lambda f: f.replace(gap=0 * f.gap + 1, D=0 * f.D, x=0 * f.x),
    violate=lambda f, draws: f.replace(D=-f.w),
)

# Every singular value, not the quotient of two: (1, 1, 2/5) is worse conditioned than (1, 1/2, 1/2), and faster.
falling_singular_values = Assumption(
    "falling_singular_values",
    "in one basis, no singular value grows from copy to copy; the losses have the same factor",
    satisfies=lambda f: bool((f.weight == f.weight[:1]).all() and (f.X[1:] <= f.X[:-1]).all()),
    restrict=lambda f: f.replace(
        X=descending(f.X.swapaxes(-1, -2)).swapaxes(-1, -2), weight=f.weight[..., :1] + 0 * f.weight
    ),
    violate=lambda f, draws: with_entries(f, "X", -1, f.X[0] + draws.choice((fmpq(1), fmpq(1, 2)))),
)
