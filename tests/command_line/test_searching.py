"""Claims are found by theorem numbers and words; papers and labels are not mistaken; results are whole in every format."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from decimal import Decimal
from pathlib import Path

import pytest
from flint import arb, fmpq

import claims
from claims.cli import COMMANDS, loaded
from claims.cli import verify as verify_command
from claims.cli.formats import github, junit, markdown_report, print_table
from claims.cli.instance import print_rows
from claims.cli.wording import brief_of
from claims.stating.catalogue import UnknownClaimError, catalogue, matching, precedence
from claims.stating.patterns import UnmatchedError, matched, occurs
from claims.stating.plain_text import one_line
from claims.stating.statement import PAPERS, Origin, Standing
from claims.stating.verdict import Known, Outcome, Verdict
from claims.verifying.tallies import Tally
from claims.verifying.tasks import Report
from dynamics.arithmetic import exact
from tests.calling import lines_printed, printed_by, run

ROOT = Path(__file__).parents[2]


def test_a_number_is_found_whole():
    assert occurs("5.4", "Theorem 5.4 (lem: metastab.1)")
    assert occurs("theorem  5.4", "see Theorem 5.4.")
    assert occurs("3.2(b)", "Theorem 3.2(b), for scores")
    for other in ("Theorem 15.4", "Theorem 5.41", "Theorem 5.4.1", "1.5.4"):
        assert not occurs("5.4", other)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("Theorem 5.4", "frank_wolfe.escape_takes_exponentially_long"),
        ("5.4", "frank_wolfe.escape_takes_exponentially_long"),
        ("what is wrong with Theorem 5.4?", "frank_wolfe.escape_takes_exponentially_long"),
        ("3.2(b)", "polarization.gaps_grow_for_all_pairs"),
        ("2-cycle", "localmax.every_token_converges"),
        *((word, "frank_wolfe.escape_takes_exponentially_long") for word in ("FW-15", "frank_wolfe.*", "escape")),
        ("frank_wolfe", "frank_wolfe.escape_takes_exponentially_long"),
    ],
)
def test_theorems_and_words_are_found(pattern, found):
    assert found in [claim.id for claim in matching([pattern])]
    assert found in [one["id"] for one in json.loads(run("list", pattern, "--json").stdout)]


def test_a_paper_s_name_means_that_paper_and_a_slip_of_it_is_refused():
    assert {claim.paper.key for claim in matching(["clusters"])} == {"clusters"}
    # A spelling of the other country, and letters that are left out.
    for slip, paper in (("polarisation", "polarization"), ("localmx", "localmax"), ("frank_wolf", "frank_wolfe")):
        with pytest.raises(UnknownClaimError, match=f"did you mean {paper}"):
            matching([slip])
    assert matching(["*polarisation*"])
    assert matched(["hull"], {"a.hull_shrinks": (), "b.other": ()}) == ["a.hull_shrinks"]
    with pytest.raises(UnmatchedError):
        matched(["5.4"], {"a.one": ()}, [{"a.one": "Theorem 5.41"}.__getitem__])


def test_show_tells_what_is_wrong_and_where_and_shows_all_that_carry_a_label():
    shown = run("show", "FW-15").stdout
    ids = [claim.id for claim in matching(["FW-15"])]
    assert len(ids) > 3
    assert all(f"{one} (" in shown for one in ids)
    assert shown.count("FW-15") >= len(ids)
    shown = run("show", "every_token_converges").stdout
    assert "what is wrong: With delta = 17/4 and gamma = 1/2 the last of (4, 4, 0), (4, -5, 0)," in shown
    assert "ends in a 2-cycle between (34/9, 1/18, 0) and (11/3, 1/3, 0)" in " ".join(shown.split())
    assert "counterexample: limit_points_differ = " in shown
    assert "claims verify localmax.every_token_converges --instance '{" in shown


# ---------------------------------------------------------------------------------------------------------------------
# Formats


def reports():
    """One report whose verdict is long, one that is not borne out."""
    name = "a_conclusion_with_a_name_that_is_as_long_as_names_ever_become"
    long = "clusters.claim_with_quite_a_long_name_indeed"
    tally = Tally(name, "trajectory", instances=12345, violated=1111, holds=2222, undecided=3333, vacuous=5679)
    # A bar would end a cell of Markdown, and a bracket begin a tag of HTML.
    tally.violation = {"slack": "-1/3", "instance": {"system": "S", "x": [1] * 90}, "known": "exact", "reason": "<a|b>"}
    tally.tightest = tally.violation
    tally.decided_by.update({"certified": 3333})
    other = Tally("short", "state", instances=1, holds=1)
    return [
        Report(long, ("L",), Origin.OURS, Standing.TRUE, [tally], 1.0),
        Report("b.c", (), Origin.PRINTED, Standing.TRUE, [other], 1.0),
    ]


@pytest.mark.parametrize("width", [80, 100, 120, 160, 240])
def test_verdicts_are_whole_at_every_width(width):
    lines = lines_printed(lambda console: print_table(console, reports()), width, narrow=True)
    assert max(map(len, lines)) <= width
    words = " ".join(" ".join(lines).split())
    assert "VIOLATED 1111, survived 2222, UNDECIDED 3333, vacuous 5679" in words
    # Only there is room beside the verdicts.
    assert ("x=[1" in words) == (width == 240)


def test_what_is_piped_has_every_column_and_no_ellipsis():
    lines = lines_printed(lambda console: print_table(console, reports()), 180)
    assert not any("…" in line for line in lines)
    (line,) = (line for line in lines if "VIOLATED" in line)
    for part in (reports()[0].tallies[0].name, "survived 2222", "trajectory", "3333 certified", "-1/3"):
        assert part in line


def test_many_claims_are_told_on_one_screen_and_what_is_news_in_full():
    """Every claim of the suite: as it should be, but that a true one is violated, and on one mpmath objects."""
    every = list(catalogue().values())
    found = [Report(one.id, one.refs, one.origin, one.standing, [], 1.0) for one in every]
    for one in found:
        tally = Tally("slack", "state", instances=2, holds=2, agreement=40.5)
        if one.standing is Standing.FALSE:
            tally = Tally("slack", "state", instances=2, violated=1, undecided=1)
            tally.violation = {"slack": "-1", "instance": {"system": "S"}, "known": "exact", "reason": ""}
        one.tallies.append(tally)
    quiet = told_of(found, every, in_full=False)
    assert quiet.count("\n") <= 40
    for paper in PAPERS:
        own = [one for one in every if one.paper.key == paper]
        (row,) = (line.split() for line in quiet.splitlines() if line.startswith(f" {paper} "))
        standings = [sum(one.standing is standing for one in own) for standing in Standing]
        undecided = sum(one.standing is Standing.FALSE for one in own)
        assert row[1:] == list(map(str, [len(own), *standings, 0, undecided]))
    false = [one.id for one in every if one.standing_word == "false as printed"]
    assert all(f"false as printed: {name} " in quiet for name in false)
    assert "NOT BORNE OUT: " not in quiet
    held = next(one for one in found if one.claim == "localmax.hull_shrinks")
    held.tallies = [Tally("slack", "state", instances=1, violated=1, agreement=3.2)]
    held.tallies[0].violation = {"slack": "-1/7", "instance": {"system": "S", "x": [9]}, "known": "exact", "reason": ""}
    held.tallies[0].objection = {"told": "mpmath finds another number", "instance": {"system": "S", "x": [8]}}
    loud = told_of(found, every, in_full=False)
    for part in ("NOT BORNE OUT: localmax.hull_shrinks", "slack = -1/7", '"x":[9]', "MPMATH OBJECTS", '"x":[8]'):
        assert part in loud, part
    assert "40 digits or more on" in loud
    assert held.claim + ".slack" in loud
    assert told_of(found, every, in_full=True).count("survived 2") > 300


def told_of(found, every, *, in_full):
    """What is printed of these reports."""
    tell = lambda: verify_command.print_reports(found, every, 1.0, in_full=in_full)  # noqa: E731
    return "\n".join(printed_by(verify_command, tell, 120))


def test_a_slack_is_told_no_farther_from_zero_than_it_is_and_a_defect_no_nearer():
    tally = Tally("slack", "state")
    # One that rounds up to 2, and one that is zero as a float.
    for ball in (arb("1.9999999", "1e-9"), arb("1e-123456789") * arb("1.23456789")):
        tally.record({"system": "S"}, Verdict(Outcome.HOLDS, Known.CERTIFIED, ball))
        assert arb(tally.tightest["slack"]) <= ball
        assert Decimal(brief_of(tally)) <= Decimal(tally.tightest["slack"])
    tally = Tally("slack", "identity")
    ball = arb("0", "1.9999999e-70")
    tally.record({"system": "S"}, Verdict(Outcome.HOLDS, Known.TO_DIGITS, ball))
    assert Decimal(brief_of(tally)) >= Decimal(tally.tightest["slack"])
    assert arb(tally.tightest["slack"]) >= ball.upper()
    tally = Tally("slack", "state")
    tally.record({"system": "S"}, Verdict(Outcome.VIOLATED, Known.CERTIFIED, arb("-1.9999999", "1e-9")))
    assert Decimal(brief_of(tally)) >= Decimal(tally.violation["slack"])
    assert arb(tally.violation["slack"]) >= arb("-1.9999999", "1e-9")


def test_markdown_junit_and_annotations_tell_what_is_not_borne_out():
    table = markdown_report(reports())
    assert table.splitlines()[-1] == "1 of 2 standings borne out"
    assert len({line.count("|") for line in table.splitlines() if line.startswith("|")}) == 1
    root = ET.fromstring(junit(reports()))  # noqa: S314
    assert len(root.findall(".//testcase")) == 2
    assert [case.get("name") for case in root.findall(".//testcase[failure]")] == [reports()[0].tallies[0].name]
    (error,) = (line for line in github(reports()).splitlines() if line.startswith("::error"))
    assert "VIOLATED 1111" in error


def test_verify_prints_the_format_asked_for_and_json_goes_to_standard_output(tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    chosen = ("verify", "localmax.hull_shrinks", "--examples", 4, "--jobs", 1)
    assert run(*chosen, "--format", "markdown").stdout.startswith("| claim | conclusion |")
    assert "::notice" in run(*chosen, "--format", "github").stdout
    assert "supports_contract" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert ET.fromstring(run(*chosen, "--format", "junit").stdout.partition("?>\n")[2]) is not None  # noqa: S314
    assert json.loads(run(*chosen, "--format", "json").stdout)["seed"] == 0
    assert json.loads(run(*chosen, "--json", "-").stdout)["claims"][0]["id"] == "localmax.hull_shrinks"
    assert "unknown" not in run("verify", "localmax.hull_shrinks", "--profile", "smoke", "--jobs", 1).stdout


# ---------------------------------------------------------------------------------------------------------------------
# The way in


def test_every_command_is_loaded_and_says_what_its_listing_says():
    assert run("--version").stdout.strip() == f"claims {claims.__version__}"
    assert all(loaded(name).params for name in COMMANDS)


def in_process(script):
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_version_is_read_without_flint():
    assert in_process("import sys, claims; print(claims.__version__, 'flint' in sys.modules)")[1] == "False"
    with pytest.raises(AttributeError):
        claims.nothing  # noqa: B018


def test_a_reader_that_leaves_early_gets_no_traceback():
    # More than a pipe holds: something is still to be written when the reader has left.
    command = f"{sys.executable} -m claims list | head -1"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ)  # noqa: S602
    assert "Traceback" not in done.stderr
    assert "Error" not in done.stderr


def test_ragged_rows_say_so():
    with pytest.raises(ValueError, match=r"its rows are ragged: \[2, 1\]"):
        exact([[1, 2], [3]])
    assert exact([[1, 2], [3, 4]])[1, 0] == fmpq(3)


def test_who_asks_for_a_theorem_sees_first_what_is_wrong_with_it():
    shown = run("show", "Theorem 5.4").stdout
    count, *listed = shown[: shown.index("\n\n")].splitlines()
    assert count == f"{len(listed)} claims match:"
    named = [line.strip().partition(":")[0] for line in listed]
    # Words of the paper before ours, and of each first what is false.
    assert named == sorted(named, key=lambda name: precedence(catalogue()[name]))
    words = [line.rpartition(": ")[2] for line in listed]
    assert words[:3] == ["false"] * 3
    assert "true" in words
    assert listed[0].strip().partition(":")[0] in shown[shown.index("\n\n") :].splitlines()[3]
    assert "…" not in shown, "nothing is cut where the output is no terminal"
    wrong = "One pick moves a token by up to gamma D(K), not gamma: for v = 2 and -2, gamma = 1/32 and eps = 1/4 three"
    assert f"what is wrong: {wrong}" in " ".join(shown.split())


def test_the_list_has_one_line_for_each_claim_where_it_is_read_by_a_program():
    lines = run("list", "localmax").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [name for name in catalogue() if name.startswith("localmax.")]
    statements = [one_line(catalogue()[line.split()[0]].statement) for line in lines]
    assert len({line.rindex(text) for line, text in zip(lines, statements, strict=True)}) == 1
    assert all(line.endswith(text) for line, text in zip(lines, statements, strict=True))


@pytest.mark.parametrize("width", [60, 80, 160])
def test_verdicts_on_an_instance_are_not_cut(width):
    row = {
        "claim": "clusters.euclidean_distances_grow_under_definite_scores", "standing": "false", "form": "trajectory",
        "conclusion": "separation_rate", "verdict": "UNDECIDED", "known": "certified", "slack": "-1.23456e-12",
        "unmet": ["identity_key_query", "ordered_tokens"], "reason": "the sign is open at time 1/4",
    }  # fmt: skip
    lines = lines_printed(lambda console: print_rows(console, [row]), width, narrow=True)
    assert all("…" not in line and len(line) <= width for line in lines)
    together = "".join("".join(lines).split())
    for word in ("UNDECIDED", "-1.23456e-12", "identity_key_query,ordered_tokens;"):
        assert word in together


def test_a_command_that_is_none_is_answered_with_the_nearest():
    assert "did you mean verify?" in run("verfy", code=2).stderr
    assert "did you mean" not in run("zzz", code=2).stderr
