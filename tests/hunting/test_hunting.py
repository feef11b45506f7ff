"""Hunts as a user meets them: what they find is certified, what is rounding is not reported, what is killed is resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain, combinations, permutations, product
from pathlib import Path
from types import SimpleNamespace

import pytest
from flint import arb, fmpq

from claims.campaigns.campaign import run_campaign
from claims.campaigns.durations import in_words, seconds_of
from claims.campaigns.ledger import Ledger
from claims.certificates import necessity
from claims.certificates.current import computation_digest
from claims.certificates.necessity import MAP, entries_of, folded, known_instances, resolved
from claims.certificates.published import certificate_of, published, published_name
from claims.certificates.writing import certificate
from claims.cli import hunt as command
from claims.hunting import gallery
from claims.hunting.gallery import recalled, renew, worth_showing
from claims.hunting.plan import Hunt, Hunted, Limits
from claims.hunting.rounds import instance_of
from claims.stating.verdict import Known, Outcome, Verdict, Witness
from claims.targets.target import Target, TargetError
from tests.calling import refused, run
from tests.in_process import InProcess, Shuffled, computed_here
from tests.planting import LONG, bugs_in, facts_above, planted

ROOT = Path(__file__).parents[2]
PLANTED = Target("polarization.score_ratios_decay", "inverse_ratio_rate", sharpened=(("rate", "1001/1000"),))
DROPPED = Target("clusters.pairwise_distances_grow", "separation_rate", ("identity_value",))
TRUE = Target("localmax.hull_shrinks", "supports_contract")
PATH = Target("polarization.order_is_preserved", "values_stay_ordered", ("zero_scores",))

ROUNDING = '''
"""A slack that is zero, and in float64 mostly not."""

from claims.instances.tokens import BUILDERS
from claims.stating.statement import Claim, Paper
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(__name__, paper=Paper("note"), statement="3 ((x + 2^40) - 2^40) >= 3 x", system=SelfAttentionFlow)


@claim.state(">= 0")
def difference(f: SelfAttentionFlow):
    """((x + 2^40) - 2^40) 3 - 3 x."""
    x = f.x[..., 0, :] / 7
    return ((x + 2**40) - 2**40) * 3 - 3 * x
'''

NORMS = '''
"""A false claim with a constant of its own."""

from claims.stating.statement import Claim, Paper
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(__name__, paper=Paper("note"), statement="every token is short", system=SelfAttentionFlow)


@claim.state(">= 0")
def room(f: SelfAttentionFlow, *, bound=2):
    """bound - |x_0|^2."""
    return bound - (f.x[..., 0, :] * f.x[..., 0, :]).sum(axis=-1)
'''


VACUOUS = '''
"""What cannot be hunted, and constants that are an exponent and a size."""

from claims.stating.statement import Assumption, Claim
from dynamics.tokens.self_attention import SelfAttentionFlow

always = Assumption("always", "0 = 0", satisfies=lambda f: True, violate=lambda f, draws: f)
claim = Claim(__name__, statement="squares", system=SelfAttentionFlow, assumptions=(always,))


@claim.state(">= 0")
def nothing(f):
    """No entry of x."""
    return (f.x * f.x).sum(axis=-1)[..., :0]


@claim.state(">= 0")
def power(f, *, k=2, many=1):
    """many x^k."""
    return sum(f.x[..., 0] ** k for _ in range(many))
'''


@pytest.fixture
def here(monkeypatch):
    computed_here(monkeypatch)


# ---------------------------------------------------------------------------------------------------------------------
# What a hunt finds


def test_a_sharpened_constant_ends_in_a_certificate_that_is_confirmed(tmp_path, here, capfd):
    out, report = tmp_path / "hunt", tmp_path / "report.json"
    chosen = ("--only", PLANTED.conclusion, "--sharpen", "rate=1001/1000", "--starts", 16)
    assert "COUNTEREXAMPLE" in run("hunt", PLANTED.claim, *chosen, "--out", out, "--json", report).output
    (found,) = json.loads(report.read_text())["hunted"]
    assert found["finding"] == "COUNTEREXAMPLE"
    assert found["counterexample"]["constants"]["rate"] == {"value": "1001/1000", "printed": "1"}
    files = sorted(out.glob("certificates/*.json"))
    run("check", *files)
    assert capfd.readouterr().out.count("CONFIRMED") == len(files)


@pytest.fixture(scope="module")
def without_identity(tmp_path_factory):
    out = tmp_path_factory.mktemp("without_identity")
    with pytest.MonkeyPatch.context() as patch:
        computed_here(patch)
        arguments = ("--only", DROPPED.conclusion, "--drop", "identity_value", "--starts", 24, "--out", out / "hunt")
        run("hunt", DROPPED.claim, *arguments, "--json", out / "report.json")
    return out / "hunt", json.loads((out / "report.json").read_text())


def test_a_dropped_assumption_ends_in_a_small_certificate(without_identity):
    out, report = without_identity
    found = {one["conclusion"]: one for one in report["hunted"]}
    certificate = found["separation_rate"]["counterexample"]
    assert [assumption["name"] for assumption in certificate["assumptions"]["dropped"]] == ["identity_value"]
    assert len(certificate["instance"]["x"]) == 2
    assert len(certificate["instance"]["x"][0]) == 1
    run("check", *out.glob("certificates/*.json"))


def test_a_true_claim_survives_and_its_tightest_slack_is_decided(tmp_path, here):
    report = tmp_path / "report.json"
    run("hunt", TRUE.claim, "--starts", 100, "--out", tmp_path / "hunt", "--json", report)
    found = {one["conclusion"]: one for one in json.loads(report.read_text())["hunted"]}["supports_contract"]
    assert found["finding"] == "survived"
    assert 100 <= found["evaluations"] < 200
    assert found["tightest"]["known"] == "exact"


def test_only_what_is_violated_for_certain_is_certified():
    data = certificate_of("polarization/score_gaps_grow.json") or {}
    target = Target(data["claim"]["id"], data["conclusion"]["name"])
    system, slack = instance_of(target.resolve(), data["instance"]), arb(-1, "1/8")
    for outcome, known in product(Outcome, (None, *set(Known) - {Known.EXACT})):  # along a flow nothing is exact
        verdict = Verdict(outcome, known, slack, witness=Witness((), slack, 64, (fmpq(6),), facts=()))
        certain = outcome is Outcome.VIOLATED and known is Known.CERTIFIED
        with nullcontext() if certain else pytest.raises(ValueError, match="a certificate is of a decided violation"):
            certificate(target, system, verdict, 0)


def test_rounding_is_counted_and_not_reported(tmp_path, here):
    (tmp_path / "rounding.py").write_text(ROUNDING)
    report = tmp_path / "report.json"
    run("hunt", "--file", tmp_path / "rounding.py", "--starts", 600, "--out", tmp_path / "hunt", "--json", report)
    (found,) = json.loads(report.read_text())["hunted"]
    assert found["finding"] == "survived"
    assert found["proposed"] > 0
    assert found["certified"] == 0


def test_a_claim_of_ones_own_is_hunted_and_its_certificate_carries_it(tmp_path, here):
    (tmp_path / "norms.py").write_text(NORMS)
    out, report = tmp_path / "hunt", tmp_path / "report.json"
    # It is held to be true, as a claim is that says nothing else: refuting it is worth an exit code.
    run("hunt", "--file", tmp_path / "norms.py", "--starts", 100, "--out", out, "--json", report, code=1)
    (found,) = json.loads(report.read_text())["hunted"]
    assert found["counterexample"]["source"]["text"] == NORMS
    assert str(tmp_path) not in json.dumps(found["counterexample"]["source"])
    (path,) = out.glob("certificates/*.json")
    run("check", path, code=3)
    run("check", "--run-source", path)


# ---------------------------------------------------------------------------------------------------------------------
# The same seed, the same result


def account(hunt):
    return [
        (one.starts, one.evaluations, one.proposed, one.certified, one.tight, one.tightest, one.certificate)
        for one in hunt.hunted
    ]


@pytest.mark.skipif(not LONG, reason="every night: the same hunt several times")
def test_a_hunt_is_the_same_whatever_the_order_and_the_number_of_tasks_at_once(tmp_path):
    accounts = []
    for number, engine in enumerate((InProcess(), Shuffled(1, 2), Shuffled(2, 7))):
        hunt = Hunt([PLANTED, TRUE, PATH], Limits(starts=60), 5)
        with Ledger(tmp_path / str(number)) as ledger:
            ledger.begin({"number": 0})
            run_campaign(ledger, hunt, command.WORK, engine)
        accounts.append(account(hunt))
    assert accounts[0] == accounts[1] == accounts[2]
    assert accounts[0][0][-1] is not None
    assert accounts[0][2][-1] is not None


def test_a_hunt_says_how_long_it_will_take(tmp_path, here, monkeypatch):
    monkeypatch.setattr(command, "run_campaign", lambda *_: None)
    said = run("hunt", TRUE.claim, "--budget", "30m", "--jobs", 2, "--out", tmp_path / "hunt", code=3).output
    assert "for about 30 min; the ledger" in said


def test_what_was_not_hunted_is_not_said_to_survive(tmp_path, here):
    path, report = tmp_path / "vacuous.py", tmp_path / "report.json"
    path.write_text(VACUOUS)

    def findings(*arguments, code=0):
        options = ("--starts", 20, "--out", tmp_path / str(len(list(tmp_path.iterdir()))), "--json", report)
        said = run("hunt", "--file", path, *arguments, *options, code=code).output
        hunted = json.loads(report.read_text())["hunted"]
        return {one["conclusion"]: one["finding"] for one in hunted}, said

    assert findings("--drop", "always")[0] == dict.fromkeys(("nothing", "power"), "no start breaks always alone")
    assert findings(code=3)[0] == {"nothing": "nothing to compare", "power": "survived"}
    assert findings("--only", "power")[0] == {"power": "survived"}
    assert findings("--only", "power", "--only", "nothing", code=3)[0].keys() == {"power", "nothing"}
    assert findings("--sharpen", "k=3", "--sharpen", "many=2")[0] == {"power": "COUNTEREXAMPLE"}
    found, said = findings("--sharpen", "many=3/2", code=3)
    assert found == {"power": "lost"}
    assert said.count("lost round: TypeError") == 1


# ---------------------------------------------------------------------------------------------------------------------
# Killed and resumed


def started(folder):
    """A hunt in a process of its own, on a local worker: how several are told apart has tests of its own."""
    arguments = ["hunt", "localmax.hull_shrinks", "--starts", "80", "--jobs", "1", "--out", str(folder)]
    command_line = [sys.executable, "-m", "claims", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen(command_line, cwd=ROOT, start_new_session=True, **pipes)


def rows(folder):
    if not (folder / "ledger.sqlite").exists():
        return []
    with Ledger(folder, reading=True) as ledger:
        return [(entry.key, entry.result, entry.recorded) for entry in ledger.entries()]


def test_a_hunt_that_is_killed_goes_on_and_ends_as_if_it_had_not_been(tmp_path, here):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    process = started(killed)
    deadline = time.monotonic() + 120
    while len(rows(killed)) < 3:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    before = rows(killed)
    run("hunt", "--resume", killed)
    after = rows(killed)
    assert after[: len(before)] == before  # nothing that was recorded was done again
    assert len(after) > len(before)
    run("hunt", "localmax.hull_shrinks", "--starts", 80, "--out", whole)
    assert {key: result for key, result, _ in after} == {key: result for key, result, _ in rows(whole)}
    assert account(recalled(killed)) == account(recalled(whole))


def test_a_hunt_that_is_terminated_stops_as_by_ctrl_c_and_resume_tries_failures_again(tmp_path, here, monkeypatch):
    folder = tmp_path / "hunt"

    def terminated(ledger, hunt, *_):
        for spec in hunt.ready():
            ledger.fail(spec, "killed", "out of memory", "")
        os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    with monkeypatch.context() as patched:
        patched.setattr(command, "run_campaign", terminated)
        said = run("hunt", TRUE.claim, "--starts", 8, "--out", folder, code=143).output
    assert f"claims hunt --resume {folder}" in " ".join(said.split())
    assert signal.getsignal(signal.SIGTERM) is before
    said = run("hunt", "--resume", folder).output
    assert "8 tasks that failed are tried again" in said
    assert "lost" not in said


# ---------------------------------------------------------------------------------------------------------------------
# Bad input


def test_bad_input_is_refused_in_one_sentence(tmp_path, here):
    for options, said in (
        (["--budget", "soon"], "no time"),
        (["--sharpen", "rate"], "NAME=VALUE"),
        (["--sharpen", "keep=much"], "not a finite number"),
        (["--sharpen", "speed=2"], "has the constants speed"),
        (["--only", TRUE.conclusion[:-1]], f"did you mean {TRUE.conclusion}?"),
        (["--only", "z"], "no conclusion that is hunted here is named 'z': there are"),
        (["--drop", "step_size_at_most_two"], "did you mean"),
        (["--resume", tmp_path], "cannot be given again"),
        (["--jobs", 2, "--cluster", "tcp://localhost:1"], "with --cluster"),
    ):
        assert said in refused("hunt", TRUE.claim, *options)
    assert "no hunt" in refused("hunt", "--resume", tmp_path)
    run("hunt", TRUE.claim, "--starts", 8, "--out", tmp_path / "hunt")
    assert "other settings" in refused("hunt", TRUE.claim, "--starts", 9, "--out", tmp_path / "hunt")


def test_spans_of_time_are_read_and_told_in_words():
    for text, seconds in (("90", 90), ("60s", 60), ("2m", 120), ("1h30m", 5400), ("0.5s", 0.5)):
        assert seconds_of(text) == seconds
    for text in ("", "0", "m", "-3s", "1d", "s60"):
        with pytest.raises(ValueError, match="no time"):
            seconds_of(text)
    for seconds, said in ((9.7, "10 s"), (150, "2 min"), (9000, "2.5 h"), (400_000, "5 days")):
        assert in_words(seconds) == said


def test_a_target_says_what_there_is():
    for target, said in (
        (Target(TRUE.claim, "nothing"), "has no conclusion"),
        (replace(TRUE, dropped=("unit_target",)), "does not assume"),
        (Target("localmax.nothing", "nothing"), "no claim"),
        (replace(TRUE, sharpened=(("rate", "2"),)), "no constant"),
    ):
        with pytest.raises(TargetError, match=said):
            target.resolve()


# ---------------------------------------------------------------------------------------------------------------------
# The necessity map and the gallery


HULL = "clusters/hull_shrinks.without_identity_value.json"
PAIR = "localmax/coincident_tokens_move_together.without_coincident_pair.json"


def test_the_map_keeps_counterexamples_and_who_looked_harder(tmp_path, without_identity, here):
    out, _ = without_identity
    run("hunt", TRUE.claim, "--starts", 24, "--out", tmp_path / "hunt")
    hunts = [*recalled(out).hunted, *recalled(tmp_path / "hunt").hunted]
    entries = folded({}, hunts)
    assert MAP.parsed(MAP.text(entries)) == entries
    assert "counterexample" in entries[str(DROPPED)]
    name = str(TRUE)
    harder = {name: entries[name] | {"starts": 10**9}}
    assert folded(harder, hunts)[name]["starts"] == 10**9
    assert folded({name: entries[name] | {"starts": 1}}, hunts)[name] == entries[name]
    assert set(known_instances(entries)) == {key for key, entry in entries.items() if "tightest" in entry}
    (certificate, *_) = worth_showing(hunts)
    assert published_name(certificate) == "clusters/pairwise_distances_grow.without_identity_value.json"


def the_map_holds_what_was_looked_for_in_the_suites_own_words(m):
    """Not with other constants, of a file, or without an answer: each alone keeps it out."""
    looked = Hunted(TRUE, False, [], evaluations=60, decided=3)
    assert m.folded({}, [looked]) == {str(TRUE): TRUE.to_json() | {"starts": 60, "text": computation_digest(TRUE)}}
    for other in (
        replace(looked, target=replace(TRUE, sharpened=(("c", "1/2"),))),
        replace(looked, target=replace(TRUE, source="claim = None", file="mine.py")),
        replace(looked, evaluations=0),
    ):
        assert m.folded({}, [other]) == {}, other


def what_is_left_open_says_why(m):
    """Where starts were searched in vain, where none was built, and where a violation has no certificate."""
    looked = Hunted(TRUE, False, [], evaluations=60)
    for hunted, said in (
        (looked, "nothing decided"),
        (replace(looked, idle="no start breaks it"), "no start breaks it"),
        (replace(looked, idle="none", evaluations=0), "none"),
        (replace(looked, violation={"slack": "-1", "instance": {}}, decided=3), "violated, not certified"),
    ):
        told = {"starts": hunted.evaluations, "text": computation_digest(TRUE), "open": said}
        assert m.folded({}, [hunted]) == {str(TRUE): TRUE.to_json() | told}


def an_entry_is_read_while_its_formulas_are_those_of_today(m):
    """A counterexample is decided by its certificate; anything else was said of formulas that may have changed."""
    entry = TRUE.to_json() | {"starts": 5, "text": computation_digest(TRUE)}
    assert m.still_stands(entry)
    for change in ({"text": "other"}, {"claim": "clusters.none"}, {"conclusion": "none"}, {"dropped": ["identity_value"]}):
        assert not m.still_stands(entry | change), change
    assert m.still_stands(entry | {"text": "other", "counterexample": {}})
    m.entries_by_claim = lambda: {TRUE.claim: [entry, entry | {"text": "other"}]}
    assert m.entries_of(TRUE.claim) == [entry]


def what_says_more_stays_in_the_map(m):
    """A counterexample before none, a short one before a long one, a long search before a short one: in any order.

    Last is what decided nothing, however many starts it had.
    """
    entry, name = TRUE.to_json(), str(TRUE)
    short, long = ({"counterexample": {"slack": "-1", "instance": {"z": z}}} for z in ([[1]], [[1], [10**9]]))
    ranked = [entry | {"starts": 5} | short, entry | {"starts": 9} | long, entry | {"starts": 99}, entry | {"starts": 60}]
    ranked.insert(2, entry | {"starts": 1, "open": "violated, not certified"})
    ranked += [entry | {"starts": starts, "open": "nothing decided"} for starts in (999, 1)]
    for better, worse in combinations(ranked, 2):
        assert m._rank(better) > m._rank(worse)
    for old in ranked[:5]:
        assert m.folded({name: old}, [Hunted(TRUE, False, [], evaluations=60, decided=1)])[name] == old
    for old in ranked[4:]:
        assert m.folded({name: old}, [Hunted(TRUE, False, [], evaluations=61, decided=1)])[name]["starts"] == 61


def an_entry_refers_to_what_says_the_same(m):
    """Its certificate stands for it where it is of its conclusion, and for its instance where that is the same."""
    name = published_name({"claim": {"id": TRUE.claim}, "assumptions": {"dropped": []}})
    here, there = {"z": [[1]]}, {"z": [[2]]}
    certificates = {
        name: {"conclusion": {"name": "one"}, "instance": here, "violation": {"slack": {"lower": "-1", "upper": "-1"}}}
    }
    for conclusion, instance, slack in product(("one", "other"), (here, there), ("-1", "-2")):
        found = {"slack": slack, "instance": instance}
        entry = {"claim": TRUE.claim, "conclusion": conclusion, "starts": 1, "counterexample": found}
        short = m.referring(entry, certificates)
        if conclusion == "one":
            assert short["counterexample"] == {"certificate": name}
            assert m.resolved(short, certificates)["counterexample"] == {"slack": "-1", "instance": here}
            continue
        assert (short == entry) is (instance is there)
        assert m.resolved(short, certificates) == entry
        assert m.referring(entry, {}) == entry
    with pytest.raises(LookupError):
        m.resolved(entry | {"counterexample": {"certificate": name}}, {})


MAPS = facts_above(globals())


@pytest.mark.parametrize("fact", MAPS)
def test_the_map(fact):
    fact(planted(necessity))


@bugs_in(necessity)
def test_a_bug_planted_in_the_map_is_noticed(bug):
    assert bug.is_noticed(MAPS)


def an_entry_stays_where_a_certificate_is_shown_and_its_instance_refutes(m):
    """Each of both is needed; of an entry without a counterexample the target has to be one of today."""
    entry = {**TRUE.to_json(), "counterexample": {"instance": {}}}
    name = published_name({"claim": {"id": TRUE.claim}, "assumptions": {"dropped": []}})
    for shown, refutes in product((True, False), repeat=2):
        m._is_counterexample = lambda *_, refutes=refutes: refutes
        assert m._still_holds(entry, {name: {}} if shown else {}) is (shown and refutes)
    for target, known in (
        (TRUE, True),
        (replace(TRUE, conclusion="none"), False),
        (replace(TRUE, claim="no.claim"), False),
    ):
        assert m._still_holds(target.to_json() | {"text": computation_digest(TRUE)}, {}) is known


def what_refutes_is_within_the_hypotheses_and_violated(m):
    """Of every verdict, at an instance that is admitted and at one that is not; along a flow nothing is decided here."""
    state, flow = TRUE, Target("polarization.score_gaps_grow", "score_gap_rate")
    for admitted, outcome in product((True, False), Outcome):
        m._admitted = lambda *_, admitted=admitted: "an instance" if admitted else None
        m.decide = lambda *_, outcome=outcome, **__: Verdict(outcome, None)
        assert m._is_counterexample(state, {}) is (admitted and outcome is Outcome.VIOLATED)
        assert m._is_counterexample(flow, {}) is admitted


def an_instance_is_admitted_within_the_hypotheses_alone(m):
    """What is kept holds there, and what is dropped does not: the published ones are so, and others are not."""
    for name in (HULL, PAIR, "polarization/score_gaps_grow.json"):
        certificate = certificate_of(name)
        target, instance = m._target_of(certificate), certificate["instance"]
        assert m._admitted(target, instance) is not None, name
        for other in (replace(target, dropped=("none",)), replace(target, conclusion="none")):
            assert m._admitted(other, instance) is None
        for one in certificate["assumptions"]["kept"]:
            assert m._admitted(replace(target, dropped=(*target.dropped, one["name"])), instance) is None, name


def the_best_of_each_group_is_shown(m):
    """Of a claim under the same assumptions, as the suite states it: neither with other constants nor of a file."""
    m._rank = lambda certificate: certificate["rank"]
    groups = (TRUE, replace(TRUE, conclusion="other"), replace(TRUE, dropped=("a",)), DROPPED)
    left_out = (replace(TRUE, sharpened=(("c", "1"),)), replace(TRUE, source="text"))
    hunts = [Hunted(target, False, []) for target in (*groups, *left_out)]
    assert m.worth_showing(hunts) == []
    for ranks in permutations(range(6)):
        for one, rank in zip(hunts, ranks, strict=True):
            one.certificate = {"rank": rank}
        shown = [found["rank"] for found in m.worth_showing(hunts)]
        assert shown == [min(ranks[:2]), ranks[2], ranks[3]]


def certificates_are_ranked_by_hand_then_by_ties_then_by_length(m):
    """By hand is an instance of the claim as it stands; one that is not admitted today comes after all that are."""
    m.instance_by_hand = lambda name: {"x": "hand"}
    m._admitted = lambda target, instance: None if instance.get("gone") else instance
    m.ties = lambda system, form: system.get("ties", 0)
    instances = [{"x": "hand"}, {"x": 1}, {"x": 1000}, {"x": 1, "ties": 1}, {"ties": 2}, {"gone": 1}]

    def certificate(instance, dropped=()):
        names = {"dropped": [{"name": name} for name in dropped]}
        return {"claim": {"id": TRUE.claim}, "conclusion": {"name": TRUE.conclusion}, "assumptions": names} | {
            "instance": instance
        }

    ranks = [m._rank(certificate(instance)) for instance in instances]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == len(ranks)
    m._target_of = lambda _: replace(TRUE, dropped=("a",))
    m.Target.resolve, kept = (lambda self: SimpleNamespace(conclusion=SimpleNamespace(form=None))), m.Target.resolve
    try:
        assert m._rank(certificate({"x": "hand"}))[0] is True
    finally:
        m.Target.resolve = kept


def a_certificate_is_current_while_all_it_says_is_said_today(m):
    """But for the seed with which it was found, which its command tells."""
    for name in (HULL, PAIR):
        data = certificate_of(name)
        assert m._is_current(data)
        variant = m._target_of(data).resolve()
        for part in {*m.statement(variant.claim, variant.printed)} - {"claim", "conclusion"}:
            assert not m._is_current(data | {part: "another"}), part
        for part, told in product(("claim", "conclusion"), ("command", "told")):
            assert not m._is_current(data | {part: data[part] | {told: "another"}, "command": data["command"]}), part
        assert not m._is_current(data | {"command": "claims hunt"})
        other = data["assumptions"] | {"kept": [*data["assumptions"]["kept"], {"name": "one"}]}
        assert not m._is_current(data | {"assumptions": other})
        assert not m._is_current(data | {"conclusion": data["conclusion"] | {"name": "none"}})
        assert m._is_current(data | {"command": m._target_of(data).command(77)})
    told = ("claims hunt a --seed 12", "claims hunt a --seed=3 --out b", "claims hunt a")
    assert [m._seed_of({"command": command}) for command in told] == [12, 3, 0]


def what_is_renewed_is_decided_anew_on_the_same_instance(m):
    data, asked = certificate_of(HULL) | {"command": "claims hunt x --seed 4"}, []
    m.decide = lambda *given, **named: asked.append((given, named)) or "verdict"
    m.certified = lambda *given: asked.append(given) or {"new": 1}
    assert m.renewed(data) == {"new": 1}
    (decided, named), written = asked
    assert (decided[1].to_json(), decided[2], named) == (data["instance"], m.EFFORT, {"outside": True})
    assert written == (m._target_of(data), decided[1], "verdict", 4)
    m.certified = lambda *_: (_ for _ in ()).throw(ValueError)
    assert m.renewed(data) is None
    assert m.renewed(data | {"instance": {"x": [[0]]}}) is None


def what_is_refuted_by_hand_is_published_at_that_instance(m):
    """By the conclusion that is published where it refutes that, else by the first that it refutes."""
    names = ("first", "second", "third")
    claim = SimpleNamespace(conclusions=[SimpleNamespace(name=name) for name in names])
    m.catalogue, m.instance_by_hand = (lambda: {"p.one": claim, "p.none": claim}), (lambda name: {"x": "hand"})
    key, asked = m.name_of("p.one", ()), []
    for refuted in chain.from_iterable(combinations(names, count) for count in range(4)):
        m.renewed = lambda data, refuted=refuted: (
            asked.append(data)
            or (data["instance"] == {"x": "hand"} and data["conclusion"]["name"] in refuted and data)
            or None
        )
        old = {"instance": {"x": 1}, "conclusion": {"name": "second"}}
        found = m.by_hand({key: old})
        first = "second" if "second" in refuted else next(iter(refuted), None)
        assert found == ({key: {"instance": {"x": "hand"}, "conclusion": {"name": first}}} if first else {})
        assert m.by_hand({key: old | {"instance": {"x": "hand"}}}) == m.by_hand({}) == {}
    m.instance_by_hand = lambda _name: None
    assert m.by_hand({key: old}) == {}


def hunts_are_folded_into_what_is_there(m):
    """Of certificates those that are new or of a lower rank, renewed where they are stale; the rest stays."""
    m._rank, m.published_name = (lambda one: one["rank"]), (lambda one: one["place"])
    gallery = {name: {"place": name, "rank": 5} for name in "ab"}
    found = [{"place": "a", "rank": 4}, {"place": "b", "rank": 5}, {"place": "c", "rank": 9}, {"place": "d", "rank": 1}]
    kept, said = {}, []
    m.read_evidence, m.resolved, m.referring = (lambda _: dict(gallery)), (lambda entry, _: entry), (lambda entry, _: entry)
    m.recalled = lambda folder, changed: changed.append(folder) or SimpleNamespace(hunted=[folder, folder])
    m.still_stands = lambda entry: entry == 1
    m.worth_showing = lambda hunts: said.append(hunts) or found
    m._is_current = lambda one: one["place"] in "abc"
    m.MAP_FILE = SimpleNamespace(read_text=lambda encoding: "")
    stored = {"e": 1, "changed": 2}
    m.MAP = SimpleNamespace(parsed=lambda _: stored, save=lambda path, entries: kept.update(path=path, entries=entries))
    m.write_evidence = lambda place, shown: kept.update(place=place, gallery=shown)
    m.folded = lambda entries, hunts: {"of": (entries, hunts)}
    m.renew = lambda shown, entries: {"renewed": entries}
    for renewed, again in product((None, {"place": "d", "rank": 2}), (False, True)):
        m.renewed = lambda _, renewed=renewed: renewed
        m._fold(None, ["one", "two"], again)
        shown = {"a": found[0], "b": gallery["b"], "c": found[2]} | ({"d": renewed} if renewed else {})
        assert kept["gallery"] == shown
        assert (kept["place"], kept["path"]) == (m.GALLERY, m.MAP_FILE)
        hunts = ["one", "one", "two", "two"]
        # What was searched for other formulas is compared with nothing: however long, it says nothing of today's.
        assert kept["entries"] == {"of": ({"renewed": stored} if again else {"e": 1}, hunts)}
        assert said[-1] == hunts


GALLERY_FACTS = facts_above(globals(), but=MAPS)


@pytest.mark.parametrize("fact", GALLERY_FACTS)
def test_the_gallery(fact):
    fact(planted(gallery))


@bugs_in(gallery)
def test_a_bug_planted_in_the_gallery_is_noticed(bug):
    assert bug.is_noticed(GALLERY_FACTS)


def test_what_is_no_longer_said_is_certified_again_and_what_refutes_nothing_is_removed():
    stale = {name: certificate_of(name) | {"command": "old"} for name in (HULL, PAIR)}
    stale[PAIR]["instance"]["z"] = [[0], [0]]
    assert renew(stale, {}) == {}
    assert stale.keys() == {HULL}
    told = {"command", "digest"}  # how it was found the first time
    today = certificate_of(HULL)
    assert stale[HULL]["command"] != "old"
    assert {name: stale[HULL][name] for name in today.keys() - told} == {name: today[name] for name in today.keys() - told}


def test_every_entry_of_the_map_is_about_the_claims_of_today():
    for name, entry in MAP.stored.items():
        target = Target.from_json(entry)
        assert str(target) == name
        variant = target.resolve()
        full = resolved(entry, published())
        for found in (full.get("counterexample"), full.get("tightest")):
            assert found is None or instance_of(variant, found["instance"]).to_json() == found["instance"]
        assert full in entries_of(target.claim)
