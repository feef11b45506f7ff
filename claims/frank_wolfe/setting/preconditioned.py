"""Hardmax steps with a general step matrix P, and the linear maps that they are while the targets do not change."""

from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.cells import some_scores
from claims.frank_wolfe.setting.runs import one_at_a_time
from claims.instances.builders import draw_system
from claims.instances.tokens import draw_tokens
from claims.stating.matrices import invertible, is_invertible
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import Array, exact, indicator, numbers
from dynamics.attention import leaders, shares
from dynamics.orbits.exact import orbit
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.preconditioned_schedules import PreconditionedHardmax, algebra, rank

STEPS = 5


def run_of(f: Any) -> list[Any]:
    """The states at steps 0 to 5."""
    return orbit(f, STEPS)


def share_matrix(f: HardmaxStep) -> Array:
    """W with y_i = sum_j W_ij x_j, shape (..., n, n)."""
    return shares(leaders(f.scores()), f.x, f.selection)


def _repelled_along_the_last_axis(f: Any, draws: Draws) -> Any:
    """-diag(0, ..., 0, b): scores of the last coordinate alone."""
    d = f.B.shape[-1]
    last = np.arange(d) == max(d - 1, 1)  # none for d = 1
    return f.replace(B=-indicator(np.diag(last), f.B) / draws.integer(1, 4))


invertible_key_query = Assumption(
    "invertible_key_query",
    "B is invertible",
    satisfies=lambda f: _is_invertible(f.B),
    restrict=lambda f: f if _is_invertible(f.B) else f.replace(B=invertible(f.B)),
    violate=_repelled_along_the_last_axis,
)

nonzero_key_query = replace(some_scores, name="nonzero_key_query", statement="B != 0")


def _is_invertible(B: Array) -> bool:
    """Of a float64 batch, whether all are."""
    if B.dtype != object:
        return bool((np.linalg.svd(B, compute_uv=False).min(axis=-1) > 0).all())
    return is_invertible(B)


# 1/2 along the last axis only: opposite tokens meet there after one step, and differ elsewhere. With scores of the last
# coordinate alone they tie at all later times.
@one_at_a_time
def two_that_meet_halfway(draws: Any) -> HardmaxStep:
    """Tokens around the origin that move half of the way along the last axis and a quarter along the others, or any."""
    if draws.choice(("any", "half of the way")) == "any":
        system = draw_system(HardmaxStep, draws)
        assert isinstance(system, HardmaxStep)
        return system
    n, d = draws.integer(1, 3), draws.integer(1, 3)
    x = draw_tokens(draws, n, d)
    shares = [fmpq(1, 4)] * (d - 1) + [fmpq(1, 2)]
    return HardmaxStep.instance(x=np.concatenate([x, -x]), B=-exact(np.eye(d, dtype=int)), P=np.diag(exact(shares)))


# ---------------------------------------------------------------------------------------------------------------------
# Steps that change


# B^T M = 0 is linear in M: on a basis of the algebra it is a rank.
def _hides_nothing(f: Any) -> bool:
    basis = algebra(f.P)
    return all(rank(numbers(B.T @ basis)) == len(basis) for B in f.B)


def _hiding(f: Any, draws: Draws) -> Any:
    """Scores of the last coordinate alone, in which two tokens meet halfway after a step while the others differ."""
    d, T = f.B.shape[-1], len(f.P)
    last = np.arange(d) == max(d - 1, 1)  # none for d = 1
    B = -indicator(np.diag(last), f.B) / draws.integer(1, 4)
    P = indicator(np.eye(d, dtype=bool), f.P) / 4 + indicator(np.diag(np.arange(d) == d - 1), f.P) / 4
    return f.replace(B=numbers(np.stack([B] * T)), P=numbers(np.stack([P] * T)))


nothing_hidden = Assumption(
    "nothing_hidden",
    "B^T M = 0 only for M = 0 in the algebra that the P^s generate",
    satisfies=_hides_nothing,
    restrict=lambda f: f if _hides_nothing(f) else f.replace(B=invertible(f.B)),
    violate=_hiding,
)


@one_at_a_time
def hidden_products_and_others(draws: Any) -> PreconditionedHardmax:
    """Up to four tokens, opposite or any, with diagonal, scalar or any steps, under scores of rank one or any."""
    n, d, T = draws.integer(1, 2), draws.integer(1, 3), draws.integer(1, 3)
    half, eye = draw_tokens(draws, n, d), exact(np.eye(d, dtype=int))
    x = np.concatenate([half, -half if draws.integer(0, 1) else draw_tokens(draws, n, d)])
    kind = draws.choice(("diagonal", "scalar", "any"))
    P = draws.dyadic(T, d, d, size=1, bits=2)
    if kind != "any":
        P = P * eye if kind == "diagonal" else P[:, :1, :1] * eye
    B = draws.dyadic(T, d, d, size=2)
    B = B[:, :, :1] * B[:, :1, :] if draws.integer(0, 1) else B
    return PreconditionedHardmax.instance(x=x, B=B, P=P)
