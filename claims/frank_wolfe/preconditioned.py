"""Hardmax steps with a general step matrix P, and the linear maps that they are while the targets stay the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq

from claims.constructions import draw_system, tokens
from claims.frank_wolfe.runs import one_at_a_time
from claims.matrices import definite, is_invertible
from claims.statement import Assumption, Draws
from dynamics.arithmetic import Array, exact, indicator, transposed
from dynamics.attention import leaders, shares
from dynamics.hardmax import HardmaxStep
from dynamics.orbits import orbit

STEPS = 5


def run_of(f: Any) -> list[Any]:
    """The states at steps 0 to 5."""
    return orbit(f, STEPS)


def share_matrix(f: HardmaxStep) -> Array:
    """W with y_i = sum_j W_ij x_j, shape (..., n, n)."""
    return shares(leaders(f.scores()), f.x, f.selection)


def _repelled_along_the_last_axis(f: Any, draws: Draws) -> Any:
    """-diag(0, ..., 0, b): it sees the last axis alone."""
    d = f.B.shape[-1]
    last = np.arange(d) == max(d - 1, 1)  # none for d = 1
    return f.replace(B=-indicator(np.diag(last), f.B) / draws.integer(1, 4))


invertible_key_query = Assumption(
    "invertible_key_query",
    "B is invertible",
    satisfies=lambda f: _is_invertible(f.B),
    restrict=lambda f: f if _is_invertible(f.B) else f.replace(B=definite(f.B) + f.B - transposed(f.B)),
    violate=_repelled_along_the_last_axis,
)


nonzero_key_query = Assumption(
    "nonzero_key_query",
    "B != 0",
    satisfies=lambda f: bool((f.B != 0).any()),
    restrict=lambda f: f.replace(B=f.B + indicator((f.B == 0).all(axis=(-2, -1), keepdims=True), f.B)),
    violate=lambda f, draws: f.replace(B=0 * f.B),
)


def _is_invertible(B: Array) -> bool:
    """Of a float64 batch, whether all are."""
    if B.dtype != object:
        return bool((np.linalg.svd(B, compute_uv=False).min(axis=-1) > 0).all())
    return is_invertible(B)


@one_at_a_time
def two_that_meet_halfway(draws: Any) -> HardmaxStep:
    """Tokens about the origin that step half of the way along the last axis and a quarter along the others, or any."""
    if draws.choice(("any", "half of the way")) == "any":
        system = draw_system(HardmaxStep, draws)
        assert isinstance(system, HardmaxStep)
        return system
    n, d = draws.integer(1, 3), draws.integer(1, 3)
    x = tokens(draws, n, d)
    shares = [fmpq(1, 4)] * (d - 1) + [fmpq(1, 2)]
    return HardmaxStep.instance(x=np.concatenate([x, -x]), B=-exact(np.eye(d, dtype=int)), P=np.diag(exact(shares)))
