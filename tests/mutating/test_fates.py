"""The fate of a mutant, against every case of what verification, falsehoods and the search may say of it."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import pytest
from flint import fmpq

from claims.mutating import trial
from claims.mutating.rewriting import Mutant
from claims.mutating.trial import Baseline, Falsehood, Fate, Result, Trial, TrialStatus
from claims.stating.catalogue import catalogue
from claims.stating.statement import Form, Relation
from claims.stating.verdict import Known, Outcome, Verdict
from claims.targets.target import Target
from claims.verifying.tallies import Tally
from tests.planting import facts_above, planted

TARGET = Target("localmax.hull_shrinks", "supports_contract")


def mutant(name="a: 1 => 2", index=0, farther=None):
    return Mutant(index, name, "constant", "m", "text", farther)


def a_trial(word=TrialStatus.SURVIVED, proof=None, others=(), instances=(), first=0, starts=8):
    return Trial(TARGET, mutant(), Baseline(word, instances, first), proof, 8, starts, 5, 60.0, others)


def a_word_is_what_weighs_most(m):
    """A violation outweighs all; what rests on floats alone is evidence; what was left open weighs more than nothing."""
    for violated, undecided, vacuous in product((0, 2), repeat=3):
        for by in product((0, 1), repeat=len(Known)):
            decided = Counter({known.value: count for known, count in zip(Known, by, strict=True) if count})
            tally = Tally("a", "state", holds=sum(by), violated=violated, undecided=undecided, vacuous=vacuous)
            tally.decided_by = decided
            holds = TrialStatus.EVIDENCE if set(decided) == {Known.NUMERICAL.value} else TrialStatus.SURVIVED
            nothing = TrialStatus.UNDECIDED if undecided else TrialStatus.VACUOUS
            assert m.word_of(tally) == (TrialStatus.VIOLATED if violated else holds if decided else nothing)


def a_proof_stands_for_what_survives_and_not_for_what_is_noticed(m):
    """Others of the claim that the same text changes may notice it, too: the first that does is told."""
    m.within = lambda *_: nullcontext()
    for fate, by, proof, others in product(
        Fate, ("verify", "falsehood", "hunt"), (None, "a proof"), product((False, True), repeat=2)
    ):
        results = {0: m.Result(m.Fate(fate), by, "why")}
        for index, kills in enumerate(others, 1):
            results[index] = m.Result(m.Fate.KILLED if kills else m.Fate.SURVIVED, "hunt", f"by {index}")
        tried = []
        m._tried = lambda one, tried=tried, results=results: tried.append(one.mutant.index) or results[one.mutant.index]
        rest = tuple(m.Trial(TARGET, mutant(f"c{k}, in f: 1 => 2", k), None, None, 1, 1, 0, 1.0) for k in (1, 2))
        found = m.run_trial(m.Trial(TARGET, mutant(), None, proof, 1, 1, 0, 1.0, rest))
        asked = fate in {Fate.SURVIVED, Fate.NOT_DECIDED}
        killer = next((k for k in (1, 2) if others[k - 1]), None) if asked else None
        assert tried == [0, *range(1, (killer or 2) + 1)] if asked else [0]
        final, told, reason = (fate, by, "why") if killer is None else (Fate.KILLED, "hunt", f"c{killer}: by {killer}")
        if proof is not None and final is Fate.KILLED and told != "falsehood":
            told = f"{told}, though declared equivalent"
        elif proof is not None and final in {Fate.KILLED, Fate.SURVIVED, Fate.NOT_DECIDED}:
            final, told, reason = Fate.EQUIVALENT, "", "a proof"
        assert (found.fate, found.by, found.reason) == (final, told, reason)
        assert found.seconds >= 0

    def late(_):
        raise m.OutOfTimeError

    m._tried = late
    found = m.run_trial(m.Trial(TARGET, mutant(), None, None, 1, 1, 0, 2.5))
    assert (found.fate, found.reason) == (Fate.NOT_DECIDED, "not finished in 2.5 s")


def what_is_noticed_is_noticed_by_the_first_that_says_so(m):
    """Verification, then falsehoods, then the search; a statement that said nothing before is not decided."""
    claim = SimpleNamespace(id="c", standing=None)
    m._as_true, m.examples_of, m.Variant = (lambda claim: claim), (lambda _, count: count), (lambda *_: None)
    m.instance_of = lambda _, data: data
    m.slack_text = lambda *_: "-1"
    original = SimpleNamespace(relation=Relation.NONNEGATIVE)
    remarks, either = ("", "slack above the original's, never", "the same"), product((True, False), repeat=2)
    for before, known, after, remark, refuted, found in product(
        m.TrialStatus, (False, True), m.TrialStatus, remarks, either, (False, True)
    ):
        examples, hunted = [], m.Result(m.Fate.KILLED, "hunt") if found else None
        m.decide = lambda _, data, *__, known=known, **___: Verdict(
            Outcome.VIOLATED if known else Outcome.HOLDS, Known.EXACT
        )
        tally = Tally("a", "state", violated=0, reasons=Counter({"why": 2, "other": 1}))
        tally.violation = {"instance": {"x": 3}, "slack": "-3"} if after is m.TrialStatus.VIOLATED else None
        m.verify_conclusion = lambda one, conclusion, count, *_, examples=examples, tally=tally, **__: (
            examples.append(count) or tally
        )
        m.word_of = lambda _, after=after: after
        m._difference = lambda *_: "difference"
        m._beside = lambda *_, remark=remark: remark
        m.falsehoods = lambda *_, refuted=refuted: iter(
            [SimpleNamespace(is_refuted=lambda *_, refuted=refuted: refuted[1], __str__=lambda _: "f")]
        )
        m._is_refuted_unchanged = lambda *_, refuted=refuted: refuted[0]
        m._hunted = lambda *_, hunted=hunted: hunted
        one = a_trial(before, instances=({"x": 1},), first=3)
        result = m._noticed(one, claim, original, SimpleNamespace(relation=Relation.NONNEGATIVE, form=Form.STATE))
        false = before is m.TrialStatus.VIOLATED
        violated = m.Fate.REFUTED_TOO if false else m.Fate.KILLED
        cases = [
            (before in {m.TrialStatus.UNDECIDED, m.TrialStatus.VACUOUS}, (m.Fate.NOT_DECIDED, "")),
            (known, (violated, "verify")),
            (after is m.TrialStatus.VIOLATED, (violated, "verify")),
            (after in {m.TrialStatus.UNDECIDED, m.TrialStatus.VACUOUS}, (m.Fate.KILLED, "verify")),
            (false and found, (m.Fate.KILLED, "hunt")),
            (false, (m.Fate.KILLED, "verify")),
            (remark.startswith("slack above"), (m.Fate.WEAKER, "")),
            (refuted == (True, False), (m.Fate.KILLED, "falsehood")),
            (found, (m.Fate.KILLED, "hunt")),
            (True, (m.Fate.SURVIVED, "")),
        ]
        assert (result.fate, result.by) == next(told for applies, told in cases if applies)
        if known and not cases[0][0]:
            assert (result.instance, result.slack) == ({"x": 1}, "-1")
        if examples:
            assert examples == [max(8, 8 * m.PATIENCE * 3 // 8) if false else 8]
        if after in {m.TrialStatus.UNDECIDED, m.TrialStatus.VACUOUS} and examples:
            assert result.reason == f"not borne out: {after}, why"
    strict = SimpleNamespace(relation=Relation.POSITIVE), SimpleNamespace(relation=Relation.NONNEGATIVE)
    for before in (m.TrialStatus.SURVIVED, m.TrialStatus.EVIDENCE):
        assert m._noticed(a_trial(before), claim, *strict).fate is m.Fate.WEAKER


def a_chain_ends_where_the_farthest_is_not_noticed(m):
    for fate, proof in product(Fate, (None, "a proof")):
        trials = [replace(a_trial(proof=proof), mutant=mutant(f"a: 1 => {k}")) for k in (3, 2)]
        tried = []
        m.run_trial = lambda one, tried=tried, fate=fate: tried.append(one) or m.Result(m.Fate(fate), "by", "why")
        first, second = m.run_chain(trials)
        noticed = fate in {Fate.KILLED, Fate.REFUTED_TOO, Fate.NO_STATEMENT}
        assert tried == (trials if noticed else trials[:1])
        assert first.fate == fate
        if not noticed:
            assert second.fate == (Fate.EQUIVALENT if proof and fate is Fate.SURVIVED else fate)
            assert (second.by, second.reason) == ("by", "as with 3: why")
    some = [mutant("far"), mutant("near", farther="far"), mutant("alone"), mutant("nearest", farther="far")]
    assert [[one.name for one in chain] for chain in m.chains(some)] == [["far", "near", "nearest"], ["alone"]]


def a_search_is_made_of_what_can_be_hunted(m):
    claim = SimpleNamespace(id="c")
    m.examples_of, m.Variant = (lambda _, count: 10 * count), (lambda *told: told)
    for starts, form, trap, before, violations in product(
        (0, 8), (Form.LIMIT, Form.STATE), (None, 1), m.TrialStatus, (0, 2)
    ):
        asked = []
        found = {"violations": [{"instance": {"x": k}, "slack": f"-{k}"} for k in range(1, violations + 1)]}
        m.searched = lambda *told, asked=asked, found=found: asked.append(told) or found
        conclusion = SimpleNamespace(form=form, trap=trap)
        one = a_trial(before, instances=({"x": 0},), starts=starts)
        result = m._hunted(one, claim, conclusion)
        possible = starts and (form is Form.STATE or trap)
        assert len(asked) == bool(possible)
        if possible:
            (variant, entropy, count, known) = asked[0]
            assert (variant, entropy[0], count) == ((claim, conclusion, ()), 5, 80)
            assert known == ([] if before is m.TrialStatus.VIOLATED else [{"x": 0}])
        fate = Fate.REFUTED_TOO if before is m.TrialStatus.VIOLATED else Fate.KILLED
        expected = (fate, "hunt", "VIOLATED", {"x": 1}, "-1")
        said = result and (result.fate, result.by, result.reason, result.instance, result.slack)
        assert said == (expected if possible and violations else None)


def falsehoods_are_those_that_may_be_refuted(m):
    """The opposite where there is one, each constant larger by one, each assumption that can be broken."""
    told = {Falsehood(): "its opposite", Falsehood("rate"): "rate + 1", Falsehood(without="a"): "without a"}
    assert all(str(m.Falsehood(one.constant, one.without)) == text for one, text in told.items())
    for claim in list(catalogue().values())[::40]:
        for conclusion in claim.conclusions:
            expected = [] if conclusion.relation is Relation.ZERO else ["its opposite"]
            expected += [f"{name} + 1" for name in conclusion.constants]
            if not m.is_costly(conclusion):
                expected += [f"without {one.name}" for one in claim.assumptions_of(conclusion) if one.violate is not None]
            reading = conclusion.form is Form.LIMIT and conclusion.trap is None
            assert [str(one) for one in m.falsehoods(claim, conclusion)] == ([] if reading else expected)
    asked = []
    conclusion = SimpleNamespace(constants={"rate": 3}, sharpened=lambda **told: told, reversed=lambda: "reversed")
    m.dropped_from, m._as_true = (lambda claim, conclusion, names: names), (lambda claim: f"{claim}, true")
    for violated in (0, 1):
        m.verify_conclusion = lambda *told, violated=violated, **_: asked.append(told) or SimpleNamespace(violated=violated)
        for one, changed, without in (
            (m.Falsehood(), "reversed", ()),
            (m.Falsehood("rate"), {"rate": 4}, ()),
            (m.Falsehood(without="a"), conclusion, ("a",)),
        ):
            assert one.is_refuted("claim", conclusion, 7, 3) is bool(violated)
            assert asked[-1] == ("claim, true", changed, 7, 3, m.EFFORT, without)
    m.verify_conclusion = lambda *_, **__: 1 / 0
    assert m.Falsehood().is_refuted("claim", conclusion, 7, 3) is None


class Difference(str):
    """A name, of which the opposite is the old one."""

    __slots__ = ()

    def reversed(self):
        return "old"


def slacks_are_compared_by_how_they_lie_to_the_original(m):
    """Never below it and above somewhere it is weaker, unless the search finds one below; equal on all it is the same."""
    for below, above, holds, hunted in product((0, 2), (0, 3), (0, 5), (False, True)):
        tallies = {"new": Tally("a", "state", violated=below, holds=holds), "old": Tally("a", "state", violated=above)}
        asked = []
        m.verify_conclusion = lambda _, which, *told, tallies=tallies, asked=asked, **__: (
            asked.append(told[0]) or tallies[which]
        )
        result = Result(Fate.KILLED) if hunted else None
        m._hunted = lambda one, *_, result=result, asked=asked: asked.append(one.starts) or result
        told = m._beside(a_trial(), None, Difference("new"))
        weaker = not below and above and not hunted
        same = not below and not above and holds
        expected = f"slack above the original's, never below it on {holds} instances" if weaker else ""
        assert told == (f"the same slack on {holds} instances" if same else expected)
        assert asked == [8, 8] + [2] * bool(not below and above)
    assert m._above([fmpq(3), fmpq(1)], [fmpq(1), fmpq(2)]).tolist() == [2, -1]


FACTS = facts_above(globals())


@pytest.mark.parametrize("fact", FACTS)
def test_fates(fact):
    fact(planted(trial))
