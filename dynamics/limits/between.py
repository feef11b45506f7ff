"""Lemma E of docs/flow_limits.md: two starts whose first token runs off to different sides have a bounded one between."""

from __future__ import annotations

from dataclasses import dataclass

from dynamics.arithmetic import Array
from dynamics.limits.margins import NoLemmaError, NotTrappedError, about, unit_rows
from dynamics.limits.thresholds import threshold_trap
from dynamics.tokens.two_starts import TwoStarts


@dataclass(frozen=True)
class BoundedBetween:
    """For a start between the two the first token stays bounded, and P tends to I.

    Then 1 - P_11 >= 1/(4 X^2 e^{2t} + 2) from some time on, X the second token at time 0.
    """

    doubly_exponential: int
    """Whether every row of every start between converges doubly exponentially: -1, no."""
    attention: Array
    """The limit of P for a start between: the identity, exact, shape (2, 2)."""


def between_trap(state: TwoStarts, start: TwoStarts) -> BoundedBetween:
    """Lemma E: two tokens on a line, Q^T K = V = 1, the second the same in both starts and at least 1.

    Raises NotTrappedError where the first tokens are not seen to run off to different sides, UndecidedError where that is
    open, NoLemmaError for other starts.
    """
    about(state, TwoStarts)
    if start.x.shape != (2, 1) or start.B[0, 0] != 1 or start.V[0, 0] != 1:
        raise NoLemmaError("not two tokens on a line with Q^T K = V = 1")
    if start.x[1, 0] != start.y[1, 0] or not start.x[1, 0] >= 1:
        raise NoLemmaError("the second tokens are not the same, or below 1")
    # Which side is decided of each start by itself; that one between stays bounded follows by continuity.
    sides = [
        threshold_trap(now, begun).sides[0]
        for now, begun in ((state.first(), start.first()), (state.second(), start.second()))
    ]
    if sides[0] == sides[1]:
        raise NotTrappedError("the first tokens run off to the same side")
    return BoundedBetween(-1, unit_rows([0, 1], 2))
