"""Limits of training: no verdict on a limit from finitely many times, and traps that only ever catch what stays caught."""

from __future__ import annotations

import dataclasses
import inspect
from contextlib import suppress
from functools import cache

import numpy as np
import pytest
from flint import arb, fmpq

from claims.instances.drawing import draw_instance
from claims.instances.draws import SeededDraws
from claims.stating.catalogue import catalogue
from claims.stating.statement import ClaimError, Conclusion, Form, Standing
from claims.stating.verdict import Known, Outcome
from claims.verifying.deciding import Effort, check
from dynamics.arithmetic import UndecidedError, exact
from dynamics.integrate import integrate
from dynamics.limits import leader_trap, remaining_motion, traps
from dynamics.limits.margins import NoLemmaError
from dynamics.tokens.self_attention import RescaledFlow
from dynamics.training.conditioned_regression import ConditionedRegressionFlow, LinearisedGapFlow
from dynamics.training.frozen_values import FrozenValuesFlow
from dynamics.training.row_attention import EqualRowsFlow, RowAttentionFlow
from dynamics.training.score_maps import (
    CubeMapFlow,
    ElementwiseExponentialFlow,
    ElementwiseSigmoidFlow,
    EluFlow,
    IdentityMapFlow,
    NormalisedSigmoidFlow,
    OnePlusExponentialFlow,
    OnePlusSigmoidFlow,
)
from dynamics.training.slow_clocks import PathFlow, SlowFlow, SlowLogisticFlow, SlowPowerFlow
from dynamics.training.value_softmax import DecayedSquareFlow, LogisticFlow, SquareLossFlow
from tests.planting import bugs_in, one_in
from tests.slow_starts import starting_at

LIMITS = [
    pytest.param(claim, conclusion, id=f"{claim.id}.{conclusion.name}")
    for claim in catalogue().values()
    for conclusion in claim.conclusions
    if conclusion.form is Form.LIMIT
]

SHORT_TIME = [fmpq(1, 64)]


# ---------------------------------------------------------------------------------------------------------------------
# No verdict on a limit from states at finitely many times


@pytest.mark.parametrize(("claim", "conclusion"), one_in(4, LIMITS))
def test_a_reading_of_a_limit_violates_nothing(claim, conclusion):
    start = draw_instance(claim, conclusion, SeededDraws(np.random.default_rng([3]), small=True))
    for slack, expected in ((-1, Outcome.UNDECIDED), (1, Outcome.HOLDS)):
        # The first state that is caught counts: the later ones of the same run say the same.
        # A slack of 1 breaks == 0 at once: what holds is asked of an inequality.
        relation = conclusion.relation if conclusion.relation != "== 0" or slack < 0 else "> 0"
        # The same limit without its lemma, read at an early time.
        reading = dataclasses.replace(
            conclusion,
            relation=relation,
            slack=lambda states, start, slack=slack: fmpq(slack),
            times=lambda start: SHORT_TIME,
            trap=None,
        )
        verdict = check(reading, start)
        assert verdict.outcome is expected
        assert verdict.known in (None, Known.NUMERICAL)


def test_every_limit_that_is_held_true_or_false_is_decided_by_a_lemma():
    """Only of an open claim may a limit be read at times: that is evidence, and it decides nothing."""
    known = {traps.__name__, remaining_motion.__name__}
    for parameter in LIMITS:
        claim, conclusion = parameter.values
        if conclusion.trap is None and claim.standing is Standing.OPEN:
            continue
        module = getattr(conclusion.trap, "__module__", "")
        assert module in known or module.startswith("dynamics.limits."), conclusion.name


def made_up(trap, slack=-1) -> Conclusion:
    return Conclusion("made_up", Form.LIMIT, "> 0", lambda seen, start: fmpq(slack), times=lambda f: SHORT_TIME, trap=trap)


def test_a_made_up_limit_is_violated_for_ever_or_not_at_all():
    start = LogisticFlow.instance(u=[1, 0])
    assert check(made_up(None), start).outcome is Outcome.UNDECIDED
    decided = check(made_up(traps.leader_trap), start)
    assert (decided.outcome, decided.known) == (Outcome.VIOLATED, Known.CERTIFIED)
    assert decided.reason.startswith("for ever from t = ")
    assert (decided.witness.entry, decided.witness.times, decided.witness.slack) == ((), tuple(SHORT_TIME), -1)


def test_a_trap_that_does_not_catch_leaves_the_limit_open():
    for start in (LogisticFlow.instance(u=[2, 0], a=[-1, 1]), LogisticFlow.instance(u=[0, 0])):
        verdict = check(made_up(traps.leader_trap), start)
        assert verdict.outcome is Outcome.UNDECIDED
        assert "not " in verdict.reason or "open" in verdict.reason


def test_a_state_is_no_limit():
    with pytest.raises(ClaimError, match="must return what holds for ever"):
        check(made_up(lambda state: state), LogisticFlow.instance(u=[1, 0]))


def test_a_limit_that_cannot_be_followed_is_open():
    verdict = check(made_up(traps.leader_trap), LogisticFlow.instance(u=["1e400", 0]), Effort())
    assert verdict.outcome is Outcome.UNDECIDED


def of(claim, name) -> Conclusion:
    return next(c for c in catalogue()[f"polarization.{claim}"].conclusions if c.name == name)


@pytest.mark.parametrize("T", [4, 5])
def test_later_tokens_that_lead_at_two_do_not_refute_the_first(T):
    u = {4: ["-1/8", "1/8", "-1/8", "-1/8"], 5: ["-1/8", "1/8", "1/8", "-1/8", "-1/8"]}[T]
    start = RowAttentionFlow.instance(u=u, visible=np.tril(np.ones((T, T), dtype=int)).tolist())
    soon, later = integrate(start, [1.0, 2.0], 1e-11)
    # It looks as if token 1 won; read at time 2 the claim would be refuted.
    assert soon.u[1] > soon.u[0]
    assert later.A[1, 1] > later.A[1, 0]
    claim = catalogue()["polarization.first_token_wins_causal_rows_from_small_values"]
    assert all(assumption.satisfies(start) for assumption in claim.assumptions)
    verdict = check(of("first_token_wins_causal_rows_from_small_values", "rows_tend_to_first_token"), start)
    assert (verdict.outcome, verdict.known) == (Outcome.HOLDS, Known.CERTIFIED)


@pytest.mark.parametrize(
    ("u", "outcome"), [([1], Outcome.HOLDS), ([0, 0], Outcome.UNDECIDED), ([2, 0], Outcome.VIOLATED)], ids=str
)
def test_which_values_diverge(u, outcome):
    verdict = check(of("every_value_diverges", "every_value_diverges"), LogisticFlow.instance(u=u))
    assert verdict.outcome is outcome


# ---------------------------------------------------------------------------------------------------------------------
# Attacks: starts at the edge of each region and beyond, followed for long


EDGE = ["1/1000", "-1/1000", "1/8", "-1/8", 1, -1, 3]
"""Leads, near zero and not, of both signs: a region that forgets a condition catches some that are lost later."""


def rng(seed):
    return np.random.default_rng([11, seed])


def some(generator, count, options=EDGE):
    return [options[k] for k in generator.integers(0, len(options), count)]


def leaders(kind, **more):
    """Starts in u and a, with every combination of leads."""
    # The leads alone count: the other token is at 0.
    for u in EDGE:
        for a in EDGE:
            yield kind.instance(u=[u, 0], a=[a, 0], **more)
    for seed in range(10):
        generator = rng(seed)
        yield kind.instance(u=[*some(generator, 2), 0], a=[*some(generator, 2), 0], **more)


def causal(u, scores=None):
    T = len(u)
    visible = np.tril(np.ones((T, T), dtype=int)).tolist()
    A = scores if scores is not None else [[0] * T] * T
    return RowAttentionFlow.instance(u=u, A=A, visible=visible)


def rows():
    for seed in range(30):
        generator = rng(seed)
        T = int(generator.integers(2, 5))
        scores = [[some(generator, 1)[0] if j <= i else 0 for j in range(T)] for i in range(T)]
        yield causal(some(generator, T), scores)
    for seed in range(10):
        generator = rng(100 + seed)
        yield RowAttentionFlow.instance(u=some(generator, 3), A=[some(generator, 3) for _ in range(3)])
    yield RowAttentionFlow.instance(u=[0, 8], A=[["1/8", 0], ["1/8", 0]])


def holding():
    """Starts around the edge of what token 1 holds: the sum of its leads near 1, its value near u_0."""
    # Of whether a lead is one, and of how large a lead is enough.
    for lead in ("-1/1000", "1/1000", "1/8", 1):
        for score in ("1/8", "1/2", "3/4", 2, 6):
            yield causal([0, lead, -1], [[0, 0, 0], [0, score, 0], [0, score, 0]])
    for seed in range(20):
        generator = rng(seed)
        yield causal([0, *some(generator, 2)], [[0, 0, 0], [0, *some(generator, 1), 0], [0, *some(generator, 2)]])
    yield causal([2, 0, -2], [[0, 0, 0], [0, "13/10", 0], [0, "13/10", 0]])
    yield causal([0, "1/1000", -1, -1], [[0] * 4, [0, 6, 0, 0], [0, 6, 0, 0], [3, 0, 0, 0]])


def exactly(f):
    """The floats of a state as the dyadic numbers they are."""
    fields = f.fields()
    return f.replace(**{n: x if fields[n].integer else exact(x) for n, x in f.arrays().items()})


@cache
def late(f, time):
    # Kept: several traps are asked about one start.
    return integrate(f, [time], 1e-9)[0]


def weights_of(f):
    return f.share if hasattr(f, "share") else f.s


def one_hot(end, f, state, time=60.0):
    """The winner has most weight, and more than when it was caught, as much at last as `least` says."""
    found, before = weights_of(late(f, time)), float(arb(weights_of(state)[end.winner]))
    assert np.argmax(found) == end.winner
    # Less by what the integration may be off by.
    assert found[end.winner] > before - 1e-9
    assert found[end.winner] > float(arb(end.least)) - 1e-9


def rows_end(end, f, state):
    S = late(f, 60.0).S
    for i, row in enumerate(np.asarray(end.ends)):
        for j, said in enumerate(row):
            assert said == 0 or f.visible[i, j] == 0 or (S[i, j] > 0.6 if said == 1 else S[i, j] < 0.52)


def shares(end, f, state):
    found = late(f, 1000.0).share
    assert np.abs(found - 1 / len(found)).max() < 0.1
    assert all(share == fmpq(1, len(found)) for share in end.shares)


def decayed(end, f, state):
    now = late(f, 60.0)
    one_hot(end, f, state)
    assert float(arb(f.decay.item())) < 0.1 or abs(float(now.gamma) - float(arb(end.gamma))) < 0.2


def contains(ball, value):
    # The float has errors of its own.
    return arb(ball).overlaps(arb(float(value), 1e-6 * max(1.0, abs(float(value)))))


def square_end(end, f, state):
    now = late(f, 120.0)
    assert all(contains(ball, x) for ball, x in zip(end.a, now.a, strict=True))
    assert all(contains(ball, x) for ball, x in zip(end.s, now.s, strict=True))
    assert contains(end.tau.item(), now.tau)


def gap_end(end, f, state):
    assert contains(end.gap, late(f, 60.0).gap)


def conditioned_end(end, f, state):
    now = late(f, 200.0)
    assert all(contains(ball, x) for ball, x in zip(end.s.flat, now.s.flat, strict=True))


def parted(end, f, state):
    """The weights are where they tend to: the smaller K, the later."""
    assert np.abs(late(f, 2e5).s - [float(arb(weight)) for weight in end.weights]).max() < 0.02


def parting():
    """Scores far out on both sides; some are fast, and one value is so near the mean that it changes sides."""
    for u, a in (
        (["-391/8", "-251/8", "-453/32", "49/4"], ["-17/4", "-7/2", "7/2", "9/2"]),
        (["157/4", "-225/8", "251/64", "-63/2"], ["11/4", "-7/2", "7/2", "-21/4"]),
    ):
        for K in ("1/4096", 16):
            yield OnePlusSigmoidFlow.instance(u=u, a=a, K=K)
    for seed in range(8):
        generator = rng(seed)
        sides = np.array([1, -1, *generator.choice([-1, 1], int(generator.integers(0, 4)))])
        u, a = (sides * generator.integers(least, 8, len(sides)) for least in (1, 4))
        yield OnePlusSigmoidFlow.instance(u=u.tolist(), a=a.tolist(), K=4)


def slow_leaders():
    """Starts in gaps and logarithms of ratios around both edges, of two and of three scores."""
    for lead in one_in(2, ("1/8", "-1/8", -4, 1)):
        for ratio in ("-1/8", "1/8", -2):
            yield SlowFlow.instance(gaps=[lead], logs=[ratio])
            yield SlowLogisticFlow.instance(gaps=[1, lead], logs=[0, ratio], K=2)
            yield SlowPowerFlow.instance(gaps=[lead, 1], logs=["1/4", ratio], K="1/2", offset=8)
    for k in (-2, -1, 1):
        yield SlowPowerFlow.instance(gaps=[1], logs=[-1], offset=8, k=k)


def shared_leaders():
    for u in (1, "1/8", "-1/8"):
        for a in (1, "1/8", 0):
            yield EqualRowsFlow.instance(u=[u, 0], a=[a, 0], K=2)
            yield EqualRowsFlow.instance(u=[1, u, 0], a=[1, 0, a])


def approached(end, f, state):
    """At tau = e^7: q_j tau^2, D tau, and minus the rates of u_0 - K tau and u_j times tau^2, against their limits."""
    slow = isinstance(f, SlowFlow)
    now = late(f, 7.0 if slow else np.exp(7.0))
    tau, K, s = float(now.tau), float(now.K), now.s
    q = s[1:] / s[0]
    depth = float(s[1:] @ (now.w if slow else now.u[0] - now.u[1:]))
    for found, limit in (
        (q * tau**2, end.ratio),
        (K * (1 - s[0]) * tau**2, end.leader),
        (-K * s[1:] * tau**2, end.loser),
        (s[1:] * (K * tau) ** 2, end.scores_in_time),
        (depth * K * tau, end.lead_in_time),
    ):
        assert np.allclose(found, float(arb(limit)), rtol=0.1)
    assert (end.margin, end.time_share, end.time_error) == (0, 1, 0)
    if isinstance(f, SlowPowerFlow):
        power = int(f.k) + 2
        assert power > 0
        root = (K * power * float(now.scaled_time)) ** (1 / power) * float(now.T)
        assert np.isclose(K * tau / root, float(arb(end.power_clock)), rtol=0.05)


def squares():
    for seed in range(12):
        generator = rng(seed)
        p = int(generator.integers(2, 4))
        yield SquareLossFlow.instance(
            u=some(generator, p, [0, "1/2", 1, -1]), a=some(generator, p), K=int(generator.integers(1, 30))
        )
    yield SquareLossFlow.instance(u=[71, 55], a=[0, 0], K=64)
    for K in (1, 16, 100):
        yield SquareLossFlow.instance(u=[0, 0], a=["1/2", 0], K=K)


def gaps():
    for seed in range(12):
        generator = rng(seed)
        w = [fmpq(int(x), 4) for x in generator.integers(-6, 7, 2)]
        yield LinearisedGapFlow.instance(w=w, rate=[1, int(generator.integers(1, 5))])


def conditioned():
    for b in (1, 2, 3):
        for a in ("1/8", 1):
            yield ConditionedRegressionFlow.instance(V=[[[0, 0]]], a=[[a, 0]], X=[[1]], b=[[b]])
    # Two copies, each of two singular values that differ.
    V, a = [[[0, 0], [0, 0]]] * 2, [["1/8", 0], [0, 1]]
    yield ConditionedRegressionFlow.instance(V=V, a=a, X=[[1, "1/2"], ["3/4", 2]], b=[[1, 1], [1, 2]])


ATTACKS = {
    "bounded_map_trap": (parting, parted),
    "leader_trap": (lambda: leaders(LogisticFlow), one_hot),
    "leader_trap frozen": (lambda: leaders(FrozenValuesFlow), one_hot),
    "approach_trap": (slow_leaders, approached),
    "approach_trap rows": (shared_leaders, approached),
    "rows_trap": (rows, rows_end),
    "held_rows_trap": (holding, rows_end),
    "normalised_map_trap": (
        lambda: (f for kind in (NormalisedSigmoidFlow, CubeMapFlow) for f in map_starts(kind)),
        one_hot,
    ),
    "elementwise_exponential_trap": (
        lambda: [
            ElementwiseExponentialFlow.instance(u=["-1/2", -1], a=["1/8", 0]),
            *leaders(ElementwiseExponentialFlow),
        ],
        lambda end, f, state: one_hot(end, f, state, 3.0),
    ),
    "elementwise_sigmoid_trap": (
        lambda: (ElementwiseSigmoidFlow.instance(u=[u, v], a=[0, 1]) for u in EDGE[:5] for v in EDGE[:5]),
        shares,
    ),
    "decayed_square_trap": (
        lambda: [
            *leaders(DecayedSquareFlow, decay="1/2"),
            DecayedSquareFlow.instance(u=[12, 4], a=["1/4", 0], decay="1/64"),
        ],
        decayed,
    ),
    "square_loss_limit": (squares, square_end),
    "linearised_gap_limit": (gaps, gap_end),
    "conditioned_limit": (conditioned, conditioned_end),
}


def map_starts(kind):
    """Leaders on both sides, with positive scores."""
    for u in ("1/8", "-1/8", 1, -1, -8):
        for a in ("1/8", "1/2", 2):
            yield kind.instance(u=[u, 0], a=[a, "1/2"])


@cache
def starts_of(name):
    """Starts with the states at which a trap may catch them: at once and a little later."""
    found = []
    with np.errstate(all="ignore"):
        # Later states, too: a region that is entered on the way has edges of its own.
        for f in ATTACKS[name][0]():
            later = []
            with suppress(ArithmeticError):  # what blows up is caught at once or never
                later = [exactly(state) for state in integrate(f, [0.5, 2.0], 1e-9)]
            found.append((f, [f, *later]))
    return found


def caught(name, module):
    """How many starts a trap catches; what it says of each is compared with what happens."""
    find, (_, compare) = getattr(module, name.partition(" ")[0]), ATTACKS[name]
    count = 0
    with np.errstate(all="ignore"):
        for f, states in starts_of(name):
            for state in states:
                with suppress(UndecidedError):
                    end = find(state)
                    count += 1
                    compare(end, f, state)
                    break
    return count


@pytest.mark.parametrize("name", one_in(6, ATTACKS))
def test_what_a_trap_catches_ends_as_it_says(name):
    module = remaining_motion if name.endswith("_limit") else traps
    assert caught(name, module) >= 6


# ---------------------------------------------------------------------------------------------------------------------
# Planted bugs: a region that forgets a condition, or a bound that forgets a part, says what does not come true


@bugs_in(traps, remaining_motion, part="training")
def test_a_planted_bug_is_caught(bug):
    with pytest.raises(AssertionError):
        caught(bug.fact, bug.planted())


@pytest.mark.parametrize("value", [arb(0, 1), arb("nan"), arb("inf")], ids=str)
def test_an_open_margin_catches_nothing(value):
    start = LogisticFlow.instance(u=[1, 0], a=[1, 0])
    u = start.u.copy()
    u[0] = value
    with pytest.raises(UndecidedError):
        traps.leader_trap(start.replace(u=u))


def test_flows_without_a_lemma_are_refused():
    with pytest.raises(TypeError, match="clock"):
        traps.leader_trap(SquareLossFlow.instance(u=[1, 0], a=[1, 0]))
    with pytest.raises(NoLemmaError, match="IdentityMapFlow: the lemma is about NormalisedSigmoidFlow"):
        traps.normalised_map_trap(IdentityMapFlow.instance(u=[1, 0], a=[2, 1]))


@pytest.mark.parametrize(
    ("model", "trap", "start"),
    [
        (LogisticFlow, traps.leader_trap, {"u": [1, 0], "a": [1, 0]}),
        (ElementwiseSigmoidFlow, traps.elementwise_sigmoid_trap, {"u": [1, 1], "a": [1, 0]}),
        (RescaledFlow, leader_trap, {"z": [[-1], [2]], "t": 2}),
    ],
)
def test_a_flow_that_is_only_like_one_with_a_lemma_is_refused(model, trap, start):
    """Of a subclass made elsewhere nothing is shown, though it may replace nothing."""

    class Backwards(model):
        pass

    trap(*[model.instance(**start)] * len(inspect.signature(trap).parameters))
    with pytest.raises(NoLemmaError, match="Backwards"):
        trap(*[Backwards(**model.instance(**start).arrays())] * len(inspect.signature(trap).parameters))


# ---------------------------------------------------------------------------------------------------------------------
# The constants of the lemmas against long runs


def power_of(f, now):
    w = now.u[0] - now.u[1:]
    if isinstance(f, CubeMapFlow):
        return now.a[1:] * w**2 / (now.a[0] * now.K * (now.a**2).sum())
    return now.s[1:] * w**2 / now.K


@pytest.mark.parametrize(
    ("kind", "u", "a", "within"),
    [
        (CubeMapFlow, [1, 0, "-1/2"], [1, "1/2", "1/4"], 0.02),
        (NormalisedSigmoidFlow, [1, 0, "-1/2"], ["1/2", 0, 0], 0.2),
        (EluFlow, [1, 0], ["1/2", "-1/2"], 0.25),
        (OnePlusExponentialFlow, [1, 0, "-1/2"], ["1/2", 0, 0], 0.3),
    ],
)
def test_powers_of_other_maps_come_near_their_limits(kind, u, a, within):
    f = kind.instance(u=u, a=a, K=2)
    soon, later = (power_of(f, now) for now in integrate(f, [30.0, 3000.0], 1e-9))
    limit = float(arb(traps.normalised_map_trap(f).power))
    assert (abs(later / limit - 1) < within).all()
    assert (abs(later - limit) < abs(soon - limit) + 1e-2).all()


def test_weight_decay_lets_inverse_ratios_grow_at_the_stated_speed():
    f = DecayedSquareFlow.instance(u=[1, 0, 0], a=[1, "1/2", 0], K=3, decay="1/2")
    end = traps.decayed_square_trap(f)
    soon, later = integrate(f, [2000.0, 4000.0], 1e-10)
    growth = (np.exp(later.a[0] - later.a[1:]) - np.exp(soon.a[0] - soon.a[1:])) / 2000
    assert np.allclose(growth, float(arb(end.speed)), rtol=0.1)


def test_the_approach_of_softmax_has_the_stated_constants():
    f = PathFlow.instance(u=[2, 1, 0], a=[1, 0, 0], K="3/2")
    slow = traps.approach_trap(starting_at(SlowFlow, f))
    (now,) = integrate(f, [1e4], 1e-12)
    tau, q = 1e4, np.exp(now.a[1:] - now.a[0])
    assert np.allclose(q * tau**2, float(arb(slow.ratio)), rtol=0.05)
    lost = 1.5 * (1 - now.s[0]) * tau**2  # minus the rate of u_0 - K tau, times tau^2
    assert np.isclose(lost, float(arb(slow.leader)), rtol=0.02)
    assert np.allclose(1.5 * now.s[1:] * tau**2, -float(arb(slow.loser)), rtol=0.05)
    assert np.isclose((now.u[0] - now.m) * tau * 1.5, float(arb(slow.lead_in_time)), rtol=0.02)
    rows = EqualRowsFlow.instance(u=[2, 1, 0], a=[1, 0, 0], K="3/2")
    (late_rows,) = integrate(rows, [1e4], 1e-12)
    found = np.exp(late_rows.a[1:] - late_rows.a[0]) * tau**2
    assert np.allclose(found, float(arb(traps.approach_trap(rows).ratio)), rtol=0.1)
