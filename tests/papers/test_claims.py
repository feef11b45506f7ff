"""Every claim of the catalogue under Hypothesis: what is held true survives, what is held false is refuted."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np

from claims.instances.drawing import draw_elsewhere
from claims.instances.draws import SeededDraws
from claims.stating.catalogue import catalogue, matching
from claims.stating.experiments import Comparison, Frequency, Sample, Word
from claims.stating.statement import AT_A_STATE, Form, Standing
from claims.stating.verdict import Outcome
from claims.testing.property_tests import replay, suite_test
from claims.testing.pytest_plugin import PROPERTY
from claims.verifying.deciding import Effort, check, check_experiment
from claims.verifying.tallies import Tally
from claims.verifying.trial import read_own
from tests.planting import LONG, todays_share

SHORT = Effort(steps=2_000)
SEEDS = 20
TURNS = 4 if LONG else 2

test_conclusion = suite_test()


def pytest_generate_tests(metafunc):
    own = [read_own(file) for file in metafunc.config.getoption("--claim-file")]
    claims = matching(metafunc.config.getoption("--claims"), own)
    pairs = [(claim, conclusion) for claim in claims for conclusion in claim.conclusions]
    if metafunc.definition.name.startswith("test_general"):
        pairs = todays_share(2, [(c, k) for c, k in pairs if c.draw and k.form in AT_A_STATE])
        metafunc.parametrize(("claim", "conclusion"), pairs, ids=[f"{c.id}.{k.name}" for c, k in pairs])
    elif "experiment" in metafunc.fixturenames:
        runs = [(c, k) for c, k in pairs if k.form is Form.EXPERIMENT]
        metafunc.parametrize(("claim", "experiment"), runs, ids=[f"{c.id}.{k.name}" for c, k in runs])


def test_general_instances_get_a_verdict_too(claim, conclusion):
    """Where a claim has a draw of its own, what it assumes must be enough for those its draw would never make."""
    for turn in range(TURNS):
        draws = SeededDraws(np.random.default_rng([7, turn]), False, turn)
        system = draw_elsewhere(claim, conclusion, draws)
        if system is None:
            continue
        # Few bits: what they leave open is no violation, and a violation of what is held true needs no more.
        verdict = check(conclusion, system, Effort(bits=1024))
        if claim.standing is Standing.TRUE:
            assert verdict.outcome is not Outcome.VIOLATED, replay(claim, system)


def test_experiment_reproduces_and_a_wrong_digit_is_noticed(claim, experiment, record_property):
    # Once: what is changed below are the readings, not the runs behind them, which cost most.
    readings = experiment.slack(SHORT.steps)
    verdict = check_experiment(replace(experiment, slack=lambda steps: readings), SHORT)
    tally = Tally(experiment.name, experiment.form.value)
    tally.record({"experiment": claim.id, "steps": SHORT.steps}, verdict)
    record_property(PROPERTY, json.dumps(tally.summary() | {"claim": claim.id}))
    if claim.standing is Standing.EMPIRICAL:
        assert_words_follow_samples(verdict, readings)
        return
    assert verdict.outcome is Outcome.HOLDS, verdict.reason
    for index, reading in enumerate(readings):
        # One at a time: beside a wrong reading that is noticed another one could be passed over.
        changed = [*readings[:index], wrong(reading), *readings[index + 1 :]]
        planted = replace(experiment, slack=lambda steps, changed=changed: changed)
        assert check_experiment(planted, SHORT).outcome is Outcome.UNDECIDED


def assert_words_follow_samples(verdict, readings):
    """What is said of each comparison is what its samples say: others in their place, and other words are said."""
    assert verdict.outcome is not Outcome.VIOLATED
    assert [one["word"] for one in verdict.readings] == [reading.word for reading in readings]
    assert [one["name"] for one in verdict.readings] == [reading.name for reading in readings]
    all_run, none_run = (Sample((Fraction(value),) * SEEDS) for value in (1, 0))
    for reading in readings:
        if isinstance(reading, Comparison):
            first, other = (all_run, none_run) if reading.rises else (none_run, all_run)
            said = replace(reading, changed=first, baseline=other), replace(reading, changed=other, baseline=first)
        else:
            said = replace(reading, sample=all_run), replace(reading, sample=none_run)
        opposite = Word.ELSEWHERE if isinstance(reading, Comparison) else reading.opposite
        assert [one.word for one in said] == [Word.BORNE_OUT, opposite]


def wrong(reading):
    """The reading with another measured value, off by a few times what is allowed; or with just too many or few hits."""
    if isinstance(reading, Frequency):
        counts = (*range(reading.hits, reading.runs + 1), *range(reading.hits, -1, -1))
        return next(other for other in (replace(reading, hits=hits) for hits in counts) if other.slack < 0)
    return replace(
        reading, measured=reading.measured + 3 * reading.slack + 3 * abs(reading.measured - float(reading.printed))
    )


def test_every_correction_is_a_true_claim_of_the_same_paper():
    for claim in catalogue().values():
        if claim.standing is Standing.FALSE:
            assert claim.corrected_by is not None
            correction = catalogue()[claim.corrected_by]
            assert correction.standing is Standing.TRUE
            assert correction.paper == claim.paper
