"""Splitting on the escape time against the exact times, and against plain simulation for groups; planted bugs."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from dynamics.arithmetic import working_precision
from dynamics.enclosures.escapes import simulate_escapes
from dynamics.escapes import splitting as room
from dynamics.escapes.enclose import chance_before, mean_escape
from dynamics.escapes.splitting import TooManyStepsError, estimates_by_splitting
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.float_runs import BeyondFloatsError
from tests.escapes.chains import lopsided, plane_pair, published, triangle
from tests.planting import LONG, asked_of, one_in


def pairs(beta=2):
    """Two tokens at either end of a segment, in tubes that two picks lead out of."""
    return AttentionChain.instance(
        v=[[1], [-1]], x=[[1], [1], [-1], [-1]], group=[0, 0, 1, 1], beta=beta, gamma="1/16", eps="1/7"
    )


def exactly(chain, t):
    with working_precision(128):
        return float(mean_escape(chain).mean.low.mid()), float(chance_before(chain, t).low.log().mid())


def estimates_are_near_the_exact_times(m, make=triangle, t=5):
    """Mean and chance are within four and six standard errors, and within a tenth, and e^1, of the exact ones."""
    found, (mean, chance) = m.estimates_by_splitting(make(), 300, np.random.default_rng(1), t), exactly(make(), t)
    # A large error would agree with anything.
    assert found.mean.error < 0.05 * mean
    assert abs(found.mean.value - mean) < 4 * found.mean.error
    assert abs(found.log_chance.value - chance) < min(6 * found.log_chance.error, 1)


@pytest.mark.parametrize(("make", "t"), [(plane_pair, 6), (lopsided, 7)])
def test_estimates_are_near_the_exact_times(make, t):
    estimates_are_near_the_exact_times(room, make, t)


test_estimates, test_bugs_in_estimates = asked_of(room, [estimates_are_near_the_exact_times], "estimates", share=2)


@pytest.mark.parametrize("chain", [published(8), published(16), triangle(16)])
def test_means_of_any_size_are_known_to_a_percent(chain):
    found = estimates_by_splitting(chain, 300, np.random.default_rng(2)).mean
    with working_precision(128):
        exact = float(mean_escape(chain).mean.low.mid())
    assert exact > 1e9
    assert abs(found.value / exact - 1) < 0.01


@pytest.mark.skipif(not LONG, reason="a minute of levels")
@pytest.mark.parametrize(("chain", "t"), [(published(8), 12), (published(8), 10**12), (triangle(8), 9)])
def test_rare_chances_are_near_the_exact_ones(chain, t):
    found = [estimates_by_splitting(chain, 1000, np.random.default_rng(seed), t).log_chance.value for seed in range(4)]
    _, chance = exactly(chain, t)
    assert abs(np.mean(found) - chance) < 0.6


@cache
def simulated(t, runs=10_000):
    count, possible = simulate_escapes(pairs().replace(steps=np.array(t)), runs, np.random.default_rng(5))
    assert count == possible
    return count / runs


class OneKind:
    """A generator whose moves are all of one kind: the others would lead back to the law."""

    def __init__(self, rng, kind):
        self.rng, self.kind = rng, kind

    def __getattr__(self, name):
        return getattr(self.rng, name)

    def integers(self, high, size, dtype=np.int64):
        # The kinds are drawn as integers below 8, and nothing else is.
        return np.full(size, self.kind) if high == 8 else self.rng.integers(high, size=size, dtype=dtype)


def moves_keep_the_law(chain, level, runs, kind):
    """Whether runs below a level that were drawn as such have the same law after they were moved."""
    model, rng = room._Model(chain), OneKind(np.random.default_rng(7), kind)
    drawn = model.followed(rng.exponential(size=(runs, 12)), room._seeds((runs, 13), rng), level)
    before = drawn.at(np.flatnonzero(drawn.times <= level))
    after = before.at(np.arange(len(before.times)))
    # Enough moves that most runs are others than before: a move that changes nothing keeps any law.
    for _ in range(16):
        after = room._moved(model, after, level, rng)
    assert len(before.times) > 2000
    assert (before.times != after.times).mean() > 0.5
    least = before.strays.min()
    counted = [
        # Of a law moments, counts and what drives it: a wrong acceptance shifts one of them.
        [one.times, one.times**2, one.strays, one.strays > least, one.clocks[:, 0], np.log(one.clocks[:, 1])]
        for one in (before, after)
    ]
    return all(
        abs(old.mean() - new.mean()) < 5 * np.sqrt((old.var() + new.var()) / len(old))
        for old, new in zip(*counted, strict=True)
    )


LEVELS = [(triangle(1), 5, 5_000), (lopsided(), 4, 40_000), (plane_pair(), 6, 80_000)]


@pytest.mark.parametrize(
    ("chain", "level", "runs", "kind"), one_in(4, [(*level, kind) for level in LEVELS for kind in (0, 4, 7)])
)
def test_moves_keep_the_law_of_runs_below_a_level(chain, level, runs, kind):
    assert moves_keep_the_law(chain, level, runs, kind)


def groups_escape_as_in_simulated_runs(m):
    model, rng = m._Model(pairs()), np.random.default_rng(3)
    found = model.followed(rng.exponential(size=(2000, 64)), m._seeds((2000, 65), rng), np.inf)
    for t in (10, 25):
        assert abs((found.times <= t - 1).mean() - simulated(t)) < 0.05
    assert abs(found.means.mean() - found.times.mean()) < 3


test_groups, test_bugs_in_groups = asked_of(room, [groups_escape_as_in_simulated_runs], "groups", share=2)


def test_the_same_seed_gives_the_same_estimate():
    first, again = (estimates_by_splitting(triangle(), 50, np.random.default_rng(4), 5) for _ in range(2))
    assert first == again


def test_what_is_too_long_or_too_rare_is_said(monkeypatch):
    # Limits that are met at once: to reach those of the code takes long.
    monkeypatch.setattr(room, "MOST_LEVELS", 40)
    with pytest.raises(TooManyStepsError, match="levels"):
        estimates_by_splitting(published(4), 20, np.random.default_rng(0), 3)
    with pytest.raises(BeyondFloatsError, match="below the range of floats"):
        estimates_by_splitting(published(400), 20, np.random.default_rng(0))
    with monkeypatch.context() as few:
        few.setattr(room, "MOST_STRAYS", 2)
        with pytest.raises(TooManyStepsError, match="takes 2 picks outside the groups"):
            estimates_by_splitting(published(4), 20, np.random.default_rng(0))
    monkeypatch.setattr(room, "MOST_STEPS", 3)
    with pytest.raises(TooManyStepsError, match="more than 3 steps"):
        estimates_by_splitting(pairs(), 20, np.random.default_rng(0))
