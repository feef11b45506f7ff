"""General instances of every system, built from draws: nothing is assumed of them, and nothing is filtered.

Every construction begins with the starts a mathematician would try: ties, collinear and symmetric tokens, tokens that
nearly coincide, the zero token, huge and tiny scales, n = 1 and d = 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from claims.instances.numbers import draw_fraction, draw_positive, draw_sizes, last_bit, power_of_two
from dynamics.arithmetic import Array, at_most, indicator, numbers, peak
from dynamics.system import System
from dynamics.tokens.attention_chain import SoftmaxStep
from dynamics.tokens.discrete_attention import AttentionStep, RescaledAttentionStep
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import RELATIVE, RULES, LocalmaxStep
from dynamics.tokens.multi_head import MultiHeadStep
from dynamics.tokens.perceptron import PerceptronFlow
from dynamics.tokens.periodic_schedules import PeriodicLocalmax
from dynamics.tokens.preconditioned_schedules import PreconditionedHardmax
from dynamics.tokens.rooted_attention import RootedAttention
from dynamics.tokens.schedules import ScheduledHardmax, ScheduledLocalmax
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.tokens.two_prompts import TwoPrompts
from dynamics.tokens.vanishing_sensitivity import HarmonicLocalmax

# ---------------------------------------------------------------------------------------------------------------------
# Tokens, matrices, parameters

TOKEN_STARTS = ("random", "lattice", "ties", "collinear", "symmetric", "near-coincident", "zero token", "tiny", "huge")


def draw_tokens(draws: Any, n: int, d: int, kind: str | None = None) -> Array:
    """n tokens in R^d of one of the kinds TOKEN_STARTS, drawn unless it is given, shape (..., n, d)."""
    # Scores grow with the square of the tokens: a path from huge ones is stiff, and no enclosure follows it far.
    kind = kind or draws.choice(TOKEN_STARTS[:-1] if draws.small else TOKEN_STARTS)
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
        # The square of the distance, about 2^-48, is still above the rounding of float64: a batch sees it, too.
        x[..., -1, :] = x[..., 0, :] + power_of_two(x, -24) * x[..., -1, :]
    elif kind == "zero token":
        x[..., 0, :] = 0 * x[..., 0, :]
    elif kind in ("tiny", "huge"):
        x = x * power_of_two(x, -16 if kind == "tiny" else 3)
    return np.asarray(x)


def is_of_tokens(kind: type[System]) -> bool:
    """Whether tokens (n, d), once, and matrices (d, d) are all that a model has: then :func:`general` builds it."""
    axes = [field.axes for field in kind.fields().values()] if issubclass(kind, System) else []
    return axes.count(("n", "d")) == 1 and {*axes} <= {("n", "d"), ("d", "d")}


def general(kind: type[System]) -> Callable[[Any], System]:
    """The construction of a model of tokens and matrices: any tokens, any matrices."""

    def build(draws: Any) -> System:
        n, d = draw_sizes(draws)
        of_tokens = {name: field.axes == ("n", "d") for name, field in kind.fields().items()}
        return kind(
            **{k: draw_tokens(draws, n, d) if is_x else draws.dyadic(d, d, size=2) for k, is_x in of_tokens.items()}
        )

    return build


_self_attention = general(SelfAttentionFlow)


def _rescaled(draws: Any) -> System:
    n, d = draw_sizes(draws)
    time = abs(draws.dyadic(size=draws.choice((1, 1) if draws.small else (1, 14)), bits=3))
    return RescaledFlow(z=draw_tokens(draws, n, d), B=draws.dyadic(d, d, size=2), V=draws.dyadic(d, d, size=2), t=time)


def _perceptron(draws: Any) -> System:
    flow = _rescaled(draws).arrays()
    return PerceptronFlow(**flow, W=draws.dyadic(*flow["V"].shape[-2:], size=2))


def _multi_head(draws: Any) -> System:
    n, d = draw_sizes(draws)
    heads = draws.integer(1, 3)
    B, V = (draws.dyadic(heads, d, d, size=2) for _ in range(2))
    return MultiHeadStep(x=draw_tokens(draws, n, d), B=B, V=V, dt=draw_positive(draws, size=2, bits=3))


def _attention_step(draws: Any) -> System:
    flow = _self_attention(draws)
    return AttentionStep(**flow.arrays(), dt=draw_positive(draws, size=2, bits=3))


def _rescaled_attention_step(draws: Any) -> System:
    flow = _self_attention(draws)
    assert isinstance(flow, SelfAttentionFlow)
    dt, k = draw_positive(draws, size=2, bits=3), np.array(draws.integer(0, 2))
    return RescaledAttentionStep(z=flow.x, B=flow.B, V=flow.V, dt=dt, k=k)


def _rooted_attention(draws: Any) -> System:
    n, d = draw_sizes(draws)
    root, k = draws.dyadic(d, d, size=1), np.array(draws.integer(1, d))
    A, time = root + root.swapaxes(-1, -2), abs(draws.dyadic(size=3, bits=2))
    return RootedAttention(z=draw_tokens(draws, n, d), A=A, V=draws.dyadic(d, d, size=2), t=time, k=k)


def _two_prompts(draws: Any) -> System:
    n, d = draw_sizes(draws, most_n=4)
    x, point = draw_tokens(draws, n, d), draws.dyadic(d, size=2)
    matrices = {name: draws.dyadic(d, d, size=1) for name in ("B", "V")}
    return TwoPrompts(x=x, y=draws.dyadic(n, d, size=2), p=point, **matrices)


def _selection(draws: Any, n: int) -> Array:
    uniform = draws.choice(("leader average", "any maximiser"))
    selection = draw_positive(draws, n, n, bits=6)
    return numbers(0 * selection + 1) if uniform == "leader average" else selection


def _hardmax(draws: Any) -> System:
    n, d = draw_sizes(draws, most_n=8, most_d=4)
    selection, x = _selection(draws, n), draw_tokens(draws, n, d)
    return HardmaxStep(x=x, B=draws.dyadic(d, d, size=2), P=draws.dyadic(d, d, size=1), selection=selection)


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
    # The sensitivity is often zero or exactly one of the gaps: there the neighbours change.
    n, d = draw_sizes(draws, most_n=7, most_d=4)
    z, A = draw_tokens(draws, n, d), key_query(draws, d)
    gamma = draw_fraction(draws) if draws.integer(0, 1) else numbers(0 * draws.dyadic() + last_bit(draws, 1))
    rule = max(0, draws.integer(-5, len(RULES) - 1))
    start = LocalmaxStep(z=z, A=A, gamma=gamma, delta=0 * gamma, rule=np.array(rule))
    return start.replace(delta=sensitivity(draws, start))


def sensitivity(draws: Any, f: LocalmaxStep) -> Array:
    """A sensitivity of one of the kinds SENSITIVITY_STARTS; a gap in units of the rule, as part of h(z_i) if relative."""
    kind, n = draws.choice(SENSITIVITY_STARTS), f.z.shape[-2]
    if kind == "a gap":
        i, j = draws.integer(0, n - 1), draws.integer(0, n - 1)
        gaps, top = f.gaps()[..., i, j], peak(f.scores())[..., i, 0]
        # Where h(z_i) is not positive the relative rule has no neighbours: any finite number will do.
        unit = indicator(np.asarray(at_most(top, 0 * top)), top)
        return numbers(gaps / (abs(top) + unit) if f.which == RELATIVE else gaps)
    size, bits = {"random": (8, 2), "zero": (1, 0), "small": (1, 4), "large": (64, 0)}[kind]
    return numbers(abs(draws.dyadic(size=size, bits=bits)) * (0 if kind == "zero" else 1))


def _harmonic_localmax(draws: Any) -> System:
    f = _localmax(draws)
    assert isinstance(f, LocalmaxStep)
    return HarmonicLocalmax(z=f.z, A=f.A, gamma=f.gamma, c=f.delta, k=np.array(0))


SCHEDULE_STARTS = ("constant", "varying", "two alternate")
STEPS = 6  # that a schedule tells: an even number, as two entries may alternate


def schedule(draws: Any, make: Callable[[], Array], axes: int = 0) -> Array:
    """Entries for STEPS steps, made one by one and stacked along an axis before the last `axes`, shape (..., T, *axes)."""
    kind = draws.choice(SCHEDULE_STARTS)
    first = make()
    if kind == "constant":
        entries = [first] * STEPS
    elif kind == "two alternate":
        entries = [first, make()] * (STEPS // 2)
    else:
        entries = [first, *(make() for _ in range(STEPS - 1))]
    return numbers(np.stack(entries, axis=-1 - axes))


def _scheduled_hardmax(draws: Any) -> System:
    n, d = draw_sizes(draws, most_n=5)
    selection = _selection(draws, n)
    return ScheduledHardmax(
        x=draw_tokens(draws, n, d),
        B=schedule(draws, lambda: draws.dyadic(d, d, size=2), axes=2),
        gamma=schedule(draws, lambda: draw_fraction(draws)),
        selection=selection,
        t=_steps_taken(draws),
    )


def _steps_taken(draws: Any) -> Array:
    # Mostly none: a schedule may be entered late.
    return np.array((0, 0, 0, 1, 2)[draws.integer(0, 4)])


def _preconditioned_hardmax(draws: Any) -> System:
    n, d = draw_sizes(draws, most_n=4)
    return PreconditionedHardmax(
        x=draw_tokens(draws, n, d),
        B=schedule(draws, lambda: draws.dyadic(d, d, size=2), axes=2),
        P=schedule(draws, lambda: draws.dyadic(d, d, size=1), axes=2),
        selection=draw_positive(draws, n, n, bits=6),
        t=_steps_taken(draws),
    )


def _scheduled_localmax(flow: type[ScheduledLocalmax]) -> Callable[[Any], System]:
    def build(draws: Any) -> System:
        n, d = draw_sizes(draws, most_n=5)
        size = draws.choice((8, 1, 64))
        return flow(
            z=draw_tokens(draws, n, d),
            A=draws.dyadic(d, d, size=2),
            gamma=schedule(draws, lambda: draw_fraction(draws)),
            delta=schedule(draws, lambda: abs(draws.dyadic(size=size, bits=2))),
            t=_steps_taken(draws),
        )

    return build


def _softmax_step(draws: Any) -> System:
    n, d = draw_sizes(draws)
    beta = numbers(draws.choice((1, -1, 1, 0)) * draw_positive(draws))
    return SoftmaxStep(x=draw_tokens(draws, n, d), beta=beta, gamma=draw_fraction(draws))


BUILDERS: dict[type[System], Callable[[Any], System]] = {
    SelfAttentionFlow: _self_attention,
    RescaledFlow: _rescaled,
    PerceptronFlow: _perceptron,
    MultiHeadStep: _multi_head,
    AttentionStep: _attention_step,
    RescaledAttentionStep: _rescaled_attention_step,
    RootedAttention: _rooted_attention,
    TwoPrompts: _two_prompts,
    HardmaxStep: _hardmax,
    LocalmaxStep: _localmax,
    ScheduledHardmax: _scheduled_hardmax,
    ScheduledLocalmax: _scheduled_localmax(ScheduledLocalmax),
    PeriodicLocalmax: _scheduled_localmax(PeriodicLocalmax),
    HarmonicLocalmax: _harmonic_localmax,
    PreconditionedHardmax: _preconditioned_hardmax,
    SoftmaxStep: _softmax_step,
}
