"""A sensitivity that vanishes: facts of the parts of its certificate, which bugs in a single line break."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from flint import fmpq

from dynamics.arithmetic import exact, numbers
from dynamics.findings import listening
from dynamics.orbits import final_neighbours as finality
from dynamics.orbits import vanishing_sensitivity
from dynamics.tokens import vanishing_sensitivity as vanishing_steps
from dynamics.tokens.averaging import Averaging
from tests.orbits.made_up_offsets import CHANGING, HALF, N, gap, hears, some, stochastic
from tests.planting import LONG, asked_of, bugs_in, facts_above


def made_up(turn, k):
    """Two or three tokens on their way to one place, the third perhaps to one far away, at step k.

    Their rates are those that the sensitivity c / (k + 1) falls at, slower and faster ones, mostly one for all; it is what
    their gaps are now or come to on the way, nearly.
    """
    random = np.random.default_rng([91, turn])
    d = 1 + turn % 2
    A, place = some((31, turn), d, d, size=2), some((32, turn), d, size=2)
    s = exact(np.zeros((3, d), dtype=int)) + place
    if turn % 3:
        s[2] = fmpq(turn % 7 - 5, 2) * place + some((34, turn), d, size=1)
    e = some((33, turn), 3, d, size=2) / (1 + turn // 2 % 2 * 3)
    if turn % 5 < 2:
        e[:2] = e[:2] / 4 - place * fmpq(3, 4)
    if turn % 5 == 2:
        e[2] = e[2] + s[0] - s[2]
    pace = [fmpq(k + 1, k + 2), fmpq(k + 2, k + 3), HALF, fmpq(1, 8)]
    rates = np.full(3, None)
    rates[:] = [pace[int(random.integers(4)) if turn % 4 == 0 else turn // 4 % 4] for _ in N]
    if turn % 8 == 0:
        rates[int(random.integers(3))] = None
    rates[~e.any(axis=1)] = fmpq(0)
    z = numbers(s + e)
    near = [0, 1] if turn % 3 else [0, 1, 2]
    paths = [
        [gap(A, numbers(s + part * e), i, l, j) for part in (fmpq(1), HALF, fmpq(1, 4))]
        for i, l, j in product(near, repeat=3)
    ]
    delta = max(path[turn // 2 % 3] for path in paths) * (1, 1, fmpq(5, 4), 2)[turn % 4]
    mask = np.array([[hears(A, z, delta, i, j) for j in N] for i in N])
    return Averaging(z, A, exact(HALF), exact(delta), stochastic(mask.astype(int))), s, rates


def neighbours_said_to_stay_do_while_the_sensitivity_falls(m):
    said, count = 0, 1200 if LONG else 300
    for turn in range(count):
        k = (0, 3, 17)[turn % 3]
        now, s, rates = made_up(turn, k)
        if finality.at_one_place(now).sum() > len(s) or not m._neighbours_stay(now, s, rates, k):
            continue
        said += 1
        # Offsets without a rate are acted on by averages: at the worst each is any of them, or gone.
        e = numbers(now.z - s)
        for later in (*range(1, 8), 24, 120):
            factors = np.array([fmpq(1, later) if rate is None else rate**later for rate in rates], dtype=object)
            z, delta = numbers(s + factors[:, None] * e), now.delta.item() * fmpq(k + 1, k + 1 + later)
            assert all((now.W[i, j] != 0) == hears(now.A, z, delta, i, j) for i, j in product(N, repeat=2))
    assert said > count / 16


def neighbours_at_rest_stay_where_no_gap_is_left(m):
    """At rest exactly those stay neighbours that have no gap; the others must be beyond the sensitivity of now."""
    for turn in range(60):
        now, s, _ = made_up(turn, 0)
        still = replace(now, z=s, W=stochastic(at_rest(now, s).astype(int)))
        gaps = [[max(gap(now.A, s, i, l, j) for l in N) for j in N] for i in N]
        expected = all(value == 0 or value > now.delta.item() for row in gaps for value in row)
        assert m._neighbours_stay(still, s, np.full(3, fmpq(0)), 2) == expected


def at_rest(now, s):
    return np.array([[hears(now.A, s, now.delta.item(), i, j) for j in N] for i in N])


def is_final(m, start, steps):
    try:
        m.harmonic_limits(start, steps)
    except m.NotSettledError:
        return False
    return True


def each_step_has_its_own_sensitivity(m):
    f = m.HarmonicLocalmax.instance(z=[[1], ["1/2"]], c=3, k=2)
    for k in (2, 3, 4):
        assert f.k == k
        assert f.now().delta == fmpq(3, k + 1)
        f = f.step()
    two = m.HarmonicLocalmax.instance(z=[[1], ["1/2"]], c=1)
    final = next(steps for steps in range(9) if is_final(m, two, steps))
    assert not any(is_final(m, two, steps) for steps in range(final))
    with listening() as found:
        m.harmonic_limits(two, final)
    assert found[-1]["since"] == final
    for gamma in (0, 1, 2):
        with pytest.raises(ValueError, match="step size"):
            m.harmonic_limits(m.HarmonicLocalmax.instance(z=[[1], [2]], c=1, gamma=gamma), 3)


def neighbours_that_change_are_not_said_to_stay(m):
    for form, limits, offsets, rates, delta, k in CHANGING:
        A, s, e, pace = map(exact, (form, limits, offsets, rates))
        path = [numbers(s + pace[:, None] ** step * e) for step in range(8)]
        masks = [
            np.array([[hears(A, z, fmpq(delta) * fmpq(k + 1, k + 1 + step), i, j) for j in N] for i in N])
            for step, z in enumerate(path)
        ]
        assert any((later != masks[0]).any() for later in masks)
        now = Averaging(path[0], A, exact(HALF), exact(delta), stochastic(masks[0].astype(int)))
        assert not m._neighbours_stay(now, s, pace, k)


# Not among the bugs, as they change no answer or only leave more open. Without the rate of l, or of j: were two rates in a
# state, the row of either would meet the other in the place that is still looked at, and the row of a token with a rate
# asks for it. With less curvature in f <= delta: c_0 <= 0, c_1^+ <= delta and f(1) <= delta suffice, where f is convex, and
# otherwise f <= c_1^+ x. Without two steps alike: what is shown of one step needs no step before it.
@bugs_in(vanishing_steps)
def test_a_bug_planted_in_steps_of_a_vanishing_sensitivity_is_noticed(bug):
    assert bug.is_noticed([each_step_has_its_own_sensitivity])


test_vanishing_sensitivity, test_bugs_in_vanishing_sensitivity = asked_of(vanishing_sensitivity, facts_above(globals()))
