"""Selects the sharper bounds that some flows have for certified steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import arb

from dynamics.arithmetic import Array, elementwise
from dynamics.system import Flow
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.trusted.attention import AttentionBounds
from dynamics.trusted.taylor import Bounds, operator_norm


def _of_tokens(flow: SelfAttentionFlow) -> Bounds:
    """Defects and growth of certified steps, token by token."""
    strength = operator_norm(elementwise(arb, flow.B).tolist())
    return AttentionBounds(flow.x.shape, flow.V, 0 * flow.V, lambda state: flow.B, lambda state, rho: strength)


def _of_rescaled_tokens(flow: RescaledFlow) -> Bounds:
    """Defects and growth of certified steps, token by token; time is exact."""
    pace = operator_norm(elementwise(arb, flow.V).tolist())

    def key_query(state: Sequence[object]) -> Array:
        return flow.with_state(state).key_query()

    def spread(state: Sequence[arb], rho: arb) -> arb:
        # M(t + u) = e^{uV}^T M(t) e^{uV}.
        return operator_norm(elementwise(arb, key_query(state)).tolist()) * (2 * rho * pace).exp()

    return AttentionBounds(flow.z.shape, flow.V, -flow.V, key_query, spread)


BOUNDS: dict[type[Flow], Callable[[Any], Bounds]] = {SelfAttentionFlow: _of_tokens, RescaledFlow: _of_rescaled_tokens}
"""By model, and not for its subclasses: these may move in any other way."""


def bounds_of(flow: Flow) -> Bounds | None:
    """The flow's own bounds, or None: then its formula alone is used."""
    build = BOUNDS.get(type(flow))
    return None if build is None else build(flow)
