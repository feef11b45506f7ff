"""Instances, built rather than filtered: one construction, drawn by Hypothesis, by a seeded generator, or in batches.

Every construction begins with the starts a mathematician would try: ties, collinear and symmetric tokens, tokens that
nearly coincide, the zero token, huge and tiny scales, n = 1 and d = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from flint import fmpq
from hypothesis import strategies as st

from claims.statement import Assumption, Claim, Conclusion, Form
from dynamics.arithmetic import Array, exact, numbers
from dynamics.attention_chain import SoftmaxStep
from dynamics.conditioned_regression import ConditionedRegressionFlow, LinearisedGapFlow
from dynamics.hardmax import HardmaxStep
from dynamics.localmax import LocalmaxStep
from dynamics.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.system import System
from dynamics.value_softmax import (
    DecayedSquareFlow,
    FullLogisticFlow,
    FullSquareFlow,
    LogisticFlow,
    ReducedFlow,
    SquareLossFlow,
)

# ---------------------------------------------------------------------------------------------------------------------
# Sources of choices


@dataclass
class SeededDraws:
    """Choices from a NumPy generator, exact numbers; `chosen` remembers the kinds of start taken.

    Numbers are random; kinds are taken in turn, so that instance number `turn` of a run reaches every kind early.
    """

    rng: np.random.Generator
    small: bool = False
    turn: int = 0
    chosen: list[str] = field(default_factory=list)
    _stride: int = 1

    def integer(self, low: int, high: int) -> int:
        return int(self.rng.integers(low, high + 1))

    def choice(self, options: Sequence[Any]) -> Any:
        option = options[self.turn // self._stride % len(options)]
        self._stride *= len(options)
        if isinstance(option, str):
            self.chosen.append(option)
        return option

    def dyadic(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        return numbers(exact(self.rng.integers(-(size << bits), (size << bits) + 1, size=shape)) / fmpq(1 << bits))


@dataclass
class BatchDraws(SeededDraws):
    """The same choices for a whole float64 batch: sizes and kinds are shared, numbers are drawn per member."""

    batch: int = 256

    def dyadic(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        units = self.rng.integers(-(size << bits), (size << bits) + 1, size=(self.batch, *shape))
        return np.asarray(units / float(1 << bits))


@dataclass
class HypothesisDraws:
    """The same choices made by Hypothesis, so that failures shrink."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    small: bool = False
    chosen: list[str] = field(default_factory=list)

    def integer(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def choice(self, options: Sequence[Any]) -> Any:
        option = self.draw(st.sampled_from(list(options)))
        if isinstance(option, str):
            self.chosen.append(option)
        return option

    def dyadic(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        count = int(np.prod(shape))
        entry = st.integers(-(size << bits), size << bits)
        units = self.draw(st.lists(entry, min_size=count, max_size=count))
        return numbers(exact(np.array(units, dtype=object).reshape(shape)) / fmpq(1 << bits))


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


def _localmax(draws: Any) -> System:
    n, d = _sizes(draws, most_n=8, most_d=4)
    return LocalmaxStep(
        z=tokens(draws, n, d),
        A=draws.dyadic(d, d, size=2),
        gamma=_fraction_of_one(draws),
        delta=abs(draws.dyadic(size=draws.choice((8, 1, 64)), bits=2)),
    )


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


def _full(flow: type[Any]) -> Callable[[Any], System]:
    def build(draws: Any) -> System:
        p, d = draws.integer(1, 5), draws.integer(1, 4)
        target = draws.dyadic(d, size=2)
        target[..., 0] = abs(target[..., 0]) + _power(target, -4)
        built: System = flow(V=draws.dyadic(d, p, size=2), a=scores(draws, p), beta_star=target)
        return built

    return build


def _decayed(draws: Any) -> System:
    p = draws.integer(1, 4 if draws.small else 8)
    K, decay = _positive(draws, size=2, bits=3), _positive(draws, size=1, bits=2)
    zero = 0 * K
    return DecayedSquareFlow(u=scores(draws, p), a=scores(draws, p), K=K, t=zero, tau=zero, decay=decay)


def _conditioned(draws: Any) -> System:
    """Two copies with largest singular value 1, in a random order of the basis, and different condition numbers."""
    p, d, unit = 2 if draws.small else draws.integer(2, 3), 2, _unit(draws, 0)
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


def _softmax_step(draws: Any) -> System:
    n, d = _sizes(draws)
    return SoftmaxStep(x=tokens(draws, n, d), beta=_positive(draws), gamma=_fraction_of_one(draws))


BUILDERS: dict[type[System], Callable[[Any], System]] = {
    SelfAttentionFlow: _self_attention,
    RescaledFlow: _rescaled,
    HardmaxStep: _hardmax,
    LocalmaxStep: _localmax,
    LogisticFlow: _reduced(LogisticFlow),
    SquareLossFlow: _reduced(SquareLossFlow),
    FullLogisticFlow: _full(FullLogisticFlow),
    FullSquareFlow: _full(FullSquareFlow),
    DecayedSquareFlow: _decayed,
    ConditionedRegressionFlow: _conditioned,
    LinearisedGapFlow: _linearised_gap,
    SoftmaxStep: _softmax_step,
}


# ---------------------------------------------------------------------------------------------------------------------
# Instances of a claim


def draw_instance(claim: Claim, conclusion: Conclusion, draws: Any, without: Sequence[Assumption] = ()) -> System:
    """An instance that satisfies what the conclusion assumes by construction, then violates those in `without`.

    Raises ValueError for an assumption that cannot be dropped because it says nothing on how to violate it.
    """
    system = claim.draw(draws) if claim.draw else draw_system(claim.system, draws)
    for assumption in claim.assumptions_of(conclusion):
        system = assumption.restrict(system)
    for assumption in without:
        if assumption.violate is None:
            raise ValueError(f"{claim.id}: assumption {assumption.name} cannot be dropped: no violation is known")
        system = assumption.violate(system, draws)
    return system


def unmet(claim: Claim, conclusion: Conclusion, system: System) -> list[Assumption]:
    """The assumptions of the conclusion that the exact instance does not (certainly) satisfy."""
    return [assumption for assumption in claim.assumptions_of(conclusion) if not assumption.satisfies(system)]


@st.composite
def instances(draw: Any, claim: Claim, conclusion: Conclusion, without: Sequence[Assumption] = ()) -> System:
    """Hypothesis strategy of :func:`draw_instance`."""
    return draw_instance(claim, conclusion, HypothesisDraws(draw, is_costly(conclusion)), without)


def is_costly(conclusion: Conclusion) -> bool:
    """Whether one verdict takes a trajectory or a chain, so that instances are kept small."""
    return conclusion.form in (Form.TRAJECTORY, Form.RATE, Form.LIMIT, Form.PROBABILITY)
