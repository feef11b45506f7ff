"""The command line as a user meets it: answers, exit codes, one clear sentence for bad input."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np

from claims.stating.catalogue import catalogue
from claims.stating.statement import Standing
from claims.targets.target import Target
from claims.verifying import tasks
from claims.verifying.deciding import Effort
from claims.verifying.processes import Workers, workers
from claims.verifying.trial import read_own
from tests.calling import run
from tests.hypothesis_tests.hostile import GOOD, file
from tests.planting import LONG

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
TWO = ("clusters.hull_shrinks", "localmax.hull_shrinks")
PAIR = '{"system": "SelfAttentionFlow", "x": [[1, 0], ["1/3", 2]]}'


def test_show_gives_statement_assumptions_and_constants_and_says_what_can_be_dropped():
    shown = run("show", "polarization.score_ratios_decay").stdout
    assert "Theorem 3.3(b)" in shown
    assert "assumes zero_scores: a(0) = 0 [A-3.1, H1; --drop tries without it]" in shown
    assert "assumes comonotone (for some conclusions): s_0 >= ... >= s_{p-1} and" in shown
    assert "inverse_ratio_rate (state, >= 0, rate = 1)" in shown
    shown = run("show", "frank_wolfe.group_jumps_are_rare").stdout
    assert "[bound.max; this suite has no way to break it]" in shown


def test_what_is_found_is_the_same_for_every_number_of_processes_and_reproduced_by_its_seed(tmp_path, monkeypatch):
    """By `verify`, with and without an assumption, and of a file that is gone by then: workers have its text alone."""
    (tmp_path / "own_square.py").write_text(file(GOOD), encoding="utf-8")
    own = read_own(tmp_path / "own_square.py")
    (tmp_path / "own_square.py").unlink()

    def verified(jobs):
        # Two claims that are decided in no time: processes share their conclusions, in any order.
        run("verify", *TWO, "--examples", 2, "--seed", 3, "--jobs", jobs, "--json", tmp_path / "found.json")
        report = json.loads((tmp_path / "found.json").read_text())
        assert report["seed"] == 3
        assert "python-flint" in report["versions"]
        assert all(claim.pop("seconds") >= 0 for claim in report["claims"])
        return report

    def dropped(jobs):
        asked = ("--drop", "each", "--examples", 1, "--jobs", jobs, "--json", tmp_path / "found.json")
        run("verify", "frank_wolfe.hull_shrinks", *asked)
        drops = json.loads((tmp_path / "found.json").read_text())["drops"]
        assert [one["claim"] for one in drops] == ["frank_wolfe.hull_shrinks"] * 2
        assert all(one.pop("seconds") >= 0 for one in drops)
        return drops

    def of_a_text(jobs):
        targets = [Target.of(own, conclusion) for conclusion in own.conclusions]
        # Without the slack as a number, which may be a ball: none is sent between processes.
        tallies = [replace(tally, _slack=None) for _, tally, _ in tasks.run_tasks(targets, 8, 0, Effort(), jobs)]
        assert all(tally.holds == tally.instances > 0 for tally in tallies)
        return tallies

    # One pool for all three: its processes import for seconds before they begin.
    with workers(2) as pool:
        monkeypatch.setattr(tasks, "workers", lambda jobs: nullcontext(Workers() if jobs == 1 else pool))
        for found in (verified, dropped, of_a_text):
            assert found(1) == found(2)


def test_drop_json_has_the_documented_keys(tmp_path):
    run("verify", "*jumps_are_rare", "--drop", "each", "--examples", 1, "--jobs", 1, "--json", tmp_path / "out.json")
    report = json.loads((tmp_path / "out.json").read_text())
    assert set(report) == {"seed", "versions", "drops"}
    keys = "claim refs origin standing dropped finding no_way_to_break missed seconds conclusion"
    for one in report["drops"]:
        assert set(one) == set(keys.split())
        assert (one["finding"] == "no way to break it") == (one["no_way_to_break"] != [])
        if one["finding"] in ("needed", "violated"):
            assert one["conclusion"]["counterexample"]["known"] in ("exact", "certified")


def test_dropping_a_needed_assumption_exits_0_and_its_violation_replays():
    output = run("verify", "clusters.hull_shrinks", "--drop", "identity_value", "--profile", "smoke", "--jobs", 1).stdout
    assert "support_never_grows without identity_value" in output
    assert "needed: VIOLATED" in output
    assert "certified" in output
    command = next(line for line in output.splitlines() if line.strip().startswith("claims verify clusters.hull"))
    instance = command.split("--instance ")[1].strip().strip("'")
    replayed = run("verify", "clusters.hull_shrinks", "--instance", instance).stdout
    assert "VIOLATED" in replayed
    assert "outside the hypotheses: identity_value" in replayed


def test_dropping_says_how_many_starts_broke_what_is_not_needed():
    chosen = ("verify", "escape_takes_exponentially_long_in_diameters", "--drop", "tokens_in_polytope")
    output = run(*chosen, "--examples", 1, "--jobs", 1).stdout
    assert "not needed in 15 starts" in output
    assert "15 certified" in output
    assert "2 searches without an assumption: 2 not needed" in output


def test_dropping_what_has_no_violation_says_so():
    output = run("verify", "group_jumps", "--drop", "own_cells", "--jobs", 1).stdout
    assert "this suite has no way to break it" in output


def test_instance_where_a_formula_has_no_value_is_undecided_not_an_error():
    # One value alone: there is no ratio of two scores.
    one = '{"system": "LogisticFlow", "u": [1]}'
    output = " ".join(run("verify", "polarization.score_ratios_decay", "--instance", one).stdout.split())
    assert "the slack has no value outside the hypotheses" in output


def test_verify_json_has_the_documented_keys(tmp_path):
    run("verify", "localmax.hull_shrinks", "--examples", 5, "--jobs", 1, "--json", tmp_path / "out.json")
    (claim,) = json.loads((tmp_path / "out.json").read_text())["claims"]
    assert {"id", "refs", "origin", "standing", "borne_out", "seconds", "conclusions"} <= set(claim)
    assert claim["borne_out"] is True
    for conclusion in claim["conclusions"]:
        counts = ("holds", "violated", "undecided", "vacuous")
        assert conclusion["instances"] == sum(conclusion[count] for count in counts)
        assert set(conclusion["decided_by"]) <= {"exact", "certified", "statistical", "numerical"}
        assert set(conclusion["tightest"]) >= {"slack", "instance"}


def test_verify_says_how_much_is_undecided_and_prints_counterexamples_that_replay():
    output = run("verify", "gaps_grow_for_all_pairs", "--examples", 16, "--jobs", 1).stdout
    assert "UNDECIDED: 0" in output
    command = next(line for line in output.splitlines() if line.strip().startswith("claims verify"))
    instance = command.split("--instance ")[1].strip().strip("'")
    assert "VIOLATED" in run("verify", "gaps_grow_for_all_pairs", "--instance", instance).stdout


def test_instance_outside_the_hypotheses_is_named_not_assumed():
    # Once known by its arrays alone, and once by the name of its system.
    instance = '{"x": [[1, 0], [0, 1]], "B": [[2, 0], [0, 1]], "V": [[1, 0], [0, 1]]}'
    output = run("verify", "L1", "--instance", instance).stdout
    assert "outside the hypotheses: identity_key_query" in output
    instance = '{"system": "SelfAttentionFlow", "x": [[1, 0], [0, 1]], "B": [[1, 1], [0, 1]]}'
    output = run("verify", "clusters.key_query_distances_grow", "--instance", instance).stdout
    assert "outside the hypotheses: symmetric_key_query" in output


def test_violation_within_the_hypotheses_of_a_true_claim_exits_1(monkeypatch):
    claim = catalogue()["clusters.pairwise_distances_grow"]
    # The opposite of what is true: any two tokens violate it.
    monkeypatch.setattr(claim, "conclusions", [claim.conclusions[0].reversed()])
    run("verify", claim.id, "--instance", PAIR, code=1)
    run("verify", claim.id, "--examples", 4, "--jobs", 1, code=1)


def test_false_claim_that_nothing_refutes_exits_1(monkeypatch):
    claim = catalogue()["polarization.gaps_grow_for_all_pairs"]
    # A true conclusion in the place of the false one.
    monkeypatch.setattr(claim, "conclusions", catalogue()["polarization.gaps_grow"].conclusions[1:2])
    assert "NOT BORNE OUT" in run("verify", claim.id, "--examples", 1, "--jobs", 1, code=1).stdout


def test_published_settings_run():
    logistic = run("verify", "polarization.[lo]*", "--instance", EXAMPLES / "polarization_fig2.npz").stdout
    assert "values_stay_ordered" in logistic


def test_published_tokens_run():
    claims = ("L1", "localmax.[h-n]*", *(["hull_shrinks"] if LONG else []))
    tokens = run("verify", *claims, "--instance", EXAMPLES / "clusters_tokens.npz").stdout
    assert "separation_rate" in tokens


def test_published_settings_are_the_authors_seeds():
    generator = np.random.RandomState(123)
    # As the authors' script draws them, with a vector between that it does not use.
    V, _, target = 0.1 * generator.randn(8, 8), generator.randn(8), generator.randn(8)
    target /= np.linalg.norm(target)
    order = np.argsort(-(V.T @ target))
    with np.load(EXAMPLES / "polarization_fig2.npz") as data:
        assert (data["V"] == V[:, order]).all()
        assert (data["beta_star"] == target).all()
        assert (data["a"] == 0).all()
    with np.load(EXAMPLES / "clusters_tokens.npz") as data:
        assert (data["tokens"] == np.random.RandomState(0).uniform(-5, 5, size=(20, 2))).all()


def test_a_violated_open_claim_is_news_and_exits_1(tmp_path, monkeypatch):
    claim = catalogue()["localmax.tiny_sensitivity_moves_vertices_little"]
    assert claim.standing is Standing.OPEN
    chosen = ("verify", claim.id, "--profile", "smoke", "--jobs", 1, "--json", tmp_path / "out.json")
    run(*chosen)
    assert json.loads((tmp_path / "out.json").read_text())["claims"][0]["news"] is False
    # Nobody has refuted it yet: its opposite stands for a violation.
    monkeypatch.setattr(claim, "conclusions", [conclusion.reversed() for conclusion in claim.conclusions])
    output = run(*chosen, code=1).stdout
    assert f"NEWS: {claim.id} is open, and VIOLATED: it is false" in output
    assert "borne out" not in output.split("0 of 1 standings")[0]
    (report,) = json.loads((tmp_path / "out.json").read_text())["claims"]
    assert (report["borne_out"], report["news"]) == (False, True)
    violating = json.dumps(report["conclusions"][0]["counterexample"]["instance"])
    assert "VIOLATED" in run("verify", claim.id, "--instance", violating, code=1).stdout
