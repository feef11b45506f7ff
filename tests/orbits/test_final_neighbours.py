"""Final neighbours: what the certificate says of an orbit is what the orbit does, and planted bugs are caught."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from flint import fmpq

from dynamics.arithmetic import exact
from dynamics.orbits import final_neighbours as finality
from dynamics.orbits.cycles import turn_rates, turns
from dynamics.orbits.exact import orbit
from dynamics.orbits.final_neighbours import NotSettledError, is_nonnegative, is_positive, limits_of, settle
from dynamics.orbits.periodic_ends import periodic_end
from dynamics.tokens.averaging import Averaging
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.periodic_schedules import PeriodicLocalmax
from dynamics.tokens.schedules import ScheduledHardmax, ScheduledLocalmax
from tests.planting import LONG, asked_of, one_in

LATER = 24
"""Steps that a prediction is followed for."""


def is_right(settled):
    """Whether the orbit keeps its neighbours, closes in on the limits, and does so geometrically where that was said."""
    limits, rates = settled.final.limits, settled.final.rates
    first = settled.states[-1]
    start = first.averaging()
    now = first
    for _ in range(LATER):
        now = now.step()
        if ((now.averaging().W != 0) != (start.W != 0)).any():
            return False
    offsets, before = now.averaging().z - limits, start.z - limits
    for offset, first_offset, rate in zip(offsets, before, rates, strict=True):
        if rate is not None and (offset != rate**LATER * first_offset).any():
            return False
    # Whatever has no rate closes in by the slowest mode of the average, which LATER steps must show.
    return all(abs(entry) <= fmpq(1, 2) * max(abs(before).max(), fmpq(1)) for entry in offsets.flat)


def systems(seed, count):
    """Small localmax and hardmax systems: lattice tokens, definite and arbitrary matrices, all sizes of delta."""
    rng = np.random.default_rng(seed)
    for turn in range(count):
        n, d = int(rng.integers(2, 6)), int(rng.integers(1, 3))
        z, M = rng.integers(-4, 5, (n, d)), rng.integers(-1, 2, (d, d))
        A = (np.eye(d, dtype=int), M @ M.T + np.eye(d, dtype=int), M, -np.eye(d, dtype=int))[turn % 4]
        gamma = ("1/2", "1/3", "4/5")[turn % 3]
        if turn % 5 == 0:
            P = [[gamma if a == b else 0 for b in range(d)] for a in range(d)]
            yield HardmaxStep.instance(x=z, B=A, P=P, selection=rng.integers(1, 3, (n, n)))
        else:
            yield LocalmaxStep.instance(z=z, A=A, gamma=gamma, delta=int(rng.integers(0, 1 + 2 * (turn % 11))))


def settled_among(pool, steps=25, module=finality):
    for system in pool:
        with suppress(module.NotSettledError):
            yield module.settle(system, steps)


def test_what_is_said_to_be_final_is():
    count = 160 if LONG else 60
    found = list(settled_among(systems(1, count)))
    assert len(found) > 0.93 * count
    assert any(not one.final.geometric.all() for one in found)
    assert any(None in one.final.rates.tolist() for one in found)
    assert any(one.since > 3 for one in found)
    assert all(is_right(one) for one in found)


# Designed systems: each is where one part of the certificate decides.


def localmax(z, delta, A=None, gamma="1/2"):
    A = np.eye(len(z[0]), dtype=int) if A is None else A
    return LocalmaxStep.instance(z=z, A=A, delta=delta, gamma=gamma)


def test_a_limit_at_the_edge_of_the_threshold_is_decided():
    """Token 3 comes down to (3, 0), where token 2 would be at gap 21 exactly: it never is. The limit is no fixed point."""
    settled = settle(localmax([[3, 8], [3, -8], [-4, 0], [4, 0]], 21), 5)
    assert settled.since == 0
    assert settled.final.limits[3].tolist() == [3, 0]
    assert settled.final.rates.tolist() == [0, 0, 0, fmpq(2, 3)]
    limit = settled.states[-1].replace(z=settled.final.limits)
    assert limit.step().z[3].tolist() == [fmpq(17, 8), 0]


def test_a_token_that_attends_to_itself_is_not_geometric():
    """(5/2, 0) + (2/3)^k (-1/2, 1/2): the factor is 1 - gamma + gamma/3, not 1 - gamma."""
    settled = settle(localmax([[3, 8], [2, -8], [-4, 0], [2, "1/2"]], 17), 20)
    assert settled.final.limits[3].tolist() == [fmpq(5, 2), 0]
    assert settled.final.rates.tolist() == [0, 0, 0, fmpq(2, 3)]
    assert settled.final.geometric.tolist() == [True, True, True, False]


def test_quiescence_at_one_time_is_not_final():
    settled = settle(localmax([[10], [9], [5]], 35), 10)
    assert settled.since > 0
    assert (settled.final.limits == settled.final.limits[0]).all()


def test_a_leader_of_three_steps_is_not_final():
    settled = settle(localmax([[1], ["1/2"]], "1/10"), 20)
    assert settled.since > 2
    assert (settled.states[0].neighbours() == [[True, False], [True, False]]).all()
    assert settled.final.limits[0] == settled.final.limits[1]


def test_what_vanishes_with_the_hull_is_left_open():
    """Cyclic pursuit under a rotation: the hull shrinks to the origin, where all scores tie."""
    pursuit = HardmaxStep.instance(x=[[1, 0], [0, 1], [-1, 0], [0, -1]], B=[["3/5", "-4/5"], ["4/5", "3/5"]])
    with pytest.raises(NotSettledError):
        settle(pursuit, 6)


def test_a_step_that_is_no_average_is_refused():
    with pytest.raises(ValueError, match="P = gamma I"):
        settle(HardmaxStep.instance(x=[[1, 0], [2, 0]], P=[["1/2", 0], [0, "1/3"]]), 3)


def test_unsettled_is_undecided():
    with pytest.raises(NotSettledError, match="after 0 steps"):
        settle(localmax([[1], ["1/2"]], "1/10"), 0)


# ---------------------------------------------------------------------------------------------------------------------
# Limits of averages


def test_limits_are_where_many_steps_lead():
    rng = np.random.default_rng(2)
    for _ in range(40):
        n = int(rng.integers(1, 6))
        weights = rng.integers(0, 3, (n, n)) + np.eye(n, dtype=int) * rng.integers(0, 2)
        weights[weights.sum(axis=1) == 0, 0] = 1
        W = weights / weights.sum(axis=1, keepdims=True)
        z = rng.integers(-5, 6, (n, 2)).astype(float)
        after = np.linalg.matrix_power((np.eye(n) + W) / 2, 4000) @ z
        total = exact(weights.sum(axis=1, keepdims=True))
        np.testing.assert_allclose(limits_of(exact(weights) / total, exact(z)).astype(float), after, atol=1e-9)


@pytest.mark.parametrize(
    ("coefficients", "positive", "nonnegative"),
    [
        ((0, 0, 0), False, True),
        ((0, 0, 1), True, True),
        ((0, 1, -1), False, True),  # touches zero at s = 1
        ((0, -1, 2), False, False),  # below zero near 0
        ((1, -4, 4), False, True),  # touches zero at s = 1/2
        ((1, -4, 5), True, True),
        ((1, -4, 3), False, False),
        ((2, -3, 0), False, False),
        ((1, -1, 0), False, True),
        ((1, -5, 5), False, False),  # positive at both ends, negative between
        ((-1, 5, 0), False, False),
    ],
)
def test_the_sign_of_a_quadratic_on_the_unit_interval(coefficients, positive, nonnegative):
    exact_ones = [fmpq(c) for c in coefficients]
    assert is_positive(*exact_ones) is positive
    assert is_nonnegative(*exact_ones) is nonnegative


# ---------------------------------------------------------------------------------------------------------------------
# The parts of the certificate, beside the linear motion they speak of


def linear_orbit(W, z, gamma, steps):
    """z, M z, M^2 z, ... with M = (1 - gamma) I + gamma W."""
    found = [z]
    for _ in range(steps):
        found.append((1 - gamma) * found[-1] + gamma * (W @ found[-1]))
    return found


def stochastic(weights):
    return exact(weights) / exact(weights.sum(axis=1, keepdims=True))


def rates_last(m):
    """Of every 0/1 average of three tokens, and every offset in {-1, 0, 1}."""
    masks = [[int(c) for c in f"{k:03b}"] for k in range(1, 8)]
    for index in one_in(5, np.ndindex(7, 7, 7)):
        # At half the step an offset may vanish at once, at three quarters change its sign: both have no rate.
        gamma = exact(("1/3", "1/2", "3/4")[sum(index) % 3])
        W = stochastic(np.array([masks[k] for k in index]))
        for entries in np.ndindex(3, 3, 3):
            e = exact([[entry - 1] for entry in entries])
            rates = m._rates(Averaging(e, e, gamma, gamma, W), e)
            if all(rate is None for rate in rates):
                continue
            for k, offsets in enumerate(linear_orbit(W, e, gamma.item(), 2)):
                for rate, offset, first in zip(rates, offsets, e, strict=True):
                    assert rate is None or (offset == rate**k * first).all(), (W.tolist(), entries)


def signs_last(m):
    """Of random averages at thresholds that are met at a step or in the limit, for twelve steps."""
    rng, said = np.random.default_rng(9), []
    for turn in range(150):
        n, d = 3, 1 + turn % 2
        weights = rng.integers(0, 3, (n, n)) * rng.integers(0, 2, (n, n))
        weights[weights.sum(axis=1) == 0, rng.integers(n)] = 1
        W, gamma = stochastic(weights), exact(("1/2", "1/3", "3/4")[turn % 3])
        z, A = exact(rng.integers(-4, 5, (n, d))), exact(rng.integers(-2, 3, (d, d)))
        states, limits = linear_orbit(W, z, gamma.item(), 12), m.limits_of(W, z)
        i, l, j = (int(k) for k in rng.integers(n, size=3))
        values = [(A @ x[i] @ (x[l] - x[j])).item() for x in (*states, limits)]
        for delta in {values[0], values[1], values[2], values[-1], (values[0] + values[-1]) / 2}:
            now = Averaging(z, A, gamma, exact(delta), W)
            stays = m._Stays(now, limits, z - limits, m._rates(now, z - limits), m.moving_together(now, [now]))
            said += [stays.within(i, l, j), stays.beyond(i, l, j)]
            assert not said[-2] or all(value <= delta for value in values[:-1]), (turn, delta)
            assert not said[-1] or all(value > delta for value in values[:-1]), (turn, delta)
    # A certificate that never says anything would be right, too; most of these thresholds are met, or met in the limit.
    assert sum(said) > len(said) / 20


def company_lasts(m):
    """In turns of up to three steps from lattice places, many of them shared, tokens said to move together do."""
    rng = np.random.default_rng(10)
    for turn in range(60):
        n, p = 4, 1 + turn % 3
        z, masks = exact(rng.integers(0, 2, (n, 1 + turn % 2))), rng.integers(0, 2, (p, n, n))
        masks[:, :, 0] = 1
        masks[:, 1] = masks[:, 2]  # two tokens attend to the same others, and at some phases weigh them alike
        weights = masks * np.where(rng.integers(0, 2, (p, 1, 1)), 1, rng.integers(1, 3, (p, n, n)))
        path = [Averaging(z, z, exact("1/2"), exact(0), stochastic(rows)) for rows in weights]
        together, now = m.moving_together(path[0], path), z
        for step in path * 2:
            assert all((now[i] == now[j]).all() for i, j in zip(*np.nonzero(together), strict=True)), turn
            now = (now + step.W @ now) / 2


def final_is_told_who_moves_together(m):
    """What `final` is told of who moves together, of two tokens at one place that weigh the same neighbours differently."""
    W = exact([[1, 0, 0, 0], [0, 1, 0, 0], ["1/2", "1/2", 0, 0], ["1/4", "3/4", 0, 0]])
    now, told = Averaging(exact([[1], [3], [2], [2]]), exact([[1]]), exact("1/2"), exact(9), W), []
    m.neighbours_stay = lambda *arguments: told.append(arguments[-1])
    m.final(now)
    assert told[0].tolist() == np.eye(4, dtype=bool).tolist()


def test_tokens_at_one_place_that_take_the_same_averages_move_together():
    W = exact([[1, 0, 0], ["1/2", "1/4", "1/4"], ["1/2", "1/4", "1/4"]])
    now = Averaging(exact([[0], [2], [2]]), exact([[1]]), exact("1/2"), exact(0), W)
    assert finality.moving_together(now, [now])[1, 2]
    assert finality.moving_together(now, [now, now])[1, 2]


def limits_of_two_classes(m):
    """Two closed classes, one of unequal weights, and a token between them that listens to itself too."""
    W = exact([[0, 1, 0, 0], ["1/2", "1/2", 0, 0], [0, 0, 1, 0], ["1/4", 0, "1/4", "1/2"]])
    assert m.limits_of(W, exact([[0], [3], [7], [100]])).tolist() == [[2], [2], [7], [fmpq(9, 2)]]


def orbits_end_as_predicted(m):
    assert all(is_right(settled) for settled in settled_among(systems(4, 120), steps=8, module=m))


# What costs least is asked first of a bug.
PARTS = (
    limits_of_two_classes,
    final_is_told_who_moves_together,
    company_lasts,
    signs_last,
    rates_last,
    orbits_end_as_predicted,
)
test_parts_of_the_certificate, test_bugs_in_parts = asked_of(finality, PARTS, "parts", share=3)


# ---------------------------------------------------------------------------------------------------------------------
# Orbits and schedules


def test_a_schedule_of_one_entry_is_the_constant_step():
    z = [[3, 1], [-2, 4], [0, -5], [3, 1]]
    A = [[2, 1], [0, 1]]
    one = LocalmaxStep.instance(z=z, A=A, gamma="1/3", delta=4)
    other = ScheduledLocalmax.instance(z=z, A=A, gamma=["1/3"], delta=[4])
    for a, b in zip(orbit(one, 6), orbit(other, 6), strict=True):
        assert (a.z == b.z).all()
    P = [["1/3", 0], [0, "1/3"]]
    for a, b in zip(
        orbit(HardmaxStep.instance(x=z, B=A, P=P), 6),
        orbit(ScheduledHardmax.instance(x=z, B=[A], gamma=["1/3"]), 6),
        strict=True,
    ):
        assert (a.x == b.x).all()


def test_a_schedule_is_followed_entry_by_entry_and_its_last_stays():
    start = ScheduledLocalmax.instance(z=[[1], [0]], gamma=["1/2", "1/4"], delta=[0, 10])
    found = [state.z.T.tolist()[0] for state in orbit(start, 3)]
    # A token at 0 listens to all even at delta = 0, for its scores tie; then delta = 10 makes both listen to both.
    assert found[1] == [1, fmpq(1, 4)]
    assert found[2] == [1 - fmpq(3, 32), fmpq(1, 4) + fmpq(3, 32)]
    assert orbit(start, 3)[-1].t == 3
    steps = [state.step_size().item() for state in orbit(start, 3)]
    assert steps == [fmpq(1, 2), fmpq(1, 4), fmpq(1, 4), fmpq(1, 4)]


@pytest.mark.parametrize(
    ("system", "values", "told"),
    [
        (ScheduledLocalmax, {"z": [[1]], "gamma": ["1/2"], "delta": [-1]}, "delta"),
        (ScheduledLocalmax, {"z": [[1]], "gamma": ["1/2"], "delta": [1], "t": -1}, "counts steps"),
        (ScheduledHardmax, {"x": [[1]], "B": [[[1]]], "gamma": ["1/2"], "selection": [[0]]}, "selection"),
        (ScheduledHardmax, {"x": [[1]], "B": [[[1]]], "gamma": ["1/2"], "t": -1}, "counts steps"),
    ],
)
def test_bad_schedules_are_refused(system, values, told):
    with pytest.raises(ValueError, match=told):
        system.instance(**values)


def test_a_step_size_that_varies_may_make_an_offset_change_its_sign():
    """Two tokens that hear one another, omega = -1: at gamma = 1/3 they have the rate 1/3, at 3/4 they change places."""
    swap = {"z": [[1], [-1]], "A": [[-1]]}
    constant = settle(localmax(swap["z"], 0, A=swap["A"], gamma="1/3"), 3)
    assert constant.final.rates.tolist() == [fmpq(1, 3)] * 2
    now = localmax(swap["z"], 0, A=swap["A"], gamma="3/4").averaging()
    assert finality._rates(now, now.z).tolist() == [None, None]
    turning = PeriodicLocalmax.instance(**swap, gamma=["1/3", "3/4"], delta=[0, 0])
    path = [turning.phase(), turning.step().phase()]
    [turn, _] = turns(path)
    assert (turn @ path[0].z).tolist() == [[fmpq(-1, 6)], [fmpq(1, 6)]]
    assert turn_rates(turn, path[0].z).tolist() == [None, None]
    # After two periods both are where they were: that turn has a rate, and each of its four phases is looked at.
    end = periodic_end(turning, 8)
    assert len(end.states) == 4
    assert not end.limits.any()
