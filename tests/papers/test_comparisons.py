"""What many runs say of a printed comparison: exact tests against all permutations, words and planted bugs."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
import scipy  # its parts are loaded when they are used
from hypothesis import given
from hypothesis import strategies as st

from claims.polarization.setting import transformers
from claims.polarization.setting.transformers import (
    CLASSIFIER,
    PAPER,
    TINY,
    flip_rate,
    is_printed,
    no_sinks,
    overlap_at_query,
    sampled,
    sink_proportion,
    tasks_of,
)
from claims.stating import experiments
from claims.stating.catalogue import catalogue
from claims.stating.experiments import Comparison, RecordError, Sample, Word
from claims.stating.statement import Form, Standing
from claims.stating.verdict import Known, Outcome
from claims.verifying.deciding import Effort, check_experiment
from dynamics.transformers import libraries
from tests.planting import bugs_in, facts_above, noticed
from tests.planting import planted as copied

HALF, ONE, ZERO = Fraction(1, 2), Fraction(1), Fraction(0)


def parts(*numbers, of=12):
    return tuple(Fraction(number, of) for number in numbers)


# ---------------------------------------------------------------------------------------------------------------------
# The tests themselves, as facts of the module, so that planted bugs must break one


def by_permutations(changed, others):
    """Both tails by going through every choice of as many runs."""
    runs = changed + others
    sums = [sum(runs[k] for k in chosen) for chosen in combinations(range(len(runs)), len(changed))]
    found = sum(changed)
    tails = (sum(one >= found for one in sums), sum(one <= found for one in sums))
    return tuple(Fraction(tail, len(sums)) for tail in tails)


SMALL = (
    (parts(12, 12, 12), parts(0, 0, 0)),
    (parts(0, 0), parts(12, 12, 12)),
    (parts(6, 6), parts(6, 6, 6)),  # saturated: nothing can be told
    (parts(12, 6, 6), parts(6, 0, 0, 6)),
    (parts(1, 5, 7), parts(3, 3)),
    (parts(4, of=3), parts(1, 1, of=2)),
    (parts(9), parts(1, 2, 3, 4, 5)),
    (parts(0, 1, 12), ()),
    ((), parts(3)),
)


def tails_are_those_of_all_permutations(m):
    for changed, others in SMALL:
        assert m.permutation_tails(changed, others) == by_permutations(changed, others)


def a_case_by_hand(m):
    """1, 1, 1/2 against 0, 1/2: of ten choices of three one sums to 5/2, as found, and three or more to less."""
    assert m.permutation_tails((ONE, ONE, HALF), (ZERO, HALF)) == (Fraction(2, 10), Fraction(10, 10))
    assert m.two_sided((Fraction(2, 10), ONE)) == Fraction(4, 10)
    assert m.two_sided((ONE, ONE)) == 1


def words_have_the_direction_of_the_means(m):
    high, low = m.Sample((ONE,) * 20), m.Sample((ZERO,) * 20)
    word = {
        rises: [m.Comparison("", *pair, rises=rises).word.name for pair in ((high, low), (low, high))]
        for rises in (True, False)
    }
    assert word == {True: ["BORNE_OUT", "ELSEWHERE"], False: ["ELSEWHERE", "BORNE_OUT"]}
    assert m.Comparison("", high, low).slack == m.Comparison("", low, high, rises=False).slack == 1


def the_level_is_divided(m):
    """Six against six: two of 924 permutations are as extreme, .0022, enough for 23 questions and not for 24."""
    high, low = m.Sample((ONE,) * 6), m.Sample((ZERO,) * 6)
    told = [m.Comparison("", high, low, among=number).word.name for number in (1, 23, 24)]
    assert told == ["BORNE_OUT", "BORNE_OUT", "TOO_FEW"]
    runs = [m.Majority("", m.Sample((ONE,) * 12), HALF, among=number).word.name for number in (1, 102, 103)]
    assert runs == ["BORNE_OUT", "BORNE_OUT", "TOO_FEW"]


def both_directions_count(m):
    """Five against three: two of 56 permutations are as extreme, .036; four against three: two of 35, .057."""
    for sizes, name in (((5, 3), "BORNE_OUT"), ((4, 3), "TOO_FEW")):
        high, low = (m.Sample((end,) * size) for end, size in zip((ONE, ZERO), sizes, strict=True))
        assert m.Comparison("", high, low, among=1).word.name == name
        assert m.Comparison("", low, high, rises=False, among=1).word.name == name
    assert [m.Majority("", m.Sample((ONE,) * n), HALF, among=1).word.name for n in (5, 6)] == ["TOO_FEW", "BORNE_OUT"]


def room_is_told_from_runs(m):
    full, most, some = m.Sample((ONE,) * 20), m.Sample((ONE,) * 15 + (HALF,) * 5), m.Sample((ONE,) * 8 + (ZERO,) * 12)
    few, none = m.Sample((ONE,) * 3), m.Sample((), failed=20)
    for changed, baseline, rises, name in (
        (full, full, True, "NO_ROOM"),
        (most, full, True, "NO_ROOM"),
        (full, most, True, "NO_ROOM"),
        (few, full, True, "NO_ROOM"),
        (most, full, False, "NOT_TOLD"),
        (full, most, False, "NOT_TOLD"),
        (full, m.Sample((ZERO,) * 20), False, "ELSEWHERE"),
        (m.Sample((ZERO,) * 20), m.Sample((ZERO,) * 20), False, "NO_ROOM"),
        (some, some, True, "NOT_TOLD"),
        (few, some, True, "TOO_FEW"),
        (few, few, True, "TOO_FEW"),
        (none, some, True, "TOO_FEW"),
        (some, none, True, "TOO_FEW"),
        (none, full, True, "TOO_FEW"),
        (m.Sample(()), full, True, "NOT_RECORDED"),
        (full, m.Sample(()), True, "NOT_RECORDED"),
    ):
        assert m.Comparison("", changed, baseline, rises=rises).word.name == name


def only_a_printed_setting_contradicts(m):
    high, low = m.Sample((ONE,) * 20, printed=True), m.Sample((ZERO,) * 20, printed=True)
    assert m.Comparison("", low, high).word.name == "CONTRADICTED"
    for one, other in ((replace(low, printed=False), high), (low, replace(high, printed=False))):
        assert m.Comparison("", one, other).word.name == "ELSEWHERE"


def a_majority_is_a_sign_test(m):
    values = parts(*range(1, 13), *range(1, 9))  # 20 runs
    for threshold in map(Fraction, ("1/24", "1/12", "1/4", "1/2", "3/4", "1")):
        hits = sum(value >= threshold for value in values)
        p = scipy.stats.binomtest(hits, 20).pvalue
        found = m.Majority("", m.Sample(values), threshold)
        assert float(found.p) == pytest.approx(p)
        told = p * m.COMPARISONS <= m.LEVEL
        assert found.word.name == (("BORNE_OUT" if hits > 10 else "BY_THRESHOLD") if told else "NOT_TOLD")
        assert replace(found, opposite=m.Word.NOT_CARRIED).word.name in (found.word.name, "NOT_CARRIED")


def a_majority_s_thresholds_are_where_its_word_changes(m):
    samples = (parts(*range(1, 13), *range(1, 9)), parts(*[12] * 17, 6, 6, 0), parts(*range(12), of=11), parts(3, 5))
    for values in samples:
        for among in (1, 140):
            found = m.Majority("", m.Sample(values), HALF, among=among)
            low, high = found.thresholds
            for k in range(133):
                word = replace(found, threshold=Fraction(k, 132)).word.name
                if word != "TOO_FEW":
                    assert (word == "BORNE_OUT") == (Fraction(k, 132) <= low)
                    assert (word == "BY_THRESHOLD") == (Fraction(k, 132) > high)
                else:
                    assert (low, high) == (0, 1)


def intervals_of_zeros_and_ones_are_clopper_and_pearson_s(m):
    for hits, runs in ((0, 1), (1, 1), (1, 3), (0, 20), (7, 20), (20, 20), (39, 40)):
        found = m.mean_interval((ONE,) * hits + (ZERO,) * (runs - hits), 0.9)
        assert found == pytest.approx(tuple(scipy.stats.binomtest(hits, runs).proportion_ci(0.9, "exact")), abs=1e-9)


def intervals_are_quantiles_of_weighted_means(m):
    """Two points: the weight of either is uniform. More: weights drawn from the simplex."""
    assert m.mean_interval((HALF,), 0.9) == pytest.approx((0.025, 0.975))
    # Uniform on the simplex: a quantile of so many means is off by some thousandths.
    weights = np.random.default_rng(5).dirichlet(np.ones(7), 200_000)
    for values in (parts(6, 6, 6, 7, 9, 12), parts(0, 0, 3, 6, 12, 12), parts(5, 5, 5, 5, 5, 5)):
        low, high = m.mean_interval(values, 0.9)
        drawn = [weights @ np.array([end, *map(float, values)]) for end in (0.0, 1.0)]
        assert (low, high) == pytest.approx((np.quantile(drawn[0], 0.05), np.quantile(drawn[1], 0.95)), abs=0.003)


def intervals_cover(m):
    """Three runs with values 0, 1/2, 1: under every law on a grid, all 27 outcomes counted, the mean is covered."""
    kept = {ends: m.mean_interval(ends, 0.8) for ends in product((ZERO, HALF, ONE), repeat=3)}
    for a in range(11):
        for b in range(11 - a):
            law = {ZERO: Fraction(a, 10), HALF: Fraction(b, 10), ONE: Fraction(10 - a - b, 10)}
            mean = sum(value * chance for value, chance in law.items())
            covered = sum(
                law[x] * law[y] * law[z] for (x, y, z), (low, high) in kept.items() if low - 1e-9 <= mean <= high + 1e-9
            )
            assert covered >= Fraction(8, 10)


def differences_have_newcombe_s_interval(m):
    """10 of 20 against 4 of 20, by his formula from the two intervals; the other way round it is the mirror image."""
    one, other = m.Sample((ONE,) * 10 + (ZERO,) * 10), m.Sample((ONE,) * 4 + (ZERO,) * 16)
    (low, high), (lowest, highest) = one.interval, other.interval
    wanted = (
        0.3 - ((0.5 - low) ** 2 + (highest - 0.2) ** 2) ** 0.5,
        0.3 + ((high - 0.5) ** 2 + (0.2 - lowest) ** 2) ** 0.5,
    )
    assert m.Comparison("", one, other).interval == pytest.approx(wanted)
    assert m.Comparison("", other, one).interval == pytest.approx((-wanted[1], -wanted[0]))


def texts_say_what_was_counted(m):
    one, other = m.Sample((ONE, HALF), failed=3), m.Sample((ZERO,))
    told = m.Comparison("", one, other, among=1).text
    assert told.startswith("too few runs to tell: 0.75 (")
    assert "in 2 runs, 3 failed to train against 0.00 (" in told
    assert "in 1 run; difference +0.75 (" in told
    assert told.endswith("p = 0.67")
    assert m.Comparison("", m.Sample((), failed=2), other).text.startswith(
        "too few runs to tell: no run, 2 failed to train against"
    )
    assert m.Majority("", one, HALF).text == (
        "too few runs to tell: 2 of 2 runs reach 0.5, 3 failed to train; median 0.75 (0.00 to 1.00), p = 0.5"
    )


FACTS = facts_above(globals())


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.__name__)
def test_fact(fact):
    fact(experiments)


@bugs_in(experiments)
def test_a_planted_bug_is_noticed(bug):
    assert noticed(FACTS, copied(experiments, *bug.replacements))


twelfths = st.lists(st.integers(0, 4).map(lambda number: Fraction(number, 4)), min_size=1, max_size=9).map(tuple)


@given(twelfths, twelfths, st.booleans())
def test_the_opposite_says_the_opposite(changed, baseline, rises):
    # One question alone: divided among all of them the level would leave most samples so small nothing to tell.
    there = Comparison("", Sample(changed), Sample(baseline), rises, among=1)
    mirrored = [Sample(tuple(1 - value for value in values)) for values in (changed, baseline)]
    assert Comparison("", *mirrored, rises=not rises, among=1).word is there.word
    back = replace(there, changed=there.baseline, baseline=there.changed)
    assert back.p == there.p
    opposite = {Word.BORNE_OUT: Word.ELSEWHERE, Word.ELSEWHERE: Word.BORNE_OUT}
    assert opposite.get(there.word, back.word) is back.word
    assert opposite.get(back.word, there.word) is there.word
    if there.word in opposite:
        assert (there.slack > 0) == (there.word is Word.BORNE_OUT)


@given(twelfths, twelfths)
def test_tails_are_scipy_s(changed, others):
    # SciPy goes through all permutations only of so few, and draws some of more.
    if len(changed) < 5 and len(others) < 5 and len(changed + others) > 2:
        run = [[float(value) for value in values] for values in (changed, others)]
        found = [
            scipy.stats.permutation_test(run, lambda x, y: np.mean(x) - np.mean(y), alternative=side).pvalue
            for side in ("greater", "less")
        ]
        assert [float(tail) for tail in experiments.permutation_tails(changed, others)] == pytest.approx(found)


# ---------------------------------------------------------------------------------------------------------------------
# What is read of runs


def run(flips, swaps=12, accuracy=1.0, loss=0.1, sinks=(), distances=()):
    epochs = {"accuracy": [0.1, accuracy], "loss": [loss], "sinks": [[0.1], list(sinks)]}
    return {"seed": 0, "epochs": epochs, "end": {"flips": flips, "swaps": swaps, "distances_at_query": list(distances)}}


def test_a_run_that_failed_is_no_run():
    runs = [run([[6]]), run([[5]]), run(None), run([[12]], accuracy=0.95), run([[12]], loss=None)]
    assert sampled(runs, flip_rate) == Sample(parts(6, 5), failed=3)


def test_the_largest_rate_over_heads_and_layers_counts():
    assert flip_rate(run([[0, 3], [9, 1]])) == Fraction(3, 4)


def test_a_sink_head_has_more_than_nine_tenths():
    assert sink_proportion(run(None, sinks=[0.9, 0.91, 1.3, -2.0])) == HALF
    assert sink_proportion(run(None, sinks=[0.9, None])) is None
    assert no_sinks(run(None, sinks=[0.9, 0.91, 0.2, -2.0])) == Fraction(3, 4)
    assert no_sinks(run(None, sinks=[0.9, 0.1], accuracy=0.3)) is None


def test_the_pair_of_heads_that_has_least_in_common_counts():
    assert overlap_at_query(run(None, distances=[0.25, 0.75, 0.5])) == Fraction(1, 4)
    assert overlap_at_query(run(None, distances=[0.25], accuracy=0.2)) is None


@pytest.mark.parametrize(
    ("setting", "printed"),
    [
        (CLASSIFIER, True),
        (replace(CLASSIFIER, heads=4, layers=2, mlp=False, layer_norm=False, rate=1e-4, attention="mlp"), True),
        (replace(CLASSIFIER, heads=8), False),
        (replace(CLASSIFIER, width=64), False),
        (replace(CLASSIFIER, rate=3e-3), False),
        (replace(CLASSIFIER, attention="uniform"), False),
        (PAPER, True),
        (replace(PAPER, heads=8, positions="no", shifted=False, weight=0.0, normalised=False, attention="elu"), True),
        (replace(PAPER, replacement=True), False),
        (replace(PAPER, layers=1), False),
        (TINY, False),
    ],
)
def test_what_tables_2_and_3_have_is_printed(setting, printed):
    assert is_printed(setting) is printed


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
    assert {reading["word"] for reading in found.readings} == {Word.BORNE_OUT, Word.NOT_RECORDED}
    planted(monkeypatch, [0] * 20)
    assert check_experiment(REVERSED, Effort()).outcome is Outcome.UNDECIDED
    assert {reading["word"] for reading in check_experiment(REVERSED, Effort()).readings} == {Word.BY_THRESHOLD}
    assert {reading["word"] for reading in check_experiment(MORE, Effort()).readings} == {Word.NOT_TOLD, Word.NOT_RECORDED}


def test_without_runs_nothing_is_held(monkeypatch):
    monkeypatch.setattr(transformers, "recorded", dict)
    for conclusion in (REVERSED, MORE):
        found = check_experiment(conclusion, Effort())
        assert (found.outcome, found.known) == (Outcome.UNDECIDED, None)
        assert found.reason.startswith("not recorded")


def test_without_the_libraries_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(libraries, "find_spec", lambda name: None)
    found = check_experiment(NOW, Effort(steps=10**9))
    assert (found.outcome, found.known) == (Outcome.UNDECIDED, None)
    assert "pip install 'attention-claims[transformers]'" in found.reason


def test_what_takes_more_steps_than_given_is_not_trained():
    assert check_experiment(NOW, Effort(steps=2000)).reason == "no reading within 2000 steps"
