"""Tails of the form (1 - gamma)^k (e + k b): the closed form against exact orbits, and refusals."""

from dataclasses import replace

import numpy as np
import pytest
from flint import fmpq

from claims.draws import SeededDraws
from claims.localmax.endings import lattice_start, mirrored_pair_on_the_move
from claims.localmax.hypotheses import hardmax
from dynamics.arithmetic import exact
from dynamics.drifting_tails import drifting_tails, largest, neighbours_stay, stays_positive
from dynamics.finality import NotSettledError, settle
from dynamics.localmax import LocalmaxStep
from dynamics.orbits import orbit

LATE = LocalmaxStep.instance(z=[[1, 0, 1], [-1, 0, 1], ["1/2", "1/4", 1], ["-1/2", "1/4", 1], [0, 0, "1/2"]])


def starts(make, count):
    return [make(SeededDraws(np.random.default_rng([5, turn]), False, turn)) for turn in range(count)]


def assert_closed_form(start, tails, since, steps):
    keep = 1 - start.gamma.item()
    for k, now in enumerate(orbit(start, since + steps)[since:]):
        assert (now.z == tails.limits + keep**k * (tails.offsets + k * tails.drift)).all()


def test_the_last_of_five_tokens_lags_behind():
    tails = drifting_tails(LATE, 4)
    assert tails.limits[-1].tolist() == [0, 0, 1]
    assert tails.drift.any(axis=-1).tolist() == [False] * 4 + [True]
    assert_closed_form(LATE, tails, 4, 12)


@pytest.mark.parametrize("turn", range(8))
def test_designed_starts_follow_the_closed_form(turn):
    start = starts(mirrored_pair_on_the_move, 8)[turn]
    try:
        tails = drifting_tails(start, 12)
    except NotSettledError:
        pytest.skip("not of this kind")
    assert_closed_form(start, tails, 12, 8)


def test_it_agrees_with_settled_orbits():
    agreed = 0
    for start in starts(lambda draws: hardmax.restrict(lattice_start(draws)), 30):
        try:
            tails, end = drifting_tails(start, 12), settle(start, 40)
        except NotSettledError:
            continue
        agreed += 1
        assert (tails.limits == end.final.limits).all()
        assert_closed_form(start, tails, 12, 3)
    assert agreed > 10


def test_neighbours_that_will_change_are_not_certified():
    """Two tokens on a half line: the lower one comes within delta of the higher only later."""
    start = LocalmaxStep.instance(z=[[10], [1]], delta=40)
    assert (start.neighbours() != orbit(start, 4)[-1].neighbours()).any()
    with pytest.raises(NotSettledError):
        drifting_tails(start, 0)


def test_other_neighbours_than_those_of_the_tokens_are_refused():
    tails, now = drifting_tails(LATE, 4), orbit(LATE, 4)[-1].averaging()
    assert neighbours_stay(now, tails)
    swapped = now.W.copy()
    swapped[[0, 1]] = swapped[[1, 0]]
    assert not neighbours_stay(replace(now, W=swapped), tails)


def test_step_sizes_outside_the_open_interval_are_refused():
    with pytest.raises(NotSettledError, match="after 1 steps"):
        drifting_tails(LATE.replace(gamma=exact(1)), 1)


@pytest.mark.parametrize(("m", "r"), [(1, 1), (2, 1), (1, 2), (2, 2)])
@pytest.mark.parametrize("keep", [fmpq(1, 4), fmpq(1, 2), fmpq(3, 4), fmpq(15, 16)])
def test_largest_power(m, r, keep):
    assert largest(m, r, keep) == max(fmpq(k) ** m * keep ** (r * k) for k in range(1, 200))


def test_positive_terms_are_positive_at_every_step():
    rng = np.random.default_rng(8)
    certain = 0
    for _ in range(2000):
        terms = [fmpq(int(v)) for v in rng.integers(-3, 8, size=6) * rng.integers(0, 2, size=6)]
        keep = fmpq(int(rng.integers(1, 8)), 8)
        if stays_positive(terms, keep):
            certain += 1
            a_0, a_1, b_1, a_2, b_2, c_2 = terms
            for k in range(40):
                t = keep**k
                assert a_0 + t * (a_1 + k * b_1) + t * t * (a_2 + k * b_2 + k * k * c_2) > 0
    assert certain > 50
