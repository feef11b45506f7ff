"""The command `claims escape`: its numbers, its file, and what it says of bad input."""

from __future__ import annotations

import json
from itertools import product

import pytest
from flint import arb, fmpq

from claims.cli import escape as command
from dynamics.arithmetic import working_precision
from dynamics.escapes.times import Enclosure
from tests.calling import run
from tests.planting import bugs_in, facts_above

PUBLISHED = '{"v":[[2],[-2]],"x":[["17/9"],["-17/9"]],"group":[0,1],"gamma":"1/24","eps":"1/3"}'
SEGMENT = ["--vertices", "[[1],[-1]]", "--gamma", "1/8", "--eps", "1/5"]
KEYS = {"beta", "mean", "quantiles", "exponent_of_mean", "exponent_printed", "exponent_corrected", "path"}


def test_the_published_chain(tmp_path):
    file = tmp_path / "escape.json"
    asked = ("--before", "1e5,1e12,1e25", "--quantiles", "1/2", "--json", file)
    done = run("escape", PUBLISHED, "--beta", "4,8,16", *asked)
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
    assert "28.05134369528" in run("escape", *SEGMENT, "--beta", "2").stdout


def test_groups_are_bounded_from_both_sides(tmp_path):
    file = tmp_path / "escape.json"
    pairs = '{"v":[[1],[-1]],"x":[[1],[1],[-1],[-1]],"group":[0,0,1,1],"gamma":"1/64","eps":"1/20"}'
    # Cold enough that both bounds are far apart, and warm enough that runs of the estimate end soon.
    done = run("escape", pairs, "--beta", 4, "--before", 100, "--states", 400, "--json", file)
    row = json.loads(file.read_text())["betas"][0]
    assert 1 < row["mean"]["low"] < row["mean"]["high"]
    assert row["exponent_of_mean"] == {"low": 2.0, "high": 2.0, "known": "exact"}
    # A way out is searched among histories of single tokens, and groups have none.
    assert row["path"] is None
    assert 0 < row["chances"][0]["high"] < 1
    assert row["estimate"]["known"] == "numerical"
    assert row["mean"]["low"] < row["estimate"]["low"] < row["estimate"]["high"] < row["mean"]["high"]
    assert row["estimate"]["high"] < 1.1 * row["estimate"]["low"]
    assert "by splitting" in done.stdout


def test_what_is_beyond_the_budget_is_undecided(tmp_path):
    file = tmp_path / "escape.json"
    many = '{"v":[[2],[-2]],"x":[[2],[-2]],"group":[0,1],"gamma":"1/480","eps":"1/10","beta":4}'
    assert "UNDECIDED" in run("escape", many, "--states", 20, "--json", file).stdout
    (row,) = json.loads(file.read_text())["betas"]
    assert row["mean"]["low"] is None
    assert "more than --states 20" in row["mean"]["needed"]
    estimate = row["estimate"]
    assert estimate["known"] == "numerical"
    assert estimate["high"] < 1.1 * estimate["low"]


# ---------------------------------------------------------------------------------------------------------------------
# What is written


def quantiles_lie_between_their_bounds(m):
    """Of laws that are known: that of a geometric time, whose least and largest shares are far from its mean.

    Of the mean no more than an upper bound may be known.
    """
    shares = [fmpq(1, 1000), fmpq(1, 10), fmpq(1, 2), fmpq(9, 10), fmpq(999, 1000)]
    with working_precision(256):
        # The time until a first success: of this law all is known in closed form.
        for rate, is_known in product((fmpq(1, 3), fmpq(1, 100), fmpq(1, 10**6), fmpq(1, 10**30)), (True, False)):
            leaves = arb(rate)
            mean = Enclosure(1 / leaves if is_known else arb(1), 1 / leaves)
            found = m._bounded(None, mean, shares, lambda _, t, stay=1 - leaves: 1 - stay ** (t - 1))
            for share, ends in zip(shares, found, strict=True):
                exact = max((1 - arb(share)).log() / (1 - leaves).log(), arb(1))
                assert ends["low"] <= exact + 1
                assert exact <= ends["high"]
                assert exact < 4 * ends["low"] + 4
                assert ends["high"] < 1.01 / float(arb(rate)) / (1 - float(arb(share)))


def numbers_are_rounded_to_their_side(m):
    """Of every size, exact ones and halves of the last place among them; as floats, or as decimals beyond them."""
    with working_precision(128):
        # Halves of a float's last place among them, and numbers that no float is near.
        sizes = [arb(1), arb(2), arb(1) / 3, 1 + arb(2) ** -53, 1 + 3 * arb(2) ** -54, arb(10) ** 400, arb(10) ** -400 / 3]
        for size, sign in product(sizes, (1, -1)):
            for value in (size * sign, size * sign + arb(0, abs(size) / 2**60)):
                low, near, high = (m._float(value, side) for side in (-1, 0, 1))
                assert arb(low) <= value.lower()
                assert value.upper() <= arb(high)
                assert arb(high) - arb(low) <= abs(size) * arb(2) ** -48
                assert abs(arb(near) - value.mid()) <= abs(size) * arb(2) ** -50
                for digits in (4, 13):
                    assert arb(m._told(low, -1, digits)) <= value.lower()
                    assert value.upper() <= arb(m._told(high, 1, digits))
        assert m._float(arb("inf"), 1) is None


def every_row_of_the_table_tells_both_ends(m):
    """A bound in a table is never inside of the one in the file."""
    first, second, third, fourth, fifth, last = (
        # Apart in the last digits alone, which thirteen decimals do not show.
        {"low": k + 0.23456789012399, "high": k + 0.23456789012401, "known": str(k)}
        for k in range(1, 7)
    )
    row = {"mean": first, "estimate": second, "quantiles": [{"q": 0.5, **third}], "chances": [{"t": 1e5, **fourth}]}
    row |= {"drift": fifth, "exponent_of_mean": last, "exponent_printed": 1.0, "exponent_corrected": -1.0}
    lines = list(m._lines(row))
    assert len(lines) == 8
    for (_, low, high, known), ends in zip(lines, (first, second, third, fourth, fifth, last), strict=False):
        assert float(low) <= ends["low"] < ends["high"] <= float(high)
        assert (known, float(high) - float(low) < 1e-11) == (ends["known"], True)


WRITTEN = facts_above(globals())


@pytest.mark.parametrize("fact", WRITTEN)
def test_what_is_written_bounds(fact):
    fact(command)


@bugs_in(command)
def test_a_bug_planted_in_what_is_written_is_noticed(bug):
    assert bug.is_noticed(WRITTEN)


def test_an_interrupt_leaves_what_is_done(tmp_path, monkeypatch):
    file, true, rows = tmp_path / "escape.json", command._row, []

    def interrupted(*given):
        if rows:
            raise KeyboardInterrupt
        rows.append(true(*given))
        return rows[0]

    monkeypatch.setattr(command, "_row", interrupted)
    done = run("escape", PUBLISHED, "--beta", "4,8", "--json", file, code=130)
    assert "stopped after 1 of 2 temperatures" in done.stderr
    assert [row["beta"] for row in json.loads(file.read_text())["betas"]] == [4]
