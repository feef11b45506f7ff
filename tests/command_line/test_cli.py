"""The command line as a user meets it: answers, exit codes, one clear sentence for bad input."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from claims.stating.catalogue import catalogue
from claims.stating.statement import Standing
from tests.calling import refused, run
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


def test_verify_is_the_same_for_every_number_of_processes_and_reproduced_by_its_seed(tmp_path):
    found = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.json"
        # Two claims that are decided in no time: processes share their conclusions, in any order.
        run("verify", *TWO, "--examples", 2, "--seed", 3, "--jobs", jobs, "--json", path)
        report = json.loads(path.read_text())
        assert report["seed"] == 3
        assert "python-flint" in report["versions"]
        for claim in report["claims"]:
            assert claim.pop("seconds") >= 0
        found.append(report)
    assert found[0] == found[1]


def test_dropping_is_the_same_for_every_number_of_processes(tmp_path):
    found = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.json"
        run("verify", "frank_wolfe.hull_shrinks", "--drop", "each", "--examples", 1, "--jobs", jobs, "--json", path)
        drops = json.loads(path.read_text())["drops"]
        for one in drops:
            assert one.pop("seconds") >= 0
        found.append(drops)
    assert found[0] == found[1]
    assert [one["claim"] for one in found[0]] == ["frank_wolfe.hull_shrinks"] * 2


def test_drop_json_has_the_documented_keys(tmp_path):
    run("verify", "*jumps_are_rare", "--drop", "each", "--examples", 1, "--jobs", 1, "--json", tmp_path / "out.json")
    report = json.loads((tmp_path / "out.json").read_text())
    assert set(report) == {"seed", "versions", "drops"}
    keys = {
        "claim",
        "refs",
        "origin",
        "standing",
        "dropped",
        "finding",
        "no_way_to_break",
        "missed",
        "seconds",
        "conclusion",
    }
    for one in report["drops"]:
        assert set(one) == keys
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
    instance = '{"x": [[1, 0], [0, 1]], "B": [[2, 0], [0, 1]], "V": [[1, 0], [0, 1]]}'
    output = run("verify", "L1", "--instance", instance).stdout
    assert "outside the hypotheses: identity_key_query" in output
    instance = '{"system": "SelfAttentionFlow", "x": [[1, 0], [0, 1]], "B": [[1, 1], [0, 1]]}'
    output = run("verify", "clusters.key_query_distances_grow", "--instance", instance).stdout
    assert "outside the hypotheses: symmetric_key_query" in output


def test_violation_within_the_hypotheses_of_a_true_claim_exits_1(monkeypatch):
    claim = catalogue()["clusters.pairwise_distances_grow"]
    monkeypatch.setattr(claim, "conclusions", [claim.conclusions[0].reversed()])
    run("verify", claim.id, "--instance", PAIR, code=1)
    run("verify", claim.id, "--examples", 4, "--jobs", 1, code=1)


def test_false_claim_that_nothing_refutes_exits_1(monkeypatch):
    claim = catalogue()["polarization.gaps_grow_for_all_pairs"]
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
    V, _, target = 0.1 * generator.randn(8, 8), generator.randn(8), generator.randn(8)
    target /= np.linalg.norm(target)
    order = np.argsort(-(V.T @ target))
    with np.load(EXAMPLES / "polarization_fig2.npz") as data:
        assert (data["V"] == V[:, order]).all()
        assert (data["beta_star"] == target).all()
        assert (data["a"] == 0).all()
    with np.load(EXAMPLES / "clusters_tokens.npz") as data:
        assert (data["tokens"] == np.random.RandomState(0).uniform(-5, 5, size=(20, 2))).all()


@pytest.mark.parametrize(
    ("instance", "complaint"),
    [
        ('{"x": [[1, NaN]]}', "the text given holds NaN, which is not a finite number"),
        ('{"x": [[1, 2], [3]]}', "x (tokens)"),
        ('{"system": "SelfAttentionFlow", "x": [[1, 2]], "B": [[1]]}', "must be (d, d) with d = 2, not 1"),
        ('{"system": "SelfAttentionFlow", "x": [[1, 2]], "C": 1}', "has no 'C'"),
        ('{"tokens": [[1, 2]], "tokins": 1}', "unknown key 'tokins'"),
        ('{"system": "Selfattention", "x": [[1]]}', "unknown system Selfattention"),
        ('{"x": [[1, 2]', "is not JSON"),
        ("[1, 2]", "cannot be read"),
        ("missing.json", "cannot be read"),
        ('{"system": "LogisticFlow", "u": [1, 0], "K": -1}', "K = |beta_*|^2 must be positive"),
        ('{"system": "LogisticFlow", "u": [1, 0]}', "the chosen claims are about "),
    ],
)
def test_bad_instance_is_one_clear_sentence(instance, complaint):
    assert complaint in refused("verify", "L1", "--instance", instance)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("verify", "polarization.order_is_presrved"), "did you mean"),
        (("list", "FW15"), "did you mean FW-15?"),
        (("verify", "--precision", 32), "32 bits is too low"),
        (("verify", "--profile", "fast"), "there are smoke, ci, nightly"),
        (("verify", "--drop", "ordered_value"), "did you mean ordered_values?"),
        (("verify", "L1", "--drop", "averaged_leaders"), "these do: frank_wolfe.hardmax_step_is_frank_wolfe"),
        (("verify", "L1", "--drop", "identity_value", "--instance", PAIR), "builds its own instances"),
        (("verify", "--drop", "each", "--drop", "zero_scores"), "one at a time"),
        (("verify", "L1", "--shard", "4/3"), "is no part: write i/n"),
        (("verify", "L1", "--shard", "1/3", "--drop", "each"), "without --instance or --drop"),
        (("verify", "L1", "--shard", "1/2", "--costs", __file__), "is not what"),
        (("verify", "L1", "--costs", __file__), "name one with --shard"),
    ],
)
def test_what_cannot_be_asked_is_refused(arguments, told):
    assert told in refused(*arguments)


def test_nothing_is_written_where_the_folder_is_missing(tmp_path):
    assert "its folder does not exist" in refused("verify", "localmax", "--json", tmp_path / "no" / "out.json")
    assert list(tmp_path.iterdir()) == []


def test_a_violated_open_claim_is_news_and_exits_1(tmp_path, monkeypatch):
    claim = catalogue()["localmax.tiny_sensitivity_moves_vertices_little"]
    assert claim.standing is Standing.OPEN
    chosen = ("verify", claim.id, "--profile", "smoke", "--jobs", 1, "--json", tmp_path / "out.json")
    run(*chosen)
    assert json.loads((tmp_path / "out.json").read_text())["claims"][0]["news"] is False
    monkeypatch.setattr(claim, "conclusions", [conclusion.reversed() for conclusion in claim.conclusions])
    output = run(*chosen, code=1).stdout
    assert f"NEWS: {claim.id} is open, and VIOLATED: it is false" in output
    assert "borne out" not in output.split("0 of 1 standings")[0]
    (report,) = json.loads((tmp_path / "out.json").read_text())["claims"]
    assert (report["borne_out"], report["news"]) == (False, True)
    violating = json.dumps(report["conclusions"][0]["counterexample"]["instance"])
    assert "VIOLATED" in run("verify", claim.id, "--instance", violating, code=1).stdout
