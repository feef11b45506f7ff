"""Hypotheses on scores, value projections and their leaders."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from claims.instances.builders import draw_system
from claims.instances.numbers import power_of_two
from claims.stating.assumptions import certainly_all, certainly_at_most, size, with_entries
from claims.stating.matrices import eye_like
from claims.stating.statement import Assumption
from dynamics.arithmetic import Array, exact, log
from dynamics.system import System
from dynamics.training.kl_loss import LogitsKLFlow
from dynamics.training.value_softmax import SquareLossFlow

# ---------------------------------------------------------------------------------------------------------------------
# Scores and value projections


def descending(values: Array) -> Array:
    return np.asarray(np.sort(values, axis=-1)[..., ::-1])


# Below the grid of drawn numbers, 1/16: it parts ties and hardly moves what is apart.
def ramp(values: Array) -> Array:
    """p - 1, ..., 1, 0 times 2^-12: added to sorted numbers it makes the order strict."""
    p = values.shape[-1]
    return np.asarray(np.arange(p - 1, -1, -1).astype(values.dtype) * power_of_two(values, -12))


def strictly_descending(values: Array) -> Array:
    return np.asarray(descending(values) + ramp(values))


def is_descending(values: Array, strictly: bool = False) -> bool:
    return all(x > y if strictly else x >= y for x, y in pairwise(values))


def swap_first_two(f: Any, name: str) -> Any:
    values = getattr(f, name)
    # One number is always in order.
    return f if values.shape[-1] < 2 else with_entries(f, name, (..., [0, 1]), values[..., [1, 0]])


# A ramp of 2^-12 would move a start that is drawn because its scores are 2^-16 apart.
def where_unmet(assumption: Assumption) -> Assumption:
    """The same hypothesis; an exact start that meets it stays as it is, however narrowly it does."""
    restrict = assumption.restrict
    assert restrict is not None
    return replace(assumption, restrict=lambda f: f if f.a.dtype == object and assumption.satisfies(f) else restrict(f))


# For two scores near a tie, with a small target, the closed bound on the limit of 1/q_j is nearly attained.
def scores_nearly_tied(draws: Any) -> System:
    """Any start of the square loss, or one of two scores, the first larger by 2^-16, and a small target."""
    kind = draws.choice(("any", "nearly tied", "any"))
    f: Any = draw_system(SquareLossFlow, draws)
    if kind == "any":
        return f
    a = f.a[..., :1] * 0 + np.array([1, 0]) * power_of_two(f.a, -16)
    return f.replace(a=a, u=0 * a, K=0 * f.K + power_of_two(a, -12))


# At the minimum both sides of every inequality about the loss are zero, which nothing drawn at random meets.
def logits_at_the_target_or_any(draws: Any) -> System:
    """Any start of the cross-entropy of logits, or one at its minimum: the uniform distribution, and values 0."""
    kind, f = draws.choice(("any", "any", "at the target")), draw_system(LogitsKLFlow, draws)
    assert isinstance(f, LogitsKLFlow)
    return f if kind == "any" else f.replace(V=0 * f.V, weights=0 * f.weights + 1)


def _doubled(f: Any) -> Any:
    if f.a.shape[-1] >= 2:
        return f
    return f.replace(u=np.concatenate([f.u, f.u], axis=-1), a=np.concatenate([f.a, f.a], axis=-1))


# For p = 1 there is no pair: a slack without entries says nothing.
two_scores = size(
    "two_scores",
    "p",
    least=2,
    restrict=_doubled,
    violate=lambda f, draws: f.replace(u=f.u[..., :1], a=f.a[..., :1]),
    label="H7",
)

zero_scores = Assumption(
    "zero_scores",
    "a(0) = 0",
    satisfies=lambda f: bool((f.a == 0).all()),
    restrict=lambda f: f.replace(a=0 * f.a),
    # Ascending, against the order of the values: scores in the same order would keep what follows from zero ones.
    violate=lambda f, draws: f.replace(a=np.sort(draws.dyadic(*f.a.shape, size=3), axis=-1) + ramp(f.a)[..., ::-1]),
    label="A-3.1, H1",
)

ordered_values = Assumption(
    "ordered_values",
    "u_0(0) > ... > u_{p-1}(0)",
    satisfies=lambda f: is_descending(f.u, strictly=True),
    restrict=lambda f: f.replace(u=strictly_descending(f.u)),
    violate=lambda f, draws: swap_first_two(f, "u"),
    label="A-3.1, H2",
)

# The paper's proofs set |beta_*| = 1; where a constant depends on K, this hypothesis is what drops it.
unit_target = Assumption(
    "unit_target",
    "|beta_*| = 1",
    satisfies=lambda f: f.K.item() == 1,
    restrict=lambda f: f.replace(K=0 * f.K + 1),
    violate=lambda f, draws: f.replace(K=fmpq(draws.integer(2, 16))),
    label="H3",
)

# Ties of scores are admitted, of values not: a = 0 is such a state, so that an inequality of rates covers the start.
comonotone = Assumption(
    "comonotone",
    "s_0 >= ... >= s_{p-1} and u_0 > ... > u_{p-1}",
    satisfies=lambda f: is_descending(f.a) and is_descending(f.u, strictly=True),
    restrict=lambda f: f.replace(a=descending(f.a), u=strictly_descending(f.u)),
    violate=lambda f, draws: swap_first_two(f, "u"),
)

# Broken by values around 3 K: where m(0) > K gamma is negative, and polarization runs backwards (H6).
zero_values = Assumption(
    "zero_values",
    "u(0) = 0, as for V(0) = 0",
    satisfies=lambda f: bool((f.u == 0).all()),
    restrict=lambda f: f.replace(u=0 * f.u),
    violate=lambda f, draws: f.replace(u=draws.dyadic(*f.u.shape, size=4) + 3 * f.K),
    label="A-3.4",
)

ordered_scores = Assumption(
    "ordered_scores",
    "s_0(0) > ... > s_{p-1}(0)",
    satisfies=lambda f: is_descending(f.a, strictly=True),
    restrict=lambda f: f.replace(a=strictly_descending(f.a)),
    violate=lambda f, draws: swap_first_two(f, "a"),
    label="A-3.4",
)


# As the paper states them, for p >= 2: with one score there is no order.
ASSUMPTION_3_1 = (two_scores, zero_scores, ordered_values)

ASSUMPTION_3_4 = (two_scores, ordered_scores, zero_values)


# All 2 x 2 minors of beta_* beside a column, so that nothing is divided by an entry that may be zero.
def _is_aligned(f: Any) -> bool:
    target = f.beta_star
    return bool((f.V[:, None, :] * target[None, :, None] == f.V[None, :, :] * target[:, None, None]).all())


aligned_values = Assumption(
    "aligned_values",
    "V = beta_* c^T for some c",
    satisfies=_is_aligned,
    restrict=lambda f: f.replace(V=f.beta_star[..., :, None] * f.V[..., :1, :]),
    violate=lambda f, draws: f.replace(V=f.V + eye_like(np.zeros((len(f.V),) * 2, dtype=object) + fmpq(0))[:, :1]),
)


# ---------------------------------------------------------------------------------------------------------------------
# Gradient descent


# s_i (m - u_i) is at most a quarter of the spread of u: up to 4 the step cannot overshoot.
small_descent_step = Assumption(
    "small_descent_step",
    "rate (u_0 - u_{p-1}) <= 4",
    satisfies=lambda f: bool(f.rate.item() * (f.u[0] - f.u[-1]) <= 4),
    # 4 rW / (4 + rW) < 4 for W = u_0 - u_{p-1}, and a small rate r hardly changes.
    restrict=lambda f: f.replace(rate=4 * f.rate / (4 + f.rate * (f.u[..., 0] - f.u[..., -1]))),
    violate=lambda f, draws: f.replace(rate=f.rate + draws.integer(8, 256) / (f.u[0] - f.u[-1])),
)


# ---------------------------------------------------------------------------------------------------------------------
# Leaders and ties


def _first_raised(values: Array, by: Any) -> Array:
    """The same numbers with the first one replaced by their maximum plus `by`."""
    raised = values.copy()
    raised[..., 0] = values.max(axis=-1) + by
    return np.asarray(raised)


# Exchanged, where raising the first alone would leave a copy of the largest value beside it, a near tie.
def _leader_first(values: Array, by: Any) -> Array:
    """The same numbers with the largest exchanged into first place and raised by `by`."""
    led, first, top = values.copy(), values[..., :1].copy(), values.argmax(axis=-1)[..., None]
    np.put_along_axis(led, top, first, axis=-1)
    led[..., 0] = values.max(axis=-1) + by
    return np.asarray(led)


# All that s -> e_0 needs (H1, H2): the others may stand in any order, and a(0) need not be 0.
leader_dominates = Assumption(
    "leader_dominates",
    "u_0 > u_j and a_0 >= a_j for j != 0",
    satisfies=lambda f: all(f.u[0] > x for x in f.u[1:]) and all(f.a[0] >= x for x in f.a[1:]),
    restrict=lambda f: f.replace(u=_leader_first(f.u, power_of_two(f.u, -12)), a=_leader_first(f.a, 0)),
    violate=lambda f, draws: swap_first_two(f, "u"),
)

leading_value = Assumption(
    "leading_value",
    "u_0 > u_j for j != 0",
    satisfies=lambda f: all(f.u[0] > x for x in f.u[1:]),
    restrict=lambda f: f.replace(u=_leader_first(f.u, power_of_two(f.u, -12))),
    violate=lambda f, draws: swap_first_two(f, "u"),
)

# Ties are what the statement is about. Reversing the values breaks it even where two of them are equal.
weakly_ordered_values = Assumption(
    "weakly_ordered_values",
    "u_0 >= ... >= u_{p-1}",
    satisfies=lambda f: is_descending(f.u),
    restrict=lambda f: f.replace(u=descending(f.u)),
    violate=lambda f, draws: f.replace(u=strictly_descending(f.u)[..., ::-1]),
)


def _first_two_tied(values: Array, by: Any) -> Array:
    tied = _leader_first(values, by)
    tied[..., 1] = tied[..., 0]  # only now: the one that stood second may have been exchanged with the leader
    return tied


def _is_tied_at_the_top(values: Array) -> bool:
    return bool(values[0] == values[1]) and all(values[0] >= x for x in values[2:])


# Both in u and in a: only then does exchanging 0 and 1 leave the start as it is.
tied_leaders = Assumption(
    "tied_leaders",
    "u_0 = u_1 > u_j and a_0 = a_1 >= a_j for j >= 2",
    satisfies=lambda f: (
        len(f.u) >= 2 and _is_tied_at_the_top(f.u) and all(f.u[0] > x for x in f.u[2:]) and _is_tied_at_the_top(f.a)
    ),
    restrict=lambda f: _doubled(f).replace(
        u=_first_two_tied(_doubled(f).u, power_of_two(f.u, -12)), a=_first_two_tied(_doubled(f).a, 0)
    ),
    violate=lambda f, draws: f.replace(u=_first_raised(f.u, 1)),
)

OTHERS = (..., slice(1, None))

# The p - 1 losers then move as one, so that two numbers, u_0 - u_1 and a_0 - a_1, determine the flow.
tied_losers = Assumption(
    "tied_losers",
    "u_1 = ... = u_{p-1} and a_1 = ... = a_{p-1}",
    satisfies=lambda f: all(f.u[1] == x for x in f.u[1:]) and all(f.a[1] == x for x in f.a[1:]),
    restrict=lambda f: with_entries(with_entries(f, "u", OTHERS, f.u[..., 1:2]), "a", OTHERS, f.a[..., 1:2]),
)

two_scores_only = size("two_scores_only", "p", 2, 2, restrict=lambda f: _doubled(f.replace(u=f.u[..., :2], a=f.a[..., :2])))

halved_ratios = Assumption(
    "halved_ratios",
    "s_j <= s_0 / 2 for j != 0",
    satisfies=lambda f: certainly_all(certainly_at_most(log(exact(2)).item(), f.a[0] - x) for x in f.a[1:]),
    restrict=lambda f: f.replace(a=_first_raised(f.a, power_of_two(f.a, -12) * 2840)),  # 2840 / 4096 is just above log 2
    violate=lambda f, draws: f.replace(a=0 * f.a),
)


# beta_* / K raises u_0 by exactly 1, since <beta_*, beta_*> = K; the part of the column off beta_* stays as it is drawn.
def _leading_column(f: Any) -> Any:
    """The column of largest u exchanged into first place, and moved along beta_* until it leads by 1/4096 at least."""
    top = f.u.argmax(axis=-1)[..., None, None]
    V, first = f.V.copy(), f.V[..., :, :1].copy()
    rows = np.broadcast_to(top, first.shape)
    leading = np.take_along_axis(f.V, rows, axis=-1)
    np.put_along_axis(V, rows, first, axis=-1)
    V[..., 0] = leading[..., 0] + f.beta_star * (power_of_two(f.V, -12) / f.K)[..., None]
    return f.replace(V=V)


leading_column = Assumption(
    "leading_column",
    "<beta_*, v_0> > <beta_*, v_j> for j != 0",
    satisfies=lambda f: all(f.u[0] > x for x in f.u[1:]),
    restrict=_leading_column,
    violate=lambda f, draws: swap_first_two(f, "V"),
)

# The opposite column: a second one like the first would be tied with it.
two_columns = size(
    "two_columns",
    "p",
    least=2,
    restrict=lambda f: (
        f
        if f.a.shape[-1] >= 2
        else f.replace(V=np.concatenate([f.V, -f.V], axis=-1), a=np.concatenate([f.a, f.a], axis=-1))
    ),
)
