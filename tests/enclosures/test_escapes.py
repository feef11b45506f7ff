"""Escape probabilities of the attention chain: against every sequence of picks, and against simulation and SciPy."""

from __future__ import annotations

import math
import tracemalloc
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq
from scipy.special import bdtrc

from dynamics.arithmetic import working_precision
from dynamics.enclosures.escapes import (
    TooManyStatesError,
    binomial_tail,
    escape_probability,
    log_chance_alone,
    simulate_escapes,
)
from dynamics.tokens.attention_chain import AttentionChain, SoftmaxStep
from dynamics.tokens.pick_sequences import cheapest_way_out, law_after

NONE = arb(0)  # nothing is negligible
DIGITS = 50


def chain(steps, **changes):
    """Three tokens in two groups; no position reached lies exactly on the edge of a tube."""
    values = {
        "v": [[1, 0], [0, 1]], "x": [[1, 0], ["1/10", "9/10"], ["4/5", "1/7"]], "group": [0, 1, 0], "beta": 2,
        "gamma": "1/3", "eps": "3/17", "steps": steps,
    }  # fmt: skip
    return AttentionChain.instance(**values | changes)


def pair(steps, **changes):
    """Two tokens, each a group of its own."""
    return chain(steps, **{"x": [["9/10", 0], [0, 1]], "group": [0, 1]} | changes)


def line(steps, **changes):
    """Two tokens of one dimension in one group: the hull is a segment, and no token can leave it."""
    values = {"v": [[1], [-1]], "x": [[1], ["9/10"], [-1]], "group": [0, 0, 1], "beta": "1/2", "gamma": "1/4", "eps": "1/9"}
    return AttentionChain.instance(**values | {"steps": steps} | changes)


CHAINS = {
    "pair": pair, "pair, hot": lambda t: pair(t, beta="1/5", eps="1/2"), "pair, cold": lambda t: pair(t, beta=9),
    "three": chain, "three, wide": lambda t: chain(t, eps="4/7"), "line": line,
    "twins": lambda t: chain(t, x=[[1, 0], ["1/10", "9/10"], [1, 0]]),
}  # fmt: skip


def number(value):
    return mpmath.mpf(int(value.p)) / int(value.q)


def distance_to_segment(x, ends):
    """From x to the hull of one or two points."""
    origin, end = ends[0], ends[-1]
    edge = [b - a for a, b in zip(origin, end, strict=True)]
    offset = [b - a for a, b in zip(origin, x, strict=True)]
    length = sum(e * e for e in edge)
    where = 0 if length == 0 else min(1, max(0, sum(e * o for e, o in zip(edge, offset, strict=True)) / length))
    return mpmath.sqrt(sum((o - where * e) ** 2 for o, e in zip(offset, edge, strict=True)))


def by_brute_force(instance):
    """P[T_2 < t] as the sum over all sequences of picks, each followed to its end or its first escape."""
    with mpmath.workdps(DIGITS):
        start = [[number(c) for c in row] for row in instance.x]
        beta, gamma, eps = (number(value.item()) for value in (instance.beta, instance.gamma, instance.eps))
    labels = instance.group.tolist()
    hulls = {label: [x for x, other in zip(start, labels, strict=True) if other == label] for label in labels}
    n = len(start)

    def escape(x, left):
        if left == 0:
            return mpmath.mpf(0)
        powers = [[mpmath.exp(beta * sum(a * b for a, b in zip(p, q, strict=True))) for q in x] for p in x]
        total = mpmath.mpf(0)
        # Every sequence of picks to its end: slow, and nothing is merged or left out.
        for picks in product(range(n), repeat=n):
            chance = mpmath.mpf(1)
            for i, j in enumerate(picks):
                chance *= powers[i][j] / sum(powers[i])
            y = [[(1 - gamma) * a + gamma * b for a, b in zip(x[i], x[j], strict=True)] for i, j in enumerate(picks)]
            out = any(distance_to_segment(token, hulls[label]) > eps for token, label in zip(y, labels, strict=True))
            total += chance if out else chance * escape(y, left - 1)
        return total

    with mpmath.workdps(DIGITS):
        return escape(start, int(instance.steps.item()) - 1)


def contains(low, high, value):
    """Whether [low, high] in balls contains the multiprecision value, give or take its own rounding."""
    with working_precision(400):
        near = arb(mpmath.nstr(value, DIGITS)) + arb(0, "1e-45")
        return not near < low.lower() and not near > high.upper()


# ---------------------------------------------------------------------------------------------------------------------
# Enumeration


@pytest.mark.parametrize(
    ("name", "steps"),
    [(name, steps) for name in CHAINS for steps in (1, 2, 3, 4) if steps < 4 or name.startswith("pair") or name == "three"],
)
def test_escape_probability_is_the_sum_over_all_sequences_of_picks(name, steps):
    instance = CHAINS[name](steps)
    expected = by_brute_force(instance)
    with working_precision(160):
        found = escape_probability(instance, NONE)
    assert found.cut == 0
    assert found.escaped.rad() < arb("1e-40")
    assert contains(found.escaped, found.escaped, expected)
    assert steps > 1 or found.escaped == 0


def test_the_chains_compared_escape_with_chances_of_many_sizes():
    chances = sorted(float(escape_probability(make(3), NONE).escaped.mid()) for make in CHAINS.values())
    assert chances[0] == 0 or chances[0] < 0.01
    assert chances[-1] > 0.3
    # Where all escape, or none, a sum of chances is right by accident.
    assert sum(0.01 < chance < 0.99 for chance in chances) >= 3


def test_tokens_of_one_group_never_leave_their_hull_alone():
    instance = chain(3, x=[[1, 0], ["4/5", 0], ["9/10", "1/7"]], group=[0, 0, 0], eps="1/1000")
    found = escape_probability(instance, NONE)
    assert found.escaped == 0
    assert found.cut == 0


@pytest.mark.parametrize("exponent", [1, 2, 3, 5, 8, 12, 30])
@pytest.mark.parametrize("name", ["pair, cold", "three", "line"])
def test_what_is_cut_widens_the_answer_and_never_moves_it(name, exponent):
    instance = CHAINS[name](4 if name.startswith("pair") else 3)
    with working_precision(128):
        full = escape_probability(instance, NONE)
        found = escape_probability(instance, arb(10) ** -exponent)
        assert full.cut == 0
        assert not full.escaped < found.escaped
        assert not full.escaped > found.escaped + found.cut
        assert found.branches <= full.branches
        assert found.escaped + found.cut < 1 + arb("1e-20")


def test_a_coarse_cut_drops_branches_and_returns_their_mass():
    full, coarse = (escape_probability(chain(3), cut) for cut in (NONE, arb("1e-2")))
    assert coarse.branches < full.branches
    assert coarse.cut > 0
    assert coarse.escaped < full.escaped
    # No pick has a chance of 2: all is cut at once.
    everything = escape_probability(chain(3), arb(2))
    assert everything.escaped == 0
    assert everything.cut.contains(1)
    assert everything.branches == 0


def test_targets_that_coincide_are_one_move_with_added_chances():
    assert escape_probability(CHAINS["twins"](2), NONE).branches == 2**3
    assert escape_probability(chain(2), NONE).branches == 3**3


@pytest.mark.parametrize(("eps", "escapes"), [("1", False), ("999999999999/1000000000000", True)])
def test_a_token_exactly_on_the_edge_of_its_tube_has_not_escaped(eps, escapes):
    """A pick moves (1, 0) by 3/10 of (-2, 8/3), which is (-3/5, 4/5): by exactly 1."""
    v = [[1, 0], [-1, "8/3"]]
    found = escape_probability(chain(2, v=v, x=v, group=[0, 1], gamma="3/10", eps=eps), NONE)
    assert (found.escaped > 0) == escapes
    assert (found.escaped == 0) != escapes


def test_more_combinations_of_picks_than_allowed_is_an_error():
    with pytest.raises(TooManyStatesError, match="more than 26 combinations of picks within 2 steps"):
        escape_probability(chain(2), NONE, most_branches=26)
    assert escape_probability(chain(2), NONE, most_branches=27).branches == 27
    with pytest.raises(TooManyStatesError):
        escape_probability(chain(3), NONE, most_branches=28)


def test_the_limit_on_combinations_stops_the_enumeration_before_it_fills_the_memory():
    crowd = chain(2, x=[[1, Fraction(k, 50)] for k in range(6)], group=[0] * 6)  # 6^6 = 46656 combinations
    tracemalloc.start()
    try:
        with pytest.raises(TooManyStatesError):
            escape_probability(crowd, NONE, most_branches=100)
        # All combinations together would take many times as much.
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


# ---------------------------------------------------------------------------------------------------------------------
# Simulation


@pytest.mark.parametrize(("name", "steps"), [("pair", 4), ("pair, hot", 3), ("three", 3), ("three, wide", 4), ("line", 4)])
def test_simulated_escapes_are_within_five_sigma_of_the_exact_chance(name, steps):
    runs = 20000
    chance = float(escape_probability(CHAINS[name](steps), NONE).escaped.mid())
    count, possible = simulate_escapes(CHAINS[name](steps), runs, np.random.default_rng(1))
    assert possible == count  # no position reached lies on the edge of a tube
    assert abs(count - runs * chance) <= 5 * np.sqrt(runs * chance * (1 - chance))


def test_simulation_follows_its_generator_and_sees_no_escape_in_no_step():
    first, again = (simulate_escapes(chain(3), 500, np.random.default_rng(3)) for _ in range(2))
    assert first == again
    assert first[0] > 0
    assert simulate_escapes(chain(1), 500, np.random.default_rng(3)) == (0, 0)


# ---------------------------------------------------------------------------------------------------------------------
# Binomial tails


@pytest.mark.parametrize("p", ["0.5", "0.3", "0.001", "0.97"])
def test_binomial_tails_agree_with_scipy(p):
    for trials in (1, 7, 40, 1000):
        for successes in {0, 1, trials // 3, trials // 2, trials}:
            tail = binomial_tail(successes, trials, arb(p))
            assert float(tail.mid()) == pytest.approx(bdtrc(successes - 1, trials, float(p)), rel=1e-9)


@pytest.mark.parametrize("p", [fmpq(1, 2), fmpq(1, 3), fmpq(1, 1000), fmpq(29, 30)])
def test_binomial_tails_enclose_exact_rational_sums(p):
    for trials in (1, 5, 30):
        for successes in range(trials + 1):
            counts = range(successes, trials + 1)
            exactly = sum((math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in counts), fmpq(0))
            with working_precision(128):
                tail = binomial_tail(successes, trials, arb(p))
            with working_precision(1000):
                assert tail.overlaps(arb(exactly))
                # Relative to the tail, however small it is.
                assert tail.rad() < arb("1e-25") * arb(exactly)


def test_binomial_tails_at_the_ends_are_exact():
    assert binomial_tail(0, 5, arb("0.3")) == 1
    assert binomial_tail(-1, 5, arb("0.3")) == 1
    assert binomial_tail(6, 5, arb("0.3")) == 0
    assert binomial_tail(9, 5, arb("0.3")) == 0
    assert binomial_tail(1, 5, arb(0)) == 0
    assert binomial_tail(5, 5, arb(1)) == 1


def test_a_ball_of_chances_encloses_the_tails_of_all_of_them():
    tail = binomial_tail(7, 20, arb("0.3", "0.01"))
    for p in ("0.29", "0.295", "0.3", "0.31"):
        assert tail.overlaps(binomial_tail(7, 20, arb(p)))


def test_one_token_alone_bounds_the_escape_from_below_and_accounts_for_the_rest():
    triple = chain(4)
    alone, full = escape_probability(triple, NONE, most_movers=1), escape_probability(triple, NONE)
    assert alone.branches < full.branches
    assert alone.escaped <= full.escaped
    assert full.escaped <= alone.escaped + alone.cut
    assert alone.cut > 0


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("steps", [2, 4, 6])
def test_one_token_alone_in_float64_agrees_with_the_enumeration(name, steps):
    system = CHAINS[name](steps)
    with working_precision(128):
        enumerated = escape_probability(system, NONE, 40000, most_movers=1).escaped
        truth = float(enumerated.log().mid()) if enumerated > 0 else -math.inf
    assert log_chance_alone(system, most_places=4000) == pytest.approx(truth, rel=1e-10)
    # With fewer places it is a bound from below.
    assert log_chance_alone(system, most_places=2) <= truth + 1e-9


# ---------------------------------------------------------------------------------------------------------------------
# The whole law, and the cheapest way out


def sequences(instance, steps):
    """Every sequence of picks: the tokens after it as Fractions, its chance in mpmath, and its cost."""
    as_fractions = [[Fraction(int(c.p), int(c.q)) for c in row] for row in instance.x]
    gamma, beta = (Fraction(int(v.p), int(v.q)) for v in (instance.gamma.item(), instance.beta.item()))
    n = len(as_fractions)
    found = [([as_fractions], mpmath.mpf(1), Fraction(0))]
    for _ in range(steps):
        grown = []
        for path, chance, cost in found:
            x = path[-1]
            scores = [[sum(a * b for a, b in zip(p, q, strict=True)) for q in x] for p in x]
            powers = [
                [mpmath.exp(mpmath.mpf((beta * s).numerator) / (beta * s).denominator) for s in row] for row in scores
            ]
            for picks in product(range(n), repeat=n):
                share, spent = chance, cost
                for i, j in enumerate(picks):
                    share *= powers[i][j] / sum(powers[i])
                    spent += max(scores[i]) - scores[i][j]
                after = [
                    [(1 - gamma) * a + gamma * b for a, b in zip(x[i], x[j], strict=True)] for i, j in enumerate(picks)
                ]
                grown.append(([*path, after], share, spent))
        found = grown
    return found


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_law_is_the_sum_over_all_sequences_of_picks(steps):
    instance = SoftmaxStep.instance(x=[["1/2", 1], [0, -1], [1, "1/4"]], beta="-3/2", gamma="2/3")
    with mpmath.workdps(DIGITS):
        paths = sequences(instance, steps)
        chance = sum(share for path, share, _ in paths if path[-1][0][0] > path[-1][1][0])
        height = sum(share * mpmath.mpf(path[-1][2][1].numerator) / path[-1][2][1].denominator for path, share, _ in paths)
    with working_precision(160):
        law = law_after(instance, steps)
        found = law.chance(lambda x: x[0, 0] > x[1, 0]), law.mean(lambda x: x[2, 1], 1)
    for value, expected in zip(found, (chance, height), strict=True):
        assert isinstance(value, fmpq) is (steps == 0)  # where no pick is made the law is exact
        enclosure = arb(value)
        assert contains(enclosure, enclosure, expected)


def test_what_a_law_cuts_widens_its_answers():
    instance = SoftmaxStep.instance(x=[[1], [-1]], beta=3, gamma="1/2")
    with working_precision(160):
        whole, part = law_after(instance, 2), law_after(instance, 2, arb("0.01"))
        assert part.cut > 0
        for event in (lambda x: x[0, 0] > 0, lambda x: x[0, 0] < 0, lambda x: True):
            assert part.chance(event).contains(whole.chance(event))
        assert part.mean(lambda x: abs(x[0, 0]), 1).contains(whole.mean(lambda x: abs(x[0, 0]), 1))
    with pytest.raises(TooManyStatesError):
        law_after(instance, 2, most_branches=15)


@pytest.mark.parametrize("instance", [pair(3), pair(4), chain(2), chain(3, eps="1/9"), line(3)])
def test_cheapest_way_out_is_the_least_cost_of_the_sequences_that_leave(instance):
    labels, steps = instance.group.tolist(), int(instance.steps.item()) - 1
    with mpmath.workdps(DIGITS):
        eps = number(instance.eps.item())
        start = [[number(c) for c in row] for row in instance.x]

        def leaves(path):
            places = [[[mpmath.mpf(c.numerator) / c.denominator for c in token] for token in x] for x in path]
            hulls = [[x for x, other in zip(start, labels, strict=True) if other == label] for label in labels]
            return any(distance_to_segment(token, hull) > eps for x in places for token, hull in zip(x, hulls, strict=True))

        costs = [cost for path, _, cost in sequences(instance, steps) if leaves(path)]
    best = cheapest_way_out(instance)
    assert best == (None if not costs else fmpq(min(costs).numerator, min(costs).denominator))
