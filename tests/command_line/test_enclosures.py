"""Enclosures of trajectories as hunts and `claims verify` write them."""

from __future__ import annotations

import json

import pytest

from claims.checker.__main__ import exit_code
from claims.cli.ledgers import write_certificate
from claims.hunting import rounds
from claims.hunting.plan import Hunt, Limits
from claims.hunting.rounds import reduction_spec, work
from claims.stating.verdict import Known, Outcome, Verdict
from claims.targets.target import Target
from claims.verifying import enclosing
from claims.verifying.deciding import check
from claims.verifying.enclosing import NoEnclosureError, enclosure
from claims.verifying.witness import witnessed
from dynamics.checker.answers import Verdict as Checked
from dynamics.checker.trajectories import check_trajectory
from dynamics.checker.trajectory_format import load
from tests.calling import run
from tests.checker.genuine import put_to_check
from tests.in_process import computed_here

ORDER = Target("polarization.increasing_map_keeps_order", "scores_stay_ordered")
FALLING = {"K": 1, "a": [0, 0], "system": "MinusDecayFlow", "tau": 0, "u": [2, 0]}
WINS = {"K": 1, "a": [0, 0], "system": "LogisticFlow", "tau": 0, "u": [1, 0]}
TWO = {"system": "TwoStarts", "x": [[-1], [1]], "y": [[0], [1]]}


def reduced(target, instance):
    return work(reduction_spec(target, instance, 0))


def test_a_hunt_writes_the_enclosure_beside_the_certificate_and_both_are_confirmed(tmp_path, monkeypatch):
    computed_here(monkeypatch)
    out, report = tmp_path / "hunt", tmp_path / "report.json"
    done = run("hunt", ORDER.claim, "--starts", 8, "--out", out, "--json", report)
    (found,) = json.loads(report.read_text())["hunted"]
    beside = found["certificate"].removesuffix(".json") + ".trajectory.json"
    assert (found["enclosure"], found["no_enclosure"]) == (beside, None)
    assert f"{found['certificate']} {beside}" in done.output.replace("\n", " ")
    files = sorted((out / "certificates").iterdir())
    assert sorted(map(str, files)) == sorted((found["certificate"], beside))
    told = put_to_check(tmp_path, {path.name: path.read_text(encoding="utf-8") for path in files})
    assert exit_code([one["verdict"] for one in told.values()]) == 0, told
    run("hunt", "--resume", out)
    assert sorted((out / "certificates").iterdir()) == files


def test_the_enclosure_reaches_the_violated_time_and_no_farther_than_its_step():
    result = reduced(ORDER, FALLING)
    found, (when,) = load(result["enclosure"]), result["certificate"]["violation"]["times"]
    assert found.horizon >= load({**result["enclosure"], "horizon": when}).horizon > found.times[-2]
    assert result["enclosure"]["instance"] == result["certificate"]["instance"]
    assert [vars(one) for one in found.decided] == [
        {"claim": ORDER.claim, "conclusion": ORDER.conclusion, "verdict": "VIOLATED"}
    ]
    assert check_trajectory(result["enclosure"]).verdict is Checked.CONFIRMED


def test_what_was_changed_is_said_beside_the_recorded_verdict():
    dropped = Target("polarization.order_is_preserved", "scores_stay_ordered", ("zero_scores",))
    (decided,) = reduced(dropped, {"u": [1, 0], "a": [0, 1]})["enclosure"]["decided"]
    assert decided["verdict"] == "VIOLATED without zero_scores"


def test_without_an_enclosure_a_hunt_says_why(monkeypatch, tmp_path):
    # Fewer bytes than any trajectory takes.
    monkeypatch.setattr(rounds, "enclosure", lambda *given: enclosure(*given, most=1000))
    large = reduced(ORDER, FALLING)
    assert "bytes, and no more than 1000 are written" in large["no_enclosure"]
    assert large["certificate"] == reduced(ORDER, FALLING)["certificate"]
    plan = Hunt([ORDER], Limits(starts=1), 0)
    (one,) = plan.hunted
    plan.take(reduction_spec(ORDER, FALLING, 0), large, 0.0)
    assert (one.enclosure, one.no_enclosure) == (None, large["no_enclosure"])
    path = write_certificate(tmp_path, one.certificate, one.enclosure)
    assert [*(tmp_path / "certificates").iterdir()] == [path]


def test_what_is_decided_at_a_state_has_no_enclosure_and_needs_no_reason():
    result = reduced(Target("clusters.pairwise_distances_grow", "separation_rate", ("identity_key_query",)),
                     {"x": [[0], [1]], "B": [[-1]]})  # fmt: skip
    assert not {"enclosure", "no_enclosure"} & set(result)


def test_a_flow_of_ones_own_has_no_enclosure_even_under_a_name_of_the_suite():
    variant = ORDER.resolve()
    system = variant.claim.system.instance(**{k: v for k, v in FALLING.items() if k != "system"})
    verdict = witnessed(variant.conclusion, system, check(variant.conclusion, system), rounds.EFFORT)
    assert enclosure("a", "b", verdict)["instance"]["system"] == "MinusDecayFlow"
    # By its class and not by its name: anyone may call a flow so.
    own = type("MinusDecayFlow", (type(system),), {"__module__": "own@1"})
    object.__setattr__(verdict.trajectory, "origin", own.instance(**{k: v for k, v in FALLING.items() if k != "system"}))
    with pytest.raises(NoEnclosureError, match="no statement of the flow MinusDecayFlow"):
        enclosure("a", "b", verdict)
    with pytest.raises(NoEnclosureError, match="too many coordinates"):
        enclosure("a", "b", Verdict(Outcome.HOLDS, Known.NUMERICAL, None, "too many coordinates"))


def test_verify_writes_the_enclosure_it_decided_with(tmp_path):
    file = tmp_path / "out.json"
    run("verify", "polarization.gaps_grow", "--instance", json.dumps(WINS | {"u": ["1/64", 0]}), "--enclosure", file)
    found = load(file)
    assert (found.horizon, found.decided[0].verdict) == (4, "HOLDS")
    assert check_trajectory(file).verdict is Checked.CONFIRMED
    outside = json.dumps(WINS | {"u": [0, "1/64"]})
    run("verify", "polarization.gaps_grow", "--instance", outside, "--enclosure", file)
    assert load(file).decided[0].verdict == "VIOLATED outside the hypotheses: ordered_values"


def test_verify_says_why_there_is_no_enclosure(tmp_path):
    file = tmp_path / "out.json"
    many = json.dumps({"system": "LogisticFlow", "u": [40, *range(-30, 0)]})
    words = ("polarization.gaps_grow", "--instance", many, "--conclusion", "gap_rate", "--enclosure", file)
    done = run("verify", *words, code=2)
    assert "there is no enclosure: 64 coordinates: sampled in float64" in done.stderr, done.stderr
    assert "gap_rate" in done.stdout, "the verdict is told all the same"
    assert not file.exists()


def test_a_conclusion_is_chosen_by_its_name():
    words = ("polarization.gaps_grow", "--instance", json.dumps(WINS))
    assert "gap_rate_formula" in run("verify", *words).output
    assert "gap_rate_formula" not in run("verify", *words, "--conclusion", "gap_rate").output


def test_the_size_of_a_file_is_limited():
    assert 100_000 < enclosing.LARGEST_FILE <= 2_000_000
