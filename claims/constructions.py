"""General instances of every system, built from draws: nothing is assumed of them, and nothing is filtered.

Every construction begins with the starts a mathematician would try: ties, collinear and symmetric tokens, tokens that
nearly coincide, the zero token, huge and tiny scales, n = 1 and d = 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from flint import fmpq

from claims.draws import BatchDraws
from dynamics.arithmetic import Array, at_most, indicator, numbers, peak
from dynamics.attention_chain import SoftmaxStep
from dynamics.attention_layer import AttentionLayer
from dynamics.conditioned_regression import ConditionedRegressionFlow, LinearisedGapFlow
from dynamics.frozen_values import FrozenValuesFlow
from dynamics.gradient_descent import LogisticDescent, PowerDescent
from dynamics.hardmax import HardmaxStep
from dynamics.kl_loss import FullValuesKLFlow, LogitsKLFlow, ValuesKLFlow
from dynamics.linear_network import LinearNetworkFlow
from dynamics.localmax import RELATIVE, RULES, LocalmaxStep
from dynamics.periodic_schedules import PeriodicLocalmax
from dynamics.preconditioned_schedules import PreconditionedHardmax
from dynamics.row_attention import EqualRowsFlow, FullRowAttentionFlow, RowAttentionFlow
from dynamics.schedules import ScheduledHardmax, ScheduledLocalmax
from dynamics.score_maps import (
    MAPS,
    AnyMapFlow,
    CubeMapFlow,
    ElementwiseExponentialFlow,
    ElementwiseReluFlow,
    ElementwiseSigmoidFlow,
    EluFlow,
    FullMapFlow,
    IdentityMapFlow,
    IdentityMinusOneFlow,
    NormalisedSigmoidFlow,
    OnePlusCubeFlow,
    OnePlusExponentialFlow,
    OnePlusSigmoidFlow,
    ScoreMapFlow,
    SquareMapFlow,
    ThreeHalvesMapFlow,
)
from dynamics.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.slow_clocks import AlignedLossFlow, PathFlow, SlowFlow, SlowLogisticFlow, SlowPowerFlow
from dynamics.system import System
from dynamics.tied_attention import TiedFlow, TransposedTiedFlow
from dynamics.value_softmax import (
    DecayedSquareFlow,
    FullAlignedFlow,
    FullClockFlow,
    FullLinearFlow,
    FullLogisticFlow,
    FullSquareFlow,
    LogisticFlow,
    ReducedFlow,
    SquareLossFlow,
)
from dynamics.vanishing_sensitivity import HarmonicLocalmax

# ---------------------------------------------------------------------------------------------------------------------
# Tokens, matrices, parameters

TOKEN_STARTS = (
    "random",
    "lattice",
    "ties",
    "collinear",
    "symmetric",
    "near-coincident",
    "zero token",
    "tiny",
    "huge",
)


def tokens(draws: Any, n: int, d: int) -> Array:
    """n tokens in R^d of one of the kinds TOKEN_STARTS, shape (..., n, d)."""
    kind = draws.choice(TOKEN_STARTS[:-1] if draws.small else TOKEN_STARTS)
    x = draws.dyadic(n, d, size=1 if draws.small else 4)
    if kind == "lattice":
        x = draws.dyadic(n, d, size=1 if draws.small else 3, bits=0)
    elif kind == "ties":
        x[..., -1, :] = x[..., 0, :]
    elif kind == "collinear":
        x = x[..., :, :1] * x[..., :1, :]
    elif kind == "symmetric":
        x[..., (n + 1) // 2 :, :] = -x[..., : n // 2, :]
    elif kind == "near-coincident":
        x[..., -1, :] = x[..., 0, :] + _power(x, -24) * x[..., -1, :]
    elif kind == "zero token":
        x[..., 0, :] = 0 * x[..., 0, :]
    elif kind in ("tiny", "huge"):
        x = x * _power(x, -16 if kind == "tiny" else 3)
    return np.asarray(x)


def _power(like: Array, exponent: int) -> Any:
    return 2.0**exponent if like.dtype != object else fmpq(2) ** exponent


def _sizes(draws: Any, most_n: int = 6, most_d: int = 3) -> tuple[int, int]:
    n, d = draws.integer(1, 4 if draws.small else most_n), draws.integer(1, 2 if draws.small else most_d)
    draws.chosen += [name for name, size in (("n = 1", n), ("d = 1", d)) if size == 1]
    return n, d


def _positive(draws: Any, *shape: int, size: int = 4, bits: int = 4) -> Array:
    """Positive multiples of 2^-bits, at most size."""
    return numbers(abs(draws.dyadic(*shape, size=size, bits=bits)) + _unit(draws, bits))


def _unit(draws: Any, bits: int) -> Any:
    return 2.0**-bits if isinstance(draws, BatchDraws) else fmpq(1, 1 << bits)


def _fraction_of_one(draws: Any, bits: int = 5) -> Array:
    """A dyadic number in (0, 1)."""
    unit = _unit(draws, bits)
    magnitude = abs(draws.dyadic(size=1, bits=bits))
    return numbers(magnitude * (1 - 2 * unit) + unit)


def draw_system(system: type[System], draws: Any) -> System:
    """A general instance of the system: nothing assumed.

    Raises LookupError for a system without a construction: give the claim its own `draw`.
    """
    if system not in BUILDERS:
        raise LookupError(f"no instances are known for {system.__name__}: give the claim a draw function")
    return BUILDERS[system](draws)


def _self_attention(draws: Any) -> System:
    n, d = _sizes(draws)
    return SelfAttentionFlow(x=tokens(draws, n, d), B=draws.dyadic(d, d, size=2), V=draws.dyadic(d, d, size=2))


def _rescaled(draws: Any) -> System:
    n, d = _sizes(draws)
    time = abs(draws.dyadic(size=draws.choice((1, 1) if draws.small else (1, 14)), bits=3))
    return RescaledFlow(z=tokens(draws, n, d), B=draws.dyadic(d, d, size=2), V=draws.dyadic(d, d, size=2), t=time)


def _hardmax(draws: Any) -> System:
    n, d = _sizes(draws, most_n=8, most_d=4)
    uniform = draws.choice(("leader average", "any maximiser"))
    selection = _positive(draws, n, n, bits=6)
    return HardmaxStep(
        x=tokens(draws, n, d),
        B=draws.dyadic(d, d, size=2),
        P=draws.dyadic(d, d, size=1),
        selection=0 * selection + 1 if uniform == "leader average" else selection,
    )


KEY_QUERY_STARTS = ("any", "identity", "definite lattice", "symmetric lattice")


def key_query(draws: Any, d: int) -> Array:
    """A key-query matrix of one of the kinds KEY_QUERY_STARTS, shape (..., d, d); lattice data keep their ties in three."""
    # The kind is an integer draw here and below, for kinds taken in turn multiply and would meet each other too rarely.
    kind = KEY_QUERY_STARTS[draws.integer(0, len(KEY_QUERY_STARTS) - 1)]
    if kind == "any":
        return np.asarray(draws.dyadic(d, d, size=2))
    M = draws.dyadic(d, d, size=1, bits=0)
    eye = indicator(np.eye(d, dtype=bool), M)
    if kind == "symmetric lattice":
        return np.asarray(M + M.swapaxes(-1, -2))
    return np.asarray(0 * M + eye if kind == "identity" else M @ M.swapaxes(-1, -2) + eye)


SENSITIVITY_STARTS = ("random", "a gap", "zero", "small", "a gap", "large")


def _localmax(draws: Any) -> System:
    """Steps whose sensitivity is often zero or exactly one of the gaps, under every rule."""
    n, d = _sizes(draws, most_n=7, most_d=4)
    z, A = tokens(draws, n, d), key_query(draws, d)
    gamma = _fraction_of_one(draws) if draws.integer(0, 1) else numbers(0 * draws.dyadic() + _unit(draws, 1))
    rule = max(0, draws.integer(-5, len(RULES) - 1))
    start = LocalmaxStep(z=z, A=A, gamma=gamma, delta=0 * gamma, rule=np.array(rule))
    return start.replace(delta=sensitivity(draws, start))


def sensitivity(draws: Any, f: LocalmaxStep) -> Array:
    """A sensitivity of one of the kinds SENSITIVITY_STARTS; a gap in units of the rule, as part of h(z_i) if relative."""
    kind, n = draws.choice(SENSITIVITY_STARTS), f.z.shape[-2]
    if kind == "a gap":
        i, j = draws.integer(0, n - 1), draws.integer(0, n - 1)
        gaps, top = f.gaps()[..., i, j], peak(f.scores())[..., i, 0]
        unit = indicator(np.asarray(at_most(top, 0 * top)), top)
        return numbers(gaps / (abs(top) + unit) if f.which == RELATIVE else gaps)
    size, bits = {"random": (8, 2), "zero": (1, 0), "small": (1, 4), "large": (64, 0)}[kind]
    return numbers(abs(draws.dyadic(size=size, bits=bits)) * (0 if kind == "zero" else 1))


def _harmonic_localmax(draws: Any) -> System:
    """Steps whose sensitivity falls to zero from that of a general localmax start."""
    f = _localmax(draws)
    assert isinstance(f, LocalmaxStep)
    return HarmonicLocalmax(z=f.z, A=f.A, gamma=f.gamma, c=f.delta, k=np.array(0))


SCHEDULE_STARTS = ("constant", "varying", "two alternate")


def schedule(draws: Any, make: Callable[[], Array], axes: int = 0, steps: int = 6) -> Array:
    """Entries for some steps, made one by one and stacked along an axis before the last `axes`, shape (..., T, *axes)."""
    kind = draws.choice(SCHEDULE_STARTS)
    first = make()
    if kind == "constant":
        entries = [first] * steps
    elif kind == "two alternate":
        entries = [first, make()] * (steps // 2)
    else:
        entries = [first, *(make() for _ in range(steps - 1))]
    return numbers(np.stack(entries, axis=-1 - axes))


def _scheduled_hardmax(draws: Any) -> System:
    n, d = _sizes(draws, most_n=5)
    uniform = draws.choice(("leader average", "any maximiser"))
    selection = _positive(draws, n, n, bits=6)
    return ScheduledHardmax(
        x=tokens(draws, n, d),
        B=schedule(draws, lambda: draws.dyadic(d, d, size=2), axes=2),
        gamma=schedule(draws, lambda: _fraction_of_one(draws)),
        selection=0 * selection + 1 if uniform == "leader average" else selection,
        t=_steps_taken(draws),
    )


def _steps_taken(draws: Any) -> Array:
    """None, mostly: a schedule may be entered late."""
    return np.array((0, 0, 0, 1, 2)[draws.integer(0, 4)])


def _preconditioned_hardmax(draws: Any) -> System:
    n, d = _sizes(draws, most_n=4)
    return PreconditionedHardmax(
        x=tokens(draws, n, d),
        B=schedule(draws, lambda: draws.dyadic(d, d, size=2), axes=2),
        P=schedule(draws, lambda: draws.dyadic(d, d, size=1), axes=2),
        selection=_positive(draws, n, n, bits=6),
        t=_steps_taken(draws),
    )


def _scheduled_localmax(flow: type[ScheduledLocalmax]) -> Callable[[Any], System]:
    def build(draws: Any) -> System:
        n, d = _sizes(draws, most_n=5)
        size = draws.choice((8, 1, 64))
        return flow(
            z=tokens(draws, n, d),
            A=draws.dyadic(d, d, size=2),
            gamma=schedule(draws, lambda: _fraction_of_one(draws)),
            delta=schedule(draws, lambda: abs(draws.dyadic(size=size, bits=2))),
            t=_steps_taken(draws),
        )

    return build


SCORE_STARTS = ("random", "zero", "tied", "near-tied", "one large", "tiny", "huge")


def scores(draws: Any, p: int) -> Array:
    """p numbers of one of the kinds SCORE_STARTS, shape (..., p)."""
    kind = draws.choice(SCORE_STARTS[:-1] if draws.small else SCORE_STARTS)
    a = draws.dyadic(p, size=2 if draws.small else 6)
    if kind == "zero":
        a = 0 * a
    elif kind == "tied":
        a[..., -1] = a[..., 0]
    elif kind == "near-tied":
        a[..., -1] = a[..., 0] + _power(a, -24) * a[..., -1]
    elif kind == "one large":
        a[..., 0] = a[..., 0] + (4 if draws.small else 40)
    elif kind in ("tiny", "huge"):
        a = a * _power(a, -12 if kind == "tiny" else 4)
    return np.asarray(a)


def _reduced(flow: type[ReducedFlow]) -> Callable[[Any], System]:
    def build(draws: Any) -> System:
        p = draws.integer(1, 4 if draws.small else 8)
        K = _positive(draws, size=2 if draws.small else 16, bits=3)
        zero = 0 * K
        return flow(u=scores(draws, p), a=scores(draws, p), K=K, t=zero, tau=zero)

    return build


def _full(flow: type[Any], **more: Callable[[Any], Array]) -> Callable[[Any], System]:
    def build(draws: Any) -> System:
        p, d = draws.integer(1, 5), draws.integer(1, 4)
        target = draws.dyadic(d, size=2)
        target[..., 0] = abs(target[..., 0]) + _power(target, -4)
        rest = {name: value(draws) for name, value in more.items()}
        built: System = flow(V=draws.dyadic(d, p, size=2), a=scores(draws, p), beta_star=target, **rest)
        return built

    return build


def _softmax_step(draws: Any) -> System:
    n, d = _sizes(draws)
    beta = numbers(draws.choice((1, -1, 1, 0)) * _positive(draws))
    return SoftmaxStep(x=tokens(draws, n, d), beta=beta, gamma=_fraction_of_one(draws))


def _aligned(draws: Any) -> System:
    like = _full(FullLinearFlow)(draws)
    return FullAlignedFlow(**like.arrays(), c=draws.dyadic(6, size=2))


def _descent(draws: Any) -> System:
    p = draws.integer(2, 6)
    K, rate = _positive(draws, size=2, bits=3), _positive(draws, size=draws.choice((2, 16, 100)), bits=2)
    u = scores(draws, p)
    if draws.choice(("any depth", "deep")) == "deep":
        # Small gaps, and margins so negative that gamma stays near 1 for several steps.
        u = u / 8 - 8 * (K * rate)[..., None]
    return LogisticDescent(u=u, a=scores(draws, p), K=K, rate=rate)


def _power_descent(draws: Any) -> System:
    p, k = draws.integer(1, 6), draws.choice((1, 2, 3, 4))
    K, rate = _positive(draws, size=2, bits=3), _positive(draws, size=4)
    return PowerDescent(u=scores(draws, p), a=_positive(draws, p, size=3), K=K, rate=rate, k=np.array(k))


def _attention_layer(draws: Any) -> System:
    (T, d), h = _sizes(draws), draws.integer(1, 3)
    matrices = {name: draws.dyadic(d, h, size=2) for name in ("Q", "K")}
    return AttentionLayer(X=tokens(draws, T, d), z=draws.dyadic(d, size=2), V=draws.dyadic(d, d, size=2), **matrices)


def _score_map(flow: type[ScoreMapFlow]) -> Callable[[Any], System]:
    """Under the map of the flow, or under any of MAPS."""

    def build(draws: Any) -> System:
        p = draws.integer(1, 3 if draws.small else 6)
        K = _positive(draws, size=2 if draws.small else 16, bits=3)
        # The index is an integer draw, for kinds of start are taken in turn and would meet each map too rarely.
        which = {"map": np.array(draws.integer(0, len(MAPS) - 1))} if flow is AnyMapFlow else {}
        return flow(u=scores(draws, p), a=scores(draws, p), K=K, tau=0 * K, **which)

    return build


def _full_map(draws: Any) -> System:
    built = _full(FullMapFlow)(draws)
    return built.replace(map=np.array(draws.integer(0, len(MAPS) - 1)))


def _logits(draws: Any) -> System:
    p, d = draws.integer(2, 4), draws.integer(2, 4)
    return LogitsKLFlow(V=draws.dyadic(p, d, size=2), a=scores(draws, p), weights=_positive(draws, d))


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
        A = A * _power(A, -24)
    elif kind == "far apart":
        A = A * (2 if draws.small else 16)
    elif kind == "equal rows":
        A = A[..., :1, :] + 0 * A
    return np.asarray(A)


def _visible(draws: Any, T: int) -> Array:
    """Which tokens a row sees: all, or those up to its own."""
    every = np.ones((T, T), dtype=int)
    return np.tril(every) if draws.choice(("every token", "causal mask")) == "causal mask" else every


def _rows(draws: Any) -> System:
    T = draws.integer(2, 3 if draws.small else 5)
    K = _positive(draws, size=2 if draws.small else 16, bits=3)
    A, visible = row_scores(draws, T), _visible(draws, T)
    return RowAttentionFlow(u=scores(draws, T), A=A, K=K, tau=0 * K, visible=visible)


def _equal_rows(draws: Any) -> System:
    T = draws.integer(1, 3 if draws.small else 8)
    K = _positive(draws, size=2 if draws.small else 16, bits=3)
    return EqualRowsFlow(u=scores(draws, T), a=scores(draws, T), K=K, tau=0 * K)


def _full_rows(draws: Any) -> System:
    T, d = draws.integer(2, 4), draws.integer(1, 4)
    target = draws.dyadic(d, size=2)
    target[..., 0] = abs(target[..., 0]) + _power(target, -4)
    A, visible = row_scores(draws, T), _visible(draws, T)
    return FullRowAttentionFlow(V=draws.dyadic(T, d, size=2), A=A, beta_star=target, visible=visible)


def _tied(flow: type[TiedFlow]) -> Callable[[Any], System]:
    def build(draws: Any) -> System:
        D = draws.integer(1, 4)
        target = draws.dyadic(D, size=2)
        target[..., 0] = abs(target[..., 0]) + _power(target, -4)
        return flow(U=draws.dyadic(D, D, size=2), a=scores(draws, D), beta_star=target)

    return build


def _slow(flow: type[SlowFlow], **more: Callable[[Any], Array]) -> Callable[[Any], System]:
    """Starts of moderate size: limits are read off at finite times, where the start should no longer show."""

    def build(draws: Any) -> System:
        losers = draws.choice((1, 2, 4, 7))
        K = _positive(draws, size=2, bits=2)
        gaps, logs = _positive(draws, losers, size=2, bits=2), draws.dyadic(losers, size=1, bits=2)
        rest = {name: value(draws) for name, value in more.items()}
        return flow(gaps=gaps, logs=logs, offset=draws.dyadic(size=1, bits=2), K=K, sigma=0 * K, **rest)

    return build


def _earlier_time(draws: Any) -> Array:
    """Often nothing: a flow may be looked at from any time on, and its clock may have begun before or after."""
    return numbers(draws.choice((0, 1)) * draws.dyadic())


def _loss_power(draws: Any) -> Array:
    return numbers(np.array(draws.choice((1, 0, 2, -1))))


def _small_full(flow: type[Any]) -> Callable[[Any], System]:
    """Full models small enough to be followed in balls: tau is a coordinate too."""

    def build(draws: Any) -> System:
        p, d = draws.integer(1, 3), draws.integer(1, 2)
        target = draws.dyadic(d, size=1)
        target[..., 0] = abs(target[..., 0]) + _power(target, -1)
        K = (target * target).sum(axis=-1)
        built: System = flow(V=draws.dyadic(d, p, size=2), a=scores(draws, p), beta_star=target, tau=0 * K)
        return built

    return build


def _decayed(draws: Any) -> System:
    p = draws.integer(1, 4 if draws.small else 8)
    K, decay = _positive(draws, size=2, bits=3), _positive(draws, size=1, bits=2)
    zero = 0 * K
    return DecayedSquareFlow(u=scores(draws, p), a=scores(draws, p), K=K, t=zero, tau=zero, decay=decay)


def _conditioned(draws: Any) -> System:
    """Two copies with largest singular value 1, in a random order of the basis, and different condition numbers."""
    p, d = (2, 2) if draws.small else (draws.integer(2, 3), draws.integer(2, 3))
    unit = _unit(draws, 0)
    X = numbers(1 / (1 + _positive(draws, 2, d, size=1, bits=3)))
    b, along = draws.dyadic(2, d, size=3, bits=1), draws.choice(((1, 0), (0, 0), (0, 1)))
    if draws.choice(("target on an axis", "any target")) == "target on an axis":
        b[..., 1] = 0 * b[..., 1]
    for copy, axis in enumerate(along):
        X[..., copy, axis] = unit
    return ConditionedRegressionFlow(
        V=draws.dyadic(2, d, p, size=1),
        a=np.stack([scores(draws, p)] * 2, axis=-2),
        X=X,
        b=b,
        weight=_positive(draws, 2, size=1, bits=3),
    )


def _linearised_gap(draws: Any) -> System:
    """Positive solutions and different rates: on a straight path the gain is cosh |w| exactly."""
    d = draws.integer(2, 3)
    w, rate = _positive(draws, d, size=2, bits=2), _positive(draws, d, size=2, bits=2)
    rate = numbers(rate + 3 * np.arange(d))
    return LinearisedGapFlow(w=w, rate=rate, gap=draws.dyadic(size=2), D=draws.dyadic(d, size=2), x=draws.dyadic(d, size=2))


BUILDERS: dict[type[System], Callable[[Any], System]] = {
    SelfAttentionFlow: _self_attention,
    RescaledFlow: _rescaled,
    HardmaxStep: _hardmax,
    LocalmaxStep: _localmax,
    ScheduledHardmax: _scheduled_hardmax,
    ScheduledLocalmax: _scheduled_localmax(ScheduledLocalmax),
    PeriodicLocalmax: _scheduled_localmax(PeriodicLocalmax),
    HarmonicLocalmax: _harmonic_localmax,
    PreconditionedHardmax: _preconditioned_hardmax,
    LogisticFlow: _reduced(LogisticFlow),
    SquareLossFlow: _reduced(SquareLossFlow),
    FullLogisticFlow: _full(FullLogisticFlow),
    FullSquareFlow: _full(FullSquareFlow),
    SoftmaxStep: _softmax_step,
    FullLinearFlow: _full(FullLinearFlow),
    FullAlignedFlow: _aligned,
    LogisticDescent: _descent,
    PowerDescent: _power_descent,
    AttentionLayer: _attention_layer,
    FullMapFlow: _full_map,
    ValuesKLFlow: _reduced(ValuesKLFlow),
    FullValuesKLFlow: _full(FullValuesKLFlow),
    LogitsKLFlow: _logits,
    **{
        flow: _score_map(flow)
        for flow in (
            AnyMapFlow,
            SquareMapFlow,
            CubeMapFlow,
            ThreeHalvesMapFlow,
            NormalisedSigmoidFlow,
            OnePlusExponentialFlow,
            OnePlusSigmoidFlow,
            OnePlusCubeFlow,
            IdentityMinusOneFlow,
            IdentityMapFlow,
            EluFlow,
            ElementwiseSigmoidFlow,
            ElementwiseReluFlow,
            ElementwiseExponentialFlow,
        )
    },
    EqualRowsFlow: _equal_rows,
    RowAttentionFlow: _rows,
    FullRowAttentionFlow: _full_rows,
    TiedFlow: _tied(TiedFlow),
    TransposedTiedFlow: _tied(TransposedTiedFlow),
    PathFlow: _reduced(PathFlow),
    AlignedLossFlow: _full(AlignedLossFlow, g=_positive),
    SlowFlow: _slow(SlowFlow),
    SlowLogisticFlow: _slow(SlowLogisticFlow, z=_earlier_time),
    SlowPowerFlow: _slow(SlowPowerFlow, k=_loss_power, scaled_time=lambda draws: 2**17 * _earlier_time(draws)),
    FrozenValuesFlow: _reduced(FrozenValuesFlow),
    FullClockFlow: _small_full(FullClockFlow),
    LinearNetworkFlow: _small_full(LinearNetworkFlow),
    DecayedSquareFlow: _decayed,
    ConditionedRegressionFlow: _conditioned,
    LinearisedGapFlow: _linearised_gap,
}
