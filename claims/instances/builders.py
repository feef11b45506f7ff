"""Which construction builds which system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from claims.instances.numbers import _positive
from claims.instances.tokens import (
    _attention_step,
    _hardmax,
    _harmonic_localmax,
    _localmax,
    _preconditioned_hardmax,
    _rescaled,
    _rescaled_attention_step,
    _rooted_attention,
    _scheduled_hardmax,
    _scheduled_localmax,
    _self_attention,
    _softmax_step,
    _two_prompts,
)
from claims.instances.training import (
    _aligned,
    _attention_layer,
    _conditioned,
    _decayed,
    _descent,
    _earlier_time,
    _equal_rows,
    _full,
    _full_map,
    _full_rows,
    _linearised_gap,
    _logits,
    _loss_power,
    _power_descent,
    _reduced,
    _rows,
    _score_map,
    _slow,
    _small_full,
    _tied,
)
from dynamics.system import System
from dynamics.tokens.attention_chain import SoftmaxStep
from dynamics.tokens.attention_layer import AttentionLayer
from dynamics.tokens.discrete_attention import AttentionStep, RescaledAttentionStep
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.periodic_schedules import PeriodicLocalmax
from dynamics.tokens.preconditioned_schedules import PreconditionedHardmax
from dynamics.tokens.rooted_attention import RootedAttention
from dynamics.tokens.schedules import ScheduledHardmax, ScheduledLocalmax
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.tokens.two_prompts import TwoPrompts
from dynamics.tokens.vanishing_sensitivity import HarmonicLocalmax
from dynamics.training.conditioned_regression import ConditionedRegressionFlow, LinearisedGapFlow
from dynamics.training.frozen_values import FrozenValuesFlow
from dynamics.training.gradient_descent import LogisticDescent, PowerDescent
from dynamics.training.kl_loss import FullValuesKLFlow, LogitsKLFlow, ValuesKLFlow
from dynamics.training.linear_network import LinearNetworkFlow
from dynamics.training.row_attention import EqualRowsFlow, FullRowAttentionFlow, RowAttentionFlow
from dynamics.training.score_maps import (
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
    SquareMapFlow,
    ThreeHalvesMapFlow,
)
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


def draw_system(system: type[System], draws: Any) -> System:
    """A general instance of the system: nothing assumed.

    Raises LookupError for a system without a construction: give the claim its own `draw`.
    """
    if system not in BUILDERS:
        raise LookupError(f"no instances are known for {system.__name__}: give the claim a draw function")
    return BUILDERS[system](draws)


BUILDERS: dict[type[System], Callable[[Any], System]] = {
    SelfAttentionFlow: _self_attention,
    RescaledFlow: _rescaled,
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
