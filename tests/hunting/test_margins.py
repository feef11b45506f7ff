"""The float64 margins of batches are those of their members, for every conclusion of the catalogue."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from flint import arb, fmpq

from claims.hunting.margins import margins, sampled
from claims.instances.drawing import draw_freely, draw_instance
from claims.instances.draws import BatchDraws, SeededDraws
from claims.stating.catalogue import catalogue, matching
from claims.stating.statement import Conclusion, Form, is_costly
from claims.stating.verdict import Outcome
from claims.verifying.deciding import check
from dynamics.arithmetic import (
    Column,
    DisagreementError,
    UndecidedError,
    exact,
    fraction,
    numbers,
    peak,
    sign,
    working_precision,
)
from dynamics.attention import softmax
from dynamics.integrate import chosen, integrate, members
from dynamics.system import System
from dynamics.training.score_maps import AnyMapFlow
from tests.hunting.flows import logistic
from tests.planting import one_in

BATCH = 6


def batch_of(claim, conclusion, turn=0, batch=BATCH) -> System:
    """A float64 batch where the claim draws one, else one exact instance."""
    small = is_costly(conclusion)
    try:
        draws = BatchDraws(np.random.default_rng([turn, 7]), small, turn, batch=batch)
        return draw_freely(claim, conclusion, draws, ())
    except (TypeError, ValueError):
        return draw_instance(claim, conclusion, SeededDraws(np.random.default_rng([turn, 7]), small, turn))


def conclusion_of(claim: str, name: str) -> tuple:
    (found,) = (c for c in catalogue()[claim].conclusions if c.name == name)
    return catalogue()[claim], found


def pytest_generate_tests(metafunc):
    if "claim" in metafunc.fixturenames:
        claims = matching(metafunc.config.getoption("--claims"))
        # What only rationals can evaluate, a search evaluates one by one and exactly.
        pairs = [(c, k) for c in claims for k in c.conclusions if k.form is not Form.EXPERIMENT and not k.exact_only]
        pairs = one_in(8, pairs) if len(claims) > 1 else pairs
        metafunc.parametrize(("claim", "conclusion"), pairs, ids=[f"{c.id}.{k.name}" for c, k in pairs])


def truth_of(conclusion: Conclusion, system: System, times: np.ndarray) -> np.ndarray:
    """The slacks of one exact instance: in balls at a state, along paths by SciPy's solver at the sample times."""
    if conclusion.form is Form.LIMIT:
        wanted = [float(fraction(time)) for time in conclusion.times(system)]
        moments = sorted(set(wanted))
        found = integrate(system, moments, 1e-11)
        states = [exactly(found[moments.index(time)]) for time in wanted]
    elif is_costly(conclusion):
        states = [exactly(now) for now in integrate(system, sorted(set(times.tolist())), 1e-11)]
    with working_precision(192):
        if conclusion.trap is not None:
            slacks = [conclusion.slack(first_caught(conclusion, states, system), system)]
        elif conclusion.form is Form.LIMIT:
            slacks = [conclusion.slack(states, system)]
        elif is_costly(conclusion):
            slacks = [conclusion.slack(now, system) for now in states]
        else:
            slacks = [conclusion.slack(system)]
        return np.array([float(arb(value).mid()) for slack in slacks for value in np.asarray(slack).flat])


def first_caught(conclusion: Conclusion, states: list[System], start: System) -> object:
    for state in states:
        with suppress(UndecidedError):
            return conclusion.shown(state, start)
    raise AssertionError("no state is caught")


def exactly(system: System) -> System:
    fields = system.fields()
    return system.replace(
        **{name: array if fields[name].integer else exact(array) for name, array in system.arrays().items()}
    )


def test_margins_are_those_of_the_members(claim, conclusion):
    systems = batch_of(claim, conclusion)
    found = sampled(conclusion, systems)
    assert found.slacks.shape == found.times.shape
    assert len(found.slacks) == members(systems)
    if found.slacks.size == 0:
        return
    finite = np.isfinite(found.slacks).any(axis=1)
    if conclusion.form is Form.PROBABILITY:
        return  # few chains have the steps in which one token alone can escape
    assert finite.mean() > 1 / 2, "most members should have a value"
    member = int(np.flatnonzero(finite)[-1])
    truth = truth_of(conclusion, systems.row(member), found.times[member])
    row, truth = (values[np.isfinite(values)] for values in (found.slacks[member], truth))
    assert len(row) == len(truth)
    assert np.allclose(row, truth, rtol=1e-5, atol=1e-6 * max(1, np.abs(truth).max()))


# ---------------------------------------------------------------------------------------------------------------------
# Columns


def test_a_column_is_a_number_for_each_member():
    x, y = Column([1.0, 4.0]), Column([2.0, 2.0])
    for found, wanted in (
        (x + y, [3, 6]),
        (fmpq(1, 2) + x, [1.5, 4.5]),
        (x - 1, [0, 3]),
        (1 - x, [0, -3]),
        (fmpq(1) / y, [0.5, 0.5]),
        (x / y, [0.5, 2]),
        (arb(3) * x, [3, 12]),
        (x**2, [1, 16]),
        (abs(-x), [1, 4]),
        (x.sqrt(), [1, 2]),
        (y.log().exp(), [2, 2]),
        (x.log1p(), np.log1p([1, 4])),
    ):
        assert np.allclose(found.values, wanted)
    assert x > 0
    assert not y < fmpq(2)
    with pytest.raises(UndecidedError):
        bool(x > y)
    assert (sign(x), sign(0 * x), sign(Column([np.nan, np.nan]))) == (1, 0, None)
    with pytest.raises(DisagreementError) as parting:
        sign(x - 2)
    assert parting.value.yes.tolist() == [True, False]
    with pytest.raises(UndecidedError):
        float(x)


def test_softmax_and_peak_take_columns_member_by_member():
    batch = np.array([[1.0, 3.0, 2.0], [5.0, -1.0, 800.0]])
    row = np.empty(3, dtype=object)
    row[:] = [Column(batch[:, j]) for j in range(3)]
    weights = np.stack([entry.values for entry in softmax(numbers(row))], axis=1)
    assert np.allclose(weights, softmax(batch))
    assert peak(numbers(row))[0].values.tolist() == [3, 800]


# ---------------------------------------------------------------------------------------------------------------------
# Chances


def test_the_margin_of_a_chance_is_that_of_one_token_alone():
    claim, conclusion = conclusion_of("frank_wolfe.escape_takes_exponentially_long", "escape_before_t")
    chain = claim.system.instance(
        v=[[2], [-2]], x=[["17/9"], ["-17/9"]], group=[0, 1], beta=4, gamma="1/24", eps="1/3", steps=5
    )
    verdict = check(conclusion, chain)
    assert verdict.reason == "one token alone, enumerated"
    assert margins(conclusion, chain)[0, 0] == pytest.approx(float(verdict.slack), abs=1e-6)
    assert np.isnan(margins(conclusion, chain.replace(steps=np.array(2)))).all()


# ---------------------------------------------------------------------------------------------------------------------
# Formulas of every kind


def four():
    rng = np.random.default_rng(4)
    u, a = (rng.integers(-32, 33, (4, 4)) / 16.0 for _ in "ua")
    return logistic(u, a, np.arange(1.0, 5))


def state(slack) -> Conclusion:
    return Conclusion("planted", Form.STATE, ">= 0", slack)


@pytest.mark.parametrize(
    "slack",
    [
        lambda f: f.u - f.u[0],  # at once it has the right shape and the wrong values
        lambda f: f.u[:1] - f.u[1:],
        lambda f: f.u[..., :1] - f.u[..., 1:],
        lambda f: (f.u[:, None] - f.u[None]).reshape(-1),
        lambda f: fmpq(1, 3) * f.K - f.s[-1],
        lambda f: min(f.u) - f.a if f.u[0] > f.u[1] else max(f.u) - f.a,
        lambda f: [x for x in f.u if x > 0],
        lambda f: np.array([float(f.K) - f.m.item()]),
        lambda f: arb(float(f.K)).exp() * f.u,
    ],
    ids=range(9),
)
def test_a_formula_for_one_instance_is_evaluated_member_by_member(slack):
    flow = four()
    found = margins(state(slack), flow)
    for i, row in enumerate(found):
        own = np.array([float(arb(value).mid()) for value in np.asarray(slack(flow.row(i))).flat])
        assert np.allclose(row[: len(own)], own, rtol=1e-12)
        assert np.isnan(row[len(own) :]).all()


def test_a_formula_without_a_value_is_nan_and_spoils_no_other():
    flow = four()
    u = flow.u.copy()
    u[1], u[2, 0] = np.nan, u[2, 1]
    flow = flow.replace(u=u)

    def slack(f):
        if f.u[0] == f.u[1]:
            raise ZeroDivisionError
        return 1 / (f.u[:1] - f.u[1:2])

    found = margins(state(slack), flow)
    assert np.isfinite(found[:, 0]).tolist() == [True, False, False, True]
    assert np.isnan(margins(state(lambda f: f.u[99]), flow)).all()
    assert margins(state(lambda f: f.u[:0]), flow).shape == (4, 0)


def test_horizons_and_times_may_be_each_members_own():
    flow = four()
    by_horizon = Conclusion(
        "planted", Form.RATE, "> 0", lambda now, start: now.tau - start.tau, horizon=lambda start: 1 / start.K.item()
    )
    found = sampled(by_horizon, flow)
    assert np.allclose(found.slacks, found.times, rtol=1e-9)
    assert np.allclose(found.times[:, -1], 1 / flow.K)
    assert (np.diff(found.times, axis=1) > 0).all()
    assert found.times[0, 0] < 1e-5
    times = lambda start: [fmpq(2), 1 / start.K.item(), fmpq(2)]  # noqa: E731
    by_times = Conclusion("planted", Form.LIMIT, "> 0", lambda states, start: [now.tau for now in states], times=times)
    found = sampled(by_times, flow)
    assert np.allclose(found.slacks, np.stack([[2.0, 1 / K, 2.0] for K in flow.K]))
    assert (found.times == 2).all()


@pytest.mark.parametrize(
    ("name", "slack"),
    [
        ("polarization.score_gaps_grow", "score_gap_rate"),
        ("polarization.gaps_grow_for_all_pairs", "gap_rate_of_every_pair"),
        ("polarization.leading_value_lower_bound", "leading_value_above_logarithm"),
        ("polarization.slower_decay_gives_sparser_scores", "slower_copy_is_sparser"),
    ],
)
def test_the_most_negative_member_of_a_batch_is_a_violation(name, slack):
    claim, conclusion = conclusion_of(name, slack)
    systems = batch_of(claim, conclusion, batch=32)
    worst = np.nanmin(margins(conclusion, systems), axis=1)
    assert np.nanmin(worst) < 0
    assert check(conclusion, systems.row(int(np.nanargmin(worst)))).outcome is Outcome.VIOLATED


def test_an_experiment_has_no_margin():
    claim = catalogue()["polarization.ill_conditioning_strengthens_sparsity"]
    with pytest.raises(ValueError, match="is an experiment"):
        margins(claim.conclusions[-1], batch_of(claim, claim.conclusions[0]))


def test_of_a_lost_path_nothing_is_said():
    flow = four()
    u = flow.u.copy()
    u[0] = 1e200  # t' = 1 + e^m is infinite
    flow = flow.replace(u=u)
    reach = Conclusion(
        "planted", Form.TRAJECTORY, "> 0", lambda now, start: np.where(now.t > 0, 1.0, -1.0), horizon=lambda start: fmpq(1)
    )
    found = margins(reach, flow)
    assert np.isnan(found[0]).all()
    assert (found[1:] == 1).all()


def test_members_with_integers_of_their_own_are_not_mixed():
    maps = AnyMapFlow(u=np.ones((3, 2)), a=np.ones((3, 2)), K=np.ones(3), tau=np.zeros(3), map=np.array([4, 5, 0]))
    found = margins(state(lambda f: [f.f.value(2 * f.a[:1]).item(), *(f.u > f.a)]), maps)
    assert np.allclose(found[:, 0], [2, 4, np.exp(2)])
    speed = Conclusion("planted", Form.RATE, "> 0", lambda now, start: now.F, horizon=lambda start: fmpq(1, 2))
    for i, row in enumerate(margins(speed, maps)):
        assert np.allclose(row, margins(speed, chosen(maps, np.array([i])))[0])
