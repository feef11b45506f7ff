"""Regions and remaining motion on exact states at every edge: what is caught, and what is said, against a second statement.

Lemmas are stated twice in this suite. States of small integers, ties among them, tell every condition apart that one of the
statements forgets; and balls that only overlap would hide a bound that is too narrow, so here their ends are compared.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq

from claims.stating.matrices import is_positive_definite, is_positive_semidefinite
from dynamics.arithmetic import UndecidedError, exact, fraction
from dynamics.checker import traps as second_traps
from dynamics.checker.intervals import interval
from dynamics.limits import margins, remaining_motion, splittings, traps
from dynamics.orbits import gathering
from dynamics.training.conditioned_regression import ConditionedRegressionFlow, LinearisedGapFlow
from dynamics.training.frozen_values import FrozenValuesFlow
from dynamics.training.row_attention import EqualRowsFlow, RowAttentionFlow
from dynamics.training.score_maps import (
    CubeMapFlow,
    ElementwiseExponentialFlow,
    ElementwiseSigmoidFlow,
    EluFlow,
    NormalisedSigmoidFlow,
    OnePlusExponentialFlow,
    OnePlusSigmoidFlow,
)
from dynamics.training.slow_clocks import SlowFlow, SlowPowerFlow
from dynamics.training.value_softmax import DecayedSquareFlow, LogisticFlow, SquareLossFlow
from tests.limits.test_limits_of_training import ATTACKS, starts_of
from tests.planting import asked_of, bugs_in, facts_above, one_in


def small(turn, *shape, low=-1, high=2):
    return np.random.default_rng([101, turn]).integers(low, high + 1, shape).tolist()


def leading(turn, p=3):
    """Values and scores of p tokens, in half of all cases led by one of them, ties among them."""
    u, a = small(2 * turn, p), small(2 * turn + 1, p)
    if turn % 2:
        k = turn // 2 % p
        # It leads, or ties with another: by value, by score, by both.
        u[k], a[k] = max(u) + turn // 8 % 2, max(a) + turn // 16 % 2
    return {"u": u, "a": a}


def first(turn, p=3, **more):
    """The same with index 0 in the lead."""
    found = leading(turn, p)
    # Of every four, one that is certain to be caught.
    if turn % 4 == 3:
        found["u"][0], found["a"][0] = max(found["u"]) + 1, max(found["a"]) + 1
    return found | more


def causal(turn, T=3):
    u, A = (
        small(2 * turn, T),
        [[2 * score if j <= i else 0 for j, score in enumerate(row)] for i, row in enumerate(small(turn, T, T))],
    )
    if turn % 3 == 0:
        for i in range(1, T):
            # Held by token 1 with a lead of 1 or of 3: its region asks for more than the least lead.
            A[i][1] = max(A[i][: i + 1]) + 1 + turn % 2 * 2
        u[1] = max(u) + 1
    if turn % 3 == 1:
        for i in range(T):
            A[i][0] = max(A[i][: i + 1]) + 1
        u[0] = max(u) + 1
    if turn % 7 == 2:
        u[turn % T] += 1
    return {"u": u, "A": A, "visible": np.tril(np.ones((T, T), dtype=int)).tolist()}


def masked(turn, T=3):
    mask = (np.random.default_rng([102, turn]).integers(0, 3, (T, T)) > 0).astype(int)
    np.fill_diagonal(mask, 1)
    u, A = small(2 * turn, T), small(turn, T, T)
    k = turn % T
    # Mostly seen by all, sometimes not: a token that some do not see cannot hold them.
    mask[:, k] = mask[:, k] | (turn % 4 > 0)
    if turn % 2:
        u[k] = max(u) + 1
        for row in A:
            row[k] = max(row) + 1
    scores = [
        [score if seen else 0 for score, seen in zip(row, sees, strict=True)]
        for row, sees in zip(A, mask.tolist(), strict=True)
    ]
    return {"u": u, "A": scores, "visible": mask.tolist()}


@cache
def at_the_edge_of_parting(turn):
    """Scores on the side of their values, as near to zero as the region allows within 1/64 of them, or that much nearer."""
    rng, p = np.random.default_rng([103, turn // 2]), 2 + turn // 2 % 4
    sides = np.where(np.arange(p) <= turn // 2 % (p - 1), 1, -1)
    u, a = (sides * rng.integers(least, 9, p) for least in (1, 4))

    def scaled(k):
        scores = [f"{k * int(score)}/64" for score in a]
        return OnePlusSigmoidFlow.instance(u=u.tolist(), a=scores, K=("1/64", 16)[turn // 2 % 5 > 1])

    outside, inside = 0, 256
    # Bisection in steps of 1/64: who is caught is decided by one number there.
    while inside - outside > 1:
        middle = (outside + inside) // 2
        try:
            traps.bounded_map_trap(scaled(middle))
            inside = middle
        except UndecidedError:
            outside = middle
    return scaled((outside, inside)[turn % 2])


STATES = {
    "bounded_map_trap": at_the_edge_of_parting,
    "leader_trap": lambda turn: (LogisticFlow, FrozenValuesFlow)[turn % 5 == 0].instance(**leading(turn)),
    "approach_trap": lambda turn: (
        (SlowFlow, SlowPowerFlow)[turn % 3 > 1].instance(gaps=small(2 * turn, 2), logs=small(2 * turn + 1, 2), K=3)
        if turn % 2 == 0
        else EqualRowsFlow.instance(**first(turn))
    ),
    "normalised_map_trap": lambda turn: (
        (NormalisedSigmoidFlow, OnePlusExponentialFlow, CubeMapFlow)[turn % 3].instance(**first(turn))
        if turn % 2
        else EluFlow.instance(**first(turn + 1, 2))
    ),
    "elementwise_exponential_trap": lambda turn: ElementwiseExponentialFlow.instance(**first(turn)),
    "elementwise_sigmoid_trap": lambda turn: ElementwiseSigmoidFlow.instance(**leading(turn, 2)),
    "decayed_square_trap": lambda turn: DecayedSquareFlow.instance(
        **first(turn, K=(1, 4)[turn // 4 % 2], decay=("1/2", 3)[turn % 2])
    ),
    "rows_trap": lambda turn: RowAttentionFlow.instance(**masked(turn)),
    "held_rows_trap": lambda turn: RowAttentionFlow.instance(**causal(turn, 2 + turn % 2)),
    "causal_rows_trap": lambda turn: RowAttentionFlow.instance(**causal(turn)),
}


def restated(f):
    """A state as the restatement takes it: intervals for what moves, Fractions for the rest."""

    def entries(value, moves):
        if isinstance(value, list):
            return [entries(one, moves) for one in value]
        exactly = fraction(fmpq(value))
        return interval(exactly) if moves else exactly

    return {name: entries(array.tolist(), name in f.moving) for name, array in f.arrays().items()}


def agree(found, other, least):
    """Whether what two statements of a lemma show is the same, intervals at both of their ends, but for so little."""
    if isinstance(found, np.ndarray | list):
        return len(found) == len(other) and all(agree(x, y, least) for x, y in zip(list(found), list(other), strict=True))
    if isinstance(other, Fraction | int) or other is None:
        return found is other or (not isinstance(found, arb) and fraction(fmpq(found)) == other)
    ball = arb(found)
    low, high = (float(end) for end in (ball.lower(), ball.upper()))
    room = 1e-5 * (high - low) + least * (1 + abs(low) + abs(high))
    return abs(low - float(other.a)) <= room and abs(high - float(other.b)) <= room


@cache
def states_of(name):
    """States at which a trap is asked, or a bound of what motion remains: at edges, and where training is followed."""
    # At edges from small integers, and where training gets to.
    exact = [STATES[name](turn) for turn in range(64)] if name in STATES else [f for one, f in rests() if one == name]
    attacks = [attack for attack in ATTACKS if attack.partition(" ")[0] == name]
    return exact + [state for attack in attacks for _, states in starts_of(attack) for state in states]


def same_of_both(name, first, second):
    """How many states both statements of a lemma catch, of how many; fails where one alone does, or says another end."""
    states, caught, least = states_of(name), 0, 1e-5 if name.endswith("_limit") else 1e-12
    for state in states:
        end = shown = None
        with suppress(UndecidedError):
            end = getattr(first, name)(state)
        with suppress(second.UncaughtError):
            shown = second.shown(name, type(state).__name__, restated(state))
        assert (end is None) is (shown is None), name
        if end is not None:
            caught += 1
            for attribute, value in shown.items():
                own = getattr(end, attribute)
                assert agree(own.tolist() if isinstance(own, np.ndarray) else own, value, least), (name, attribute)
            if name in ("leader_trap", "normalised_map_trap"):
                assert end.diverging == int("u" in state.moving)
    return caught, len(states)


def regions_are_those_of_the_second_statement(m):
    for name in one_in(3, STATES):
        # Some are caught and some are not: else the comparison would say little.
        caught, count = same_of_both(name, m, second_traps)
        assert count / 20 < caught < count, name


def what_catches_needs_every_margin(margins):
    yes, no, open_ = fmpq(1), fmpq(-1), arb(0, 1)
    margins.inside({"a": np.array([yes, yes]), "b": np.array([arb(1)])})
    # What is certainly not so needs no more bits, whatever else is open; 0 is not inside.
    for values in ([no, open_], [open_, no], [yes, no], [yes, fmpq(0)], [fmpq(0), yes]):
        for other in (yes, open_):
            for named in ({"a": values, "b": [other]}, {"b": [other], "a": values}):
                with pytest.raises(margins.NotTrappedError):
                    margins.inside({name: np.array(given, dtype=object) for name, given in named.items()})
    for values in ([yes, open_], [open_, yes], [open_, open_]):
        for named in ({"a": values, "b": [yes]}, {"b": [yes], "a": values}):
            with pytest.raises(UndecidedError) as error:
                margins.inside({name: np.array(given, dtype=object) for name, given in named.items()})
            assert error.value.precision_helps


def an_open_candidate_is_told_before_one_that_fails(m):
    """Two may lead: of one it is open, of the other it is not so. More bits may help."""
    for a in ([1, 0], [0, 1]):
        u, state = [arb(1, 2), fmpq(1)], LogisticFlow.instance(u=[1, 0], a=a)
        values = state.u.copy()
        values[:] = u
        with pytest.raises(UndecidedError) as error:
            m.leader_trap(state.replace(u=values))
        assert error.value.precision_helps


def limits_of_an_approach_fit_together(m):
    """tau = log t / K, w ~ K tau and D ~ sum_j q_j w_j: all limits follow from that of q_j tau^2; rows share the clock."""
    # Several sizes and constants: a factor of p or of K that is forgotten is 1 in the smallest case.
    for p, K in ((2, 1), (3, 2), (5, fmpq(1, 3))):
        one = m.approach_trap(SlowFlow.instance(gaps=[1] * (p - 1), logs=[*([0] * (p - 2)), -1], K=str(K)))
        assert one.ratio == fmpq(2) / (p * K)
        assert one.leader == (p - 1) * K * one.ratio
        assert one.loser == -K * one.ratio
        assert one.scores_in_time == K * K * one.ratio
        assert one.lead_in_time == K * one.leader
        assert (one.margin, one.time_share, one.time_error, one.power_clock) == (0, 1, 0, 1)
        rows = m.approach_trap(EqualRowsFlow.instance(u=[2, *([0] * (p - 1))], a=[1, *([0] * (p - 1))], K=str(K)))
        assert rows.ratio == p * one.ratio
        assert rows.leader == p * one.leader


def an_approach_needs_a_leader(m):
    for gaps, logs in (([0, 1], [0, -1]), ([1, -1], [0, -1]), ([1, 1], [0, 0]), ([1, 1], [1, -1]), ([1, 1], [0, 1])):
        with pytest.raises(m.UndecidedError):
            m.approach_trap(SlowFlow.instance(gaps=gaps, logs=logs))
    for u, a in (([1, 1], [1, 0]), ([1, 0], [1, 1]), ([0, 1], [1, 0]), ([1, 0], [0, 1])):
        with pytest.raises(m.UndecidedError):
            m.approach_trap(EqualRowsFlow.instance(u=u, a=a))
    for k in (-3, -2, -1, 0):
        state = SlowPowerFlow.instance(gaps=[1], logs=[-1], k=k)
        # The power of the clock is k + 2: from -2 down there is none.
        if k > -2:
            assert m.approach_trap(state).power_clock == 1
            continue
        with pytest.raises(m.UndecidedError):
            m.approach_trap(state)


def every_margin_of_rows_is_asked(m):
    """Of rows that are held by far one score, or one value, ties with those of the token that holds them."""
    for T in range(2, 6):
        causal_mask = np.tril(np.ones((T, T), dtype=int))
        for trap, k, mask in ((m.held_rows_trap, 1, causal_mask), (m.rows_trap, 0, 0 * causal_mask + 1)):
            u, A = np.zeros(T, dtype=int), np.zeros((T, T), dtype=int)
            u[k], A[k:, k] = 1, 9

            def flow(u, A, mask=mask):
                return RowAttentionFlow.instance(u=u.tolist(), A=A.tolist(), visible=mask.tolist())

            if T > 2 or k == 0:  # of two rows one cannot hold more than itself
                trap(flow(u, A))
            for i, j in ((i, j) for i in range(k, T) for j in range(T) if j != k and mask[i, j]):
                tied = A.copy()
                # A tie is no lead, in whichever row it is.
                tied[i, j] = 9
                with pytest.raises(m.UndecidedError):
                    trap(flow(u, tied))
            for j in set(range(T)) - {k}:
                with pytest.raises(m.UndecidedError):
                    trap(flow(np.where(np.arange(T) == j, 1, u), A))


def only_what_is_below_zero_has_passed_it(m):
    trap = m.passed_zero(lambda f: f.u[0] - f.u[1])
    assert trap(LogisticFlow.instance(u=[0, 1])).value == -1
    for u in ([1, 0], [1, 1]):
        with pytest.raises(m.NotTrappedError):
            trap(LogisticFlow.instance(u=u))


def is_tight(ball, low, high):
    """Whether a ball holds the two ends and reaches hardly beyond them."""
    room = arb(2) ** -20
    return ball.contains(low) and ball.contains(high) and low - room <= ball.lower() and ball.upper() <= high + room


def extremes_and_sums_are_those_of_all_members(margins):
    # Overlapping ones among them: no order of the middles is the order of the ends.
    balls = [arb(1, "0.5"), arb(-2), arb("0.25", 1), arb(3, "0.25"), arb(-4, "0.125")]
    for count in range(1, 4):
        for some in permutations(balls, count):
            lows, highs = [x.lower() for x in some], [x.upper() for x in some]
            assert is_tight(margins.greatest(some), max(lows), max(highs))
            assert is_tight(margins.least(iter(some)), min(lows), min(highs))
            assert is_tight(margins.total(some), sum(lows), sum(highs))
            weights = [fmpq(2), fmpq(0), fmpq(1, 4)][:count]
            products = [[w * end for w, end in zip(weights, ends, strict=True)] for ends in (lows, highs)]
            assert is_tight(margins.dot(weights, some), sum(products[0], arb(0)), sum(products[1], arb(0)))
    assert margins.greatest([]) == margins.total([]) == margins.dot([], []) == 0
    for values in ([1, 2], [1, 2, 3]):
        # Fewer weights than numbers would leave numbers out.
        with pytest.raises(ValueError, match="zip"):
            margins.dot(values, values[:-1])


def roots_hold_those_of_what_is_not_negative(margins):
    # What is known not to be negative may have a ball that reaches below 0.
    for middle, radius in ((4, 0), (4, 1), (4, "3.5"), (0, 1), ("0.5", 1), ("-0.5", 1), (0, 0), (1, 1)):
        x = arb(middle, radius)
        assert is_tight(margins.root(x), max(x.lower(), arb(0)).sqrt(), x.upper().sqrt())


def constants_are_those_of_softmax(margins):
    for n in (1, 2, 3, 10, 1000):
        omega = margins.gap_constant(n)
        assert is_tight(omega * (omega + 1).exp(), arb(n - 1), arb(n - 1))
    # Near 0 and far out the bound is nearest, by a third too large in between.
    for x in (arb("0.01"), arb(30), *(arb(k) / 4 for k in range(1, 40))):
        least = float(mpmath.e1(float(x)))
        assert least < float(margins.integral_bound(x)) < 1.3 * least


def what_is_around_reaches_as_far_on_both_sides(margins):
    values = np.array([arb(1), arb(-3, "0.5")], dtype=object)
    for distance in (arb(0), arb(2), arb(2, 1)):
        for found, value in zip(margins.around(values, distance), values, strict=True):
            assert is_tight(found, value.lower() - distance.upper(), value.upper() + distance.upper())


def unit_rows_are_one_at_their_targets(margins):
    for targets in ([], [0], [2, 0, 2], [1, 1]):
        assert margins.unit_rows(targets, 3).tolist() == [[fmpq(int(k == target)) for k in range(3)] for target in targets]


def a_lemma_is_about_its_own_models_alone(margins):
    class Backwards(LogisticFlow):
        """A subclass made elsewhere: it inherits the arrays, and may move in any other way."""

    flow = LogisticFlow.instance(u=[1, 0])
    margins.about(flow, SlowFlow, LogisticFlow)
    for other, models in ((flow, (SlowFlow, DecayedSquareFlow)), (Backwards(**flow.arrays()), (LogisticFlow,))):
        with pytest.raises(margins.NoLemmaError, match="the lemma is about"):
            margins.about(other, *models)


def what_the_first_catches_is_told_and_else_what_tells_most(margins):
    def raising(error):
        raise error

    for kinds in product(("caught", "not", "open"), repeat=3):
        ends = {
            "caught": lambda: 7,
            "not": lambda: raising(margins.NotTrappedError()),
            "open": lambda: raising(UndecidedError()),
        }
        candidates = [ends[kind] for kind in kinds]
        if "caught" in kinds:
            # The first that catches is told, not the last.
            candidates[kinds.index("caught")] = lambda: 3
            assert margins.first_caught(candidates) == 3
            continue
        with pytest.raises(UndecidedError) as raised:
            margins.first_caught(candidates)
        assert raised.value.precision_helps is ("open" in kinds)


test_margins, test_bugs_in_margins = asked_of(margins, facts_above(globals(), "margins"))


def who_is_above_the_mean_has_to_be_known(m):
    state = OnePlusSigmoidFlow.instance(u=[3, -3, 1], a=[8, -8, 8], K=16)
    assert m.bounded_map_trap(state).weights.tolist() == [fmpq(2, 5), fmpq(1, 5), fmpq(2, 5)]
    u = state.u.copy()
    # Neither above nor below, so that its weight in the end is open.
    u[2] = arb(0, 4)
    with pytest.raises(m.UndecidedError, match="above the mean is open"):
        m.bounded_map_trap(state.replace(u=u))


test_regions, test_bugs_in_regions = asked_of(traps, facts_above(globals()))


# ---------------------------------------------------------------------------------------------------------------------
# Remaining motion


def rests():
    for top, lead in ((4, 4), (16, 6), (2, 3)):  # nearly at rest, where the weights of now give a better rate than 1/p
        yield "square_loss_limit", SquareLossFlow.instance(u=[top, 0, -1], a=[lead, 0, 0], K=top)
    for turn in range(16):
        u, a = small(2 * turn, 3), small(2 * turn + 1, 3)
        yield "square_loss_limit", SquareLossFlow.instance(u=u, a=a, K=(1, 5, 40)[turn % 3])
        yield "linearised_gap_limit", LinearisedGapFlow.instance(w=small(turn, 2), rate=[1, 2], D=small(turn + 70, 2))
        V, X = [[small(turn, 2)]], [[1 + turn % 3]]
        yield "conditioned_limit", ConditionedRegressionFlow.instance(V=V, a=[small(turn + 50, 2)], X=X, b=[[turn % 4]])
        V, X = [[small(turn, 2), small(turn + 1, 2)]] * 2, [[1 + turn % 3, 2], [1, "1/2"]]
        a, b = [small(turn + 50, 2), small(turn + 51, 2)], [[turn % 4, 1], [1, 3]]
        yield "conditioned_limit", ConditionedRegressionFlow.instance(V=V, a=a, X=X, b=b)


def bounds_are_those_of_the_second_statement(remaining):
    for name in ("square_loss_limit", "linearised_gap_limit", "conditioned_limit"):
        same_of_both(name, remaining, second_traps)


test_remaining_motion, test_bugs_in_remaining_motion = asked_of(
    remaining_motion, [bounds_are_those_of_the_second_statement]
)


@bugs_in(second_traps, part="training")
def test_a_bug_planted_in_the_restatement_is_caught(bug):
    name = bug.fact.partition(" ")[0]
    with pytest.raises(AssertionError):
        same_of_both(name, remaining_motion if name.endswith("_limit") else traps, bug.planted())


def test_matrices_are_definite_where_all_minors_say_so():
    """Symmetric matrices of small integers, pivots that vanish among them: what the suite and the lemmas say."""
    for d, entries in ((1, (-1, 0, 1)), (2, (-2, -1, 0, 1, 2)), (3, (-1, 0, 1, 2))):
        upper, sets = np.triu_indices(d), [rows for k in range(1, d + 1) for rows in combinations(range(d), k)]
        # By their minors, which elimination does not use; a third of those of size 3 is enough for every pivot to vanish.
        for values in list(product(entries, repeat=len(upper[0])))[:: 3 if d == 3 else 1]:
            whole = np.zeros((d, d), dtype=int)
            whole[upper] = values
            whole = np.maximum(whole, whole.T) + np.minimum(whole, whole.T) - np.diag(whole.diagonal())
            minors = {rows: round(np.linalg.det(whole[np.ix_(rows, rows)])) for rows in sets}
            definite = all(minors[tuple(range(k))] > 0 for k in range(1, d + 1))
            semidefinite = all(minor >= 0 for minor in minors.values())
            S = exact(whole.tolist())
            assert splittings.is_definite(S) == gathering._is_definite(S) == is_positive_definite(S) == definite
            assert splittings.is_semidefinite(S) == is_positive_semidefinite(S) == semidefinite


def test_a_norm_is_one_in_which_the_matrix_is_small_enough():
    """All Q and V of small integers on a plane: Q is positive definite, and |V g|_Q at most mu |g|_Q."""
    said = 0
    for a, b, c in product((-1, 0, 1, 2), repeat=3):
        for entries in product((-1, 0, 1), repeat=4):
            Q, V = np.array([[a, b], [b, c]]), np.array(entries).reshape(2, 2)
            for mu in (0, 1, 2):
                expected = a > 0 and a * c - b * b > 0
                if expected:
                    # |V g|_Q <= mu |g|_Q where mu^2 Q - V^T Q V is semidefinite.
                    (x, y), (_, z) = mu * mu * Q - V.T @ Q @ V
                    expected = x >= 0 and z >= 0 and x * z - y * y >= 0
                assert splittings._is_norm(exact(Q.tolist()), exact(V.tolist()), fmpq(mu)) == expected
                said += expected
    assert said > 100
