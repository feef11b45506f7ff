"""`claims trace` and `claims plot`: what they write is the orbit, or contains the solution; bad input is one sentence."""

from __future__ import annotations

import csv
import io
import json
import struct
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep
from tests.calling import refused, run
from tests.planting import one_in

PAIR = '{"system": "SelfAttentionFlow", "x": [[1, 0], ["1/3", 2]]}'


def test_an_orbit_is_exported_exactly(tmp_path):
    path = tmp_path / "orbit.json"
    run("trace", "localmax.every_token_converges", "--steps", 5, "--json", path)
    data = json.loads(path.read_text())
    states = orbit(LocalmaxStep.instance(**{k: v for k, v in data["instance"].items() if k != "system"}), 5)
    # The start is a state: five steps are six rows.
    assert [row["step"] for row in data["states"]] == [0, 1, 2, 3, 4, 5]
    for row, state in zip(data["states"], states, strict=True):
        for place, value in np.ndenumerate(state.z):
            assert Fraction(str(row[f"z[{place[0]}][{place[1]}]"])) == Fraction(str(value))


def test_enclosures_hold_what_an_integrator_finds_that_shares_no_code(tmp_path):
    path = tmp_path / "flow.csv"
    run("trace", PAIR, "--until", "1/2", "--points", 5, "--csv", path)
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert [row["time"] for row in rows] == ["0", "1/8", "1/4", "3/8", "1/2"]
    x, h = np.array([[1.0, 0.0], [1 / 3, 2.0]]), 1e-3
    for _ in range(500):  # Runge and Kutta's, written apart: its error is of the order h^4
        k1 = _drift(x)
        k2 = _drift(x + h / 2 * k1)
        k3 = _drift(x + h / 2 * k2)
        x += h / 6 * (k1 + 2 * k2 + 2 * k3 + _drift(x + h * k3))
    for (i, k), value in np.ndenumerate(x):
        lower, upper = (Fraction(rows[-1][f"x[{i}][{k}].{end}"]) for end in ("lower", "upper"))
        # Narrow as well: an enclosure as wide as the plane would hold it too.
        assert lower < upper < lower + Fraction(1, 10**9)
        assert lower - Fraction(1, 10**9) < value < upper + Fraction(1, 10**9)


def _drift(x):
    weights = np.exp(x @ x.T)
    return weights / weights.sum(axis=1, keepdims=True) @ x


def test_without_a_file_a_trace_is_printed():
    printed = run("trace", "polarization.score_gaps_grow", "--points", 3).stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [row["time"] for row in rows] == ["0", "3", "6"], "up to the violated time"
    # The least that the gap can be, since the ends are those of enclosures.
    gaps = [Fraction(row["a[1].lower"]) - Fraction(row["a[2].upper"]) for row in rows]
    assert all(a < b for a, b in pairwise(gaps[:2]))


DRAWN = ("localmax.every_token_converges", "polarization.score_gaps_grow", PAIR)


@pytest.mark.parametrize("what", DRAWN)
def test_a_picture_is_written_as_svg_and_png(tmp_path, what):
    said = run("plot", what, "--out", tmp_path / "picture.svg").stdout
    assert "drawn from" in said
    text = (tmp_path / "picture.svg").read_text()
    assert text.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert "prefers-color-scheme: dark" in text
    # Matplotlib draws for a second each: a third of them a day.
    if what not in one_in(3, DRAWN):
        return
    pytest.importorskip("matplotlib")
    run("plot", what, "--out", tmp_path / "picture.png")
    data = (tmp_path / "picture.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", data[16:24])
    assert (wide, high) == (960, 690)
    assert len(data) > 8000, "something is drawn"
    assert "cannot be written" in refused("plot", what, "--out", tmp_path / "none" / "a.png")


def test_a_frame_and_a_picture_are_chosen(tmp_path):
    texts = []
    for frame in (0, 1):
        run("plot", "localmax.every_token_converges", "--picture", 2, "--frame", frame, "--out", tmp_path / "a.svg")
        texts.append((tmp_path / "a.svg").read_text())
    assert texts[0] != texts[1]
    chosen = run("plot", "polarization.score_gaps_grow", "--picture", 4, "--out", tmp_path / "b.svg").stdout
    assert "Scores over time" in chosen


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("trace", "nonsense"), "no claim matches"),
        (("trace", "none.json"), "cannot be read"),
        (("trace", "{}"), "no system takes"),
        (("trace", PAIR, "--steps", 3), "say until when"),
        (("trace", PAIR, "--until", "soon"), "--until takes an exact number"),
        (("trace", PAIR, "--until", "-1"), "must be positive"),
        (("trace", "localmax.every_token_converges", "--until", 3), "say how many"),
        (("trace", "localmax.every_token_converges", "--conclusion", "gone"), "it has limit_points_differ"),
        (("trace", "converges"), "is a part of several ids"),
        (("trace", "clusters.tokens_converge_to_vertices"), "no decided instance"),
        (("plot", PAIR, "--out", "a.pdf"), "FILE.svg or FILE.png"),
        (("plot", PAIR, "--out", "none/a.svg"), "cannot be written"),
        (("plot", PAIR, "--picture", 2, "--out", "a.svg"), "there is no picture 2: there are 1,"),
        (("plot", PAIR, "--frame", 13, "--out", "a.svg"), "there is no frame 13: Paths of the tokens has frames 0 to 12"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert words in refused(*arguments)
    # No file was begun before the input was looked at.
    assert list(tmp_path.iterdir()) == []
