"""Trajectories without certificates lie, to their own accuracy, where the certified ones are."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import scipy.integrate
from flint import arb, fmpq

from dynamics.arithmetic import numbers, working_precision
from dynamics.enclosures.steps import LADDER, enclose, enclose_at
from dynamics.integrate import chosen, integrate, integrate_batch, integrate_multiprecision, members
from dynamics.tokens.self_attention import SelfAttentionFlow
from dynamics.training.slow_clocks import SlowFlow
from dynamics.training.value_softmax import LogisticFlow, SquareLossFlow

FLOWS = [
    SelfAttentionFlow.instance(x=[[1, 0], ["-1/2", "1/4"]]),
    SquareLossFlow.instance(u=[0, 0], a=["1/3", "-1/3"], K=2),
]


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: type(flow).__name__)
def test_float64_and_multiprecision_agree_with_the_enclosure(flow):
    time = fmpq(1, 8)  # at a hundred bits mpmath takes a second for each unit of time
    certified = enclose(flow, time).end()
    name = flow.moving[0]
    truth = getattr(certified, name)
    (double,) = integrate(flow, [0.125])
    for ball, value in zip(truth.flat, getattr(double, name).flat, strict=True):
        assert abs(ball - arb(float(value))) < 1e-9
    with working_precision(100):
        (many,) = integrate_multiprecision(flow, [mpmath.mpf(1) / 8])
        truth = getattr(enclose_at(flow, time, LADDER[1]).end(), name)
        for ball, value in zip(truth.flat, getattr(many, name).flat, strict=True):
            assert abs(ball - arb(str(value))) < 1e-26


def test_a_flow_that_blows_up_is_an_error_not_a_number(monkeypatch):
    monkeypatch.setattr(SelfAttentionFlow, "velocity", lambda self: (self.x**2,))
    with pytest.raises(ArithmeticError, match="the integration stopped"):
        integrate(SelfAttentionFlow.instance(x=[[1]]), [2.0])


# ---------------------------------------------------------------------------------------------------------------------
# Whole batches


def reduced(flow=SquareLossFlow, batch=5, p=3):
    rng = np.random.default_rng(batch)
    return flow(
        u=rng.integers(-8, 9, (batch, p)) / 4.0,
        a=rng.integers(-8, 9, (batch, p)) / 4.0,
        K=rng.integers(1, 9, batch) / 4.0,
        t=np.zeros(batch),
        tau=np.zeros(batch),
    )


def attending(batch=5):
    rng = np.random.default_rng(batch)
    return SelfAttentionFlow(
        x=rng.integers(-4, 5, (batch, 3, 2)) / 4.0,
        B=rng.integers(-2, 3, (batch, 2, 2)) / 1.0,
        V=rng.integers(-2, 3, (batch, 2, 2)) / 2.0,
    )


def slow(batch=4):
    rng = np.random.default_rng(batch)
    return SlowFlow(
        gaps=rng.integers(1, 9, (batch, 2)) / 4.0,
        logs=rng.integers(-4, 5, (batch, 2)) / 4.0,
        offset=numbers(fmpq(1, 4)),  # shared by all members
        K=np.ones(batch),
        sigma=np.zeros(batch),
    )


def worst_difference(flow, times, **how):
    """The largest relative difference from SciPy's solver, one member at a time."""
    states, reached = integrate_batch(flow, times, **how)
    assert reached.all()
    worst = 0.0
    for i in range(len(reached)):
        own = np.broadcast_to(times, (len(reached), np.shape(times)[-1]))[i].tolist()
        for state, truth in zip(states, integrate(flow.row(i), own, 1e-12), strict=True):
            for name in flow.moving:
                found, wanted = np.asarray(getattr(state, name)[i]), np.asarray(getattr(truth, name), dtype=float)
                worst = max(worst, float(np.max(abs(found - wanted) / (1 + abs(wanted)))))
    return worst


@pytest.mark.parametrize(("flow", "end"), [(reduced(), 6), (reduced(LogisticFlow), 4), (attending(), 1), (slow(), 9)])
def test_a_batch_agrees_with_its_members(flow, end):
    # Members end at different times, from a tenth on: the first is long done while the last goes on.
    times = np.linspace(0, 1, 9)[1:] * end * np.linspace(0.1, 1, members(flow))[:, None]
    assert worst_difference(flow, times) < 2e-8
    assert worst_difference(flow, np.array([end / 1e6, end / 2, end]), tolerance=1e-11) < 1e-9


@pytest.mark.parametrize(("part", "entry"), [("A", (5, 3)), ("A", (11, 0)), ("B", (0,)), ("B", (11,)), ("D", (2, 7))])
def test_a_wrong_entry_of_the_tableau_shows(monkeypatch, part, entry):
    flow, times = reduced(LogisticFlow), np.linspace(0, 4, 20)[1:]
    right, _ = integrate_batch(flow, times)
    wrong = getattr(scipy.integrate.DOP853, part).copy()
    wrong[entry] += 0.01
    monkeypatch.setattr(scipy.integrate.DOP853, part, wrong)
    states, reached = integrate_batch(flow, times)
    lost = not reached.all()  # a method of the wrong order cannot keep to the tolerance
    assert lost or max(np.max(abs(x.u - y.u)) for x, y in zip(states, right, strict=True)) > 1e-6


def test_a_step_size_of_its_own_keeps_a_member_what_it_is_alone():
    flow, times = attending(), np.array([0.25, 1.0])
    together, _ = integrate_batch(flow, times)
    for i in range(members(flow)):
        alone, _ = integrate_batch(chosen(flow, np.array([i])), times)
        for x, y in zip(together, alone, strict=True):
            assert np.allclose(x.x[i], y.x[0], rtol=1e-12, atol=1e-14)


def test_a_member_that_blows_up_spoils_no_other(monkeypatch):
    monkeypatch.setattr(SelfAttentionFlow, "velocity", lambda self: (self.x**2,))
    # A pole on the way, one behind the end, no number, none at all, and one at once.
    start = np.array([1.0, 0.5, np.inf, -1.0, 1e200])
    flow = SelfAttentionFlow(x=start.reshape(5, 1, 1), B=np.ones((5, 1, 1)), V=np.ones((5, 1, 1)))
    times = np.array([0.5, 1.5])
    states, reached = integrate_batch(flow, times)
    found = np.stack([state.x.reshape(5) for state in states], axis=1)
    assert reached.tolist() == [False, True, False, True, False]
    for i in (1, 3):
        assert np.allclose(found[i], 1 / (1 / start[i] - times), rtol=1e-8)
    assert found[0, 0] == pytest.approx(2)
    assert np.isnan(found[0, 1])
    assert np.isnan(found[[2, 4]]).all()


def test_times_are_each_members_own_and_work_is_capped():
    flow = reduced(LogisticFlow)
    times = np.array([[1.0, 2.0]] * 5)
    times[1], times[2, 1], times[3, 0] = np.nan, -1, 0
    states, reached = integrate_batch(flow, times)
    assert reached.tolist() == [True, False, False, True, True]
    assert np.isnan(states[0].u[1]).all()
    assert np.isnan(states[1].u[2]).all()
    assert (states[0].u[3] == flow.u[3]).all()
    assert np.allclose(states[0].tau, [1, np.nan, 1, 0, 1], equal_nan=True)
    assert not integrate_batch(flow, np.array([1e6]), most_steps=20)[1].any()
