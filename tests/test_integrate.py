"""Trajectories without certificates lie, to their own accuracy, where the certified ones are."""

from __future__ import annotations

import mpmath
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import working_precision
from dynamics.enclosure import LADDER, enclose, enclose_at
from dynamics.integrate import integrate, integrate_multiprecision
from dynamics.self_attention import SelfAttentionFlow
from dynamics.value_softmax import SquareLossFlow

FLOWS = [
    SelfAttentionFlow.instance(x=[[1, 0], ["-1/2", "1/4"]]),
    SquareLossFlow.instance(u=[0, 0], a=["1/3", "-1/3"], K=2),
]


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: type(flow).__name__)
def test_float64_and_multiprecision_agree_with_the_enclosure(flow):
    certified = enclose(flow, fmpq(1, 2)).end()
    name = flow.moving[0]
    truth = getattr(certified, name)
    (double,) = integrate(flow, [0.5])
    for ball, value in zip(truth.flat, getattr(double, name).flat, strict=True):
        assert abs(ball - arb(float(value))) < 1e-9
    with working_precision(100):
        (many,) = integrate_multiprecision(flow, [mpmath.mpf(1) / 2])
        truth = getattr(enclose_at(flow, fmpq(1, 2), LADDER[1]).end(), name)
        for ball, value in zip(truth.flat, getattr(many, name).flat, strict=True):
            assert abs(ball - arb(str(value))) < 1e-26


def test_a_flow_that_blows_up_is_an_error_not_a_number(monkeypatch):
    monkeypatch.setattr(SelfAttentionFlow, "velocity", lambda self: (self.x**2,))
    with pytest.raises(ArithmeticError, match="the integration stopped"):
        integrate(SelfAttentionFlow.instance(x=[[1]]), [2.0])
