"""Tails of the form (1 - gamma)^k (e + k b): the closed form against exact orbits, and refusals."""

from dataclasses import replace

import numpy as np
import pytest
from flint import fmpq

from claims.instances.draws import SeededDraws
from claims.localmax.setting.hypotheses import hardmax
from claims.localmax.setting.starts import lattice_start, mirrored_pair_on_the_move
from dynamics.arithmetic import exact
from dynamics.orbits.drifting_tails import Tails, _tails, _terms, drifting_tails, largest, neighbours_stay, stays_positive
from dynamics.orbits.exact import orbit
from dynamics.orbits.final_neighbours import NotSettledError, settle
from dynamics.tokens.averaging import Averaging
from dynamics.tokens.localmax import LocalmaxStep
from tests.planting import LONG

# The last token follows two that move themselves at the same rate: its tail has a factor k.
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
    # Other neighbours with the same limits.
    swapped[[0, 1]] = swapped[[1, 0]]
    assert not neighbours_stay(replace(now, W=swapped), tails)


def test_step_sizes_outside_the_open_interval_are_refused():
    for gamma in (1, 0, "-1/2", 2):
        with pytest.raises(NotSettledError, match="after 1 steps"):
            drifting_tails(LATE.replace(gamma=exact(gamma)), 1)


@pytest.mark.parametrize(("m", "r"), [(1, 1), (2, 1), (1, 2), (2, 2)])
@pytest.mark.parametrize("keep", [fmpq(1, 4), fmpq(1, 2), fmpq(3, 4), fmpq(15, 16)])
def test_largest_power(m, r, keep):
    assert largest(m, r, keep) == max(fmpq(k) ** m * keep ** (r * k) for k in range(1, 200))


def test_positive_terms_are_positive_at_every_step():
    rng = np.random.default_rng(8)
    certain = 0
    for _ in range(2000):
        # Mostly positive, half of them zero: which are decided, and not all alike.
        terms = [fmpq(int(v)) for v in rng.integers(-3, 8, size=6) * rng.integers(0, 2, size=6)]
        keep = fmpq(int(rng.integers(1, 8)), 8)
        if stays_positive(terms, keep):
            certain += 1
            a_0, a_1, b_1, a_2, b_2, c_2 = terms
            for k in range(40):
                t = keep**k
                assert a_0 + t * (a_1 + k * b_1) + t * t * (a_2 + k * b_2 + k * k * c_2) > 0
    assert certain > 50


# ---------------------------------------------------------------------------------------------------------------------
# The parts, beside the motion that they speak of


def moving(rng, n=3, d=2):
    """Tails of some tokens, and averages whose neighbours are those of the tokens now."""
    limits, offsets, drift = (exact(rng.integers(-size, size + 1, (n, d))) / 4 for size in (8, 2, 1))
    A, delta, gamma = (
        exact(rng.integers(-2, 3, (d, d))),
        exact(rng.integers(0, 5)),
        exact(("1/4", "1/2", "7/8")[rng.integers(3)]),
    )
    z = limits + offsets
    return Averaging(z, A, gamma, delta, attended(A, delta, z)), Tails(limits, offsets, drift)


def attended(A, delta, z):
    """1 where j is within delta of the best score of i, else 0."""
    scores = z @ A.T @ z.T
    return exact((scores.max(axis=1, keepdims=True) - scores <= delta).astype(int))


def places(now, tails, k):
    return tails.limits + (1 - now.gamma.item()) ** k * (tails.offsets + k * tails.drift)


def test_terms_are_those_of_the_scores_at_every_step():
    rng = np.random.default_rng(12)
    for _ in range(20):
        now, tails = moving(rng)
        for i, l, j in np.ndindex(3, 3, 3):
            a_0, a_1, b_1, a_2, b_2, c_2 = _terms(now, tails, i, l, j)
            for k in range(4):
                z, t = places(now, tails, k), (1 - now.gamma.item()) ** k
                value = now.A @ z[i] @ (z[l] - z[j]) - now.delta.item()
                assert value == a_0 + t * (a_1 + k * b_1) + t * t * (a_2 + k * b_2 + k * k * c_2)


def test_tails_with_neighbours_that_stay_keep_them():
    rng, said, changed, count = np.random.default_rng(13), 0, 0, 400 if LONG else 240
    for _ in range(count):
        now, tails = moving(rng)
        stays = [(attended(now.A, now.delta, places(now, tails, k)) == now.W).all() for k in range(1, 16)]
        changed += not all(stays)
        if neighbours_stay(now, tails):
            said += 1
            assert all(stays)
    assert said > count / 20
    assert changed > count / 4


def test_tails_of_averages_are_those_of_the_linear_motion():
    rng, found, refused = np.random.default_rng(14), 0, 0
    for _ in range(300):
        weights = rng.integers(0, 2, (4, 4)) * (rng.random((4, 4)) < 0.6)
        weights[weights.sum(axis=1) == 0, 0] = 1
        W, gamma = exact(weights) / exact(weights.sum(axis=1, keepdims=True)), exact("1/3")
        z = exact(rng.integers(-3, 4, (4, 2)))
        tails = _tails(Averaging(z, z, gamma, exact(0), W))
        # Rates other than 1 - gamma: no tail of this form.
        if tails is None:
            refused += 1
            continue
        found += 1
        now = z
        for k in range(4):
            assert (now == tails.limits + (1 - gamma.item()) ** k * (tails.offsets + k * tails.drift)).all()
            now = (1 - gamma.item()) * now + gamma.item() * (W @ now)
    assert found > 20
    assert refused > 20
