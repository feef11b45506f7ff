"""Facts of what decides: made-up slacks, traps, readings and chances whose verdict is known; planted bugs break each."""

from __future__ import annotations

import itertools
from fractions import Fraction
from unittest.mock import Mock, patch

import flint
import mpmath
import numpy as np
import pytest
from flint import arb, fmpq

from claims.stating.experiments import Comparison, Majority, Reading, RecordError, Sample
from claims.stating.statement import ClaimError, Conclusion, Form, Relation
from claims.stating.verdict import Known
from claims.verifying import deciding
from dynamics.arithmetic import UndecidedError, exact, numbers
from dynamics.choices import Ball, numbers_are_closed, plain
from tests.planting import bugs_in, facts_above
from tests.verifying.made_up import HOLDS, LOGISTIC, UNDECIDED, VIOLATED, array, balls

FEW_BITS = deciding.Effort(bits=512)


def verdict_on(m, form, relation, slack, effort=FEW_BITS, system=LOGISTIC, **more):
    return m.check(Conclusion("made_up", form, relation, slack, **more), system, effort)


# ---------------------------------------------------------------------------------------------------------------------
# Slacks at a state


def every_entry_of_an_identity_is_narrow(m):
    for wide in ("1e-3", "1e-50"):
        for entries in ([(0,), (0, wide)], [(0, wide), (0,)], [(0, wide)]):
            found = verdict_on(m, Form.IDENTITY, "== 0", lambda f, entries=entries: balls(*entries))
            assert found.outcome is UNDECIDED
    narrow = verdict_on(m, Form.IDENTITY, "== 0", lambda f: balls((0, "1e-61"), (0, "1e-70")))
    assert (narrow.outcome, narrow.known) == (HOLDS, Known.TO_DIGITS)


def one_ball_among_rationals_is_certified_not_exact(m):
    for entries in ((fmpq(1), Ball(arb(1))), (Ball(arb(1)), fmpq(1))):
        assert verdict_on(m, Form.STATE, "> 0", lambda f, e=entries: array(*e)).known is Known.CERTIFIED
    assert verdict_on(m, Form.STATE, "> 0", lambda f: array(fmpq(1), fmpq(2))).known is Known.EXACT


def a_slack_is_decided_at_the_first_precision_that_tells(m):
    """Before, a comparison in it is open or its sign is; each precision is asked once, an identity in closed form alone."""
    for form, start in ((Form.STATE, 64), (Form.IDENTITY, 256)):
        rungs, relation = [bits for bits in (64, 256, 1024) if bits >= start], "> 0" if form is Form.STATE else "== 0"
        for wait, raises, value in itertools.product(range(len(rungs) + 1), (True, False), (-1, 0, 1)):
            asked, until = [], [*rungs, 1 << 30][wait]

            def slack(f, raises=raises, value=value, asked=asked, until=until, form=form):
                asked.append((flint.ctx.prec, numbers_are_closed()))
                if flint.ctx.prec >= until:
                    return array(fmpq(1), fmpq(value))
                if raises:
                    raise UndecidedError("open")
                return balls((2, 1) if form is Form.STATE else (0, 1), (0, 1))

            found = verdict_on(m, form, relation, slack, deciding.Effort(bits=1024))
            ladder = rungs[: wait + 1]
            if wait == len(rungs):
                assert (found.outcome, found.known, found.witness) == (UNDECIDED, None, None)
                assert found.reason.endswith("1024 bits")
            else:
                broken = form is Form.IDENTITY or value <= 0
                assert (found.outcome, found.known) == (VIOLATED if broken else HOLDS, Known.EXACT)
                assert not broken or found.witness.bits == ladder[-1]
            expected = [(bits, form is Form.IDENTITY or bits > 256) for bits in ladder]
            if found.outcome is VIOLATED and expected[-1][1]:
                expected.append((until, False))
            assert asked == expected


def what_balls_show_as_well_rests_on_them_alone(m):
    for form, relation in ((Form.IDENTITY, "== 0"), (Form.STATE, ">= 0")):
        for shown, known in ((balls((-1, "0.5")), Known.CERTIFIED), (balls((-1, 2)), Known.EXACT), (None, Known.EXACT)):

            def slack(f, shown=shown, relation=relation):
                if numbers_are_closed():
                    return array(fmpq(-3))
                if shown is None or (flint.ctx.prec <= 256 and relation == ">= 0"):
                    raise UndecidedError("open")
                return shown

            found = verdict_on(m, form, relation, slack, deciding.Effort(bits=1024))
            assert (found.outcome, found.known) == (VIOLATED, known)
            assert (found.slack == -3) is (known is Known.EXACT)


def the_widest_defect_of_an_identity_is_told(m):
    near = [Ball(arb(middle, "9e-62")) for middle in ("1e-62", "-5e-62", "2e-62")]
    for entries in itertools.permutations(near):
        found = verdict_on(m, Form.IDENTITY, "== 0", lambda f, entries=entries: array(*entries))
        assert (found.outcome, found.known) == (HOLDS, Known.TO_DIGITS)
        assert plain(found.slack).mid() < -arb("4e-62")
    assert verdict_on(m, Form.IDENTITY, "== 0", lambda f: array(fmpq(0), fmpq(0))).known is Known.EXACT


def a_precision_cap_lies_on_the_ladder(m):
    for bits in (m.LOWEST_BITS, m.HIGHEST_BITS):
        assert m.Effort(bits=bits).bits == bits
    for bits in (0, m.LOWEST_BITS - 1, m.HIGHEST_BITS + 1):
        with pytest.raises(ValueError, match="precision cap"):
            m.Effort(bits=bits)


def what_more_bits_do_not_help_is_asked_once(m):
    asked = []

    def refuse(f):
        asked.append(f)
        error = UndecidedError("a choice that no precision makes")
        error.precision_helps = False
        raise error

    for form in (Form.STATE, Form.PROBABILITY):
        found = verdict_on(m, form, "> 0" if form is Form.STATE else ">= 0", refuse)
        assert (found.outcome, found.reason) == (UNDECIDED, "a choice that no precision makes")
    assert len(asked) == 2


# ---------------------------------------------------------------------------------------------------------------------
# Along trajectories


def along(m, relation, slack, effort=FEW_BITS):
    return verdict_on(m, Form.TRAJECTORY, relation, slack, effort, horizon=lambda start: fmpq(1))


def zero_is_not_positive_along_a_trajectory(m):
    found = {relation: along(m, relation, lambda now, start: array(fmpq(0))).outcome for relation in (">= 0", "> 0")}
    assert found[">= 0"] is HOLDS
    assert found["> 0"] is not HOLDS


def a_sign_that_is_open_inside_holds_nowhere(m):
    for share in (1, 2):
        found = along(m, ">= 0", lambda now, start, share=share: (now.tau - fmpq(1, 3)) * share * (now.tau - fmpq(1, 3)))
        assert found.outcome is UNDECIDED


def the_next_rung_is_climbed_where_the_start_is_open(m):
    def late(now, start):
        if flint.ctx.prec < 128:
            raise UndecidedError("open at the start")
        return array(fmpq(1))

    def caught(state):
        return late(state, state)

    for bits, trajectory_bits in itertools.product((64, 512), (64, 128)):
        effort = deciding.Effort(bits=bits, trajectory_bits=trajectory_bits)
        outcome = HOLDS if min(bits, trajectory_bits) >= 128 else UNDECIDED
        assert along(m, "> 0", late, effort).outcome is outcome
        assert limit(m, lambda seen, start: seen, caught, times=(fmpq(1),), effort=effort).outcome is outcome
        for trap in (None, lambda state: state.u) if bits == 512 else ():
            found = limit(m, lambda *_: balls((1, 2 if flint.ctx.prec < 128 else 0)), trap, times=(fmpq(1),), effort=effort)
            assert found.outcome is outcome
            assert ("is open" in found.reason) == (outcome is UNDECIDED)


def numbers_rounded_without_a_bound_decide_nothing(m):
    for slack in (np.array([0.1]), np.array([0.1], dtype=object)):
        with np.errstate(all="ignore"):
            for form, more in ((Form.TRAJECTORY, {"horizon": lambda start: fmpq(1)}), (Form.STATE, {})):
                assert verdict_on(m, form, "> 0", lambda *given, slack=slack: slack, **more).outcome is UNDECIDED


def as_many_coordinates_as_are_allowed_are_certified(m):
    size = sum(getattr(LOGISTIC, name).size for name in LOGISTIC.moving)
    for coordinates, known in ((size, Known.CERTIFIED), (size - 1, Known.NUMERICAL)):
        found = along(m, "> 0", lambda now, start: now.u[..., :1] + 1, deciding.Effort(bits=64, coordinates=coordinates))
        assert (found.outcome, found.known) == (HOLDS, known)


def evidence_is_no_more_than_the_worst_reading(m):
    few = deciding.Effort(coordinates=0)
    for relation, value, outcome in ((">= 0", 0.0, HOLDS), ("> 0", 0.0, UNDECIDED), ("> 0", np.nan, UNDECIDED)):
        found = along(m, relation, lambda now, start, value=value: np.array([value]), few)
        assert (found.outcome, found.known) == (outcome, Known.NUMERICAL if outcome is HOLDS else None)
    assert "not finite" in along(m, "> 0", lambda now, start: np.array([np.nan]), few).reason
    assert along(m, "> 0", lambda now, start: now.tau - start.tau, few).outcome is HOLDS
    with patch.object(m, "integrate", side_effect=ArithmeticError("too stiff")):
        assert along(m, "> 0", lambda now, start: now.tau + 1, few).outcome is UNDECIDED
    calls = []

    def early(now, start):
        calls.append(now)
        return np.array([-1.0 if len(calls) < 3 else 1.0])

    assert along(m, "> 0", early, few).outcome is UNDECIDED


# ---------------------------------------------------------------------------------------------------------------------
# Limits


def at_least_one(state):
    if state.tau.item() < 1:
        raise UndecidedError("not caught")
    return state.tau


TIMES = (fmpq(1, 2), fmpq(2), fmpq(3))


def limit(m, slack, trap=None, relation="> 0", times=TIMES, effort=FEW_BITS):
    return verdict_on(m, Form.LIMIT, relation, slack, effort, times=lambda start: times, trap=trap)


def the_first_time_that_is_caught_decides(m):
    found = limit(m, lambda tau, start: numbers(tau), at_least_one)
    assert (found.outcome, found.known) == (HOLDS, Known.CERTIFIED)
    assert found.trajectory.horizon == 2
    assert found.reason == "for ever from t = 2 on"
    bad = limit(m, lambda tau, start: -numbers(tau), at_least_one)
    assert (bad.outcome, bad.known, bad.witness.times) == (VIOLATED, Known.CERTIFIED, (2,))


def states_violate_no_limit_and_are_evidence(m):
    seen = []

    def read(states, start, value=1):
        seen.append([state.tau.item() for state in states])
        return array(fmpq(value))

    found = limit(m, read)
    assert (found.outcome, found.known) == (HOLDS, Known.NUMERICAL)
    assert found.trajectory.horizon == 3
    assert found.reason == "read at times up to 3"
    assert [len(taus) for taus in seen] == [3]
    assert limit(m, lambda states, start: array(fmpq(-1))).outcome is UNDECIDED
    assert limit(m, lambda states, start: array(fmpq(1)), relation=">= 0").known is Known.NUMERICAL


def an_open_sign_of_a_limit_holds_nothing(m):
    for trap in (None, at_least_one):
        for entries in (((0, 1),), ((1,), (0, 1)), ((0, 1), (1,))):
            found = limit(
                m, lambda seen, start, e=entries: balls(*e), trap, times=(fmpq(1),), effort=deciding.Effort(bits=64)
            )
            assert found.outcome is UNDECIDED


def a_state_holds_for_no_ever(m):
    with pytest.raises(ClaimError):
        limit(m, lambda state, start: array(fmpq(1)), lambda state: state)
    with pytest.raises(ClaimError, match="makes a trap of what it is given"):
        limit(m, lambda state, start: array(fmpq(1)), lambda state: lambda later: later.tau)


def a_trap_that_more_bits_do_not_help_is_asked_once_each_time(m):
    asked = []

    def never(state):
        asked.append(state)
        error = UndecidedError("never")
        error.precision_helps = False
        raise error

    assert limit(m, lambda seen, start: array(fmpq(1)), never).outcome is UNDECIDED
    assert len(asked) == 3


# ---------------------------------------------------------------------------------------------------------------------
# Experiments


def every_reading_of_an_experiment_agrees(m):
    near, off, lost = Reading("a", 1.0, "1.0"), Reading("b", 3.0, "1.0"), Reading("c", float("nan"), "1.0")
    for readings, outcome in (([near], HOLDS), ([near, off], UNDECIDED), ([lost], UNDECIDED), ([], UNDECIDED)):
        found = verdict_on(m, Form.EXPERIMENT, ">= 0", lambda steps, readings=readings: readings)
        assert found.outcome is outcome
    two = [near, Reading("b", 1.05, "1.0")]
    assert float(verdict_on(m, Form.EXPERIMENT, ">= 0", lambda steps: two).slack) == min(one.slack for one in two)


def every_comparison_that_was_run_is_borne_out(m):
    one, none = Sample((Fraction(1),) * 20), Sample((Fraction(0),) * 20)
    good, bad = Comparison("a", one, none), Comparison("b", none, one)
    weak, absent = Comparison("c", Sample((Fraction(9, 10),) * 20), none), Comparison("d", Sample(()), one)
    for readings, outcome in (
        ([good, weak, absent], HOLDS),
        ([good, bad], UNDECIDED),
        ([bad], UNDECIDED),
        ([absent], UNDECIDED),
        ([Majority("e", one, Fraction(1, 2))], HOLDS),
    ):
        found = verdict_on(m, Form.EXPERIMENT, ">= 0", lambda steps, readings=readings: readings)
        assert found.outcome is outcome
        assert found.known is (Known.STATISTICAL if outcome is HOLDS else None)
        assert [reading["word"] for reading in found.readings] == [one.word for one in readings]
    found = verdict_on(m, Form.EXPERIMENT, ">= 0", lambda steps: [good, weak, absent])
    assert float(found.slack) == weak.slack < good.slack


def an_experiment_that_cannot_be_run_is_undecided(m):
    for error in (ModuleNotFoundError("no jax"), RecordError("no record")):
        found = verdict_on(m, Form.EXPERIMENT, ">= 0", Mock(side_effect=error))
        assert (found.outcome, found.known, found.reason) == (UNDECIDED, None, f"not run: {error}")


# ---------------------------------------------------------------------------------------------------------------------
# The second opinion


def mpmath_is_asked_of_finite_balls_at_one_state(m):
    """Neither of what is exact, nor along a flow, nor of chances; nor where a ball is infinite, in any place."""
    until = {"horizon": lambda f: fmpq(1)}
    needs = {Form.LIMIT: {"times": lambda f: [1]}, Form.TRAJECTORY: until, Form.RATE: until}
    for form, exact_only in itertools.product(set(Form) - {Form.EXPERIMENT}, (False, True)):
        slack = Mock(side_effect=lambda f: balls((1,)) if isinstance(f.u.flat[0], fmpq) else np.array([mpmath.mpf(1)]))
        relation = Relation.ZERO if form is Form.IDENTITY else Relation.NONNEGATIVE
        opinion = m.second_opinion(
            Conclusion("made_up", form, relation, slack, exact_only=exact_only, **needs.get(form, {})), LOGISTIC
        )
        asked = not exact_only and form not in (*needs, Form.PROBABILITY)
        assert (slack.called, opinion is not None) == (asked, asked)
    wide = Ball(arb("nan"))
    for entries in ((fmpq(1),), (wide, Ball(arb(1))), (Ball(arb(1)), fmpq(2), wide)):
        assert m.second_opinion(Conclusion("made_up", Form.STATE, "> 0", lambda f, e=entries: array(*e)), LOGISTIC) is None


def a_number_outside_its_ball_is_an_objection(m):
    tiny, wide = arb(2) ** -100, arb(1, "0.25")
    for balls_, values, least, most in (
        ((arb(1),), (mpmath.nan,), None, None),
        ((arb(1),), (mpmath.inf,), None, None),
        ((arb(1),), (mpmath.mpf(1) / 2,), None, None),
        ((arb(1), arb(1)), (mpmath.mpf(1), 1 + mpmath.ldexp(1, -40)), None, None),
        ((arb(1),), (mpmath.mpf(1),), 50, 400),
        ((tiny,), (mpmath.ldexp(1, -100),), 50, 400),
        ((tiny,), (mpmath.ldexp(3, -100),), None, None),
        ((wide,), (mpmath.mpf("1.2"),), 0.3, 0.4),
        ((wide,), (mpmath.mpf("0.8"),), 0.3, 0.4),
        ((wide,), (mpmath.mpf("1.26"),), None, None),
        ((wide,), (mpmath.mpf("0.74"),), None, None),
        ((wide, arb(1)), (mpmath.mpf(1), mpmath.mpf(1)), 0.5, 0.7),
        ((arb(0, 100),), (mpmath.mpf(50),), 0, 0),
        ((arb(10) ** 9, arb(0, "1e-9")), (mpmath.mpf(10) ** 9, mpmath.mpf(0)), 8.9, 9.1),
        ((arb(1), fmpq(1, 3)), (mpmath.mpf(1), mpmath.fraction(1, 3)), 50, 400),
        ((fmpq(1, 3), arb(1)), (mpmath.mpf(3), mpmath.mpf(1)), None, None),
    ):

        def slack(f, values=values, balls_=balls_):
            rounded = not isinstance(f.u.flat[0], fmpq)
            return np.array(values if rounded else [Ball(x) if isinstance(x, arb) else x for x in balls_], dtype=object)

        found = m.second_opinion(Conclusion("made_up", Form.STATE, "> 0", slack), LOGISTIC)
        assert bool(found.objection) is (least is None)
        assert least is None or least <= found.digits <= most


def what_mpmath_rounds_is_no_objection(m):
    """Of 256 bits mpmath loses 40 on its way, which it shows at twice the bits."""

    def slack(f):
        if isinstance(f.u.flat[0], fmpq):
            return np.array([Ball(arb(1))], dtype=object)
        return np.array([1 + mpmath.ldexp(1, 40 - mpmath.mp.prec)], dtype=object)

    assert not m.second_opinion(Conclusion("made_up", Form.STATE, "> 0", slack), LOGISTIC).objection


def the_worst_entry_is_named(m):
    values = exact([[1, -2], [-3, 2]])
    assert m.most_violated(values, Relation.NONNEGATIVE, 64).entry == (1, 0)
    assert m.most_violated(exact([[1, -5], [9, 2]]), Relation.ZERO, 64).entry == (1, 0)


FACTS = facts_above(globals())


@pytest.mark.parametrize("fact", FACTS)
def test_deciding(fact):
    fact(deciding)


@bugs_in(deciding)
def test_a_bug_planted_in_deciding_is_noticed(bug):
    assert bug.is_noticed(FACTS)
