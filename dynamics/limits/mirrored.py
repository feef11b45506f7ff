"""Lemma F of docs/flow_limits.md: two mirrored tokens on a line, u and -u, with any V and any Q^T K. No trap is needed."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from dynamics.limits.margins import NoLemmaError
from dynamics.limits.tokens import TokenFlow, checked, exact_matrix, tokens_of


@dataclass(frozen=True)
class MirroredEnd:
    """|x_i| tends to 0 or to infinity, monotonically; and 2 t x_i^2 tends to 1/loss where it tends to 0."""

    runs_off: bool
    """Whether |x_i| -> infinity."""
    rescaled_runs_off: bool
    """Whether |z_i| -> infinity, z = e^{-tV} x."""
    loss: fmpq
    """-V Q^T K."""


def mirrored_trap(state: TokenFlow, start: TokenFlow) -> MirroredEnd:
    """Lemma F: n = 2, d = 1, x_2 = -x_1 != 0 in the exact start, V and Q^T K other than 0.

    Raises NoLemmaError for another start.
    """
    # The sign of v b alone decides, so that the exact start is asked and not the state.
    checked(state)
    x = tokens_of(start)
    if x.shape != (2, 1) or x[0, 0] == 0 or x[0, 0] != -x[1, 0]:
        raise NoLemmaError("not two opposite tokens on a line")
    v, b = exact_matrix(start.V)[0, 0], exact_matrix(start.B)[0, 0]
    if v == 0 or b == 0:
        raise NoLemmaError("V or Q^T K is 0")
    return MirroredEnd(runs_off=v * b > 0, rescaled_runs_off=v < 0, loss=-v * b)
