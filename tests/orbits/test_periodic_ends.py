"""Schedules that recur: the steps, and the certificate that a turn of them repeats for ever."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from claims.instances.draws import SeededDraws
from claims.localmax.setting.recurring import recurring_start
from dynamics.arithmetic import FLOAT64, exact, numbers
from dynamics.orbits.cycles import turn_rates
from dynamics.orbits.exact import orbit
from dynamics.orbits.final_neighbours import NotSettledError, settle
from dynamics.orbits.periodic_ends import periodic_end
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.periodic_schedules import PeriodicLocalmax
from tests.planting import LONG


def test_each_step_is_a_localmax_step_with_the_parameters_of_its_phase():
    f = PeriodicLocalmax.instance(z=[[3], [2], [-4]], gamma=["1/2", "1/3"], delta=[0, 7])
    for k, now in enumerate(orbit(f, 6)[:-1]):
        step = LocalmaxStep.instance(z=now.z, gamma=f.gamma[k % 2], delta=f.delta[k % 2])
        assert (now.neighbours() == step.neighbours()).all()
        assert (now.step().z == step.step().z).all()


def test_float64_batches_step_like_exact_instances():
    f = PeriodicLocalmax.instance(z=[[3, 1], [2, 0], [-4, 1]], gamma=["1/2", "1/4"], delta=[0, 7])
    # The second of two is looked at: a batch of one could not be mixed up.
    batch = f.replace(z=np.stack([f.z, f.z])).to(FLOAT64)
    for _ in range(4):
        f, batch = f.step(), batch.step()
        assert np.allclose(batch.z[1], [[float(value) for value in row] for row in f.z.tolist()])


@pytest.mark.parametrize(("changes", "told"), [({"delta": [1, -1]}, "delta"), ({"t": -1}, "counts steps")])
def test_nonsense_is_refused(changes, told):
    with pytest.raises(ValueError, match=told):
        PeriodicLocalmax.instance(**{"z": [[1]], "gamma": ["1/2", "1/2"], "delta": [1, 0]} | changes)


TURNS = 60 if LONG else 20


def test_a_constant_schedule_ends_where_localmax_ends():
    same = 0
    for turn in range(TURNS):
        f = recurring_start(SeededDraws(np.random.default_rng([3, turn]), turn=turn))
        # The first phase's values in all of them, which makes it an ordinary localmax.
        f = f.replace(gamma=0 * f.gamma + f.gamma[0], delta=0 * f.delta + f.delta[0])
        try:
            known = settle(LocalmaxStep.instance(z=f.z, A=f.A, gamma=f.gamma[0], delta=f.delta[0]), 40).final.limits
            found = periodic_end(f, 20).limits
        except NotSettledError:
            continue
        assert all((s == known).all() for s in found)
        same += 1
    # Some orbits do not settle in 20 turns, but most do: the loop is not empty.
    assert same > TURNS * 2 / 3


def test_what_is_certain_to_repeat_does():
    certain = 0
    for turn in range(TURNS):
        f = recurring_start(SeededDraws(np.random.default_rng([4, turn]), turn=turn))
        try:
            end = periodic_end(f, 20)
        except NotSettledError:
            continue
        p, now = len(end.states), end.states[0]
        # An independent look: five more turns, and how near they come to the limits.
        for k in range(5 * p):
            assert (now.neighbours() == end.states[k % p].neighbours()).all()
            now = now.step()
        before, after = (abs(state.z - end.limits[0]).max() for state in (end.states[0], now))
        assert after < before or after == before == 0
        certain += 1
    assert certain > TURNS * 5 / 6


def test_tokens_of_one_vertex_under_a_sensitivity_that_is_zero_at_times_have_a_rate():
    f = PeriodicLocalmax.instance(z=[[4], [3], [-5]], gamma=["1/2", "1/3"], delta=[0, 8])
    end = periodic_end(f, 20)
    assert len(end.states) == 2
    assert (end.limits[0] == end.limits[1]).all()
    assert end.limits[0][0] == end.limits[0][1] != end.limits[0][2]


def test_a_token_that_hears_others_of_different_rates_has_none():
    whole = exact([["1/2", 0, 0], [0, "1/3", 0], ["1/4", "1/4", "1/2"]])
    e = exact([[1], [1], [1]])
    assert turn_rates(whole, e).tolist() == [fmpq(1, 2), fmpq(1, 3), None]
    assert turn_rates(whole, numbers(0 * e)).tolist() == [0, 0, 0]


def test_step_sizes_of_one_need_an_exact_recurrence():
    swap = PeriodicLocalmax.instance(z=[[1], [-1]], A=[[-1]], gamma=[1, 1], delta=[0, 0])
    assert len(periodic_end(swap, 5).states) == 2
    with pytest.raises(NotSettledError):
        periodic_end(swap.replace(gamma=exact([0, "3/2"])), 5)
