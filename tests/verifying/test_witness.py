"""What a certificate is given of a violation: the entry that was decided, at simple times, to the digits, with room."""

from __future__ import annotations

import time
from contextlib import nullcontext

import flint
import numpy as np
import pytest
from flint import arb, fmpq

from claims.stating.statement import Conclusion, Form, Tail
from claims.stating.verdict import Outcome, Verdict, Witness
from claims.verifying import witness as ready
from claims.verifying.deciding import Effort, check
from claims.verifying.witness import witnessed
from dynamics.arithmetic import UndecidedError, exp, numbers
from dynamics.choices import Ball, numbers_are_closed
from dynamics.enclosures.steps import enclosures
from dynamics.findings import tell
from tests.planting import bugs_in, facts_above
from tests.verifying.made_up import CHAIN, FLOW, LOGISTIC


def state(slack, relation=">= 0"):
    return Conclusion("planted", Form.STATE, relation, lambda f: numbers(slack(f)))


def along(slack, horizon=1):
    return Conclusion("planted", Form.TRAJECTORY, "> 0", slack, horizon=lambda start: fmpq(horizon))


def falling(now, start):
    return np.array([start.u[0], fmpq(1, 4) - now.tau.item()], dtype=object)


def made_ready(conclusion, system, horizon=None):
    verdict = check(conclusion, system)
    return verdict.witness, witnessed(conclusion, system, verdict, Effort(), horizon).witness


def test_a_slack_at_a_state_is_enclosed_to_fourteen_digits_by_no_more_bits_than_that_takes():
    decided, found = made_ready(state(lambda f: np.concatenate([f.x[:1, 0], exp(-exp(f.x[:1, 0] * -200)) - 1])), FLOW)
    assert (decided.entry, decided.bits) == (found.entry, 1024) == ((1,), 1024)
    assert found.bits == 512
    assert found.slack.rad() * 10**14 < abs(found.slack.mid())
    decided, found = made_ready(state(lambda f: 1 + f.x / 2**20 - exp(f.x / 2**20)), FLOW)
    assert (decided.bits, found.bits) == (64, 128), "its sign is seen before its digits"
    assert decided.slack.rad() * 10**14 > abs(decided.slack.mid())


def test_an_exact_slack_stays_exact():
    decided, found = made_ready(state(lambda f: f.x - 1), FLOW)
    assert decided.slack == found.slack == -1
    assert (found.bits, found.facts) == (64, ())


def test_facts_are_asked_for_once_the_violation_is_to_be_written():
    def telling(f):
        tell("recurrence", start=f.to_json(), since=1, period=2)
        return f.x - 1

    decided, found = made_ready(state(telling), FLOW)
    assert decided.facts is None
    assert found.facts == ({"kind": "recurrence", "start": None, "since": 1, "period": 2},)


def test_a_trajectory_violates_at_a_simple_time_up_to_the_horizon_given():
    decided, found = made_ready(along(falling), LOGISTIC)
    assert (decided.entry, found.entry, found.times) == ((1,), (1,), (1,))
    assert found.slack.contains(arb(fmpq(-3, 4)))
    _, found = made_ready(along(falling), LOGISTIC, fmpq(3, 4))
    assert found.times == (fmpq(1, 2),)
    assert found.slack.contains(arb(fmpq(-1, 4)))


def test_where_no_simple_time_shows_it_the_violation_is_the_one_decided(monkeypatch):
    monkeypatch.setattr(ready, "_simple_times", lambda horizon: iter(()))
    decided, found = made_ready(along(falling), LOGISTIC)
    assert (found.entry, found.times, found.bits) == (decided.entry, decided.times, decided.bits)
    assert found.slack.contains(decided.slack)


def test_a_verdict_that_does_not_say_where_is_refused():
    with pytest.raises(ValueError, match="does not say where"):
        witnessed(state(lambda f: f.x - 1), FLOW, Verdict(Outcome.VIOLATED, None, fmpq(-1)), Effort())


# ---------------------------------------------------------------------------------------------------------------------
# Facts that planted bugs break


def both_ends_have_room(m):
    for bits, slack in ((36, arb(-2, 2.0**-20)), (20, arb(2, 1)), (12, arb(-1))):
        room = m._with_room(Witness((), slack, 64), bits)
        assert room.facts == ()
        for end, out in ((slack.lower(), -1), (slack.upper(), 1)):
            assert room.slack.contains(end + out * abs(end) * arb(2) ** (-bits - 1))
            assert not room.slack.contains(end + out * abs(end) * arb(2) ** (1 - bits))


def each_form_has_its_room(m):
    chance = Conclusion("planted", Form.PROBABILITY, ">= 0", lambda f: Tail(f, arb(-3)))
    limit = Conclusion(
        "planted",
        Form.LIMIT,
        "> 0",
        lambda caught, start: numbers(Ball(arb(-1))),
        times=lambda start: [fmpq(1)],
        trap=lambda state: state.tau,
    )
    for conclusion, system, bits in ((chance, CHAIN, 12), (limit, LOGISTIC, 20), (along(falling), LOGISTIC, 36)):
        verdict = check(conclusion, system)
        found = m.witnessed(conclusion, system, verdict, Effort()).witness
        assert found.facts == ()
        end = abs(found.slack.lower())
        before = abs(arb(verdict.witness.slack if bits < 36 else fmpq(-3, 4)).lower())
        assert arb(2) ** (-bits - 1) < end / before - 1 < arb(2) ** (1 - bits)


def an_exact_limit_stays_exact_and_rests_on_no_facts(m):
    limit = Conclusion(
        "planted",
        Form.LIMIT,
        "> 0",
        lambda caught, start: numbers(fmpq(-1, 3)),
        times=lambda start: [fmpq(1)],
        trap=lambda state: state.tau,
    )
    found = m.witnessed(limit, LOGISTIC, check(limit, LOGISTIC), Effort()).witness
    assert (found.slack, found.facts) == (fmpq(-1, 3), ())


def what_no_longer_shows_the_violation_is_not_taken(m):
    def fading(f):
        return np.array([Ball(arb(-1, "0.5") if flint.ctx.prec <= 64 else arb(0, 1))], dtype=object)

    conclusion = state(fading)
    assert m.witnessed(conclusion, FLOW, check(conclusion, FLOW), Effort()).witness.slack < 0


def simple_times_are_multiples_up_to_the_horizon(m):
    for horizon in (fmpq(1), fmpq(7, 3), fmpq(1, 100), fmpq(64), fmpq(100)):
        grids = list(m._simple_times(horizon))
        assert all(0 < time <= horizon for grid in grids for time in grid)
        assert all(grid == [grid[0] * (k + 1) for k in range(len(grid))] for grid in grids if grid)
        assert max(map(len, grids), default=0) > m.GRID / 4 or horizon > m.GRID
        assert all(horizon - grid[-1] < grid[0] for grid in grids if grid)


def the_worst_of_the_simple_times_is_taken(m):
    for worst in (1, 2, 3):
        conclusion = along(lambda now, start, worst=worst: abs(now.tau - worst) - 3, 3)
        verdict = m.witnessed(conclusion, LOGISTIC, check(conclusion, LOGISTIC), Effort())
        assert verdict.witness.times == (worst,)
    shorter = m.witnessed(along(falling), LOGISTIC, check(along(falling), LOGISTIC), Effort(), fmpq(3, 4))
    assert shorter.trajectory.horizon == fmpq(3, 4)


def what_is_open_at_few_bits_or_without_closed_forms_is_looked_at_further(m):
    for tells, bits in ((lambda: flint.ctx.prec >= 128, (256, 128)), (numbers_are_closed, (1024, 512))):

        def late(f, tells=tells):
            if not tells():
                raise UndecidedError("open")
            return exp(-f.x) - 2

        verdict = check(state(late), FLOW)
        assert (verdict.witness.bits, m.witnessed(state(late), FLOW, verdict, Effort()).witness.bits) == bits


def a_simple_time_is_looked_for_until_the_deadline(m):
    asked, verdict = [], check(along(falling), LOGISTIC)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(m, "within", lambda seconds: asked.append(seconds) or nullcontext())
        for left in (1000, -1000):
            m.witnessed(along(falling), LOGISTIC, verdict, Effort(), deadline=time.monotonic() + left)
    assert 900 < asked[0] <= 1000
    assert asked[1] == m.SPARE_SECONDS


def no_more_bits_are_tried_than_the_violation_took(m):
    tried, verdict = [], check(along(falling), LOGISTIC)

    def counted(*given, **named):
        for trajectory in enclosures(*given, **named):
            tried.append(trajectory.bits)
            yield trajectory

    before, m.enclosures = m.enclosures, counted
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(m, "_simple_times", lambda horizon: iter(()))
            m.witnessed(along(falling), LOGISTIC, verdict, Effort())
    finally:
        m.enclosures = before
    assert tried == [verdict.witness.bits]


FACTS = facts_above(globals())


@pytest.mark.parametrize("fact", FACTS)
def test_what_is_made_ready(fact):
    fact(ready)


@bugs_in(ready)
def test_a_bug_planted_in_making_ready_is_noticed(bug):
    assert bug.is_noticed(FACTS)
