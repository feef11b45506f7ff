"""The command `claims escape`: its numbers, its file, and what it says of bad input."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from claims.cli import app
from claims.cli import escape as command

PUBLISHED = '{"v":[[2],[-2]],"x":[["17/9"],["-17/9"]],"group":[0,1],"gamma":"1/24","eps":"1/3"}'
SEGMENT = ["--vertices", "[[1],[-1]]", "--gamma", "1/8", "--eps", "1/5"]
KEYS = {"beta", "mean", "quantiles", "exponent_of_mean", "exponent_printed", "exponent_corrected", "path"}


def run(*arguments):
    return CliRunner().invoke(app, ["escape", *arguments])


def test_the_published_chain(tmp_path):
    file = tmp_path / "escape.json"
    done = run(PUBLISHED, "--beta", "4,8,16", "--before", "1e5,1e12,1e25", "--quantiles", "1/2", "--json", str(file))
    assert done.exit_code == 0, done.output
    assert "1 picks 0 3 times" in done.stdout
    assert "1319726282825" in done.stdout
    rows = json.loads(file.read_text())["betas"]
    assert [row["beta"] for row in rows] == [4, 8, 16]
    assert not any("estimate" in row for row in rows)
    for row, mean, chance in zip(
        rows,
        (1.3197262828e12, 3.1054373709e24, 1.9213434461e49),
        (5.1316605e-19, 7.9007707e-52, 1.8727777e-117),
        strict=True,
    ):
        assert set(row) >= KEYS
        assert row["mean"]["known"] == "certified"
        assert row["mean"]["low"] <= row["mean"]["high"] <= row["mean"]["low"] * (1 + 1e-10)
        assert row["mean"]["low"] == pytest.approx(mean, rel=1e-10)
        assert row["chances"][0]["low"] == pytest.approx(chance, rel=1e-7)
        assert row["quantiles"][0]["low"] == pytest.approx(mean * 0.6931, rel=0.06)
        assert row["exponent_of_mean"]["known"] == "exact"
        assert row["exponent_of_mean"]["low"] == pytest.approx(578 / 81)
        assert row["exponent_printed"] == pytest.approx(32)
        assert row["path"] in ([[[1, 0]]] * 3, [[[0, 1]]] * 3)


def test_one_token_at_each_vertex():
    done = run(*SEGMENT, "--beta", "2")
    assert done.exit_code == 0, done.output
    assert "28.05134369528" in done.stdout


def test_groups_are_bounded_from_both_sides(tmp_path):
    file = tmp_path / "escape.json"
    pairs = '{"v":[[1],[-1]],"x":[[1],[1],[-1],[-1]],"group":[0,0,1,1],"gamma":"1/64","eps":"1/20"}'
    done = run(pairs, "--beta", "8", "--before", "100", "--states", "2000", "--json", str(file))
    assert done.exit_code == 0, done.output
    row = json.loads(file.read_text())["betas"][0]
    assert 1 < row["mean"]["low"] < row["mean"]["high"]
    assert row["exponent_of_mean"] == {"low": 2.0, "high": 2.0, "known": "exact"}
    assert row["path"] is None
    assert 0 < row["chances"][0]["high"] < 1
    assert row["estimate"]["known"] == "numerical"
    assert row["mean"]["low"] < row["estimate"]["low"] < row["estimate"]["high"] < row["mean"]["high"]
    assert row["estimate"]["high"] < 1.1 * row["estimate"]["low"]
    assert "by splitting" in done.stdout


def test_what_is_beyond_the_budget_is_undecided(tmp_path):
    file = tmp_path / "escape.json"
    many = '{"v":[[2],[-2]],"x":[[2],[-2]],"group":[0,1],"gamma":"1/480","eps":"1/10","beta":4}'
    done = run(many, "--states", "20", "--json", str(file))
    assert done.exit_code == 0, done.output
    assert "UNDECIDED" in done.stdout
    mean = json.loads(file.read_text())["betas"][0]["mean"]
    assert mean["low"] is None
    assert "more than --states 20" in mean["needed"]
    estimate = json.loads(file.read_text())["betas"][0]["estimate"]
    assert estimate["known"] == "numerical"
    assert estimate["high"] < 1.1 * estimate["low"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([PUBLISHED, "--beta", "0"], "needs beta > 0, not 0"),
        ([PUBLISHED, "--beta", "-1"], "needs beta > 0, not -1"),
        ([PUBLISHED, "--beta", "warm"], "--beta: 'warm' is not a finite number"),
        ([PUBLISHED], "beta"),
        ([PUBLISHED, "--beta", "4", "--gamma", "1"], "needs 0 < gamma < 1, not 1"),
        ([PUBLISHED, "--beta", "4", "--eps", "4"], "no picks lead out of the tubes"),
        ([PUBLISHED, "--beta", "4", "--quantiles", "1"], "--quantiles needs numbers between 0 and 1, not 1"),
        ([PUBLISHED, "--beta", "4", "--before", "3/2"], "--before needs whole numbers"),
        ([PUBLISHED, "--vertices", "[[1]]"], "give an instance or --vertices"),
        ([], "give an instance or --vertices"),
        ([PUBLISHED.replace("[0,1]", "[0,2]"), "--beta", "4"], "group must name vertices 0..1"),
        (["--vertices", "1", "--beta", "4"], "--vertices needs rows of numbers"),
        (["--vertices", "[[1],[-1]]", "--tokens", "[[1],[-1],[0]]", "--beta", "4"], "3 tokens for 2 vertices"),
        (["nowhere.json", "--beta", "4"], "nowhere.json"),
    ],
)
def test_bad_input_is_one_sentence(arguments, sentence):
    done = run(*arguments)
    assert done.exit_code == 2
    said = done.stderr.strip()
    assert sentence in said
    assert said.startswith("error: ")
    assert "\n" not in said


def test_an_interrupt_leaves_what_is_done(tmp_path, monkeypatch):
    file, true, rows = tmp_path / "escape.json", command._row, []

    def interrupted(*given):
        if rows:
            raise KeyboardInterrupt
        rows.append(true(*given))
        return rows[0]

    monkeypatch.setattr(command, "_row", interrupted)
    done = run(PUBLISHED, "--beta", "4,8", "--json", str(file))
    assert done.exit_code == 130
    assert "stopped after 1 of 2 temperatures" in done.stderr
    assert [row["beta"] for row in json.loads(file.read_text())["betas"]] == [4]
