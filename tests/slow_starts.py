"""Starts of the value-softmax flow in the coordinates of its slow clocks."""

from __future__ import annotations

from typing import TypeVar

from dynamics.training.slow_clocks import SlowFlow
from dynamics.training.value_softmax import ReducedFlow

S = TypeVar("S", bound=SlowFlow)


def starting_at(flow: type[S], start: ReducedFlow, **more: object) -> S:
    """The same exact start, of two scores or more, in slow coordinates; tau is counted from it."""
    ratios = start.a[1:] - start.a[:1]
    return flow.instance(
        gaps=start.u[:1] - start.u[1:],
        logs=[*(ratios[:-1] - ratios[-1]), ratios[-1]],
        offset=start.u[0],
        K=start.K,
        **more,
    )
