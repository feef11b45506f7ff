"""The ladder from an instance to a verdict: what it decides, what it leaves open, and what it never does."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from flint import arb, fmpq

from claims.stating.catalogue import catalogue
from claims.stating.statement import ALONG_A_FLOW, Conclusion, Form, Relation, Tail
from claims.stating.verdict import Known, Outcome
from claims.verifying import chances
from claims.verifying.deciding import Effort, check, second_opinion
from dynamics.arithmetic import exp, fraction, lambert_w, log, numbers, sign, working_precision
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.training.value_softmax import LogisticFlow, SquareLossFlow
from tests.verifying.made_up import CHAIN, FLOW, HOLDS, LOGISTIC, UNDECIDED, VIOLATED

SHARED = AttentionChain.instance(v=CHAIN.v, x=[[1], [1], [-1]], group=[0, 0, 1], beta=1, gamma="1/8", eps="1/8", steps=5)
"""Two tokens share a tube: their law is not known beyond an enumeration."""


def state(relation, slack, form=Form.STATE):
    return Conclusion("planted", form, relation, lambda f: numbers(slack(f)))


def close_to_one(f):
    """1 - e^{-e^{-200}}: positive, about 1e-87."""
    return 1 - exp(-exp(f.x[:1, 0] * -200))


def hidden_zero(f):
    """log 6 - log 2 - log 3, times the logarithms of x: zero by a closed form."""
    return log(f.x[:1, 0] * 6) - log(f.x[:1, 0] * 2) - log(f.x[:1, 0] * 3)


def lambert_zero(f):
    """w e^w - x for w = W(x): zero, which no closed form tells."""
    x = f.x[:1, 0]
    w = lambert_w(x)
    return w * exp(w) - x


def rounded(f):
    """3 x - (x + 2 x) of tenths: -5e-17 in float64, and zero."""
    x = np.asarray(f.x[:1, 0], dtype=float)
    return x * 0.3 - (x * 0.1 + x * 0.2)


SLACKS = {
    "more bits": ("> 0", close_to_one, HOLDS, Known.CERTIFIED),
    "more bits, below": (">= 0", lambda f: -close_to_one(f), VIOLATED, Known.CERTIFIED),
    "a closed form": (">= 0", hidden_zero, HOLDS, Known.EXACT),
    "a closed form, strict": ("> 0", hidden_zero, VIOLATED, Known.EXACT),
    "a closed form, identity": ("== 0", hidden_zero, HOLDS, Known.EXACT),
    "no closed form": (">= 0", lambert_zero, UNDECIDED, None),
    "no closed form, strict": ("> 0", lambert_zero, UNDECIDED, None),
    "no closed form, identity": ("== 0", lambert_zero, HOLDS, Known.TO_DIGITS),
    "beyond 60 digits": ("== 0", lambda f: hidden_zero(f) + exp(f.x[:1, 0] * 0 - 300), VIOLATED, Known.CERTIFIED),
    "the 70th digit": ("== 0", lambda f: hidden_zero(f) + fmpq(1, 10**70), VIOLATED, Known.CERTIFIED),
    "exactly zero": (">= 0", lambda f: f.x[:1, 1], HOLDS, Known.EXACT),
    "exactly zero, strict": ("> 0", lambda f: f.x[:1, 1], VIOLATED, Known.EXACT),
    "no number": (">= 0", lambda f: log(-f.x[:1, 0]), UNDECIDED, None),
    "nothing": ("> 0", lambda f: f.x[:0, 0], HOLDS, None),
    "rounded": (">= 0", rounded, UNDECIDED, None),
}


@pytest.mark.parametrize("name", SLACKS)
def test_a_slack_is_decided_as_far_as_balls_and_closed_forms_tell(name):
    """What is open is never true; what is not violated has no witness; what says nothing is told apart from a verdict."""
    relation, slack, outcome, known = SLACKS[name]
    verdict = check(state(relation, slack, Form.IDENTITY if relation == "== 0" else Form.STATE), FLOW, Effort(bits=4096))
    assert (verdict.outcome, verdict.known) == (outcome, known)
    assert (verdict.witness is None) is (outcome is not VIOLATED)
    assert slack is not hidden_zero or verdict.slack == 0
    told = {"nothing": "nothing to compare", "rounded": "float64"}
    assert told.get(name, "") in verdict.reason
    if name == "beyond 60 digits":
        with working_precision(1024):
            assert verdict.slack.overlaps(exp(numbers(fmpq(-300))).item())
    assert rounded(FLOW) < 0


@pytest.mark.parametrize(
    ("relation", "slack", "entry", "bits"),
    [
        ("> 0", lambda f: f.x - 1, (0, 1), 64),
        (">= 0", lambda f: exp(f.x) - 2, (0, 1), 64),
        ("> 0", lambda f: 0 * f.x[0, 0], (), 64),
        ("== 0", lambda f: f.x - f.x[::-1] / 2, (1, 1), 256),
        (">= 0", lambda f: np.concatenate([f.x[:1, 0], -close_to_one(f)]), (1,), 1024),
    ],
    ids=["exact", "balls", "one number", "an identity", "more bits"],
)
def test_a_violation_remembers_the_worst_entry_its_enclosure_and_the_precision(relation, slack, entry, bits):
    verdict = check(state(relation, slack), FLOW)
    assert verdict.outcome is Outcome.VIOLATED
    witness = verdict.witness
    assert (witness.entry, witness.bits, witness.times, witness.facts) == (entry, bits, (), None)
    assert witness.slack is verdict.slack
    assert sign(witness.slack) in Relation(relation).forbidden


@pytest.fixture
def without_straight_picks(monkeypatch):
    """As where no token leaves its tube by picking the same one again and again: simulation is left."""
    monkeypatch.setattr(chances, "chance_of_straight_picks", lambda *given: arb(0))


def tail(log_bound):
    return Conclusion("planted", Form.PROBABILITY, ">= 0", lambda f: Tail(f, arb(log_bound)))


@pytest.mark.parametrize("effort", [Effort(), Effort(branches=3)], ids=["enumerated", "simulated"])
def test_probability_bounds_are_decided_both_ways(effort, without_straight_picks):
    """P[T_2 < 5] is about 0.6 or 0.77 here: one pick of another token leaves the tube."""
    known, chain = (Known.CERTIFIED, CHAIN) if effort.branches > 3 else (Known.STATISTICAL, SHARED)
    generous, sharp = check(tail("-0.2"), chain, effort), check(tail("-3"), chain, effort)
    assert (generous.outcome, generous.known) == (Outcome.HOLDS, known)
    assert (sharp.outcome, sharp.known) == (Outcome.VIOLATED, known)
    assert check(tail("-3").reversed(), chain, effort).outcome is Outcome.HOLDS
    assert (sharp.witness is None) is (known is Known.STATISTICAL)
    assert generous.witness is check(tail("-3").reversed(), chain, effort).witness is None


def test_all_statistical_verdicts_together_err_less_than_once_in_1e12(monkeypatch, without_straight_picks):
    """Each process has a share of the error, no test is made once it is spent; no test spends more than its own part."""
    assert chances.SIMULATION_ERROR * chances.MOST_TESTS * chances.MOST_PROCESSES <= chances.TOTAL_ERROR < arb("1e-12")
    # One test looks several times, on either side: each look has half the error of the one before.
    assert 2 * sum(chances.SIMULATION_ERROR / 2 ** (look + 2) for look in range(len(chances.LOOKS))) < (
        chances.SIMULATION_ERROR
    )
    spent = []
    true = chances.interval
    monkeypatch.setattr(chances, "interval", lambda found, alpha: spent.append(alpha) or true(found, alpha))
    monkeypatch.setattr(chances, "_tests", count(chances.MOST_TESTS))
    first, second = (check(tail("-50"), SHARED, Effort(branches=3)) for _ in range(2))
    assert (first.outcome, first.known) == (Outcome.VIOLATED, Known.STATISTICAL)
    assert spent == [float(chances.SIMULATION_ERROR)]
    assert second.outcome is Outcome.UNDECIDED
    assert "spent its share of the error" in second.reason


COLD = CHAIN.replace(beta=np.array(fmpq(40)), steps=np.array(fmpq(10**5)))
CHANCES = [
    (CHAIN, ("0", "1"), True, HOLDS, None, "the bound is at least 1"),
    (SHARED, ("-50",), True, VIOLATED, Known.CERTIFIED, "the same one again and again"),
    (SHARED, ("-3",), False, VIOLATED, Known.STATISTICAL, "total error below 1e-12"),
    (SHARED, ("-50",), False, VIOLATED, Known.STATISTICAL, "forced picks, total error below 1e-12"),
    (SHARED.replace(beta=np.array(fmpq(60))), ("-50",), False, HOLDS, Known.CERTIFIED, "a count of the picks"),
    (SHARED.replace(steps=np.array(fmpq(10**6))), ("-50",), False, UNDECIDED, None, "too rare to simulate"),
    (COLD, ("-67",), True, HOLDS, Known.CERTIFIED, "by the law of T_2"),
    (COLD, ("-68",), True, VIOLATED, Known.CERTIFIED, "by the law of T_2"),
]
"""Chains, logarithms of bounds, and whether straight picks may tell, where three combinations of picks are enumerated."""


@pytest.mark.parametrize(("chain", "bounds", "straight", "outcome", "known", "reason"), CHANCES)
def test_what_cannot_be_enumerated_is_decided_in_another_way(request, chain, bounds, straight, outcome, known, reason):
    if not straight:
        request.getfixturevalue("without_straight_picks")
    for bound in bounds:
        verdict = check(tail(bound), chain, Effort(branches=3))
        assert (verdict.outcome, verdict.known) == (outcome, known)
        assert reason in verdict.reason
        assert (verdict.witness is not None) is (outcome is VIOLATED and known is Known.CERTIFIED)


def along(relation, slack, horizon=1):
    return Conclusion("planted", Form.TRAJECTORY, relation, slack, horizon=lambda start: fmpq(horizon))


def test_trajectory_is_decided_between_the_grid_points_with_a_time():
    verdict = check(along("> 0", lambda now, start: fmpq(1, 4) - now.tau), LOGISTIC)
    assert verdict.outcome is Outcome.VIOLATED
    assert 0.25 < float(verdict.reason.removeprefix("at time ")) <= 1
    witness = verdict.witness
    assert fmpq(1, 4) < witness.times[0] <= 1
    assert verdict.reason == f"at time {float(fraction(witness.times[0])):.6g}"
    assert witness.slack.contains(fmpq(1, 4) - witness.times[0])
    verdict = check(along("> 0", lambda now, start: fmpq(5, 4) - now.tau), LOGISTIC)
    assert (verdict.known, verdict.witness) == (Known.CERTIFIED, None)


def test_a_trajectory_remembers_which_entry_is_violated():
    """Entry (1, 0) of a table of three rows and two columns falls below zero first."""

    def table(now, start):
        tau = now.tau.item()
        return np.array([[1 + tau, start.u[0]], [fmpq(1, 4) - tau, 1 - tau / 8], [2 - tau, 3 - tau]], dtype=object)

    witness = check(along("> 0", table), LOGISTIC).witness
    assert witness.entry == (1, 0)
    assert witness.slack.contains(fmpq(1, 4) - witness.times[0])


def test_second_opinion_counts_digits_of_agreement():
    claim = catalogue()["clusters.pairwise_distances_grow"]
    opinion = second_opinion(claim.conclusions[0], FLOW)
    assert opinion.digits > 70
    assert not opinion.objection


def test_start_that_no_ball_represents_is_decided_from_its_exact_zero():
    claim = catalogue()["polarization.order_is_preserved"]
    # Thirds and sevenths: as balls they have a radius, so that only the rationals know that a slack begins at 0.
    start = LogisticFlow.instance(u=["1/3", "-1/7", "-5/3"])
    assert [check(conclusion, start).outcome for conclusion in claim.conclusions] == [Outcome.HOLDS] * 2


def test_identity_along_a_trajectory_is_refused():
    claim = catalogue()["polarization.order_is_preserved"]
    with pytest.raises(ValueError, match="asked for an inequality"):
        claim.trajectory("== 0", horizon=lambda start: fmpq(1))(lambda now, start: now.a - start.a)


def test_token_on_the_edge_of_its_tube_is_no_escape_even_where_it_must_be_simulated():
    """One pick moves a token exactly onto the edge, where float64 sees it now inside, now outside."""
    third, step = fmpq(1, 3), fmpq(1, 61)
    edge = AttentionChain.instance(
        v=[[third], [-third]],
        x=[[third], [-third]],
        group=[0, 1],
        beta=1,
        gamma=step,
        eps=2 * third * step,
        steps=2,
    )
    # Enumerated it is decided; simulated it may stay open, but float64 must not call it an escape.
    assert check(tail("-3"), edge).outcome is Outcome.HOLDS
    assert check(tail("-3"), edge, Effort(branches=3)).outcome is not Outcome.VIOLATED


def test_rounding_along_a_path_is_no_verdict():
    assert check(along(">= 0", lambda now, start: np.asarray([-1.0])), LOGISTIC).outcome is UNDECIDED


BEYOND_FLOATS = [
    ("gaps_grow", LogisticFlow, {"u": ["1e400", 0]}),
    ("gaps_grow", LogisticFlow, {"u": list(range(30, 0, -1)), "K": "1e400"}),  # too many coordinates: it would be sampled
    ("gaps_grow", LogisticFlow, {"u": [1, 0], "K": "1e300"}),
    ("clock_is_logarithmic", LogisticFlow, {"u": [1, 0], "K": "1e400"}),
    ("large_target_leaves_two_over_target", SquareLossFlow, {"u": [0, 0], "a": ["1/2", 0], "K": "1e400"}),
]


@pytest.mark.parametrize(("name", "flow", "data"), BEYOND_FLOATS)
def test_paths_that_float64_cannot_propose_are_undecided_with_a_reason(name, flow, data):
    claim, start = catalogue()[f"polarization.{name}"], flow.instance(**data)
    for conclusion in claim.conclusions:
        if conclusion.form in ALONG_A_FLOW:
            assert all(assumption.satisfies(start) for assumption in claim.assumptions_of(conclusion))
            verdict = check(conclusion, start)
            assert verdict.outcome is UNDECIDED
            assert "beyond" in verdict.reason or (verdict.reason and conclusion.form is not Form.LIMIT)
