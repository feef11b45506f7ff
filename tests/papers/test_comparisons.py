"""What many runs say of a printed comparison: words, counts, and that the opposite is never borne out with it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.catalogue import catalogue
from claims.experiments import EFFECT, Comparison, Count, Majority, RecordError, Word
from claims.polarization.setting import transformers
from claims.polarization.setting.transformers import CLASSIFIER, counted, flip_rate, sink_proportion, tasks_of
from claims.statement import Form, Standing
from claims.verdict import Known, Outcome
from claims.verifying.deciding import Effort, check_experiment
from dynamics.transformers import libraries

ALL, NONE, HALF = Count(20, 20), Count(0, 20), Count(10, 20)


@pytest.mark.parametrize(
    ("more", "fewer", "word"),
    [
        (ALL, NONE, Word.BORNE_OUT),
        (NONE, ALL, Word.CONTRADICTED),
        (NONE, NONE, Word.NOT_SEEN),
        (ALL, ALL, Word.NOT_SEEN),
        (Count(12, 20), NONE, Word.BORNE_OUT),
        (HALF, HALF, Word.TOO_FEW),
        (Count(3, 3), Count(0, 3), Word.TOO_FEW),
        (Count(0, 0), ALL, Word.NOT_RUN),
        (Count(0, 0, failed=20), ALL, Word.TOO_FEW),
        (ALL, Count(0, 0, failed=20), Word.TOO_FEW),
        (Count(18, 18, failed=2), Count(0, 0), Word.NOT_RUN),
    ],
)
def test_a_comparison_has_one_word(more, fewer, word):
    assert Comparison("", more, fewer).word is word


@pytest.mark.parametrize(
    ("count", "word"),
    [
        (ALL, Word.BORNE_OUT),
        (NONE, Word.CONTRADICTED),
        (HALF, Word.TOO_FEW),
        (Count(3, 3), Word.TOO_FEW),
        (Count(0, 0), Word.NOT_RUN),
        (Count(0, 0, failed=3), Word.TOO_FEW),
    ],
)
def test_a_majority_has_one_word(count, word):
    assert Majority("", count).word is word


counts = st.integers(1, 60).flatmap(lambda runs: st.builds(Count, st.integers(0, runs), st.just(runs)))


@given(counts, counts)
def test_the_opposite_says_the_opposite(more, fewer):
    there, back = Comparison("", more, fewer), Comparison("", fewer, more)
    opposite = {Word.BORNE_OUT: Word.CONTRADICTED, Word.CONTRADICTED: Word.BORNE_OUT}
    if there.word in opposite:
        assert back.word is opposite[there.word]
        assert more.hits / more.runs != fewer.hits / fewer.runs
    else:
        assert back.word not in opposite
    assert (there.word is Word.BORNE_OUT) == (there.slack > 0)


@given(counts, counts)
def test_not_seen_excludes_the_effect(more, fewer):
    found = Comparison("", more, fewer)
    if found.word is Word.NOT_SEEN:
        assert found.difference[1] < EFFECT
        assert more.hits / more.runs - fewer.hits / fewer.runs < EFFECT


def run(flips, swaps=12, accuracy=1.0, loss=0.1, sinks=()):
    epochs = {"accuracy": [0.1, accuracy], "loss": [loss], "sinks": [[0.1], list(sinks)]}
    return {"seed": 0, "epochs": epochs, "end": {"flips": flips, "swaps": swaps}}


def test_a_run_that_failed_is_no_run():
    runs = [run([[6]]), run([[5]]), run(None), run([[12]], accuracy=0.95), run([[12]], loss=None)]
    assert counted(runs, flip_rate) == Count(1, 2, 3, pytest.approx((6 + 5) / 24))


def test_the_largest_rate_over_heads_and_layers_counts():
    assert flip_rate(run([[0, 3], [9, 1]])) == 0.75


def test_a_sink_head_has_more_than_nine_tenths():
    assert sink_proportion(run(None, sinks=[0.9, 0.91, 1.3, -2.0])) == 0.5
    assert sink_proportion(run(None, sinks=[0.9, None])) is None


@pytest.mark.parametrize("data", [[], {}, {"format": transformers.FORMAT, "version": 2, "tasks": []}])
def test_what_is_no_record_is_refused(data):
    with pytest.raises(RecordError, match="record of trained runs"):
        tasks_of(data)


@pytest.mark.parametrize("tasks", [None, [1], [{"setting": {}}]])
def test_what_holds_no_tasks_is_refused(tasks):
    with pytest.raises(RecordError, match="its tasks"):
        tasks_of({"format": transformers.FORMAT, "version": transformers.VERSION, "tasks": tasks})


@pytest.mark.parametrize("broken", [{}, {"seed": 0, "epochs": {}, "end": {}}, run([[1]]) | {"end": None}, 7])
def test_a_run_without_its_parts_is_refused(broken):
    task = {"setting": CLASSIFIER.as_data(), "runs": [broken]}
    with pytest.raises(RecordError, match="a run has not its seed"):
        tasks_of({"format": transformers.FORMAT, "version": transformers.VERSION, "tasks": [task]})


def test_a_broken_record_decides_nothing(monkeypatch):
    def broken():
        raise RecordError("transformers.json: not a record")

    monkeypatch.setattr(transformers, "recorded", broken)
    found = check_experiment(REVERSED, Effort())
    assert (found.outcome, found.reason) == (Outcome.UNDECIDED, "not run: transformers.json: not a record")


EMPIRICAL = [claim for claim in catalogue().values() if claim.standing is Standing.EMPIRICAL]


@pytest.mark.parametrize("claim", EMPIRICAL, ids=lambda claim: claim.id)
def test_an_empirical_claim_has_experiments_and_nothing_else(claim):
    assert claim.conclusions
    assert {conclusion.form for conclusion in claim.conclusions} == {Form.EXPERIMENT}


FLIPS = next(claim for claim in EMPIRICAL if claim.id.endswith("one_token_flips_the_label"))
REVERSED, MORE, NOW = FLIPS.conclusions


def planted(monkeypatch, flips):
    """A record in which softmax classifiers have these flips, and all others the others."""
    settings = [replace(CLASSIFIER, rate=rate) for rate in transformers.RATES]
    softmax = {one: [run([[hits]]) for hits in flips] for one in settings}
    others = {replace(one, attention="sigmoid", normalised=False): [run([[0]])] * 20 for one in settings}
    monkeypatch.setattr(transformers, "recorded", lambda: softmax | others)


def test_planted_runs_are_told_apart(monkeypatch):
    planted(monkeypatch, [12] * 20)
    found = check_experiment(MORE, Effort())
    assert (found.outcome, found.known) == (Outcome.HOLDS, Known.STATISTICAL)
    assert {reading["word"] for reading in found.readings} == {Word.BORNE_OUT, Word.NOT_RUN}
    planted(monkeypatch, [0] * 20)
    assert check_experiment(REVERSED, Effort()).outcome is Outcome.UNDECIDED
    assert {reading["word"] for reading in check_experiment(REVERSED, Effort()).readings} == {Word.CONTRADICTED}
    assert {reading["word"] for reading in check_experiment(MORE, Effort()).readings} == {Word.NOT_SEEN, Word.NOT_RUN}


def test_without_runs_nothing_is_held(monkeypatch):
    monkeypatch.setattr(transformers, "recorded", dict)
    for conclusion in (REVERSED, MORE):
        found = check_experiment(conclusion, Effort())
        assert (found.outcome, found.known) == (Outcome.UNDECIDED, None)
        assert found.reason.startswith("not run")


def test_without_the_libraries_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(libraries, "find_spec", lambda name: None)
    found = check_experiment(NOW, Effort(steps=10**9))
    assert (found.outcome, found.known) == (Outcome.UNDECIDED, None)
    assert "pip install 'attention-claims[transformers]'" in found.reason


def test_what_takes_more_steps_than_given_is_not_trained():
    assert check_experiment(NOW, Effort(steps=2000)).reason == "no reading within 2000 steps"
