"""General instances of the systems in which scores and values are trained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from claims.instances.numbers import draw_positive, draw_sizes, last_bit, power_of_two
from claims.instances.tokens import draw_tokens
from dynamics.arithmetic import Array, numbers
from dynamics.system import System
from dynamics.tokens.attention_layer import AttentionLayer
from dynamics.training.conditioned_regression import ConditionedRegressionFlow, LinearisedGapFlow
from dynamics.training.frozen_values import FrozenValuesFlow
from dynamics.training.gradient_descent import LogisticDescent, PowerDescent
from dynamics.training.kl_loss import FullValuesKLFlow, LogitsKLFlow, ValuesKLFlow
from dynamics.training.linear_network import LinearNetworkFlow
from dynamics.training.row_attention import EqualRowsFlow, FullRowAttentionFlow, RowAttentionFlow
from dynamics.training.score_maps import MAPS, AnyMapFlow, ElementwiseMapFlow, FullMapFlow, NormalisedMapFlow
from dynamics.training.slow_clocks import AlignedLossFlow, PathFlow, SlowFlow, SlowLogisticFlow, SlowPowerFlow
from dynamics.training.tied_attention import TiedFlow, TransposedTiedFlow
from dynamics.training.value_softmax import (
    DecayedSquareFlow,
    FullAlignedFlow,
    FullClockFlow,
    FullLinearFlow,
    FullLogisticFlow,
    FullSquareFlow,
    LogisticFlow,
    SquareLossFlow,
)

SCORE_STARTS = ("random", "zero", "tied", "near-tied", "one large", "tiny", "huge")


def _scores(draws: Any, p: int) -> Array:
    """p numbers of one of the kinds SCORE_STARTS, shape (..., p)."""
    kind = draws.choice(SCORE_STARTS[:-1] if draws.small else SCORE_STARTS)
    a = draws.dyadic(p, size=2 if draws.small else 6)
    if kind == "zero":
        a = 0 * a
    elif kind == "tied":
        a[..., -1] = a[..., 0]
    elif kind == "near-tied":
        a[..., -1] = a[..., 0] + power_of_two(a, -24) * a[..., -1]
    elif kind == "one large":
        # Beyond a gap of 37 the shares of others are below the rounding of float64 beside 1: only exact numbers tell them.
        a[..., 0] = a[..., 0] + (4 if draws.small else 40)
    elif kind in ("tiny", "huge"):
        a = a * power_of_two(a, -12 if kind == "tiny" else 4)
    return np.asarray(a)


def _begun(draws: Any) -> Array:
    # Often zero, since only elapsed time matters.
    # An integer draw: kinds taken in turn, as those of the scores are, would meet each other too rarely.
    return numbers(draws.integer(0, 1) * draws.dyadic())


def _which_map(draws: Any) -> Array:
    # Again an integer draw, for the same reason.
    return np.array(draws.integer(0, len(MAPS) - 1))


def _reduced(
    flow: type[Any], small: int = 4, large: int = 8, target: int = 16, **more: Callable[[Any], Array]
) -> Callable[[Any], System]:
    """Values and scores of up to so many tokens, K up to `target`, what `more` there is, and the clocks of the flow."""

    def build(draws: Any) -> System:
        # The order of the draws is part of every seed: what a recorded hunt or verdict was found with.
        p = draws.integer(1, small if draws.small else large)
        K = draw_positive(draws, size=2 if draws.small else target, bits=3)
        rest = {name: value(draws) for name, value in more.items()}
        u, a = _scores(draws, p), _scores(draws, p)
        clocks = {name: _begun(draws) for name in ("t", "tau") if name in flow.fields()}
        built: System = flow(u=u, a=a, K=K, **clocks, **rest)
        return built

    return build


def _target(draws: Any, d: int, size: int = 2, least: int = -4) -> Array:
    """beta_*, shape (..., d), with a first entry of 2^least or more: it is never zero."""
    target = draws.dyadic(d, size=size)
    target[..., 0] = abs(target[..., 0]) + power_of_two(target, least)
    return np.asarray(target)


def _full(flow: type[Any], is_small: bool = False, **more: Callable[[Any], Array]) -> Callable[[Any], System]:
    def build(draws: Any) -> System:
        # A model whose clock is a coordinate is followed in balls: with more entries no path would be certified.
        p, d = (draws.integer(1, most) for most in ((3, 2) if is_small else (5, 4)))
        target = _target(draws, d, size=1, least=-1) if is_small else _target(draws, d)
        rest = {name: value(draws) for name, value in more.items()}
        V, a = draws.dyadic(d, p, size=2), _scores(draws, p)
        clock = {"tau": _begun(draws)} if is_small else {}
        built: System = flow(V=V, a=a, beta_star=target, **clock, **rest)
        return built

    return build


def _aligned(draws: Any) -> System:
    like = _full(FullLinearFlow)(draws)
    return FullAlignedFlow(**like.arrays(), c=draws.dyadic(6, size=2))


def _descent(draws: Any) -> System:
    p = draws.integer(2, 6)
    K, rate = draw_positive(draws, size=2, bits=3), draw_positive(draws, size=draws.choice((2, 16, 100)), bits=2)
    u = _scores(draws, p)
    if draws.choice(("any depth", "deep")) == "deep":
        # Small gaps, and margins so negative that gamma stays near 1 for several steps.
        u = u / 8 - 8 * (K * rate)[..., None]
    return LogisticDescent(u=u, a=_scores(draws, p), K=K, rate=rate)


def _power_descent(draws: Any) -> System:
    p, k = draws.integer(1, 6), draws.choice((1, 2, 3, 4))
    K, rate = draw_positive(draws, size=2, bits=3), draw_positive(draws, size=4)
    return PowerDescent(u=_scores(draws, p), a=draw_positive(draws, p, size=3), K=K, rate=rate, k=np.array(k))


def _attention_layer(draws: Any) -> System:
    (T, d), h = draw_sizes(draws), draws.integer(1, 3)
    matrices = {name: draws.dyadic(d, h, size=2) for name in ("Q", "K")}
    return AttentionLayer(X=draw_tokens(draws, T, d), z=draws.dyadic(d, size=2), V=draws.dyadic(d, d, size=2), **matrices)


def _full_map(draws: Any) -> System:
    return _full(FullMapFlow)(draws).replace(map=_which_map(draws))


LOGIT_STARTS = ("any", "any", "any", "one likely class")


def _logits(draws: Any) -> System:
    p, d = draws.integer(2, 4), draws.integer(2, 4)
    V, a, weights = draws.dyadic(p, d, size=2), _scores(draws, p), draw_positive(draws, d)
    kind = LOGIT_STARTS[draws.integer(0, len(LOGIT_STARTS) - 1)]
    if kind == "one likely class":
        # p_* nearly a unit vector, and q near it on the other side.
        V, weights = 0 * V, numbers(weights / 2**40)
        V[..., 0], weights[..., 0] = V[..., 0] + 8, weights[..., 0] + 1
    return LogitsKLFlow(V=V, a=a, weights=weights)


ROW_STARTS = ("random", "zero", "one row on its own token", "near-tied", "far apart", "equal rows")


def row_scores(draws: Any, T: int) -> Array:
    """T rows of T scores of one of the kinds ROW_STARTS, shape (..., T, T)."""
    kind = draws.choice(ROW_STARTS)
    A = draws.dyadic(T, T, size=2)
    if kind in ("zero", "one row on its own token"):
        A = 0 * A
        if kind != "zero":
            A[..., -1, -1] = A[..., -1, -1] + draws.integer(1, 6)
    elif kind == "near-tied":
        A = A * power_of_two(A, -24)
    elif kind == "far apart":
        A = A * (2 if draws.small else 16)
    elif kind == "equal rows":
        A = A[..., :1, :] + 0 * A
    return np.asarray(A)


def _visible(draws: Any, T: int) -> Array:
    every = np.ones((T, T), dtype=int)
    return np.tril(every) if draws.choice(("every token", "causal mask")) == "causal mask" else every


def _rows(draws: Any) -> System:
    T = draws.integer(2, 3 if draws.small else 5)
    K = draw_positive(draws, size=2 if draws.small else 16, bits=3)
    A, visible = row_scores(draws, T), _visible(draws, T)
    return RowAttentionFlow(u=_scores(draws, T), A=A, K=K, tau=_begun(draws), visible=visible)


def _full_rows(draws: Any) -> System:
    T, d = draws.integer(2, 4), draws.integer(1, 4)
    target = _target(draws, d)
    A, visible = row_scores(draws, T), _visible(draws, T)
    return FullRowAttentionFlow(V=draws.dyadic(T, d, size=2), A=A, beta_star=target, visible=visible)


def _tied(flow: type[TiedFlow]) -> Callable[[Any], System]:
    def build(draws: Any) -> System:
        D = draws.integer(1, 4)
        target = _target(draws, D)
        return flow(U=draws.dyadic(D, D, size=2), a=_scores(draws, D), beta_star=target)

    return build


def _slow(flow: type[SlowFlow], **more: Callable[[Any], Array]) -> Callable[[Any], System]:
    # Starts of moderate size: limits are estimated at finite times, when the effect of the start should have decayed.
    def build(draws: Any) -> System:
        losers = draws.choice((1, 2, 4, 7))
        K = draw_positive(draws, size=2, bits=2)
        gaps, logs = draw_positive(draws, losers, size=2, bits=2), draws.dyadic(losers, size=1, bits=2)
        rest = {name: value(draws) for name, value in more.items()}
        return flow(gaps=gaps, logs=logs, offset=draws.dyadic(size=1, bits=2), K=K, sigma=0 * K, **rest)

    return build


def _earlier_time(draws: Any) -> Array:
    # Often zero; but a flow may be started at any time, and its clock may have begun before or after.
    return numbers(draws.choice((0, 1)) * draws.dyadic())


def _conditioned(draws: Any) -> System:
    """Two copies with largest singular value 1, in a random order of the basis, and different condition numbers."""
    p, d = (2, 2) if draws.small else (draws.integer(2, 3), draws.integer(2, 3))
    unit = last_bit(draws, 0)
    X = numbers(1 / (1 + draw_positive(draws, 2, d, size=1, bits=3)))
    b, along = draws.dyadic(2, d, size=3, bits=1), draws.choice(((1, 0), (0, 0), (0, 1)))
    if draws.choice(("target on an axis", "any target")) == "target on an axis":
        b[..., 1] = 0 * b[..., 1]
    for copy, axis in enumerate(along):
        X[..., copy, axis] = unit
    return ConditionedRegressionFlow(
        V=draws.dyadic(2, d, p, size=1),
        a=np.stack([_scores(draws, p)] * 2, axis=-2),
        X=X,
        b=b,
        weight=draw_positive(draws, 2, size=1, bits=3),
    )


def _linearised_gap(draws: Any) -> System:
    # Different rates, and positive solutions: on a straight path the gain is then cosh |w| exactly.
    d = draws.integer(2, 3)
    w, rate = draw_positive(draws, d, size=2, bits=2), draw_positive(draws, d, size=2, bits=2)
    rate = numbers(rate + 3 * np.arange(d))
    return LinearisedGapFlow(w=w, rate=rate, gap=draws.dyadic(size=2), D=draws.dyadic(d, size=2), x=draws.dyadic(d, size=2))


BUILDERS: dict[type[System], Callable[[Any], System]] = {
    LogisticFlow: _reduced(LogisticFlow),
    SquareLossFlow: _reduced(SquareLossFlow),
    FullLogisticFlow: _full(FullLogisticFlow),
    FullSquareFlow: _full(FullSquareFlow),
    FullLinearFlow: _full(FullLinearFlow),
    FullAlignedFlow: _aligned,
    LogisticDescent: _descent,
    PowerDescent: _power_descent,
    AttentionLayer: _attention_layer,
    FullMapFlow: _full_map,
    ValuesKLFlow: _reduced(ValuesKLFlow),
    FullValuesKLFlow: _full(FullValuesKLFlow),
    LogitsKLFlow: _logits,
    # Each has a map of its own; a new one needs no line here.
    **{flow: _reduced(flow, 3, 6) for kind in (NormalisedMapFlow, ElementwiseMapFlow) for flow in kind.__subclasses__()},
    AnyMapFlow: _reduced(AnyMapFlow, 3, 6, map=_which_map),
    EqualRowsFlow: _reduced(EqualRowsFlow, 3),
    RowAttentionFlow: _rows,
    FullRowAttentionFlow: _full_rows,
    TiedFlow: _tied(TiedFlow),
    TransposedTiedFlow: _tied(TransposedTiedFlow),
    PathFlow: _reduced(PathFlow),
    AlignedLossFlow: _full(AlignedLossFlow, g=draw_positive),
    SlowFlow: _slow(SlowFlow),
    SlowLogisticFlow: _slow(SlowLogisticFlow, z=lambda draws: 16 * _earlier_time(draws)),
    SlowPowerFlow: _slow(
        SlowPowerFlow,
        k=lambda draws: numbers(np.array(draws.choice((1, 0, 2, -1)))),
        scaled_time=lambda draws: 2**17 * _earlier_time(draws),
    ),
    FrozenValuesFlow: _reduced(FrozenValuesFlow),
    FullClockFlow: _full(FullClockFlow, is_small=True),
    LinearNetworkFlow: _full(LinearNetworkFlow, is_small=True),
    DecayedSquareFlow: _reduced(DecayedSquareFlow, target=2, decay=lambda draws: draw_positive(draws, size=1, bits=2)),
    ConditionedRegressionFlow: _conditioned,
    LinearisedGapFlow: _linearised_gap,
}
