"""Facts of what decides chances: enclosures and counts whose verdict is known; planted bugs break each."""

from __future__ import annotations

import math
from itertools import count, product
from types import SimpleNamespace

import numpy as np
import pytest
from flint import arb

from claims.stating.statement import Conclusion, Form, Tail
from claims.stating.verdict import Known
from claims.verifying import chances
from dynamics import arithmetic
from dynamics.arithmetic import UndecidedError, working_precision
from dynamics.enclosures.escapes import EscapeProbability
from dynamics.escapes.times import Enclosure
from tests.planting import bugs_in, facts_above
from tests.verifying.made_up import CHAIN, HOLDS, UNDECIDED, VIOLATED

SHORT = CHAIN.replace(steps=np.array(1))
BRANCHES = 12000


def verdict_on(m, tail):
    return m.check_tail(Conclusion("made_up", Form.PROBABILITY, ">= 0", lambda f: tail), CHAIN, BRANCHES)


# ---------------------------------------------------------------------------------------------------------------------
# Chances


class Enumerated:
    """What an enumeration is said to have found: the same at every pass, or that there is too much to follow."""

    def __init__(self, m, escaped=None, cut=0):
        self.m, self.passes = m, 0
        self.found = None if escaped is None else EscapeProbability(arb(escaped), arb(cut), 1)

    def __call__(self, *given, most_movers=None):
        assert len(given) == 4
        self.passes += 1
        assert self.passes < 40
        return None if most_movers is not None else self.found

    def verdict(self, log_bound, reverse=False, simulate=None, straight=0):
        names = ("_escapes", "simulate_escapes", "_decide_by_law", "counted_bound", "chance_of_straight_picks")
        self.passes, before = 0, {name: getattr(self.m, name) for name in names}
        self.m._escapes = self
        # The law, and a count of picks, tell of the chain itself, not of what is said to be found.
        self.m._decide_by_law, self.m.counted_bound = (lambda *given: None), (lambda *given: arb(1))
        self.m.chance_of_straight_picks = lambda *given: arb(straight)
        if simulate is not None:
            self.m.simulate_escapes = simulate
        try:
            return verdict_on(self.m, Tail(CHAIN, arb(log_bound), reverse))
        finally:
            for name, was in before.items():
                setattr(self.m, name, was)


def what_was_cut_may_have_escaped_or_not(m):
    between = Enumerated(m, escaped="0.1", cut="0.5")
    for reverse in (False, True):
        assert between.verdict("-1", reverse).outcome is UNDECIDED
        assert between.passes > 2
    assert Enumerated(m, "0.1", "0.2").verdict("-1").outcome is HOLDS
    assert Enumerated(m, "0.5", "0.2").verdict("-1").outcome is VIOLATED


def straight_picks_exceed_a_bound_or_say_nothing(m):
    known = Enumerated(m).verdict("-1", straight="0.5")
    assert (known.outcome, known.known) == (VIOLATED, Known.CERTIFIED)
    assert "the same one" in known.reason
    assert known.slack.overlaps(-1 - arb("0.5").log())
    for straight in ("0.2", arb(-1).exp()):
        assert Enumerated(m, escaped="0.1", cut="0.1").verdict("-1", straight=straight).outcome is HOLDS


def a_tie_with_nothing_cut_is_left_at_once(m):
    tie = Enumerated(m, escaped=arb("0.4", "0.1"))
    assert tie.verdict("-1").outcome is UNDECIDED
    assert tie.passes == 2


def a_reverse_statement_has_the_reverse_slack(m):
    with working_precision(128):
        for escaped, outcome in (("0.1", HOLDS), ("0.9", VIOLATED)):
            straight, back = (Enumerated(m, escaped).verdict("-1", reverse) for reverse in (False, True))
            assert straight.outcome is outcome
            assert back.outcome is not outcome
            assert (straight.slack > 0) is (outcome is HOLDS)
            assert (back.slack > 0) is (back.outcome is HOLDS)


def a_chance_below_one_is_not_at_least_one(m):
    assert Enumerated(m, "0.5").verdict("0.01").known is None
    assert Enumerated(m, "0.5").verdict("0.01", reverse=True).outcome is VIOLATED


def runs_tell_no_more_than_they_count(m):
    asked = []

    def runs(count_surely, count_possibly):
        def simulate(chain, wanted, rng):
            asked.append(wanted)
            return int(count_surely * wanted), int(count_possibly * wanted)

        asked.clear()
        return simulate

    unknown = Enumerated(m)
    assert unknown.verdict("-1", simulate=runs(0, 1)).outcome is UNDECIDED
    assert sum(asked) == m.LOOKS[-1]
    assert unknown.verdict("-1", simulate=runs(1, 1)).outcome is VIOLATED
    held = unknown.verdict("-1", simulate=runs(0, 0))
    assert (held.outcome, held.known, held.slack) == (HOLDS, Known.STATISTICAL, None)
    # (1 - p)^256 = 2^-65.5: none in 256 runs is too likely for the first of five looks, each of which may err.
    with working_precision(128):
        rare = (1 - arb(2) ** (arb("-65.5") / 256)).log()
    assert "in 1024 runs" in unknown.verdict(rare, simulate=runs(0, 0)).reason
    # No escape is likely enough where p is a thousandth: many runs are needed.
    assert unknown.verdict("-6.9", simulate=runs(0, 0)).outcome is HOLDS
    assert sum(asked) > 4096


def what_rounding_may_change_counts_on_both_sides(m):
    """A bound of 1/100: what runs show of it where their chances are wrong by a factor, or by a chance."""

    def told(factor, chance, share):
        was, m.rounding = m.rounding, lambda *_: SimpleNamespace(ratio=math.log(factor), chance=chance)
        try:
            found = Enumerated(m).verdict(arb("0.01").log(), simulate=lambda chain, wanted, rng: (int(share * wanted),) * 2)
        finally:
            m.rounding = was
        return found.outcome

    for factor, chance, seldom, often in (
        (1, 0.0, HOLDS, VIOLATED), (1, 0.2, UNDECIDED, UNDECIDED), (1, 0.05, UNDECIDED, VIOLATED),
        (1, 1e-3, HOLDS, VIOLATED), (20, 0.0, HOLDS, UNDECIDED), (3, 0.0, HOLDS, VIOLATED),
        (10**4, 0.0, UNDECIDED, UNDECIDED), (3, 0.05, UNDECIDED, VIOLATED), (3, 0.08, UNDECIDED, UNDECIDED),
    ):  # fmt: skip
        assert told(factor, chance, 0) is seldom, (factor, chance)
        assert told(factor, chance, 0.1) is often, (factor, chance)


def told_by(m, low, high, bound, reverse, way):
    """The verdict where one way alone tells of the chance: that it is between `low` and `high`."""
    tail = Tail(SHORT, bound.log(), reverse)
    before = {name: getattr(m, name) for name in ("_escapes", "alone", "chance_before", "counted_bound", "_simulate")}
    straight = m.chance_of_straight_picks
    found = EscapeProbability(low, high - low, 1)
    m._escapes = lambda chain, picks, negligible, branches, most_movers=None: (
        found if (way == "single" and most_movers) or (way == "enumerated" and not most_movers) else None
    )
    m.alone, m.chance_before = (lambda chain: way == "law"), (lambda *given: Enclosure(low, high))
    m.counted_bound = lambda *given: high if way == "count" else arb(1)
    m.chance_of_straight_picks = lambda *given: low if way == "straight" else arb(0)
    m._simulate = lambda *given: m.Verdict(UNDECIDED, None)
    try:
        with working_precision(m.CHAIN_BITS):
            return m._decide_tail(tail, bound, BRANCHES)
    finally:
        for name, was in (before | {"chance_of_straight_picks": straight}).items():
            setattr(m, name, was)


def enclosures_around_a_bound_decide_what_they_tell(m):
    """All orders of the ends of the chance, which are balls or not, and those of the bound, ties among them."""
    sizes = [arb(k) / 8 for k in (1, 2, 3, 4)]
    for way in ("single", "straight", "enumerated", "law", "count"):
        upper = way in ("enumerated", "law", "count")
        lower = way != "count"
        for low, high, least, most in list(product(sizes, repeat=4))[:: 1 if way == "law" else 5]:
            if not (low <= high and least <= most):
                continue
            bound = least.union(most) if least < most else least
            for reverse in (False, True):
                # HOLDS is of P <= bound; a reverse statement is turned around later, and a tie satisfies it.
                expected = UNDECIDED
                if lower and low > bound:
                    expected = VIOLATED
                elif upper and (high < bound or (high <= bound and not reverse)):
                    expected = HOLDS
                found = told_by(m, low, high, bound, reverse, way)
                assert found.outcome is expected
                if found.slack is not None:
                    assert arithmetic.sign(found.slack) in ((0, 1, None) if expected is HOLDS else (-1,))


def told_by_runs(m, bound, simulate, **more):
    """The verdict of runs that float64 rounds by nothing, with other things in their place."""
    more = {"rounding": lambda *_: SimpleNamespace(ratio=0.0, chance=0.0)} | more
    before = {name: getattr(m, name) for name in more}
    vars(m).update(more)
    try:
        with working_precision(m.CHAIN_BITS):
            return Enumerated(m).verdict(arb(bound).log(), simulate=simulate)
    finally:
        vars(m).update(before)


def each_look_spends_its_share_of_the_error(m):
    """No run or every run escapes, with a chance a little below what a look may err by, or a little above."""
    for (look, runs), above in product(enumerate(m.LOOKS), (False, True)):
        with working_precision(m.CHAIN_BITS):
            share = m.SIMULATION_ERROR / 2 ** (look + 2) * arb("1.05" if above else "0.95")
            root = (share.log() / runs).exp()
        for bound, escaped, outcome in ((1 - root, 0, HOLDS), (root, 1, VIOLATED)):
            if bound < arb(2) ** -14:
                continue
            found = told_by_runs(m, bound, lambda chain, wanted, rng, k=escaped: (k * wanted,) * 2)
            if look + above == len(m.LOOKS):
                assert found.outcome is UNDECIDED
            else:
                assert (found.outcome, found.known) == (outcome, Known.STATISTICAL)
                assert f" in {m.LOOKS[look + above]} runs" in found.reason


def a_slack_is_how_far_the_logarithms_are_apart(m):
    """Of what was counted, and of what certainly escapes: as much as the witness says, whose other end is the bound."""
    for bound, share, outcome in ((8, 2, VIOLATED), (2, 8, HOLDS)):
        found = told_by_runs(m, arb(1) / bound, lambda chain, wanted, rng, k=share: (wanted // k,) * 2)
        assert found.outcome is outcome
        assert found.slack.overlaps((arb(share) / bound).log())
    found = Enumerated(m, "0.5").verdict("-1")
    assert found.slack.overlaps(-1 - arb("0.5").log())
    assert found.witness.slack.contains(-1)
    assert found.witness.slack.contains(found.slack.mid())
    assert found.witness.slack.upper() < 0
    held = Enumerated(m, "0.125", "0.125").verdict("-1")
    assert held.slack.overlaps(-1 - arb("0.25").log())


def a_process_ends_when_its_tests_are_spent(m):
    for spent, outcome in ((m.MOST_TESTS - 1, HOLDS), (m.MOST_TESTS, UNDECIDED)):
        assert told_by_runs(m, "0.5", lambda *_: (0, 0), _tests=count(spent + 1)).outcome is outcome


def forced_runs_tell_what_their_interval_tells(m):
    """All orders of the ends and of the bound, for rare escapes; nothing where they are too many, or raise."""
    assert told_by_runs(m, arb(-20).exp(), None, forced_escapes=lambda *_: None, MOST_FORCED=0).outcome is UNDECIDED
    for low, high in product((-math.inf, -21.0, -20.0, -19.0), (-21.0, -20.0, -19.0)):
        if low > high:
            continue
        asked = []
        found = told_by_runs(
            m,
            arb("-20").exp(),
            None,
            forced_escapes=lambda chain, runs, rng: runs,
            interval=lambda runs, error, ends=(low, high), asked=asked: (asked.append((runs, error)), ends)[1],
        )
        assert asked == [(m.FORCED_RUNS, float(m.SIMULATION_ERROR))]
        expected = VIOLATED if low > -20 else HOLDS if high < -20 else UNDECIDED
        assert found.outcome is expected
        assert found.known is (None if expected is UNDECIDED else Known.STATISTICAL)
        if expected is not UNDECIDED:
            assert found.slack.overlaps(-20 - arb(low if expected is VIOLATED else high))


def what_cannot_be_run_is_undecided(m):
    """Nothing is run for a bound that may be 1, nor for too many steps; a step that is open to rounding tells nothing."""
    asked = []

    def refuse(chain, *given):
        asked.append(given[0])
        raise UndecidedError("a tie")

    for log_bound in (arb(0), arb(0, "0.1")):
        assert Enumerated(m).verdict(log_bound, reverse=True, simulate=refuse).outcome is UNDECIDED
    assert asked == []
    assert told_by_runs(m, "0.5", None, rounding=refuse).outcome is UNDECIDED
    assert asked == [int(CHAIN.steps.item()) - 1]
    for most, runs in ((20 * m.FORCED_RUNS, 1), (20 * m.FORCED_RUNS - 1, 0)):
        asked.clear()
        assert told_by_runs(m, arb(-20).exp(), None, forced_escapes=refuse, MOST_FORCED=most).outcome is UNDECIDED
        assert asked == [m.FORCED_RUNS] * runs
    for most, runs in ((20 * m.LOOKS[-1], m.LOOKS[-1]), (20 * m.LOOKS[-1] - 1, m.LOOKS[-2])):
        open_ = told_by_runs(m, "0.5", lambda chain, wanted, rng: (0, wanted), MOST_SIMULATED=most)
        assert open_.reason == f"0 to {runs} escapes in {runs} runs do not tell"


FACTS = facts_above(globals())


@pytest.mark.parametrize("fact", FACTS)
def test_chances(fact):
    fact(chances)


@bugs_in(chances)
def test_a_bug_planted_in_chances_is_noticed(bug):
    assert bug.is_noticed(FACTS)
