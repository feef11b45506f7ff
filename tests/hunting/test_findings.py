"""What a hunt is asked and what it says of what was found, against every case; what follows what, against a recount."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from types import SimpleNamespace

import pytest

from claims.campaigns.ledger import Ledger, LedgerError
from claims.certificates import necessity
from claims.certificates.current import computation_digest
from claims.certificates.format import writing_cost
from claims.certificates.necessity import MAP, known_instances
from claims.certificates.published import published
from claims.hunting import gallery, plan
from claims.hunting import hunt as asking
from claims.hunting.plan import Hunt, Hunted, Limits, hunt_of
from claims.hunting.rounds import KEPT
from claims.hunting.search import SPARE_SECONDS
from claims.stating.catalogue import catalogue
from claims.stating.statement import Standing
from claims.targets.target import Target, TargetError
from tests.planting import bugs_in, facts_above

CHEAP = Target("localmax.hull_shrinks", "supports_contract")
BESIDE = Target("localmax.hull_shrinks", "new_tokens_stay_in_hull")
COSTLY = Target("polarization.order_is_preserved", "values_stay_ordered", ("zero_scores",))


def told(standing=Standing.TRUE, dropped=(), sharpened=(), trap=None, assumptions=(), source=None):
    claim = SimpleNamespace(standing=standing, assumptions=assumptions, source=source)
    resolved = SimpleNamespace(claim=claim, conclusion=SimpleNamespace(trap=trap))
    return SimpleNamespace(dropped=dropped, sharpened=sharpened, resolve=lambda: resolved)


def every_state():
    names = ("certificate", "violation", "failures", "starts", "finished", "idle", "decided")
    for there in product((False, True), repeat=len(names)):
        has = dict(zip(names, there, strict=True))
        yield (
            has,
            {
                "certificate": {"instance": {}} if has["certificate"] else None,
                "violation": {"slack": "-1"} if has["violation"] else None,
                "failures": ["round: lost"] if has["failures"] else [],
                "starts": int(has["starts"]),
                "finished": has["finished"],
                "idle": "nothing to compare" if has["idle"] else None,
                "decided": int(has["decided"]),
            },
        )


def a_finding_is_the_strongest_thing_there_is_to_say(m):
    for has, state in every_state():
        said = [
            ("COUNTEREXAMPLE", has["certificate"]),
            ("VIOLATED, not reduced", has["violation"]),
            ("lost", has["failures"] and not has["starts"]),
            ("not begun", not has["finished"] and not has["starts"]),
            ("none so far", not has["finished"]),
            ("nothing to compare", has["idle"]),
            ("survived", has["decided"]),
            ("nothing decided", True),
        ]
        found = Hunted(told(), False, [], **state)
        assert m.finding(found) == next(word for word, applies in said if applies), has


def only_a_statement_as_it_stands_is_contradicted_or_left_unsaid(m):
    """Not one without an assumption nor one with other constants; contradicted is what is held true or open."""
    for standing, dropped, sharpened in product(Standing, ((), ("one",)), ((), (("rate", "2"),))):
        asked = not dropped and not sharpened
        for has, state in every_state():
            found = Hunted(told(standing, dropped, sharpened), False, [], **state)
            news = standing in {Standing.TRUE, Standing.OPEN}
            assert m.contradicts(found) is (has["violation"] and asked and news)
            silent = has["finished"] and not has["violation"] and m.finding(found) != "survived"
            assert m.says_nothing(found) is (asked and silent)
            for proposed, trap in product((0, 1), (None, object())):
                one = replace(found, proposed=proposed, target=told(standing, dropped, sharpened, trap))
                assert m.is_unseen(one) is (m.says_nothing(found) and not proposed and trap is not None)


def what_left_the_hypotheses_is_told_most_often_first(m):
    """And of a claim of one's own which of its assumptions needs a way back."""
    assumptions = [SimpleNamespace(name=name, is_imposed=name == "a") for name in "abcd"]
    outside = Counter({"a": 1, "b": 2, "d": 3})
    for source in (None, "text"):
        found = Hunted(told(assumptions=assumptions, source=source), False, [], outside=outside)
        way = "; a search leads back into a hypothesis that has a restrict: give one to b, d" if source else ""
        assert m.outside_in_words(found) == f"candidates that left the hypotheses: 3 by d, 2 by b, 1 by a{way}"
        assert m.outside_in_words(replace(found, outside=Counter())) == ""


def a_report_repeats_what_was_found(m):
    """Every count under its own name, the files where they are, of the settings all but targets and memory."""
    counts = ("starts", "evaluations", "proposed", "certified", "rejected", "undecided", "decided")
    one = Hunted(CHEAP, False, [], **{name: number for number, name in enumerate(counts, start=3)})
    one.seconds, one.outside, one.tightest = 1.23456, Counter(a=2), {"slack": "1/2"}
    other = replace(one, certificate={"a": 1}, enclosure={"b": 1}, failures=["round: x"], target=COSTLY)
    third = replace(other, enclosure=None, no_enclosure="why", target=replace(CHEAP, file="f.py", source="text"))
    hunt, paths = SimpleNamespace(hunted=[one, other, third, other]), {1: Path("x/one.json"), 2: Path("two.json")}
    settings = {"seed": 5, "targets": [1], "memory": {"a": 1}, "code": "c"}
    whole = m.report(hunt, settings, paths)
    found = whole.pop("hunted")
    assert whole == {"seed": 5, "code": "c"}
    assert found[0] == {
        "claim": CHEAP.claim,
        "conclusion": CHEAP.conclusion,
        "finding": m.finding(one),
        **{name: getattr(one, name) for name in counts},
        "outside": {"a": 2},
        "seconds": 1.235,
        "tightest": {"slack": "1/2"},
        "failures": [],
        "no_enclosure": None,
        **dict.fromkeys(("certificate", "counterexample", "enclosure")),
    }
    assert [(f["certificate"], f["enclosure"], f["counterexample"], f["no_enclosure"]) for f in found[1:]] == [
        ("x/one.json", "x/one.trajectory.json", {"a": 1}, None),
        ("two.json", None, {"a": 1}, "why"),
        (None, None, {"a": 1}, None),
    ]
    assert (found[1]["dropped"], found[1]["failures"]) == (["zero_scores"], ["round: x"])
    assert found[2]["file"] == "f.py"
    assert "source" not in found[2]


def settings_say_what_is_asked(m):
    """Time is of all processes together, and there is one of the two limits, a minute where none is given."""
    claims = [catalogue()[CHEAP.claim]]
    for budget, starts, processes in product((None, "90"), (None, 7), (1, 3)):
        found = m.hunt_settings(claims, [], [], budget, starts, 5, processes, "words")
        seconds = 90 if budget else None if starts else 60
        assert found["seconds"] == (None if seconds is None else seconds * processes)
        assert {name: found[name] for name in ("starts", "processes", "seed", "command")} == {
            "starts": starts, "processes": processes, "seed": 5, "command": "words",
        }  # fmt: skip
        targets = [Target.from_json(data) for data in found["targets"]]
        assert [one.conclusion for one in targets] == [one.conclusion for one in m.targets_of(claims, [], [])]
        known = known_instances(MAP.stored)
        assert found["memory"] == {str(one): known[str(one)] for one in targets if str(one) in known}
        assert hunt_of(found).limits == Limits(starts, found["seconds"], processes)
    some = m.hunt_settings([catalogue()[COSTLY.claim]], ["zero_scores"], [], None, 8, 0, 1, "", [COSTLY.conclusion])
    assert [Target.from_json(data) for data in some["targets"]] == [COSTLY]


def targets_are_the_conclusions_that_have_what_is_asked(m):
    claim = catalogue()["polarization.score_ratios_decay"]
    every, rate = m.targets_of([claim], [], []), ("rate", "2")
    assert [one.conclusion for one in every] == [one.name for one in m.checked_conclusions(claim)]
    own = {one.name: one.constants.keys() for one in claim.conclusions}
    for constants in ([rate], [rate, ("none", "1")]):
        wanted = [one for one in every if {name for name, _ in constants} <= own[one.conclusion]]
        if wanted:
            assert m.targets_of([claim], [], constants) == [replace(one, sharpened=tuple(constants)) for one in wanted]
        else:
            with pytest.raises(TargetError, match=r"has the constants rate, none: there are .*rate"):
                m.targets_of([claim], [], constants)
    for only in ([every[0].conclusion], [one.conclusion for one in every]):
        assert [one.conclusion for one in m.targets_of([claim], [], [], only)] == only
    with pytest.raises(TargetError, match="given twice: rate=2, rate=2"):
        m.targets_of([claim], [], [rate, rate])
    with pytest.raises(TargetError, match="is judged by recorded"):
        m.targets_of([catalogue()["polarization.softmax_heads_become_sinks"]], [], [])
    with pytest.raises(TargetError, match="no conclusion that is checked on instances"):
        m.targets_of([], [], [])
    assert m.constant_of(" rate = 10/4 ") == ("rate", "5/2")


ASKED = facts_above(globals())


@pytest.mark.parametrize("fact", ASKED)
def test_what_is_asked_and_said(fact):
    fact(asking)


@bugs_in(asking)
def test_a_bug_planted_in_what_is_said_is_noticed(bug):
    assert bug.is_noticed(ASKED)


# ---------------------------------------------------------------------------------------------------------------------
# What follows what


def result(evaluations=1, **more):
    """Of a round that met something and found nothing."""
    counts = dict.fromkeys(("starts", "proposed", "certified", "rejected", "undecided", "decided"), 1)
    return counts | {"evaluations": evaluations, "violations": [], "tight": [], "tightest": None} | more


def met(slack, normalised, number):
    return {"slack": slack, "normalised": normalised, "instance": {"number": number}}


@pytest.mark.parametrize(("target", "limit"), [(CHEAP, 40_000), (CHEAP, 1025), (COSTLY, 3001), (COSTLY, 1)])
def test_generations_double_until_their_starts_are_used_up(target, limit):
    hunt, done, generation = Hunt([target], Limits(starts=limit), 7, {str(target): [{"old": 1}]}), 0, 0
    costly, known = hunt.hunted[0].costly, [{"old": 1}]
    assert costly is (target is COSTLY)
    while done < limit:
        assert not hunt.done()
        each = min((32 if costly else 256) * 2 ** min(generation, 5), -(-(limit - done) // 4))
        specs = hunt.ready()
        asked = {"kind": "round", "target": target.to_json(), "seed": 7, "generation": generation}
        assert specs == [asked | {"shard": k, "starts": each, "known": known} for k in range(4)]
        for spec in specs:
            assert hunt.ready() == []
            hunt.take(spec, result(each, tight=[met(1.0, 1.0, generation)]), 0.5)
        done += 4 * each
        known = [{"number": number} for number in range(generation + 1)][:KEPT]
        generation += 1
    assert hunt.done()
    assert hunt.ready() == []
    assert (hunt.hunted[0].evaluations, hunt.hunted[0].seconds) == (done, 2.0 * generation)


def test_what_violates_is_made_small_when_its_generation_is_in():
    found = [{"slack": "-1", "instance": {"x": text}} for text in ("long", "1", "longer")]
    for lost, certificate in product((False, True), ({"c": 1}, None)):
        hunt = Hunt([CHEAP], Limits(starts=100), 3)
        first, *others = hunt.ready()
        hunt.take(first, result(violations=found), 1.0)
        for spec in others:
            assert hunt.ready() == []
            hunt.take(spec, result(), 1.0)
        (spec,) = hunt.ready()
        assert spec == {"kind": "reduction", "target": CHEAP.to_json(), "instance": {"x": "1"}, "seed": 3}
        assert hunt.hunted[0].reducing
        assert not hunt.done()
        if lost:
            hunt.lose(spec, "it died")
        else:
            hunt.take(spec, {"certificate": certificate, "enclosure": {"e": 1}, "no_enclosure": "none"}, 2.0)
        (one,) = hunt.hunted
        assert hunt.done()
        assert one.failures == (["reduction: it died"] if lost else [])
        assert one.seconds == (4.0 if lost else 6.0)
        kept = (one.certificate, one.enclosure, one.no_enclosure)
        assert kept == ((None,) * 3 if lost else (certificate, {"e": 1}, "none"))


def test_a_target_ends_where_there_is_nothing_to_search():
    """All rounds met nothing, or evaluated nothing, or as many were lost as there were; one of four is enough to go on."""
    for lost, empty, idle in product(range(5), repeat=3):
        if lost + empty + idle > 4:
            continue
        hunt = Hunt([CHEAP], Limits(starts=100_000), 0)
        kinds = ["lost"] * lost + ["empty"] * empty + ["idle"] * idle + ["good"] * (4 - lost - empty - idle)
        for spec, kind in zip(hunt.ready(), kinds, strict=True):
            if kind == "lost":
                hunt.lose(spec, "it died")
            else:
                hunt.take(spec, result(0 if kind == "empty" else 5, idle="no" if kind == "idle" else None), 1.0)
        (one,) = hunt.hunted
        nothing = one.idle is not None or not one.evaluations
        assert hunt.done() is one.finished is nothing
        assert one.idle == ("no" if idle and "good" not in kinds and not empty else None)
        assert one.evaluations == 5 * (kinds.count("idle") + kinds.count("good"))


def test_a_generation_without_an_evaluation_is_the_last_one():
    hunt = Hunt([CHEAP], Limits(starts=100_000), 0)
    for good in (1, 0):
        assert not hunt.done()
        for number, spec in enumerate(hunt.ready()):
            hunt.take(spec, result(), 1.0) if number < good else hunt.lose(spec, "it died")
    assert hunt.done()
    assert hunt.hunted[0].failures == ["round: it died"] * 7
    unfinished = Hunt([CHEAP, BESIDE], Limits(starts=10), 0)
    unfinished.give_up()
    assert unfinished.done()


def test_so_many_tasks_are_out_at_a_time_and_the_early_ones_go_first():
    targets = [replace(CHEAP, sharpened=(("none", str(k)),)) for k in range(40)]
    hunt = Hunt.__new__(Hunt)
    hunt.limits, hunt.seed, hunt._queue, hunt._out = Limits(starts=10**6), 0, [], 0
    hunt.hunted = [Hunted(target, False, []) for target in targets]
    hunt._of = {plan.canonical(one.target.to_json()): one for one in hunt.hunted}
    for one in hunt.hunted:
        hunt._next(one)
    first = hunt.ready()
    assert (len(first), hunt.ready()) == (plan.AT_ONCE, [])
    for spec in first[:4]:
        hunt.take(spec, result(violations=[{"slack": "-1", "instance": {}}]), 1.0)
    for spec in first[4:8]:
        hunt.take(spec, result(), 1.0)
    next_ones = hunt.ready()
    assert len(next_ones) == 8
    assert [spec["kind"] for spec in next_ones] == ["reduction"] + ["round"] * 7
    assert {spec.get("generation") for spec in next_ones[1:]} == {0}, "early generations of all before later ones"


@pytest.mark.parametrize("processes", [1, 4])
def test_a_budget_of_time_is_shared_by_the_conclusions_of_a_claim(processes):
    """A promise for each round under way; a twelfth of the time begins none; what violates gets what is left."""
    for seconds in (8.0, 960.0):
        hunt = Hunt([CHEAP, BESIDE, COSTLY], Limits(seconds=seconds, processes=processes), 0)
        specs = hunt.ready()
        promised = {CHEAP.claim: seconds / 8, COSTLY.claim: seconds / 4}
        for spec in specs:
            share = promised[spec["target"]["claim"]]
            assert spec["seconds"] == max(share / 2, share - SPARE_SECONDS)
            assert spec["starts"] == (32 if spec["target"] == COSTLY.to_json() else 256)
        assert hunt.remaining() == 2 * seconds
        # Half of the time of the claim is used by one of its conclusions, the other one has promised the other half.
        for spec in specs[:4]:
            hunt.take(spec, result(), seconds / 16)
        left = seconds - 4 * seconds / 16 - 4 * seconds / 8
        assert hunt.remaining() == 2 * seconds - seconds / 4
        for spec in (again := hunt.ready()):
            assert spec["generation"] == 1
            assert spec["seconds"] == max(left / 8, left / 4 - SPARE_SECONDS)
        for spec in again:
            hunt.take(spec, result(violations=[{"slack": "-1", "instance": {"x": 1}}]), left / 8)
        (reduction,) = hunt.ready()
        assert reduction["seconds"] == max(plan.LEAST_REDUCTION, left / 2 / processes)
        assert not hunt.hunted[0].finished


@pytest.mark.parametrize(("used", "over"), [(0.9, False), (11 / 12, True), (1.5, True)])
def test_no_round_begins_with_less_than_a_twelfth_of_the_time(used, over):
    hunt = Hunt([CHEAP], Limits(seconds=96.0), 0)
    for spec in hunt.ready():
        hunt.take(spec, result(), 96.0 * used / 4)
    assert hunt.done() is over
    assert hunt.remaining() == (0 if over else pytest.approx(96.0 * (1 - used)))


def test_what_remains_is_the_less_of_both_limits():
    both = Hunt([CHEAP, BESIDE, COSTLY], Limits(starts=100, seconds=50.0), 0)
    assert both.remaining() == 100.0, "nothing tells yet how long a start takes"
    specs = both.ready()
    both.take(specs[0], result(10), 1.0)
    assert both.remaining() == 50.0 - 1.0 + 50.0, "a costly one has not told"
    both.take(specs[8], result(4), 0.4)
    # 90 starts of a tenth of a second, 100 of another conclusion as cheap, 96 of a costly one.
    assert both.remaining() == pytest.approx(9.0 + 10.0 + 9.6)
    both.hunted[1].finished = True
    assert both.remaining() == pytest.approx(9.0 + 9.6)
    assert both.hunted[0].best is None
    with pytest.raises(ValueError, match="needs a number of starts or seconds"):
        Hunt([CHEAP], Limits(), 0)
    counted = Hunt([CHEAP], Limits(starts=100), 0)
    assert counted.remaining() is None, "nothing tells how long a start takes"


def the_best_few_are_kept_in_any_order(m):
    """Of tight ones the nearest to equality, each once; of those decided the least slack that is not zero."""
    some = [met(float(9 - k), abs(k - 5) / 4, k % 12) for k in range(14)]
    slacks = ("3/2", "-1/4", "0", "1/3", "1e-3")
    one, other = m.Hunted(CHEAP, False, []), m.Hunted(CHEAP, False, [])
    for hunted, order in ((one, 1), (other, -1)):
        for k in list(range(14))[::order]:
            decided = {"slack": slacks[k], "instance": {"k": k}} if k < len(slacks) else None
            hunted.add(result(tight=[some[k]], tightest=decided))
            assert hunted.best == min(found["slack"] for found in hunted.tight)
    best = sorted(some[:12], key=lambda found: (found["normalised"], str(found["instance"])))[:KEPT]
    for hunted in (one, other):
        assert hunted.tight == best
        assert hunted.tightest == {"slack": "1e-3", "instance": {"k": 4}}
    for slack, farther in (("-1/4", "1/3"), ("1/8", "0"), ("2", "-9/4")):
        assert m._tightness({"slack": slack, "instance": 1}) < m._tightness({"slack": farther, "instance": 0})
    assert m._tightness({"slack": "1", "instance": 0}) < m._tightness({"slack": "-1", "instance": 1})


def rounds_of_a_target_add_up_in_any_order(m):
    """What some round has met is met, counts are sums, and of violations the shortest is kept."""
    told = {"starts": 1, "evaluations": 2, "proposed": 3, "certified": 4, "rejected": 5, "undecided": 6, "decided": 7}
    violations = [{"instance": {"z": [[10**k]]}} for k in (3, 0, 6)]
    results = [
        {**told, "idle": idle, "tight": [], "tightest": None, "violations": [violation]}
        for idle, violation in zip(("nothing to compare", None, "no start could be built"), violations, strict=True)
    ]
    for count in (1, 2, 3):
        for some in permutations(results, count):
            one = m.Hunted(CHEAP, False, [])
            for result in some:
                one.add(result)
            idles = [result["idle"] for result in some]
            assert one.idle == (None if None in idles else min(idles))
            assert one.violation == min((result["violations"][0] for result in some), key=writing_cost)
            assert [getattr(one, name) for name in told] == [count * number for number in told.values()]


@pytest.mark.parametrize("fact", [the_best_few_are_kept_in_any_order, rounds_of_a_target_add_up_in_any_order])
def test_what_rounds_bring(fact):
    fact(plan)


@bugs_in(plan)
def test_a_bug_planted_in_plans_is_noticed(bug):
    assert bug.is_noticed([rounds_of_a_target_add_up_in_any_order])


def test_settings_that_are_not_those_of_a_hunt_are_refused():
    whole = {"targets": [CHEAP.to_json()], "starts": 4, "seconds": 8.0, "seed": 5, "memory": {str(CHEAP): [{"x": 1}]}}
    hunt = hunt_of(whole)
    assert (hunt.limits, hunt.seed) == (Limits(4, 8.0, 1), 5)
    assert hunt.hunted[0].memory == [{"x": 1}]
    with pytest.raises(TargetError, match="never begun"):
        hunt_of({})
    for name in whole:
        with pytest.raises(TargetError, match="not those of a hunt"):
            hunt_of({key: value for key, value in whole.items() if key != name})
    with pytest.raises(TargetError, match="not those of a hunt"):
        hunt_of(whole | {"targets": [3]})


# ---------------------------------------------------------------------------------------------------------------------
# What is kept of hunts


def test_an_entry_is_the_counterexample_or_else_the_tightest_instance():
    """With its arrays by name, the lower end of its slack, and how many instances were looked at."""
    one = Hunted(CHEAP, False, [], evaluations=60, starts=7, decided=1)
    named = CHEAP.to_json() | {"starts": 60}
    text = {"text": computation_digest(CHEAP)}
    assert necessity.map_entry(one) == named | text
    one.tightest = {"slack": "1/2", "instance": {"z": [[1]]}}
    assert necessity.map_entry(one) == named | text | {"tightest": one.tightest}
    one.certificate = {"instance": {"z": 1, "a": 2}, "violation": {"slack": {"lower": "-2", "upper": "-1"}}}
    entry = necessity.map_entry(one)
    assert entry == named | {"counterexample": {"slack": "-2", "instance": {"a": 2, "z": 1}}}
    assert list(entry["counterexample"]["instance"]) == ["a", "z"]
    entries = {"b": named | {"tightest": one.tightest}, "a": named}
    assert known_instances(entries) == {"b": [{"z": [[1]]}]}


def test_the_map_is_written_by_name_and_read_again(tmp_path):
    path, certificates = tmp_path / "map.json", published()
    entries = dict(list(MAP.stored.items())[::-7])
    full = {name: necessity.resolved(entry, certificates) for name, entry in entries.items()}
    MAP.save(path, {name: necessity.referring(entry, certificates) for name, entry in full.items()})
    text = path.read_text(encoding="utf-8")
    assert MAP.parsed(text) == entries
    assert list(MAP.parsed(text)) == sorted(entries)
    claim = next(entry["claim"] for entry in entries.values())
    found = necessity.entries_of(claim)
    own = [necessity.resolved(entry, certificates) for entry in MAP.stored.values() if entry["claim"] == claim]
    assert sorted(map(str, found)) == sorted(map(str, own))
    places = [(entry.get("dropped", []), entry["conclusion"]) for entry in found]
    assert places == sorted(places)


def test_the_gallery_is_told_what_to_fold(tmp_path, monkeypatch, capsys):
    """A folder, or that all is to be renewed; at the root of the repository only."""
    asked = []
    monkeypatch.setattr(gallery, "_fold", lambda parser, *told: asked.append(told))
    monkeypatch.setattr(gallery, "MAP_FILE", tmp_path / "map.json")
    for arguments, said in (([], "nothing to do"), (["a"], "run this at the root")):
        with pytest.raises(SystemExit) as ended:
            gallery.main(arguments)
        assert ended.value.code == 2
        assert said in capsys.readouterr().err
    assert asked == []
    gallery.MAP_FILE.write_text("{}", encoding="utf-8")
    gallery.main(["a", "b"])
    gallery.main(["--renew"])
    assert asked == [([Path("a"), Path("b")], False), ([], True)]


def test_what_is_renewed_is_counted(monkeypatch, capsys):
    """Certificates that are current stay, stale ones are renewed or removed; entries go with what no longer holds."""
    monkeypatch.setattr(gallery, "_is_current", lambda data: data not in {"stale", "gone"})
    monkeypatch.setattr(gallery, "renewed", lambda data: "new" if data == "stale" else None)
    monkeypatch.setattr(gallery, "by_hand", lambda shown: {"e": "hand"} if shown == {"a": "kept", "b": "new"} else {})
    monkeypatch.setattr(gallery, "_still_holds", lambda entry, shown: entry in shown)
    shown = {"a": "kept", "b": "stale", "c": "gone", "d": "gone"}
    assert gallery.renew(shown, {"one": "a", "two": "c", "three": "e"}) == {"one": "a", "three": "e"}
    assert shown == {"a": "kept", "b": "new", "e": "hand"}
    said = "1 certificates renewed, 2 removed, 1 at what is checked by hand; 1 entries removed from the map\n"
    assert capsys.readouterr().out == said


def test_a_hunt_is_recalled_in_the_order_in_which_its_results_came(tmp_path):
    """Without targets that there are no more; a folder in which nothing was begun is refused."""
    settings = {"starts": 40, "seconds": None, "seed": 3, "memory": {}}
    targets = [CHEAP, replace(CHEAP, conclusion="none"), BESIDE, replace(CHEAP, claim="no.claim")]
    with Ledger(tmp_path / "none"):
        pass
    with pytest.raises(LedgerError, match="was never begun"):
        gallery.recalled(tmp_path / "none")
    whole, order = Hunt([CHEAP, BESIDE], Limits(starts=40), 3), []
    with Ledger(tmp_path / "hunt") as ledger:
        texts = [computation_digest(CHEAP), "gone", computation_digest(BESIDE), "gone"]
        ledger.begin(settings | {"targets": [one.to_json() for one in targets], "texts": texts})
        for number, spec in enumerate(reversed(whole.ready())):
            ledger.record(spec, result(10, tight=[met(1.0, 0.5, number)]), 0.25 * number, "w")
            order.append(spec)
    for number, spec in enumerate(order):
        whole.take(spec, result(10, tight=[met(1.0, 0.5, number)]), 0.25 * number)
    changed = []
    found = gallery.recalled(tmp_path / "hunt", changed)
    assert changed == [str(targets[1]), str(targets[3])]
    assert found.hunted == whole.hunted
    assert found.done()
    assert sum(one.seconds for one in found.hunted) == 0.25 * 28


@pytest.mark.parametrize(
    "texts", [["of before", computation_digest(BESIDE)], []], ids=["changed since", "texts were not kept"]
)
def test_a_hunt_of_other_formulas_says_nothing_of_those_of_today(tmp_path, texts):
    """It would be in the map as so many starts without a counterexample, to a statement that was never searched."""
    settings = {"starts": 40, "seconds": None, "seed": 3, "memory": {}, "texts": texts}
    with Ledger(tmp_path) as ledger:
        ledger.begin(settings | {"targets": [one.to_json() for one in (CHEAP, BESIDE)]})
    changed = []
    assert [one.target for one in gallery.recalled(tmp_path, changed).hunted] == ([BESIDE] if texts else [])
    assert changed == [str(one) for one in ([CHEAP] if texts else [CHEAP, BESIDE])]
