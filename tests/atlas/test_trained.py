"""Pictures and pages of empirical claims: what is seen is what the record of trained runs says, and nothing else."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec
from statistics import median

import pytest
from typer.testing import CliRunner

from claims.atlas.drawing import drawn_pictures as pictures_by_claim
from claims.atlas.evidence import gathered, read_verdicts
from claims.atlas.notebook import show
from claims.atlas.pictures.comparisons import compared
from claims.atlas.pictures.scenes import Dot, Path, Region
from claims.atlas.pictures.trained import PAINTERS, trained_pictures
from claims.atlas.places import address
from claims.atlas.relations import COLORS
from claims.atlas.svg import figure
from claims.cli import app
from claims.polarization.setting import transformers
from claims.polarization.setting.transformers import CLASSIFIER, RATES, TINY, every_map
from claims.stating.catalogue import catalogue, matching
from claims.stating.experiments import RecordError, Word, mean_interval
from claims.stating.statement import Standing, judged_by_runs
from claims.testing.property_tests import suite_test
from dynamics.decimals import outward
from tests.atlas.conftest import DECIDED, styled, with_templates
from tests.atlas.links import words_of

EMPIRICAL = [claim for claim in catalogue().values() if claim.standing is Standing.EMPIRICAL]
SINKS = "polarization.softmax_heads_become_sinks"
FIGURE_1 = "polarization.attention_sink_emerges_for_softmax_only"
FLIPS = "polarization.one_token_flips_the_label"
WINNERS = "polarization.toy_leader_wins_in_transformers"
SIGMOID = replace(TINY, attention="sigmoid", normalised=False)


@pytest.fixture
def record(monkeypatch):
    """Puts runs by setting in place of the record of the package."""

    def give(runs):
        tasks = [(setting, {"runs": some, "with": f"library of {setting.task}"}) for setting, some in runs.items()]
        monkeypatch.setattr(transformers, "_tasks", lambda: tasks)
        # The record is kept for the process: without this the one read before would be shown.
        transformers.recorded.cache_clear()

    yield give
    transformers.recorded.cache_clear()


def induction(seed, *scores, accuracy=1.0, attention=None):
    """A run with the scores of two heads after each epoch."""
    epochs = {"accuracy": [0.1] * (len(scores) - 1) + [accuracy], "loss": [0.5]}
    epochs |= {score: [[*pair] for pair in scores] for score in ("sinks", "printed_sinks")}
    sample = {} if attention is None else {"sample": {"input": [0, 7, 19, 3, 5, 11, 2, 22], "attention": attention}}
    return {"seed": seed, "epochs": epochs, "end": {"distances_at_query": [0.05]} | sample}


def classified(seed, *flips, swaps=12, theory=None):
    """A run of a classifier with one head: how many swaps flip the label after each epoch."""
    epochs = {"accuracy": [1.0] * len(flips), "flips": [[[one]] for one in flips], "loss": [0.1]}
    return {"seed": seed, "epochs": epochs, "end": {"flips": [[flips[-1]]], "swaps": swaps, "theory": theory}}


def drawn(name):
    """The pictures of an empirical claim by their titles."""
    found = {}
    for _, picture in trained_pictures(catalogue()[name]):
        found.setdefault(picture.title, picture)
    return found


def test_without_runs_there_is_no_picture_and_every_comparison_is_told_to_be_not_recorded(record):
    record({})
    assert [trained_pictures(claim) for claim in EMPIRICAL] == [[]] * len(EMPIRICAL)
    for _, readings in (one for claim in EMPIRICAL for one in compared(claim)):
        assert {reading.word for reading in readings} <= {Word.NOT_RECORDED}


def test_every_empirical_claim_that_was_run_has_pictures_that_say_how_many_runs_failed_and_with_what(record):
    settings = {**transformers.SIZES}.values()
    runs = [induction(0, (0.1, 0.1), (1.0, 1.0)), induction(1, (0.1, 0.1), (1.0, 1.0), accuracy=0.5)]
    changed = [replace(one, **change) for one in transformers.NORMALISED_POSITIVE for change in CHANGES]
    flips = [classified(0, 1, 12), classified(1, 2, 12)]
    classifiers = [replace(CLASSIFIER, rate=rate) for rate in RATES]
    record(dict.fromkeys((*settings, *changed), runs) | dict.fromkeys(classifiers, flips))
    for claim in EMPIRICAL:
        if claim.id in (WINNERS, "polarization.more_heads_and_layers_flip_less"):
            continue
        pictures = trained_pictures(claim)
        assert pictures, claim.id
        on_the_page = pictures_by_claim([], {claim.id: claim}, 1)[claim.id]
        assert [one.title for one in on_the_page] == [picture.title for _, picture in pictures]
        for _, picture in pictures:
            task = "classification" if claim.id == FLIPS else "induction"
            failed = "none" if claim.id == FLIPS else r"\d+"
            text = rf"\d+ recorded runs of \d+ settings?, {failed} of them failed to train \(library of {task}\)"
            assert re.fullmatch(text, picture.source.told), picture.source.told
            assert picture.alt
            # The script steps through what is called a frame.
            assert figure(picture).count('class="frame"') == len(picture.frames)


CHANGES = ({}, {"weight": 0.0}, {"shifted": False}, {"positions": "no"}, {"positions": "concat"})


def test_a_pattern_is_as_dark_as_its_attention_and_negative_attention_has_another_colour(record):
    length = TINY.length
    first = [[0.0] * length for _ in range(length)]
    first[2][0], first[2][1], first[5][3], first[5][4] = 0.8, -0.4, 0.04, 0.004
    second = [[1.6 * (i == j) for j in range(length)] for i in range(length)]
    record({TINY: [induction(0, (0.1, 0.2), (0.95, 0.3), attention=[first, second])]})
    picture = drawn(FIGURE_1)["Attention of the second layer: softmax"]
    cells = [styled(scene.shapes, Region, "shade") for scene in picture.frames]
    middles = [
        (sum(x for x, _ in one.points) / 4, sum(y for _, y in one.points) / 4, one.color, one.depth) for one in cells[0]
    ]
    assert middles == [(1.0, -3.0, 0, 0.5), (2.0, -3.0, 1, 0.25), (4.0, -6.0, 0, pytest.approx(0.025))], (
        "what is faint is left white"
    )
    assert {one.depth for one in cells[1]} == {1.0}
    assert picture.frames[0].x.names == ("BOS", "7", "19", "3", "5", "11", "2", "3'")
    assert "Head 1 of 2, sink score 0.95" in picture.frames[0].caption
    assert picture.source.told == "one recorded run, seed 0 (library of induction)"
    assert ">3'</text>" in figure(picture).replace("&#39;", "'").replace("&#x27;", "'")


def test_proportions_stand_at_their_means_with_their_intervals_and_the_values_of_their_runs(record):
    many = [induction(k, (0.1, 0.1), (0.95, 0.2) if k < 6 else (0.2, 0.2)) for k in range(8)]
    lost = [induction(9, (0.1, 0.1), (0.99, 0.99), accuracy=0.9)]
    record({TINY: [*many, *lost], SIGMOID: many[:1]})
    picture = drawn(SINKS)["Sink heads by attention map"]
    (scene,) = picture.frames
    softmax, sigmoid = ([one for one in styled(scene.shapes, Dot, "token") if one.color == color] for color in (0, 1))
    assert [one.point[0] for one in softmax] == [3 / 8]
    assert [one.point[0] for one in sigmoid] == [1 / 2]
    values = [(one.point[0], one.told) for one in styled(scene.shapes, Dot, "limit") if one.color == 0]
    assert values == [(0, "2 of 8 runs at 0"), (0.5, "6 of 8 runs at 0.5")]
    (line,) = (one for one in styled(scene.shapes, Path, "line") if one.color == 0)
    assert tuple(x for x, _ in line.points) == mean_interval([Fraction(0)] * 2 + [Fraction(1, 2)] * 6)
    assert scene.y.names == ("softmax", "sigmoid")
    assert "8 runs" in line.told
    assert "1 failed" in line.told
    assert picture.source.told.startswith("10 recorded runs of 2 settings, 1 of them failed to train")
    assert "Not recorded: width 64, width 128." in picture.note


def test_scores_over_epochs_are_medians_of_the_runs_that_learned(record):
    runs = [induction(k, (0.0, 0.2), (0.1 * k, 0.1 * k + 0.2), (5.0, 5.0)) for k in range(5)]
    lost = [
        induction(7, (9.0, 9.0), (9.0, 9.0), (9.0, 9.0), accuracy=0.1),
        induction(8, (1.0, None), (1.0, 1.0), (1.0, 1.0)),
    ]
    record({TINY: [*runs, *lost]})
    picture = drawn(FIGURE_1)["Sink score over epochs"]
    (line,) = styled(picture.frames[0].shapes, Path, "line")
    assert [x for x, _ in line.points] == [0, 1, 2]
    assert [y for _, y in line.points] == pytest.approx([0.1, median(0.1 * k + 0.1 for k in range(5)), 1.25])
    assert "beyond the frame is drawn at its edge" in picture.note
    assert picture.source.told.startswith("7 recorded runs of 1 setting, 2 of them failed to train")
    (band,) = styled(picture.frames[0].shapes, Region, "band")
    assert (1.0, pytest.approx(0.4)) in band.points
    assert (1.0, pytest.approx(0.2)) in band.points


def test_flips_are_drawn_for_each_learning_rate(record):
    # Softmax is normalised always, elu with and without: three columns.
    maps = [one for one in every_map(CLASSIFIER) if one.attention in ("softmax", "elu")]
    record({replace(one, rate=1e-2): [classified(0, 0, 6), classified(1, 0, 3), classified(2, 0, 12)] for one in maps})
    found = drawn(FLIPS)
    assert [scene.caption for scene in found["Flips by attention map"].frames] == ["learning rate 0.01"]
    dots = styled(found["Flips by attention map"].frames[0].shapes, Dot, "token")
    assert Counter((one.color, round(one.point[0], 3)) for one in dots) == {(0, 0.583): 2, (1, 0.583): 1}
    normalised, other = found["Flips over epochs"].frames
    for frame, names in ((normalised, {"softmax", "elu"}), (other, {"elu"})):
        lines = styled(frame.shapes, Path, "line")
        assert {tuple(line.points) for line in lines} == {((0.0, 0.0), (1.0, 0.5))}
        assert {line.label for line in lines} == names, "named at their ends"
    assert "normalised" in normalised.caption
    assert "without normalisation" in other.caption


def test_no_canvas_has_more_than_seven_lines(record):
    record({one: [induction(k, (0.1, 0.1), (0.9, 0.9)) for k in range(2)] for one in every_map(TINY)})
    (picture,) = [one for title, one in drawn(SINKS).items() if title == "Sink score over epochs"]
    counts = [len(styled(frame.shapes, Path, "line")) for frame in picture.frames]
    assert sum(counts) == len(every_map(TINY)) > 7
    assert max(counts) <= 7


def test_a_winner_is_counted_in_the_column_of_the_leader_and_its_own_row(record):
    # Three heads: the leader wins in the first and the last.
    theory = {"leader": [3, 3, 10], "last_leader": [0, 0, 0], "winner": [3, 5, 10], "share": [1.0] * 3}
    theory |= {"order_of_values": [1.0] * 3, "order_of_attention": [1.0] * 3}
    record({CLASSIFIER: [classified(0, 12, theory=theory), classified(1, 12)]})
    picture = drawn(WINNERS)["The winner against the theory's leader"]
    cells = styled(picture.frames[0].shapes, Region, "shade")
    assert {(min(x for x, _ in one.points) + 0.5, min(y for _, y in one.points) + 0.5) for one in cells} == {
        (4.0, -4.0),
        (4.0, -6.0),
        (11.0, -11.0),
    }
    assert "in 2 of 3 the token of the largest value at the start wins" in picture.frames[0].caption
    assert "in 0 of 3" in picture.frames[1].caption
    assert picture.source.told.startswith("2 recorded runs of 1 setting, 1 of them failed to train")


def site(reports=()):
    pages = with_templates()
    claims = {claim.id: claim for claim in EMPIRICAL}
    none = {name: [] for name in claims}
    return pages.pages(pages.Atlas(claims, gathered(EMPIRICAL, reports, {}), none, catalogue()))


def test_a_page_lists_every_comparison_with_its_word_its_samples_its_effect_and_p(record):
    good, lost = induction(0, (0.1, 0.1), (0.95, 0.95)), induction(1, (0.1, 0.1), (0.95, 0.95), accuracy=0.0)
    record({TINY: [good | {"seed": k} for k in range(13)], SIGMOID: [lost], replace(TINY, weight=0.0): [lost, good]})
    found, words = site(), Counter()
    for claim in EMPIRICAL:
        rows = re.findall(r'<tr><th scope="row">(.*?)</th><td><span class="word ([\w-]+)">(.*?)</span></td>(.*?)</tr>',
                          found[address(claim)])  # fmt: skip
        wanted = [reading for conclusion in claim.conclusions for reading in conclusion.slack(0)]
        assert [(name, word) for name, _, word, _ in rows] == [(one.name, one.word) for one in wanted]
        for reading, (*_, cells) in zip(wanted, rows, strict=True):
            sides = re.findall(r"<td data-side=.*?>(.*?)</td>", cells)
            told = [sample.text if sample.tried else "no runs" for sample in reading.samples.values()]
            told += [reading.effect, outward(reading.p, 1, 2)] if reading.effect else ["", ""]
            assert [re.sub("<.*?>", "", side) for side in sides] == told
            words[reading.word] += 1
        said = Counter(one.word for one in wanted)
        run = len(wanted) - said[Word.NOT_RECORDED]
        row = found["index.html"].split(f'<li id="{claim.id}"')[1].split("</li>")[0]
        assert (f"{said[Word.BORNE_OUT]} of {run} comparisons borne out" if run else "not recorded") in row
    # Of each kind of answer one at least was on a page.
    assert {Word.NOT_RECORDED, Word.TOO_FEW, Word.BORNE_OUT} <= set(words)
    assert "<option>empirical</option>" in found["index.html"]


def test_what_a_run_of_verify_trained_is_shown_too(record, tmp_path):
    record({})
    (name,) = (one.name for one in catalogue()[SINKS].conclusions if one.name.startswith("trained_now"))
    assert "trained while you wait" in site()[address(catalogue()[SINKS])]
    reading = {"name": "now", "word": "borne out", "text": "borne out: 1.00 <b> against 0.00"}
    tally = {"name": name, "form": "experiment", **DECIDED, "readings": [reading], "tightest": None, "counterexample": None}
    report = {"id": SINKS, "borne_out": None, "conclusions": [tally]}
    text = site([report])[address(catalogue()[SINKS])]
    assert "borne out: 1.00 &lt;b&gt; against 0.00" in text
    assert "Nothing is decided of an empirical statement" in words_of(text)
    # A file of verdicts may come from anywhere.
    for broken in ([1], {"name": "now"}, [reading | {"word": 3}]):
        file = tmp_path / "verdicts.json"
        file.write_text(json.dumps({"claims": [report | {"conclusions": [tally | {"readings": broken}]}]}))
        with pytest.raises(ValueError, match="is not what `claims verify --json` writes"):
            read_verdicts(file)


def test_the_record_of_the_package_is_drawn_and_told():
    for claim in EMPIRICAL:
        told = [reading for _, readings in compared(claim) for reading in readings if reading.word is not Word.NOT_RECORDED]
        seen = " ".join(picture.alt for _, picture in trained_pictures(claim))
        assert all(f"{reading.name}: {reading.text}" in seen for reading in told)
    assert set(PAINTERS) < {claim.id for claim in EMPIRICAL}


def test_every_standing_has_a_colour_on_the_map_and_in_the_style_sheet():
    pages = with_templates()
    style = (pages.files("claims.atlas") / "templates" / "atlas.css").read_text(encoding="utf-8")
    assert set(COLORS) == set(Standing)
    for color in COLORS.values():
        assert style.count(f"--{color}: #") == 3, "in light, in dark and on paper"
        assert color == "notyet" or f"circle.{color} " in style
        assert color == "notyet" or f".dot.{color} " in style


@pytest.mark.parametrize("command", [["atlas", "X6", "--unchecked", "--out"], ["plot", FIGURE_1, "--out"]])
def test_a_record_that_is_none_is_told_in_one_sentence(monkeypatch, tmp_path, command):
    pytest.importorskip("jinja2", reason="the atlas is an extra: pip install '.[atlas]'")

    def broken():
        raise RecordError("transformers.json: not a record of trained runs in version 1")

    monkeypatch.setattr(transformers, "_tasks", broken)
    transformers.recorded.cache_clear()
    place = tmp_path / ("site" if command[0] == "atlas" else "p.svg")
    run = CliRunner().invoke(app, [*command, str(place)])
    assert run.exit_code == 2
    assert "not a record of trained runs in version 1" in run.output
    # Half an atlas would be taken for a whole one.
    assert not place.exists()


def test_plot_draws_recorded_runs_and_says_when_there_are_none(record, tmp_path):
    out = str(tmp_path / "p.svg")
    record({TINY: [induction(0, (0.1, 0.1), (0.95, 0.95))]})
    run = CliRunner().invoke(app, ["plot", SINKS, "--picture", "2", "--out", out])
    assert "Sink score over epochs, drawn from 1 recorded runs of 1 setting" in run.output
    record({})
    run = CliRunner().invoke(app, ["plot", SINKS, "--out", out])
    assert run.exit_code == 2
    assert f"nothing of {SINKS} was run" in run.output


SAID = f"{WINNERS} is judged by recorded training runs, not on instances: `claims verify {WINNERS}` tells what they say"


@pytest.mark.parametrize(
    "command",
    [
        ["trace", WINNERS],
        ["hunt", WINNERS, "--starts", "2"],
        ["mutate", WINNERS],
        pytest.param(["prove", WINNERS], marks=pytest.mark.skipif(find_spec("z3") is None, reason="the extra prove")),
        ["verify", WINNERS, "--instance", '{"system": "HardmaxStep", "z": [[1]]}'],
        ["verify", WINNERS, "--drop", "each"],
    ],
)
def test_commands_that_ask_for_instances_say_what_an_empirical_claim_is_judged_by(command):
    run = CliRunner().invoke(app, command)
    assert (run.exit_code, " ".join(run.output.split())) == (2, f"error: {SAID}")


def test_an_empirical_claim_is_shown_in_a_notebook_by_its_runs():
    seen = show(WINNERS)
    assert str(seen).startswith(f"{SAID}\n")
    for conclusion in catalogue()[WINNERS].conclusions:
        title = f"Runs, with intervals of their means: {conclusion.name}"
        told = next(one.alt for one in seen.pictures if one.title == title)
        assert all(f"{reading.name}: {reading.text}" in told for reading in conclusion.slack(0))
    assert "judged by recorded training runs" in seen._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["figure_two_run"], "polarization.figure_two_run is judged by experiments, not on instances: "),
        (["figure_two_run", WINNERS], "each of the 2 chosen claims is judged by experiments, not on instances: "),
        (["polarization_needs_no_alignment"], "needs_no_alignment has no conclusion yet that could be decided"),
        (["polarization_needs_no_alignment", WINNERS], ""),
        (["score_gaps_grow", WINNERS], ""),
        ([], ""),
    ],
)
def test_claims_are_judged_by_runs_only_if_none_of_them_speaks_of_instances(names, said):
    told = judged_by_runs([matching([name])[0] for name in names])
    assert said in told
    assert bool(said) == bool(told)


def test_a_suite_test_of_experiments_alone_is_refused_and_not_passed():
    with pytest.raises(ValueError, match="judged by recorded training runs, not on instances"):
        suite_test(WINNERS)
