"""Facts of what is written of a run: its parts, merged and read again, and enclosures that go with verdicts."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

from claims.stating.statement import Form, Origin, Standing
from claims.stating.verdict import Known, Outcome, Verdict
from claims.verifying import dropping, enclosing, report, shards, tasks
from claims.verifying.shards import SAME
from claims.verifying.tallies import Tally
from claims.verifying.tasks import Report
from tests.planting import bugs_in, planted

COUNTS = ("instances", "holds", "violated", "undecided", "vacuous", "touched", "screened")


def a_part_is_one_of_so_many(m):
    for number, parts in itertools.product(range(13), repeat=2):
        if 1 <= number <= parts:
            assert m.shard_of(f"{number}/{parts}") == (number, parts)
        else:
            with pytest.raises(m.ShardError):
                m.shard_of(f"{number}/{parts}")
    for text in ("", "1", "1/", "/2", "-1/2", "1/2/3", "a/b", " 1/2", "1/2\n"):
        with pytest.raises(m.ShardError):
            m.shard_of(text)


def the_costliest_goes_to_the_part_with_least_to_do(m):
    """Recounted from the parts: costs of an earlier run of all, of some or of none, the others estimated in proportion."""
    random, forms = np.random.default_rng(7), list(Form)
    for turn in range(60):
        claims = [
            SimpleNamespace(id=f"c{k}", conclusions=[SimpleNamespace(form=forms[j]) for j in random.integers(0, 9, k % 4)])
            for k in random.permutation(10)
        ]
        told = {one.id: float(random.integers(1, 40)) for one in claims if random.integers(0, 2) < turn % 3}
        estimated = {one.id: 0.1 + sum(m.COSTS[made.form] for made in one.conclusions) for one in claims}
        scale = sum(told.values()) / sum(estimated[name] for name in told) if told else 1
        costs = {name: told.get(name, scale * cost) for name, cost in estimated.items()}
        parts = [m.part_of(claims, number + 1, 1 + turn % 4, told | {"gone": 1e9}) for number in range(1 + turn % 4)]
        place = {one.id: number for number, part in enumerate(parts) for one in part}
        assert sum(map(len, parts)) == len(place) == len(claims)
        assert all(part == [one for one in claims if one in part] for part in parts)
        loads = [0.0] * len(parts)
        for name in sorted(costs, key=lambda name: (-costs[name], name)):
            assert place[name] == loads.index(min(loads))
            loads[place[name]] += costs[name]


def what_no_part_decided_is_missing(m):
    """Three claims, each in one of two files or in none, which were stopped or not."""
    same = {key: [key] for key in SAME} | {"asked": ["b", "a", "c"]}
    for places, stopped in itertools.product(itertools.product((0, 1, None), repeat=3), itertools.product("xy ", repeat=2)):
        files = {
            f"{k}.json": same
            | {
                "shard": k,
                "claims": [{"id": name, "by": k} for name, place in zip("abc", places, strict=True) if place == k],
            }
            | ({} if why == " " else {"stopped": why})
            for k, why in enumerate(stopped)
        }
        data, missing = m.merged(files)
        by = dict(zip("abc", places, strict=True))
        gone = [name for name in "bac" if by[name] is None]
        ended = [(name, why) for name, why in zip(files, stopped, strict=True) if why != " "]
        told = {"stopped": "; ".join(why for _, why in ended)} if ended else {}
        found = [{"id": name, "by": by[name]} for name in "bac" if by[name] is not None]
        assert data == same | {"shard": None, "claims": found} | told
        assert missing == [f"{name} was stopped by {why}" for name, why in ended] + [
            f"{n} is in none of the files" for n in gone
        ]
    part = same | {"claims": [{"id": "a"}]}
    for key in SAME:
        with pytest.raises(m.ShardError, match=f"one and last are not parts of one run: they differ in {key}$"):
            m.merged({"one": part, "two": same | {"claims": []}, "last": same | {"claims": [], key: ["other"]}})
    with pytest.raises(m.ShardError, match="a is decided twice, once in last"):
        m.merged({"one": part, "two": same | {"claims": []}, "last": part})


def some_tally(k: int, **more) -> Tally:
    counts = {name: 100 * k + place for place, name in enumerate(COUNTS, 1)}
    tally = Tally(f"slack{k}", Form.STATE.value, **(counts | more))
    tally.decided_by.update({Known.NUMERICAL: 31, Known.CERTIFIED: 32, Known.EXACT: 33})
    tally.kinds.update({"y": 41, "x": 42})
    tally.reasons.update({"late": 51, "early": 52})
    tally.tightest, tally.violation = {"slack": "1"}, {"slack": "-1"}
    tally.readings = [{"at": "seen"}]
    return tally


def reports() -> Iterator[Report]:
    """Every standing and origin, with a violation, an error, an objection of mpmath, an end before the end, or none."""
    told = ({}, {"violated": 0}, {"error": "lost"}, {"objection": {"told": "outside"}}, {"violated": 0, "holds": 0})
    for standing, origin, more, unfinished in itertools.product(Standing, Origin, told, (0, 1)):
        tallies = [some_tally(1, agreement=12.39, violated=0), some_tally(2, **more)]
        yield Report("paper.claim", ("Thm 1", "Thm 2"), origin, standing, tallies, 1.23456, unfinished, "own.py")


def same_when_read(found, data, report_of):
    """Nothing is lost on the way through a file but digits."""
    again = report_of(json.loads(json.dumps(data)))
    assert again == replace(found, seconds=1.235, tallies=[replace(found.tallies[0], agreement=12.3), found.tallies[1]])


def what_is_written_is_what_was_found(m):
    for found in reports():
        data = m.report_json(found)
        same_when_read(found, data, shards.report_of)
        assert (data["borne_out"], data["news"], data["standing"]) == (found.borne_out, found.is_news, found.standing_word)
        assert data["why_not"] == (found.why if found.borne_out is False else "")
        assert [*data["conclusions"][0]["kinds"]] == ["x", "y"]


def what_was_written_is_read_again(m):
    for found in reports():
        same_when_read(found, report.report_json(found), m.report_of)


def what_is_written_of_a_drop_is_what_was_found(m):
    for standing, holds, unbreakable in itertools.product(Standing, (0, 3), ((), ("b",))):
        tally = some_tally(1, dropped=("a", "b"), violated=0, holds=holds, missed=Counter({"y": 1, "x": 2}))
        found = dropping.Drop("paper.claim", ("Thm 1",), Origin.PRINTED, standing, tally, unbreakable, 1.23456)
        data, told = m.drop_json(found), (found.standing_word, found.finding.value, m.tally_json(tally))
        assert (data["standing"], data["finding"], data["conclusion"]) == told
        assert [data[key] for key in ("claim", "refs", "origin")] == ["paper.claim", ["Thm 1"], "printed"]
        assert (data["dropped"], data["no_way_to_break"], data["seconds"]) == (["a", "b"], [*unbreakable], 1.235)
        assert [*data["missed"].items()] == [("x", 2), ("y", 1)]


@pytest.mark.parametrize(("size", "text"), [(7, '{"a":1}'), (6, '{"a":1}'), (9, '{"a":1'), (9, None)])
def test_findings_are_read_whole_or_not_at_all(tmp_path, size, text):
    file = tmp_path / "found.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    if (size, text) == (7, '{"a":1}'):
        assert report.read_output(file, "claims verify", size) == {"a": 1}
        return
    with pytest.raises(report.FindingsError, match=f"found.json {'cannot be read' if text is None else 'is not what'}"):
        report.read_output(file, "claims verify", size)


def what_is_decided_is_told_as_it_ends(m):
    """Conclusions that end in any order, until the run is stopped after some of them: what is decided of each claim."""
    m.Target = SimpleNamespace(of=lambda claim, one: SimpleNamespace(claim=claim.id, conclusion=one.name))
    about = {"refs": (), "origin": Origin.OURS, "standing": Standing.TRUE, "file": None}
    asked = {"x": "ab", "y": "", "z": "c"}
    claims = [
        SimpleNamespace(id=key, conclusions=[SimpleNamespace(name=name) for name in names], **about)
        for key, names in asked.items()
    ]
    for order, stop in itertools.product(itertools.permutations(["xa", "xb", "zc"]), range(4)):

        def run_tasks(targets, *_, order=order, stop=stop):
            by_name = {one.claim + one.conclusion: one for one in targets}
            for place, name in enumerate(order[:stop]):
                yield by_name[name], Tally(name[1], "state", holds=1), 2.0**place
            if stop < 3:
                raise KeyboardInterrupt

        m.run_tasks, found, stopped = run_tasks, [], False
        try:
            found.extend(m.verify(claims, 1, 0, None, 1))
        except KeyboardInterrupt:
            stopped = True
        assert stopped == (stop < 3)
        assert [one for one in found if isinstance(one, str)] == [f"{name[0]}: {name[1]}" for name in order[:stop]]
        reports = {one.claim: one for one in found if not isinstance(one, str)}
        assert len(found) == len(reports) + stop
        assert set(reports) == {"y"} | {name[0] for name in order[:stop]}
        for key, one in reports.items():
            spent = {name[1]: 2.0**place for place, name in enumerate(order[:stop]) if name[0] == key}
            assert "".join(tally.name for tally in one.tallies) == "".join(sorted(spent))
            assert (one.unfinished, one.seconds) == (len(asked[key]) - len(spent), sum(spent.values()))


def what_a_formula_raises_is_an_error_of_its_conclusion(m):
    """So is the end of its process; a run that is stopped is stopped."""
    target = Mock(conclusion="a", dropped=("b",))
    target.resolve.return_value.conclusion.form = Form.STEP
    for error in (ValueError("planted"), SystemExit("planted"), RecursionError("planted"), KeyboardInterrupt("planted")):
        m.run_task = Mock(side_effect=error)
        if isinstance(error, KeyboardInterrupt):
            with pytest.raises(KeyboardInterrupt):
                m.run_whatever_happens(target, 1, 0, None)
            continue
        for tally, seconds in (m.run_whatever_happens(target, 1, 0, None), m._lost(target, 1, 0, None)):
            assert (tally.name, tally.form, tally.dropped, tally.instances) == ("a", "step", ("b",), 0)
            assert tally.error.startswith(f"{type(error).__name__}: planted (line ") or tally.error == m.ENDED
            assert 0 <= seconds < 1


def an_enclosure_is_written_as_far_as_it_is_needed(m):
    """Only of a flow of the suite that the checker states, of exact numbers, and of no more bytes than are allowed."""
    suite, other = type("Flow", (), {"__module__": "dynamics.tokens"}), type("Flow", (), {"__module__": "own"})
    m.is_stated = lambda name: stated
    m.up_to = lambda trajectory, time: SimpleNamespace(cut=time)
    m.as_text = lambda data: "x" * 9 + "é"

    def certificate(trajectory, decided):
        if not exact:
            raise ValueError("0.1")
        (one,) = decided
        return Mock(to_json=lambda: (getattr(trajectory, "cut", None), one.claim, one.conclusion, one.verdict))

    m.as_certificate = certificate
    everything = itertools.product((suite, other, None), (True, False), (True, False), Outcome, (True, False), ("", "far"))
    for flow, stated, exact, outcome, seen, remark in everything:
        trajectory, witness = flow and SimpleNamespace(origin=flow()), SimpleNamespace(times=(3, 4)) if seen else None
        verdict = Verdict(outcome, Known.CERTIFIED, None, "too long", witness=witness, trajectory=trajectory)
        if flow is suite and stated and exact:
            cut = 3 if outcome is Outcome.VIOLATED and seen else None
            expected = (cut, "a", "b", f"{outcome.value} {remark}".strip())
            assert m.enclosure("a", "b", verdict, remark) == m.enclosure("a", "b", verdict, remark, 11) == expected
            with pytest.raises(m.NoEnclosureError, match="takes 11 bytes, and no more than 10"):
                m.enclosure("a", "b", verdict, remark, 10)
            continue
        why = (
            "too long"
            if flow is None
            else "not all of its numbers"
            if flow is suite and stated
            else "no statement of the flow"
        )
        with pytest.raises(m.NoEnclosureError, match=why):
            m.enclosure("a", "b", verdict, remark)


PARTS = (
    a_part_is_one_of_so_many,
    the_costliest_goes_to_the_part_with_least_to_do,
    what_no_part_decided_is_missing,
    what_was_written_is_read_again,
)
WRITTEN = (what_is_written_is_what_was_found, what_is_written_of_a_drop_is_what_was_found)
FACTS = {
    shards: PARTS,
    report: WRITTEN,
    enclosing: (an_enclosure_is_written_as_far_as_it_is_needed,),
    tasks: (what_is_decided_is_told_as_it_ends, what_a_formula_raises_is_an_error_of_its_conclusion),
}


@pytest.mark.parametrize("module", FACTS, ids=lambda module: module.__name__)
def test_what_is_written_of_a_run(module):
    for fact in FACTS[module]:
        fact(planted(module))


@bugs_in(*FACTS)
def test_a_bug_planted_in_what_is_written_is_noticed(bug):
    assert bug.is_noticed(FACTS[bug.module])
