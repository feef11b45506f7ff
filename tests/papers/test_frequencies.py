"""Frequencies of many runs beside printed ones: exact intervals, and agreement that a wrong digit breaks."""

from dataclasses import replace

import numpy as np
import pytest
import scipy  # its parts are loaded when they are used

from claims.frank_wolfe.gaussian_vertices_own_their_cells import few_gaussian_clouds_own_their_cells as claim
from claims.frank_wolfe.gaussian_vertices_own_their_cells import vertices_own_cells
from claims.stating.experiments import Frequency, clopper_pearson, last_place
from claims.stating.verdict import Outcome
from claims.verifying.deciding import Effort, check_experiment
from dynamics.arithmetic import exact
from dynamics.polytopes import cell_gaps, vertices


@pytest.mark.parametrize(("hits", "runs"), [(0, 1), (1, 1), (0, 300), (5, 300), (63, 300), (300, 300), (4321, 20000)])
@pytest.mark.parametrize("level", [0.9, 0.999])
def test_intervals_are_those_of_clopper_and_pearson(hits, runs, level):
    exact_interval = scipy.stats.binomtest(hits, runs).proportion_ci(level, method="exact")
    assert clopper_pearson(hits, runs, level) == pytest.approx(tuple(exact_interval), rel=1e-9, abs=1e-15)


def test_the_ends_of_an_interval_have_the_stated_tails():
    low, high = clopper_pearson(7, 50, 0.99)
    assert scipy.stats.binom.sf(6, 50, low) == pytest.approx(0.005)
    assert scipy.stats.binom.cdf(7, 50, high) == pytest.approx(0.005)


def test_a_printed_frequency_is_what_rounds_to_it():
    reading = Frequency("heads", 5000, 10000, "0.50")
    assert reading.measured == 0.5
    assert reading.printed_interval == pytest.approx((0.495, 0.505))
    assert reading.slack > 0
    assert last_place("0.003") == pytest.approx(1e-3)
    assert Frequency("never", 0, 100, "0.0").printed_interval == pytest.approx((0, 0.05))
    # The interval of 10000 runs is 0.0164 wide on either side.
    assert Frequency("heads", 5000, 10000, "0.52").slack > -0.002
    assert Frequency("heads", 5000, 10000, "0.53").slack < -0.005
    assert Frequency("heads", 5000, 10000, "0.47").slack < -0.005


def test_a_frequency_printed_from_few_runs_is_no_sharper_than_they_are():
    reading = Frequency("own cells", 5000, 20000, "0.21", printed_runs=300)
    low, high = reading.printed_interval
    assert low < clopper_pearson(62, 300, 0.999)[0] < 0.21 < clopper_pearson(64, 300, 0.999)[1] < high
    assert reading.slack > 0
    assert replace(reading, printed_runs=None).slack < 0
    assert replace(reading, hits=8000).slack < 0
    assert "0.25 (" in reading.text
    assert "99.9%" in reading.text


def test_an_experiment_with_another_frequency_is_undecided():
    (conclusion,) = claim.conclusions
    good = Frequency("heads", 5000, 10000, "0.50")
    for readings, outcome in (([good], Outcome.HOLDS), ([good, replace(good, printed="0.6")], Outcome.UNDECIDED)):
        verdict = check_experiment(replace(conclusion, slack=lambda steps, found=readings: found), Effort())
        assert verdict.outcome is outcome
        assert "0.5 (0.4835 to 0.5165 at 99.9%)" in verdict.reason


@pytest.mark.parametrize(("n", "d"), [(5, 2), (8, 2), (10, 3), (7, 5)])
def test_clouds_own_their_cells_as_rationals_say(n, d):
    # Floats are rationals: exact numbers decide the very clouds that float64 counts.
    x = np.random.default_rng([n, d]).standard_normal((40, n, d))
    for cloud, found in zip(x, vertices_own_cells(x), strict=True):
        points = exact(cloud)
        v = points[vertices(points)]
        gaps = cell_gaps(v, v, exact(np.eye(d, dtype=int)))[np.arange(len(v)), np.arange(len(v))]
        assert found == bool((gaps > 0).all())
